//! The lid-driven square cavity at Re 100, compared with Ghia, Ghia & Shin.
//!
//! `cargo run --release --example cavity2d`

use lbm::prelude::*;

solver! {
    /// Two relaxation times on nine velocities.
    Cavity { lattice: D2Q9, collision: Trt, precision: F64 }
}

/// Some of their points on the vertical line through the middle: y over the cavity's side, u over the lid's velocity
/// (J. Comput. Phys. 48, 387, 1982, Table I).
const GHIA: [(f64, f64); 6] = [
    (0.1016, -0.06434),
    (0.2813, -0.15662),
    (0.5000, -0.20581),
    (0.7344, 0.00332),
    (0.8516, 0.23151),
    (0.9531, 0.68717),
];

fn main() -> Result<(), Error> {
    let (n, lid) = (64, 0.1);
    let mut cavity = Cavity::builder()
        .size([n, n])
        .reynolds(100.0, n as f64, lid)
        .face(Face::West, FaceRule::WALL)
        .face(Face::East, FaceRule::WALL)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .build()?;
    println!("{cavity:?} on {}", cavity.engine_description());

    // The lid passes the cavity once in n / lid steps; at this Reynolds number the flow is steady after some twenty.
    cavity.run((25.0 * n as f64 / lid) as u64)?;
    cavity.check_finite()?;

    // The line lies between two columns of nodes, and a point of it between two rows.
    let velocity = cavity.velocity()?;
    let u = |j: usize| 0.5 * (velocity[n / 2 - 1 + n * j][0] + velocity[n / 2 + n * j][0]) / lid;
    println!("     y    u / U     Ghia");
    let mut largest: f64 = 0.0;
    for (y, ghia) in GHIA {
        let row = y * n as f64 - 0.5;
        let (below, share) = (row as usize, row.fract());
        let computed = (1.0 - share) * u(below) + share * u(below + 1);
        println!("{y:6.4} {computed:8.5} {ghia:8.5}");
        largest = largest.max((computed - ghia).abs());
    }
    println!("largest difference {largest:.5}");
    assert!(largest < 0.015);
    Ok(())
}
