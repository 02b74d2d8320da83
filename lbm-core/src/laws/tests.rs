mod misreading;

use super::*;
use crate::addressing::{Dense, Extent};
use crate::collision::Operations;
use crate::index::Index;
use crate::layout::{Aos, Aosoa, Contents, Soa};
use crate::pieces::{Give, Take, cut, paste};
use crate::streaming::{
    Aa, Ccas, EsotericPull, EsotericPush, EsotericTwist, Ghost, Moments, MomentsRing, Pattern, Swap,
    ThreadSafe, TwoLatticePull, TwoLatticePush,
};
use crate::streaming::{Order, Pass, Towards, recipes};
use crate::{Body, F64, Lanes, Site};
use misreading::Misreading;

/// Three velocities along x.
#[derive(Clone, Copy, Debug)]
struct D1Q3;

impl Lattice for D1Q3 {
    const NAME: &'static str = "D1Q3";
    const D: usize = 1;
    const Q: usize = 3;
    const VELOCITIES: &'static [[i32; 3]] = &[[0, 0, 0], [1, 0, 0], [-1, 0, 0]];
    const WEIGHTS: &'static [f64] = &[2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0];
    const OPPOSITES: &'static [usize] = &[0, 2, 1];
    const CS2: f64 = 1.0 / 3.0;
    const ISOTROPY: u32 = 4;
    const DECLARATION: &'static str = "";
    type PerDirection<T: Copy + Send + Sync> = [T; 3];
    fn filled<T: Copy + Send + Sync>(value: T) -> [T; 3] {
        [value; 3]
    }
}

const SIZE: [usize; 3] = [5, 2, 3];

/// Several blocks with ghost values.
const LONG: [usize; 3] = [2050, 2, 1];

fn keeps_the_laws<S: Streaming>() {
    slots_are_a_permutation::<S, D1Q3>().unwrap();
    free_of_races::<S, D1Q3, Dense, Soa>(SIZE).unwrap();
    free_of_races::<S, D1Q3, Dense, Aos>(SIZE).unwrap();
    free_of_races::<S, D1Q3, Dense, Aosoa<2>>(SIZE).unwrap();
    free_of_races::<S, D1Q3, Dense, Aosoa<8>>(SIZE).unwrap();
}

#[test]
fn every_pattern_that_is_built_in_keeps_the_laws() {
    keeps_the_laws::<TwoLatticePull>();
    keeps_the_laws::<TwoLatticePush>();
    keeps_the_laws::<Aa>();
    keeps_the_laws::<EsotericTwist>();
    keeps_the_laws::<EsotericPull>();
    keeps_the_laws::<EsotericPush>();
    keeps_the_laws::<Swap>();
    keeps_the_laws::<Ccas>();
    keeps_the_laws::<Ghost>();
    keeps_the_laws::<Moments>();
    keeps_the_laws::<MomentsRing>();
    keeps_the_laws::<ThreadSafe>();
    free_of_races::<Ghost, D1Q3, Dense, Soa>(LONG).unwrap();
}

#[test]
fn every_layout_that_is_built_in_gives_each_value_a_place() {
    for size in [[1, 1, 1], SIZE] {
        in_bounds_and_bijective::<D1Q3, Dense, Soa>(size).unwrap();
        in_bounds_and_bijective::<D1Q3, Dense, Aos>(size).unwrap();
        in_bounds_and_bijective::<D1Q3, Dense, Aosoa<2>>(size).unwrap();
        in_bounds_and_bijective::<D1Q3, Dense, Aosoa<8>>(size).unwrap();
        in_bounds_and_bijective::<D1Q3, Dense, Aosoa<128>>(size).unwrap();
    }
}

macro_rules! pattern {
    ($(#[$doc:meta])* $name:ident, $pattern:expr, $read:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name;

        impl Streaming for $name {
            const PATTERN: Pattern = $pattern;
            fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
                let read: fn(usize, [i32; 3]) -> Access = $read;
                read(i, L::VELOCITIES[i].map(|c| -c))
            }
        }
    };
}

pattern!(
    /// Two directions from one slot.
    Twice, recipes::two_copies("twice"), |i, shift| Access { shift, slot: i.min(1) }
);
pattern!(
    /// A pull in one copy: a node overwrites what its neighbour is yet to read.
    Overwriting, recipes::in_place("overwriting", 1), |slot, shift| Access { shift, slot }
);

