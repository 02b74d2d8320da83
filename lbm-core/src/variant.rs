//! A kernel as a product: one value on each axis.

use crate::addressing::Addressing;
use crate::collision::Body;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::precision::Precision;
use crate::streaming::Streaming;

/// One choice on every axis: what `solver!` and `#[derive(Solver)]` implement for the user's type.
pub trait Variant: Send + Sync + 'static {
    /// The collision, specialised.
    type Body: Body<Lattice = Self::Lattice>;
    /// The lattice.
    type Lattice: Lattice;
    /// Storage and arithmetic type.
    type Precision: Precision;
    /// Memory layout.
    type Layout: Layout;
    /// Node addressing.
    type Addressing: Addressing;
    /// Streaming pattern.
    type Streaming: Streaming;
    /// `collision[-incompressible][-guo]`, the middle of the variant's name.
    const COLLISION: &'static str;

    /// The variant's name, `lattice-collision[-incompressible][-guo]-precision-layout-addressing-streaming`.
    fn name() -> String {
        joined([
            Self::Lattice::NAME,
            Self::COLLISION,
            Self::Precision::NAME,
            Self::Layout::NAME,
            Self::Addressing::NAME,
            Self::Streaming::PATTERN.name,
        ])
    }
}

/// A variant's name from those of lattice, collision, precision, layout, addressing and streaming.
pub(crate) fn joined(parts: [&str; 6]) -> String {
    let [lattice, others @ ..] = parts;
    [&[lattice.to_lowercase().as_str()], others.as_slice()].concat().join("-")
}

/// The arithmetic type of a variant.
pub type Arithmetic<V> = <<V as Variant>::Precision as Precision>::Arithmetic;

/// The storage type of a variant.
pub type Storage<V> = <<V as Variant>::Precision as Precision>::Storage;
