//! Shear flow in three dimensions: what half-way walls give on the way to the straight profile, and there.

use std::f64::consts::PI;

use lbm_core::Error;

use super::{Event, Options, Row, bulk, flow_of, largest, narrow, plain};
use crate::cases::ShearFlow;
use crate::simulation::Simulation;

const SOURCE: &str = "exact: u = U (2 z / H - 1) (Couette 1890); the flow of Khani & Wu's CCAS paper";

const TRANSIENT_SOURCE: &str = "exact: Fourier series of the diffusion equation; tolerance: leading error of the lattice's \
                                own modes, see the check's text";

/// Nodes along x and y, where nothing changes.
const WIDTH: usize = 4;

pub(super) const FLOW: ShearFlow = ShearFlow { height: 32.0, speed: 0.05, viscosity: 0.1 };

/// The steady profile is measured after 40 times of the slowest mode of this start, exp(-4 pi^2 nu t / H^2), which leave 3e-18.
const STEPS: u64 = 10_500;

/// The steady velocity over the plates': a store rounds each population by 1.1e-16 of itself, and the populations of a node
/// hold 3 w |c . u| c, so a step changes the momentum by at most 1.1e-16 U, and by ten times that with the collision's own
/// roundings. Such errors stay for H^2 / (pi^2 nu) = 1037 steps: 1.2e-12 if all had one sign.
const TOLERANCE: f64 = 1e-11;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let even = 3.0 * FLOW.viscosity;
    // Those without a rate for odd moments set them to equilibrium: tau = 1.
    let flows = [
        ("bgk", even * even),
        ("trt", 3.0 / 16.0),
        ("mrt", 0.5 * even),
        ("regularized", 0.5 * even),
        ("bgk-incompressible", even * even),
    ];
    for (name, magic) in flows {
        let variant = plain(&format!("d3q19-{name}"));
        heard(Event::Progress(format!("shear3d: {variant}, {STEPS} steps")));
        // The shear's rate for MRT's bulk too: see `couette`.
        let bulk = bulk(name, FLOW.viscosity);
        for row in rows(name, &variant, magic, FLOW, bulk.as_slice(), options)? {
            heard(Event::Row(row));
        }
    }
    Ok(())
}

/// The rows of `flow`, judged by [`FLOW`]: once the slowest part of the transient has decayed by exp(-1), and in the end.
/// `magic` is the product of tau - 1/2 of the even and the odd moments.
pub(super) fn rows(
    name: &str,
    variant: &str,
    magic: f64,
    flow: ShearFlow,
    parameters: &[(&str, f64)],
    options: &Options,
) -> Result<[Row; 2], Error> {
    let ShearFlow { height, speed, viscosity } = flow;
    let flow = flow_of("shear3d", &format!("size={height} velocity={speed} viscosity={viscosity}"))?;
    let mut simulation = narrow([WIDTH, WIDTH, height as usize], flow, parameters, variant, options)?;
    simulation.run(FLOW.rate().recip().round() as u64)?;
    let early = error(&simulation)?;
    let tolerance = leading_error(simulation.time_step() as f64, magic);
    simulation.run(STEPS - simulation.time_step())?;
    let ShearFlow { height, viscosity, .. } = FLOW;
    let place = format!("the velocity over the plates', H = {height}, nu = {viscosity}");
    Ok([
        Row::error(format!("shear3d-transient-{name}"), variant, early, tolerance).about(
            format!("largest error of {place}, when the slowest mode has decayed by exp(-1)"),
            TRANSIENT_SOURCE,
        ),
        Row::error(format!("shear3d-steady-{name}"), variant, error(&simulation)?, TOLERANCE)
            .about(format!("largest error of {place}, after {STEPS} steps"), SOURCE),
    ])
}

/// The largest error of the present velocity over the plates'.
fn error(simulation: &Simulation) -> Result<f64, Error> {
    let time = simulation.time_step() as f64;
    let exact: Vec<f64> = (0..FLOW.height as usize).map(|z| FLOW.velocity(z as f64 + 0.5, time)).collect();
    let velocity = simulation.velocity()?.into_iter().enumerate();
    let error = |(index, [u, v, w]): (usize, [f64; 3])| [u, v - exact[index / (WIDTH * WIDTH)], w];
    Ok(largest(velocity.flat_map(error)) / FLOW.speed)
}

/// A bound of the error over the plates' speed after `time` steps, to the leading order in the wave number.
///
/// Seen along z, a shear flow on D3Q19 is diffusion on three velocities of weights 1/6, 2/3, 1/6: two rates matter, that of
/// the stress (d = tau - 1/2 = 3 nu) and that of the odd moments. Half-way walls mirror a mode of wave number k = 2 pi n / H
/// into itself, with the sign turned, so the modes are the exact ones, but
///
/// - they decay faster by 1 + A k^2, A = 1/12 - 2/3 magic + d^2 / 3 (the eigenvalue of collision and streaming, expanded),
/// - a start without stress excites them less, by 1 + (d^2 / 3 - 1/12) k^2 (its eigenvector, expanded),
/// - and a straight line known at nodes only holds more of them, by (k / 2) / sin(k / 2) = 1 + k^2 / 24.
///
/// The last two go together. The sum of all with their absolute values is the bound.
fn leading_error(time: f64, magic: f64) -> f64 {
    let d = 3.0 * FLOW.viscosity;
    let faster = 1.0 / 12.0 - 2.0 / 3.0 * magic + d * d / 3.0;
    let start = d * d / 3.0 - 1.0 / 12.0 + 1.0 / 24.0;
    let base = FLOW.rate() / FLOW.viscosity;
    (1..=FLOW.height as i32 / 2)
        .map(|n| {
            let squared = f64::from(n * n);
            let decay = FLOW.rate() * time * squared;
            2.0 / (PI * f64::from(n)) * (-decay).exp() * base * squared * (start.abs() + decay * faster.abs())
        })
        .sum()
}
