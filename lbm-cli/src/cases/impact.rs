//! Two drops that meet head-on: near-contact interactions keep a film between them, without these they flow together.

use std::sync::Arc;

use lbm_core::Error;

use super::case::{Case, Defaults, Flow, variant};
use super::drops::{self, share};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{Beside, PHI, Shown};
use super::state::State;
use crate::simulation::{Initial, Problem, Viscosity};

/// The case `impact`.
pub(super) static CASE: Case = Case {
    name: "impact",
    about: "two drops that meet head-on, with near-contact interactions beside without",
    bodies: &[("D2Q9D2Q9", false)],
    own: &[
        shared::size(20, 6, 500, "nodes along the radius of a drop; the box has 9.6 by 8 of them"),
        Setting::real("we", 9.5, [1e-3, 100.0]).about("Weber number of the velocity and the diameter"),
        shared::reynolds(120.0, 1e4, "Reynolds number of these"),
        shared::velocity(0.1, "velocity with which the drops near each other"),
        shared::VISCOSITY_RATIO,
        shared::NEAR_CONTACT,
        Setting::real("offset", 0.0, [0.0, 1.0])
            .about("distance of the lines along which the drops move, as a share of the diameter"),
    ],
    defaults: Defaults {
        collision: "emulsion-of-regularized",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 2_000,
        tolerance: None,
        checkpoint: 0,
        film: 40,
    },
    flow,
    shown: Shown { beside: Some(Beside { setting: "near_contact", value: 0.0 }), ..Shown::scalar(&PHI) },
    evaluate,
};

/// Radii: the box, and the gap between the drops in the beginning.
const BOX: [f64; 2] = [9.6, 8.0];
const GAP: f64 = 0.5;

/// Rows of the table in the time in which the drops near each other by a diameter.
const LOOKS: f64 = 20.0;

const SOURCE: &str = "an independent program of the model: Montessori et al., J. Fluid Mech. 872 (2019) 327";

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (radius, speed) = (settings.size() as f64, settings.velocity());
    let [we, re, offset] = ["we", "re", "offset"].map(|name| settings.real(name));
    let diameter = 2.0 * radius;
    let size = BOX.map(|radii| (radii * radius).round() as usize);
    let middle = size.map(|n| n as f64 / 2.0);
    // That on the left, side -1, moves to the right, below the middle.
    let drop = move |[x, y, _]: [usize; 3], side: f64| {
        let along = x as f64 + 0.5 - middle[0] - side * (1.0 + GAP / 2.0) * radius;
        let across = y as f64 + 0.5 - middle[1] - side * offset * radius;
        share(radius - along.hypot(across))
    };
    let parameters = [
        ("tension", speed * speed * diameter / we),
        ("viscosity_ratio", settings.real("viscosity_ratio")),
        ("near_contact", settings.real("near_contact")),
    ];
    let problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Reynolds { reynolds: re, length: diameter, velocity: speed }),
        parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        initial: Some(Box::new(move |at| {
            Initial::velocity([0.5 * speed * (drop(at, -1.0) - drop(at, 1.0)), 0.0, 0.0])
        })),
        sums: vec![("red".to_owned(), Box::new(move |at| (drop(at, -1.0) + drop(at, 1.0)).min(1.0)))],
        ..Problem::default()
    };
    let gauge = Gauge {
        columns: &["film", "drops"],
        look: Arc::new(move |simulation| {
            let phi = (PHI.of)(simulation)?;
            let film = film(&phi[size[0] * (size[1] / 2)..][..size[0]]);
            Ok(vec![film, drops::count(&phi, size, true) as f64])
        }),
    };
    let passes = diameter / speed;
    Ok(Flow {
        title: format!("impact, We = {we}, Re = {re}"),
        variant: variant("D2Q9D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: diameter,
        steady: None,
        table: Some(Table::of_gauge("film.csv", (passes / LOOKS).ceil() as u64, passes, gauge)),
    })
}

/// The thickness of the blue film between the first drop and the last one along a row, in nodes; 0 where they are one.
fn film(phi: &[f64]) -> f64 {
    let passes = |n: &usize| (phi[*n] > 0.0) != (phi[n + 1] > 0.0);
    let place = |n: usize| n as f64 + phi[n] / (phi[n] - phi[n + 1]);
    let mut passages = (0..phi.len().saturating_sub(1)).filter(passes);
    let right_of_first = passages.find(|&n| phi[n] > 0.0);
    let left_of_last = passages.rfind(|&n| phi[n] <= 0.0);
    right_of_first.zip(left_of_last).map_or(0.0, |(from, to)| place(to) - place(from))
}

/// How many drops there are in the end, where that is known.
fn known(settings: &Settings) -> Option<f64> {
    let is_known = settings.are(&[("we", 9.5), ("re", 120.0), ("velocity", 0.1), ("viscosity_ratio", 1.0)])
        && settings.size() == 20
        && settings.real("offset") == 0.0
        && settings.integer("steps") >= CASE.defaults.steps;
    match settings.real("near_contact") {
        0.0 => is_known.then_some(1.0),
        0.004 => is_known.then_some(2.0),
        _ => None,
    }
}

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let column = |k: usize| -> Vec<[f64; 2]> { rows.iter().map(|row| [row.time, row.values[k]]).collect() };
    let [film, count] = [0, 1].map(column);
    let end = count.last().map_or(f64::NAN, |&[_, drops]| drops);
    let thinnest = film.iter().fold(f64::INFINITY, |least, &[_, film]| least.min(film));
    let measures = vec![
        match known(settings) {
            Some(known) => Measure::compared("drops in the end", end, known, SOURCE),
            None => Measure::alone("drops in the end", end),
        },
        Measure::alone("nodes of the thinnest film between the drops", thinnest),
    ];
    let profile = |name, title, quantity, simulated| Profile {
        name,
        title,
        labels: ["t U / D", quantity],
        simulated,
        ..Profile::default()
    };
    let profiles = vec![
        profile("film_thickness", "film between the drops", "nodes", film),
        profile("drops", "drops", "drops", count),
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_as_thick_as_phi_says() {
        let row = |drops: &[f64]| -> Vec<f64> {
            let nearest = |x: f64| drops.iter().map(|at| (x - at).abs()).fold(f64::INFINITY, f64::min);
            (0..64).map(|x| 4.25 - nearest(f64::from(x))).collect()
        };
        assert!((film(&row(&[20.0, 40.0])) - 11.5).abs() < 1e-12);
        assert_eq!(film(&row(&[20.0])), 0.0);
        assert_eq!(film(&row(&[20.0, 28.0])), 0.0);
        assert_eq!(film(&[-1.0; 8]), 0.0);
    }
}
