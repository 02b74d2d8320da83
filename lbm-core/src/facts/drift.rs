//! The planes of a copy, which may drift ([`Motion::Planes`](crate::streaming::Motion::Planes)).

use super::Facts;
use crate::index::Index;
use crate::streaming::Rings;

/// A box of `planes` planes along the lattice's last axis, in a ring of `stored` planes. A copy that stays is one that drifts
/// by no plane: as many are stored, all are done at once, and the ring begins with the first one.
///
/// A step that moves all down writes plane n to where plane n - `spare` was. That one is read by the planes beside it, so by none
/// that is done when all planes up to n - `spare` + 1 are. One more plane above the last holds what the first one was before the
/// step, for the last plane's neighbours around the box. A step that moves all up is its mirror image: planes are done downwards,
/// and one more plane below the first holds what the last one was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The axis.
    pub axis: usize,
    /// Planes of the box.
    pub planes: usize,
    /// By how many planes everything moves in a step: as many lie free. None where places stay.
    pub spare: usize,
    /// Planes in memory.
    pub stored: usize,
    rings: Rings,
}

impl Drift {
    /// That of a box, for a lattice of this dimension, of slots that move like these rings.
    #[must_use]
    pub fn of(dimension: usize, size: [usize; 3], rings: Rings) -> Drift {
        let axis = dimension.max(1) - 1;
        let (planes, stored) = (size[axis], stored(rings, size[axis]));
        // Of those beyond the box, one is not to spare but for the plane that is kept.
        Drift { axis, planes, spare: (stored - planes).saturating_sub(1), stored, rings }
    }

    /// After so many steps the ways repeat.
    fn phases(&self) -> i64 {
        self.rings.towards.len().max(1) as i64
    }

    /// The phase of the ways in a step.
    fn phase(&self, step: i64) -> usize {
        step.rem_euclid(self.phases()) as usize
    }

    /// Which way all moves in a step ([`Rings::sign`]).
    #[must_use]
    pub fn sign(&self, step: i64) -> i32 {
        self.rings.sign(self.phase(step))
    }

    /// The plane that is kept before a step, and where ([`Rings::kept`]).
    #[must_use]
    pub fn kept(&self, step: i64) -> [usize; 2] {
        self.rings.kept(self.phase(step), self.planes)
    }

    /// The planes that are done in a step, as many at once as may be, portion after portion.
    pub fn portions(&self, step: i64) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let (planes, at_once, up) = (self.planes, self.at_once(), self.sign(step) > 0);
        (0..planes.div_ceil(at_once)).map(move |n| {
            let (first, end) = (n * at_once, ((n + 1) * at_once).min(planes));
            if up { planes - end..planes - first } else { first..end }
        })
    }

    /// So many planes next to each other can be done at once when all before them are done: none of them overwrites what
    /// another one of them reads.
    #[must_use]
    pub fn at_once(&self) -> usize {
        if self.spare == 0 { self.planes.max(1) } else { self.spare - 1 }
    }

    /// Where the ring begins in step `step`, planes: plane n is written to `(n + origin) mod stored`.
    #[must_use]
    pub fn origin(&self, step: i64) -> usize {
        let (done, period) = (i128::from(step) + 1, self.phases());
        let moved = |steps: i64| (0..steps).map(|step| i128::from(self.sign(step))).sum::<i128>();
        let whole = moved(period) * done.div_euclid(i128::from(period));
        let rest = moved(done.rem_euclid(i128::from(period)) as i64);
        ((whole + rest) * self.spare as i128).rem_euclid(self.stored.max(1) as i128) as usize
    }
}

/// How many planes a copy of so many has to spare. At least two; an eighth of the box lets a device do two such parts at once,
/// and have all of them wait little.
#[must_use]
pub fn spare<I: Index>(planes: I) -> I {
    (planes + 15) / 8
}

/// How many planes are stored of so many of a box, with those to spare and the one that is kept where they drift.
fn stored<I: Index>(rings: Rings, planes: I) -> I {
    if rings.drifts() { planes.clone() + spare(planes) + 1 } else { planes }
}

impl Rings {
    /// Of so many planes of a box that which a step of `phase` overwrites first, and where the plane at the other end finds it as the step before
    /// left it: where it is, if planes stay, else kept beyond the box. Behind the last plane, if all move down; if all move up, in the ring's
    /// last one, which is before the first.
    #[must_use]
    pub fn kept<I: Index>(&self, phase: usize, planes: I) -> [I; 2] {
        match self.sign(phase) {
            ..0 => [I::from(0), planes],
            0 => [I::from(0), I::from(0)],
            1.. => [planes.clone() - 1, planes.clone() + spare(planes)],
        }
    }
}

impl Facts {
    /// The planes of a copy of a box of `size` nodes, and how they drift.
    #[must_use]
    pub fn drift(&self, size: [usize; 3]) -> Drift {
        Drift::of(self.lattice.dimension, size, self.rings)
    }

    /// The nodes that are stored of a box.
    #[must_use]
    pub fn stored_size<I: Index>(&self, mut size: [I; 3]) -> [I; 3] {
        let planes = &mut size[self.lattice.dimension.max(1) - 1];
        *planes = stored(self.rings, planes.clone());
        size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streaming::Towards;

    /// Plane by plane in the order that the pattern declares: what a plane overwrites, nobody reads who is still to come, nor
    /// anybody who is done at the same time.
    #[test]
    fn nothing_is_overwritten_that_is_still_read() {
        let ways: [&'static [Towards]; 3] = [&[Towards::Down], &[Towards::Up], &[Towards::Down, Towards::Up]];
        for (planes, towards) in (1..70).chain([512]).flat_map(|planes| ways.map(|towards| (planes, towards)))
        {
            let drift = Drift::of(3, [1, 1, planes], Rings { count: 1, towards, ..Rings::STILL });
            let stored = drift.stored;
            for step in [0, 1, 7] {
                let place = |plane: usize, step: i64| (plane + drift.origin(step)) % stored;
                let [kept, beyond] = drift.kept(step);
                let mut to_come: Vec<usize> = (0..planes).collect();
                for portion in drift.portions(step) {
                    for written in portion.clone() {
                        let to = place(written, step);
                        // Planes that are done in this portion or after it, and what they read: the plane beyond the box is the
                        // copy of the one that is done first.
                        for &reader in &to_come {
                            let around = |plane: usize| if plane == kept { beyond } else { plane };
                            let below = if reader == 0 { around(planes - 1) } else { reader - 1 };
                            let above = if reader + 1 == planes { around(0) } else { reader + 1 };
                            for read in [below, reader, above] {
                                let from = place(read, step - 1);
                                assert_ne!(
                                    from, to,
                                    "{planes}, {towards:?}: {written} overwrites {read} of {reader}"
                                );
                            }
                        }
                    }
                    to_come.retain(|plane| !portion.contains(plane));
                }
                assert!(to_come.is_empty());
            }
        }
    }

    #[test]
    fn planes_that_stay_are_done_at_once_and_lie_where_they_are() {
        for planes in [1, 7, 512] {
            let drift = Drift::of(3, [1, 1, planes], Rings::STILL);
            assert_eq!((drift.stored, drift.at_once()), (planes, planes));
            for step in [-1, 0, 1, 7] {
                assert_eq!((drift.origin(step), drift.kept(step)), (0, [0, 0]));
                assert!(drift.portions(step).eq(std::iter::once(0..planes)));
            }
        }
    }
}
