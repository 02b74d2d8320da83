//! The step of moments that marches: a thread goes through the planes of its part of the box, one after the other.
//!
//! Each plane's moments are read once. Of the populations rebuilt from them, those that move up a plane wait in registers for
//! two planes, those that stay in it for one, and with those that come down the node is complete. Several nodes side by
//! side exchange what crosses along x by shuffles, so that a row is read as aligned groups only.

use std::collections::BTreeSet;

use lbm_core::{DeviceHalves, Expression, Facts};

use super::bulk::{group_ends, position};
use super::rebuilt::needed;
use super::scheme::{Scheme, around, coordinate, line, signature};
use super::shape::{March, Shape};
use super::step::{Pieces, Plan, Work, parameters};

/// The names of the three coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// The kernel, as its parts know it.
struct Marching<'a> {
    facts: &'a Facts,
    halves: &'a DeviceHalves,
    scheme: &'a Scheme,
    nodes: usize,
    /// The axis along which it marches.
    axis: usize,
    text: String,
}

/// The kernel.
pub(super) fn march(
    facts: &Facts,
    pieces: &Pieces,
    halves: &DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
    March { axis, parts }: March,
) -> String {
    let Shape { nodes, block, blocks, .. } = plan.shape;
    let threads = block.iter().product::<u32>();
    let bounds = blocks.map_or_else(|| threads.to_string(), |blocks| format!("{threads}, {blocks}"));
    let mut parameters = parameters(facts, plan);
    let along = AXES[axis];
    let mut head = format!(
        "\n// A time step: each thread marches along {along} through one of {parts} parts of the box, "
    );
    head += &match nodes {
        1 => "a node wide.".to_owned(),
        _ => format!("{nodes} nodes wide."),
    };
    if plan.walls {
        parameters.push("const unsigned* __restrict__ skip");
        head += " Nodes whose bit of `skip` is set are left to `boundary_0`.";
    }
    head += "\n";
    head += &signature(&bounds, "step_0", &parameters);
    let mut kernel = Marching { facts, halves, scheme, nodes, axis, text: head };
    if plan.work == Work::Nothing {
        return kernel.text + "}\n";
    }
    let mut outside = position(&mut kernel.text, scheme, plan, 0..axis);
    outside.extend(position(&mut kernel.text, scheme, plan, axis + 1..3));
    if nodes > 1 {
        kernel.text += &group_ends(scheme, plan);
    }
    let size = &scheme.size[axis];
    let part = |number: &str| format!("(size_t){size} * {number} / {parts}u");
    let (begin, end) = (part(&format!("blockIdx.{along}")), part(&format!("(blockIdx.{along} + 1u)")));
    kernel.line(format_args!("const unsigned begin = {begin}, end = {end};"));
    if plan.work == Work::Step {
        kernel.step(pieces.q, &outside, plan.walls);
    } else {
        kernel.read_and_write(&outside);
    }
    kernel.text + "}\n"
}

