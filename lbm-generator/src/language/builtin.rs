//! Functions and methods of the language.

use super::super::rational::Rational;
use super::super::symbolic::{Function, Polynomial};
use super::super::wrong::refuse;
use super::statements::Evaluator;
use super::value::{Closure, Names, Value};
use super::{Equilibrium, foreign};
use num_traits::One;
use proc_macro2::Span;
use std::rc::Rc;
use syn::Expr;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// How the message of a `require` that does not hold begins.
pub const REFUSED: &str = "not on lattice";

/// `name(arguments)`.
pub(super) fn call(evaluator: &mut Evaluator<'_>, call: &syn::ExprCall, names: &Names) -> syn::Result<Value> {
    let Expr::Path(path) = call.func.as_ref() else {
        return refuse(call.func.span(), "only names can be called");
    };
    let last = path.path.segments.last().map(|segment| segment.ident.unraw().to_string());
    let name = last.unwrap_or_default();
    if path.path.get_ident().is_none() {
        let message = format!("paths mean nothing in the language of `collision!`; write `{name}(..)`");
        return refuse(path.span(), message);
    }
    let arguments: Vec<&Expr> = call.args.iter().collect();
    match names.get(&name).cloned() {
        Some(Value::Closure(closure)) => {
            let values: syn::Result<Vec<_>> =
                arguments.iter().map(|a| evaluator.expression(a, names)).collect();
            let value = evaluator.apply(&closure, values?, call.span());
            // What is wrong within a closure of the language's own is shown where it is called.
            value.map_err(|error| match closure.is_built_in {
                true => syn::Error::new(call.span(), error),
                false => error,
            })
        }
        Some(Value::Collision(inner)) => {
            let [list] = arguments[..] else {
                return refuse(call.span(), format!("a collision takes the populations; write `{name}(f)`"));
            };
            if evaluator.is_between_sets() {
                let Value::Set(number) = evaluator.expression(list, names)? else {
                    let message =
                        format!("in a model a collision takes a set of populations; write `{name}(flow)`");
                    return refuse(list.span(), message);
                };
                return evaluator.collide_set(&inner, number, call.span());
            }
            let f = numbers(evaluator, list, names)?;
            evaluator.collide_within(&inner, Value::list(f.into_iter().map(Value::number)), names)
        }
        _ => function(evaluator, call, &name, &arguments, names),
    }
}

