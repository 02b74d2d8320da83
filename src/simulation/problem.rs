//! What a flow is, apart from the variant that computes it.

use std::sync::Arc;

use lbm_core::cut::{Decomposition, Transport};
use lbm_core::geometry::Shape;
use lbm_core::{Face, FaceRule, Geometry};

use super::backend::Placement;
use super::bodies::Body;
use super::initial::Initial;
use super::rules::PlacedRule;

/// The nodes of the box along the axes that were named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size(Vec<usize>);

impl Size {
    /// One number an axis, as given.
    #[must_use]
    pub fn axes(&self) -> &[usize] {
        &self.0
    }
}

impl<const N: usize> From<[usize; N]> for Size {
    fn from(size: [usize; N]) -> Size {
        Size(size.to_vec())
    }
}

impl From<Vec<usize>> for Size {
    fn from(size: Vec<usize>) -> Size {
        Size(size)
    }
}

/// How the kinematic viscosity was given (lattice units).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Viscosity {
    /// As it is.
    Value(f64),
    /// By a Reynolds number: nu = velocity length / reynolds.
    Reynolds {
        /// The Reynolds number.
        reynolds: f64,
        /// The reference length, in node spacings.
        length: f64,
        /// The reference velocity, in node spacings a time step.
        velocity: f64,
    },
}

/// Asks whether a node is solid.
pub type Predicate = Box<dyn Fn([usize; 3]) -> bool + Send + Sync>;

/// Tells a value of a node.
pub type NodeValues = Box<dyn Fn([usize; 3]) -> f64 + Send + Sync>;

/// Tells the state of a node at time 0.
pub type InitialField = Box<dyn Fn([usize; 3]) -> Initial + Send + Sync>;

/// Solid nodes that move with one velocity (zero for an obstacle at rest).
#[non_exhaustive]
pub struct Solid {
    /// Velocity of the solid's surface; the solid itself stays where it is, as a rotating cylinder does.
    pub velocity: [f64; 3],
    /// Which nodes it takes.
    pub contains: Predicate,
}

impl Solid {
    /// Solid nodes of this velocity, node spacings a time step.
    #[must_use]
    pub fn new(velocity: [f64; 3], contains: Predicate) -> Solid {
        Solid { velocity, contains }
    }
}

/// A shape whose surface has a boundary rule of links.
#[non_exhaustive]
pub struct Surface {
    /// Nodes whose centres it contains are solid.
    pub shape: Box<dyn Shape>,
    /// The rule at each link that its surface cuts.
    pub rule: PlacedRule,
}

impl Surface {
    /// The surface of a shape with a rule of links.
    #[must_use]
    pub fn new(shape: Box<dyn Shape>, rule: PlacedRule) -> Surface {
        Surface { shape, rule }
    }
}

/// A part of a surface that has a rule of its own.
#[non_exhaustive]
pub struct SurfacePatch {
    /// What errors call it, and what is measured of it is asked by.
    pub name: String,
    /// Which of the surfaces it is a part of; none if there was none.
    pub surface: Option<usize>,
    /// Which part.
    pub part: SurfacePart,
    /// The rule of links there.
    pub rule: PlacedRule,
}

impl SurfacePatch {
    /// A part of the surface of this number with a rule of links.
    #[must_use]
    pub fn new(name: impl Into<String>, surface: usize, part: SurfacePart, rule: PlacedRule) -> SurfacePatch {
        SurfacePatch { name: name.into(), surface: Some(surface), part, rule }
    }
}

/// Which part of a surface.
pub enum SurfacePart {
    /// What the shape itself calls so: a solid of an STL file, a group of an OBJ file.
    Named(String),
    /// What lies in a shape.
    Within(Box<dyn Shape>),
}

/// A part of a face that has a rule of its own.
#[non_exhaustive]
pub struct Patch {
    /// What errors call it.
    pub name: String,
    /// The face, which is a wall at rest elsewhere, or has a rule.
    pub face: Face,
    /// Which of the nodes at the face it takes.
    pub contains: Predicate,
    /// The rule there.
    pub rule: PlacedRule,
    /// How many of the problem's [`rules`](Problem::rules) hold before it where they meet.
    pub behind: usize,
}

impl Patch {
    /// A part of a face with a rule, which holds after those of whole faces.
    #[must_use]
    pub fn new(name: impl Into<String>, face: Face, contains: Predicate, rule: PlacedRule) -> Patch {
        Patch { name: name.into(), face, contains, rule, behind: usize::MAX }
    }

