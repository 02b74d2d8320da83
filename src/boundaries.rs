//! The built-in boundary rules, declared with the macro that a user's crate uses. The language is described in
//! [`language`](crate::language).
//!
//! Walls of rules of nodes lie on the nodes at a face of the box. Where rules meet, at an edge or a corner, what comes from beyond the faces of
//! both is set by the one that the flow was given first; where a half-way wall stands beside, what comes from beyond both comes from the wall.
//! One rule at two faces does the edge as a whole. All take the body force's half step into account.
//!
//! [`HalfWay`], [`Bouzidi`], [`SingleNode`] and [`AntiBounceBack`] are for links that the surface of a shape cuts anywhere
//! ([`Builder::surface`](crate::simulation::Builder::surface)). At a face of the box they are for the links through it, which they cut half-way: that
//! is where [`FaceRule::Wall`](crate::core::FaceRule::Wall) lies, too.
//!
//! What Tomczak & Szafran (2019) set on their sparse tiles is here: the inlet [`ZouHeVelocity`], the outlet of constant pressure
//! [`ZouHePressure`], walls with the velocity 0 on the node [`ZouHeVelocity`] with that velocity, walls that bounce back [`HalfWay`], which on
//! a staircase of nodes is what a solid node is in any case.

mod links;

pub use links::{AntiBounceBack, HalfWay, SingleNode};

use lbm_macros::boundary;

boundary! {
    /// A velocity: what is missing comes back as non-equilibrium, corrected so that the momentum is that of the velocity (Zou & He
    /// 1997; in three dimensions Hecht & Harting 2010). The density follows from the populations that arrive. Second order with the wall
    /// on the node. At edges and corners, buried directions take their equilibrium; beside a half-way wall, momentum across that wall
    /// is the wall's.
    pub ZouHeVelocity(velocity[dimensions]) on_node {
        let rho = solve(1, |rho| sum(bounced(rho, velocity)) - rho);
        for [i, x] in directions.zip(bounced(rho, velocity)) {
            if is_missing[i] {
                f[i] = x;
            }
        }
    }
}

boundary! {
    /// A density, and so a pressure (density - 1) c_s^2, with no velocity along the face (Zou & He 1997; in three dimensions Hecht &
    /// Harting 2010). The velocity through the face follows from the populations that arrive.
    pub ZouHePressure(density = 1) on_node {
        require(faces == 1, "a pressure on two faces leaves the velocity at their edge open; let a velocity or a wall hold one of them");
        let rest = momentum(density, dimensions.map(|a| 0));
        let u = |j| dimensions.map(|a| normal[a] * (j - rest[a]) / if is_incompressible { 1 } else { density });
        let j = solve(0, |j| sum(bounced(density, u(j))) - density);
        for [i, x] in directions.zip(bounced(density, u(j))) {
            if is_missing[i] {
                f[i] = x;
            }
        }
    }
}

boundary! {
    /// A velocity, where all populations are replaced: by their equilibrium and the part of the non-equilibrium that carries stress,
    /// with missing parts bounced back (Latt, Chopard, Malaspinas, Deville & Michler 2008, BC1). More stable than
    /// [`ZouHeVelocity`], second order.
    pub RegularizedVelocity(velocity[dimensions]) on_node replaces_known {
        let rho = solve(1, |rho| sum(bounced(rho, velocity)) - rho);
        for [i, x] in directions.zip(regularized(rho, velocity)) {
            f[i] = x;
        }
    }
}

boundary! {
    /// A density, with no velocity along the face, where all populations are replaced as by [`RegularizedVelocity`] (Latt et al. 2008).
    pub RegularizedPressure(density = 1) on_node replaces_known {
        require(faces == 1, "a pressure on two faces leaves the velocity at their edge open; let a velocity or a wall hold one of them");
        let rest = momentum(density, dimensions.map(|a| 0));
        let u = |j| dimensions.map(|a| normal[a] * (j - rest[a]) / if is_incompressible { 1 } else { density });
        let j = solve(0, |j| sum(bounced(density, u(j))) - density);
        let velocity = u(j);
        for [i, x] in directions.zip(regularized(density, velocity)) {
            f[i] = x;
        }
    }
}

