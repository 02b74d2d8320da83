//! From a problem to a flow in motion: everything is checked, then the box is made, then the engine.

use std::sync::Arc;

use lbm_core::cut::{CutEngine, Decomposition, on_all_ranks};
use lbm_core::engine::Setup;
use lbm_core::units::relaxation_rate;
use lbm_core::{Domain, Engine, Error, Facts, RuleFacts};

use super::backend::Placement;
use super::bodies::Bodies;
use super::initial::Start;
use super::known_box::{KnownBox, Rest};
use super::node_fields::GivenFields;
use super::patches;
use super::plan::{Made, Plan, Seen, fluid_nodes};
use super::problem::Problem;
use super::processes::Processes;
use super::rate::Rates;
use super::rules::apply;
use super::running::Simulation;
use super::sets::InitialSums;
use super::share::Share;
use super::{check, memory, names};

/// Makes the engine of a part of the box, or of all of it as part 0.
type MakeEngine<'a> = Box<dyn Fn(usize, &Setup) -> Result<Box<dyn Engine>, Error> + 'a>;

/// Checks everything, and sets the flow in motion.
pub(super) fn simulation(
    facts: Facts,
    rules: Vec<RuleFacts>,
    mut problem: Problem,
    processes: Processes,
    engine: MakeEngine<'_>,
) -> Result<Simulation, Error> {
    let size = check::size(&facts.lattice, &problem)?;
    names::check(&problem)?;
    let cut = processes.cut(&facts, &mut problem, size);
    if let (None, Placement { exchange_every: Some(steps), or_whole: false, .. }) = (&cut, problem.placement)
    {
        return Err(Error::conflict(
            format!("values should cross once in {steps} steps, and the box is not cut"),
            "cut it into parts (--parts, --devices, a launcher of MPI), or leave it out",
        ));
    }
    let footprint = memory::check(&facts, &problem, size, &processes, cut.as_ref());
    // None takes memory before all have looked at what is free.
    let footprint = on_all_ranks(&*processes.transport, footprint)?;
    let viscosity = check::viscosity(&facts, &problem)?;
    let mut applied = apply(&facts.lattice, &rules, size, &mut problem)?;
    let (face_patches, placed) = patches::apply(&facts.lattice, &rules, size, &mut problem, &mut applied)?;
    check::faces(&facts.lattice, &problem.faces)?;
    let force = check::force(&facts, problem.force)?;
    let parameters = check::parameters(&facts, &problem.parameters, viscosity, force)?;
    let given_fields = std::mem::take(&mut problem.fields);
    let fields = GivenFields::of(&facts, &given_fields)?;
    let given_sums = std::mem::take(&mut problem.sums);
    let sums = InitialSums::of(&facts.lattice, &given_sums)?;
    let given = viscosity.map(|nu| relaxation_rate(nu, facts.lattice.cs2)).transpose()?;
    let initial = problem.initial.take();
    let mut bare = match problem.geometry.take() {
        // Its bytes are moved.
        Some(geometry) => geometry.into_domain(problem.faces)?,
        None => Domain::periodic(size).with_faces(problem.faces),
    };
    (bare.rules, bare.patches) = (applied, face_patches);
    let share = Share::of(&facts, &rules, &problem, (&processes, cut.as_ref()), &bare);
    let (or_whole, on_this_host) = (problem.placement.or_whole, processes.on_this_host());
    let transport = Arc::clone(&processes.transport);
    let mut plan = Plan { lattice: facts.lattice, rules, problem, parameters, placed };
    plan.compare(&*transport, size)?;
    let (domain, bare) = match &share {
        Some(share) => (bare.clone().within(share.portion), Some(bare)),
        None => (bare, None),
    };
    let mut seen = Seen::of(&domain);
    let made = plan.made(domain, &mut seen).and_then(|Made { setup, links, placed, walls, unmet }| {
        let bodies = Bodies::of(&mut plan.problem, walls, placed)?;
        bodies.require_nodes(setup.domain(), &mut seen)?;
        Ok((setup, links, bodies, unmet))
    });
    // What lies elsewhere another process may fail at.
    let (setup, links, bodies, mut unmet) = on_all_ranks(&*transport, made)?;
    let mut own = 0;
    if let Some(share) = &share {
        own = fluid_nodes(setup.domain(), &share.own);
        unmet.retain(|&node| share.own.iter().any(|own| own.contains(setup.domain().position(node))));
    }
    let all = unmet.len() as u64;
    let [fluid_nodes, unmet] = seen.decide(&*transport, [own as u64, all])?;
    // Where each process knows the whole box, each has counted all of them.
    let unmet = if share.is_some() { unmet } else { all };
    let may_be_cut =
        |cut: &Decomposition| CutEngine::refusal(&facts, &setup, cut, processes.ranks()).is_none();
    let cut = cut.filter(|cut| !or_whole || may_be_cut(cut));
    let mut engine = match cut {
        None => on_all_ranks(&*transport, engine(0, &setup))?,
        Some(cut) => Box::new(CutEngine::over(processes.transport, &facts, &setup, &cut, &*engine)?),
    };
    drop(links);
    let rates = Rates { facts: &facts, parameters: &setup.parameters, force, given };
    let set = fields.set(&mut *engine, setup.domain());
    let start = Start { rates, fields, sums };
    let set = set.and_then(|()| start.set(&mut *engine, setup.domain(), initial.as_ref()));
    on_all_ranks(&*transport, set)?;
    let known = match (bare, share) {
        (Some(bare), Some(share)) => {
            KnownBox::part(setup, Rest::of(transport, share.own, plan, bare), fluid_nodes as usize)
        }
        _ => KnownBox::whole(setup),
    };
    let flow = Simulation::new(facts, known, force, footprint, bodies, engine)
        .among(on_this_host)
        .missing_surfaces(unmet);
    match flow.rule_with_force().filter(|_| facts.body.force_varies()) {
        None => Ok(flow),
        Some(rule) => Err(Error::conflict(
            format!(
                "the boundary rule `{}` counts with the body force, which {} {}",
                rule.name,
                if facts.body.force_field { "is a field of" } else { "follows from populations in" },
                facts.name()
            ),
            "take a rule that does not count with it, or declare the solver with `forcing: Guo`",
        )),
    }
}
