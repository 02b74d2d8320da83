//! Which combinations of choices make no sense: the one table of them, asked at compile time by every solver.

use crate::addressing::Addressing;
use crate::collision::Body;
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
    } else if moments && (V::Streaming::EXCHANGES || V::Streaming::CIRCULAR) {
        Some(
            "this streaming stores moments, of which none travels; `EXCHANGES` and `CIRCULAR` are for populations",
        )
    } else if V::Streaming::SCATTERS && !moments {
        Some(
            "this streaming has moments send populations out, but stores no moments; set `STATE` to `State::Moments`",
        )
    } else if V::Streaming::EXCHANGES && V::Streaming::CIRCULAR {
        Some(
            "this streaming exchanges populations and turns their slots; one of `EXCHANGES` and `CIRCULAR` does",
        )
    } else if (V::Streaming::EXCHANGES || V::Streaming::CIRCULAR || V::Streaming::SCATTERS)
        && V::Streaming::COPIES != 1
    {
        Some("this streaming has passes before its step, which are for one copy; set `COPIES` to 1")
    } else if V::Streaming::CIRCULAR && !is_dense(<V::Addressing as Addressing>::NAME) {
        Some("circular slots need every node of the box in its place; take the addressing `Dense`")
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

const fn is_dense(name: &str) -> bool {
    matches!(name.as_bytes(), b"dense")
}
