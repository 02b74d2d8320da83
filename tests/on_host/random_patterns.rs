//! Patterns drawn at random on the host in a GPU's place: the bits of the reference. A pattern that breaks a law is refused before
//! anything is built; what a pattern is called changes nothing.

use std::marker::PhantomData;
use std::sync::Mutex;

use lbm::core::engine::Setup;
use lbm::core::facts::{
    AddressingFacts, BodyFacts, Facts, LatticeFacts, LayoutFacts, PrecisionFacts, StreamingFacts,
};
use lbm::core::laws::SEEDS;
use lbm::core::streaming::recipes;
use lbm::core::{Access, Addressing, Domain, Lattice, Layout, Pattern, Precision, Streaming, Variant};
use lbm::cpu::{Code, RuleCode};
use lbm::cross_check::product;
use lbm::cuda::assemble::{self, Plan, Shape};
use lbm::cuda::crosscheck::{Options, Target, check_all};
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;
use lbm::simulation::Product;

use super::random_pattern::{Kind, Random};

solver! { Flat { lattice: D2Q9, collision: Regularized, precision: F32 } }
solver! { Deep { lattice: D3Q19, collision: Regularized, precision: F32 } }

/// A solver with values of one's own on the other axes.
fn with<V: Variant, P: Precision, Y: Layout, A: Addressing, S: Streaming>() -> Product {
    Product::new(facts::<V, P, Y, A, S>(), Some(Code::of::<V::Body, P>()))
}

