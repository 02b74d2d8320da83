//! What a collision is at run time. Its maths lives in the declaration; `solver!` turns that into a [`Body`].

pub use lbm_base::body::{MOST_MOMENTS, Operations, SetMoments};
pub use lbm_base::declared::{Collision, Declared, FORCES, Functions};

use crate::derived::{Derivation, DerivedField};
use crate::lanes::Lanes;
use crate::lattice::Lattice;
use crate::range::Range;
use crate::written::Written;

/// A value that a collision reads of each node, where each node has one of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NodeField {
    /// Its name as declared, e.g. `solidity`, or that of a member of a family, e.g. `drag_x`.
    pub name: &'static str,
    /// The value of all nodes if none is set; without one it must be.
    pub default: Option<f64>,
    /// What it may be.
    pub range: Range,
}

impl NodeField {
    /// One of this name, default and range.
    #[must_use]
    pub const fn new(name: &'static str, default: Option<f64>, range: Range) -> NodeField {
        NodeField { name, default, range }
    }
}

/// A collision specialised to a lattice, equilibrium and forcing: what `solver!` emits.
///
/// All populations are *shifted*: h_i = f_i - w_i. That keeps the digits of small deviations from rest, and
/// is what every precision stores.
pub trait Body: Send + Sync + 'static {
    /// The lattice it was emitted for.
    type Lattice: Lattice;
    /// One value for each coefficient that is the same for all nodes.
    type Uniforms<T: Copy + Send + Sync>: AsRef<[T]> + AsMut<[T]> + Copy + Send + Sync;
    /// Names of the parameters that stay free at run time, in the order of `parameters` below.
    /// `viscosity` (lattice units) and, with forcing, `force_x`, `force_y`, `force_z` are among them.
    const PARAMETERS: &'static [&'static str];
    /// The value that a parameter has if nobody sets it, if the declaration gives one.
    const DEFAULTS: &'static [Option<f64>];
    /// What each parameter may be, as the declaration says; of those that are not listed any number.
    const RANGES: &'static [Range] = &[];
    /// What it reads of each node beside populations: [`Site::field`] n is the n-th of these.
    const FIELDS: &'static [NodeField] = &[];
    /// Fields of nodes that follow from populations and from one another, behind those of [`FIELDS`](Body::FIELDS).
    const DERIVED: &'static [DerivedField] = &[];
    /// The passes that compute them, before nodes collide.
    const DERIVATIONS: &'static [Derivation] = &[];
    /// The value of the viscosity where it is baked into the kernel.
    const BAKED_VISCOSITY: Option<f64>;
    /// Whether a constant body force enters (the forcing axis).
    const FORCED: bool;
    /// Whether each node has a body force of its own: then the first D of [`FIELDS`](Body::FIELDS) are its components.
    const FORCE_FIELD: bool = false;
    /// Whether a model states a [`force`](Body::force) of its own.
    const STATES_FORCE: bool = false;
    /// Additions, multiplications, divisions (an fma counts as one addition and one multiplication) and
    /// fmas among them, of one node's collision.
    const OPERATIONS: Operations;
    /// How many moments carry the collision's result, or 0 if they do not: M = 1 + D + D (D + 1) / 2 of one set of populations, of several those
    /// of [`SETS_IN_MOMENTS`](Body::SETS_IN_MOMENTS) together, at most [`MOST_MOMENTS`].
    ///
    /// Where they do, the post-collision populations are h*_i = w_i (s* + c_i.j* / cs2 + c_i c_i : P* / (2 cs2^2))
    /// with the moments, in this order, s* = sum h*_i - tr P* / (2 cs2), which all directions share, the components of
    /// j* = sum c_i h*_i, and of P* = sum (c_i c_i - cs2) h*_i those at xx, xy, (xz,) yy, (yz, zz); all in lattice units. [`collide`](Body::collide)
    /// is then [`gather`](Body::gather) followed by [`rebuild_all`](Body::rebuild_all), to the bit. Where they are not of this form, higher Hermite coefficients may follow by recursion, and
    /// as many values carry them: [`SetMoments::Recursive`].
    ///
    /// Source: Latt & Chopard, Math. Comput. Simul. 72 (2006) 165.
    const MOMENTS: usize = 0;
    /// Which of these values each set of populations has, set after set, where a node has several; of one set what it has, unless it is of second order.
    const SETS_IN_MOMENTS: &'static [SetMoments] = &[];
    /// The body as CUDA C++, if it has one: a generated body does, one written by hand in Rust need not.
    const DEVICE: Option<DeviceText> = None;
    /// The body as text to read, if it was generated.
    const WRITTEN: Option<Written> = None;

    /// `Uniforms` filled with one value.
    fn filled<T: Copy + Send + Sync>(value: T) -> Self::Uniforms<T>;
    /// The uniform coefficients from the parameters, in f64; they are rounded once to the arithmetic type.
    fn uniforms(parameters: &[f64]) -> Self::Uniforms<f64>;
    /// Collides a node: reads pre-collision populations from it, as often as it needs them, and writes each
    /// post-collision population as soon as it is known, so that few are held at once.
    fn collide<V: Lanes>(site: &mut impl Site<V>, k: &Self::Uniforms<V>);
    /// A pass that computes [fields](Body::DERIVED) of a node: the first one reads populations that come to it, and [fields](Site::field) that are
    /// set, a later one [values at neighbours](Site::near). The n-th of its fields is written to place n.
    ///
    /// # Panics
    /// If there is no such pass.
    #[inline(always)]
    fn derive<V: Lanes>(_pass: usize, _site: &mut impl Site<V>, _k: &Self::Uniforms<V>) {
        unreachable!("the collision derives no fields: `Body::DERIVATIONS` is empty")
    }
    /// The first half of a collision that moments carry: like [`collide`](Body::collide), but writes moment n, not population
    /// n, to the site's place n.
    ///
    /// # Panics
    /// If [`MOMENTS`](Body::MOMENTS) is 0, as do the functions below.
    #[inline(always)]
    fn gather<V: Lanes>(_site: &mut impl Site<V>, _k: &Self::Uniforms<V>) {
        has_no_moments()
    }
    /// The second half for one direction: its post-collision population from the moments, with the operations of
    /// [`rebuild_all`](Body::rebuild_all) that it needs, and so its bits.
    #[inline(always)]
    fn rebuild<V: Lanes>(_i: usize, _moment: impl Fn(usize) -> V) -> V {
        has_no_moments()
    }
    /// The second half for all directions: the site reads moment n at place n and takes populations.
    #[inline(always)]
    fn rebuild_all<V: Lanes>(_site: &mut impl Site<V>) {
        has_no_moments()
    }
    /// Density and velocity `[rho, u_x, u_y, u_z]` from *pre-collision* populations, of one node or several side by side. With the force's sign
    /// turned in `force` the same formula serves post-collision populations, since a collision adds
    /// exactly F to the momentum. Over vectors it must be `#[inline(always)]`, as [`collide`](Body::collide).
    fn macroscopic<V: Lanes<Scalar = f64>>(h: &[V], force: [V; 3]) -> [V; 4];
    /// The viscosity of a node with these *pre-collision* populations and [`FIELDS`](Body::FIELDS), where the collision states one of its own;
    /// the stress follows it.
    fn viscosity(_h: &[f64], _force: [f64; 3], _parameters: &[f64], _fields: &[f64]) -> Option<f64> {
        None
    }
    /// The body force of a node with these populations, before the collision or after, if a model states one of its own; `force` is what it is
    /// given beside.
    fn force(_h: &[f64], _force: [f64; 3], _parameters: &[f64], _fields: &[f64]) -> Option<[f64; 3]> {
        None
    }
    /// Equilibrium populations, shifted, of a node with this density and velocity; those of further sets have the sum that they have at rest.
    fn equilibrium(rho: f64, u: [f64; 3], h: &mut [f64]);
    /// The same with the sums of the sets of populations after the first.
    fn equilibrium_of_sets(rho: f64, u: [f64; 3], _sums: &[f64], h: &mut [f64]) {
        Self::equilibrium(rho, u, h);
    }
}

