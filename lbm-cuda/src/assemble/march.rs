//! The step of moments that marches: a thread goes through the planes of its part of the box, one after the other.
//!
//! Each plane's moments are read once. Of the populations rebuilt from them, those that move up a plane wait in registers for
//! the next one's; there they and those that stay in their plane become the few sums that wait in turn for what comes down,
//! with which the node is complete. Several nodes side by
//! side exchange what crosses along x by shuffles, so that a row is read as aligned packs only.

mod sources;

use lbm_core::{Expression, Facts};

use super::boundary::within_step;
use super::bulk::{SKIPPED, of_range, pack_ends, position, skipped};
use super::kernel::{Kernel, Threads};
use super::node_fields;
use super::pieces::Pieces;
use super::plan::Work;
use super::rebuilt::Becomes;
use super::resource::Resource;
use super::scheme::{AXES, Scheme, around, coordinate, each_of, extent_of, position_at, put};
use super::shape::{March, exchange};
use super::tickets::in_order;
use super::walls_in_march::{AtPlane, WallsInMarch};

/// The kernel, as its parts know it.
struct Marching<'a> {
    pieces: &'a Pieces<'a>,
    facts: &'a Facts,
    /// Where results go.
    scheme: Scheme,
    /// Where they come from.
    before: Scheme,
    nodes: usize,
    /// The axis along which it marches.
    axis: usize,
    /// Whether blocks share a multiprocessor, which bounds registers.
    bounded: bool,
    /// What becomes of populations that meet.
    becomes: Becomes,
    text: String,
}

/// Declares `begin` and `end`, the planes of a block's part of the box, or of the range of it that a launch does.
fn part(scheme: &Scheme, axis: usize, parts: u32) -> String {
    let mut text = String::new();
    let (size, along, block) = (&scheme.size[axis], AXES[axis], scheme.block(AXES[axis]));
    let plane = |number: &str| match scheme.range {
        None => format!("(size_t){size} * {number} / {parts}u"),
        Some(_) => {
            format!("range_begin + (size_t)(range_end - range_begin) * {number} / gridDim.{along}")
        }
    };
    let (begin, end) = (plane(&block), plane(&format!("({block} + 1u)")));
    put!(text, "const unsigned begin = {begin}, end = {end};");
    text
}

/// What came up to a plane meets what stays there; what goes up waits in its place. `k` names a node, `end` a step, `early` the function.
pub(super) fn met(early: &str, ups: &[usize], k: &str, end: &str) -> String {
    let (mut text, h) = (String::new(), format!("h{end}{k}"));
    for (n, i) in ups.iter().enumerate() {
        let rising = format!("rising{end}{k}[{n}]");
        put!(text, "    {{ const real up = {h}[{i}]; {h}[{i}] = {rising}; {rising} = up; }}");
    }
    put!(text, "    {early}({h}, waiting{end}{k});");
    text
}

