//! Around a periodic box, and around a ring of storage nodes.

use lbm_core::facts::Places;
use lbm_core::{Access, Facts};

/// `position + shift`, around the box.
#[inline(always)]
pub(crate) fn shifted(position: [usize; 3], shift: [i32; 3], size: [usize; 3]) -> [usize; 3] {
    std::array::from_fn(|axis| wrapped(position[axis] as isize + shift[axis] as isize, size[axis]))
}

/// A place along an axis of `size` nodes, around the box.
#[inline(always)]
pub(crate) fn wrapped(at: isize, size: usize) -> usize {
    let once = wrapped_once(at, size);
    if once < size { once } else { around(at, size) }
}

/// The same for places no further beyond than the box is long; any other comes out beyond the box.
#[inline(always)]
fn wrapped_once(at: isize, size: usize) -> usize {
    let n = size as isize;
    let raised = if at < 0 { at + n } else { at };
    (if raised >= n { raised - n } else { raised }) as usize
}

/// A place far beyond the box, brought back. Kept apart since a division costs as much as the collision of a node.
#[cold]
fn around(at: isize, size: usize) -> usize {
    at.rem_euclid(size as isize) as usize
}

/// Where a storage node of a ring of `nodes` stands whose first one is at `origin`.
#[inline(always)]
pub(crate) fn turned(node: usize, origin: usize, nodes: usize) -> usize {
    let at = node + origin;
    if at < nodes { at } else { at - nodes }
}

/// Where an access of a node lies in a copy of a whole box whose slots begin at `origins`.
pub(crate) fn place(
    places: &Places<usize>,
    size: [usize; 3],
    position: [usize; 3],
    access: Access,
    origins: &[usize],
) -> usize {
    let node =
        places.locate(shifted(position, access.shift, size)).expect("every node of a dense box is stored");
    places.offset(access.slot, turned(node, origins[access.slot], places.nodes()))
}

/// How far along x some accesses of a phase lead, in nodes.
#[inline(always)]
pub(crate) fn reach_along_x(count: usize, access: impl Fn(usize, usize) -> Access, phase: usize) -> usize {
    let mut reach = 0;
    for i in 0..count {
        reach = reach.max(access(i, phase).shift[0].unsigned_abs() as usize);
    }
    reach
}

/// Whether values lie elsewhere from step to step, so that they may go on at the other end of what is stored.
pub(crate) fn moves(facts: &Facts) -> bool {
    facts.rings.moves()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_return_around_the_box() {
        let size = [3, 2, 1];
        assert_eq!(shifted([0, 1, 0], [-7, 4, 2], size), [2, 1, 0]);
    }
}
