//! The bodies that the command `lbm` has: built-in collisions on the lattices of flow, some with fields of nodes, and the machine code of most.
//!
//! A body's machine code knows no streaming, layout or addressing, so any legal scheme of it runs. It is a crate of its own, so that it
//! is compiled once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use lbm::collisions::{
    Bgk, BulkViscosity, Carreau, CentralMoments, Cumulant, EntropicProduct, EssentiallyEntropic, FourthOrder,
    HybridRecursiveRegularized, Kbc, Mrt, OrthogonalMrt, ParametrizedCumulant, PartialBounceBack, PowerLaw,
    RawMrt, RecursiveBulkViscosity, RecursiveRegularized, Regularized, Smagorinsky, ThirdOrder, Trt,
    VaryingViscosity, Wale,
};
use lbm::lattices::{D2Q5, D2Q9, D3Q7, D3Q15, D3Q19, D3Q27};
use lbm::models::{AdvectionDiffusion, Boussinesq, ColourGradient, Emulsion, PhaseField, ShanChen};
use lbm_core::axes::Axes;
use lbm_core::{
    Bf16In32, Collision, Declared, F16In32, F16In64, F32, F32In64, F64, Facts, Fp16cIn32, GradedIn32,
    Lattice, Precision, Variant,
};
use lbm_cpu::{Code, RuleCode};
use lbm_generator::language::{Choices, CollisionDeclaration, Equilibrium, Forcing};
use lbm_generator::solver::collision_label;
use lbm_generator::{Generated, generate, lattice};

mod rules;

/// A collision on a lattice.
#[derive(Clone, Debug)]
pub struct Body {
    /// What is known of it, in single precision and the plainest scheme.
    pub facts: Facts,
    /// The collision's name without equilibrium and forcing, e.g. `bgk`.
    pub operator: String,
    /// Its equilibrium and forcing.
    pub choices: Choices,
    lattice: &'static str,
    collision: Declared,
    /// Its machine code, by the name of the precision.
    codes: Vec<(&'static str, Code)>,
    /// Adds the streaming patterns on its lattice.
    on_lattice: fn(Axes) -> Axes,
}

/// All bodies.
#[must_use]
pub fn all() -> &'static [Body] {
    static ALL: LazyLock<Vec<Body>> = LazyLock::new(bodies);
    &ALL
}

/// The lattices on which flows of one set of populations may have boundary rules, each once.
#[must_use]
pub fn lattices_with_rules() -> Vec<&'static str> {
    let mut lattices = Vec::new();
    for body in all().iter().filter(|body| !body.is_model() && !body.rules()().is_empty()) {
        if !lattices.contains(&body.facts.lattice.name) {
            lattices.push(body.facts.lattice.name);
        }
    }
    lattices
}

/// The body of these facts, if it is one of [`all`].
#[must_use]
pub fn of(facts: &Facts) -> Option<&'static Body> {
    let name = |facts: &Facts| (facts.lattice.name, facts.body.collision);
    all().iter().find(|body| name(&body.facts) == name(facts))
}

impl Body {
    fn new<V: Variant, C: Collision>(equilibrium: Equilibrium, forcing: Forcing) -> Body {
        let plain = Choices {
            equilibrium: Equilibrium::QuasiCompressible,
            forcing: Forcing::None,
            baked: BTreeMap::new(),
            share_flux_trace: true,
        };
        Body {
            facts: Facts::of::<V>(),
            operator: collision_label(&declaration(Declared::of::<C>()).full_name(), &plain),
            choices: Choices { equilibrium, forcing, ..plain },
            lattice: V::Lattice::DECLARATION,
            collision: Declared::of::<C>(),
            codes: Vec::new(),
            on_lattice: Axes::with_lattice::<V::Lattice>,
        }
    }

    /// With its machine code in a precision.
    fn with<V: Variant, P: Precision>(mut self) -> Body {
        self.codes.push((P::NAME, Code::of::<V::Body, P>()));
        self
    }

    /// With its machine code in every built-in precision; of the graded ones in that for the usual speeds.
    fn with_every_precision<V: Variant>(self) -> Body {
        let wide = self.with::<V, F32>().with::<V, F64>().with::<V, F32In64>();
        let narrow = wide.with::<V, F16In32>().with::<V, F16In64>().with::<V, Bf16In32>();
        narrow.with::<V, Fp16cIn32>().with::<V, GradedIn32<4>>()
    }

    /// Its machine code in a precision, if it is compiled in.
    #[must_use]
    pub fn code(&self, precision: &str) -> Option<Code> {
        self.codes.iter().find(|(name, _)| *name == precision).map(|&(_, code)| code)
    }

    /// The boundary rules that its flows may have: of one set of populations all built-in ones, of one that carries heat those of walls that are
    /// warm or give heat, on the lattices for which these are compiled in.
    #[must_use]
    pub fn rules(&self) -> fn() -> Vec<RuleCode> {
        rules::of(&self.facts.lattice, self.choices.equilibrium)
    }

