//! The kernels of a time step, assembled: the collision's body between reads and writes of the streaming pattern.
//!
//! `step_<phase>` does all nodes without a branch for walls: a node with a missing neighbour, and a solid one, is
//! named by a bit of `skip`, and its results are not written. `boundary_<phase>` then does the fluid ones among these,
//! a thread each. A missing population is what the node itself sent to the opposite direction, wherever the pattern
//! wrote it, plus a wall's term; no rule is written per pattern. A box without walls has neither bits nor second kernel.

use super::arithmetic::ArithmeticText;
use super::scheme::{Scheme, line, minus, signature};
use super::shape::Shape;
use lbm_core::{DeviceText, Error, Expression, Facts};
use std::collections::BTreeSet;

/// Threads a block of the kernel of the nodes at walls.
pub(crate) const BOUNDARY_BLOCK: u32 = 128;

/// What a kernel does between its reads and its writes: a step, or a measuring stick beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Work {
    /// The time step.
    #[default]
    Step,
    /// Streaming without collision: the tiles paper's `propagation only`.
    Propagate,
    /// As many values in and out, none moved to another node, no arithmetic.
    ReadWrite,
    /// Nothing at all: what a launch itself takes.
    Nothing,
}

/// What a text is assembled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Nodes of the box, baked into the text; none if the kernel is to be told.
    pub size: Option<[usize; 3]>,
    /// Whether the box has walls or solid nodes.
    pub walls: bool,
    /// How nodes are dealt out to threads.
    pub shape: Shape,
    /// What is done with the nodes.
    pub work: Work,
}

/// The pieces of a variant's text that do not depend on the box.
pub(crate) struct Pieces {
    pub(crate) arithmetic: ArithmeticText,
    /// Conversions of 16-bit formats, if they are named, and the precision's own text.
    pub(crate) storage: String,
    pub(crate) body: DeviceText,
    pub(crate) q: usize,
    pub(crate) uniforms: usize,
}

impl Pieces {
    pub(crate) fn of(facts: &Facts) -> Result<Pieces, Error> {
        let missing = |what: String, remedy: &str| Error::Unavailable { what, remedy: remedy.to_owned() };
        let body = facts.body_text.ok_or_else(|| {
            missing(
                format!("the collision of `{}` has no CUDA text", facts.name()),
                "declare it with `collision!`, which prints one; a body written by hand in Rust runs on the CPU only",
            )
        })?;
        let storage = facts.stored_text.ok_or_else(|| {
            missing(
                format!("the precision `{}` has no CUDA text", facts.precision),
                "give its impl of `Precision` a `DEVICE`, or run on the CPU",
            )
        })?;
        if facts.lattice.q() > 32 {
            return Err(Error::out_of_range(
                "velocities of the lattice",
                facts.lattice.q(),
                "at most 32 on a device",
                "run on the CPU",
            ));
        }
        Ok(Pieces {
            arithmetic: ArithmeticText::of(facts.arithmetic),
            storage: format!("{}{storage}", super::formats::for_storage(storage)),
            body,
            q: facts.lattice.q(),
            uniforms: facts.uniform_count,
        })
    }
}

/// The text of a time step's kernels.
///
/// # Errors
/// [`Error::Unavailable`] if the collision or the precision has no CUDA text; [`Error::OutOfRange`] for a lattice of more
/// than 32 velocities.
pub fn step(facts: &Facts, plan: &Plan) -> Result<String, Error> {
    let pieces = Pieces::of(facts)?;
    let scheme = Scheme::new(facts, plan.size);
    let mut text = preamble(&pieces, plan.shape.nodes > 1);
    text += &collide(&pieces, plan.work);
    for phase in 0..facts.period {
        text += "\n";
        text += &bulk(facts, &pieces, &scheme, plan, phase);
        if plan.walls {
            text += "\n";
            text += &boundary(facts, &pieces, &scheme, plan, phase);
        }
    }
    Ok(text)
}

/// Types and functions that everything below uses.
fn preamble(pieces: &Pieces, groups: bool) -> String {
    let mut text = pieces.arithmetic.prelude();
    text += &pieces.storage;
    if groups {
        text += "\n";
        text += include_str!("groups.cuh");
    }
    text
}

fn collide(pieces: &Pieces, work: Work) -> String {
    let Pieces { q, uniforms, arithmetic, body, .. } = pieces;
    let statements = match work {
        Work::Step => DeviceText::numbers(body.collide, |x| arithmetic.literal(x)),
        Work::Propagate | Work::ReadWrite | Work::Nothing => {
            (0..*q).map(|i| format!("    post[{i}] = h[{i}];\n")).collect()
        }
    };
    // An array of no elements is no C++.
    let count = (*uniforms).max(1);
    format!(
        "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{count}]; }};\n\n\
         // The collision of one node.\n\
         __device__ __forceinline__ void collide(const real (&h)[{q}], const real (&k)[{count}], real (&post)[{q}]) {{\n{}}}\n",
        statements
    )
}

