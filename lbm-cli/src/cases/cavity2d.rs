//! The lid-driven square cavity of Ghia, Ghia & Shin.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Flow, Steady, Stop, variant_name};
use super::evaluation::{Evaluation, Profile};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::state::State;
use crate::ghia::{self, REYNOLDS_NUMBERS};
use crate::simulation::{Problem, Viscosity};

/// The case `cavity2d`: a square box whose north wall slides along +x.
#[derive(Clone, Copy, Debug)]
pub struct Cavity2d;

static SETTINGS: &[Setting] = &[
    shared::size(192, 8, 8192, "nodes along each side"),
    shared::reynolds(
        1000.0,
        1e5,
        "Reynolds number of lid speed and side; Ghia gives 100, 400, 1000, 3200 and more",
    ),
    shared::velocity(0.1, "speed of the lid"),
    shared::collision("trt"),
    shared::precision("f64"),
    shared::LAYOUT,
    shared::STREAMING,
    shared::steps(5_000_000, "stop after so many steps at the latest"),
    shared::tolerance(
        1e-5,
        "steady when no velocity changes by more than this share of the lid's in the time that the lid takes to \
         pass the cavity once (size / velocity steps)",
    ),
    shared::output(0),
    shared::checkpoint(20_000),
    shared::THREADS,
    shared::SIMD,
    shared::PHYSICAL_LENGTH,
    shared::PHYSICAL_VISCOSITY,
    shared::PHYSICAL_DENSITY,
];

/// Where the reference comes from.
const SOURCE: &str = "Ghia, Ghia & Shin, J. Comput. Phys. 48 (1982) 387-411, tables I and II";

impl Case for Cavity2d {
    fn name(&self) -> &'static str {
        "cavity2d"
    }

    fn about(&self) -> &'static str {
        "lid-driven square cavity, compared with Ghia, Ghia & Shin 1982"
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn flow(&self, settings: &Settings) -> Result<Flow, Error> {
        let (n, speed, reynolds) = (settings.size(), settings.real("velocity"), settings.real("re"));
        let mut problem = Problem {
            size: Some([n, n].into()),
            viscosity: Some(Viscosity::Reynolds { reynolds, length: n as f64, velocity: speed }),
            placement: settings.placement(),
            ..Problem::default()
        };
        for wall in [Face::West, Face::East, Face::South] {
            problem.faces[wall.index()] = FaceRule::WALL;
        }
        problem.faces[Face::North.index()] = FaceRule::Wall { velocity: [speed, 0.0, 0.0] };
        Ok(Flow {
            title: format!("cavity2d, Re = {reynolds}"),
            variant: variant_name("d2q9", "", settings)?,
            problem,
            reference_velocity: speed,
            reference_length: n as f64,
            stop: Stop {
                steps: settings.integer("steps"),
                steady: Some(Steady::everywhere((n as f64 / speed).round() as u64, settings.tolerance())),
            },
        })
    }

    fn evaluate(&self, settings: &Settings, state: &State) -> Evaluation {
        let speed = settings.real("velocity");
        let reynolds = REYNOLDS_NUMBERS.into_iter().find(|&re| f64::from(re) == settings.real("re"));
        let u_points = reynolds.and_then(ghia::u_centreline).unwrap_or_default();
        let v_points = reynolds.and_then(ghia::v_centreline).unwrap_or_default();
        let u = Profile::across_walls(
            "u_centre",
            ["y / L", "u / U"],
            &state.middle_line(1, 0),
            speed,
            [0.0, 1.0],
        )
        .titled("u / U on the vertical line through the middle")
        .compared_with(u_points, SOURCE);
        let v = Profile::across_walls(
            "v_centre",
            ["x / L", "v / U"],
            &state.middle_line(0, 1),
            speed,
            [0.0, 0.0],
        )
        .titled("v / U on the horizontal line through the middle")
        .compared_with(v_points, SOURCE);
        Evaluation { profiles: vec![u, v], measures: Vec::new() }
    }
}
