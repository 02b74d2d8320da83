//! A variant as a value: what code that is compiled once, for all variants, asks of it.
//!
//! Only what runs for every node of every step is worth a copy of the machine code for each variant. All else (lists of
//! walls, texts for a device, random states, the plain reference) takes [`Facts`], and so is compiled once, in the crate
//! where it stands, however many variants a program has.

use crate::crossings::Blocks;
use crate::derived::Padded;
use crate::error::Error;
use crate::index::Index;
use crate::lanes::Real;
use crate::lattice::{Lattice, Set};
use crate::legal::{NodeReads, refusal_of};
use crate::links::half_way;
use crate::streaming::{Access, Pattern, Reads, Rings};
use crate::variant::Variant;

mod axes;
mod bounce;
mod declared;
mod deriving;
mod drift;
mod moments;
mod of_a_node;
mod places;
mod rounding;
mod stored;

pub use axes::{AddressingFacts, BodyFacts, LayoutFacts, PrecisionFacts, StreamingFacts};
pub(crate) use declared::declared;
pub use drift::{Drift, spare};
pub use places::Places;
pub use rounding::Rounding;

/// A variant without its type: a value of each axis.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Facts {
    /// Velocities and weights.
    pub lattice: LatticeFacts,
    /// The collision on that lattice.
    pub body: BodyFacts,
    /// Storage and arithmetic type.
    pub precision: PrecisionFacts,
    /// The memory layout.
    pub layout: LayoutFacts,
    /// The addressing.
    pub addressing: AddressingFacts,
    /// The streaming pattern on that lattice.
    pub streaming: StreamingFacts,
    /// What is stored and what a step does: the streaming's.
    pub pattern: Pattern,
    /// How its places move from step to step.
    pub rings: Rings,
    /// Copies of the state in memory.
    pub copies: usize,
    /// After so many steps the reads repeat.
    pub period: usize,
    /// Whether what is sent into walls is kept beside the populations ([`Pattern::keeps_sent`]; where nodes are listed, if a
    /// [bounce](Facts::bounce) is).
    pub keeps_sent: bool,
    /// What writes follow from.
    reads: Reads,
}

