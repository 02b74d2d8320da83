//! Plane Poiseuille flow: a body force between two still walls.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Flow, Steady, Stop, variant_name};
use super::evaluation::{Evaluation, Measure, Profile};
use super::setting::{Allowed, Setting, Value, shared};
use super::settings::Settings;
use super::state::State;
use crate::simulation::{Problem, Viscosity};

/// The case `poiseuille2d`: walls south and north, a force along +x, periodic along x.
#[derive(Clone, Copy, Debug)]
pub struct Poiseuille2d;

static SETTINGS: &[Setting] = &[
    shared::size(32, 1, 4096, "nodes from wall to wall; the box is as long as high"),
    shared::velocity(0.05, "speed in the middle of the channel, which the force is chosen for"),
    Setting {
        name: "viscosity",
        default: Value::Real(0.1),
        allowed: Allowed::Reals(1e-5, 10.0),
        unit: "lattice",
        about: "kinematic viscosity",
    },
    Setting {
        name: "magic",
        default: Value::Real(3.0 / 16.0),
        allowed: Allowed::Reals(1e-6, 10.0),
        unit: "",
        about: "magic parameter of trt; 3/16 puts the walls exactly half-way. Other collisions have none",
    },
    shared::collision("trt"),
    shared::precision("f64"),
    shared::LAYOUT,
    shared::STREAMING,
    shared::steps(2_000_000, "stop after so many steps at the latest"),
    shared::tolerance(
        1e-13,
        "steady when no velocity changes by more than this share of the greatest in a hundredth of the viscous \
         time H^2 / nu",
    ),
    shared::output(0),
    shared::checkpoint(20_000),
    shared::THREADS,
    shared::SIMD,
    shared::PHYSICAL_LENGTH,
    shared::PHYSICAL_VISCOSITY,
    shared::PHYSICAL_DENSITY,
];

impl Case for Poiseuille2d {
    fn name(&self) -> &'static str {
        "poiseuille2d"
    }

    fn about(&self) -> &'static str {
        "plane Poiseuille flow driven by a body force, compared with the exact parabola"
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn flow(&self, settings: &Settings) -> Result<Flow, Error> {
        let (height, speed) = (settings.size(), settings.real("velocity"));
        let viscosity = settings.real("viscosity");
        let interval = ((height * height) as f64 / (100.0 * viscosity)).ceil() as u64;
        let force = 8.0 * viscosity * speed / (height * height) as f64;
        let mut problem = Problem {
            size: Some([height, height].into()),
            viscosity: Some(Viscosity::Value(viscosity)),
            force: Some([force, 0.0, 0.0]),
            placement: settings.placement(),
            ..Problem::default()
        };
        if settings.name("collision") == "trt" {
            problem.parameters.push(("magic".to_owned(), settings.real("magic")));
        }
        problem.faces[Face::South.index()] = FaceRule::WALL;
        problem.faces[Face::North.index()] = FaceRule::WALL;
        Ok(Flow {
            title: format!("poiseuille2d, Re = {:.4}", speed * height as f64 / viscosity),
            variant: variant_name("d2q9", "-guo", settings)?,
            problem,
            reference_velocity: speed,
            reference_length: height as f64,
            stop: Stop {
                steps: settings.integer("steps"),
                steady: Some(Steady::everywhere(interval, settings.tolerance())),
            },
        })
    }

    fn evaluate(&self, settings: &Settings, state: &State) -> Evaluation {
        let (line, speed) = (state.middle_line(1, 0), settings.real("velocity"));
        let profile = Profile::across_walls("u_centre", ["y / H", "u / U"], &line, speed, [0.0, 0.0])
            .titled("u / U across the channel")
            .compared_with_exact(|y| 4.0 * y * (1.0 - y), "exact: u = 4 U y (H - y) / H^2");
        let largest = profile.difference().map_or(0.0, |[largest, _]| largest);
        let measure = Measure {
            name: "largest error of u / U".to_owned(),
            measured: largest,
            reference: Some(0.0),
            source: "exact solution".to_owned(),
        };
        Evaluation { profiles: vec![profile], measures: vec![measure] }
    }
}
