//! The built-in boundary rules, declared with the macro that a user's crate uses. The language is described in
//! [`language`](crate::language).
//!
//! Walls of rules of nodes lie on the nodes at a face of the box. Where rules meet, at an edge or a corner, what comes from beyond the faces of
//! both is set by the one that the flow was given first; where a half-way wall stands beside, what comes from beyond both comes from the wall, unless the rule
//! holds [before walls](crate::simulation::PlacedRule::before_walls).
//! One rule at two faces does the edge as a whole, with the values of the face that was given first. All take the body force's half step into account.
//!
//! The rule that was given first acts last, or one that holds before walls, when all is known that comes from beyond the other faces; one that acts before takes these for half-way walls
//! at rest. So give inlets and outlets before sides that slip ([`FreeSlip`], [`HalfWaySlip`]): a uniform flow then goes on as it is. Those that extrapolate the
//! non-equilibrium, and [`ZeroGradient`], read what arrives at the next node, with what the rules there make of it, and stand in any order. [`ConvectiveOutflow`], [`StaircaseSlip`] and
//! [`BouzidiQuadratic`] read what other nodes sent, on which no rule beside counts; where a face is behind the node of a link, any rule of it, a wall is half-way.
//!
//! Momentum that alternates from node to node and from step to step along an axis, (-1)^(x + t), is kept by a lattice of steps of 1, one of the staggered invariants of
//! lattice gases (Zanetti 1989, Phys. Rev. A 40, 1539). A half-way wall along it gives it back as a mirror does, and so nothing stops it there; [`HalfWay`],
//! [`ZouHePressure`], [`RegularizedPressure`] and [`PressurePeriodic`] across it keep it, too. It is stirred by what begins at once. All other
//! inlets and outlets, one at an end is enough, and walls on the node take it out.
//!
//! A velocity leaves the density open at an edge or a corner of a rule. There [`ZouHeVelocity`] and [`RegularizedVelocity`] have what is missing both ways take its equilibrium, which makes the density a
//! local solve; [`ZouHeVelocityNeighbour`] and [`RegularizedVelocityNeighbour`] take that of the next node inward. A pressure leaves the velocity open, and what lets sound out both: there
//! [`ZouHePressure`], [`RegularizedPressure`], [`CharacteristicPressure`] and [`CharacteristicVelocity`] take them from the next node inward along the diagonal, as it was in the step before, first
//! order, and [`ConvectiveOutflow`] goes along that diagonal. So a box may be open on all sides.
//!
//! Specular walls ([`FreeSlip`], [`HalfWaySlip`]) are for faces of the box. On a body they are refused unless asked for, by [`StaircaseSlip`].
//!
//! [`HalfWay`], [`Bouzidi`], [`BouzidiQuadratic`], [`SingleNode`], [`AntiBounceBack`], [`Windkessel`] and [`StaircaseSlip`] are for links that the surface of a shape cuts anywhere
//! ([`Builder::surface`](crate::simulation::Builder::surface)), or a part of that surface, an inlet or an outlet
//! ([`Builder::surface_patch`](crate::simulation::Builder::surface_patch)). At a face of the box, or a patch of one, they are for the links through it, which they cut half-way: that
//! is where [`FaceRule::Wall`](crate::core::FaceRule::Wall) lies, too.
//!
//! [`Sponge`] is for nodes of the fluid ([`Builder::region`](crate::simulation::Builder::region)): it acts behind all rules of links and faces, when
//! all that comes to its node is known.
//!
//! | rule | its wall lies | order | edges of two of its faces | mass in a closed box |
//! |---|---|---|---|---|
//! | [`HalfWay`] | half-way | second half-way, else first | yes | kept, where it moves along itself |
//! | [`Bouzidi`], [`BouzidiQuadratic`], [`SingleNode`] | anywhere on links | second | yes | kept half-way, else nearly |
//! | [`AntiBounceBack`] | anywhere on links | second, where the flow does not change along the links | yes | given by the density |
//! | [`Windkessel`] | anywhere on links | as [`AntiBounceBack`], first in time | yes | given by the density, slowly |
//! | [`ZouHeVelocity`], [`RegularizedVelocity`] | on the nodes | second | yes | nearly kept |
//! | [`ZouHeVelocityNeighbour`], [`RegularizedVelocityNeighbour`] | on the nodes | second, first where it has edges | yes, with a neighbour's density | changes with the flow at the edges |
//! | [`ZouHePressure`], [`RegularizedPressure`] | on the nodes | second, but for a layer at the face; its edges first | yes | given by the density |
//! | [`NonEquilibriumExtrapolationVelocity`] | on the nodes | second | yes | nearly kept |
//! | [`NonEquilibriumExtrapolationPressure`] | on the nodes | second | yes | given by the density |
//! | [`Equilibrium`] | on the nodes | first | yes | given by the density |
//! | [`CharacteristicVelocity`], [`CharacteristicPressure`] | on the nodes | second once steady, first in time and at its edges | yes | given by what is held, slowly |
//! | [`ConvectiveOutflow`] | on the nodes | second, first beside solids | yes | given by what is held, slowly |
//! | [`ZeroGradient`] | on the nodes | first, exact where nothing changes across it | yes | held by nothing, it grows where the pressure falls |
//! | [`FreeSlip`] | on the nodes | exact as a plane of symmetry | yes | nearly kept |
//! | [`HalfWaySlip`] | half-way | exact as a plane of symmetry | yes | kept |
//! | [`StaircaseSlip`] | half-way, on the staircase | a flat wall: exact as a plane of symmetry; else first at best | yes | kept |
//! | [`PressurePeriodic`] | half a spacing beyond, where the period ends | second | no | kept with the incompressible equilibrium and no anchoring |
//! | [`Sponge`] | in the fluid | a source, of no order | | given by the density |
//!
//! All stand beside half-way walls and beside each other, but that rules which read what arrives at the next node ([`NonEquilibriumExtrapolationVelocity`], [`NonEquilibriumExtrapolationPressure`],
//! [`ZeroGradient`]) are refused where that node has a rule of links or a wall that moves: at an edge with such a wall, and beside a body with such a rule. They are made for D2Q9, D3Q15, D3Q19 and D3Q27 where a solver of that lattice is declared with them; a rule that
//! cannot be made for a lattice or an edge says so, where it is declared or where a flow has it, with the place. *Nearly kept* is that the rule sets the velocity and not the
//! mass: `lbm validate mass` has by how much it changes. Contradictions are refused: two velocities that both let the fluid through the same node of an edge and
//! differ, two densities at one, [`PressurePeriodic`] without its like opposite.
//!
//! What Tomczak & Szafran (2019) set on their sparse tiles is here: the inlet [`ZouHeVelocity`], the outlet of constant pressure
//! [`ZouHePressure`], walls with the velocity 0 on the node [`ZouHeVelocity`] with that velocity, walls that bounce back [`HalfWay`], which on
//! a staircase of nodes is what a solid node is in any case.

