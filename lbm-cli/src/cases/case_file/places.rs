//! Where a case file has what an error is about that was found when its flow was built.

use std::path::Path;

use lbm_core::{Error, Face};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::fault::Fault;

/// What is wrong with the flow of a file that was read, at the place of the file that the error names: an entry of a probe, a patch or a body by its
/// name, a face, a setting, any other key or text. What names nothing of the file stays as it is.
pub fn located(error: Error, path: &Path) -> Error {
    // What is no file cannot be read twice.
    let text = path.is_file().then(|| std::fs::read_to_string(path).ok()).flatten().unwrap_or_default();
    let place = DeTable::parse(&text).ok().and_then(|table| Places(table.get_ref()).of(&error));
    match place {
        Some(offset) => Fault::at(offset, &of_file(error)).in_file(path, &text),
        None => error,
    }
}

/// The error in words of a case file.
fn of_file(error: Error) -> Error {
    match error {
        Error::Conflict { what, .. } if what.ends_with(ALL_SOLID) => {
            Error::Conflict { what, remedy: "make `bodies` of the file smaller, or move them".to_owned() }
        }
        other => other,
    }
}

/// What is said of a box without fluid.
const ALL_SOLID: &str = "nodes of the box are solid";

/// What errors call keys of a file.
const CALLED: [(&str, &str); 5] = [
    ("Reynolds number", "re"),
    ("reference length", "length"),
    ("reference velocity", "velocity"),
    ("viscosity", "re"),
    (ALL_SOLID, "bodies"),
];

/// The settings that choose a variant, of which the first one that an error speaks of has its place.
const AXES: [&str; 6] = ["streaming", "layout", "addressing", "equilibrium", "collision", "precision"];

/// A file's table.
struct Places<'a>(&'a DeTable<'a>);

type Item<'a> = Spanned<DeValue<'a>>;

impl Places<'_> {
    fn of(&self, error: &Error) -> Option<usize> {
        match error {
            Error::Unknown { name, .. } => {
                let tables = ["probes", "forces"].into_iter().filter_map(|key| self.value(key));
                let used = tables.filter_map(|table| place_of(table, name)).min();
                used.or_else(|| place_in(self.0, name)).or_else(|| self.with_part(name))
            }
            Error::OutOfRange { name, value, .. } => self
                .said(name)
                .or_else(|| self.value(name).filter(|item| has_value(item, value)).map(start))
                .or_else(|| self.called(name)),
            Error::Conflict { what, .. } => {
                self.said(what).or_else(|| self.axis(what)).or_else(|| self.called(what))
            }
            Error::Missing { what, .. } => {
                let case = || self.value("case").filter(|_| what.contains("setting")).map(start);
                self.said(what).or_else(case)
            }
            _ => None,
        }
    }

    /// The place of what a text names: the entry of a probe, a patch or a body, a face, or else the first key or text that is one of the names.
    fn said(&self, text: &str) -> Option<usize> {
        let names = || text.split('`').skip(1).step_by(2);
        let rule = names().zip(text.split('`').step_by(2)).find(|(_, before)| before.ends_with("rule "));
        self.of_probe(text)
            .or_else(|| names().find_map(|name| self.named(name)))
            .or_else(|| self.face(text, rule.map(|(name, _)| name)))
            .or_else(|| self.of_rule(text))
            .or_else(|| names().find_map(|name| place_in(self.0, name)))
    }

    fn value(&self, key: &str) -> Option<&Item<'_>> {
        get(self.0, key)
    }

    /// The entry of "`section` of the probe `wake`".
    fn of_probe(&self, text: &str) -> Option<usize> {
        let (before, after) = text.split_once("` of the probe `")?;
        let (key, name) = (before.rsplit('`').next()?, after.split('`').next()?);
        let probes = self.value("probes")?;
        let DeValue::Array(tables) = probes.get_ref() else { return Some(start(probes)) };
        let has_name = |item: &&Item<'_>| {
            let DeValue::Table(table) = item.get_ref() else { return false };
            get(table, "name").or_else(|| get(table, "kind")).is_some_and(|item| is_text(item, name))
        };
        let probe = tables.iter().find(has_name)?;
        let DeValue::Table(table) = probe.get_ref() else { return None };
        Some(get(table, key).map_or(start(probe), start))
    }

    /// The name of the patch, body or region that is called so.
    fn named(&self, name: &str) -> Option<usize> {
        let tables = ["patches", "bodies", "regions"].into_iter().filter_map(|key| self.value(key));
        tables.filter_map(|tables| name_in(tables, name)).min()
    }

    /// The first of the faces that a text speaks of to have an entry, one with this rule before others.
    fn face(&self, text: &str, rule: Option<&str>) -> Option<usize> {
        let faces = self.value("faces").and_then(|faces| match faces.get_ref() {
            DeValue::Table(faces) => Some(faces),
            _ => None,
        });
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let spoken = Face::ALL.map(|face| format!("{face:?}")).into_iter();
        let spoken = spoken.filter(|face| words.contains(&face.as_str()));
        let entry = |face: String| {
            let name = face.to_lowercase();
            faces.and_then(|faces| get(faces, &name)).or_else(|| self.patch_of(&name))
        };
        let entries: Vec<_> = spoken.filter_map(entry).collect();
        let with_rule = rule.and_then(|rule| entries.iter().find_map(|entry| place_of(entry, rule)));
        with_rule.or_else(|| entries.first().map(|entry| start(entry)))
    }

    /// The face of the first patch at a face of this name.
    fn patch_of(&self, face: &str) -> Option<&Item<'_>> {
        let DeValue::Array(patches) = self.value("patches")?.get_ref() else { return None };
        let mut tables = patches.iter().filter_map(|patch| match patch.get_ref() {
            DeValue::Table(patch) => get(patch, "face"),
            _ => None,
        });
        tables.find(|item| is_text(item, face))
    }

    /// The entry of "`velocity` of the rule `bouzidi`", of the first such rule that has it, or its name.
    fn of_rule(&self, text: &str) -> Option<usize> {
        let (before, after) = text.split_once("` of the rule `")?;
        let (key, name) = (before.rsplit('`').next()?, after.split('`').next()?);
        let mut rules = Vec::new();
        rules_in(self.0, name, &mut rules);
        let own = rules.iter().filter_map(|rule| get(rule, key)).map(start).min();
        own.or_else(|| place_in(self.0, name))
    }

    /// The setting of a variant that a text speaks of: "this streaming ..", or the name of the variant that has its value.
    fn axis(&self, text: &str) -> Option<usize> {
        let set = || AXES.into_iter().filter_map(|axis| Some((axis, self.value(axis)?)));
        let spoken = set().find(|(axis, _)| text.contains(&format!("this {axis}")));
        let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || ":`,".contains(c)).collect();
        let has = |item: &Item<'_>| match item.get_ref() {
            DeValue::String(value) => words.iter().any(|word| {
                *word == value.as_ref()
                    || word
                        .split_once(value.as_ref())
                        .is_some_and(|(a, b)| a.ends_with('-') && (b.is_empty() || b.starts_with('-')))
            }),
            _ => false,
        };
        spoken.or_else(|| set().find(|(_, item)| has(item))).map(|(_, item)| start(item))
    }

    /// The key that an error calls something else.
    fn called(&self, text: &str) -> Option<usize> {
        let known = CALLED.into_iter().filter(|(called, _)| text.contains(called));
        known.filter_map(|(_, key)| self.value(key)).map(start).next()
    }

    /// The text of a setting of which the name is a part.
    fn with_part(&self, name: &str) -> Option<usize> {
        let has = |item: &&Item<'_>| matches!(item.get_ref(), DeValue::String(text) if text.contains(name));
        let entries = self.0.iter().filter(|(key, _)| key.get_ref() != TITLE);
        entries.map(|(_, item)| item).filter(has).map(start).min()
    }
}