    /// The precisions in which its machine code is compiled in.
    pub fn precisions(&self) -> impl Iterator<Item = &'static str> {
        self.codes.iter().map(|&(name, _)| name)
    }

    /// Adds it to axes, with the built-in streaming patterns on its lattice.
    #[must_use]
    pub fn known_to(&self, axes: Axes) -> Axes {
        (self.on_lattice)(axes).with_facts(&self.facts)
    }

    /// Whether it is a model of several sets of populations.
    #[must_use]
    pub fn is_model(&self) -> bool {
        !self.facts.lattice.sets.is_empty()
    }

    /// Generates it again, with all its stages, from the declarations.
    ///
    /// # Panics
    /// Never: the same declarations were compiled.
    #[must_use]
    pub fn generate(&self) -> Generated {
        let generated = || -> syn::Result<Generated> {
            let lattice = lattice::handed_on(&syn::parse_str(self.lattice)?)?;
            generate(&lattice, &declaration(self.collision), &self.choices)
        };
        generated().expect("the same declarations were compiled")
    }
}

/// A collision's declaration.
///
/// # Panics
/// Never: it was compiled.
fn declaration(of: Declared) -> CollisionDeclaration {
    CollisionDeclaration::read(of.text, of.within).expect("the same declaration was compiled")
}

fn bodies() -> Vec<Body> {
    let mut bodies = Vec::new();
    // All precisions of two collisions on the lattice whose kernels are compiled the soonest, one of them for slow flow, too, ..
    lbm::sweep! {
        lattice: [D2Q9], collision: [Bgk],
        => |V, collision: C| bodies.push(
            Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with_every_precision::<V>()
        )
    }
    lbm::sweep! {
        lattice: [D2Q9], collision: [Trt], forcing: [Guo],
        => |V, collision: C| bodies.push(
            Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::Guo)
                .with_every_precision::<V>().with::<V, GradedIn32<10>>()
        )
    }
    // .. the usual ones of the others, and of all on the usual lattice in three dimensions, ..
    lbm::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Bgk, Trt, Mrt, Regularized], forcing: [None, Guo],
        skip: [{ lattice: D2Q9, collision: Bgk, forcing: None }, { lattice: D2Q9, collision: Trt, forcing: Guo }],
        => |V, collision: C, forcing: F| bodies.push(
            Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::F).with::<V, F32>().with::<V, F64>().with::<V, F16In32>()
        )
    }
    lbm::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Bgk, Trt, Mrt, Regularized], equilibrium: [Incompressible],
        => |V, collision: C|
            bodies.push(Body::new::<V, C>(Equilibrium::Incompressible, Forcing::None).with::<V, F32>().with::<V, F64>())
    }
    // Channels that a force drives, for either equilibrium.
    lbm::sweep! {
        lattice: [D2Q9], collision: [Bgk, Regularized], equilibrium: [Incompressible], forcing: [Guo],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::Incompressible, Forcing::Guo).with::<V, F64>())
    }
    // .. and on other lattices.
    lbm::sweep! {
        lattice: [D3Q15, D3Q27], collision: [Bgk, Trt, Mrt, Regularized],
        => |V, collision: C|
            bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F32>().with::<V, F64>())
    }
    // Collisions of moments about the fluid's velocity, and entropic ones, where they are mostly taken.
    lbm::sweep! {
        lattice: [D2Q9, D3Q19, D3Q27], collision: [CentralMoments, Cumulant, RecursiveRegularized, Kbc],
        skip: [
            { lattice: D3Q19, collision: [CentralMoments, Kbc] }, { lattice: D3Q27, collision: RecursiveRegularized },
        ],
        => |V, collision: C|
            bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F32>().with::<V, F64>())
    }
    // Channels of theirs that a force drives, and of fluids that thin.
    lbm::sweep! {
        lattice: [D2Q9], forcing: [Guo],
        collision: [CentralMoments, Cumulant, RecursiveRegularized, Kbc, PowerLaw<Trt>, Carreau<Trt>],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::Guo).with::<V, F64>())
    }
    bodies.extend(others());
    bodies.extend(with_fields());
    bodies.extend(models());
    bodies
}

