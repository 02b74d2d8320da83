//! One flow through every formulation of a wall: the lid-driven cavity at Re 100 against Ghia, Ghia & Shin.

use lbm_core::{Error, Face, FaceRule};

use super::{Event, Options, Row, narrow};
use crate::cases::{Profile, State};
use crate::published;
use crate::simulation::{PlacedRule, Problem, Viscosity};

const VARIANT: &str = "d2q9-trt-f64-soa-dense-two-lattice-pull";

const SOURCE: &str = "Ghia, Ghia & Shin, J. Comput. Phys. 48 (1982) 387-411, tables I (u) and II (v)";

/// The side, in node spacings.
const SIDE: usize = 64;
const LID: f64 = 0.1;
const REYNOLDS: f64 = 100.0;

/// Times in which the lid passes the cavity, until it is steady.
const PASSES: f64 = 40.0;

/// The largest difference, and the root of the mean square, over the lid's speed, as for the cavities of other sizes.
const TOLERANCES: [f64; 2] = [0.015, 0.007];

/// A formulation: its name, its rule, whether the wall lies on the nodes.
const FORMULATIONS: [(&str, &str, bool); 11] = [
    ("wall", "", false),
    ("half-way", "half-way", false),
    ("bouzidi", "bouzidi", false),
    ("bouzidi-quadratic", "bouzidi-quadratic", false),
    ("single-node", "single-node", false),
    ("zou-he", "zou-he-velocity", true),
    ("zou-he-neighbour", "zou-he-velocity-neighbour", true),
    ("regularized", "regularized-velocity", true),
    ("regularized-neighbour", "regularized-velocity-neighbour", true),
    ("extrapolation", "non-equilibrium-extrapolation-velocity", true),
    ("equilibrium", "equilibrium", true),
];

/// Those of the reduced form: one half-way, one interpolated, one on the nodes.
const QUICK: [&str; 3] = ["wall", "bouzidi-quadratic", "zou-he"];

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let formulations = FORMULATIONS.iter().filter(|(name, ..)| !options.quick || QUICK.contains(name));
    for &(name, rule, on_node) in formulations {
        heard(Event::Progress(format!("walls: a cavity of {name}")));
        let nodes = SIDE + usize::from(on_node);
        let mut flow = narrow([nodes, nodes], problem(rule), &[], VARIANT, options)?;
        flow.run((PASSES * SIDE as f64 / LID) as u64)?;
        let state = State::of(flow.size(), flow.fields()?);
        for (component, profile) in ["u", "v"].into_iter().zip(centre_lines(&state, on_node)) {
            let differences = profile.difference().unwrap_or([f64::NAN; 2]);
            for ((what, measured), tolerance) in
                ["largest", "rms"].into_iter().zip(differences).zip(TOLERANCES)
            {
                let row = format!("walls-cavity-{name}-{component}-{what}");
                let row = match name {
                    // Of first order: the wall's stress is that of no shear, or the density of corners is a neighbour's.
                    "equilibrium" | "zou-he-neighbour" | "regularized-neighbour" => {
                        Row::shown(row, VARIANT, measured)
                    }
                    _ => Row::error(row, VARIANT, measured, tolerance),
                };
                let words = format!(
                    "{what} difference of {component} / U on the line through the middle, {SIDE} node spacings a side, Re {REYNOLDS}, \
                     lid {LID}"
                );
                heard(Event::Row(row.about(words, SOURCE)));
            }
        }
    }
    Ok(())
}

/// The cavity with a rule at all faces, or with half-way walls if it has no name. What is at rest comes first, so that corners are.
fn problem(rule: &str) -> Problem {
    let mut problem = Problem {
        viscosity: Some(Viscosity::Reynolds { reynolds: REYNOLDS, length: SIDE as f64, velocity: LID }),
        ..Problem::default()
    };
    let faces = [Face::West, Face::East, Face::South, Face::North];
    for (face, speed) in faces.into_iter().zip([0.0, 0.0, 0.0, LID]) {
        match rule {
            "" => problem.faces[face.index()] = FaceRule::Wall { velocity: [speed, 0.0, 0.0] },
            // Given node by node it is a rule, and not the engine's wall.
            _ => problem
                .rules
                .push((face, PlacedRule::named(rule).with_each("velocity", move |_| [speed, 0.0]))),
        }
    }
    problem
}

/// u along y and v along x through the middle, beside Ghia's.
fn centre_lines(state: &State, on_node: bool) -> [Profile; 2] {
    let tables = [(1, 0, published::GHIA_U, "y", 1.0), (0, 1, published::GHIA_V, "x", 0.0)];
    tables.map(|(axis, component, table, at, lid)| {
        let line = state.middle_line(axis, component, LID);
        let nodes = line.len() as f64;
        let profile = match on_node {
            true => {
                let between = |[share, value]: [f64; 2]| [(share * nodes - 0.5) / (nodes - 1.0), value];
                Profile { simulated: line.into_iter().map(between).collect(), ..Profile::default() }
            }
            false => Profile::between_walls(line, [0.0, lid]),
        };
        profile.compared_with(&published::line(table, at, &REYNOLDS.to_string()), SOURCE)
    })
}
