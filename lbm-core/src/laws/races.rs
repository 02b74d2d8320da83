//! The law that nodes do not disturb each other.

use std::collections::HashMap;

use super::{LawViolation, positions};
use crate::addressing::{Addressing, Extent};
use crate::facts::{Arithmetics, LatticeFacts};
use crate::lattice::Lattice;
use crate::layout::{Contents, Layout};
use crate::streaming::{Access, Blocks, Streaming};

/// In a periodic box, no value that one node writes is read or written by another in the same pass and copy; where
/// neighbours exchange populations, no value is in two exchanges. Populations that moments send out are written in a pass of their
/// own, in which they are not read. In a copy that drifts what is written lies elsewhere than what is read, by planes and in their
/// order ([`Drift`](crate::facts::Drift)), which is tested there. In blocks with ghost values the order is that a block reads
/// before it writes: no value that one block writes is read or written by another, none is written by two nodes, and what a
/// block reads of others has a ghost value of its own, which nobody writes in the step.
///
/// # Errors
/// [`LawViolation::Race`]; [`LawViolation::Ghost`].
pub fn free_of_races<S: Streaming, L: Lattice, A: Addressing, Y: Layout>(
    size: [usize; 3],
) -> Result<(), LawViolation> {
    let addressing = A::new(&Extent::of_box(size, 1));
    let layout = Y::new(&Contents::new(L::Q, addressing.nodes(), 0));
    let place = |node: [usize; 3], access: Access| {
        let target = std::array::from_fn(|axis| {
            let at = node[axis] as i64 + i64::from(access.shift[axis]);
            at.rem_euclid(size[axis] as i64) as usize
        });
        Some(layout.offset(access.slot, addressing.locate(target)?))
    };
    if S::GHOSTS {
        return [Arithmetics::F32, Arithmetics::F64]
            .into_iter()
            .try_for_each(|arithmetic| blocks_are_apart::<S, L>(size, arithmetic, &place));
    }
    for phase in 0..S::PERIOD {
        exchanges_are_apart::<S, L>(size, phase, &place)?;
        let (read_copy, write_copy) = (phase % S::COPIES, (phase + 1) % S::COPIES);
        let mut readers = HashMap::new();
        for node in positions(size).filter(|_| !S::SCATTERS && !S::DRIFTS) {
            for direction in 0..L::Q {
                if let Some(offset) = place(node, S::read::<L>(direction, phase)) {
                    readers.insert((read_copy, offset), node);
                }
            }
        }
        let mut writers: HashMap<(usize, usize), [usize; 3]> = HashMap::new();
        for node in positions(size) {
            for direction in 0..L::Q {
                let Some(offset) = place(node, S::write::<L>(direction, phase)) else { continue };
                let at = (write_copy, offset);
                let reader = readers.get(&at).map(|&other| (other, "reads"));
                let writer = writers.insert(at, node).map(|other| (other, "writes"));
                for (other, access) in reader.into_iter().chain(writer) {
                    if other != node || access == "writes" {
                        return Err(LawViolation::Race {
                            streaming: S::NAME,
                            phase,
                            node,
                            direction,
                            offset,
                            copy: write_copy,
                            other,
                            access,
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// The same in blocks with ghost values.
fn blocks_are_apart<S: Streaming, L: Lattice>(
    size: [usize; 3],
    arithmetic: Arithmetics,
    place: &dyn Fn([usize; 3], Access) -> Option<usize>,
) -> Result<(), LawViolation> {
    let blocks = Blocks::of(&LatticeFacts::of::<L>(), arithmetic);
    for phase in 0..S::PERIOD {
        // Value by value: the block that reads it, and a node of it.
        let mut readers = HashMap::new();
        let mut ghosts = HashMap::new();
        for number in 0..blocks.count(size) {
            let (start, cut) = blocks.block(number, size);
            for (local, direction) in positions(cut).flat_map(|local| (0..L::Q).map(move |i| (local, i))) {
                let node = std::array::from_fn(|axis| start[axis] + local[axis]);
                let access = S::read::<L>(direction, phase);
                let wrong = |what: String| {
                    Err(LawViolation::Ghost { streaming: S::NAME, lattice: L::NAME, node, direction, what })
                };
                if access.shift != L::VELOCITIES[direction].map(|component| -component) {
                    return wrong(format!("it is read at {:?}, not where it comes from", access.shift));
                }
                let Some(face) = blocks.entrance(direction, local, cut) else {
                    if let Some(offset) = place(node, access) {
                        readers.insert(offset, (number, node));
                    }
                    continue;
                };
                let value = number * blocks.ring + face.index(local);
                if value >= blocks.count(size) * blocks.ring {
                    return wrong(format!("ghost value {value} is not there"));
                }
                if let Some(other) = ghosts.insert(value, node) {
                    return wrong(format!("ghost value {value} is also one of node {other:?}"));
                }
            }
        }
        let mut writers = HashMap::new();
        for number in 0..blocks.count(size) {
            let (start, cut) = blocks.block(number, size);
            for (local, direction) in positions(cut).flat_map(|local| (0..L::Q).map(move |i| (local, i))) {
                let node = std::array::from_fn(|axis| start[axis] + local[axis]);
                let Some(offset) = place(node, S::write::<L>(direction, phase)) else { continue };
                let reader = readers.get(&offset).filter(|&&(block, _)| block != number);
                let writer = writers.insert(offset, node).map(|other| (other, "writes"));
                if let Some((other, access)) = reader.map(|&(_, other)| (other, "reads")).or(writer) {
                    let streaming = S::NAME;
                    return Err(LawViolation::Race {
                        streaming,
                        phase,
                        node,
                        direction,
                        offset,
                        copy: 0,
                        other,
                        access,
                    });
                }
            }
        }
    }
    Ok(())
}

/// No value is at an end of two links along which neighbours exchange populations before a step of `phase`.
fn exchanges_are_apart<S: Streaming, L: Lattice>(
    size: [usize; 3],
    phase: usize,
    place: &dyn Fn([usize; 3], Access) -> Option<usize>,
) -> Result<(), LawViolation> {
    if !S::EXCHANGES {
        return Ok(());
    }
    let mut ends: HashMap<usize, [usize; 3]> = HashMap::new();
    for node in positions(size) {
        for direction in (0..L::Q).filter(|&i| i < L::OPPOSITES[i]) {
            let links = S::ends::<L>(direction, phase);
            for offset in links.into_iter().filter_map(|access| place(node, access)) {
                if let Some(other) = ends.insert(offset, node) {
                    let streaming = S::NAME;
                    let access = "writes";
                    return Err(LawViolation::Race {
                        streaming,
                        phase,
                        node,
                        direction,
                        offset,
                        copy: 0,
                        other,
                        access,
                    });
                }
            }
        }
    }
    Ok(())
}
