//! The CPU engine against the plain reference, bit for bit, and what it allocates against what it states.

mod by_hand;
#[path = "laws/refused.rs"]
mod refused;

use by_hand::{Bgk, D2Q9, D3Q19, Solver};
use lbm_core::engine::{Engine, Setup};
use lbm_core::laws::{self, SEEDS, SplitMix64, random_populations, random_setup};
use lbm_core::legal;
use lbm_core::reference::Reference;
use lbm_core::streaming::{Array, Motion, Order, Pass, Towards, recipes};
use lbm_core::{
    Aa, Access, Addressing, Aos, Aosoa, Body, Ccas, ConnectivityMatrix, Dense, Domain, Error, EsotericPull,
    EsotericPush, EsotericTwist, F16In32, F16In64, F32, F32In64, F64, FaceRule, Facts, FluidIndexArray,
    Ghost, Lattice, Layout, Links, ListedNodes, Moments, MomentsRing, Pattern, Precision, Soa, Streaming,
    Swap, ThreadSafe, TileBest, TilePaper, Tiled, TwoLatticePull, TwoLatticePush, Variant,
};
use lbm_cpu::{CpuEngine, CpuOptions, SimdLevel, StoreKind};

const FLAT: &[[usize; 3]] =
    &[[1, 1, 1], [3, 5, 1], [17, 9, 1], [16, 4, 1], [50, 3, 1], [8, 1, 1], [96, 4, 1]];
const DEEP: &[[usize; 3]] = &[[1, 1, 1], [2, 3, 2], [33, 7, 5], [16, 5, 3], [19, 1, 4], [96, 2, 2]];
const STEPS: &[u64] = &[1, 2, 7];

fn make<V: Variant>(setup: &Setup, options: &CpuOptions) -> Result<Box<dyn Engine>, lbm_core::Error> {
    Ok(Box::new(CpuEngine::new::<V>(setup, options)?))
}

/// The widest SIMD level with one to three threads, the others with two.
fn check_stores<V: Variant>(sizes: &[[usize; 3]], stores: &[StoreKind]) {
    let best = SimdLevel::best();
    let others = SimdLevel::detect_all().into_iter().filter(|&level| level != best);
    for (simd, threads) in (1..=3).map(|threads| (best, threads)).chain(others.map(|level| (level, 2))) {
        for &kind in stores {
            let options = CpuOptions::default().with_threads(threads).with_simd(simd).with_stores(kind);
            let seeds: Vec<u64> = (0..3).map(|k| k + 10 * threads as u64).collect();
            laws::equals_reference::<V>(|setup| make::<V>(setup, &options), sizes, STEPS, &seeds)
                .unwrap_or_else(|violation| panic!("{options:?}: {violation}"));
        }
    }
}

fn check<L, P, Y, S>(sizes: &[[usize; 3]])
where
    L: Lattice,
    P: Precision,
    Y: Layout,
    S: Streaming,
    Bgk<L>: Body<Lattice = L>,
{
    check_stores::<Solver<L, P, Y, S>>(sizes, &[StoreKind::Ordinary]);
}

const BOTH: &[StoreKind] = &[StoreKind::Ordinary, StoreKind::NonTemporal];

#[test]
fn two_lattice_pull_equals_the_reference_whatever_the_stores() {
    check_stores::<Solver<D2Q9, F32, Soa>>(FLAT, BOTH);
    check_stores::<Solver<D2Q9, F64, Soa>>(FLAT, BOTH);
    check_stores::<Solver<D3Q19, F32, Soa>>(DEEP, BOTH);
    check_stores::<Solver<D3Q19, F64, Soa>>(DEEP, BOTH);
    check_stores::<Solver<D3Q19, F32, Aosoa<128>>>(DEEP, BOTH);
    check_stores::<Solver<D3Q19, F32, Aosoa<64>, TwoLatticePull, Tiled<4>>>(TILES, BOTH);
    check_stores::<Solver<D3Q19, F64, Aosoa<128>, TwoLatticePull, ConnectivityMatrix>>(DEEP, BOTH);
    check_stores::<Solver<D2Q9, F16In32, Aosoa<128>, TwoLatticePull, FluidIndexArray>>(FLAT, BOTH);
}

