//! A sphere in a uniform flow: the drag at moderate Reynolds numbers.

use std::f64::consts::PI;

use lbm_core::Error;
use lbm_core::geometry::Sphere;

use super::case::{Case, Defaults, Flow};
use super::evaluation::Evaluation;
use super::probes::Row;
use super::pushed::Sample;
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use super::tunnel::{self, Known, Tunnel};
use crate::simulation::{Body, PlacedRule, Surface};

const SOURCE: &str = "Schiller & Naumann, Z. VDI 77 (1933) 318: 24 (1 + 0.15 Re^0.687) / Re, within 5 %";

/// The case `sphere`.
pub(super) static CASE: Case = Case {
    name: "sphere",
    about: "sphere in a uniform flow, compared with the drag of Schiller & Naumann: an inlet, an outlet, sides without friction",
    bodies: &[("D3Q19", false)],
    own: &[
        Setting::integer("size", 16, [4, 400]).unit("nodes").about("nodes over the sphere's diameter"),
        shared::reynolds(100.0, 300.0, "Reynolds number of the inlet's velocity and the diameter"),
        shared::velocity(0.08, "velocity that enters"),
        Setting::real("width", 9.0, [1.5, 100.0])
            .unit("diameters")
            .about("width and height of the tunnel; from 8.9 on the blockage is below 1 %"),
        Setting::real("before", 4.0, [1.0, 100.0]).unit("diameters").about("from the inlet to the centre"),
        Setting::real("behind", 6.0, [1.0, 100.0]).unit("diameters").about("from the centre to the outlet"),
        tunnel::SIDES,
        tunnel::OUTLET,
        shared::MAGIC,
    ],
    defaults: Defaults {
        // TRT diverges from a Reynolds number of some 200 on with so few nodes over the diameter.
        collision: "cumulant",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 20_000,
        tolerance: Some(shared::tolerance(
            1e-4,
            "steady when no velocity changes by more than this share of the inlet's in the time in which the flow passes five diameters",
        )),
        checkpoint: 0,
        film: 0,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (diameter, reynolds) = (settings.size() as f64, settings.real("re"));
    let nodes = |diameters: f64| (diameters * diameter).round() as usize;
    let [width, before, behind] = ["width", "before", "behind"].map(|name| nodes(settings.real(name)));
    // Planes without friction lie on the nodes, so that an even number of spacings has the centre on a node.
    let across = width + 1;
    let centre = [before as f64 + 0.5, across as f64 / 2.0, across as f64 / 2.0];
    let tunnel = Tunnel {
        size: [before + behind + 1, across, across],
        length: diameter,
        area: PI * diameter * diameter / 4.0,
        about: centre,
        floor: None,
    };
    let shape = Box::new(Sphere { centre, radius: diameter / 2.0 });
    let surfaces = vec![Surface::new(shape, PlacedRule::named("bouzidi"))];
    tunnel.flow(settings, format!("sphere, Re = {reynolds}"), surfaces, Body::Surface(0))
}

/// The drag coefficient of Schiller & Naumann.
fn schiller_naumann(reynolds: f64) -> f64 {
    24.0 * (1.0 + 0.15 * reynolds.powf(0.687)) / reynolds
}

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let known = Known { drag: schiller_naumann(settings.real("re")), source: SOURCE };
    tunnel::evaluate(&Sample::all(rows), Some(&known), "y")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_correlation_is_the_published_one() {
        // Clift, Grace & Weber, Bubbles, Drops, and Particles (1978), figures at 100 and 200.
        assert!((schiller_naumann(100.0) - 1.09).abs() < 0.005);
        assert!((schiller_naumann(200.0) - 0.80).abs() < 0.03);
    }
}
