//! What boundary rules read that changes from step to step: populations of other nodes, and values in time. A pass between steps, when
//! populations are at rest, over the lists of these values.

use lbm_core::rules::Observed;

use crate::rules::Short;
use crate::state::{Nodes, Place, State};

/// Brings what rules read in the coming step to their values.
pub(crate) fn observe(state: &State, nodes: &dyn Nodes) {
    populations(state, nodes);
    let (all, courses) = state.rules.varying();
    for (of_link, varying) in [false, true].into_iter().zip(all) {
        if varying.is_empty() {
            continue;
        }
        state.threads.split(varying.len(), &|some| {
            for one in &varying[some] {
                // SAFETY: no two of them have one place, and no step is under way.
                unsafe { state.rules.set(of_link, one.place, one.at(courses, state.step + 1)) };
            }
        });
    }
}

/// Populations of other nodes.
fn populations(state: &State, nodes: &dyn Nodes) {
    match state.rules.observed() {
        [] => {}
        all if state.facts.pattern.stores_moments() => rebuilt(state, nodes, all),
        all => stored(state, nodes, all),
    }
}

/// Those that are stored. Where they lie is looked for once, unless the places of nodes turn or are too far away.
fn stored(state: &State, nodes: &dyn Nodes, all: &[Observed]) {
    let find = || {
        let origins = |step| state.facts.origins(step, &state.places, state.domain().size);
        let stays = origins(0) == origins(1);
        let pair = |one: &Observed| {
            let (from, kept) = match nodes.place(state, one.node, one.direction) {
                Place::Copy(at) => (at, false),
                Place::Kept(at) => (at, true),
            };
            Some([Short::of(from, kept)?, Short::of(state.rules.lies(one.of_link, one.place), one.of_link)?])
        };
        stays.then(|| all.iter().map(pair).collect::<Option<Vec<_>>>()).flatten().unwrap_or_default()
    };
    let found = state.rules.found(state.phase(), find);
    state.threads.split(all.len(), &|some| {
        let each = |from: Place, of_link: bool, to: usize| {
            // SAFETY: the place is that of a fluid node in the present copy, which nobody writes between steps; no two have one place to go to.
            unsafe { state.rules.put(of_link, to, state.value(from)) };
        };
        if found.is_empty() {
            for &Observed { node, direction, of_link, place, .. } in &all[some] {
                each(nodes.place(state, node, direction), of_link, state.rules.lies(of_link, place));
            }
            return;
        }
        for [from, to] in &found[some] {
            let ((from, kept), (to, of_link)) = (from.get(), to.get());
            each(if kept { Place::Kept(from) } else { Place::Copy(from) }, of_link, to);
        }
    });
}

/// Those that are rebuilt from moments.
fn rebuilt(state: &State, nodes: &dyn Nodes, all: &[Observed]) {
    let facts = &state.facts;
    state.threads.split(all.len(), &|some| {
        let mut moments = vec![0.0; facts.state_values()];
        let mut populations = vec![0.0; facts.lattice.q()];
        for of_node in all[some].chunk_by(|one, other| one.node == other.node) {
            for (n, moment) in moments.iter_mut().enumerate() {
                // SAFETY: the place is that of a fluid node in the present copy, which nobody writes between steps.
                *moment = unsafe { state.value(nodes.place(state, of_node[0].node, n)) };
            }
            facts.rebuild(&moments, &mut populations);
            for &Observed { direction, of_link, place, .. } in of_node {
                // SAFETY: no two of them have one place, and no step is under way.
                unsafe { state.rules.set(of_link, place, populations[direction]) };
            }
        }
    });
}
