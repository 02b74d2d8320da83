//! What boundary rules read that changes from step to step: populations of other nodes, and values in time. A pass between steps, when
//! populations are at rest, over the lists of these values.

use lbm_core::rules::Observed;

use crate::state::{Nodes, State};

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
    let (facts, all) = (&state.facts, state.rules.observed());
    if all.is_empty() {
        return;
    }
    let rebuilds = facts.pattern.stores_moments();
    state.threads.split(all.len(), &|some| {
        // SAFETY: the places are those of fluid nodes in the present copy, which nobody writes between steps.
        let value = |node: usize, n: usize| unsafe { state.value(nodes.place(state, node, n)) };
        let mut moments = vec![0.0; if rebuilds { facts.state_values() } else { 0 }];
        let mut populations = vec![0.0; facts.lattice.q()];
        for of_node in all[some].chunk_by(|one, other| one.node == other.node) {
            if rebuilds {
                moments.iter_mut().enumerate().for_each(|(n, moment)| *moment = value(of_node[0].node, n));
                facts.rebuild(&moments, &mut populations);
            }
            for &Observed { node, direction, of_link, place, .. } in of_node {
                let population = if rebuilds { populations[direction] } else { value(node, direction) };
                // SAFETY: no two of them have one place, and no step is under way.
                unsafe { state.rules.set(of_link, place, population) };
            }
        }
    });
}
