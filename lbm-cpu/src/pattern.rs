//! What a compiled variant asks of its streaming pattern: constants, so that what a pattern does not do costs nothing.

use lbm_core::{Streaming, Variant};

/// Whether a variant's state is moments.
pub(crate) const fn stores_moments<V: Variant>() -> bool {
    V::Streaming::PATTERN.stores_moments()
}

/// Whether populations are rebuilt where they are read.
pub(crate) const fn rebuilds<V: Variant>() -> bool {
    V::Streaming::PATTERN.rebuilds()
}

/// Whether slots are rings that turn.
pub(crate) const fn turns<V: Variant>() -> bool {
    V::Streaming::PATTERN.turns()
}
