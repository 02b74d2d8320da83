//! Mass in closed boxes with moving lids and obstacles, summed exactly, step by step.

use lbm_core::{Error, Face, FaceRule};

use super::{Event, Options, Row, largest};
use crate::simulation::{Initial, PlacedRule, Problem, Simulation, Solid, Viscosity};

const SOURCE: &str = "exact: with rho0 = 1 in the term of a moving wall, Ladd, J. Fluid Mech. 271 (1994) 285, \
                                 closed surfaces that slide along themselves give and take the same";

const STEPS: usize = 300;

const COLLISIONS: [&str; 6] =
    ["bgk-f64", "trt-f64", "mrt-f64", "regularized-f64", "bgk-incompressible-f64", "bgk-f32"];

/// What a step may change in f64, relative to all mass.
const TOLERANCE: f64 = 1e-13;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for (lattice, size) in [("d2q9", [31, 33, 1]), ("d3q19", [13, 12, 11])] {
        for collision in COLLISIONS {
            let variant = format!("{lattice}-{collision}-soa-dense-two-lattice-pull");
            heard(Event::Progress(format!("mass: {variant}")));
            let measured = largest_change(&variant, size, true, options)?;
            // Each population is rounded up or down and is small beside the mass: a step must not move the mass by a unit
            // in its last place, whatever the precision.
            let tolerance = TOLERANCE.max(crate::variants::find(&variant)?.epsilon());
            let name = format!("mass-{lattice}-{}", collision.trim_end_matches("-f64"));
            heard(Event::Row(Row::error(name, &variant, measured, tolerance).about(
                format!(
                    "largest relative change of mass a step, {STEPS} steps, box {size:?} with a moving lid, an obstacle \
                     at rest and one that moves"
                ),
                SOURCE,
            )));
        }
    }
    by_rules(options, heard)
}

/// Boxes of which the four walls have a rule. That of links half-way keeps the mass, and so do interpolated walls there; others set the velocity
/// and not the mass.
fn by_rules(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const VARIANT: &str = "d2q9-trt-f64-soa-dense-two-lattice-pull";
    for (rule, keeps) in [
        ("half-way", true),
        ("bouzidi", true),
        ("bouzidi-quadratic", true),
        ("single-node", true),
        ("free-slip", false),
        ("half-way-slip", true),
        ("staircase-slip", true),
        ("zou-he-velocity", false),
        ("regularized-velocity", false),
        ("zou-he-velocity-neighbour", false),
        ("regularized-velocity-neighbour", false),
        ("non-equilibrium-extrapolation-velocity", false),
    ] {
        heard(Event::Progress(format!("mass: {rule}")));
        // Given node by node it is a rule, and not the engine's wall.
        let still = |_| match rule {
            "free-slip" | "half-way-slip" | "staircase-slip" => PlacedRule::named(rule),
            _ => PlacedRule::named(rule).with_each("velocity", |_| [0.0; 2]),
        };
        let faces = [Face::West, Face::East, Face::South, Face::North];
        let problem = Problem {
            size: Some([31, 33].into()),
            viscosity: Some(Viscosity::Value(0.02)),
            rules: faces.map(|face| (face, still(face))).into(),
            initial: Some(Box::new(waves)),
            placement: options.small_box(),
            ..Problem::default()
        };
        let measured = changes(crate::variants::build(VARIANT, problem)?)?;
        let name = format!("mass-by-{rule}");
        let row = match keeps {
            true => Row::error(name, VARIANT, measured, TOLERANCE),
            false => Row::shown(name, VARIANT, measured),
        };
        let words =
            format!("largest relative change of mass a step, {STEPS} steps, the rule at all walls at rest");
        heard(Event::Row(row.about(words, "exact: what is sent back has the mass of what was sent")));
    }
    Ok(())
}

/// A density that differs from node to node.
fn waves([x, y, z]: [usize; 3]) -> Initial {
    Initial { density: 1.0 + 1e-3 * ((3 * x + 5 * y + 7 * z) as f64).sin(), ..Initial::default() }
}

/// The largest relative change of mass in a step. Where the box is not `closed`, the moving obstacle touches a wall, so
/// that a part of its surface is missing: mass must then be lost.
pub(super) fn largest_change(
    variant: &str,
    size: [usize; 3],
    closed: bool,
    options: &Options,
) -> Result<f64, Error> {
    let within = |range: std::ops::Range<usize>, at: usize| range.contains(&at);
    let at_rest = move |[x, y, _]: [usize; 3]| within(2..5, x) && within(3..5, y);
    let lowest = if closed { 6 } else { 0 };
    let moving = move |[x, y, z]: [usize; 3]| {
        within(7..10, x) && (lowest..9).contains(&y) && (size[2] == 1 || within(4..8, z))
    };
    // Sliding obliquely, so that no component is zero where the lattice has it.
    let depth = if size[2] == 1 { 0.0 } else { 0.01 };
    let mut problem = Problem {
        size: Some(size.into()),
        viscosity: Some(Viscosity::Value(0.02)),
        faces: [FaceRule::WALL; 6],
        solids: vec![
            Solid::new([0.0; 3], Box::new(at_rest)),
            Solid::new([0.02, 0.03, depth], Box::new(moving)),
        ],
        initial: Some(Box::new(waves)),
        placement: options.small_box(),
        ..Problem::default()
    };
    if size[2] == 1 {
        problem.faces[Face::Bottom.index()] = FaceRule::Periodic;
        problem.faces[Face::Top.index()] = FaceRule::Periodic;
    }
    problem.faces[Face::North.index()] = FaceRule::Wall { velocity: [0.1, 0.0, depth] };
    changes(crate::variants::build(variant, problem)?)
}

/// The largest relative change of mass in a step.
fn changes(mut simulation: Simulation) -> Result<f64, Error> {
    let mut mass = simulation.mass()?;
    let mut changes = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        simulation.run(1)?;
        let next = simulation.mass()?;
        changes.push((next - mass) / mass);
        mass = next;
    }
    Ok(largest(changes))
}
