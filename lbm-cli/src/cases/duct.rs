//! A straight duct of square section, driven by a force or by a pressure: its profile is known as a series.

use std::f64::consts::PI;

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, Steady, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Row;
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use crate::simulation::{PlacedRule, Problem, Viscosity};

const SOURCE: &str = "series, e.g. White, Viscous Fluid Flow (1991), eq. 3-48";

/// The case `duct`.
pub(super) static CASE: Case = Case {
    name: "duct",
    about: "square duct driven by a force or by a pressure difference, compared with its series",
    bodies: &[("D3Q19", true), ("D3Q19", false)],
    own: &[
        shared::size(24, 4, 1024, "nodes across the duct"),
        Setting::named("drive", "force", Allowed::Names(&["force", "pressure"]))
            .about("a body force in a periodic duct, or a pressure at each end"),
        Setting::integer("length", 4, [1, 400])
            .about("length of the duct in widths, where a pressure drives it"),
        shared::velocity(0.05, "velocity in the middle"),
        shared::reynolds(20.0, 1e4, "Reynolds number of that velocity and the width"),
        shared::MAGIC,
    ],
    defaults: Defaults {
        collision: "trt",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 200_000,
        tolerance: Some(shared::tolerance(
            1e-7,
            "steady when no velocity changes by more than this share of that in the middle in a tenth of the time of diffusion over the width",
        )),
        checkpoint: 0,
        film: 0,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// Terms of the series: the last one is below 1e-6 of the sum at the nodes of any duct that can be made.
const TERMS: usize = 400;

/// Nodes along a periodic duct, in which nothing changes along it.
const PERIODIC: usize = 2;

/// The velocity at a point of the unit square, over G h^2 / nu: G is the pressure that is lost over a length, divided by the density.
pub(crate) fn series(y: f64, z: f64) -> f64 {
    let [y, z] = [y, z].map(|at| 2.0 * at - 1.0);
    // cosh(k z) / cosh(k) without overflow, for |z| <= 1.
    let ratio =
        |k: f64| (k * (z.abs() - 1.0)).exp() * (1.0 + (-2.0 * k * z.abs()).exp()) / (1.0 + (-2.0 * k).exp());
    let term = |n: usize| {
        let k = (2 * n + 1) as f64 * PI / 2.0;
        let sign = if n.is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * (1.0 - ratio(k)) * (k * y).cos() / k.powi(3)
    };
    // 2 / k^3 for the half width 1; lengths are the width here.
    (0..TERMS).rev().map(term).sum::<f64>() / 2.0
}

fn viscosity(settings: &Settings) -> f64 {
    settings.velocity() * settings.size() as f64 / settings.real("re")
}

/// The force a mass that gives the velocity in the middle.
fn force(settings: &Settings) -> f64 {
    viscosity(settings) * settings.velocity() / (series(0.5, 0.5) * (settings.size() as f64).powi(2))
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, nu, pressed) = (settings.size(), viscosity(settings), settings.name("drive") == "pressure");
    let mut problem = Problem { viscosity: Some(Viscosity::Value(nu)), ..Problem::default() };
    let length = if pressed { n * settings.integer("length") as usize + 1 } else { PERIODIC };
    problem.size = Some([length, n, n].into());
    for face in [Face::South, Face::North, Face::Bottom, Face::Top] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    if pressed {
        // Half of what is lost lies above 1, half below; c_s^2 is 1/3.
        let half = 1.5 * force(settings) * (length - 1) as f64;
        let end = |density: f64| PlacedRule::named("regularized-pressure").with("density", [density]);
        problem.rules = vec![(Face::West, end(1.0 + half)), (Face::East, end(1.0 - half))];
    } else {
        problem.force = Some([force(settings), 0.0, 0.0]);
    }
    let diffusion = (n * n) as f64 / nu;
    Ok(Flow {
        title: format!("duct, driven by a {}", settings.name("drive")),
        variant: variant("D3Q19", !pressed, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: n as f64,
        steady: Some(Steady::everywhere((diffusion / 10.0).ceil() as u64, settings)),
        table: None,
    })
}

fn evaluate(settings: &Settings, state: &State, _: &[Row]) -> Evaluation {
    let (n, middle) = (settings.size(), state.size[0] / 2);
    let scale = force(settings) * (n * n) as f64 / viscosity(settings) / settings.velocity();
    let share = |at: usize| (at as f64 + 0.5) / n as f64;
    let node = |y: usize, z: usize| middle + state.size[0] * (y + n * z);
    let velocity = |y: usize, z: usize| state.velocity[node(y, z)][0] / settings.velocity();
    let line = |at: &dyn Fn(usize) -> [usize; 2]| -> Vec<[f64; 2]> {
        (0..n).map(|k| [share(k), velocity(at(k)[0], at(k)[1])]).collect()
    };
    let profile = |name, title, line, exact: &dyn Fn(f64) -> f64| {
        let profile = Profile::between_walls(line, [0.0; 2]).compared_with_exact(exact, SOURCE);
        Profile { name, title, labels: ["y / h", "u / U"], ..profile }
    };
    let row = share(n / 2);
    let profiles = vec![
        profile("u_middle", "u / U beside the middle", line(&|y| [y, n / 2]), &|y| scale * series(y, row)),
        profile("u_diagonal", "u / U along the diagonal", line(&|k| [k, k]), &|y| scale * series(y, y)),
    ];
    let off = (0..n * n).map(|at| velocity(at % n, at / n) - scale * series(share(at % n), share(at / n)));
    let flow = (0..n * n).map(|at| velocity(at % n, at / n)).sum::<f64>() / (n * n) as f64;
    let measures = vec![
        Measure::compared("largest error of u / U in the middle plane", super::largest(off), 0.0, SOURCE),
        // The mean of the series over the square.
        Measure::compared("mean velocity over that in the middle", flow, 0.035144 / series(0.5, 0.5), SOURCE),
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_solves_its_equation() {
        let (y, z, d) = (0.37, 0.61, 1e-2);
        let around = series(y + d, z) + series(y - d, z) + series(y, z + d) + series(y, z - d);
        assert!(((4.0 * series(y, z) - around) / (d * d) - 1.0).abs() < 1e-3);
        assert!(series(0.0, 0.3).abs() < 1e-12 && series(0.3, 1.0).abs() < 1e-6);
        assert!((series(0.2, 0.4) - series(0.4, 0.2)).abs() < 1e-7);
        // White: 0.0736713 G h^2 / nu in the middle.
        assert!((series(0.5, 0.5) - 0.073_671).abs() < 1e-6, "{}", series(0.5, 0.5));
        let mean = (0..10_000)
            .map(|at| series((at % 100) as f64 / 100.0 + 0.005, (at / 100) as f64 / 100.0 + 0.005));
        assert!((mean.sum::<f64>() / 1e4 - 0.035_144).abs() < 2e-5);
    }
}