/// A call of a function of the language.
fn function(
    evaluator: &mut Evaluator<'_>,
    call: &syn::ExprCall,
    name: &str,
    arguments: &[&Expr],
    names: &Names,
) -> syn::Result<Value> {
    if let Some((function, called)) = of_numbers(name, arguments.len()) {
        return evaluator.function(function, called, arguments, names);
    }
    match (name, arguments) {
        ("sum", [list]) => sum(evaluator.expression(list, names)?.items(list.span())?, list.span()),
        ("product", [list]) => {
            let values = evaluator.expression(list, names)?;
            product(evaluator, values.items(list.span())?, list.span())
        }
        ("delta", [a, b]) => {
            Ok(usize::from(evaluator.number(a, names)? == evaluator.number(b, names)?).into())
        }
        ("select", [condition, then, otherwise]) => {
            let condition = evaluator.condition(condition, names)?;
            let (then, otherwise) = (evaluator.number(then, names)?, evaluator.number(otherwise, names)?);
            Ok(Value::number(condition.select(&mut evaluator.symbols, &then, &otherwise)))
        }
        ("clamp", [x, low, high]) => clamp(evaluator, [x, low, high], names),
        ("to_moments" | "from_moments" | "to_orthogonal" | "from_orthogonal", [list]) => {
            in_basis(evaluator, name, list, names)
        }
        (
            "to_raw" | "from_raw" | "to_central" | "from_central" | "to_cumulants" | "from_cumulants",
            [list, rest @ ..],
        ) if rest.len() == usize::from(!name.ends_with("raw")) => {
            transform(evaluator, name, call.func.span(), list, rest.first().copied(), names)
        }
        ("equilibrium", [rho, u]) => {
            let (rho, u) = density_and_velocity(evaluator, rho, u, names)?;
            let populations = evaluator.equilibrium_at(&rho, &u);
            Ok(Value::list(populations.into_iter().map(Value::number)))
        }
        ("momentum", [rho, u]) => {
            let (rho, u) = density_and_velocity(evaluator, rho, u, names)?;
            Ok(Value::list(evaluator.momentum_at(&rho, &u).into_iter().map(Value::number)))
        }
        ("sent_at" | "arrives_at" | "sent_across", [offset, direction]) => {
            evaluator.population_elsewhere(name, call.func.span(), [offset, direction], names)
        }
        ("is_fluid_at" | "is_fluid_across", [offset]) => {
            evaluator.is_fluid_elsewhere(name, call.func.span(), offset, names)
        }
        ("field", [value]) => evaluator.field_word(value, None, names),
        ("field", [value, rule]) => evaluator.field_word(value, Some(rule), names),
        ("at", [value, offset]) => evaluator.at_word(value, offset, names),
        ("grad", [value]) => evaluator.grad_word(value, names),
        ("lap", [value]) => evaluator.lap_word(value, names),
        ("prev", [value]) => evaluator.prev_word(value, None, names),
        ("prev", [value, rest]) => evaluator.prev_word(value, Some(rest), names),
        ("remember", [name, value]) => evaluator.remember(call.func.span(), [name, value], names),
        ("solve", [start, equations]) => {
            let start = evaluator.expression(start, names)?;
            let closure = closure(evaluator, equations, "|x| sum(known) + x - 1", names)?;
            let span = equations.span();
            let zeros = |evaluator: &mut Evaluator<'_>, x| evaluator.apply(&closure, vec![x], span);
            evaluator.solve(&start, zeros, span)
        }
        ("require", [condition, Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(why), .. })]) => {
            require(evaluator, condition, why, names)
        }
        _ => match names.get(name) {
            Some(Value::List(_)) => {
                refuse(call.span(), format!("`{name}` is a list; an entry of it is `{name}[i]`"))
            }
            Some(known) => {
                refuse(call.span(), format!("only closures are called; `{name}` is {}", known.kind()))
            }
            None => foreign::function(name, arguments.len(), call.func.span()),
        },
    }
}

/// A function of so many numbers, and what its values are called for the engine.
fn of_numbers(name: &str, count: usize) -> Option<(Function, &'static str)> {
    Some(match (name, count) {
        ("sqrt", 1) => (Function::SquareRoot, "root"),
        ("abs", 1) => (Function::Absolute, "absolute"),
        ("exp", 1) => (Function::Exponential, "exponential"),
        ("log", 1) => (Function::Logarithm, "logarithm"),
        ("pow", 2) => (Function::Power, "power"),
        ("min", 2) => (Function::Minimum, "minimum"),
        ("max", 2) => (Function::Maximum, "maximum"),
        _ => return None,
    })
}

/// A condition on the lattice, and why it is asked for.
fn require(
    evaluator: &mut Evaluator<'_>,
    condition: &Expr,
    why: &syn::LitStr,
    names: &Names,
) -> syn::Result<Value> {
    let holds = evaluator.expression(condition, names)?;
    if holds.as_known("expected a condition such as `isotropy >= 4`", condition.span())? {
        return Ok(Value::Nothing);
    }
    let equilibrium = match evaluator.scope.choices.equilibrium {
        Equilibrium::QuasiCompressible => "",
        Equilibrium::Incompressible => " with the incompressible equilibrium",
    };
    let lattice = &evaluator.scope.lattice.name;
    refuse(why.span(), format!("{REFUSED} {lattice}{equilibrium}: {}", why.value()))
}

