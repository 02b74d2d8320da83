//! A heavy fluid on a light one: the single wave of He, Chen & Zhang.

use std::f64::consts::TAU;
use std::sync::Arc;

use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::interface;
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{PHASE, Shown};
use super::state::State;
use crate::published::{self, HE_CHEN_ZHANG};
use crate::simulation::{Problem, Viscosity};

/// The case `rayleigh-taylor`.
pub(super) static CASE: Case = Case {
    name: "rayleigh-taylor",
    about: "a heavy fluid falls into a light one: the tips of spike and bubble beside He, Chen & Zhang 1999",
    bodies: &[("D2Q9D2Q9", false)],
    own: &[
        shared::size(64, 16, 4096, "nodes of the wave, across the box, which is four times as high"),
        shared::velocity(0.04, "sqrt(gravity x length of the wave)"),
        shared::reynolds(256.0, 1e5, "Reynolds number of `velocity` and the length of the wave"),
        interface::density_ratio(3.0),
        interface::viscosity_ratio(3.0),
        Setting::real("amplitude", 0.1, [1e-3, 0.5]).about("amplitude of the wave, as a share of its length"),
        shared::tension(0.0),
        interface::WIDTH,
        interface::mobility(0.01),
    ],
    defaults: Defaults {
        collision: "phase-field-of-trt-and-bgk",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 6_400,
        tolerance: None,
        checkpoint: 0,
        film: 128,
    },
    flow,
    shown: Shown::scalar(&PHASE),
    evaluate,
};

const SOURCE: &str = "He, Chen & Zhang, J. Comput. Phys. 152 (1999) 642, read off their figure";

/// The box is so many waves high, and the interface lies in its middle.
const HEIGHT: usize = 4;

/// Rows of the table in a unit of time, in which what falls freely gains `velocity`.
const LOOKS: f64 = 20.0;

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, speed, width) = (settings.size(), settings.velocity(), settings.real("width"));
    let (length, amplitude) = (n as f64, settings.real("amplitude"));
    let size = [n, HEIGHT * n];
    interface::check_width(settings, length)?;
    // The pressure is counted from that in a fluid of the mean density.
    let of_flow =
        [("tension", settings.real("tension")), ("gravity_y", -speed * speed / length), ("floating", 0.5)];
    let reynolds = settings.real("re");
    let mut problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Reynolds { reynolds, length, velocity: speed }),
        parameters: interface::parameters(settings, &of_flow),
        sums: vec![(
            "phase".to_owned(),
            Box::new(move |[x, y, _]| {
                let wave = amplitude * length * (TAU * (x as f64 + 0.5) / length).cos();
                interface::share(y as f64 + 0.5 - 0.5 * HEIGHT as f64 * length - wave, width)
            }),
        )],
        ..Problem::default()
    };
    for face in [Face::South, Face::North] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    let gauge = Gauge {
        columns: &["spike", "bubble", "heavy"],
        look: Arc::new(move |simulation| {
            let phi = simulation.sum_of("phase")?;
            let above: Vec<f64> = phi.iter().map(|phi| phi - 0.5).collect();
            // The wave's trough is in the middle of the box, between two columns if there are so many, its crest at the sides.
            let mean = |tips: [f64; 2]| tips.iter().sum::<f64>() / 2.0 / length;
            let spike = mean([(n - 1) / 2, n / 2].map(|x| interface::lowest(&above, size, x)));
            let bubble = mean([0, n - 1].map(|x| interface::highest(&above, size, x)));
            Ok(vec![spike, bubble, phi.iter().sum()])
        }),
    };
    let unit = length / speed;
    Ok(Flow {
        title: format!("rayleigh-taylor, Re = {reynolds}, density ratio {}", settings.real("density_ratio")),
        variant: variant("D2Q9D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: length,
        steady: None,
        table: Some(Table::of_gauge("tips.csv", (unit / LOOKS).ceil() as u64, unit, gauge)),
    })
}

/// The settings of the source.
const KNOWN: &[(&str, f64)] =
    &[("re", 256.0), ("density_ratio", 3.0), ("viscosity_ratio", 3.0), ("amplitude", 0.1), ("tension", 0.0)];

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let tips = [
        ("spike", "the lowest point of the heavy fluid"),
        ("bubble", "the highest point of the light fluid"),
    ];
    let mut evaluation = Evaluation::default();
    for (k, (name, title)) in tips.into_iter().enumerate() {
        let simulated: Vec<[f64; 2]> = rows.iter().map(|row| [row.time, row.values[k]]).collect();
        let [first, last] =
            [simulated.first(), simulated.last()].map(|row| row.map_or(0.0, |&[time, _]| time));
        let mut known = published::line(HE_CHEN_ZHANG, "t", name);
        known.retain(|point| {
            settings.are(KNOWN) && (first..=last).contains(&point.at) && simulated.len() >= 4
        });
        let profile = Profile { name, title, labels: ["t", "y / length"], simulated, ..Profile::default() };
        let profile = profile.compared_with(&known, SOURCE);
        if let Some(point) = profile.reference.last() {
            let name = format!("{name} at t = {:.2}, of the wave's length", point.at);
            evaluation.measures.push(Measure::compared(&name, point.simulated, point.reference, SOURCE));
        }
        evaluation.profiles.push(profile);
    }
    evaluation.measures.extend(Measure::change("heavy", rows, 2));
    evaluation
}
