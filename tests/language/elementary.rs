//! `exp`, `log`, `pow`: in a collision, in coefficients that are the same for all nodes, and in a boundary rule.

use lbm::prelude::*;

collision! {
    /// The rate falls where the flow shears much, by a power and an exponential; a choice keeps it between two bounds.
    pub Softened(exponent = 3/5 in 0..=1, scale = 1/100 in 0..) {
        let tau = viscosity / cs2 + 1/2;
        let away = |i| f[i] - equilibrium[i];
        let shear = abs(directions.sum(|i| c[i][0] * c[i][1] * away(i))) / rho;
        let raised = tau + pow(shear, exponent) * exp(-shear / scale) + log(1 + shear) * exp(log(scale) * exponent);
        let omega = 1 / clamp(raised, 1/2, 2);
        for i in directions {
            f[i] = f[i] - omega * away(i) + (1 - omega / 2) * source[i];
        }
    }
}

boundary! {
    /// What a wall sends back is less where more arrives.
    pub Soaking(depth = 1/4 in 0..) on_link {
        f[back] = f[toward] * exp(-depth * abs(f[toward]));
    }
}

solver! { SoftenedSingle { lattice: D2Q9, collision: Softened, precision: F32 } }
solver! { SoftenedDouble { lattice: D3Q19, collision: Softened { exponent: 1/3 }, forcing: Guo, streaming: Aa } }
solver! { SoftenedHalf { lattice: D2Q9, collision: Softened, precision: F16In32, equilibrium: Incompressible, streaming: EsotericPull } }
solver! { SoakedSingle { lattice: D2Q9, collision: Bgk, precision: F32, boundaries: [Soaking] } }

cross_check!(SoftenedSingle, steps: [1, 2, 50]);
cross_check!(SoftenedDouble, steps: [1, 2, 50]);
cross_check!(SoftenedHalf, steps: [1, 2, 50]);
cross_check!(SoakedSingle, steps: [1, 2, 50]);

#[test]
fn nvrtc_takes_elementary_functions() {
    super::nvrtc_takes::<SoftenedSingle>();
    super::nvrtc_takes::<SoftenedDouble>();
    super::nvrtc_takes::<SoftenedHalf>();
    super::nvrtc_takes::<SoakedSingle>();
}

/// Coefficients are computed by the same function.
#[test]
fn uniform_powers_are_those_of_nodes() {
    use lbm::core::{Body, Variant, elementary};
    type Own = <SoftenedSingle as Variant>::Body;
    let value = |name: &str| if name == "exponent" { 0.3 } else { 0.02 };
    let parameters: Vec<f64> = Own::PARAMETERS.iter().map(|&name| value(name)).collect();
    let expected = elementary::exp(0.3 * elementary::log(0.02_f64));
    assert!(
        Own::uniforms(&parameters).as_ref().contains(&expected),
        "{:?}",
        Own::uniforms(&parameters).as_ref()
    );
}
