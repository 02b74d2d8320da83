//! A cylinder in a channel, a little off its middle: the benchmarks 2D-1 (steady) and 2D-2 (a vortex street) of Schäfer & Turek.

use lbm_core::geometry::Cylinder;
use lbm_core::{Error, Face, FaceRule};

use super::case::{Case, Defaults, Flow, Steady, variant};
use super::evaluation::{Evaluation, Measure, Profile};
use super::probes::{Row, Table};
use super::pushed::{NO_SWING, PERIODS, Pushed, Sample, Swing, swing};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use crate::simulation::{Body, Initial, PlacedRule, Problem, Surface, Viscosity};

const STEADY: &str = "Nabh 1998, by Schäfer & Turek, Notes Numer. Fluid Mech. 52 (1996) 547, 2D-1: 5.57 to 5.59, 0.0104 to 0.0110, 0.1172 to 0.1176";
const STREET: &str =
    "the middle of the range of Schäfer & Turek, Notes Numer. Fluid Mech. 52 (1996) 547, 2D-2";

/// In diameters: the channel, and the cylinder's centre.
const CHANNEL: [f64; 2] = [22.0, 4.1];
const CENTRE: f64 = 2.0;

/// Up to this Reynolds number the flow gets steady.
const STEADY_UP_TO: f64 = 45.0;

/// Samples of the force in the time in which the mean flow passes a diameter.
const SAMPLES: f64 = 20.0;

