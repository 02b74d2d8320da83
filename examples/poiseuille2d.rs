//! Plane Poiseuille flow: with the magic parameter 3/16, two relaxation times give the parabola to the last digits.
//!
//! `cargo run --release --example poiseuille2d`

use lbm::prelude::*;

solver! {
    /// Two relaxation times and a body force; the magic parameter is baked into the kernel.
    Channel { lattice: D2Q9, collision: Trt { magic: 3/16 }, forcing: Guo, precision: F64 }
}

fn main() -> Result<(), Error> {
    let (height, centre, viscosity) = (32, 0.05, 0.1);
    let h = height as f64;
    let mut channel = Channel::builder()
        .size([4, height])
        .viscosity(viscosity)
        .force([8.0 * viscosity * centre / (h * h), 0.0, 0.0])
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .build()?;
    channel.run(40_000)?;

    let mut largest: f64 = 0.0;
    println!("  y / H      u / U      exact");
    for (index, u) in channel.velocity()?.iter().enumerate().filter(|(index, _)| index % 4 == 0) {
        let y = ((index / 4) as f64 + 0.5) / h;
        let exact = 4.0 * y * (1.0 - y);
        println!("{y:7.4} {:10.7} {exact:10.7}", u[0] / centre);
        largest = largest.max((u[0] / centre - exact).abs());
    }
    println!("largest error {largest:.1e}");
    assert!(largest < 1e-10);
    Ok(())
}