#[test]
fn flat_boxes_equal_the_reference_with_every_streaming() {
    check::<D2Q9, F32, Soa, TwoLatticePush>(FLAT);
    check::<D2Q9, F64, Soa, TwoLatticePush>(FLAT);
    check::<D2Q9, F32, Soa, Aa>(FLAT);
    check::<D2Q9, F64, Soa, Aa>(FLAT);
    check::<D2Q9, F32, Soa, EsotericTwist>(FLAT);
    check::<D2Q9, F64, Soa, EsotericTwist>(FLAT);
    check::<D2Q9, F32, Soa, EsotericPull>(FLAT);
    check::<D2Q9, F64, Soa, EsotericPull>(FLAT);
    check::<D2Q9, F32, Soa, EsotericPush>(FLAT);
    check::<D2Q9, F64, Soa, EsotericPush>(FLAT);
    check::<D2Q9, F32, Soa, Swap>(FLAT);
    check::<D2Q9, F64, Soa, Swap>(FLAT);
    check::<D2Q9, F32, Soa, Ccas>(FLAT);
    check::<D2Q9, F64, Soa, Ccas>(FLAT);
    check::<D2Q9, F32, Soa, Ghost>(FLAT);
    check::<D2Q9, F64, Soa, Ghost>(FLAT);
    check::<D2Q9, F64, Soa, Ghost>(&[[67, 35, 1]]);
}

#[test]
fn deep_boxes_equal_the_reference_with_every_streaming() {
    check::<D3Q19, F32, Soa, TwoLatticePush>(DEEP);
    check::<D3Q19, F64, Soa, TwoLatticePush>(DEEP);
    check::<D3Q19, F32, Soa, Aa>(DEEP);
    check::<D3Q19, F64, Soa, Aa>(DEEP);
    check::<D3Q19, F32, Soa, EsotericTwist>(DEEP);
    check::<D3Q19, F64, Soa, EsotericTwist>(DEEP);
    check::<D3Q19, F32, Soa, EsotericPull>(DEEP);
    check::<D3Q19, F64, Soa, EsotericPull>(DEEP);
    check::<D3Q19, F32, Soa, EsotericPush>(DEEP);
    check::<D3Q19, F64, Soa, EsotericPush>(DEEP);
    check::<D3Q19, F32, Soa, Swap>(DEEP);
    check::<D3Q19, F64, Soa, Swap>(DEEP);
    check::<D3Q19, F32, Soa, Ccas>(DEEP);
    check::<D3Q19, F64, Soa, Ccas>(DEEP);
    check::<D3Q19, F32, Soa, Ghost>(DEEP);
    check::<D3Q19, F64, Soa, Ghost>(DEEP);
    check::<D3Q19, F32, Soa, Ghost>(&[[35, 18, 9]]);
}

/// Runs with chunks at both ends, in rows of which each, every second or every third one lies alike.
#[test]
fn rows_in_one_copy_equal_the_reference_where_clusters_end() {
    check::<D3Q19, F32, Aosoa<128>, EsotericPull>(&[[64, 9, 2], [192, 7, 2]]);
    check::<D3Q19, F64, Aosoa<64>, Aa>(&[[32, 7, 2], [48, 11, 1]]);
    check::<D2Q9, F16In32, Aosoa<128>, EsotericTwist>(&[[64, 9, 1], [160, 9, 1]]);
    check::<D2Q9, F32, Aosoa<32>, EsotericPush>(&[[80, 9, 1]]);
}

