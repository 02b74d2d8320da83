//! Where the values of a chunk of listed nodes lie, piece by piece.

use lbm_core::links::Mask;

use super::{Listed, OverNodes, Value, Way, bits};
use crate::caches::prefetch;
use crate::copies::{Lanes, MOST_PARTS};
use crate::reach::{ASKED_TOGETHER, Group};
use crate::segment::Piece;
use crate::specials::{Patch, term_of};

impl<M: Mask> OverNodes<'_, M> {
    /// Finds the values of a chunk.
    pub(super) fn find_pieces(&self, first: usize, count: usize, live: u64, way: &mut Way<M>) {
        let Way { cursors, segment, patches, missing, any } = way;
        (segment.x, segment.count) = (first, count);
        (segment.gathered, segment.scattered) = (0, 0);
        segment.taken.clear();
        segment.left.clear();
        segment.lanes.iter_mut().for_each(Vec::clear);
        let entries = self.listed.nodes.listing.tables.first().map_or(&[][..], |table| &table.entries);
        let group =
            if self.groups_are_even { self.listed.reaches.group_of(entries, first, count) } else { None };
        for (side, values) in self.sides.iter().enumerate() {
            for (v, value) in values.iter().enumerate() {
                let looks = *any & (value.missing | M::LAST) != M::NONE;
                let is_missing =
                    |lane: usize| looks && missing[lane] & (value.missing | M::LAST) == value.missing;
                let is_laned = self.one_by_one(side, value, group, count, |copy, parts, [part, within]| {
                    let is_there = |lane: usize| missing[lane] & (value.missing | M::LAST) == M::NONE;
                    let there = if looks { bits(count, is_there) } else { u64::MAX };
                    segment.lanes[side].push(Lanes { value: v, copy, parts, part, within, there });
                });
                let mut cursor = cursors[value.shift];
                if !is_laned {
                    let (at, even) = self.find(side, value, &mut cursor, first);
                    cursors[value.shift] = cursor;
                    match side {
                        0 => segment.inputs[v] = at,
                        _ => segment.outputs[v] = at,
                    }
                    if even >= self.pass.chunk && count == self.pass.chunk && self.pass.is_packed() && !looks
                    {
                        continue;
                    }
                }
                let pieces = match side {
                    0 => {
                        segment.gathered |= 1 << v;
                        &mut segment.taken
                    }
                    _ => {
                        segment.scattered |= 1 << v;
                        &mut segment.left
                    }
                };
                for lane in (0..count).filter(|&lane| is_missing(lane)) {
                    let at = self.at_wall(side, value, first + lane, missing[lane]);
                    pieces.push(Piece::of(v, at, lane, 1));
                }
                if is_laned {
                    continue;
                }
                let mut lane = 0;
                while lane < count {
                    let is_there =
                        |lane: usize| !looks || missing[lane] & (value.missing | M::LAST) == M::NONE;
                    if !is_there(lane) {
                        lane += 1;
                        continue;
                    }
                    let (at, even) = self.find(side, value, &mut cursor, first + lane);
                    let most = even.min(count - lane);
                    let some =
                        if looks { (1..most).find(|&k| !is_there(lane + k)).unwrap_or(most) } else { most };
                    pieces.push(Piece::of(v, at, lane, some));
                    lane += some;
                }
            }
        }
        if self.listed.nodes.moving && *any != M::NONE && *any != M::LAST {
            self.find_terms(first, count, live, missing, patches);
        }
    }

    /// Hands on in which parts a value of the nodes of a chunk lies, and where there one by one, if all groups are alike. Asks for the value
    /// of the nodes at the same places of the next group.
    #[inline(always)]
    fn one_by_one(
        &self,
        side: usize,
        value: &Value<M>,
        group: Option<Group<'_>>,
        count: usize,
        take: impl FnOnce(*mut u8, [u32; MOST_PARTS], [*const u32; 2]),
    ) -> bool {
        let Listed { reaches, strides, .. } = self.listed;
        let (Some(group), Some(grouped)) = (group, reaches.one_by_one(value.shift)) else { return false };
        let state = self.pass.state;
        let copy = if side == 0 { state.source().cast_mut() } else { state.target() };
        let begin = |row: &[u32], column: u32| {
            let first = reaches.first_of(row[column as usize]);
            strides.find(&state.places, value.slot, first).0
        };
        let mut parts = [0; MOST_PARTS];
        for (part, &column) in parts.iter_mut().zip(&grouped.columns) {
            *part = begin(group.row, column) as u32;
        }
        take(copy, parts, [&grouped.part, &grouped.within].map(|all| all[group.within..].as_ptr()));
        if side == 0 && !group.next.is_empty() {
            let some = group.within / ASKED_TOGETHER..(group.within + count).div_ceil(ASKED_TOGETHER);
            for &[part, within] in grouped.leads[some].iter().flatten() {
                let at = begin(group.next, grouped.columns[part as usize]) + within as usize;
                prefetch(copy.wrapping_add(at * self.pass.bytes));
            }
        }
        true
    }

    /// Where a value of a node lies that has no neighbour there.
    fn at_wall(&self, side: usize, value: &Value<M>, node: usize, missing: M) -> *mut u8 {
        let state = self.pass.state;
        match value.at_wall {
            Some(slot) => {
                let copy = if side == 0 { state.source().cast_mut() } else { state.target() };
                copy.wrapping_add(state.places.offset(slot, node) * self.pass.bytes)
            }
            None => state
                .kept
                .start()
                .wrapping_add(self.listed.link(node, missing.wide(), value.back) * self.pass.bytes),
        }
    }

    /// What moving walls add.
    fn find_terms(&self, first: usize, count: usize, live: u64, missing: &[M], patches: &mut Vec<Patch>) {
        let (q, listed_nodes) = (self.pass.facts().lattice.q(), &self.listed.nodes);
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
