//! Plane waves through every collision on every lattice: the viscosity of a shear wave, at rest and in frames that move, and the speed and
//! damping of a sound wave.

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use lbm_bodies::Body;
use lbm_core::Error;
use lbm_generator::language::Forcing;

use super::{Event, Options, Row, every_body, label, lowest_order, plain};
use crate::simulation::{Initial, Problem, Simulation, Viscosity};

const SHEAR: &str = "exact: a shear wave decays with exp(-nu k^2 t); tolerance: the lattice's own error, of second order in k";
const FRAME: &str = "exact: the decay is the same in every frame; second-order equilibria lack u u u: -3 U^2 (Qian & Zhou, Europhys. Lett. \
                     42 (1998) 359), an entropic one has -9/4 U^4 (its expansion)";
const DIAGONAL: &str = "u u u along an axis is no moment of a lattice of speed 1, which leaves -9/4 U^2 where all others are right; no reference";
const SOUND: &str = "exact: isothermal sound, c_s^2 = 1/3, damped by the stress's two rates (Landau & Lifshitz, Fluid Mechanics, section 79); \
                     tolerance: the lattice's own error";

/// Nodes of a wave's length, and of a coarser one's.
const LENGTH: usize = 64;
const COARSE: usize = 32;

/// Nodes across, where nothing changes.
const WIDTH: usize = 4;

const VISCOSITY: f64 = 0.05;

/// The wave's greatest velocity: so small that it does not see itself.
const AMPLITUDE: f64 = 1e-4;

/// The velocities of frames along the wave.
const FRAMES: [f64; 2] = [0.1, 0.2];

/// A shear wave is measured between these steps at [`LENGTH`]: sound of the start is gone, and 0.4 of the wave is left in the end.
const STEPS: [u64; 2] = [400, 2000];

/// Some ten periods of sound at [`LENGTH`].
const SOUND_STEPS: [u64; 2] = [200, 1300];

/// An error of second order in the wave number, k^2 = 9.6e-3 at [`LENGTH`], with the factor 1/12 - 2/3 magic + (3 nu)^2 / 3 for a shear wave
/// (see the check `shear3d`), which is 0.09 at most, and one as small for sound.
const OF_LATTICE: f64 = 1e-3;

/// How much the viscosity may change from frame to frame where an operator keeps it.
const OF_FRAME: f64 = 1e-3;

/// Where it changes by -3 U^2, terms of higher order are a part of that: U^2 / c_s^2 is 0.12 at U = 0.2.
const OF_CHANGE: f64 = 0.12;

/// What collisions call the rate of the trace of the stress, where it is a parameter of theirs.
const OF_TRACE: [&str; 2] = ["bulk", "rates_xx_trace"];

/// Operators that are made of moments about the fluid's velocity, or whose equilibria are of third order at least.
const KEEPS_FRAMES: [&str; 9] = [
    "central-moments",
    "cumulant",
    "fourth-order-of-bgk",
    "hybrid-recursive-regularized",
    "parametrized-cumulant",
    "recursive-regularized",
    "recursive-bulk-viscosity-of-recursive-regularized",
    "smagorinsky-of-cumulant",
    "third-order-of-bgk",
];

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for body in every_body(Forcing::None, options) {
        let name = label(body);
        heard(Event::Progress(format!("waves: {name}")));
        let waves = Waves { variant: plain(&name), name, options };
        for row in waves.shear(&body.operator)?.into_iter().chain(waves.sound(body)?) {
            heard(Event::Row(row));
        }
    }
    Ok(())
}

/// By how much a frame's velocity changes the viscosity that a shear wave shows, as a part of it.
fn of_frame(operator: &str, speed: f64) -> f64 {
    match operator {
        _ if KEEPS_FRAMES.contains(&operator) => 0.0,
        // Its equilibrium has (2 sqrt(1 + 3 U^2) - 1) / 3 = 1/3 + U^2 - 3/4 U^4 + .. where 1/3 + U^2 should be.
        "essentially-entropic" | "entropic-product-of-bgk" => -2.25 * speed.powi(4),
        _ => -3.0 * speed * speed,
    }
}

/// The waves through a body.
struct Waves<'a> {
    name: String,
    variant: String,
    options: &'a Options,
}