/// The kernel; in an `ordered` march parts wait for those before them.
pub(super) fn march(
    pieces: &Pieces<'_>,
    March { axis, parts, prefetch, .. }: March,
    ordered: bool,
    becomes: Becomes,
    phase: usize,
) -> Kernel {
    let [name, does] = becomes.kernel();
    let (facts, plan, nodes, along) = (pieces.facts, pieces.plan, pieces.plan.shape.nodes, AXES[axis]);
    let range = plan.ranges_along(facts).filter(|_| !ordered && becomes == Becomes::Moments);
    let scheme = pieces.scheme().with_tickets(ordered).in_ranges(range);
    let [ticket, wait, done] = if ordered { in_order(&scheme, axis, parts) } else { Default::default() };
    let wide = if nodes == 1 { "a node wide.".to_owned() } else { format!("{nodes} nodes wide.") };
    let mut about = format!(
        "\n// {does}: each thread marches along {along} through one of {parts} parts of the box, {wide}"
    );
    let mut parameters = pieces.parameters_and(&becomes.parameters(pieces));
    if pieces.walls_within {
        parameters.extend(within_step(pieces));
    } else if plan.walls {
        parameters.push(Resource::Skip.read());
        about += &skipped(phase);
    }
    parameters.extend(ordered.then_some(Resource::Progress.shared()));
    let walls = WallsInMarch { pieces, scheme: &scheme, shape: plan.shape, nodes, axis, step: 0, others: 0 };
    let shared_bytes = if pieces.walls_within && plan.work == Work::Step { walls.bytes() } else { 0 };
    let mut threads = Threads { waits: ordered, shared_bytes, ..Threads::of(plan.shape) };
    parameters.extend(of_range(&scheme, &mut threads));
    let mut kernel = Kernel::new(about + "\n", format!("{name}_{phase}"), phase, threads, parameters);
    let mut text = ticket;
    let outside = position(&mut text, &scheme, plan, (0..3).filter(|&other| other != axis));
    if nodes > 1 {
        text += &pack_ends(&scheme, plan);
    }
    text += &part(&scheme, axis, parts);
    let (before, bounded) = (pieces.scheme().before(), plan.shape.blocks.is_some());
    let mut march = Marching { pieces, facts, scheme, before, nodes, axis, bounded, becomes, text };
    if plan.work == Work::Step {
        march.step(&outside, prefetch, &wait);
    } else {
        march.read_and_write(&outside);
    }
    kernel.body = march.text + &done;
    kernel
}

