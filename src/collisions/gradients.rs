//! Collisions that read how the velocity changes around a node, as its neighbours have it in this step before any of them collides.
//!
//! Differences are those of [`grad`](crate::language::near), with the neighbours of D2Q9 or D3Q27 on any lattice. No velocity of a wall is asked for: beside
//! one the fluid's side alone counts, whether it moves or not; solids are two nodes thick or more, since a thinner one has fluid on both sides.

use super::Recursion;
use lbm_macros::{collision, functions};

functions! {
    /// How the velocity changes from node to node.
    pub Gradients {
        /// Entry \[a\]\[b\] is d u_a / d x_b: second order, and isotropic to the fourth, in the fluid. Beside a wall the difference to the node on the other side: exact
        /// where the velocity is linear and the wall plane, else first order; 0 between two walls. Beside a face with a rule half of that difference, as if the
        /// velocity stayed the same beyond.
        let slopes = || {
            let wall = field(0, |_| 1);
            // From -1/2 to 1/2: which part of the neighbours along an axis a wall has.
            let toward = grad(wall);
            let across = dimensions.map(|a| grad(u[a]));
            dimensions.map(|a| dimensions.map(|b| across[a][b] / (1 - abs(toward[b]))))
        };
    }
}

collision! {
    /// Wall-adapting eddies: their viscosity follows the square of the velocity's gradient, so that it vanishes in pure shear and falls with the cube of the distance
    /// from a wall, without a damping function. With the strain S, S^d the traceless symmetric part of the square of the gradient, and a spacing of nodes as the length,
    ///
    /// nu_t = `constant`^2 (S^d:S^d)^(3/2) / ((S:S)^(5/2) + (S^d:S^d)^(5/4))
    ///
    /// adds to the viscosity; a flow in two dimensions is one in three that is the same along z. A node whose gradient is below 1e-15 a step has no eddies. The default of `constant` is the source's of
    /// homogeneous turbulence; 0.325 is usual in channels. The gradient is of second order in the fluid and of first beside walls ([`Gradients`]). It goes around any collision of a flow, also
    /// of a [model](crate::models)'s whose force reads no neighbours, where whole boxes are stored (`Dense`).
    ///
    /// The eddies' viscosity is the field `eddies`, [`Simulation::field`](crate::simulation::Simulation::field). It is stated, so that
    /// [`Simulation::stress`](crate::simulation::Simulation::stress) follows it; a flow that starts with a gradient starts without eddies.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Duct { lattice: D2Q9, collision: Wale<Trt> } }
    /// # fn main() -> Result<(), Error> {
    /// let mut duct = Duct::builder()
    ///     .size([32, 16])
    ///     .viscosity(1e-3)
    ///     .parameter("constant", 0.325)
    ///     .face(Face::South, FaceRule::WALL)
    ///     .face(Face::North, FaceRule::WALL)
    ///     .initial(|[x, y, _]| Initial::velocity([0.05, 0.01 * ((x + 3 * y) as f64).sin(), 0.0]))
    ///     .build()?;
    /// duct.run(10)?;
    /// assert!(duct.field("eddies")?.iter().any(|&eddies| eddies > 0.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Source: Nicoud & Ducros, Flow Turbul. Combust. 62 (1999) 183, Eq. 13; on lattices: Weickert, Teike, Schmidt & Sommerfeld, Comput. Math. Appl. 59 (2010) 2200.
    pub Wale<Inner>(constant = 1/2 in 0..) {
        use Gradients;
        let slope = slopes();
        let all = |of| dimensions.sum(|a| dimensions.sum(|b| of(a, b) * of(a, b)));
        let square = all(|a, b| slope[a][b]);
        // All that follows is of the gradient with length 1, and so neither too large nor too small for single precision.
        let varies = square > 1e-30;
        let length = sqrt(max(square, 1e-30));
        let g = dimensions.map(|a| dimensions.map(|b| slope[a][b] / length));
        // Entries have names, so that they are squared as they are: multiplied out, sums of squares that vanish would round to less than 0.
        let strained = dimensions.map(|a| dimensions.map(|b| (g[a][b] + g[b][a]) / 2));
        let strain = all(|a, b| strained[a][b]);
        let squared = dimensions.map(|a| dimensions.map(|b| dimensions.sum(|k| g[a][k] * g[k][b])));
        let mean = dimensions.sum(|a| squared[a][a]) / 3;
        let swirling = dimensions.map(|a| dimensions.map(|b| (squared[a][b] + squared[b][a]) / 2 - delta(a, b) * mean));
        let swirl = all(|a, b| swirling[a][b]) + (3 - dimensions.len()) * mean * mean;
        let root = sqrt(swirl);
        let below = strain * strain * sqrt(strain) + swirl * sqrt(root);
        let eddies = field(select(varies, constant * constant * length * swirl * root / select(varies, below, 1), 0));
        let viscosity = viscosity + eddies;
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}

collision! {
    /// [`RecursiveRegularized`](super::RecursiveRegularized) of which the stress is only for the share `sigma` that of the populations; the rest of it is -2 rho cs2 tau S with the strain S
    /// of differences of the velocity, which damps waves that the lattice does not resolve. Higher coefficients follow from both together by the same recursion. With 1
    /// it is the collision without differences, and the less, the more is damped.
    ///
    /// The strain is of second order in the fluid and of first beside walls ([`Gradients`]), and so is the flow: a wave is damped more than the viscosity says by a share that goes with the square of
    /// its wave number, with 1 - `sigma`, and, where that is small, with one over the viscosity. Higher coefficients are left out as there. It needs whole boxes, `Dense`; `{ sigma: 1 }` in a
    /// solver reads no neighbours. [`Simulation::stress`](crate::simulation::Simulation::stress) is that of the populations. It takes the quasi-compressible equilibrium, on D2Q9, D3Q19 and D3Q27.
    ///
    /// Source: Jacob, Malaspinas & Sagaut, J. Turbul. 19 (2018) 1051.
    pub HybridRecursiveRegularized(sigma = 98/100 in 0..=1) {
        use Recursion;
        use Gradients;
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q19 or D3Q27");
        require(!is_incompressible, "the recursion goes with u = j / rho; take the quasi-compressible equilibrium");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let at_rest = still();
        let k = to_central(f, (j - force / 2) / rho);
        let slope = slopes();
        let twice = dimensions.map(|a| dimensions.map(|b| field(slope[a][b] + slope[b][a])));
        // The entry of a tensor that belongs to exponents of second order.
        let is_of = |s, a, b| dimensions.product(|k| delta(s[k], delta(a, k) + delta(b, k)));
        let entry = |t, s| dimensions.sum(|a| dimensions.sum(|b| if a <= b { is_of(s, a, b) * t[a][b] } else { 0 }));
        let by_differences = |s| -rho * (viscosity + cs2 / 2) * entry(twice, s);
        let post = with_stress(exponents.map(|s| (1 - omega) * (sigma * (k[s] - at_rest[s]) + (1 - sigma) * by_differences(s))));
        let relaxed = from_central(post, (j + force / 2) / rho);
        let equilibrium = from_central(at_rest, u);
        for i in directions {
            f[i] = relaxed[i];
        }
    }
}
