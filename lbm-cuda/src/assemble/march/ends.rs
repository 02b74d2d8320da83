//! What a march reads beside the groups of a warp: what crosses along x into it, and no thread of it has.

use std::collections::BTreeSet;

use lbm_core::Expression;

use super::super::scheme::{coordinate, put};
use super::Marching;

impl Marching<'_> {
    /// Declares `beside`, the column beside the group of a thread at an end of its row in a warp.
    pub(super) fn column_at_ends(&mut self) {
        let [west, east] = [-1, 1].map(|shift| coordinate(0, shift));
        if self.bounded {
            // Threads that need nothing read what the first one of their row does.
            put!(
                self.text,
                "const unsigned west = __shfl_sync(0xffffffffu, {west}, lane < threadIdx.x ? 0u : lane - threadIdx.x);"
            );
            put!(self.text, "const unsigned beside = last ? {east} : west;");
        } else {
            put!(self.text, "const unsigned beside = first ? {west} : {east};");
        }
    }

    /// Reads what lies beside the groups of a warp, for threads at its ends; no thread is at both. With a branch for these the
    /// compiler holds all that was read before it: much is under way at once, in many registers. Where these are bounded,
    /// every thread reads.
    pub(super) fn fetch_ends(&mut self, sources: &BTreeSet<[i32; 2]>) {
        let source = self.pieces.source();
        let crossing = |kernel: &Self, shifts: [i32; 2]| kernel.crossing(&kernel.directions_from(shifts));
        let ends: Vec<(usize, [i32; 2], Vec<usize>)> = sources
            .iter()
            .enumerate()
            .map(|(number, &shifts)| (number, shifts, crossing(self, shifts)))
            .filter(|(.., crossing)| !crossing.is_empty())
            .collect();
        let moments = self.facts.body.moments;
        let (none, indent) = if self.bounded { ("", "    ") } else { (" = {}", "        ") };
        for (number, ..) in &ends {
            put!(self.text, "    real e_{number}[{moments}]{none};");
        }
        if !self.bounded {
            put!(self.text, "    if (first || last) {{");
        }
        for (number, [_, y], crossing) in ends {
            let mut position = self.position([0, y]);
            position[0] = Expression::name("beside");
            let place = self.before.node(position);
            put!(self.text, "{indent}const size_t end_{number} = {place};");
            for n in self.needed(&crossing) {
                let at = self.before.value(n, Expression::name(format!("end_{number}")));
                put!(self.text, "{indent}e_{number}[{n}] = decode({source}[{at}]);");
            }
        }
        if !self.bounded {
            put!(self.text, "    }}");
        }
    }
}
