//! The body force at nodes.

use lbm_core::Facts;

/// The force of some nodes: the same everywhere, one for each, or what a model states.
pub(super) enum NodeForces<'a> {
    Same([f64; 3]),
    /// Component after component of so many nodes.
    Each(Vec<f64>, usize),
    Stated(StatedForces<'a>),
}

/// What a model states of nodes, by their populations.
pub(super) struct StatedForces<'a> {
    pub(super) facts: &'a Facts,
    pub(super) parameters: &'a [f64],
    /// The force that nodes are given beside.
    pub(super) given: [f64; 3],
    /// The fields of nodes, field after field of so many.
    pub(super) fields: Vec<f64>,
    pub(super) count: usize,
}

impl NodeForces<'_> {
    /// That of node `n` of them, with these populations, with its sign turned: stored populations come after the collision, which added it.
    pub(super) fn turned_at(&self, n: usize, h: &[f64]) -> [f64; 3] {
        let force = match self {
            NodeForces::Same(force) => *force,
            NodeForces::Each(values, count) => {
                [0, 1, 2].map(|axis| values.get(n + count * axis).copied().unwrap_or(0.0))
            }
            NodeForces::Stated(StatedForces { facts, parameters, given, fields, count }) => {
                let here: Vec<f64> = fields.iter().skip(n).step_by(*count).copied().collect();
                let given = facts.force_of(&here).unwrap_or(*given);
                facts.stated_force(h, given, parameters, &here).unwrap_or(given)
            }
        };
        force.map(|f| -f)
    }
}
