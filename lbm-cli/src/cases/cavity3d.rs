//! The lid-driven cubic cavity of Albensoeder & Kuhlmann.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Flow, Steady, Stop, variant_name};
use super::evaluation::{Evaluation, Profile};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::state::State;
use crate::ghia::Point;
use crate::simulation::{Problem, Viscosity};

/// The case `cavity3d`: a cube whose north wall slides along +x.
#[derive(Clone, Copy, Debug)]
pub struct Cavity3d;

static SETTINGS: &[Setting] = &[
    shared::size(48, 8, 1024, "nodes along each side"),
    shared::reynolds(1000.0, 1e5, "Reynolds number of lid speed and side; the reference is for 1000"),
    shared::velocity(0.1, "speed of the lid"),
    shared::collision("trt"),
    shared::precision("f32"),
    shared::LAYOUT,
    shared::STREAMING,
    shared::steps(1_000_000, "stop after so many steps at the latest"),
    shared::tolerance(
        1e-4,
        "steady when no velocity changes by more than this share of the lid's in the time that the lid takes to \
         pass the cavity once (size / velocity steps)",
    ),
    shared::output(0),
    shared::checkpoint(10_000),
    shared::THREADS,
    shared::SIMD,
    shared::PHYSICAL_LENGTH,
    shared::PHYSICAL_VISCOSITY,
    shared::PHYSICAL_DENSITY,
];

/// Where the reference comes from.
const SOURCE: &str = "Albensoeder & Kuhlmann, J. Comput. Phys. 206 (2005) 536-558, tables 5 and 6";

/// Velocity along the lid's motion on the line through the cube's middle from the still wall opposite the lid to the
/// lid: coordinate from the middle, as a share of the side, and u / U at Re 1000 (their table 5, which has the lid at
/// x = -1/2; the sign is turned here so that it lies at +1/2).
const U_RE_1000: [[f64; 2]; 17] = [
    [-0.5000, 0.00000],
    [-0.4453, -0.20623],
    [-0.4375, -0.22283],
    [-0.4297, -0.23696],
    [-0.3984, -0.27293],
    [-0.3281, -0.25160],
    [-0.2187, -0.10999],
    [-0.0469, -0.00612],
    [0.0000, 0.00802],
    [0.1172, 0.03905],
    [0.2344, 0.07334],
    [0.3516, 0.12183],
    [0.4531, 0.33171],
    [0.4609, 0.39821],
    [0.4688, 0.48443],
    [0.4766, 0.58964],
    [0.5000, 1.00000],
];

/// Velocity normal to the lid, away from the still wall opposite it, on the line through the cube's middle along the
/// lid's motion, at Re 1000 (their table 6, whose u points away from the lid; the sign is turned here).
const V_RE_1000: [[f64; 2]; 17] = [
    [-0.5000, 0.00000],
    [-0.4375, 0.21738],
    [-0.4297, 0.22746],
    [-0.4219, 0.23503],
    [-0.4062, 0.24407],
    [-0.3437, 0.22924],
    [-0.2734, 0.17580],
    [-0.2656, 0.16987],
    [0.0000, 0.03674],
    [0.3047, -0.15223],
    [0.3594, -0.31117],
    [0.4063, -0.43423],
    [0.4453, -0.33511],
    [0.4531, -0.29032],
    [0.4609, -0.24095],
    [0.4688, -0.18864],
    [0.5000, 0.00000],
];

impl Case for Cavity3d {
    fn name(&self) -> &'static str {
        "cavity3d"
    }

    fn about(&self) -> &'static str {
        "lid-driven cubic cavity, compared with Albensoeder & Kuhlmann 2005"
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn flow(&self, settings: &Settings) -> Result<Flow, Error> {
        let (n, speed, reynolds) = (settings.size(), settings.real("velocity"), settings.real("re"));
        let mut problem = Problem {
            size: Some([n, n, n].into()),
            viscosity: Some(Viscosity::Reynolds { reynolds, length: n as f64, velocity: speed }),
            faces: [FaceRule::WALL; 6],
            placement: settings.placement(),
            ..Problem::default()
        };
        problem.faces[Face::North.index()] = FaceRule::Wall { velocity: [speed, 0.0, 0.0] };
        Ok(Flow {
            title: format!("cavity3d, Re = {reynolds}"),
            variant: variant_name("d3q19", "", settings)?,
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
        let known = settings.real("re") == 1000.0;
        let reference = |points: &[[f64; 2]]| -> Vec<Point> {
            let point = |&[x, value]: &[f64; 2]| Point { coordinate: x + 0.5, value, misprint: false };
            if known { points.iter().map(point).collect() } else { Vec::new() }
        };
        let u = Profile::across_walls(
            "u_centre",
            ["y / L", "u / U"],
            &state.middle_line(1, 0),
            speed,
            [0.0, 1.0],
        )
        .titled("u / U on the vertical line through the middle")
        .compared_with(&reference(&U_RE_1000), SOURCE);
        let v = Profile::across_walls(
            "v_centre",
            ["x / L", "v / U"],
            &state.middle_line(0, 1),
            speed,
            [0.0, 0.0],
        )
        .titled("v / U on the horizontal line through the middle")
        .compared_with(&reference(&V_RE_1000), SOURCE);
        Evaluation { profiles: vec![u, v], measures: Vec::new() }
    }
}
