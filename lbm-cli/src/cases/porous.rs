//! Flow through random overlapping spheres: the permeability of a porous medium.

use lbm_core::Error;
use lbm_core::geometry::Spheres;

use super::case::{Case, Flow, Steady, Stop, Watched};
use super::evaluation::{Evaluation, Measure};
use super::setting::{Allowed, Setting, Value, shared};
use super::settings::Settings;
use super::sparse;
use super::state::State;
use super::watch::mean;
use crate::geometry::Source;
use crate::simulation::{Problem, Viscosity};

/// The case `porous`: a periodic cube of overlapping spheres, a force along +x.
#[derive(Clone, Copy, Debug)]
pub struct Porous;

static SETTINGS: &[Setting] = &[
    shared::size(64, 4, 4096, "nodes along each side; a multiple of 4 for tiles"),
    Setting {
        name: "diameter",
        default: Value::Real(16.0),
        allowed: Allowed::Reals(2.0, 1e4),
        unit: "nodes",
        about: "diameter of the spheres",
    },
    Setting {
        name: "porosity",
        default: Value::Real(0.5),
        allowed: Allowed::Reals(0.001, 0.999),
        unit: "",
        about: "share of fluid nodes that the packing comes nearest to",
    },
    Setting {
        name: "seed",
        default: Value::Integer(2),
        allowed: Allowed::Integers(0, u64::MAX),
        unit: "",
        about: "which of the random packings",
    },
    shared::FILL,
    shared::velocity(
        1e-4,
        "superficial velocity (mean over the whole box) that the force is chosen for, by Kozeny's estimate",
    ),
    shared::viscosity(1.0 / 6.0),
    shared::MAGIC,
    shared::collision("trt"),
    shared::precision("f32"),
    shared::addressing("tiled4"),
    shared::STREAMING,
    shared::steps(1_000_000, "stop after so many steps at the latest"),
    shared::tolerance(
        1e-4,
        "converged when the permeability is estimated to be this near to where it settles, as a share of itself, from its \
         changes in t* = (d/2)^2 / nu, the time of diffusion over a sphere's radius",
    ),
    shared::output(0),
    shared::checkpoint(100_000),
    shared::THREADS,
    shared::SIMD,
    shared::PHYSICAL_LENGTH,
    shared::PHYSICAL_VISCOSITY,
    shared::PHYSICAL_DENSITY,
];

fn source(settings: &Settings) -> Source {
    let spheres = Spheres {
        diameter: settings.real("diameter"),
        porosity: settings.real("porosity"),
        seed: settings.integer("seed"),
        periodic: true,
    };
    Source::Spheres(spheres, [settings.size(); 3])
}

/// Kozeny's estimate of the permeability, e^3 / (5 s^2) by porosity e and inner surface a volume s, with that of spheres at
/// random places, s = -6 e ln(e) / d: k = e d^2 / (180 ln(e)^2). It tells the order of magnitude.
fn kozeny(porosity: f64, diameter: f64) -> f64 {
    porosity * (diameter / porosity.ln()).powi(2) / 180.0
}

/// The body force a volume, along x.
fn force(settings: &Settings) -> f64 {
    let estimate = kozeny(settings.real("porosity"), settings.real("diameter"));
    settings.real("viscosity") * settings.real("velocity") / estimate
}

impl Case for Porous {
    fn name(&self) -> &'static str {
        "porous"
    }

    fn about(&self) -> &'static str {
        "flow through random overlapping spheres, driven by a body force: the permeability"
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn flow(&self, settings: &Settings) -> Result<Flow, Error> {
        let (diameter, viscosity) = (settings.real("diameter"), settings.real("viscosity"));
        let (source, entry) = (source(settings), sparse::variant(settings)?);
        let geometry = sparse::geometry(&source, entry, settings)?;
        let force = force(settings);
        let mut problem = Problem {
            viscosity: Some(Viscosity::Value(viscosity)),
            faces: source.faces(),
            force: Some([force, 0.0, 0.0]),
            placement: settings.placement(),
            ..Problem::default()
        };
        if settings.name("collision") == "trt" {
            problem.parameters.push(("magic".to_owned(), settings.real("magic")));
        }
        let title = format!("porous, d = {diameter}, porosity {:.4}", geometry.porosity());
        problem.geometry = Some(geometry);
        let watched = Watched::Mean { name: "permeability", component: 0, factor: viscosity / force };
        Ok(Flow {
            title,
            variant: entry.name.clone(),
            problem,
            reference_velocity: settings.real("velocity"),
            reference_length: diameter,
            stop: Stop {
                steps: settings.integer("steps"),
                steady: Some(Steady {
                    interval: (diameter * diameter / (4.0 * viscosity)).ceil() as u64,
                    tolerance: settings.tolerance(),
                    watched,
                }),
            },
        })
    }

    fn evaluate(&self, settings: &Settings, state: &State) -> Evaluation {
        let (diameter, viscosity) = (settings.real("diameter"), settings.real("viscosity"));
        let velocity = mean(&state.velocity, 0);
        let permeability = viscosity * velocity / force(settings);
        let rates = sparse::mass_flows(state, 0);
        let through = rates.iter().sum::<f64>() / rates.len() as f64;
        let shares: Vec<f64> = rates.iter().map(|rate| rate / through).collect();
        let profile = sparse::by_plane(
            "mass_flow",
            "mass flow by plane, as a share of the mean",
            ["x / L", "mass flow / mean"],
            &shares,
        );
        let measure = |name: &str, measured, reference, source: &str| Measure {
            name: name.to_owned(),
            measured,
            reference,
            source: source.to_owned(),
        };
        let estimate = kozeny(settings.real("porosity"), diameter) / (diameter * diameter);
        let measures = vec![
            measure("superficial velocity <u>, mean over the whole box", velocity, None, ""),
            measure("permeability k = nu <u> / g, node spacings squared", permeability, None, ""),
            measure(
                "permeability k / d^2",
                permeability / (diameter * diameter),
                Some(estimate),
                "Kozeny's estimate, good for the order of magnitude",
            ),
            measure("Reynolds number <u> d / nu", velocity * diameter / viscosity, None, ""),
            measure(
                "largest deviation of a plane's mass flow",
                sparse::unevenness(&rates),
                Some(0.0),
                "mass is conserved, once steady",
            ),
        ];
        Evaluation { profiles: vec![profile], measures }
    }
}
