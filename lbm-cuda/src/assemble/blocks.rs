//! The kernels of blocks with ghost values: `refresh_<phase>` sets each block's ghost values to what enters the block, then
//! `step_<phase>` reads a whole block, meets, collides and stores it in place.
//!
//! A block of the box is a block of threads. What crosses between blocks is read from ghost values alone, so that no block
//! depends on how far another one is; within a block a barrier stands between the last read and the first write.
//!
//! Source: Valero-Lara, Concurrency Computat.: Pract. Exper. 29 (2017) e4221 (LBM-Ghost).

use lbm_core::{Access, Blocks, Expression, Facts, GhostFace};

use super::boundary::{from_neighbours, of_link, within_step};
use super::bulk::{position, stop_if};
use super::kernel::{Grid, Kernel, Threads};
use super::masks::MaskWord;
use super::pieces::Pieces;
use super::plan::Plan;
use super::resource::Resource;
use super::scheme::{AXES, Scheme, minus, put};
use super::transfer::{LEAVING, MEETING};
use super::{node_fields, rules};

/// The names of the three coordinates in the block.
const WITHIN: [&str; 3] = ["x_within", "y_within", "z_within"];

/// The step of a phase.
pub(super) fn step_in_blocks(pieces: &Pieces<'_>, blocks: &Blocks, phase: usize) -> Kernel {
    let (q, facts, plan, stored) = (pieces.q, pieces.facts, pieces.plan, pieces.stored());
    let scheme = &pieces.scheme();
    // Not as an array that is only read: where a value comes from the ghosts or from the populations, the compiler would take both
    // for memory that nobody writes.
    let mut parameters = pieces.parameters_and(&[Resource::Crossing.shared_read()]);
    parameters.extend(node_fields::parameters(pieces));
    if plan.walls {
        parameters.extend(within_step(pieces));
        parameters.extend(rules::parameters(pieces));
    }
    let about = "\n// A time step, a node each thread and a block of the box each block of threads. What enters the block is in its ghost values;\n\
                 // all is read before anything is written.\n";
    let bound = plan.shape.blocks.unwrap_or(1);
    let threads = Threads { blocks: Some(bound), ..Threads::of(plan.shape) };
    let mut kernel = Kernel::new(about, format!("step_{phase}"), phase, threads, parameters);
    let text = &mut kernel.body;
    let mut outside = position(text, scheme, plan, 0..3);
    *text += &within(facts, blocks, scheme, plan);
    *text += &ghosts_of_block(blocks, "const stored");
    // What does not stream takes nothing from another node, but as many ghost values.
    let own = |access: Access| if plan.work.streams() { access } else { Access { shift: [0; 3], ..access } };
    let reads: Vec<Access> = (0..q).map(|i| own(facts.read(i, phase))).collect();
    let writes: Vec<Access> = (0..q).map(|i| facts.write(i, phase)).collect();
    let shifts = reads.iter().chain(&writes).map(|access| access.shift).collect();
    *text += &scheme.neighbours_within(&shifts);
    put!(text, "// {MEETING}");
    put!(text, "real h[{q}], post[{q}];");
    for (i, &access) in reads.iter().enumerate() {
        let from_ghost = |face: &GhostFace| {
            format!("{} ? &ghosts[{}] : ", beyond(face), face.index(WITHIN.map(Expression::name)))
        };
        let from: String = blocks.faces[i].iter().map(from_ghost).collect();
        let place = scheme.offset(access);
        match from.as_str() {
            "" => put!(text, "h[{i}] = decode({stored}[{place}]);"),
            _ => put!(text, "h[{i}] = decode(*({from}&{stored}[{place}]));"),
        }
    }
    if plan.walls {
        *text += &from_walls(pieces, scheme, &outside, phase);
        outside.push("solid".to_owned());
    }
    put!(text, "__syncthreads();");
    *text += &collided(pieces, &outside, |i| scheme.offset(writes[i]));
    kernel
}

/// The end of a step in place: unless threads are outside, they collide what has met and store each direction at its place.
pub(super) fn collided(
    pieces: &Pieces<'_>,
    outside: &[String],
    place: impl Fn(usize) -> Expression,
) -> String {
    let (mut text, stored) = (String::new(), pieces.stored());
    text += &stop_if(outside);
    text += &node_fields::read_at(pieces, &pieces.scheme(), 1);
    put!(text, "collide(h, uniforms.k, {}post);", node_fields::handed(pieces, ""));
    put!(text, "// {LEAVING}");
    (0..pieces.q).for_each(|i| put!(text, "{stored}[{}] = encode(post[{i}]);", place(i)));
    text + &rules::kept(pieces, "index", 1, |_| "post".to_owned())
}

