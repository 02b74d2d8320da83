//! The kernels of a time step, assembled: the collision's body between reads and writes of the streaming pattern.
//!
//! `step_<phase>` does all nodes without a branch for walls: a node with a missing neighbour, and a solid one, is
//! named by a bit of `skip`, and its results are not written. `boundary_<phase>` then does the fluid ones among these,
//! a thread each. A missing population is what the node itself sent to the opposite direction, wherever the pattern
//! wrote it, plus a wall's term; no rule is written per pattern. A box without walls has neither bits nor second kernel.

use super::arithmetic::ArithmeticText;
use super::scheme::{Scheme, line};
use super::shape::Shape;
use lbm_core::variant::Arithmetic;
use lbm_core::{Body, DeviceText, Error, Lattice, Precision, Streaming, Variant};
use std::collections::BTreeSet;

/// Threads a block of the kernel of the nodes at walls.
pub(crate) const BOUNDARY_BLOCK: u32 = 128;

/// What a text is assembled for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    /// Nodes of the box, baked into the text; none if the kernel is to be told.
    pub size: Option<[usize; 3]>,
    /// Whether the box has walls or solid nodes.
    pub walls: bool,
    /// How nodes are dealt out to threads.
    pub shape: Shape,
}

/// The pieces of a variant's text that do not depend on the box.
pub(crate) struct Pieces {
    pub(crate) arithmetic: ArithmeticText,
    pub(crate) storage: &'static str,
    pub(crate) body: DeviceText,
    pub(crate) q: usize,
    pub(crate) uniforms: usize,
}

impl Pieces {
    pub(crate) fn of<V: Variant>() -> Result<Pieces, Error> {
        let missing = |what: String, remedy: &str| Error::Unavailable { what, remedy: remedy.to_owned() };
        let body = V::Body::DEVICE.ok_or_else(|| {
            missing(
                format!("the collision of `{}` has no CUDA text", V::name()),
                "declare it with `collision!`, which prints one; a body written by hand in Rust runs on the CPU only",
            )
        })?;
        let storage = V::Precision::DEVICE.ok_or_else(|| {
            missing(
                format!("the precision `{}` has no CUDA text", V::Precision::NAME),
                "give its impl of `Precision` a `DEVICE`, or run on the CPU",
            )
        })?;
        if V::Lattice::Q > 32 {
            return Err(Error::out_of_range(
                "velocities of the lattice",
                V::Lattice::Q,
                "at most 32 on a device",
                "run on the CPU",
            ));
        }
        Ok(Pieces {
            arithmetic: ArithmeticText::of::<Arithmetic<V>>(),
            storage,
            body,
            q: V::Lattice::Q,
            uniforms: V::Body::filled(0u8).as_ref().len(),
        })
    }
}

/// The text of a time step's kernels.
///
/// # Errors
/// [`Error::Unavailable`] if the collision or the precision has no CUDA text; [`Error::OutOfRange`] for a lattice of more
/// than 32 velocities.
pub fn step<V: Variant>(plan: &Plan) -> Result<String, Error> {
    let pieces = Pieces::of::<V>()?;
    let scheme = Scheme::<V>::new(plan.size);
    let mut text = preamble(&pieces, plan.shape.nodes > 1);
    text += &collide(&pieces);
    for phase in 0..V::Streaming::PERIOD {
        text += "\n";
        text += &bulk::<V>(&pieces, &scheme, plan, phase);
        if plan.walls {
            text += "\n";
            text += &boundary::<V>(&pieces, &scheme, plan, phase);
        }
    }
    Ok(text)
}

/// Types and functions that everything below uses.
fn preamble(pieces: &Pieces, groups: bool) -> String {
    let mut text = pieces.arithmetic.prelude();
    text += pieces.storage;
    if groups {
        text += "\n";
        text += include_str!("groups.cuh");
    }
    text
}

fn collide(pieces: &Pieces) -> String {
    let Pieces { q, uniforms, arithmetic, body, .. } = pieces;
    // An array of no elements is no C++.
    let count = (*uniforms).max(1);
    format!(
        "\n// Coefficients that are the same for all nodes.\nstruct Uniforms {{ real k[{count}]; }};\n\n\
         __device__ __forceinline__ void collide(const real (&h)[{q}], const real (&k)[{count}], real (&post)[{q}]) {{\n{}}}\n",
        DeviceText::numbers(body.collide, |x| arithmetic.literal(x))
    )
}

