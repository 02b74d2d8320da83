//! A drop that is let go out of round and swings, compared with the exact mode of a viscous drop in a viscous fluid.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use lbm_core::Error;

use super::case::{Case, Defaults, Flow, variant};
use super::drops::share;
use super::evaluation::{Evaluation, Measure, Profile, ReferencePoint};
use super::probes::{Gauge, Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::{PHI, Shown};
use super::state::State;
use crate::simulation::{Problem, Simulation, Viscosity, positions};

/// The case `droplet`.
pub(super) static CASE: Case = Case {
    name: "droplet",
    about: "a drop that swings: period and decay beside the exact mode of a viscous drop in a viscous fluid",
    bodies: &[("D2Q9D2Q9", false)],
    own: &[
        shared::size(
            96,
            36,
            4096,
            "nodes along each side of the periodic box; the drop's radius is a sixth of it",
        ),
        shared::tension(0.03),
        shared::viscosity(1.0 / 60.0, 1e-4),
        shared::VISCOSITY_RATIO,
        Setting::real("amplitude", 0.1, [1e-3, 0.3])
            .about("what the longer half-axis has more than the radius, as a share of it"),
        shared::velocity(0.01, "reference velocity, which pictures divide by"),
    ],
    defaults: Defaults {
        collision: "colour-gradient-of-regularized",
        precision: "f32",
        storage: shared::STORAGE,
        steps: 3_200,
        tolerance: None,
        checkpoint: 0,
        film: 64,
    },
    flow,
    shown: Shown::scalar(&PHI),
    evaluate,
};

/// Rows of the table in a period without viscosity.
const LOOKS: f64 = 128.0;

/// A drop at rest and its surroundings.
#[derive(Clone, Copy, Debug)]
struct Drop {
    radius: f64,
    tension: f64,
    viscosity: f64,
    ratio: f64,
}

/// How a mode swings.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mode {
    /// Steps of a period.
    period: f64,
    /// By which share it decays in a step.
    decay: f64,
}

const EXACT: &str = "exact mode: of a viscous cylinder in an unbounded viscous fluid";
const LAMB: &str = "Lamb: of fluids without viscosity";

/// The Ohnesorge number for which the exact mode was solved, with the period and the decay over the time sqrt(radius^3 / tension).
const SOLVED: (f64, f64, f64) = (1.0 / 60.0 / 0.692_820_323, 1468.0 / 369.504_172, 4.54e-4 * 369.504_172);

impl Drop {
    fn of(settings: &Settings) -> Drop {
        Drop {
            radius: settings.size() as f64 / 6.0,
            tension: settings.real("tension"),
            viscosity: settings.real("viscosity"),
            ratio: settings.real("viscosity_ratio"),
        }
    }

    /// The time that tension and inertia set.
    fn time(self) -> f64 {
        (self.radius.powi(3) / self.tension).sqrt()
    }

    /// Viscosity over inertia and tension.
    fn ohnesorge(self) -> f64 {
        self.viscosity / (self.tension * self.radius).sqrt()
    }

    /// The period of the second mode without viscosity, where both fluids have density 1.
    fn lamb(self) -> f64 {
        TAU * self.time() / 3.0f64.sqrt()
    }

    /// The exact mode, where it was solved.
    fn exact(self) -> Option<Mode> {
        let (ohnesorge, period, decay) = SOLVED;
        let is_solved = self.ratio == 1.0 && (self.ohnesorge() / ohnesorge - 1.0).abs() < 1e-3;
        is_solved.then(|| Mode { period: period * self.time(), decay: decay / self.time() })
    }
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, drop, amplitude) = (settings.size(), Drop::of(settings), settings.real("amplitude"));
    let middle = n as f64 / 2.0;
    let place = move |[x, y, _]: [usize; 3]| [x, y].map(|at| at as f64 + 0.5 - middle);
    let problem = Problem {
        size: Some([n, n].into()),
        viscosity: Some(Viscosity::Value(drop.viscosity)),
        parameters: vec![("tension".to_owned(), drop.tension), ("viscosity_ratio".to_owned(), drop.ratio)],
        sums: vec![(
            "red".to_owned(),
            Box::new(move |at| {
                let [dx, dy] = place(at);
                let r = dx.hypot(dy).max(f64::MIN_POSITIVE);
                let surface = 1.0 + amplitude * (dx * dx - dy * dy) / (r * r) - amplitude * amplitude / 4.0;
                share(drop.radius * surface - r)
            }),
        )],
        ..Problem::default()
    };
    let gauge = Gauge {
        columns: &["deformation", "red"],
        look: Arc::new(|simulation| {
            let red = simulation.sum_of("red")?;
            Ok(vec![deformation(&red, simulation), simulation.total_of("red")?])
        }),
    };
    let interval = (drop.lamb() / LOOKS).round().max(1.0) as u64;
    Ok(Flow {
        title: format!("droplet, Oh = {:.4}", drop.ohnesorge()),
        variant: variant("D2Q9D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: drop.radius,
        steady: None,
        table: Some(Table::of_gauge("shape.csv", interval, drop.lamb(), gauge)),
    })
}

/// By which share of the radius a nearly round drop in the middle is longer along x, and shorter along y: pi times the sum of red (x^2 - y^2) over the square of that of red.
fn deformation(red: &[f64], simulation: &Simulation) -> f64 {
    let size = simulation.size();
    let middle = [0, 1].map(|axis| size[axis] as f64 / 2.0);
    let sums = positions(size).zip(red).fold([0.0; 2], |[moment, all], ([x, y, _], red)| {
        let [dx, dy] = [x as f64 + 0.5 - middle[0], y as f64 + 0.5 - middle[1]];
        [moment + red * (dx * dx - dy * dy), all + red]
    });
    PI * sums[0] / (sums[1] * sums[1])
}

