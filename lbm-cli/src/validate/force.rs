//! The momentum that a body force gives.

use lbm_bodies::Body;
use lbm_core::Error;
use lbm_generator::language::{Equilibrium, Forcing};

use super::{Event, Options, Row, every_body, label, largest, plain};
use crate::simulation::{Initial, Problem, Simulation, Viscosity};

const SOURCE: &str = "exact: Newton's second law; Guo, Zheng & Shi, PRE 65 (2002) 046308, eq. 20";

/// The force on a node.
pub(super) const FORCE: [f64; 2] = [1e-5, -3e-5];

const SIZE: [usize; 2] = [18, 13];
const STEPS: u64 = 200;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    // The momentum of an incompressible equilibrium is no density times velocity.
    let counts = |body: &&Body| {
        body.facts.lattice.name == "D2Q9" && body.choices.equilibrium == Equilibrium::QuasiCompressible
    };
    for body in every_body(Forcing::Guo, options).filter(counts) {
        let variant = plain(&label(body));
        heard(Event::Progress(format!("force: {variant}")));
        heard(Event::Row(row(&label(body), &variant, FORCE, options)?));
    }
    Ok(())
}

/// The row of a flow that is driven by this force, and judged by [`FORCE`].
pub(super) fn row(name: &str, variant: &str, [x, y]: [f64; 2], options: &Options) -> Result<Row, Error> {
    let problem = Problem {
        size: Some(SIZE.into()),
        viscosity: Some(Viscosity::Value(0.05)),
        force: Some([x, y, 0.0]),
        initial: Some(Box::new(|[x, y, _]| Initial {
            density: 1.0 + 1e-3 * ((3 * x + 5 * y) as f64).sin(),
            velocity: [0.02 * (y as f64).cos(), 0.03 * ((x + y) as f64).sin(), 0.0],
            gradient: None,
        })),
        placement: options.small_box(),
        ..Problem::default()
    };
    let mut simulation = crate::variants::build(variant, problem)?;
    let mut before = momentum(&simulation)?;
    let nodes = (SIZE[0] * SIZE[1]) as f64;
    let mut errors = Vec::new();
    for _ in 0..STEPS {
        simulation.run(1)?;
        let now = momentum(&simulation)?;
        errors.extend([0, 1].map(|a| (now[a] - before[a]) / (nodes * FORCE[a]) - 1.0));
        before = now;
    }
    Ok(Row::error(format!("force-{name}"), variant, largest(errors), 1e-10).about(
        format!("largest relative error of the momentum gained in a step, {STEPS} steps, periodic, waves at the start"),
        SOURCE,
    ))
}

/// The momentum in the box.
fn momentum(simulation: &Simulation) -> Result<[f64; 2], Error> {
    let (density, velocity) = (simulation.density()?, simulation.velocity()?);
    let along = |a: usize| density.iter().zip(&velocity).map(|(rho, u)| rho * u[a]).sum();
    Ok([along(0), along(1)])
}
