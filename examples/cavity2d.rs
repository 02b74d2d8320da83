//! The lid-driven square cavity at Re 100, compared with Ghia, Ghia & Shin.
//!
//! `cargo run --release --example cavity2d`

use lbm::ghia;
use lbm::prelude::*;

solver! {
    /// Two relaxation times on nine velocities.
    Cavity { lattice: D2Q9, collision: Trt, precision: F64 }
}

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

    // u on the vertical line through the middle, which lies between two columns of nodes, and the walls' values.
    let velocity = cavity.velocity()?;
    let (mut y, mut u) = (vec![0.0], vec![0.0]);
    for j in 0..n {
        y.push((j as f64 + 0.5) / n as f64);
        u.push(0.5 * (velocity[n / 2 - 1 + n * j][0] + velocity[n / 2 + n * j][0]) / lid);
    }
    y.push(1.0);
    u.push(1.0);

    let points = ghia::u_centreline(100).expect("Ghia gives Re 100");
    let comparison = ghia::compare(points, &y, &u);
    println!("     y    u / U     Ghia");
    for row in &comparison.rows {
        println!("{:6.4} {:8.5} {:8.5}", row.point.coordinate, row.computed, row.point.value);
    }
    println!("largest difference {:.5}, root mean square {:.5}", comparison.max, comparison.rms);
    assert!(comparison.max < 0.015);
    Ok(())
}
