//! The rows and columns that a march reads in a plane, and what is rebuilt from them.

use std::collections::BTreeSet;

use lbm_core::Expression;

use super::super::rebuilt::needed;
use super::super::scheme::{AXES, coordinate, extent_of, put};
use super::Marching;

impl Marching<'_> {
    /// The rows, or with one node a thread the columns, from which populations come: as shifts across the march.
    pub(super) fn sources(&self) -> BTreeSet<[i32; 2]> {
        (0..self.facts.lattice.q()).map(|i| self.source_of(i)).collect()
    }

    /// The shift to the row or column that a direction comes from.
    fn source_of(&self, i: usize) -> [i32; 2] {
        let [x, y, _] = self.facts.read(i, 0).shift;
        [if self.nodes == 1 { x } else { 0 }, if self.axis == 2 { y } else { 0 }]
    }

    /// The position of a row or column in the present plane.
    fn position(&self, [x, y]: [i32; 2]) -> [Expression; 3] {
        std::array::from_fn(|axis| match axis {
            0 => Expression::name(coordinate(0, x)),
            1 if self.axis == 2 => Expression::name(coordinate(1, y)),
            _ => Expression::name(AXES[axis]),
        })
    }

    /// The moments that these directions are rebuilt from.
    fn needed(&self, directions: &[usize]) -> BTreeSet<usize> {
        directions.iter().flat_map(|&i| needed(self.pieces, i)).collect()
    }

    /// The directions that come from a row or column.
    fn directions_from(&self, shifts: [i32; 2]) -> Vec<usize> {
        (0..self.facts.lattice.q()).filter(|&i| self.source_of(i) == shifts).collect()
    }

    /// Of these directions those that cross from node to node along x.
    fn crossing(&self, directions: &[usize]) -> Vec<usize> {
        directions.iter().copied().filter(|&i| self.facts.way(i, 0)[0] != 0).collect()
    }

    /// Reads moments of a node, or of those side by side, into an array.
    pub(super) fn read(
        &mut self,
        into: &str,
        moments: impl IntoIterator<Item = usize>,
        node: &str,
        indent: &str,
    ) {
        let source = self.pieces.source();
        for n in moments {
            let at = self.before.value(n, Expression::name(node));
            match self.nodes {
                1 => put!(self.text, "{indent}{into}[{n}] = decode({source}[{at}]);"),
                _ => put!(self.text, "{indent}read({into}, {n}, &{source}[{at}]);"),
            }
        }
    }

    /// Reads the moments of a row or column, before anything is done with those of another.
    pub(super) fn fetch(&mut self, number: usize, shifts: [i32; 2]) {
        let (count, moments) = (extent_of(self.nodes), self.facts.body.moments);
        let place = self.before.node(self.position(shifts));
        put!(self.text, "    const size_t node_{number} = {place};");
        put!(self.text, "    real m_{number}{count}[{moments}];");
        let mut read = self.needed(&self.directions_from(shifts));
        if self.pieces.walls_within && shifts == [0, 0] {
            // What the node has sent into walls comes from any of them.
            read.extend(0..moments);
        }
        self.read(&format!("m_{number}"), read, &format!("node_{number}"), "    ");
    }

    /// Declares `beside`, the column beside the pack of a thread at an end of its row in a warp.
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

    /// Reads what lies beside the packs of a warp, for threads at its ends; no thread is at both. With a branch for these the
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

    /// Rebuilds what comes from a row or column.
    pub(super) fn rebuild_from(&mut self, number: usize, shifts: [i32; 2]) {
        let (q, nodes, directions) = (self.pieces.q, self.nodes, self.directions_from(shifts));
        if nodes == 1 {
            directions.iter().for_each(|i| put!(self.text, "    h[{i}] = rebuild_{i}(m_{number});"));
            return;
        }
        let crossing = self.crossing(&directions);
        for i in directions.iter().filter(|i| !crossing.contains(i)) {
            (0..nodes).for_each(|k| put!(self.text, "    h[{k}][{i}] = rebuild_{i}(m_{number}[{k}]);"));
        }
        if crossing.is_empty() {
            return;
        }
        put!(self.text, "    {{");
        put!(self.text, "        real leaving[{nodes}][{q}];");
        for &i in &crossing {
            (0..nodes)
                .for_each(|k| put!(self.text, "        leaving[{k}][{i}] = rebuild_{i}(m_{number}[{k}]);"));
        }
        for i in crossing {
            let to_east = self.facts.way(i, 0)[0] > 0;
            let (way, flag) = if to_east { ("west", "first") } else { ("east", "last") };
            put!(self.text, "        arrive_from_{way}(h, {i}, leaving, rebuild_{i}(e_{number}), {flag});");
        }
        put!(self.text, "    }}");
    }
}
