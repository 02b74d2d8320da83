//! A table of a case file, read key by key: what is missing, of another kind or too much is said with its place.

use std::cell::RefCell;
use std::fmt::Display;

use lbm_core::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cases::fault::Fault;
use crate::simulation::check_name;

/// A value with its place.
pub(super) type Item<'a> = Spanned<DeValue<'a>>;

/// A table whose keys are asked for one by one.
pub(super) struct Table<'a> {
    entries: &'a DeTable<'a>,
    /// Where it begins.
    at: usize,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Table<'a> {
    pub(super) fn new(entries: &'a DeTable<'a>, at: usize) -> Table<'a> {
        Table { entries, at, asked: RefCell::default() }
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &'static str) -> Option<&'a Item<'a>> {
        self.asked.borrow_mut().push(key);
        self.entries.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }

    /// The value of a key that has to be there.
    pub(super) fn need(&self, key: &'static str, example: &str) -> Result<&'a Item<'a>, Fault> {
        self.get(key).ok_or_else(|| {
            Fault::new(
                Some(self.at),
                format!("the key `{key}` is missing"),
                format!("write, for example, {example}"),
            )
        })
    }

    /// The value of a key as `read` takes it, if the key is there.
    pub(super) fn read<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&'a Item<'a>) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        self.get(key).map(read).transpose()
    }

    /// All keys with their places in the order of the file.
    pub(super) fn keys(&self) -> Vec<(&'a str, usize, &'a Item<'a>)> {
        let mut keys: Vec<_> = self
            .entries
            .iter()
            .map(|(key, value)| (key.get_ref().as_ref(), key.span().start, value))
            .collect();
        keys.sort_by_key(|&(_, at, _)| at);
        keys
    }

    /// Where the table begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// That no other keys stand in it than those that were asked for.
    pub(super) fn finish(&self) -> Result<(), Fault> {
        let asked = self.asked.borrow();
        match self.keys().iter().find(|(key, ..)| !asked.contains(key)) {
            Some(&(key, at, _)) => Err(unknown("key", key, at, &asked)),
            None => Ok(()),
        }
    }
}

/// A name that is none of those that are known.
pub(super) fn unknown(what: &str, name: &str, at: usize, known: &[&str]) -> Fault {
    let listed = match known {
        [] => format!("there is no {what} here"),
        known => format!("known here: {}", known.join(", ")),
    };
    Fault::at(at, &Error::unknown(what, name, known.iter().copied(), listed))
}

/// A value that is not what is wanted.
pub(super) fn wrong(item: &Item<'_>, wanted: &str, example: &str) -> Fault {
    let what = format!("this value is not {wanted}");
    Fault::new(Some(item.span().start), what, format!("write, for example, {example}"))
}

/// An error that belongs to a value.
pub(super) fn of(item: &Item<'_>) -> impl Fn(Error) -> Fault + use<> {
    let at = item.span().start;
    move |error| Fault::at(at, &error)
}

/// What is wrong with a value, in words.
pub(super) fn refused(item: &Item<'_>, what: impl Display, remedy: &str) -> Fault {
    Fault::new(Some(item.span().start), what, remedy)
}

pub(super) fn text<'a>(item: &'a Item<'a>) -> Result<&'a str, Fault> {
    match item.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err(wrong(item, "a text in quotes", "\"west\"")),
    }
}

/// The name of a body or a patch, which `what` says.
pub(super) fn name<'a>(item: &'a Item<'a>, what: &str) -> Result<&'a str, Fault> {
    let name = text(item)?;
    check_name(what, name).map_err(of(item))?;
    Ok(name)
}

pub(super) fn number(item: &Item<'_>) -> Result<f64, Fault> {
    let digits = match item.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        _ => "",
    };
    let number = digits.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| {
        let what = if digits.is_empty() { "this value".to_owned() } else { digits.to_owned() };
        refused(item, format!("{what} is not a finite decimal number"), "write, for example, 0.05")
    })
}

pub(super) fn flag(item: &Item<'_>) -> Result<bool, Fault> {
    match item.get_ref() {
        DeValue::Boolean(value) => Ok(*value),
        _ => Err(wrong(item, "true or false", "true")),
    }
}

/// A whole number from 1.
pub(super) fn count(item: &Item<'_>) -> Result<usize, Fault> {
    let number = number(item)?;
    let whole = number >= 1.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX);
    whole.then_some(number as usize).ok_or_else(|| {
        let what = format!("{number} is not a whole number from 1 to {}", u32::MAX);
        refused(item, what, "write, for example, 64")
    })
}

/// The items of a list.
pub(super) fn list<'a>(item: &'a Item<'a>) -> Result<Vec<&'a Item<'a>>, Fault> {
    match item.get_ref() {
        DeValue::Array(items) => Ok(items.iter().collect()),
        _ => Err(wrong(item, "a list", "[1, 2]")),
    }
}

/// A number, or as many as a list has.
pub(super) fn numbers(item: &Item<'_>) -> Result<Vec<f64>, Fault> {
    match item.get_ref() {
        DeValue::Array(items) => items.iter().map(number).collect(),
        _ => number(item).map(|number| vec![number]),
    }
}

/// A point or vector of so many numbers; further axes have `other`.
pub(super) fn vector(item: &Item<'_>, dimension: usize, other: f64) -> Result<[f64; 3], Fault> {
    let given = numbers(item)?;
    if given.len() != dimension {
        let what = format!("this value has {} numbers, {dimension} are needed", given.len());
        return Err(refused(item, what, "give one an axis of the lattice"));
    }
    Ok(std::array::from_fn(|axis| given.get(axis).copied().unwrap_or(other)))
}

pub(super) fn table<'a>(item: &'a Item<'a>) -> Result<Table<'a>, Fault> {
    match item.get_ref() {
        DeValue::Table(entries) => Ok(Table::new(entries, item.span().start)),
        _ => Err(wrong(item, "a table", "{ name = \"zou-he-velocity\", velocity = [0.05, 0] }")),
    }
}