impl Marching<'_> {
    fn line(&mut self, content: std::fmt::Arguments<'_>) {
        line(&mut self.text, content);
    }

    /// `[4]`, or nothing for one node.
    fn side_by_side(&self) -> String {
        if self.nodes == 1 { String::new() } else { format!("[{}]", self.nodes) }
    }

    /// The component of a direction along the march.
    fn rise(&self, i: usize) -> i32 {
        self.facts.lattice.velocities[i][self.axis]
    }

    fn step(&mut self, q: usize, outside: &[String], walls: bool) {
        let (count, moments, along) = (self.side_by_side(), self.facts.moments, AXES[self.axis]);
        let size = self.scheme.size[self.axis].clone();
        self.columns_beside();
        self.line(format_args!(
            "// Populations that wait: for the next plane's, and for those of the plane after that."
        ));
        self.line(format_args!("real waiting{count}[{q}] = {{}}, rising{count}[{q}] = {{}};"));
        self.text += "#pragma unroll 1\n";
        self.line(format_args!("for (unsigned number = 0; number < end - begin + 2u; ++number) {{"));
        self.line(format_args!("    // From the plane below the first one to that above the last."));
        self.line(format_args!("    const unsigned above = begin + number;"));
        self.line(format_args!(
            "    const unsigned {along} = above == 0u ? {size} - 1u : above > {size} ? 0u : above - 1u;"
        ));
        self.line(format_args!("    real h{count}[{q}];"));
        for shifts in self.sources() {
            self.rebuild_from(shifts, q);
        }
        self.line(format_args!("    if (number >= 2u) {{"));
        self.line(format_args!("        // The plane below is complete."));
        self.line(format_args!("        const unsigned {along} = above - 2u;"));
        self.line(format_args!("        real after{count}[{moments}];"));
        let every =
            |nodes: usize| (0..nodes).map(move |k| if nodes == 1 { String::new() } else { format!("[{k}]") });
        let come_down: Vec<usize> = (0..q).filter(|&i| self.rise(i) < 0).collect();
        for k in every(self.nodes) {
            for &i in &come_down {
                self.line(format_args!("        waiting{k}[{i}] = h{k}[{i}];"));
            }
            self.line(format_args!("        gather(waiting{k}, uniforms.k, after{k});"));
        }
        self.leave(outside, walls);
        self.line(format_args!("    }}"));
        for k in every(self.nodes) {
            for i in (0..q).filter(|&i| self.rise(i) >= 0).collect::<Vec<_>>() {
                let from = if self.rise(i) > 0 { "rising" } else { "h" };
                self.line(format_args!("    waiting{k}[{i}] = {from}{k}[{i}];"));
            }
            for i in (0..q).filter(|&i| self.rise(i) > 0).collect::<Vec<_>>() {
                self.line(format_args!("    rising{k}[{i}] = h{k}[{i}];"));
            }
        }
        self.line(format_args!("}}"));
    }

    /// Declares the coordinates beside, around the box.
    fn columns_beside(&mut self) {
        for axis in 0..self.axis {
            for shift in [-1, 1] {
                let beyond = if axis == 0 && shift > 0 { self.nodes as i32 - 1 } else { 0 };
                let value = around(AXES[axis], shift + beyond, &self.scheme.size[axis]);
                self.line(format_args!("const unsigned {} = {value};", coordinate(axis, shift)));
            }
        }
    }

    /// The rows, or with one node a thread the columns, from which populations come: as shifts across the march.
    fn sources(&self) -> BTreeSet<[i32; 2]> {
        let velocities = self.facts.lattice.velocities.iter();
        velocities.map(|c| self.source_of(*c)).collect()
    }

    /// The shift to the row or column that a direction comes from.
    fn source_of(&self, c: [i32; 3]) -> [i32; 2] {
        let x = if self.nodes == 1 { -c[0] } else { 0 };
        [x, if self.axis == 2 { -c[1] } else { 0 }]
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
        directions.iter().flat_map(|&i| needed(self.halves, i, self.facts.moments)).collect()
    }

    /// Rebuilds what comes from a row or column.
    fn rebuild_from(&mut self, shifts: [i32; 2], q: usize) {
        let velocities = self.facts.lattice.velocities;
        let directions: Vec<usize> = (0..q).filter(|&i| self.source_of(velocities[i]) == shifts).collect();
        let (nodes, moments) = (self.nodes, self.facts.moments);
        let place = self.scheme.node(self.position(shifts));
        self.line(format_args!("    {{"));
        self.line(format_args!("        const size_t node = {place};"));
        if nodes == 1 {
            self.line(format_args!("        real m[{moments}];"));
            self.read_one(&directions, "        ");
            for i in directions {
                self.line(format_args!("        h[{i}] = rebuild_{i}(m);"));
            }
            self.line(format_args!("    }}"));
            return;
        }
        self.line(format_args!("        real m[{nodes}][{moments}];"));
        for n in self.needed(&directions) {
            let at = self.scheme.value(n, Expression::name("node"));
            self.line(format_args!("        read(m, {n}, &source[{at}]);"));
        }
        let (crossing, staying): (Vec<usize>, Vec<usize>) =
            directions.into_iter().partition(|&i| velocities[i][0] != 0);
        for i in staying {
            (0..nodes).for_each(|k| self.line(format_args!("        h[{k}][{i}] = rebuild_{i}(m[{k}]);")));
        }
        if !crossing.is_empty() {
            self.line(format_args!("        real leaving[{nodes}][{q}], end[{q}];"));
            for &i in &crossing {
                (0..nodes).for_each(|k| {
                    self.line(format_args!("        leaving[{k}][{i}] = rebuild_{i}(m[{k}]);"))
                });
                self.line(format_args!("        end[{i}] = 0;"));
            }
            for (flag, way, x) in [("first", 1, -1), ("last", -1, 1)] {
                let through: Vec<usize> =
                    crossing.iter().copied().filter(|&i| velocities[i][0] == way).collect();
                let place = self.scheme.node(self.position([x, shifts[1]]));
                self.line(format_args!("        if ({flag}) {{"));
                self.line(format_args!("            const size_t node = {place};"));
                self.line(format_args!("            real m[{moments}];"));
                self.read_one(&through, "            ");
                for i in through {
                    self.line(format_args!("            end[{i}] = rebuild_{i}(m);"));
                }
                self.line(format_args!("        }}"));
            }
            for i in crossing {
                let (way, flag) = if velocities[i][0] > 0 { ("west", "first") } else { ("east", "last") };
                self.line(format_args!("        arrive_from_{way}(h, {i}, leaving, end[{i}], {flag});"));
            }
        }
        self.line(format_args!("    }}"));
    }

    /// Reads the moments of one node that these directions need.
    fn read_one(&mut self, directions: &[usize], indent: &str) {
        for n in self.needed(directions) {
            let at = self.scheme.value(n, Expression::name("node"));
            self.line(format_args!("{indent}m[{n}] = decode(source[{at}]);"));
        }
    }

    /// Stores `after` in the plane at hand, unless the thread or the node is not to.
    fn leave(&mut self, outside: &[String], walls: bool) {
        let mut idle = outside.to_vec();
        if walls {
            let [x, y, z] = AXES.map(Expression::name);
            let [nx, ny, _] = self.scheme.size.clone();
            let number = x / self.nodes + nx / self.nodes * (y + ny * z);
            self.line(format_args!("        const size_t group = {number};"));
            idle.push("skip[group >> 5] >> (group & 31u) & 1u".to_owned());
        }
        let indent = if idle.is_empty() { "        " } else { "            " };
        if !idle.is_empty() {
            self.line(format_args!("        if (!({})) {{", idle.join(" || ")));
        }
        let place = self.scheme.node(AXES.map(Expression::name));
        self.line(format_args!("{indent}const size_t node = {place};"));
        for n in 0..self.facts.moments {
            let at = self.scheme.value(n, Expression::name("node"));
            match self.nodes {
                1 => self.line(format_args!("{indent}target[{at}] = encode(after[{n}]);")),
                _ => self.line(format_args!("{indent}write(&target[{at}], after, {n});")),
            }
        }
        if !idle.is_empty() {
            self.line(format_args!("        }}"));
        }
    }

    /// As many values in and out without any arithmetic.
    fn read_and_write(&mut self, outside: &[String]) {
        let (count, moments, along) = (self.side_by_side(), self.facts.moments, AXES[self.axis]);
        self.line(format_args!("for (unsigned {along} = begin; {along} < end; ++{along}) {{"));
        self.line(format_args!("    {{"));
        self.line(format_args!("        real after{count}[{moments}];"));
        let place = self.scheme.node(AXES.map(Expression::name));
        self.line(format_args!("        const size_t node_read = {place};"));
        for n in 0..moments {
            let at = self.scheme.value(n, Expression::name("node_read"));
            match self.nodes {
                1 => self.line(format_args!("        after[{n}] = decode(source[{at}]);")),
                _ => self.line(format_args!("        read(after, {n}, &source[{at}]);")),
            }
        }
        self.leave(outside, false);
        self.line(format_args!("    }}"));
        self.line(format_args!("}}"));
    }
}
