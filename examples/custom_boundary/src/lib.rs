//! A boundary rule of one's own: a wall that holds back only a part of what hits it, without a line of CUDA.

use lbm::prelude::*;

boundary! {
    /// A part of what hits the wall is sent back, the rest is reflected as by a mirror: the fluid slips. A flow of shear rate S moves along
    /// the wall with tau (1 - a) / a S, where a is the accommodation and tau = viscosity / cs2 + 1/2.
    pub PartialSlip(accommodation = 1/2 in 0..=1) on_node {
        require(faces == 1, "a wall that slips has no edge with another; let a wall that holds stand beside");
        let comes = |i, a| normal[a] == 1 && c[i][a] > 0;
        let image = |i| directions.filter(|k| dimensions.product(|a|
            delta(c[k][a], if comes(i, a) { -c[i][a] } else { c[i][a] })) == 1)[0];
        for i in missing {
            f[i] = (1 - accommodation) * f[image(i)] + accommodation * f[opposite[i]];
        }
    }
}

solver! {
    /// Between a wall that slips and one that moves.
    pub Sheared { lattice: D2Q9, collision: Trt, boundaries: [PartialSlip, ZouHeVelocity] }
}

solver! {
    /// The same in three dimensions, in one copy of narrow numbers.
    pub Deep {
        lattice: D3Q19, collision: Bgk, precision: F16In32, streaming: EsotericPull, boundaries: [PartialSlip, ZouHeVelocity]
    }
}

cross_check!(Sheared, steps: [1, 2, 20]);
cross_check!(Deep, steps: [1, 2, 20]);

#[cfg(test)]
mod tests {
    use super::*;

    /// The profile is a line, which the method represents exactly.
    #[test]
    fn the_fluid_slips_as_far_as_it_should() {
        const VISCOSITY: f64 = 0.1;
        let (height, speed, tau) = (13usize, 0.01, 3.0 * VISCOSITY + 0.5);
        for accommodation in [0.25, 0.5, 0.9] {
            let mut flow = Sheared::builder()
                .size([4, height])
                .viscosity(VISCOSITY)
                .boundary(Face::South, PartialSlip.with("accommodation", [accommodation]))
                .boundary(Face::North, ZouHeVelocity.with("velocity", [speed, 0.0]))
                .threads(1)
                .build()
                .unwrap();
            flow.run(30_000).unwrap();
            let slip = tau * (1.0 - accommodation) / accommodation;
            let u = flow.velocity().unwrap();
            for y in 0..height {
                let exact = speed * (y as f64 + slip) / (height as f64 - 1.0 + slip);
                assert!((u[4 * y][0] - exact).abs() < 1e-10 * speed, "{y}: {} and {exact}", u[4 * y][0]);
            }
        }
    }
}
