//! Names that C++ has no place for, and divisions by sums without a name.

use lbm::prelude::*;

collision! {
    /// Greek letters, keywords of C++ and Rust, names of the generator's own.
    pub Greek(τ_odd = 6/5, r#type = 1) {
        let ω = 1 / (viscosity / cs2 + 1/2);
        let ν = f[1] * f[2] + f[3] * f[4];
        let new = ν * f[2];
        let new_ = ν * f[1];
        let float2 = new * f[0] + new_;
        let NULL = float2 * ν;
        let r#match = NULL * new;
        let site = r#match * ν;
        let h = site + 1;
        let h_ = h * ν;
        let inverse_move = 1 / (2 + h_ + ν);
        let nu = h_ * inverse_move;
        for i in directions {
            let even = (f[i] + f[opposite[i]] - equilibrium[i] - equilibrium[opposite[i]]) / 2;
            let odd = (f[i] - f[opposite[i]] - equilibrium[i] + equilibrium[opposite[i]]) / 2;
            f[i] = f[i] - ω * even - τ_odd * r#type * odd + w[i] * (nu - nu * (1 + h - h));
        }
    }
}

collision! {
    /// Two divisions by sums that nobody named.
    pub Divided {
        let omega = 1 / (viscosity / cs2 + 1/2);
        for i in directions {
            f[i] = f[i] + omega * (equilibrium[i] - f[i]) * (1 / (1 + u[0] * u[0]) + 1 / (2 + u[1] * u[1]) - 1/2);
        }
    }
}

solver! { GreekSolver { lattice: D2Q9, collision: Greek, precision: F32 } }
solver! { DividedSolver { lattice: D2Q9, collision: Divided } }

cross_check!(GreekSolver, steps: [1, 2, 50]);
cross_check!(DividedSolver, steps: [1, 2, 50]);

#[test]
fn nvrtc_takes_every_name() {
    super::nvrtc_takes::<GreekSolver>();
    super::nvrtc_takes::<DividedSolver>();
}
