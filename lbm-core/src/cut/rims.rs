//! What crosses a cut: which values of nodes beyond it a part reads in the first step after an exchange.

use std::ops::Range;

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

/// The values of a node from one number to before another, as a whole: a population, or all moments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Reads {
    values: [usize; 2],
    node: usize,
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
    let (domain, reach) = (setup.domain(), facts.body.chained_reach(!setup.domain().is_all_bulk()));
    let computes = |node: usize| part.computes(domain.position(node), reach);
    let reads = |node: usize, direction: usize| {
        let Range { start, end } = facts.values_of(direction);
        (part.depth(domain.position(node)) > 0).then_some(Reads { values: [start, end], node })
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
    let mut read = in_pieces(near.len(), 1, |some| {
        let fluid = near[some].iter().filter(|&&position| !domain.is_solid(position));
        let mut found: Vec<Reads> =
            fluid.flat_map(|&position| come(position)).filter_map(|(node, i)| reads(node, i)).collect();
        // Many directions read the same moments.
        found.sort_unstable();
        found.dedup();
        found
    });
    drop(near);
    let arrivals = Arrivals::of(facts, setup)?;
    let observed = arrivals.all_observed(None);
    let observed = observed.iter().filter(|observed| computes(observed.reader));
    read.extend(observed.filter_map(|observed| reads(observed.node, observed.direction)));
    let kept = arrivals.kept(facts);
    let kept = kept.iter().filter(|kept| computes(kept.node));
    read.extend(kept.filter_map(|kept| reads(kept.node, kept.direction)));
    read.sort_unstable();
    read.dedup();
    // Values of one kind lie side by side where they are stored: who brings many at once asks for few lines of memory.
    let alike = read.chunk_by(|one, other| one.values == other.values);
    let read = alike.flat_map(|some| {
        let [start, end] = some[0].values;
        (start..end).flat_map(move |value| some.iter().map(move |reads| Single::new(reads.node, value)))
    });
    Ok(read.collect())
}