fn facts<V: Variant, P: Precision, Y: Layout, A: Addressing, S: Streaming>() -> Facts {
    Facts::compose(
        LatticeFacts::of::<V::Lattice>(),
        BodyFacts::of::<V::Body>(V::COLLISION),
        PrecisionFacts::of::<P>(),
        LayoutFacts::of::<Y>(),
        AddressingFacts::of::<A>(),
        StreamingFacts::of::<S, V::Lattice>(),
    )
    .unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn random_patterns_have_the_bits_of_the_reference() {
    if cxx_or_skip("random_patterns_have_the_bits_of_the_reference").is_none() {
        return;
    }
    let drawn = [
        (0, with::<Deep, F32, Aosoa<16>, Dense, Random<0>>()),
        (1, with::<Flat, F32, Soa, Dense, Random<1>>()),
        (1, with::<Deep, F64, Aosoa<64>, Tiled<4>, Random<1>>()),
        (2, with::<Deep, F64, Soa, Dense, Random<2>>()),
        (3, with::<Flat, F64, Aos, Dense, Random<3>>()),
        (4, with::<Deep, F32, Soa, Dense, Random<4>>()),
        (5, with::<Deep, F64, Aosoa<8>, Dense, Random<5>>()),
        (6, with::<Flat, F32, Soa, Dense, Random<6>>()),
        (7, with::<Flat, F32, Soa, Dense, Random<7>>()),
        (8, with::<Deep, F32, Aosoa<16>, Dense, Random<8>>()),
        (10, with::<Deep, F16In32, Soa, Dense, Random<10>>()),
        (11, with::<Flat, F32, Soa, Dense, Random<11>>()),
        (12, with::<Deep, F32, Soa, Dense, Random<12>>()),
        (14, with::<Flat, F32, Soa, Dense, Random<14>>()),
        (15, with::<Deep, F32, Soa, Dense, Random<15>>()),
        (17, with::<Deep, F32, Aosoa<16>, Dense, Random<17>>()),
        (22, with::<Flat, F64, Soa, Dense, Random<22>>()),
        (26, with::<Flat, F64, Soa, Dense, Random<26>>()),
        (26, with::<Deep, F16In32, Soa, Dense, Random<26>>()),
        (30, with::<Flat, F64, Aosoa<16>, Dense, Random<30>>()),
    ];
    let kinds: Vec<Kind> = drawn.iter().map(|&(seed, _)| Kind::of(seed)).collect();
    assert!(Kind::ALL.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    agree(&drawn);
}

macro_rules! ruled {
    ($name:ident: $precision:ident) => {
        solver! { $name { lattice: D2Q9, collision: Regularized, precision: $precision, boundaries: [
            ZouHeVelocity, RegularizedPressure, FreeSlip, Bouzidi, SingleNode, NonEquilibriumExtrapolationVelocity
        ] } }
    };
}

ruled! { Ruled: F64 }
ruled! { RuledNarrow: F32 }

/// Nodes at rules of boundaries take what they sent from their own moments.
#[test]
fn moments_that_move_up_meet_boundary_rules() {
    if cxx_or_skip("moments_that_move_up_meet_boundary_rules").is_none() {
        return;
    }
    let wide = with::<Ruled, F64, Soa, Dense, Random<17>>().with_rules(RuleCode::of_variant::<Ruled>);
    let narrow = with::<RuledNarrow, F32, Aosoa<16>, Dense, Random<26>>();
    agree(&[(17, wide), (26, narrow.with_rules(RuleCode::of_variant::<RuledNarrow>))]);
}

/// What was drawn of these seeds has the bits of the reference, on the CPU and on the host in a device's place, in boxes with the rules that there are.
fn agree(drawn: &[(u64, Product)]) {
    let failures = Mutex::new(Vec::new());
    let options = Options::default().with_steps([1, 2, 3, 10]).with_seeds(&SEEDS[1..3]);
    let subjects: Vec<_> = drawn.iter().map(|&(_, drawn)| product(drawn)).collect();
    for target in [Target::Cpu, Target::OnHost] {
        check_all(&subjects, target, &options, 2, &|n, outcome| {
            let (seed, product) = drawn[n];
            let failure = match outcome {
                Ok(outcome) => outcome.difference.map(|difference| difference.to_string()),
                Err(error) => Some(error.to_string()),
            };
            let failure =
                failure.map(|failure| format!("{seed}, {} on {target:?}: {failure}", product.facts().name()));
            failures.lock().unwrap().extend(failure);
        });
    }
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
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

#[test]
fn a_pattern_that_breaks_a_law_is_refused() {
    let setup = Setup::new(Domain::periodic([16, 4, 1]), vec![0.1]);
    for (facts, why) in [
        (facts::<Flat, F32, Soa, Dense, Overwriting>(), "`overwriting` has one copy"),
        (facts::<Flat, F32, Soa, ConnectivityMatrix, Overwriting>(), "`overwriting` has one copy"),
        (
            facts::<Flat, F32, Soa, ConnectivityMatrix, Random<10>>(),
            "listed nodes know the nodes next to them",
        ),
    ] {
        let made = DeviceEngine::new(OnHost::new(1), &facts, &setup, &DeviceOptions::default());
        let error = made.err().expect("it is refused");
        assert!(matches!(error, Error::Conflict { .. } | Error::Unavailable { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// A pattern under another name.
#[derive(Clone, Copy)]
struct Renamed<S>(PhantomData<S>);

impl<S: Streaming> Streaming for Renamed<S> {
    const PATTERN: Pattern = Pattern { name: "renamed", ..S::PATTERN };
    const STEPS_AT_ONCE: Option<usize> = S::STEPS_AT_ONCE;
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        S::read::<L>(i, phase)
    }
}

/// Both have the same launch shapes, and the same texts in the first of them and the last, with walls and without.
fn alike(both: [Facts; 2]) {
    let size = if both[0].lattice.dimension == 2 { [32, 12, 1] } else { [32, 12, 8] };
    let [shapes, renamed] = both.map(|facts| Shape::candidates(&facts, size));
    assert_eq!(shapes, renamed);
    for (shape, walls) in [(shapes[0], true), (shapes[shapes.len() - 1], true), (shapes[0], false)] {
        let plan = Plan::of(shape).with_size(Some(size));
        let plan = if walls { plan.with_walls(None) } else { plan };
        let texts = |facts: &Facts| {
            let [step, accessors] =
                [assemble::step, assemble::accessors].map(|text| text(facts, &plan).unwrap());
            format!("{step}{accessors}")
        };
        let [text, renamed] = both.map(|facts| texts(&facts));
        assert_eq!(text, renamed, "{} under another name", both[0].name());
    }
}

/// What is printed follows from arrays, passes and reads: two patterns that have the same have the same launch shapes and texts.
#[test]
fn a_name_changes_no_text() {
    fn check<S: Streaming>() {
        alike([facts::<Deep, F32, Soa, Dense, S>(), facts::<Deep, F32, Soa, Dense, Renamed<S>>()]);
    }
    fn listed<S: Streaming>() {
        check::<S>();
        alike([facts::<Flat, F64, Soa, Tiled<4>, S>(), facts::<Flat, F64, Soa, Tiled<4>, Renamed<S>>()]);
        let matrices = [
            facts::<Deep, F32, Aosoa<16>, ConnectivityMatrix, S>(),
            facts::<Deep, F32, Aosoa<16>, ConnectivityMatrix, Renamed<S>>(),
        ];
        alike(matrices);
    }
    listed::<TwoLatticePull>();
    check::<TwoLatticePush>();
    listed::<Aa>();
    check::<EsotericTwist>();
    listed::<EsotericPull>();
    check::<EsotericPush>();
    check::<Swap>();
    check::<Ccas>();
    check::<Ghost>();
    check::<Moments>();
    check::<MomentsRing>();
    check::<MomentsTwoSteps>();
    check::<ThreadSafe>();
}
