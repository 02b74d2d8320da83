//! By which algorithm a device executes the pass that collides: chosen by what addressing, arrays and passes are.

use lbm_core::streaming::{Order, Towards};
use lbm_core::{Blocks, Facts};

/// The algorithms of a device, each a file of its own.
pub(super) enum Algorithm {
    /// Nodes of a box in any order, one or some side by side a thread.
    Bulk,
    /// Populations are rebuilt where they are read: threads march upwards through planes of moments, or do a node each; in an order of planes,
    /// where they write what others have read.
    March {
        /// Whether there is such an order.
        ordered: bool,
    },
    /// A block of threads does a block of the box, which has ghost values.
    Blocks(Blocks),
    /// Portions of planes, a launch each, upwards or downwards.
    Planes,
    /// A thread does a listed node.
    Listed,
}

impl Algorithm {
    /// That of a variant in a launch shape that marches or does not: planes in an order are a march, or launches.
    pub(super) fn of(facts: &Facts, marches: bool) -> Algorithm {
        match Algorithm::fastest(facts) {
            Algorithm::March { ordered: true } if !marches => Algorithm::Planes,
            algorithm => algorithm,
        }
    }

    /// That of its likeliest shape.
    pub(super) fn fastest(facts: &Facts) -> Algorithm {
        let mut orders = (0..facts.period).map(|phase| facts.pattern.collision(phase).order);
        let downwards = orders.any(|order| order == Order::Planes(Towards::Down));
        let ordered = facts.pattern.ordered();
        match facts.blocks() {
            _ if facts.addressing.listed => Algorithm::Listed,
            Some(blocks) => Algorithm::Blocks(blocks),
            None if facts.pattern.rebuilds() && !downwards => Algorithm::March { ordered },
            None if ordered => Algorithm::Planes,
            None => Algorithm::Bulk,
        }
    }
}

/// Whether blocks of threads that march wait for each other's planes, and so do nodes at walls themselves.
pub(super) fn takes_turns(facts: &Facts) -> bool {
    matches!(Algorithm::fastest(facts), Algorithm::March { ordered: true })
}
