//! The step of moments that marches: a thread goes through the planes of its part of the box, one after the other.
//!
//! Each plane's moments are read once. Of the populations rebuilt from them, those that move up a plane wait in registers for
//! the next one's; there they and those that stay in their plane become the few sums that wait in turn for what comes down,
//! with which the node is complete. Several nodes side by
//! side exchange what crosses along x by shuffles, so that a row is read as aligned groups only.

mod ends;

use std::collections::BTreeSet;

use lbm_core::{DeviceHalves, Expression, Facts};

use super::boundary::WITHIN_STEP;
use super::bulk::{group_ends, position, skipped};
use super::kernel::{Kernel, Threads};
use super::pieces::Pieces;
use super::plan::Work;
use super::rebuilt::needed;
use super::resource::Resource;
use super::scheme::{AXES, Scheme, around, coordinate, put};
use super::shape::March;
use super::tickets::{done, ticket, wait};
use super::walls_in_march::{Plane, WallsInMarch};

/// The kernel, as its parts know it.
struct Marching<'a> {
    pieces: &'a Pieces<'a>,
    facts: &'a Facts,
    halves: &'a DeviceHalves,
    /// Where results go.
    scheme: &'a Scheme,
    /// Where they come from.
    before: Scheme,
    nodes: usize,
    /// The axis along which it marches.
    axis: usize,
    /// Whether it does nodes at walls, too.
    walls_within: bool,
    /// Whether blocks share a multiprocessor, which bounds registers.
    bounded: bool,
    text: String,
}

/// The kernel, which does nodes at walls too if `walls_within`.
pub(super) fn march(
    pieces: &Pieces<'_>,
    halves: &DeviceHalves,
    scheme: &Scheme,
    phase: usize,
    March { axis, parts, prefetch, .. }: March,
    walls_within: bool,
) -> Kernel {
    let (facts, plan, nodes) = (pieces.facts, pieces.plan, pieces.plan.shape.nodes);
    let drifts = facts.pattern.drift().is_some();
    let mut parameters = pieces.parameters_and(&[]);
    let along = AXES[axis];
    let mut about = format!(
        "\n// A time step: each thread marches along {along} through one of {parts} parts of the box, "
    );
    about += &match nodes {
        1 => "a node wide.".to_owned(),
        _ => format!("{nodes} nodes wide."),
    };
    if walls_within {
        parameters.extend(WITHIN_STEP);
    } else if plan.walls {
        parameters.push(Resource::Skip.read());
        about += &skipped(phase);
    }
    if drifts {
        parameters.push(Resource::Progress.shared());
    }
    let threads = Threads { waits: drifts, ..Threads::of(plan.shape) };
    let mut kernel = Kernel::new(about + "\n", format!("step_{phase}"), phase, threads, parameters);
    let before = Scheme::new(facts, plan.size);
    let before = if drifts { before.before() } else { before };
    let bounded = plan.shape.blocks.is_some();
    let text = String::new();
    let mut march =
        Marching { pieces, facts, halves, scheme, before, nodes, axis, walls_within, bounded, text };
    if drifts {
        march.text += &ticket();
    }
    let mut outside = position(&mut march.text, scheme, plan, 0..axis);
    outside.extend(position(&mut march.text, scheme, plan, axis + 1..3));
    if nodes > 1 {
        march.text += &group_ends(scheme, plan);
    }
    let size = &scheme.size[axis];
    let part = |number: &str| format!("(size_t){size} * {number} / {parts}u");
    let block = scheme.block(along);
    let (begin, end) = (part(&block), part(&format!("({block} + 1u)")));
    put!(march.text, "const unsigned begin = {begin}, end = {end};");
    if plan.work == Work::Step {
        let wait = if drifts { wait(scheme, axis, parts) } else { String::new() };
        march.step(pieces.q, &outside, plan.walls, prefetch, &wait);
    } else {
        march.read_and_write(&outside);
    }
    if drifts {
        march.text += &done(axis);
    }
    kernel.body = march.text;
    kernel
}

