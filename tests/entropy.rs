//! The law of an essentially entropic collision: sum f log(f / w) never grows, however far from equilibrium a node is.

use lbm::core::{Facts, Variant};
use lbm::prelude::*;

solver! { Entropic { lattice: D2Q9, collision: EssentiallyEntropic } }
solver! { DeepEntropic { lattice: D3Q27, collision: EssentiallyEntropic } }
solver! { Bare { lattice: D2Q9, collision: Bgk } }
solver! { Narrow { lattice: D2Q9, collision: EssentiallyEntropic, precision: F32, forcing: Guo, streaming: Aa } }

cross_check!(Narrow, steps: [1, 2, 50]);

fn entropy(facts: &Facts, h: &[f64]) -> f64 {
    let terms = h.iter().zip(facts.lattice.weights).map(|(h, w)| (h + w) * (1.0 + h / w).ln());
    terms.sum()
}

/// Of many nodes with positive populations, how many collide to a greater entropy, and the greatest growth.
fn growth<V: Variant>(viscosity: f64) -> (usize, f64) {
    let facts = Facts::of::<V>();
    let mut state = 7_u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut grown, mut most) = (0, f64::NEG_INFINITY);
    for size in [1e-3, 0.1, 0.5, 0.9].into_iter().cycle().take(4000) {
        let before: Vec<f64> =
            facts.lattice.weights.iter().map(|w| w * size * (2.0 * number() - 1.0)).collect();
        let mut after = before.clone();
        facts.collide(&before, &[], &facts.uniforms(&[viscosity]), &mut after);
        let growth = if after.iter().zip(facts.lattice.weights).any(|(h, w)| h + w <= 0.0) {
            f64::INFINITY
        } else {
            entropy(&facts, &after) - entropy(&facts, &before)
        };
        grown += usize::from(growth > 1e-14);
        most = most.max(growth);
    }
    (grown, most)
}

#[test]
fn entropy_never_grows() {
    for viscosity in [1e-6, 1e-3, 0.1] {
        assert_eq!(growth::<Entropic>(viscosity).0, 0, "{viscosity}: {:e}", growth::<Entropic>(viscosity).1);
        assert_eq!(
            growth::<DeepEntropic>(viscosity).0,
            0,
            "{viscosity}: {:e}",
            growth::<DeepEntropic>(viscosity).1
        );
    }
    // With one rate for all nodes it does.
    assert!(growth::<Bare>(1e-6).0 > 100);
}

/// The equilibrium is the least of the entropy for its density and velocity: what moves between populations without changing these raises it.
#[test]
fn the_equilibrium_is_where_entropy_is_least() {
    let facts = Facts::of::<Entropic>();
    let mut h = [0.0; 9];
    let (rho, u) = (1.1, [0.15, -0.07, 0.0]);
    facts.equilibrium(rho, u, &mut h);
    let [found, ux, uy, _] = facts.macroscopic(&h, [0.0; 3]);
    assert!((found - rho).abs() < 1e-15 && (ux - u[0]).abs() < 1e-15 && (uy - u[1]).abs() < 1e-15);
    let c = facts.lattice.velocities;
    let moves: [fn(i32, i32) -> i32; 4] = [
        |x, y| x * y,
        |x, y| x * x - y * y,
        |x, y| x * (3 * y * y - 1),
        |x, y| (3 * x * x - 1) * (3 * y * y - 1),
    ];
    for step in moves {
        let slope: f64 = (0..9)
            .map(|i| {
                let w = facts.lattice.weights[i];
                w * f64::from(step(c[i][0], c[i][1])) * (1.0 + h[i] / w).ln()
            })
            .sum();
        assert!(slope.abs() < 1e-15, "{slope:e}");
    }
}
