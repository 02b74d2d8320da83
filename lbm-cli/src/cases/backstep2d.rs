//! The backward-facing step: a parabola enters a channel, which opens to twice its height; how far behind the step the flow
//! reattaches.

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, Steady, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Row;
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use crate::simulation::{PlacedRule, Problem, Solid, Viscosity};

/// Erturk's lengths: Reynolds number, and where the flow reattaches behind the step, in heights of it.
const ERTURK: [[f64; 2]; 4] = [[100.0, 2.92], [200.0, 4.98], [300.0, 6.75], [400.0, 8.24]];

const SOURCE: &str =
    "Erturk, Computers & Fluids 37 (2008) 633-655: x1 / h at expansion 2, Re by 2/3 u_max and 2 h";

/// The channel before the step, in heights of it.
const BEFORE: usize = 5;

/// The case `backstep2d`.
pub(super) static CASE: Case = Case {
    name: "backstep2d",
    about: "backward-facing step of expansion 2, compared with Erturk 2008: an inlet, an outlet, and where the flow reattaches",
    bodies: &[("D2Q9", false)],
    own: &[
        shared::size(20, 4, 1024, "nodes over the step's height, which is that of the inlet, too"),
        shared::reynolds(100.0, 500.0, "Reynolds number of the inlet's mean velocity and twice its height"),
        shared::velocity(0.1, "greatest velocity of the parabola that enters"),
        Setting::integer("length", 25, [8, 200]).about("channel behind the step, in heights of it"),
        shared::MAGIC,
    ],
    defaults: Defaults {
        // TRT does not bear Re 400 with 20 nodes over the step, nor the regularised collision Re 500.
        collision: "central-moments",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 2_000_000,
        tolerance: Some(shared::tolerance(
            1e-5,
            "steady when no velocity changes by more than this share of the inlet's greatest in the time that this takes to pass the \
             channel behind the step once",
        )),
        checkpoint: 50_000,
        film: 0,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// The parabola that enters between half-way walls, so many nodes apart, at the nth of these.
fn parabola(n: usize, height: usize, greatest: f64) -> f64 {
    let y = (n as f64 + 0.5) / height as f64;
    4.0 * greatest * y * (1.0 - y)
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (h, greatest, reynolds) = (settings.size(), settings.velocity(), settings.real("re"));
    let length = (BEFORE + settings.integer("length") as usize) * h;
    let enters = move |[_, y, _]: [usize; 3]| [if y < h { 0.0 } else { parabola(y - h, h, greatest) }, 0.0];
    let mut problem = Problem {
        size: Some([length, 2 * h].into()),
        viscosity: Some(Viscosity::Reynolds {
            reynolds,
            length: 2.0 * h as f64,
            velocity: 2.0 * greatest / 3.0,
        }),
        rules: vec![
            (Face::West, PlacedRule::named("regularized-velocity").with_each("velocity", enters)),
            (Face::East, PlacedRule::named("regularized-pressure")),
        ],
        solids: vec![Solid::new([0.0; 3], Box::new(move |[x, y, _]| x < BEFORE * h && y < h))],
        ..Problem::default()
    };
    problem.faces[Face::South.index()] = FaceRule::WALL;
    problem.faces[Face::North.index()] = FaceRule::WALL;
    let passes = (settings.integer("length") as usize * h) as f64 / greatest;
    Ok(Flow {
        title: format!("backstep2d, Re = {reynolds}"),
        variant: variant("D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: h as f64,
        steady: Some(Steady::everywhere(passes.round() as u64, settings)),
        table: None,
    })
}

/// Where the eddy behind the step ends along the lower wall, in heights of the step; the wall lies half a spacing below the nodes, the step half a
/// spacing before the first of them.
fn reattachment(settings: &Settings, state: &State) -> Option<f64> {
    let (h, nx) = (settings.size(), state.size[0]);
    let line: Vec<f64> = state.velocity[BEFORE * h..nx].iter().map(|u| u[0]).collect();
    Some((end_of_eddy(&line)? + 0.5) / h as f64)
}

/// Where u changes its sign from - to + behind the longest stretch that flows back, in nodes from the first. The corner may turn once more, and before
/// an outlet of a pressure the non-equilibrium alternates from node to node, which a velocity that is small there may follow: both are shorter.
fn end_of_eddy(u: &[f64]) -> Option<f64> {
    let mut longest: Option<(usize, usize)> = None;
    let mut first = 0;
    for back in u.chunk_by(|one, next| (*one < 0.0) == (*next < 0.0)) {
        let end = first + back.len();
        if back[0] < 0.0 && end < u.len() && longest.is_none_or(|(length, _)| length < back.len()) {
            longest = Some((back.len(), end));
        }
        first = end;
    }
    let (_, end) = longest?;
    let share = u[end - 1] / (u[end - 1] - u[end]);
    Some((end - 1) as f64 + share)
}

fn evaluate(settings: &Settings, state: &State, _: &[Row]) -> Evaluation {
    let (h, [nx, ny, _]) = (settings.size(), state.size);
    let reynolds = settings.real("re");
    let line = |x: usize, first: usize| -> Vec<[f64; 2]> {
        let at =
            |y: usize| [(y as f64 + 0.5) / h as f64, state.velocity[x + nx * y][0] / settings.velocity()];
        (first..ny).map(at).collect()
    };
    let profile = |name, title, line| Profile {
        name,
        title,
        labels: ["y / h", "u / u_max"],
        simulated: line,
        ..Profile::default()
    };
    let profiles = vec![
        profile("u_at_step", "u / u_max above the step's edge", line(BEFORE * h, h)),
        profile("u_behind_step", "u / u_max three heights behind the step", line((BEFORE + 3) * h, 0)),
    ];
    let name = "reattachment length behind the step, in heights of it";
    let known = ERTURK.iter().find(|[re, _]| *re == reynolds);
    let measured = reattachment(settings, state).unwrap_or(f64::NAN);
    let reattached = match known {
        Some(&[_, length]) => Measure::compared(name, measured, length, SOURCE),
        None => Measure::alone(name, measured),
    };
    let flow = |x: usize| -> f64 {
        (0..ny).map(|y| state.density[x + nx * y] * state.velocity[x + nx * y][0]).sum()
    };
    let balance = flow(nx / 2) / flow(0) - 1.0;
    let drop = |x: usize, y: usize| state.density[x + nx * y];
    let pressure = (drop(0, h + h / 2) - drop(nx - 1, h)) / 3.0;
    let measures = vec![
        reattached,
        Measure::compared(
            "mass flow in the middle of the channel over that at the inlet, less 1",
            balance,
            0.0,
            "mass is kept",
        ),
        Measure::alone("pressure difference from the inlet to the outlet, lattice units", pressure),
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eddy_ends_where_the_longest_stretch_does_that_flows_back() {
        // A corner that turns once more, the eddy, and the outlet's layer, which alternates.
        let line = [1e-6, -1e-6, 1e-6, -0.1, -0.2, -0.3, 0.1, 0.2, 0.1, 1e-5, -1e-5, 1e-5];
        assert!((end_of_eddy(&line).unwrap() - 5.75).abs() < 1e-12);
        assert_eq!(end_of_eddy(&[0.1, 0.2]), None);
        // It has not ended where the channel does.
        assert_eq!(end_of_eddy(&[0.1, -0.2, -0.1]), None);
    }
}
