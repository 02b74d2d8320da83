//! What a scalar does, beside exact solutions.

use super::{Dye, Dye9, Heat};
use lbm::prelude::*;
use std::f64::consts::TAU;

/// The amplitude of a wave that a uniform flow carries once through the box, over the one that diffusion leaves, and by how much of its length it is
/// behind.
fn advected(length: usize, diffusivity: f64, velocity: f64) -> Result<[f64; 2], Error> {
    let wave = TAU / length as f64;
    let mut flow = Dye::builder()
        .size([length, 1])
        .viscosity(0.1)
        .parameter("diffusivity", diffusivity)
        .initial(move |_| Initial::velocity([velocity, 0.0, 0.0]))
        .initial_sum("scalar", move |[x, ..]| 0.5 + 0.25 * (wave * x as f64).cos())
        .build()?;
    let steps = (length as f64 / velocity).round() as u64;
    flow.run(steps)?;
    let values = flow.sum_of("scalar")?;
    let part = |of: fn(f64) -> f64| -> f64 {
        values.iter().enumerate().map(|(x, value)| value * of(wave * x as f64)).sum()
    };
    let (even, odd) = (part(f64::cos), part(f64::sin));
    let left = 0.25 * length as f64 / 2.0 * (-diffusivity * wave * wave * steps as f64).exp();
    Ok([even.hypot(odd) / left, odd.atan2(even) / TAU])
}

#[test]
fn a_wave_is_advected_and_diffuses_to_second_order() -> Result<(), Error> {
    // The same flow twice as fine: half the velocity keeps the diffusivity.
    let coarse = advected(16, 0.02, 0.08)?;
    let fine = advected(32, 0.02, 0.04)?;
    let error = |[amplitude, phase]: [f64; 2]| (amplitude - 1.0).hypot(TAU * phase);
    let order = (error(coarse) / error(fine)).log2();
    assert!(error(fine) < 6e-3, "{coarse:?} {fine:?}");
    assert!((1.8..2.4).contains(&order), "order {order}: {coarse:?} {fine:?}");
    Ok(())
}

#[test]
fn between_plates_the_profile_is_straight_and_the_flux_as_given() -> Result<(), Error> {
    let (n, diffusivity, flux) = (8_usize, 0.1, 0.003);
    let mut fixed = Dye::builder()
        .size([1, n])
        .viscosity(0.1)
        .parameter("diffusivity", diffusivity)
        .boundary(Face::South, FixedValue.with("value", [1.0]).of("scalar"))
        .boundary(Face::North, FixedValue.with("value", [0.25]).of("scalar"))
        .build()?;
    fixed.run(6000)?;
    for (y, value) in fixed.sum_of("scalar")?.into_iter().enumerate() {
        let exact = 1.0 - 0.75 * (y as f64 + 0.5) / n as f64;
        assert!((value - exact).abs() < 1e-13, "{y}: {value}, {exact}");
    }
    // What goes in at one plate comes out at the other.
    let through = diffusivity * 0.75 / n as f64;
    for (face, sign) in [(Face::South, -1.0), (Face::North, 1.0)] {
        let out = fixed.flux_into("scalar", face)?;
        assert!((out - sign * through).abs() < 1e-14, "{face:?}: {out}, {through}");
        assert_eq!(fixed.force_on(face, [0.0; 3])?.force[0], 0.0);
    }

    let mut driven = Dye9::builder()
        .size([1, n])
        .viscosity(0.1)
        .parameter("diffusivity", diffusivity)
        .boundary(Face::South, FixedFlux.with("flux", [0.0, flux]).of("scalar"))
        .boundary(Face::North, FixedValue.with("value", [0.25]).of("scalar"))
        .build()?;
    driven.run(12000)?;
    for (y, value) in driven.sum_of("scalar")?.into_iter().enumerate() {
        let exact = 0.25 + flux / diffusivity * (n as f64 - y as f64 - 0.5);
        assert!((value - exact).abs() < 1e-12, "{y}: {value}, {exact}");
    }
    Ok(())
}

#[test]
fn what_is_exchanged_with_an_outside_adds_a_resistance() -> Result<(), Error> {
    let (n, diffusivity, coefficient) = (8, 0.1, 0.02);
    let mut flow = Dye::builder()
        .size([1, n])
        .viscosity(0.1)
        .parameter("diffusivity", diffusivity)
        .boundary(
            Face::South,
            Exchange.with("outside", [1.0]).with("coefficient", [coefficient]).of("scalar"),
        )
        .boundary(Face::North, FixedValue.with("value", [0.0]).of("scalar"))
        .build()?;
    flow.run(12000)?;
    let flux = 1.0 / (1.0 / coefficient + n as f64 / diffusivity);
    for (y, value) in flow.sum_of("scalar")?.into_iter().enumerate() {
        let exact = flux / diffusivity * (n as f64 - y as f64 - 0.5);
        assert!((value - exact).abs() < 1e-12, "{y}: {value}, {exact}");
    }
    Ok(())
}

