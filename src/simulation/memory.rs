//! How much memory a flow takes, known before anything is allocated.

use std::fmt;

use lbm_core::cut::{Decomposition, parts, rank_of};
use lbm_core::{Domain, Error, Facts, Variant};
use lbm_cpu::check_footprint;

use super::backend::Backend;
use super::problem::Problem;
use super::processes::Processes;

/// The memory of a flow's populations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Footprint {
    /// Nodes of the box.
    pub nodes: usize,
    /// Bytes a node: every copy of every population, and a share of what lies beside them.
    pub bytes_per_node: usize,
    /// Both multiplied, with what really lies beside the populations of this box.
    pub bytes: usize,
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Footprint { nodes, bytes_per_node, bytes } = *self;
        write!(f, "{nodes} nodes of {bytes_per_node} bytes: ")?;
        match bytes {
            0..0x10_0000 => write!(f, "{:.1} KiB", bytes as f64 / 1024.0),
            0x10_0000..0x4000_0000 => write!(f, "{:.1} MiB", bytes as f64 / 1024f64.powi(2)),
            _ => write!(f, "{:.2} GiB", bytes as f64 / 1024f64.powi(3)),
        }
    }
}

/// The memory that the populations of a box take in a variant.
///
/// ```
/// use lbm::prelude::*;
/// use lbm::simulation::footprint;
///
/// solver! { Cube { lattice: D3Q19, collision: Bgk, precision: F32 } }
///
/// // Two copies of 19 numbers of 4 bytes.
/// let footprint = footprint::<Cube>([64, 64, 64])?;
/// assert_eq!(footprint.to_string(), "262144 nodes of 152 bytes: 38.0 MiB");
/// # Ok::<(), Error>(())
/// ```
///
/// # Errors
/// [`Error::OutOfMemory`] if they are more than the machine has free (where it tells) or than addresses reach.
pub fn footprint<V: Variant>(size: [usize; 3]) -> Result<Footprint, Error> {
    footprint_on(&Facts::of::<V>(), Backend::Cpu, size)
}

/// The same on a backend. A device has memory of its own, of which it tells itself.
pub(super) fn footprint_on(facts: &Facts, backend: Backend, size: [usize; 3]) -> Result<Footprint, Error> {
    let nodes = all_nodes(size);
    check_footprint(nodes, on_host(facts, backend) + FIELDS)?;
    Ok(footprint_of(facts, size))
}

/// Checks that what this process holds of a flow fits into the memory of its host, beside what its other processes hold: the populations of its parts,
/// with the planes beyond their cuts, and their fields; where one process has all parts those of the whole box.
///
/// # Errors
/// [`Error::OutOfMemory`]; those of a decomposition that does not fit the box.
pub(super) fn check(
    facts: &Facts,
    problem: &Problem,
    size: [usize; 3],
    processes: &Processes,
    cut: Option<&Decomposition>,
) -> Result<Footprint, Error> {
    let backend = problem.placement.backend;
    let Some(cut) = cut else { return footprint_on(facts, backend, size) };
    let all = all_nodes(size);
    // What cannot be counted is not cut.
    if all > MOST_NODES {
        check_footprint(all, FIELDS)?;
    }
    let held = held_nodes(facts, problem, size, processes, cut)?;
    // Several processes have fields of all nodes only where they are asked for, which is checked then.
    let of_fields = if processes.ranks() > 1 { held } else { all };
    let bytes = held * on_host(facts, backend) as u128 + of_fields * FIELDS as u128;
    check_footprint(
        held * processes.on_this_host() as u128,
        usize::try_from(bytes.div_ceil(held.max(1))).unwrap_or(usize::MAX),
    )?;
    Ok(footprint_of(facts, size))
}

/// So many nodes that bytes of all of them are counted in 64 bits.
const MOST_NODES: u128 = 1 << 48;

/// Density and velocity of a node: those of all nodes are held at the end.
const FIELDS: usize = 4 * size_of::<f64>();

