//! Several steps of moments in one pass over memory.
//!
//! A block marches through the planes of its part of the box, a column a thread. What it reads is a plane's moments; of these
//! it makes, as one step does, those of the plane below a step later, which stay in registers; of those, with the next plane, the
//! plane below, another step later; and the last it stores. Populations go to the columns beside by shuffles along x and through
//! shared memory along y. Between the moment when a warp has sent and that when it needs what others sent, it does what there is
//! to do of another step, so that warps hardly ever wait for each other (`meeting.cuh`). The columns at the block's sides get
//! what nobody sent, and each step spoils one column more, so as many at each side as there are steps only serve the others, and
//! store nothing. So do as many planes at each end.

use lbm_core::{DeviceHalves, Expression, Facts};

use super::boundary::INSIDE;
use super::inside::{Inside, Plane};
use super::scheme::{AXES, Scheme, line, signature};
use super::shape::{March, Shape};
use super::step::{Pieces, Plan, Work, parameters};

/// Threads of a row: a warp.
const ROW: u32 = 32;

/// Values before and after those of each step and half, to which nobody writes. A thread at the side of a block reads where one
/// beside it would have written, so that all threads read at the same distance: there it finds what the same step was sent in
/// another direction, or a margin, which serves nobody. It never reads what another step or half was sent, where others may
/// write at the same time.
const MARGIN: u32 = ROW + 1;

/// Bytes of shared memory that a block takes.
pub(crate) fn shared_bytes(facts: &Facts, shape: &Shape) -> u32 {
    match shape.march {
        Some(March { halo: 1.., axis, .. }) => Exchange::new(facts, shape, axis).bytes(),
        _ => 0,
    }
}

/// What the threads of a block send each other, in two halves in turn.
///
/// Nobody reads before it has waited for those who wrote. Nobody overwrites what others still read: the first step is sent
/// something in the same half two planes later, and in between all have said that they sent it the plane between, which they do
/// after they have read; a later step is sent something after waiting for the step before in the same plane, for which all have
/// sent after they had read the later step's plane before.
struct Exchange<'a> {
    facts: &'a Facts,
    /// The directions that go to other rows of the block: through shared memory.
    across: Vec<usize>,
    /// Threads of the block.
    threads: usize,
}

impl Exchange<'_> {
    fn new<'a>(facts: &'a Facts, shape: &Shape, axis: usize) -> Exchange<'a> {
        let velocities = facts.lattice.velocities.iter().enumerate();
        let across = velocities.filter(|(_, c)| axis == 2 && c[1] != 0).map(|(i, _)| i).collect();
        Exchange { facts, across, threads: shape.block.iter().product::<u32>() as usize }
    }

    fn bytes(&self) -> u32 {
        let values = if self.across.is_empty() { 0 } else { 2 * self.half() as u32 + MARGIN };
        values * self.facts.precision.arithmetic.bytes() as u32
    }

    /// Values of which there are two halves.
    fn half(&self) -> usize {
        self.slot(self.facts.streaming.steps_at_once.unwrap_or(1), 0)
    }

    /// Where the `n`th direction of a step lies.
    fn slot(&self, step: usize, n: usize) -> usize {
        (step * self.across.len() + n) * self.threads + step * MARGIN as usize
    }

    /// Text that is needed outside of the kernel.
    fn functions(&self) -> &'static str {
        if self.across.is_empty() { "" } else { concat!("\n", include_str!("meeting.cuh")) }
    }

    /// Before the march: nothing was sent yet.
    fn opened(&self) -> String {
        let (mut text, steps) = (String::new(), self.facts.streaming.steps_at_once.unwrap_or(1));
        if self.across.is_empty() {
            return text;
        }
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        put(format_args!("extern __shared__ real exchange[];"));
        put(format_args!("const unsigned me = {MARGIN}u + threadIdx.x + {ROW}u * threadIdx.y;"));
        put(format_args!("__shared__ unsigned long long meetings[{steps}];"));
        put(format_args!("if (threadIdx.x == 0u && threadIdx.y == 0u) {{"));
        let warps = self.threads / ROW as usize;
        (0..steps).for_each(|s| put(format_args!("    open_meeting(&meetings[{s}], {warps}u);")));
        put(format_args!("}}"));
        put(format_args!("__syncthreads();"));
        put(format_args!("// The first plane of a later step is nobody's."));
        for s in 1..steps {
            (0..self.across.len())
                .for_each(|n| put(format_args!("exchange[me + {}u] = 0;", self.slot(s, n))));
            put(format_args!("say_sent(&meetings[{s}]);"));
        }
        text
    }

    /// At the begin of a plane: where it is exchanged.
    fn turned(&self) -> String {
        let (mut text, half) = (String::new(), self.half());
        if !self.across.is_empty() {
            let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, format_args!("    {content}"));
            put(format_args!("// Two halves in turn: nobody writes what others still read."));
            put(format_args!("real* const at = exchange + (number & 1u) * {half}u + me;"));
            put(format_args!("real* const at_next = exchange + (~number & 1u) * {half}u + me;"));
        }
        text
    }

    /// Sends what leaves a plane of moments; what stays in the row of the block is there at once. The first step is sent the plane
    /// that was read, a later one what it meets with the next plane.
    fn sent(&self, step: usize, plane: &str) -> String {
        let (mut text, velocities) = (String::new(), self.facts.lattice.velocities);
        let at = if step == 0 { "at" } else { "at_next" };
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, format_args!("    {content}"));
        put(format_args!("{{"));
        put(format_args!("    real leaving[{}];", velocities.len()));
        put(format_args!("    rebuild_all({plane}, leaving);"));
        for (n, i) in self.across.iter().enumerate() {
            put(format_args!("    {at}[{}] = leaving[{i}];", self.slot(step, n)));
        }
        if !self.across.is_empty() {
            put(format_args!("    say_sent(&meetings[{step}]);"));
        }
        for (i, c) in velocities.iter().enumerate().filter(|(i, _)| !self.across.contains(i)) {
            let sent = match c[0] {
                0 => format!("leaving[{i}]"),
                1.. => format!("__shfl_up_sync(0xffffffffu, leaving[{i}], 1)"),
                _ => format!("__shfl_down_sync(0xffffffffu, leaving[{i}], 1)"),
            };
            put(format_args!("    h_{step}[{i}] = {sent};"));
        }
        put(format_args!("}}"));
        text
    }

    /// Waits for what other rows have sent, and takes it.
    fn taken(&self, step: usize) -> String {
        let mut text = String::new();
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, format_args!("    {content}"));
        if !self.across.is_empty() {
            put(format_args!("wait_for_all(&meetings[{step}], number, {}u);", self.threads / ROW as usize));
        }
        for (n, &i) in self.across.iter().enumerate() {
            let c = self.facts.lattice.velocities[i];
            let from = self.slot(step, n) as i32 - c[0] - ROW as i32 * c[1];
            put(format_args!("h_{step}[{i}] = at[{from}];"));
        }
        text
    }
}