/// `list.name(arguments)`.
pub(super) fn method(
    evaluator: &mut Evaluator<'_>,
    call: &syn::ExprMethodCall,
    names: &Names,
) -> syn::Result<Value> {
    let receiver = evaluator.expression(&call.receiver, names)?;
    if let Value::Number(_) = receiver {
        return foreign::method_of_number(&call.method);
    }
    let list = receiver.items(call.receiver.span())?;
    let arguments: Vec<&Expr> = call.args.iter().collect();
    match (call.method.to_string().as_str(), arguments.as_slice()) {
        ("len", []) => Ok(list.len().into()),
        ("fold", [start, argument]) => {
            let start = evaluator.expression(start, names)?;
            let closure = closure(evaluator, argument, "|sum, i| sum + f[i]", names)?;
            let mut entries = list.iter().cloned();
            entries
                .try_fold(start, |value, item| evaluator.apply(&closure, vec![value, item], argument.span()))
        }
        ("zip", [argument]) => {
            let other = evaluator.expression(argument, names)?;
            let other = other.items(argument.span())?;
            if other.len() != list.len() {
                let message = format!(
                    "lists of {} and {} entries; zip those that are as long",
                    list.len(),
                    other.len()
                );
                return refuse(argument.span(), message);
            }
            Ok(Value::list(list.iter().zip(other.iter()).map(|(a, b)| Value::list([a.clone(), b.clone()]))))
        }
        (method @ ("map" | "sum" | "product" | "filter"), [argument]) => {
            let closure = closure(evaluator, argument, "|i| f[i]", names)?;
            let span = argument.span();
            let results = list.iter().map(|item| evaluator.apply(&closure, vec![item.clone()], span));
            let results = results.collect::<syn::Result<Vec<_>>>()?;
            match method {
                "map" => Ok(Value::list(results)),
                "sum" => sum(&results, span),
                "product" => product(evaluator, &results, span),
                _ => filter(list, &results, span),
            }
        }
        _ => foreign::method_of_list(&call.method),
    }
}

/// What an argument is that must be a closure.
pub(super) fn closure(
    evaluator: &mut Evaluator<'_>,
    argument: &Expr,
    example: &str,
    names: &Names,
) -> syn::Result<Rc<Closure>> {
    match evaluator.expression(argument, names)? {
        Value::Closure(closure) => Ok(closure),
        other => {
            refuse(argument.span(), format!("expected a closure such as `{example}`, found {}", other.kind()))
        }
    }
}

/// The entries of which a condition holds.
fn filter(list: &[Value], holds: &[Value], span: Span) -> syn::Result<Value> {
    let mut kept = Vec::new();
    for (item, holds) in list.iter().zip(holds) {
        if holds.as_known("`filter` needs a condition", span)? {
            kept.push(item.clone());
        }
    }
    Ok(Value::list(kept))
}

/// Not below one bound nor above the other.
fn clamp(evaluator: &mut Evaluator<'_>, arguments: [&Expr; 3], names: &Names) -> syn::Result<Value> {
    let [x, low, high] = arguments;
    let (x, below, above) =
        (evaluator.number(x, names)?, evaluator.number(low, names)?, evaluator.number(high, names)?);
    if let (Some(a), Some(b)) = (below.constant(), above.constant())
        && a > b
    {
        return refuse(
            high.span(),
            format!("no number lies between {a} and {b}; write `clamp(x, {b}, {a})`"),
        );
    }
    let raised = evaluator.apply_function(Function::Maximum, "raised", vec![x, below]);
    Ok(Value::number(evaluator.apply_function(Function::Minimum, "clamped", vec![raised, above])))
}

fn sum(values: &[Value], span: Span) -> syn::Result<Value> {
    let terms = values.iter().map(|value| value.as_number("only numbers can be summed", span).cloned());
    Ok(Value::number(terms.sum::<syn::Result<Polynomial>>()?))
}

fn product(evaluator: &mut Evaluator<'_>, values: &[Value], span: Span) -> syn::Result<Value> {
    let mut product = Polynomial::from(Rational::one());
    for value in values {
        let factor = value.as_number("only numbers can be multiplied", span)?;
        product = evaluator.symbols.cancelled(product.times(factor));
    }
    Ok(Value::number(product))
}