impl Waves<'_> {
    fn shear(&self, operator: &str) -> Result<Vec<Row>, Error> {
        let shown = |length, speed| self.shown_viscosity(length, Along::X, speed);
        let (coarse, at_rest) = (shown(COARSE, 0.0)?, shown(LENGTH, 0.0)?);
        let errors = [coarse, at_rest].map(|shown| (shown - 1.0).abs());
        let viscosity = Row {
            reference: 1.0,
            ..Row::error(format!("waves-viscosity-{}", self.name), &self.variant, at_rest, OF_LATTICE)
        };
        let order = lowest_order(&[COARSE, LENGTH], &errors);
        let mut rows = vec![
            viscosity.about(
                format!(
                    "viscosity of a shear wave of {LENGTH} nodes over the one that was set, nu = {VISCOSITY}"
                ),
                SHEAR,
            ),
            Row::order(format!("waves-order-{}", self.name), &self.variant, order)
                .about(format!("order of its error between {COARSE} and {LENGTH} nodes"), SHEAR),
        ];
        for speed in FRAMES {
            let change = shown(LENGTH, speed)? / at_rest - 1.0;
            let reference = of_frame(operator, speed);
            let row = Row {
                reference,
                ..Row::error(
                    format!("waves-frame-{speed}-{}", self.name),
                    &self.variant,
                    change,
                    OF_FRAME - OF_CHANGE * reference,
                )
            };
            rows.push(row.about(
                format!("change of the viscosity in a mean flow of U = {speed} along the wave"),
                FRAME,
            ));
        }
        let [still, moving] =
            [0.0, FRAMES[0]].map(|speed| self.shown_viscosity(COARSE, Along::Diagonal, speed));
        let row = Row::shown(format!("waves-diagonal-{}", self.name), &self.variant, moving? / still? - 1.0);
        rows.push(row.about(
            format!("the same of a wave along the diagonal of {COARSE} x {COARSE} nodes in a flow of U = {} along it", FRAMES[0]),
            DIAGONAL,
        ));
        Ok(rows)
    }

    fn sound(&self, body: &Body) -> Result<Vec<Row>, Error> {
        let k = TAU / LENGTH as f64;
        let d = body.facts.lattice.dimension as f64;
        // The trace of the stress has the shear's rate, or one of its own.
        let facts = &body.facts.body;
        let bulk = facts.parameters.iter().position(|name| OF_TRACE.contains(name));
        let bulk = bulk.and_then(|n| facts.defaults[n]);
        let of_trace = bulk.map_or(VISCOSITY, |rate| body.facts.lattice.cs2 * (1.0 / rate - 0.5));
        let damping = k * k * (VISCOSITY * (1.0 - 1.0 / d) + of_trace / d);
        // Damped as it is, its frequency is a little lower.
        let frequency = (k * k / 3.0 - damping * damping).sqrt();
        let density = move |x: usize| AMPLITUDE * (k * x as f64).cos();
        // Mass is conserved: (d/dt) of the density is -(d/dx) of the velocity.
        let velocity = move |x: usize| {
            let (sin, cos) = (k * x as f64).sin_cos();
            AMPLITUDE / k * (frequency * cos + damping * sin)
        };
        let gradient = move |x: usize| {
            let (sin, cos) = (k * x as f64).sin_cos();
            AMPLITUDE * (damping * cos - frequency * sin)
        };
        let mut simulation = self.simulation(LENGTH, Along::X, move |[x, _]| {
            let mut gradients = [[0.0; 3]; 3];
            gradients[0][0] = gradient(x);
            Initial {
                density: 1.0 + density(x),
                velocity: [velocity(x), 0.0, 0.0],
                gradient: Some(gradients),
            }
        })?;
        let [early, late] =
            measured(&mut simulation, SOUND_STEPS, LENGTH, Along::X, |simulation| simulation.density())?;
        let steps = (SOUND_STEPS[1] - SOUND_STEPS[0]) as f64;
        // As many turns as the speed of sound says, and what is seen of the last one.
        let turned = frequency * steps;
        let off = (early[1] - late[1] - turned + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0;
        let speed = Row {
            reference: 1.0,
            ..Row::error(format!("waves-sound-{}", self.name), &self.variant, 1.0 + off / turned, OF_LATTICE)
        };
        let shown = (early[0] / late[0]).ln() / steps / damping;
        let name = format!("waves-damping-{}", self.name);
        let row = match body.operator.as_str() {
            // The trace's rate is one that it chooses.
            "kbc" => Row::shown(name, &self.variant, shown),
            _ => Row { reference: 1.0, ..Row::error(name, &self.variant, shown, OF_LATTICE) },
        };
        Ok(vec![
            speed.about(format!("speed of a sound wave of {LENGTH} nodes over c_s"), SOUND),
            row.about("its damping over the one that the rates give", SOUND),
        ])
    }

    /// The viscosity that a shear wave shows which a mean flow takes along, over the one that was set.
    fn shown_viscosity(&self, length: usize, along: Along, speed: f64) -> Result<f64, Error> {
        let (n, across) = along.directions();
        let k = TAU / length as f64 * f64::hypot(n[0], n[1]);
        let unit = n.map(|component| component / f64::hypot(n[0], n[1]));
        let mut simulation = self.simulation(length, along, move |[x, y]| {
            let (sin, cos) = (TAU / length as f64 * (n[0] * x as f64 + n[1] * y as f64)).sin_cos();
            let mut gradient = [[0.0; 3]; 3];
            for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                gradient[a][b] = unit[a] * across[b] * AMPLITUDE * k * cos;
            }
            let velocity = [0, 1].map(|a| unit[a] * speed + across[a] * AMPLITUDE * sin);
            Initial { density: 1.0, velocity: [velocity[0], velocity[1], 0.0], gradient: Some(gradient) }
        })?;
        let steps = STEPS.map(|step| step * (length * length) as u64 / (LENGTH * LENGTH) as u64);
        let shear = |simulation: &Simulation| {
            let velocity = simulation.velocity()?;
            Ok(velocity.iter().map(|[u, v, _]| across[0] * u + across[1] * v).collect())
        };
        let [early, late] = measured(&mut simulation, steps, length, along, shear)?;
        Ok((early[0] / late[0]).ln() / (k * k * (steps[1] - steps[0]) as f64) / VISCOSITY)
    }

    /// A wave.
    fn simulation(
        &self,
        length: usize,
        along: Along,
        wave: impl Fn([usize; 2]) -> Initial + Send + Sync + 'static,
    ) -> Result<Simulation, Error> {
        let flat = self.name.starts_with("d2");
        let size = [length, along.width(length)];
        let problem = Problem {
            size: Some(if flat { size.into() } else { [size[0], size[1], WIDTH].into() }),
            viscosity: Some(Viscosity::Value(VISCOSITY)),
            initial: Some(Box::new(move |[x, y, _]: [usize; 3]| wave([x, y]))),
            placement: self.options.small_box(),
            ..Problem::default()
        };
        crate::variants::build(&self.variant, problem)
    }
}

