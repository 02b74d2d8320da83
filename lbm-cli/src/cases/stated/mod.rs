//! A flow that a case file states: lattice, box, faces, patches, bodies, initial state, so that none needs Rust.
//!
//! ```toml
//! lattice = "D2Q9"
//! size = [176, 82]
//! re = 20.0          # of `velocity` and `length`; or viscosity = 0.02
//! velocity = 0.05
//! length = 20.0
//! steps = 20000
//!
//! [faces]            # where rules meet, the first one holds
//! west = { name = "regularized-velocity", velocity = { profile = "parabolic", peak = [0.075, 0.0] } }
//! east = "regularized-pressure"
//! south = "wall"
//! north = "wall"
//!
//! [[bodies]]
//! name = "cylinder"
//! shape = "cylinder:40.5,40,0,40.5,40,1,10"
//! rule = "bouzidi"
//!
//! [forces]
//! body = "cylinder"
//! area = 20.0     # left out: the body's extent across `along`, the axis of the drag, x unless it is given
//! ```
//!
//! All settings of cases are keys, too. Lengths are node spacings; the centre of node `[i, j, k]` is `[i + 1/2, j + 1/2, k + 1/2]`.

mod bodies;
mod courses;
mod faces;
mod known;
mod pulses;
mod reading;
mod regions;
mod rows;
mod rules;
mod shapes;
mod surface_patches;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use lbm_core::geometry::Shape;
use lbm_core::{Error, Face, FaceRule};

use self::bodies::Form;
pub(super) use self::courses::HELD;
use self::faces::{Patch, Side};
pub(super) use self::reading::parse;
use super::case::{Case, Defaults, Flow, Steady, variant};
use super::evaluation::{Evaluation, Measure};
use super::probes::{Row, Table};
use super::pushed::{AXES, Pushed, Sample};
use super::setting::{Allowed, Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use super::tunnel;
use crate::simulation::{Body, Initial, PlacedRule, Problem, Solid, Surface, Viscosity};
use crate::variants::Axis;

/// The case of flows that files state.
pub(super) static CASE: Case = Case {
    name: "stated",
    about: "a flow that a case file states",
    bodies: &[],
    own: &[
        shared::velocity(0.05, "reference velocity, which results are divided by"),
        Setting::real("re", 0.0, [0.0, 1e9]).about("Reynolds number of `velocity` and `length`; 0: `viscosity` is given"),
        Setting::real("viscosity", 0.0, [0.0, 10.0])
            .unit("lattice")
            .about("kinematic viscosity; 0: it follows from `re`"),
        Setting::real("length", 1.0, [1e-3, 1e9]).unit("nodes").about("reference length"),
        Setting::integer("looks", 0, shared::ANY)
            .unit("time steps")
            .about("steps between two looks at whether the flow is steady; 0: it runs until `steps`"),
        shared::FLOW_RATE,
        Setting::named("addressing", "dense", Allowed::Axis(Axis::Addressing))
            .about("which nodes are stored: the whole box, tiles with fluid, or fluid nodes. Results do not depend on it"),
    ],
    defaults: Defaults {
        collision: "trt",
        precision: "f64",
        storage: shared::STORAGE,
        steps: 10_000,
        tolerance: Some(shared::tolerance(
            1e-6,
            "steady when no velocity changes by more than this share of `velocity` from one look to the next",
        )),
        checkpoint: 0,
        film: 0,
    },
    flow,
    shown: Shown::SPEED,
    evaluate,
};

/// The flow that a file states; all that it names has been read.
#[derive(Clone)]
pub(super) struct Statement(Arc<Stated>);

impl fmt::Debug for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Statement").field(&self.0.title).finish()
    }
}

