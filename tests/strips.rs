//! The CPU rebuilds rows of moments once and has their populations wait: the bits are those of nodes by themselves.

use lbm::core::engine::Setup;
use lbm::core::{Engine, Variant, laws};
use lbm::cpu::{CpuEngine, CpuOptions, SimdLevel, StoreKind};
use lbm::prelude::*;

/// In random boxes with walls, moving ones and solids, with both kinds of stores, at every level.
#[test]
fn strips_are_as_the_reference_whatever_stores_and_vectors() {
    solver! { Single { lattice: D2Q9, collision: Regularized, forcing: Guo, precision: F32, streaming: Moments } }
    solver! { Double { lattice: D3Q19, collision: Regularized, streaming: Moments } }
    solver! { Chunks { lattice: D3Q19, collision: Regularized, precision: F32, layout: Aosoa<32>, streaming: Moments } }
    solver! { All { lattice: D3Q27, collision: RecursiveRegularized, precision: F32, streaming: MomentsTwoSteps } }
    fn check<V: Variant>(sizes: &[[usize; 3]], kinds: &[StoreKind]) {
        for level in SimdLevel::ALL.into_iter().filter(|level| level.is_available()) {
            for &kind in kinds {
                for threads in [1, 3] {
                    let options =
                        CpuOptions::default().with_threads(threads).with_stores(kind).with_simd(level);
                    let make = |setup: &Setup| {
                        Ok(Box::new(CpuEngine::new::<V>(setup, &options)?) as Box<dyn Engine>)
                    };
                    laws::equals_reference::<V>(make, sizes, &[1, 4], &[1, 7]).unwrap();
                }
            }
        }
    }
    let both = [StoreKind::Ordinary, StoreKind::NonTemporal];
    check::<Single>(&[[96, 4, 1], [16, 1, 1], [50, 9, 1]], &both);
    check::<Double>(&[[16, 5, 1], [32, 2, 2], [16, 1, 4], [24, 11, 3]], &both);
    check::<Chunks>(&[[48, 5, 3], [32, 6, 2]], &both);
    check::<All>(&[[16, 5, 3]], &both);
}

/// The CPU rebuilds the rows of such a box once, in strips; who sends populations out does not.
#[test]
fn strips_of_rows_give_the_bits_of_nodes_by_themselves() {
    solver! { Flat { lattice: D2Q9, collision: Regularized, forcing: Guo, streaming: Moments } }
    solver! { FlatSent { lattice: D2Q9, collision: Regularized, forcing: Guo, streaming: ThreadSafe } }
    solver! { Deep { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32, streaming: Moments } }
    solver! { DeepSent { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32, streaming: ThreadSafe } }
    solver! { Chunks { lattice: D3Q27, collision: RecursiveRegularized, forcing: Guo, precision: F32, layout: Aosoa<32>, streaming: Moments } }
    solver! { ChunksSent { lattice: D3Q27, collision: RecursiveRegularized, forcing: Guo, precision: F32, streaming: ThreadSafe } }
    fn flow<V: Variant>(size: [usize; 3], is_walled: bool, threads: usize) -> Vec<f64> {
        let (lid, flat) = (FaceRule::Wall { velocity: [0.05, 0.0, 0.0] }, size[2] == 1);
        let flow = V::builder().size(if flat { vec![size[0], size[1]] } else { size.to_vec() });
        let mut flow =
            flow.viscosity(0.01).force([1e-4, -2e-4, 0.0]).threads(threads).initial(|[x, y, z]| {
                Initial::velocity([
                    0.1 * (0.3 * (x + 2 * y) as f64).sin(),
                    0.05 * (0.5 * (x + 3 * z) as f64).cos(),
                    0.0,
                ])
            });
        if is_walled {
            flow = flow
                .face(Face::North, lid)
                .face(Face::South, FaceRule::WALL)
                .face(Face::West, FaceRule::WALL);
            flow = flow.face(Face::East, FaceRule::WALL).solid(|[x, y, _]| (17..21).contains(&x) && y == 3);
        }
        let mut flow = flow.build().unwrap();
        flow.run(7).unwrap();
        flow.populations().unwrap()
    }
    for is_walled in [false, true] {
        for threads in [1, 3] {
            for size in [[64, 41, 1], [50, 9, 1], [7, 70, 1]] {
                let [one, other] =
                    [flow::<Flat>, flow::<FlatSent>].map(|flow| flow(size, is_walled, threads));
                assert!(one == other, "{size:?}, walls: {is_walled}, {threads} threads");
            }
            for size in [[48, 21, 6], [32, 7, 2], [50, 5, 9], [7, 6, 4]] {
                let [one, other] =
                    [flow::<Deep>, flow::<DeepSent>].map(|flow| flow(size, is_walled, threads));
                assert!(one == other, "{size:?}, walls: {is_walled}, {threads} threads");
                let [one, other] =
                    [flow::<Chunks>, flow::<ChunksSent>].map(|flow| flow(size, is_walled, threads));
                assert!(one == other, "{size:?} in chunks, walls: {is_walled}, {threads} threads");
            }
        }
    }
}