/// Every layout meets every precision, and every streaming two of each at least.
#[test]
fn every_layout_and_precision_equals_the_reference() {
    check::<D2Q9, F16In32, Soa, EsotericPull>(FLAT);
    check::<D2Q9, F16In64, Soa, TwoLatticePull>(FLAT);
    check::<D2Q9, F32In64, Soa, Aa>(FLAT);
    check::<D2Q9, F32, Aos, EsotericPush>(FLAT);
    check::<D2Q9, F64, Aos, TwoLatticePull>(FLAT);
    check::<D2Q9, F16In32, Aos, TwoLatticePush>(FLAT);
    check::<D2Q9, F16In64, Aos, EsotericTwist>(FLAT);
    check::<D2Q9, F32In64, Aos, EsotericPush>(FLAT);
    check::<D2Q9, F32, Aosoa<2>, EsotericTwist>(FLAT);
    check::<D2Q9, F64, Aosoa<4>, Aa>(FLAT);
    check::<D2Q9, F16In32, Aosoa<8>, EsotericPush>(FLAT);
    check::<D2Q9, F16In64, Aosoa<32>, TwoLatticePush>(FLAT);
    check::<D2Q9, F32In64, Aosoa<16>, TwoLatticePull>(FLAT);
    check::<D3Q19, F32, Aosoa<128>, EsotericPull>(DEEP);
    check::<D3Q19, F32, Aos, TwoLatticePull>(DEEP);
    check::<D3Q19, F16In32, Soa, Aa>(DEEP);
    check::<D2Q9, F16In32, Aosoa<8>, Swap>(FLAT);
    check::<D2Q9, F64, Aos, Swap>(FLAT);
    check::<D2Q9, F16In64, Aosoa<32>, Ccas>(FLAT);
    check::<D2Q9, F32, Aos, Ccas>(FLAT);
    check::<D2Q9, F16In32, Aosoa<32>, Ghost>(FLAT);
    check::<D2Q9, F32In64, Aos, Ghost>(FLAT);
    check::<D2Q9, F16In64, Aosoa<8>, Ghost>(FLAT);
}

/// Boxes of which tiles of 4 divide some axes.
const TILES: &[[usize; 3]] = &[[1, 1, 1], [8, 4, 4], [9, 8, 5], [4, 12, 7]];

fn check_listed<L, P, Y, S, A>(sizes: &[[usize; 3]])
where
    L: Lattice,
    P: Precision,
    Y: Layout,
    S: Streaming,
    A: Addressing,
    Bgk<L>: Body<Lattice = L>,
{
    check_stores::<Solver<L, P, Y, S, A>>(sizes, &[StoreKind::Ordinary]);
}

fn every_streaming_with<A: Addressing>(sizes: &[[usize; 3]]) {
    laws::neighbours_are_found::<Solver<D3Q19, F32, Aosoa<64>, EsotericTwist, A>>(sizes, &SEEDS).unwrap();
    check_listed::<D3Q19, F32, Soa, TwoLatticePull, A>(sizes);
    check_listed::<D3Q19, F64, Aosoa<8>, TwoLatticePush, A>(sizes);
    check_listed::<D3Q19, F32, Aosoa<64>, Aa, A>(sizes);
    check_listed::<D3Q19, F16In32, Soa, EsotericTwist, A>(sizes);
    check_listed::<D3Q19, F64, Aos, EsotericPull, A>(sizes);
    check_listed::<D3Q19, F32, Soa, EsotericPush, A>(sizes);
    check_listed::<D3Q19, F32In64, Aosoa<64>, Swap, A>(sizes);
}

#[test]
fn listed_nodes_equal_the_reference_with_every_streaming() {
    every_streaming_with::<Tiled<4>>(TILES);
    every_streaming_with::<Tiled<8, 4, 2>>(TILES);
    every_streaming_with::<ConnectivityMatrix>(DEEP);
    every_streaming_with::<FluidIndexArray>(DEEP);
    check_listed::<D2Q9, F32, Soa, EsotericTwist, Tiled<4, 4, 1>>(FLAT);
    check_listed::<D2Q9, F64, Aosoa<16>, Aa, Tiled<8, 8, 1>>(FLAT);
    check_listed::<D2Q9, F64, Soa, EsotericPull, ConnectivityMatrix>(FLAT);
    check_listed::<D2Q9, F32, Soa, Swap, FluidIndexArray>(FLAT);
}

