//! A bubble that rises in a fluid ten times as dense, with the benchmark of Hysing et al.

use std::f64::consts::PI;
use std::sync::Arc;

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, variant};
use super::evaluation::{Evaluation, Measure, Profile, largest};
use super::interface;
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{PHASE, Shown};
use super::state::State;
use crate::simulation::{Problem, Simulation, Viscosity};

/// The case `rising-bubble`.
pub(super) static CASE: Case = Case {
    name: "rising-bubble",
    about: "a bubble that rises: its height, speed and shape beside Hysing et al. 2009, case 1",
    bodies: &[("D2Q9D2Q9", false)],
    own: &[
        shared::size(64, 16, 4096, "nodes across the box, which is twice as high; the bubble is half as wide"),
        shared::velocity(0.02, "sqrt(gravity x diameter), the speed that gravity gives over the diameter"),
        shared::reynolds(35.0, 1e4, "Reynolds number of `velocity`, the diameter and the heavy fluid"),
        Setting::real("eo", 10.0, [1e-3, 1e4])
            .about("Eotvos number: density of the heavy fluid times `velocity` squared and the diameter over the tension"),
        interface::density_ratio(10.0),
        interface::viscosity_ratio(10.0),
        interface::WIDTH,
        interface::mobility(0.1),
    ],
    defaults: Defaults {
        collision: "phase-field-of-trt-and-bgk",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 6_720,
        tolerance: None,
        checkpoint: 0,
        film: 134,
    },
    flow,
    shown: Shown::scalar(&PHASE),
    evaluate,
};

/// The benchmark's diameter and gravity, its time in the end, and what was found: the least circularity, the largest speed, the height in the end.
const DIAMETER: f64 = 0.5;
const GRAVITY: f64 = 0.98;
const END: f64 = 3.0;
const KNOWN: [f64; 3] = [0.9012, 0.2417, 1.0813];

const SOURCE: &str = "Hysing et al., Int. J. Numer. Methods Fluids 60 (2009) 1259, case 1";

/// Rows of the table in a unit of time.
const LOOKS: f64 = 20.0;

/// Steps in a unit of the benchmark's time.
fn unit(settings: &Settings) -> f64 {
    (GRAVITY * DIAMETER).sqrt() * settings.size() as f64 / settings.velocity()
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, speed, width) = (settings.size(), settings.velocity(), settings.real("width"));
    let (across, diameter) = (n as f64, DIAMETER * n as f64);
    let size = [n, 2 * n];
    interface::check_width(settings, diameter)?;
    let of_numbers = [
        ("tension", speed * speed * diameter / settings.real("eo")),
        ("gravity_y", -speed * speed / diameter),
    ];
    let reynolds = settings.real("re");
    let mut problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Reynolds { reynolds, length: diameter, velocity: speed }),
        parameters: interface::parameters(settings, &of_numbers),
        sums: vec![(
            "phase".to_owned(),
            Box::new(move |[x, y, _]| {
                let [dx, dy] = [x, y].map(|at| at as f64 + 0.5 - 0.5 * across);
                interface::share(dx.hypot(dy) - 0.5 * diameter, width)
            }),
        )],
        ..Problem::default()
    };
    // Sides along which fluid slips are planes of symmetry, and so is where a periodic box ends.
    for face in [Face::South, Face::North] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    let unit = unit(settings);
    let gauge = Gauge {
        columns: &["circularity", "speed", "height", "heavy"],
        look: Arc::new(move |simulation| look(simulation, size, unit)),
    };
    Ok(Flow {
        title: format!("rising-bubble, Re = {reynolds}, Eo = {}", settings.real("eo")),
        variant: variant("D2Q9D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: diameter,
        steady: None,
        table: Some(Table::of_gauge("bubble.csv", (unit / LOOKS).ceil() as u64, unit, gauge)),
    })
}

/// The length of a circle of the bubble's area over that of its interface, its speed and height in units of the benchmark, and all of the heavy fluid.
fn look(simulation: &mut Simulation, size @ [nx, _]: [usize; 2], unit: f64) -> Result<Vec<f64>, Error> {
    let (phi, velocity) = (simulation.sum_of("phase")?, simulation.velocity()?);
    let light: Vec<f64> = phi.iter().map(|phi| 1.0 - phi).collect();
    let above: Vec<f64> = light.iter().map(|share| share - 0.5).collect();
    let around = 2.0 * (PI * light.iter().sum::<f64>()).sqrt();
    let across = nx as f64;
    let speed = interface::mean(&light, |node| velocity[node][1]) * unit / across;
    let height = interface::mean(&light, |node| (node / nx) as f64 + 0.5) / across;
    Ok(vec![around / interface::length(&above, size), speed, height, phi.iter().sum()])
}

/// The settings of the benchmark.
const CASE_1: &[(&str, f64)] =
    &[("re", 35.0), ("eo", 10.0), ("density_ratio", 10.0), ("viscosity_ratio", 10.0)];

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let series = |k: usize| -> Vec<[f64; 2]> { rows.iter().map(|row| [row.time, row.values[k]]).collect() };
    let [circularity, speed, height] = [0, 1, 2].map(series);
    // A number that is none stays.
    let lower =
        |least: f64, &[_, value]: &[f64; 2]| if value < least || value.is_nan() { value } else { least };
    let least = circularity.iter().fold(f64::INFINITY, lower);
    let largest = largest(speed.iter().map(|&[_, speed]| speed));
    // The times of rows are whole steps: a little before the end or after it.
    let away = |row: &Row| (row.time - END).abs();
    let nearest = rows.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    let nearest = nearest.filter(|row| away(row) < 0.6 / LOOKS);
    let end = nearest.map(|row| row.values[2] + (END - row.time) * row.values[1]);
    let mut measures = Vec::new();
    let found =
        [("least circularity", Some(least)), ("largest speed", Some(largest)), ("height at t = 3", end)];
    for ((name, measured), known) in found.into_iter().zip(KNOWN) {
        measures.extend(measured.map(|measured| match settings.are(CASE_1) {
            true => Measure::compared(name, measured, known, SOURCE),
            false => Measure::alone(name, measured),
        }));
    }
    measures.extend(Measure::change("heavy", rows, 3));
    let bounds = |k: usize| if settings.are(CASE_1) { vec![KNOWN[k]] } else { Vec::new() };
    let profile = |k: usize, name, title, simulated| Profile {
        name,
        title,
        labels: ["t", name],
        simulated,
        bounds: bounds(k),
        ..Profile::default()
    };
    let profiles = vec![
        profile(0, "circularity", "a circle's length over that of the bubble's interface", circularity),
        profile(1, "speed", "the bubble's mean speed", speed),
        profile(2, "height", "the bubble's centre", height),
    ];
    Evaluation { profiles, measures }
}