/// The parameters that every kernel of a step has.
fn parameters(plan: &Plan) -> String {
    let mut text =
        "const stored* __restrict__ source, stored* __restrict__ target, const Uniforms uniforms".to_owned();
    if plan.size.is_none() {
        text += ", const size_t nx, const size_t ny, const size_t nz";
    }
    text
}

fn bulk<V: Variant>(pieces: &Pieces, scheme: &Scheme<V>, plan: &Plan, phase: usize) -> String {
    let Shape { nodes, block, blocks } = plan.shape;
    let q = pieces.q;
    let threads = block.iter().product::<u32>();
    let bounds = blocks.map_or_else(|| threads.to_string(), |blocks| format!("{threads}, {blocks}"));
    let skip = if plan.walls { ", const unsigned* __restrict__ skip" } else { "" };
    let mut text = format!(
        "extern \"C\" __global__ void __launch_bounds__({bounds}) step_{phase}({}{skip}) {{\n",
        parameters(plan)
    );
    let [nx, ny, nz] = &scheme.size;
    let index = |axis: &str, threads: u32| format!("{threads}u * blockIdx.{axis} + threadIdx.{axis}");
    let thread_x = index("x", block[0]);
    let x = if nodes == 1 { thread_x } else { format!("{nodes}u * ({thread_x})") };
    // Where the grid is larger than the box, threads beyond do the work of the last ones, and write nothing.
    let mut inside = Vec::new();
    let divides = |axis: usize| plan.size.is_some_and(|size| plan.shape.divides(size, axis));
    for (axis, (name, value, last)) in [
        ("x", x, format!("{nx} - {nodes}u")),
        ("y", index("y", block[1]), format!("{ny} - 1u")),
        ("z", index("z", block[2]), format!("{nz} - 1u")),
    ]
    .into_iter()
    .enumerate()
    {
        if divides(axis) {
            line(&mut text, format_args!("const unsigned {name} = {value};"));
        } else {
            line(&mut text, format_args!("const unsigned {name}_thread = {value};"));
            line(
                &mut text,
                format_args!("const unsigned {name} = {name}_thread <= {last} ? {name}_thread : {last};"),
            );
            inside.push(format!("{name} == {name}_thread"));
        }
    }
    if nodes == 1 && !inside.is_empty() {
        line(&mut text, format_args!("if (!({})) return;", inside.join(" && ")));
        inside.clear();
    }

    let reads: Vec<_> = (0..q).map(|i| Scheme::<V>::read(i, phase)).collect();
    let writes: Vec<_> = (0..q).map(|i| Scheme::<V>::write(i, phase)).collect();
    let mut shifts: BTreeSet<[i32; 3]> = reads.iter().chain(&writes).map(|access| access.shift).collect();
    if nodes > 1 {
        // The groups themselves are aligned; what lies beside them is one value.
        shifts.extend(reads.iter().map(|access| [0, access.shift[1], access.shift[2]]));
        let width = block[0];
        let lane = if width.is_multiple_of(32) {
            "threadIdx.x & 31u".to_owned()
        } else {
            format!("(threadIdx.x + {width}u * (threadIdx.y + {}u * threadIdx.z)) & 31u", block[1])
        };
        line(&mut text, format_args!("const unsigned lane = {lane};"));
        line(&mut text, format_args!("const bool first = lane == 0u || threadIdx.x == 0u || x == 0u;"));
        line(
            &mut text,
            format_args!(
                "const bool last = lane == 31u || threadIdx.x == {}u || x + {nodes}u >= {nx};",
                width - 1
            ),
        );
    }
    text += &scheme.neighbours(&shifts, nodes);
    line(&mut text, format_args!("real h[{nodes}][{q}], post[{nodes}][{q}];"));
    for (i, &access) in reads.iter().enumerate() {
        let at = scheme.offset(access);
        if nodes == 1 {
            line(&mut text, format_args!("h[0][{i}] = decode(source[{at}]);"));
            continue;
        }
        let group =
            scheme.offset(lbm_core::Access { shift: [0, access.shift[1], access.shift[2]], ..access });
        match access.shift[0] {
            0 => line(&mut text, format_args!("read(h, {i}, source + ({group}));")),
            -1 => line(
                &mut text,
                format_args!("read_from_west(h, {i}, source + ({group}), source + ({at}), first);"),
            ),
            1 => line(
                &mut text,
                format_args!("read_from_east(h, {i}, source + ({group}), source + ({at}), last);"),
            ),
            _ => unreachable!("longer shifts have one node a thread"),
        }
    }
    for n in 0..nodes {
        line(&mut text, format_args!("collide(h[{n}], uniforms.k, post[{n}]);"));
    }
    if plan.walls {
        let group = if nodes == 1 { "x".to_owned() } else { format!("x / {nodes}u") };
        let row = scheme.size[0].clone() / nodes;
        line(
            &mut text,
            format_args!("const size_t group = {group} + {} * (y + {ny} * z);", bracket(&row.to_string())),
        );
        inside.push("!(skip[group >> 5] >> (group & 31u) & 1u)".to_owned());
    }
    if !inside.is_empty() {
        line(&mut text, format_args!("if (!({})) return;", inside.join(" && ")));
    }
    for (i, &access) in writes.iter().enumerate() {
        let at = scheme.offset(access);
        if nodes == 1 {
            line(&mut text, format_args!("target[{at}] = encode(post[0][{i}]);"));
        } else {
            line(&mut text, format_args!("write(target + ({at}), post, {i});"));
        }
    }
    text + "}\n"
}

