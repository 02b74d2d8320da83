//! A flow that pulses between plates or in a round pipe, driven by a difference of pressure in time, or by what enters.

mod shape;

use lbm_core::rules::Course;
use lbm_core::{Error, Face};

use lbm::womersley::Womersley;

use super::case::{Case, Defaults, Flow, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::Row;
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use crate::simulation::{PlacedRule, Problem, Viscosity};
pub(crate) use shape::Shape;

const SOURCE: &str = "Womersley, J. Physiol. 127 (1955) 553; between plates Landau & Lifshitz, Fluid Mechanics, §24, problem 6";

/// The case `womersley`.
pub(super) static CASE: Case = Case {
    name: "womersley",
    about: "pulsating flow between plates or in a round pipe, compared with the exact one",
    bodies: &[("D2Q9", false), ("D3Q19", false)],
    own: &[
        shared::size(32, 4, 1024, "nodes from plate to plate, or over the pipe's diameter"),
        Setting::named("shape", "plates", Allowed::Names(&["plates", "pipe"]))
            .about("between half-way walls in 2D, or in a pipe of which interpolated walls cut links"),
        Setting::named("drive", "pressure", Allowed::Names(&["pressure", "inlet"]))
            .about("a difference of pressure in time between the ends of a period, or the exact profile that enters, and a pressure at the other end"),
        Setting::integer("length", 1, [1, 400]).about("length of the channel in widths, where what enters drives it"),
        Setting::real("womersley", 4.0, [0.1, 25.0]).about("Womersley number: R sqrt(w / nu), R being half the width"),
        Setting::integer("period", 1000, [8, 1 << 26]).unit("time steps").about("the time of a pulse; the viscosity follows"),
        shared::velocity(0.02, "greatest velocity in the middle"),
        shared::MAGIC,
    ],
    defaults: Defaults {
        collision: "trt",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 12_100,
        tolerance: None,
        checkpoint: 0,
        film: 0,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// How much of the deviation of its mean density from 1 a period with a difference of pressure gives up in a step.
const ANCHORING: f64 = 0.1;

/// The exact flow.
pub(crate) fn exact(settings: &Settings) -> Result<Womersley, Error> {
    let (shape, number) = (Shape::of(settings), settings.real("womersley"));
    let period = settings.integer("period") as usize;
    let viscosity = 2.0 * std::f64::consts::PI / period as f64 * (shape.half() / number).powi(2);
    let flow = shape.exact(viscosity, period)?;
    let [cosine, sine] = flow.parts(0.0);
    Ok(flow.with_acceleration(settings.velocity() / cosine.hypot(sine)))
}

/// The rules at both ends.
fn ends(settings: &Settings, exact: Womersley, length: usize) -> Result<[PlacedRule; 2], Error> {
    let [cosine, sine] = exact.courses()?;
    if settings.name("drive") == "inlet" {
        let shape = Shape::of(settings);
        let part = |n: usize| move |point: [f64; 3]| [exact.parts(shape.distance(point))[n], 0.0, 0.0];
        let inlet = PlacedRule::named("regularized-velocity");
        let inlet = inlet.with_at("velocity", part(0)).in_time("velocity", cosine);
        let inlet = inlet.with_at("velocity", part(1)).in_time("velocity", sine);
        return Ok([inlet, PlacedRule::named("regularized-pressure")]);
    }
    // A = c_s^2 rise / length, and c_s^2 is 1/3.
    let rise = 3.0 * exact.acceleration()[0] * length as f64;
    let end = |rise: f64, course: Course| {
        let rule = PlacedRule::named("pressure-periodic").with("anchoring", [ANCHORING]);
        rule.with("rise", [rise]).in_time("rise", course)
    };
    Ok([end(rise, cosine.clone()), end(-rise, cosine)])
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (shape, exact) = (Shape::of(settings), exact(settings)?);
    let length = match settings.name("drive") {
        "inlet" => shape.width() * settings.integer("length") as usize + 1,
        _ => shape.period(),
    };
    let [west, east] = ends(settings, exact, length)?;
    let mut problem = Problem {
        viscosity: Some(Viscosity::Value(exact.viscosity())),
        rules: vec![(Face::West, west), (Face::East, east)],
        ..Problem::default()
    };
    shape.enclose(length, &mut problem);
    let number = settings.real("womersley");
    let mut notes =
        vec![format!("viscosity {:.6}, {} steps a pulse", exact.viscosity(), settings.integer("period"))];
    if settings.name("drive") == "inlet" {
        let angle = 2.0 * std::f64::consts::PI * length as f64 / settings.integer("period") as f64;
        let stored = 1.5 * angle * angle;
        notes.push(format!(
            "the channel stores up to {:.1} % of what enters, (w L / c_s)^2 / 2; a longer period or a shorter channel store less",
            100.0 * stored
        ));
    }
    Ok(Flow {
        title: format!("womersley, {}, number {number}", settings.name("shape")),
        variant: variant(shape.lattice(), false, settings)?,
        problem,
        notes,
        reference_length: shape.width() as f64,
        steady: None,
        table: None,
    })
}

fn evaluate(settings: &Settings, state: &State, _: &[Row]) -> Evaluation {
    // The flow was made of it before.
    let Ok(exact) = exact(settings) else { return Evaluation::default() };
    let (shape, speed) = (Shape::of(settings), settings.velocity());
    let half = shape.half();
    let [nx, ny, nz] = state.size;
    let point = |y: usize, z: usize| [y, z].map(|at| at as f64 + 0.5);
    let at = |y: usize, z: usize| state.velocity[nx / 2 + nx * (y + ny * z)][0] / speed;
    let theory = |y: f64, z: f64| exact.velocity(shape.distance([0.0, y, z]), state.step as f64) / speed;
    let within = |y: usize, z: usize| shape.distance([0.0, point(y, z)[0], point(y, z)[1]]) < half;
    let nodes = (0..ny * nz).map(|node| (node % ny, node / ny)).filter(|&(y, z)| within(y, z));
    let off = nodes.map(|(y, z)| {
        let [across, along] = point(y, z);
        at(y, z) - theory(across, along)
    });
    let error = super::largest(off);
    let [low, row] = [shape.middle()[0] - half, (nz / 2) as f64 + 0.5];
    let share = |y: usize| (point(y, 0)[0] - low) / (2.0 * half);
    let line = (0..ny).filter(|&y| within(y, nz / 2)).map(|y| [share(y), at(y, nz / 2)]).collect();
    let profile = Profile {
        name: "u_middle",
        title: "u / U across the channel at the end",
        labels: ["y / H", "u / U"],
        ..Profile::between_walls(line, [0.0; 2])
    };
    let profile = profile.compared_with_exact(|share| theory(low + 2.0 * half * share, row), SOURCE);
    let measures = vec![
        Measure::compared("largest error of u / U in the middle plane", error, 0.0, SOURCE),
        Measure::alone("periods passed", state.step as f64 / settings.integer("period") as f64),
    ];
    Evaluation { profiles: vec![profile], measures }
}
