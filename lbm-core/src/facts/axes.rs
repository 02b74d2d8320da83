//! What is to be known of a value of each axis, without its type. A variant's [`Facts`](super::Facts) are composed of these, so that
//! values which were never compiled together can be put together in a running program.

use std::any::TypeId;

use super::declared::declared;
use super::deriving::{Derives, derive_at_a_node};
use super::places::{MakeAddressing, MakeLayout};
use super::rounding::Rounding;
use super::{Arithmetics, LatticeFacts};
use crate::addressing::{Addressing, Listing, Region};
use crate::collision::{Body, DeviceText, NodeField, Slices};
use crate::derived::{Derivation, DerivedField, reach};
use crate::index::Expression;
use crate::lanes::Real;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::parallel::each_chunk;
use crate::precision::{Conversions, Precision};
use crate::range::Range;
use crate::streaming::{Access, Pattern, Reads, Streaming};

/// A streaming pattern on a lattice.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StreamingFacts {
    /// What is stored and what a step does.
    pub pattern: Pattern,
    /// How many steps a device does at once, where the name fixes it ([`Streaming::STEPS_AT_ONCE`]); else the launch shape says.
    pub steps_at_once: Option<usize>,
    /// How it is declared: its type, as it is written where it is in scope by its name.
    pub declared: fn() -> String,
    pub(super) read: fn(usize, usize) -> Access,
}

impl StreamingFacts {
    /// Those of a pattern on a lattice.
    #[must_use]
    pub const fn of<S: Streaming, L: Lattice>() -> StreamingFacts {
        StreamingFacts {
            pattern: S::PATTERN,
            steps_at_once: S::STEPS_AT_ONCE,
            declared: declared::<S>,
            read: S::read::<L>,
        }
    }

    /// Where direction `i` is read in `phase`.
    #[must_use]
    pub fn read(&self, i: usize, phase: usize) -> Access {
        (self.read)(i, phase)
    }

    /// Where direction `i` is written in `phase` ([`Derived::write`](crate::streaming::Derived::write)).
    #[must_use]
    pub fn write(&self, lattice: &LatticeFacts, i: usize, phase: usize) -> Access {
        self.reads(lattice).write(self.read, i, phase)
    }

    /// The two ends of a node's link along direction `i` before a step of `phase`: where the node has left what it sends along c_i,
    /// and where the node at x + c_i has left what it sends back.
    #[must_use]
    pub fn ends(&self, lattice: &LatticeFacts, i: usize, phase: usize) -> [Access; 2] {
        self.reads(lattice).ends(self.read, i, phase)
    }

    /// By how many nodes a slot turns in a step.
    pub(crate) fn turn(&self, lattice: &LatticeFacts, slot: usize) -> [i32; 3] {
        self.reads(lattice).turn(slot)
    }

    pub(super) fn reads(&self, lattice: &LatticeFacts) -> Reads {
        Reads::new(&self.pattern, lattice.velocities, lattice.opposites)
    }
}

/// An addressing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AddressingFacts {
    /// Its name ([`Addressing::NAME`]).
    pub name: &'static str,
    /// How it is declared, as of [`StreamingFacts::declared`].
    pub declared: fn() -> String,
    /// Whether nodes are listed ([`Addressing::LISTED`]).
    pub listed: bool,
    /// Storage nodes of a group ([`Addressing::GROUP`]).
    pub group: usize,
    /// What lengths of periodic boxes must be a multiple of ([`Addressing::GRANULE`]).
    pub granule: [usize; 3],
    pub(crate) list: fn(&Region<'_>) -> Listing,
    pub(super) made: MakeAddressing<usize>,
    pub(super) printed: MakeAddressing<Expression>,
}

impl AddressingFacts {
    /// Those of an addressing.
    #[must_use]
    pub const fn of<A: Addressing>() -> AddressingFacts {
        AddressingFacts {
            name: A::NAME,
            declared: declared::<A>,
            listed: A::LISTED,
            group: A::GROUP,
            granule: A::GRANULE,
            list: A::list,
            made: |extent| Box::new(A::new(extent)),
            printed: |extent| Box::new(A::On::<Expression>::new(extent)),
        }
    }
}

