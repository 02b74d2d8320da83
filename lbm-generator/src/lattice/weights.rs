//! Isotropy conditions of the weighted velocity tensors, and weights solved from them.

use super::super::linear_system::LinearSystem;
use super::super::rational::{Rational, product, sum, whole};
use super::super::wrong::refuse;
use super::check::Velocity;
use super::parse::LatticeDeclaration;
use super::{Errors, LatticeSpec};
use num_traits::{Signed, Zero};
use proc_macro2::Span;

/// Exponents (a, b, c) of all products c_x^a c_y^b c_z^c of an order.
pub(super) fn conditions(dimension: usize, order: u32) -> Vec<[u32; 3]> {
    let of_x = |a| (0..=order - a).rev().map(move |b| [a, b, order - a - b]);
    let all = (0..=order).rev().flat_map(of_x);
    all.filter(|exponents| exponents[dimension..].iter().all(|&e| e == 0)).collect()
}

/// What an isotropic lattice gives for the sum of w c_x^a c_y^b c_z^c: c_s^(order) times the product of the
/// double factorials (a-1)!! (b-1)!! (c-1)!!, or zero where an exponent is odd.
pub(super) fn isotropic(cs2: &Rational, exponents: [u32; 3]) -> Rational {
    if exponents.iter().any(|e| e % 2 == 1) {
        return Rational::zero();
    }
    let odd = exponents.into_iter().flat_map(|e| (1..e).step_by(2));
    product(odd.map(|odd| whole(i64::from(odd)) * cs2))
}

/// The same sum for a lattice with weights.
pub(super) fn tensor(spec: &LatticeSpec, exponents: [u32; 3]) -> Rational {
    sum(spec.velocities.iter().zip(&spec.weights).map(|(&c, w)| w * monomial(c, exponents)))
}

pub(super) fn monomial(c: [i32; 3], exponents: [u32; 3]) -> Rational {
    whole((0..3).map(|a| i64::from(c[a]).pow(exponents[a])).product())
}

/// Solves one weight a shell from the conditions of order 0, 2 and, as far as wanted or needed, 4 and 6.
pub(super) fn solve(
    declaration: &LatticeDeclaration,
    velocities: &[Velocity],
    wanted: u32,
    span: Span,
) -> syn::Result<(Vec<Rational>, Rational)> {
    let Some((cs2, cs2_span)) = &declaration.cs2 else {
        return refuse(span, "solving the weights needs the speed of sound; add e.g. `cs2: 1/3`");
    };
    if !cs2.is_positive() {
        return refuse(*cs2_span, format!("cs2 = {cs2} is not positive; take e.g. 1/3"));
    }
    // Velocities that are signed permutations of each other share a weight.
    let key = |c: [i32; 3]| {
        let mut key = c.map(i32::abs);
        key.sort_unstable();
        key
    };
    let mut shells: Vec<([i32; 3], Span)> = Vec::new();
    for v in velocities {
        if shells.iter().all(|(k, _)| *k != key(v.c)) {
            shells.push((key(v.c), v.span));
        }
    }
    let dimension = declaration.dimension.0;
    let mut system = LinearSystem::new(shells.len());
    for order in [0, 2, 4, 6] {
        if order > wanted && system.free_column().is_none() {
            break;
        }
        for exponents in conditions(dimension, order) {
            let of_key = |key_of: &[i32; 3]| {
                let alike = velocities.iter().filter(|v| key(v.c) == *key_of);
                sum(alike.map(|v| monomial(v.c, exponents)))
            };
            let row = shells.iter().map(|(key, _)| of_key(key)).collect();
            // A contradiction leaves the system as it was.
            if system.add(row, isotropic(cs2, exponents)).is_err() && order <= wanted {
                return refuse(span, inconsistent(order));
            }
        }
    }
    if let Some(free) = system.free_column() {
        let (shell, span) = &shells[free];
        let members: Vec<i32> = shell.iter().rev().take(dimension).copied().collect();
        let message = format!(
            "the isotropy conditions up to the sixth order leave the weight of shell {members:?} free; give `weights: [..]`, \
             or remove the shell"
        );
        return refuse(*span, message);
    }
    let solution = system.solution();
    let mut errors = Errors::default();
    for ((_, span), weight) in shells.iter().zip(&solution) {
        if !weight.is_positive() {
            let message = format!(
                "the weight of this shell comes out as {weight}; it must be > 0: change cs2 or the shells"
            );
            errors.push(*span, message);
        }
    }
    errors.finish()?;
    let weights = velocities
        .iter()
        .map(|v| shells.iter().position(|(k, _)| *k == key(v.c)).expect("every velocity is in a shell"))
        .map(|shell| solution[shell].clone())
        .collect();
    Ok((weights, cs2.clone()))
}

