//! From a problem to a flow in motion: everything is checked, then the box is made, then the engine.

use lbm_core::cut::{CutEngine, Decomposition, on_all_ranks};
use lbm_core::engine::Setup;
use lbm_core::facts::LatticeFacts;
use lbm_core::units::relaxation_rate;
use lbm_core::{Domain, Engine, Error, Facts, RuleFacts};

use super::at_faces::apply_at_faces;
use super::backend::Placement;
use super::bodies::Bodies;
use super::initial::Start;
use super::meeting;
use super::node_fields::GivenFields;
use super::patches;
use super::problem::Problem;
use super::processes::Processes;
use super::rate::Rates;
use super::regions;
use super::rules::apply;
use super::running::Simulation;
use super::sets::InitialSums;
use super::{check, memory, surfaces};

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
    let (face_patches, mut placed) =
        patches::apply(&facts.lattice, &rules, size, &mut problem, &mut applied)?;
    check::faces(&facts.lattice, &problem.faces)?;
    let force = check::force(&facts, problem.force)?;
    let parameters = check::parameters(&facts, &problem.parameters, viscosity, force)?;
    let given_fields = std::mem::take(&mut problem.fields);
    let fields = GivenFields::of(&facts, &given_fields)?;
    let given_sums = std::mem::take(&mut problem.sums);
    let sums = InitialSums::of(&facts.lattice, &given_sums)?;
    let (mut domain, first) = domain(&facts.lattice, size, &mut problem)?;
    (domain.rules, domain.patches) = (applied, face_patches);
    patches::require_fluid(&domain, &problem)?;
    meeting::check(&facts.lattice, &rules, &domain, &placed)?;
    placed.extend(apply_at_faces(&facts.lattice, &rules, &problem, &mut domain)?);
    regions::apply(&facts.lattice, &rules, &problem.regions, &mut domain)?;
    let given = viscosity.map(|nu| relaxation_rate(nu, facts.lattice.cs2)).transpose()?;
    let mut setup = Setup::new(domain, parameters);
    // Listed once, for surfaces and for the engine.
    let links = setup.links(&facts.lattice)?;
    placed.extend(surfaces::apply(&facts.lattice, &rules, &problem, first, &mut setup)?);
    let walls = first - problem.solids.len();
    let bodies = Bodies::of(&mut problem, walls, placed)?;
    bodies.require_nodes(setup.domain())?;
    let setup = setup.with_rules(rules);
    let may_be_cut =
        |cut: &Decomposition| CutEngine::refusal(&facts, &setup, cut, processes.ranks()).is_none();
    let cut = cut.filter(|cut| !problem.placement.or_whole || may_be_cut(cut));
    let mut engine = match cut {
        None => engine(0, &setup)?,
        Some(cut) => Box::new(CutEngine::over(processes.transport, &facts, &setup, &cut, &*engine)?),
    };
    drop(links);
    fields.set(&mut *engine, setup.domain())?;
    let rates = Rates { facts: &facts, parameters: &setup.parameters, force, given };
    Start { rates, fields, sums }.set(&mut *engine, setup.domain(), problem.initial.as_ref())?;
    let flow = Simulation::new(facts, setup, force, footprint, bodies, engine);
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

/// The box with its solids marked, and the number of the first surface among them. The geometry's bytes are moved into it.
fn domain(lattice: &LatticeFacts, size: [usize; 3], problem: &mut Problem) -> Result<(Domain, usize), Error> {
    let mut domain = match problem.geometry.take() {
        Some(geometry) => geometry.into_domain(problem.faces)?,
        None => Domain::periodic(size).with_faces(problem.faces),
    };
    let first = domain.solids.len();
    let first_surface = first + problem.solids.len();
    for solid in &problem.solids {
        check::velocity(lattice, "velocity of a moving solid", solid.velocity)?;
    }
    let velocities = problem.solids.iter().map(|solid| solid.velocity);
    domain.add_solids(velocities, |position| {
        problem.solids.iter().position(|solid| (solid.contains)(position))
    })?;
    for surface in &problem.surfaces {
        domain.add_solid(&*surface.shape, [0.0; 3])?;
    }
    check::some_fluid(&domain)?;
    Ok((domain, first_surface))
}