/// Nothing is added where walls are at rest: there listed nodes take short cuts of their own.
#[test]
fn listed_nodes_at_walls_at_rest_equal_the_reference() {
    fn check<V: Variant>(sizes: &[[usize; 3]]) {
        let facts = Facts::of::<V>();
        for (&size, seed) in sizes.iter().flat_map(|size| SEEDS.map(|seed| (size, seed))) {
            let mut random = SplitMix64::new(seed);
            let setup = random_setup(&facts, size, &mut random);
            let mut domain = setup.domain().clone();
            domain.solids.fill([0.0; 3]);
            for face in &mut domain.faces {
                if let FaceRule::Wall { velocity } = face {
                    *velocity = [0.0; 3];
                }
            }
            let setup = Setup::new(domain, setup.parameters.clone());
            let mut state = random_populations(&facts.lattice, setup.domain(), &mut random);
            let mut reference = Reference::new(&facts, &setup).unwrap();
            let mut engine = make::<V>(&setup, &CpuOptions::default()).unwrap();
            reference.set_populations(&state, 0).unwrap();
            engine.set_populations(&state, 0).unwrap();
            for steps in [1, 2, 2] {
                reference.run(steps).unwrap();
                engine.run(steps).unwrap();
                let mut expected = vec![f64::NAN; state.len()];
                reference.populations(&mut expected).unwrap();
                engine.populations(&mut state).unwrap();
                let same = state.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{} in {size:?}, seed {seed}, after {steps} steps more", facts.name());
            }
        }
    }
    const SIZES: &[[usize; 3]] = &[[8, 8, 4], [12, 8, 12], [17, 9, 5]];
    check::<Solver<D3Q19, F32, Aosoa<64>, TwoLatticePull, Tiled<4>>>(SIZES);
    check::<Solver<D3Q19, F64, Aosoa<64>, TwoLatticePush, Tiled<4>>>(SIZES);
    check::<Solver<D3Q19, F32, Soa, Aa, Tiled<4>>>(SIZES);
    check::<Solver<D3Q19, F64, Aosoa<64>, Aa, Tiled<4>>>(SIZES);
    check::<Solver<D3Q19, F32, Aosoa<64>, EsotericPull, Tiled<4>>>(SIZES);
    check::<Solver<D3Q19, F64, Aosoa<128>, EsotericTwist, Tiled<4>>>(SIZES);
    check::<Solver<D3Q19, F32, Aosoa<64>, Aa, Tiled<8, 4, 2>>>(SIZES);
    check::<Solver<D3Q19, F32, Soa, TwoLatticePull, ConnectivityMatrix>>(SIZES);
    check::<Solver<D3Q19, F64, Aosoa<128>, Aa, ConnectivityMatrix>>(SIZES);
    check::<Solver<D3Q19, F16In32, Aosoa<128>, EsotericPull, ConnectivityMatrix>>(SIZES);
    check::<Solver<D3Q19, F64, Soa, EsotericPush, FluidIndexArray>>(SIZES);
    check::<Solver<D2Q9, F32, Soa, Aa, Tiled<8, 8, 1>>>(&[[16, 16, 1], [19, 9, 1]]);
    check::<Solver<D2Q9, F64, Aosoa<16>, TwoLatticePull, Tiled<4, 4, 1>>>(&[[16, 16, 1], [19, 9, 1]]);
}

