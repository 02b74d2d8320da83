//! Plane Poiseuille flow: a body force along +x between two still walls, periodic along x.

use super::case::Case;
use super::evaluation::{Evaluation, Profile};
use super::plates;
use super::setting::shared;
use super::shown::Shown;
use crate::simulation::Problem;

/// The case `poiseuille2d`.
pub(super) static CASE: Case = Case {
    name: "poiseuille2d",
    about: "plane Poiseuille flow driven by a body force, compared with the exact parabola",
    bodies: &[("D2Q9", true)],
    own: &[
        shared::size(32, 1, 4096, "nodes from wall to wall; the box is as long as high"),
        shared::velocity(0.05, "speed in the middle of the channel, which the force is chosen for"),
        shared::viscosity(0.1, 1e-5),
        shared::FLOW_RATE,
        shared::MAGIC,
    ],
    defaults: plates::defaults("trt", plates::OF_THE_GREATEST),
    flow: |settings| {
        let (height, speed, viscosity) = (settings.size(), settings.velocity(), settings.real("viscosity"));
        let force = 8.0 * viscosity * speed / (height * height) as f64;
        let problem =
            Problem { force: Some([force, 0.0, 0.0]), ..plates::problem(settings, 2, [[0.0; 3]; 2]) };
        let title = format!("poiseuille2d, Re = {:.4}", speed * height as f64 / viscosity);
        plates::flow(settings, title, "D2Q9", problem)
    },
    shown: Shown::SPEED,
    evaluate: |settings, state, _| {
        let profile = Profile {
            name: "u_centre",
            title: "u / U across the channel",
            labels: ["y / H", "u / U"],
            ..Profile::between_walls(state.middle_line(1, 0, settings.velocity()), [0.0, 0.0])
        };
        // Summed over middles of nodes, the parabola has the flow rate 2 U H (1 + 1 / (2 H^2)) / 3.
        let height = settings.size() as f64;
        let peak = settings
            .held_flow_rate()
            .map_or(1.0, |rate| 1.5 * rate / (height + 0.5 / height) / settings.velocity());
        let exact = |y| 4.0 * peak * y * (1.0 - y);
        Evaluation::of_exact(profile.compared_with_exact(exact, "exact: u = 4 U y (H - y) / H^2"))
    },
};
