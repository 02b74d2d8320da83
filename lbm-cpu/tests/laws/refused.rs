//! What is wrong is found out or refused: addressings, layouts and patterns that do not keep what they say.

use lbm_core::addressing::Extent;
use lbm_core::engine::Setup;
use lbm_core::laws::{self, SEEDS};
use lbm_core::streaming::{Array, Holds, Pass};
use lbm_core::{
    Aa, Addressing, ConnectivityMatrix, Domain, F32, FluidIndexArray, Ghost, Index, Layout, Listing, Pattern,
    Region, Soa, Streaming, Swap, ThreadSafe, Tiled, TwoLatticePull, legal,
};
use lbm_cpu::CpuOptions;

use crate::by_hand::{D2Q9, D3Q19, Solver};
use crate::{FLAT, STEPS, make};

/// Fluid nodes in the right order, of which each takes the one behind it for its neighbour to the east; the last the first, or
/// one that is not there.
#[derive(Clone)]
struct NextIsEast<I, const AROUND: bool>(I);

impl<I: Index, const AROUND: bool> Addressing<I> for NextIsEast<I, AROUND> {
    const NAME: &'static str = "next-is-east";
    type On<J: Index> = NextIsEast<J, AROUND>;
    const LISTED: bool = true;
    fn list(region: &Region<'_>) -> Listing {
        Listing { tables: Vec::new(), ..<FluidIndexArray as Addressing>::list(region) }
    }
    fn new(extent: &Extent<I>) -> Self {
        NextIsEast(extent.nodes.clone())
    }
    fn neighbour(&self, node: I, shift: [i32; 3]) -> I {
        match shift {
            [1, 0, 0] if AROUND => (node + 1) % self.0.clone(),
            [1, 0, 0] => node + 1,
            _ => node,
        }
    }
    fn nodes(&self) -> I {
        self.0.clone()
    }
}

#[test]
fn who_does_not_find_its_neighbours_is_found_out() {
    type V = Solver<D2Q9, F32, Soa, Aa, NextIsEast<usize, true>>;
    let violation = laws::neighbours_are_found::<V>(FLAT, &SEEDS).unwrap_err().to_string();
    assert!(violation.contains("next-is-east") && violation.contains("it finds"), "{violation}");
    let options = CpuOptions::default().with_threads(1);
    let violation = laws::equals_reference::<V>(|setup| make::<V>(setup, &options), FLAT, STEPS, &SEEDS);
    let violation = violation.unwrap_err().to_string();
    assert!(violation.contains("the reference has"), "{violation}");
}

#[test]
fn a_neighbour_that_is_not_there_is_refused() {
    type V = Solver<D2Q9, F32, Soa, Aa, NextIsEast<usize, false>>;
    let setup = Setup::new(Domain::periodic([6, 4, 1]), vec![0.1]);
    let refused = make::<V>(&setup, &CpuOptions::default()).err().expect("it is refused").to_string();
    assert!(refused.contains("24 nodes") && refused.contains("from node 23 it finds 24"), "{refused}");
}

/// A layout that is wrong in what it says of itself: its clusters have no nodes, or its nodes do not lie evenly, or the last ones lie
/// beyond the copy.
#[derive(Clone)]
struct Wrong<const HOW: usize, I>(I, usize);

const NO_NODES: usize = 0;

const UNEVEN: usize = 1;

const BEYOND: usize = 2;

impl<const HOW: usize, I: Index> Layout<I> for Wrong<HOW, I> {
    const NAME: &'static str = "wrong";
    type On<J: Index> = Wrong<HOW, J>;
    fn new(contents: &lbm_core::layout::Contents<I>) -> Self {
        Wrong(contents.nodes.clone(), contents.slots)
    }
    fn offset(&self, slot: usize, node: I) -> I {
        let node = if HOW == UNEVEN { node.clone() / 2 * 2 + (node + 1) % 2 } else { node };
        self.0.clone() * slot + node
    }
    fn stride(&self) -> usize {
        1
    }
    fn cluster(&self) -> usize {
        if HOW == NO_NODES { 0 } else { usize::MAX }
    }
    fn values(&self) -> I {
        self.0.clone() * (if HOW == BEYOND { self.1 - 1 } else { self.1 })
    }
}

#[test]
fn a_layout_that_does_not_lie_as_it_says_is_refused_however_nodes_are_addressed() {
    fn refused<const HOW: usize>(what: &str) {
        let setup = Setup::new(Domain::periodic([16, 4, 1]), vec![0.1]);
        for make in [
            make::<Solver<D2Q9, F32, Wrong<HOW, usize>>>,
            make::<Solver<D2Q9, F32, Wrong<HOW, usize>, TwoLatticePull, ConnectivityMatrix>>,
            make::<Solver<D2Q9, F32, Wrong<HOW, usize>, Aa, Tiled<4, 4, 1>>>,
        ] {
            let error = make(&setup, &CpuOptions::default()).err().expect("it is refused").to_string();
            assert!(error.contains(what) && error.contains("`wrong`"), "{error}");
        }
    }
    refused::<NO_NODES>("have no nodes");
    refused::<UNEVEN>("do not lie `stride` apart");
    refused::<BEYOND>("leaves the storage");
}

#[test]
fn periodic_boxes_are_whole_tiles() {
    type V = Solver<D3Q19, F32, Soa, Aa, Tiled<4>>;
    let setup = Setup::new(Domain::periodic([8, 6, 4]), vec![0.1]);
    let refused = make::<V>(&setup, &CpuOptions::default()).err().expect("it is refused").to_string();
    assert!(refused.contains("6 nodes along y") && refused.contains("a multiple of 4"), "{refused}");
}

/// Populations that are to be sent out by moments which are not there.
const MOMENTLESS: Pattern = {
    const ARRAYS: &[Array] = &[
        ThreadSafe::PATTERN.arrays[0],
        Array { holds: Holds::Populations, ..ThreadSafe::PATTERN.arrays[1] },
    ];
    Pattern { arrays: ARRAYS, ..ThreadSafe::PATTERN }
};

#[test]
fn who_has_no_moments_sends_nothing() {
    let refusal = MOMENTLESS.flaw().unwrap();
    assert!(refusal.contains("sent from moments"), "{refusal}");
    let refusal = legal::refusal::<Solver<D2Q9, F32, Soa, ThreadSafe>>().unwrap();
    assert!(refusal.contains("do not carry the collision"), "{refusal}");
}

/// `Ghost` in two copies.
const TWICE: Pattern = {
    const ARRAYS: &[Array] = &[Array { copies: 2, ..Ghost::PATTERN.arrays[0] }, Ghost::PATTERN.arrays[1]];
    Pattern { arrays: ARRAYS, ..Ghost::PATTERN }
};

/// `Ghost` whose neighbours exchange populations, too.
const EXCHANGED: Pattern = {
    const PASSES: &[Pass] =
        &[Swap::PATTERN.passes(0)[0], Ghost::PATTERN.passes(0)[0], *Ghost::PATTERN.collision(0)];
    Pattern { passes: &[PASSES], ..Ghost::PATTERN }
};

#[test]
fn ghost_values_are_for_one_copy_and_no_other_way_to_travel() {
    assert_eq!(legal::refusal::<Solver<D2Q9, F32, Soa, Ghost>>(), None);
    let refusal = TWICE.flaw().unwrap();
    assert!(refusal.contains("set `copies` to 1"), "{refusal}");
    let refusal = EXCHANGED.flaw().unwrap();
    assert!(refusal.contains("travel in several ways"), "{refusal}");
}
