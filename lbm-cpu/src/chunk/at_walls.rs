//! What comes from walls to the nodes of a chunk, and what is kept for them and for rules.

use crate::around::turned;
use crate::lines::Lines;
use crate::pass::Pass;
use crate::rules::Ruled;
use crate::run::{Begins, MOST_VALUES};
use crate::specials::Patch;

impl Pass<'_> {
    /// Replaces populations that come from a wall in their line.
    ///
    /// # Safety
    /// The patch belongs to the chunk whose values wait in the lines.
    #[inline(always)]
    pub(crate) unsafe fn patch(&self, patch: &Patch, before: &mut Lines) {
        let (state, facts) = (self.state, self.facts());
        let programs = &state.programs;
        let (i, lane) = patch.target(self.chunk);
        let to = before.0[i].as_mut_ptr().wrapping_add(lane * facts.precision.arithmetic.bytes());
        let (bytes, node, count) = (self.bytes, patch.node as usize, usize::from(patch.count));
        let term = state.terms[usize::from(patch.term)];
        // SAFETY: as the caller says.
        unsafe {
            if self.patches_wait {
            } else if facts.pattern.stores_moments() {
                self.rebuild_sent(usize::from(patch.slot), node, to);
            } else if facts.keeps_sent {
                (programs.values.decode)(state.kept.start().add(node * bytes), 1, to, count);
            } else {
                let lies = self.lies(usize::from(patch.slot), node);
                (programs.values.decode)(lies, self.lane / bytes, to, count);
            }
            // A wall at rest adds minus zero, which changes no number.
            if term.to_bits() != (-0.0f64).to_bits() {
                (programs.values.add_term)(to, count, term);
            }
        }
    }

    /// Where a slot of a stored node lies.
    #[inline(always)]
    fn lies(&self, slot: usize, node: usize) -> *const u8 {
        let state = self.state;
        let origin = self.origins[slot];
        let node = if origin == 0 { node } else { turned(node, origin, state.places.nodes()) };
        state.source().wrapping_add(self.strides.find(&state.places, slot, node).0 * self.bytes)
    }

    /// What a stored node has sent along direction `i`, where moments are stored.
    ///
    /// # Safety
    /// There is room for a number of the arithmetic type.
    unsafe fn rebuild_sent(&self, i: usize, node: usize, to: *mut u8) {
        let (facts, values) = (self.facts(), &self.state.programs.values);
        let mut inputs: Begins<*const u8> = [std::ptr::null(); MOST_VALUES];
        for (n, input) in inputs.iter_mut().enumerate().take(facts.body.moments) {
            *input = self.lies(facts.moment(n).slot, node);
        }
        // SAFETY: the node's moments lie there.
        unsafe {
            (values.rebuild)(i, &inputs, to);
            if !self.rebuilds {
                // One that were on its way would have been stored there.
                (values.as_stored)(to);
            }
        }
    }

    /// Sets what rules keep, where moments are stored: these are still there.
    ///
    /// # Safety
    /// The rules are those of a chunk that is worked on.
    pub(super) unsafe fn rebuild_kept(&self, ruled: Ruled<'_>) {
        let (state, domain) = (self.state, self.state.domain());
        if !self.facts().pattern.stores_moments() {
            return;
        }
        for kept in state.rules.kept(ruled) {
            let node = state.places.locate(domain.position(kept.node));
            let node = node.expect("every node of a dense box is stored");
            // SAFETY: as the caller says.
            unsafe { self.rebuild_sent(kept.direction, node, kept.to) };
        }
    }

    /// Keeps what rules ask for in the next step.
    ///
    /// # Safety
    /// The rules are those of the chunk whose results lie at `outputs`, the first being node `first`.
    pub(crate) unsafe fn keep_for_rules(&self, ruled: Ruled<'_>, first: usize, outputs: &Begins<*mut u8>) {
        if self.facts().pattern.stores_moments() {
            return;
        }
        for kept in self.state.rules.kept(ruled) {
            let from = outputs[kept.direction].wrapping_add((kept.node - first) * self.bytes);
            // SAFETY: as the caller says.
            unsafe { (self.state.programs.values.decode)(from, 1, kept.to, 1) };
        }
    }

    /// Whether something is kept of what goes into these walls.
    #[inline(always)]
    pub(crate) fn keeps(&self, patches: &[Patch]) -> bool {
        !patches.is_empty() && self.keeps
    }

    /// Keeps what goes into walls, where the pattern has it kept, until it comes back by the same patches.
    ///
    /// # Safety
    /// The patches belong to the chunk whose results lie at `outputs`.
    pub(crate) unsafe fn keep(&self, patches: &[Patch], outputs: &Begins<*mut u8>) {
        if !self.keeps(patches) {
            return;
        }
        let (facts, bytes) = (self.facts(), self.bytes);
        for patch in patches {
            let (i, lane) = patch.target(self.chunk);
            let sent = outputs[facts.lattice.opposites[i]].wrapping_add(lane * bytes);
            let to = self.state.kept.start().wrapping_add(patch.node as usize * bytes);
            // SAFETY: as the caller says.
            unsafe { std::ptr::copy_nonoverlapping(sent, to, usize::from(patch.count) * bytes) };
        }
    }
}