/// Where a series of steps and values goes through 0, from the second time on: the start is no pure mode.
fn passages(series: &[[f64; 2]]) -> Vec<f64> {
    let through = |pair: &[[f64; 2]]| {
        let [[before, from], [after, to]] = [pair[0], pair[1]];
        (from * to < 0.0).then(|| before + (after - before) * from / (from - to))
    };
    series.windows(2).filter_map(through).skip(1).collect()
}

/// The largest value between two steps.
fn largest_between(series: &[[f64; 2]], from: f64, to: f64) -> f64 {
    let within = series.iter().filter(|[step, _]| (from..to).contains(step));
    within.fold(0.0, |most, [_, value]| most.max(value.abs()))
}

/// The mode of a series, as far as it was seen: two passages give a period, three a decay.
fn measured(series: &[[f64; 2]]) -> Mode {
    let passages = passages(series);
    let ([first, .., last], halves) = (&passages[..], passages.len().saturating_sub(1) as f64) else {
        return Mode { period: f64::NAN, decay: f64::NAN };
    };
    let peaks: Vec<f64> = passages.windows(2).map(|pair| largest_between(series, pair[0], pair[1])).collect();
    let period = 2.0 * (last - first) / halves;
    let decay = match halves > 1.0 {
        true => (peaks[0] / peaks[peaks.len() - 1]).ln() / (0.5 * period * (halves - 1.0)),
        false => f64::NAN,
    };
    Mode { period, decay }
}

/// The exact mode at the points of a series, which it meets where that passes 0 for the second time, and in the swing that
/// follows; none of it where that was not seen whole.
fn beside(series: &[[f64; 2]], mode: Mode) -> Vec<ReferencePoint> {
    let passages = passages(series);
    let Some((&from, to)) = passages.first().map(|from| (from, from + mode.period / 2.0)) else {
        return Vec::new();
    };
    if series.last().is_none_or(|[step, _]| *step < to) {
        return Vec::new();
    }
    let turn = TAU / mode.period;
    let at = |step: f64| (-mode.decay * (step - from)).exp() * (turn * (step - from)).sin();
    let peak = (turn / mode.decay).atan() / turn;
    let sign = series.iter().find(|[step, _]| *step > from).map_or(1.0, |[_, value]| value.signum());
    let scale = sign * largest_between(series, from, to) / at(from + peak);
    let later = series.iter().filter(|[step, _]| *step >= from).step_by(4);
    let point = |&[step, simulated]: &[f64; 2]| ReferencePoint {
        at: step,
        reference: scale * at(step),
        simulated,
        counts: true,
    };
    later.map(point).collect()
}

fn evaluate(settings: &Settings, _: &State, rows: &[Row]) -> Evaluation {
    let drop = Drop::of(settings);
    let series: Vec<[f64; 2]> = rows.iter().map(|row| [row.step as f64, row.values[0]]).collect();
    let (mode, exact) = (measured(&series), drop.exact());
    let mut measures = match exact {
        Some(exact) => vec![
            Measure::compared("period, steps", mode.period, exact.period, EXACT),
            Measure::compared("decay in a step", mode.decay, exact.decay, EXACT),
        ],
        None => vec![
            Measure::compared("period, steps", mode.period, drop.lamb(), LAMB),
            Measure::alone("decay in a step", mode.decay),
        ],
    };
    measures.extend(Measure::change("red", rows, 1));
    let profile = Profile {
        name: "deformation",
        title: "half-axis along x over the radius, less 1",
        labels: ["step", "deformation"],
        reference: exact.map_or_else(Vec::new, |exact| beside(&series, exact)),
        simulated: series,
        source: EXACT,
        ..Profile::default()
    };
    Evaluation { profiles: vec![profile], measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damped_swing_is_measured_and_met() {
        let mode = Mode { period: 1500.0, decay: 4e-4 };
        let swing = |n: u32| {
            let step = f64::from(10 * n);
            [step, 0.1 * (-mode.decay * step).exp() * (TAU * step / mode.period).cos()]
        };
        let series: Vec<[f64; 2]> = (0..450).map(swing).collect();
        let found = measured(&series);
        assert!((found.period / mode.period - 1.0).abs() < 1e-3, "{found:?}");
        assert!((found.decay / mode.decay - 1.0).abs() < 1e-2, "{found:?}");
        let off = beside(&series, mode).into_iter().map(|p| (p.reference - p.simulated).abs());
        assert!(off.fold(0.0, f64::max) < 2e-4);
        assert!(measured(&series[..60]).period.is_nan());
    }

    #[test]
    fn the_exact_mode_is_known_for_one_ohnesorge_number() {
        let exact = |pairs: &str| Drop::of(&Settings::with(&CASE, pairs).unwrap()).exact();
        let Mode { period, decay } = exact("").unwrap();
        assert!((period / 1468.0 - 1.0).abs() < 1e-3 && (decay / 4.54e-4 - 1.0).abs() < 1e-3);
        // Twice the radius and the tension of the same numbers.
        let larger = exact("size=192 tension=0.015").unwrap();
        assert!((larger.period / period - 4.0).abs() < 1e-9);
        assert!(exact("viscosity=0.02").is_none() && exact("viscosity_ratio=2").is_none());
    }
}
