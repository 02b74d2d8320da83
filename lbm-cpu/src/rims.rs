//! Stored values of single nodes that cross between the parts of a box.

use std::collections::HashMap;
use std::ops::Range;

use lbm_core::cut::{Rim, Single};

use crate::state::{Nodes, Place, State};

/// Lists of values, with nodes as passes number them, and which of them boundary rules keep.
#[derive(Default)]
pub(crate) struct Rims {
    lists: Vec<List>,
}

struct List {
    singles: Rim,
    /// Those among them that are one value of nodes side by side in a row, one run behind the other.
    runs: Vec<Range<usize>>,
    /// Those that lie once more.
    again: Vec<usize>,
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
            let lies_again = |of: &usize| {
                let Single { node, value, .. } = singles[*of];
                nodes.place_again(state, node, value).is_some()
            };
            let again =
                if facts.keeps_sent { (0..singles.len()).filter(lies_again).collect() } else { Vec::new() };
            let runs = if numbers.is_none() { in_rows(&singles, state.domain().size[0]) } else { Vec::new() };
            List { singles, runs, again, kept }
        };
        Rims { lists: rims.into_iter().map(list).collect() }
    }

    /// Copies the values of a list out.
    pub(crate) fn read(&self, state: &State, nodes: &dyn Nodes, number: usize, out: &mut [f64]) {
        let List { singles, runs, .. } = &self.lists[number];
        assert_eq!(singles.len(), out.len(), "one value for each of the list");
        let mut done = 0;
        for run in runs {
            let Single { node, value, .. } = singles[run.start];
            if !nodes.line(state, value, node, 1, &mut out[run.clone()]) {
                break;
            }
            done = run.end;
        }
        for (single, out) in singles.iter().zip(out).skip(done) {
            // SAFETY: the place is one of a fluid node, and no step is under way.
            *out = unsafe { state.value(nodes.place(state, single.node, single.value)) };
        }
    }

    /// Sets the values of a list, and what rules keep of them.
    pub(crate) fn write(&self, state: &State, nodes: &dyn Nodes, number: usize, values: &[f64]) {
        let List { singles, runs, again, kept } = &self.lists[number];
        assert_eq!(singles.len(), values.len(), "one value for each of the list");
        let mut done = 0;
        for run in runs {
            let Single { node, value, .. } = singles[run.start];
            if !nodes.set_line(state, value, node, &values[run.clone()]) {
                break;
            }
            done = run.end;
        }
        let set = |place: Place, value: f64| {
            // SAFETY: as above; each has places of its own.
            unsafe { state.set_value(place, value) };
        };
        for (single, &value) in singles.iter().zip(values).skip(done) {
            set(nodes.place(state, single.node, single.value), value);
        }
        for &of in again {
            let Single { node, value, .. } = singles[of];
            nodes.place_again(state, node, value).into_iter().for_each(|place| set(place, values[of]));
        }
        for kept in kept {
            // SAFETY: no two of them have one place, and no step is under way.
            unsafe { state.rules.set(kept.of_link, kept.place, values[kept.of]) };
        }
    }
}

/// Values of a run, on an average, for which runs are worth looking for them.
const WORTH: usize = 4;

/// Runs of one value of nodes side by side in rows of so many nodes, one behind the other; none if most are too short.
fn in_rows(singles: &[Single], nx: usize) -> Vec<Range<usize>> {
    let goes_on = |one: &Single, next: &Single| {
        one.value == next.value && one.node + 1 == next.node && !next.node.is_multiple_of(nx)
    };
    let mut begin = 0;
    let run = |some: &[Single]| {
        begin += some.len();
        begin - some.len()..begin
    };
    let runs: Vec<Range<usize>> = singles.chunk_by(goes_on).map(run).collect();
    if WORTH * runs.len() <= singles.len() { runs } else { Vec::new() }
}
