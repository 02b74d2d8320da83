//! What is to be known of a collision on a lattice without its type, and its programs for a single node.

use super::deriving::{Derives, derive_at_a_node};
use crate::collision::{Body, DeviceText, NodeField, SetMoments, Slices};
use crate::derived::{Derivation, DerivedField, reach};
use crate::lanes::Real;
use crate::lattice::Lattice;
use crate::range::Range;

/// A collision on a lattice, with its equilibrium and forcing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BodyFacts {
    /// `collision[-incompressible][-guo]`, the middle of a variant's name.
    pub collision: &'static str,
    /// The body as CUDA C++ ([`Body::DEVICE`]).
    pub text: Option<DeviceText>,
    /// Free parameters ([`Body::PARAMETERS`]).
    pub parameters: &'static [&'static str],
    /// Their defaults ([`Body::DEFAULTS`]).
    pub defaults: &'static [Option<f64>],
    /// What they may be ([`Body::RANGES`]).
    pub ranges: &'static [Range],
    /// What is read of each node ([`Body::FIELDS`]).
    pub fields: &'static [NodeField],
    /// What follows for each node before it collides ([`Body::DERIVED`]).
    pub derived: &'static [DerivedField],
    /// In which passes ([`Body::DERIVATIONS`]).
    pub derivations: &'static [Derivation],
    /// The viscosity where it is baked in ([`Body::BAKED_VISCOSITY`]).
    pub baked_viscosity: Option<f64>,
    /// Whether a constant body force enters ([`Body::FORCED`]).
    pub forced: bool,
    /// Whether each node has a force of its own ([`Body::FORCE_FIELD`]).
    pub force_field: bool,
    /// Whether a model states a force of its own ([`Body::STATES_FORCE`]).
    pub states_force: bool,
    /// How many coefficients are the same for all nodes.
    pub uniform_count: usize,
    /// How many moments carry the collision's result, or 0 ([`Body::MOMENTS`]).
    pub moments: usize,
    /// Which of them each of several sets of populations has, or one that is not of second order ([`Body::SETS_IN_MOMENTS`]).
    pub sets_in_moments: &'static [SetMoments],
    pub(super) uniforms: fn(&[f64]) -> Vec<f64>,
    pub(super) programs: [Programs; 2],
    pub(super) macroscopic: fn(&[f64], [f64; 3]) -> [f64; 4],
    pub(super) viscosity: StatedViscosity,
    pub(super) force: StatedForce,
    pub(super) equilibrium: fn(f64, [f64; 3], &mut [f64]),
    pub(super) equilibrium_of_sets: fn(f64, [f64; 3], &[f64], &mut [f64]),
}

/// [`Body::viscosity`].
type StatedViscosity = fn(&[f64], [f64; 3], &[f64], &[f64]) -> Option<f64>;

/// [`Body::force`].
type StatedForce = fn(&[f64], [f64; 3], &[f64], &[f64]) -> Option<[f64; 3]>;

/// From what comes to a node, its fields and the coefficients to what leaves it.
type Collides = fn(&[f64], &[f64], &[f64], &mut [f64]);

/// A body's programs for a single node, in one arithmetic type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Programs {
    pub(super) collide: Collides,
    pub(super) gather: Collides,
    pub(super) rebuild: fn(&[f64], &mut [f64]),
    pub(super) derive: Derives,
}

impl Programs {
    fn of<B: Body, T: Real>() -> Programs {
        Programs {
            collide: |before, fields, k, after| {
                at_a_node::<B, T>(before, fields, k, after, |site, k| B::collide(site, k));
            },
            gather: |before, fields, k, moments| {
                at_a_node::<B, T>(before, fields, k, moments, |site, k| B::gather(site, k));
            },
            rebuild: |moments, after| {
                at_a_node::<B, T>(moments, &[], &[], after, |site, _| B::rebuild_all(site));
            },
            derive: derive_at_a_node::<B, T>,
        }
    }
}

impl BodyFacts {
    /// Whether the force differs from node to node: a field, or one that a model states.
    #[must_use]
    pub fn force_varies(&self) -> bool {
        self.force_field || self.states_force
    }

    /// How many numbers a node has beside its populations: fields that are set, and those that follow.
    #[must_use]
    pub const fn field_count(&self) -> usize {
        self.fields.len() + self.derived.len()
    }

    /// The pass whose fields nobody reads but the collision of their own node, if passes read others': the last one.
    #[must_use]
    pub const fn joined_pass(&self) -> Option<usize> {
        match self.derivations.len() {
            0 | 1 => None,
            passes => Some(passes - 1),
        }
    }

    /// How far away fields are read along an axis at most, nodes.
    #[must_use]
    pub const fn reach(&self) -> usize {
        reach(self.derivations)
    }

    /// Those of a body, under the name of its collision.
    #[must_use]
    pub fn of<B: Body>(collision: &'static str) -> BodyFacts {
        BodyFacts {
            collision,
            text: B::DEVICE,
            parameters: B::PARAMETERS,
            defaults: B::DEFAULTS,
            ranges: B::RANGES,
            fields: B::FIELDS,
            derived: B::DERIVED,
            derivations: B::DERIVATIONS,
            baked_viscosity: B::BAKED_VISCOSITY,
            forced: B::FORCED,
            force_field: B::FORCE_FIELD,
            states_force: B::STATES_FORCE,
            uniform_count: B::filled(0u8).as_ref().len(),
            moments: B::MOMENTS,
            sets_in_moments: B::SETS_IN_MOMENTS,
            uniforms: |parameters| B::uniforms(parameters).as_ref().to_vec(),
            programs: [Programs::of::<B, f32>(), Programs::of::<B, f64>()],
            macroscopic: B::macroscopic::<f64>,
            viscosity: B::viscosity,
            force: B::force,
            equilibrium: B::equilibrium,
            equilibrium_of_sets: B::equilibrium_of_sets,
        }
    }
}

/// Runs a program at a node, of numbers that are exact in the arithmetic type. `after` takes as many as it has room for: fewer
/// moments than populations carry a collision.
fn at_a_node<B: Body, T: Real>(
    before: &[f64],
    fields: &[f64],
    uniforms: &[f64],
    after: &mut [f64],
    program: impl FnOnce(&mut Slices<'_, T>, &B::Uniforms<T>),
) {
    let (mut k, mut h) = (B::filled(T::default()), B::Lattice::filled(T::default()));
    T::narrow(uniforms, k.as_mut());
    T::narrow(before, h.as_mut());
    let fields = T::narrowed(fields);
    let mut left = h;
    program(&mut Slices { before: h.as_ref(), after: left.as_mut(), fields: &fields }, &k);
    T::widen(left.as_ref(), after);
}