/// Checks that a process which is one of several, some of them on its host, has room for values of all nodes of a box, which all of them gather.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(super) fn check_gathered(nodes: usize, bytes: usize, [ranks, on_host]: [usize; 2]) -> Result<(), Error> {
    if ranks > 1 { check_footprint(nodes as u128 * on_host as u128, bytes) } else { Ok(()) }
}

/// The nodes of a box. Three sizes of 64 bits can overflow 128; such a box is refused like any other that is too large.
fn all_nodes(size: [usize; 3]) -> u128 {
    size.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128))
}

/// Bytes a node of the host's memory for populations. A device has memory of its own; where nodes are listed, how many is known only later. Both ask
/// themselves.
fn on_host(facts: &Facts, backend: Backend) -> usize {
    if backend == Backend::Cpu && !facts.addressing.listed { facts.bytes_per_node() } else { 0 }
}

/// The nodes of this process's parts, those beyond cuts among them. What rules read further is left out: they are placed later.
fn held_nodes(
    facts: &Facts,
    problem: &Problem,
    size: [usize; 3],
    processes: &Processes,
    cut: &Decomposition,
) -> Result<u128, Error> {
    let domain = Domain::periodic(size).with_faces(problem.faces);
    let parts = parts(facts, &domain, &[], cut)?;
    let (count, rank, ranks) = (parts.len(), processes.transport.rank(), processes.ranks());
    let own = parts.iter().enumerate().filter(|&(part, _)| rank_of(part, count, ranks) == rank);
    Ok(own.map(|(_, part)| all_nodes(part.size())).sum())
}

/// What the whole box takes, which can be addressed.
fn footprint_of(facts: &Facts, size: [usize; 3]) -> Footprint {
    let bytes = facts.bytes(size) as usize;
    Footprint { nodes: all_nodes(size) as usize, bytes_per_node: facts.bytes_per_node(), bytes }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lbm_core::cut::Threads;

    use super::*;
    use crate::prelude::*;

    solver! { Cube { lattice: D3Q19, collision: Bgk, precision: F32 } }

    #[test]
    fn a_process_is_asked_for_what_its_parts_hold() {
        let (facts, size) = (Facts::of::<Cube>(), [16, 8, 40]);
        let problem = Problem { faces: [FaceRule::WALL; 6], ..Problem::default() };
        let cut = Decomposition::At([vec![], vec![], vec![10, 20, 30]]);
        let held = |ranks: usize| -> Vec<u128> {
            let all = Threads::of(ranks).into_iter().map(|rank| Processes::of(Some(Arc::new(rank))).unwrap());
            all.map(|rank| held_nodes(&facts, &problem, size, &rank, &cut).unwrap()).collect()
        };
        // A plane beyond each cut, none beyond walls.
        assert_eq!(held(4), [11, 12, 12, 11].map(|planes| planes * 128));
        assert_eq!(held(2), [23, 23].map(|planes| planes * 128));
        assert_eq!(held(1), [46 * 128]);
        // As many times the planes as there are steps between two exchanges.
        let (rank, cut) = (Processes::of(None).unwrap(), cut.exchanging_every(3));
        assert_eq!(held_nodes(&facts, &problem, size, &rank, &cut).unwrap(), (40 + 6 * 3) * 128);
    }

    #[test]
    fn a_box_is_not_refused_for_what_other_processes_hold() {
        // Populations of the whole box are more than there are, those of a part with the fields of all are not.
        let free = lbm_cpu::available_memory().min(1 << 40);
        let facts = Facts::of::<Cube>();
        let planes = (free / (facts.bytes_per_node() as u64 * 1024 * 1024) * 3 / 2 + 64) as usize;
        let size = [1024, 1024, planes];
        let threads = Threads::of(64).remove(5);
        let processes = Processes::of(Some(Arc::new(threads))).unwrap();
        let cut = Decomposition::Into(64);
        let checked = |cut| check(&facts, &Problem::default(), size, &processes, cut);
        assert!(matches!(checked(None), Err(Error::OutOfMemory { .. })));
        let footprint = checked(Some(&cut)).unwrap();
        assert_eq!(footprint.nodes, 1024 * 1024 * planes);
    }
}
