//! What is stored of a node and where, and how many bytes that is.

use std::ops::Range;

use super::Facts;
use crate::addressing::ListedNodes;
use crate::crossings::face_values;
use crate::derived::{Derivation, DerivedField};
use crate::domain::Domain;
use crate::error::Error;
use crate::geometry::SlotAccesses;
use crate::index::Index;
use crate::layout::Contents;
use crate::links::Links;
use crate::streaming::{Access, Array};

impl Facts {
    /// Where the post-collision population of direction `i` lies before a step of `phase` and its passes; with circular
    /// slots, as these stood in the step before. Where moments are stored, it is rebuilt from those of its own node.
    #[must_use]
    pub fn sent(&self, i: usize, phase: usize) -> Access {
        match self.pattern.stores_moments() {
            false => self.write(i, (phase + self.period - 1) % self.period),
            true => Access { shift: [0; 3], slot: i },
        }
    }

    /// Whether a device does rules of links before a step, when populations lie as nodes have sent them: in one copy of a box of which these are stored as a
    /// whole, where a step would have to keep what such rules read.
    #[must_use]
    pub fn links_go_first(&self) -> bool {
        self.copies == 1 && self.sent_lies()
    }

    /// Whether a device reads what a node has sent, for rules of its links, where the node left it: before a step, or where a whole box is stored in
    /// copies of which nobody writes the one that is read. Elsewhere it is kept.
    #[must_use]
    pub fn sent_lies(&self) -> bool {
        self.pattern.sent_stays() && !self.addressing.listed
    }

    /// Whether what a rule of links sets is rounded as what is stored, as all that comes back from walls is: where populations are stored.
    #[must_use]
    pub fn rounds_at_links(&self) -> bool {
        // A population is a stored value of its own there.
        self.values_of(0).len() == 1 && !self.precision.plain
    }

    /// Whether what a node has sent lies at the same place before all steps of a phase, in a box of `size` nodes, so that a list can say where. Places have 32 bits.
    #[must_use]
    pub fn sent_has_places(&self, size: [usize; 3]) -> bool {
        let nodes = size.iter().fold(1u64, |all, &n| all.saturating_mul(n as u64));
        let few = nodes.saturating_mul(self.slots() as u64) < u64::from(u32::MAX) / 2;
        self.sent_lies() && self.rings.count == 0 && few
    }

    /// Whether what rules read of other nodes lies so in a copy that nobody writes meanwhile: there a device reads it within the step.
    #[must_use]
    pub fn seen_lies(&self, size: [usize; 3]) -> bool {
        self.copies > 1 && self.period == 1 && self.sent_has_places(size)
    }

    /// Where moment `n` lies, where moments are stored ([`Derived::moment`](crate::streaming::Derived::moment)).
    #[must_use]
    pub fn moment(&self, n: usize) -> Access {
        Access { shift: [0; 3], slot: self.pattern.first_moment(self.lattice.q()) + n }
    }

    /// Where value `n` of a node's state lies before a step of `phase` and its passes: a population, or a moment.
    #[must_use]
    pub fn state_at(&self, n: usize, phase: usize) -> Access {
        match self.pattern.stores_moments() {
            false => self.sent(n, phase),
            true => self.moment(n),
        }
    }

    /// How many values the state of a node has between steps.
    #[must_use]
    pub fn state_values(&self) -> usize {
        self.slots_of(self.pattern.state())
    }

    /// Those of them from which the population follows that a node has sent along a direction: that one, or all moments.
    #[must_use]
    pub fn values_of(&self, direction: usize) -> Range<usize> {
        if self.pattern.state().of_moments() { 0..self.state_values() } else { direction..direction + 1 }
    }

    /// How many values are stored of a node in a copy, in all arrays that have slots at nodes.
    #[must_use]
    pub fn slots(&self) -> usize {
        let at_nodes = self.pattern.arrays.iter().filter(|array| array.at_nodes());
        at_nodes.map(|array| self.slots_of(array)).sum()
    }

    fn slots_of(&self, array: &Array) -> usize {
        if array.of_moments() { self.body.moments } else { self.lattice.q() }
    }

    /// What a layout is made for, of so many storage nodes ([`Layout::new`](crate::Layout::new)).
    #[must_use]
    pub fn contents<I: Index>(&self, nodes: I, slack: usize) -> Contents<I> {
        let plain = Contents {
            value_bytes: self.precision.stored_bytes,
            ..Contents::new(self.slots(), nodes, slack)
        };
        if self.pattern.stores_moments() {
            return plain;
        }
        let both = |i: usize, phase: usize| [self.read(i, phase), self.write(i, phase)];
        let accesses = SlotAccesses::gathered(self.lattice.q(), self.period, both);
        Contents { velocities: self.lattice.velocities, accesses, ..plain }
    }

    /// Bytes that are stored of a node, with its share of the ghost values of a block that is not cut, rounded up.
    #[must_use]
    pub fn bytes_per_node(&self) -> usize {
        self.copies * self.slots() * self.precision.stored_bytes + self.ghost_bytes(1) + self.field_bytes()
    }