/// The rest, which runs on a device and in the plain reference; of those around others some have machine code.
fn others() -> Vec<Body> {
    let mut bodies = Vec::new();
    lbm::sweep! {
        lattice: [D2Q9], collision: [PowerLaw<Trt>, Carreau<Trt>],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    lbm::sweep! {
        lattice: [D3Q19, D3Q27], collision: [CentralMoments, Cumulant, RecursiveRegularized, Kbc], forcing: [None, Guo],
        skip: [
            { lattice: D3Q19, collision: [Cumulant, RecursiveRegularized], forcing: None },
            { lattice: D3Q27, collision: [CentralMoments, Cumulant, Kbc], forcing: None },
        ],
        => |V, collision: C, forcing: F| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::F))
    }
    lbm::sweep! {
        lattice: [D2Q9, D3Q15, D3Q19, D3Q27], collision: [Bgk, Trt, Mrt, Regularized],
        equilibrium: [QuasiCompressible, Incompressible], forcing: [None, Guo],
        skip: [
            { lattice: [D2Q9, D3Q19], equilibrium: QuasiCompressible },
            { lattice: [D2Q9, D3Q19], forcing: None },
            { lattice: D2Q9, collision: [Bgk, Regularized] },
            { lattice: [D3Q15, D3Q27], equilibrium: QuasiCompressible, forcing: None },
        ],
        => |V, collision: C, equilibrium: E, forcing: F| bodies.push(Body::new::<V, C>(Equilibrium::E, Forcing::F))
    }
    // Collisions around others, equilibria of higher order, and the other entropic one.
    lbm::sweep! {
        lattice: [D2Q9], collision: [Smagorinsky<Bgk>, Smagorinsky<Cumulant>, ThirdOrder<Bgk>, EssentiallyEntropic],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F64>())
    }
    lbm::sweep! {
        lattice: [D3Q19, D3Q27], collision: [Smagorinsky<Bgk>, Smagorinsky<Cumulant>, ThirdOrder<Bgk>, EssentiallyEntropic],
        skip: [{ lattice: D3Q19, collision: EssentiallyEntropic }],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // Moments in other bases, equilibria of all orders, and the cumulants whose rates follow from each other.
    lbm::sweep! {
        lattice: [D2Q9], collision: [OrthogonalMrt, RawMrt, FourthOrder<Bgk>, EntropicProduct<Bgk>],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F64>())
    }
    lbm::sweep! {
        lattice: [D3Q19, D3Q27], collision: [OrthogonalMrt, RawMrt, FourthOrder<Bgk>, EntropicProduct<Bgk>, ParametrizedCumulant],
        skip: [{ lattice: D3Q19, collision: [EntropicProduct<Bgk>, ParametrizedCumulant] }],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // Those that read how the velocity changes around a node.
    lbm::sweep! {
        lattice: [D2Q9], collision: [Wale<Trt>, HybridRecursiveRegularized],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F64>())
    }
    lbm::sweep! {
        lattice: [D3Q19], collision: [Wale<Trt>, HybridRecursiveRegularized],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    // The trace of the stress with a rate of its own.
    lbm::sweep! {
        lattice: [D2Q9],
        collision: [BulkViscosity<Trt>, BulkViscosity<Regularized>, RecursiveBulkViscosity<RecursiveRegularized>],
        => |V, collision: C| bodies.push(Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F64>())
    }
    bodies
}

/// Those that read fields of nodes.
fn with_fields() -> Vec<Body> {
    let mut bodies = Vec::new();
    lbm::sweep! {
        lattice: [D2Q9, D3Q19], collision: [VaryingViscosity<Trt>, PartialBounceBack<Trt>], forcing: [None, Guo],
        => |V, collision: C, forcing: F| bodies.push(
            Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::F).with::<V, F64>()
        )
    }
    lbm::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Trt], forcing: [GuoField],
        => |V, collision: C| bodies.push(
            Body::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::GuoField).with::<V, F64>()
        )
    }
    bodies
}

/// Models of several sets of populations.
fn models() -> Vec<Body> {
    let mut bodies = Vec::new();
    lbm::sweep! {
        model: [AdvectionDiffusion<Trt, Bgk>, Boussinesq<Trt, Bgk>], lattices: [[D2Q9, D2Q5], [D3Q19, D3Q7]],
        => |V, model: M| bodies.push(
            Body::new::<V, M>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F32>().with::<V, F64>()
        )
    }
    lbm::sweep! {
        model: [ShanChen<Bgk>], lattices: [[D2Q9], [D3Q19]],
        => |V, model: M| bodies.push(
            Body::new::<V, M>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F32>()
        )
    }
    lbm::sweep! {
        model: [ColourGradient<Regularized>, Emulsion<Regularized>], lattices: [[D2Q9, D2Q9]],
        => |V, model: M| bodies.push(
            Body::new::<V, M>(Equilibrium::QuasiCompressible, Forcing::None).with::<V, F32>()
        )
    }
    lbm::sweep! {
        model: [PhaseField<Trt, Bgk>], lattices: [[D2Q9, D2Q9]], equilibrium: [Incompressible],
        => |V, model: M| bodies.push(Body::new::<V, M>(Equilibrium::Incompressible, Forcing::None).with::<V, F64>())
    }
    // A device runs these.
    lbm::sweep! {
        model: [ColourGradient<Regularized>, Emulsion<Regularized>], lattices: [[D3Q19, D3Q19]],
        => |V, model: M| bodies.push(Body::new::<V, M>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    lbm::sweep! {
        model: [Boussinesq<Regularized, Bgk>], lattices: [[D3Q19, D3Q7]],
        => |V, model: M| bodies.push(Body::new::<V, M>(Equilibrium::QuasiCompressible, Forcing::None))
    }
    lbm::sweep! {
        model: [PhaseField<Trt, Bgk>], lattices: [[D3Q15, D3Q15]], equilibrium: [Incompressible],
        => |V, model: M| bodies.push(Body::new::<V, M>(Equilibrium::Incompressible, Forcing::None))
    }
    bodies
}
