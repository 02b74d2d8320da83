use lbm_core::laws::{SplitMix64, random_populations};
use lbm_core::layout::Contents;
use lbm_core::streaming::recipes;
use lbm_core::{
    Access, Aos, Aosoa, Domain, EsotericPull, F16In32, F32, F64, FaceRule, Ghost, Index, Lattice, Layout,
    Pattern, Soa, Streaming, TwoLatticePush,
};

use super::*;
use crate::by_hand::{D2Q9, D3Q19, Solver};
use crate::simd::SimdLevel;

fn rest(size: [usize; 3]) -> Setup {
    Setup::new(Domain::periodic(size), vec![0.1])
}

/// A box with a solid in the middle and a moving lid, some steps from a random state.
fn disturbed<V: Variant>(size: [usize; 3], stores: StoreKind) -> CpuEngine {
    let mut setup = rest(size);
    let domain = setup.domain_mut();
    domain.faces[2] = FaceRule::WALL;
    domain.faces[3] = FaceRule::Wall { velocity: [0.1, 0.0, 0.0] };
    domain.solids = vec![[0.0; 3]];
    domain.flags = vec![0; domain.nodes()];
    let middle = domain.index(size.map(|n| n / 2));
    domain.flags[middle] = 1;
    let start = random_populations(
        &lbm_core::facts::LatticeFacts::of::<V::Lattice>(),
        setup.domain(),
        &mut SplitMix64::new(1),
    );
    let options = CpuOptions { stores: Some(stores), threads: Some(2), ..CpuOptions::default() };
    let mut engine = CpuEngine::new::<V>(&setup, &options).unwrap();
    engine.set_populations(&start, 0).unwrap();
    engine.run(3).unwrap();
    engine
}

fn only_fluid_nodes_are_written<V: Variant>(size: [usize; 3], stores: StoreKind) {
    let engine = disturbed::<V>(size, stores);
    let mut written = 0;
    for copy in &engine.state.copies {
        let bytes = engine.state.facts.precision.stored_bytes;
        // SAFETY: within the copy.
        let values =
            unsafe { std::slice::from_raw_parts(copy.start(), engine.state.places.values() * bytes) };
        written += values.chunks(bytes).filter(|value| value.iter().any(|&byte| byte != 0)).count();
    }
    let fluid = V::Lattice::Q * engine.state.domain().fluid_nodes() * engine.state.copies.len();
    assert_eq!(written, fluid, "{} {stores:?}", V::name());
}

/// Whether the list of links lives on with an engine between walls.
fn keeps_links<V: Variant>() -> bool {
    let mut setup = rest([24, 16, 1]);
    setup.domain_mut().faces[2] = FaceRule::WALL;
    setup.domain_mut().faces[3] = FaceRule::WALL;
    let links = setup.links(&lbm_core::facts::LatticeFacts::of::<V::Lattice>()).unwrap();
    let engine = CpuEngine::new::<V>(&setup, &CpuOptions::default()).unwrap();
    let weak = std::sync::Arc::downgrade(&links);
    drop(links);
    let lives = weak.strong_count() > 0;
    drop(engine);
    lives
}

#[test]
fn the_list_of_links_lives_on_where_it_can_follow_what_is_drawn() {
    assert!(keeps_links::<Solver<D2Q9, F32, Soa>>());
    // What is sent into walls is kept there; blocks go through it.
    assert!(keeps_links::<Solver<D2Q9, F32, Soa, EsotericPull>>());
    assert!(keeps_links::<Solver<D2Q9, F32, Soa, Ghost>>());
}

#[test]
fn solid_nodes_and_padding_stay_zero() {
    for stores in [StoreKind::Ordinary, StoreKind::NonTemporal] {
        only_fluid_nodes_are_written::<Solver<D2Q9, F32, Soa>>([21, 5, 1], stores);
        only_fluid_nodes_are_written::<Solver<D3Q19, F64, Soa>>([11, 4, 3], stores);
    }
    only_fluid_nodes_are_written::<Solver<D3Q19, F32, Aos>>([11, 4, 3], StoreKind::Ordinary);
    // Nodes that write to neighbours write to solid ones too; as many values are zero.
    only_fluid_nodes_are_written::<Solver<D2Q9, F32, Soa, EsotericPull>>([21, 5, 1], StoreKind::Ordinary);
    only_fluid_nodes_are_written::<Solver<D2Q9, F16In32, Aosoa<8>, TwoLatticePush>>(
        [21, 5, 1],
        StoreKind::Ordinary,
    );
}

