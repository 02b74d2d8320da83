//! What comes from walls to the nodes of a chunk, and what is kept for them and for rules.

use crate::around::turned;
use crate::caches::prefetch;
use crate::copies::put_in_line;
use crate::lines::Lines;
use crate::pass::{Pass, Recalls};
use crate::rules::Ruled;
use crate::run::{MOST_MOMENTS, Sent};
use crate::specials::{Origin, Patch, slot_of};

impl Pass<'_> {
    /// Replaces populations that come from a wall in their line; of what the nodes of the chunk have sent it is known where it lies, if it is at hand.
    ///
    /// # Safety
    /// The patch belongs to the chunk whose values wait in the lines.
    #[inline(always)]
    pub(crate) unsafe fn patch(&self, patch: &Patch, before: &mut Lines, sent: Option<Sent<'_>>) {
        let (state, facts, bytes) = (self.state, self.facts(), self.bytes);
        let (from, count) = (patch.from as usize, usize::from(patch.count));
        let lane = usize::from(patch.lane) * facts.precision.arithmetic.bytes();
        let to = before.line(usize::from(patch.direction)).wrapping_add(lane);
        // SAFETY: as the caller says.
        let copy = |from: *const u8, step: usize| unsafe { self.decode(from, step, to, count) };
        if let Some(sent) = sent {
            let back = facts.lattice.opposites[usize::from(patch.direction)];
            let (from, first) = (sent.read_along(back), usize::from(patch.lane) * bytes);
            debug_assert!(
                self.joins && facts.precision.plain,
                "a chunk is a line of numbers as they are stored"
            );
            let line = before.line(usize::from(patch.direction));
            // SAFETY: as the caller says.
            unsafe { put_in_line(from, line, first..first + count * bytes) };
            // SAFETY: as the caller says.
            return unsafe { self.add_term(patch.term, to, count) };
        }
        match self.patches {
            Origin::InLine => {}
            Origin::Copy => {
                let from = state.source().wrapping_add(from * bytes);
                // Nobody reads there in order, and the next row is likely to have a wall there, too.
                if count < self.chunk {
                    prefetch(from.wrapping_add(self.chunk_prefetch_distance));
                }
                copy(from, self.lane);
            }
            Origin::Kept => copy(state.kept.start().wrapping_add(from * bytes), bytes),
            Origin::Slot => {
                let (slot, first) = slot_of(patch.from);
                let wide = facts.precision.arithmetic.bytes();
                for (n, to) in (0..count).map(|n| (n, to.wrapping_add(n * wide))) {
                    // SAFETY: as the caller says.
                    unsafe {
                        match self.recalls == Recalls::Rebuilt {
                            true => self.rebuild_sent(slot, first + n, to),
                            false => self.decode(self.lies(slot, first + n), self.lane, to, 1),
                        }
                    }
                }
            }
        }
        // SAFETY: as the caller says.
        unsafe { self.add_term(patch.term, to, count) };
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
        let mut inputs = [std::ptr::null(); MOST_MOMENTS];
        for (n, input) in inputs.iter_mut().enumerate().take(facts.body.moments) {
            *input = self.lies(facts.moment(n).slot, node);
        }
        // SAFETY: the node's moments lie there.
        unsafe { values.rebuild_sent(i, &inputs, !self.rebuilds, to) };
    }

    /// Sets what rules keep, where that is not done when it is sent. Of what the nodes of the chunk have sent, from node `first` on, it
    /// is known where it lies, if it is at hand.
    ///
    /// # Safety
    /// The rules are those of a chunk that is worked on.
    pub(crate) unsafe fn recall(&self, ruled: Ruled<'_>, first: usize, sent: Option<Sent<'_>>) {
        let (state, facts) = (self.state, self.facts());
        if self.recalls == Recalls::Kept {
            return;
        }
        let wide = facts.precision.arithmetic.bytes();
        if let Some(sent) = sent {
            return state.rules.each_kept(ruled, |kept| {
                let from = sent.further((kept.node - first) * self.bytes).read_along(kept.direction);
                // SAFETY: as the caller says.
                unsafe { self.decode(from, self.bytes, kept.to, kept.count) };
            });
        }
        let domain = state.domain();
        state.rules.each_kept(ruled, |kept| {
            let node = state.places.locate(domain.position(kept.node));
            let node = node.expect("every node of a dense box is stored");
            for (node, to) in (0..kept.count).map(|k| (node + k, kept.to.wrapping_add(k * wide))) {
                // SAFETY: as the caller says; nodes that follow each other in a row are stored so.
                unsafe {
                    match self.recalls {
                        Recalls::Rebuilt => self.rebuild_sent(kept.direction, node, to),
                        _ => self.decode(
                            self.lies(facts.sent(kept.direction, state.phase()).slot, node),
                            self.lane,
                            to,
                            1,
                        ),
                    }
                }
            }
        });
    }

    /// Whether something is kept for rules.
    #[inline(always)]
    pub(crate) fn keeps_for(&self, ruled: Ruled<'_>) -> bool {
        self.recalls == Recalls::Kept && self.state.rules.keeps(ruled)
    }

    /// Keeps what rules ask for in the next step.
    ///
    /// # Safety
    /// The rules are those of the chunk of which result `v` lies at `output(v)`, the first being node `first`.
    #[inline(always)]
    pub(crate) unsafe fn keep_for_rules(
        &self,
        ruled: Ruled<'_>,
        first: usize,
        output: impl Fn(usize) -> *mut u8,
    ) {
        if !self.keeps_for(ruled) {
            return;
        }
        self.state.rules.each_kept(ruled, |kept| {
            let from = output(kept.direction).wrapping_add((kept.node - first) * self.bytes);
            // SAFETY: as the caller says.
            unsafe { self.decode(from, self.bytes, kept.to, kept.count) };
        });
    }

    /// Whether something is kept of what goes into these walls.
    #[inline(always)]
    pub(crate) fn keeps(&self, patches: &[Patch]) -> bool {
        !patches.is_empty() && self.keeps
    }

    /// Keeps what goes into walls, where the pattern has it kept, until it comes back by the same patches.
    ///
    /// # Safety
    /// The patches belong to the chunk of which result `v` lies at `output(v)`.
    #[inline(always)]
    pub(crate) unsafe fn keep(&self, patches: &[Patch], output: impl Fn(usize) -> *mut u8) {
        if !self.keeps(patches) {
            return;
        }
        let (facts, bytes) = (self.facts(), self.bytes);
        for patch in patches {
            let back = facts.lattice.opposites[usize::from(patch.direction)];
            let sent = output(back).wrapping_add(usize::from(patch.lane) * bytes);
            let to = self.state.kept.start().wrapping_add(patch.from as usize * bytes);
            // SAFETY: as the caller says.
            unsafe { std::ptr::copy_nonoverlapping(sent, to, usize::from(patch.count) * bytes) };
        }
    }
}
