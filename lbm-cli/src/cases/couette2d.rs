//! Plane Couette flow: fluid between a still wall and one that slides along +x, periodic along x.

use super::case::Case;
use super::evaluation::{Evaluation, Profile};
use super::plates;
use super::setting::shared;
use super::shown::Shown;

/// The case `couette2d`.
pub(super) static CASE: Case = Case {
    name: "couette2d",
    about: "plane Couette flow, compared with the exact linear profile",
    bodies: &[("D2Q9", false)],
    own: &[
        shared::size(32, 1, 4096, "nodes from wall to wall; the box is as long as high"),
        shared::velocity(0.1, "speed of the north wall"),
        shared::viscosity(0.1, 1e-5),
    ],
    defaults: plates::defaults("bgk", plates::OF_THE_GREATEST),
    flow: |settings| {
        let problem = plates::problem(settings, 2, [[0.0; 3], [settings.velocity(), 0.0, 0.0]]);
        plates::flow(settings, format!("couette2d, H = {}", settings.size()), "D2Q9", problem)
    },
    shown: Shown::SPEED,
    evaluate: |settings, state, _| {
        let profile = Profile {
            name: "u_centre",
            title: "u / U across the channel",
            labels: ["y / H", "u / U"],
            ..Profile::between_walls(state.middle_line(1, 0, settings.velocity()), [0.0, 1.0])
        };
        Evaluation::of_exact(profile.compared_with_exact(|y| y, "exact: u = U y / H"))
    },
};
