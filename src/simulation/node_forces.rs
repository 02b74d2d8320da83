//! The body force at nodes.

/// The force of some nodes: the same everywhere, or one for each.
pub(super) enum NodeForces {
    Same([f64; 3]),
    /// Component after component of so many nodes.
    Each(Vec<f64>, usize),
}

impl NodeForces {
    /// That of node `n` of them.
    pub(super) fn at(&self, n: usize) -> [f64; 3] {
        match self {
            NodeForces::Same(force) => *force,
            NodeForces::Each(values, count) => {
                [0, 1, 2].map(|axis| values.get(n + count * axis).copied().unwrap_or(0.0))
            }
        }
    }

    /// The same with the sign turned.
    pub(super) fn turned(self) -> NodeForces {
        match self {
            NodeForces::Same(force) => NodeForces::Same(force.map(|f| -f)),
            NodeForces::Each(values, count) => NodeForces::Each(values.iter().map(|f| -f).collect(), count),
        }
    }
}
