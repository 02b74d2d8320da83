//! The Taylor-Green vortex: a periodic array of vortices that decays and keeps its shape.

use std::f64::consts::TAU;

use super::case::{Case, Defaults, Flow, variant};
use super::evaluation::{Evaluation, Measure, Profile, ReferencePoint};
use super::probes::Row;
use super::setting::shared;
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use crate::simulation::{Initial, Problem, Viscosity, positions};

/// The case `taylor-green2d`, in a periodic square.
pub(super) static CASE: Case = Case {
    name: "taylor-green2d",
    about: "decaying vortices in a periodic square, compared with the exact solution",
    bodies: &[("D2Q9", false)],
    own: &[
        shared::size(128, 8, 4096, "nodes along each side"),
        shared::reynolds(100.0, 1e5, "Reynolds number of the greatest speed at the start and the side"),
        shared::velocity(0.05, "greatest speed at the start"),
    ],
    defaults: Defaults {
        collision: "bgk",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 2000,
        tolerance: None,
        checkpoint: 0,
        film: 0,
    },
    flow: |settings| {
        let exact = vortices(settings);
        let problem = Problem {
            size: Some([exact.n, exact.n].into()),
            viscosity: Some(Viscosity::Value(exact.viscosity)),
            initial: Some(Box::new(move |position| exact.state(position, 0.0, CS2))),
            ..Problem::default()
        };
        Ok(Flow {
            title: format!("taylor-green2d, Re = {}", settings.real("re")),
            variant: variant("D2Q9", false, settings)?,
            problem,
            notes: Vec::new(),
            reference_length: exact.n as f64,
            steady: None,
            table: None,
        })
    },
    shown: Shown::SPEED,
    evaluate,
};

/// The exact flow in a periodic square of `n` nodes a side (Taylor & Green, Proc. R. Soc. A 158, 499, 1937).
///
/// u = -U cos(kx) sin(ky) d, v = U sin(kx) cos(ky) d, p = -U^2 / 4 (cos(2kx) + cos(2ky)) d^2 with
/// d = exp(-2 nu k^2 t) and k = 2 pi / n; lattice units throughout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaylorGreen {
    /// Nodes along a side.
    pub n: usize,
    /// The greatest speed at time 0.
    pub speed: f64,
    /// The kinematic viscosity.
    pub viscosity: f64,
}

impl TaylorGreen {
    /// The wave number.
    pub fn wave_number(&self) -> f64 {
        TAU / self.n as f64
    }

    /// The factor by which the velocity has decayed after `time` steps.
    pub fn decay(&self, time: f64) -> f64 {
        (-2.0 * self.viscosity * self.wave_number().powi(2) * time).exp()
    }

    /// The state of a node after `time` steps, with its velocity gradient. The density carries the pressure,
    /// rho = 1 + p / cs2.
    pub fn state(&self, [x, y, _]: [usize; 3], time: f64, cs2: f64) -> Initial {
        let k = self.wave_number();
        let (sin_x, cos_x) = (k * x as f64).sin_cos();
        let (sin_y, cos_y) = (k * y as f64).sin_cos();
        let speed = self.speed * self.decay(time);
        // cos 2a = cos^2 a - sin^2 a.
        let pressure =
            -0.25 * speed * speed * (cos_x * cos_x - sin_x * sin_x + cos_y * cos_y - sin_y * sin_y);
        let mut gradient = [[0.0; 3]; 3];
        gradient[0][0] = speed * k * sin_x * sin_y;
        gradient[1][0] = -speed * k * cos_x * cos_y;
        gradient[0][1] = speed * k * cos_x * cos_y;
        gradient[1][1] = -speed * k * sin_x * sin_y;
        Initial {
            density: 1.0 + pressure / cs2,
            velocity: [-speed * cos_x * sin_y, speed * sin_x * cos_y, 0.0],
            gradient: Some(gradient),
        }
    }

    /// The relative L2 error of a velocity field, and the viscosity that its amplitude decayed with: the projection on
    /// the exact shape gives the amplitude.
    pub fn error_and_viscosity(&self, velocity: &[[f64; 3]], time: f64) -> [f64; 2] {
        let (mut error, mut norm, mut overlap, mut shape_norm) = (0.0, 0.0, 0.0, 0.0);
        for (index, u) in velocity.iter().enumerate() {
            let position = [index % self.n, index / self.n % self.n, 0];
            // The pressure is not used, so any cs2 serves.
            let shape = self.state(position, 0.0, 1.0).velocity;
            let exact = shape.map(|component| component * self.decay(time));
            for a in 0..2 {
                error += (u[a] - exact[a]).powi(2);
                norm += exact[a].powi(2);
                overlap += u[a] * shape[a];
                shape_norm += shape[a].powi(2);
            }
        }
        let rate = -(overlap / shape_norm).ln() / time;
        [(error / norm).sqrt(), rate / (2.0 * self.wave_number().powi(2))]
    }
}

fn vortices(settings: &Settings) -> TaylorGreen {
    let (n, speed) = (settings.size(), settings.velocity());
    TaylorGreen { n, speed, viscosity: speed * n as f64 / settings.real("re") }
}

/// The speed of sound squared of a D2Q9.
const CS2: f64 = 1.0 / 3.0;

fn evaluate(settings: &Settings, state: &State, _: &[Row]) -> Evaluation {
    let (exact, time) = (vortices(settings), state.step as f64);
    // Along y the middle of the box lies between two nodes if n is even; the exact values are averaged alike.
    let velocity = positions(state.size).map(|position| exact.state(position, time, CS2).velocity);
    let exact_state = State { velocity: velocity.collect(), ..state.clone() };
    let [simulated, expected] = [state, &exact_state].map(|state| state.middle_line(1, 0, exact.speed));
    let pairs = simulated.iter().zip(expected);
    let reference = pairs
        .map(|(&[at, simulated], [_, reference])| ReferencePoint { at, reference, simulated, counts: true })
        .collect();
    let profile = Profile {
        name: "u_centre",
        title: "u / U along x = 1/2",
        labels: ["y / L", "u / U"],
        reference,
        simulated,
        source: "exact: Taylor & Green 1937",
        ..Profile::default()
    };
    let mut measures = Vec::new();
    if state.step > 0 {
        let [error, viscosity] = exact.error_and_viscosity(&state.velocity, time);
        let source = "exact solution";
        measures.push(Measure::compared("relative L2 error of the velocity", error, 0.0, source));
        measures.push(Measure::compared("viscosity from the decay", viscosity, exact.viscosity, source));
    }
    Evaluation { profiles: vec![profile], measures }
}
