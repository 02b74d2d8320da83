//! Rules of links that read their own node only.

use lbm_macros::{boundary, functions};

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
    /// A wall that cuts links anywhere, at rest or moving with a velocity, by one formula for all distances: what comes back is interpolated between
    /// three populations of the node, and depends on the distance without a break (central linear interpolation, Ginzburg, Verhaeghe &
    /// d'Humieres 2008, Commun. Comput. Phys. 3, 427). Second order in the place of the wall, where at half a spacing it is the half-way wall. A steady flow
    /// of small velocity does not depend on the viscosity, where that and the second rate of [`Trt`](crate::collisions::Trt) have one magic number; with
    /// [`Bouzidi`](super::Bouzidi) it does. The mass in a closed box is not kept exactly. As an inlet it is as [`HalfWay`] is: what a velocity stirs that begins at once alternates for
    /// long.
    pub SingleNode(velocity[dimensions] = 0) on_link {
        let moves = 4 * w[back] / cs2 * dimensions.sum(|a| c[back][a] * velocity[a]);
        f[back] = sent[toward] + ((1 - 2 * q) * (f[toward] - sent[back]) + moves) / (1 + 2 * q);
    }
}

boundary! {
    /// A density, and so a pressure (density - 1) c_s^2, where the boundary cuts links: what the node sent comes back with its sign turned,
    /// and with it twice the even part of the equilibrium, of the velocity that the node had (Ginzburg, Verhaeghe & d'Humieres 2008).
    /// Elsewhere than half-way it is interpolated as [`Bouzidi`](super::Bouzidi) is. The velocity is free, along the boundary too. Second
    /// order in the place of the boundary where the flow does not change along the links through it.
    pub AntiBounceBack(density = 1) on_link {
        use AntiBounced;
        f[back] = anti_bounced(density);
    }
}

functions! {
    /// What comes back where a boundary of a given density cuts a link.
    AntiBounced {
        /// What the node sent with its sign turned, and twice the even part of the equilibrium.
        let anti_bounced = |density| {
            let rho = sum(sent);
            let u = dimensions.map(|a| (directions.sum(|i| c[i][a] * sent[i]) - force[a] / 2) / if is_incompressible { 1 } else { rho });
            let both = equilibrium(density, u)[back] + equilibrium(density, u)[toward];
            select(q < 1/2,
                both - sent[toward] + (1 - 2 * q) * (sent[toward] - f[toward]),
                (both - sent[toward] + (2 * q - 1) * sent[back]) / (2 * q))
        };
    }
}

boundary! {
    /// An outlet into vessels that are not computed, a windkessel at each link: what leaves with the velocity v goes through an impedance Z into a compliance C,
    /// which empties through a resistance R: p = Z v + p_C and C dp_C/dt = v - p_C / R. The pressure p above that of `density` stands at the boundary as that
    /// of [`AntiBounceBack`] does (of two elements, Z = 0: Frank 1899; of three: Westerhof, Lankhaar & Westerhof 2009, Med. Biol. Eng. Comput. 47, 131). So p
    /// follows a steady flow as (Z + R) v, a sudden one as Z v + R v (1 - exp(-t / R C)), and of a pulse what is shorter than R C passes at the pressure Z v.
    /// In lattice units: p in those of density c_s^2, Z and R in p a velocity, C in steps a R.
    ///
    /// p_C is remembered for each link and advanced by the implicit Euler method, first order in time; R = 0 has none, and C = 0 is a resistance alone. The velocity
    /// is the node's of the step before, so it is stable with any R where Z = 0 and C is at least 1 / (2 c_s), 0.87, and without C up to Z + R = c_s. Sound comes
    /// back from it, but for Z = c_s, 0.577, with which it leaves. The velocity is that along the link: where the flow is along the boundary, too, links differ by it.
    pub Windkessel(resistance in 0.., compliance in 0.., impedance = 0 in 0.., density = 1) on_link remembers(pressure) {
        use AntiBounced;
        let v = dimensions.sum(|a| c[toward][a] * u[a]);
        let next = resistance * (compliance * pressure + v) / (resistance * compliance + 1);
        remember(pressure, next);
        f[back] = anti_bounced(density + (next + impedance * v) / cs2);
    }
}