/// The parameters that every kernel of a step has.
fn parameters(plan: &Plan) -> Vec<&'static str> {
    let mut all =
        vec!["const stored* __restrict__ source", "stored* __restrict__ target", "const Uniforms uniforms"];
    if plan.size.is_none() {
        all.extend(["const size_t nx", "const size_t ny", "const size_t nz"]);
    }
    all
}

fn bulk(facts: &Facts, pieces: &Pieces, scheme: &Scheme, plan: &Plan, phase: usize) -> String {
    let Shape { nodes, block, blocks } = plan.shape;
    let q = pieces.q;
    let threads = block.iter().product::<u32>();
    let bounds = blocks.map_or_else(|| threads.to_string(), |blocks| format!("{threads}, {blocks}"));
    let mut parameters = parameters(plan);
    let mut text = match nodes {
        1 => "// A time step, a node each thread.".to_owned(),
        _ => format!("// A time step, {nodes} nodes side by side each thread."),
    };
    if plan.walls {
        parameters.push("const unsigned* __restrict__ skip");
        text += &format!(" Nodes whose bit of `skip` is set are left to `boundary_{phase}`.");
    }
    text += "\n";
    text += &signature(&bounds, &format!("step_{phase}"), &parameters);
    if plan.work == Work::Nothing {
        return text + "}\n";
    }
    let mut outside = position(&mut text, scheme, plan);
    if nodes == 1 && !outside.is_empty() {
        line(&mut text, format_args!("if ({}) return;", outside.join(" || ")));
        outside.clear();
    }
    if nodes > 1 {
        text += &group_ends(scheme, plan);
    }

    let reads = |i: usize| match plan.work {
        Work::Step | Work::Propagate => facts.read(i, phase),
        Work::ReadWrite | Work::Nothing => facts.write(i, phase),
    };
    let reads: Vec<_> = (0..q).map(reads).collect();
    let writes: Vec<_> = (0..q).map(|i| facts.write(i, phase)).collect();
    let mut shifts: BTreeSet<[i32; 3]> = reads.iter().chain(&writes).map(|access| access.shift).collect();
    if nodes > 1 {
        // The groups themselves are aligned; what lies beside them is one value.
        shifts.extend(reads.iter().map(|access| [0, access.shift[1], access.shift[2]]));
    }
    text += &scheme.neighbours(&shifts, nodes);
    line(&mut text, format_args!("// Populations that meet here."));
    let count = if nodes == 1 { String::new() } else { format!("[{nodes}]") };
    line(&mut text, format_args!("real h{count}[{q}], post{count}[{q}];"));
    for (i, &access) in reads.iter().enumerate() {
        let at = scheme.offset(access);
        if nodes == 1 {
            line(&mut text, format_args!("h[{i}] = decode(source[{at}]);"));
            continue;
        }
        let group =
            scheme.offset(lbm_core::Access { shift: [0, access.shift[1], access.shift[2]], ..access });
        match access.shift[0] {
            0 => line(&mut text, format_args!("read(h, {i}, &source[{group}]);")),
            -1 => line(
                &mut text,
                format_args!("read_from_west(h, {i}, &source[{group}], &source[{at}], first);"),
            ),
            1 => line(
                &mut text,
                format_args!("read_from_east(h, {i}, &source[{group}], &source[{at}], last);"),
            ),
            _ => unreachable!("longer shifts have one node a thread"),
        }
    }
    match nodes {
        1 => line(&mut text, format_args!("collide(h, uniforms.k, post);")),
        _ => {
            (0..nodes).for_each(|n| line(&mut text, format_args!("collide(h[{n}], uniforms.k, post[{n}]);")))
        }
    }
    if plan.walls {
        let [x, y, z] = ["x", "y", "z"].map(Expression::name);
        let [nx, ny, _] = scheme.size.clone();
        let number = x / nodes + nx / nodes * (y + ny * z);
        line(&mut text, format_args!("const size_t group = {number};"));
        outside.push("skip[group >> 5] >> (group & 31u) & 1u".to_owned());
    }
    if !outside.is_empty() {
        line(&mut text, format_args!("if ({}) return;", outside.join(" || ")));
    }
    line(&mut text, format_args!("// Populations that leave."));
    for (i, &access) in writes.iter().enumerate() {
        let at = scheme.offset(access);
        if nodes == 1 {
            line(&mut text, format_args!("target[{at}] = encode(post[{i}]);"));
        } else {
            line(&mut text, format_args!("write(&target[{at}], post, {i});"));
        }
    }
    text + "}\n"
}

