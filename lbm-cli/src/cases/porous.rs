//! Flow through random overlapping spheres: the permeability of a porous medium.

use lbm_core::geometry::Spheres;
use lbm_core::rules::Course;
use lbm_core::{Error, Face};

use super::case::{Case, Flow, Watched};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Row;
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::sparse;
use super::state::State;
use super::stated::HELD;
use crate::geometry::Source;
use crate::simulation::{PlacedRule, permeability};

/// The case `porous`: a periodic cube of overlapping spheres, a force along +x.
pub(super) static CASE: Case = Case {
    name: "porous",
    about: "flow through random overlapping spheres, driven by a body force or a pressure difference: the permeability",
    bodies: &[("D3Q19", true), ("D3Q19", false)],
    own: &[
        shared::size(64, 4, 4096, "nodes along each side; a multiple of 4 for tiles"),
        Setting::real("diameter", 16.0, [2.0, 1e4]).unit("nodes").about("diameter of the spheres"),
        Setting::real("porosity", 0.5, [0.001, 0.999])
            .about("share of fluid nodes that the packing comes nearest to"),
        Setting::integer("seed", 2, shared::ANY).about("which of the random packings"),
        Setting::named("drive", "force", Allowed::Names(&["force", "pressure"]))
            .about("a body force in a periodic cube, or a pressure at each end along x"),
        shared::FILL,
        shared::velocity(
            1e-4,
            "superficial velocity (mean over the whole box) that the force or pressure is chosen for, by Kozeny's estimate",
        ),
        shared::viscosity(1.0 / 6.0, 1e-4),
        shared::FLOW_RATE,
        shared::MAGIC,
    ],
    defaults: sparse::defaults(
        1e-4,
        "converged when the permeability is estimated to be this near to where it settles, as a share of itself, from its \
         changes in t* = (d/2)^2 / nu, the time of diffusion over a sphere's radius",
    ),
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// By how much a controller may raise the density at most.
const MOST_RISE: f64 = 0.3;

fn source(settings: &Settings) -> Source {
    let spheres = Spheres {
        diameter: settings.real("diameter"),
        porosity: settings.real("porosity"),
        seed: settings.integer("seed"),
        periodic: true,
    };
    Source::spheres(spheres, [settings.size(); 3])
}

/// Kozeny's estimate of the permeability, e^3 / (5 s^2) by porosity e and inner surface a volume s, with that of spheres at
/// random places, s = -6 e ln(e) / d: k = e d^2 / (180 ln(e)^2). It tells the order of magnitude.
fn kozeny(porosity: f64, diameter: f64) -> f64 {
    porosity * (diameter / porosity.ln()).powi(2) / 180.0
}

/// The body force a volume, along x, or the pressure that is lost over a length.
fn force(settings: &Settings) -> f64 {
    let estimate = kozeny(settings.real("porosity"), settings.real("diameter"));
    settings.real("viscosity") * settings.velocity() / estimate
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (diameter, viscosity) = (settings.real("diameter"), settings.real("viscosity"));
    let (source, force) = (source(settings), force(settings));
    let forced = settings.name("drive") == "force";
    let (entry, geometry) = sparse::geometry(&source, forced, settings)?;
    let title = format!("porous, d = {diameter}, porosity {:.4}", geometry.porosity());
    // A controller changes the force, or the density that enters.
    let (name, factor) = match settings.held_flow_rate() {
        Some(_) => ("superficial velocity", 1.0),
        None => ("permeability", viscosity / force),
    };
    let watched = Watched::Mean { name, component: 0, factor };
    let mut problem = sparse::problem(&source, geometry, viscosity, forced.then_some([force, 0.0, 0.0]));
    if !forced {
        // Half of what is lost lies above the density 1, half below; c_s^2 is 1/3.
        let half = 1.5 * force * (settings.size() - 1) as f64;
        let end = |density: f64| PlacedRule::named("regularized-pressure").with("density", [density]);
        problem.rules = match settings.held_flow_rate() {
            None => vec![(Face::West, end(1.0 + half)), (Face::East, end(1.0 - half))],
            Some(rate) => {
                // It begins with what Kozeny's estimate asks for, which tells the order of magnitude.
                let wanted = rate / (settings.size() * settings.size()) as f64;
                let estimate = 2.0 * half * wanted / settings.velocity();
                let most = (10.0 * estimate.abs()).min(MOST_RISE);
                let held = Course::steered(HELD, (estimate / most).clamp(-1.0, 1.0), [-1.0, 1.0])?;
                // This outlet takes out what each change stirs from node to node.
                let outlet = PlacedRule::named("non-equilibrium-extrapolation-pressure");
                vec![(Face::West, end(1.0 + most).in_time("density", held)), (Face::East, outlet)]
            }
        };
    }
    Ok(Flow {
        title,
        variant: entry,
        problem,
        notes: Vec::new(),
        reference_length: diameter,
        steady: Some(sparse::steady(diameter / 2.0, viscosity, watched, settings)),
        table: None,
    })
}

fn evaluate(settings: &Settings, state: &State, _: &[Row]) -> Evaluation {
    let (diameter, viscosity) = (settings.real("diameter"), settings.real("viscosity"));
    let velocity = state.mean_velocity(0);
    let rates = sparse::mass_flows(state, 0);
    let through = rates.iter().sum::<f64>() / rates.len() as f64;
    let profile = Profile {
        name: "mass_flow",
        title: "mass flow by plane, as a share of the mean",
        labels: ["x / L", "mass flow / mean"],
        ..sparse::by_plane(rates.iter().map(|rate| rate / through))
    };
    let mut measures = vec![
        Measure::alone("superficial velocity <u>, mean over the whole box", velocity),
        Measure::alone("Reynolds number <u> d / nu", velocity * diameter / viscosity),
        sparse::unevenness(&rates),
    ];
    // Of a force that a controller changes, a probe knows the permeability.
    if settings.held_flow_rate().is_none() {
        let permeability = permeability(viscosity, velocity, force(settings));
        let compared = Measure::compared(
            "permeability k / d^2",
            permeability / (diameter * diameter),
            kozeny(settings.real("porosity"), diameter) / (diameter * diameter),
            "Kozeny's estimate, good for the order of magnitude",
        );
        let alone = Measure::alone(
            "permeability k = nu <u> / g, by force or pressure lost over a length, node spacings squared",
            permeability,
        );
        measures.splice(1..1, [alone, compared]);
    }
    Evaluation { profiles: vec![profile], measures }
}
