//! What the engine asks of a box and of a scheme before it starts.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::facts::Places;
use lbm_core::{Error, Facts};

use crate::around::reach_along_x;
use crate::memory::{check_footprint, last_level_cache};
use crate::options::StoreKind;
use crate::run::chunk_of;
use crate::state::State;
use crate::strides::Strides;

/// Checks that the populations of a box of `size` nodes fit in the memory that is free now, without taking any.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn check_box(facts: &Facts, size: [usize; 3]) -> Result<(), Error> {
    // Three 64-bit factors may exceed even 128 bits; such a box is refused all the same.
    let row = (size[0] as u128).next_multiple_of(chunk_of(facts) as u128);
    let product =
        |rows: usize, planes: usize| row.saturating_mul(rows as u128).saturating_mul(planes as u128);
    if facts.body.reach() > 0 && !facts.padded(size).is_narrow() {
        return Err(Error::out_of_range(
            "size",
            format!("{size:?}"),
            "fewer than 2^32 nodes with those around that neighbours read",
            "take a smaller box",
        ));
    }
    // Where that is too much, planes to spare need not even be counted.
    check_footprint(product(size[1], size[2]), facts.bytes_per_node())?;
    let [_, rows, planes] = facts.stored_size(size);
    check_footprint(product(rows, planes), facts.bytes_per_node())
}

/// Checks what the kernel relies on to stay within its memory: rows are consecutive storage nodes, padded to whole
/// chunks; neighbours of a row lie [`stride`](Places::stride) apart within a [cluster](Places::cluster); everything lies within a
/// copy. A wrong scheme of a user is found here, and more closely by [`lbm_core::laws`].
///
/// # Errors
/// [`Error::Conflict`].
pub(crate) fn check_storage(facts: &Facts, size: [usize; 3], places: &Places<usize>) -> Result<(), Error> {
    let wrong = |what: String| Err(wrong_storage(what));
    let row = places.row();
    if row < size[0] || !row.is_multiple_of(chunk_of(facts)) {
        let name = facts.addressing.name;
        return wrong(format!("rows of {row} nodes of the addressing `{name}` are not padded as asked"));
    }
    for (z, y) in (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| (z, y))) {
        let start = places.locate([0, y, z]);
        let Some(start) = start.filter(|start| start + row <= places.nodes()) else {
            return wrong(format!(
                "the row y = {y}, z = {z} of the addressing `{}` is not stored",
                facts.addressing.name
            ));
        };
        if (0..size[0]).any(|x| places.locate([x, y, z]) != Some(start + x)) {
            let name = facts.addressing.name;
            return wrong(format!("the row y = {y}, z = {z} of the addressing `{name}` is not consecutive"));
        }
        if let Err(what) = check_clusters(facts, places, start..start + row) {
            return wrong(what);
        }
    }
    Ok(())
}

/// Checks where some consecutive storage nodes of a copy lie, cluster by cluster.
fn check_clusters(facts: &Facts, places: &Places<usize>, nodes: Range<usize>) -> Result<(), String> {
    if places.cluster() == 0 {
        return Err(format!("clusters of the layout `{}` have no nodes", facts.layout.name));
    }
    let mut node = nodes.start;
    while node < nodes.end {
        let some = (places.cluster() - node % places.cluster()).min(nodes.end - node);
        check_cluster(facts, places, node, some)?;
        node += some;
    }
    Ok(())
}

/// The same where nodes are listed.
///
/// # Errors
/// [`Error::Conflict`].
pub(crate) fn check_listed_storage(state: &State, nodes: usize) -> Result<(), Error> {
    let found = Mutex::new(Ok(()));
    state.threads.split(nodes, &|some| {
        if let Err(what) = check_clusters(&state.facts, &state.places, some) {
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Err(wrong_storage(what));
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn wrong_storage(what: String) -> Error {
    let remedy = "check the scheme with `lbm_core::laws::in_bounds_and_bijective`".to_owned();
    Error::conflict(what, remedy)
}

/// Checks `nodes` nodes from `start` on, which lie in one cluster.
fn check_cluster(facts: &Facts, places: &Places<usize>, start: usize, nodes: usize) -> Result<(), String> {
    for slot in 0..facts.slots() {
        let first = places.offset(slot, start);
        let even = |k: usize| places.offset(slot, start + k) == first + k * places.stride();
        // Every node of slot 0, the last of the others: a layout with uneven rows is uneven in all slots.
        if !(even(nodes - 1) && (slot > 0 || (0..nodes).all(even))) {
            let name = facts.layout.name;
            return Err(format!("neighbours in a cluster of the layout `{name}` do not lie `stride` apart"));
        }
        if first + (nodes - 1) * places.stride() >= places.values() {
            return Err(format!("slot {slot} of the layout `{}` leaves the storage", facts.layout.name));
        }
    }
    Ok(())
}

/// Whether every node writes to two copies in turn, within its row where it stands.
fn writes_stay_in_line(facts: &Facts) -> bool {
    facts.copies > 1
        && (0..facts.period)
            .all(|phase| reach_along_x(facts.lattice.q(), |i, phase| facts.write(i, phase), phase) == 0)
}

/// The kind of store: the one asked for if it is possible, else past the caches if possible and worth it. Rows begin at these storage nodes.
pub(crate) fn choose_stores(
    facts: &Facts,
    asked: Option<StoreKind>,
    places: &Places<usize>,
    strides: &Strides,
    rows: &[usize],
) -> Result<StoreKind, Error> {
    let chunk = chunk_of(facts);
    let possible = writes_stay_in_line(facts)
        && strides.lie_in(chunk)
        && rows.iter().all(|row| row.is_multiple_of(chunk));
    let large = || facts.copies * places.values() * facts.precision.stored_bytes > last_level_cache();
    match asked {
        Some(StoreKind::Ordinary) => Ok(StoreKind::Ordinary),
        Some(_) if possible => Ok(StoreKind::NonTemporal),
        Some(_) => Err(Error::conflict(
            format!(
                "streaming `{}` with layout `{}` cannot be stored past the caches in whole lines",
                facts.pattern, facts.layout.name
            ),
            "take ordinary stores; or two copies of which a node writes its own place, and neighbours of a row side by side \
             (`TwoLatticePull` with `Soa` or `Aosoa`)",
        )),
        None if possible && large() => Ok(StoreKind::NonTemporal),
        None => Ok(StoreKind::Ordinary),
    }
}