/// Brackets where a product follows.
fn bracket(text: &str) -> String {
    if text.contains(' ') { format!("({text})") } else { text.to_owned() }
}

/// The second number of its bounds leaves the compiler all registers; without it a few bytes are spilled here and there.
fn boundary<V: Variant>(pieces: &Pieces, scheme: &Scheme<V>, plan: &Plan, phase: usize) -> String {
    let q = pieces.q;
    let [nx, ny, _] = &scheme.size;
    let mut text = format!(
        "// Nodes at walls, listed. Bit i of `missing` says that direction i comes from a wall, whose number follows in `walls`.\n\
         extern \"C\" __global__ void __launch_bounds__({BOUNDARY_BLOCK}, 1) boundary_{phase}({}, const unsigned count, \
         const unsigned* __restrict__ nodes, const unsigned* __restrict__ missing, const unsigned* __restrict__ links, \
         const unsigned short* __restrict__ walls, const real* __restrict__ terms) {{\n",
        parameters(plan)
    );
    line(&mut text, format_args!("const unsigned number = {BOUNDARY_BLOCK}u * blockIdx.x + threadIdx.x;"));
    line(&mut text, format_args!("if (number >= count) return;"));
    line(
        &mut text,
        format_args!(
            "const unsigned x = nodes[number] % {nx}, y = nodes[number] / {nx} % {ny}, z = nodes[number] / {nx} / {ny};"
        ),
    );
    line(&mut text, format_args!("const unsigned lost = missing[number];"));
    line(&mut text, format_args!("unsigned link = links[number];"));
    let reads: Vec<_> = (0..q).map(|i| Scheme::<V>::read(i, phase)).collect();
    let sent: Vec<_> = (0..q).map(|i| Scheme::<V>::sent(V::Lattice::OPPOSITES[i], phase)).collect();
    let writes: Vec<_> = (0..q).map(|i| Scheme::<V>::write(i, phase)).collect();
    text +=
        &scheme.neighbours(&reads.iter().chain(&sent).chain(&writes).map(|access| access.shift).collect(), 1);
    line(&mut text, format_args!("real h[{q}], post[{q}];"));
    for i in 0..q {
        let (read, sent) = (scheme.offset(reads[i]), scheme.offset(sent[i]));
        line(
            &mut text,
            format_args!(
                "h[{i}] = lost >> {i} & 1u ? decode(source[{sent}]) + terms[{q}u * walls[link++] + {i}u] : decode(source[{read}]);"
            ),
        );
    }
    line(&mut text, format_args!("collide(h, uniforms.k, post);"));
    for (i, &access) in writes.iter().enumerate() {
        line(&mut text, format_args!("target[{}] = encode(post[{i}]);", scheme.offset(access)));
    }
    text + "}\n"
}
