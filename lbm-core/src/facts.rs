//! A variant as a value: what code that is compiled once, for all variants, asks of it.
//!
//! Only what runs for every node of every step is worth a copy of the machine code for each variant. All else (lists of
//! walls, texts for a device, random states, the plain reference) takes [`Facts`], and so is compiled once, in the crate
//! where it stands, however many variants a program has.

use std::any::TypeId;

use crate::addressing::{Addressing, Extent, Listing, Region};
use crate::collision::{Body, DeviceText};
use crate::crossings::Blocks;
use crate::index::Expression;
use crate::lanes::Real;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::links::half_way;
use crate::precision::Precision;
use crate::streaming::{Access, Pattern, Streaming};
use crate::variant::{Arithmetic, Storage, Variant};

mod bounce;
mod drift;
mod moments;
mod places;
mod stored;

pub use bounce::Bounce;
pub use drift::{Drift, spare};
use places::{MakePlaces, placed};
pub use places::{Placed, Places};

/// A variant without its type.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    name: fn() -> String,
    /// Velocities and weights.
    pub lattice: LatticeFacts,
    /// What is stored and what a step does.
    pub pattern: Pattern,
    /// Name of the addressing ([`Addressing::NAME`]).
    pub addressing: &'static str,
    /// Name of the layout ([`Layout::NAME`]).
    pub layout: &'static str,
    /// Copies of the state in memory.
    pub copies: usize,
    /// After so many steps the reads repeat.
    pub period: usize,
    /// How many steps a device does at once, where the name fixes it ([`Streaming::STEPS_AT_ONCE`]).
    pub steps_at_once: Option<usize>,
    /// Whether what is sent into walls is kept beside the populations ([`Pattern::keeps_sent`]; where nodes are listed, if a
    /// [`Bounce`] is).
    pub keeps_sent: bool,
    /// Whether nodes are listed ([`Addressing::LISTED`]).
    pub listed: bool,
    /// Storage nodes of a group ([`Addressing::GROUP`]).
    pub group: usize,
    /// What lengths of periodic boxes must be a multiple of ([`Addressing::GRANULE`]).
    pub granule: [usize; 3],
    list: fn(&Region<'_>) -> Listing,
    read: fn(usize, usize) -> Access,
    write: fn(usize, usize) -> Access,
    ends: fn(usize, usize) -> [Access; 2],
    moment: fn(usize) -> Access,
    /// Name of the precision ([`Precision::NAME`]).
    pub precision: &'static str,
    /// Whether stored values are those of the arithmetic, of the same type ([`Precision::PLAIN`]).
    pub plain: bool,
    /// Bytes of a stored value.
    pub stored_bytes: usize,
    /// The conversions between storage and arithmetic as CUDA C++ ([`Precision::DEVICE`]).
    pub stored_text: Option<&'static str>,
    /// What values are multiplied by before they are stored ([`Precision::UNIT`]).
    pub stored_unit: f64,
    /// The arithmetic type.
    pub arithmetic: Arithmetics,
    /// The body as CUDA C++ ([`Body::DEVICE`]).
    pub body_text: Option<DeviceText>,
    /// Free parameters ([`Body::PARAMETERS`]).
    pub parameters: &'static [&'static str],
    /// Their defaults ([`Body::DEFAULTS`]).
    pub defaults: &'static [Option<f64>],
    /// The viscosity where it is baked in ([`Body::BAKED_VISCOSITY`]).
    pub baked_viscosity: Option<f64>,
    /// Whether a body force enters ([`Body::FORCED`]).
    pub forced: bool,
    /// How many coefficients are the same for all nodes.
    pub uniform_count: usize,
    uniforms: fn(&[f64]) -> Vec<f64>,
    store: fn(f64) -> f64,
    collide: fn(&[f64], &[f64], &mut [f64]),
    /// How many moments carry the collision's result, or 0 ([`Body::MOMENTS`]).
    pub moments: usize,
    gather: fn(&[f64], &[f64], &mut [f64]),
    rebuild: fn(&[f64], &mut [f64]),
    macroscopic: fn(&[f64], [f64; 3]) -> [f64; 4],
    equilibrium: fn(f64, [f64; 3], &mut [f64]),
    places: MakePlaces<usize>,
    printed: MakePlaces<Expression>,
}

