//! The laws that every scheme must keep, as functions: for what is built in and for what a user adds.
//!
//! Each is one line in a test:
//!
//! ```text
//! laws::slots_are_a_permutation::<MyStreaming, D3Q19>()?;
//! let make = |setup: &Setup| Ok(Box::new(CpuEngine::new::<MySolver>(setup, &options)?) as Box<dyn Engine>);
//! laws::equals_reference::<MySolver>(make, &[[5, 4, 3], [33, 2, 1]], &[1, 2, 7], &[1, 2])?;
//! ```

use std::collections::HashMap;

use crate::addressing::{Addressing, Extent};
use crate::domain::{Domain, position, positions};
use crate::engine::{Engine, Setup};
use crate::error::Error;
use crate::facts::{Facts, LatticeFacts};
use crate::lattice::Lattice;
use crate::layout::{Contents, Layout};
use crate::reference::Reference;
use crate::rules::{self, RuleFacts};
use crate::streaming::{Access, Streaming};
use crate::variant::Variant;

mod cut;
mod listed;
mod looks;
mod races;
mod random;
mod redrawn;
mod streaming;

pub use cut::{crosses_once, product_may_be_cut};
pub use listed::neighbours_are_found;
pub use races::{free_of_races, no_races};
pub use random::{
    SEEDS, SEEDS_OF_RULES, SplitMix64, Standing, boxes, random_fields, random_populations, random_setup,
    rules_standing, set_fields, with_random_rules,
};
pub use redrawn::product_follows_redrawing;
pub use streaming::check_streaming;

/// A law that does not hold, with a message that says where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LawViolation {
    /// Two directions are read from one slot, or one from a slot that is not there.
    #[error("{0}")]
    Slot(String),
    /// A node or a value lies outside of the storage, or on another one.
    #[error("{0}")]
    Place(String),
    /// What enters a block has no ghost value, or one that is another's.
    #[error("{0}")]
    Ghost(String),
    /// Two nodes touch one place in one pass, and one of them writes.
    #[error("{0}")]
    Race(String),
    /// A population is not, bit for bit, what the reference has.
    #[error("{0}")]
    Differs(String),
    /// More or less memory was taken than the scheme states.
    #[error("{0}")]
    Bytes(String),
    /// What crosses between the parts of a box is not what must.
    #[error("{0}")]
    Crosses(String),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] Error),
}

/// In every phase each of the Q slots is read by exactly one direction.
///
/// # Errors
/// [`LawViolation::Slot`].
pub fn slots_are_a_permutation<S: Streaming, L: Lattice>() -> Result<(), LawViolation> {
    all_slots_are_read(S::PATTERN.name, &LatticeFacts::of::<L>(), S::PATTERN.period, S::read::<L>)
}

/// The same without types.
///
/// # Errors
/// As there.
pub fn all_slots_are_read(
    streaming: &'static str,
    lattice: &LatticeFacts,
    period: usize,
    read: impl Fn(usize, usize) -> Access,
) -> Result<(), LawViolation> {
    let q = lattice.q();
    for phase in 0..period {
        let mut reader = vec![None; q];
        for direction in 0..q {
            let slot = read(direction, phase).slot;
            let wrong = match reader.get(slot) {
                None => Some(format!("but there are {q} slots")),
                Some(Some(other)) => Some(format!("and so is direction {other}")),
                Some(None) => None,
            };
            if let Some(what) = wrong {
                return Err(LawViolation::Slot(format!(
                    "`{streaming}` on {}, phase {phase}: direction {direction} is read from slot {slot}, {what}",
                    lattice.name
                )));
            }
            reader[slot] = Some(direction);
        }
    }
    Ok(())
}

/// Every stored node has a storage node of its own within the storage, and every slot of it a value of its own within
/// a copy.
///
/// # Errors
/// [`LawViolation::Place`].
pub fn in_bounds_and_bijective<L: Lattice, A: Addressing, Y: Layout>(
    size: [usize; 3],
) -> Result<(), LawViolation> {
    for row_multiple in [1, 8, 16] {
        let addressing = A::new(&Extent::of_box(size, row_multiple));
        let layout = Y::new(&Contents::new(L::Q, addressing.nodes(), 0));
        let wrong = |node, slot, what: String| Err(wrong_place(A::NAME, Y::NAME, node, slot, &what));
        let mut owner = HashMap::new();
        for node in positions(size) {
            let Some(stored) = addressing.locate(node) else { continue };
            if stored >= addressing.nodes() {
                return wrong(node, 0, format!("storage node {stored} of {}", addressing.nodes()));
            }
            for slot in 0..L::Q {
                let offset = layout.offset(slot, stored);
                if offset >= layout.values() {
                    return wrong(node, slot, format!("value {offset} of {}", layout.values()));
                }
                if let Some((other, other_slot)) = owner.insert(offset, (node, slot)) {
                    let what = format!("value {offset} is also slot {other_slot} of node {other:?}");
                    return wrong(node, slot, what);
                }
            }
        }
    }
    Ok(())
}

fn wrong_place(addressing: &str, layout: &str, node: [usize; 3], slot: usize, what: &str) -> LawViolation {
    LawViolation::Place(format!("`{addressing}, {layout}`, node {node:?}, slot {slot}: {what}"))
}

