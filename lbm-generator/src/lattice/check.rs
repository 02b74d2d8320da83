//! From a declaration to a lattice whose every property holds, or to errors at the tokens that break one.

use super::super::rational::{Rational, sum, whole};
use super::super::wrong::refuse;
use super::parse::{LatticeDeclaration, Weights};
use super::{AXES, Bases, Errors, LatticeSpec, weights};
use num_traits::{One, Signed};
use proc_macro2::Span;

/// One velocity with the shell (or list entry) it came from.
pub(super) struct Velocity {
    pub(super) c: [i32; 3],
    pub(super) entry: usize,
    pub(super) span: Span,
}

pub(super) fn check(declaration: &LatticeDeclaration) -> syn::Result<LatticeSpec> {
    let velocities = velocities(declaration)?;
    let opposites = opposites(&velocities, declaration.dimension.0)?;
    let wanted = match declaration.isotropy {
        None => 4,
        Some((order @ (2 | 4 | 6), _)) => order,
        Some((order, span)) => {
            return refuse(span, format!("isotropy {order} is not a choice; take 2, 4 or 6"));
        }
    };
    let (weights, cs2) = match &declaration.weights {
        Weights::Given(given, span) => given_weights(declaration, &velocities, given, *span)?,
        Weights::Solve(span) => weights::solve(declaration, &velocities, wanted, *span)?,
    };
    for (i, &opposite) in opposites.iter().enumerate() {
        if weights[i] != weights[opposite] && i < opposite {
            let message = format!(
                "this velocity has weight {}, its opposite {}; give both the same",
                weights[i], weights[opposite]
            );
            return refuse(velocities[i].span, message);
        }
    }
    let spec = LatticeSpec {
        name: declaration.name.clone(),
        dimension: declaration.dimension.0,
        velocities: velocities.iter().map(|v| v.c).collect(),
        weights,
        opposites,
        cs2,
        isotropy: 0,
        sets: Vec::new(),
        bases: Bases::default(),
    };
    isotropy(spec, declaration, wanted)
}

/// Lists all velocities: shells are unfolded into all signed permutations, opposites side by side.
pub(super) fn velocities(declaration: &LatticeDeclaration) -> syn::Result<Vec<Velocity>> {
    let mut errors = Errors::default();
    let (dimension, dimension_span) = declaration.dimension;
    if !(1..=3).contains(&dimension) {
        return refuse(dimension_span, format!("dimension {dimension} is not supported; take 1, 2 or 3"));
    }
    if declaration.vectors.is_empty() {
        let message = "a lattice needs velocities; list them or name shells";
        return refuse(declaration.name.span(), message);
    }
    let mut velocities: Vec<Velocity> = Vec::new();
    for (entry, (vector, span)) in declaration.vectors.iter().enumerate() {
        if vector.len() != dimension {
            let message = format!(
                "this vector has {} components, but the lattice has dimension {dimension}; write {dimension} numbers",
                vector.len()
            );
            errors.push(*span, message);
            continue;
        }
        let mut c = [0; 3];
        c[..dimension].copy_from_slice(vector);
        let members = if declaration.shells { shell(c, dimension) } else { vec![c] };
        for c in members {
            if velocities.iter().any(|v| v.c == c) {
                let what = match declaration.shells {
                    true => "shell repeats the velocity",
                    false => "velocity is listed twice:",
                };
                errors.push(*span, format!("this {what} {}; remove one", show(c, dimension)));
                break;
            }
            velocities.push(Velocity { c, entry, span: *span });
        }
    }
    errors.finish()?;
    Ok(velocities)
}

/// All signed permutations of a vector; each with a positive leading component is followed by its opposite.
pub(super) fn shell(representative: [i32; 3], dimension: usize) -> Vec<[i32; 3]> {
    let mut members = std::collections::BTreeSet::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        // Only the components that the lattice has change places.
        if order[dimension..].iter().zip(dimension..).any(|(&from, to)| from != to) {
            continue;
        }
        for signs in 0..1 << dimension {
            let sign = |a: usize| if signs >> a & 1 == 1 { -1 } else { 1 };
            members.insert([0, 1, 2].map(|a| sign(a) * representative[order[a]].abs()));
        }
    }
    let leading = |c: &[i32; 3]| c.iter().copied().find(|&c| c != 0).unwrap_or(0);
    let mut ordered = Vec::new();
    for &c in members.iter().rev() {
        if c == [0; 3] {
            ordered.push(c);
        } else if leading(&c) > 0 {
            ordered.extend([c, [-c[0], -c[1], -c[2]]]);
        }
    }
    ordered
}

fn opposites(velocities: &[Velocity], dimension: usize) -> syn::Result<Vec<usize>> {
    let mut errors = Errors::default();
    let mut opposites = Vec::new();
    for velocity in velocities {
        let opposite = velocity.c.map(|c| -c);
        match velocities.iter().position(|v| v.c == opposite) {
            Some(found) => opposites.push(found),
            None => {
                let opposite = show(opposite, dimension);
                let message =
                    format!("this velocity has no opposite; add {opposite} (bounce-back needs every pair)");
                errors.push(velocity.span, message);
            }
        }
    }
    errors.finish()?;
    Ok(opposites)
}

