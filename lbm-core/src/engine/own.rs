//! Values of those nodes that a process has, for who writes them where they belong.

use std::ops::Range;

use super::Engine;
use crate::error::Error;
use crate::pieces::Take;

/// Takes values of nodes in some ranges of the box, value after value.
pub type TakeRuns<'a> = &'a mut dyn FnMut(&[Range<usize>], &[f64]) -> Result<(), Error>;

/// What an engine hands out of each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OfNodes {
    /// [`Engine::populations_of`].
    Populations,
    /// [`Engine::state_of`].
    State,
    /// [`Engine::node_field_of`], of this field.
    Field(usize),
}

impl OfNodes {
    /// Hands it out of some nodes, piece after piece.
    ///
    /// # Errors
    /// Those of the engine and of `take`.
    pub fn hand_out(
        self,
        engine: &(impl Engine + ?Sized),
        nodes: Range<usize>,
        take: Take<'_>,
    ) -> Result<(), Error> {
        match self {
            OfNodes::Populations => engine.populations_of(nodes, take),
            OfNodes::State => engine.state_of(nodes, take),
            OfNodes::Field(n) => engine.node_field_of(n, nodes, take),
        }
    }
}