impl Marching<'_> {
    fn step(&mut self, outside: &[String], prefetch: bool, wait: &str) {
        let (count, along, becomes) = (extent_of(self.nodes), AXES[self.axis], self.becomes);
        let [early, late] = becomes.parts();
        let (q, size, within) =
            (self.pieces.q, self.scheme.size[self.axis].clone(), self.pieces.walls_within);
        // The first plane as it was, for the last one; a march goes upwards in all phases.
        let [_, around] = self.facts.rings.kept(0, size.clone());
        self.columns_beside();
        let (waiting, ups) = (becomes.waiting(self.pieces), self.walls().directions(1));
        put!(
            self.text,
            "// What waits: sums for the plane below, and populations on their way up, for the plane at hand."
        );
        put!(self.text, "real waiting{count}[{waiting}] = {{}}, rising{count}[{}] = {{}};", ups.len());
        if within {
            put!(self.text, "{}", exchange(self.facts));
            self.text += &(self.walls().declared() + &self.walls().waiting());
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
        if within {
            self.special();
        }
        // Between walls the own row or column comes last: what it sends into them is taken first.
        let is_last = |shifts: &[i32; 2]| within && *shifts == [0, 0];
        for (number, &shifts) in sources.iter().enumerate().filter(|(_, shifts)| !is_last(shifts)) {
            self.rebuild_from(number, shifts);
        }
        if let Some(own) = sources.iter().position(is_last) {
            self.rebuild_own(own);
        }
        put!(self.text, "    if (number >= 2u) {{");
        self.text += wait;
        put!(self.text, "        // The plane below is complete.");
        put!(self.text, "        const unsigned {along} = above - 2u;");
        let array = becomes.array();
        put!(self.text, "        real {array}{count}[{}];", becomes.values(self.facts));
        self.text += &becomes.fields(self.pieces, &self.scheme, self.nodes);
        for k in each_of(self.nodes) {
            let fields = node_fields::handed(self.pieces, &k);
            put!(self.text, "        {late}(waiting{k}, h{k}, uniforms.k, {fields}{array}{k});");
        }
        if within {
            self.text += &self.walls().solid(becomes, 0, "        ");
        }
        self.leave(outside, self.pieces.plan.walls && !within);
        put!(self.text, "    }}");
        put!(self.text, "    // What came up meets what stays; what goes up waits in its place.");
        self.text.extend(each_of(self.nodes).map(|k| met(early, &ups, &k, "")));
        put!(self.text, "}}");
    }

    /// Tells the caches which packs of the next plane this thread will read.
    fn prefetch(&mut self, size: &Expression) {
        let source = self.pieces.source();
        let along = AXES[self.axis];
        put!(self.text, "    const unsigned {along}_next = above >= {size} ? above - {size} : above;");
        let next = position_at(self.axis, Expression::name(format!("{along}_next")));
        put!(self.text, "    const size_t node_next = {};", self.before.node(next));
        for (_, at) in self.before.values("node_next", self.facts.body.moments) {
            put!(self.text, "    prefetch(&{source}[{at}]);");
        }
    }

    /// What is done about walls.
    fn walls(&self) -> WallsInMarch<'_> {
        let Marching { pieces, nodes, axis, ref scheme, .. } = *self;
        WallsInMarch { pieces, scheme, shape: pieces.plan.shape, nodes, axis, step: 0, others: 0 }
    }

    /// Reads which nodes lists know, of planes of the thread's part.
    fn special(&mut self) {
        if let Some(bits) = self.walls().special_at(AXES[self.axis]) {
            put!(self.text, "    special <<= {};", self.nodes);
            put!(self.text, "    if (number - 1u < end - begin) special |= {bits};");
        }
    }

    /// Rebuilds what comes from the row or column at the node's own place, and what comes back from walls.
    fn rebuild_own(&mut self, own: usize) {
        let sent = |i: usize, k: usize| match self.nodes {
            1 => format!("rebuild_{i}(m_{own})"),
            _ => format!("rebuild_{i}(m_{own}[{k}])"),
        };
        let size = &self.scheme.size[self.axis];
        let plane = AtPlane {
            along: AXES[self.axis].to_owned(),
            first: "above == 1u".to_owned(),
            last: format!("above == {size}"),
            after_last: format!("above == {size} + 1u"),
            below: 0,
        };
        let all: Vec<usize> = (0..self.pieces.q).collect();
        let from_walls = self.walls().back_from_walls(&all, &plane, true, &sent, "    ");
        self.text += &from_walls;
        self.rebuild_from(own, [0, 0]);
        let picked_up = self.walls().pick_up(&plane, "    ");
        self.text += &picked_up;
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

    /// Stores what was made in the plane at hand, unless the thread or the node is not to.
    fn leave(&mut self, outside: &[String], walls: bool) {
        let mut idle = outside.to_vec();
        if walls {
            let number = self.scheme.number(AXES.map(Expression::name), self.nodes);
            put!(self.text, "        const size_t pack = {number};");
            idle.push(SKIPPED.to_owned());
        }
        let indent = if idle.is_empty() { "        " } else { "            " };
        if !idle.is_empty() {
            put!(self.text, "        if (!({})) {{", idle.join(" || "));
        }
        if self.becomes == Becomes::Fields {
            self.text += &node_fields::written(self.pieces, &self.scheme, self.nodes, 0);
        } else {
            self.leave_moments(indent);
        }
        if !idle.is_empty() {
            put!(self.text, "        }}");
        }
    }

    /// Stores moments in the plane at hand.
    fn leave_moments(&mut self, indent: &str) {
        let target = self.pieces.target();
        put!(self.text, "{indent}const size_t node = {};", self.scheme.here());
        for (n, at) in self.scheme.values("node", self.facts.body.moments) {
            match self.nodes {
                1 => put!(self.text, "{indent}{target}[{at}] = encode(after[{n}]);"),
                _ => put!(self.text, "{indent}write(&{target}[{at}], after, {n});"),
            }
        }
    }

    /// As many values in and out without any arithmetic.
    fn read_and_write(&mut self, outside: &[String]) {
        let (count, moments, along) = (extent_of(self.nodes), self.facts.body.moments, AXES[self.axis]);
        put!(self.text, "for (unsigned {along} = begin; {along} < end; ++{along}) {{");
        put!(self.text, "    {{");
        put!(self.text, "        real after{count}[{moments}];");
        put!(self.text, "        const size_t node_read = {};", self.before.here());
        self.read("after", 0..moments, "node_read", "        ");
        self.leave(outside, false);
        put!(self.text, "    }}");
        put!(self.text, "}}");
    }
}