    /// Bytes of what a collision reads of a node beside its populations, numbers of the arithmetic type: what is set is never written by a step, and what
    /// follows is not kept, so that nothing is to be gained by rounding them.
    #[must_use]
    pub fn field_bytes(&self) -> usize {
        self.body.field_count() * self.precision.arithmetic.bytes()
    }

    /// A node's share of so many times its block's ghost values, bytes, rounded up.
    fn ghost_bytes(&self, times: usize) -> usize {
        self.blocks().map_or(0, |blocks| {
            (times * blocks.ghosts * self.precision.stored_bytes).div_ceil(blocks.nodes())
        })
    }

    /// Bytes of storage of a box of `size` nodes, all of them stored, without padding and what is kept of walls: its nodes in every copy, planes that a
    /// drifting copy has to spare, the ghost values of blocks, what crosses the faces of the box where slots turn.
    #[must_use]
    pub fn bytes(&self, size: [usize; 3]) -> u128 {
        let product =
            |counts: [usize; 3]| counts.iter().fold(1u128, |product, &n| product.saturating_mul(n as u128));
        let nodes = product(self.stored_size(size)).saturating_mul((self.copies * self.slots()) as u128);
        let rings = self
            .blocks()
            .map_or(0, |blocks| product(blocks.grid(size)).saturating_mul(blocks.ghosts as u128));
        let faces = face_values(self, size) as u128;
        let values = nodes.saturating_add(rings).saturating_add(faces);
        // Those that neighbours read lie in a box that is wider.
        let wider = size.map(|n| n as u128);
        let margin = self.padded(size).margin().map(|margin| 2 * margin as u128);
        let fields = (0..3)
            .fold(self.field_bytes() as u128, |all, axis| all.saturating_mul(wider[axis] + margin[axis]));
        values.saturating_mul(self.precision.stored_bytes as u128).saturating_add(fields)
    }

    /// The same of a flow's box, where nodes are listed with all lists and tables.
    ///
    /// # Errors
    /// As [`Links::of`] and [`ListedNodes::of`].
    pub fn bytes_of(&self, domain: &Domain) -> Result<u128, Error> {
        if !self.addressing.listed {
            return Ok(self.bytes(domain.size));
        }
        let listed_nodes = ListedNodes::of(self, domain, &Links::of(&self.lattice, domain)?)?;
        let kept = if self.keeps_sent { listed_nodes.wall_links } else { 0 };
        let nodes = listed_nodes.listing.positions.len();
        let values = self.copies * self.slots() * nodes + kept;
        let fields = nodes * self.field_bytes();
        Ok((values * self.precision.stored_bytes + fields + listed_nodes.bytes()) as u128)
    }

    /// Bytes that one update of a node must move, where steps are done one by one: every stored value is read and written once by the
    /// step or before it, and all but those at rest once more by an exchange. A ghost value is written to the crossings and read there besides: its place
    /// among the populations is read once like all others, by the pass that moves crossings instead of by the step. Fields are read once; where some follow
    /// from others before, what each pass reads and writes counts, every value once.
    #[must_use]
    pub fn bytes_per_update(&self) -> usize {
        self.bytes_of_step() + self.derived_bytes()
    }

    /// The same without passes before the collision, where what follows in these need not be stored.
    #[must_use]
    pub fn bytes_of_step(&self) -> usize {
        let exchanged =
            (0..self.lattice.q()).filter(|&i| self.pattern.swaps() && self.lattice.opposites[i] != i).count();
        2 * (self.slots() + exchanged) * self.precision.stored_bytes
            + self.ghost_bytes(2)
            + self.body.fields.len() * self.precision.arithmetic.bytes()
    }

    /// Bytes that passes before the collision must move of a node, and that it must read of what they derived. What the last pass computes of neighbours
    /// only the collision of its own node reads: it need not be stored.
    fn derived_bytes(&self) -> usize {
        let read = |derivation: &Derivation| {
            let mut read: Vec<usize> = derivation.reads.iter().map(|read| read.field).collect();
            read.sort_unstable();
            read.dedup();
            read
        };
        let joined = self.body.joined_pass();
        let each = |(pass, derivation): (usize, &Derivation)| {
            read(derivation).len() + if joined == Some(pass) { 0 } else { derivation.fields.len() }
        };
        let fields: usize = self.body.derivations.iter().enumerate().map(each).sum();
        let last = joined.map(|pass| &self.body.derivations[pass]);
        let at_hand = last.map(|last| (last.fields.clone(), read(last)));
        let first = self.body.fields.len();
        let is_read = |(n, field): &(usize, &DerivedField)| {
            let known = at_hand.as_ref().is_some_and(|(own, read)| own.contains(n) || read.contains(n));
            field.collides && !known
        };
        let collided = (first..).zip(self.body.derived).filter(is_read).count();
        // The first one reads what the collision does.
        let read = self.pattern.collision(0).reads.iter().map(|&array| &self.pattern.arrays[array]);
        let values: usize = read.filter(|array| array.at_nodes()).map(|array| self.slots_of(array)).sum();
        let populations = if fields > 0 { values * self.precision.stored_bytes } else { 0 };
        populations + (fields + collided) * self.precision.arithmetic.bytes()
    }
}
