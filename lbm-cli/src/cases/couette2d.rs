//! Plane Couette flow: fluid between a still wall and one that slides.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Flow, Steady, Stop, variant_name};
use super::evaluation::{Evaluation, Measure, Profile};
use super::setting::{Allowed, Setting, Value, shared};
use super::settings::Settings;
use super::state::State;
use crate::simulation::{Problem, Viscosity};

/// The case `couette2d`: south wall at rest, north wall sliding along +x, periodic along x.
#[derive(Clone, Copy, Debug)]
pub struct Couette2d;

static SETTINGS: &[Setting] = &[
    shared::size(32, 1, 4096, "nodes from wall to wall; the box is as long as high"),
    shared::velocity(0.1, "speed of the north wall"),
    Setting {
        name: "viscosity",
        default: Value::Real(0.1),
        allowed: Allowed::Reals(1e-5, 10.0),
        unit: "lattice",
        about: "kinematic viscosity",
    },
    shared::collision("bgk"),
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

impl Case for Couette2d {
    fn name(&self) -> &'static str {
        "couette2d"
    }

    fn about(&self) -> &'static str {
        "plane Couette flow, compared with the exact linear profile"
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn flow(&self, settings: &Settings) -> Result<Flow, Error> {
        let (height, speed) = (settings.size(), settings.real("velocity"));
        let viscosity = settings.real("viscosity");
        let interval = ((height * height) as f64 / (100.0 * viscosity)).ceil() as u64;
        let mut problem = Problem {
            size: Some([height, height].into()),
            viscosity: Some(Viscosity::Value(viscosity)),
            placement: settings.placement(),
            ..Problem::default()
        };
        problem.faces[Face::South.index()] = FaceRule::WALL;
        problem.faces[Face::North.index()] = FaceRule::Wall { velocity: [speed, 0.0, 0.0] };
        Ok(Flow {
            title: format!("couette2d, H = {height}"),
            variant: variant_name("d2q9", "", settings)?,
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
        let profile = Profile::across_walls("u_centre", ["y / H", "u / U"], &line, speed, [0.0, 1.0])
            .titled("u / U across the channel")
            .compared_with_exact(|y| y, "exact: u = U y / H");
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