mod corners;
mod links;
mod outflow;
mod scalars;
mod slip;
mod sponge;

pub use corners::{RegularizedVelocityNeighbour, ZouHeVelocityNeighbour};
pub use links::{AntiBounceBack, HalfWay, SingleNode, Windkessel};
pub use outflow::ZeroGradient;
pub use scalars::{Exchange, FixedFlux, FixedValue};
pub use slip::{FreeSlip, HalfWaySlip, StaircaseSlip};
pub use sponge::{Sponge, layer};

use corners::Inward;
use lbm_macros::boundary;

boundary! {
    /// A velocity: what is missing comes back as non-equilibrium, corrected so that the momentum is that of the velocity (Zou & He
    /// 1997; in three dimensions Hecht & Harting 2010). The density follows from the populations that arrive. Second order with the wall
    /// on the node. At edges and corners, buried directions take their equilibrium; beside a half-way wall, momentum across that wall
    /// is the wall's.
    ///
    /// It shakes itself at small viscosities, in a fluid at rest and at flat walls already: with [`Bgk`](crate::collisions::Bgk) below about 0.02.
    /// [`RegularizedVelocity`] does not at 0.001.
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
    /// Harting 2010). The velocity through the face follows from the populations that arrive. Second order with the boundary on the node, exact in a
    /// channel with the incompressible equilibrium; a layer before it alternates from node to node, by the odd part of the non-equilibrium, which it does not
    /// send back, and falls within some fifteen nodes. Sound comes back. At edges and corners of two of its faces or more the velocity is open; it is that of the next
    /// node inward along the diagonal, as it was in the step before, first order.
    pub ZouHePressure(density = 1) on_node {
        use Inward;
        let rest = momentum(density, dimensions.map(|a| 0));
        let u = |j| dimensions.map(|a| normal[a] * (j - rest[a]) / if is_incompressible { 1 } else { density });
        for [i, x] in directions.zip(if faces == 1 {
            let j = solve(0, |j| sum(bounced(density, u(j))) - density);
            bounced(density, u(j))
        } else {
            completed(density, bounced(density, velocity_inward(dimensions.map(|a| 0))))
        }) {
            if is_missing[i] {
                f[i] = x;
            }
        }
    }
}

