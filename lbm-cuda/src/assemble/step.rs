//! The kernels of a time step, assembled: the collision's body between reads and writes of the streaming pattern.
//!
//! `step_<phase>` does all nodes without a branch for walls: a node with a missing neighbour, and a solid one, is
//! named by a bit of `skip`, and its results are not written. `boundary_<phase>` then does the fluid ones among these,
//! a thread each. A box without walls has neither bits nor second kernel. Where a pattern has passes before the step, their
//! kernels come first; where nodes at walls cannot wait until after the step, it does them itself.

use lbm_core::streaming::Towards;
use lbm_core::{DeviceHalves, Error, Facts};

use super::blocks::{refresh, step_in_blocks};
use super::boundary::{NUMBER_LISTED, boundary};
use super::bulk::{Pass, bulk};
use super::faces::faces;
use super::kernel::Program;
use super::listed::listed_step;
use super::march::march;
use super::pieces::Pieces;
use super::plan::{Plan, Work};
use super::planes::{keep_plane, planes};
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
    if facts.addressing.listed {
        return listed_step(&pieces);
    }
    let scheme = Scheme::new(facts, plan.size);
    let phases = 0..facts.period;
    let mut program = Program { preamble: pieces.preamble(pieces.unit()), kernels: Vec::new() };
    if let Some(halves) = pieces.halves {
        match facts.pattern.sends() {
            true => scattering(&mut program, &pieces, &halves, &scheme),
            false => of_moments(&mut program, &pieces, &halves, &scheme),
        }
        return Ok(program);
    }
    if let Some(blocks) = facts.blocks() {
        if plan.walls {
            program.preamble += NUMBER_LISTED;
        }
        program.preamble += &pieces.collide();
        program.kernels = phases
            .flat_map(|phase| {
                [refresh(&pieces, &blocks, &scheme, phase), step_in_blocks(&pieces, &blocks, &scheme, phase)]
            })
            .collect();
        return Ok(program);
    }
    if let Some(ways) = facts.pattern.drift() {
        program.preamble += &scheme.rings(facts);
        if plan.walls {
            program.preamble += NUMBER_LISTED;
        }
        program.preamble += &pieces.collide();
        program.kernels = phases.flat_map(|phase| planes(&pieces, phase, ways[phase % ways.len()])).collect();
        return Ok(program);
    }
    let exchange = |phase| facts.pattern.swaps().then(|| Pass::exchange(facts, phase));
    let passes: Vec<Vec<Pass>> = phases
        .map(|phase| exchange(phase).into_iter().chain([Pass::step(facts, plan, phase)]).collect())
        .collect();
    program.preamble += &groups(plan, passes.iter().flatten());
    if facts.pattern.turns() {
        program.preamble += &scheme.rings(facts);
    }
    program.preamble += &pieces.collide();
    for (phase, passes) in passes.iter().enumerate() {
        if facts.pattern.turns() {
            program.kernels.extend(faces(&pieces, &scheme, phase));
        }
        program.kernels.extend(passes.iter().map(|pass| bulk(&pieces, &scheme, pass, phase)));
        if plan.walls {
            program.kernels.push(boundary(&pieces, &scheme, phase));
        }
    }
    Ok(program)
}

/// The same where moments are stored.
fn of_moments(program: &mut Program, pieces: &Pieces<'_>, halves: &DeviceHalves, scheme: &Scheme) {
    let (facts, plan) = (pieces.facts, pieces.plan);
    let text = &mut program.preamble;
    *text += &groups(plan, []);
    if facts.pattern.drift().is_some() {
        *text += &scheme.rings(facts);
    }
    if plan.walls_within_step(facts) {
        *text += NUMBER_LISTED;
    }
    if plan.shape.nodes > 1 {
        *text += "\n";
        *text += include_str!("march.cuh");
    }
    if plan.shape.march.is_some_and(|march| march.ahead) {
        *text += "\n";
        *text += include_str!("ahead.cuh");
    }
    *text += &rebuilt::rebuild(pieces, halves);
    *text += &rebuilt::gather(pieces, halves, Work::Step);
    if plan.shape.march.is_some() {
        *text += &rebuilt::gather_in_parts(pieces, halves);
    }
    if let Some(way) = plan.shape.march.filter(|way| way.steps > 1) {
        *text += &rebuilt::rebuild_all(pieces, halves, Work::Step);
        let single = Plan { shape: plan.shape.single(), ..plan.clone() };
        let singly = pieces.with(&single);
        let several = several_steps(pieces, halves, scheme, way);
        program.kernels = vec![several, march(&singly, halves, scheme, 0, March { steps: 1, ..way })];
        return;
    }
    for phase in 0..facts.period {
        if let (true, Some(way)) = (facts.pattern.drift().is_some(), plan.shape.march) {
            program.kernels.push(keep_plane(pieces, phase, Towards::Down, Some(way.parts)));
        }
        program.kernels.push(match plan.shape.march {
            Some(way) => march(pieces, halves, scheme, phase, way),
            None => rebuilt::plain(pieces, halves, scheme, phase),
        });
        if plan.walls && !plan.walls_within_step(facts) {
            program.kernels.push(rebuilt::boundary(pieces, halves, scheme, phase));
        }
    }
}

/// The same where these send populations out before the step.
fn scattering(program: &mut Program, pieces: &Pieces<'_>, halves: &DeviceHalves, scheme: &Scheme) {
    let (facts, plan) = (pieces.facts, pieces.plan);
    let passes: Vec<[Pass; 2]> = (0..facts.period)
        .map(|phase| [Pass::scatter(facts, plan, phase), Pass::gather(facts, plan, phase)])
        .collect();
    program.preamble += &groups(plan, passes.iter().flatten());
    if plan.walls {
        program.preamble += &rebuilt::rebuild(pieces, halves);
    }
    program.preamble += &rebuilt::rebuild_all(pieces, halves, plan.work);
    program.preamble += &rebuilt::gather(pieces, halves, plan.work);
    for (phase, passes) in passes.iter().enumerate() {
        program.kernels.extend(passes.iter().map(|pass| bulk(pieces, scheme, pass, phase)));
        if plan.walls {
            program.kernels.push(rebuilt::boundary(pieces, halves, scheme, phase));
        }
    }
}

/// How groups of nodes side by side are moved by these passes, if threads have such.
fn groups<'a>(plan: &Plan, passes: impl IntoIterator<Item = &'a Pass>) -> String {
    let mut text = String::new();
    if plan.shape.nodes > 1 {
        text += "\n";
        text += include_str!("groups.cuh");
        if passes.into_iter().any(Pass::writes_along_x) {
            text += "\n";
            text += include_str!("groups_shifted.cuh");
        }
    }
    text
}