boundary! {
    /// A velocity that lets sound out: the wave that enters does not change, but for a slow return of the momentum through the face to that
    /// of the velocity, by a share `relaxation` a step (Thompson 1987; Poinsot & Lele 1992, LODI). What leaves is known from the populations
    /// that arrive and what the node sent before, so that no gradient is needed. All populations are replaced as by [`RegularizedVelocity`].
    ///
    /// A large share holds the velocity and reflects sound, 0 lets both go.
    pub CharacteristicVelocity(velocity[dimensions], relaxation = 1/10000) on_node replaces_known {
        require(faces == 1, "sound leaves through one face; give the other face of this edge another rule");
        let out = |v| 0 - dimensions.sum(|a| normal[a] * v[a]);
        // What flows out and the density together are known, one of them not.
        let both = directions.filter(|i| out(c[i]) >= 0).sum(|i| (1 + out(c[i])) * f[i]);
        let rho_before = directions.sum(|i| sent[i]);
        let left = directions.sum(|i| out(c[i]) * sent[i]) - out(force);
        let u_before = (left + out(force) / 2) / if is_incompressible { 1 } else { rho_before };
        let wanted = out(momentum(rho_before, velocity));
        let rho = rho_before + (both - rho_before - left + relaxation * (left - wanted)) / (1 + cs + u_before);
        let u_out = (both - rho + out(force) / 2) / if is_incompressible { 1 } else { rho };
        let u = dimensions.map(|a| (1 - normal[a]) * velocity[a] - normal[a] * u_out);
        for [i, x] in directions.zip(regularized(rho, u)) {
            f[i] = x;
        }
    }
}

boundary! {
    /// An outlet that lets sound out: the wave that enters does not change, but for a slow return of the density to that which is given, by
    /// a share `relaxation` a step (Poinsot & Lele 1992: 0.25 c_s over the length of the box). There is no velocity along the face.
    /// Otherwise as [`CharacteristicVelocity`].
    pub CharacteristicPressure(density = 1, relaxation = 1/10000) on_node replaces_known {
        require(faces == 1, "sound leaves through one face; give the other face of this edge another rule");
        let out = |v| 0 - dimensions.sum(|a| normal[a] * v[a]);
        let both = directions.filter(|i| out(c[i]) >= 0).sum(|i| (1 + out(c[i])) * f[i]);
        let rho_before = directions.sum(|i| sent[i]);
        let left = directions.sum(|i| out(c[i]) * sent[i]) - out(force);
        let u_before = (left + out(force) / 2) / if is_incompressible { 1 } else { rho_before };
        let rho = rho_before + (both - rho_before - left - relaxation * (rho_before - density)) / (1 + cs + u_before);
        let u_out = (both - rho + out(force) / 2) / if is_incompressible { 1 } else { rho };
        for [i, x] in directions.zip(regularized(rho, dimensions.map(|a| 0 - normal[a] * u_out))) {
            f[i] = x;
        }
    }
}

boundary! {
    /// The equilibrium of a density and a velocity: simple, first order, damps sound less than it reflects.
    pub Equilibrium(density = 1, velocity[dimensions]) on_node {
        for i in missing {
            f[i] = equilibrium(density, velocity)[i];
        }
    }
}

boundary! {
    /// A plane of symmetry through the nodes at the face: what is missing is the mirror image of what arrives. Exact; no fluid
    /// crosses, and nothing holds it back along the face.
    pub FreeSlip on_node {
        let comes = |i, a| normal[a] == 1 && c[i][a] > 0;
        let image = |i| directions.filter(|k| dimensions.product(|a|
            delta(c[k][a], if comes(i, a) { -c[i][a] } else { c[i][a] })) == 1)[0];
        for i in missing {
            f[i] = f[image(i)];
        }
    }
}

boundary! {
    /// A wall that cuts links anywhere, at rest or moving with a velocity: what comes back is interpolated along the link, between the
    /// fluid nodes where the wall is near and in time where it is far (Bouzidi, Firdaouss & Lallemand 2001, linear). Second order in the
    /// place of the wall, where a half-way wall is a staircase; at half a spacing it is the half-way wall, and so it is where a wall is behind
    /// the node, too. The mass in a closed box is not kept exactly.
    pub Bouzidi(velocity[dimensions] = 0) on_link {
        let moves = 2 * w[back] / cs2 * dimensions.sum(|a| c[back][a] * velocity[a]);
        f[back] = sent[toward] + select(q < 1/2,
            (1 - 2 * q) * (f[toward] - sent[toward]) + moves,
            ((2 * q - 1) * (sent[back] - sent[toward]) + moves) / (2 * q));
    }
}
