//! The planes of a copy that drifts ([`Streaming::DRIFTS`](crate::Streaming::DRIFTS)).

use super::Facts;
use crate::index::Index;

/// A box of `planes` planes along the lattice's last axis, in a ring of [`stored`](Drift::stored) planes.
///
/// A step writes plane n to where plane n - `spare` was. That one is read by the planes beside it, so by none that is done when
/// all planes up to n - `spare` + 1 are. One more plane above the last holds what the first one was before the step, for the
/// last plane's neighbours around the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The axis.
    pub axis: usize,
    /// Planes of the box.
    pub planes: usize,
    /// By how many planes everything moves in a step: as many lie free.
    pub spare: usize,
}

impl Drift {
    /// That of a box, for a lattice of this dimension.
    #[must_use]
    pub fn of(dimension: usize, size: [usize; 3]) -> Drift {
        let axis = dimension.max(1) - 1;
        Drift { axis, planes: size[axis], spare: spare(size[axis]) }
    }

    /// Planes in memory.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.planes + self.spare + 1
    }

    /// So many planes next to each other can be done at once when all before them are done: none of them overwrites what
    /// another one of them reads.
    #[must_use]
    pub fn at_once(&self) -> usize {
        self.spare - 1
    }

    /// Where the ring begins in step `step`, planes: plane n is written to `(n + origin) mod stored`.
    #[must_use]
    pub fn origin(&self, step: i64) -> usize {
        (-(self.spare as i128) * (i128::from(step) + 1)).rem_euclid(self.stored() as i128) as usize
    }
}

/// How many planes a copy of so many has to spare. At least two; an eighth of the box lets a device do two such parts at once,
/// and have all of them wait little.
#[must_use]
pub fn spare<I: Index>(planes: I) -> I {
    (planes + 15) / 8
}

impl Facts {
    /// How the copy drifts in a box of `size` nodes, if it does.
    #[must_use]
    pub fn drift(&self, size: [usize; 3]) -> Option<Drift> {
        self.drifts.then(|| Drift::of(self.lattice.dimension, size))
    }

    /// Whether values lie elsewhere from step to step.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.circular || self.drifts
    }

    /// The nodes that are stored of a box.
    #[must_use]
    pub fn stored_size<I: Index>(&self, mut size: [I; 3]) -> [I; 3] {
        if self.drifts {
            let planes = &mut size[self.lattice.dimension.max(1) - 1];
            *planes = planes.clone() + spare(planes.clone()) + 1;
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plane by plane in the order that the pattern declares: what a plane overwrites, nobody reads who is still to come, nor
    /// anybody who is done at the same time.
    #[test]
    fn nothing_is_overwritten_that_is_still_read() {
        for planes in (1..70).chain([512]) {
            let drift = Drift::of(3, [1, 1, planes]);
            let stored = drift.stored();
            for step in [0, 1, 7] {
                let place = |plane: usize, step: i64| (plane + drift.origin(step)) % stored;
                for first in (0..planes).step_by(drift.at_once()) {
                    let last = (first + drift.at_once()).min(planes) - 1;
                    for written in first..=last {
                        let to = place(written, step);
                        // Planes that are done in this portion or after it, and what they read: the plane above the last is the
                        // copy of the first.
                        for reader in first..planes {
                            let below = if reader == 0 { planes - 1 } else { reader - 1 };
                            for read in [below, reader, reader + 1] {
                                assert_ne!(
                                    place(read, step - 1),
                                    to,
                                    "{planes}: {written} overwrites {read} of {reader}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
}