/// A lattice without its type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
    /// [`Lattice::SETS`]
    pub sets: &'static [Set],
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
            sets: L::SETS,
        }
    }

    /// The directions whose populations carry the momentum: all, or those of the first of several sets.
    #[must_use]
    pub fn flow(&self) -> std::ops::Range<usize> {
        self.sets.first().map_or(0..self.q(), Set::directions)
    }

    /// The set of populations of this name.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the names that there are.
    pub fn set(&self, name: &str) -> Result<&'static Set, Error> {
        self.sets.iter().find(|set| set.name == name).ok_or_else(|| {
            let remedy = match self.sets.is_empty() {
                true => "only a model has sets of populations by name".to_owned(),
                false => format!(
                    "{} has {}",
                    self.name,
                    self.sets.iter().map(|set| set.name).collect::<Vec<_>>().join(", ")
                ),
            };
            Error::unknown("set of populations", name, self.sets.iter().map(|set| set.name), remedy)
        })
    }

    /// Number of velocities.
    #[must_use]
    pub const fn q(&self) -> usize {
        self.velocities.len()
    }

    /// What half-way bounce-back adds to the population that comes back along c_i from a wall moving with `velocity`
    /// (lattice units): 2 w_i rho0 (c_i . u_w) / c_s^2 with rho0 = 1.
    ///
    /// A wall at rest adds minus zero, which changes no number: it need not be added at all. Nor does a wall move what populations of further
    /// sets carry.
    ///
    /// Source: Ladd, J. Fluid Mech. 271 (1994) 285; the reference density keeps the mass of a closed box.
    #[must_use]
    pub fn wall_term(&self, i: usize, velocity: [f64; 3]) -> f64 {
        let c = self.velocities[i].map(f64::from);
        let along = c[0] * velocity[0] + c[1] * velocity[1] + c[2] * velocity[2];
        if along == 0.0 || !self.flow().contains(&i) {
            -0.0
        } else {
            2.0 * self.weights[i] * along / self.cs2
        }
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

    /// The distance from 1 to the next number.
    #[must_use]
    pub const fn epsilon(self) -> f64 {
        match self {
            Arithmetics::F32 => f32::EPSILON as f64,
            Arithmetics::F64 => f64::EPSILON,
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

    /// a b + c in this type, rounded once.
    #[must_use]
    pub fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        match self {
            Arithmetics::F32 => f64::from((a as f32).mul_add(b as f32, c as f32)),
            Arithmetics::F64 => a.mul_add(b, c),
        }
    }

    /// [`half_way`] in this type: a sum of two of its numbers has the same bits if it is rounded to 64 bits before.
    #[must_use]
    pub fn half_way(self, sent: f64, term: f64) -> f64 {
        self.round(half_way(sent, term))
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

    /// The numbers whose bytes these are ([`in_memory`](Arithmetics::in_memory)).
    #[must_use]
    pub fn from_memory(self, bytes: &[u8]) -> Vec<f64> {
        match self {
            Arithmetics::F32 => {
                bytes.as_chunks().0.iter().map(|&x| f64::from(f32::from_ne_bytes(x))).collect()
            }
            Arithmetics::F64 => bytes.as_chunks().0.iter().map(|&x| f64::from_ne_bytes(x)).collect(),
        }
    }
}

/// Where a ring begins that turns by so many nodes in each step when step `step` writes it, in a box of these places and `size` nodes
/// ([`Facts::origins`]).
pub(crate) fn ring_origin(turn: [i32; 3], step: i64, places: &Places<usize>, size: [usize; 3]) -> usize {
    let strides = [1, places.row(), places.row() * size[1]];
    let turn: i128 = (0..3).map(|axis| i128::from(turn[axis]) * strides[axis] as i128).sum();
    (-turn * i128::from(step)).rem_euclid(places.nodes() as i128) as usize
}

impl Facts {
    /// Those of a variant.
    #[must_use]
    pub fn of<V: Variant>() -> Facts {
        const { crate::legal::check::<V>() }
        Facts::compose(
            LatticeFacts::of::<V::Lattice>(),
            BodyFacts::of::<V::Body>(V::COLLISION),
            PrecisionFacts::of::<V::Precision>(),
            LayoutFacts::of::<V::Layout>(),
            AddressingFacts::of::<V::Addressing>(),
            StreamingFacts::of::<V::Streaming, V::Lattice>(),
        )
        .expect("the product was judged when it was compiled")
    }

    /// Those of a product of these values, whether it was ever compiled as one or not. The body and the streaming are on this
    /// lattice.
    ///
    /// # Errors
    /// [`Error::Conflict`] with the reason why it is no legal product ([`legal`](crate::legal)).
    pub fn compose(
        lattice: LatticeFacts,
        body: BodyFacts,
        precision: PrecisionFacts,
        layout: LayoutFacts,
        addressing: AddressingFacts,
        streaming: StreamingFacts,
    ) -> Result<Facts, Error> {
        let refused = |name: &str, why: &str| {
            let (what, remedy) =
                why.rsplit_once("; ").unwrap_or((why, "choose another value on one of its axes"));
            Err(Error::conflict(format!("{name}: {what}"), remedy))
        };
        let pattern = streaming.pattern;
        // What makes no sense has no facts.
        if let Some(why) = pattern.flaw() {
            return refused(pattern.name, why);
        }
        let (copies, period, keeps_sent) = (pattern.state().copies, pattern.period, pattern.keeps_sent());
        let reads = streaming.reads(&lattice);
        let mut facts = Facts {
            lattice,
            body,
            precision,
            layout,
            addressing,
            streaming,
            pattern,
            rings: reads.rings,
            copies,
            period,
            keeps_sent,
            reads,
        };
        let fields = NodeReads { fields: body.field_count(), passes: body.derivations.len() };
        if let Some(why) = refusal_of(&lattice, body.moments, fields, &layout, &addressing, &streaming) {
            return refused(&facts.name(), why);
        }
        if addressing.listed {
            facts.keeps_sent = facts.keeps_links();
        }
        Ok(facts)
    }

    /// The variant's name, `lattice-collision[-incompressible][-guo]-precision-layout-addressing-streaming`.
    #[must_use]
    pub fn name(&self) -> String {
        let Facts { lattice, body, precision, layout, addressing, pattern, .. } = self;
        let lattice = lattice.name.to_lowercase();
        [&lattice, body.collision, precision.name, layout.name, addressing.name, pattern.name].join("-")
    }

    /// Where direction `i` is read in `phase`.
    #[must_use]
    pub fn read(&self, i: usize, phase: usize) -> Access {
        self.streaming.read(i, phase)
    }

    /// How far the population of direction `i` comes from where it is read in `phase`, in nodes: the velocity, where a node reads from
    /// its neighbours.
    #[must_use]
    pub fn way(&self, i: usize, phase: usize) -> [i32; 3] {
        self.read(i, phase).shift.map(|shift| -shift)
    }

    /// Where direction `i` is written in `phase`.
    #[must_use]
    pub fn write(&self, i: usize, phase: usize) -> Access {
        self.reads.write(self.streaming.read, i, phase)
    }

    /// The two ends of a node's link along direction `i` ([`StreamingFacts::ends`]).
    #[must_use]
    pub fn ends(&self, i: usize, phase: usize) -> [Access; 2] {
        self.reads.ends(self.streaming.read, i, phase)
    }

    /// How a box is cut in blocks, where these have ghost values.
    #[must_use]
    pub fn blocks(&self) -> Option<Blocks> {
        let extents = self.pattern.blocks()?;
        let extent = extents.extent(self.lattice.dimension, self.precision.arithmetic.bytes());
        Some(Blocks::new((0..self.lattice.q()).map(|i| self.way(i, 0)), extent))
    }

    /// Where each slot begins when step `step` writes it, in a box of these places and `size` nodes: storage node n of
    /// the slot is at `(n + origin) mod nodes`. A circular slot turns by its velocity in each step; all slots of a copy that drifts
    /// turn by its spare planes. Zeros where slots do not turn.
    ///
    /// Source: Dethier, de Marneffe, Marchot, Procedia Computer Science 4 (2011) 1004; Khani & Wu, Eq. 18.
    #[must_use]
    pub fn origins(&self, step: i64, places: &Places<usize>, size: [usize; 3]) -> Vec<usize> {
        self.begins([step; 2], places, size)
    }

    /// The same where step `step` reads: a circular slot where it is written, since what is in it has turned on; all slots of a copy that
    /// drifts where the step before wrote them.
    #[must_use]
    pub fn read_origins(&self, step: i64, places: &Places<usize>, size: [usize; 3]) -> Vec<usize> {
        self.begins([step, step - 1], places, size)
    }

    /// Where each slot begins that turns until one step, in planes that drift until another.
    fn begins(&self, [turns, drifts]: [i64; 2], places: &Places<usize>, size: [usize; 3]) -> Vec<usize> {
        let (nodes, drift) = (places.nodes(), self.drift(size));
        let drifted = drift.origin(drifts) * (nodes / drift.stored.max(1));
        let turned = |slot: usize| ring_origin(self.turn(slot), turns, places, size);
        (0..self.slots()).map(|slot| (turned(slot) + drifted) % nodes.max(1)).collect()
    }

    /// By how many nodes a slot turns in a step.
    #[must_use]
    pub fn turn(&self, slot: usize) -> [i32; 3] {
        self.reads.turn(slot)
    }

    /// The value that each field of nodes has until it is set, or follows, rounded to the arithmetic type: its default, or 0.
    pub fn default_fields(&self) -> impl Iterator<Item = f64> + use<> {
        let arithmetic = self.precision.arithmetic;
        let set = self.body.fields.iter().map(move |field| arithmetic.round(field.default.unwrap_or(0.0)));
        set.chain(self.body.derived.iter().map(|_| 0.0))
    }

    /// The numbers that nodes of a box of this size have among the values of a field: its own where no neighbour reads it.
    #[must_use]
    pub fn padded<I: Index>(&self, size: [I; 3]) -> Padded<I> {
        Padded::new(size, self.lattice.dimension, self.body.reach())
    }

    /// The body force among the fields of a node, where each has one of its own.
    #[must_use]
    pub fn force_of(&self, fields: &[f64]) -> Option<[f64; 3]> {
        let component = |axis: usize| if axis < self.lattice.dimension { fields[axis] } else { 0.0 };
        self.body.force_field.then(|| [0, 1, 2].map(component))
    }
}