#[test]
fn a_pattern_that_reads_a_slot_twice_is_found_out() {
    let violation = slots_are_a_permutation::<Twice, D1Q3>().unwrap_err().to_string();
    assert!(violation.contains("direction 2 is read from slot 1, and so is direction 1"), "{violation}");
}

/// An exchange in which both directions of a pair are read from one place.
#[derive(Clone, Copy)]
struct Crowded;

impl Streaming for Crowded {
    const PATTERN: Pattern = recipes::exchange("crowded");
    fn read<L: Lattice>(i: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot: i.min(L::OPPOSITES[i]) }
    }
}

#[test]
fn two_exchanges_of_one_value_are_found_out() {
    let violation = free_of_races::<Crowded, D1Q3, Dense, Soa>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("in the same pass"), "{violation}");
}

/// Planes that move down and are done downwards, so that one overwrites what the next is yet to read.
#[derive(Clone, Copy)]
struct Backwards;

impl Streaming for Backwards {
    const PATTERN: Pattern = {
        const COLLIDE: Pass = *MomentsRing::PATTERN.collision(0);
        const PASSES: &[Pass] =
            &[MomentsRing::PATTERN.passes(0)[0], Pass { order: Order::Planes(Towards::Down), ..COLLIDE }];
        Pattern { name: "backwards", passes: &[PASSES], ..MomentsRing::PATTERN }
    };
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        MomentsRing::read::<L>(i, phase)
    }
}

#[test]
fn planes_in_the_wrong_order_are_refused() {
    let flaw = Backwards::PATTERN.flaw().unwrap();
    assert!(flaw.contains("would overwrite what is still read"), "{flaw}");
}

#[test]
fn a_race_is_found_out() {
    let violation = free_of_races::<Overwriting, D1Q3, Dense, Soa>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("in the same pass"), "{violation}");
}

/// Blocks in which a node reads its own places, of which no ghost value is one.
#[derive(Clone, Copy)]
struct Staying;

impl Streaming for Staying {
    const PATTERN: Pattern = recipes::ghost_blocks::<Ghost>("staying");
    fn read<L: Lattice>(slot: usize, _phase: usize) -> Access {
        Access { shift: [0; 3], slot }
    }
}

#[test]
fn blocks_that_are_not_apart_are_found_out() {
    let violation = free_of_races::<Staying, D1Q3, Dense, Soa>(LONG).unwrap_err().to_string();
    assert!(violation.contains("not where it comes from"), "{violation}");
}

/// What crosses the faces of slots that turn, moved in these passes before the collision.
macro_rules! turning {
    ($(#[$doc:meta])* $name:ident, $($pass:expr),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name;

        impl Streaming for $name {
            const PATTERN: Pattern = {
                const OUT: Pass = Ccas::PATTERN.passes(0)[0];
                const PASSES: &[Pass] = &[$($pass(OUT),)* *Ccas::PATTERN.collision(0)];
                Pattern { name: stringify!($name), passes: &[PASSES], ..Ccas::PATTERN }
            };
            fn read<L: Lattice>(i: usize, phase: usize) -> Access {
                Ccas::read::<L>(i, phase)
            }
        }
    };
}

const fn out(pass: Pass) -> Pass {
    pass
}

const fn back(pass: Pass) -> Pass {
    Pass { reads: &[1], writes: 0, ..pass }
}

const fn straight(pass: Pass) -> Pass {
    Pass { writes: 0, ..pass }
}

turning!(
    /// As it is built in.
    OutAndBack, out, back
);
turning!(
    /// Straight to where the step reads it, so that what has yet to move is overwritten.
    Straight, straight
);
turning!(
    /// Put back before it is taken.
    BackAndOut, back, out
);

#[test]
fn what_is_moved_over_what_has_yet_to_move_is_found_out() {
    free_of_races::<OutAndBack, D1Q3, Dense, Soa>(SIZE).unwrap();
    let violation = free_of_races::<Straight, D1Q3, Dense, Soa>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("reads in the same pass"), "{violation}");
    let violation = free_of_races::<BackAndOut, D1Q3, Dense, Soa>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("from array 1, to which none before has moved it"), "{violation}");
}

/// Slots that overlap by one node.
#[derive(Clone)]
struct Overlapping(usize);

