//! The builder: what a flow is, checked as a whole by [`Builder::build`].

mod solids;
mod surfaces;

use std::marker::PhantomData;
use std::sync::Arc;

use lbm_core::axes::Axes;
use lbm_core::cut::{Decomposition, Transport};
use lbm_core::engine::Setup;
use lbm_core::{Engine, Error, Face, FaceRule, Facts, Variant};
use lbm_cpu::SimdLevel;

use super::backend::{Backend, Placement};
use super::bodies::Body;
use super::initial::Initial;
use super::memory::Footprint;
use super::problem::{Patch, Problem, Region, Size, Viscosity};
use super::processes::Processes;
use super::product::Product;
use super::rules::PlacedRule;
use super::running::Simulation;
use super::set_up::simulation;
use super::source::{self, Source};
use super::{check, memory};

/// Gives every variant its builder. Implemented for all variants; bring it into scope with the prelude.
pub trait Solver: Variant + Sized {
    /// A builder of flows that this variant computes.
    fn builder() -> Builder<Self> {
        Builder::from(Problem::default())
    }

    /// What was generated of it for a backend, to be read. A program that never asks does not carry it.
    ///
    /// ```
    /// use lbm::prelude::*;
    /// use lbm::simulation::Backend;
    ///
    /// solver! { Flow { lattice: D2Q9, collision: Bgk } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let source = Flow::source(Backend::Cpu)?;
    /// println!("{source}");
    /// assert_eq!((source.operations.adds, source.operations.muls, source.operations.divs), (41, 31, 1));
    /// for (stage, formulas) in source.stages.iter() {
    ///     println!("---- {stage} ----\n{formulas}");
    /// }
    /// # #[cfg(feature = "cuda")]
    /// assert!(Flow::source(Backend::Cuda(0))?.text.contains("__global__"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unavailable`] for a body that was written by hand, and for a device where this crate was built without the feature `cuda`.
    fn source(backend: Backend) -> Result<Source, Error> {
        source::of::<Self>(backend)
    }
}

impl<V: Variant> Solver for V {}

/// Gathers what a flow is. Nothing is checked, evaluated or allocated before [`build`](Builder::build).
///
/// All units are lattice units; [`lbm_core::units`] converts.
///
/// ```
/// use lbm::prelude::*;
///
/// solver! { Channel { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64 } }
///
/// # fn main() -> Result<(), Error> {
/// let mut channel = Channel::builder()
///     .size([12, 9])
///     .viscosity(0.05)
///     .force([1e-5, 0.0, 0.0])
///     .face(Face::South, FaceRule::WALL)
///     .face(Face::North, FaceRule::WALL)
///     .solid(|[x, y, _]| (5..7).contains(&x) && y < 3)
///     .parameter("magic", 3.0 / 16.0)
///     .threads(1)
///     .build()?;
/// channel.run(500)?;
/// assert!(channel.velocity()?.iter().any(|u| u[0] > 1e-4));
///
/// // What does not fit is refused, with the remedy.
/// let error = Channel::builder().size([12, 9]).viscosity(-0.05).build().unwrap_err();
/// assert!(error.to_string().starts_with("viscosity = -0.05 is out of range"));
/// # Ok(())
/// # }
/// ```
#[must_use = "a builder does nothing until .build()"]
pub struct Builder<V: Variant> {
    pub(super) problem: Problem,
    /// Another scheme than the declared one.
    scheme: Option<Result<Facts, Error>>,
    last_body: Option<Body>,
    variant: PhantomData<V>,
}

impl<V: Variant> From<Problem> for Builder<V> {
    fn from(problem: Problem) -> Builder<V> {
        Builder { problem, scheme: None, last_body: None, variant: PhantomData }
    }
}

impl<V: Variant> Builder<V> {
    /// Nodes along each axis of the lattice, e.g. `[128, 64]` for a D2Q9.
    pub fn size(mut self, size: impl Into<Size>) -> Self {
        self.problem.size = Some(size.into());
        self
    }

