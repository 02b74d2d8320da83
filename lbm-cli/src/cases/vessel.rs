//! Flow through a bent, branching vessel, from an inlet to its outlets or around the box.

mod ends;

use std::f64::consts::PI;

use lbm_core::geometry::{Vessel, VesselKind};
use lbm_core::{Error, Geometry};

use super::case::{AUTO, Case, Flow, Watched};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Row;
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::sparse;
use super::state::State;
use crate::geometry::Source;

/// The case `vessel`: an aorta with a narrow part and two branches, whose ends may meet; or a fork with one inlet and three outlets.
pub(super) static CASE: Case = Case {
    name: "vessel",
    about: "flow through a bent, branching vessel, driven by a body force along its axis, or from an inlet to an outlet or three of them: flow rates",
    bodies: &[("D3Q19", true), ("D3Q19", false)],
    own: &[
        shared::size(
            220,
            68,
            4420,
            "nodes along the vessel's axis, 442 for the published size; a multiple of 4 for tiles",
        ),
        Setting::named("shape", "aorta", Allowed::Names(&["aorta", "fork"]))
            .about("an aorta whose branches join again, or a vessel that divides twice, into the outlets left, middle and right"),
        Setting::named("drive", AUTO, Allowed::Names(&[AUTO, "force", "inlet"])).about(
            "a body force with ends that meet, or a paraboloid that enters at z = 0 and a pressure at each opening at the other end, with flow_rates.csv; auto: a force in an aorta, an inlet into a fork",
        ),
        ends::PRESSURES[0],
        ends::PRESSURES[1],
        ends::PRESSURES[2],
        shared::RAMP,
        shared::FILL,
        shared::velocity(
            0.02,
            "mean speed in a straight tube as wide as the vessel's ends, which the force is chosen for, or that enters",
        ),
        shared::reynolds(5.0, 1e4, "Reynolds number of that speed and width"),
        shared::FLOW_RATE,
        shared::MAGIC,
    ],
    defaults: sparse::defaults(
        1e-3,
        "converged when the flow rate is estimated to be this near to where it settles, as a share of itself, from its \
         changes in t* = R^2 / nu, the time of diffusion over the radius of the vessel's ends",
    ),
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// Nodes along the axis at scale 1.
const LENGTH: f64 = 442.0;

fn vessel(settings: &Settings) -> Vessel {
    let kind = if settings.name("shape") == "fork" { VesselKind::Fork } else { VesselKind::Aorta };
    Vessel { kind, scale: settings.size() as f64 / LENGTH }
}

/// Whether a body force drives the flow around the box.
///
/// # Errors
/// [`Error::Conflict`] where the ends of the vessel do not meet.
fn is_forced(settings: &Settings, vessel: &Vessel) -> Result<bool, Error> {
    match (settings.name("drive"), vessel.kind.is_periodic()) {
        ("force", false) => Err(Error::conflict(
            "drive=force needs ends that meet, and a fork has one at z = 0 and three at the other end",
            "leave `drive` out, or set drive=inlet",
        )),
        (drive, meets) => Ok(drive == "force" || drive == AUTO && meets),
    }
}

/// Fluid nodes of each plane across the axis.
fn sections(geometry: &Geometry, axis: usize) -> Vec<usize> {
    let mut sections = vec![0; geometry.size()[axis]];
    geometry.fluid_positions().for_each(|position| sections[position[axis]] += 1);
    sections
}

/// The radius of a circle of so many nodes.
fn radius(nodes: usize) -> f64 {
    (nodes as f64 / PI).sqrt()
}

/// The viscosity of a flow through ends of this radius.
fn viscosity(settings: &Settings, radius: f64) -> f64 {
    settings.velocity() * 2.0 * radius / settings.real("re")
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let vessel = vessel(settings);
    let (axis, source) = (vessel.axis(), Source::vessel(vessel));
    let forced = is_forced(settings, &vessel)?;
    ends::require_outlets(settings)?;
    let (entry, geometry) = sparse::geometry(&source, forced, settings)?;
    let radius = radius(sections(&geometry, axis)[0]);
    let viscosity = viscosity(settings, radius);
    let mut force = [0.0; 3];
    // Poiseuille's law: the mean speed is g R^2 / (8 nu).
    force[axis] = 8.0 * viscosity * settings.velocity() / (radius * radius);
    let [nx, ny, _] = geometry.size();
    let watched = Watched::Mean { name: "flow rate", component: axis, factor: (nx * ny) as f64 };
    let steady = sparse::steady(radius, viscosity, watched, settings);
    let inlet = ends::inlet(&geometry, settings.velocity());
    let (mut problem, mut table) =
        (sparse::problem(&source, geometry, viscosity, forced.then_some(force)), None);
    if !forced {
        ends::open(&mut problem, &vessel, inlet, settings)?;
        let unit = 2.0 * radius / settings.velocity();
        table = Some(ends::table(vessel.ends().len(), steady.interval, unit));
    }
    Ok(Flow {
        title: format!("vessel, {} nodes long, R = {radius:.2}", settings.size()),
        variant: entry,
        problem,
        notes: Vec::new(),
        reference_length: 2.0 * radius,
        steady: Some(steady),
        table,
    })
}

fn evaluate(settings: &Settings, state: &State, rows: &[Row]) -> Evaluation {
    let vessel = vessel(settings);
    let (axis, source) = (vessel.axis(), Source::vessel(vessel));
    let rates = sparse::mass_flows(state, axis);
    let rate = rates.iter().sum::<f64>() / rates.len() as f64;
    let mut measures =
        vec![Measure::alone("flow rate along the axis, node spacings cubed a step (density 1)", rate)];
    let mut profiles = Vec::new();
    // Made for the flow before; what is not fluid is at rest, so filled parts count for nothing but as nodes.
    if let Ok(geometry) = source.geometry() {
        let sections = sections(&geometry, axis);
        let (mean, radius) = (rate / sections[0] as f64, radius(sections[0]));
        let speeds =
            rates.iter().zip(&sections).map(|(rate, &nodes)| rate / nodes as f64 / settings.velocity());
        profiles.push(Profile {
            name: "section_velocity",
            title: "mean velocity along the axis by cross-section",
            labels: ["z / L", "u / U"],
            ..sparse::by_plane(speeds)
        });
        let through = rate * rates.len() as f64 / geometry.fluid_nodes() as f64;
        measures.extend([
            Measure::alone("mean velocity along the axis, over the fluid", through),
            Measure::alone("mean velocity at the ends", mean),
            Measure::alone("Reynolds number at the ends", mean * 2.0 * radius / viscosity(settings, radius)),
        ]);
        let at_wall = sparse::wall_nodes(geometry, &source).ok();
        measures.extend(at_wall.map(|nodes| Measure::alone("fluid nodes at the wall", nodes as f64)));
        let [nx, ny, nz] = state.size;
        // Solid nodes have the density 1.
        let above = |plane: usize| -> f64 {
            let nodes = &state.density[plane * nx * ny..(plane + 1) * nx * ny];
            nodes.iter().map(|density| density - 1.0).sum::<f64>() / sections[plane] as f64
        };
        measures.push(Measure::alone(
            "mean density at z = 0 less that at the other end",
            above(0) - above(nz - 1),
        ));
    }
    measures.push(sparse::unevenness(&rates));
    measures.extend(ends::measures(rows));
    Evaluation { profiles, measures }
}