/// A lattice without its type.
#[derive(Clone, Copy, Debug)]
pub struct LatticeFacts {
    /// [`Lattice::NAME`]
    pub name: &'static str,
    /// [`Lattice::D`]
    pub dimension: usize,
    /// [`Lattice::VELOCITIES`]
    pub velocities: &'static [[i32; 3]],
    /// [`Lattice::OPPOSITES`]
    pub opposites: &'static [usize],
    /// [`Lattice::WEIGHTS`]
    pub weights: &'static [f64],
    /// [`Lattice::CS2`]
    pub cs2: f64,
}

impl LatticeFacts {
    /// Those of a lattice.
    #[must_use]
    pub const fn of<L: Lattice>() -> LatticeFacts {
        LatticeFacts {
            name: L::NAME,
            dimension: L::D,
            velocities: L::VELOCITIES,
            opposites: L::OPPOSITES,
            weights: L::WEIGHTS,
            cs2: L::CS2,
        }
    }

    /// Number of velocities.
    #[must_use]
    pub const fn q(&self) -> usize {
        self.velocities.len()
    }

    /// What half-way bounce-back adds to the population that comes back along c_i from a wall moving with `velocity`
    /// (lattice units): 2 w_i rho0 (c_i . u_w) / c_s^2 with rho0 = 1.
    ///
    /// A wall at rest adds minus zero, which changes no number: it need not be added at all.
    ///
    /// Source: Ladd, J. Fluid Mech. 271 (1994) 285; the reference density keeps the mass of a closed box.
    #[must_use]
    pub fn wall_term(&self, i: usize, velocity: [f64; 3]) -> f64 {
        let c = self.velocities[i].map(f64::from);
        let along = c[0] * velocity[0] + c[1] * velocity[1] + c[2] * velocity[2];
        if along == 0.0 { -0.0 } else { 2.0 * self.weights[i] * along / self.cs2 }
    }

    /// The terms of each direction of each of these walls: direction i of wall w at `w Q + i`.
    #[must_use]
    pub fn wall_terms(&self, walls: &[[f64; 3]]) -> Vec<f64> {
        walls.iter().flat_map(|&velocity| (0..self.q()).map(move |i| self.wall_term(i, velocity))).collect()
    }
}

/// An arithmetic type as a value. Its numbers travel as f64, which holds them exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetics {
    /// 32 bits
    F32,
    /// 64 bits
    F64,
}

impl Arithmetics {
    /// That of a type.
    #[must_use]
    pub const fn of<T: Real>() -> Arithmetics {
        if size_of::<T>() == 8 { Arithmetics::F64 } else { Arithmetics::F32 }
    }

    /// Bytes of a number.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Arithmetics::F32 => 4,
            Arithmetics::F64 => 8,
        }
    }

    /// A number rounded to this type, to nearest even.
    #[must_use]
    pub fn round(self, x: f64) -> f64 {
        match self {
            Arithmetics::F32 => f64::from(x as f32),
            Arithmetics::F64 => x,
        }
    }

    /// [`half_way`] in this type.
    #[must_use]
    pub fn half_way(self, sent: f64, term: f64) -> f64 {
        match self {
            Arithmetics::F32 => f64::from(half_way(sent as f32, term as f32)),
            Arithmetics::F64 => half_way(sent, term),
        }
    }

    /// The bits of a number, rounded to this type.
    #[must_use]
    pub fn bits(self, x: f64) -> u64 {
        match self {
            Arithmetics::F32 => u64::from((x as f32).to_bits()),
            Arithmetics::F64 => x.to_bits(),
        }
    }

    /// Numbers, rounded to this type, as they are in memory.
    #[must_use]
    pub fn in_memory(self, numbers: &[f64]) -> Vec<u8> {
        match self {
            Arithmetics::F32 => numbers.iter().flat_map(|&x| (x as f32).to_ne_bytes()).collect(),
            Arithmetics::F64 => numbers.iter().flat_map(|&x| x.to_ne_bytes()).collect(),
        }
    }
}

