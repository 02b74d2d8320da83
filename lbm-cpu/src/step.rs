//! What a step of a box that is stored as a whole works on.

use std::sync::Arc;

use lbm_core::crossings::Blocks;
use lbm_core::derived::Surroundings;
use lbm_core::facts::Drift;
use lbm_core::{Access, Facts, Links};

use crate::memory::Memory;
use crate::program::Programs;
use crate::specials::Specials;
use crate::state::State;
use crate::strides::Strides;

/// The first storage node of each row y + ny z.
pub(crate) enum RowStarts {
    /// So many nodes from one to the next.
    Even { first: usize, step: usize },
    /// One by one.
    Each(Vec<usize>),
}

impl RowStarts {
    /// Those of a box, which has one at least.
    pub(crate) fn of(starts: Vec<usize>) -> RowStarts {
        let step = starts.get(1).map_or(0, |second| second.wrapping_sub(starts[0]));
        let even = starts.windows(2).all(|pair| pair[1].wrapping_sub(pair[0]) == step);
        if even { RowStarts::Even { first: starts[0], step } } else { RowStarts::Each(starts) }
    }

    /// How many nodes lie from each to the next, if they lie evenly.
    pub(crate) fn step(&self) -> Option<usize> {
        match self {
            RowStarts::Even { step, .. } => Some(*step),
            RowStarts::Each(_) => None,
        }
    }

    /// That of a row.
    #[inline(always)]
    pub(crate) fn of_row(&self, row: usize) -> usize {
        match self {
            RowStarts::Even { first, step } => first.wrapping_add(row.wrapping_mul(*step)),
            RowStarts::Each(starts) => starts[row],
        }
    }
}

/// What is to be known of a box that is stored as a whole, beside the state of its flow.
pub(crate) struct Whole {
    /// The links.
    pub(crate) links: Arc<Links>,
    /// One a phase.
    pub(crate) specials: Vec<Specials>,
    pub(crate) rows: RowStarts,
    /// Whether steps march through the box ([`crate::march`]).
    pub(crate) marches: bool,
    /// The prefetch distance beyond a chunk, bytes: the least rows after which all places have moved on alike.
    pub(crate) prefetch_distance: usize,
    pub(crate) strides: Strides,
    /// What crosses the faces of the box, where slots turn, or those of its blocks, where these have ghost values.
    pub(crate) crossings: Memory<u8>,
    /// The blocks in whose order nodes are collided, if they are.
    pub(crate) blocks: Option<Blocks>,
    /// The planes of the copy, and how they drift.
    pub(crate) drift: Drift,
    /// Where the values of a node's state lie, one list a phase ([`Facts::state_at`]).
    pub(crate) stored: Vec<Vec<Access>>,
    /// The slots of the plane that a drifting copy keeps, one list a phase.
    pub(crate) kept: Vec<Vec<usize>>,
    /// Where each slot began in the step before ([`Facts::origins`]).
    pub(crate) before: Vec<usize>,
    /// What fields are around the fluid, where neighbours read them.
    pub(crate) around: Surroundings,
}

/// Everything that one step needs, the same for all threads.
///
/// Each thread writes to the copy, to what is kept and to the crossings what belongs to the nodes of its own rows or blocks, or to
/// crossings of its own, and these places are disjoint. In one copy, what it reads for them is among them, or nobody writes it in
/// this pass.
pub(crate) struct Step<'a> {
    pub(crate) state: &'a State,
    pub(crate) whole: &'a Whole,
    /// Where each slot begins in this step.
    pub(crate) now: &'a [usize],
    /// Where each slot begins when it is read ([`Facts::read_origins`]).
    pub(crate) read: &'a [usize],
}

impl<'a> Step<'a> {
    pub(crate) fn facts(&self) -> &'a Facts {
        &self.state.facts
    }

    pub(crate) fn programs(&self) -> &'a Programs {
        &self.state.programs
    }
}
