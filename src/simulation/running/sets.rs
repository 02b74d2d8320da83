//! What the sets of populations of a model sum to.

use lbm_core::Error;
use lbm_core::sums::ExactTotal;

use super::Simulation;

impl Simulation {
    /// The sum of a set of populations at each node, such as a temperature; the one at rest in solids.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that the model has no set of.
    pub fn sum_of(&self, set: &str) -> Result<Vec<f64>, Error> {
        let set = self.facts.lattice.set(set)?;
        let mut sums = vec![set.rest; self.nodes()];
        self.engine.now().sums_of(set.directions(), 0..self.nodes(), &mut |nodes, values| {
            sums[nodes].iter_mut().zip(values).for_each(|(sum, value)| *sum = set.rest + value);
            Ok(())
        })?;
        self.domain()
            .flags
            .iter()
            .zip(&mut sums)
            .filter(|(flag, _)| **flag != 0)
            .for_each(|(_, sum)| *sum = set.rest);
        Ok(sums)
    }

    /// What all populations of a set sum to over the fluid, exactly: of a scalar what there is of it in the box.
    ///
    /// # Errors
    /// As [`sum_of`](Simulation::sum_of).
    pub fn total_of(&self, set: &str) -> Result<f64, Error> {
        let set = self.facts.lattice.set(set)?;
        self.total(set.directions(), set.rest)
    }

    /// What populations along these directions sum to over the fluid, of which each node has so much at rest.
    pub(super) fn total(&self, directions: std::ops::Range<usize>, rest: f64) -> Result<f64, Error> {
        let mut sum = ExactTotal::default();
        self.engine.now().populations_of(0..self.nodes(), &mut |nodes, values| {
            // Solid nodes read as zero.
            let of_piece = directions.start * nodes.len()..directions.end * nodes.len();
            values[of_piece].iter().for_each(|&h| sum.add(h));
            Ok(())
        })?;
        Ok(rest * self.fluid_nodes() as f64 + sum.value())
    }
}
