//! The bodies in a flow, and the forces on them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use lbm_core::cut::on_all_ranks;
use lbm_core::engine::Setup;
use lbm_core::forces::{Among, Contact, Forces};
use lbm_core::incoming::Incoming;
use lbm_core::links::Link;
use lbm_core::{Domain, Engine, Error, Face, FaceRule, Facts};

use super::known_box::KnownBox;
use super::patches::{PlacedPatch, Takes};
use super::plan::Seen;
use super::problem::Problem;

/// Something that a flow pushes on: `Face::South`, `"cylinder"` (a name given by [`Builder::named`](super::Builder::named)), `"inlet"` (that of a
/// [patch](super::Builder::patch) of a face or [of a surface](super::Builder::surface_patch)), or a body by its place among those that were given. A
/// body has its patches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// A face of the box with a wall or a boundary rule.
    Face(Face),
    /// All solid nodes of the geometry.
    Geometry,
    /// The nth of those that predicates name, from 0.
    Solid(usize),
    /// The nth of those that shapes are, from 0.
    Surface(usize),
    /// All that was drawn while the flow ran ([`Simulation::set_solid`](super::Simulation::set_solid)).
    Drawn,
    /// The body, or the patch of a face or a surface, of this name.
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
            Body::Drawn => f.write_str("what was drawn"),
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
    patches: Vec<PlacedPatch>,
    incoming: Option<Incoming>,
    contacts: HashMap<(Extent, Range<usize>), Among>,
}

/// Where a body is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Extent {
    /// The numbers of its walls.
    walls: Range<usize>,
    /// Which of the patches it is.
    patch: Option<usize>,
}

