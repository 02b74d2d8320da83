//! Walls that cut links anywhere: a round pipe, a channel at an angle to the lattice, cylinders that rotate in each other, the last of these
//! also as staircases.

use std::f64::consts::PI;

use lbm_core::Error;
use lbm_core::geometry::{Bounds, Complement, Cylinder, Predicate, Shape};

use super::{Event, Options, Row, joined, lowest_order, narrow, slope};
use crate::simulation::{Body, PlacedRule, Problem, Simulation, Surface, Viscosity};

/// A rule of links: what is added to the names of its rows, its name and source, whether it is of second order wherever the wall is, and
/// whether it is measured on all grids in the reduced form.
struct Wall {
    suffix: &'static str,
    rule: &'static str,
    source: &'static str,
    of_second_order: bool,
    in_full: bool,
}

const WALLS: [Wall; 4] = [
    Wall {
        suffix: "",
        rule: "bouzidi",
        source: "Bouzidi, Firdaouss & Lallemand, Phys. Fluids 13 (2001) 3452, linear",
        of_second_order: true,
        in_full: true,
    },
    Wall {
        suffix: "-quadratic",
        rule: "bouzidi-quadratic",
        source: "Bouzidi, Firdaouss & Lallemand, Phys. Fluids 13 (2001) 3452, quadratic",
        of_second_order: true,
        in_full: false,
    },
    Wall {
        suffix: "-single-node",
        rule: "single-node",
        source: "Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 427, central linear",
        of_second_order: true,
        in_full: false,
    },
    Wall {
        suffix: "-half-way",
        rule: "half-way",
        source: "Ladd, J. Fluid Mech. 271 (1994) 285",
        of_second_order: false,
        in_full: false,
    },
];

const VISCOSITY: f64 = 0.1;

/// The greatest speed on the coarsest grid; it goes with the spacing.
const SPEED: f64 = 0.02;

/// Where no shape's surface begins or ends.
const BEYOND: f64 = 1e3;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for wall in &WALLS {
        if wall.of_second_order {
            pipe(wall, options, heard)?;
            inclined(wall, options, heard)?;
        }
        rotating(wall, options, heard)?;
    }
    Ok(())
}

impl Wall {
    /// The grids that are measured.
    fn grids<'a>(&self, grids: &'a [usize], options: &Options) -> &'a [usize] {
        if options.quick && !self.in_full { &grids[..2] } else { grids }
    }

    /// A row of something that is 1 or 0 if the wall is of second order; else it is only shown.
    fn row(&self, name: &str, variant: &str, measured: f64, reference: f64) -> Row {
        let name = format!("{name}{}", self.suffix);
        match self.of_second_order {
            true => Row { reference, ..Row::error(name, variant, measured, 5e-3) },
            false => Row::shown(name, variant, measured),
        }
    }
}

/// A flow along a constant force between walls at rest.
fn driven(wall: &Wall, solid: Box<dyn Shape>, force: [f64; 3]) -> Problem {
    Problem {
        viscosity: Some(Viscosity::Value(VISCOSITY)),
        force: Some(force),
        surfaces: vec![Surface::new(solid, PlacedRule::named(wall.rule))],
        ..Problem::default()
    }
}

/// Times of the slowest mode that a flow is given to become steady: e^-15 is left.
const DECAYS: f64 = 15.0;

/// The root mean square of the difference of the velocity and the exact one in all fluid nodes, over the greatest speed. Interpolated walls
/// do not keep the mass exactly, and a force is one a volume: it is the momentum that it decides.
fn off(flow: &Simulation, exact: &dyn Fn([f64; 3]) -> [f64; 3], greatest: f64) -> Result<f64, Error> {
    let (mut sum, mut nodes) = (0.0, 0);
    let density = flow.density()?;
    for (index, u) in flow.velocity()?.into_iter().enumerate() {
        let position = flow.domain().position(index);
        if !flow.domain().is_solid(position) {
            let exact = exact(position.map(|at| at as f64 + 0.5));
            sum += (0..3).map(|axis| (density[index] * u[axis] - exact[axis]).powi(2)).sum::<f64>();
            nodes += 1;
        }
    }
    Ok((sum / f64::from(nodes)).sqrt() / greatest)
}

/// The row of an order: at least 1.9.
fn order(
    wall: &Wall,
    (name, order): (&str, f64),
    variant: &str,
    sizes: &[usize],
    errors: &[f64],
    words: &str,
) -> Row {
    let row = Row::order(format!("{name}{}", wall.suffix), variant, order);
    let words = format!("{words} {sizes:?} (root mean squares over the greatest speed: {})", joined(errors));
    Row { tolerance: 0.1, ..row }.about(words, wall.source)
}