/// The case `cylinder2d`.
pub(super) static CASE: Case = Case {
    name: "cylinder2d",
    about: "cylinder in a channel, compared with the benchmark of Schäfer & Turek 1996: drag, lift, vortex street",
    bodies: &[("D2Q9", false)],
    own: &[
        Setting::integer("size", 40, [10, 400])
            .about("nodes over the cylinder's diameter, a multiple of 10, for which walls lie half-way"),
        shared::reynolds(
            100.0,
            400.0,
            "Reynolds number of the mean velocity and the diameter; the benchmark has 20 and 100",
        ),
        shared::velocity(0.05, "greatest velocity of the parabola that enters"),
        shared::RAMP,
        shared::MAGIC,
    ],
    defaults: Defaults {
        collision: "trt",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 120_000,
        tolerance: Some(shared::tolerance(
            1e-6,
            "at Re 45 and below, steady when no velocity changes by more than this share of the inlet's greatest in the time in which the mean flow passes ten diameters",
        )),
        checkpoint: 0,
        film: 160,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// Reynolds numbers a node over the diameter that TRT bears: with 7 a flow settles, with 10 it diverges.
const MOST_A_NODE: f64 = 7.5;

/// The mean velocity at the inlet over the greatest.
const MEAN: f64 = 2.0 / 3.0;

/// The flow that enters, across a channel of so many nodes.
#[derive(Clone, Copy)]
struct Parabola {
    greatest: f64,
    height: f64,
}

impl Parabola {
    fn velocity(self, y: f64) -> f64 {
        4.0 * self.greatest * y / self.height * (1.0 - y / self.height)
    }

    /// What flows below.
    fn stream(self, y: f64) -> f64 {
        let share = y / self.height;
        self.greatest * self.height * share * share * (2.0 - 4.0 / 3.0 * share)
    }

    /// A flow without sources that is the parabola far from a cylinder and at rest on it: a sudden start would be loud for long. Its stream
    /// function is the parabola's, less that through the centre, times a cubic of the distance that rises from 0 on the cylinder to 1 a
    /// diameter away.
    fn around(self, [x, y]: [f64; 2], [x0, y0]: [f64; 2], radius: f64) -> [f64; 3] {
        let (x, above, distance) = (x - x0, y - y0, (x - x0).hypot(y - y0));
        let share = ((distance - radius) / (2.0 * radius)).clamp(0.0, 1.0);
        let (rise, slope) = (share * share * (3.0 - 2.0 * share), 3.0 * share * (1.0 - share) / radius);
        let stream = (self.stream(y) - self.stream(y0)) * slope / distance.max(radius);
        [self.velocity(y) * rise + stream * above, -stream * x, 0.0]
    }
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let (n, greatest, reynolds) = (settings.size(), settings.velocity(), settings.real("re"));
    if !n.is_multiple_of(10) {
        return Err(Error::out_of_range(
            "size",
            n,
            "multiples of 10, for which the channel's 4.1 diameters are whole nodes",
            format!("set it to {}", n.next_multiple_of(10)),
        ));
    }
    let diameter = n as f64;
    if settings.name("collision") == "trt" && reynolds > MOST_A_NODE * diameter {
        let least = ((reynolds / MOST_A_NODE).ceil() as usize).next_multiple_of(10);
        return Err(Error::out_of_range(
            "re",
            reynolds,
            format!(
                "at most {} for collision=trt with size={n}, beyond which the flow diverges",
                MOST_A_NODE * diameter
            ),
            format!("set size={least}, or collision=central-moments, which bears it and is less exact"),
        ));
    }
    // Velocity and pressure are set on the first and the last nodes, which lie 22 diameters apart.
    let [length, height] = CHANNEL.map(|extent| (extent * diameter).round() as usize);
    let inlet = Parabola { greatest, height: height as f64 };
    let centre = [CENTRE * diameter + 0.5, CENTRE * diameter];
    let [from, to] = [-1.0, 2.0].map(|z| [centre[0], centre[1], z]);
    let speed = MEAN * greatest;
    let enters = PlacedRule::named("regularized-velocity")
        .with_each("velocity", move |[_, y, _]| [inlet.velocity(y as f64 + 0.5), 0.0]);
    let at_once = settings.integer("ramp") == 0;
    let mut problem = Problem {
        size: Some([length + 1, height].into()),
        viscosity: Some(Viscosity::Reynolds { reynolds, length: diameter, velocity: speed }),
        rules: vec![
            (Face::West, settings.ramped(enters)?),
            (Face::East, PlacedRule::named("regularized-pressure")),
        ],
        surfaces: vec![Surface::new(
            Box::new(Cylinder { from, to, radius: diameter / 2.0 }),
            PlacedRule::named("bouzidi"),
        )],
        initial: Some(Box::new(move |[x, y, _]| {
            let around = || inlet.around([x as f64 + 0.5, y as f64 + 0.5], centre, diameter / 2.0);
            Initial::velocity(if at_once { around() } else { [0.0; 3] })
        })),
        ..Problem::default()
    };
    problem.faces[Face::South.index()] = FaceRule::WALL;
    problem.faces[Face::North.index()] = FaceRule::WALL;
    let transit = diameter / speed;
    Ok(Flow {
        title: format!("cylinder2d, Re = {reynolds}"),
        variant: variant("D2Q9", false, settings)?,
        problem,
        notes: Vec::new(),
        reference_length: diameter,
        // Above, vortices come and go.
        steady: (reynolds <= STEADY_UP_TO)
            .then(|| Steady::everywhere((10.0 * transit).round() as u64, settings)),
        table: Some(Table::of_force(Pushed {
            body: Body::Surface(0),
            interval: (transit / SAMPLES).ceil() as u64,
            about: [centre[0], centre[1], 0.5],
            speed,
            axes: Pushed::ALONG_X,
            area: Some(diameter),
            unit: transit,
        })),
    })
}

/// The pressure at the foremost point of the cylinder less that at the rearmost, over the density and the square of the mean velocity.
fn pressure_difference(settings: &Settings, state: &State) -> f64 {
    let (n, speed) = (settings.size(), MEAN * settings.velocity());
    // These lie on the wall, between two rows of nodes.
    let density = |x: usize| {
        let row = |y: usize| state.density[x + state.size[0] * y];
        (row(2 * n - 1) + row(2 * n)) / 2.0
    };
    (density(2 * n - n / 2) - density(2 * n + n / 2)) / 3.0 / (speed * speed)
}

/// From when on a run that ended at a time has no more of its start, and in words.
fn settled(swing: Option<Swing>, last: f64) -> (f64, &'static str) {
    match swing {
        Some(swing) => (last - PERIODS as f64 / swing.frequency, "in the last three periods"),
        None => (0.75 * last, "in the last quarter of the run"),
    }
}

fn evaluate(settings: &Settings, state: &State, rows: &[Row]) -> Evaluation {
    let samples = Sample::all(rows);
    let last = samples.last().map_or(0.0, |sample| sample.time);
    let line = |k: usize| -> Vec<[f64; 2]> {
        // The start is loud; the table has it.
        let late = samples.iter().filter(|sample| sample.time >= last / 2.0);
        late.map(|sample| [sample.time, sample.coefficients[k]]).collect()
    };
    let [drag, lift] = [line(0), line(1)];
    let end = |line: &[[f64; 2]]| line.last().map_or(f64::NAN, |at| at[1]);
    let reynolds = settings.real("re");
    let measure = |name: &str, measured: f64, at: f64, reference: f64, source| match reynolds == at {
        true => Measure::compared(name, measured, reference, source),
        false => Measure::alone(name, measured),
    };
    let swings = swing(&drag, &lift).filter(|_| reynolds > STEADY_UP_TO);
    let (since, when) = settled(swings, last);
    let largest = |name: &str, line: &[[f64; 2]], reference: f64| {
        let values = line.iter().filter(|at| at[0] >= since).map(|at| at[1]);
        let largest = values.fold(f64::NAN, f64::max);
        measure(&format!("largest {name} coefficient {when}"), largest, 100.0, reference, STREET)
    };
    let mut measures = if reynolds > STEADY_UP_TO {
        let strouhal = swings.map(|swing| measure("Strouhal number", swing.frequency, 100.0, 0.3, STREET));
        vec![
            strouhal.unwrap_or_else(|| Measure::none("Strouhal number", NO_SWING)),
            largest("drag", &drag, 3.23),
            largest("lift", &lift, 1.0),
        ]
    } else {
        vec![
            measure("drag coefficient", end(&drag), 20.0, 5.5795, STEADY),
            measure("lift coefficient", end(&lift), 20.0, 0.010619, STEADY),
        ]
    };
    measures.extend(swings.map(|swing| Measure::alone("periods seen", swing.periods as f64)));
    // p / (rho U^2) of the benchmark has the mean velocity 0.2.
    let pressure = pressure_difference(settings, state);
    let name = "pressure difference between front and rear, over rho U^2";
    measures.push(measure(name, pressure, 20.0, 0.11752 / 0.04, STEADY));
    let bounds = |at: f64, bounds: [f64; 2]| if reynolds == at { bounds.to_vec() } else { Vec::new() };
    let profile = |name, title, quantity, simulated, bounds| Profile {
        name,
        title,
        labels: ["t U / D", quantity],
        simulated,
        bounds,
        ..Profile::default()
    };
    let drag_bounds = [bounds(20.0, [5.57, 5.59]), bounds(100.0, [3.22, 3.24])].concat();
    let lift_bounds = [bounds(20.0, [0.0104, 0.0110]), bounds(100.0, [0.99, 1.01])].concat();
    let profiles = vec![
        profile("drag", "drag coefficient", "c_D", drag, drag_bounds),
        profile("lift", "lift coefficient", "c_L", lift, lift_bounds),
    ];
    Evaluation { profiles, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a run in which drag and lift had these values, until the time 100.
    fn said(drag: impl Fn(f64) -> f64, lift: impl Fn(f64) -> f64) -> Vec<String> {
        let settings = Settings::with(&CASE, "size=10").unwrap();
        let state = State { size: [221, 41, 1], density: vec![1.0; 221 * 41], ..State::default() };
        let row = |step: u64| {
            let time = step as f64 / 20.0;
            Row { step, time, values: [&[0.0; 6][..], &[drag(time), lift(time)]].concat() }
        };
        let rows: Vec<Row> = (0..=2000).map(row).collect();
        evaluate(&settings, &state, &rows).measures.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_peak_of_the_start_is_not_the_largest_drag() {
        let phase = |time: f64| std::f64::consts::TAU * 0.3 * time;
        let start = |time: f64| if time < 60.0 { 0.5 } else { 0.0 };
        let street =
            said(|time| 3.2 + start(time) + 0.05 * (2.0 * phase(time)).sin(), |time| phase(time).sin());
        let begins = |said: &[String], words: &str| {
            assert!(said.iter().any(|line| line.starts_with(words)), "{said:?}")
        };
        begins(&street, "periods seen: 1.");
        begins(&street, "largest drag coefficient in the last three periods: 3.2");
        begins(&street, "largest lift coefficient in the last three periods: ");
        let still = said(|time| 3.2 + start(time), |time| 1e-7 * phase(time).sin());
        begins(&still, "Strouhal number: no even swing of the lift");
        begins(&still, "largest drag coefficient in the last quarter of the run: 3.200000e0, reference");
    }

    #[test]
    fn too_few_nodes_for_trt_are_refused() {
        let made = |settings: &str| flow(&Settings::with(&CASE, settings).unwrap()).map(|_| ());
        let text = made("size=10").unwrap_err().to_string();
        assert!(
            text.contains("re = 100 is out of range: at most 75") && text.contains("set size=20"),
            "{text}"
        );
        for settings in ["size=10 re=70", "size=20", "size=10 collision=central-moments"] {
            made(settings).unwrap();
        }
    }
}