#[cold]
fn has_no_moments() -> ! {
    unreachable!("moments do not carry this collision: `Body::MOMENTS` is 0")
}

/// A body as statements of CUDA C++, with the operations of [`Body::collide`] in the same order.
///
/// They speak of a type `real`, of arrays `h`, `field`, `post`, `m`, `k`, `force` and `fields`, and of functions `fma_rn`, `div_rn`, `rcp_rn`,
/// `sqrt_rn`, `smaller` and `larger` that round once, and of `exp_of`, `log_of`, `pow_of` ([`text`](crate::elementary::text)). Numbers stand in guillemets, for [`numbers`](DeviceText::numbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceText {
    /// From populations `h[i]`, uniforms `k[n]` and the node's `field[n]` ([`Body::FIELDS`]) to `post[i]`.
    pub collide: &'static str,
    /// From populations `h[i]` and a force `force[a]` to `fields`: density, then the velocity's components.
    pub macroscopic: &'static str,
    /// The two halves of `collide`, if moments carry its result ([`Body::MOMENTS`]).
    pub halves: Option<DeviceHalves>,
    /// The passes of [`Body::DERIVATIONS`]: from `h[i]`, `k[n]` and `field[n]`, or from `k[n]` and `near[n]`, the pass's reads, to `derived[n]`.
    pub derivations: &'static [&'static str],
    /// The first of these in two parts, to `derived[n]`, if moments carry the collision.
    pub first_derivation: Option<DeviceParts>,
}

/// A collision that moments carry, in two halves, as statements of CUDA C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceHalves {
    /// From populations `h[i]`, uniforms `k[n]` and the node's `field[n]` to moments `m[n]` ([`Body::gather`]).
    pub gather: &'static str,
    /// `gather` in two parts.
    pub parts: DeviceParts,
    /// From moments `m[n]` to `post[i]` ([`Body::rebuild_all`]).
    pub rebuild_all: &'static str,
    /// For each direction, from moments `m[n]` to a variable `population`, which they set ([`Body::rebuild`]).
    pub rebuild: &'static [&'static str],
    /// Whether all this is the same in every unit of populations and moments, so that values may be computed with in the one in
    /// which they are stored ([`Precision::UNIT`](crate::Precision::UNIT)).
    pub homogeneous: bool,
}

