//! What crosses a cut: which values of nodes beyond it a part reads in the first step after an exchange.

use super::Part;
use crate::domain::Upstream;
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::parallel::in_pieces;
use crate::rules::Arrivals;

/// A stored value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Single {
    /// Index of the node in the box of the engine that is asked.
    pub node: usize,
    /// Number of the value ([`Facts::state_values`]): the direction of a population as it was sent, or a moment.
    pub value: usize,
}

impl Single {
    /// A value of a node.
    #[must_use]
    pub const fn new(node: usize, value: usize) -> Single {
        Single { node, value }
    }
}

/// Stored values that cross together.
pub type Rim = Vec<Single>;

/// What a part reads in the first step after an exchange of nodes that are not its own, value after value, the nodes of each ascending; `setup` is the part's.
///
/// What comes to a node is sent by the next one, or by itself into a wall. A part asks for it at the nodes that it computes, which are its own where there is
/// one step, and as far beyond as fields are read that follow from it; and for all that rules at these nodes read. Moments are asked for as a whole.
///
/// # Errors
/// As [`Arrivals::of`].
pub fn read_beyond(facts: &Facts, setup: &Setup, part: &Part) -> Result<Rim, Error> {
    let (domain, reach) = (setup.domain(), facts.body.chained_reach());
    let mut read = Rim::new();
    let computes = |node: usize| part.computes(domain.position(node), reach);
    let mut add = |node: usize, direction: usize| {
        if part.depth(domain.position(node)) == 0 {
            return;
        }
        read.extend(facts.values_of(direction).map(|value| Single::new(node, value)));
    };
    let near: Vec<[usize; 3]> =
        part.near_cuts(facts.lattice.reach()).filter(|&position| part.computes(position, reach)).collect();
    let size = domain.size;
    // Whether what comes along a velocity comes from the part's own nodes, as it mostly does.
    let is_own = |position: [usize; 3], c: &[i32; 3]| {
        let from = [0, 1, 2].map(|axis| position[axis] as i64 - i64::from(c[axis]));
        let is_there = (0..3).all(|axis| (0..size[axis] as i64).contains(&from[axis]));
        is_there && part.depth(position) == 0 && part.depth(from.map(|at| at as usize)) == 0
    };
    let come = |position: [usize; 3]| {
        let each = facts.lattice.velocities.iter().enumerate().filter(move |(_, c)| !is_own(position, c));
        each.map(move |(i, c)| match domain.upstream(position, c.map(|c| -c)) {
            Upstream::Node(from) => (domain.index(from), i),
            Upstream::Wall(_) => (domain.index(position), facts.lattice.opposites[i]),
        })
    };
    let found = in_pieces(near.len(), 1, |some| {
        let fluid = near[some].iter().filter(|&&position| !domain.is_solid(position));
        fluid.flat_map(|&position| come(position)).collect::<Vec<_>>()
    });
    drop(near);
    found.into_iter().for_each(|(node, direction)| add(node, direction));
    let arrivals = Arrivals::of(facts, setup)?;
    for observed in arrivals.all_observed(None).iter().filter(|observed| computes(observed.reader)) {
        add(observed.node, observed.direction);
    }
    for kept in arrivals.kept(facts).iter().filter(|kept| computes(kept.node)) {
        add(kept.node, kept.direction);
    }
    // Values of one kind lie side by side where they are stored: who brings many at once asks for few lines of memory.
    read.sort_unstable_by_key(|single| (single.value, single.node));
    read.dedup();
    Ok(read)
}