fn inconsistent(order: u32) -> String {
    let (ordinal, remedy) = match order {
        0 | 2 => ("second", "change cs2 or add a shell"),
        4 => ("fourth", "add a shell, or, for an advection-diffusion lattice, say `isotropy: 2`"),
        _ => ("sixth", "add a shell, or ask for `isotropy: 4`"),
    };
    format!("no weights give these velocities {ordinal}-order isotropy with this cs2; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::super::super::rational::ratio;
    use super::super::analyse;
    use super::*;
    use expect_test::{Expect, expect};

    fn solved(declaration: &str, expected: &Expect) {
        let text = match analyse(format!("L {{ {declaration}, weights: solve }}").parse().unwrap()) {
            Ok(spec) => {
                let mut weights: Vec<String> = spec.weights.iter().map(ToString::to_string).collect();
                weights.dedup();
                format!("{} (isotropic to order {})", weights.join(", "), spec.isotropy)
            }
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn weights_follow_from_isotropy() {
        solved(
            "dimension: 2, shells: [[0,0], [1,0], [1,1]], cs2: 1/3",
            &expect!["4/9, 1/9, 1/36 (isotropic to order 4)"],
        );
        solved(
            "dimension: 3, shells: [[0,0,0], [1,0,0], [1,1,1]], cs2: 1/3",
            &expect!["2/9, 1/9, 1/72 (isotropic to order 4)"],
        );
        // In one dimension every further pair of velocities gives two further orders.
        solved(
            "dimension: 1, shells: [[0], [1], [2]], cs2: 1, isotropy: 4",
            &expect!["1/2, 1/6, 1/12 (isotropic to order 4)"],
        );
        solved(
            "dimension: 1, shells: [[0], [1], [2], [3]], cs2: 1, isotropy: 6",
            &expect!["7/18, 1/4, 1/20, 1/180 (isotropic to order 6)"],
        );
    }

    #[test]
    fn what_has_no_weights_is_refused_with_the_reason() {
        solved(
            "dimension: 2, shells: [[0,0], [1,0], [1,1]], cs2: 1/2",
            &expect![
                "no weights give these velocities fourth-order isotropy with this cs2; add a shell, or, for an advection-diffusion lattice, say `isotropy: 2`"
            ],
        );
        solved(
            "dimension: 2, shells: [[0,0], [1,0], [1,1]], cs2: 1/3, isotropy: 6",
            &expect![
                "no weights give these velocities sixth-order isotropy with this cs2; add a shell, or ask for `isotropy: 4`"
            ],
        );
        solved(
            "dimension: 2, shells: [[0,0], [1,1]], cs2: 2, isotropy: 2",
            &expect!["the weight of this shell comes out as -1; it must be > 0: change cs2 or the shells"],
        );
        solved(
            "dimension: 1, shells: [[0], [1]], cs2: -1/3, isotropy: 2",
            &expect!["cs2 = -1/3 is not positive; take e.g. 1/3"],
        );
    }

    #[test]
    fn isotropic_tensors_have_the_moments_of_a_gaussian() {
        let cs2 = ratio(1, 3);
        assert_eq!(isotropic(&cs2, [0, 0, 0]), ratio(1, 1));
        assert_eq!(isotropic(&cs2, [1, 1, 0]), ratio(0, 1));
        assert_eq!(isotropic(&cs2, [2, 2, 0]), ratio(1, 9));
        assert_eq!(isotropic(&cs2, [4, 0, 0]), ratio(3, 9));
        assert_eq!(isotropic(&cs2, [6, 0, 0]), ratio(15, 27));
        assert_eq!(conditions(2, 2), [[2, 0, 0], [1, 1, 0], [0, 2, 0]]);
    }
}
