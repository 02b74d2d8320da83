//! Two components that repel each other.

use lbm_macros::model;

model! {
    /// Two components that repel each other, so that they part: on each acts the force -`repulsion` cs2 rho_k grad rho_other. Each dissolves a little in the other one; of densities that are about 1 they
    /// part where `repulsion` is above 2, and 3 leaves 5 % of the other one.
    ///
    /// The flow is of both together, with one `viscosity`, and `flow.sum_of("red")` gives the density of the first one. Both relax to the velocity of the whole, and each is forced by its own
    /// force, so that what dissolves does not depend on the viscosity. The pressure is cs2 (rho + `repulsion` rho_red rho_blue). Walls are neutral.
    ///
    /// Source: Shan & Doolen, J. Stat. Phys. 81 (1995) 379; forcing: Guo, Zheng & Shi (2002) on each, Porter et al., Phys. Rev. E 86 (2012) 036701.
    pub ShanChenMixture<Flow>(repulsion = 3 in 0..) {
        let flow = set(1);
        let red = set(0);
        require(red.directions.len() == flow.directions.len(), "both components move along the same velocities: give the lattice twice");
        let blue = field(flow.rho - red.rho);
        let share = red.rho / flow.rho;
        let of_red = field(red.rho);
        let slope = grad(of_red);
        let other = grad(blue);
        let on_red = dimensions.map(|a| share * flow.force[a] - repulsion * flow.cs2 * red.rho * other[a]);
        let on_blue = dimensions.map(|a| (1 - share) * flow.force[a] - repulsion * flow.cs2 * (flow.rho - red.rho) * slope[a]);
        flow.force = dimensions.map(|a| on_red[a] + on_blue[a]);
        red.u = flow.u;
        let omega = 1 / (flow.viscosity / flow.cs2 + 1/2);
        let dot = |a, b| dimensions.sum(|k| a[k] * b[k]);
        flow.f = Flow(flow);
        for i in red.directions {
            let c_u = dot(red.c[i], flow.u) / red.cs2;
            let pushed = red.w[i] / red.cs2 * dimensions.sum(|a| (red.c[i][a] * (1 + c_u) - flow.u[a]) * on_red[a]);
            red.f[i] = red.f[i] + omega * (red.equilibrium[i] - red.f[i]) + (1 - omega / 2) * pushed;
        }
    }
}
