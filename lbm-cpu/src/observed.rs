//! What boundary rules read of other nodes: a pass between steps, when populations are at rest, over the list of these values.

use lbm_core::rules::Observed;

use crate::state::{Nodes, State};

/// Brings what rules read of other nodes in the coming step to their values.
pub(crate) fn observe(state: &State, nodes: &dyn Nodes) {
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
            for observed @ &Observed { node, direction, .. } in of_node {
                let population = if rebuilds { populations[direction] } else { value(node, direction) };
                // SAFETY: no two of them have one place, and no step is under way.
                unsafe { state.rules.observe(observed, population) };
            }
        }
    });
}