impl Marching<'_> {
    /// `[4]`, or nothing for one node.
    fn side_by_side(&self) -> String {
        if self.nodes == 1 { String::new() } else { format!("[{}]", self.nodes) }
    }

    /// How many planes the population of a direction rises.
    fn rise(&self, i: usize) -> i32 {
        self.facts.way(i, 0)[self.axis]
    }

    fn step(&mut self, q: usize, outside: &[String], walls: bool, prefetch: bool, wait: &str) {
        let (count, moments, along) = (self.side_by_side(), self.facts.body.moments, AXES[self.axis]);
        let size = self.scheme.size[self.axis].clone();
        // A copy that drifts has the first plane as it was above the last one.
        let around = if self.facts.pattern.drift().is_some() { size.to_string() } else { "0u".to_owned() };
        self.columns_beside();
        let waiting = self.halves.waiting;
        let ups: Vec<usize> = (0..q).filter(|&i| self.rise(i) > 0).collect();
        put!(
            self.text,
            "// What waits: sums for the plane below, and populations on their way up, for the plane at hand."
        );
        put!(self.text, "real waiting{count}[{waiting}] = {{}}, rising{count}[{}] = {{}};", ups.len());
        if self.walls_within {
            let declared = self.walls().declared();
            self.text += &declared;
        }
        self.text += "#pragma unroll 1\n";
        put!(self.text, "for (unsigned number = 0; number < end - begin + 2u; ++number) {{");
        put!(self.text, "    // From the plane below the first one to that above the last.");
        put!(self.text, "    const unsigned above = begin + number;");
        put!(
            self.text,
            "    const unsigned {along} = above == 0u ? {size} - 1u : above > {size} ? {around} : above - 1u;"
        );
        put!(self.text, "    real h{count}[{q}];");
        if prefetch {
            self.prefetch(&size);
        }
        let sources = self.sources();
        for (number, &shifts) in sources.iter().enumerate() {
            self.fetch(number, shifts);
        }
        if self.nodes > 1 {
            self.fetch_ends(&sources);
        }
        for (number, &shifts) in sources.iter().enumerate() {
            self.rebuild_from(number, shifts, q);
        }
        put!(self.text, "    if (number >= 2u) {{");
        self.text += wait;
        put!(self.text, "        // The plane below is complete.");
        put!(self.text, "        const unsigned {along} = above - 2u;");
        put!(self.text, "        real after{count}[{moments}];");
        let every =
            |nodes: usize| (0..nodes).map(move |k| if nodes == 1 { String::new() } else { format!("[{k}]") });
        if self.walls_within {
            let fallen = self.walls().fallen("h", "        ");
            self.text += &fallen;
        }
        for k in every(self.nodes) {
            put!(self.text, "        late(waiting{k}, h{k}, uniforms.k, after{k});");
        }
        if self.walls_within {
            let solid = self.walls().solid("after", "        ");
            self.text += &solid;
        }
        self.leave(outside, walls && !self.walls_within);
        put!(self.text, "    }}");
        if self.walls_within {
            let own =
                sources.iter().position(|shifts| *shifts == [0, 0]).expect("a node is at its own place");
            let plane = Plane { moments: &format!("m_{own}"), h: "h", rising: "rising" };
            let bounce_back = self.walls().bounce_back(along, &plane, "        ");
            put!(self.text, "    if (number - 1u < end - begin) {{");
            self.text += &bounce_back;
            put!(self.text, "    }}");
        }
        put!(self.text, "    // What came up meets what stays; what goes up waits in its place.");
        for k in every(self.nodes) {
            for (n, i) in ups.iter().enumerate() {
                put!(
                    self.text,
                    "    {{ const real up = h{k}[{i}]; h{k}[{i}] = rising{k}[{n}]; rising{k}[{n}] = up; }}"
                );
            }
            put!(self.text, "    early(h{k}, waiting{k});");
        }
        put!(self.text, "}}");
    }

    /// Tells the caches which groups of the next plane this thread will read.
    fn prefetch(&mut self, size: &Expression) {
        let source = self.pieces.source();
        let along = AXES[self.axis];
        put!(self.text, "    const unsigned {along}_next = above >= {size} ? above - {size} : above;");
        let mut position = AXES.map(Expression::name);
        position[self.axis] = Expression::name(format!("{along}_next"));
        let place = self.before.node(position);
        put!(self.text, "    const size_t node_next = {place};");
        for n in 0..self.facts.body.moments {
            let at = self.before.value(n, Expression::name("node_next"));
            put!(self.text, "    prefetch(&{source}[{at}]);");
        }
    }

    /// What is done about walls.
    fn walls(&self) -> WallsInMarch<'_> {
        WallsInMarch {
            pieces: self.pieces,
            scheme: self.scheme,
            nodes: self.nodes,
            axis: self.axis,
            end: String::new(),
        }
    }

    /// Declares the coordinates beside, around the box.
    fn columns_beside(&mut self) {
        for axis in 0..self.axis {
            for shift in [-1, 1] {
                let beyond = if axis == 0 && shift > 0 { self.nodes as i32 - 1 } else { 0 };
                let value = around(AXES[axis], shift + beyond, &self.scheme.size[axis]);
                put!(self.text, "const unsigned {} = {value};", coordinate(axis, shift));
            }
        }
        if self.nodes > 1 {
            self.column_at_ends();
        }
    }

    /// The rows, or with one node a thread the columns, from which populations come: as shifts across the march.
    fn sources(&self) -> BTreeSet<[i32; 2]> {
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
        directions.iter().flat_map(|&i| needed(self.halves, i, self.facts.body.moments)).collect()
    }

    /// The directions that come from a row or column.
    fn directions_from(&self, shifts: [i32; 2]) -> Vec<usize> {
        (0..self.facts.lattice.q()).filter(|&i| self.source_of(i) == shifts).collect()
    }

    /// Of these directions those that cross from node to node along x.
    fn crossing(&self, directions: &[usize]) -> Vec<usize> {
        directions.iter().copied().filter(|&i| self.facts.way(i, 0)[0] != 0).collect()
    }

    /// Reads the moments of a row or column, before anything is done with those of another.
    fn fetch(&mut self, number: usize, shifts: [i32; 2]) {
        let source = self.pieces.source();
        let (count, moments, directions) =
            (self.side_by_side(), self.facts.body.moments, self.directions_from(shifts));
        let place = self.before.node(self.position(shifts));
        put!(self.text, "    const size_t node_{number} = {place};");
        put!(self.text, "    real m_{number}{count}[{moments}];");
        let mut read = self.needed(&directions);
        if self.walls_within && shifts == [0, 0] {
            // What the node has sent into walls comes from any of them.
            read.extend(0..moments);
        }
        for n in read {
            let at = self.before.value(n, Expression::name(format!("node_{number}")));
            match self.nodes {
                1 => put!(self.text, "    m_{number}[{n}] = decode({source}[{at}]);"),
                _ => put!(self.text, "    read(m_{number}, {n}, &{source}[{at}]);"),
            }
        }
    }

    /// Rebuilds what comes from a row or column.
    fn rebuild_from(&mut self, number: usize, shifts: [i32; 2], q: usize) {
        let (nodes, directions) = (self.nodes, self.directions_from(shifts));
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

    /// Stores `after` in the plane at hand, unless the thread or the node is not to.
    fn leave(&mut self, outside: &[String], walls: bool) {
        let target = self.pieces.target();
        let mut idle = outside.to_vec();
        if walls {
            let [x, y, z] = AXES.map(Expression::name);
            let [nx, ny, _] = self.scheme.size.clone();
            let number = x / self.nodes + nx / self.nodes * (y + ny * z);
            put!(self.text, "        const size_t group = {number};");
            idle.push("skip[group >> 5] >> (group & 31u) & 1u".to_owned());
        }
        let indent = if idle.is_empty() { "        " } else { "            " };
        if !idle.is_empty() {
            put!(self.text, "        if (!({})) {{", idle.join(" || "));
        }
        let place = self.scheme.node(AXES.map(Expression::name));
        put!(self.text, "{indent}const size_t node = {place};");
        for n in 0..self.facts.body.moments {
            let at = self.scheme.value(n, Expression::name("node"));
            match self.nodes {
                1 => put!(self.text, "{indent}{target}[{at}] = encode(after[{n}]);"),
                _ => put!(self.text, "{indent}write(&{target}[{at}], after, {n});"),
            }
        }
        if !idle.is_empty() {
            put!(self.text, "        }}");
        }
    }

    /// As many values in and out without any arithmetic.
    fn read_and_write(&mut self, outside: &[String]) {
        let source = self.pieces.source();
        let (count, moments, along) = (self.side_by_side(), self.facts.body.moments, AXES[self.axis]);
        put!(self.text, "for (unsigned {along} = begin; {along} < end; ++{along}) {{");
        put!(self.text, "    {{");
        put!(self.text, "        real after{count}[{moments}];");
        let place = self.before.node(AXES.map(Expression::name));
        put!(self.text, "        const size_t node_read = {place};");
        for n in 0..moments {
            let at = self.before.value(n, Expression::name("node_read"));
            match self.nodes {
                1 => put!(self.text, "        after[{n}] = decode({source}[{at}]);"),
                _ => put!(self.text, "        read(after, {n}, &{source}[{at}]);"),
            }
        }
        self.leave(outside, false);
        put!(self.text, "    }}");
        put!(self.text, "}}");
    }
}
