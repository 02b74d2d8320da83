//! Which combinations of choices make no sense: the one table of them, asked at compile time by every solver.

use crate::addressing::Addressing;
use crate::collision::Body;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::streaming::{State, Streaming};
use crate::variant::Variant;

/// Why a variant is refused; nothing if it is legal.
#[must_use]
pub const fn refusal<V: Variant>() -> Option<&'static str> {
    let moments = matches!(V::Streaming::STATE, State::Moments);
    if moments && V::Body::MOMENTS == 0 {
        Some(
            "this streaming stores moments, which do not carry the collision; take `Regularized`, or a streaming that stores \
             populations",
        )
    } else if moments && (V::Streaming::EXCHANGES || V::Streaming::CIRCULAR || V::Streaming::GHOSTS) {
        Some(
            "this streaming stores moments, of which none travels; `EXCHANGES`, `CIRCULAR` and `GHOSTS` are for populations",
        )
    } else if V::Streaming::SCATTERS && !moments {
        Some(
            "this streaming has moments send populations out, but stores no moments; set `STATE` to `State::Moments`",
        )
    } else if V::Streaming::EXCHANGES && V::Streaming::CIRCULAR {
        Some(
            "this streaming exchanges populations and turns their slots; one of `EXCHANGES` and `CIRCULAR` does",
        )
    } else if V::Streaming::GHOSTS && (V::Streaming::EXCHANGES || V::Streaming::CIRCULAR) {
        Some(
            "this streaming has ghost values and another way for populations to travel; one of `GHOSTS`, `EXCHANGES` and \
             `CIRCULAR` does",
        )
    } else if (V::Streaming::EXCHANGES
        || V::Streaming::CIRCULAR
        || V::Streaming::SCATTERS
        || V::Streaming::GHOSTS)
        && V::Streaming::COPIES != 1
    {
        Some("this streaming has passes before its step, which are for one copy; set `COPIES` to 1")
    } else if (V::Streaming::DRIFTS || V::Streaming::STEPS != 1) && (!moments || V::Streaming::SCATTERS) {
        Some(
            "`DRIFTS` and `STEPS` are for a streaming that stores moments and rebuilds populations where they are read",
        )
    } else if V::Streaming::DRIFTS && V::Streaming::COPIES != 1 {
        Some("a copy drifts so that it need not be two; set `COPIES` to 1")
    } else if V::Streaming::STEPS == 0 || V::Streaming::STEPS > 1 && V::Streaming::COPIES != 2 {
        Some(
            "several steps at once read one copy and write the other; set `COPIES` to 2, and `STEPS` to 1 or more",
        )
    } else if V::Streaming::DRIFTS && V::Streaming::STEPS > 1 {
        Some("this streaming drifts and does several steps at once; one of `DRIFTS` and `STEPS` does")
    } else if V::Streaming::DRIFTS && !is_dense(<V::Addressing as Addressing>::NAME) {
        Some("a copy drifts by planes of a dense box; take the addressing `Dense`")
    } else if (V::Streaming::DRIFTS || V::Streaming::STEPS > 1) && longest_step(V::Lattice::VELOCITIES) > 1 {
        Some(
            "planes are done with the one below and the one above, and this lattice has longer velocities; take `Moments`",
        )
    } else if V::Streaming::CIRCULAR && !is_dense(<V::Addressing as Addressing>::NAME) {
        Some("circular slots need every node of the box in its place; take the addressing `Dense`")
    } else if V::Streaming::GHOSTS && !is_dense(<V::Addressing as Addressing>::NAME) {
        Some("blocks with ghost values are cut from a dense box; take the addressing `Dense`")
    } else if <V::Addressing as Addressing>::LISTED && moments {
        Some(
            "this streaming stores moments, which are marched over in planes of a whole box; with listed nodes take one that \
             stores populations",
        )
    } else if <V::Addressing as Addressing>::LISTED && longest_step(V::Lattice::VELOCITIES) > 1 {
        Some("listed nodes know the nodes next to them, and this lattice has longer velocities; take `Dense`")
    } else if !orders_known_tiles::<V>() {
        Some(
            "this layout gives the nodes of 4 x 4 x 4 tiles an order of their own; take the addressing `Tiled<4>`, or another layout",
        )
    } else if V::Streaming::GHOSTS && longest_step(V::Lattice::VELOCITIES) > 1 {
        Some(
            "rings of ghost values are one node wide, and this lattice has longer velocities; take another streaming",
        )
    } else {
        None
    }
}

/// Refuses an illegal variant: in a constant, the compiler then says why.
pub const fn check<V: Variant>() {
    if let Some(why) = refusal::<V>() {
        panic!("{}", why);
    }
}

/// Whether a layout that orders the nodes of tiles has those of the addressing.
const fn orders_known_tiles<V: Variant>() -> bool {
    let (granule, group) = (<V::Addressing as Addressing>::GRANULE, <V::Addressing as Addressing>::GROUP);
    match <V::Layout as Layout>::TILE {
        None => true,
        Some([x, y, z]) => group == x * y * z && granule[0] == x && granule[1] == y && granule[2] == z,
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

const fn is_dense(name: &str) -> bool {
    matches!(name.as_bytes(), b"dense")
}
