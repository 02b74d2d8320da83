//! How places move from step to step, as numbers that are there whatever kind of motion a pattern declares.

use super::{Motion, Pattern, Towards};

/// The slots of the state as rings of storage nodes, of which each begins elsewhere from step to step: by nothing where places stay, by a
/// velocity where a slot turns, by whole planes where all move together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rings {
    /// How many begin apart: none where places stay, one where all move together, else one a slot.
    pub count: usize,
    /// The slots that turn by their velocities, a bit for each.
    pub turning: u64,
    /// Which way planes move in each phase; nothing where they stay.
    pub towards: &'static [Towards],
}

impl Pattern {
    /// How the places of the state move, which has so many slots.
    #[must_use]
    pub const fn rings(&self, slots: usize) -> Rings {
        match self.state().motion {
            Motion::Still => Rings::STILL,
            Motion::Along(turning) => Rings { count: slots, turning, ..Rings::STILL },
            Motion::Planes(towards) => Rings { count: 1, towards, ..Rings::STILL },
        }
    }
}

impl Rings {
    /// Places that stay.
    pub const STILL: Rings = Rings { count: 0, turning: 0, towards: &[] };

    /// Whether values lie elsewhere from step to step, so that they may go on at the other end of what is stored.
    #[must_use]
    pub const fn moves(&self) -> bool {
        self.count > 0
    }

    /// Whether all places move together, by whole planes.
    #[must_use]
    pub const fn drifts(&self) -> bool {
        !self.towards.is_empty()
    }

    /// Whether a slot turns by its velocity.
    #[inline]
    #[must_use]
    pub const fn turns(&self, slot: usize) -> bool {
        slot < u64::BITS as usize && self.turning >> slot & 1 == 1
    }

    /// The sign of the way that all places move in a phase along the lattice's last axis: -1 down, 1 up, 0 where they do not move together.
    #[must_use]
    pub const fn sign(&self, phase: usize) -> i32 {
        match self.towards.len() {
            0 => 0,
            phases => match self.towards[phase % phases] {
                Towards::Down => -1,
                Towards::Up => 1,
            },
        }
    }
}
