//! What rules remember, in the whole box and in its parts.

use std::collections::HashMap;

use super::Part;
use crate::rules::MemoryOf;

/// Where a number that a part's rules remember is in the memory of the whole box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) of_whole: usize,
    /// Whether it is of one of the part's own nodes.
    pub(super) is_own: bool,
}

/// For each number that the rules of a part remember its place in the memory of the whole box; both are said by whose they are.
pub(super) fn places(whole: &[(MemoryOf, usize)], own: &[(MemoryOf, usize)], part: &Part) -> Vec<Place> {
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
