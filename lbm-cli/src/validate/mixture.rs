//! Two components that repel each other: the pressure in drops beside the tension of a flat interface.

use std::f64::consts::PI;

use lbm::models::ShanChenMixture;
use lbm::prelude::*;

use super::{Event, Options, Row};
use crate::cases::interface::turned;

solver! {
    /// Two components.
    Components { model: ShanChenMixture<Bgk>, lattices: [D2Q9, D2Q9] }
}

/// How strongly they repel each other, cs2, and the share of one that dissolves in the other.
const REPULSION: f64 = 3.0;
const CS2: f64 = 1.0 / 3.0;
const DISSOLVED: f64 = 0.06;

const MODEL: &str = "Laplace's law with the tension of a flat interface, -repulsion cs2^2 times the sum of what both densities change from node to node, multiplied: \
                     the stress of forces between neighbours, Shan, Phys. Rev. E 77 (2008) 066702";

/// The densities of both components at all nodes after so many steps, of a flow that begins with a share of red so many nodes deep.
fn settled(
    size: [usize; 2],
    depth: impl Fn([usize; 3]) -> f64 + Send + Sync + 'static,
    steps: u64,
    options: &Options,
) -> Result<[Vec<f64>; 2], Error> {
    let mut flow = Components::builder()
        .size(size)
        .viscosity(1.0 / 6.0)
        .parameter("repulsion", REPULSION)
        .initial_sum("red", move |at| DISSOLVED + (1.0 - 2.0 * DISSOLVED) * turned(depth(at)))
        .placement(options.small_box())
        .build()?;
    flow.run(steps)?;
    flow.check_finite()?;
    let (red, whole) = (flow.sum_of("red")?, flow.density()?);
    let blue = whole.iter().zip(&red).map(|(whole, red)| whole - red).collect();
    Ok([red, blue])
}

/// The tension of flat interfaces, of which there are as much a node as around a drop of this radius: densities are less in an interface and greater beside it.
fn flat(radius: usize, options: &Options) -> Result<f64, Error> {
    let long = (16.0 / PI * radius as f64).round();
    let depth = move |[x, ..]: [usize; 3]| 0.25 * long - (x as f64 - 0.5 * (long - 1.0)).abs();
    let long = long as usize;
    let both = settled([long, 1], depth, 20_000, options)?;
    // Steps from node to node, not derivatives: the interface is three nodes wide.
    let step = |rho: &[f64], x: usize| rho[(x + 1) % long] - rho[x];
    let products = (0..long).map(|x| step(&both[0], x) * step(&both[1], x));
    Ok(-0.5 * REPULSION * CS2 * CS2 * products.sum::<f64>())
}

/// The pressure in a drop over that around it, times its radius.
fn drop(radius: usize, steps: u64, options: &Options) -> Result<f64, Error> {
    let (size, r) = (4 * radius, radius as f64);
    let middle = (size - 1) as f64 / 2.0;
    let depth = move |[x, y, _]: [usize; 3]| r - (x as f64 - middle).hypot(y as f64 - middle);
    let [red, blue] = settled([size, size], depth, steps, options)?;
    let pressure = |node: usize| CS2 * (red[node] + blue[node] + REPULSION * red[node] * blue[node]);
    let within = size * size / 2 + size / 2;
    let area: f64 = red.iter().map(|rho| (rho - red[0]) / (red[within] - red[0])).sum();
    Ok((pressure(within) - pressure(0)) * (area / PI).sqrt())
}

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let radii: &[usize] = if options.quick { &[8, 16] } else { &[8, 12, 16, 24, 32] };
    for &radius in radii {
        let name = format!("mixture-laplace-{radius}");
        heard(Event::Progress(name.clone()));
        let error = drop(radius, 400 * radius as u64, options)? / flat(radius, options)? - 1.0;
        let row = Row::error(name, &Components::name(), error, 0.01);
        heard(Event::Row(
            row.about(format!("(p_in - p_out) R / tension - 1 of a drop of radius {radius}"), MODEL),
        ));
    }
    Ok(())
}
