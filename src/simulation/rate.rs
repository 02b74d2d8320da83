//! The rate with which a node's stress relaxes.

use lbm_core::Facts;

/// From the viscosity that is given, or from one that the collision states of each node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates<'a> {
    pub(super) facts: &'a Facts,
    /// The values of the collision's parameters.
    pub(super) parameters: &'a [f64],
    /// The body force, where it is the same everywhere.
    pub(super) force: [f64; 3],
    /// The rate of the viscosity that is given, if there is one.
    pub(super) given: Option<f64>,
}

/// After as many steps a rate that follows from itself is taken as it is.
const STEPS: usize = 50;

impl Rates<'_> {
    /// The rate of a node with these pre-collision populations and fields; none where the collision has no viscosity.
    pub(super) fn of(&self, h: &[f64], fields: &[f64]) -> Option<f64> {
        let stated = self.facts.viscosity(h, self.force_at(h, fields), self.parameters, fields);
        stated.map(|viscosity| 1.0 / (viscosity / self.facts.lattice.cs2 + 0.5)).or(self.given)
    }

    /// The body force of a node with these populations and fields.
    pub(super) fn force_at(&self, h: &[f64], fields: &[f64]) -> [f64; 3] {
        let given = self.force_of(fields);
        self.facts.stated_force(h, given, self.parameters, fields).unwrap_or(given)
    }

    /// The body force that is given to a node with these fields.
    pub(super) fn force_of(&self, fields: &[f64]) -> [f64; 3] {
        self.facts.force_of(fields).unwrap_or(self.force)
    }

    /// The rate of a node whose pre-collision populations follow from it, by secants of the logarithm.
    pub(super) fn of_its_own(
        &self,
        fields: &[f64],
        mut populations: impl FnMut(f64) -> Vec<f64>,
    ) -> Option<f64> {
        let mut rate = self.given.unwrap_or(1.0);
        let mut before: Option<(f64, f64)> = None;
        for _ in 0..STEPS {
            let off = (self.of(&populations(rate), fields)? / rate).ln();
            if off.abs() < 4.0 * f64::EPSILON || !off.is_finite() {
                break;
            }
            let slope = before.map_or(-1.0, |(x, y)| (off - y) / (rate.ln() - x));
            before = Some((rate.ln(), off));
            // How what follows from a rate changes with it lies between that and nothing.
            rate *= (off / slope.abs().max(0.1)).exp();
        }
        Some(rate)
    }
}
