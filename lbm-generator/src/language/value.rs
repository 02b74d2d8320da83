//! What an expression of the language evaluates to, and where names are looked up.

use super::super::rational::{to_integer, whole};
use super::super::symbolic::Polynomial;
use super::super::wrong::refuse;
use super::CollisionDeclaration;
use super::condition::Condition;
use proc_macro2::Span;
use std::rc::Rc;

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A formula; a constant one also serves as an index.
    Number(Rc<Polynomial>),
    /// What holds or not.
    Condition(Condition),
    /// Several values.
    List(Rc<Vec<Value>>),
    /// A formula with arguments.
    Closure(Rc<Closure>),
    /// A collision that the declared one goes around.
    Collision(Rc<CollisionDeclaration>),
    /// A set of populations of a model, by its number.
    Set(usize),
    /// What has no value here, and why.
    Unknown(String),
    /// The unit value of a statement.
    Nothing,
}

/// A closure with the names it was written among.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) arguments: Vec<syn::Pat>,
    pub(super) body: syn::Expr,
    pub(super) names: Names,
    /// Whether it is the language's own, of which users see no tokens.
    pub(super) is_built_in: bool,
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
            Value::Number(p) => to_integer(&p.constant()?).and_then(|n| usize::try_from(n).ok()),
            _ => None,
        }
    }

    /// The formula; `expected` says what is needed where there is none.
    pub(super) fn as_number(&self, expected: &str, span: Span) -> syn::Result<&Polynomial> {
        match self {
            Value::Number(polynomial) => Ok(polynomial),
            other => other.is_not(expected, span),
        }
    }

    /// The condition, likewise.
    pub(super) fn as_condition(&self, expected: &str, span: Span) -> syn::Result<&Condition> {
        match self {
            Value::Condition(condition) => Ok(condition),
            other => other.is_not(expected, span),
        }
    }

    /// Whether a condition holds that must be known while the kernel is generated.
    pub(super) fn as_known(&self, expected: &str, span: Span) -> syn::Result<bool> {
        match self.as_condition(expected, span)? {
            Condition::Known(holds) => Ok(*holds),
            _ => refuse(
                span,
                "this compares values of a node, which are known only when the kernel runs; write \
                 `select(condition, then, otherwise)`, or compare constants",
            ),
        }
    }

    /// The entries of a list.
    pub(super) fn items(&self, span: Span) -> syn::Result<&Rc<Vec<Value>>> {
        match self {
            Value::List(list) => Ok(list),
            other => other.is_not("expected a range such as `directions` or a list", span),
        }
    }

    fn is_not<T>(&self, expected: &str, span: Span) -> syn::Result<T> {
        match self {
            Value::Unknown(why) => refuse(span, why),
            _ => refuse(span, format!("{expected}, found {}", self.kind())),
        }
    }

    /// Whether a number or a list is this very one.
    pub(super) fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    pub(super) fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Condition(_) => "a condition",
            Value::List(_) => "a list",
            Value::Closure(_) => "a closure",
            Value::Collision(_) => "a collision",
            Value::Set(_) => "a set of populations",
            Value::Unknown(_) => "what is not known here",
            Value::Nothing => "nothing",
        }
    }
}

impl From<bool> for Value {
    fn from(holds: bool) -> Self {
        Value::Condition(Condition::Known(holds))
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Self {
        Value::number(whole(n as i64))
    }
}

/// Names in scope: a list that shares its tail, so that closures keep it at no cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Option<Rc<Binding>>);

#[derive(Debug)]
pub(super) struct Binding {
    pub(super) name: String,
    value: Value,
    outer: Names,
}

impl Names {
    pub(super) fn with(&self, name: &str, value: Value) -> Names {
        Names(Some(Rc::new(Binding { name: name.to_owned(), value, outer: self.clone() })))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.all().find(|binding| binding.name == name).map(|binding| &binding.value)
    }

    /// The bindings, the latest first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Binding> {
        std::iter::successors(self.0.as_deref(), |binding| binding.outer.0.as_deref())
    }
}
