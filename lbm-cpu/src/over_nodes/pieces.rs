//! Where the values of a chunk of listed nodes lie.

use lbm_core::links::Mask;

use super::{OverNodes, Value, Way, copy_of};
use crate::copies::copy_values;
use crate::lines::{AllLines, Bench, LINE};
use crate::pass::Pass;
use crate::reach::There;
use crate::run::{LONGEST_CHUNK, ones};
use crate::segment::{Piece, Segment};
use crate::specials::{Patch, term_of};
use crate::strewn::{Missing, Strewn};

impl<M: Mask> OverNodes<'_, M> {
    /// Says where the values of a chunk's nodes begin: for both sides a bit for each that may lie in some other way, and how many nodes from the first
    /// one on lie evenly.
    #[inline(always)]
    pub(super) fn lay(&self, first: usize, count: usize, segment: &mut Segment) -> ([u64; 2], usize) {
        let row = self.listed.reaches.chunks().map(|chunks| chunks.row(first));
        let (Some([taken, left]), Some(row), true) = (&self.sides, row, count == self.pass.chunk) else {
            return ([u64::MAX; 2], 0);
        };
        let one = taken.lay(row, [first, count], &mut segment.inputs, |at| at.cast_const());
        let other = left.lay(row, [first, count], &mut segment.outputs, |at| at);
        ([one.0, other.0], one.1.min(other.1))
    }

    /// Finds the values of a chunk, of which these may lie apart: side by side, or else as pieces where places are wide numbers, or something is
    /// kept for links of a chunk that is not plain.
    pub(super) fn find(&self, first: usize, count: usize, maybe: [u64; 2], is_plain: bool, way: &mut Way<M>) {
        let Way { segment, missing, any, .. } = way;
        (segment.x, segment.count) = (first, count);
        let is_whole = count == self.pass.chunk && self.pass.is_packed();
        let has_row = self.sides.is_some() && self.listed.reaches.chunks().is_some();
        for (side, values) in self.values.iter().enumerate() {
            let pieces = if side == 0 { &mut segment.taken } else { &mut segment.left };
            pieces.clear();
            // What solid nodes take does not matter, but they must not leave anything.
            let dead = if side == 0 { M::NONE } else { M::LAST };
            let looks = |value: &Value<M>| *any & (value.missing | dead) != M::NONE;
            let (mut apart, mut maybe) = (0, maybe[side] & u64::MAX >> (u64::BITS as usize - values.len()));
            if *any != M::NONE {
                values.iter().enumerate().for_each(|(v, value)| maybe |= u64::from(looks(value)) << v);
            }
            if has_row && (is_plain || *any & self.kept == M::NONE) {
                // How they lie was found from the row.
                match side {
                    0 => segment.gathered = maybe,
                    _ => segment.scattered = maybe,
                }
                continue;
            }
            for v in ones(maybe) {
                let (value, looks) = (&values[v], looks(&values[v]));
                let there = self.listed.reaches.there(self.entries, value.shift, first, count);
                if let (There::From(node), true, false) = (there, is_whole, looks) {
                    let (at, even) = self.lies(side, value.slot, node as usize);
                    if even >= count {
                        match side {
                            0 => segment.inputs[v] = at.cast_const(),
                            _ => segment.outputs[v] = at,
                        }
                        continue;
                    }
                }
                apart |= 1 << v;
                if is_plain || self.sides.is_some() && (value.at_wall.is_some() || !looks) {
                    continue;
                }
                let is = |lane: usize, what: M| missing[lane] & (value.missing | M::LAST) == what;
                for lane in (0..count).filter(|&lane| *any != M::NONE && is(lane, value.missing)) {
                    pieces.push(Piece::of(
                        v,
                        self.at_wall(side, value, first + lane, missing[lane]),
                        lane,
                        1,
                    ));
                }
                if self.sides.is_none() {
                    for lane in (0..count).filter(|&lane| *any == M::NONE || is(lane, M::NONE)) {
                        let node = self.listed.reaches.find(self.entries, value.shift, first + lane);
                        pieces.push(Piece::of(v, self.lies(side, value.slot, node).0, lane, 1));
                    }
                }
            }
            match side {
                0 => segment.gathered = apart,
                _ => segment.scattered = apart,
            }
        }
    }

    /// The values of a chunk that were found to lie apart, where places are narrow numbers.
    #[inline(always)]
    pub(super) fn strewn<'b>(
        &'b self,
        [first, count]: [usize; 2],
        live: u64,
        way: &'b Way<M>,
    ) -> Option<[Strewn<'b>; 2]> {
        let [taken, left] = self.sides.as_ref()?;
        let Way { segment, missed, .. } = way;
        let (reaches, entries) = (&self.listed.reaches, self.entries);
        Some([(taken, segment.gathered), (left, segment.scattered)].map(|(side, values)| Strewn {
            side,
            reaches,
            entries,
            first,
            count,
            values,
            missing: missed,
            live,
        }))
    }

    /// Does a chunk of which nothing is to be done but to take, collide and leave.
    ///
    /// # Safety
    /// As for [`run`](OverNodes::run); places are narrow numbers.
    #[inline(always)]
    pub(super) unsafe fn plain(
        &self,
        [first, count]: [usize; 2],
        live: u64,
        way: &mut Way<M>,
        bench: &mut Bench,
    ) {
        let Pass { chunk, state, .. } = self.pass;
        let all = bench.all.get_or_insert_with(|| AllLines::new(self.pass.taken));
        let [before, after] = all.first();
        let Segment { inputs, outputs, gathered, scattered, .. } = &mut way.segment;
        ones(*gathered).for_each(|v| inputs[v] = before.wrapping_add(v * LINE));
        ones(*scattered).for_each(|v| outputs[v] = after.wrapping_add(v * LINE));
        let Some([taken, left]) = self.strewn([first, count], live, way) else { return };
        let Way { segment: Segment { inputs, outputs, .. }, any, missing, missed, .. } = &*way;
        let links = (*any, missing, missed);
        // SAFETY: as the caller says.
        unsafe {
            taken.take(state.level, before);
            self.keep(0, first, links, before);
            let run = self.pass.over(first, inputs, outputs, chunk, &mut bench.late);
            self.pass.programs[usize::from(left.values != 0)](&run);
            self.keep(1, first, links, after);
            left.leave(state.level, after);
        }
    }

    /// Takes what is kept for links of a chunk to the lines of values, of which the first begins here, or leaves it from there: links of nodes of
    /// which is known what all of them miss, each, and which nodes miss a direction.
    ///
    /// # Safety
    /// As for [`run`](OverNodes::run); the lines have room.
    #[inline(always)]
    pub(super) unsafe fn keep(
        &self,
        side: usize,
        first: usize,
        (any, missing, missed): (M, &[M; LONGEST_CHUNK], &Missing),
        lines: *mut u8,
    ) {
        if any & self.kept == M::NONE {
            return;
        }
        let bytes = self.pass.bytes;
        for (v, value) in self.values[side].iter().enumerate() {
            if value.at_wall.is_some() || value.missing == M::NONE {
                continue;
            }
            for lane in ones(missed[value.back]) {
                let kept = self.at_wall(side, value, first + lane, missing[lane]);
                let line = lines.wrapping_add(v * LINE + lane * bytes);
                let (from, to) = if side == 0 { (kept, line) } else { (line, kept) };
                // SAFETY: as the caller says; a link belongs to one node.
                unsafe { copy_values(from, bytes, to, bytes, 1, bytes) };
            }
        }
    }

    /// Where a value of a node lies that has no neighbour there.
    fn at_wall(&self, side: usize, value: &Value<M>, node: usize, missing: M) -> *mut u8 {
        let state = self.pass.state;
        match value.at_wall {
            Some(slot) => {
                copy_of(state, side).wrapping_add(state.places.offset(slot, node) * self.pass.bytes)
            }
            None => state
                .kept
                .start()
                .wrapping_add(self.listed.link(node, missing.wide(), value.back) * self.pass.bytes),
        }
    }

    /// What moving walls add.
    pub(super) fn find_terms(
        &self,
        first: usize,
        count: usize,
        live: u64,
        missing: &[M],
        patches: &mut Vec<Patch>,
    ) {
        let (q, listed_nodes) = (self.pass.facts().lattice.q(), &self.listed.nodes);
        patches.clear();
        for lane in (0..count).filter(|&lane| live >> lane & 1 == 1) {
            for i in (0..q).filter(|&i| missing[lane].wide() >> i & 1 == 1) {
                let link = self.listed.link(first + lane, missing[lane].wide(), i);
                let term = term_of(usize::from(listed_nodes.walls[link]), i, q) as u32;
                // What comes back waits in its line already.
                patches.push(Patch { from: 0, term, direction: i as u8, lane: lane as u8, count: 1 });
            }
        }
    }
}
