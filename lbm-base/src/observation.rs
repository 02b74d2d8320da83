//! What boundary rules read of other nodes.

/// Another node, as a rule sees it from its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Elsewhere {
    /// How far away it is along each axis of the rule's class, in nodes.
    pub offset: [i32; 3],
    /// Whether the way there may lead through the rule's own faces, to the opposite ones, as if they were periodic.
    pub across: bool,
}

impl Elsewhere {
    /// A node at this offset.
    #[must_use]
    pub const fn new(offset: [i32; 3], across: bool) -> Elsewhere {
        Elsewhere { offset, across }
    }
}

/// A population of another node that a rule reads; that of a fluid at rest where the node is no fluid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observation {
    /// The node.
    pub at: Elsewhere,
    /// The direction, of the rule's class.
    pub direction: usize,
    /// Whether it is what arrives there in the coming step, instead of what the node sent in the step before: from the neighbour, or where
    /// that is missing what the node itself sent the other way; then what rules of faces there make of it (`Visit`).
    pub arrives: bool,
}

impl Observation {
    /// The population of a direction at a node: what arrives there, or what was sent.
    #[must_use]
    pub const fn new(at: Elsewhere, direction: usize, arrives: bool) -> Observation {
        Observation { at, direction, arrives }
    }
}
