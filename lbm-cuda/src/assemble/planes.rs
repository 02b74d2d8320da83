//! Populations that move plane by plane: `keep_plane_<phase>` copies the plane that is overwritten first to beyond the one that is
//! done last, and `step_<phase>` is launched for as many planes at once as the pattern lets, portion after portion.
//!
//! What a node reads is as the step before left it, and so is what it sent into walls itself; nodes at walls need no kernel of
//! their own.

use lbm_core::Expression;
use lbm_core::facts::spare;
use lbm_core::streaming::Towards;

use super::blocks::from_walls;
use super::boundary::INSIDE;
use super::bulk::{LEAVING, MEETING, position};
use super::faces::FACES_BLOCK;
use super::kernel::{Kernel, Over, Threads};
use super::pieces::Pieces;
use super::plan::Work;
use super::resource::Resource;
use super::scheme::{AXES, Scheme, line};

/// The two kernels of a phase, whose planes move this way.
pub(super) fn planes(pieces: &Pieces<'_>, phase: usize, way: Towards) -> [Kernel; 2] {
    let keep = keep_plane(pieces, phase, way, None);
    [keep, step(pieces, phase, way)]
}

/// The axis along which planes move.
fn axis_of(pieces: &Pieces<'_>) -> usize {
    pieces.facts.lattice.dimension.max(1) - 1
}

/// The step for some planes.
fn step(pieces: &Pieces<'_>, phase: usize, way: Towards) -> Kernel {
    let (facts, plan, q, axis) = (pieces.facts, pieces.plan, pieces.q, axis_of(pieces));
    let stored = pieces.stored();
    let mut parameters = pieces.parameters_and(&[Resource::Begin.value(), Resource::End.value()]);
    if plan.walls {
        parameters.extend(INSIDE);
    }
    let about = "\n// A time step of the planes from `begin` to `end`, a node each thread: none of them overwrites what another one reads.\n";
    let threads = Threads { over: Over::Portions(plan.shape), ..Threads::of(plan.shape) };
    let mut kernel = Kernel::new(about, format!("step_{phase}"), phase, threads, parameters);
    if plan.work == Work::Nothing {
        return kernel;
    }
    let scheme = Scheme::new(facts, plan.size).in_portions();
    let before = Scheme::new(facts, plan.size).before().in_portions().with_kept(axis, way);
    let text = &mut kernel.body;
    let mut outside = position(text, &scheme, plan, 0..axis);
    outside.extend(position(text, &scheme, plan, axis + 1..3));
    let along = AXES[axis];
    line(text, format_args!("const unsigned {along} = begin + blockIdx.{along};"));
    let reads: Vec<_> = (0..q)
        .map(|i| match plan.work {
            Work::Step | Work::Propagate => facts.read(i, phase),
            Work::ReadWrite | Work::Nothing => facts.write(i, phase),
        })
        .collect();
    *text += &before.neighbours(&reads.iter().map(|access| access.shift).chain([[0; 3]]).collect(), 1);
    let to = scheme.node(AXES.map(Expression::name));
    line(text, format_args!("const size_t to = {to};"));
    line(text, format_args!("// {MEETING}"));
    line(text, format_args!("real h[{q}], post[{q}];"));
    for (i, &access) in reads.iter().enumerate() {
        line(text, format_args!("h[{i}] = decode({stored}[{}]);", before.offset(access)));
    }
    if plan.walls {
        *text += &from_walls(pieces, &before, phase);
        outside.push("solid".to_owned());
    }
    if !outside.is_empty() {
        line(text, format_args!("if ({}) return;", outside.join(" || ")));
    }
    line(text, format_args!("collide(h, uniforms.k, post);"));
    line(text, format_args!("// {LEAVING}"));
    for i in 0..q {
        let at = scheme.value(facts.write(i, phase).slot, Expression::name("to"));
        line(text, format_args!("{stored}[{at}] = encode(post[{i}]);"));
    }
    kernel
}

/// The kernel before a step whose planes move this way: it copies the plane that is overwritten first. With `tickets`, it also sets
/// them and as many counts to zero.
pub(super) fn keep_plane(pieces: &Pieces<'_>, phase: usize, way: Towards, tickets: Option<u32>) -> Kernel {
    let (facts, values, axis) = (pieces.facts, pieces.stored(), axis_of(pieces));
    let scheme = Scheme::new(facts, pieces.plan.size).before();
    let mut parameters = vec![values.shared()];
    parameters.extend(tickets.map(|_| Resource::Progress.shared()));
    parameters.extend(pieces.of_box());
    let mut about = "\n// Before a step: the plane that changes first beyond the one that is done last, which finds it there as it was"
        .to_owned();
    about += if tickets.is_some() { "; and no block has\n// a ticket.\n" } else { ".\n" };
    let least = tickets.map_or(0, |parts| parts as usize + 1);
    let threads = Threads::in_rows(FACES_BLOCK, Some(1), Over::Plane { axis, least });
    let mut kernel = Kernel::new(about, format!("keep_plane_{phase}"), phase, threads, parameters);
    if pieces.plan.work == Work::Nothing {
        return kernel;
    }
    let text = &mut kernel.body;
    let [nx, ny, _] = &scheme.size;
    let mut put = |content: std::fmt::Arguments<'_>| line(text, content);
    put(format_args!("const unsigned number = {FACES_BLOCK}u * blockIdx.x + threadIdx.x;"));
    if let Some(parts) = tickets {
        put(format_args!("if (number <= {parts}u) progress[number] = 0u;"));
    }
    let plane = match axis {
        2 => nx.clone() * ny.clone(),
        1 => nx.clone(),
        _ => Expression::from(1),
    };
    put(format_args!("if (number >= {plane}) return;"));
    put(format_args!("const unsigned x = number % {nx};"));
    if axis == 2 {
        put(format_args!("const unsigned y = number / {nx};"));
    }
    let position = |along: Expression| {
        let mut position = [Expression::name("x"), Expression::name("y"), Expression::from(0)];
        position[axis] = along;
        position
    };
    let size = scheme.size[axis].clone();
    let [kept, beyond] = match way {
        Towards::Down => [Expression::from(0), size],
        Towards::Up => [size.clone() - 1, size.clone() + spare(size)],
    };
    let [from, to] = [kept, beyond].map(|along| scheme.node(position(along)));
    put(format_args!("const size_t kept = {from}, beyond = {to};"));
    for slot in 0..facts.slots() {
        let [to, from] = ["beyond", "kept"].map(|node| scheme.value(slot, Expression::name(node)));
        put(format_args!("{values}[{to}] = {values}[{from}];"));
    }
    kernel
}
