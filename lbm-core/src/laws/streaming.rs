//! What every backend asks of a streaming pattern before a run.

use super::all_slots_are_read;
use crate::error::Error;
use crate::facts::Facts;
use crate::streaming::Access;

/// How far along x, y, z the pattern reads or writes, in nodes.
///
/// Of a legal pattern ([`legal`](crate::legal)) it asks what is left so that [`free_of_races`](super::free_of_races) holds in every
/// box, and that its passes bring populations to where they are read.
///
/// # Errors
/// [`Error::Conflict`] for a pattern that no engine can run: it reads a slot twice or one that is not there, it writes what is
/// another node's to read in the order that it declares, or its reads are not those that its passes serve.
pub fn check_streaming(facts: &Facts) -> Result<[usize; 3], Error> {
    let (pattern, name, q) = (&facts.pattern, facts.pattern.name, facts.lattice.q());
    if let Err(violation) =
        all_slots_are_read(name, &facts.lattice, facts.period, |i, phase| facts.read(i, phase))
    {
        return Err(wrong(violation.to_string()));
    }
    let mut reach = [0; 3];
    for phase in 0..facts.period {
        let reads: Vec<Access> = (0..q).map(|i| facts.read(i, phase)).collect();
        for (i, &read) in reads.iter().enumerate() {
            let write = facts.write(i, phase);
            for shift in [read.shift, write.shift] {
                reach = std::array::from_fn(|axis| reach[axis].max(shift[axis].unsigned_abs() as usize));
            }
            let upstream = facts.lattice.velocities[i].map(|component| -component);
            let between = |axis: usize| [0, upstream[axis]].contains(&read.shift[axis]);
            let what = if facts.addressing.listed && !(0..3).all(between) {
                format!(
                    "listed nodes know the nodes next to them, and in phase {phase} `{name}` reads direction {i} elsewhere than in the node, \
                     one node upstream, or between the two ({read:?})"
                )
            } else if pattern.ordered() && (write.shift != [0; 3] || read.shift != upstream) {
                format!(
                    "the nodes of `{name}` have an order, and in phase {phase} a node reads direction {i} elsewhere than one node \
                     upstream ({read:?}), or writes it elsewhere than in itself ({write:?})"
                )
            } else if pattern.rebuilds() && read != (Access { shift: upstream, slot: i }) {
                format!(
                    "`{name}` stores moments, and in phase {phase} a node rebuilds direction {i} from others than those one node upstream \
                     ({read:?})"
                )
            } else if [i, read.slot].into_iter().any(|slot| facts.rings.turns(slot))
                && read != (Access { shift: [0; 3], slot: i })
            {
                format!(
                    "slots of `{name}` turn, and in phase {phase} a node reads direction {i} elsewhere than in its own place of slot {i} \
                     ({read:?})"
                )
            } else if facts.copies == 1 && !pattern.sends() && !pattern.ordered() && !reads.contains(&write) {
                format!(
                    "`{name}` has one copy of the populations, and in phase {phase} a node writes direction {i} to a place that it did \
                     not read ({write:?}) and another node did"
                )
            } else {
                continue;
            };
            return Err(wrong(what));
        }
    }
    Ok(reach)
}

fn wrong(what: String) -> Error {
    Error::conflict(
        what,
        "read elsewhere, or declare other arrays and passes; `lbm_core::laws::free_of_races` says where nodes meet",
    )
}
