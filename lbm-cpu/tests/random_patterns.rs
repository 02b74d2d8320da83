//! Patterns drawn at random keep the laws and have the reference's bits; what is changed in one of them is refused, or is another
//! pattern that keeps the laws.

mod by_hand;
mod mutants;
mod random_pattern;

use by_hand::{D2Q9, D3Q19, Solver};
use lbm_core::engine::{Engine, Setup};
use lbm_core::laws::{self, check_streaming};
use lbm_core::{
    Aos, Aosoa, ConnectivityMatrix, Dense, Domain, Error, F16In32, F32, F64, Facts, FluidIndexArray, Lattice,
    Soa, Tiled, Variant,
};
use lbm_cpu::{CpuEngine, CpuOptions};
use random_pattern::{Kind, Random};

fn keeps_the_laws<const SEED: u64>() {
    fn on<const SEED: u64, L: Lattice>(size: [usize; 3]) {
        laws::slots_are_a_permutation::<Random<SEED>, L>().unwrap_or_else(|error| panic!("{SEED}: {error}"));
        let races = [
            laws::free_of_races::<Random<SEED>, L, Dense, Soa>(size),
            laws::free_of_races::<Random<SEED>, L, Dense, Aosoa<8>>(size),
        ];
        for law in races {
            law.unwrap_or_else(|error| panic!("{SEED} on {}: {error}", L::NAME));
        }
    }
    on::<SEED, D2Q9>([1, 1, 1]);
    on::<SEED, D2Q9>([35, 7, 1]);
    on::<SEED, D3Q19>([18, 6, 5]);
}

fn equals_the_reference<V: Variant>(seed: u64, sizes: &[[usize; 3]]) {
    check_streaming(&Facts::of::<V>()).unwrap_or_else(|error| panic!("{seed}: {error}"));
    for threads in [1, 3] {
        let options = CpuOptions::default().with_threads(threads);
        let make = |setup: &Setup| -> Result<Box<dyn Engine>, Error> {
            Ok(Box::new(CpuEngine::new::<V>(setup, &options)?))
        };
        laws::equals_reference::<V>(make, sizes, &[1, 2, 3, 10], &[seed, seed + 100])
            .unwrap_or_else(|violation| panic!("{seed}: {violation}"));
    }
}

const FLAT: &[[usize; 3]] = &[[1, 1, 1], [35, 7, 1], [16, 4, 1]];
const TILES: &[[usize; 3]] = &[[8, 4, 4], [9, 8, 5]];
const DEEP: &[[usize; 3]] = &[[2, 3, 2], [18, 6, 5]];

/// All seeds; then those whose patterns store populations, with a precision and a layout for each dimension.
macro_rules! seeds {
    ([$($all:literal)*], [$($seed:literal: $p2:ty, $y2:ty, $p3:ty, $y3:ty;)*]) => {
        #[test]
        fn random_patterns_keep_the_laws() {
            let kinds = [$(Kind::of($all)),*];
            assert!(Kind::ALL.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
            $(keeps_the_laws::<$all>();)*
        }

        #[test]
        fn random_patterns_equal_the_reference() {
            $(
                equals_the_reference::<Solver<D2Q9, $p2, $y2, Random<$seed>>>($seed, FLAT);
                equals_the_reference::<Solver<D3Q19, $p3, $y3, Random<$seed>>>($seed, DEEP);
            )*
        }

        #[test]
        fn what_is_changed_in_a_pattern_is_refused_or_legal() {
            let mut seen = mutants::Seen::default();
            $(mutants::try_all::<Random<$all>, D2Q9>(Kind::of($all), &mut seen);)*
            seen.check();
        }
    };
}

seeds!(
    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 30],
    [
        0: F32, Soa, F64, Aosoa<8>;
        1: F64, Aosoa<8>, F32, Soa;
        2: F32, Aos, F32, Aosoa<16>;
        3: F64, Soa, F32, Aosoa<8>;
        4: F32, Aosoa<16>, F64, Soa;
        5: F64, Aos, F32, Aosoa<8>;
        9: F64, Aosoa<16>, F32, Aos;
        10: F32, Soa, F64, Aosoa<8>;
        11: F64, Soa, F16In32, Soa;
        12: F32, Soa, F64, Aosoa<8>;
        13: F32, Aos, F32, Aosoa<8>;
        14: F32, Soa, F64, Aosoa<16>;
        18: F16In32, Soa, F32, Soa;
        19: F32, Aosoa<8>, F64, Aos;
        20: F64, Aosoa<8>, F32, Soa;
        22: F64, Soa, F16In32, Aosoa<8>;
        23: F16In32, Aosoa<8>, F32, Soa;
        30: F64, Aosoa<16>, F16In32, Soa;
    ]
);

/// Seeds that read no direction beyond the ends of its link.
#[test]
fn random_patterns_of_listed_nodes_equal_the_reference() {
    equals_the_reference::<Solver<D2Q9, F64, Soa, Random<0>, FluidIndexArray>>(0, FLAT);
    equals_the_reference::<Solver<D3Q19, F32, Aosoa<64>, Random<0>, Tiled<4>>>(0, TILES);
    equals_the_reference::<Solver<D2Q9, F32, Soa, Random<1>, ConnectivityMatrix>>(1, FLAT);
    equals_the_reference::<Solver<D3Q19, F64, Aosoa<64>, Random<1>, Tiled<4>>>(1, TILES);
    equals_the_reference::<Solver<D2Q9, F64, Aos, Random<2>, FluidIndexArray>>(2, FLAT);
    equals_the_reference::<Solver<D3Q19, F32, Soa, Random<2>, ConnectivityMatrix>>(2, DEEP);
}

#[test]
fn listed_nodes_know_no_others_than_those_next_to_them() {
    type V = Solver<D2Q9, F32, Soa, Random<10>, ConnectivityMatrix>;
    let setup = Setup::new(Domain::periodic([16, 4, 1]), vec![0.1]);
    let made = CpuEngine::new::<V>(&setup, &CpuOptions::default());
    let error = made.err().expect("it is refused").to_string();
    assert!(error.contains("listed nodes know the nodes next to them"), "{error}");
}
