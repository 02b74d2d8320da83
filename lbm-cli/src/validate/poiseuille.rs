//! Plane Poiseuille flow, driven by a force between half-way walls.

use std::f64::consts::PI;

use lbm_bodies::Body;
use lbm_core::Error;
use lbm_generator::language::Forcing;

use super::{Event, Options, Row, every_body, flow_of, joined, label, largest, lowest_order, narrow, plain};

const SOURCE: &str = "exact: u = 4 U y (H - y) / H^2; where half-way walls lie: Ginzburg & d'Humières, PRE 68 \
                                 (2003) 066614 (magic parameter 3/16), He et al., J. Stat. Phys. 87 (1997) 115 (BGK)";

const WIDTH: usize = 4;

/// Speed in the middle of the channel, at the lowest height where there are several.
const CENTRE: f64 = 0.02;

const TRT: &str = "d2q9-trt-guo-f64-soa-dense-two-lattice-pull";

/// What counts as exact: rounding in as many steps as it takes.
const EXACT: f64 = 1e-10;

/// The magic parameter with which TRT puts the wall exactly half-way.
pub(super) const MAGIC: f64 = 3.0 / 16.0;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for (height, viscosity) in [(16, 0.1), (32, 0.01), (32, 0.6)] {
        heard(Event::Progress(format!("poiseuille: TRT, H = {height}, nu = {viscosity}")));
        heard(Event::Row(exact_row(height, viscosity, MAGIC, options)?));
    }

    for body in every_body(Forcing::Guo, options) {
        heard(Event::Progress(format!("poiseuille: {}", label(body))));
        heard(Event::Row(of_body(body, options)?));
    }
    Ok(())
}

/// Exact with the parameters that a collision has unless they are set, or of second order.
fn of_body(body: &Body, options: &Options) -> Result<Row, Error> {
    let (name, variant) = (label(body), plain(&label(body)));
    let heights: &[usize] = if options.quick { &[8, 16] } else { &[8, 16, 32, 64] };
    // nu = 0.1 is tau = 0.8; the speed goes with 1 / H (diffusive scaling). No magic parameter is set.
    let error = |&height: &usize| {
        error(&variant, height, 0.1, CENTRE * 8.0 / height as f64, "collision=bgk", options)
    };
    let errors = heights.iter().map(error).collect::<Result<Vec<_>, _>>()?;
    let most = largest(errors.iter().copied());
    let row = match most <= EXACT {
        true => Row::error(format!("poiseuille-exact-{name}"), &variant, most, EXACT),
        false => Row::order(format!("poiseuille-order-{name}"), &variant, lowest_order(heights, &errors)),
    };
    let words =
        if most <= EXACT { "largest error of the velocity" } else { "lowest order of the largest error" };
    Ok(row.about(
        format!(
            "{words} between H = {heights:?}, tau = 0.8 (over the speed in the middle: {})",
            joined(&errors)
        ),
        SOURCE,
    ))
}

/// Exact by TRT with this magic parameter.
pub(super) fn exact_row(height: usize, viscosity: f64, magic: f64, options: &Options) -> Result<Row, Error> {
    let measured = error(TRT, height, viscosity, CENTRE, &format!("collision=trt magic={magic}"), options)?;
    Ok(Row::error(format!("poiseuille-trt-h{height}-nu{viscosity}"), TRT, measured, EXACT)
        .about("largest error of the velocity over that in the middle, magic parameter 3/16", SOURCE))
}

/// The largest error of the steady velocity over that of the middle.
fn error(
    variant: &str,
    height: usize,
    viscosity: f64,
    centre: f64,
    collision: &str,
    options: &Options,
) -> Result<f64, Error> {
    let settings = format!("size={height} viscosity={viscosity} velocity={centre} {collision}");
    let flow = flow_of("poiseuille2d", &settings)?;
    let mut simulation = match variant.starts_with("d2") {
        true => narrow([WIDTH, height], flow, &[], variant, options)?,
        false => narrow([WIDTH, height, 1], flow, &[], variant, options)?,
    };
    let h = height as f64;
    // 36 times of the slowest mode, exp(-nu pi^2 t / H^2), leave 2e-16.
    simulation.run((36.0 * h * h / (viscosity * PI * PI)) as u64)?;
    let exact = |index: usize| {
        let y = ((index / WIDTH) as f64 + 0.5) / h;
        4.0 * centre * y * (1.0 - y)
    };
    let velocity = simulation.velocity()?.into_iter().enumerate();
    Ok(largest(velocity.flat_map(|(index, [u, v, _])| [u - exact(index), v])) / centre)
}