/// A round pipe: its error depends on where the axis lies between the nodes, so four places are taken together. Errors of the wall and of the fluid have signs of their own and cancel
/// on one grid or another, so the order is the slope over several.
fn pipe(wall: &Wall, options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const PLACES: [f64; 4] = [0.2, 0.45, 0.7, 0.95];
    let radii: &[usize] = if options.quick { &[8, 16] } else { &[8, 12, 16, 24, 32] };
    let mut errors = Vec::new();
    for &radius in radii {
        heard(Event::Progress(format!("curved: a pipe of radius {radius}, {}", wall.rule)));
        errors.push(together(PLACES.map(|place| pipe_at(wall, radius, place, options)))?);
    }
    let words = "order of the error in a round pipe, at four places, the slope over radii of";
    let points: Vec<(f64, f64)> =
        radii.iter().map(|&radius| radius as f64).zip(errors.iter().copied()).collect();
    let named = ("curved-pipe-order", slope(&points));
    heard(Event::Row(order(wall, named, PIPE, radii, &errors, words)));
    Ok(())
}

const PIPE: &str = "d3q19-trt-guo-f64-soa-dense-two-lattice-pull";

/// The error of a pipe whose axis is shifted by so much: u = F (R^2 - r^2) / (4 nu).
fn pipe_at(wall: &Wall, nodes: usize, place: f64, options: &Options) -> Result<f64, Error> {
    let (radius, centre) = (nodes as f64, nodes as f64 + 2.0 + place);
    let greatest = SPEED * 6.0 / radius;
    let force = 4.0 * VISCOSITY * greatest / (radius * radius);
    let surface = Cylinder { from: [centre, centre, -BEYOND], to: [centre, centre, BEYOND], radius };
    let size = 2 * nodes + 5;
    let problem = driven(wall, Box::new(Complement(surface)), [0.0, 0.0, force]);
    let mut flow = narrow([size, size, 2], problem, &[], PIPE, options)?;
    // The slowest mode is exp(-5.78 nu t / R^2).
    flow.run((DECAYS * radius * radius / (5.78 * VISCOSITY)) as u64)?;
    let exact = |[x, y, _]: [f64; 3]| {
        let square = (x - centre).powi(2) + (y - centre).powi(2);
        [0.0, 0.0, force * (radius * radius - square) / (4.0 * VISCOSITY)]
    };
    off(&flow, &exact, greatest)
}

/// The root mean square of errors.
fn together<const N: usize>(errors: [Result<f64, Error>; N]) -> Result<f64, Error> {
    let squares = errors.into_iter().map(|error| error.map(|error| error * error));
    let sum: f64 = squares.sum::<Result<f64, Error>>()?;
    Ok((sum / N as f64).sqrt())
}

/// A channel at 26.6 degrees to the lattice: its error depends on where it lies between the nodes, so four places are taken together.
fn inclined(wall: &Wall, options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const PLACES: [f64; 4] = [0.125, 0.375, 0.625, 0.875];
    // Across, nodes are 1 / sqrt(5) apart: in these units widths whose walls lie alike between nodes.
    let (widths, mut errors) = (wall.grids(&[41, 81, 161], options), Vec::new());
    for &width in widths {
        let doing = format!("curved: a channel at an angle, {width} half rows of nodes wide, {}", wall.rule);
        heard(Event::Progress(doing));
        let height = width as f64 / 20f64.sqrt();
        errors.push(together(PLACES.map(|place| inclined_at(wall, height, place, options)))?);
    }
    let words = "lowest order of the error in a channel at 26.6 degrees to the lattice, at four places, between widths, times sqrt(20), of";
    let named = ("curved-inclined-order", lowest_order(widths, &errors));
    heard(Event::Row(order(wall, named, INCLINED, widths, &errors, words)));
    Ok(())
}

const INCLINED: &str = "d2q9-trt-guo-f64-soa-dense-two-lattice-pull";

