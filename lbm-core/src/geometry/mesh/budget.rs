//! How much is looked at where many triangles lie in the same place.

use std::cell::Cell;
use std::ops::Range;

/// Boxes of a tree that may be looked at for each triangle in the mean: several times as many as where triangles lie side by side.
const EACH: usize = 512;

/// Boxes that may be looked at besides, so that a few large triangles may be compared with all others.
const BESIDES: usize = 1 << 20;

/// The boxes that may still be looked at for some triangles. So time grows with the number of triangles, wherever they lie.
pub(super) struct Budget(Cell<usize>);

/// Triangles that share a budget: as many on every machine, whichever thread has them.
pub(super) const TOGETHER: usize = 4096;

/// The triangles of some, which begin with a multiple of [`TOGETHER`], that share budgets.
pub(super) fn sharing(some: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = some.end;
    some.step_by(TOGETHER).map(move |first| first..(first + TOGETHER).min(end))
}

impl Budget {
    /// That of so many triangles.
    pub(super) fn of(triangles: usize) -> Budget {
        Budget(Cell::new(EACH.saturating_mul(triangles).saturating_add(BESIDES)))
    }

    /// Takes a box, if one is left.
    pub(super) fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }

    /// Whether none is left.
    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}
