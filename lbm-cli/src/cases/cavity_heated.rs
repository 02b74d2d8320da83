//! Natural convection in a square between a warm wall and a cold one, with the benchmark of de Vahl Davis.

use std::sync::Arc;

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow};
use super::evaluation::{Evaluation, Measure, Profile};
use super::heat;
use super::probes::{Gauge, Row};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{Shown, TEMPERATURE};
use super::state::State;

/// The case `cavity-heated`.
pub(super) static CASE: Case = Case {
    name: "cavity-heated",
    about: "natural convection in a square between a warm wall and a cold one, compared with de Vahl Davis 1983",
    bodies: &[("D2Q9D2Q5", false)],
    own: &[
        shared::size(96, 8, 4096, "nodes along each side"),
        Setting::real("ra", 1e5, [1.0, 1e8])
            .about("Rayleigh number; the benchmark has 1e3, 1e4, 1e5 and 1e6"),
        Setting::real("pr", 0.71, [1e-3, 1e3]).about("Prandtl number; the benchmark has that of air, 0.71"),
        shared::velocity(0.1, "speed that fluid would reach that rises along the warm wall without friction"),
    ],
    defaults: Defaults {
        collision: "boussinesq-of-trt-and-bgk",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 1_000_000,
        tolerance: Some(shared::tolerance(
            1e-6,
            "steady when no velocity changes by more than this share of `velocity` in the time in which that passes the cavity once (size / velocity steps)",
        )),
        checkpoint: 20_000,
        film: 0,
    },
    flow,
    shown: Shown::scalar(&TEMPERATURE),
    evaluate,
};

/// What is known at a Rayleigh number: the mean Nusselt number, and over diffusivity / side the greatest velocity along x on the vertical line through the middle and along y on the
/// horizontal one.
const DE_VAHL_DAVIS: [(f64, [f64; 3]); 4] = [
    (1e3, [1.118, 3.649, 3.697]),
    (1e4, [2.243, 16.178, 19.617]),
    (1e5, [4.519, 34.73, 68.59]),
    (1e6, [8.800, 64.63, 219.36]),
];

const SOURCE: &str = "de Vahl Davis, Int. J. Numer. Methods Fluids 3 (1983) 249";

/// The warm wall and the cold one.
const WALLS: [Face; 2] = [Face::West, Face::East];

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, diffusivity) = (settings.size(), heat::diffusivity(settings));
    let length = n as f64;
    let warm = move |[x, ..]: [usize; 3]| 1.0 - (x as f64 + 0.5) / length;
    let mut problem = heat::between(settings, [n, n], WALLS, warm);
    problem.faces[..4].fill(FaceRule::WALL);
    let gauge = Gauge {
        columns: &["nusselt_warm", "nusselt_cold"],
        // By conduction alone it would be the diffusivity, over the nodes of a wall.
        look: Arc::new(move |simulation| Ok(heat::nusselt(simulation, WALLS, diffusivity)?.to_vec())),
    };
    heat::flow(CASE.name, settings, problem, gauge)
}

/// The largest value of a line, of the parabola through the three points around it.
fn peak(line: &[[f64; 2]]) -> f64 {
    let values: Vec<f64> = line.iter().map(|&[_, value]| value).collect();
    let highest = (1..values.len().saturating_sub(1)).max_by(|&a, &b| values[a].total_cmp(&values[b]));
    let Some(at) = highest else { return f64::NAN };
    let [before, here, after] = [values[at - 1], values[at], values[at + 1]];
    let curvature = before - 2.0 * here + after;
    if curvature < 0.0 { here - (after - before).powi(2) / (8.0 * curvature) } else { here }
}

fn evaluate(settings: &Settings, state: &State, rows: &[Row]) -> Evaluation {
    let speed = heat::diffusivity(settings) / settings.size() as f64;
    let [u, v] = [(1, 0), (0, 1)].map(|(axis, component)| state.middle_line(axis, component, speed));
    let known = heat::of_air(settings, &DE_VAHL_DAVIS);
    let nusselt = |k: usize| -> Vec<[f64; 2]> { rows.iter().map(|row| [row.time, row.values[k]]).collect() };
    let [warm, cold] = [0, 1].map(nusselt);
    let last = |series: &[[f64; 2]]| series.last().map_or(f64::NAN, |&[_, value]| value);
    let measure = |name: &str, measured: f64, k: usize| match known {
        Some(known) => Measure::compared(name, measured, known[k], SOURCE),
        None => Measure::alone(name, measured),
    };
    let measures = vec![
        measure("mean Nusselt number of the warm wall", last(&warm), 0),
        heat::balance([last(&warm), last(&cold)]),
        measure(
            "greatest horizontal velocity on the vertical line through the middle, L / alpha",
            peak(&u),
            1,
        ),
        measure(
            "greatest vertical velocity on the horizontal line through the middle, L / alpha",
            peak(&v),
            2,
        ),
    ];
    let between = |name, title, labels, line| Profile {
        name,
        title,
        labels,
        ..Profile::between_walls(line, [0.0, 0.0])
    };
    let profiles = vec![
        between(
            "u_centre",
            "u L / alpha on the vertical line through the middle",
            ["y / L", "u L / alpha"],
            u,
        ),
        between(
            "v_centre",
            "v L / alpha on the horizontal line through the middle",
            ["x / L", "v L / alpha"],
            v,
        ),
        Profile {
            name: "nusselt_number",
            title: "mean Nusselt number of the warm wall",
            labels: ["t U / L", "Nu"],
            simulated: warm,
            bounds: known.map(|known| known[0]).into_iter().collect(),
            ..Profile::default()
        },
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_lies_between_nodes() {
        let line: Vec<[f64; 2]> =
            (0..10).map(|n| f64::from(n) / 10.0).map(|x| [x, 3.0 - (x - 0.43).powi(2)]).collect();
        assert!((peak(&line) - 3.0).abs() < 1e-12);
        assert!(peak(&line[..2]).is_nan());
    }
}
