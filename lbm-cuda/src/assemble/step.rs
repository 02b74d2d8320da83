//! The kernels of a time step, assembled: the collision's body between reads and writes of the streaming pattern.
//!
//! `step_<phase>` does all nodes without a branch for walls: a node with a missing neighbour, and a solid one, is
//! named by a bit of `skip`, and its results are not written. `boundary_<phase>` then does the fluid ones among these,
//! a thread each. A box without walls has neither bits nor second kernel. Where a pattern has passes before the step, their
//! kernels come first; where nodes at walls cannot wait until after the step, it does them itself.

use lbm_core::streaming::{Cut, Over, Pass, Program as Does};
use lbm_core::{DeviceHalves, Error, Facts};

use super::algorithm::Algorithm;
use super::blocks::{refresh, step_in_blocks};
use super::boundary::{NUMBER_LINKED, boundary};
use super::bulk::{Transfer, bulk};
use super::faces::faces;
use super::kernel::{Kernel, Program};
use super::listed::listed_step;
use super::march::march;
use super::pieces::Pieces;
use super::plan::{Plan, Work};
use super::planes::{keep_plane, step_of_planes};
use super::rebuilt;
use super::scheme::Scheme;
use super::shape::March;
use super::two_steps::several_steps;

/// The kernels of a time step, phase after phase, those of a phase in the order in which they run. Where several steps are done
/// at once, there is a kernel for these and one for a single step.
///
/// # Errors
/// [`Error::Unavailable`] if the collision or the precision has no CUDA text; [`Error::OutOfRange`] for a lattice of more
/// than 32 velocities.
pub fn step(facts: &Facts, plan: &Plan) -> Result<Program, Error> {
    let pieces = Pieces::of(facts, plan)?;
    let mut program = match Algorithm::of(facts) {
        Algorithm::Listed => listed_step(&pieces)?,
        algorithm => step_of_box(&pieces, &algorithm),
    };
    if plan.work == Work::Nothing {
        program.kernels.iter_mut().for_each(|kernel| kernel.body.clear());
    }
    Ok(program)
}

/// The same where the box is stored as a whole.
fn step_of_box(pieces: &Pieces<'_>, algorithm: &Algorithm) -> Program {
    let facts = pieces.facts;
    let scheme = Scheme::new(facts, pieces.plan.size);
    let preamble = pieces.preamble(pieces.unit()) + &functions(pieces, &scheme);
    let passes = facts.pattern.in_order();
    let kernels = passes.flat_map(|(phase, pass)| execute(pieces, &scheme, algorithm, pass, phase));
    Program { preamble, kernels: kernels.collect() }
}

/// The kernels that execute a pass.
fn execute(
    pieces: &Pieces<'_>,
    scheme: &Scheme,
    algorithm: &Algorithm,
    pass: &Pass,
    phase: usize,
) -> Vec<Kernel> {
    let over_nodes = || bulk(pieces, scheme, &Transfer::of(pass, pieces.facts, pieces.plan, phase), phase);
    match (pass.program, pass.over, algorithm) {
        (Does::Move, Over::Crossings(Cut::Planes), _) => vec![keep_plane(pieces, phase)],
        (Does::Move, _, Algorithm::Blocks(blocks)) => vec![refresh(pieces, blocks, scheme, phase)],
        (Does::Move, ..) => {
            let out = pieces.facts.pattern.arrays[pass.reads[0]].at_nodes();
            vec![faces(pieces, scheme, out, phase)]
        }
        (Does::Swap | Does::Send, ..) => vec![over_nodes()],
        (Does::Collide, _, Algorithm::Blocks(blocks)) => vec![step_in_blocks(pieces, blocks, scheme, phase)],
        (Does::Collide, _, Algorithm::Planes) => vec![step_of_planes(pieces, phase)],
        (Does::Collide, ..) => {
            let step = match &pieces.halves {
                Some(halves) if pieces.facts.pattern.rebuilds() => rebuilding(pieces, halves, scheme, phase),
                _ => vec![over_nodes()],
            };
            let walls = pieces.plan.walls && !pieces.plan.walls_within_step(pieces.facts);
            step.into_iter().chain(walls.then(|| at_walls(pieces, scheme, phase))).collect()
        }
    }
}

