//! Which combinations of choices make no sense: the one table of them, asked when a solver is compiled and when a product is made at
//! run time. What a pattern is follows from its arrays and passes; nothing is known by name.

use crate::collision::Body;
use crate::facts::{AddressingFacts, Facts, LatticeFacts, LayoutFacts, StreamingFacts};
use crate::streaming::Pattern;
use crate::variant::Variant;

/// What a collision reads of nodes beside populations.
#[derive(Clone, Copy)]
pub(crate) struct NodeReads {
    /// How many fields.
    pub(crate) fields: usize,
    /// In how many passes such follow before it.
    pub(crate) passes: usize,
}

/// Why a product of these values is refused, with so many moments that carry the collision (0 if none do), which may read fields of nodes; nothing
/// if it is legal.
pub(crate) const fn refusal_of(
    lattice: &LatticeFacts,
    moment_count: usize,
    reads: NodeReads,
    layout: &LayoutFacts,
    addressing: &AddressingFacts,
    streaming: &StreamingFacts,
) -> Option<&'static str> {
    let pattern = &streaming.pattern;
    let flaw = pattern.flaw();
    if flaw.is_some() {
        return flaw;
    }
    let (moments, ordered, long) =
        (pattern.stores_moments(), pattern.ordered(), longest_step(lattice.velocities) > 1);
    if moments && reads.fields > 0 && (ordered || streaming.steps_at_once.is_some()) {
        Some(
            "this streaming goes through moments plane by plane, and the collision reads fields of nodes, which is done node by node; \
             take `Moments`, `ThreadSafe`, or a streaming that stores populations",
        )
    } else if moments && moment_count == 0 {
        Some(
            "this streaming stores moments, which do not carry the collision; take `Regularized` or `RecursiveRegularized`, or a streaming that stores \
             populations",
        )
    } else if addressing.listed && reads.passes > 0 {
        Some(
            "the collision reads fields of neighbours, which is done in a whole box so far; take the addressing `Dense`",
        )
    } else if long && (ordered || streaming.steps_at_once.is_some()) {
        Some(
            "blocks, planes and several steps at once are done with the nodes next to them, and this lattice has longer velocities; \
             take another streaming",
        )
    } else if addressing.listed && (pattern.rings(lattice.q()).moves() || ordered) {
        Some(
            "this streaming turns slots, moves planes or cuts blocks of a whole box; take the addressing `Dense`",
        )
    } else if addressing.listed && moments {
        Some(
            "this streaming stores moments, which are marched over in planes of a whole box; with listed nodes take one that \
             stores populations",
        )
    } else if let Some(steps) = streaming.steps_at_once
        && (steps == 0 || !can_do_steps(lattice, addressing, pattern))
    {
        Some(
            "several steps at once are done of moments of a whole box, in two copies and in any order; leave `STEPS_AT_ONCE` out",
        )
    } else if addressing.listed && long {
        Some("listed nodes know the nodes next to them, and this lattice has longer velocities; take `Dense`")
    } else if !orders_known_tiles(layout, addressing) {
        Some(
            "this layout gives the nodes of 4 x 4 x 4 tiles an order of their own; take the addressing `Tiled<4>`, or another layout",
        )
    } else {
        None
    }
}

/// Whether several steps can be done in one pass over memory: from one copy to the other, of values that are read once, by a collision that reads
/// nothing else of a node.
#[must_use]
pub const fn can_do_steps_at_once(facts: &Facts) -> bool {
    facts.body.field_count() == 0 && can_do_steps(&facts.lattice, &facts.addressing, &facts.pattern)
}

/// Whether blocks can go once through memory where neighbours read fields that follow in a step.
#[must_use]
pub const fn can_send_fields_on_the_way(facts: &Facts) -> bool {
    facts.body.fields.is_empty() && can_do_steps(&facts.lattice, &facts.addressing, &facts.pattern)
}

const fn can_do_steps(lattice: &LatticeFacts, addressing: &AddressingFacts, pattern: &Pattern) -> bool {
    pattern.arrays.len() == 1
        && pattern.period == 1
        && pattern.arrays[0].copies == 2
        && pattern.rebuilds()
        && !pattern.ordered()
        && !addressing.listed
        && longest_step(lattice.velocities) == 1
}

/// Whether a layout that orders the nodes of tiles has those of the addressing.
const fn orders_known_tiles(layout: &LayoutFacts, addressing: &AddressingFacts) -> bool {
    let [a, b, c] = addressing.granule;
    match layout.tile {
        None => true,
        Some([x, y, z]) => addressing.group == x * y * z && a == x && b == y && c == z,
    }
}

/// Why a variant is refused; nothing if it is legal.
#[must_use]
pub const fn refusal<V: Variant>() -> Option<&'static str> {
    refusal_of(
        &LatticeFacts::of::<V::Lattice>(),
        V::Body::MOMENTS,
        NodeReads {
            fields: V::Body::FIELDS.len() + V::Body::DERIVED.len(),
            passes: V::Body::DERIVATIONS.len(),
        },
        &LayoutFacts::of::<V::Layout>(),
        &AddressingFacts::of::<V::Addressing>(),
        &StreamingFacts::of::<V::Streaming, V::Lattice>(),
    )
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
