//! What is measured in a flow, and what is changed while it runs: exact values of known flows, and the same bits everywhere.

use lbm::prelude::*;

mod averages;
mod control;
mod derived;
mod pressed;
mod sections;

solver! { Channel { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [Bouzidi, FreeSlip, StaircaseSlip, ZouHePressure, ZouHeVelocity] } }
solver! { Deep { lattice: D3Q19, collision: Bgk, forcing: Guo, precision: F32 } }
solver! { Slipping { lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [FreeSlip, ZouHePressure] } }
solver! { OfMoments { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32 } }

/// Nodes from wall to wall of [`poiseuille`], its viscosity and its force.
const HEIGHT: usize = 12;
const VISCOSITY: f64 = 0.1;
const FORCE: f64 = 1e-5;

/// A channel between half-way walls, which this collision puts exactly half-way.
fn channel() -> Builder<Channel> {
    Channel::builder()
        .size([6, HEIGHT])
        .viscosity(VISCOSITY)
        .parameter("magic", 3.0 / 16.0)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .threads(1)
}

/// The steady flow that a force drives there: u = g y (H - y) / (2 nu).
fn poiseuille() -> Simulation {
    let mut flow = channel().force([FORCE, 0.0, 0.0]).build().unwrap();
    flow.run(20_000).unwrap();
    flow
}

/// The force of [`stirred`].
const PUSH: [f64; 3] = [1e-4, 2e-5, -3e-5];

/// A flow of all velocities in a box with walls and a solid, and a force.
fn stirred<V: lbm::core::Variant>(builder: Builder<V>) -> Simulation {
    pushed_by(PUSH, builder)
}

fn pushed_by<V: lbm::core::Variant>(force: [f64; 3], builder: Builder<V>) -> Simulation {
    let moves = |[x, y, z]: [usize; 3]| Initial {
        density: 1.0 + 0.01 * ((x + 2 * z) as f64).sin(),
        velocity: [0.02 * (y as f64).sin(), 0.01 * (z as f64).cos(), 0.01 * (x as f64).sin()],
        ..Initial::default()
    };
    builder
        .size([16, 12, 8])
        .viscosity(0.05)
        .initial(moves)
        .force(force)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.02, 0.0, 0.01] })
        .solid(|[x, y, z]| x > 10 && (2..5).contains(&y) && z < 4)
        .build()
        .unwrap()
}

/// What `see` sees of a stirred flow is the same under every scheme, with every number of threads, and on the host in a GPU's place.
fn alike<T: PartialEq + std::fmt::Debug>(see: impl Fn(Simulation) -> T) {
    let first = see(stirred(Deep::builder().threads(1)));
    for scheme in ["aosoa128-dense-aa", "soa-dense-esoteric-pull", "soa-connectivity-matrix-aa"] {
        assert_eq!(first, see(stirred(Deep::builder().scheme(scheme).threads(2))), "{scheme}");
    }
    // What is rounded are moments, so these have bits of their own.
    let of_moments = see(stirred(OfMoments::builder().scheme("soa-dense-moments").threads(1)));
    assert_eq!(of_moments, see(stirred(OfMoments::builder().scheme("aosoa64-dense-moments").threads(2))));
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip("measuring on the host in a GPU's place").is_some() {
        let host = lbm::simulation::Backend::CudaOnHost;
        assert_eq!(first, see(stirred(Deep::builder().backend(host))));
        assert_eq!(first, see(stirred(Deep::builder().scheme("aosoa128-dense-aa").backend(host))));
        assert_eq!(of_moments, see(stirred(OfMoments::builder().scheme("soa-dense-moments").backend(host))));
    }
}
