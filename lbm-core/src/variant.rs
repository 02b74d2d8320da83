//! A kernel as a product: one value on each axis.

use crate::addressing::Addressing;
use crate::collision::Body;
use crate::facts::Facts;
use crate::lattice::Lattice;
use crate::layout::Layout;
use crate::precision::Precision;
use crate::rules::RuleVisitor;
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

    /// Shows the boundary rules that its flows may have; by default there are none.
    fn rules<W: RuleVisitor>(_visitor: &mut W)
    where
        Self: Sized,
    {
    }

    /// The variant's name, `lattice-collision[-incompressible][-guo]-precision-layout-addressing-streaming`.
    fn name() -> String
    where
        Self: Sized,
    {
        Facts::of::<Self>().name()
    }
}

/// The arithmetic type of a variant.
pub type Arithmetic<V> = <<V as Variant>::Precision as Precision>::Arithmetic;

/// The storage type of a variant.
pub type Storage<V> = <<V as Variant>::Precision as Precision>::Storage;