boundary! {
    /// A velocity, where all populations are replaced: by their equilibrium and the part of the non-equilibrium that carries stress,
    /// with missing parts bounced back (Latt, Chopard, Malaspinas, Deville & Michler 2008, BC1). More stable than
    /// [`ZouHeVelocity`], second order, at edges and corners, too.
    pub RegularizedVelocity(velocity[dimensions]) on_node replaces_known {
        let rho = solve(1, |rho| sum(bounced(rho, velocity)) - rho);
        for [i, x] in directions.zip(regularized(rho, velocity)) {
            f[i] = x;
        }
    }
}

boundary! {
    /// A density, with no velocity along the face, where all populations are replaced as by [`RegularizedVelocity`] (Latt et al. 2008). Second order;
    /// where it applies, and its layer, are those of [`ZouHePressure`].
    pub RegularizedPressure(density = 1) on_node replaces_known {
        use Inward;
        let rest = momentum(density, dimensions.map(|a| 0));
        let u = |j| dimensions.map(|a| normal[a] * (j - rest[a]) / if is_incompressible { 1 } else { density });
        let velocity = if faces == 1 {
            let j = solve(0, |j| sum(bounced(density, u(j))) - density);
            u(j)
        } else {
            velocity_inward(dimensions.map(|a| 0))
        };
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
    /// A large share holds the velocity and reflects sound, 0 lets both go. Second order in space once steady, as the velocity is held on the node; the wave is
    /// followed to first order in time, and as if it met the face at a right angle (0.5 % of a plane pulse comes back, a quarter of one from a point nearby). At edges and corners of
    /// its own, density and velocity are those of the next node inward, the velocity drawn to that which is given by the same share: a box with it all around is rid of a pulse from its middle but for
    /// a hundredth. On any lattice that [`RegularizedVelocity`] is made for; the mass in the box is what enters less what leaves.
    pub CharacteristicVelocity(velocity[dimensions], relaxation = 1/10000 in 0..=1) on_node replaces_known {
        use Inward;
        let out = |v| 0 - dimensions.sum(|a| normal[a] * v[a]);
        for [i, x] in directions.zip(if faces == 1 {
            // What flows out and the density together are known, one of them not.
            let both = directions.filter(|i| out(c[i]) >= 0).sum(|i| (1 + out(c[i])) * f[i]);
            let rho_before = directions.sum(|i| sent[i]);
            let left = directions.sum(|i| out(c[i]) * sent[i]) - out(force);
            let u_before = (left + out(force) / 2) / if is_incompressible { 1 } else { rho_before };
            let wanted = out(momentum(rho_before, velocity));
            let rho = rho_before + (both - rho_before - left + relaxation * (left - wanted)) / (1 + cs + u_before);
            let u_out = (both - rho + out(force) / 2) / if is_incompressible { 1 } else { rho };
            let u = dimensions.map(|a| (1 - normal[a]) * velocity[a] - normal[a] * u_out);
            regularized(rho, u)
        } else {
            let along = velocity_inward(velocity);
            regularized(density_inward(1), dimensions.map(|a| along[a] + relaxation * (velocity[a] - along[a])))
        }) {
            f[i] = x;
        }
    }
}

boundary! {
    /// An outlet that lets sound out: the wave that enters does not change, but for a slow return of the density to that which is given, by
    /// a share `relaxation` a step (Thompson 1987; Poinsot & Lele 1992: 0.25 c_s over the length of the box). There is no velocity along the face; at edges
    /// and corners of its own the velocity is that of the next node inward.
    /// Otherwise, in its order and where it applies, too, as [`CharacteristicVelocity`].
    pub CharacteristicPressure(density = 1, relaxation = 1/10000 in 0..=1) on_node replaces_known {
        use Inward;
        let out = |v| 0 - dimensions.sum(|a| normal[a] * v[a]);
        for [i, x] in directions.zip(if faces == 1 {
            let both = directions.filter(|i| out(c[i]) >= 0).sum(|i| (1 + out(c[i])) * f[i]);
            let rho_before = directions.sum(|i| sent[i]);
            let left = directions.sum(|i| out(c[i]) * sent[i]) - out(force);
            let u_before = (left + out(force) / 2) / if is_incompressible { 1 } else { rho_before };
            let rho = rho_before + (both - rho_before - left - relaxation * (rho_before - density)) / (1 + cs + u_before);
            let u_out = (both - rho + out(force) / 2) / if is_incompressible { 1 } else { rho };
            regularized(rho, dimensions.map(|a| 0 - normal[a] * u_out))
        } else {
            let rho_inward = density_inward(density);
            regularized(rho_inward - relaxation * (rho_inward - density), velocity_inward(dimensions.map(|a| 0)))
        }) {
            f[i] = x;
        }
    }
}

boundary! {
    /// The equilibrium of a density and a velocity in place of what is missing (Mohamad & Succi 2009, Eur. Phys. J. Spec. Top. 171, 213). Simple and
    /// stable, first order, since the stress is left out; at faces, edges and corners of any lattice. As an outlet it sends about a third of a sound wave back.
    pub Equilibrium(density = 1, velocity[dimensions]) on_node {
        for i in missing {
            f[i] = equilibrium(density, velocity)[i];
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

boundary! {
    /// As [`Bouzidi`], through one more point: parabolas along the link instead of lines (Bouzidi, Firdaouss & Lallemand 2001, quadratic).
    /// Where the wall is near, it reads what the second node behind the node sent; where that is no fluid, it is [`Bouzidi`], and where a wall is
    /// behind the node, the half-way wall. Second order in the flow as [`Bouzidi`] is, with a smaller error.
    pub BouzidiQuadratic(velocity[dimensions] = 0) on_link {
        let moves = 2 * w[back] / cs2 * dimensions.sum(|a| c[back][a] * velocity[a]);
        let here = sent[toward];
        let inward = f[toward] - here;
        let curved = select(is_fluid_at(2 * c[back]), q * (2 * inward - (sent_at(2 * c[back], toward) - here)), 0);
        let later = (2 * q + 1) * (sent[back] - here) - q * (sent_at(c[back], back) - here);
        f[back] = here + select(q < 1/2,
            (1 - 2 * q) * (inward + curved) + moves,
            ((2 * q - 1) * later + moves) / (q * (2 * q + 1)));
    }
}

boundary! {
    /// A velocity: all populations are the equilibrium of that velocity and of the density at the next node inward, and the
    /// non-equilibrium of what arrives there (Guo, Zheng & Shi 2002, Chin. Phys. 11, 366). Second order on the node, at its own edges and corners and beside
    /// half-way walls, too, where the next node is the one away from all of them and from faces whose rules were given before. Where the next node
    /// is at a face with another rule, what arrives there is what that rule makes of it; where it has a rule of links, or a wall that moves, this rule is refused, with the place.
    pub NonEquilibriumExtrapolationVelocity(velocity[dimensions]) on_node replaces_known {
        let inward = dimensions.map(|a| if a < faces + walls { 1 } else { 0 });
        let there = directions.map(|i| arrives_at(inward, i));
        let rho = sum(there);
        let u = dimensions.map(|a|
            (directions.sum(|i| c[i][a] * there[i]) + force[a] / 2) / if is_incompressible { 1 } else { rho });
        let eq_there = equilibrium(rho, u);
        let eq = equilibrium(rho, velocity);
        for i in directions {
            f[i] = eq[i] + (there[i] - eq_there[i]);
        }
    }
}

boundary! {
    /// A density, and so a pressure (density - 1) c_s^2, with the velocity of the next node inward, with what the rules of faces
    /// beside make of it. Otherwise, in its order and where it applies, as [`NonEquilibriumExtrapolationVelocity`] (Guo, Zheng & Shi 2002).
    pub NonEquilibriumExtrapolationPressure(density = 1) on_node replaces_known {
        let there = directions.map(|i| arrives_at(normal, i));
        let rho = sum(there);
        let u = dimensions.map(|a|
            (directions.sum(|i| c[i][a] * there[i]) + force[a] / 2) / if is_incompressible { 1 } else { rho });
        let eq_there = equilibrium(rho, u);
        let eq = equilibrium(density, u);
        for i in directions {
            f[i] = eq[i] + (there[i] - eq_there[i]);
        }
    }
}

boundary! {
    /// An outlet through which all goes with a speed (lattice units, outward): density and momentum follow d/dt + speed d/dn = 0
    /// (Orlanski 1976), explicit in time, of second order upwind from the next two nodes inward (Beam & Warming 1976), but for a slow return of
    /// the density to that which is given, by a share `relaxation` a step. With the flow's own speed what drifts leaves and sound comes back; with
    /// that of sound and the flow together, c_s + U, sound leaves, but for a quarter of a percent of a pulse 32 nodes wide.
    ///
    /// Once steady, the return is what the speed takes away: the density stays speed |d rho / dn| / `relaxation` beside that which is given. So it holds the pressure where the pressure does not fall towards the outlet; between walls that
    /// make it fall take [`CharacteristicPressure`], which holds it in any flow, or a larger share, which reflects more.
    ///
    /// All populations are replaced as by [`RegularizedVelocity`]. At edges and corners of its own n is the diagonal inward, so that what leaves both ways does. Where the second node inward is no fluid it is of first order, and where the
    /// next one is none, nothing changes.
    pub ConvectiveOutflow(speed in 0..=1, density = 1, relaxation = 1/10000 in 0..=1) on_node replaces_known {
        let rise = |part, from, to| directions.sum(|i| part(i) * (sent_at(to * normal, i) - sent_at(from * normal, i)));
        let change = |part| speed * (select(is_fluid_at(normal), rise(part, 0, 1), 0)
            + select(is_fluid_at(normal) && is_fluid_at(2 * normal),
                (1 - speed) / 2 * (rise(part, 0, 1) - rise(part, 1, 2)), 0));
        let rho_before = sum(sent);
        let rho = rho_before + change(|i| 1) - relaxation * (rho_before - density);
        let u = dimensions.map(|a|
            (directions.sum(|i| c[i][a] * sent[i]) - force[a] / 2 + change(|i| c[i][a]))
                / if is_incompressible { 1 } else { rho });
        for [i, x] in directions.zip(regularized(rho, u)) {
            f[i] = x;
        }
    }
}

boundary! {
    /// A period with a difference of pressure: what leaves through the opposite face enters here, with its velocity and its non-equilibrium, and
    /// a density that is higher by `rise` (Kim & Pitsch 2007). The opposite face has the same rule with the opposite rise. Second order.
    /// Where the node that it comes from is solid, a half-way wall is between.
    ///
    /// A quasi-compressible fluid brings more in at the higher density than goes out at the lower one, so that a closed loop would fill up. So
    /// the mean density of both ends is drawn to `density`, by a share `anchoring` a step; it stays about 3 `rise` u / `anchoring` above, u
    /// being the speed through the face. With the incompressible equilibrium 0 keeps the mass exactly.
    pub PressurePeriodic(rise in -1..=1, density = 1, anchoring = 1/10 in 0..=1) half_way {
        require(faces == 1, "a period has one direction; give the other face of this edge another rule");
        let rho_here = sum(sent);
        for i in missing {
            let there = directions.map(|k| sent_across(-c[i], k));
            let rho = sum(there);
            let u = dimensions.map(|a|
                (directions.sum(|k| c[k][a] * there[k]) - force[a] / 2) / if is_incompressible { 1 } else { rho });
            let raised = rho + rise - anchoring * ((rho_here + rho) / 2 - density);
            f[i] = select(is_fluid_across(-c[i]),
                there[i] + (equilibrium(raised, u)[i] - equilibrium(rho, u)[i]),
                sent[opposite[i]]);
        }
    }
}
