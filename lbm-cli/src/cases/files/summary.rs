//! What `summary.json` says.

use lbm_core::units::{Quantity, UnitConverter};
use serde_json::{Map, Value as Json, json};

use super::super::case::Watched;
use super::super::evaluation::Profile;
use super::super::run::{Outcome, Run};

/// The content of `summary.json`.
pub(super) fn summary(run: &Run, outcome: &Outcome, units: Option<&UnitConverter>) -> Json {
    let simulation = &run.simulation;
    let settings = run.settings.entries().iter();
    let settings: Map<String, Json> =
        settings.map(|(setting, value)| (setting.name.to_owned(), json!(value))).collect();
    let (steady, last) = (run.steady, outcome.looks.last());
    json!({
        "case": run.case.name,
        "title": run.title,
        "notes": run.notes,
        "variant": simulation.variant(),
        "engine": simulation.engine_description(),
        "settings": settings,
        "size": simulation.size(),
        "fluid_nodes": simulation.fluid_nodes(),
        "population_bytes": simulation.footprint().bytes,
        "allocated_bytes": simulation.allocated_bytes(),
        "viscosity": simulation.viscosity(),
        "steps": outcome.progress.step,
        "ended": outcome.ended.name(),
        "convergence": {
            "interval_steps": steady.map(|steady| steady.interval),
            "tolerance": steady.map(|steady| steady.tolerance),
            "watched": steady.map(|steady| match steady.watched {
                Watched::Velocities => "velocities",
                Watched::Mean { name, .. } => name,
            }),
            "last_change": last.map(|look| look.change),
            "left": last.and_then(|look| look.left),
        },
        "seconds": outcome.seconds,
        "mlups": outcome.progress.mlups,
        "spent_seconds": outcome.phases.at_end().to_json(),
        "comparisons": comparisons(outcome),
        "measures": outcome.evaluation.measures,
        "si": units.map(|units| in_si(run, outcome, units)),
    })
}

fn comparisons(outcome: &Outcome) -> Vec<Json> {
    let compared = |profile: &Profile| {
        let [largest, rms] = profile.difference()?;
        Some(json!({
            "profile": profile.name,
            "quantity": profile.labels[1],
            "largest_difference": largest,
            "rms_difference": rms,
            "points": profile.reference.iter().filter(|p| p.counts).count(),
            "source": profile.source,
        }))
    };
    outcome.evaluation.profiles.iter().filter_map(compared).collect()
}

fn in_si(run: &Run, outcome: &Outcome, units: &UnitConverter) -> Json {
    let viscosity = run.simulation.viscosity().unwrap_or(0.0);
    let is_flat = run.simulation.dimension() < 3;
    let [length, pressure] = [Quantity::Length, Quantity::Pressure].map(|quantity| units.scale(quantity));
    let mut all = json!({
        "node_spacing_m": units.scale(Quantity::Length),
        "time_step_s": units.scale(Quantity::Time),
        "reference_velocity_m_s": units.to_si(Quantity::Velocity, run.settings.velocity()),
        "viscosity_m2_s": units.to_si(Quantity::Viscosity, viscosity),
        "density_kg_m3": units.scale(Quantity::Density),
        "time_s": units.to_si(Quantity::Time, outcome.progress.step as f64),
        "pressure_scale_pa": units.scale(Quantity::Pressure),
        "force_density_scale_n_m3": units.scale(Quantity::ForceDensity),
    });
    // What one of the tables' forces and torques is; in two dimensions for each metre across.
    let (names, force) = match is_flat {
        true => (["force_scale_n_m", "torque_scale_n"], pressure * length),
        false => (["force_scale_n", "torque_scale_n_m"], pressure * length * length),
    };
    for (name, scale) in names.into_iter().zip([force, force * length]) {
        all[name] = scale.into();
    }
    all
}
