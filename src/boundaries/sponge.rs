//! A layer that takes in what arrives.

use lbm_macros::boundary;

boundary! {
    /// A sponge: in each step the fluid is pulled by a share `strength` from its equilibrium to that of a given density and velocity,
    /// f_i - strength (f_eq(rho, u) - f_eq(density, velocity)), before it collides; the non-equilibrium stays. This is the damping of equilibria
    /// of Xu & Sagaut (2013, J. Comput. Phys. 245, 14) on a lattice, whose ancestor is the damping of Israeli & Orszag (1981, J. Comput. Phys. 41, 115).
    ///
    /// Sound and vortices that enter a layer fall by exp(-integral of strength dx / speed) on their way through it, and again on their way back
    /// from the face behind. What is felt of the layer itself is its edge: let the strength rise smoothly from 0, over a length as that of the
    /// waves, [`layer`](crate::boundaries::layer). A uniform flow of that density and velocity goes through unchanged. All else that would be
    /// kept is not: momentum, mass, and pressures that the flow would find by itself.
    pub Sponge(strength in 0..=1, density = 1, velocity[dimensions]) in_fluid {
        let rho = sum(f);
        let u = dimensions.map(|a|
            (directions.sum(|i| c[i][a] * f[i]) + force[a] / 2) / if is_incompressible { 1 } else { rho });
        let here = equilibrium(rho, u);
        let there = equilibrium(density, velocity);
        for i in directions {
            f[i] = f[i] - strength * (here[i] - there[i]);
        }
    }
}

/// The share of the full strength that a layer of so many nodes beside a face has at a distance from the face, in node spacings: 1 there, falling
/// to 0 at its edge as the power `exponent` of what is left of the depth.
///
/// ```
/// use lbm::boundaries::layer;
/// use lbm::prelude::*;
///
/// solver! { Tunnel { lattice: D2Q9, collision: Bgk, boundaries: [ZouHeVelocity, ZouHePressure, Sponge] } }
///
/// # fn main() -> Result<(), Error> {
/// let (length, depth) = (80, 30.0);
/// let strength = move |[x, ..]: [usize; 3]| [0.1 * layer((length - 1 - x) as f64, depth, 2.0)];
/// let mut tunnel = Tunnel::builder()
///     .size([length, 10])
///     .viscosity(0.01)
///     .boundary(Face::West, ZouHeVelocity.with("velocity", [0.05, 0.0]))
///     .boundary(Face::East, ZouHePressure)
///     .region("sponge", move |[x, ..]| x >= length - 30, Sponge.with_each("strength", strength).with("velocity", [0.05, 0.0]))
///     .build()?;
/// tunnel.run(10)?;
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn layer(distance: f64, depth: f64, exponent: f64) -> f64 {
    (1.0 - distance / depth).clamp(0.0, 1.0).powf(exponent)
}
