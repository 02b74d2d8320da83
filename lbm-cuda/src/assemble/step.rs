//! The kernels of a time step, assembled: the collision's body between reads and writes of the streaming pattern.
//!
//! `step_<phase>` does all nodes, those at walls too. Where moments are rebuilt or gathered a node a thread, these are named by
//! a bit of `skip` instead, and `boundary_<phase>` does them, a thread each. A box without walls has neither bits nor lists.
//! Where a pattern has passes before the step, their kernels come first.

use lbm_core::streaming::{Cut, Over, Pass, Program as Does};
use lbm_core::{Error, Facts};

use super::algorithm::Algorithm;
use super::blocks::{refresh, step_in_blocks};
use super::bulk::bulk;
use super::deriving;
use super::faces::faces;
use super::kernel::{Kernel, Program};
use super::listed::listed_step;
use super::march::march;
use super::on_the_way::step_on_the_way;
use super::pieces::Pieces;
use super::plan::{Plan, Work};
use super::planes::{keep_plane, step_of_planes};
use super::rebuilt::{self, Becomes};
use super::resource::Held;
use super::rules;
use super::shape::March;
use super::transfer::Transfer;
use super::two_steps::several_steps;

/// The kernels of a time step, phase after phase, those of a phase in the order in which they run. Where several steps are done
/// at once, there is a kernel for these and one for a single step; where fields follow on the way, others leave them if they are asked for.
///
/// # Errors
/// [`Error::Unavailable`] if the collision or the precision has no CUDA text; [`Error::OutOfRange`] for a lattice of more
/// velocities than [`MOST_DIRECTIONS`](lbm_core::links::MOST_DIRECTIONS).
pub fn step(facts: &Facts, plan: &Plan) -> Result<Program, Error> {
    let plan = &plan.clone().with_rules(plan.rules.of_step());
    let pieces = Pieces::of(facts, plan)?;
    let mut program = match Algorithm::of(facts, plan.shape.march.is_some()) {
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
    let preamble = pieces.preamble(pieces.unit()) + &functions(pieces);
    let way = pieces.plan.shape.march.filter(|march| march.fields);
    // Between walls fields follow in a march before, as they do where they are asked for.
    let single = Plan { shape: pieces.plan.shape.between_walls(), ..pieces.plan.clone() };
    let before = &pieces.with(&single);
    let deriving = |phase| deriving::kernels(before, algorithm, phase);
    if let Some(way) = way.filter(|_| !pieces.plan.walls) {
        let mut kernels = deriving(0);
        kernels.iter_mut().for_each(|kernel| kernel.asked = true);
        kernels.insert(0, step_on_the_way(pieces, way, 0));
        return Program { preamble, kernels };
    }
    let kernels = pieces.facts.pattern.in_order().flat_map(|(phase, pass)| {
        let first = if pass.program == Does::Collide { deriving(phase) } else { Vec::new() };
        first.into_iter().chain(execute(before, algorithm, pass, phase))
    });
    Program { preamble, kernels: kernels.collect() }
}

/// The kernels that execute a pass.
fn execute(pieces: &Pieces<'_>, algorithm: &Algorithm, pass: &Pass, phase: usize) -> Vec<Kernel> {
    let (facts, plan) = (pieces.facts, pieces.plan);
    let over_nodes = || bulk(pieces, &Transfer::of(pass, facts, plan, phase), phase);
    match (pass.program, pass.over, algorithm) {
        (Does::Move, Over::Crossings(Cut::Planes), _) => vec![keep_plane(pieces, phase)],
        (Does::Move, _, Algorithm::Blocks(blocks)) => vec![refresh(pieces, blocks, phase)],
        (Does::Move, ..) => vec![faces(pieces, facts.pattern.arrays[pass.reads[0]].at_nodes(), phase)],
        (Does::Swap | Does::Send, ..) => vec![over_nodes()],
        (Does::Collide, _, Algorithm::Blocks(blocks)) => vec![step_in_blocks(pieces, blocks, phase)],
        (Does::Collide, _, Algorithm::Planes) => vec![step_of_planes(pieces, phase)],
        (Does::Collide, ..) => {
            let mut step = match algorithm {
                Algorithm::March { ordered } => rebuilding(pieces, *ordered, phase),
                _ => vec![over_nodes()],
            };
            if plan.walls && !pieces.walls_within {
                step.push(rebuilt::boundary(pieces, phase, Becomes::Moments));
            }
            step
        }
    }
}

/// The step where populations are rebuilt from moments, by a march perhaps `ordered`.
fn rebuilding(pieces: &Pieces<'_>, ordered: bool, phase: usize) -> Vec<Kernel> {
    match pieces.plan.shape.march {
        None => vec![rebuilt::plain(pieces, phase, Becomes::Moments)],
        Some(way @ March { steps: 1, .. }) => vec![march(pieces, way, ordered, Becomes::Moments, phase)],
        Some(way) => {
            let single = Plan { shape: pieces.plan.shape.single(), ..pieces.plan.clone() };
            vec![
                several_steps(pieces, way),
                march(&pieces.with(&single), way, ordered, Becomes::Moments, phase),
            ]
        }
    }
}

/// Functions that the kernels use.
fn functions(pieces: &Pieces<'_>) -> String {
    let plan = pieces.plan;
    let mut text = packs(pieces.facts, plan) + &pieces.scheme().functions();
    if pieces.walls_within || !plan.rules.is_empty() {
        text += concat!("\n", include_str!("number_linked.cuh"));
    }
    text += &rules::functions(pieces);
    if pieces.held == Held::Moments {
        return text + &functions_that_rebuild(pieces);
    }
    if !pieces.stores_moments() {
        return text + &pieces.collide() + &deriving::functions(pieces);
    }
    let at_walls = plan.walls.then(|| rebuilt::rebuild(pieces));
    text += &at_walls.unwrap_or_default();
    text += &rebuilt::rebuild_all(pieces, plan.work);
    text + &rebuilt::gather(pieces, plan.work) + &deriving::functions(pieces)
}

/// The same where populations are rebuilt where they are read.
fn functions_that_rebuild(pieces: &Pieces<'_>) -> String {
    let shape = pieces.plan.shape;
    let mut text = String::new();
    if shape.nodes > 1 {
        text += concat!("\n", include_str!("march.cuh"));
    }
    if shape.march.is_some_and(|march| march.prefetch) {
        text += concat!("\n", include_str!("prefetch.cuh"));
    }
    if pieces.walls_within && shape.march.is_some() {
        text += concat!("\n", include_str!("bits_at.cuh"));
    }
    text += &rebuilt::rebuild(pieces);
    text += &(rebuilt::gather(pieces, Work::Step) + &deriving::functions(pieces));
    if shape.march.is_some() {
        text += &rebuilt::gather_in_parts(pieces);
    }
    if shape.has_fields_on_the_way() {
        text += &rebuilt::gather_around_fields(pieces);
    }
    if shape.exchanges() > 1 {
        text += &rebuilt::rebuild_all(pieces, Work::Step);
    }
    text
}

/// How packs of nodes side by side are moved, if threads have such.
fn packs(facts: &Facts, plan: &Plan) -> String {
    if plan.shape.nodes == 1 {
        return String::new();
    }
    let mut passes = facts.pattern.in_order().filter(|(_, pass)| !matches!(pass.over, Over::Crossings(_)));
    let shifted = passes.any(|(phase, pass)| Transfer::of(pass, facts, plan, phase).writes_along_x());
    let text = concat!("\n", include_str!("packs.cuh")).to_owned();
    if shifted { text + "\n" + include_str!("packs_shifted.cuh") } else { text }
}