impl Bodies {
    /// Those of a problem, the walls of whose geometry are so many.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a name without a body, or of two.
    pub(super) fn of(
        problem: &mut Problem,
        geometry: usize,
        patches: Vec<PlacedPatch>,
    ) -> Result<Bodies, Error> {
        let counts = [geometry, problem.solids.len(), problem.surfaces.len()];
        let names = std::mem::take(&mut problem.names);
        let mut taken: HashSet<&String> = patches.iter().map(|patch| &patch.name).collect();
        for (name, body) in &names {
            if !taken.insert(name) {
                return Err(Error::conflict(
                    format!("two bodies, or a body and a patch, are named `{name}`"),
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
        Ok(Bodies { counts, names, patches, ..Bodies::default() })
    }

    /// That each solid or surface with a name has a node.
    ///
    /// # Errors
    /// [`Error::Conflict`] with the name of one that has none.
    pub(super) fn require_nodes(&self, domain: &Domain, seen: &mut Seen) -> Result<(), Error> {
        let has_nodes = domain.solids_with_nodes();
        for (name, body) in &self.names {
            if !matches!(body, Body::Solid(_) | Body::Surface(_)) {
                continue;
            }
            // Walls are numbered with the faces first.
            let solid = self.extent(&domain.faces, body)?.walls.start - domain.faces.len();
            seen.require(has_nodes[solid], || {
                Error::conflict(
                    format!("the body `{name}` takes no node of the box"),
                    "it lies outside, is thinner than the spacing of nodes, or within bodies before it: check place and size; the centre of node \
                     [i, j, k] is the point [i + 1/2, j + 1/2, k + 1/2]",
                )
            })?;
        }
        Ok(())
    }

    /// The patch of a face of a name, and the face.
    ///
    /// # Errors
    /// [`Error::Unknown`] with those that there are, [`Error::Conflict`] where two have the name, and for one of a surface.
    pub(super) fn patch(&self, name: &str) -> Result<(&PlacedPatch, Face), Error> {
        let number = self.patch_number(name)?.ok_or_else(|| {
            let names = self.patches.iter().map(|patch| patch.name.as_str());
            Error::unknown("patch", name, names.clone(), format!(
                "the patches of this flow are: {}; a section is one of them, a face (west, ..), or a plane, x:10 or x:10,y:2:9",
                listed(names)
            ))
        })?;
        let patch = &self.patches[number];
        let face = patch.face().ok_or_else(|| {
            Error::conflict(
                format!("the patch `{name}` is one of a surface, which is no section across an axis"),
                "ask for the mass that goes through it, `.mass_into(name)`, and the pressure before it, `.pressure_on(name)`",
            )
        })?;
        Ok((patch, face))
    }

    /// Whether a name is that of a patch of a surface.
    pub(super) fn is_on_surface(&self, name: &str) -> bool {
        self.patches.iter().any(|patch| patch.name == name && patch.face().is_none())
    }

    /// The patches that have rules of links, with these, entries of [`Domain::rules`].
    pub(super) fn patches_of_links(&self) -> impl Iterator<Item = (&str, usize)> {
        let of_links = self.patches.iter().filter(|patch| patch.takes == Takes::Links);
        of_links.map(|patch| (patch.name.as_str(), patch.rule))
    }

    fn patch_number(&self, name: &str) -> Result<Option<usize>, Error> {
        let mut found = (0..self.patches.len()).filter(|&number| self.patches[number].name == name);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Err(Error::conflict(
                format!("two patches are named `{name}`"),
                "give each a name of its own, to ask for one",
            )),
            (number, _) => Ok(number),
        }
    }

    fn extent(&self, faces: &[FaceRule; 6], body: &Body) -> Result<Extent, Error> {
        let [geometry, solids, surfaces] = self.counts;
        let first = faces.len();
        let all = |walls: Range<usize>| Extent { walls, patch: None };
        let within = |count: usize, number: usize, before: usize, what: &str| match number < count {
            true => Ok(all(first + before + number..first + before + number + 1)),
            false => Err(Error::out_of_range(
                format!("number of a {what}"),
                number,
                format!("below {count}, as many as were given"),
                "count from 0 in the order in which they were given",
            )),
        };
        match body {
            Body::Face(face) => match faces[face.index()] {
                FaceRule::Periodic => Err(Error::conflict(
                    format!("{body} is periodic: a flow pushes on nothing there"),
                    "ask for a face with a wall or a boundary rule, for a patch, or for a body",
                )),
                _ => Ok(all(face.index()..face.index() + 1)),
            },
            Body::Geometry => Ok(all(first..first + geometry)),
            Body::Solid(number) => within(solids, *number, geometry, "solid"),
            Body::Surface(number) => within(surfaces, *number, geometry + solids, "surface"),
            Body::Drawn => Ok(all(first + self.drawn()..first + self.drawn() + 1)),
            Body::Named(name) => {
                let named = self.names.iter().find(|(known, _)| known == name);
                match (named, self.patch_number(name)?) {
                    (Some((_, body)), _) => self.extent(faces, body),
                    (None, Some(patch)) => {
                        let wall = self.patches[patch].wall;
                        Ok(Extent { walls: wall..wall + 1, patch: Some(patch) })
                    }
                    (None, None) => {
                        let names = self.names.iter().map(|(known, _)| known.as_str());
                        let names = names.chain(self.patches.iter().map(|patch| patch.name.as_str()));
                        let remedy = format!(
                            "named bodies and patches are: {}; `.named(..)` behind a body names it",
                            listed(names.clone())
                        );
                        Err(Error::unknown("body", name, names, remedy))
                    }
                }
            }
        }
    }

    /// The numbers of the solids that a body is, of [`Domain::solids`]; none for a face or a patch.
    pub(super) fn solids(&self, faces: &[FaceRule; 6], body: &Body) -> Result<Range<usize>, Error> {
        let Extent { walls, patch } = self.extent(faces, body)?;
        // Walls are numbered with the faces first.
        let solid = |wall: usize| wall.saturating_sub(faces.len());
        Ok(if patch.is_some() { 0..0 } else { solid(walls.start)..solid(walls.end) })
    }

    /// Sets a factor of values of rules, as the engine has it.
    pub(super) fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.incoming.as_mut().map_or(Ok(()), |incoming| incoming.steer(name, factor))
    }

    /// The number of the solid that is drawn while the flow runs, behind all that were given.
    pub(super) fn drawn(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Forgets what is known of a part of the box: from now on all of it is.
    pub(super) fn forget(&mut self) {
        self.contacts.clear();
        self.incoming = None;
    }

    /// Lets go of what is known of the box, which is to change: where bodies touch the fluid is found anew.
    pub(super) fn let_go(&mut self) {
        self.contacts.clear();
        self.incoming.iter_mut().for_each(Incoming::let_go);
    }

    /// Follows a box in which these nodes have become solid or fluid; none, where it is as before.
    pub(super) fn follow(&mut self, setup: &Setup, nodes: &[usize]) {
        // What fails here is said when it is asked for.
        let known = self.incoming.take();
        self.incoming = known.and_then(|mut known| known.follow(setup, nodes).is_ok().then_some(known));
    }

    /// Force and torque on a body from the present populations.
    pub(super) fn force_on(
        &mut self,
        facts: &Facts,
        known: &KnownBox,
        engine: &mut dyn Engine,
        body: &Body,
        about: [f64; 3],
    ) -> Result<Forces, Error> {
        let (incoming, contact) = self.contact(facts, known, body, facts.lattice.flow())?;
        contact.forces_on(engine, incoming, about)
    }

    /// The mass that goes into a body, or out through a patch of one, in the next step: what these directions carry, all that flow or those of a set of
    /// populations.
    pub(super) fn mass_into(
        &mut self,
        facts: &Facts,
        known: &KnownBox,
        engine: &mut dyn Engine,
        (body, directions): (&Body, Range<usize>),
    ) -> Result<f64, Error> {
        let (incoming, contact) = self.contact(facts, known, body, directions)?;
        contact.mass_into(engine, incoming)
    }

    /// The fluid nodes beside a body, ascending.
    pub(super) fn beside(
        &mut self,
        facts: &Facts,
        known: &KnownBox,
        body: &Body,
    ) -> Result<Vec<usize>, Error> {
        Ok(self.contact(facts, known, body, facts.lattice.flow())?.1.beside().to_vec())
    }

    /// Where a body touches the fluid, along links of these directions.
    fn contact(
        &mut self,
        facts: &Facts,
        known: &KnownBox,
        body: &Body,
        directions: Range<usize>,
    ) -> Result<(&mut Incoming, &Among), Error> {
        let (setup, others) = (known.own(), known.others());
        if self.incoming.is_none() {
            let made = Incoming::of(facts, setup);
            self.incoming = Some(match others {
                Some(others) => on_all_ranks(&*others.transport(), made)?,
                None => made?,
            });
        }
        let extent = self.extent(&setup.domain().faces, body)?;
        let Bodies { incoming: Some(incoming), contacts, patches, .. } = self else {
            unreachable!("it was just made")
        };
        let contact = match contacts.entry((extent, directions)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let (extent, directions) = place.key();
                let (domain, patch) = (setup.domain(), extent.patch.map(|number| &patches[number]));
                let takes = |link: &Link| {
                    others.is_none_or(|others| others.has(domain.position(link.node)))
                        && patch.is_none_or(|patch| patch.takes(domain, link.node, link.direction))
                };
                let contact = Contact::along(incoming, setup, &extent.walls, directions, takes);
                place.insert(match others {
                    Some(others) => Among::own(contact, others.transport(), domain.nodes())?,
                    None => Among::whole(contact),
                })
            }
        };
        if contact.links() == 0 {
            return Err(Error::conflict(
                format!("{body} touches no fluid node"),
                "check where it lies; the centre of node [i, j, k] is the point [i + 1/2, j + 1/2, k + 1/2]",
            ));
        }
        Ok((incoming, contact))
    }
}

/// Names in words.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names = names.collect::<Vec<_>>().join(", ");
    if names.is_empty() { "none".to_owned() } else { names }
}