/// As many values in and out without any arithmetic.
fn read_and_write(facts: &Facts, scheme: &Scheme, axis: usize) -> String {
    let (mut text, along) = (String::new(), AXES[axis]);
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("for (unsigned {along} = begin; stores && {along} < end; ++{along}) {{"));
    let place = scheme.node(AXES.map(Expression::name));
    put(format_args!("    const size_t node = {place};"));
    for n in 0..facts.body.moments {
        let at = scheme.value(n, Expression::name("node"));
        put(format_args!("    target[{at}] = source[{at}];"));
    }
    put(format_args!("}}"));
    text
}

/// What takes a coordinate so many nodes back, around the box: whole boxes on, less as many nodes.
fn back(size: &Expression, nodes: usize) -> String {
    match size {
        Expression::Number(n) => format!("{}u", (n - nodes % n) % n),
        _ => format!("({size} * {nodes}u - {nodes}u)"),
    }
}

/// The kernel `steps_0`.
pub(super) fn several_steps(
    facts: &Facts,
    pieces: &Pieces,
    halves: &DeviceHalves,
    scheme: &Scheme,
    plan: &Plan,
    March { axis, parts, .. }: March,
) -> String {
    let (steps, q, moments) = (facts.streaming.steps_at_once.unwrap_or(1), pieces.q, facts.body.moments);
    let Shape { block, blocks, .. } = plan.shape;
    let threads = block.iter().product::<u32>();
    let bounds = blocks.map_or_else(|| threads.to_string(), |blocks| format!("{threads}, {blocks}"));
    let mut parameters = parameters(facts, plan);
    if plan.walls {
        parameters.extend(INSIDE);
    }
    let exchange = Exchange::new(facts, &plan.shape, axis);
    let mut text = exchange.functions().to_owned();
    text += &format!(
        "\n// {steps} time steps: each block marches along {} through one of {parts} parts of the box. Threads at its sides \
         only\n// serve the others.\n",
        AXES[axis]
    );
    text += &signature(&bounds, "steps_0", &parameters);
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    let mut within = Vec::new();
    for (a, name) in AXES.iter().enumerate().take(axis) {
        let (size, width) = (&scheme.size[a], block[a] as usize - 2 * steps);
        put(format_args!("const unsigned {name}_thread = {width}u * blockIdx.{name} + threadIdx.{name};"));
        // Columns before the first one and after the last one are those at the other end of the box.
        put(format_args!("const unsigned {name} = ({name}_thread + {}) % {size};", back(size, steps)));
        within.push(format!("threadIdx.{name} >= {steps}u && threadIdx.{name} < {}u", steps + width));
        within.push(format!("{name}_thread - {steps}u < {size}"));
    }
    put(format_args!("const bool stores = {};", within.join(" && ")));
    AXES.iter().skip(axis + 1).for_each(|name| put(format_args!("const unsigned {name} = 0u;")));
    let size = &scheme.size[axis];
    let part = |number: &str| format!("(size_t){size} * {number} / {parts}u");
    let along = AXES[axis];
    let (begin, end) = (part(&format!("blockIdx.{along}")), part(&format!("(blockIdx.{along} + 1u)")));
    put(format_args!("const unsigned begin = {begin}, end = {end};"));
    if plan.work != Work::Step {
        text += &read_and_write(facts, scheme, axis);
        return text + "}\n";
    }
    let ups: Vec<usize> = (0..q).filter(|&i| facts.lattice.velocities[i][axis] > 0).collect();
    let waiting = halves.waiting;
    let ends: Vec<String> = (0..steps).map(|s| format!("_{s}")).collect();
    let inside: Vec<Inside<'_>> =
        ends.iter().map(|end| Inside { facts, scheme, nodes: 1, axis, end }).collect();
    for (end, inside) in ends.iter().zip(&inside) {
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        put(format_args!("real waiting{end}[{waiting}] = {{}}, rising{end}[{}] = {{}};", ups.len()));
        if plan.walls {
            text += &inside.declared();
        }
    }
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    (1..steps).for_each(|s| put(format_args!("real state_{s}[{moments}] = {{}};")));
    (1..steps).for_each(|s| put(format_args!("real h_{s}[{q}] = {{}};")));
    text += &exchange.opened();
    let reads = |text: &mut String, indent: &str, plane: &str, into: &str| {
        let mut position = AXES.map(Expression::name);
        position[axis] = Expression::name(plane);
        let place = scheme.node(position);
        line(text, format_args!("{indent}const size_t node_{into} = {place};"));
        for n in 0..moments {
            let at = scheme.value(n, Expression::name(format!("node_{into}")));
            line(text, format_args!("{indent}{into}[{n}] = decode(source[{at}]);"));
        }
    };
    // The plane with a number from the first one on that serves.
    let plane =
        |number: &str, below: usize| format!("(begin + {number} + {}) % {size}", back(size, steps + below));
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("real next[{moments}];"));
    put(format_args!("{{"));
    put(format_args!("    const unsigned first = {};", plane("0u", 0)));
    reads(&mut text, "    ", "first", "next");
    line(&mut text, format_args!("}}"));
    text += "#pragma unroll 1\n";
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    // The last step completes a plane so many planes below the one that was read.
    let (lag, last) = (3 * steps - 1, steps - 1);
    put(format_args!("for (unsigned number = 0; number < end - begin + {lag}u; ++number) {{"));
    text += &exchange.turned();
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("    // The first step, with the plane that was read."));
    put(format_args!("    real h_0[{q}];"));
    if plan.walls {
        put(format_args!("    real own[{moments}];"));
        (0..moments).for_each(|n| put(format_args!("    own[{n}] = next[{n}];")));
    }
    text += &exchange.sent(0, "next");
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("    {{"));
    put(format_args!("        // Read now what the next plane begins with."));
    put(format_args!("        const unsigned following = {};", plane("number + 1u", 0)));
    reads(&mut text, "        ", "following", "next");
    line(&mut text, format_args!("    }}"));
    // The later steps first: what they make goes, and what the one before makes takes its place.
    for (s, (end, inside)) in ends.iter().zip(&inside).enumerate().rev() {
        let (h, rising, below) = (format!("h{end}"), format!("rising{end}"), 2 * s);
        text += &exchange.taken(s);
        if plan.walls {
            text += &inside.fallen(&h, "    ");
        }
        line(&mut text, format_args!("    real after{end}[{moments}];"));
        line(&mut text, format_args!("    late(waiting{end}, {h}, uniforms.k, after{end});"));
        if plan.walls {
            text += &inside.solid(&format!("after{end}"), "    ");
        }
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        if s == last {
            put(format_args!("    if (stores && number >= {lag}u) {{"));
            put(format_args!("        const unsigned {along} = begin + number - {lag}u;"));
            let place = scheme.node(AXES.map(Expression::name));
            put(format_args!("        const size_t node = {place};"));
            for n in 0..moments {
                let at = scheme.value(n, Expression::name("node"));
                put(format_args!("        target[{at}] = encode(after{end}[{n}]);"));
            }
            put(format_args!("    }}"));
        }
        if plan.walls {
            let of = format!("plane{end}");
            line(&mut text, format_args!("    const unsigned {of} = {};", plane("number", below)));
            let own = if s == 0 { "own".to_owned() } else { format!("state{end}") };
            text += &inside.come_back(&of, &Plane { moments: &own, h: &h, rising: &rising }, "    ");
        }
        let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
        for (n, i) in ups.iter().enumerate() {
            put(format_args!(
                "    {{ const real up = {h}[{i}]; {h}[{i}] = {rising}[{n}]; {rising}[{n}] = up; }}"
            ));
        }
        put(format_args!("    early({h}, waiting{end});"));
        if s < last {
            for n in 0..moments {
                // As if it had been stored in between.
                let value = format!("after{end}[{n}]");
                let value = if facts.precision.plain { value } else { format!("decode(encode({value}))") };
                put(format_args!("    state_{}[{n}] = {value};", s + 1));
            }
            text += &exchange.sent(s + 1, &format!("state_{}", s + 1));
        }
    }
    let mut put = |content: std::fmt::Arguments<'_>| line(&mut text, content);
    put(format_args!("}}"));
    text + "}\n"
}
