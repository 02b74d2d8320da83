//! Plates that slide in opposite directions: the shear diffuses into the fluid until it is the same everywhere.
//!
//! `cargo run --release --example shear3d`

use lbm::prelude::*;

solver! {
    /// One relaxation time on nineteen velocities, one copy of the populations.
    Shear { lattice: D3Q19, collision: Bgk, precision: F64, streaming: EsotericPull }
}

fn main() -> Result<(), Error> {
    let (height, plate, viscosity) = (32, 0.05, 0.1);
    let mut flow = Shear::builder()
        .size([8, 8, height])
        .viscosity(viscosity)
        .face(Face::Bottom, FaceRule::Wall { velocity: [0.0, -plate, 0.0] })
        .face(Face::Top, FaceRule::Wall { velocity: [0.0, plate, 0.0] })
        .build()?;
    println!("{flow:?} on {}: {}", flow.engine_description(), flow.footprint());

    // The slowest part of the transient decays by a factor of e in H^2 / (4 pi^2 nu) = 259 steps.
    for steps in [259, 259, 10_000] {
        flow.run(steps)?;
        let velocity = flow.velocity()?;
        let profile = (0..height).step_by(4).map(|z| velocity[64 * z][1] / plate);
        let listed: Vec<String> = profile.map(|v| format!("{v:7.4}")).collect();
        println!("step {:6}: v / U = {}", flow.time_step(), listed.join(" "));
    }
    let exact = |index: usize| plate * (2.0 * ((index / 64) as f64 + 0.5) / height as f64 - 1.0);
    let velocity = flow.velocity()?.into_iter().enumerate();
    let largest = velocity.map(|(index, u)| (u[1] - exact(index)).abs() / plate).fold(0.0, f64::max);
    println!("largest error of the steady velocity {largest:.1e} of the plates'");
    assert!(largest < 1e-11);
    Ok(())
}
