//! Moments by exponents of velocity components: raw, central, cumulants, and back, one axis after the other.
//!
//! Central moments: Geier, Greiner & Korvink, Phys. Rev. E 73, 066705 (2006). Cumulants, here times the density: Geier,
//! Schoenherr, Pasquali & Krafczyk, Comput. Math. Appl. 70 (2015) 507.

use super::super::lattice::{AXES, LatticeSpec};
use super::super::rational::{Rational, ratio, whole};
use super::super::symbolic::{Definition, Polynomial};
use super::Given;
use super::builtin::REFUSED;
use super::prelude::name;
use super::statements::Evaluator;
use num_traits::One;
use proc_macro2::Span;

/// What is said where a word needs exponents and the lattice has none.
pub(super) fn no_product(lattice: &LatticeSpec, word: &str) -> String {
    let (name, d) = (&lattice.name, lattice.dimension);
    let why = match lattice.lacks_for_product() {
        Some([has, lacks]) => format!(", and it has {:?} without {:?}", &has[..d], &lacks[..d]),
        None => String::new(),
    };
    format!(
        "{REFUSED} {name}: `{word}` needs velocities that are products of 0, 1 and -1 along the axes{why}; take D2Q9, D3Q19 or D3Q27, or \
         `to_moments`, which every lattice has"
    )
}