#[test]
fn in_a_closed_box_nothing_is_lost() -> Result<(), Error> {
    let mut flow = Dye::builder()
        .size([12, 10])
        .viscosity(0.05)
        .parameter("diffusivity", 0.02)
        .face(Face::West, FaceRule::WALL)
        .face(Face::East, FaceRule::WALL)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.1, 0.0, 0.0] })
        .solid(|[x, y, _]| x == 4 && y == 5)
        .initial_sum("scalar", |[x, y, _]| if x < 4 && y < 4 { 1.0 } else { 0.0 })
        .build()?;
    let before = [flow.total_of("scalar")?, flow.mass()?];
    assert_eq!(before, [16.0, 119.0]);
    flow.run(2000)?;
    let after = [flow.total_of("scalar")?, flow.mass()?];
    // Half an ulp of each population, about 1/5 of them at most, in each step: 2000 x 119 x 5 x 2^-54 / 5 and as much again.
    assert!((after[0] - before[0]).abs() < 2e-11 && (after[1] - before[1]).abs() < 2e-11, "{after:?}");
    // The lid stirred it: it is everywhere.
    let values = flow.sum_of("scalar")?;
    let fluid = values.iter().enumerate().filter(|(n, _)| *n != 4 + 12 * 5);
    assert!(fluid.clone().all(|(_, value)| (0.05..0.3).contains(value)), "{values:?}");
    Ok(())
}

#[test]
fn a_wall_that_moves_may_have_a_value() -> Result<(), Error> {
    let (n, lid) = (8_usize, 0.05);
    let mut flow = Dye::builder()
        .size([1, n])
        .viscosity(0.1)
        .parameter("diffusivity", 0.1)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .boundary(Face::North, FixedValue.with("value", [1.0]).of("scalar"))
        .boundary(Face::South, FixedValue.with("value", [0.0]).of("scalar"))
        .build()?;
    flow.run(6000)?;
    let values = flow.sum_of("scalar")?;
    for (y, (u, value)) in flow.velocity()?.into_iter().zip(values).enumerate() {
        let share = (y as f64 + 0.5) / n as f64;
        // On D2Q5 the equilibrium's terms of second order take 3/2 u^2 of what the populations across a flow u carry.
        let known = value * (1.0 - 1.5 * u[0] * u[0]);
        assert!((u[0] - lid * share).abs() < 1e-13 && (known - share).abs() < 1e-12, "{y}: {u:?} {value}");
    }
    Ok(())
}

#[test]
fn warm_fluid_rises_as_fast_as_it_should() -> Result<(), Error> {
    let (gravity, expansion, warmer) = (-1e-3, 0.5, 0.25);
    let mut flow = Heat::builder()
        .size([4, 4, 4])
        .viscosity(0.1)
        .parameter("diffusivity", 0.05)
        .parameter("gravity_z", gravity)
        .parameter("expansion", expansion)
        .parameter("reference", 0.5)
        .force([1e-4, 0.0, 0.0])
        .initial(|_| Initial::velocity([0.0, 0.02, 0.0]))
        .initial_sum("heat", move |_| 0.5 + warmer)
        .build()?;
    for steps in [0_u64, 10] {
        flow.run(steps)?;
        let time = flow.time_step() as f64;
        let rise = -gravity * expansion * warmer * time;
        for u in flow.velocity()? {
            let exact = [1e-4 * time, 0.02, rise];
            assert!(u.iter().zip(exact).all(|(u, exact)| (u - exact).abs() < 1e-15), "{u:?}, {exact:?}");
        }
    }
    // What was reached stays what it was, also of a flow that goes on from it, until the next step.
    let before = flow.velocity()?;
    flow.set_parameter("gravity_z", 3.0 * gravity)?;
    assert_eq!(flow.velocity()?, before);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("warm.lbm");
    flow.checkpoint(&path)?;
    let mut other = Heat::builder()
        .size([4, 4, 4])
        .viscosity(0.1)
        .parameter("diffusivity", 0.05)
        .parameter("gravity_z", -gravity)
        .force([0.0; 3])
        .build()?;
    other.restart(&path)?;
    assert_eq!(other.velocity()?, before);
    other.run(1)?;
    assert_ne!(other.velocity()?, before);
    Ok(())
}
