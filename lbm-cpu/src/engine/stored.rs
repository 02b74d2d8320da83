//! What is stored of a flow, in and out, in canonical order.

use std::ops::Range;

use lbm_core::Domain;
use lbm_core::engine::{Changed, Engine};
use lbm_core::pieces::{nodes_of_piece, pieces};

use super::CpuEngine;

/// A slice of which threads write each their own values.
struct Shared(*mut f64);

// SAFETY: an address; who writes there answers for it.
unsafe impl Sync for Shared {}

impl Shared {
    fn start(&self) -> *mut f64 {
        self.0
    }
}

/// Pieces of listed nodes, at most.
const FEW_PIECES: usize = 16;

/// Takes a value for a place, from any thread.
type Each<'a> = &'a (dyn Fn(usize, f64) + Sync);

/// Fills a slice with what is given to `each`, and with zeros. Nothing is given to a place twice but from the same thread.
fn fill(out: &mut [f64], give: impl FnOnce(Each<'_>)) {
    out.fill(0.0);
    let (length, shared) = (out.len(), Shared(out.as_mut_ptr()));
    give(&|at, value| {
        assert!(at < length, "places are those of a box");
        // SAFETY: the place lies in the slice, and no other thread writes there.
        unsafe { shared.start().add(at).write(value) };
    });
}

impl CpuEngine {
    /// Nodes of a piece that has so many values a node. A list is gone through for each piece, so it has few of them.
    pub(super) fn nodes_of_piece(&self, values: usize) -> usize {
        let least = if self.state.facts.addressing.listed { self.nodes().div_ceil(FEW_PIECES) } else { 1 };
        nodes_of_piece(values).max(least)
    }

    /// What is stored of the nodes of a piece.
    pub(super) fn stored(&self, nodes: Range<usize>) -> Vec<f64> {
        let count = nodes.len();
        let mut values = vec![0.0; self.state.facts.state_values() * count];
        fill(&mut values, |each| {
            self.nodes.for_each(&self.state, nodes.clone(), &|node, n, place| {
                // SAFETY: the place is one of the state, which nobody writes while `self` is borrowed.
                each(node - nodes.start + count * n, unsafe { self.state.value(place) });
            });
        });
        values
    }

    /// Sets what is stored of the nodes of a piece.
    pub(super) fn store(&self, nodes: Range<usize>, values: &[f64]) {
        let count = nodes.len();
        self.nodes.for_each(&self.state, nodes.clone(), &|node, n, place| {
            let value = values[node - nodes.start + count * n];
            // SAFETY: places of fluid nodes lie in the copy or among the links, and are disjoint.
            unsafe { self.state.set_value(place, value) };
        });
    }

    /// What is stored of single nodes of which it is known where they are, value after value in the order of the list; zeros of solid ones.
    pub(super) fn stored_at(&self, nodes: &[usize]) -> Vec<f64> {
        let (domain, count) = (self.state.domain(), nodes.len());
        let mut values = vec![0.0; self.state.facts.state_values() * count];
        for (place, &node) in nodes.iter().enumerate().filter(|&(_, &node)| domain.solid_at(node).is_none()) {
            self.nodes.places(&self.state, node, &mut |n, at| {
                // SAFETY: the place is one of the state, which nobody writes while `self` is borrowed.
                values[place + count * n] = unsafe { self.state.value(at) };
            });
        }
        values
    }

    /// Sets what is stored of nodes that have become fluid, where they stay.
    pub(super) fn store_changed(&mut self, domain: &Domain, changed: Changed<'_>) {
        let (state, nodes) = (&self.state, &*self.nodes);
        state.threads.split(changed.nodes.len(), &|some| {
            let own = &changed.nodes[some];
            let (Some(first), Some(last)) = (own.first(), own.last()) else { return };
            changed.stored(&state.facts, domain, &(*first..last + 1), |node, stored| {
                if domain.solid_at(node).is_some() {
                    return;
                }
                nodes.places(state, node, &mut |n, place| {
                    // SAFETY: as above; nobody reads while it is borrowed for writing, and each thread has nodes of its own.
                    unsafe { state.set_value(place, stored[n]) };
                });
            });
        });
    }

    /// Goes on from a state of step `step`, of which each piece is made as `values` says.
    pub(super) fn restart(&mut self, step: u64, count: usize, values: &dyn Fn(Range<usize>) -> Vec<f64>) {
        self.state.step = step;
        self.state.fields.clear_derived();
        self.nodes.restart(&self.state);
        for nodes in pieces(0..self.nodes(), self.nodes_of_piece(count)) {
            self.store(nodes.clone(), &values(nodes));
        }
        self.state.rules.forget(&self.state.facts);
        self.keep_for_rules();
    }

    /// Has rules keep what the present state says, where populations are stored.
    pub(super) fn keep_for_rules(&self) {
        let rules = &self.state.rules;
        let all = rules.all_kept(&self.state.facts);
        if self.stores_moments() || all.is_empty() {
            return;
        }
        if !self.state.facts.addressing.listed {
            for kept in &all {
                // SAFETY: as below; the place is one of the state, which nobody writes.
                unsafe {
                    let value = self.state.value(self.nodes.place(&self.state, kept.node, kept.direction));
                    rules.set(kept.of_link, kept.place, value);
                }
            }
            return;
        }
        for nodes in pieces(0..self.nodes(), self.nodes_of_piece(self.state.facts.state_values())) {
            let before = |node: usize| all.partition_point(|kept| kept.node < node);
            let some = &all[before(nodes.start)..before(nodes.end)];
            if some.is_empty() {
                continue;
            }
            let (stored, count) = (self.stored(nodes.clone()), nodes.len());
            for kept in some {
                let value = stored[kept.node - nodes.start + count * kept.direction];
                // SAFETY: nobody works on its node.
                unsafe { rules.set(kept.of_link, kept.place, value) };
            }
        }
    }
}