/// A layout.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LayoutFacts {
    /// Its name ([`Layout::NAME`]).
    pub name: &'static str,
    /// How it is declared, as of [`StreamingFacts::declared`].
    pub declared: fn() -> String,
    /// The tiles of which it orders the nodes ([`Layout::TILE`]).
    pub tile: Option<[usize; 3]>,
    pub(super) made: MakeLayout<usize>,
    pub(super) printed: MakeLayout<Expression>,
}

impl LayoutFacts {
    /// Those of a layout.
    #[must_use]
    pub const fn of<Y: Layout>() -> LayoutFacts {
        LayoutFacts {
            name: Y::NAME,
            declared: declared::<Y>,
            tile: Y::TILE,
            made: |contents| Box::new(Y::new(contents)),
            printed: |contents| Box::new(Y::On::<Expression>::new(contents)),
        }
    }
}

/// A precision.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PrecisionFacts {
    /// Its name ([`Precision::NAME`]).
    pub name: &'static str,
    /// How it is declared, as of [`StreamingFacts::declared`].
    pub declared: fn() -> String,
    /// Whether stored values are those of the arithmetic, of the same type ([`Precision::PLAIN`]).
    pub plain: bool,
    /// Bytes of a stored value.
    pub stored_bytes: usize,
    /// The conversions between storage and arithmetic as CUDA C++ ([`Precision::conversions`]).
    pub conversions: fn() -> Option<Conversions>,
    /// What values are multiplied by before they are stored ([`Precision::UNIT`]).
    pub stored_unit: f64,
    /// The arithmetic type.
    pub arithmetic: Arithmetics,
    pub(super) store: fn(f64) -> f64,
    pub(super) decode: unsafe fn(&[u8], &mut [f64]),
    pub(super) encode: fn(&[f64], &mut [u8]),
}

impl PrecisionFacts {
    /// Those of a precision.
    #[must_use]
    pub fn of<P: Precision>() -> PrecisionFacts {
        PrecisionFacts {
            name: P::NAME,
            declared: P::declared,
            plain: P::PLAIN && TypeId::of::<P::Storage>() == TypeId::of::<P::Arithmetic>(),
            stored_bytes: size_of::<P::Storage>(),
            conversions: P::conversions,
            stored_unit: P::UNIT,
            arithmetic: Arithmetics::of::<P::Arithmetic>(),
            store: |value| P::decode(P::encode(P::Arithmetic::from_f64(value))).to_f64(),
            decode: decode::<P>,
            encode: encode::<P>,
        }
    }
}

impl PrecisionFacts {
    /// How values are rounded when they are stored, found from the codes where there are 2^16.
    #[must_use]
    pub fn rounding(&self) -> Rounding {
        match self.stored_bytes {
            2 => Rounding::of_codes(|bytes, values| {
                // SAFETY: every pair of bytes is a code.
                unsafe { (self.decode)(bytes, values) };
            }),
            4 => Rounding {
                relative: f64::from(f32::EPSILON) / 2.0,
                absolute: 0.0,
                largest: f64::from(f32::MAX),
            },
            _ => Rounding { relative: f64::EPSILON / 2.0, absolute: 0.0, largest: f64::MAX },
        }
    }

    /// Values from the bytes in which they are stored, as many as there is room for, on all cores.
    ///
    /// # Safety
    /// The bytes are values of the storage type: what was [`encode`](PrecisionFacts::encode)d, or what a kernel has stored.
    pub unsafe fn decode(&self, bytes: &[u8], values: &mut [f64]) {
        let size = self.stored_bytes;
        assert_eq!(bytes.len(), size * values.len(), "the bytes of each value");
        each_chunk(values, AT_ONCE, |number, values| {
            // SAFETY: as the caller says.
            unsafe { (self.decode)(&bytes[number * AT_ONCE * size..], values) };
        });
    }

