//! Runs the statements of a collision and evaluates the expressions in them.

use super::super::rational::{Rational, parse_literal};
use super::super::symbolic::{Definition, Function, Polynomial, Symbols};
use super::super::wrong::refuse;
use super::condition::Condition;
use super::found::FoundInputs;
use super::model::SetOfModel;
use super::near::DerivedFields;
use super::prev::KeptValue;
use super::value::{Closure, Names, Value};
use super::within::Within;
use super::{Scope, builtin, foreign, prelude};
use proc_macro2::Span;
use std::rc::Rc;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat, Stmt};

pub(super) struct Evaluator<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) symbols: Symbols,
    /// The free parameters met so far, with their defaults.
    pub(super) parameters: Vec<(String, Option<Rational>)>,
    /// The same of fields.
    pub(super) fields: Vec<(String, Option<Rational>)>,
    /// What follows for each node before it collides.
    pub(super) derived: DerivedFields,
    /// The populations that are set.
    pub(super) outputs: Vec<Option<Polynomial>>,
    /// Which may be: all, but for a rule.
    pub(super) may_set: Vec<bool>,
    /// The components of the body force.
    pub(super) force: Vec<Polynomial>,
    /// What a rule finds beside what it is given; none in a collision.
    pub(super) found: Option<FoundInputs>,
    /// How many calls of `solve` are asking for their equations. Nothing of these gets a name: they are seen as what they are made of.
    pub(super) asked: usize,
    /// The language's own names, once a collision runs among them.
    pub(super) language: Option<Names>,
    /// The last collision within that has run.
    pub(super) within: Option<Within>,
    /// The sets of populations of a model.
    pub(super) sets: Vec<SetOfModel<'a>>,
    /// What its nodes keep from step to step.
    pub(super) kept: Vec<KeptValue>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(scope: &'a Scope<'a>) -> Evaluator<'a> {
        let outputs = vec![None; scope.lattice.q()];
        let may_set = vec![true; outputs.len()];
        let (symbols, parameters, fields, derived, force) = Default::default();
        let (found, language, within, sets) = (None, None, None, Vec::new());
        Evaluator {
            scope,
            symbols,
            parameters,
            fields,
            derived,
            outputs,
            may_set,
            force,
            found,
            asked: 0,
            language,
            within,
            sets,
            kept: Vec::new(),
        }
    }

    /// Runs statements; gives the names after them and the value of a final expression.
    pub(super) fn statements(
        &mut self,
        statements: &[Stmt],
        mut names: Names,
    ) -> syn::Result<(Names, Value)> {
        let mut last = Value::Nothing;
        for statement in statements {
            last = Value::Nothing;
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &local.init else {
                        return refuse(local.span(), "`let` needs a value; write `let name = formula;`");
                    };
                    if let Pat::Type(typed) = &local.pat {
                        return refuse(
                            typed.ty.span(),
                            "a quantity has no type; write `let name = formula;`",
                        );
                    }
                    let Some(name) = plain_name(&local.pat) else {
                        let message = "`let` takes one plain name, since a quantity has one value; write `let name = formula;`";
                        return refuse(local.pat.span(), message);
                    };
                    let value = self.expression(&init.expr, &names)?;
                    let value = self.named(&name, value, init.expr.span())?;
                    names = names.with(&name, value);
                }
                Stmt::Expr(expr, _) => last = self.expression(expr, &names)?,
                other => {
                    let message = "only `let`, `for`, `if`, `require` and `f[i] = ..` can stand here";
                    return refuse(other.span(), message);
                }
            }
        }
        Ok((names, last))
    }

    /// Gives the quantities of a `let` their names.
    fn named(&mut self, name: &str, value: Value, at: Span) -> syn::Result<Value> {
        match value {
            value if self.asked > 0 => Ok(value),
            Value::Number(p) => {
                let value = self.kept_near(p.as_ref().clone(), at)?;
                let field = self.known_field(&value);
                let value = prelude::name(&mut self.symbols, name, value);
                if let Some(field) = field {
                    self.name_field(field, name, &value);
                }
                Ok(Value::number(value))
            }
            Value::List(list) => {
                let entries = list.iter().enumerate();
                let named = entries.map(|(k, v)| self.named(&format!("{name}_{k}"), v.clone(), at));
                Ok(Value::list(named.collect::<syn::Result<Vec<_>>>()?))
            }
            other => Ok(other),
        }
    }

    fn for_loop(&mut self, for_loop: &syn::ExprForLoop, names: &Names) -> syn::Result<()> {
        let range = self.expression(&for_loop.expr, names)?;
        for item in range.items(for_loop.expr.span())?.iter() {
            let inner = bind(&for_loop.pat, item, names)?;
            self.statements(&for_loop.body.stmts, inner)?;
        }
        Ok(())
    }

    fn assign(&mut self, assign: &syn::ExprAssign, names: &Names) -> syn::Result<()> {
        const OTHER: &str = "only populations are assigned, `f[i] = ..`; name other quantities with `let`";
        if let Expr::Field(field) = assign.left.as_ref() {
            return self.give(field, &assign.right, names);
        }
        if self.is_between_sets()
            && !matches!(assign.left.as_ref(), Expr::Index(target) if matches!(*target.expr, Expr::Field(_)))
        {
            return refuse(
                assign.left.span(),
                "in a model a set is given something, `flow.f = ..`, `flow.f[i] = ..`",
            );
        }
        let Expr::Index(target) = assign.left.as_ref() else {
            return refuse(assign.left.span(), OTHER);
        };
        if let Expr::Field(field) = target.expr.as_ref() {
            return self.give_one(field, target, &assign.right, names);
        }
        if !matches!(target.expr.as_ref(), Expr::Path(path) if path.path.is_ident("f")) {
            return refuse(target.expr.span(), OTHER);
        }
        let index = self.expression(&target.index, names)?;
        let Some(index) = index.index().filter(|&i| i < self.outputs.len()) else {
            let last = self.outputs.len() - 1;
            let message = format!("this is no direction; take an index from 0 to {last}");
            return refuse(target.index.span(), message);
        };
        if !self.may_set[index] {
            let message = format!(
                "f[{index}] arrives from a neighbour; set the `missing` directions only, or say `replaces_known` before the formulas"
            );
            return refuse(assign.left.span(), message);
        }
        let value = self.number(&assign.right, names)?;
        let value = self.kept_near(value, assign.right.span())?;
        if self.outputs[index].replace(value).is_some() {
            let message = format!("f[{index}] is set twice; set each direction once");
            return refuse(assign.left.span(), message);
        }
        Ok(())
    }

    pub(super) fn number(&mut self, expr: &Expr, names: &Names) -> syn::Result<Polynomial> {
        Ok(self.expression(expr, names)?.as_number("expected a number", expr.span())?.clone())
    }

    pub(super) fn condition(&mut self, expr: &Expr, names: &Names) -> syn::Result<Condition> {
        const EXPECTED: &str = "expected a condition such as `a < b`";
        Ok(self.expression(expr, names)?.as_condition(EXPECTED, expr.span())?.clone())
    }

    pub(super) fn expression(&mut self, expr: &Expr, names: &Names) -> syn::Result<Value> {
        match expr {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. }) => Ok(Value::Nothing),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => Ok(b.value.into()),
            Expr::Lit(lit) => Ok(Value::number(parse_literal(&lit.lit)?)),
            Expr::Paren(inner) => self.expression(&inner.expr, names),
            Expr::Group(inner) => self.expression(&inner.expr, names),
            Expr::Path(path) => lookup(path, names),
            Expr::Unary(unary) => self.unary(unary, names),
            Expr::Binary(binary) => self.binary(binary, names),
            Expr::Range(range) => self.range(range, names),
            Expr::Index(index) => self.index(index, names),
            Expr::Array(array) => {
                let values = array.elems.iter().map(|e| self.expression(e, names));
                Ok(Value::list(values.collect::<syn::Result<Vec<_>>>()?))
            }
            Expr::Closure(closure) => Ok(Value::Closure(Rc::new(Closure {
                arguments: closure.inputs.iter().cloned().collect(),
                body: closure.body.as_ref().clone(),
                names: names.clone(),
                is_built_in: false,
            }))),
            Expr::If(branch) => self.branch(branch, names),
            Expr::Block(block) => self.block(&block.block, names),
            Expr::Field(field) if !self.sets.is_empty() => match self.expression(&field.base, names)? {
                Value::Set(number) => self.of_set(field, number),
                _ => foreign::expression(expr),
            },
            Expr::Call(call) => builtin::call(self, call, names),
            Expr::MethodCall(call) => builtin::method(self, call, names),
            Expr::ForLoop(for_loop) => self.for_loop(for_loop, names).map(|()| Value::Nothing),
            Expr::Assign(assign) => self.assign(assign, names).map(|()| Value::Nothing),
            other => foreign::expression(other),
        }
    }

    fn block(&mut self, block: &Block, names: &Names) -> syn::Result<Value> {
        Ok(self.statements(&block.stmts, names.clone())?.1)
    }

    fn branch(&mut self, branch: &syn::ExprIf, names: &Names) -> syn::Result<Value> {
        let condition = self.expression(&branch.cond, names)?;
        if condition.as_known("expected a condition such as `i == 0`", branch.cond.span())? {
            self.block(&branch.then_branch, names)
        } else if let Some((_, other)) = &branch.else_branch {
            self.expression(other, names)
        } else {
            Ok(Value::Nothing)
        }
    }

    fn index(&mut self, index: &syn::ExprIndex, names: &Names) -> syn::Result<Value> {
        let list = self.expression(&index.expr, names)?;
        let Value::List(list) = list else {
            let message = format!("only lists have entries; this is {}", list.kind());
            return refuse(index.expr.span(), message);
        };
        let at = self.expression(&index.index, names)?;
        if let Value::List(exponents) = &at {
            return self.of_exponents(&list, exponents, index.index.span());
        }
        at.index().and_then(|k| list.get(k)).cloned().ok_or_else(|| {
            let found = match &at {
                Value::Number(p) => p.constant().map_or("not a constant".to_owned(), |c| c.to_string()),
                other => other.kind().to_owned(),
            };
            let last = list.len().saturating_sub(1);
            syn::Error::new(index.index.span(), format!("the index is {found}; take one from 0 to {last}"))
        })
    }

    /// The entry of a list of moments that has these exponents: `m[[2, 0]]`.
    fn of_exponents(&self, list: &[Value], exponents: &[Value], span: Span) -> syn::Result<Value> {
        let all = self.exponents("exponents", span)?;
        let d = self.scope.lattice.dimension;
        let wanted: Option<Vec<usize>> = exponents.iter().map(Value::index).collect();
        let found = wanted.as_ref().and_then(|wanted| all.iter().position(|e| e[..d] == wanted[..]));
        found.and_then(|n| list.get(n)).cloned().ok_or_else(|| {
            let message = format!(
                "no moment of {} has these exponents; give {d} of 0, 1, 2 to a list of as many moments as `exponents`",
                self.scope.lattice.name
            );
            syn::Error::new(span, message)
        })
    }

    /// A function of numbers; `name` is for the engine, until the author gives one.
    pub(super) fn function(
        &mut self,
        function: Function,
        name: &str,
        arguments: &[&Expr],
        names: &Names,
    ) -> syn::Result<Value> {
        let operands = arguments.iter().map(|argument| self.number(argument, names));
        let operands = operands.collect::<syn::Result<_>>()?;
        Ok(Value::number(self.apply_function(function, name, operands)))
    }

    /// The same of polynomials.
    pub(super) fn apply_function(
        &mut self,
        function: Function,
        name: &str,
        operands: Vec<Polynomial>,
    ) -> Polynomial {
        self.symbols.intern_anonymous(name, Definition::Function(function, operands)).into()
    }

    /// Calls a closure with arguments.
    pub(super) fn apply(
        &mut self,
        closure: &Closure,
        arguments: Vec<Value>,
        span: Span,
    ) -> syn::Result<Value> {
        if closure.arguments.len() != arguments.len() {
            let (takes, given) = (closure.arguments.len(), arguments.len());
            let message =
                format!("this closure takes {takes} arguments, here it gets {given}; give it {takes}");
            return refuse(span, message);
        }
        let mut names = closure.names.clone();
        for (pattern, argument) in closure.arguments.iter().zip(arguments) {
            names = bind(pattern, &argument, &names)?;
        }
        self.expression(&closure.body, &names)
    }
}

