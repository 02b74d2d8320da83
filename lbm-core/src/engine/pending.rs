//! What a backend has kept apart of a step, to be handed out in pieces while the flow goes on.

use std::ops::Range;

use crate::error::Error;
use crate::pieces::Take;

/// Which of density and velocity are asked for, and of which nodes.
///
/// ```
/// use lbm_core::engine::FieldRequest;
///
/// // What a picture of the speed in a plane needs.
/// let plane = FieldRequest::of(4096..8192).velocity();
/// assert_eq!((plane.components.clone(), plane.values()), (1..4, 3 * 4096));
/// assert!(!plane.rounded);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldRequest {
    /// Nodes of the box, by index.
    pub nodes: Range<usize>,
    /// Which of the four numbers `rho, u_x, u_y, u_z` of a node.
    pub components: Range<usize>,
    /// Whether they are kept as f32, each rounded once, as a file in single precision has them; else as f64.
    pub rounded: bool,
}

impl FieldRequest {
    /// Density and velocity of these nodes, in f64.
    #[must_use]
    pub fn of(nodes: Range<usize>) -> FieldRequest {
        FieldRequest { nodes, components: 0..4, rounded: false }
    }

    /// The same, but the density only.
    #[must_use]
    pub fn density(self) -> FieldRequest {
        FieldRequest { components: 0..1, ..self }
    }

    /// The same, but the velocity only.
    #[must_use]
    pub fn velocity(self) -> FieldRequest {
        FieldRequest { components: 1..4, ..self }
    }

    /// The same, rounded to f32.
    #[must_use]
    pub fn rounded(self) -> FieldRequest {
        FieldRequest { rounded: true, ..self }
    }

    /// How many numbers they are.
    #[must_use]
    pub fn values(&self) -> usize {
        self.components.len() * self.nodes.len()
    }

    /// How many bytes they are.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values() * if self.rounded { size_of::<f32>() } else { size_of::<f64>() }
    }
}

impl From<Range<usize>> for FieldRequest {
    fn from(nodes: Range<usize>) -> FieldRequest {
        FieldRequest::of(nodes)
    }
}

/// Fields of a step that a backend has begun to compute, kept apart until they are taken.
pub trait PendingFields: Send {
    /// Hands out some of the components that were asked for, of all nodes that were, piece after piece ([`pieces`](crate::pieces)), after
    /// waiting for them; anything in solid nodes. It may be asked again.
    ///
    /// # Errors
    /// Those of `take`; a device may be lost.
    fn hand_out(&self, components: Range<usize>, take: Take<'_>) -> Result<(), Error>;
}

/// What a backend has kept apart of the state of a step, while the flow goes on.
pub trait PendingState: Send {
    /// Hands out what [`Engine::state_of`](super::Engine::state_of) did in that step, of all nodes of the box. It may be asked again.
    ///
    /// # Errors
    /// Those of `take`; a device may be lost.
    fn hand_out(&self, take: Take<'_>) -> Result<(), Error>;
}