#[test]
fn tiles_with_an_order_for_each_slot_equal_the_reference() {
    laws::neighbours_are_found::<Solver<D3Q19, F32, TilePaper, EsotericTwist, Tiled<4>>>(TILES, &SEEDS)
        .unwrap();
    laws::neighbours_are_found::<Solver<D3Q19, F64, TileBest, Aa, Tiled<4>>>(TILES, &SEEDS).unwrap();
    laws::neighbours_are_found::<Solver<D3Q19, F16In32, TileBest, EsotericPull, Tiled<4>>>(TILES, &SEEDS)
        .unwrap();
    check_listed::<D3Q19, F64, TilePaper, TwoLatticePull, Tiled<4>>(TILES);
    check_listed::<D3Q19, F32, TileBest, TwoLatticePull, Tiled<4>>(TILES);
    check_listed::<D3Q19, F64, TileBest, Aa, Tiled<4>>(TILES);
    check_listed::<D3Q19, F16In32, TileBest, EsotericPull, Tiled<4>>(TILES);
    assert_eq!(legal::refusal::<Solver<D3Q19, F32, TileBest, Aa, Tiled<4>>>(), None);
    for refusal in [
        legal::refusal::<Solver<D3Q19, F32, TileBest, Aa>>(),
        legal::refusal::<Solver<D3Q19, F32, TilePaper, Aa, Tiled<8, 4, 2>>>(),
        legal::refusal::<Solver<D3Q19, F32, TilePaper, Aa, ConnectivityMatrix>>(),
    ] {
        assert!(refusal.is_some_and(|why| why.contains("`Tiled<4>`")), "{refusal:?}");
    }
}

#[test]
fn a_flow_goes_on_under_another_scheme() {
    type Start = Solver<D2Q9, F32, Soa, EsotericTwist>;
    type Making = fn(&Setup, &CpuOptions) -> Result<Box<dyn Engine>, lbm_core::Error>;
    let schemes: [Making; 12] = [
        make::<Solver<D2Q9, F32, Soa, EsotericPull, ConnectivityMatrix>>,
        make::<Solver<D2Q9, F32, Soa, EsotericTwist, FluidIndexArray>>,
        make::<Solver<D2Q9, F32, Soa, Aa, ConnectivityMatrix>>,
        make::<Solver<D2Q9, F32, Aos, Swap, FluidIndexArray>>,
        make::<Start>,
        make::<Solver<D2Q9, F32, Aos, EsotericPush>>,
        make::<Solver<D2Q9, F32, Soa, Aa>>,
        make::<Solver<D2Q9, F32, Soa, Swap>>,
        make::<Solver<D2Q9, F32, Soa>>,
        make::<Solver<D2Q9, F32, Soa, Ccas>>,
        make::<Solver<D2Q9, F32, Aosoa<2>, Ghost>>,
        make::<Solver<D2Q9, F32, Aosoa<2>, EsotericTwist>>,
    ];
    let facts = Facts::of::<Start>();
    for seed in SEEDS {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(&facts, [37, 7, 1], &mut random);
        let mut state = random_populations(&facts.lattice, setup.domain(), &mut random);
        let mut reference = Reference::new(&facts, &setup).unwrap();
        reference.set_populations(&state, 0).unwrap();
        for (handed_over, scheme) in schemes.iter().enumerate() {
            let mut engine = scheme(&setup, &CpuOptions::default()).unwrap();
            engine.set_populations(&state, 3 * handed_over as u64).unwrap();
            engine.run(3).unwrap();
            engine.populations(&mut state).unwrap();
        }
        reference.run(36).unwrap();
        let mut expected = vec![f64::NAN; state.len()];
        reference.populations(&mut expected).unwrap();
        assert!(state.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()), "seed {seed}");
    }
}

fn listed_nodes(facts: &Facts, domain: &Domain) -> Result<ListedNodes, Error> {
    ListedNodes::of(facts, domain, &Links::of(&facts.lattice, domain)?)
}

/// A square of 8 x 8 fluid nodes one node away from the corner of the box: from the origin (1, 1) it takes four tiles of 4 x 4,
/// from that of the box nine.
#[test]
fn tiles_begin_where_the_fewest_are_needed() {
    let facts = Facts::of::<Solver<D2Q9, F32, Soa, Aa, Tiled<4, 4, 1>>>();
    let within = |n: usize| (1..=8).contains(&n);
    let flags = (0..100).map(|n| u8::from(!within(n % 10) || !within(n / 10)));
    let walls = [FaceRule::WALL; 6];
    let solids = vec![[0.0; 3]];
    let domain = Domain::periodic([10, 10, 1]).with_faces(walls).with_solids(flags.collect(), solids.clone());
    assert_eq!(listed_nodes(&facts, &domain).unwrap().listing.positions.len(), 4 * 16);
    // Around a periodic axis tiles are whole.
    let mut faces = walls;
    faces[..2].fill(FaceRule::Periodic);
    let flags = (0..120).map(|n| u8::from(!within(n % 12) || !within(n / 12)));
    let domain = Domain::periodic([12, 10, 1]).with_faces(faces).with_solids(flags.collect(), solids);
    assert_eq!(listed_nodes(&facts, &domain).unwrap().listing.positions.len(), 6 * 16);
}