/// The step where populations are rebuilt from moments.
fn rebuilding(pieces: &Pieces<'_>, halves: &DeviceHalves, scheme: &Scheme, phase: usize) -> Vec<Kernel> {
    let (plan, walls_within) = (pieces.plan, pieces.plan.walls_within_step(pieces.facts));
    match plan.shape.march {
        None => vec![rebuilt::plain(pieces, halves, scheme, phase)],
        Some(way @ March { steps: 1, .. }) => {
            vec![march(pieces, halves, scheme, phase, way, walls_within)]
        }
        Some(way) => {
            let single = Plan { shape: plan.shape.single(), ..plan.clone() };
            let way_of_one = March { steps: 1, ..way };
            let singly = march(&pieces.with(&single), halves, scheme, phase, way_of_one, walls_within);
            vec![several_steps(pieces, halves, scheme, way), singly]
        }
    }
}

/// The kernel of the nodes at walls.
fn at_walls(pieces: &Pieces<'_>, scheme: &Scheme, phase: usize) -> Kernel {
    match &pieces.halves {
        Some(halves) => rebuilt::boundary(pieces, halves, scheme, phase),
        None => boundary(pieces, scheme, phase),
    }
}

/// Functions that the kernels use.
fn functions(pieces: &Pieces<'_>, scheme: &Scheme) -> String {
    let (facts, plan) = (pieces.facts, pieces.plan);
    let mut text = groups(facts, plan);
    if facts.pattern.moves() {
        text += &scheme.rings(facts);
    }
    if plan.walls_within_step(facts) {
        text += NUMBER_LINKED;
    }
    text + &match &pieces.halves {
        None => pieces.collide(),
        Some(halves) if facts.pattern.rebuilds() => functions_that_rebuild(pieces, halves),
        Some(halves) => {
            let at_walls = plan.walls.then(|| rebuilt::rebuild(pieces, halves));
            let all = rebuilt::rebuild_all(pieces, halves, plan.work);
            at_walls.unwrap_or_default() + &all + &rebuilt::gather(pieces, halves, plan.work)
        }
    }
}

/// The same where populations are rebuilt where they are read.
fn functions_that_rebuild(pieces: &Pieces<'_>, halves: &DeviceHalves) -> String {
    let shape = pieces.plan.shape;
    let mut text = String::new();
    if shape.nodes > 1 {
        text += concat!("\n", include_str!("march.cuh"));
    }
    if shape.march.is_some_and(|march| march.prefetch) {
        text += concat!("\n", include_str!("prefetch.cuh"));
    }
    text += &rebuilt::rebuild(pieces, halves);
    text += &rebuilt::gather(pieces, halves, Work::Step);
    if shape.march.is_some() {
        text += &rebuilt::gather_in_parts(pieces, halves);
    }
    if shape.steps() > 1 {
        text += &rebuilt::rebuild_all(pieces, halves, Work::Step);
    }
    text
}

/// How groups of nodes side by side are moved, if threads have such.
fn groups(facts: &Facts, plan: &Plan) -> String {
    if plan.shape.nodes == 1 {
        return String::new();
    }
    let mut passes = facts.pattern.in_order().filter(|(_, pass)| !matches!(pass.over, Over::Crossings(_)));
    let shifted = passes.any(|(phase, pass)| Transfer::of(pass, facts, plan, phase).writes_along_x());
    let text = concat!("\n", include_str!("groups.cuh")).to_owned();
    if shifted { text + "\n" + include_str!("groups_shifted.cuh") } else { text }
}
