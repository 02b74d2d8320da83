//! The CPU engine against the plain reference, bit for bit, and what it allocates against what it states.

mod by_hand;

use by_hand::{Bgk, D2Q9, D3Q19, Solver};
use lbm_core::engine::Engine;
use lbm_core::{Aos, Body, Dense, F32, F64, Lattice, Layout, Precision, Soa, TwoLatticePull, laws};
use lbm_cpu::{CpuEngine, CpuOptions, SimdLevel, StoreKind};

const FLAT: &[[usize; 3]] = &[[1, 1, 1], [3, 5, 1], [17, 9, 1], [16, 4, 1], [50, 3, 1], [8, 1, 1]];
const DEEP: &[[usize; 3]] = &[[1, 1, 1], [2, 3, 2], [33, 7, 5], [16, 5, 3], [19, 1, 4]];
const STEPS: &[u64] = &[1, 2, 7];

fn check<L, P, Y>(sizes: &[[usize; 3]], stores: &[StoreKind])
where
    L: Lattice,
    P: Precision,
    Y: Layout,
    Bgk<L>: Body<Lattice = L>,
{
    for simd in SimdLevel::detect_all() {
        for threads in 1..=3 {
            for &kind in stores {
                let options = CpuOptions { threads: Some(threads), simd: Some(simd), stores: Some(kind) };
                let seeds: Vec<u64> = (0..4).map(|k| k + 10 * threads as u64).collect();
                laws::equals_reference::<Solver<L, P, Y>>(
                    |setup| Ok(Box::new(CpuEngine::<Solver<L, P, Y>>::new(setup, &options)?)),
                    sizes,
                    STEPS,
                    &seeds,
                )
                .unwrap_or_else(|violation| panic!("{options:?}: {violation}"));
            }
        }
    }
}

const BOTH: &[StoreKind] = &[StoreKind::Ordinary, StoreKind::NonTemporal];

#[test]
fn flat_boxes_equal_the_reference() {
    check::<D2Q9, F32, Soa>(FLAT, BOTH);
    check::<D2Q9, F64, Soa>(FLAT, BOTH);
    check::<D2Q9, F32, Aos>(FLAT, &[StoreKind::Ordinary]);
    check::<D2Q9, F64, Aos>(FLAT, &[StoreKind::Ordinary]);
}

#[test]
fn deep_boxes_equal_the_reference() {
    check::<D3Q19, F32, Soa>(DEEP, BOTH);
    check::<D3Q19, F64, Soa>(DEEP, BOTH);
    check::<D3Q19, F32, Aos>(DEEP, &[StoreKind::Ordinary]);
    check::<D3Q19, F64, Aos>(DEEP, &[StoreKind::Ordinary]);
}

#[test]
fn the_scheme_keeps_its_laws() {
    laws::slots_are_a_permutation::<TwoLatticePull, D2Q9>().unwrap();
    laws::slots_are_a_permutation::<TwoLatticePull, D3Q19>().unwrap();
    for size in [[1, 1, 1], [5, 4, 3], [17, 2, 3]] {
        laws::in_bounds_and_bijective::<D3Q19, Dense, Soa>(size).unwrap();
        laws::in_bounds_and_bijective::<D3Q19, Dense, Aos>(size).unwrap();
        laws::free_of_races::<TwoLatticePull, D3Q19, Dense, Soa>(size).unwrap();
        laws::free_of_races::<TwoLatticePull, D3Q19, Dense, Aos>(size).unwrap();
    }
}

#[test]
fn what_is_allocated_is_what_is_stated() {
    fn check<V: lbm_core::Variant>(size: [usize; 3]) {
        let make = |setup: &_| {
            let engine = CpuEngine::<V>::new(setup, &CpuOptions::default())?;
            Ok(Box::new(engine) as Box<dyn Engine>)
        };
        laws::bytes_as_stated::<V>(make, size, 0.01).unwrap();
    }
    check::<Solver<D3Q19, F32, Soa>>([64, 64, 48]);
    check::<Solver<D3Q19, F64, Aos>>([64, 64, 48]);
    check::<Solver<D2Q9, F32, Aos>>([512, 512, 1]);
    check::<Solver<D2Q9, F64, Soa>>([512, 512, 1]);
}
