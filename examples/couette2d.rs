//! Plane Couette flow: half-way walls give the straight line, and the stress is the same everywhere.
//!
//! `cargo run --release --example couette2d`

use lbm::prelude::*;

/// One relaxation time; the same as `solver!`, written as a derive.
#[derive(Solver)]
#[solver(lattice = D2Q9, collision = Bgk, precision = F64)]
struct Couette;

fn main() -> Result<(), Error> {
    let (height, lid, viscosity) = (32, 0.05, 0.1);
    let mut flow = Couette::builder()
        .size([4, height])
        .viscosity(viscosity)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .build()?;
    flow.run(40_000)?;

    let shear = lid / height as f64;
    let mut largest: f64 = 0.0;
    for (index, u) in flow.velocity()?.iter().enumerate() {
        let y = (index / 4) as f64 + 0.5;
        largest = largest.max((u[0] - shear * y).abs() / lid);
    }
    let stress = flow.stress()?[0][3];
    println!("largest error of the velocity {largest:.1e} of the lid's");
    println!("shear stress {stress:.9}, exact {:.9}", viscosity * shear);
    assert!(largest < 1e-11 && (stress / (viscosity * shear) - 1.0).abs() < 1e-9);
    Ok(())
}
