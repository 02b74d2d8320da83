//! What rules set at the nodes of a chunk, in the lines where its values wait.

use lbm_core::rules::Arrival;

use super::{Part, Ruled, Rules};
use crate::copies::{copy_bytes, copy_value, copy_values};
use crate::lines::{LINE, RoomForRules};
use crate::run::{Begins, FieldsAt, LONGEST_CHUNK, Run, Sent};

impl Rules {
    /// How many values a rule has at most.
    fn most_values(&self) -> usize {
        let at_nodes = self.kinds.iter().flat_map(|kind| &kind.parts);
        let visited = self.kinds.iter().flat_map(|kind| &kind.visits).flat_map(|visit| &visit.parts);
        let at_nodes = at_nodes.chain(visited.map(|(part, _)| part));
        at_nodes.map(|part| part.values).max().unwrap_or(0)
    }

    /// Sets what rules set at nodes whose values begin so many bytes behind `inputs`, the first being node `first`: of those that are set, they lie in lines
    /// that can be written. All are of the arithmetic type; there are `count` nodes, whole vectors. Rules of links read what
    /// their nodes have sent where `sent` says, else among their values.
    ///
    /// # Safety
    /// As said.
    pub(crate) unsafe fn arrive(
        &self,
        ruled: Ruled<'_>,
        first: usize,
        count: usize,
        inputs: (&Begins<*const u8>, usize),
        sent: Option<Sent<'_>>,
        room: &mut Option<Box<RoomForRules>>,
    ) {
        debug_assert!(count <= LONGEST_CHUNK);
        if ruled.is_empty() {
            return;
        }
        for batch in ruled.links {
            // SAFETY: as the caller says.
            unsafe { self.at_links(batch, first, inputs, sent) };
        }
        if ruled.nodes.is_empty() {
            return;
        }
        let room = room.get_or_insert_with(|| RoomForRules::new(self.q, self.most_values()));
        let mut rest = ruled.nodes;
        while let Some(&Arrival { kind, .. }) = rest.first() {
            // Nodes that lie alike follow each other, but for the ends of rows.
            let same = rest.iter().take_while(|arrival| arrival.kind == kind).count();
            let (some, others) = rest.split_at(same);
            rest = others;
            // SAFETY: as the caller says.
            self.kinds[kind]
                .visits
                .iter()
                .for_each(|visit| unsafe { self.visit(visit, some, first, count, room) });
            let mut row = 0;
            for part in &self.kinds[kind].parts {
                let values = |arrival: &Arrival| self.of_node(arrival).wrapping_add(row * self.values.bytes);
                let nodes = some.iter().map(|arrival| (arrival.node - first, values(arrival)));
                // SAFETY: as the caller says.
                unsafe { self.part(part, nodes, count, inputs, room) };
                row += part.values;
            }
        }
    }

    /// Does what one rule does at some nodes, of each of which there is its place in the lines and where its values begin; what it remembers comes
    /// back there.
    ///
    /// # Safety
    /// As for [`arrive`](Rules::arrive), by one who works on these nodes alone.
    pub(super) unsafe fn part(
        &self,
        part: &Part,
        nodes: impl Iterator<Item = (usize, *mut u8)>,
        count: usize,
        inputs: (&Begins<*const u8>, usize),
        room: &mut RoomForRules,
    ) {
        let mut all = std::mem::take(&mut room.nodes);
        all.extend(nodes);
        // SAFETY: as the caller says.
        unsafe { self.run(part, &all, count, inputs, room) };
        all.clear();
        room.nodes = all;
    }

    /// The same of nodes in a list.
    ///
    /// # Safety
    /// As for [`part`](Rules::part).
    unsafe fn run(
        &self,
        part: &Part,
        nodes: &[(usize, *mut u8)],
        count: usize,
        (inputs, away): (&Begins<*const u8>, usize),
        room: &mut RoomForRules,
    ) {
        let (Part { class, directions, sets, values, remembers, .. }, bytes) = (part, self.values.bytes);
        // Where what it reads lies is known anew for each chunk; nothing else is looked at.
        part.reads.iter().for_each(|&i| room.seen[i] = inputs[directions[i]].wrapping_add(away));
        if let &[(place, row)] = nodes {
            // SAFETY: as the caller says.
            return unsafe { self.alone(part, place, row, (inputs, away), room) };
        }
        let (Some(&(first, _)), Some(&(last, _))) = (nodes.first(), nodes.last()) else { return };
        debug_assert!(last < count && room.values.len() >= *values);
        let lines: *mut u8 = room.values.as_mut_ptr().cast();
        for &(place, row) in nodes {
            // SAFETY: a row has as many values, and only who works on the node writes there; there is a line for each.
            unsafe { copy_values(row, bytes, lines.wrapping_add(place * bytes), LINE, *values, bytes) };
        }
        let (seen, results) = (&room.seen, &room.results);
        let run = Run::of_lines(seen, results, last + 1, std::ptr::null());
        let fields = FieldsAt { start: lines.cast_const(), step: LINE };
        let run = Run { behind: [first * bytes; 2], direction: *class, fields, ..run };
        // SAFETY: as the caller says; values and results have lines of their own.
        unsafe {
            (part.program)(&run);
            for &(place, row) in nodes.iter().filter(|_| !remembers.is_empty()) {
                let (from, to) = (
                    lines.wrapping_add(remembers.start * LINE + place * bytes),
                    row.wrapping_add(remembers.start * bytes),
                );
                copy_values(from, LINE, to, bytes, remembers.len(), bytes);
            }
            let all = last + 1 - first == nodes.len();
            for &i in *sets {
                let (line, result) =
                    (inputs[directions[i]].cast_mut().wrapping_add(away), results[i].cast_const());
                if all {
                    let lane = first * bytes;
                    copy_bytes(result.add(lane), line.add(lane), nodes.len() * bytes);
                    continue;
                }
                for &(place, _) in nodes {
                    copy_bytes(result.add(place * bytes), line.add(place * bytes), bytes);
                }
            }
        }
    }
    /// The same of one node, whose values are taken where they lie; where that lies which the rule reads is known already.
    ///
    /// # Safety
    /// As for [`part`](Rules::part).
    unsafe fn alone(
        &self,
        part: &Part,
        place: usize,
        row: *mut u8,
        (inputs, away): (&Begins<*const u8>, usize),
        room: &mut RoomForRules,
    ) {
        let (Part { class, directions, sets, .. }, bytes) = (part, self.values.bytes);
        let lane = place * bytes;
        let (seen, results) = (&room.seen, &room.results);
        let run = Run::of_lines(seen, results, place + 1, std::ptr::null());
        let fields = FieldsAt { start: row.wrapping_sub(lane), step: bytes };
        // SAFETY: as the caller says; results have lines of their own.
        unsafe {
            (part.single)(&Run { behind: [lane; 2], direction: *class, fields, ..run });
            for &i in *sets {
                let (to, from) =
                    (inputs[directions[i]].cast_mut().wrapping_add(away), results[i].cast_const());
                copy_value(from.add(lane), to.add(lane), bytes);
            }
        }
    }
}