fn uniforms<B: Body>(parameters: &[f64]) -> Vec<f64> {
    B::uniforms(parameters).as_ref().to_vec()
}

fn store<P: Precision>(value: f64) -> f64 {
    P::decode(P::encode(P::Arithmetic::from_f64(value))).to_f64()
}

fn collide<B: Body, T: Real>(before: &[f64], uniforms: &[f64], after: &mut [f64]) {
    let (mut k, mut h) = (B::filled(T::default()), B::Lattice::filled(T::default()));
    narrow(uniforms, k.as_mut());
    narrow(before, h.as_mut());
    let collided = B::collide_node(&h, &k);
    widen(collided.as_ref(), after);
}

/// Numbers that are exact in the arithmetic type.
fn narrow<T: Real>(from: &[f64], to: &mut [T]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = T::from_f64(from);
    }
}

/// The same numbers as f64, as many as there is room for.
fn widen<T: Real>(from: &[T], to: &mut [f64]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = from.to_f64();
    }
}

impl Facts {
    /// Those of a variant.
    #[must_use]
    pub fn of<V: Variant>() -> Facts {
        const { crate::legal::check::<V>() }
        let mut facts = Facts {
            name: V::name,
            lattice: LatticeFacts::of::<V::Lattice>(),
            pattern: V::Streaming::PATTERN,
            addressing: V::Addressing::NAME,
            layout: V::Layout::NAME,
            copies: V::Streaming::PATTERN.state().copies,
            period: V::Streaming::PATTERN.period,
            steps_at_once: V::Streaming::STEPS_AT_ONCE,
            keeps_sent: V::Streaming::PATTERN.keeps_sent(),
            listed: V::Addressing::LISTED,
            group: V::Addressing::GROUP,
            granule: V::Addressing::GRANULE,
            list: V::Addressing::list,
            read: V::Streaming::read::<V::Lattice>,
            write: V::Streaming::write::<V::Lattice>,
            ends: V::Streaming::ends::<V::Lattice>,
            moment: V::Streaming::moment::<V::Lattice>,
            precision: V::Precision::NAME,
            plain: V::Precision::PLAIN && TypeId::of::<Storage<V>>() == TypeId::of::<Arithmetic<V>>(),
            stored_bytes: size_of::<Storage<V>>(),
            stored_text: V::Precision::DEVICE,
            stored_unit: V::Precision::UNIT,
            arithmetic: Arithmetics::of::<Arithmetic<V>>(),
            body_text: V::Body::DEVICE,
            parameters: V::Body::PARAMETERS,
            defaults: V::Body::DEFAULTS,
            baked_viscosity: V::Body::BAKED_VISCOSITY,
            forced: V::Body::FORCED,
            uniform_count: V::Body::filled(0u8).as_ref().len(),
            uniforms: uniforms::<V::Body>,
            store: store::<V::Precision>,
            collide: collide::<V::Body, Arithmetic<V>>,
            moments: V::Body::MOMENTS,
            gather: moments::gather::<V::Body, Arithmetic<V>>,
            rebuild: moments::rebuild::<V::Body, Arithmetic<V>>,
            macroscopic: V::Body::macroscopic,
            equilibrium: V::Body::equilibrium,
            places: placed::<usize, V::Addressing, V::Layout>,
            printed: placed::<
                Expression,
                <V::Addressing as Addressing>::On<Expression>,
                <V::Layout as Layout>::On<Expression>,
            >,
        };
        if facts.listed {
            facts.keeps_sent = facts.keeps_links();
        }
        facts
    }

    /// The variant's name.
    #[must_use]
    pub fn name(&self) -> String {
        (self.name)()
    }

    /// Where direction `i` is read in `phase`.
    #[must_use]
    pub fn read(&self, i: usize, phase: usize) -> Access {
        (self.read)(i, phase)
    }

    /// Where direction `i` is written in `phase`.
    #[must_use]
    pub fn write(&self, i: usize, phase: usize) -> Access {
        (self.write)(i, phase)
    }

    /// The two ends of a node's link along direction `i` ([`Streaming::ends`]).
    #[must_use]
    pub fn ends(&self, i: usize, phase: usize) -> [Access; 2] {
        (self.ends)(i, phase)
    }

