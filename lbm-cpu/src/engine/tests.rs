use lbm_core::laws::{SplitMix64, random_populations};
use lbm_core::{Access, Aos, Dense, F32, F64, FaceRule, Soa};

use super::*;
use crate::by_hand::{D2Q9, D3Q19, Solver};

fn rest(size: [usize; 3]) -> Setup {
    Setup { domain: Domain::periodic(size), parameters: vec![0.1] }
}

/// A box with a solid in the middle and a moving lid, some steps from a random state.
fn disturbed<V: Variant>(size: [usize; 3], stores: StoreKind) -> CpuEngine<V> {
    let mut setup = rest(size);
    setup.domain.faces[2] = FaceRule::WALL;
    setup.domain.faces[3] = FaceRule::Wall { velocity: [0.1, 0.0, 0.0] };
    setup.domain.solids = vec![[0.0; 3]];
    setup.domain.flags = vec![0; setup.domain.nodes()];
    let middle = setup.domain.index(size.map(|n| n / 2));
    setup.domain.flags[middle] = 1;
    let start = random_populations(
        &lbm_core::facts::LatticeFacts::of::<V::Lattice>(),
        &setup.domain,
        &mut SplitMix64::new(1),
    );
    let options = CpuOptions { stores: Some(stores), threads: Some(2), ..CpuOptions::default() };
    let mut engine = CpuEngine::<V>::new(&setup, &options).unwrap();
    engine.set_populations(&start, 0).unwrap();
    engine.run(3).unwrap();
    engine
}

fn only_fluid_nodes_are_written<V: Variant>(size: [usize; 3], stores: StoreKind) {
    let engine = disturbed::<V>(size, stores);
    let mut written = 0;
    for copy in &engine.copies {
        for at in 0..engine.layout.values() {
            // SAFETY: within the copy.
            let value = V::Precision::decode(unsafe { copy.as_ptr().add(at).read() });
            written += usize::from(value.bits() != 0);
        }
    }
    let fluid = V::Lattice::Q * engine.domain.fluid_nodes() * engine.copies.len();
    assert_eq!(written, fluid, "{} {stores:?}", V::name());
}

#[test]
fn solid_nodes_and_padding_stay_zero() {
    for stores in [StoreKind::Ordinary, StoreKind::NonTemporal] {
        only_fluid_nodes_are_written::<Solver<D2Q9, F32, Soa>>([21, 5, 1], stores);
        only_fluid_nodes_are_written::<Solver<D3Q19, F64, Soa>>([11, 4, 3], stores);
    }
    only_fluid_nodes_are_written::<Solver<D3Q19, F32, Aos>>([11, 4, 3], StoreKind::Ordinary);
}

#[test]
fn what_cannot_run_is_refused_with_a_remedy() {
    type Flat = Solver<D2Q9, F64, Soa>;
    let refused = |setup: &Setup, options: CpuOptions| {
        CpuEngine::<Flat>::new(setup, &options).err().expect("it is refused").to_string()
    };
    let huge = refused(&rest([1 << 40, 1 << 40, 1 << 40]), CpuOptions::default());
    assert!(huge.contains("GiB are free"), "{huge}");
    let none = refused(&rest([4, 4, 1]), CpuOptions { threads: Some(0), ..CpuOptions::default() });
    assert!(none.contains("threads = 0 is out of range"), "{none}");
    if !SimdLevel::Avx512.is_available() {
        let wide = CpuOptions { simd: Some(SimdLevel::Avx512), ..CpuOptions::default() };
        let wide = refused(&rest([4, 4, 1]), wide);
        assert!(wide.contains("no AVX-512 vectors; take one of: scalar"), "{wide}");
    }
    let past = CpuOptions { stores: Some(StoreKind::NonTemporal), ..CpuOptions::default() };
    let strided = CpuEngine::<Solver<D2Q9, F64, Aos>>::new(&rest([4, 4, 1]), &past).err().unwrap();
    assert!(strided.to_string().contains("layout `aos`"), "{strided}");
}

/// Two copies, pushed: the nodes write to their neighbours.
#[derive(Clone, Copy)]
struct Push;

impl Streaming for Push {
    const NAME: &'static str = "push";
    const COPIES: usize = 2;
    const PERIOD: usize = 1;
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}

struct PushSolver;

impl Variant for PushSolver {
    type Body = crate::by_hand::Bgk<D2Q9>;
    type Lattice = D2Q9;
    type Precision = F32;
    type Layout = Soa;
    type Addressing = Dense;
    type Streaming = Push;
    const COLLISION: &'static str = "bgk";
}

#[test]
fn a_pattern_that_writes_to_neighbours_is_refused() {
    let error = CpuEngine::<PushSolver>::new(&rest([4, 4, 1]), &CpuOptions::default()).err().unwrap();
    assert!(
        error.to_string().contains("`push` yet: it writes direction 1 to the neighbour at [1, 0, 0]"),
        "{error}"
    );
}

#[test]
fn a_state_can_be_set_in_any_step() {
    let mut engine = disturbed::<Solver<D2Q9, F64, Soa>>([9, 7, 1], StoreKind::Ordinary);
    let mut at_three = vec![0.0; 9 * 63];
    engine.populations(&mut at_three).unwrap();
    engine.run(4).unwrap();
    let mut expected = at_three.clone();
    engine.populations(&mut expected).unwrap();
    assert_eq!(engine.step(), 7);
    engine.set_populations(&at_three, 3).unwrap();
    engine.run(4).unwrap();
    let mut found = at_three;
    engine.populations(&mut found).unwrap();
    assert_eq!(found, expected);
    assert_eq!(engine.description(), format!("cpu, 2 threads, {}", SimdLevel::best()));
}
