//! Taylor-Green vortices under diffusive scaling.

use lbm_core::Error;
use lbm_generator::language::Forcing;

use super::{Event, Options, Row, every_body, joined, label, lowest_order, plain};
use crate::cases::TaylorGreen;
use crate::simulation::{Problem, Viscosity};

const SOURCE: &str = "exact: Taylor & Green, Proc. R. Soc. A 158 (1937) 499; Krüger et al., The Lattice Boltzmann \
                                 Method (2017), app. A.3";

/// Nodes a side on the flat lattice.
const SIZES: &[usize] = &[32, 64, 128];

/// Nodes a side on the others, which cost more and see the same flow.
const SIZES_3D: &[usize] = &[32, 64];

/// On these lattices rates that the entropy chooses are those of the limit on more nodes only: the order of KBC is 1.94 between 32 and 64.
const SIZES_ENTROPIC: &[usize] = &[64, 128];

/// Measured when the exact velocity has decayed by exp(-3). The start knows neither density's change in time nor the
/// compression that goes with it, so sound of the second order remains, of a phase that depends on N; it decays twice as
/// fast as the vortices, and here is 2 % of the error.
const DECAY: f64 = 3.0;

/// tau = 0.8 at all sizes.
pub(super) const VISCOSITY: f64 = 0.1;

/// The greatest speed at 128 nodes; it goes with 1 / N.
const SPEED_AT_128: f64 = 0.01;

/// The exact solution's cs2 is that of the lattices below, all 1/3.
const CS2: f64 = 1.0 / 3.0;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for body in every_body(Forcing::None, options) {
        let sizes = match (body.facts.lattice.dimension, &*body.operator) {
            (2, _) => SIZES,
            (_, "kbc" | "essentially-entropic") => SIZES_ENTROPIC,
            _ => SIZES_3D,
        };
        for row in rows(&label(body), VISCOSITY, sizes, options, heard)? {
            heard(Event::Row(row));
        }
    }
    Ok(())
}

/// The rows of flows that are run with this viscosity, and judged by [`VISCOSITY`].
pub(super) fn rows(
    name: &str,
    viscosity: f64,
    sizes: &[usize],
    options: &Options,
    heard: &mut dyn FnMut(Event),
) -> Result<[Row; 2], Error> {
    let variant = plain(name);
    let (mut errors, mut last) = (Vec::new(), f64::NAN);
    for &n in sizes {
        heard(Event::Progress(format!("taylor-green: {variant}, {n} x {n}")));
        let [error, measured] = error_and_viscosity(&variant, n, viscosity, options)?;
        errors.push(error);
        last = measured;
    }
    let words = format!(
        "lowest order of the velocity's relative L2 error between N = {sizes:?} ({}), tau = 0.8, u = {} / N, decayed by exp(-{DECAY})",
        joined(&errors),
        SPEED_AT_128 * 128.0
    );
    let finest = sizes.last().copied().unwrap_or_default();
    Ok([
        Row::order(format!("taylor-green-order-{name}"), &variant, lowest_order(sizes, &errors))
            .about(words, SOURCE),
        Row {
            reference: 1.0,
            ..Row::error(format!("taylor-green-viscosity-{name}"), &variant, last / VISCOSITY, 1e-3)
        }
        .about(format!("viscosity from the decay over the one that was set, N = {finest}"), SOURCE),
    ])
}

/// The relative L2 error of the velocity and the measured viscosity after [`DECAY`].
fn error_and_viscosity(
    variant: &str,
    n: usize,
    viscosity: f64,
    options: &Options,
) -> Result<[f64; 2], Error> {
    let exact = TaylorGreen { n, speed: SPEED_AT_128 * 128.0 / n as f64, viscosity: VISCOSITY };
    let flat = variant.starts_with("d2");
    let problem = Problem {
        size: Some(if flat { [n, n].into() } else { [n, n, 1].into() }),
        viscosity: Some(Viscosity::Value(viscosity)),
        initial: Some(Box::new(move |position| exact.state(position, 0.0, CS2))),
        placement: if n < 128 { options.small_box() } else { options.placement },
        ..Problem::default()
    };
    let mut simulation = crate::variants::build(variant, problem)?;
    let time = DECAY / (2.0 * VISCOSITY * exact.wave_number().powi(2));
    simulation.run(time.round() as u64)?;
    Ok(exact.error_and_viscosity(&simulation.velocity()?, simulation.time_step() as f64))
}
