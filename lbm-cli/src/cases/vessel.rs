//! Flow through a bent, branching vessel.

use std::f64::consts::PI;

use lbm_core::geometry::{Vessel, VesselKind};
use lbm_core::{Error, Face, Geometry};

use super::case::{Case, Flow, Watched};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Row;
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::sparse;
use super::state::State;
use crate::geometry::Source;
use crate::simulation::PlacedRule;

/// The case `vessel`: an aorta with a narrow part and two branches, periodic along its axis, a force along it.
pub(super) static CASE: Case = Case {
    name: "vessel",
    about: "flow through a bent, branching vessel, driven by a body force along its axis, or from an inlet to an outlet: the flow rate",
    bodies: &[("D3Q19", true), ("D3Q19", false)],
    own: &[
        shared::size(
            220,
            68,
            4420,
            "nodes along the vessel's axis, 442 for the published size; a multiple of 4 for tiles",
        ),
        Setting::named("drive", "force", Allowed::Names(&["force", "inlet"]))
            .about("a body force with ends that meet, or a parabola that enters at z = 0 and a pressure at the other end"),
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
    Vessel { kind: VesselKind::Aorta, scale: settings.size() as f64 / LENGTH }
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

/// What enters through the nodes of the first plane across z: a paraboloid of this mean over a circle of as many nodes.
fn inlet(geometry: &Geometry, mean: f64) -> PlacedRule {
    let nodes: Vec<[usize; 3]> = geometry.fluid_positions().take_while(|position| position[2] == 0).collect();
    let centre =
        [0, 1].map(|axis| nodes.iter().map(|node| node[axis] as f64).sum::<f64>() / nodes.len() as f64);
    let radius = radius(nodes.len());
    PlacedRule::named("regularized-velocity").with_each("velocity", move |[x, y, _]| {
        let share = (x as f64 - centre[0]).hypot(y as f64 - centre[1]) / radius;
        [0.0, 0.0, 2.0 * mean * (1.0 - share * share).max(0.0)]
    })
}

/// The viscosity of a flow through ends of this radius.
fn viscosity(settings: &Settings, radius: f64) -> f64 {
    settings.velocity() * 2.0 * radius / settings.real("re")
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let vessel = vessel(settings);
    let (axis, source) = (vessel.axis(), Source::vessel(vessel));
    let forced = settings.name("drive") == "force";
    let (entry, geometry) = sparse::geometry(&source, forced, settings)?;
    let radius = radius(sections(&geometry, axis)[0]);
    let viscosity = viscosity(settings, radius);
    let mut force = [0.0; 3];
    // Poiseuille's law: the mean speed is g R^2 / (8 nu).
    force[axis] = 8.0 * viscosity * settings.velocity() / (radius * radius);
    let [nx, ny, _] = geometry.size();
    let inlet = inlet(&geometry, settings.velocity());
    let mut problem = sparse::problem(&source, geometry, viscosity, forced.then_some(force));
    if !forced {
        let outlet = PlacedRule::named("regularized-pressure");
        problem.rules = vec![(Face::Bottom, settings.ramped(inlet)?), (Face::Top, outlet)];
    }
    let watched = Watched::Mean { name: "flow rate", component: axis, factor: (nx * ny) as f64 };
    Ok(Flow {
        title: format!("vessel, {} nodes long, R = {radius:.2}", settings.size()),
        variant: entry,
        problem,
        notes: Vec::new(),
        reference_length: 2.0 * radius,
        steady: Some(sparse::steady(radius, viscosity, watched, settings)),
        table: None,
    })
}

fn evaluate(settings: &Settings, state: &State, _: &[Row]) -> Evaluation {
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
    Evaluation { profiles, measures }
}
