//! The lid-driven cavity: a box whose north wall slides along +x. The square of Ghia, Ghia & Shin, and the cube of
//! Albensoeder & Kuhlmann.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, Steady, variant};
use super::evaluation::{Evaluation, Profile};
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use crate::published::{self, Point};
use crate::simulation::{Problem, Viscosity};

/// The case `cavity2d`.
pub(super) static SQUARE: Case = Case {
    name: "cavity2d",
    about: "lid-driven square cavity, compared with Ghia, Ghia & Shin 1982",
    bodies: &[("D2Q9", false)],
    own: &[
        shared::size(192, 8, 8192, "nodes along each side"),
        shared::reynolds(
            1000.0,
            1e5,
            "Reynolds number of lid speed and side; Ghia gives 100, 400, 1000, 3200 and more",
        ),
        LID,
    ],
    defaults: Defaults {
        collision: "trt",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 5_000_000,
        tolerance: Some(tolerance(1e-5)),
        checkpoint: 20_000,
        film: 0,
    },
    flow: |settings| flow(settings, "cavity2d", 2, "D2Q9"),
    shown: Shown::SPEED,
    evaluate: |settings, state, _| {
        let re = settings.real("re").to_string();
        let points =
            [published::line(published::GHIA_U, "y", &re), published::line(published::GHIA_V, "x", &re)];
        let source = "Ghia, Ghia & Shin, J. Comput. Phys. 48 (1982) 387-411, tables I and II";
        centre_lines(settings, state, points, source)
    },
};

/// The case `cavity3d`.
pub(super) static CUBE: Case = Case {
    name: "cavity3d",
    about: "lid-driven cubic cavity, compared with Albensoeder & Kuhlmann 2005",
    bodies: &[("D3Q15", false), ("D3Q19", false), ("D3Q27", false)],
    own: &[
        LATTICE,
        shared::size(48, 8, 1024, "nodes along each side"),
        shared::reynolds(1000.0, 1e5, "Reynolds number of lid speed and side; the reference is for 1000"),
        LID,
    ],
    defaults: Defaults {
        precision: "f32",
        steps: 1_000_000,
        tolerance: Some(tolerance(1e-4)),
        checkpoint: 10_000,
        ..SQUARE.defaults
    },
    flow: |settings| flow(settings, "cavity3d", 3, &settings.name("lattice").to_uppercase()),
    shown: Shown::SPEED,
    evaluate: |settings, state, _| {
        let known = settings.real("re") == 1000.0;
        let points = [("y", "u"), ("x", "v")].map(|(at, value)| {
            let points = published::line(published::ALBENSOEDER_KUHLMANN, at, value).into_iter();
            // Theirs are coordinates from the middle.
            points.filter(|_| known).map(|point| Point { at: point.at + 0.5, ..point }).collect()
        });
        let source = "Albensoeder & Kuhlmann, J. Comput. Phys. 206 (2005) 536-558, tables 5 and 6";
        centre_lines(settings, state, points, source)
    },
};

const LATTICE: Setting =
    Setting::named("lattice", "d3q19", Allowed::Names(&["d3q15", "d3q19", "d3q27"])).about("the lattice");

const LID: Setting = shared::velocity(0.1, "speed of the lid");

const fn tolerance(default: f64) -> Setting {
    shared::tolerance(
        default,
        "steady when no velocity changes by more than this share of the lid's in the time that the lid takes to \
         pass the cavity once (size / velocity steps)",
    )
}

fn flow(settings: &Settings, name: &str, dimension: usize, lattice: &str) -> Result<Flow, Error> {
    let (n, speed, reynolds) = (settings.size(), settings.velocity(), settings.real("re"));
    let mut problem = Problem {
        size: Some(vec![n; dimension].into()),
        viscosity: Some(Viscosity::Reynolds { reynolds, length: n as f64, velocity: speed }),
        ..Problem::default()
    };
    problem.faces[..2 * dimension].fill(FaceRule::WALL);
    problem.faces[Face::North.index()] = FaceRule::Wall { velocity: [speed, 0.0, 0.0] };
    Ok(Flow {
        title: format!("{name}, Re = {reynolds}"),
        variant: variant(lattice, false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: n as f64,
        steady: Some(Steady::everywhere((n as f64 / speed).round() as u64, settings)),
        table: None,
    })
}

/// u along y and v along x, through the middle.
fn centre_lines(
    settings: &Settings,
    state: &State,
    [u_points, v_points]: [Vec<Point>; 2],
    source: &'static str,
) -> Evaluation {
    let line = |axis, component| state.middle_line(axis, component, settings.velocity());
    let u = Profile {
        name: "u_centre",
        title: "u / U on the vertical line through the middle",
        labels: ["y / L", "u / U"],
        ..Profile::between_walls(line(1, 0), [0.0, 1.0])
    };
    let v = Profile {
        name: "v_centre",
        title: "v / U on the horizontal line through the middle",
        labels: ["x / L", "v / U"],
        ..Profile::between_walls(line(0, 1), [0.0, 0.0])
    };
    let profiles = vec![u.compared_with(&u_points, source), v.compared_with(&v_points, source)];
    Evaluation { profiles, measures: Vec::new() }
}
