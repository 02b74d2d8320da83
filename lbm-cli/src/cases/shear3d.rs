//! Shear flow in three dimensions: fluid between two plates that slide in opposite directions.

use std::f64::consts::{PI, TAU};

use super::case::Case;
use super::evaluation::{Evaluation, Profile};
use super::plates;
use super::setting::shared;
use super::shown::Shown;

/// The case `shear3d` (Khani & Wu's shear flow): a cube, periodic along x and y, whose bottom plate slides along -y and
/// whose top plate along +y.
pub(super) static CASE: Case = Case {
    name: "shear3d",
    about: "shear flow between plates that slide in opposite directions, compared with the exact transient",
    bodies: &[("D3Q19", false)],
    own: &[
        shared::size(32, 1, 1024, "nodes from plate to plate, and along the other sides"),
        shared::velocity(0.1, "speed of each plate"),
        shared::viscosity(0.1, 1e-4),
    ],
    defaults: plates::defaults(
        "bgk",
        "steady when no velocity changes by more than this share of the plates' in a hundredth of the viscous time \
         H^2 / nu",
    ),
    flow: |settings| {
        let speed = settings.velocity();
        let problem = plates::problem(settings, 3, [[0.0, -speed, 0.0], [0.0, speed, 0.0]]);
        plates::flow(settings, format!("shear3d, H = {}", settings.size()), "D3Q19", problem)
    },
    shown: Shown::SPEED,
    evaluate: |settings, state, _| {
        // In units of height and plates' speed.
        let viscosity = settings.real("viscosity") / (settings.size() as f64).powi(2);
        let exact = ShearFlow { height: 1.0, speed: 1.0, viscosity };
        let exact = |z| exact.velocity(z, state.step as f64);
        let profile = Profile {
            name: "v_centre",
            title: "v / U from plate to plate",
            labels: ["z / H", "v / U"],
            ..Profile::between_walls(state.middle_line(2, 1, settings.velocity()), [-1.0, 1.0])
        };
        Evaluation::of_exact(profile.compared_with_exact(exact, "exact: Fourier series"))
    },
};

/// The exact flow between two plates that start to slide at time 0, in lattice units: u along y as a function of the height
/// z above the lower plate, by separation of variables.
///
/// u / U = 2 s / H + sum over k = 1, 2, .. of (-1)^k 2 / (pi k) sin(2 pi k s / H) exp(-nu (2 pi k / H)^2 t), s = z - H / 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShearFlow {
    /// The distance of the plates.
    pub height: f64,
    /// The speed of each plate: the lower one has -speed, the upper one +speed.
    pub speed: f64,
    /// The kinematic viscosity.
    pub viscosity: f64,
}

impl ShearFlow {
    /// The rate at which the slowest part of the transient decays, a time step.
    pub fn rate(&self) -> f64 {
        self.viscosity * (TAU / self.height).powi(2)
    }

    /// The velocity along y at this height after `time` steps; terms below exp(-40) are left out.
    pub fn velocity(&self, z: f64, time: f64) -> f64 {
        let s = z / self.height - 0.5;
        let decay = self.rate() * time;
        if decay <= 0.0 {
            return if s.abs() < 0.5 { 0.0 } else { 2.0 * s * self.speed };
        }
        let amplitudes = (1..).map(|k| (k, (-decay * f64::from(k).powi(2)).exp()));
        let transient: f64 = amplitudes
            .take_while(|&(_, left)| left > 4e-18)
            .map(|(k, left): (i32, f64)| {
                let sign = if k % 2 == 0 { 2.0 } else { -2.0 };
                sign * left / (PI * f64::from(k)) * (TAU * f64::from(k) * s).sin()
            })
            .sum();
        self.speed * (2.0 * s + transient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOW: ShearFlow = ShearFlow { height: 32.0, speed: 0.05, viscosity: 0.1 };

    /// u'' and du/dt by central differences.
    #[test]
    fn the_series_solves_the_diffusion_equation() {
        for (z, time) in [(3.5, 40.0), (10.0, 300.0), (27.0, 1000.0)] {
            let (dz, dt) = (0.01, 0.1);
            let u = |dz, dt| FLOW.velocity(z + dz, time + dt);
            let curvature = (u(dz, 0.0) - 2.0 * u(0.0, 0.0) + u(-dz, 0.0)) / (dz * dz);
            let change = (u(0.0, dt) - u(0.0, -dt)) / (2.0 * dt);
            assert!(
                (change - FLOW.viscosity * curvature).abs() < 1e-4 * change.abs(),
                "{change} {curvature}"
            );
        }
    }

    #[test]
    fn the_series_begins_at_rest_keeps_to_the_plates_and_ends_straight() {
        assert_eq!(FLOW.velocity(3.0, 0.0), 0.0);
        // Diffusion has not come so far: 12.5 is 56 times sqrt(nu t).
        assert!(FLOW.velocity(12.5, 0.5).abs() < 1e-15);
        for time in [0.0, 1.0, 100.0, 1e5] {
            assert!((FLOW.velocity(0.0, time) + FLOW.speed).abs() < 1e-15);
            assert!((FLOW.velocity(32.0, time) - FLOW.speed).abs() < 1e-15);
        }
        assert!((FLOW.velocity(24.0, 1e5) - 0.5 * FLOW.speed).abs() < 1e-16);
    }
}
