//! Formulas that declarations share: what `functions!` may state. They are evaluated where they are used; where they stand, every name is looked up.

use super::super::lattice::standard_lattices;
use super::super::wrong::{Header, refuse};
use super::statements::{plain_name, unknown_name};
use super::{foreign, words};
use proc_macro2::TokenStream;
use std::collections::BTreeSet;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Block, Expr, Ident, Pat, Stmt, braced};

/// Functions as written.
#[derive(Clone, Debug)]
pub struct FunctionsDeclaration {
    /// The name of all.
    pub name: Ident,
    /// A `let` for each.
    pub statements: Vec<Stmt>,
}

impl Parse for FunctionsDeclaration {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let Header { name, .. } = input.parse()?;
        if !input.peek(syn::token::Brace) {
            let message = format!("functions stand in braces; write `{name} {{ let name = |x| formula; }}`");
            return refuse(input.span(), message);
        }
        let body;
        braced!(body in input);
        foreign::keywords(&body.fork().parse::<TokenStream>()?)?;
        let statements = body.call(Block::parse_within).map_err(foreign::grammar)?;
        for statement in &statements {
            if !is_function(statement) {
                let message =
                    "here are only functions; write `let name = |x| formula;`, or `let name = || formula;`";
                return refuse(statement.span(), message);
            }
        }
        Known::of_the_language().statements(&statements)?;
        Ok(FunctionsDeclaration { name, statements })
    }
}

/// Whether a statement names a closure. Any other value would be there before the declaration that shares it has refused a lattice.
fn is_function(statement: &Stmt) -> bool {
    let Stmt::Local(local) = statement else { return false };
    let value = local.init.as_ref().map(|init| init.expr.as_ref());
    plain_name(&local.pat).is_some() && matches!(value, Some(Expr::Closure(_)))
}

/// The names that are known at a place.
#[derive(Clone)]
struct Known(BTreeSet<String>);

impl Known {
    /// Those of collisions and of boundary rules.
    fn of_the_language() -> Known {
        let [d2q9, ..] = standard_lattices();
        Known(words(&d2q9).into_iter().collect())
    }

    fn statements(&mut self, statements: &[Stmt]) -> syn::Result<()> {
        statements.iter().try_for_each(|statement| match statement {
            Stmt::Local(local) => {
                let value = local.init.as_ref().map(|init| init.expr.as_ref());
                value.map_or(Ok(()), |value| self.expression(value))?;
                self.bind(&local.pat);
                Ok(())
            }
            Stmt::Expr(expression, _) => self.expression(expression),
            // What cannot stand there is refused where it is evaluated.
            Stmt::Item(_) | Stmt::Macro(_) => Ok(()),
        })
    }

    /// Looks up every name of an expression.
    fn expression(&self, expression: &Expr) -> syn::Result<()> {
        match expression {
            Expr::Path(path) => match path.path.get_ident().map(|name| name.unraw().to_string()) {
                Some(name) if !self.0.contains(&name) => {
                    Err(unknown_name(&name, self.0.iter().map(String::as_str), path.span()))
                }
                _ => Ok(()),
            },
            Expr::Closure(closure) => {
                let mut inner = self.clone();
                closure.inputs.iter().for_each(|argument| inner.bind(argument));
                inner.expression(&closure.body)
            }
            Expr::Block(block) => self.clone().statements(&block.block.stmts),
            Expr::If(branch) => {
                self.expression(&branch.cond)?;
                self.clone().statements(&branch.then_branch.stmts)?;
                branch.else_branch.as_ref().map_or(Ok(()), |(_, otherwise)| self.expression(otherwise))
            }
            Expr::Array(array) => self.all(&array.elems),
            Expr::Binary(binary) => self.all([binary.left.as_ref(), binary.right.as_ref()]),
            Expr::Index(index) => self.all([index.expr.as_ref(), index.index.as_ref()]),
            Expr::Range(range) => {
                self.all([&range.start, &range.end].into_iter().flatten().map(|end| end.as_ref()))
            }
            Expr::Call(call) => self.expression(&call.func).and_then(|()| self.all(&call.args)),
            Expr::MethodCall(call) => self.expression(&call.receiver).and_then(|()| self.all(&call.args)),
            Expr::Unary(unary) => self.expression(&unary.expr),
            Expr::Paren(inner) => self.expression(&inner.expr),
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Lit(_) => Ok(()),
            // A set of populations of a model has parts.
            Expr::Field(field) if matches!(*field.base, Expr::Path(_)) => self.expression(&field.base),
            other => foreign::expression(other),
        }
    }

    fn all<'a>(&self, expressions: impl IntoIterator<Item = &'a Expr>) -> syn::Result<()> {
        expressions.into_iter().try_for_each(|expression| self.expression(expression))
    }

    /// Takes up the names of a pattern.
    fn bind(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(one) => drop(self.0.insert(one.ident.unraw().to_string())),
            Pat::Tuple(several) => several.elems.iter().for_each(|inner| self.bind(inner)),
            Pat::Slice(several) => several.elems.iter().for_each(|inner| self.bind(inner)),
            _ => {}
        }
    }
}
