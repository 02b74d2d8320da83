//! Orthogonal moment bases of a lattice, built from its velocities alone.
//!
//! Monomials c_x^a c_y^b c_z^c are taken by degree. Those of one degree and the same odd components (such as
//! x^2, y^2, z^2, or x y^2 and x z^2) are combined to their sum and to contrasts that sum to zero, so that the
//! trace of the stress is apart from its deviator; then Gram-Schmidt in a product `<a, b> = sum g a b` drops what depends on earlier
//! ones. With the lattice's weights as g this is the basis of Dellar (2003; Krueger et al. 2017, 10.4), with ones that of Lallemand & Luo (2000) and
//! d'Humieres et al. (2002). Names, degrees and kinds of the moments are the same.

use super::super::rational::{Rational, sum, whole};
use super::weights::{conditions, monomial};
use super::{AXES, LatticeSpec};
use dashu_int::UBig;
use dashu_int::ops::{Gcd, UnsignedAbs};
use num_traits::{One, Zero};
use std::sync::OnceLock;

/// One moment: a function on the velocities.
#[derive(Clone, Debug)]
pub struct Moment {
    /// A name made from its leading monomial, e.g. `xx_trace`, `xy`, `xyy_1`.
    pub name: String,
    /// Its values on the velocities, whole numbers without a common divisor.
    pub values: Vec<Rational>,
    /// `sum g values^2`.
    pub norm: Rational,
    /// Degree of its leading monomials.
    pub degree: u32,
    /// What it stands for in hydrodynamics.
    pub kind: MomentKind,
}

/// The part a moment plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentKind {
    /// Density and momentum.
    Conserved,
    /// The deviator of the momentum flux: its rate is the viscosity's.
    Shear,
    /// The trace of the momentum flux: its rate is the bulk viscosity's.
    Bulk,
    /// Third order and above.
    Higher,
}

/// The bases of a lattice, each made when it is first asked for: a kernel is evaluated several times on one lattice.
#[derive(Clone, Debug, Default)]
pub struct Bases {
    weighted: OnceLock<Vec<Moment>>,
    plain: OnceLock<Vec<Moment>>,
}

/// A sum of monomials, each with its factor and exponents.
type Combination = Vec<(Rational, [u32; 3])>;

impl LatticeSpec {
    /// The weighted-orthogonal moment basis.
    pub fn moments(&self) -> &[Moment] {
        self.bases.weighted.get_or_init(|| self.moments_in(&self.weights))
    }

    /// The basis that is orthogonal without weights.
    pub fn plain_moments(&self) -> &[Moment] {
        self.bases.plain.get_or_init(|| self.moments_in(&vec![Rational::one(); self.q()]))
    }

    /// The moment basis that is orthogonal in the product with these numbers, one a direction.
    fn moments_in(&self, product: &[Rational]) -> Vec<Moment> {
        let mut basis: Vec<Moment> = Vec::new();
        let reach = self.velocities.iter().flatten().map(|c| c.unsigned_abs()).max().unwrap_or(1);
        let highest = 2 * reach * self.dimension as u32;
        for degree in 0..=highest {
            for group in groups(self.dimension, degree) {
                for (name, combination) in contrasts(&group) {
                    if basis.len() == self.q() {
                        return basis;
                    }
                    let values = evaluate(self, &combination);
                    let kind = kind(degree, &combination);
                    if let Some(moment) = orthogonalise(product, &basis, name, values, degree, kind) {
                        basis.push(moment);
                    }
                }
            }
        }
        basis
    }
}

/// Monomials of a degree that share their odd components, highest powers of x first.
fn groups(dimension: usize, degree: u32) -> Vec<Vec<[u32; 3]>> {
    let mut groups: Vec<Vec<[u32; 3]>> = Vec::new();
    for exponents in conditions(dimension, degree) {
        let parity = exponents.map(|e| e % 2);
        match groups.iter_mut().find(|g| g[0].map(|e| e % 2) == parity) {
            Some(group) => group.push(exponents),
            None => groups.push(vec![exponents]),
        }
    }
    groups
}

/// The sum of a group and contrasts of each member against those after it.
fn contrasts(group: &[[u32; 3]]) -> Vec<(String, Combination)> {
    let name: String = (0..3).flat_map(|a| std::iter::repeat_n(AXES[a], group[0][a] as usize)).collect();
    let n = group.len();
    if n == 1 {
        let name = if name.is_empty() { "density".to_owned() } else { name };
        return vec![(name, vec![(Rational::one(), group[0])])];
    }
    let sum = group.iter().map(|&e| (Rational::one(), e)).collect();
    let mut all = vec![(format!("{name}_trace"), sum)];
    for k in 0..n - 1 {
        let first = (whole((n - 1 - k) as i64), group[k]);
        let rest = group[k + 1..].iter().map(|&e| (-Rational::one(), e));
        all.push((format!("{name}_{}", k + 1), std::iter::once(first).chain(rest).collect()));
    }
    all
}