/// Where a wave goes.
#[derive(Clone, Copy, PartialEq)]
enum Along {
    X,
    /// x and y alike.
    Diagonal,
}

impl Along {
    /// How many waves the box has along x and y, and the direction across.
    fn directions(self) -> ([f64; 2], [f64; 2]) {
        match self {
            Along::X => ([1.0, 0.0], [0.0, 1.0]),
            Along::Diagonal => ([1.0, 1.0], [-FRAC_1_SQRT_2, FRAC_1_SQRT_2]),
        }
    }

    /// Nodes along y.
    fn width(self, length: usize) -> usize {
        if self == Along::X { WIDTH } else { length }
    }
}

/// Amplitude and phase of a field's wave after so many steps.
fn measured(
    simulation: &mut Simulation,
    steps: [u64; 2],
    length: usize,
    along: Along,
    field: impl Fn(&Simulation) -> Result<Vec<f64>, Error>,
) -> Result<[[f64; 2]; 2], Error> {
    let (n, plane) = (along.directions().0, length * along.width(length));
    let mut waves = [[0.0; 2]; 2];
    for (wave, step) in waves.iter_mut().zip(steps) {
        simulation.run(step - simulation.time_step())?;
        let [mut real, mut imaginary] = [0.0; 2];
        for (node, value) in field(simulation)?.into_iter().take(plane).enumerate() {
            let [x, y] = [node % length, node / length].map(|at| at as f64);
            let (sin, cos) = (TAU / length as f64 * (n[0] * x + n[1] * y)).sin_cos();
            (real, imaginary) = (real + value * cos, imaginary - value * sin);
        }
        *wave = [f64::hypot(real, imaginary), imaginary.atan2(real)];
    }
    Ok(waves)
}