impl DeviceHalves {
    /// The halves of these texts, `gather` as a whole and in its parts.
    #[must_use]
    pub const fn new(
        gather: &'static str,
        parts: DeviceParts,
        rebuild_all: &'static str,
        rebuild: &'static [&'static str],
        homogeneous: bool,
    ) -> DeviceHalves {
        DeviceHalves { gather, parts, rebuild_all, rebuild, homogeneous }
    }
}

/// What is made of populations in two parts, as statements of CUDA C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceParts {
    /// The first part, which needs no population that comes down along the lattice's last axis: from `h[i]` to values `c[n]`.
    pub early: &'static str,
    /// The part after that: from `c[n]`, the populations `h[i]` that come down, uniforms `k[n]` and the node's `field[n]`, to what is made.
    pub late: &'static str,
    /// How many values `c[n]` wait in between.
    pub waiting: usize,
    /// The part after that in two, where it reads fields of the node.
    pub around_fields: Option<AroundFields>,
}

/// What is done before fields of a node are known, and with them, as statements of CUDA C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AroundFields {
    /// From `c[n]`, the populations `h[i]` that come down and uniforms `k[n]` to values `d[n]`.
    pub before: &'static str,
    /// From `d[n]`, uniforms `k[n]` and the node's `field[n]` to what is made.
    pub after: &'static str,
    /// How many values `d[n]` are held in between.
    pub held: usize,
}

impl DeviceParts {
    /// The parts of these texts, between which so many values wait.
    #[must_use]
    pub const fn new(early: &'static str, late: &'static str, waiting: usize) -> DeviceParts {
        DeviceParts { early, late, waiting, around_fields: None }
    }

    /// The same with the later part in two, around what fields are read.
    #[must_use]
    pub const fn around_fields(self, before: &'static str, after: &'static str, held: usize) -> DeviceParts {
        DeviceParts { around_fields: Some(AroundFields { before, after, held }), ..self }
    }
}

impl DeviceText {
    /// A body of these statements.
    #[must_use]
    pub const fn new(
        collide: &'static str,
        macroscopic: &'static str,
        halves: Option<DeviceHalves>,
    ) -> DeviceText {
        DeviceText { collide, macroscopic, halves, derivations: &[], first_derivation: None }
    }

    /// The same with passes before the collision, of which the first may have parts.
    #[must_use]
    pub const fn with_derivations(
        self,
        derivations: &'static [&'static str],
        first_derivation: Option<DeviceParts>,
    ) -> DeviceText {
        DeviceText { derivations, first_derivation, ..self }
    }

    /// A text with every number printed by `show`, in the width of the arithmetic type, for populations that are `unit` times as large.
    #[must_use]
    pub fn numbers(text: &str, unit: f64, show: impl Fn(f64) -> String) -> String {
        let mut parts = text.split('«');
        let mut printed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_once('»').expect("the emitter closes every number");
            let (number, unit) = number.strip_suffix('*').map_or((number, 1.0), |number| (number, unit));
            let number: f64 = number.parse().expect("the emitter prints numbers of Rust");
            printed += &show(number * unit);
            printed += rest;
        }
        printed
    }
}

/// A node, or as many side by side as there are lanes: where a collision finds and leaves populations, or a half of it moments.
///
/// Reads must give the pre-collision populations even after writes.
pub trait Site<V: Lanes> {
    /// The pre-collision population of direction `i`, shifted.
    fn read(&self, i: usize) -> V;
    /// Takes the post-collision population of direction `i`, shifted.
    fn write(&mut self, i: usize, value: V);
    /// The node's value of field `n` ([`Body::FIELDS`], then [`Body::DERIVED`]).
    ///
    /// # Panics
    /// By default, at sites of nodes that have none.
    #[inline(always)]
    fn field(&self, _n: usize) -> V {
        has_no_fields()
    }
    /// The value of field `n` of the node so far away.
    ///
    /// # Panics
    /// By default, at sites that know their own node only.
    #[inline(always)]
    fn near(&self, _n: usize, _offset: [i32; 3]) -> V {
        has_no_fields()
    }
}

#[cold]
fn has_no_fields() -> ! {
    unreachable!("a collision reads the fields that it declares: `Body::FIELDS`")
}

/// A site in two slices of Q populations.
#[derive(Debug)]
pub struct Slices<'a, V> {
    /// Pre-collision populations.
    pub before: &'a [V],
    /// Post-collision populations.
    pub after: &'a mut [V],
    /// The values of [`Body::FIELDS`].
    pub fields: &'a [V],
}

impl<V: Lanes> Site<V> for Slices<'_, V> {
    #[inline(always)]
    fn read(&self, i: usize) -> V {
        self.before[i]
    }
    #[inline(always)]
    fn write(&mut self, i: usize, value: V) {
        self.after[i] = value;
    }
    #[inline(always)]
    fn field(&self, n: usize) -> V {
        self.fields[n]
    }
}