#[test]
fn the_schemes_keep_their_laws() {
    fn check<S: Streaming>() {
        laws::slots_are_a_permutation::<S, D2Q9>().unwrap();
        laws::slots_are_a_permutation::<S, D3Q19>().unwrap();
        for size in [[1, 1, 1], [5, 4, 3], [17, 2, 3]] {
            laws::free_of_races::<S, D3Q19, Dense, Soa>(size).unwrap();
            laws::free_of_races::<S, D3Q19, Dense, Aos>(size).unwrap();
            laws::free_of_races::<S, D3Q19, Dense, Aosoa<8>>(size).unwrap();
        }
    }
    laws::free_of_races::<Ghost, D3Q19, Dense, Soa>([35, 18, 9]).unwrap();
    check::<Ghost>();
    check::<TwoLatticePull>();
    check::<TwoLatticePush>();
    check::<Aa>();
    check::<EsotericTwist>();
    check::<EsotericPull>();
    check::<EsotericPush>();
    check::<Swap>();
    check::<Ccas>();
    check::<Moments>();
    check::<MomentsRing>();
    check::<ThreadSafe>();
    check::<Drifting>();
    check::<Compressed>();
    for size in [[1, 1, 1], [5, 4, 3], [17, 2, 3]] {
        laws::in_bounds_and_bijective::<D3Q19, Dense, Soa>(size).unwrap();
        laws::in_bounds_and_bijective::<D3Q19, Dense, Aos>(size).unwrap();
        laws::in_bounds_and_bijective::<D3Q19, Dense, Aosoa<8>>(size).unwrap();
        laws::in_bounds_and_bijective::<D3Q19, Dense, Aosoa<128>>(size).unwrap();
    }
}

/// One copy of the populations that moves down, plane by plane.
#[derive(Clone, Copy)]
struct Drifting;

impl Streaming for Drifting {
    const PATTERN: Pattern = recipes::drift("drifting");
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        TwoLatticePull::read::<L>(i, phase)
    }
}

/// The same, down in even steps and up in odd ones with the order reversed.
#[derive(Clone, Copy)]
struct Compressed;

impl Streaming for Compressed {
    const PATTERN: Pattern = {
        const DOWN: &[Pass] = Drifting::PATTERN.passes(0);
        const UP: &[Pass] = &[DOWN[0], Pass { order: Order::Planes(Towards::Down), ..DOWN[1] }];
        const MOTION: Motion = Motion::Planes(&[Towards::Down, Towards::Up]);
        const STATE: Array = Array { motion: MOTION, ..Drifting::PATTERN.arrays[0] };
        Pattern { name: "compressed", period: 2, arrays: &[STATE], passes: &[DOWN, UP] }
    };
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        TwoLatticePull::read::<L>(i, phase)
    }
}

#[test]
fn populations_that_drift_equal_the_reference() {
    check::<D2Q9, F32, Soa, Drifting>(FLAT);
    check::<D3Q19, F64, Aosoa<8>, Drifting>(DEEP);
    check::<D2Q9, F64, Aosoa<16>, Compressed>(FLAT);
    check::<D3Q19, F32, Soa, Compressed>(DEEP);
    check::<D3Q19, F16In32, Aos, Compressed>(DEEP);
}

