//! Evaluates the statements of a collision for one lattice.

use super::super::rational::Rational;
use super::super::symbolic::{Definition, Polynomial, Symbols};
use super::parse::CollisionDeclaration;
use super::value::{Closure, Names, Value};
use super::{Scope, builtin, prelude};
use proc_macro2::Span;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Block, Expr, Pat, Stmt};

/// A collision as formulas.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Every quantity.
    pub symbols: Symbols,
    /// Post-collision populations, shifted.
    pub populations: Vec<Polynomial>,
    /// Density, then velocity.
    pub macroscopic: Vec<Polynomial>,
    /// Equilibrium populations, shifted.
    pub equilibrium: Vec<Polynomial>,
    /// Names and default values of the parameters that stay free.
    pub parameters: Vec<(String, Option<Rational>)>,
}

/// The free parameters met so far.
#[derive(Default)]
pub(super) struct Parameters(pub(super) Vec<(String, Option<Rational>)>);

impl Parameters {
    /// The value of a parameter: a constant if it is baked in, else a symbol.
    pub(super) fn get(
        &mut self,
        name: &str,
        default: Option<Rational>,
        scope: &Scope<'_>,
        symbols: &mut Symbols,
    ) -> Polynomial {
        if let Some(value) = scope.choices.baked.get(name) {
            return value.clone().into();
        }
        let index = self.0.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            self.0.push((name.to_owned(), default));
            self.0.len() - 1
        });
        symbols.intern(name, Definition::Parameter(index)).into()
    }
}

/// Evaluates a collision.
///
/// # Errors
/// Formulas that the language does not know, at their token.
pub fn evaluate(declaration: &CollisionDeclaration, scope: &Scope<'_>) -> syn::Result<Kernel> {
    let mut symbols = Symbols::default();
    let mut parameters = Parameters::default();
    let populations = prelude::populations(scope, &mut symbols);
    let viscosity = parameters.get("viscosity", None, scope, &mut symbols);
    let macroscopic = prelude::macroscopic(scope, &mut symbols, &mut parameters);
    let mut names = macroscopic.names(scope, &populations).with("viscosity", Value::number(viscosity));
    for parameter in &declaration.parameters {
        let name = parameter.name.to_string();
        let value = if parameter.per_moment {
            let family = scope.choices.baked.get(&name);
            Value::list(scope.lattice.moments().iter().map(|moment| match family {
                Some(baked) => Value::number(baked.clone()),
                None => {
                    let member = format!("{name}_{}", moment.name);
                    Value::number(parameters.get(&member, parameter.default.clone(), scope, &mut symbols))
                }
            }))
        } else {
            Value::number(parameters.get(&name, parameter.default.clone(), scope, &mut symbols))
        };
        names = names.with(&name, value);
    }
    check_baked(declaration, scope)?;

    let mut evaluator = Evaluator { scope, symbols, outputs: vec![None; scope.lattice.q()] };
    let names = evaluator.statements(&declaration.body.stmts, names)?.0;
    let weights = scope.lattice.weights.iter();
    let set = evaluator.outputs.iter().flatten().zip(weights.clone());
    let outputs: Vec<Polynomial> = set.map(|(value, w)| value.minus(&w.clone().into())).collect();
    if outputs.len() < scope.lattice.q() {
        return Err(unset(declaration, &evaluator.outputs));
    }
    let number = |value: &Value| match value {
        Value::Number(p) => Ok(p.as_ref().clone()),
        other => Err(syn::Error::new(
            declaration.name.span(),
            format!("expected a number, found {}", other.kind()),
        )),
    };
    let list = |name: &str| match names.get(name) {
        Some(Value::List(list)) => list.iter().map(number).collect::<syn::Result<Vec<_>>>(),
        _ => Err(syn::Error::new(declaration.name.span(), format!("`{name}` must stay a list"))),
    };
    let density = names.get("rho").map(number).expect("the prelude binds rho")?;
    let mut equilibrium = list("equilibrium")?;
    equilibrium.iter_mut().zip(weights).for_each(|(f, w)| *f = f.minus(&w.clone().into()));
    let macroscopic = std::iter::once(density).chain(list("u")?).collect();
    Ok(Kernel {
        symbols: evaluator.symbols,
        populations: outputs,
        macroscopic,
        equilibrium,
        parameters: parameters.0,
    })
}