impl PartialEq for Statement {
    fn eq(&self, other: &Statement) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What stands in a file beside settings.
struct Stated {
    title: String,
    lattice: String,
    size: [usize; 3],
    dimension: usize,
    force: Option<[f64; 3]>,
    parameters: Vec<(String, f64)>,
    density: f64,
    velocity: Start,
    faces: Vec<(Face, Side, usize)>,
    patches: Vec<Patch>,
    bodies: Vec<bodies::Body>,
    regions: Vec<regions::Region>,
    pulses: Vec<pulses::Pulse>,
    /// What should be known of surfaces in files.
    notes: Vec<String>,
    pushed: Option<Watched>,
}

/// The velocity at the start.
enum Start {
    Same([f64; 3]),
    Each(Arc<dyn Fn([f64; 3]) -> [f64; 3] + Send + Sync>),
}

/// The body the force on which is written.
#[derive(Clone)]
struct Watched {
    body: Body,
    /// Steps from one sample to the next; a twentieth of the time in which the flow passes a length if none.
    interval: Option<u64>,
    about: [f64; 3],
    /// The axes that drag and lift are along.
    axes: [usize; 2],
    /// Where it is given.
    area: Option<f64>,
}

fn flow(settings: &Settings) -> Result<Flow, Error> {
    let Some(Statement(stated)) = settings.statement() else {
        return Err(Error::Missing {
            what: "the case file".to_owned(),
            remedy: "a stated flow stands in a file: `lbm run FILE.toml`".to_owned(),
        });
    };
    let (length, speed) = (settings.real("length"), settings.velocity());
    let viscosity = match (settings.real("re"), settings.real("viscosity")) {
        (0.0, 0.0) => {
            return Err(Error::Missing {
                what: "the viscosity".to_owned(),
                remedy: "set `viscosity`, or `re` with `length` and `velocity`".to_owned(),
            });
        }
        (reynolds, 0.0) => Viscosity::Reynolds { reynolds, length, velocity: speed },
        (0.0, viscosity) => Viscosity::Value(viscosity),
        _ => return Err(Error::conflict("both `re` and `viscosity` are set", "keep one of them")),
    };
    let mut problem = problem(stated);
    problem.viscosity = Some(viscosity);
    place(stated, &mut problem)?;
    require_drive(stated, &problem, settings)?;
    let nu = match viscosity {
        Viscosity::Reynolds { reynolds, length, velocity } => velocity * length / reynolds,
        Viscosity::Value(viscosity) => viscosity,
        _ => f64::NAN,
    };
    stated.pulses.iter().try_for_each(|pulse| pulse.check(nu))?;
    let passes = length / speed;
    Ok(Flow {
        title: stated.title.clone(),
        variant: variant(&stated.lattice, stated.force.is_some(), settings)?,
        problem,
        notes: stated.notes.clone(),
        reference_length: length,
        steady: Some(Steady::everywhere(settings.integer("looks"), settings))
            .filter(|looks| looks.interval > 0),
        table: stated.pushed.clone().map(|watched| {
            Table::of_force(Pushed {
                body: watched.body,
                interval: watched.interval.unwrap_or((passes / 20.0).ceil().max(1.0) as u64),
                about: watched.about,
                speed,
                axes: watched.axes,
                area: watched.area,
                unit: passes,
            })
        }),
    })
}

/// The area of a body across the axis of its drag, and what is said of that, where the flow is stated and the body's shape tells it.
pub(super) fn area_of(settings: &Settings, pushed: &Pushed) -> Option<(f64, String)> {
    let (Statement(stated), axis) = (settings.statement()?, pushed.axes[0]);
    let body = stated.bodies.iter().find(|body| Body::from(&*body.name) == pushed.body)?;
    let area = body.area(stated.size, axis)?;
    let note =
        format!("reference area {area:.4}: the shape of `{}` across {}, by rays", body.name, AXES[axis]);
    Some((area, note))
}

/// All of a flow but its bodies and its viscosity.
fn problem(stated: &Arc<Stated>) -> Problem {
    let mut problem = Problem {
        size: Some(stated.size[..stated.dimension].to_vec().into()),
        force: stated.force,
        parameters: stated.parameters.clone(),
        ..Problem::default()
    };
    for (face, side, _) in &stated.faces {
        match side {
            Side::Plain(plain) => problem.faces[face.index()] = *plain,
            Side::Rule(rule) => problem.rules.push((*face, rule.clone())),
        }
    }
    // A face is a wall where no patch of it is, unless the file says otherwise.
    for Patch { face, .. } in &stated.patches {
        if stated.faces.iter().all(|(known, ..)| known != face) {
            problem.faces[face.index()] = FaceRule::WALL;
        }
    }
    let patches = stated.patches.iter().map(|patch| {
        let nodes: HashSet<[usize; 3]> = patch.nodes.iter().copied().collect();
        let contains = Box::new(move |node| nodes.contains(&node));
        let mut placed =
            crate::simulation::Patch::new(patch.name.clone(), patch.face, contains, patch.rule.clone());
        placed.behind = patch.behind(&stated.faces);
        placed
    });
    problem.patches = patches.collect();
    problem.regions = stated.regions.iter().map(regions::Region::placed).collect();
    let state = Arc::clone(stated);
    problem.initial = Some(Box::new(move |node| {
        let velocity = match &state.velocity {
            Start::Same(velocity) => *velocity,
            Start::Each(field) => field(node.map(|at| at as f64 + 0.5)),
        };
        Initial { density: state.density, ..Initial::velocity(velocity) }
    }));
    problem
}

/// That a flow rate which is to be held has something that pushes, and what a controller sets a flow rate.
fn require_drive(stated: &Stated, problem: &Problem, settings: &Settings) -> Result<(), Error> {
    let of_patches = problem.patches.iter().map(|patch| &patch.rule);
    let of_surfaces = problem.surface_patches.iter().map(|patch| &patch.rule);
    let rules = problem.rules.iter().map(|(_, rule)| rule).chain(of_patches).chain(of_surfaces);
    let is_held = rules.flat_map(PlacedRule::courses).any(|course| course.name() == Some(HELD));
    match (settings.held_flow_rate(), is_held, stated.force) {
        (None, true, _) => Err(Error::Missing {
            what: "the flow rate for which a value is `held`".to_owned(),
            remedy: "set `flow_rate`, the volume a time step".to_owned(),
        }),
        (Some(_), false, None) => Err(Error::conflict(
            "`flow_rate` is to be held, and nothing pushes the flow",
            "write `force = [1e-6, 0.0]`, or give an inlet's pressure density = { value = 1.02, held = true }, the most that it may become",
        )),
        _ => Ok(()),
    }
}

/// Puts the bodies in a flow, with their names.
fn place(stated: &Stated, problem: &mut Problem) -> Result<(), Error> {
    for body in &stated.bodies {
        let placed = match (body.form.clone(), body.surface_rule()) {
            (form, Some(rule)) => {
                let shape: Box<dyn Shape> = match form {
                    Form::Shape(shape) => Box::new(shape),
                    Form::Nodes(voxels) => Box::new(voxels),
                };
                let number = problem.surfaces.len();
                problem.surfaces.push(Surface::new(shape, rule));
                problem.surface_patches.extend(body.patches.iter().map(|patch| patch.placed(number)));
                Body::Surface(number)
            }
            (form, None) => {
                let nodes = match form {
                    Form::Nodes(voxels) => voxels.solid,
                    Form::Shape(shape) => Arc::new(lbm_core::Geometry::of(stated.size, &shape)?),
                };
                let contains = Box::new(move |node| nodes.is_solid(node));
                problem.solids.push(Solid::new([0.0; 3], contains));
                Body::Solid(problem.solids.len() - 1)
            }
        };
        problem.names.push((body.name.clone(), placed));
    }
    Ok(())
}

fn evaluate(settings: &Settings, state: &State, rows: &[Row]) -> Evaluation {
    let watched = settings.statement().and_then(|Statement(stated)| stated.pushed.as_ref());
    let [_, lift] = watched.map_or(Pushed::ALONG_X, |watched| watched.axes);
    let lift = AXES[lift];
    let names = AXES.into_iter().enumerate();
    let mean = names.map(|(axis, name)| {
        Measure::alone(&format!("mean velocity along {name}, over the whole box"), state.mean_velocity(axis))
    });
    let mut all = if rows.is_empty() {
        Evaluation::default()
    } else {
        tunnel::evaluate(&Sample::all(rows), None, lift)
    };
    all.measures.extend(mean);
    all
}
