use lbm_core::engine::{Engine, Setup};
use lbm_core::laws::{SplitMix64, random_populations};
use lbm_core::reference::Reference;
use lbm_core::{Domain, F64, Facts, Soa};

use super::*;
use crate::by_hand::{D3Q19, Solver};

/// The same physics: populations agree to the rounding of ten steps, with both kinds of stores.
#[test]
fn the_loop_computes_the_same_flow() {
    let (size, viscosity) = ([16, 7, 5], 0.05);
    let nodes: usize = size.iter().product();
    let facts = Facts::of::<Solver<D3Q19, F64, Soa>>();
    let setup = Setup::new(Domain::periodic(size), vec![viscosity]);
    let start = random_populations(&facts.lattice, setup.domain(), &mut SplitMix64::new(1));
    let mut reference = Reference::new(&facts, &setup).unwrap();
    reference.set_populations(&start, 0).unwrap();
    reference.run(10).unwrap();
    let mut expected = vec![0.0; start.len()];
    reference.populations(&mut expected).unwrap();
    let direction =
        |c: &[i32; 3]| (0..19).find(|&i| (0..3).all(|axis| C[axis][i] == c[axis] as isize)).unwrap();
    for stores in [StoreKind::Ordinary, StoreKind::NonTemporal] {
        let options = CpuOptions { stores: Some(stores), ..CpuOptions::default() };
        let mut by_hand = Handwritten::<f64>::new(size, viscosity, &options).unwrap().unwrap();
        let place =
            |at: usize| direction(&facts.lattice.velocities[at / nodes]) * by_hand.stride + at % nodes;
        let places: Vec<usize> = (0..start.len()).map(place).collect();
        for (&at, &value) in places.iter().zip(&start) {
            // SAFETY: places lie in the copy.
            unsafe { by_hand.source.start().add(at).write(value) };
        }
        by_hand.run(10);
        // Ten steps of some 100 roundings of 1e-16 relative to weights stay far below.
        // SAFETY: as above.
        let found = places.iter().map(|&at| unsafe { by_hand.source.start().add(at).read() });
        let worst = expected.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-15, "{worst:e}");
    }
}
