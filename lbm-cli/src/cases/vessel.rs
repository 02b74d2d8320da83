//! Flow through a bent, branching vessel.

use std::f64::consts::PI;

use lbm_core::geometry::{Vessel, VesselKind};
use lbm_core::{Error, Geometry};

use super::case::{Case, Flow, Steady, Stop, Watched};
use super::evaluation::{Evaluation, Measure};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::sparse;
use super::state::State;
use crate::geometry::{Source, links};
use crate::simulation::{Problem, Viscosity};

/// The case `vessel`: an aorta with a narrow part and two branches, periodic along its axis, a force along it.
#[derive(Clone, Copy, Debug)]
pub struct VesselFlow;

/// Nodes along the axis at scale 1.
const LENGTH: f64 = 442.0;

static SETTINGS: &[Setting] = &[
    shared::size(
        220,
        68,
        4420,
        "nodes along the vessel's axis, 442 for the published size; a multiple of 4 for tiles",
    ),
    shared::FILL,
    shared::velocity(
        0.02,
        "mean speed in a straight tube as wide as the vessel's ends, which the force is chosen for",
    ),
    shared::reynolds(5.0, 1e4, "Reynolds number of that speed and width"),
    shared::MAGIC,
    shared::collision("trt"),
    shared::precision("f32"),
    shared::addressing("tiled4"),
    shared::STREAMING,
    shared::steps(1_000_000, "stop after so many steps at the latest"),
    shared::tolerance(
        1e-3,
        "converged when the flow rate is estimated to be this near to where it settles, as a share of itself, from its \
         changes in t* = R^2 / nu, the time of diffusion over the radius of the vessel's ends",
    ),
    shared::output(0),
    shared::checkpoint(100_000),
    shared::THREADS,
    shared::SIMD,
    shared::PHYSICAL_LENGTH,
    shared::PHYSICAL_VISCOSITY,
    shared::PHYSICAL_DENSITY,
];

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

impl Case for VesselFlow {
    fn name(&self) -> &'static str {
        "vessel"
    }

    fn about(&self) -> &'static str {
        "flow through a bent, branching vessel, driven by a body force along its axis: the flow rate"
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn flow(&self, settings: &Settings) -> Result<Flow, Error> {
        let (vessel, entry) = (vessel(settings), sparse::variant(settings)?);
        let source = Source::Vessel(vessel);
        let geometry = sparse::geometry(&source, entry, settings)?;
        let (speed, reynolds) = (settings.real("velocity"), settings.real("re"));
        let radius = radius(sections(&geometry, vessel.axis())[0]);
        let viscosity = speed * 2.0 * radius / reynolds;
        let mut force = [0.0; 3];
        // Poiseuille's law: the mean speed is g R^2 / (8 nu).
        force[vessel.axis()] = 8.0 * viscosity * speed / (radius * radius);
        let [nx, ny, _] = geometry.size();
        let mut problem = Problem {
            viscosity: Some(Viscosity::Value(viscosity)),
            faces: source.faces(),
            force: Some(force),
            placement: settings.placement(),
            geometry: Some(geometry),
            ..Problem::default()
        };
        if settings.name("collision") == "trt" {
            problem.parameters.push(("magic".to_owned(), settings.real("magic")));
        }
        let watched = Watched::Mean { name: "flow rate", component: vessel.axis(), factor: (nx * ny) as f64 };
        Ok(Flow {
            title: format!("vessel, {} nodes long, R = {radius:.2}", settings.size()),
            variant: entry.name.clone(),
            problem,
            reference_velocity: speed,
            reference_length: 2.0 * radius,
            stop: Stop {
                steps: settings.integer("steps"),
                steady: Some(Steady {
                    interval: (radius * radius / viscosity).ceil() as u64,
                    tolerance: settings.tolerance(),
                    watched,
                }),
            },
        })
    }

    fn evaluate(&self, settings: &Settings, state: &State) -> Evaluation {
        let vessel = vessel(settings);
        let (axis, source) = (vessel.axis(), Source::Vessel(vessel));
        let rates = sparse::mass_flows(state, axis);
        let rate = rates.iter().sum::<f64>() / rates.len() as f64;
        let mut measures = Vec::new();
        let mut measure = |name: &str, measured, reference, source: &str| {
            measures.push(Measure { name: name.to_owned(), measured, reference, source: source.to_owned() });
        };
        measure("flow rate along the axis, node spacings cubed a step (density 1)", rate, None, "");
        let mut profiles = Vec::new();
        // Made for the flow before; what is not fluid is at rest, so filled parts count for nothing but as nodes.
        if let Ok(geometry) = source.geometry() {
            let sections = sections(&geometry, axis);
            let (area, radius) = (sections[0] as f64, radius(sections[0]));
            let speeds: Vec<f64> = rates
                .iter()
                .zip(&sections)
                .map(|(rate, &nodes)| rate / nodes as f64 / settings.real("velocity"))
                .collect();
            profiles.push(sparse::by_plane(
                "section_velocity",
                "mean velocity along the axis by cross-section",
                ["z / L", "u / U"],
                &speeds,
            ));
            let through = rate * rates.len() as f64 / geometry.fluid_nodes() as f64;
            measure("mean velocity along the axis, over the fluid", through, None, "");
            measure("mean velocity at the ends", rate / area, None, "");
            let reynolds = rate / area * 2.0 * radius / state.viscosity;
            measure("Reynolds number at the ends", reynolds, None, "");
            measure(
                "fluid nodes at the wall",
                sparse::wall_nodes(&geometry, &source, links(state.size)) as f64,
                None,
                "",
            );
        }
        measure(
            "largest deviation of a plane's mass flow",
            sparse::unevenness(&rates),
            Some(0.0),
            "mass is conserved, once steady",
        );
        Evaluation { profiles, measures }
    }
}