/// `to_raw(list)`, `to_central(list, u)` and the like.
fn transform(
    evaluator: &mut Evaluator<'_>,
    word: &str,
    span: Span,
    list: &Expr,
    about: Option<&Expr>,
    names: &Names,
) -> syn::Result<Value> {
    let exponents = evaluator.exponents(word, span)?;
    let values = numbers(evaluator, list, names)?;
    let values = evaluator.deviating(values);
    let u = about.map(|u| velocity(evaluator, u, names)).transpose()?.unwrap_or_default();
    let u = evaluator.named_velocity(word, u);
    let no_density =
        |what| syn::Error::new(list.span(), format!("{what}: cumulants are of populations with a density"));
    let results = match word {
        "to_raw" => evaluator.raw_moments(&exponents, &values),
        "from_raw" => evaluator.populations_of_raw(&exponents, &values),
        "to_central" => evaluator.central_moments(&exponents, &values, &u),
        "from_central" => evaluator.populations_of_central(&exponents, &values, &u),
        "to_cumulants" => {
            let central = evaluator.central_moments(&exponents, &values, &u);
            evaluator.cumulants("cumulant", &exponents, &central, false).map_err(no_density)?
        }
        _ => {
            let central = evaluator.cumulants("moment", &exponents, &values, true).map_err(no_density)?;
            evaluator.populations_of_central(&exponents, &central, &u)
        }
    };
    Ok(Value::list(results.into_iter().map(Value::number)))
}

/// A density, and a velocity with a component along each axis.
fn density_and_velocity(
    evaluator: &mut Evaluator<'_>,
    rho: &Expr,
    u: &Expr,
    names: &Names,
) -> syn::Result<(Polynomial, Vec<Polynomial>)> {
    Ok((evaluator.number(rho, names)?, velocity(evaluator, u, names)?))
}

fn velocity(evaluator: &mut Evaluator<'_>, u: &Expr, names: &Names) -> syn::Result<Vec<Polynomial>> {
    let velocity = evaluator.expression(u, names)?;
    let (components, d) = (velocity.items(u.span())?, evaluator.scope.lattice.dimension);
    if components.len() != d {
        let message = format!("a velocity has {d} components here, this list has {}", components.len());
        return refuse(u.span(), message);
    }
    components.iter().map(|c| c.as_number("expected numbers", u.span()).cloned()).collect()
}

/// `to_moments(list)`, `from_orthogonal(list)` and the like: the basis is orthogonal in the product with the weights, or without.
fn in_basis(evaluator: &mut Evaluator<'_>, word: &str, list: &Expr, names: &Names) -> syn::Result<Value> {
    let values = numbers(evaluator, list, names)?;
    let lattice = evaluator.scope.lattice;
    let (product, basis) = match word.ends_with("moments") {
        true => (lattice.weights.clone(), lattice.moments()),
        false => (vec![Rational::one(); lattice.q()], lattice.plain_moments()),
    };
    let back = |i: usize| basis.iter().map(|m| &product[i] * &m.values[i] / &m.norm).collect();
    let rows: Vec<Vec<Rational>> = match word.starts_with("to") {
        true => basis.iter().map(|m| m.values.clone()).collect(),
        false => (0..lattice.q()).map(back).collect(),
    };
    Ok(Value::list(rows.iter().map(|row| Value::number(combine(row, &values)))))
}

/// A list of Q numbers.
fn numbers(evaluator: &mut Evaluator<'_>, list: &Expr, names: &Names) -> syn::Result<Vec<Polynomial>> {
    let q = evaluator.scope.lattice.q();
    let value = evaluator.expression(list, names)?;
    let values = value.items(list.span())?;
    if values.len() != q {
        let message = format!("{} values for {q} directions; give one each", values.len());
        return refuse(list.span(), message);
    }
    values.iter().map(|value| value.as_number("expected numbers", list.span()).cloned()).collect()
}

fn combine(coefficients: &[Rational], values: &[Polynomial]) -> Polynomial {
    coefficients.iter().zip(values).map(|(c, v)| v.scaled(c)).sum()
}