    /// The kinematic viscosity, in node spacings squared a time step.
    ///
    /// It must be above 0, and so large that tau = viscosity / cs2 + 1/2 is above 1/2 by at least [`SMALLEST_TAU_EXCESS`].
    ///
    /// [`SMALLEST_TAU_EXCESS`]: lbm_core::units::SMALLEST_TAU_EXCESS
    pub fn viscosity(mut self, viscosity: f64) -> Self {
        self.problem.viscosity = Some(Viscosity::Value(viscosity));
        self
    }

    /// The viscosity by a Reynolds number: `velocity * length / reynolds`, with the reference length in node
    /// spacings and the reference velocity in node spacings a time step.
    pub fn reynolds(mut self, reynolds: f64, length: f64, velocity: f64) -> Self {
        self.problem.viscosity = Some(Viscosity::Reynolds { reynolds, length, velocity });
        self
    }

    /// What lies beyond a face. Faces that are not named are periodic.
    pub fn face(mut self, face: Face, rule: FaceRule) -> Self {
        self.problem.faces[face.index()] = rule;
        self
    }

    /// A boundary rule at a face, such as `ZouHeVelocity.with("velocity", [0.05, 0.0])`. The solver must be declared with it
    /// (`boundaries: [..]`). Where two rules meet in a node, what comes from beyond
    /// both faces is set by the one that was given first, whole faces and [patches](Builder::patch) alike; where a half-way wall stands beside, it comes from the wall, unless
    /// the rule holds [before walls](crate::simulation::PlacedRule::before_walls). One rule at two faces
    /// does the edge as a whole, with the values of the face that was given first.
    /// A rule of links takes what comes through the face, and its wall lies half-way; beside other rules it counts as a half-way wall.
    /// Rules that contradict each other where they meet, two velocities that both let the fluid through a node or two densities, are refused.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Channel { lattice: D2Q9, collision: Bgk, boundaries: [ZouHeVelocity, ZouHePressure] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let parabola = |[_, y, _]: [usize; 3]| [0.05 * (1.0 - ((y as f64 - 10.0) / 10.5).powi(2)), 0.0];
    /// let mut channel = Channel::builder()
    ///     .size([40, 21])
    ///     .viscosity(0.1)
    ///     .face(Face::South, FaceRule::WALL)
    ///     .face(Face::North, FaceRule::WALL)
    ///     .boundary(Face::West, ZouHeVelocity.with_each("velocity", parabola))
    ///     .boundary(Face::East, ZouHePressure)
    ///     .build()?;
    /// channel.run(3000)?;
    /// let u = channel.velocity()?;
    /// assert!((u[20 + 40 * 10][0] - 0.05).abs() < 1e-3, "{:?}", u[20 + 40 * 10]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn boundary(mut self, face: Face, rule: impl Into<PlacedRule>) -> Self {
        self.problem.rules.push((face, rule.into()));
        self
    }

    /// A boundary rule at a part of a face: at the nodes there for which `contains` holds. Elsewhere the face is what
    /// [`face`](Builder::face) or [`boundary`](Builder::boundary) made it, a wall at rest or another rule. Where patches touch, each node has its
    /// own rule; two patches that claim a node are refused. Where a patch meets the rule of another face, what was given first holds, as with
    /// [`boundary`](Builder::boundary). A rule of links takes what comes through the face at its nodes, half-way. By its name a patch is a section ([`Simulation::patch`]), and the force on it can be asked for
    /// ([`Simulation::force_on`]).
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Jet { lattice: D2Q9, collision: Trt, boundaries: [ZouHeVelocity, ZouHePressure] } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut jet = Jet::builder().size([30, 20]).viscosity(0.1);
    /// for face in [Face::West, Face::South, Face::North] {
    ///     jet = jet.face(face, FaceRule::WALL);
    /// }
    /// let mut jet = jet
    ///     .patch("nozzle", Face::West, |[_, y, _]| (8..12).contains(&y), ZouHeVelocity.with("velocity", [0.05, 0.0]))
    ///     .boundary(Face::East, ZouHePressure)
    ///     .build()?;
    /// jet.run(100)?;
    /// let u = jet.velocity()?;
    /// assert!((u[30 * 10][0] - 0.05).abs() < 1e-6 && u[30 * 3][0].abs() < 0.02);
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch(
        mut self,
        name: &str,
        face: Face,
        contains: impl Fn([usize; 3]) -> bool + Send + Sync + 'static,
        rule: impl Into<PlacedRule>,
    ) -> Self {
        let (name, contains) = (name.to_owned(), Box::new(contains));
        let behind = self.problem.rules.len();
        self.problem.patches.push(Patch { name, face, contains, rule: rule.into(), behind });
        self
    }

    /// A boundary rule of the fluid, such as [`Sponge`](crate::boundaries::Sponge), at the fluid nodes for which `contains` holds. It acts in each step
    /// after the rules of faces and surfaces, when all that comes to its node is known. Where two regions overlap both act, the one that was given
    /// first last. A node is done as those at walls are, so that a region costs more than the fluid elsewhere.
    pub fn region(
        mut self,
        name: &str,
        contains: impl Fn([usize; 3]) -> bool + Send + Sync + 'static,
        rule: impl Into<PlacedRule>,
    ) -> Self {
        let (name, contains) = (name.to_owned(), Box::new(contains));
        self.problem.regions.push(Region { name, contains, rule: rule.into() });
        self
    }

    /// A constant body force a volume (density times acceleration). The variant must be declared with forcing.
    pub fn force(mut self, force: [f64; 3]) -> Self {
        self.problem.force = Some(force);
        self
    }

    /// The state at time 0 of the node at `[x, y, z]`; without it the fluid is at rest with density 1.
    pub fn initial(mut self, state: impl Fn([usize; 3]) -> Initial + Send + Sync + 'static) -> Self {
        self.problem.initial = Some(Box::new(state));
        self
    }

    /// The sum of a set of populations of a model at time 0, at the node at `[x, y, z]`: a temperature, a concentration. Without it it is the one at rest that the model
    /// declares. That of the first set is the density of [`initial`](Builder::initial).
    pub fn initial_sum(
        mut self,
        set: &str,
        value: impl Fn([usize; 3]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        self.problem.sums.push((set.to_owned(), Box::new(value)));
        self
    }

    /// Sets a parameter of the collision, e.g. `magic` of Trt. The last value of a name counts.
    pub fn parameter(mut self, name: &str, value: f64) -> Self {
        self.problem.parameters.push((name.to_owned(), value));
        self
    }

    /// How many threads run the flow; if it is not called all cores, or this process's share of them among those of its host that share the flow. The result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.problem.placement.cpu.threads = Some(threads);
        self
    }

    /// Which SIMD level to use; the best of the machine if it is not called. The result does not depend on it.
    pub fn simd(mut self, level: SimdLevel) -> Self {
        self.problem.placement.cpu.simd = Some(level);
        self
    }

    /// Cuts the box into parts, each an engine of its own on the flow's backend, and what crosses is copied between them. The result does not depend on it.
    /// A part has planes of its neighbours beyond each cut, as many as a step reads, so that many small parts take more memory.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Cavity { lattice: D2Q9, collision: Bgk } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let lid = FaceRule::Wall { velocity: [0.05, 0.0, 0.0] };
    /// let cavity = || {
    ///     let walls = [Face::West, Face::East, Face::South].into_iter().map(|face| (face, FaceRule::WALL));
    ///     walls.chain([(Face::North, lid)]).fold(
    ///         Cavity::builder().size([24, 24]).viscosity(0.05),
    ///         |builder, (face, rule)| builder.face(face, rule),
    ///     )
    /// };
    /// let mut whole = cavity().build()?;
    /// let mut parts = cavity().decomposition(Decomposition::Into(4)).build()?;
    /// whole.run(50)?;
    /// parts.run(50)?;
    /// assert_eq!(parts.populations()?, whole.populations()?);
    ///
    /// let error = cavity().decomposition(Decomposition::Along([1, 25, 1])).build().unwrap_err();
    /// assert!(error.to_string().contains("1 to 24"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn decomposition(mut self, cut: Decomposition) -> Self {
        self.problem.decomposition = Some(cut);
        self
    }

    /// Deals the parts out among processes, of which this is one. Each of them builds the same flow, in as many parts as there are processes if nothing else is
    /// said, and calls the same methods in the same order; what is asked of the flow is known to all of them.
    ///
    /// # Errors
    /// [`build`](Builder::build) fails on all of them where one builds another flow, or fails itself, and says which and at what; and, as all that is asked of
    /// the flow later does, where one has ended.
    pub fn transport(mut self, transport: Arc<dyn Transport>) -> Self {
        self.problem.transport = Some(transport);
        self
    }

    /// Where and how the flow runs, all at once: backend, threads, SIMD level, stores. The result does not depend on it.
    pub fn placement(mut self, placement: Placement) -> Self {
        self.problem.placement = placement;
        self
    }

    /// Who runs the flow; the CPU if it is not called. The result does not depend on it.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.problem.placement.backend = backend;
        self
    }

    /// Takes another layout, addressing and streaming than the declared ones, by their names as in a variant's, e.g.
    /// `"aosoa128-dense-esoteric-pull"`. The result does not depend on it, only memory and speed do; the machine code is the same.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Flow { lattice: D2Q9, collision: Bgk, precision: F64 } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let flow = |scheme: &str| Flow::builder().size([8, 8]).viscosity(0.1).scheme(scheme).build();
    /// assert_eq!(flow("soa-tiled4x4x1-aa")?.variant(), "d2q9-bgk-f64-soa-tiled4x4x1-aa");
    /// let error = flow("soa-dense-a").unwrap_err().to_string();
    /// assert!(error.contains("unknown streaming `a`"), "{error}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn scheme(mut self, name: &str) -> Self {
        let facts = Facts::of::<V>();
        let axes = Axes::built_in().with_lattice::<V::Lattice>().with_facts(&facts);
        let body = format!("{}-{}", facts.lattice.name.to_lowercase(), facts.body.collision);
        self.scheme = Some(axes.product(&format!("{body}-{}-{name}", facts.precision.name)));
        self
    }

    /// What is known of the variant, under the scheme that was chosen.
    fn product(&mut self) -> Result<Product, Error> {
        let product = Product::of::<V>();
        self.scheme.take().map_or(Ok(product), |facts| product.with(facts?))
    }

    /// The memory that the populations will take, before any is allocated.
    ///
    /// # Errors
    /// A size that is missing, zero, or more than fits.
    pub fn footprint(&self) -> Result<Footprint, Error> {
        let facts = match &self.scheme {
            Some(Ok(facts)) => *facts,
            // What is wrong with it is said when the flow is built.
            _ => Facts::of::<V>(),
        };
        let size = check::size(&facts.lattice, &self.problem)?;
        memory::footprint_on(&facts, self.problem.placement.backend, size)
    }

    /// Checks everything and sets the flow in motion on its backend, the CPU if none was named.
    ///
    /// # Errors
    /// Every value that is missing, out of range or does not fit another is an [`Error`] that names the value, the
    /// allowed range and the remedy: size, memory, viscosity, velocities (|u| at most 0.3), faces, force, solids,
    /// parameters, fields of nodes, initial state, threads, SIMD level. [`Error::Unavailable`] where a launcher of MPI started this process and its
    /// library does not start; where several processes share the flow, also those of [`transport`](Builder::transport).
    pub fn build(mut self) -> Result<Simulation, Error> {
        self.product()?.build(self.problem)
    }

    /// Checks everything and sets the flow in motion on the engine that `engine` makes.
    ///
    /// # Errors
    /// As [`build`](Builder::build), and those of `engine`.
    #[doc(hidden)]
    pub fn build_on(
        mut self,
        engine: impl Fn(&Setup) -> Result<Box<dyn Engine>, Error>,
    ) -> Result<Simulation, Error> {
        let product = self.product()?;
        let processes = Processes::of(self.problem.transport.take())?;
        simulation(
            *product.facts(),
            product.rules(),
            self.problem,
            processes,
            Box::new(move |_, setup: &Setup| engine(setup)),
        )
    }
}