/// Replaces what comes from walls, which the node itself has sent and still has, or rebuilds from its own moments; declares `solid`. Threads may be `outside`.
pub(super) fn from_walls(pieces: &Pieces<'_>, scheme: &Scheme, outside: &[String], phase: usize) -> String {
    let (mut text, facts, stored) = (String::new(), pieces.facts, pieces.stored());
    let [nx, ny, _] = &scheme.size;
    let own = |opposite: usize| match pieces.stores_moments() {
        true => format!("rebuild_{opposite}(own_moments)"),
        false => format!("decode({stored}[{}])", scheme.offset(facts.sent(opposite, phase))),
    };
    if pieces.stores_moments() {
        put!(text, "real own_moments[{}];", facts.body.moments);
        for n in 0..facts.body.moments {
            put!(text, "own_moments[{n}] = decode({stored}[{}]);", scheme.offset(facts.moment(n)));
        }
    }
    put!(text, "// What this node has sent into walls comes back, and a moving wall adds its term.");
    put!(text, "const size_t index = x + {nx} * (y + (size_t){ny} * z);");
    put!(text, "const unsigned bit = 1u << (index & 31u);");
    put!(text, "const bool at_walls = skip[index >> 5] & bit;");
    put!(text, "const bool solid = at_walls && !(linked[index >> 5] & bit);");
    put!(text, "if (at_walls && !solid) {{");
    put!(text, "    const unsigned number = number_linked(linked, ranks, index);");
    put!(text, "    const {} lost = missing[number];", MaskWord::of(facts));
    put!(text, "    unsigned link = links[number];");
    for (i, opposite) in from_neighbours(pieces) {
        put!(text, "    if (lost >> {i} & 1u)");
        put!(text, "        h[{i}] = {};", of_link(pieces, &own(opposite), "link++", i));
    }
    put!(text, "}}");
    text += &rules::looked_up(pieces, "index", 1);
    if pieces.stores_moments() {
        text += &rules::rebuilt(pieces, "index", |i| format!("const real population = {};", own(i)));
    }
    text + &rules::arrived(pieces, outside, 1, |_| "h".to_owned(), rules::kept_beside, pieces.source())
}

/// Declares a node's place in its block, and whether its neighbours lie beyond: `x_first`, `x_last`, ...
fn within(facts: &Facts, blocks: &Blocks, scheme: &Scheme, plan: &Plan) -> String {
    let mut text = String::new();
    put!(text, "// Where the node is in its block, and whether that ends beside it.");
    for axis in (0..3).filter(|&axis| crosses(facts, axis)) {
        let (name, extent) = (AXES[axis], blocks.extent[axis]);
        let mut last = vec![format!("{name}_within == {}u", extent - 1)];
        let mut place = format!("threadIdx.{name}");
        if !plan.size.is_some_and(|size| plan.shape.divides(size, axis)) {
            // Threads beyond the box do the work of the last ones.
            place = format!("{name} - {extent}u * blockIdx.{name}");
            last.push(format!("{name} == {}", minus(&scheme.size[axis], 1)));
        }
        put!(text, "const unsigned {name}_within = {place};");
        put!(text, "const bool {name}_first = {name}_within == 0u, {name}_last = {};", last.join(" || "));
    }
    // A name that indices may speak of.
    for axis in (0..3).filter(|&axis| !crosses(facts, axis)) {
        put!(text, "const unsigned {} = threadIdx.{};", WITHIN[axis], AXES[axis]);
    }
    text
}

/// Whether any direction crosses the faces of an axis.
fn crosses(facts: &Facts, axis: usize) -> bool {
    facts.lattice.velocities.iter().any(|c| c[axis] != 0)
}

/// Whether a node's upstream neighbour lies beyond a face.
fn beyond(face: &GhostFace) -> String {
    format!("{}_{}", AXES[face.axis], if face.velocity[face.axis] > 0 { "first" } else { "last" })
}

/// Declares `ghosts`, the ghost values of the block.
fn ghosts_of_block(blocks: &Blocks, kind: &str) -> String {
    let mut text = String::new();
    let block = "blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)";
    put!(text, "{kind}* const ghosts = crossing + (size_t){}u * ({block});", blocks.ghosts);
    text
}

/// Two opposite faces of a block, seen from within: what enters through them.
struct Entrance<'a> {
    axis: usize,
    /// How many nodes lie at each of them, along each axis.
    counts: [usize; 3],
    /// What enters upwards, then downwards.
    faces: [Vec<&'a GhostFace>; 2],
}

impl Entrance<'_> {
    fn threads(&self) -> usize {
        self.counts.iter().product()
    }
}

/// All faces through which something enters.
fn entrances(blocks: &Blocks) -> Vec<Entrance<'_>> {
    let of = |axis: usize, upwards: bool| {
        let all = blocks.faces.iter().flatten();
        all.filter(|face| face.axis == axis && (face.velocity[axis] > 0) == upwards && face.values() > 0)
            .collect()
    };
    (0..3)
        .map(|axis| Entrance {
            axis,
            counts: std::array::from_fn(|along| if along == axis { 1 } else { blocks.extent[along] }),
            faces: [of(axis, true), of(axis, false)],
        })
        .filter(|entrance| entrance.faces.iter().any(|faces| !faces.is_empty()))
        .collect()
}