#[test]
fn what_cannot_run_is_refused_with_a_remedy() {
    type Flat = Solver<D2Q9, F64, Soa>;
    let refused = |setup: &Setup, options: CpuOptions| {
        CpuEngine::new::<Flat>(setup, &options).err().expect("it is refused").to_string()
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
}

#[test]
fn stores_past_the_caches_are_refused_where_they_cannot_be() {
    fn refused<V: Variant>() -> String {
        let past = CpuOptions { stores: Some(StoreKind::NonTemporal), ..CpuOptions::default() };
        CpuEngine::new::<V>(&rest([32, 4, 1]), &past).err().expect("it is refused").to_string()
    }
    assert!(refused::<Solver<D2Q9, F64, Aos>>().contains("layout `aos`"));
    assert!(refused::<Solver<D2Q9, F32, Soa, EsotericPull>>().contains("streaming `esoteric-pull`"));
    assert!(refused::<Solver<D2Q9, F32, Soa, TwoLatticePush>>().contains("streaming `two-lattice-push`"));
}

/// Pull in one copy: a node overwrites what its neighbour is yet to read.
#[derive(Clone, Copy)]
struct Overwriting;

impl Streaming for Overwriting {
    const PATTERN: Pattern = recipes::in_place("overwriting", 1);
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: L::VELOCITIES[i].map(|c| -c), slot: i }
    }
}

/// Two copies, but all directions are read from one slot.
#[derive(Clone, Copy)]
struct Once;

impl Streaming for Once {
    const PATTERN: Pattern = recipes::two_copies("once");
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: L::VELOCITIES[i].map(|c| -c), slot: 0 }
    }
}

/// Clusters of four nodes that say to be clusters of eight.
#[derive(Clone)]
struct Misstated(Aosoa<4>);

impl Layout for Misstated {
    const NAME: &'static str = "misstated";
    type On<J: Index> = Aosoa<4, J>;
    fn new(contents: &Contents) -> Misstated {
        Misstated(Layout::new(contents))
    }
    fn offset(&self, slot: usize, node: usize) -> usize {
        self.0.offset(slot, node)
    }
    fn stride(&self) -> usize {
        1
    }
    fn cluster(&self) -> usize {
        8
    }
    fn values(&self) -> usize {
        self.0.values()
    }
}

/// Blocks with ghost values, in which nodes read their own places.
#[derive(Clone, Copy)]
struct Unghostly;

impl Streaming for Unghostly {
    const PATTERN: Pattern = recipes::ghost_blocks::<Ghost>("unghostly");
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i }
    }
}

#[test]
fn a_scheme_that_breaks_a_law_is_refused() {
    fn refused<V: Variant>() -> String {
        let made = CpuEngine::new::<V>(&rest([16, 4, 1]), &CpuOptions::default());
        made.err().expect("it is refused").to_string()
    }
    let error = refused::<Solver<D2Q9, F32, Soa, Overwriting>>();
    assert!(error.contains("`overwriting` has one copy") && error.contains("direction 1"), "{error}");
    let error = refused::<Solver<D2Q9, F32, Soa, Unghostly>>();
    assert!(error.contains("the nodes of `unghostly` have an order"), "{error}");
    let error = refused::<Solver<D2Q9, F32, Soa, Once>>();
    assert!(error.contains("direction 1 is read from slot 0, and so is direction 0"), "{error}");
    let error = refused::<Solver<D2Q9, F32, Misstated>>();
    assert!(error.contains("a cluster of the layout `misstated`"), "{error}");
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

/// Two copies, whose slots are exchanged by opposites in every other step.
#[derive(Clone, Copy)]
struct Alternating;

impl Streaming for Alternating {
    const PATTERN: Pattern = Pattern { period: 2, ..recipes::two_copies("alternating") };
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        let slot = if phase == 0 { i } else { L::OPPOSITES[i] };
        Access { shift: L::VELOCITIES[i].map(|c| -c), slot }
    }
}

/// What a node sent lies where the step before left it, not where this one leaves its own: rows are long enough to be done where they lie.
#[test]
fn walls_give_back_what_was_sent_in_slots_that_change() {
    fn after<V: Variant>(stores: StoreKind) -> Vec<f64> {
        let engine = disturbed::<V>([48, 8, 1], stores);
        let mut all = vec![0.0; 9 * 48 * 8];
        engine.populations(&mut all).unwrap();
        all
    }
    for stores in [StoreKind::Ordinary, StoreKind::NonTemporal] {
        let pulled = after::<Solver<D2Q9, F32, Soa>>(stores);
        assert_eq!(after::<Solver<D2Q9, F32, Soa, Alternating>>(stores), pulled, "{stores:?}");
    }
}
