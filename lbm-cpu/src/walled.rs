//! A row that is done where its values lie, ends and nodes at walls included.
//!
//! A program may take the first chunk of a run elsewhere. So a run goes from one chunk that is not like the others up to the next one: there
//! what comes around the box, from a wall or from a rule waits in lines. Such a chunk is taken when all before it is done, so that memory is
//! read in order. One of whose results something is kept, or in which nodes are solid, is a run of its own.

use std::ops::Range;

use crate::chunk::Special;
use crate::copies::{clear_values, copy_bytes};
use crate::lines::{Bench, RoomForRules, Taken};
use crate::memory::CACHE_LINE;
use crate::options::StoreKind;
use crate::pass::{Pass, Recalls};
use crate::plan::Plan;
use crate::rules::Ruled;
use crate::run::{Begins, Elsewhere, Late, Run, Sent, ones, put_begins};
use crate::segment::Segment;

/// How many times as far as the next row that lies alike memory is asked for what a node sent.
const TIMES_AS_FAR: usize = 3;

/// Such a row.
pub(crate) struct Walled<'a> {
    pub(crate) pass: &'a Pass<'a>,
    /// The chunks at its ends, where these do not take what lies evenly.
    pub(crate) ends: Option<[&'a Segment; 2]>,
    /// How many nodes it has.
    pub(crate) count: usize,
    /// How far behind what its plan says, bytes.
    pub(crate) behind: [usize; 2],
    /// The number of its first node.
    pub(crate) node: usize,
    /// Where the values of its first node were taken if they lay as those in the middle do, and are left.
    pub(crate) inputs: &'a Begins<*const u8>,
    pub(crate) outputs: &'a Begins<*mut u8>,
    /// Where the populations lie that its first node has sent, if they lie evenly.
    pub(crate) sent: Option<Sent<'a>>,
}