/// Threads a block of the kernel that sets the ghost values: one for each two nodes at opposite faces.
fn refresh_threads(blocks: &Blocks) -> u32 {
    entrances(blocks).iter().map(Entrance::threads).sum::<usize>().max(1) as u32
}

/// The kernel that sets the ghost values before a step of a phase. Each thread does two nodes at opposite faces, for all directions that
/// enter there and have not entered at a face of a later axis; all is on its way before any of it is awaited.
pub(super) fn refresh(pieces: &Pieces<'_>, blocks: &Blocks, phase: usize) -> Kernel {
    let mut parameters = vec![pieces.stored().read(), Resource::Crossing.written()];
    parameters.extend(pieces.of_box());
    let about = "\n// Before a step: what enters each block from others, from around the box where it begins there, to the block's ghost values.\n";
    let threads = Threads::in_rows(refresh_threads(blocks), None, Grid::Box(pieces.plan.shape));
    let mut kernel = Kernel::new(about, format!("refresh_{phase}"), phase, threads, parameters);
    let text = &mut kernel.body;
    *text += &ghosts_of_block(blocks, "stored");
    let mut first = 0;
    for entrance in entrances(blocks) {
        let threads = entrance.threads();
        let above = if first > 0 { format!("threadIdx.x >= {first}u && ") } else { String::new() };
        put!(text, "if ({above}threadIdx.x < {}u) {{", first + threads);
        let body = through(pieces, blocks, &entrance, first, phase);
        body.lines().for_each(|content| put!(text, "{content}"));
        put!(text, "}}");
        first += threads;
    }
    kernel
}

/// The statements for two nodes at opposite faces.
fn through(
    pieces: &Pieces<'_>,
    blocks: &Blocks,
    entrance: &Entrance<'_>,
    first: usize,
    phase: usize,
) -> String {
    let (mut text, facts, plan) = (String::new(), pieces.facts, pieces.plan);
    let (stored, scheme) = (pieces.stored(), pieces.scheme());
    let number = if first == 0 { "threadIdx.x".to_owned() } else { format!("(threadIdx.x - {first}u)") };
    let mut stride = 1;
    let mut within_box = Vec::new();
    let start = |axis: usize| {
        Expression::from(blocks.extent[axis]) * Expression::name(format!("blockIdx.{}", AXES[axis]))
    };
    let ends_within = |axis: usize| !plan.size.is_some_and(|size| plan.shape.divides(size, axis));
    for (axis, name) in AXES.into_iter().enumerate().filter(|&(axis, _)| axis != entrance.axis) {
        let count = entrance.counts[axis];
        let along = Expression::name(&number) / stride % count;
        put!(text, "const unsigned {} = {along};", WITHIN[axis]);
        put!(text, "const unsigned {name} = {} + {};", start(axis), WITHIN[axis]);
        if ends_within(axis) {
            within_box.push(format!("{name} < {}", scheme.size[axis]));
        }
        stride *= count;
    }
    let all: usize = entrance.faces.iter().map(Vec::len).sum();
    put!(text, "stored entering[{all}];");
    let (mut stores, mut number) = (String::new(), 0);
    let (extent, name) = (blocks.extent[entrance.axis], AXES[entrance.axis]);
    for (faces, upwards) in entrance.faces.iter().zip([true, false]) {
        let begin = start(entrance.axis);
        let (end, last) = (begin.clone() + (extent - 1), minus(&scheme.size[entrance.axis], 1));
        let place = match (upwards, ends_within(entrance.axis)) {
            (true, _) => begin.to_string(),
            (false, false) => end.to_string(),
            (false, true) => format!("{end} < {last} ? {end} : {last}"),
        };
        put!(text, "{{");
        put!(text, "    const unsigned {name} = {place};");
        let reads: Vec<Access> = faces.iter().map(|face| facts.read(face.direction, phase)).collect();
        // Places beyond the box are not read.
        let neighbours = scheme.neighbours(&reads.iter().map(|access| access.shift).collect(), 1);
        neighbours.lines().for_each(|content| put!(text, "{content}"));
        for (face, access) in faces.iter().zip(reads) {
            // What has entered at a face of a later axis.
            let ends = (face.axis + 1..3).filter(|&axis| face.velocity[axis] != 0).map(|axis| {
                let end = if face.velocity[axis] > 0 { 0 } else { blocks.extent[axis] - 1 };
                format!("{} != {end}u", WITHIN[axis])
            });
            let conditions: Vec<String> = within_box.iter().cloned().chain(ends).collect();
            let condition = match conditions.is_empty() {
                true => String::new(),
                false => format!("if ({}) ", conditions.join(" && ")),
            };
            let (from, to) = (scheme.offset(access), face.index(within_of(face)));
            put!(text, "    {condition}entering[{number}] = {stored}[{from}];");
            put!(stores, "{condition}ghosts[{to}] = entering[{number}];");
            number += 1;
        }
        put!(text, "}}");
    }
    text + &stores
}

/// The names of a node's place in the block, at a face.
fn within_of(face: &GhostFace) -> [Expression; 3] {
    let mut within = WITHIN.map(Expression::name);
    within[face.axis] = Expression::from(0);
    within
}
