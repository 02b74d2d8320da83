//! Taylor-Green vortices: they decay as the viscosity says.
//!
//! `cargo run --release --example taylor_green2d`

use std::f64::consts::TAU;

use lbm::prelude::*;

solver! {
    /// One relaxation time on nine velocities.
    Vortices { lattice: D2Q9, collision: Bgk, precision: F64 }
}

fn main() -> Result<(), Error> {
    let (n, speed, viscosity, steps) = (64, 0.02, 0.05, 700);
    let k = TAU / n as f64;
    let mut vortices = Vortices::builder()
        .size([n, n])
        .viscosity(viscosity)
        .initial(move |[x, y, _]| {
            let (sin_x, cos_x) = (k * x as f64).sin_cos();
            let (sin_y, cos_y) = (k * y as f64).sin_cos();
            // The pressure that belongs to the velocity, p = cs2 (rho - 1), and the velocity's gradient, so that the
            // populations start as those of a developed flow.
            let pressure = -0.5 * speed * speed * (cos_x * cos_x + cos_y * cos_y - 1.0);
            let (along, across) = (speed * k * sin_x * sin_y, speed * k * cos_x * cos_y);
            Initial {
                density: 1.0 + 3.0 * pressure,
                velocity: [-speed * cos_x * sin_y, speed * sin_x * cos_y, 0.0],
                gradient: Some([[along, across, 0.0], [-across, -along, 0.0], [0.0; 3]]),
            }
        })
        .build()?;

    let energy = |velocity: Vec<[f64; 3]>| velocity.iter().flatten().map(|u| u * u).sum::<f64>();
    let before = energy(vortices.velocity()?);
    vortices.run(steps)?;
    let after = energy(vortices.velocity()?);

    // The energy decays as exp(-4 nu k^2 t).
    let measured = -(after / before).ln() / (4.0 * k * k * steps as f64);
    println!(
        "viscosity set {viscosity}, measured {measured:.6} ({:+.3} %)",
        100.0 * (measured / viscosity - 1.0)
    );
    assert!((measured / viscosity - 1.0).abs() < 2e-3);
    Ok(())
}