/// Some populations have no value after the collision.
fn unset(declaration: &CollisionDeclaration, outputs: &[Option<Polynomial>]) -> syn::Error {
    let missing = outputs.iter().enumerate().filter(|(_, output)| output.is_none());
    let missing: Vec<String> = missing.map(|(i, _)| format!("f[{i}]")).collect();
    let message = format!(
        "`{}` does not set {}; set every direction, e.g. `for i in directions {{ f[i] = ..; }}`",
        declaration.name,
        missing.join(", ")
    );
    syn::Error::new(declaration.name.span(), message)
}

/// A baked-in value must belong to a parameter.
fn check_baked(declaration: &CollisionDeclaration, scope: &Scope<'_>) -> syn::Result<()> {
    let baked = scope.choices.baked.keys();
    match baked
        .filter_map(|name| declaration.unknown_parameter(name, scope.lattice, scope.choices.forcing))
        .next()
    {
        Some(message) => Err(syn::Error::new(declaration.name.span(), message)),
        None => Ok(()),
    }
}

pub(super) struct Evaluator<'a> {
    pub(super) scope: &'a Scope<'a>,
    pub(super) symbols: Symbols,
    outputs: Vec<Option<Polynomial>>,
}

impl Evaluator<'_> {
    /// Runs statements; gives the names after them and the value of a final expression.
    fn statements(&mut self, statements: &[Stmt], mut names: Names) -> syn::Result<(Names, Value)> {
        let mut last = Value::Nothing;
        for statement in statements {
            last = Value::Nothing;
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &local.init else {
                        return Err(syn::Error::new(
                            local.span(),
                            "`let` needs a value; write `let name = formula;`",
                        ));
                    };
                    let Some(name) = plain_name(&local.pat) else {
                        let message = "`let` takes one plain name, since a quantity has one value; write `let name = formula;`";
                        return Err(syn::Error::new(local.pat.span(), message));
                    };
                    let value = self.expression(&init.expr, &names)?;
                    let value = self.named(&name, value);
                    names = names.with(&name, value);
                }
                Stmt::Expr(Expr::ForLoop(for_loop), _) => self.for_loop(for_loop, &names)?,
                Stmt::Expr(Expr::Assign(assign), _) => self.assign(assign, &names)?,
                Stmt::Expr(expr, _) => last = self.expression(expr, &names)?,
                other => {
                    return Err(syn::Error::new(
                        other.span(),
                        "only `let`, `for`, `if`, `require` and `f[i] = ..` can stand here",
                    ));
                }
            }
        }
        Ok((names, last))
    }

    /// Gives the quantities of a `let` their names.
    fn named(&mut self, name: &str, value: Value) -> Value {
        match value {
            Value::Number(p) => Value::number(prelude::name(&mut self.symbols, name, p.as_ref().clone())),
            Value::List(list) => Value::list(
                list.iter()
                    .enumerate()
                    .map(|(k, v)| self.named(&format!("{name}_{k}"), v.clone()))
                    .collect::<Vec<_>>(),
            ),
            other => other,
        }
    }

    fn for_loop(&mut self, for_loop: &syn::ExprForLoop, names: &Names) -> syn::Result<()> {
        let range = self.expression(&for_loop.expr, names)?;
        for item in builtin::items(&range, for_loop.expr.span())? {
            let inner = bind(&for_loop.pat, item, names)?;
            self.statements(&for_loop.body.stmts, inner)?;
        }
        Ok(())
    }

    fn assign(&mut self, assign: &syn::ExprAssign, names: &Names) -> syn::Result<()> {
        let Expr::Index(target) = assign.left.as_ref() else {
            return Err(syn::Error::new(
                assign.left.span(),
                "only populations are assigned, `f[i] = ..`; name other quantities with `let`",
            ));
        };
        if !matches!(target.expr.as_ref(), Expr::Path(path) if path.path.is_ident("f")) {
            return Err(syn::Error::new(
                target.expr.span(),
                "only populations are assigned, `f[i] = ..`; name other quantities with `let`",
            ));
        }
        let index = self.expression(&target.index, names)?;
        let index = index.index().filter(|&i| i < self.outputs.len()).ok_or_else(|| {
            syn::Error::new(
                target.index.span(),
                format!("this is no direction; take an index from 0 to {}", self.outputs.len() - 1),
            )
        })?;
        let value = self.number(&assign.right, names)?;
        if self.outputs[index].replace(value).is_some() {
            return Err(syn::Error::new(
                assign.left.span(),
                format!("f[{index}] is set twice; set each direction once"),
            ));
        }
        Ok(())
    }

    pub(super) fn number(&mut self, expr: &Expr, names: &Names) -> syn::Result<Polynomial> {
        match self.expression(expr, names)? {
            Value::Number(p) => Ok(p.as_ref().clone()),
            other => Err(syn::Error::new(expr.span(), format!("expected a number, found {}", other.kind()))),
        }
    }

    fn condition(&mut self, expr: &Expr, names: &Names) -> syn::Result<bool> {
        match self.expression(expr, names)? {
            Value::Condition(c) => Ok(c),
            _ => Err(syn::Error::new(
                expr.span(),
                "a condition must be known while the kernel is generated; compare indices or constants, or use min, max",
            )),
        }
    }

    pub(super) fn expression(&mut self, expr: &Expr, names: &Names) -> syn::Result<Value> {
        match expr {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(_), .. }) => Ok(Value::Nothing),
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => Ok(Value::Condition(b.value)),
            Expr::Lit(lit) => Ok(Value::number(super::super::rational::parse_literal(&lit.lit)?)),
            Expr::Paren(inner) => self.expression(&inner.expr, names),
            Expr::Group(inner) => self.expression(&inner.expr, names),
            Expr::Path(path) => lookup(path, names),
            Expr::Unary(unary) => self.unary(unary, names),
            Expr::Binary(binary) => self.binary(binary, names),
            Expr::Index(index) => self.index(index, names),
            Expr::Array(array) => {
                let values: syn::Result<Vec<_>> =
                    array.elems.iter().map(|e| self.expression(e, names)).collect();
                Ok(Value::list(values?))
            }
            Expr::Closure(closure) => Ok(Value::Closure(Rc::new(Closure {
                arguments: closure.inputs.iter().cloned().collect(),
                body: closure.body.as_ref().clone(),
                names: names.clone(),
            }))),
            Expr::If(branch) => self.branch(branch, names),
            Expr::Block(block) => self.block(&block.block, names),
            Expr::Call(call) => builtin::call(self, call, names),
            Expr::MethodCall(call) => builtin::method(self, call, names),
            Expr::ForLoop(for_loop) => self.for_loop(for_loop, names).map(|()| Value::Nothing),
            Expr::Assign(assign) => self.assign(assign, names).map(|()| Value::Nothing),
            other => Err(syn::Error::new(
                other.span(),
                "the language of `collision!` does not know this; it has + - * /, f[i], let, for, if, closures, calls",
            )),
        }
    }

    fn block(&mut self, block: &Block, names: &Names) -> syn::Result<Value> {
        Ok(self.statements(&block.stmts, names.clone())?.1)
    }

    fn branch(&mut self, branch: &syn::ExprIf, names: &Names) -> syn::Result<Value> {
        if self.condition(&branch.cond, names)? {
            self.block(&branch.then_branch, names)
        } else if let Some((_, other)) = &branch.else_branch {
            self.expression(other, names)
        } else {
            Ok(Value::Nothing)
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary, names: &Names) -> syn::Result<Value> {
        match unary.op {
            syn::UnOp::Neg(_) => {
                Ok(Value::number(Polynomial::default().minus(&self.number(&unary.expr, names)?)))
            }
            syn::UnOp::Not(_) => Ok(Value::Condition(!self.condition(&unary.expr, names)?)),
            _ => Err(syn::Error::new(unary.span(), "only - and ! can stand before a formula")),
        }
    }

    fn binary(&mut self, binary: &syn::ExprBinary, names: &Names) -> syn::Result<Value> {
        use syn::BinOp;
        if let BinOp::And(_) | BinOp::Or(_) = binary.op {
            let (a, b) = (self.condition(&binary.left, names)?, self.condition(&binary.right, names)?);
            return Ok(Value::Condition(if matches!(binary.op, BinOp::And(_)) { a && b } else { a || b }));
        }
        let (a, b) = (self.number(&binary.left, names)?, self.number(&binary.right, names)?);
        let compare = |holds: fn(&Rational, &Rational) -> bool| match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => Ok(Value::Condition(holds(&a, &b))),
            _ => Err(syn::Error::new(
                binary.span(),
                "only constants can be compared, since a kernel has no branches; use min or max for values",
            )),
        };
        match binary.op {
            BinOp::Add(_) => Ok(Value::number(a.plus(&b))),
            BinOp::Sub(_) => Ok(Value::number(a.minus(&b))),
            BinOp::Mul(_) => Ok(Value::number(a.times(&b))),
            BinOp::Div(_) => {
                let inverse = self.symbols.reciprocal(&b).map_err(|what| {
                    syn::Error::new(
                        binary.right.span(),
                        format!("{what}: this denominator is always 0; divide by something that is not"),
                    )
                })?;
                Ok(Value::number(a.times(&inverse)))
            }
            BinOp::Eq(_) => compare(|a, b| a == b),
            BinOp::Ne(_) => compare(|a, b| a != b),
            BinOp::Lt(_) => compare(|a, b| a < b),
            BinOp::Le(_) => compare(|a, b| a <= b),
            BinOp::Gt(_) => compare(|a, b| a > b),
            BinOp::Ge(_) => compare(|a, b| a >= b),
            _ => Err(syn::Error::new(
                binary.span(),
                "the language of `collision!` has the operators + - * / and comparisons",
            )),
        }
    }

    fn index(&mut self, index: &syn::ExprIndex, names: &Names) -> syn::Result<Value> {
        let list = self.expression(&index.expr, names)?;
        let Value::List(list) = list else {
            return Err(syn::Error::new(
                index.expr.span(),
                format!("only lists have entries; this is {}", list.kind()),
            ));
        };
        let at = self.expression(&index.index, names)?;
        at.index().and_then(|k| list.get(k)).cloned().ok_or_else(|| {
            let found = match &at {
                Value::Number(p) => {
                    p.constant().map_or_else(|| "not a constant".to_owned(), |c| format!("{c}"))
                }
                other => other.kind().to_owned(),
            };
            syn::Error::new(
                index.index.span(),
                format!("the index is {found}; take one from 0 to {}", list.len().saturating_sub(1)),
            )
        })
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
            return Err(syn::Error::new(span, message));
        }
        let mut names = closure.names.clone();
        for (pattern, argument) in closure.arguments.iter().zip(arguments) {
            names = bind(pattern, argument, &names)?;
        }
        self.expression(&closure.body, &names)
    }
}

