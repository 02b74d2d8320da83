//! Few combinations in which every two values stand together.

use super::Value;
use std::collections::BTreeSet;

/// Two values: axis and place in the list of combinations where each was first seen.
type Pair = [(usize, usize); 2];

/// Of the combinations of `all`, few such that every two values on two of the `covered` axes stand together in one of them
/// if they do in any. The other axes keep all their combinations, each with a cover of its own.
pub(super) fn pairs<'a>(all: &[Vec<&'a Value>], covered: impl Fn(usize) -> bool) -> Vec<Vec<&'a Value>> {
    // A value is named by the first combination that has it on that axis.
    let first = |axis: usize, value: &Value| {
        all.iter().position(|values| values[axis].text() == value.text()).unwrap_or_default()
    };
    let named: Vec<Vec<usize>> = all
        .iter()
        .map(|values| values.iter().enumerate().map(|(axis, value)| first(axis, value)).collect())
        .collect();
    let group = |at: usize| -> Vec<usize> {
        named[at].iter().enumerate().filter(|(axis, _)| !covered(*axis)).map(|(_, &value)| value).collect()
    };
    let pairs_of = |at: usize| -> Vec<(Vec<usize>, Pair)> {
        let values = &named[at];
        let axes: Vec<usize> = (0..values.len()).filter(|&axis| covered(axis)).collect();
        let mut found = Vec::new();
        for (n, &b) in axes.iter().enumerate() {
            found.extend(axes[..n].iter().map(|&a| (group(at), [(a, values[a]), (b, values[b])])));
        }
        found
    };
    let every: Vec<_> = (0..all.len()).map(pairs_of).collect();
    cover(&every).into_iter().map(|at| all[at].clone()).collect()
}

/// The places of few that together have everything that any has.
///
/// Greedy: again and again the one that adds the most, the first of equals; so the choice is always the same.
pub fn cover<T: Clone + Ord>(every: &[Vec<T>]) -> BTreeSet<usize> {
    let mut missing: BTreeSet<_> = every.iter().flatten().cloned().collect();
    let mut chosen = BTreeSet::new();
    while !missing.is_empty() {
        let gain = |&at: &usize| every[at].iter().filter(|&pair| missing.contains(pair)).count();
        let Some(best) = (0..every.len()).rev().max_by_key(gain) else { break };
        every[best].iter().for_each(|pair| {
            missing.remove(pair);
        });
        chosen.insert(best);
    }
    chosen
}