/// Declares `x`, `y`, `z`. Where the grid is larger than the box, threads beyond do the work of the last ones; gives the
/// conditions under which a thread is one of them, and so must write nothing.
fn position(text: &mut String, scheme: &Scheme, plan: &Plan) -> Vec<String> {
    let Shape { nodes, block, .. } = plan.shape;
    let grid = plan.size.map(|size| plan.shape.grid(size));
    let mut outside = Vec::new();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let group = if axis == 0 { nodes } else { 1 };
        let blocks = match grid {
            Some(grid) if grid[axis] == 1 => Expression::from(0),
            _ => Expression::name(format!("blockIdx.{name}")),
        };
        let thread = match block[axis] {
            1 => Expression::from(0),
            _ => Expression::name(format!("threadIdx.{name}")),
        };
        let value = Expression::from(group) * (Expression::from(block[axis] as usize) * blocks + thread);
        if plan.size.is_some_and(|size| plan.shape.divides(size, axis)) {
            line(text, format_args!("const unsigned {name} = {value};"));
        } else {
            let last = minus(&scheme.size[axis], group);
            line(text, format_args!("const unsigned {name}_thread = {value};"));
            line(
                text,
                format_args!("const unsigned {name} = {name}_thread <= {last} ? {name}_thread : {last};"),
            );
            outside.push(format!("{name} != {name}_thread"));
        }
    }
    outside
}

/// Declares `first` and `last`: whether the thread beside, which has the neighbours along x, is out of a shuffle's reach.
fn group_ends(scheme: &Scheme, plan: &Plan) -> String {
    let Shape { nodes, block: [width, height, _], .. } = plan.shape;
    let (mut first, mut last) = (vec!["lane == 0u".to_owned()], vec!["lane == 31u".to_owned()]);
    let lane = if width.is_multiple_of(32) {
        "threadIdx.x & 31u".to_owned()
    } else {
        // Rows of the box end inside of a warp.
        first.push("threadIdx.x == 0u".to_owned());
        last.push(format!("threadIdx.x == {}u", width - 1));
        format!("(threadIdx.x + {width}u * (threadIdx.y + {height}u * threadIdx.z)) & 31u")
    };
    if !plan.size.is_some_and(|size| plan.shape.divides(size, 0)) {
        last.push(format!("x + {nodes}u >= {}", scheme.size[0]));
    }
    let mut text = String::new();
    line(
        &mut text,
        format_args!("// Neighbours along x are with the thread beside, if that is in this warp and row."),
    );
    line(&mut text, format_args!("const unsigned lane = {lane};"));
    line(&mut text, format_args!("const bool first = {}, last = {};", first.join(" || "), last.join(" || ")));
    text
}

/// The second number of its bounds leaves the compiler all registers; without it a few bytes are spilled here and there.
fn boundary(facts: &Facts, pieces: &Pieces, scheme: &Scheme, plan: &Plan, phase: usize) -> String {
    let q = pieces.q;
    let [nx, ny, _] = &scheme.size;
    let mut parameters = parameters(plan);
    parameters.extend([
        "const unsigned count",
        "const unsigned* __restrict__ nodes",
        "const unsigned* __restrict__ missing",
        "const unsigned* __restrict__ links",
        "const unsigned short* __restrict__ walls",
        "const real* __restrict__ terms",
    ]);
    let mut text = "// The same for `count` listed nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose\n\
                    // number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.\n"
        .to_owned();
    text += &signature(&format!("{BOUNDARY_BLOCK}, 1"), &format!("boundary_{phase}"), &parameters);
    line(&mut text, format_args!("const unsigned number = {BOUNDARY_BLOCK}u * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (number >= count) return;"));
    line(&mut text, format_args!("const unsigned index = nodes[number];"));
    line(
        &mut text,
        format_args!("const unsigned x = index % {nx}, y = index / {nx} % {ny}, z = index / {nx} / {ny};"),
    );
    line(&mut text, format_args!("const unsigned lost = missing[number];"));
    line(&mut text, format_args!("unsigned link = links[number];"));
    let reads: Vec<_> = (0..q).map(|i| facts.read(i, phase)).collect();
    let sent: Vec<_> = (0..q).map(|i| facts.sent(facts.lattice.opposites[i], phase)).collect();
    let writes: Vec<_> = (0..q).map(|i| facts.write(i, phase)).collect();
    text +=
        &scheme.neighbours(&reads.iter().chain(&sent).chain(&writes).map(|access| access.shift).collect(), 1);
    line(&mut text, format_args!("// Populations that meet here, or come back."));
    line(&mut text, format_args!("real h[{q}], post[{q}];"));
    for i in 0..q {
        let read = scheme.offset(reads[i]);
        if facts.lattice.velocities[i] == [0; 3] {
            line(&mut text, format_args!("h[{i}] = decode(source[{read}]);"));
            continue;
        }
        let sent = scheme.offset(sent[i]);
        line(&mut text, format_args!("h[{i}] = lost >> {i} & 1u"));
        line(&mut text, format_args!("    ? decode(source[{sent}]) + terms[{q}u * walls[link++] + {i}u]"));
        line(&mut text, format_args!("    : decode(source[{read}]);"));
    }
    line(&mut text, format_args!("collide(h, uniforms.k, post);"));
    line(&mut text, format_args!("// Populations that leave."));
    for (i, &access) in writes.iter().enumerate() {
        line(&mut text, format_args!("target[{}] = encode(post[{i}]);", scheme.offset(access)));
    }
    text + "}\n"
}
