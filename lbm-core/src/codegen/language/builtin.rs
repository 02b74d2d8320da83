//! Functions and methods of the language.

use super::super::rational::{Rational, whole};
use super::super::symbolic::{Definition, Polynomial};
use super::evaluate::Evaluator;
use super::value::{Names, Value};
use num_traits::{One, Zero};
use proc_macro2::Span;
use syn::Expr;
use syn::spanned::Spanned;

/// How the message of a `require` that does not hold begins.
pub const REFUSED: &str = "not on lattice";

/// The entries of a list.
pub(super) fn items(value: &Value, span: Span) -> syn::Result<Vec<Value>> {
    match value {
        Value::List(list) => Ok(list.as_ref().clone()),
        other => Err(syn::Error::new(
            span,
            format!("expected a range such as `directions` or a list, found {}", other.kind()),
        )),
    }
}

/// `name(arguments)`.
pub(super) fn call(evaluator: &mut Evaluator<'_>, call: &syn::ExprCall, names: &Names) -> syn::Result<Value> {
    let Expr::Path(path) = call.func.as_ref() else {
        return Err(syn::Error::new(call.func.span(), "only names can be called"));
    };
    let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
    let arguments: Vec<&Expr> = call.args.iter().collect();
    if let Some(Value::Closure(closure)) = names.get(&name).cloned() {
        let values: syn::Result<Vec<_>> = arguments.iter().map(|a| evaluator.expression(a, names)).collect();
        return evaluator.apply(&closure, values?, call.span());
    }
    match (name.as_str(), arguments.as_slice()) {
        ("sum", [list]) => {
            let list_value = evaluator.expression(list, names)?;
            sum(&items(&list_value, list.span())?, list.span())
        }
        ("delta", [a, b]) => {
            let same = evaluator.number(a, names)? == evaluator.number(b, names)?;
            Ok(Value::number(if same { Rational::one() } else { Rational::zero() }))
        }
        ("sqrt", [x]) => {
            let x = evaluator.number(x, names)?;
            Ok(Value::number(evaluator.symbols.intern_anonymous("root", Definition::SquareRoot(x))))
        }
        ("min", [a, b]) => {
            let (a, b) = (evaluator.number(a, names)?, evaluator.number(b, names)?);
            Ok(Value::number(evaluator.symbols.intern_anonymous("minimum", Definition::Minimum(a, b))))
        }
        ("max", [a, b]) => {
            let (a, b) = (evaluator.number(a, names)?, evaluator.number(b, names)?);
            Ok(Value::number(evaluator.symbols.intern_anonymous("maximum", Definition::Maximum(a, b))))
        }
        ("to_moments", [list]) => {
            let values = numbers(evaluator, list, names)?;
            let moments = evaluator.scope.lattice.moments();
            Ok(Value::list(moments.iter().map(|m| Value::number(combine(&m.values, &values)))))
        }
        ("from_moments", [list]) => {
            let values = numbers(evaluator, list, names)?;
            let lattice = evaluator.scope.lattice;
            let moments = lattice.moments();
            let row = |i: usize| -> Vec<Rational> {
                moments.iter().map(|m| &lattice.weights[i] * &m.values[i] / &m.norm).collect()
            };
            Ok(Value::list((0..lattice.q()).map(|i| Value::number(combine(&row(i), &values)))))
        }
        ("require", [condition, Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(why), .. })]) => {
            match evaluator.expression(condition, names)? {
                Value::Condition(true) => Ok(Value::Nothing),
                Value::Condition(false) => {
                    let lattice = &evaluator.scope.lattice.name;
                    Err(syn::Error::new(why.span(), format!("{REFUSED} {lattice}: {}", why.value())))
                }
                other => Err(syn::Error::new(
                    condition.span(),
                    format!("expected a condition, found {}", other.kind()),
                )),
            }
        }
        _ => Err(syn::Error::new(
            call.func.span(),
            format!(
                "unknown function `{name}` of {} arguments; there are sum(list), delta(a, b), sqrt(x), min(x, y), max(x, y), \
                 to_moments(list), from_moments(list), require(condition, \"why\")",
                arguments.len()
            ),
        )),
    }
}

/// `list.name(arguments)`.
pub(super) fn method(
    evaluator: &mut Evaluator<'_>,
    call: &syn::ExprMethodCall,
    names: &Names,
) -> syn::Result<Value> {
    let receiver = evaluator.expression(&call.receiver, names)?;
    let list = items(&receiver, call.receiver.span())?;
    let method = call.method.to_string();
    if method == "len" && call.args.is_empty() {
        return Ok(list.len().into());
    }
    let known = matches!(method.as_str(), "map" | "sum" | "filter");
    let (true, Some(argument), 1) = (known, call.args.first(), call.args.len()) else {
        return Err(syn::Error::new(
            call.method.span(),
            format!(
                "unknown method `{method}`; lists have .map(|i| ..), .sum(|i| ..), .filter(|i| ..), .len()"
            ),
        ));
    };
    let Value::Closure(closure) = evaluator.expression(argument, names)? else {
        return Err(syn::Error::new(
            argument.span(),
            format!("`{method}` takes a closure such as `|i| f[i]`"),
        ));
    };
    let mut results = Vec::new();
    for item in &list {
        results.push(evaluator.apply(&closure, vec![item.clone()], argument.span())?);
    }
    match method.as_str() {
        "map" => Ok(Value::list(results)),
        "sum" => sum(&results, argument.span()),
        _ => {
            let mut kept = Vec::new();
            for (item, result) in list.into_iter().zip(results) {
                match result {
                    Value::Condition(true) => kept.push(item),
                    Value::Condition(false) => {}
                    other => {
                        return Err(syn::Error::new(
                            argument.span(),
                            format!("`filter` needs a condition, found {}", other.kind()),
                        ));
                    }
                }
            }
            Ok(Value::list(kept))
        }
    }
}

fn sum(values: &[Value], span: Span) -> syn::Result<Value> {
    let mut total = Polynomial::default();
    for value in values {
        match value {
            Value::Number(p) => total = total.plus(p),
            other => {
                return Err(syn::Error::new(
                    span,
                    format!("only numbers can be summed, found {}", other.kind()),
                ));
            }
        }
    }
    Ok(Value::number(total))
}

/// A list of Q numbers.
fn numbers(evaluator: &mut Evaluator<'_>, list: &Expr, names: &Names) -> syn::Result<Vec<Polynomial>> {
    let q = evaluator.scope.lattice.q();
    let value = evaluator.expression(list, names)?;
    let values = items(&value, list.span())?;
    if values.len() != q {
        return Err(syn::Error::new(
            list.span(),
            format!("{} values for {q} directions; give one each", values.len()),
        ));
    }
    values
        .iter()
        .map(|value| match value {
            Value::Number(p) => Ok(p.as_ref().clone()),
            other => Err(syn::Error::new(list.span(), format!("expected numbers, found {}", other.kind()))),
        })
        .collect()
}

fn combine(coefficients: &[Rational], values: &[Polynomial]) -> Polynomial {
    coefficients
        .iter()
        .zip(values)
        .filter(|(c, _)| **c != whole(0))
        .fold(Polynomial::default(), |sum, (c, v)| sum.plus(&v.scaled(c)))
}