    /// When its rule's turn is, it being this one of the problem's patches: before that of the whole face whose number is as many as hold before it.
    pub(super) fn turn(&self, number: usize) -> [usize; 2] {
        [self.behind, number]
    }
}

/// A part of the fluid that has a rule.
#[non_exhaustive]
pub struct Region {
    /// What errors call it.
    pub name: String,
    /// Which nodes it takes, of those that are fluid.
    pub contains: Predicate,
    /// The rule there.
    pub rule: PlacedRule,
}

impl Region {
    /// A part of the fluid with a rule.
    #[must_use]
    pub fn new(name: impl Into<String>, contains: Predicate, rule: PlacedRule) -> Region {
        Region { name: name.into(), contains, rule }
    }
}

impl Problem {
    /// All rules, wherever they stand.
    pub(super) fn placed_rules(&self) -> impl Iterator<Item = &PlacedRule> {
        let at_faces = self.rules.iter().map(|(_, rule)| rule).chain(self.patches.iter().map(|at| &at.rule));
        let on_surfaces = self.surfaces.iter().map(|surface| &surface.rule);
        let on_surfaces = on_surfaces.chain(self.surface_patches.iter().map(|patch| &patch.rule));
        at_faces.chain(on_surfaces).chain(self.regions.iter().map(|region| &region.rule))
    }
}

/// All that a [`Builder`](super::Builder) gathers: a flow, apart from the variant that computes it.
///
/// The default is a box without a size at rest, periodic, on all cores; `size` or `geometry`, and mostly `viscosity`, must be
/// set. It is written as `Problem { .., ..Problem::default() }`, so that a flow which says nothing of a further field has its default.
#[derive(Default)]
pub struct Problem {
    /// Nodes along x, y, z: as many numbers as the lattice has dimensions (further ones must be 1). That of `geometry` if there
    /// is none.
    pub size: Option<Size>,
    /// Which nodes are solid and at rest, before `solids` are asked.
    pub geometry: Option<Geometry>,
    /// The kinematic viscosity; none where the variant has it baked in.
    pub viscosity: Option<Viscosity>,
    /// What lies beyond each face, by [`Face::index`](lbm_core::Face::index).
    pub faces: [FaceRule; 6],
    /// Rules of faces, in the order in which they hold where several meet in a node. They take the place of what `faces` says.
    pub rules: Vec<(Face, PlacedRule)>,
    /// Parts of faces with rules of their own. Where they meet rules of other faces, each holds [`behind`](Patch::behind) some of them, and of several patches the
    /// first one.
    pub patches: Vec<Patch>,
    /// Obstacles; with surfaces and the geometry at most [`MOST_SOLIDS`](lbm_core::domain::MOST_SOLIDS). Where two overlap, the first one holds the node; what `geometry` makes solid, it holds.
    pub solids: Vec<Solid>,
    /// Bodies whose surfaces have rules. What `geometry` or `solids` make solid, these hold; of two surfaces the first one.
    pub surfaces: Vec<Surface>,
    /// Parts of surfaces with rules of their own. Where there is none, a link has the rule of its surface.
    pub surface_patches: Vec<SurfacePatch>,
    /// Parts of the fluid with rules, which act after those of faces and surfaces; where two overlap the first one last.
    pub regions: Vec<Region>,
    /// Where nodes that are solid at first can become fluid while the flow runs, if nodes are listed.
    pub drawable: Vec<Box<dyn Shape>>,
    /// Names of bodies.
    pub names: Vec<(String, Body)>,
    /// The body force a volume, if there is one.
    pub force: Option<[f64; 3]>,
    /// The state at time 0; at rest with density 1 if none.
    pub initial: Option<InitialField>,
    /// The sums of sets of populations at time 0, by the name of the set; of a set that is not named it is that at rest.
    pub sums: Vec<(String, NodeValues)>,
    /// Values of the collision's own parameters, by name.
    pub parameters: Vec<(String, f64)>,
    /// Values of fields that the collision reads of each node, by name.
    pub fields: Vec<(String, NodeValues)>,
    /// Where and how the flow runs.
    pub placement: Placement,
    /// Into which parts the box is cut, if it is.
    pub decomposition: Option<Decomposition>,
    /// The processes among which the parts are dealt out; this one alone if none.
    pub transport: Option<Arc<dyn Transport>>,
}