    /// How a box is cut in blocks, where these have rings of ghost values.
    #[must_use]
    pub fn blocks(&self) -> Option<Blocks> {
        let extents = self.pattern.blocks()?;
        let upstream = |i| self.read(i, 0).shift.map(|component: i32| -component);
        let extent = extents.extent(self.lattice.dimension, self.arithmetic.bytes());
        Some(Blocks::new((0..self.lattice.q()).map(upstream), extent))
    }

    /// Where each slot begins when step `step` writes it, in a box of these places and `size` nodes: storage node n of
    /// the slot is at `(n + origin) mod nodes`. A circular slot turns by its velocity in each step and is read where it is
    /// written; all slots of a copy that drifts turn by its spare planes, and are read where the step before wrote them. Zeros
    /// where slots do not turn.
    ///
    /// Source: Dethier, de Marneffe, Marchot, Procedia Computer Science 4 (2011) 1004; Khani & Wu, Eq. 18.
    #[must_use]
    pub fn origins(&self, step: i64, places: &dyn Places<usize>, size: [usize; 3]) -> Vec<usize> {
        if let Some(drift) = self.drift(size) {
            let plane = places.nodes() / drift.stored();
            return vec![drift.origin(step) * plane; self.slots()];
        }
        let strides = [1, places.row(), places.row() * size[1]];
        let origin = |c: &[i32; 3]| {
            let turn: i128 = (0..3).map(|axis| i128::from(c[axis]) * strides[axis] as i128).sum();
            (-turn * i128::from(step)).rem_euclid(places.nodes() as i128) as usize
        };
        if !self.pattern.turns() {
            return vec![0; self.slots()];
        }
        self.lattice.velocities.iter().map(origin).collect()
    }

    /// The coefficients that are the same for all nodes, each rounded once to the arithmetic type.
    #[must_use]
    pub fn uniforms(&self, parameters: &[f64]) -> Vec<f64> {
        (self.uniforms)(parameters).into_iter().map(|k| self.arithmetic.round(k)).collect()
    }

    /// A number of the arithmetic type as it comes back from memory.
    #[must_use]
    pub fn store(&self, value: f64) -> f64 {
        (self.store)(value)
    }

    /// The post-collision populations of a node, before they are stored, from its pre-collision ones and the [`uniforms`](Facts::uniforms).
    pub fn collide(&self, before: &[f64], uniforms: &[f64], after: &mut [f64]) {
        (self.collide)(before, uniforms, after);
    }

    /// Density and velocity of a node ([`Body::macroscopic`]).
    #[must_use]
    pub fn macroscopic(&self, h: &[f64], force: [f64; 3]) -> [f64; 4] {
        (self.macroscopic)(h, force)
    }

    /// Equilibrium populations of a node ([`Body::equilibrium`]).
    pub fn equilibrium(&self, rho: f64, u: [f64; 3], h: &mut [f64]) {
        (self.equilibrium)(rho, u, h);
    }

    /// Lists the storage nodes of a region, where the addressing does.
    #[must_use]
    pub fn list(&self, region: &Region<'_>) -> Listing {
        (self.list)(region)
    }

    /// Where values lie in a copy, for a box that is stored as a whole.
    #[must_use]
    pub fn places(&self, size: [usize; 3], row_multiple: usize, slack: usize) -> Box<dyn Places<usize>> {
        (self.places)(self, &Extent::of_box(self.stored_size(size), row_multiple), slack)
    }

    /// The same as text.
    #[must_use]
    pub fn printed_places(
        &self,
        size: [Expression; 3],
        row_multiple: usize,
        slack: usize,
    ) -> Box<dyn Places<Expression>> {
        (self.printed)(self, &Extent::of_box(self.stored_size(size), row_multiple), slack)
    }

    /// Where values lie in a copy of listed nodes.
    #[must_use]
    pub fn listed_places(&self, extent: &Extent<usize>) -> Box<dyn Places<usize>> {
        (self.places)(self, extent, 0)
    }

    /// The same as text.
    #[must_use]
    pub fn printed_listed_places(&self, extent: &Extent<Expression>) -> Box<dyn Places<Expression>> {
        (self.printed)(self, extent, 0)
    }
}