/// From random states, in boxes of each size with random faces, obstacles, moving walls and the variant's boundary rules, with random fields of nodes
/// that change each time, the engine's populations equal the reference's bit for bit after each of the numbers of `steps` (ascending), and after one step more, which shows what the engine
/// reads of them.
///
/// # Errors
/// [`LawViolation::Differs`] at the first population that differs; [`LawViolation::Engine`] if the engine fails.
pub fn equals_reference<V: Variant>(
    make: impl Fn(&Setup) -> Result<Box<dyn Engine>, Error>,
    sizes: &[[usize; 3]],
    steps: &[u64],
    seeds: &[u64],
) -> Result<(), LawViolation> {
    product_equals_reference(Facts::of::<V>(), &rules::of_variant::<V>(), &make, sizes, steps, seeds)
}

/// What makes the engine that is held against the reference.
pub type Make<'a> = &'a dyn Fn(&Setup) -> Result<Box<dyn Engine>, Error>;

/// The same of a variant without its type, e.g. a product of [`axes`](crate::axes), and these boundary rules.
///
/// # Errors
/// As [`equals_reference`].
pub fn product_equals_reference(
    facts: Facts,
    rules: &[RuleFacts],
    make: Make<'_>,
    sizes: &[[usize; 3]],
    steps: &[u64],
    seeds: &[u64],
) -> Result<(), LawViolation> {
    for &size in sizes {
        for &seed in seeds {
            let mut random = SplitMix64::new(seed);
            let setup = random_setup(&facts, size, &mut random);
            let setup = with_random_rules(&facts, rules, setup, &mut random);
            let start = random_populations(&facts.lattice, setup.domain(), &mut random);
            let mut engine = make(&setup)?;
            let mut reference = Reference::new(&facts, &setup)?;
            engine.set_populations(&start, 0)?;
            reference.set_populations(&start, 0)?;
            for until in std::iter::once(&0).chain(steps).flat_map(|&until| [until, until + 1]) {
                let more = until.saturating_sub(reference.step());
                let fields = random_fields(&facts, setup.domain(), &mut random);
                set_fields(&mut *engine, &fields)?;
                set_fields(&mut reference, &fields)?;
                engine.run(more)?;
                reference.run(more)?;
                compare(&facts, &*engine, &reference, size, seed)?;
            }
        }
    }
    Ok(())
}

/// Replaces the populations of some nodes, drawn at random, by those that the engine hands out of single nodes.
///
/// # Errors
/// Those of the engine.
pub fn take_some_singly(
    engine: &dyn Engine,
    populations: &mut [f64],
    nodes: usize,
    seed: u64,
) -> Result<(), Error> {
    const SOME: u64 = 40;
    let mut random = SplitMix64::new(seed ^ engine.step());
    let mut some: Vec<usize> = (0..SOME).map(|_| (random.bits() % nodes as u64) as usize).collect();
    some.sort_unstable();
    some.dedup();
    let mut values = vec![f64::NAN; populations.len() / nodes * some.len()];
    engine.populations_at(&some, &mut values)?;
    for (line, values) in populations.chunks_mut(nodes).zip(values.chunks(some.len())) {
        some.iter().zip(values).for_each(|(&node, &value)| line[node] = value);
    }
    Ok(())
}

/// Compares all populations of an engine with the reference's.
fn compare(
    facts: &Facts,
    engine: &dyn Engine,
    reference: &Reference,
    size: [usize; 3],
    seed: u64,
) -> Result<(), LawViolation> {
    let nodes: usize = size.iter().product();
    // Not zero, so that an engine that writes nothing is found out.
    let mut found = vec![f64::NAN; facts.lattice.q() * nodes];
    let mut expected = found.clone();
    engine.populations(&mut found)?;
    take_some_singly(engine, &mut found, nodes, seed)?;
    reference.populations(&mut expected)?;
    let Some(at) = (0..found.len()).find(|&at| found[at].to_bits() != expected[at].to_bits()) else {
        return Ok(());
    };
    let (direction, node) = (at / nodes, position(size, at % nodes));
    let shown = |value: f64| format!("{value:e} (0x{:x})", facts.precision.arithmetic.bits(value));
    Err(LawViolation::Differs(format!(
        "{} on {}, box {size:?}, seed {seed}, after {} steps: population {direction} of node {node:?} is {}, the reference has {}",
        facts.name(),
        engine.description(),
        reference.step(),
        shown(found[at]),
        shown(expected[at])
    )))
}

/// An engine on a periodic box of `size` nodes takes as many bytes of storage as [`Facts::bytes_of`] says, within the relative
/// `tolerance` (padding has its price; give 0.01 and a box of some hundred thousand nodes).
///
/// # Errors
/// [`LawViolation::Bytes`]; [`LawViolation::Engine`] if the engine fails.
pub fn bytes_as_stated<V: Variant>(
    make: impl Fn(&Setup) -> Result<Box<dyn Engine>, Error>,
    size: [usize; 3],
    tolerance: f64,
) -> Result<(), LawViolation> {
    let facts = Facts::of::<V>();
    let mut setup = random_setup(&facts, size, &mut SplitMix64::new(0));
    *setup.domain_mut() = Domain::periodic(size);
    let found = make(&setup)?.allocated_bytes();
    let expected = facts.bytes_of(setup.domain())? as usize;
    if (found as f64 - expected as f64).abs() <= tolerance * expected as f64 {
        return Ok(());
    }
    Err(LawViolation::Bytes(format!(
        "{}, box {size:?}: {found} bytes are allocated, {expected} are stated (tolerance {tolerance})",
        V::name()
    )))
}

#[cfg(test)]
mod tests;
