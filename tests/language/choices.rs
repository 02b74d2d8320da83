//! `select`, comparisons, `abs`, `min`, `max`, `clamp`.

use lbm::prelude::*;

collision! {
    /// Bhatnagar, Gross & Krook with a rate that falls where the flow shears much, between two bounds.
    pub ClampedRate(lowest = 1/2, highest = 19/10, steepness = 30) {
        require(isotropy >= 4, "flow needs fourth-order isotropy; take D2Q9, D3Q15, D3Q19 or D3Q27");
        let away = |i| f[i] - equilibrium[i];
        let shear = abs(directions.sum(|i| c[i][0] * c[i][1] * away(i)));
        let omega = 1 / (viscosity / cs2 + 1/2);
        let rate = clamp(omega * (1 - steepness * shear / rho), lowest, highest);
        for i in directions {
            f[i] = f[i] - rate * away(i);
        }
    }
}

collision! {
    /// All comparisons, joined; what is chosen is a value, a number, a coefficient.
    pub Chosen(limit = 1/50) {
        let omega = select(viscosity < 1/6, 1, 1 / (viscosity / cs2 + 1/2));
        let fast = u[0] * u[0] >= limit * limit || abs(u[1]) > limit;
        let dense = rho > 1 && !(rho == 1) && delta(1, 1) != u[0];
        let rate = select(fast, 1, select(dense, omega, omega / 2));
        for i in directions {
            let away = equilibrium[i] - f[i];
            f[i] = f[i] + rate * select(away <= 0, away, min(away, max(w[i] * limit, -away)));
        }
    }
}

collision! {
    /// Grows as populations do, so that a device computes it in the unit of 16-bit storage; with a result that moments carry.
    pub Limited {
        let omega = 1 / (viscosity / cs2 + 1/2);
        let pi = |a, b| directions.sum(|i| c[i][a] * c[i][b] * (f[i] - equilibrium[i]));
        let shear = pi(0, 1);
        let normal = pi(0, 0) - pi(1, 1);
        let kept = select(abs(shear) < abs(normal), shear, normal / 2);
        for i in directions {
            f[i] = equilibrium[i] + (1 - omega) * w[i] / (cs2 * cs2) * c[i][0] * c[i][1] * kept;
        }
    }
}

solver! { ClampedSingle { lattice: D2Q9, collision: ClampedRate, precision: F32 } }
solver! { ClampedDouble { lattice: D3Q19, collision: ClampedRate, forcing: Guo, streaming: Aa } }
solver! { ChosenSingle { lattice: D3Q15, collision: Chosen, precision: F32, equilibrium: Incompressible } }
solver! { ChosenDouble { lattice: D2Q9, collision: Chosen { limit: 1/100 }, layout: Aos } }
solver! { LimitedMoments { lattice: D2Q9, collision: Limited, precision: F16In32, streaming: Moments } }

cross_check!(ClampedSingle, steps: [1, 2, 50]);
cross_check!(ClampedDouble, steps: [1, 2, 50]);
cross_check!(ChosenSingle, steps: [1, 2, 50]);
cross_check!(ChosenDouble, steps: [1, 2, 50]);
cross_check!(LimitedMoments, steps: [1, 2, 50]);

#[test]
fn nvrtc_takes_choices() {
    super::nvrtc_takes::<ClampedSingle>();
    super::nvrtc_takes::<ClampedDouble>();
    super::nvrtc_takes::<ChosenSingle>();
    super::nvrtc_takes::<ChosenDouble>();
    super::nvrtc_takes::<LimitedMoments>();
}

/// Coefficients that are the same for all nodes follow the same rules, NaN included.
#[test]
fn uniform_choices_are_those_of_lanes() {
    use lbm::core::{Body, Lanes, Variant};
    fn bounds(highest: f64) -> Vec<f64> {
        <ClampedDouble as Variant>::Body::uniforms(&parameters(highest)).as_ref().to_vec()
    }
    fn parameters(highest: f64) -> Vec<f64> {
        let names = <ClampedDouble as Variant>::Body::PARAMETERS;
        names.iter().map(|&name| if name == "highest" { highest } else { 0.5 }).collect()
    }
    assert!(bounds(1.5).contains(&1.5));
    let nan = f64::NAN;
    assert_eq!([Lanes::min(nan, 1.0), Lanes::max(nan, 1.0), Lanes::min(Lanes::max(nan, 1.0), 2.0)], [1.0; 3]);
    assert!(Lanes::min(1.0, nan).is_nan() && Lanes::max(1.0, nan).is_nan() && Lanes::abs(nan).is_nan());
    assert_eq!(f64::select_equal(0.0, -0.0, 1.0, 2.0), 1.0);
    assert_eq!(f64::select_at_most(nan, nan, 1.0, 2.0), 2.0);
}
