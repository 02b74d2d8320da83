//! Plane Poiseuille flow, driven by a force between half-way walls.

use std::f64::consts::PI;

use lbm_core::Error;

use super::{Event, Options, Row, flow_of, joined, largest, lowest_order, narrow};

const SOURCE: &str = "exact: u = 4 U y (H - y) / H^2; where half-way walls lie: Ginzburg & d'Humières, PRE 68 \
                                 (2003) 066614 (magic parameter 3/16), He et al., J. Stat. Phys. 87 (1997) 115 (BGK)";

const WIDTH: usize = 4;

/// Speed in the middle of the channel, at the lowest height where there are several.
const CENTRE: f64 = 0.02;

const TRT: &str = "d2q9-trt-guo-f64-soa-dense-two-lattice-pull";
const BGK: &str = "d2q9-bgk-guo-f64-soa-dense-two-lattice-pull";

/// The magic parameter with which TRT puts the wall exactly half-way.
pub(super) const MAGIC: f64 = 3.0 / 16.0;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for (height, viscosity) in [(16, 0.1), (32, 0.01), (32, 0.6)] {
        heard(Event::Progress(format!("poiseuille: TRT, H = {height}, nu = {viscosity}")));
        heard(Event::Row(exact_row(height, viscosity, MAGIC, options)?));
    }

    // nu = 0.1 is tau = 0.8; the speed goes with 1 / H (diffusive scaling).
    let heights = [8, 16, 32, 64];
    let mut errors = Vec::new();
    for height in heights {
        heard(Event::Progress(format!("poiseuille: BGK, H = {height}")));
        errors.push(error(BGK, height, 0.1, CENTRE * 8.0 / height as f64, "collision=bgk", options)?);
    }
    let order = lowest_order(&heights, &errors);
    heard(Event::Row(Row::order("poiseuille-bgk-order".to_owned(), BGK, order).about(
        format!(
            "lowest order of the largest error between H = {heights:?}, tau = 0.8 (errors over the speed in the \
             middle: {})",
            joined(&errors)
        ),
        SOURCE,
    )));
    Ok(())
}

/// Exact by TRT with this magic parameter.
pub(super) fn exact_row(height: usize, viscosity: f64, magic: f64, options: &Options) -> Result<Row, Error> {
    let measured = error(TRT, height, viscosity, CENTRE, &format!("collision=trt magic={magic}"), options)?;
    Ok(Row::error(format!("poiseuille-trt-h{height}-nu{viscosity}"), TRT, measured, 1e-10)
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
    let mut simulation = narrow([WIDTH, height], flow_of("poiseuille2d", &settings)?, &[], variant, options)?;
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