/// The name of a pattern that is a name and nothing else.
fn plain_name(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(one) if one.mutability.is_none() && one.by_ref.is_none() && one.subpat.is_none() => {
            Some(one.ident.to_string())
        }
        _ => None,
    }
}

/// Binds a name, or the names `(i, j)` or `[i, j]` of a list's entries.
fn bind(pattern: &Pat, value: Value, names: &Names) -> syn::Result<Names> {
    if let Some(name) = plain_name(pattern) {
        return Ok(names.with(&name, value));
    }
    let several = match pattern {
        Pat::Wild(_) => return Ok(names.clone()),
        Pat::Tuple(tuple) => &tuple.elems,
        Pat::Slice(slice) => &slice.elems,
        other => return Err(syn::Error::new(other.span(), "expected a name, or names such as `(i, j)`")),
    };
    match value {
        Value::List(list) if list.len() == several.len() => several
            .iter()
            .zip(list.iter())
            .try_fold(names.clone(), |names, (p, v)| bind(p, v.clone(), &names)),
        other => {
            Err(syn::Error::new(pattern.span(), format!("{} names for {}", several.len(), other.kind())))
        }
    }
}

fn lookup(path: &syn::ExprPath, names: &Names) -> syn::Result<Value> {
    let name = path.path.get_ident().map(ToString::to_string).ok_or_else(|| {
        syn::Error::new(path.span(), "paths mean nothing in the language of `collision!`; use plain names")
    })?;
    names.get(&name).cloned().ok_or_else(|| {
        let near = names.all().into_iter().min_by_key(|known| strsim::damerau_levenshtein(known, &name));
        let hint = near
            .filter(|n| strsim::damerau_levenshtein(n, &name) <= 2)
            .map(|n| format!(", did you mean `{n}`?"));
        syn::Error::new(
            path.span(),
            format!(
                "unknown name `{name}`{}",
                hint.unwrap_or_else(|| "; declare it as a parameter or with `let`".into())
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Choices, Equilibrium, Forcing, Given};
    use super::*;
    use crate::codegen::lattice::analyse;
    use expect_test::{Expect, expect};

    fn post(body: &str) -> syn::Result<String> {
        let lattice = "D1Q3 { dimension: 1, shells: [[0], [1]], weights: [2/3, 1/6] }";
        let lattice = analyse(lattice.parse().unwrap()).unwrap();
        let choices = Choices {
            equilibrium: Equilibrium::Incompressible,
            forcing: Forcing::Guo,
            baked: [("baked".to_owned(), Rational::new(3.into(), 4.into()))].into(),
            share_flux_trace: false,
        };
        let scope = Scope { lattice: &lattice, choices: &choices, given: Given::Populations };
        let kernel = evaluate(&syn::parse_str(&format!("Test(a, baked) {{ {body} }}")).unwrap(), &scope)?;
        Ok(kernel.populations.iter().map(|p| kernel.symbols.show(p) + "\n").collect())
    }

    fn becomes(body: &str, expected: &Expect) {
        expected.assert_eq(&post(body).unwrap_or_else(|error| format!("error: {error}")));
    }

    #[test]
    fn formulas_are_expanded_and_lets_are_kept() {
        becomes(
            "let x = f[1] + f[2]; for i in directions { f[i] = (a + baked) * (x - f[i]); }",
            &expect![[r#"
                -11/12 - 3/4 h_0 - h_0 a - 1/3 a + a x + 3/4 x
                -1/24 - 3/4 h_1 - h_1 a + 1/6 a + a x + 3/4 x
                -1/24 - 3/4 h_2 - h_2 a + 1/6 a + a x + 3/4 x
            "#]],
        );
    }

    #[test]
    fn closures_lists_and_ranges() {
        becomes(
            "let swap = |a, i| a[opposite[i]];
             let twice = directions.map(|i| 2 * f[i]);
             for i in directions { f[i] = swap(twice, i) + delta(i, 1) * directions.filter(|k| k != i).len(); }",
            &expect![[r#"
                2/3 + 2 h_0
                13/6 + 2 h_2
                1/6 + 2 h_1
            "#]],
        );
        becomes(
            "f[0] = pairs.sum(|[i, j]| f[i] - f[j]); for (i, j) in pairs { f[i] = c[j][0]; f[j] = if i < j && !(i == 0) { 7 } else { 8 }; }",
            &expect![[r#"
                -2/3 + h_1 - h_2
                -7/6
                41/6
            "#]],
        );
    }

    #[test]
    fn equal_definitions_share_one_symbol() {
        becomes(
            "for i in directions { let inverse = 1 / (1 + f[0] * f[0]); f[i] = inverse * (if i == 0 { 1 } else { 1 / (1 + f[0] * f[0]) }); }",
            &expect![[r#"
                -2/3 + inverse_2
                -1/6 + inverse_2 inverse_2
                -1/6 + inverse_2 inverse_2
            "#]],
        );
    }

    #[test]
    fn moments_there_and_back_are_the_populations() {
        assert_eq!(
            post("let m = to_moments(f); let back = from_moments(moments.map(|k| m[k])); for i in directions { f[i] = f[i]; }").unwrap(),
            post("for i in directions { f[i] = f[i]; }").unwrap()
        );
        becomes(
            "let back = from_moments(to_moments(f)); for i in directions { f[i] = back[i]; }",
            &expect![[r#"
                h_0
                h_1
                h_2
            "#]],
        );
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for body in [
            "f[0] = directions;",
            "f[0] = sum(f[0]);",
            "f[0] = if a > 1 { 1 } else { 0 };",
            "f[0] = std::f64::PI;",
            "f[0] = |x| x;",
            "let (x, y) = f; f[0] = x;",
            "f[0] = to_moments(dimensions)[0];",
            "require(isotropy >= 6, \"a reason\");",
        ] {
            let error = post(body).unwrap_err().to_string();
            assert!(error.len() > 10, "{body}: {error}");
        }
        becomes("f[0] = x;", &expect!["error: unknown name `x`, did you mean `a`?"]);
        becomes("f[0] = f[5];", &expect!["error: the index is 5; take one from 0 to 2"]);
    }
}
