//! A channel that is half filled by a porous bed: a field gives each node its share of solid, and the bed is flushed while the flow runs.
//!
//! `cargo run --release --example porous2d`

use lbm::prelude::*;

solver! {
    /// A share of what comes to a node is sent back; around it two relaxation times and a body force.
    Channel { lattice: D2Q9, collision: PartialBounceBack<Trt>, forcing: Guo, precision: F64 }
}

fn main() -> Result<(), Error> {
    let (height, solidity) = (32, 0.02);
    let bed = move |[_, y, _]: [usize; 3]| if y < height / 2 { solidity } else { 0.0 };
    let mut channel = Channel::builder()
        .size([4, height])
        .viscosity(0.1)
        .force([1e-6, 0.0, 0.0])
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .field("solidity", bed)
        .build()?;
    channel.run(20_000)?;
    let before = channel.velocity()?;
    channel.set_field("solidity", move |node| bed(node) / 10.0)?;
    channel.run(20_000)?;
    let after = channel.velocity()?;

    println!("  y / H    u behind    u flushed");
    for y in (0..height).step_by(2) {
        println!(
            "{:7.4} {:11.2e} {:11.2e}",
            (y as f64 + 0.5) / height as f64,
            before[4 * y][0],
            after[4 * y][0]
        );
    }
    // Deep in the bed Darcy's law holds.
    let darcy = 1e-6 * (1.0 - solidity) / (2.0 * solidity);
    let deep = before[4 * (height / 4)][0];
    assert!((deep / darcy - 1.0).abs() < 0.05, "{deep} for {darcy}");
    assert!(after[4 * (height / 4)][0] > 4.0 * deep);
    Ok(())
}