fn given_weights(
    declaration: &LatticeDeclaration,
    velocities: &[Velocity],
    given: &[(Rational, Span)],
    span: Span,
) -> syn::Result<(Vec<Rational>, Rational)> {
    let entries = declaration.vectors.len();
    if given.len() != entries {
        let unit = if declaration.shells { "shells" } else { "velocities" };
        return refuse(span, format!("{} weights for {entries} {unit}; give one each", given.len()));
    }
    let mut errors = Errors::default();
    for (weight, span) in given {
        if !weight.is_positive() {
            errors.push(*span, format!("weight {weight} is not positive; every weight must be > 0"));
        }
    }
    let weights: Vec<Rational> = velocities.iter().map(|v| given[v.entry].0.clone()).collect();
    let total = sum(weights.iter().cloned());
    if !total.is_one() {
        let share = match declaration.shells {
            true => " (each weight counts once for every velocity of its shell)",
            false => "",
        };
        let missing = Rational::one() - &total;
        errors.push(
            span,
            format!("the weights sum to {total}, not to 1{share}; change them by {missing} in all"),
        );
    }
    errors.finish()?;
    let second = sum(velocities.iter().zip(&weights).map(|(v, w)| w * whole(i64::from(v.c[0] * v.c[0]))));
    match &declaration.cs2 {
        None => Ok((weights, second)),
        Some((cs2, _)) if *cs2 == second => Ok((weights, second)),
        Some((cs2, span)) => {
            let message = format!(
                "cs2 = {cs2}, but the weights give sum w c_x c_x = {second}; write `cs2: {second}` or leave it out"
            );
            refuse(*span, message)
        }
    }
}

/// Finds the order of isotropy and refuses the lattice if it is lower than wanted.
fn isotropy(
    mut spec: LatticeSpec,
    declaration: &LatticeDeclaration,
    wanted: u32,
) -> syn::Result<LatticeSpec> {
    // A wrong weight shows at the weights; where they are solved, what can be at fault is the order asked for.
    let span = match (&declaration.weights, declaration.isotropy) {
        (Weights::Given(_, span), _) => *span,
        (Weights::Solve(_), Some((_, span))) => span,
        (Weights::Solve(span), None) => *span,
    };
    for order in [2, 4, 6] {
        let broken = weights::conditions(spec.dimension, order).into_iter().find_map(|exponents| {
            let found = weights::tensor(&spec, exponents);
            let target = weights::isotropic(&spec.cs2, exponents);
            (found != target).then_some((exponents, found, target))
        });
        let Some((exponents, found, target)) = broken else {
            spec.isotropy = order;
            continue;
        };
        if order > wanted {
            break;
        }
        let tensor = tensor_name(exponents);
        let remedy = match order {
            2 => "change the weights so that sum w c_a c_b = cs2 delta_ab, or write `weights: solve`",
            4 => {
                "add a shell or change the weights; a lattice for advection-diffusion, which needs the second order only, \
                 says `isotropy: 2`"
            }
            _ => "add a shell, or ask for `isotropy: 4`",
        };
        let ordinal = ["second", "fourth", "sixth"][order as usize / 2 - 1];
        let message = format!(
            "{ordinal}-order isotropy is broken: sum w {tensor} = {found}, should be {target}; {remedy}"
        );
        return refuse(span, message);
    }
    Ok(spec)
}

/// `c_x c_x c_y c_y` for the exponents (2, 2, 0).
fn tensor_name(exponents: [u32; 3]) -> String {
    let factors: Vec<String> =
        (0..3).flat_map(|a| std::iter::repeat_n(format!("c_{}", AXES[a]), exponents[a] as usize)).collect();
    factors.join(" ")
}

fn show(c: [i32; 3], dimension: usize) -> String {
    format!("[{}]", c[..dimension].iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::super::rational::ratio;
    use super::super::analyse;
    use super::*;
    use num_traits::Zero;
    use quote::quote;

    #[test]
    fn weights_of_the_standard_lattices_are_solved() {
        let d3q27 = analyse(quote! { D3Q27 {
            dimension: 3, shells: [[0,0,0],[1,0,0],[1,1,0],[1,1,1]], weights: solve, cs2: 1/3
        } })
        .unwrap();
        assert_eq!(d3q27.q(), 27);
        assert_eq!(d3q27.weights[0], ratio(8, 27));
        assert_eq!(d3q27.weights[1], ratio(2, 27));
        assert_eq!(d3q27.weights[7], ratio(1, 54));
        assert_eq!(d3q27.weights[26], ratio(1, 216));
        let d2q5 = analyse(quote! { D2Q5 {
            dimension: 2, shells: [[0,0],[1,0]], weights: solve, cs2: 1/3, isotropy: 2
        } })
        .unwrap();
        assert_eq!((d2q5.isotropy, &d2q5.weights[1]), (2, &ratio(1, 6)));
        assert!(Rational::zero() < d2q5.cs2);
    }

    #[test]
    fn opposite_directions_stand_side_by_side() {
        let d2q9 = analyse(quote! { D2Q9 {
            dimension: 2, shells: [[0,0],[1,0],[1,1]], weights: [4/9, 1/9, 1/36]
        } })
        .unwrap();
        assert_eq!(d2q9.opposites, [0, 2, 1, 4, 3, 6, 5, 8, 7]);
        assert_eq!(d2q9.isotropy, 4);
        assert_eq!(d2q9.cs2, ratio(1, 3));
    }
}
