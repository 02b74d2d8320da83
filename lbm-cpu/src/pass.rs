//! A pass over nodes, whichever way they are stored: its programs, and how the values lie that it takes and leaves.

use std::ops::Range;

use lbm_core::Facts;
use lbm_core::streaming::Program as InPattern;

use crate::caches::{PREFETCH_BYTES, fence};
use crate::copies::copy_values;
use crate::lines::LINE;
use crate::memory::CACHE_LINE;
use crate::options::StoreKind;
use crate::run::{Apart, Begins, Late, Program, Run, chunk_of};
use crate::specials::Origin;
use crate::state::State;
use crate::strides::Strides;

/// What a pass over nodes does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// Populations meet and collide.
    Collide,
    /// Moments send populations out.
    Send,
    /// Populations meet, and fields follow.
    Derive,
}

impl From<InPattern> for Does {
    fn from(program: InPattern) -> Does {
        if program == InPattern::Send { Does::Send } else { Does::Collide }
    }
}

/// Where that is which a rule reads of what its node has sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recalls {
    /// Among the rule's values: it was kept there when it was sent.
    Kept,
    /// In the copy that is read, among the node's own values.
    InCopy,
    /// It is rebuilt of the moments, which are those that the node had.
    Rebuilt,
}

impl Recalls {
    /// Where that is in flows of these facts.
    pub(crate) fn of(facts: &Facts) -> Recalls {
        // With one phase what is written now lies where what was written before does, in the other copy.
        let stays = || facts.copies > 1 && facts.period == 1 && facts.sent_lies();
        let is_own = |i| facts.sent(i, 0).shift == [0; 3];
        match () {
            () if facts.pattern.stores_moments() => Recalls::Rebuilt,
            () if stays() && (0..facts.lattice.q()).all(is_own) => Recalls::InCopy,
            () => Recalls::Kept,
        }
    }
}

/// A pass over nodes.
pub(crate) struct Pass<'a> {
    pub(crate) state: &'a State,
    /// Nodes of a chunk.
    pub(crate) chunk: usize,
    /// Values of a node that are taken: as many as directions, or moments; and those that are left.
    pub(crate) taken: usize,
    pub(crate) left: usize,
    /// Where values are taken and left as they lie; where some wait in lines as they are stored; where all do in the arithmetic type.
    pub(crate) programs: [Program; 3],
    /// Whether populations are rebuilt from the moments of the nodes where they come from.
    pub(crate) rebuilds: bool,
    /// Where that is which rules read of what their nodes have sent.
    pub(crate) recalls: Recalls,
    /// How far behind its first moment each moment of a node lies, where that is the same for all nodes, and where moments wait in lines.
    apart: [Apart; 2],
    /// The prefetch distance beyond what is taken, bytes: the next lines, or the next cluster of the layout.
    prefetch_distance: usize,
    /// The same beyond a chunk.
    pub(crate) chunk_prefetch_distance: usize,
    /// Bytes from a node to the next in a cluster.
    pub(crate) lane: usize,
    /// Bytes of a value.
    pub(crate) bytes: usize,
    /// Where each slot begins that is read.
    pub(crate) origins: &'a [usize],
    pub(crate) strides: &'a Strides,
    /// The fields that it derives.
    pub(crate) derives: Range<usize>,
    /// Whether what goes into walls is kept by patches.
    pub(crate) keeps: bool,
    /// Where patches are read.
    pub(crate) patches: Origin,
    /// Whether its program may take the first chunk of a run elsewhere, which must be a cache line.
    pub(crate) knows_begins: bool,
    /// Whether it may take and leave those of both ends elsewhere.
    pub(crate) knows_ends: bool,
    /// Whether a chunk is a cache line and nobody writes beside what it takes: then two pieces are joined with what lies around them.
    pub(crate) joins: bool,
}

