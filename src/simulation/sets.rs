//! What the sets of populations of a model begin with.

use lbm_core::Error;
use lbm_core::facts::LatticeFacts;
use lbm_core::lattice::Set;

use super::check;
use super::problem::NodeValues;

/// The sums of the sets of populations after the first at time 0.
pub(super) struct InitialSums<'a> {
    sets: &'static [Set],
    given: Vec<Option<&'a NodeValues>>,
}

impl<'a> InitialSums<'a> {
    /// Those that are given by the names of sets.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a set that there is not; [`Error::Conflict`] for the first one, whose sum is the density, and for one that is
    /// given twice.
    pub(super) fn of(
        lattice: &LatticeFacts,
        given: &'a [(String, NodeValues)],
    ) -> Result<InitialSums<'a>, Error> {
        let sets = lattice.sets.get(1..).unwrap_or_default();
        let mut all = vec![None; sets.len()];
        for (name, values) in given {
            let set = lattice.set(name)?;
            if set.is_kept() {
                return Err(Error::conflict(
                    format!(
                        "the sum of `{name}` is what nodes keep from step to step, `prev`, which begins as the initial state has it"
                    ),
                    "leave it out, or give the model a set of its own for it",
                ));
            }
            let first = set.first;
            let place = sets.iter().position(|set| set.first == first).ok_or_else(|| {
                Error::conflict(
                    format!("the sum of `{name}`, the first set of populations, is the density"),
                    "give it with `.initial(..)`",
                )
            })?;
            if all[place].replace(values).is_some() {
                return Err(Error::conflict(
                    format!("the sum of `{name}` is given twice"),
                    "keep one of them",
                ));
            }
        }
        Ok(InitialSums { sets, given: all })
    }

    /// Whether they are the same at all nodes, for they are what they are at rest.
    pub(super) fn are_uniform(&self) -> bool {
        self.given.iter().all(Option::is_none)
    }

    /// Those of a node.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for one that is no finite number.
    pub(super) fn at(&self, position: [usize; 3]) -> Result<Vec<f64>, Error> {
        let each = self.sets.iter().zip(&self.given);
        each.map(|(set, given)| {
            let value = given.map_or(set.rest, |given| given(position));
            check::finite(format!("the sum of `{}` at node {position:?}", set.name), &[value], &[value])?;
            Ok(value)
        })
        .collect()
    }
}