impl Evaluator<'_> {
    /// The exponents of all moments, or an error at the word that needs them.
    pub(super) fn exponents(&self, word: &str, span: Span) -> syn::Result<Vec<[usize; 3]>> {
        let lattice = self.scope.lattice;
        lattice.exponents().ok_or_else(|| syn::Error::new(span, no_product(lattice, word)))
    }

    /// Values with a given density as 1 and what it is more, so that all is 0 at rest to the last digit.
    pub(super) fn deviating(&mut self, values: Vec<Polynomial>) -> Vec<Polynomial> {
        if self.scope.given != Given::Macroscopic {
            return values;
        }
        let Some(density) = self.density(&[]).single_symbol() else { return values };
        let rest = Polynomial::from(self.scope.set.rest.clone());
        let beyond = Definition::Named(Polynomial::from(density).minus(&rest));
        let sum = rest.plus(&self.symbols.intern("delta_rho", beyond).into());
        values.iter().map(|value| value.substituted(density, &sum, |_| true)).collect()
    }

    /// A velocity, each component with its name.
    pub(super) fn named_velocity(&mut self, word: &str, u: Vec<Polynomial>) -> Vec<Polynomial> {
        if self.asked > 0 {
            return u;
        }
        let components = u.into_iter().zip(AXES);
        components.map(|(u, axis)| name(&mut self.symbols, &format!("{word}_about_{axis}"), u)).collect()
    }

    /// A moment with its name: what it has beyond a fluid at rest, whose moments are numbers.
    fn named_moment(&mut self, word: &str, e: [usize; 3], moment: Polynomial) -> Polynomial {
        if self.asked > 0 {
            return moment;
        }
        let digits: String = e[..self.scope.lattice.dimension].iter().map(ToString::to_string).collect();
        name(&mut self.symbols, &format!("{word}_{digits}"), moment)
    }

    /// All of them.
    fn named_moments(
        &mut self,
        word: &str,
        exponents: &[[usize; 3]],
        moments: Vec<Polynomial>,
    ) -> Vec<Polynomial> {
        exponents.iter().zip(moments).map(|(&e, moment)| self.named_moment(word, e, moment)).collect()
    }

    /// sum c_x^p c_y^q c_z^r f
    pub(super) fn raw_moments(&self, exponents: &[[usize; 3]], f: &[Polynomial]) -> Vec<Polynomial> {
        let mut m = f.to_vec();
        for axis in 0..self.scope.lattice.dimension {
            for [zero, plus, minus] in LatticeSpec::lines(exponents, axis) {
                let (sum, difference) = (m[plus].plus(&m[minus]), m[plus].minus(&m[minus]));
                m[zero] = m[zero].plus(&sum);
                (m[plus], m[minus]) = (difference, sum);
            }
        }
        m
    }

    /// The populations of raw moments.
    pub(super) fn populations_of_raw(&self, exponents: &[[usize; 3]], m: &[Polynomial]) -> Vec<Polynomial> {
        let mut f = m.to_vec();
        let half = ratio(1, 2);
        for axis in 0..self.scope.lattice.dimension {
            for [zero, first, second] in LatticeSpec::lines(exponents, axis) {
                let (even, odd) = (f[second].scaled(&half), f[first].scaled(&half));
                f[zero] = f[zero].minus(&f[second]);
                (f[first], f[second]) = (even.plus(&odd), even.minus(&odd));
            }
        }
        f
    }

    /// Moments about a velocity from moments about another, which is less by `by`: sum (c - u - by)^e f.
    fn moved(
        &mut self,
        word: &str,
        exponents: &[[usize; 3]],
        m: &[Polynomial],
        by: &[Polynomial],
    ) -> Vec<Polynomial> {
        let mut m = m.to_vec();
        for (axis, u) in by.iter().enumerate() {
            let word = format!("{word}_{}", AXES[axis]);
            for [zero, first, second] in LatticeSpec::lines(exponents, axis) {
                let by_zero = self.symbols.cancelled(u.times(&m[zero]));
                let moved = self.named_moment(&word, exponents[first], m[first].minus(&by_zero));
                // m_2 - 2 u m_1 + u u m_0
                let by_both = self.symbols.cancelled(u.times(&m[first].plus(&moved)));
                m[second] = self.named_moment(&word, exponents[second], m[second].minus(&by_both));
                m[first] = moved;
            }
        }
        m
    }

    /// sum (c_x - u_x)^p (c_y - u_y)^q (c_z - u_z)^r f
    pub(super) fn central_moments(
        &mut self,
        exponents: &[[usize; 3]],
        f: &[Polynomial],
        u: &[Polynomial],
    ) -> Vec<Polynomial> {
        let m = self.raw_moments(exponents, f);
        let known = |moment: Polynomial| self.symbols.beside(&moment).unwrap_or(moment);
        let m = m.into_iter().map(known).collect();
        let m = self.named_moments("raw", exponents, m);
        self.moved("central", exponents, &m, u)
    }

    /// The populations of central moments.
    pub(super) fn populations_of_central(
        &mut self,
        exponents: &[[usize; 3]],
        k: &[Polynomial],
        u: &[Polynomial],
    ) -> Vec<Polynomial> {
        let back: Vec<Polynomial> = u.iter().map(|u| u.scaled(&-Rational::one())).collect();
        let k = self.named_moments("central", exponents, k.to_vec());
        let m = self.moved("raw", exponents, &k, &back);
        self.populations_of_raw(exponents, &m)
    }

    /// What the products of lower cumulants add to a moment of second or higher order: with the cumulants C = c / rho and the first
    /// axis a along which e is not 0, sum over b < e - 1_a of binomial(e - 1_a, b) c_{b + 1_a} m_{e - 1_a - b} / rho.
    fn of_lower(
        &mut self,
        at: &dyn Fn(&[usize; 3]) -> usize,
        e: [usize; 3],
        c: &[Polynomial],
        m: &[Polynomial],
        inverse: &Polynomial,
    ) -> Polynomial {
        let mut less = e;
        let axis = e.iter().position(|&n| n > 0).expect("the order is at least 2");
        less[axis] -= 1;
        let mut sum = Polynomial::default();
        for x in 0..=less[0] {
            for y in 0..=less[1] {
                for z in 0..=less[2] {
                    let b = [x, y, z];
                    let mut of_c = b;
                    of_c[axis] += 1;
                    let of_m = [less[0] - x, less[1] - y, less[2] - z];
                    // Central moments of first order are 0.
                    if b == less || of_c.iter().sum::<usize>() < 2 || of_m.iter().sum::<usize>() < 2 {
                        continue;
                    }
                    let ways: i64 = (0..3).map(|a| if less[a] == 2 && b[a] == 1 { 2 } else { 1 }).product();
                    sum = sum.plus(&c[at(&of_c)].times(&m[at(&of_m)]).scaled(&whole(ways)));
                }
            }
        }
        self.symbols.cancelled(sum.times(inverse))
    }

    /// Cumulants from central moments, or the other way round.
    pub(super) fn cumulants(
        &mut self,
        word: &str,
        exponents: &[[usize; 3]],
        from: &[Polynomial],
        back: bool,
    ) -> Result<Vec<Polynomial>, &'static str> {
        let inverse = self.symbols.reciprocal(&from[0])?;
        let mut order: Vec<usize> = (0..exponents.len()).collect();
        order.sort_by_key(|&n| exponents[n].iter().sum::<usize>());
        let at = |e: &[usize; 3]| {
            exponents.iter().position(|other| other == e).expect("lower exponents are there too")
        };
        let mut to = from.to_vec();
        for n in order {
            if exponents[n].iter().sum::<usize>() < 4 {
                continue;
            }
            let (c, m) = if back { (from, &to[..]) } else { (&to[..], from) };
            let lower = self.of_lower(&at, exponents[n], c, m, &inverse);
            to[n] = if back { from[n].plus(&lower) } else { from[n].minus(&lower) };
            to[n] = self.named_moment(word, exponents[n], to[n].clone());
        }
        Ok(to)
    }
}
