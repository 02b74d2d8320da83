//! Which combinations of choices make no sense: the one table of them, asked when a solver is compiled and when a product is made at
//! run time. What a pattern is follows from its arrays and passes; nothing is known by name.

use crate::addressing::Addressing;
use crate::collision::Body;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::streaming::{Pattern, Streaming};
use crate::variant::Variant;

/// What has to be known of a product to judge it.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// The streaming pattern.
    pub pattern: Pattern,
    /// How many steps a device does at once, where the name fixes it.
    pub steps_at_once: Option<usize>,
    /// How many moments carry the collision, 0 if none do.
    pub moments: usize,
    /// The lattice's velocities.
    pub velocities: &'static [[i32; 3]],
    /// Whether nodes are listed.
    pub listed: bool,
    /// Nodes of a group of the addressing.
    pub group: usize,
    /// What lengths of periodic boxes must be a multiple of.
    pub granule: [usize; 3],
    /// The tiles of which the layout orders the nodes, if it does.
    pub tile: Option<[usize; 3]>,
}

impl Product {
    /// That of a variant.
    #[must_use]
    pub const fn of<V: Variant>() -> Product {
        Product {
            pattern: V::Streaming::PATTERN,
            steps_at_once: V::Streaming::STEPS_AT_ONCE,
            moments: V::Body::MOMENTS,
            velocities: V::Lattice::VELOCITIES,
            listed: <V::Addressing as Addressing>::LISTED,
            group: <V::Addressing as Addressing>::GROUP,
            granule: <V::Addressing as Addressing>::GRANULE,
            tile: <V::Layout as Layout>::TILE,
        }
    }

    /// Why it is refused; nothing if it is legal.
    #[must_use]
    pub const fn refusal(&self) -> Option<&'static str> {
        let flaw = self.pattern.flaw();
        if flaw.is_some() {
            return flaw;
        }
        let (moments, long) = (self.pattern.stores_moments(), longest_step(self.velocities) > 1);
        if moments && self.moments == 0 {
            Some(
                "this streaming stores moments, which do not carry the collision; take `Regularized`, or a streaming that stores \
                 populations",
            )
        } else if long && (self.pattern.ordered() || self.steps_at_once.is_some()) {
            Some(
                "blocks, planes and several steps at once are done with the nodes next to them, and this lattice has longer velocities; \
                 take another streaming",
            )
        } else if let Some(steps) = self.steps_at_once
            && (steps == 0 || !self.can_do_steps_at_once())
        {
            Some(
                "several steps at once are done of moments of a whole box, in two copies and in any order; leave `STEPS_AT_ONCE` out",
            )
        } else if self.listed && (self.pattern.moves() || self.pattern.ordered()) {
            Some(
                "this streaming turns slots, moves planes or cuts blocks of a whole box; take the addressing `Dense`",
            )
        } else if self.listed && moments {
            Some(
                "this streaming stores moments, which are marched over in planes of a whole box; with listed nodes take one that \
                 stores populations",
            )
        } else if self.listed && long {
            Some(
                "listed nodes know the nodes next to them, and this lattice has longer velocities; take `Dense`",
            )
        } else if !self.orders_known_tiles() {
            Some(
                "this layout gives the nodes of 4 x 4 x 4 tiles an order of their own; take the addressing `Tiled<4>`, or another layout",
            )
        } else {
            None
        }
    }

    /// Whether several steps can be done in one pass over memory: from one copy to the other, of values that are read once.
    #[must_use]
    pub const fn can_do_steps_at_once(&self) -> bool {
        let Pattern { arrays, period, .. } = self.pattern;
        arrays.len() == 1
            && period == 1
            && arrays[0].copies == 2
            && self.pattern.rebuilds()
            && !self.pattern.ordered()
            && !self.listed
            && longest_step(self.velocities) == 1
    }

    /// Whether a layout that orders the nodes of tiles has those of the addressing.
    const fn orders_known_tiles(&self) -> bool {
        let [a, b, c] = self.granule;
        match self.tile {
            None => true,
            Some([x, y, z]) => self.group == x * y * z && a == x && b == y && c == z,
        }
    }
}

/// Why a variant is refused; nothing if it is legal.
#[must_use]
pub const fn refusal<V: Variant>() -> Option<&'static str> {
    Product::of::<V>().refusal()
}

/// Refuses an illegal variant: in a constant, the compiler then says why.
pub const fn check<V: Variant>() {
    if let Some(why) = refusal::<V>() {
        panic!("{}", why);
    }
}

/// The largest component of a velocity.
const fn longest_step(velocities: &[[i32; 3]]) -> u32 {
    let (mut longest, mut n) = (0, 0);
    while n < 3 * velocities.len() {
        let component = velocities[n / 3][n % 3].unsigned_abs();
        longest = if component > longest { component } else { longest };
        n += 1;
    }
    longest
}
