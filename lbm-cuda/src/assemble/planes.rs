//! What moves plane by plane, populations or moments of which they are rebuilt: `keep_plane_<phase>` copies the plane that is overwritten first to beyond the one that is
//! done last, and `step_<phase>` is launched for as many planes at once as the pattern lets, portion after portion.
//!
//! What a node reads is as the step before left it, and so is what it sent into walls itself; nodes at walls need no kernel of
//! their own.

use lbm_core::crossings::kept_slots;
use lbm_core::{Access, Expression};

use super::blocks::{collided, from_walls};
use super::boundary::within_step;
use super::bulk::{position, stop_if};
use super::faces::FACES_BLOCK;
use super::kernel::{Grid, Kernel, Threads};
use super::pieces::Pieces;
use super::rebuilt::{self, Becomes};
use super::resource::Resource;
use super::scheme::{AXES, Scheme, position_at, put};
use super::transfer::MEETING;
use super::{node_fields, rules};

/// The axis along which planes move.
fn axis_of(pieces: &Pieces<'_>) -> usize {
    pieces.facts.lattice.dimension.max(1) - 1
}

/// The step of a phase, for some planes.
pub(super) fn step_of_planes(pieces: &Pieces<'_>, phase: usize) -> Kernel {
    let (facts, plan, q, axis) = (pieces.facts, pieces.plan, pieces.q, axis_of(pieces));
    let mut parameters = pieces.parameters_and(&[Resource::Begin.value(), Resource::End.value()]);
    parameters.extend(node_fields::parameters(pieces));
    if plan.walls {
        parameters.extend(within_step(pieces));
        parameters.extend(rules::parameters(pieces));
    }
    let about = "\n// A time step of the planes from `begin` to `end`, a node each thread: none of them overwrites what another one reads.\n";
    let threads = Threads { grid: Grid::Portions(plan.shape), ..Threads::of(plan.shape) };
    let mut kernel = Kernel::new(about, format!("step_{phase}"), phase, threads, parameters);
    let scheme = pieces.scheme();
    let before = pieces.scheme().before().with_kept(facts, axis, phase);
    let text = &mut kernel.body;
    let mut outside = position(text, &scheme, plan, (0..3).filter(|&other| other != axis));
    put!(text, "const unsigned {0} = begin + blockIdx.{0};", AXES[axis]);
    let read = |i| if plan.work.streams() { facts.read(i, phase) } else { facts.write(i, phase) };
    let reads: Vec<_> = (0..q).map(read).collect();
    *text += &before.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    put!(text, "const size_t to = {};", scheme.here());
    *text += &match pieces.stores_moments() {
        true => rebuilt::met(pieces, &before, phase, Becomes::Moments),
        false => met(pieces, &before, &reads),
    };
    if plan.walls {
        *text += &from_walls(pieces, &before, &outside, phase);
        outside.push("solid".to_owned());
    }
    let to = |access: Access| scheme.value(access.slot, Expression::name("to"));
    *text += &match pieces.stores_moments() {
        true => stop_if(&outside) + &rebuilt::made(pieces, &before, Becomes::Moments, to),
        false => collided(pieces, &outside, |i| to(facts.write(i, phase))),
    };
    kernel
}

/// What meets in a node, read from these places.
fn met(pieces: &Pieces<'_>, before: &Scheme, reads: &[Access]) -> String {
    let (mut text, q, stored) = (String::new(), pieces.q, pieces.stored());
    put!(text, "// {MEETING}");
    put!(text, "real h[{q}], post[{q}];");
    for (i, &access) in reads.iter().enumerate() {
        put!(text, "h[{i}] = decode({stored}[{}]);", before.offset(access));
    }
    text
}

/// The kernel before a step of a phase: it copies the plane that is overwritten first. Before a march it also sets tickets, and as many
/// counts as this has parts, to zero.
pub(super) fn keep_plane(pieces: &Pieces<'_>, phase: usize) -> Kernel {
    let (facts, values, axis) = (pieces.facts, pieces.stored(), axis_of(pieces));
    let tickets = pieces.plan.shape.march.map(|march| march.parts);
    let scheme = pieces.scheme().before();
    let mut parameters = vec![values.shared()];
    parameters.extend(tickets.map(|_| Resource::Progress.shared()));
    parameters.extend(pieces.of_box());
    let mut about = "\n// Before a step: the plane that changes first beyond the one that is done last, which finds it there as it was"
        .to_owned();
    about += if tickets.is_some() { "; and no block has\n// a ticket.\n" } else { ".\n" };
    let least = tickets.map_or(0, |parts| parts as usize + 1);
    let threads = Threads::in_rows(FACES_BLOCK, Some(1), Grid::Plane { axis, least });
    let mut kernel = Kernel::new(about, format!("keep_plane_{phase}"), phase, threads, parameters);
    let text = &mut kernel.body;
    let [nx, ny, _] = &scheme.size;
    put!(text, "const unsigned number = {FACES_BLOCK}u * blockIdx.x + threadIdx.x;");
    if let Some(parts) = tickets {
        put!(text, "if (number <= {parts}u) progress[number] = 0u;");
    }
    let plane = match axis {
        2 => nx.clone() * ny.clone(),
        1 => nx.clone(),
        _ => Expression::from(1),
    };
    put!(text, "if (number >= {plane}) return;");
    put!(text, "const unsigned x = number % {nx};");
    if axis == 2 {
        put!(text, "const unsigned y = number / {nx};");
    }
    let [from, to] = facts.rings.kept(phase, scheme.size[axis].clone()).map(|along| {
        let mut position = position_at(axis, along);
        position[axis + 1..].fill(Expression::from(0));
        scheme.node(position)
    });
    put!(text, "const size_t kept = {from}, beyond = {to};");
    for slot in kept_slots(facts, phase) {
        let [to, from] = ["beyond", "kept"].map(|node| scheme.value(slot, Expression::name(node)));
        put!(text, "{values}[{to}] = {values}[{from}];");
    }
    kernel
}