    /// The bytes in which values are stored, each rounded as a step rounds it, on all cores.
    pub fn encode(&self, values: &[f64], bytes: &mut [u8]) {
        let size = self.stored_bytes;
        assert_eq!(bytes.len(), size * values.len(), "the bytes of each value");
        each_chunk(bytes, AT_ONCE * size, |number, bytes| (self.encode)(&values[number * AT_ONCE..], bytes));
    }
}

/// Values that a core converts at a time.
const AT_ONCE: usize = 1 << 14;

/// See [`PrecisionFacts::decode`].
unsafe fn decode<P: Precision>(bytes: &[u8], values: &mut [f64]) {
    for (bytes, value) in bytes.chunks_exact(size_of::<P::Storage>()).zip(values) {
        // SAFETY: as many bytes as the type has, and a value of it, as the caller says.
        let stored = unsafe { bytes.as_ptr().cast::<P::Storage>().read_unaligned() };
        *value = P::decode(stored).to_f64();
    }
}

/// See [`PrecisionFacts::encode`].
fn encode<P: Precision>(values: &[f64], bytes: &mut [u8]) {
    for (&value, bytes) in values.iter().zip(bytes.chunks_exact_mut(size_of::<P::Storage>())) {
        let stored = P::encode(P::Arithmetic::from_f64(value));
        // SAFETY: there is room for as many bytes as the type has, which is a plain number.
        unsafe { bytes.as_mut_ptr().cast::<P::Storage>().write_unaligned(stored) };
    }
}

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
    pub(super) gather: fn(&[f64], &[f64], &mut [f64]),
    pub(super) rebuild: fn(&[f64], &mut [f64]),
    pub(super) derive: Derives,
}

impl Programs {
    fn of<B: Body, T: Real>() -> Programs {
        Programs {
            collide: |before, fields, k, after| {
                at_a_node::<B, T>(before, fields, k, after, |site, k| B::collide(site, k));
            },
            gather: |before, k, moments| {
                at_a_node::<B, T>(before, &[], k, moments, |site, k| B::gather(site, k));
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
            uniforms: |parameters| B::uniforms(parameters).as_ref().to_vec(),
            programs: [Programs::of::<B, f32>(), Programs::of::<B, f64>()],
            macroscopic: B::macroscopic,
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
    k.as_mut().iter_mut().zip(uniforms).for_each(|(k, &x)| *k = T::from_f64(x));
    h.as_mut().iter_mut().zip(before).for_each(|(h, &x)| *h = T::from_f64(x));
    let fields: Vec<T> = fields.iter().map(|&x| T::from_f64(x)).collect();
    let mut left = h;
    program(&mut Slices { before: h.as_ref(), after: left.as_mut(), fields: &fields }, &k);
    after.iter_mut().zip(left.as_ref()).for_each(|(x, left)| *x = left.to_f64());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{F16In32, F16In64, F32, F32In64, F64};

    #[test]
    fn values_return_as_a_step_stores_them() {
        fn roundtrip<P: Precision>() {
            let facts = PrecisionFacts::of::<P>();
            let values: Vec<f64> = (0..2 * AT_ONCE + 5).map(|n| (n as f64 * 0.7).sin() * 1e-3).collect();
            let (mut bytes, mut back) = (vec![1; values.len() * facts.stored_bytes], vec![1.0; values.len()]);
            facts.encode(&values, &mut bytes);
            // SAFETY: they were encoded just now.
            unsafe { facts.decode(&bytes, &mut back) };
            assert!(
                back.iter().zip(&values).all(|(back, &value)| *back == (facts.store)(value)),
                "{}",
                P::NAME
            );
            facts.encode(&[0.0], &mut bytes[..facts.stored_bytes]);
            assert!(bytes[..facts.stored_bytes].iter().all(|&byte| byte == 0), "{}", P::NAME);
        }
        roundtrip::<F32>();
        roundtrip::<F64>();
        roundtrip::<F32In64>();
        roundtrip::<F16In32>();
        roundtrip::<F16In64>();
    }
}