/// The name of a pattern that is a name and nothing else.
pub(super) fn plain_name(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(one) if one.mutability.is_none() && one.by_ref.is_none() && one.subpat.is_none() => {
            Some(one.ident.unraw().to_string())
        }
        _ => None,
    }
}

/// Binds a name, or the names `(i, j)` or `[i, j]` of a list's entries.
fn bind(pattern: &Pat, value: &Value, names: &Names) -> syn::Result<Names> {
    if let Some(name) = plain_name(pattern) {
        return Ok(names.with(&name, value.clone()));
    }
    let several = match pattern {
        Pat::Wild(_) => return Ok(names.clone()),
        Pat::Tuple(tuple) => &tuple.elems,
        Pat::Slice(slice) => &slice.elems,
        other => return refuse(other.span(), "expected a name, or names such as `(i, j)`"),
    };
    match value {
        Value::List(list) if list.len() == several.len() => {
            several.iter().zip(list.iter()).try_fold(names.clone(), |names, (p, v)| bind(p, v, &names))
        }
        other => refuse(pattern.span(), format!("{} names for {}", several.len(), other.kind())),
    }
}

fn lookup(path: &syn::ExprPath, names: &Names) -> syn::Result<Value> {
    let Some(name) = path.path.get_ident().map(|name| name.unraw().to_string()) else {
        let message = "paths mean nothing in the language of `collision!`; use plain names";
        return refuse(path.span(), message);
    };
    let known = || names.all().map(|known| known.name.as_str());
    names.get(&name).cloned().ok_or_else(|| unknown_name(&name, known(), path.span()))
}

/// A name that is none of those that are known.
pub(super) fn unknown_name<'a>(name: &str, known: impl Iterator<Item = &'a str>, span: Span) -> syn::Error {
    if let Some(message) = foreign::named_function(name) {
        return syn::Error::new(span, message);
    }
    let distance = |known: &str| strsim::damerau_levenshtein(known, name);
    let hint = match known.min_by_key(|known| distance(known)).filter(|known| distance(known) <= 2) {
        Some(known) => format!(", did you mean `{known}`?"),
        None => "; declare it as a parameter or with `let`".to_owned(),
    };
    syn::Error::new(span, format!("unknown name `{name}`{hint}"))
}