fn kind(degree: u32, combination: &[(Rational, [u32; 3])]) -> MomentKind {
    match degree {
        0 | 1 => MomentKind::Conserved,
        2 if combination.len() > 1 && combination.iter().all(|(k, _)| k.is_one()) => MomentKind::Bulk,
        2 => MomentKind::Shear,
        _ => MomentKind::Higher,
    }
}

fn evaluate(spec: &LatticeSpec, combination: &[(Rational, [u32; 3])]) -> Vec<Rational> {
    let value = |&c: &[i32; 3]| sum(combination.iter().map(|(k, e)| k * monomial(c, *e)));
    spec.velocities.iter().map(value).collect()
}

fn orthogonalise(
    weights: &[Rational],
    basis: &[Moment],
    name: String,
    mut values: Vec<Rational>,
    degree: u32,
    kind: MomentKind,
) -> Option<Moment> {
    let product = |a: &[Rational], b: &[Rational]| -> Rational {
        sum(weights.iter().zip(a).zip(b).map(|((w, a), b)| w * a * b))
    };
    for earlier in basis {
        let overlap = product(&earlier.values, &values) / &earlier.norm;
        if !overlap.is_zero() {
            values.iter_mut().zip(&earlier.values).for_each(|(v, e)| *v -= &overlap * e);
        }
    }
    if values.iter().all(Zero::is_zero) {
        return None;
    }
    let scale = common_scale(&values);
    values.iter_mut().for_each(|v| *v *= &scale);
    let norm = product(&values, &values);
    Some(Moment { name, values, norm, degree, kind })
}

/// What makes all values whole and coprime.
fn common_scale(values: &[Rational]) -> Rational {
    let multiple = |a: UBig, b: &UBig| b / (&a).gcd(b) * a;
    let denominators = values.iter().fold(UBig::ONE, |common, v| multiple(common, v.denominator()));
    let numerators =
        values.iter().filter(|v| !v.is_zero()).fold(UBig::ZERO, |divisor, v| match divisor.is_zero() {
            true => v.numerator().unsigned_abs(),
            false => divisor.gcd(v.numerator().unsigned_abs()),
        });
    Rational::from_parts(denominators.into(), numerators)
}

#[cfg(test)]
mod tests {
    use super::super::analyse;
    use super::*;
    use quote::quote;

    #[test]
    fn without_weights_the_moments_of_d2q9_are_those_of_lallemand_and_luo() {
        let spec = analyse(quote! { D2Q9 {
            dimension: 2, shells: [[0,0],[1,0],[1,1]], weights: [4/9, 1/9, 1/36]
        } })
        .unwrap();
        let square = |c: &[i32; 3]| i64::from(c[0] * c[0] + c[1] * c[1]);
        let bases = spec.plain_moments();
        let has = |values: Vec<i64>| {
            bases.iter().any(|m| m.values == values.iter().map(|&v| whole(v)).collect::<Vec<_>>())
        };
        let of = |f: &dyn Fn(&[i32; 3]) -> i64| spec.velocities.iter().map(f).collect::<Vec<i64>>();
        assert!(has(of(&|c| 3 * square(c) - 4)), "e: {bases:?}");
        assert!(has(of(&|c| (8 - 21 * square(c) + 9 * square(c) * square(c)) / 2)), "eps: {bases:?}");
        assert!(has(of(&|c| (3 * square(c) - 5) * i64::from(c[0]))), "q_x: {bases:?}");
        assert!(has(of(&|c| i64::from(c[0] * c[0] - c[1] * c[1]))), "p_xx: {bases:?}");
    }

    #[test]
    fn d3q19_has_nineteen_orthogonal_moments_of_which_five_are_shear() {
        let spec = analyse(quote! { D3Q19 {
            dimension: 3, shells: [[0,0,0],[1,0,0],[1,1,0]], weights: [1/3, 1/18, 1/36]
        } })
        .unwrap();
        let basis = spec.moments();
        assert_eq!(basis.len(), 19);
        let count = |kind| basis.iter().filter(|m| m.kind == kind).count();
        assert_eq!(count(MomentKind::Conserved), 4);
        assert_eq!((count(MomentKind::Shear), count(MomentKind::Bulk)), (5, 1));
        for (k, a) in basis.iter().enumerate() {
            for b in &basis[..k] {
                let product = sum((0..19).map(|i| &spec.weights[i] * &a.values[i] * &b.values[i]));
                assert!(product.is_zero(), "{} . {}", a.name, b.name);
            }
        }
    }
}
