//! Fields that follow on the way go to all columns beside, and what a node holds until it knows those around it waits.
//!
//! In a block of several rows both lie in shared memory, where they take no registers; a block that is one row shuffles, and keeps them in registers.

use lbm_core::Facts;

use super::super::scheme::put;
use super::{Exchange, MARGIN, ROW};

/// Planes of fields at hand: the three that a node reads, and that to which somebody writes meanwhile.
const PLANES: usize = 4;

/// Planes of which something is held: that which collides now, and the one above.
const HELD_PLANES: usize = 2;

/// Values of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OfFields {
    /// Fields that neighbours read.
    fields: usize,
    /// What is held until those around are known.
    held: usize,
}

/// Fields of a plane take the place of those four planes before. These were read a plane ago, before all sent the populations for which a thread
/// has waited when it sends fields.
impl<'a> Exchange<'a> {
    /// The same with fields that follow on the way.
    pub(in crate::assemble) fn with_fields(self, facts: &Facts) -> Exchange<'a> {
        let around = facts.body.text.and_then(|text| text.halves?.parts.around_fields);
        let fields = facts.body.derivations.first().map_or(0, |first| first.fields.len());
        let of_fields = OfFields { fields, held: around.map_or(0, |around| around.held) };
        Exchange { of_fields, ..self }
    }

    /// Values of shared memory for them.
    pub(super) fn values_of_fields(&self) -> usize {
        match self.of_fields.fields {
            0 => 0,
            _ => PLANES * self.field_plane() + HELD_PLANES * self.held_plane(),
        }
    }

    /// Values from a plane of fields to the next one.
    fn field_plane(&self) -> usize {
        self.of_fields.fields * self.threads + MARGIN as usize
    }

    /// Values from a plane of what is held to the next one.
    fn held_plane(&self) -> usize {
        self.of_fields.held * self.threads
    }

    /// Whether a block is one row.
    pub(in crate::assemble) fn is_row(&self) -> bool {
        self.across.is_empty()
    }

    /// Before the march: where they wait, in registers with those of the columns beside.
    pub(in crate::assemble) fn opened_fields(&self) -> String {
        let (mut text, OfFields { fields, held }) = (String::new(), self.of_fields);
        if self.is_row() {
            let planes: Vec<_> = (0..3).map(|plane| format!("around_{plane}[{fields}][3] = {{}}")).collect();
            put!(text, "real {};", planes.join(", "));
            put!(text, "real held[{held}] = {{}}, held_below[{held}] = {{}};");
        } else {
            let [fields, held] = [2 * self.half(), 2 * self.half() + PLANES * self.field_plane()];
            put!(text, "real* const own_fields = exchange + {fields}u + me;");
            put!(text, "real* const own_held = exchange + {held}u + me;");
        }
        text
    }

    /// Waits for the fields of the plane that was completed last, so that those of three planes are known.
    pub(in crate::assemble) fn taken_fields(&self) -> String {
        let (mut text, plane) = (self.waited(self.steps), self.field_plane());
        for n in (0..3).filter(|_| !self.is_row()) {
            // Counted from the first of the three, of four in turn.
            let turn = n + 1;
            put!(text, "    const real* const around_{n} = own_fields + (number + {turn}u & 3u) * {plane}u;");
        }
        text
    }

    /// Where a field of the node so far away is, of the plane in the middle of three.
    pub(in crate::assemble) fn field(&self, field: usize, [x, y, z]: [i32; 3]) -> String {
        match self.is_row() {
            true => format!("around_{}[{field}][{}]", y + 1, x + 1),
            false => format!("around_{}[{}]", z + 1, (field * self.threads) as i32 + x + ROW as i32 * y),
        }
    }

    /// Sends the fields of a plane that is complete.
    pub(in crate::assemble) fn sent_fields(&self, derived: &str) -> String {
        let (mut text, plane) = (String::new(), self.field_plane());
        for n in 0..self.of_fields.fields {
            if !self.is_row() {
                let at = n * self.threads;
                put!(text, "    own_fields[(number & 3u) * {plane}u + {at}u] = {derived}[{n}];");
                continue;
            }
            for (below, above) in [(0, 1), (1, 2)] {
                (0..3).for_each(|side| {
                    put!(text, "    around_{below}[{n}][{side}] = around_{above}[{n}][{side}];")
                });
            }
            put!(text, "    around_2[{n}][0] = __shfl_up_sync(0xffffffffu, {derived}[{n}], 1);");
            put!(text, "    around_2[{n}][1] = {derived}[{n}];");
            put!(text, "    around_2[{n}][2] = __shfl_down_sync(0xffffffffu, {derived}[{n}], 1);");
        }
        text + &self.said(self.steps)
    }

    /// Holds what a statement puts to `held`, of the plane that is complete.
    pub(in crate::assemble) fn held(&self, statement: &str) -> String {
        let (mut text, held) = (String::new(), self.of_fields.held);
        if self.is_row() {
            (0..held).for_each(|n| put!(text, "    held_below[{n}] = held[{n}];"));
            put!(text, "    {statement}");
            return text;
        }
        put!(text, "    {{");
        put!(text, "        real held[{held}];");
        put!(text, "        {statement}");
        for n in 0..held {
            let [plane, at] = [self.held_plane(), n * self.threads];
            put!(text, "        own_held[(number & 1u) * {plane}u + {at}u] = held[{n}];");
        }
        put!(text, "    }}");
        text
    }

    /// Declares `held_below`, what was held of the plane that collides, if it is not at hand.
    pub(in crate::assemble) fn taken_held(&self) -> String {
        let (mut text, held) = (String::new(), self.of_fields.held);
        if !self.is_row() {
            put!(text, "        real held_below[{held}];");
            for n in 0..held {
                let [plane, at] = [self.held_plane(), n * self.threads];
                put!(text, "        held_below[{n}] = own_held[(number & 1u) * {plane}u + {at}u];");
            }
        }
        text
    }
}
