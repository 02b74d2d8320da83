//! What every backend asks of a streaming pattern before a run.

use super::all_slots_are_read;
use crate::error::Error;
use crate::facts::Facts;
use crate::streaming::Access;

/// How far along x, y, z the pattern reads or writes, in nodes.
///
/// # Errors
/// [`Error::Conflict`] for a pattern that no engine can run: it reads a slot twice or one that is not there, or it writes what is
/// another node's to read in the order that it declares. [`free_of_races`](super::free_of_races) says more closely where.
pub fn check_streaming(facts: &Facts) -> Result<[usize; 3], Error> {
    let wrong = |what: String| {
        Err(Error::Conflict {
            what,
            remedy: "check the pattern with `lbm_core::laws::free_of_races`".to_owned(),
        })
    };
    let name = facts.pattern.name;
    if let Err(violation) =
        all_slots_are_read(name, &facts.lattice, facts.period, |i, phase| facts.read(i, phase))
    {
        return wrong(violation.to_string());
    }
    let in_place = facts.copies == 1 && !facts.pattern.sends() && !facts.pattern.ordered();
    let mut reach = [0; 3];
    for phase in 0..facts.period {
        let reads: Vec<Access> = (0..facts.lattice.q()).map(|i| facts.read(i, phase)).collect();
        for (i, read) in reads.iter().enumerate() {
            let write = facts.write(i, phase);
            let upstream = facts.lattice.velocities[i].map(|component| -component);
            if facts.pattern.ordered() && (write.shift != [0; 3] || read.shift != upstream) {
                return wrong(format!(
                    "the nodes of `{name}` have an order, and in phase {phase} a node reads direction {i} elsewhere than one node \
                     upstream ({read:?}), or writes it elsewhere than in itself ({write:?})"
                ));
            }
            if in_place && !reads.contains(&write) {
                return wrong(format!(
                    "`{name}` has one copy of the populations, and in phase {phase} a node writes direction {i} to a place \
                     that it did not read ({write:?}) and another node did"
                ));
            }
            for shift in [read.shift, write.shift] {
                for axis in 0..3 {
                    reach[axis] = reach[axis].max(shift[axis].unsigned_abs() as usize);
                }
            }
        }
    }
    Ok(reach)
}