impl Layout for Overlapping {
    const NAME: &'static str = "overlapping";
    type On<J: Index> = Soa<J>;
    fn new(contents: &Contents) -> Overlapping {
        Overlapping(contents.nodes)
    }
    fn offset(&self, slot: usize, node: usize) -> usize {
        slot * (self.0 - 1) + node
    }
    fn stride(&self) -> usize {
        1
    }
    fn values(&self) -> usize {
        3 * self.0
    }
}

/// One node too few.
#[derive(Clone)]
struct Short(Dense);

impl Addressing for Short {
    const NAME: &'static str = "short";
    type On<J: Index> = Dense<J>;
    fn new(extent: &Extent<usize>) -> Short {
        Short(Dense::new(extent))
    }
    fn locate(&self, position: [usize; 3]) -> Option<usize> {
        self.0.locate(position)
    }
    fn nodes(&self) -> usize {
        29
    }
    fn row(&self) -> usize {
        self.0.row()
    }
}

#[test]
fn places_that_overlap_or_leave_the_storage_are_found_out() {
    let violation = in_bounds_and_bijective::<D1Q3, Dense, Overlapping>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("is also slot"), "{violation}");
    let violation = in_bounds_and_bijective::<D1Q3, Short, Soa>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("storage node 29 of 29"), "{violation}");
}

#[test]
fn random_numbers_are_the_published_ones() {
    let mut random = SplitMix64::new(1_234_567);
    assert_eq!(random.bits(), 6_457_827_717_110_365_317);
    assert_eq!(random.bits(), 3_203_168_211_198_807_973);
}

/// Leaves populations as they are, so that a step moves them.
struct Still;

impl Body for Still {
    type Lattice = D1Q3;
    type Uniforms<T: Copy + Send + Sync> = [T; 0];
    const PARAMETERS: &'static [&'static str] = &[];
    const DEFAULTS: &'static [Option<f64>] = &[];
    const BAKED_VISCOSITY: Option<f64> = None;
    const FORCED: bool = false;
    const OPERATIONS: Operations = Operations { adds: 0, muls: 0, fmas: 0, divs: 0, others: 0 };

    fn filled<T: Copy + Send + Sync>(_value: T) -> [T; 0] {
        []
    }
    fn uniforms(_parameters: &[f64]) -> [f64; 0] {
        []
    }
    fn collide<V: Lanes>(site: &mut impl Site<V>, _k: &[V; 0]) {
        (0..3).for_each(|i| site.write(i, site.read(i)));
    }
    #[inline(always)]
    fn macroscopic<V: Lanes<Scalar = f64>>(_h: &[V], _force: [V; 3]) -> [V; 4] {
        [1.0, 0.0, 0.0, 0.0].map(V::constant)
    }
    fn equilibrium(_rho: f64, _u: [f64; 3], h: &mut [f64]) {
        h.fill(0.0);
    }
}

struct Moving;

impl Variant for Moving {
    type Body = Still;
    type Lattice = D1Q3;
    type Precision = F64;
    type Layout = Soa;
    type Addressing = Dense;
    type Streaming = TwoLatticePull;
    const COLLISION: &'static str = "still";
}

fn law_of(wrong: u64, lies_singly: bool) -> Result<(), LawViolation> {
    let make = |setup: &Setup| {
        let engine = Reference::new(&Facts::of::<Moving>(), setup)?;
        let engine = Misreading::new(Box::new(engine), wrong);
        Ok(Box::new(if lies_singly { engine.lying_singly() } else { engine }) as Box<dyn Engine>)
    };
    equals_reference::<Moving>(make, &[[67, 1, 1]], &[2, 5], &SEEDS)
}

#[test]
fn what_is_handed_out_of_single_nodes_is_compared_too() {
    const NEVER: u64 = 6;
    law_of(NEVER, false).unwrap();
    let found = law_of(NEVER, true).unwrap_err().to_string();
    assert!(found.contains("population 0"), "{found}");
}

#[test]
fn a_step_that_reads_wrongly_is_found_out_though_nothing_was_asked_after_it() {
    let law = |wrong: u64| law_of(wrong, false);
    law(6).unwrap();
    for wrong in [0, 1, 2, 3, 4, 5] {
        let found = law(wrong).unwrap_err().to_string();
        assert!(found.contains("population 1"), "{wrong}: {found}");
    }
    // The step after the last that was asked for is the first that shows it.
    assert!(law(5).unwrap_err().to_string().contains("after 6 steps"));
}
