//! What the threads of a block send each other in a launch shape, and the shared memory that it takes.

use lbm_core::Facts;

use super::super::meeting::Exchange;
use super::{March, Shape, shared_bytes};

/// Most bytes of shared memory of a block on any device.
const MOST_SHARED: usize = 227 << 10;

impl Shape {
    /// Whether fields that neighbours read follow on the way.
    pub(crate) fn has_fields_on_the_way(&self) -> bool {
        self.march.is_some_and(|march| march.fields)
    }

    /// How often threads send something to those beside them in a plane: in each step, and once more if fields follow on the way.
    pub(crate) fn exchanges(&self) -> usize {
        self.steps() + usize::from(self.has_fields_on_the_way())
    }

    /// How many planes more than it completes a part goes through: those before it that serve it, and as many as what is completed lies below the one that was read.
    pub(crate) fn lag(&self) -> usize {
        3 * self.exchanges() - 1
    }

    /// Columns at each side of a block that store nothing.
    pub(crate) fn serving(&self) -> u32 {
        if self.exchanges() > 1 { self.exchanges() as u32 } else { 0 }
    }

    /// Whether its blocks can exchange something as often in a plane.
    pub(super) fn exchanges_fit(&self, facts: &Facts, axis: usize) -> bool {
        self.nodes == 1
            && self.block[0] == 32
            && (axis == 1 || self.block[1] > 2 * self.serving())
            && self.shared_bytes(facts, false) <= MOST_SHARED
    }

    /// What the threads of a block send each other.
    pub(in crate::assemble) fn exchange<'a>(&self, facts: &'a Facts, axis: usize) -> Exchange<'a> {
        let exchange = Exchange::new(facts, self.block, self.steps(), axis);
        if self.has_fields_on_the_way() { exchange.with_fields(facts) } else { exchange }
    }

    /// Bytes of shared memory of a block, in a box between walls or without.
    pub(crate) fn shared_bytes(&self, facts: &Facts, walls: bool) -> usize {
        let Some(March { axis, .. }) = self.march else { return 0 };
        let exchanged = if self.exchanges() > 1 { self.exchange(facts, axis).values() } else { 0 };
        match walls {
            true => shared_bytes(facts, *self, exchanged, true),
            false => exchanged * facts.precision.arithmetic.bytes(),
        }
    }

    /// Whether a block of `most` bytes of shared memory has enough in a box with walls, where more waits in it, or without.
    pub(crate) fn has_room(&self, facts: &Facts, walls: bool, most: usize) -> bool {
        (!walls || *self == self.between_walls()) && self.shared_bytes(facts, walls) <= most.min(MOST_SHARED)
    }
}