/// The error of a channel along (2, 1), shifted by so much: u = F (H^2 / 4 - d^2) / (2 nu) at the distance d from its middle.
fn inclined_at(wall: &Wall, height: f64, place: f64, options: &Options) -> Result<f64, Error> {
    // The channel goes through opposite corners of the box, and on in its next image.
    let rows = (height * 5f64.sqrt() / 2.0).ceil() as usize + 3;
    let across = move |[x, y, _]: [f64; 3]| {
        let across = (2.0 * y - x - place).rem_euclid(2.0 * rows as f64);
        (across - rows as f64) / 5f64.sqrt()
    };
    let bounds = Bounds { low: [-BEYOND; 3], high: [BEYOND; 3] };
    let solid = Predicate { bounds, contains: move |point| across(point).abs() >= height / 2.0 };
    let greatest = SPEED * 8.0 / height;
    let force = 8.0 * VISCOSITY * greatest / (height * height);
    let along = [2.0 / 5f64.sqrt(), 1.0 / 5f64.sqrt(), 0.0];
    let problem = driven(wall, Box::new(solid), along.map(|c| c * force));
    let mut flow = narrow([2 * rows, rows], problem, &[], INCLINED, options)?;
    flow.run((DECAYS * height * height / (PI * PI * VISCOSITY)) as u64)?;
    let exact = |point: [f64; 3]| {
        let speed = force * (height * height / 4.0 - across(point).powi(2)) / (2.0 * VISCOSITY);
        along.map(|c| c * speed)
    };
    off(&flow, &exact, greatest)
}

/// The inner one of two cylinders rotates: u = A r + B / r, and the torque on a circle is 4 pi rho nu B.
fn rotating(wall: &Wall, options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const VARIANT: &str = "d2q9-trt-f64-soa-dense-two-lattice-pull";
    const SOURCE: &str = "exact: Taylor & Couette, u = A r + B / r; stress by Krüger et al. (2017), eq. 4.14";
    const SIZE: usize = 85;
    let (inner, outer, centre) = (20.0, 40.0, 42.3);
    heard(Event::Progress(format!("curved: a cylinder that rotates in another, {}", wall.rule)));
    let cylinder =
        |radius: f64| Cylinder { from: [centre, centre, -BEYOND], to: [centre, centre, BEYOND], radius };
    let spin = SPEED / inner;
    let turns = PlacedRule::named(wall.rule)
        .with_at("velocity", move |[x, y, _]| [-spin * (y - centre), spin * (x - centre)]);
    let problem = Problem {
        viscosity: Some(Viscosity::Value(VISCOSITY)),
        surfaces: vec![
            Surface::new(Box::new(cylinder(inner)), turns),
            Surface::new(Box::new(Complement(cylinder(outer))), PlacedRule::named(wall.rule)),
        ],
        ..Problem::default()
    };
    let mut flow = narrow([SIZE, SIZE], problem, &[], VARIANT, options)?;
    let gap: f64 = outer - inner;
    flow.run((DECAYS * gap * gap / (PI * PI * VISCOSITY)) as u64)?;
    let b = spin * inner * inner * outer * outer / (outer * outer - inner * inner);
    let exact = |[x, y, _]: [f64; 3]| {
        let (x, y) = (x - centre, y - centre);
        let turn = b / (x * x + y * y) - b / (outer * outer);
        [-y * turn, x * turn, 0.0]
    };
    let measured = off(&flow, &exact, SPEED)?;
    let row = wall.row("curved-couette-profile", VARIANT, measured, 0.0);
    let words =
        "root mean square of the error of the velocity over that of the inner cylinder, radii 20 and 40";
    heard(Event::Row(row.about(words, SOURCE)));
    // The shear stress in polar directions, times the square of the radius, is the same everywhere.
    let (mut sum, mut nodes) = (0.0, 0);
    for (index, stress) in flow.stress()?.into_iter().enumerate() {
        let point = flow.domain().position(index).map(|at| at as f64 + 0.5);
        let (x, y) = (point[0] - centre, point[1] - centre);
        let square = x * x + y * y;
        if ((inner + 3.0).powi(2)..(outer - 3.0).powi(2)).contains(&square) {
            sum += x * y * (stress[1] - stress[0]) + (x * x - y * y) * stress[3];
            nodes += 1;
        }
    }
    let torque = sum / f64::from(nodes) / (-2.0 * VISCOSITY * b);
    let row = wall.row("curved-couette-torque", VARIANT, torque, 1.0);
    let words = "torque over the exact one, by the shear stress between the cylinders";
    heard(Event::Row(row.about(words, SOURCE)));
    let on_inner = flow.force_on(Body::Surface(0), [centre, centre, 0.5])?.torque[2];
    let torque = on_inner / (-4.0 * PI * VISCOSITY * b);
    let row = wall.row("curved-couette-exchange", VARIANT, torque, 1.0);
    let words = "torque over the exact one, by the momentum that crosses the inner cylinder's surface";
    const EXCHANGE: &str = "exact: Taylor & Couette; Wen et al., J. Comput. Phys. 266 (2014) 161, eq. 13";
    heard(Event::Row(row.about(words, EXCHANGE)));
    Ok(())
}
