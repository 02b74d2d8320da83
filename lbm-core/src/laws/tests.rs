use super::*;
use crate::addressing::Dense;
use crate::index::Index;
use crate::layout::{Aos, Soa};
use crate::streaming::TwoLatticePull;

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

#[test]
fn what_is_built_in_keeps_the_laws() {
    slots_are_a_permutation::<TwoLatticePull, D1Q3>().unwrap();
    in_bounds_and_bijective::<D1Q3, Dense, Soa>(SIZE).unwrap();
    in_bounds_and_bijective::<D1Q3, Dense, Aos>(SIZE).unwrap();
    free_of_races::<TwoLatticePull, D1Q3, Dense, Soa>(SIZE).unwrap();
}

macro_rules! pattern {
    ($(#[$doc:meta])* $name:ident, $copies:literal, $period:literal, $read:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        struct $name;

        impl Streaming for $name {
            const NAME: &'static str = stringify!($name);
            const COPIES: usize = $copies;
            const PERIOD: usize = $period;
            fn read<L: Lattice>(i: usize, phase: usize) -> Access {
                let read: fn(usize, usize, [i32; 3], usize) -> Access = $read;
                read(i, phase, L::VELOCITIES[i].map(|c| -c), L::OPPOSITES[i])
            }
        }
    };
}

pattern!(
    /// Two directions from one slot.
    Twice, 2, 1, |i, _, shift, _| Access { shift, slot: i.min(1) }
);
pattern!(
    /// A pull in one copy: a node overwrites what its neighbour is yet to read.
    Overwriting, 1, 1, |slot, _, shift, _| Access { shift, slot }
);
pattern!(
    /// Bailey's AA: in place, in turns within the node and with its neighbours.
    Alternating, 1, 2, |i, phase, shift, opposite| match phase {
        0 => Access { shift: [0; 3], slot: i },
        _ => Access { shift, slot: opposite },
    }
);

#[test]
fn a_pattern_that_reads_a_slot_twice_is_found_out() {
    let violation = slots_are_a_permutation::<Twice, D1Q3>().unwrap_err().to_string();
    assert!(violation.contains("direction 2 is read from slot 1, and so is direction 1"), "{violation}");
}

#[test]
fn a_race_is_found_out_and_a_pattern_in_place_is_not_suspected() {
    slots_are_a_permutation::<Alternating, D1Q3>().unwrap();
    free_of_races::<Alternating, D1Q3, Dense, Soa>(SIZE).unwrap();
    let violation = free_of_races::<Overwriting, D1Q3, Dense, Soa>(SIZE).unwrap_err().to_string();
    assert!(violation.contains("in the same pass"), "{violation}");
}

/// Slots that overlap by one node.
#[derive(Clone)]
struct Overlapping(usize);

impl Layout for Overlapping {
    const NAME: &'static str = "overlapping";
    type On<J: Index> = Soa<J>;
    fn new(_slots: usize, nodes: usize, _slack: usize) -> Overlapping {
        Overlapping(nodes)
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
    fn new(size: [usize; 3], row_multiple: usize) -> Short {
        Short(Dense::new(size, row_multiple))
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
