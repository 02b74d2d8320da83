//! Rules of links that read their own node only.

use lbm_macros::boundary;

boundary! {
    /// The half-way wall, at rest or moving with a velocity: what the node sent comes back, and with it the wall's momentum (Ladd 1994). Second
    /// order where the wall lies half-way between nodes, first order elsewhere: a surface is a staircase, on which the velocity may differ
    /// from link to link, so that a solid rotates.
    ///
    /// Where its velocity is the same everywhere, this is [`FaceRule::Wall`](crate::core::FaceRule::Wall) or a moving solid, with their bits
    /// and their speed. So is any rule of links that says the same in other words.
    ///
    /// As an inlet, with a velocity through it, it sets what enters exactly. What begins at once stirs momentum that alternates from step to step, which stays between it and
    /// outlets that keep that, too ([`boundaries`](crate::boundaries)): let the velocity rise slowly, or take [`AntiBounceBack`] as the outlet.
    pub HalfWay(velocity[dimensions] = 0) on_link {
        f[back] = sent[toward] + 2 * w[back] / cs2 * dimensions.sum(|a| c[back][a] * velocity[a]);
    }
}

boundary! {
    /// A wall that cuts links anywhere, at rest or moving with a velocity: its own population is the equilibrium of the wall's velocity and
    /// the non-equilibrium that arrives; what comes back lies between that and what the node sends away from the wall (after Tao, He, Chen,
    /// Yang & Huang 2018). One formula of one node for all distances, second order in the place of the wall; all that the node sent is
    /// kept. The mass in a closed box is not kept exactly.
    pub SingleNode(velocity[dimensions] = 0) on_link {
        let rho = sum(sent);
        let u = dimensions.map(|a| (directions.sum(|i| c[i][a] * sent[i]) - force[a] / 2) / if is_incompressible { 1 } else { rho });
        // What arrives is less by half of what the force adds along its direction, what leaves the wall by as much along the opposite one.
        let forced = w[toward] / cs2 * dimensions.sum(|a| c[toward][a] * force[a]);
        let at_wall = equilibrium(rho, velocity)[back] + f[toward] - equilibrium(rho, u)[toward] + forced;
        f[back] = (at_wall + q * sent[back]) / (1 + q);
    }
}

boundary! {
    /// A density, and so a pressure (density - 1) c_s^2, where the boundary cuts links: what the node sent comes back with its sign turned,
    /// and with it twice the even part of the equilibrium, of the velocity that the node had (Ginzburg, Verhaeghe & d'Humieres 2008).
    /// Elsewhere than half-way it is interpolated as [`Bouzidi`](super::Bouzidi) is. The velocity is free, along the boundary too. Second
    /// order in the place of the boundary where the flow does not change along the links through it.
    pub AntiBounceBack(density = 1) on_link {
        let rho = sum(sent);
        let u = dimensions.map(|a| (directions.sum(|i| c[i][a] * sent[i]) - force[a] / 2) / if is_incompressible { 1 } else { rho });
        let both = equilibrium(density, u)[back] + equilibrium(density, u)[toward];
        f[back] = select(q < 1/2,
            both - sent[toward] + (1 - 2 * q) * (sent[toward] - f[toward]),
            (both - sent[toward] + (2 * q - 1) * sent[back]) / (2 * q));
    }
}
