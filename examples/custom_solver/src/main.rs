//! A lattice, a collision and two solvers of one's own, without a line of kernel code.

use lbm::prelude::*;

lattice! {
    /// Rest, axes and corners; the weights follow from isotropy.
    pub Corners {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0, 0], [1, 1, 1]],
        weights: solve,
        cs2: 1/3,
    }
}

collision! {
    /// BGK for the even part; the odd part relaxes with a rate of its own.
    pub Damped(odd_rate = 6/5) {
        require(isotropy >= 4, "a flow needs fourth-order isotropy");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let away = |i| equilibrium[i] - f[i];
        for i in directions {
            let even = (away(i) + away(opposite[i])) / 2;
            let odd = (away(i) - away(opposite[i])) / 2;
            f[i] = f[i] + omega * even + odd_rate * odd;
        }
    }
}

solver! {
    /// Single precision, one array for each direction; the odd rate is set at run time.
    pub Fast { lattice: Corners, collision: Damped, precision: F32 }
}

/// Double precision, all of a node's populations side by side; the odd rate is built into the kernel.
#[derive(Solver)]
#[solver(lattice = Corners, collision = Damped { odd_rate: 5/4 }, precision = F64, layout = Aos)]
pub struct Exact;

fn main() -> Result<(), Error> {
    let fast = Fast::builder().parameter("odd_rate", 1.25);
    let exact = Exact::builder();
    println!(
        "{:.6} in single, {:.6} in double precision",
        lid_driven(fast, 1e-6)?,
        lid_driven(exact, 1e-13)?
    );
    Ok(())
}

/// Runs a box under a moving lid; gives the speed at its middle.
fn lid_driven<V: lbm::core::Variant>(builder: Builder<V>, tolerance: f64) -> Result<f64, Error> {
    let n = 16;
    let mut builder = builder.size([n; 3]).viscosity(0.05);
    for face in [Face::West, Face::East, Face::South, Face::North, Face::Bottom] {
        builder = builder.face(face, FaceRule::WALL);
    }
    let mut flow = builder.face(Face::Top, FaceRule::Wall { velocity: [0.1, 0.0, 0.0] }).build()?;
    let before = flow.mass()?;
    flow.run(200)?;
    let change = (flow.mass()? / before - 1.0).abs();
    assert!(change <= tolerance, "{}: mass changed by {change:e}", V::name());
    let [x, y, z] = flow.velocity()?[n / 2 + n * (n / 2 + n * (n / 2))];
    Ok((x * x + y * y + z * z).sqrt())
}
