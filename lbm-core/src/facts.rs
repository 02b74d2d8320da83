//! A variant as a value: what code that is compiled once, for all variants, asks of it.
//!
//! Only what runs for every node of every step is worth a copy of the machine code for each variant. All else (lists of
//! walls, texts for a device, random states, the plain reference) takes [`Facts`], and so is compiled once, in the crate
//! where it stands, however many variants a program has.

use crate::crossings::Blocks;
use crate::derived::Padded;
use crate::error::Error;
use crate::index::Index;
use crate::legal::{NodeReads, refusal_of};
use crate::streaming::{Access, Pattern, Reads, Rings};
use crate::variant::Variant;

mod arithmetic;
mod axes;
mod body;
mod bounce;
mod declared;
mod deriving;
mod drift;
mod lattice;
mod moments;
mod of_a_node;
mod places;
mod precision;
mod rounding;
mod stored;

pub use arithmetic::Arithmetics;
pub use axes::{AddressingFacts, LayoutFacts, StreamingFacts};
pub use body::BodyFacts;
pub(crate) use declared::declared;
pub use drift::{Drift, spare};
pub use lattice::LatticeFacts;
pub use places::Places;
pub use precision::PrecisionFacts;
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