#[test]
fn what_is_allocated_is_what_is_stated() {
    fn check<V: Variant>(size: [usize; 3]) {
        let options = CpuOptions::default();
        // Listed nodes have a few bytes more: of every 16 nodes it is known where their neighbours are.
        let tolerance = if V::Addressing::LISTED { 0.05 } else { 0.01 };
        laws::bytes_as_stated::<V>(|setup| make::<V>(setup, &options), size, tolerance).unwrap();
    }
    check::<Solver<D3Q19, F32, Soa>>([64, 64, 48]);
    check::<Solver<D3Q19, F64, Soa, EsotericPull>>([64, 64, 48]);
    check::<Solver<D3Q19, F32, Aosoa<128>, EsotericPull>>([64, 64, 48]);
    check::<Solver<D3Q19, F16In32, Soa, Aa>>([64, 64, 48]);
    check::<Solver<D2Q9, F64, Aos>>([512, 512, 1]);
    check::<Solver<D3Q19, F32, Soa, Swap>>([64, 64, 48]);
    check::<Solver<D2Q9, F32, Soa, Ccas>>([512, 512, 1]);
    check::<Solver<D2Q9, F32, Soa, Ghost>>([512, 512, 1]);
    check::<Solver<D3Q19, F64, Soa, Ghost>>([64, 64, 48]);
    check::<Solver<D2Q9, F64, Soa>>([512, 512, 1]);
    check::<Solver<D2Q9, F32, Aos, EsotericPush>>([512, 512, 1]);
    check::<Solver<D3Q19, F32, Aosoa<64>, Aa, Tiled<4>>>([64, 64, 48]);
    check::<Solver<D3Q19, F64, Aosoa<64>, TwoLatticePull, ConnectivityMatrix>>([64, 64, 48]);
    check::<Solver<D3Q19, F32, Soa, EsotericPull, FluidIndexArray>>([64, 64, 48]);
}

/// Bytes a fluid node, among solids, as the papers count them.
#[test]
fn listed_nodes_take_what_is_promised() {
    let mut domain = Domain::periodic([192, 64, 64]);
    domain.solids = vec![[0.0; 3]];
    let within = |at: usize| {
        let position = [at % 192 % 64, at / 192 % 64, at / 192 / 64].map(|x| x as f64 - 31.5);
        position.iter().map(|x| x * x).sum::<f64>() < 28.0 * 28.0
    };
    domain.flags = (0..domain.nodes()).map(|at| u8::from(within(at))).collect();
    let (fluid, setup) = (domain.fluid_nodes() as f64, Setup::new(domain, vec![0.1]));
    let bytes = |engine: Box<dyn Engine>| engine.allocated_bytes() as f64 / fluid;
    let options = CpuOptions::default();
    let one_copy = bytes(make::<Solver<D3Q19, F32, Soa, Aa, ConnectivityMatrix>>(&setup, &options).unwrap());
    // 76 of populations, 36 of connections; less than a word of what misses neighbours; 5 of where the neighbours of every 16 nodes are, and
    // 12 where these do not follow each other.
    assert!((112.0..=131.0).contains(&one_copy), "{one_copy}");
    let facts = Facts::of::<Solver<D3Q19, F64, Aosoa<64>, TwoLatticePull, Tiled<4>>>();
    let listed_nodes = listed_nodes(&facts, setup.domain()).unwrap();
    let utilisation = fluid / listed_nodes.listing.positions.len() as f64;
    // Eq. 16 of the tiles paper with n_t = 4: a word of what misses neighbours; and 27 neighbours a tile.
    let expected = (2.0 * 152.0 + 4.0) / utilisation + 27.0 * 4.0 / (64.0 * utilisation);
    let tiled =
        bytes(make::<Solver<D3Q19, F64, Aosoa<64>, TwoLatticePull, Tiled<4>>>(&setup, &options).unwrap());
    assert!(tiled <= expected * 1.01, "{tiled}, at most {expected}");
    let half = bytes(make::<Solver<D3Q19, F64, Aosoa<64>, Aa, Tiled<4>>>(&setup, &options).unwrap());
    assert!(half <= expected / 2.0 * 1.03, "{half}, at most half of {expected}");
}
