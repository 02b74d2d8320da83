//! The drag on spheres in cubic arrays, by Sangani & Acrivos.

use std::f64::consts::PI;

use lbm_core::geometry::SphereLattice;

use crate::published;

pub(super) const SOURCE: &str = "Sangani & Acrivos, Int. J. Multiphase Flow 8 (1982) 343, eq. 60 and table 1";

/// An array of spheres that fills a share of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Filling {
    /// Where the spheres stand.
    pub(super) lattice: SphereLattice,
    /// Their share of space. The series is good within 0.02 % to 0.216, where simple cubic arrays are nearer to touching
    /// than body-centred ones.
    pub(super) concentration: f64,
}

impl Filling {
    /// The spheres' radius in a cubic cell of this edge, in the edge's unit.
    pub(super) fn radius(self, edge: f64) -> f64 {
        let spheres = self.lattice.spheres() as f64;
        edge * (3.0 * self.concentration / (4.0 * PI * spheres)).cbrt()
    }

    /// The drag on a sphere over 6 pi mu a U, where U is the mean velocity over all space.
    pub(super) fn drag(self) -> f64 {
        let reach = self.reach();
        self.coefficients().iter().rev().fold(0.0, |sum, coefficient| sum * reach + coefficient)
    }

    /// The drag's logarithmic derivative by the radius: d ln K / d ln a.
    pub(super) fn growth(self) -> f64 {
        let reach = self.reach();
        let coefficients = self.coefficients();
        let terms = coefficients.iter().enumerate().rev();
        terms.fold(0.0, |sum, (power, coefficient)| sum * reach + power as f64 * coefficient) / self.drag()
    }

    /// The permeability in the edge's unit squared: the force that drives the flow in a cell is the drag on its spheres.
    pub(super) fn permeability(self, edge: f64) -> f64 {
        let volume = edge.powi(3) / self.lattice.spheres() as f64;
        volume / (6.0 * PI * self.radius(edge) * self.drag())
    }

    /// The radius over that of touching spheres.
    fn reach(self) -> f64 {
        self.radius(1.0) / self.lattice.touching_radius()
    }

    fn coefficients(self) -> Vec<f64> {
        let column = match self.lattice {
            SphereLattice::SimpleCubic => "simple cubic",
            SphereLattice::BodyCentred => "body-centred",
        };
        let points = published::line(published::SANGANI_ACRIVOS, "power", column);
        points.into_iter().map(|point| point.value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATTICES: [SphereLattice; 2] = [SphereLattice::SimpleCubic, SphereLattice::BodyCentred];

    /// The series of 1 / K in powers of c^(1/3), by division. Hasimoto (J. Fluid Mech. 5 (1959) 317) has its first terms from a
    /// derivation of his own, and Sangani & Acrivos two more: most of what the coefficients could get wrong shows here.
    #[test]
    fn the_inverse_of_the_series_is_that_of_hasimoto() {
        // Powers 0 to 8; those between are zero.
        let known = [(-1.7601, -1.5593, 3.9799), (-1.7919, -0.3292, 0.3862)];
        for (lattice, (first, sixth, eighth)) in LATTICES.into_iter().zip(known) {
            let filling = Filling { lattice, concentration: 0.1 };
            let coefficients = filling.coefficients();
            let mut inverse = vec![1.0];
            for power in 1..9 {
                let sum: f64 = (1..=power).map(|k| coefficients[k] * inverse[power - k]).sum();
                inverse.push(-sum);
            }
            let scale = filling.reach() / filling.concentration.cbrt();
            let expected = [1.0, first, 0.0, 1.0, 0.0, 0.0, sixth, 0.0, eighth];
            for (power, expected) in expected.into_iter().enumerate() {
                let found = inverse[power] * scale.powi(power as i32);
                assert!((found - expected).abs() < 1e-3, "{lattice:?}, power {power}: {found}");
            }
        }
    }

    #[test]
    fn the_drag_is_that_of_zick_and_homsy() {
        // J. Fluid Mech. 115 (1982) 13, table 2, simple cubic.
        for (concentration, drag) in [(0.027, 2.008), (0.064, 2.810), (0.125, 4.292), (0.216, 7.442)] {
            let found = Filling { lattice: SphereLattice::SimpleCubic, concentration }.drag();
            assert!((found / drag - 1.0).abs() < 5e-4, "{concentration}: {found}");
        }
    }

    #[test]
    fn the_growth_is_the_derivative_and_the_permeability_falls_with_the_radius() {
        for lattice in LATTICES {
            let at = |concentration| Filling { lattice, concentration };
            let (less, more) = (at(0.125 * 0.999), at(0.125 * 1.001));
            let change = (more.drag() / less.drag()).ln() / (more.radius(1.0) / less.radius(1.0)).ln();
            assert!((change - at(0.125).growth()).abs() < 1e-5, "{change}");
            let change = (more.permeability(9.0) / less.permeability(9.0)).ln()
                / (more.radius(9.0) / less.radius(9.0)).ln();
            assert!((change + 1.0 + at(0.125).growth()).abs() < 1e-5, "{change}");
        }
    }
}
