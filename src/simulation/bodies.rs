//! The bodies in a flow, and the forces on them.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use lbm_core::engine::Setup;
use lbm_core::forces::{Contact, Forces, forces_on};
use lbm_core::incoming::Incoming;
use lbm_core::{Engine, Error, Face, FaceRule, Facts};

use super::problem::Problem;

/// Something that a flow pushes on: `Face::South`, `"cylinder"` (a name given by [`Builder::named`](super::Builder::named)), or a body by its
/// place among those that were given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// A half-way wall that is a face of the box.
    Face(Face),
    /// All solid nodes of the geometry.
    Geometry,
    /// The nth of those that predicates name, from 0.
    Solid(usize),
    /// The nth of those that shapes are, from 0.
    Surface(usize),
    /// The body of this name.
    Named(String),
}

impl From<Face> for Body {
    fn from(face: Face) -> Body {
        Body::Face(face)
    }
}

impl From<&str> for Body {
    fn from(name: &str) -> Body {
        Body::Named(name.to_owned())
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Body::Face(face) => write!(f, "the face {face:?}"),
            Body::Geometry => f.write_str("the geometry"),
            Body::Solid(number) => write!(f, "solid {number}"),
            Body::Surface(number) => write!(f, "surface {number}"),
            Body::Named(name) => write!(f, "`{name}`"),
        }
    }
}

/// The bodies of a flow. Where one touches the fluid is found when it is asked for first.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// How many there are of each kind: walls of the geometry, solids, surfaces.
    counts: [usize; 3],
    names: Vec<(String, Body)>,
    incoming: Option<Incoming>,
    /// By the first of a body's walls.
    contacts: HashMap<usize, Arc<Contact>>,
}

impl Bodies {
    /// Those of a problem, the walls of whose geometry are so many.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a name without a body, or of two.
    pub(super) fn of(problem: &mut Problem, geometry: usize) -> Result<Bodies, Error> {
        let counts = [geometry, problem.solids.len(), problem.surfaces.len()];
        let names = std::mem::take(&mut problem.names);
        for (number, (name, body)) in names.iter().enumerate() {
            if names[..number].iter().any(|(other, _)| other == name) {
                return Err(Error::conflict(
                    format!("two bodies are named `{name}`"),
                    "give each a name of its own",
                ));
            }
            if *body == Body::Named(name.clone()) {
                return Err(Error::conflict(
                    format!("there is no body to name `{name}`"),
                    "name a body right behind the call that gives it",
                ));
            }
        }
        Ok(Bodies { counts, names, ..Bodies::default() })
    }

    /// The numbers of a body's walls.
    fn walls(&self, faces: &[FaceRule; 6], body: &Body) -> Result<Range<usize>, Error> {
        let [geometry, solids, surfaces] = self.counts;
        let first = faces.len();
        let within = |count: usize, number: usize, before: usize, what: &str| match number < count {
            true => Ok(first + before + number..first + before + number + 1),
            false => Err(Error::out_of_range(
                format!("number of a {what}"),
                number,
                format!("below {count}, as many as were given"),
                "count from 0 in the order in which they were given",
            )),
        };
        match body {
            Body::Face(face) => match faces[face.index()] {
                FaceRule::Wall { .. } => Ok(face.index()..face.index() + 1),
                _ => Err(Error::conflict(
                    format!("{body} is no half-way wall, on which a flow pushes"),
                    "ask for a face that was given `FaceRule::Wall`, or for a body",
                )),
            },
            Body::Geometry => Ok(first..first + geometry),
            Body::Solid(number) => within(solids, *number, geometry, "solid"),
            Body::Surface(number) => within(surfaces, *number, geometry + solids, "surface"),
            Body::Named(name) => match self.names.iter().find(|(known, _)| known == name) {
                Some((_, body)) => self.walls(faces, body),
                None => {
                    let names = self.names.iter().map(|(known, _)| known.as_str());
                    let known = names.clone().collect::<Vec<_>>().join(", ");
                    let known = if known.is_empty() { "none".to_owned() } else { known };
                    let remedy = format!("named bodies are: {known}; `.named(..)` behind a body names it");
                    Err(Error::unknown("body", name, names, remedy))
                }
            },
        }
    }

    /// Sets a factor of values of rules, as the engine has it.
    pub(super) fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.incoming.as_mut().map_or(Ok(()), |incoming| incoming.steer(name, factor))
    }

    /// Force and torque on a body from the present populations.
    pub(super) fn force_on(
        &mut self,
        facts: &Facts,
        setup: &Setup,
        engine: &mut dyn Engine,
        body: &Body,
        about: [f64; 3],
    ) -> Result<Forces, Error> {
        if self.incoming.is_none() {
            self.incoming = Some(Incoming::of(facts, setup)?);
        }
        let walls = self.walls(&setup.domain.faces, body)?;
        let Bodies { incoming: Some(incoming), contacts, .. } = self else {
            unreachable!("it was just made")
        };
        let found = || Arc::new(Contact::of(incoming, setup, &walls));
        let contact = contacts.entry(walls.start).or_insert_with(found);
        if contact.links() == 0 {
            return Err(Error::conflict(
                format!("{body} touches no fluid node"),
                "check where it lies; the centre of node [i, j, k] is the point [i + 1/2, j + 1/2, k + 1/2]",
            ));
        }
        forces_on(engine, incoming, contact, about)
    }
}