impl<'a> Walled<'a> {
    /// A row, whose first node is number `node`, that lies so many bytes behind that of its plan, which is a run with ends.
    #[inline(always)]
    pub(crate) fn of_plan(
        pass: &'a Pass<'a>,
        plan: &'a Plan,
        inputs: &'a Begins<*const u8>,
        behind: [usize; 2],
        node: usize,
    ) -> Walled<'a> {
        let [first, _, last] = &plan.segments[..] else { unreachable!("the plan has these") };
        let (ends, count, outputs) = (Some([first, last]), last.x + pass.chunk, &first.outputs);
        // What a node leaves now goes to the same place in the other copy.
        let sent = (pass.recalls == Recalls::InCopy).then(|| {
            let apart = pass.state.source().addr().wrapping_sub(pass.state.target().addr());
            // SAFETY: addresses of what can be written are such of what can be read.
            let begins = unsafe { &*std::ptr::from_ref(outputs).cast::<Begins<*const u8>>() };
            let next = Some(TIMES_AS_FAR.wrapping_mul(pass.chunk_prefetch_distance));
            Sent { begins, behind: behind[1].wrapping_add(apart), next }
        });
        Walled { pass, ends, count, behind, node, inputs, outputs, sent }
    }

    /// Does the row, with its special chunks in order.
    ///
    /// # Safety
    /// As for [`run`](crate::over_rows::OverRows::run).
    #[inline(always)]
    pub(crate) unsafe fn run<'s>(&self, mut specials: impl Iterator<Item = Special<'s>>, bench: &mut Bench) {
        let (Bench { waiting, taken, late, .. }, node) = (bench, self.node);
        let (chunk, end_of_row) = (self.pass.chunk, self.count);
        let last = self.ends.map_or(end_of_row, |[_, last]| last.x);
        let mut next = specials.next();
        // What is not done yet begins at `start`, maybe with a chunk that is taken already.
        let (mut x, mut start, mut has_begun) = (0, 0, false);
        while x < end_of_row {
            let special = next.filter(|special| special.first == node + x);
            if special.is_some() {
                next = specials.next();
            }
            // SAFETY: as the caller says.
            unsafe {
                self.along(start..x, has_begun.then_some(&*taken), late);
                (start, has_begun) = (x + chunk, false);
                match special {
                    // Where there are nothing but solid nodes, these are zero and stay so.
                    Some(special) if special.live == 0 => {}
                    Some(asking) if self.asks(asking) => {
                        self.take(x, special, taken, &mut waiting.rules);
                        self.along(x..x + chunk, Some(taken), late);
                        self.keep(x, asking, late);
                    }
                    _ => {
                        self.take(x, special, taken, &mut waiting.rules);
                        (start, has_begun) = (x, true);
                    }
                }
            }
            x = match next {
                Some(special) if x < last => last.min(special.first - node),
                None if x < last => last,
                _ => end_of_row,
            };
        }
        // SAFETY: as the caller says.
        unsafe { self.along(start..end_of_row, has_begun.then_some(&*taken), late) };
    }

    /// Whether something is done with the results of a chunk.
    #[inline(always)]
    fn asks(&self, special: Special<'_>) -> bool {
        let all = u64::MAX >> (u64::BITS - self.pass.chunk as u32);
        special.live != all || self.pass.keeps(special.patches) || self.pass.keeps_for(special.ruled)
    }

    /// Takes what does not lie evenly in a chunk, or comes from walls and rules.
    ///
    /// # Safety
    /// As for [`run`](Walled::run).
    #[inline(always)]
    unsafe fn take(
        &self,
        x: usize,
        special: Option<Special<'_>>,
        taken: &mut Taken,
        room: &mut Option<Box<RoomForRules>>,
    ) {
        let pass = self.pass;
        put_begins(&mut taken.inputs, self.inputs, pass.taken);
        let mut in_lines = 0;
        for end in self.ends.into_iter().flatten() {
            if end.x == x {
                in_lines = end.gathered;
                // SAFETY: as the caller says.
                unsafe { pass.take_pieces(end, 0, self.behind[0], taken) };
            }
        }
        let Some(Special { patches, ruled, first, .. }) = special else { return };
        let away = self.behind[0].wrapping_add(x * pass.bytes);
        let (mut set, mut whole) = (pass.state.rules.set_at(ruled.nodes), 0);
        for patch in patches {
            set |= 1 << patch.direction;
            whole |= u64::from(usize::from(patch.count) == pass.chunk) << patch.direction;
        }
        for v in ones(set & !in_lines) {
            let line = taken.lines.line(v);
            let lies = std::mem::replace(&mut taken.inputs[v], line.wrapping_sub(away).cast_const());
            if whole >> v & 1 == 0 {
                // SAFETY: the chunk's values lie there, and a line has room for a chunk.
                unsafe { copy_bytes(lies.wrapping_add(away), line, CACHE_LINE) };
            }
        }
        let sent = self.sent.map(|sent| sent.further(x * pass.bytes));
        for patch in patches {
            // SAFETY: what it replaces waits in its line.
            unsafe { pass.patch(patch, &mut taken.lines, sent) };
        }
        if !ruled.is_empty() {
            debug_assert!(pass.facts().precision.plain, "numbers are read as they are stored");
            // Rules of links read there what was sent; only what rules of nodes keep is brought.
            let kept = if sent.is_some() { Ruled { links: &[], ..ruled } } else { ruled };
            // SAFETY: the rules are those of the chunk; others lie where they can be read.
            unsafe {
                pass.recall(kept, first, sent);
                pass.state.rules.arrive(ruled, first, pass.chunk, (&taken.inputs, away), sent, room);
            }
        }
    }

    /// Has a program go over some nodes, of which the first chunk may be taken already.
    ///
    /// # Safety
    /// As for [`run`](Walled::run).
    #[inline(always)]
    unsafe fn along(&self, nodes: Range<usize>, begin: Option<&Taken>, late: &mut Late) {
        if nodes.is_empty() {
            return;
        }
        let away = nodes.start * self.pass.bytes;
        let behind = [self.behind[0].wrapping_add(away), self.behind[1].wrapping_add(away)];
        let begin = begin.map(|taken| Elsewhere { inputs: &taken.inputs, outputs: self.outputs });
        let first = self.node + nodes.start;
        let run = self.pass.over(first, self.inputs, self.outputs, nodes.len(), late);
        // SAFETY: as the caller says.
        unsafe { self.pass.programs[0](&Run { behind, ends: [begin, None], ..run }) };
    }

    /// Keeps what is asked for of the results of a chunk, the last one of a run, and has solid nodes be zero.
    ///
    /// # Safety
    /// As for [`run`](Walled::run); nothing was done since.
    unsafe fn keep(&self, x: usize, special: Special<'_>, late: &mut Late) {
        let (pass, bytes) = (self.pass, self.pass.bytes);
        let away = self.behind[1].wrapping_add(x * bytes);
        let waiting = (pass.state.stores == StoreKind::NonTemporal).then(|| late.waiting());
        let result = |v: usize| match waiting {
            Some(waiting) => waiting.wrapping_add(v * CACHE_LINE),
            None => self.outputs[v].wrapping_add(away),
        };
        let dead = !special.live & u64::MAX >> (u64::BITS - pass.chunk as u32);
        // SAFETY: results lie there, or wait.
        unsafe {
            pass.keep(special.patches, result);
            pass.keep_for_rules(special.ruled, special.first, result);
            if dead != 0 {
                (0..pass.left).for_each(|v| clear_values(dead, result(v), bytes));
            }
        }
    }
}
