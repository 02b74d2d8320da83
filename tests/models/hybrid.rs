//! Regularised collisions of which the stress is in part that of differences.

use super::eddies_bits::DeepHybrid;
use super::{Hybrid, HybridAlone, Recursive};
use lbm::core::derived::Derivation;
use lbm::core::{Body as _, Variant};
use lbm::prelude::*;
use lbm::simulation::Builder;
use std::f64::consts::TAU;

/// Four vortices of this velocity in a box of n x n.
fn vortices<V: Variant>(n: usize, velocity: f64, viscosity: f64) -> Builder<V> {
    let wave = TAU / n as f64;
    Builder::<V>::from(lbm::simulation::Problem::default()).size([n, n]).viscosity(viscosity).initial(
        move |[x, y, _]| {
            let (x, y) = (wave * x as f64, wave * y as f64);
            Initial::velocity([velocity * x.sin() * y.cos(), -velocity * x.cos() * y.sin(), 0.0])
        },
    )
}

/// With 1 it is the collision without differences: baked in to the bit, and without what it would read; as a parameter to rounding.
#[test]
fn without_differences_it_is_the_recursive_collision() -> Result<(), Error> {
    const NONE: &[Derivation] = <<HybridAlone as Variant>::Body as lbm::core::Body>::DERIVATIONS;
    assert!(NONE.is_empty() && <Hybrid as Variant>::Body::DERIVATIONS.len() == 2);
    let run = |mut flow: Simulation| {
        flow.run(100)?;
        flow.populations()
    };
    let plain = run(vortices::<Recursive>(16, 0.05, 1e-3).build()?)?;
    assert!(run(vortices::<HybridAlone>(16, 0.05, 1e-3).build()?)? == plain);
    let mixed = run(vortices::<Hybrid>(16, 0.05, 1e-3).parameter("sigma", 1.0).build()?)?;
    // A step adds half an ulp of the largest population, 4/9, some ten times; nothing grows in 100 steps of a laminar flow.
    for (a, b) in plain.iter().zip(&mixed) {
        assert!((a - b).abs() < 100.0 * 10.0 * f64::EPSILON / 4.0, "{a:e} {b:e}");
    }
    assert_ne!(run(vortices::<Hybrid>(16, 0.05, 1e-3).build()?)?, plain);
    Ok(())
}

/// Between a wall at rest and one that moves the profile is straight, whatever the share: differences are exact beside both.
#[test]
fn a_straight_profile_is_exact_for_any_share() -> Result<(), Error> {
    let (height, lid) = (6, 0.05);
    for sigma in [0.0, 0.7, 0.98] {
        let mut flow = Hybrid::builder()
            .size([3, height])
            .viscosity(0.1)
            .parameter("sigma", sigma)
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
            .build()?;
        flow.run(4_000)?;
        for (node, u) in flow.velocity()?.into_iter().enumerate() {
            let exact = lid * ((node / 3) as f64 + 0.5) / height as f64;
            assert!((u[0] - exact).abs() < 1e-13 && u[1].abs() < 1e-15, "{sigma}: {node}: {u:?}");
        }
    }
    Ok(())
}

/// The same in three dimensions, in a direction that is no axis: strains of x and of y along z. In single precision a population is rounded by half an ulp of 1/3 at most.
#[test]
fn a_straight_profile_is_exact_in_three_dimensions() -> Result<(), Error> {
    let (height, lid) = (6, [0.03, 0.04, 0.0]);
    for sigma in [0.0, 0.7, 0.98] {
        let mut flow = DeepHybrid::builder()
            .size([3, 2, height])
            .viscosity(0.1)
            .parameter("sigma", sigma)
            .face(Face::Bottom, FaceRule::WALL)
            .face(Face::Top, FaceRule::Wall { velocity: lid })
            .build()?;
        flow.run(4_000)?;
        for (node, u) in flow.velocity()?.into_iter().enumerate() {
            let share = ((node / 6) as f64 + 0.5) / height as f64;
            for axis in 0..3 {
                assert!((u[axis] - share * lid[axis]).abs() < 2e-6, "{sigma}: {node}: {u:?}");
            }
        }
    }
    Ok(())
}

/// By how much the viscosity that vortices of n nodes decay with is off, for this share. The same flow for any n.
fn viscosity_is_off_by(n: usize, sigma: f64) -> Result<f64, Error> {
    let (viscosity, wave) = (0.02, TAU / n as f64);
    let steps = (n * n) as u64 / 4;
    let mut flow = vortices::<Hybrid>(n, 0.64 / n as f64, viscosity).parameter("sigma", sigma).build()?;
    let energy = |flow: &Simulation| -> Result<f64, Error> {
        Ok(flow.velocity()?.iter().map(|u| u[0] * u[0] + u[1] * u[1]).sum())
    };
    // Past the start, at which the populations have no stress yet.
    flow.run(steps)?;
    let before = energy(&flow)?;
    flow.run(steps)?;
    let rate = (before / energy(&flow)?).ln() / steps as f64;
    Ok(rate / (4.0 * viscosity * wave * wave) - 1.0)
}

/// By how much it should be at least, beside the collision without differences. Of a velocity with the wave number k along both axes these see a share k^2/3 less than its strain; the stress
/// before a collision is what the last one has left of it and what streaming adds, and carries 1 - omega / 2 of itself.
fn more_by_differences(n: usize, sigma: f64) -> f64 {
    let (unseen, left) = ((TAU / n as f64).powi(2) / 3.0, 1.0 - 1.0 / (3.0 * 0.02 + 0.5));
    -left * (1.0 - sigma) * unseen / ((1.0 - left * sigma) * 0.5 * (1.0 + left))
}

/// Vortices decay with the fluid's viscosity to second order, with differences and without; what these do not see is damped more, as much as it should be, and less than
/// half as much again, since populations say more of a strain of higher order.
#[test]
fn vortices_decay_to_second_order_for_any_share() -> Result<(), Error> {
    let alone = [viscosity_is_off_by(32, 1.0)?, viscosity_is_off_by(64, 1.0)?];
    let mut first = None;
    for sigma in [0.5, 0.9, 0.98] {
        let more = [viscosity_is_off_by(32, sigma)? - alone[0], viscosity_is_off_by(64, sigma)? - alone[1]];
        for (n, more) in [32, 64].into_iter().zip(more) {
            let ratio = more / more_by_differences(n, sigma);
            assert!((1.0..1.5).contains(&ratio), "{sigma} {n}: {more}, {ratio}");
        }
        // What is not seen is the same for any share.
        let ratio = more[1] / more_by_differences(64, sigma);
        assert!((ratio / *first.get_or_insert(ratio) - 1.0).abs() < 1e-3, "{sigma}: {ratio}, {first:?}");
        let order = (more[0] / more[1]).log2();
        assert!((1.9..2.1).contains(&order), "{sigma}: {more:?}, order {order}");
    }
    Ok(())
}
