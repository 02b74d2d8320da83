//! Fluid between a warm plate below and a cold one above, beside the Nusselt numbers of Clever & Busse.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use lbm_core::{Error, Face};

use super::case::{Case, Defaults, Flow};
use super::evaluation::{Evaluation, Measure, Profile, largest};
use super::heat;
use super::probes::{Gauge, Row};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{Shown, TEMPERATURE};
use super::state::State;

/// The case `rayleigh-benard`.
pub(super) static CASE: Case = Case {
    name: "rayleigh-benard",
    about: "convection rolls above a warm plate: Nusselt number beside Clever & Busse 1974",
    bodies: &[("D2Q9D2Q5", false)],
    own: &[
        shared::size(64, 8, 4096, "nodes from plate to plate; the box is as long as a pair of rolls, 2.016 times that"),
        Setting::real("ra", 1e4, [1.0, 1e8]).about("Rayleigh number; rolls grow above 1707.76"),
        Setting::real("pr", 0.71, [1e-3, 1e3]).about("Prandtl number"),
        Setting::real("amplitude", 0.1, [1e-9, 0.5])
            .about("by how much the temperature differs from that of conduction in the beginning, in the middle of a roll"),
        shared::velocity(0.1, "speed that fluid would reach that rises from plate to plate without friction"),
    ],
    defaults: Defaults {
        collision: "boussinesq-of-trt-and-bgk",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 1_000_000,
        tolerance: Some(shared::tolerance(
            1e-6,
            "steady when no velocity changes by more than this share of `velocity` in the time in which that passes from plate to plate (size / velocity steps)",
        )),
        checkpoint: 20_000,
        film: 0,
    },
    flow,
    shown: Shown::scalar(&TEMPERATURE),
    evaluate,
};

/// The wave number that grows first, over the distance of the plates.
const WAVE_NUMBER: f64 = 3.117;

/// Rolls of that length in air: Rayleigh and Nusselt numbers.
const CLEVER_BUSSE: [(f64, f64); 6] =
    [(2.5e3, 1.475), (5e3, 2.116), (1e4, 2.661), (2e4, 3.258), (3e4, 3.662), (5e4, 4.245)];

const SOURCE: &str = "Clever & Busse, J. Fluid Mech. 65 (1974) 625";

/// The warm plate and the cold one.
const PLATES: [Face; 2] = [Face::South, Face::North];

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, speed, diffusivity) = (settings.size(), settings.velocity(), heat::diffusivity(settings));
    let (height, amplitude) = (n as f64, settings.real("amplitude"));
    let long = (TAU / WAVE_NUMBER * height).round();
    let warm = move |[x, y, _]: [usize; 3]| {
        let [x, y] = [(x as f64 + 0.5) / long, (y as f64 + 0.5) / height];
        1.0 - y + amplitude * (TAU * x).cos() * (PI * y).sin()
    };
    let problem = heat::between(settings, [long as usize, n], PLATES, warm);
    // By conduction alone it would be the diffusivity, over the nodes from plate to plate, through each of a plate.
    let conducted = diffusivity * long / height;
    let gauge = Gauge {
        columns: &["nusselt_warm", "nusselt_cold", "speed"],
        look: Arc::new(move |simulation| {
            let fastest = largest(simulation.velocity()?.iter().map(|u| u[0].hypot(u[1])));
            let [warm, cold] = heat::nusselt(simulation, PLATES, conducted)?;
            Ok(vec![warm, cold, fastest / speed])
        }),
    };
    heat::flow(CASE.name, settings, problem, gauge)
}

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let series = |k: usize| -> Vec<[f64; 2]> { rows.iter().map(|row| [row.time, row.values[k]]).collect() };
    let last = |k: usize| rows.last().map_or(f64::NAN, |row| row.values[k]);
    let known = heat::of_air(settings, &CLEVER_BUSSE);
    let name = "mean Nusselt number of the warm plate";
    let measures = vec![
        match known {
            Some(known) => Measure::compared(name, last(0), known, SOURCE),
            None => Measure::alone(name, last(0)),
        },
        heat::balance([last(0), last(1)]),
        Measure::alone("greatest speed, over that of free fall", last(2)),
    ];
    let profiles = vec![
        Profile {
            name: "nusselt_number",
            title: name,
            labels: ["t U / H", "Nu"],
            simulated: series(0),
            bounds: known.into_iter().collect(),
            ..Profile::default()
        },
        Profile {
            name: "speed",
            title: "greatest speed",
            labels: ["t U / H", "u / U"],
            simulated: series(2),
            ..Profile::default()
        },
    ];
    Evaluation { profiles, measures }
}