/// The key whose text may be anything.
const TITLE: &str = "title";

fn start(item: &Item<'_>) -> usize {
    item.span().start
}

fn get<'a>(table: &'a DeTable<'_>, key: &str) -> Option<&'a Item<'a>> {
    table.iter().find(|(known, _)| known.get_ref() == key).map(|(_, item)| item)
}

fn is_text(item: &Item<'_>, text: &str) -> bool {
    matches!(item.get_ref(), DeValue::String(known) if known == text)
}

/// Whether a setting is what an error has as its value: otherwise it was set elsewhere.
fn has_value(item: &Item<'_>, value: &str) -> bool {
    let number = |text: &str| text.replace('_', "").parse::<f64>().ok();
    let same = |text: &str| text == value || number(text).is_some_and(|own| number(value) == Some(own));
    match item.get_ref() {
        DeValue::String(text) => same(text),
        DeValue::Integer(own) => same(own.as_str()),
        DeValue::Float(own) => same(own.as_str()),
        DeValue::Array(_) | DeValue::Table(_) => true,
        _ => false,
    }
}

/// The entry `name` of this text in tables, or in tables of these.
fn name_in(item: &Item<'_>, name: &str) -> Option<usize> {
    match item.get_ref() {
        DeValue::Array(items) => items.iter().find_map(|item| name_in(item, name)),
        DeValue::Table(table) => {
            let own = get(table, "name").filter(|item| is_text(item, name)).map(start);
            own.or_else(|| get(table, "patches").and_then(|patches| name_in(patches, name)))
        }
        _ => None,
    }
}

/// The tables in a table, and in its lists, that have a name.
fn rules_in<'a>(table: &'a DeTable<'a>, name: &str, all: &mut Vec<&'a DeTable<'a>>) {
    fn within<'a>(item: &'a Item<'a>, name: &str, all: &mut Vec<&'a DeTable<'a>>) {
        match item.get_ref() {
            DeValue::Array(items) => items.iter().for_each(|item| within(item, name, all)),
            DeValue::Table(table) => rules_in(table, name, all),
            _ => {}
        }
    }
    if get(table, "name").is_some_and(|item| is_text(item, name)) {
        all.push(table);
    }
    table.iter().for_each(|(_, item)| within(item, name, all));
}

/// The first byte of a key or a text of this name in a value.
fn place_of(item: &Item<'_>, name: &str) -> Option<usize> {
    match item.get_ref() {
        DeValue::String(text) => (text == name).then(|| start(item)),
        DeValue::Array(list) => list.iter().find_map(|item| place_of(item, name)),
        DeValue::Table(table) => place_in(table, name),
        _ => None,
    }
}

/// The same in a table.
fn place_in(table: &DeTable<'_>, name: &str) -> Option<usize> {
    let entries = table.iter().filter_map(|(key, item)| match key.get_ref() == name {
        true => Some(key.span().start),
        false => (key.get_ref() != TITLE).then(|| place_of(item, name)).flatten(),
    });
    entries.min()
}
