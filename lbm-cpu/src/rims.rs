//! Stored values of single nodes that cross between the parts of a box.

use std::collections::HashMap;

use lbm_core::cut::{Rim, Single};

use crate::state::{Nodes, State};

/// Lists of values, with nodes as passes number them, and which of them boundary rules keep.
#[derive(Default)]
pub(crate) struct Rims {
    lists: Vec<List>,
}

struct List {
    singles: Rim,
    kept: Vec<Kept>,
}

/// A place where a value is kept for a rule.
struct Kept {
    /// The value's number in the list.
    of: usize,
    of_link: bool,
    place: usize,
}

impl Rims {
    /// These lists, with nodes as the box numbers them.
    pub(crate) fn of(state: &State, nodes: &dyn Nodes, rims: Vec<Rim>) -> Rims {
        let facts = &state.facts;
        // What is kept follows from populations; of moments a step rebuilds it.
        let kept = if facts.values_of(0).len() > 1 { Vec::new() } else { state.rules.all_kept(facts) };
        let numbers: Option<HashMap<usize, usize>> = nodes
            .numbers()
            .map(|positions| positions.iter().enumerate().map(|(n, &at)| (at as usize, n)).collect());
        let list = |mut singles: Rim| {
            let all = if kept.is_empty() { &[][..] } else { &singles[..] };
            let known: HashMap<Single, usize> =
                all.iter().enumerate().map(|(of, single)| (*single, of)).collect();
            let kept = kept.iter().filter_map(|kept| {
                let of = *known.get(&Single::new(kept.node, kept.direction))?;
                Some(Kept { of, of_link: kept.of_link, place: kept.place })
            });
            let kept = kept.collect();
            if let Some(numbers) = &numbers {
                singles.iter_mut().for_each(|single| single.node = numbers[&single.node]);
            }
            List { singles, kept }
        };
        Rims { lists: rims.into_iter().map(list).collect() }
    }

    /// Copies the values of a list out.
    pub(crate) fn read(&self, state: &State, nodes: &dyn Nodes, number: usize, out: &mut [f64]) {
        let singles = &self.lists[number].singles;
        assert_eq!(singles.len(), out.len(), "one value for each of the list");
        for (single, out) in singles.iter().zip(out) {
            // SAFETY: the place is one of a fluid node, and no step is under way.
            *out = unsafe { state.value(nodes.place(state, single.node, single.value)) };
        }
    }

    /// Sets the values of a list, and what rules keep of them.
    pub(crate) fn write(&self, state: &State, nodes: &dyn Nodes, number: usize, values: &[f64]) {
        let List { singles, kept } = &self.lists[number];
        assert_eq!(singles.len(), values.len(), "one value for each of the list");
        for (single, &value) in singles.iter().zip(values) {
            let place = nodes.place(state, single.node, single.value);
            let again = nodes.place_again(state, single.node, single.value);
            for place in again.into_iter().chain([place]) {
                // SAFETY: as above; each has places of its own.
                unsafe { state.set_value(place, value) };
            }
        }
        for kept in kept {
            // SAFETY: no two of them have one place, and no step is under way.
            unsafe { state.rules.set(kept.of_link, kept.place, values[kept.of]) };
        }
    }
}
