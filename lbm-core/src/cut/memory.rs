//! What rules remember, in the whole box and in its parts.

use std::collections::HashMap;

use super::Part;
use super::held::Held;
use super::planes::used;
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;
use crate::rules::{Arrivals, MemoryOf};

/// Where a number that a part's rules remember is in the memory of the whole box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) of_whole: usize,
    /// Whether it is of one of the part's own nodes.
    pub(super) is_own: bool,
}

/// Finds what rules remember in the whole box, and where each part has it, of which all processes know. Gives how many numbers these are.
///
/// # Errors
/// Those of [`Arrivals::of`] and [`Part::setup`].
pub(super) fn place_memory(facts: &Facts, whole: &Setup, parts: &mut [Held]) -> Result<usize, Error> {
    parts.iter_mut().for_each(|held| held.memory.clear());
    if !used(facts, whole.domain(), &whole.rules)?.iter().any(|rule| rule.remembers()) {
        return Ok(0);
    }
    let all = Arrivals::of(facts, whole)?.memory_of(facts);
    for held in parts {
        let own = Arrivals::of(facts, &held.part.setup(facts, whole)?)?.memory_of(facts);
        held.memory = places(&all, &own, &held.part);
    }
    Ok(all.iter().map(|(_, numbers)| numbers).sum())
}

/// For each number that the rules of a part remember its place in the memory of the whole box; both are said by whose they are.
fn places(whole: &[(MemoryOf, usize)], own: &[(MemoryOf, usize)], part: &Part) -> Vec<Place> {
    // Several rules of one node or link remember one after the other.
    let mut first = 0;
    let mut known: HashMap<MemoryOf, Vec<usize>> = HashMap::new();
    for &(of, numbers) in whole {
        known.entry(of).or_default().extend(first..first + numbers);
        first += numbers;
    }
    let mut next: HashMap<MemoryOf, usize> = HashMap::new();
    let mut all = Vec::new();
    for &(of, numbers) in own {
        let (there, before) =
            (MemoryOf { node: part.index_there(of.node), ..of }, next.entry(of).or_default());
        let is_own = part.own_node(there.node) == Some(of.node);
        let places = known[&there][*before..*before + numbers].iter();
        all.extend(places.map(|&of_whole| Place { of_whole, is_own }));
        *before += numbers;
    }
    all
}
