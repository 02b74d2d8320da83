//! What the engine asks of a box and of a scheme before it starts.

use lbm_core::variant::Storage;
use lbm_core::{Addressing, Error, Lattice, Layout, Precision, Streaming, Variant};

use crate::chunk::{chunk_nodes, is_plain};
use crate::memory::{CACHE_LINE, check_footprint, last_level_cache};
use crate::options::StoreKind;

/// Bytes of a node's populations, all copies.
fn bytes_per_node<V: Variant>() -> usize {
    V::Streaming::COPIES * V::Lattice::Q * size_of::<Storage<V>>()
}

/// Checks that the populations of a box of `size` nodes fit in the memory that is free now, without taking any;
/// returns how many bytes they need, but for padding.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub fn footprint<V: Variant>(size: [usize; 3]) -> Result<u128, Error> {
    // Three 64-bit factors may exceed even 128 bits; such a box is refused all the same.
    let nodes = size.iter().fold(1u128, |nodes, &n| nodes.saturating_mul(n as u128));
    let row = (size[0] as u128).next_multiple_of(chunk_nodes::<V::Precision>() as u128);
    let padded = row.saturating_mul(size[1] as u128).saturating_mul(size[2] as u128);
    check_footprint(padded, bytes_per_node::<V>())?;
    Ok(nodes.saturating_mul(bytes_per_node::<V>() as u128))
}

/// Checks what the kernel relies on to stay within its memory: rows are consecutive storage nodes, padded to whole
/// chunks; neighbours of a row lie [`Layout::stride`] apart; everything lies within a copy. A wrong scheme of a user is
/// found here, and more closely by [`lbm_core::laws`].
///
/// # Errors
/// [`Error::Conflict`].
pub(crate) fn check_storage<V: Variant>(
    size: [usize; 3],
    addressing: &V::Addressing,
    layout: &V::Layout,
) -> Result<(), Error> {
    let wrong = |what: String| {
        Err(Error::Conflict {
            what,
            remedy: "check the scheme with `lbm_core::laws::in_bounds_and_bijective`".to_owned(),
        })
    };
    let row = addressing.row();
    if row < size[0] || !row.is_multiple_of(chunk_nodes::<V::Precision>()) {
        let name = V::Addressing::NAME;
        return wrong(format!("rows of {row} nodes of the addressing `{name}` are not padded as asked"));
    }
    for (z, y) in (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| (z, y))) {
        let start = addressing.locate([0, y, z]);
        let Some(start) = start.filter(|start| start + row <= addressing.nodes()) else {
            return wrong(format!(
                "the row y = {y}, z = {z} of the addressing `{}` is not stored",
                V::Addressing::NAME
            ));
        };
        if (0..size[0]).any(|x| addressing.locate([x, y, z]) != Some(start + x)) {
            let name = V::Addressing::NAME;
            return wrong(format!("the row y = {y}, z = {z} of the addressing `{name}` is not consecutive"));
        }
        for slot in 0..V::Lattice::Q {
            let first = layout.offset(slot, start);
            let even = |k: usize| layout.offset(slot, start + k) == first + k * layout.stride();
            // Every node of slot 0, the last of the others: a layout with uneven rows is uneven in all slots.
            if !(even(row - 1) && (slot > 0 || (0..row).all(even))) {
                let name = V::Layout::NAME;
                return wrong(format!("neighbours in the layout `{name}` do not lie `stride` apart"));
            }
            if first + (row - 1) * layout.stride() >= layout.values() {
                return wrong(format!("slot {slot} of the layout `{}` leaves the storage", V::Layout::NAME));
            }
        }
    }
    Ok(())
}

/// How far along x, y, z the pattern reads, in nodes; refuses patterns that write elsewhere than in place.
pub(crate) fn check_streaming<V: Variant>() -> Result<[usize; 3], Error> {
    let mut reach = [0; 3];
    for phase in 0..V::Streaming::PERIOD {
        for i in 0..V::Lattice::Q {
            let read = V::Streaming::read::<V::Lattice>(i, phase);
            for axis in 0..3 {
                reach[axis] = reach[axis].max(read.shift[axis].unsigned_abs() as usize);
            }
            let write = V::Streaming::write::<V::Lattice>(i, phase);
            if write.shift != [0; 3] {
                return Err(Error::Unavailable {
                    what: format!(
                        "the CPU engine does not run `{}` yet: it writes direction {i} to the neighbour at {:?}",
                        V::Streaming::NAME,
                        write.shift
                    ),
                    remedy: "take a pattern that writes in place, `TwoLatticePull`".to_owned(),
                });
            }
        }
    }
    Ok(reach)
}

/// The kind of store: the one asked for if it is possible, else past the caches if possible and worth it.
pub(crate) fn choose_stores<V: Variant>(
    asked: Option<StoreKind>,
    size: [usize; 3],
    addressing: &V::Addressing,
    layout: &V::Layout,
    bytes: usize,
) -> Result<StoreKind, Error> {
    if asked == Some(StoreKind::Ordinary) {
        return Ok(StoreKind::Ordinary);
    }
    let aligned = |row: usize| {
        let node =
            addressing.locate([0, row % size[1], row / size[1]]).expect("every row of a dense box is stored");
        (0..V::Lattice::Q)
            .all(|slot| (layout.offset(slot, node) * size_of::<Storage<V>>()).is_multiple_of(CACHE_LINE))
    };
    let possible = is_plain::<V::Precision>() && layout.stride() == 1 && (0..size[1] * size[2]).all(aligned);
    match asked {
        Some(_) if possible => Ok(StoreKind::NonTemporal),
        Some(_) => Err(Error::Conflict {
            what: format!(
                "layout `{}` with precision `{}` cannot be stored past the caches in whole lines",
                V::Layout::NAME,
                V::Precision::NAME
            ),
            remedy: "take ordinary stores, or a layout that keeps neighbours of a row side by side"
                .to_owned(),
        }),
        None if possible && bytes > last_level_cache() => Ok(StoreKind::NonTemporal),
        None => Ok(StoreKind::Ordinary),
    }
}
