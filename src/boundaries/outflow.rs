//! An outlet that takes the next node for what is beyond.

use lbm_macros::boundary;

boundary! {
    /// An outlet without gradients across it: what is missing is what arrives at the next node inward along the same direction, f_i(x) = f_i(x + n), the Neumann condition of Lou, Guo &
    /// Shi (2013, Phys. Rev. E 87, 063301; as a condition of outflow Junk & Yang 2008, Prog. Comput. Fluid Dyn. 8, 38). Exact where the flow does not change across the face, else of
    /// first order. A quarter of a sound wave comes back (`lbm validate sound`). It holds neither a pressure nor a flow rate, and a pressure that falls towards it is a gradient, too: behind an inlet
    /// that holds the velocity the density grows then without an end. So it is for flows whose pressure is held elsewhere, or hardly falls;
    /// [`NonEquilibriumExtrapolationPressure`](super::NonEquilibriumExtrapolationPressure) holds the pressure and has no gradient of the velocity.
    ///
    /// It stands at faces, at its own edges and corners, where the next node is the one away from all of its faces, and beside walls and other rules, of which it takes what they make of the next
    /// node; where that has a rule of links, or a wall that moves, it is refused, with the place. Where that is no fluid, what the node sent comes back as from a half-way wall at rest.
    pub ZeroGradient on_node {
        for i in missing {
            f[i] = w[i] + select(is_fluid_at(normal), arrives_at(normal, i) - w[i], sent[opposite[i]] - w[i]);
        }
    }
}
