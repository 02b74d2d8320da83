//! The lid-driven cube at Re 100: a recirculation that the side walls hold back.
//!
//! `cargo run --release --example cavity3d`

use lbm::prelude::*;

solver! {
    /// Two relaxation times on nineteen velocities, in f32.
    Cube { lattice: D3Q19, collision: Trt, precision: F32 }
}

fn main() -> Result<(), Error> {
    let (n, lid) = (32, 0.1);
    let walls = [Face::West, Face::East, Face::South, Face::Bottom, Face::Top];
    let builder = walls.into_iter().fold(Cube::builder(), |builder, face| builder.face(face, FaceRule::WALL));
    let mut cube = builder
        .size([n, n, n])
        .reynolds(100.0, n as f64, lid)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .build()?;
    println!("{cube:?} on {}: {}", cube.engine_description(), cube.footprint());

    let mass = cube.mass()?;
    cube.run((20.0 * n as f64 / lid) as u64)?;
    cube.check_finite()?;

    let velocity = cube.velocity()?;
    let middle = |y: usize| velocity[n / 2 + n * (y + n * (n / 2))][0] / lid;
    println!("  y / L    u / U on the vertical line through the middle");
    for y in (0..n).step_by(2) {
        println!("{:7.4} {:8.5}", (y as f64 + 0.5) / n as f64, middle(y));
    }
    let least = (0..n).map(middle).fold(f64::INFINITY, f64::min);
    println!("least u / U {least:.4}, mass changed by {:.1e}", cube.mass()? / mass - 1.0);
    assert!(least < -0.15, "below the middle the flow turns back");

    // Nothing imposes the mirror symmetry about the middle plane along z; it must come out.
    let mirrored = |index: usize| {
        let (x, y, z) = (index % n, index / n % n, index / (n * n));
        velocity[x + n * (y + n * (n - 1 - z))]
    };
    let differences = velocity.iter().enumerate().map(|(index, u)| (u[0] - mirrored(index)[0]).abs() / lid);
    let asymmetry = differences.fold(0.0, f64::max);
    println!("largest difference from the mirror image {asymmetry:.1e} of the lid's speed");
    assert!(asymmetry < 1e-4);
    Ok(())
}