impl<'a> Pass<'a> {
    /// A pass that does this.
    pub(crate) fn new(
        state: &'a State,
        strides: &'a Strides,
        does: Does,
        origins: &'a [usize],
        chunk_prefetch_distance: usize,
    ) -> Pass<'a> {
        let (facts, programs) = (&state.facts, &state.programs);
        let (sends, derives, bytes) =
            (does == Does::Send, does == Does::Derive, facts.precision.stored_bytes);
        let rebuilds = !sends && facts.pattern.rebuilds();
        let apart = match state.stores {
            StoreKind::Ordinary => programs.meet_apart.filter(|_| facts.copies > 1),
            StoreKind::NonTemporal => programs.meet_past_caches,
        };
        let programs = match () {
            () if derives => {
                let all = programs.derivations.as_ref().expect("a body that derives has programs for it");
                let meet = all.rebuild_and_meet.filter(|_| rebuilds).unwrap_or(all.meet);
                [meet, meet, all.meet_in_lines]
            }
            () if sends => [programs.of_moments().send; 3],
            () if rebuilds => {
                let rebuild_and_meet = programs.of_moments().rebuild_and_meet;
                [rebuild_and_meet, rebuild_and_meet, programs.meet_in_lines]
            }
            () => [apart.unwrap_or(programs.meet), programs.meet, programs.meet_in_lines],
        };
        let (chunk, direct) = (chunk_of(facts), does == Does::Collide && !rebuilds);
        let slots = (0..facts.body.moments).map(|n| facts.moment(n).slot);
        let (q, state_values) = (facts.lattice.q(), facts.state_values());
        Pass {
            state,
            chunk,
            taken: if sends { state_values } else { q },
            left: match does {
                Does::Collide => state_values,
                Does::Send => q,
                Does::Derive => 0,
            },
            derives: if derives { facts.body.derivations[0].fields.clone() } else { 0..0 },
            programs,
            rebuilds,
            recalls: Recalls::of(facts),
            apart: [strides.apart(slots, bytes), std::array::from_fn(|n| n * LINE)],
            prefetch_distance: strides.between().map_or(PREFETCH_BYTES, |between| between * bytes),
            chunk_prefetch_distance,
            lane: strides.lane() * bytes,
            bytes,
            origins,
            strides,
            keeps: facts.keeps_sent && !derives,
            patches: Origin::of(facts),
            knows_begins: direct && apart.is_some() && chunk * bytes == CACHE_LINE,
            knows_ends: direct && apart.is_none() && chunk * bytes == CACHE_LINE && strides.lane() == 1,
            joins: !sends && facts.copies > 1 && chunk * bytes == CACHE_LINE,
        }
    }

    /// A pass in which populations that were rebuilt wait as if they were stored; nothing if there is no program for it.
    pub(crate) fn of_waiting(
        state: &'a State,
        strides: &'a Strides,
        origins: &'a [usize],
    ) -> Option<Pass<'a>> {
        let programs = &state.programs;
        let meet = match state.stores {
            StoreKind::Ordinary => programs.meet,
            StoreKind::NonTemporal => programs.meet_past_caches?,
        };
        let rebuilding = Pass::new(state, strides, Does::Collide, origins, 0);
        let programs = [meet, programs.meet, programs.meet_in_lines];
        // They wait in a cache.
        Some(Pass { programs, rebuilds: false, prefetch_distance: PREFETCH_BYTES, ..rebuilding })
    }

    pub(crate) fn facts(&self) -> &'a Facts {
        &self.state.facts
    }

    /// Whether nodes that lie evenly lie next to each other.
    pub(crate) fn is_packed(&self) -> bool {
        self.lane == self.bytes
    }

    /// A run of this pass, of which the first node has this number.
    #[inline(always)]
    pub(crate) fn over<'b>(
        &'b self,
        first: usize,
        inputs: &'b Begins<*const u8>,
        outputs: &'b Begins<*mut u8>,
        count: usize,
        late: &'b mut Late,
    ) -> Run<'b> {
        let uniforms = self.state.narrowed.as_ptr().cast();
        let (behind, prefetch_distance, apart) = ([0; 2], self.prefetch_distance, &self.apart);
        Run {
            inputs,
            ends: [None; 2],
            outputs,
            behind,
            count,
            fields: self.state.fields.at(first),
            prefetch_distance,
            direction: 0,
            apart,
            in_lines: 0,
            late,
            uniforms,
        }
    }

    /// Copies stored values, so many bytes apart, to a line of the arithmetic type.
    ///
    /// # Safety
    /// They can be read, and the line has room.
    #[inline(always)]
    pub(crate) unsafe fn decode(&self, from: *const u8, step: usize, to: *mut u8, count: usize) {
        // SAFETY: as the caller says; plain values are numbers of the arithmetic type.
        unsafe {
            match self.facts().precision.plain {
                true => copy_values(from, step, to, self.bytes, count, self.bytes),
                false => (self.state.programs.values.decode)(from, step / self.bytes, to, count),
            }
        }
    }

    /// Adds what a wall adds to some numbers of the arithmetic type.
    ///
    /// # Safety
    /// They can be read and written.
    #[inline(always)]
    pub(crate) unsafe fn add_term(&self, term: u32, to: *mut u8, count: usize) {
        let term = self.state.terms[term as usize];
        // A wall at rest adds minus zero, which changes no number.
        if term.to_bits() != (-0.0f64).to_bits() {
            // SAFETY: as the caller says.
            unsafe { (self.state.programs.values.add_term)(to, count, term) };
        }
    }

    /// Waits for what a thread has stored past the caches.
    ///
    /// # Safety
    /// The places that wait can be written.
    pub(crate) unsafe fn settle(&self, late: &mut Late) {
        // SAFETY: as the caller says.
        unsafe { late.settle(self.left) };
        if self.state.stores == StoreKind::NonTemporal {
            fence();
        }
    }
}

#[cfg(test)]
mod tests {
    use lbm_core::{F32, Soa, TwoLatticePull, TwoLatticePush};

    use super::*;
    use crate::by_hand::{D2Q9, Solver};

    #[test]
    fn what_was_sent_is_in_the_copy_where_it_was_left_at_its_node() {
        assert_eq!(Recalls::of(&Facts::of::<Solver<D2Q9, F32, Soa, TwoLatticePull>>()), Recalls::InCopy);
        assert_eq!(Recalls::of(&Facts::of::<Solver<D2Q9, F32, Soa, TwoLatticePush>>()), Recalls::Kept);
    }
}
