//! More bodies than a byte tells apart: the force on each, the same bits everywhere, and what each one's wall adds.

use lbm::core::geometry::{Cuboid, Cylinder};
use lbm::prelude::*;

solver! { Crowd { lattice: D2Q9, collision: Trt, precision: F64, boundaries: [Bouzidi, HalfWay] } }

/// Bodies along each edge of a square, and how far apart they are.
const ALONG: usize = 20;
const APART: usize = 5;

/// What moves differs from body to body.
fn velocity(n: usize) -> [f64; 2] {
    [0.01 * (n as f64 + 1.0).sin(), 0.01 * (n as f64 + 1.0).cos()]
}

/// A square of bodies: blocks of a node, rods with interpolated walls and rods with half-way walls in turn, all of them moving.
fn crowd(mut flow: Builder<Crowd>) -> Simulation {
    flow = flow.size([ALONG * APART; 2]).viscosity(0.05);
    for n in 0..ALONG * ALONG {
        let middle = [n % ALONG, n / ALONG].map(|at| at * APART + 2);
        let [x, y] = middle.map(|at| at as f64 + 0.6);
        let rod = Cylinder { from: [x, y, 0.0], to: [x, y, 1.0], radius: 1.2 };
        let [u, v] = velocity(n);
        flow = match n % 3 {
            0 => flow.moving_solid([u, v, 0.0], move |[x, y, _]| [x, y] == middle),
            1 => flow.surface(rod, Bouzidi.with("velocity", [u, v])),
            _ => flow.surface(rod, HalfWay.with("velocity", [u, v])),
        };
        flow = flow.named(&format!("body {n}"));
    }
    flow.build().unwrap()
}

fn forces(flow: &mut Simulation) -> Vec<Forces> {
    let all = (0..ALONG * ALONG).map(|n| flow.force_on(&*format!("body {n}"), [0.0; 3]).unwrap());
    all.collect()
}

#[test]
fn four_hundred_bodies_take_all_momentum_that_the_fluid_loses() {
    let mut flow = crowd(Crowd::builder().threads(2));
    assert!(!flow.domain().pages.is_empty());
    let momentum = |flow: &Simulation| {
        let (h, nodes) = (flow.populations().unwrap(), flow.domain().nodes());
        let c = <lbm::lattices::D2Q9 as lbm::core::Lattice>::VELOCITIES;
        [0, 1].map(|k| (0..9 * nodes).map(|n| f64::from(c[n / nodes][k]) * h[n]).sum::<f64>())
    };
    for _ in 0..3 {
        let (before, forces) = (momentum(&flow), forces(&mut flow));
        assert!(forces.iter().all(|forces| forces.force[0] != 0.0 && forces.force[1] != 0.0));
        let mut taken = [0.0; 2];
        for (n, forces) in forces.iter().enumerate() {
            // A force is seen from the wall, with whose velocity the mass of its links goes.
            let mass = flow.mass_into(&*format!("body {n}")).unwrap();
            (0..2).for_each(|k| taken[k] += forces.force[k] + velocity(n)[k] * mass);
        }
        flow.run(1).unwrap();
        let after = momentum(&flow);
        assert!(
            (0..2).all(|k| (before[k] - after[k] - taken[k]).abs() < 1e-12),
            "{before:?} {after:?} {taken:?}"
        );
    }
}

#[test]
fn four_hundred_bodies_have_the_same_bits_everywhere() {
    let looked_at = |builder: Builder<Crowd>| {
        let mut flow = crowd(builder);
        flow.run(7).unwrap();
        (flow.populations().unwrap(), forces(&mut flow))
    };
    let first = looked_at(Crowd::builder().threads(1));
    for scheme in
        ["aosoa128-dense-esoteric-pull", "soa-connectivity-matrix-aa", "soa-tiled4x4x1-two-lattice-pull"]
    {
        assert!(first == looked_at(Crowd::builder().scheme(scheme).threads(2)), "{scheme}");
    }
    #[cfg(feature = "cuda")]
    if lbm_cuda::testing::cxx_or_skip("many bodies on the host in a GPU's place").is_some() {
        for scheme in ["soa-dense-two-lattice-pull", "soa-connectivity-matrix-aa"] {
            let flow = Crowd::builder().scheme(scheme).backend(lbm::simulation::Backend::CudaOnHost);
            assert!(first == looked_at(flow), "{scheme}");
        }
    }
}

/// Pairs of a wall and a direction are more than 65,535 here, and of all walls the last one alone moves.
#[test]
fn the_last_of_eight_thousand_bodies_moves_its_own_fluid() {
    const EDGE: usize = 90;
    let size = [2 * EDGE; 2];
    let build = |mut flow: Builder<Crowd>| {
        flow = flow.size(size).viscosity(0.1);
        for n in 0..EDGE * EDGE {
            let [x, y] = [n % EDGE, n / EDGE].map(|at| 2.0 * at as f64);
            let block = Cuboid { low: [x, y, 0.0], high: [x + 1.0, y + 1.0, 1.0] };
            let speed = if n + 1 == EDGE * EDGE { 0.02 } else { 0.0 };
            flow = flow.surface(block, HalfWay.with("velocity", [speed, 0.0]));
        }
        flow.build().unwrap()
    };
    let last = 2 * EDGE - 2;
    for scheme in ["soa-dense-two-lattice-pull", "soa-dense-aa", "soa-connectivity-matrix-two-lattice-pull"] {
        let mut flow = build(Crowd::builder().scheme(scheme).threads(1));
        flow.run(2).unwrap();
        let moves = |(n, u): (usize, &[f64; 3])| (*u != [0.0; 3]).then_some([n % size[0], n / size[0]]);
        let velocity = flow.velocity().unwrap();
        let moved: Vec<[usize; 2]> = velocity.iter().enumerate().filter_map(moves).collect();
        // As far as two steps reach, around the box.
        let near = |at: usize| (at + 2 * EDGE + 2 - last) % (2 * EDGE) < 6;
        assert!(moved.len() > 4 && moved.iter().all(|[x, y]| near(*x) && near(*y)), "{scheme}: {moved:?}");
    }
}
