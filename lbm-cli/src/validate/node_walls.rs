//! Walls on the nodes in channels: what a pressure difference drives between Zou-He walls, and the error of regularised walls.

use lbm_core::{Error, Face};

use super::{Event, Options, Row, joined, largest, lowest_order, narrow};
use crate::simulation::{PlacedRule, Problem, Simulation, Viscosity};

const SPEED: f64 = 0.01;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    pressure_driven(options, heard)?;
    regularized(options, heard)
}

/// Walls on the nodes of the lower and the upper face of a plane.
fn walls(rule: &str) -> Vec<(Face, PlacedRule)> {
    [Face::South, Face::North].map(|face| (face, PlacedRule::named(rule).with("velocity", [0.0; 2]))).into()
}

/// A pressure at either end. In the middle, where the layers of the ends are e^-28, the profile is the parabola of the pressure gradient that
/// is there; with the quasi-compressible equilibrium the density along the channel changes it.
fn pressure_driven(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const SOURCE: &str = "exact: u = -p' y (H - y) / (2 nu); Zou & He, Phys. Fluids 9 (1997) 1591";
    const SIZE: [usize; 2] = [161, 13];
    const VISCOSITY: f64 = 0.05;
    const DROP: f64 = 2e-3;
    for (name, collision, tolerance) in [
        ("bgk", "bgk-incompressible", 1e-10),
        ("regularized", "regularized-incompressible", 1e-10),
        // The density in the middle differs from 1 by half of the drop.
        ("quasi-compressible", "bgk", DROP),
    ] {
        heard(Event::Progress(format!("boundaries: pressure-driven, {name}")));
        let variant = super::plain(&format!("d2q9-{collision}"));
        let mut rules = walls("zou-he-velocity");
        rules.push((Face::West, PlacedRule::named("zou-he-pressure").with("density", [1.0 + DROP])));
        rules.push((Face::East, PlacedRule::named("zou-he-pressure")));
        let problem = Problem { viscosity: Some(Viscosity::Value(VISCOSITY)), rules, ..Problem::default() };
        let mut flow = narrow(SIZE, problem, &[], &variant, options)?;
        flow.run(20_000)?;
        let (middle, height) = (SIZE[0] / 2, (SIZE[1] - 1) as f64);
        let (rho, u) = (flow.density()?, flow.velocity()?);
        let at = |x: usize, y: usize| x + SIZE[0] * y;
        // Over ten nodes, for the digits.
        let gradient = (rho[at(middle - 5, 6)] - rho[at(middle + 5, 6)]) / 3.0 / 10.0;
        let exact = |y: f64| gradient * y * (height - y) / (2.0 * VISCOSITY);
        let off = (0..SIZE[1]).flat_map(|y| [u[at(middle, y)][0] - exact(y as f64), u[at(middle, y)][1]]);
        let measured = largest(off) / exact(height / 2.0);
        let row = Row::error(format!("boundaries-pressure-driven-{name}"), &variant, measured, tolerance);
        let words = "largest error of the velocity in the middle of a channel that a pressure difference drives, for the gradient that is there, over the greatest";
        heard(Event::Row(row.about(words, SOURCE)));
    }
    Ok(())
}

/// Regularised walls are of second order, and exact where tau = 1, as all of the non-equilibrium that is left out would relax at once.
fn regularized(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const VARIANT: &str = "d2q9-bgk-guo-f64-soa-dense-two-lattice-pull";
    const SOURCE: &str =
        "exact: u = F y (H - y) / (2 nu); Latt, Chopard, Malaspinas, Deville & Michler, PRE 77 (2008) 056703";
    heard(Event::Progress("boundaries: regularised walls".to_owned()));
    let (heights, viscosity) = ([8, 16, 32], 0.05);
    let errors =
        heights.map(|height| driven(height, viscosity, SPEED * 8.0 / height as f64, VARIANT, options));
    let errors: Vec<f64> = errors.into_iter().collect::<Result<_, Error>>()?;
    let order =
        Row::order("boundaries-regularized-order".to_owned(), VARIANT, lowest_order(&heights, &errors));
    let words = format!(
        "lowest order of the largest error between H = {heights:?}, tau = 0.65 (errors over the greatest speed: {})",
        joined(&errors)
    );
    heard(Event::Row(Row { tolerance: 0.1, ..order }.about(words, SOURCE)));
    let exact = driven(12, 1.0 / 6.0, SPEED, VARIANT, options)?;
    let row = Row::error("boundaries-regularized-tau1".to_owned(), VARIANT, exact, 1e-10);
    heard(Event::Row(row.about("largest error of the velocity over the greatest, tau = 1", SOURCE)));
    Ok(())
}

/// The largest error in a channel so high that a force drives between regularised walls, over the greatest speed.
fn driven(height: usize, viscosity: f64, speed: f64, variant: &str, options: &Options) -> Result<f64, Error> {
    let h = height as f64;
    let force = 8.0 * viscosity * speed / (h * h);
    let problem = Problem {
        viscosity: Some(Viscosity::Value(viscosity)),
        force: Some([force, 0.0, 0.0]),
        rules: walls("regularized-velocity"),
        ..Problem::default()
    };
    let mut flow: Simulation = narrow([4, height + 1], problem, &[], variant, options)?;
    // 30 times of the slowest mode.
    flow.run((30.0 * h * h / (9.8 * viscosity)) as u64)?;
    let exact = |y: usize| force * y as f64 * (h - y as f64) / (2.0 * viscosity);
    let velocity = flow.velocity()?.into_iter().enumerate();
    Ok(largest(velocity.flat_map(|(at, [u, v, _])| [u - exact(at / 4), v])) / speed)
}
