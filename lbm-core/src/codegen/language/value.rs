//! What an expression of the language evaluates to, and where names are looked up.

use super::super::rational::to_integer;
use super::super::symbolic::Polynomial;
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A formula; a constant one also serves as an index.
    Number(Rc<Polynomial>),
    /// A condition that is known while the kernel is generated.
    Condition(bool),
    /// Several values.
    List(Rc<Vec<Value>>),
    /// A formula with arguments.
    Closure(Rc<Closure>),
    /// The unit value of a statement.
    Nothing,
}

/// A closure with the names it was written among.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) arguments: Vec<syn::Pat>,
    pub(super) body: syn::Expr,
    pub(super) names: Names,
}

impl Value {
    pub(super) fn number(polynomial: impl Into<Polynomial>) -> Value {
        Value::Number(Rc::new(polynomial.into()))
    }

    pub(super) fn list(values: impl IntoIterator<Item = Value>) -> Value {
        Value::List(Rc::new(values.into_iter().collect()))
    }

    pub(super) fn index(&self) -> Option<usize> {
        match self {
            Value::Number(p) => {
                p.constant().and_then(|c| to_integer(&c)).and_then(|n| usize::try_from(n).ok())
            }
            _ => None,
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Condition(_) => "a condition",
            Value::List(_) => "a list",
            Value::Closure(_) => "a closure",
            Value::Nothing => "nothing",
        }
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Self {
        Value::number(super::super::rational::whole(n as i64))
    }
}

/// Names in scope: a list that shares its tail, so that closures keep it at no cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Option<Rc<Binding>>);

#[derive(Debug)]
struct Binding {
    name: String,
    value: Value,
    outer: Names,
}

impl Names {
    pub(super) fn with(&self, name: &str, value: Value) -> Names {
        Names(Some(Rc::new(Binding { name: name.to_owned(), value, outer: self.clone() })))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let mut at = self;
        while let Some(binding) = &at.0 {
            if binding.name == name {
                return Some(&binding.value);
            }
            at = &binding.outer;
        }
        None
    }

    pub(super) fn all(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut at = self;
        while let Some(binding) = &at.0 {
            names.push(binding.name.as_str());
            at = &binding.outer;
        }
        names
    }
}
