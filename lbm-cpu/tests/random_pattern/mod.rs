//! Streaming patterns drawn at random, the same on every machine: a seed gives arrays, passes and reads.

use std::marker::PhantomData;

use lbm_core::streaming::recipes::{self, InBlocks};
use lbm_core::streaming::{Array, BlockExtents, Motion, Order, Pass, Towards};
use lbm_core::{Access, Lattice, Pattern, Streaming};

/// The pattern of a seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random<const SEED: u64>;

/// What is drawn at random in a pattern follows from its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// Any shift and any slot, in one phase or two.
    TwoCopies,
    /// Any shift and any slot in the first phase; the others follow. Places go round between opposite directions, or between two
    /// pairs of those.
    InPlace,
    /// Any place for each direction, in one phase or two.
    Exchange,
    /// All slots turn in one phase; or some pairs of them do, and the others are in place, in two.
    Rings,
    /// Any slot; down, up, or to and fro.
    Drift,
    /// Any slot, in one phase or two, and blocks of any extent.
    Blocks,
    /// Any shift and any slot on the way, in one phase or two.
    Scatter,
    /// No choice.
    TwoCopiesOfMoments,
    /// Down, up, or to and fro.
    DriftOfMoments,
}

impl Kind {
    /// Each of them, in the order of the seeds.
    pub(crate) const ALL: [Kind; 9] = [
        Kind::TwoCopies,
        Kind::InPlace,
        Kind::Exchange,
        Kind::Rings,
        Kind::Drift,
        Kind::Blocks,
        Kind::Scatter,
        Kind::TwoCopiesOfMoments,
        Kind::DriftOfMoments,
    ];

    /// That of a seed.
    pub(crate) const fn of(seed: u64) -> Kind {
        Kind::ALL[(seed % 9) as usize]
    }
}

/// Bits that follow from a seed and a number alone.
///
/// Source: the finalizer of SplitMix64; Steele, Lea, Flood, OOPSLA 2014.
const fn bits(seed: u64, number: usize) -> usize {
    let mut z =
        (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number as u64).wrapping_mul(0xd134_2543_de82_ef95);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 16) as usize
}

/// How many phases the reads of a seed have that may have several: one or two.
const fn once_or_twice(seed: u64) -> usize {
    1 + (seed / 9 % 2) as usize
}

impl<const SEED: u64> InBlocks for Random<SEED> {
    const EXTENTS: BlockExtents = {
        const fn extent(seed: u64, n: usize) -> [[usize; 3]; 3] {
            let [x, y, z] = [1 + bits(seed, n) % 16, 1 + bits(seed, n + 1) % 5, 1 + bits(seed, n + 2) % 3];
            [[x * y, 1, 1], [x, y, 1], [x, y, z]]
        }
        BlockExtents { single: extent(SEED, 1000), double: extent(SEED, 1003) }
    };
}

/// The pair of a direction: opposites lie side by side, behind the one at rest.
const fn pair(i: usize) -> usize {
    i.saturating_sub(1) / 2
}

/// The slots that turn, a bit for each: all, or the first pair and some others.
const fn turning(seed: u64) -> u64 {
    if once_or_twice(seed) == 1 {
        return u64::MAX;
    }
    let (mut slots, mut i) = (0, 0);
    while i < 31 {
        if pair(i) == 0 || bits(seed, 2000 + pair(i)).is_multiple_of(2) {
            slots |= 1 << i;
        }
        i += 1;
    }
    slots
}

/// One copy of which slots turn.
struct Turning<const SEED: u64>;

impl<const SEED: u64> Turning<SEED> {
    const ALL: Pattern = recipes::turning_rings("random-rings");
    const ARRAYS: &'static [Array] =
        &[Array { motion: Motion::Along(turning(SEED)), ..Self::ALL.arrays[0] }, Self::ALL.arrays[1]];
    const PATTERN: Pattern = Pattern { period: once_or_twice(SEED), arrays: Self::ARRAYS, ..Self::ALL };
}

/// A copy that drifts down, up, or up once for every two steps down.
struct Drifting<const SEED: u64>;

impl<const SEED: u64> Drifting<SEED> {
    const DOWN: Pattern = match Kind::of(SEED) {
        Kind::DriftOfMoments => recipes::drift_of_moments("random-drift-of-moments"),
        _ => recipes::drift("random-drift"),
    };
    const UPWARDS: &'static [Pass] = Self::DOWN.passes(0);
    const DOWNWARDS: &'static [Pass] =
        &[Self::UPWARDS[0], Pass { order: Order::Planes(Towards::Down), ..Self::UPWARDS[1] }];
    const WAYS: (&'static [Towards], &'static [&'static [Pass]]) = match SEED / 9 % 3 {
        0 => (&[Towards::Down], &[Self::UPWARDS]),
        1 => (&[Towards::Up], &[Self::DOWNWARDS]),
        _ => (&[Towards::Up, Towards::Down, Towards::Down], &[Self::DOWNWARDS, Self::UPWARDS, Self::UPWARDS]),
    };
    const ARRAYS: &'static [Array] =
        &[Array { motion: Motion::Planes(Self::WAYS.0), ..Self::DOWN.arrays[0] }];
    const PATTERN: Pattern =
        Pattern { period: Self::WAYS.0.len(), arrays: Self::ARRAYS, passes: Self::WAYS.1, ..Self::DOWN };
}

impl<const SEED: u64> Streaming for Random<SEED> {
    const PATTERN: Pattern = {
        let period = once_or_twice(SEED);
        match Kind::of(SEED) {
            Kind::TwoCopies => Pattern { period, ..recipes::two_copies("random-two-copies") },
            Kind::InPlace => recipes::in_place("random-in-place", 2 * period),
            Kind::Exchange => Pattern { period, ..recipes::exchange("random-exchange") },
            Kind::Rings => Turning::<SEED>::PATTERN,
            Kind::Blocks => Pattern { period, ..recipes::ghost_blocks::<Self>("random-blocks") },
            Kind::Scatter => Pattern { period, ..recipes::scatter("random-scatter") },
            Kind::TwoCopiesOfMoments => recipes::two_copies_of_moments("random-two-copies-of-moments"),
            Kind::Drift | Kind::DriftOfMoments => Drifting::<SEED>::PATTERN,
        }
    };

    #[inline(always)]
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        Reads::<SEED, L>::TABLE[phase % Self::PATTERN.period][i]
    }
}

/// The most phases and the most directions.
type Table = [[Access; 32]; 4];

/// The reads of a seed on a lattice.
struct Reads<const SEED: u64, L>(PhantomData<L>);

impl<const SEED: u64, L: Lattice> Reads<SEED, L> {
    const TABLE: Table = {
        let mut table = [[Access { shift: [0; 3], slot: 0 }; 32]; 4];
        let (mut phase, lattice) = (0, (L::VELOCITIES, L::OPPOSITES));
        while phase < Random::<SEED>::PATTERN.period {
            let mut i = 0;
            while i < L::Q {
                table[phase][i] = read(SEED, i, phase, lattice, &table);
                i += 1;
            }
            phase += 1;
        }
        table
    };
}

/// One read, of which those of the phases before are known.
const fn read(
    seed: u64,
    i: usize,
    phase: usize,
    (velocities, opposites): (&[[i32; 3]], &[usize]),
    before: &Table,
) -> Access {
    let c = velocities[i];
    let slot = permuted(seed, phase, i, velocities.len());
    match Kind::of(seed) {
        Kind::TwoCopies | Kind::Scatter => Access { shift: shift(seed, i, phase, velocities), slot },
        Kind::InPlace if phase == 0 => Access { shift: shift(seed, i, phase, velocities), slot },
        // What leaves along c_i takes the place of the direction after it.
        Kind::InPlace => {
            let Access { shift: [x, y, z], slot } = before[phase - 1][after(i, seed, opposites)];
            Access { shift: [x - c[0], y - c[1], z - c[2]], slot }
        }
        Kind::Exchange if once_or_twice(seed) == 1 => Access { shift: shift(seed, i, 0, velocities), slot },
        // The same places in both phases.
        Kind::Exchange => Access { shift: shift(seed, slot, 0, velocities), slot },
        Kind::Rings if turning(seed) >> i & 1 == 1 => Access { shift: [0; 3], slot: i },
        Kind::Rings if phase == 0 => {
            let slot = if permuted(seed, 0, pair(i), 16).is_multiple_of(2) { i } else { opposites[i] };
            Access { shift: shift(seed, i, phase, velocities), slot }
        }
        Kind::Rings => {
            let Access { shift: [x, y, z], slot } = before[0][opposites[i]];
            Access { shift: [x - c[0], y - c[1], z - c[2]], slot }
        }
        Kind::Drift | Kind::Blocks => Access { shift: [-c[0], -c[1], -c[2]], slot },
        Kind::TwoCopiesOfMoments | Kind::DriftOfMoments => Access { shift: [-c[0], -c[1], -c[2]], slot: i },
    }
}

/// Where direction `i` is read: in the node itself, upstream of it, or between the two; of later seeds rarely anywhere.
const fn shift(seed: u64, i: usize, phase: usize, velocities: &[[i32; 3]]) -> [i32; 3] {
    let ([x, y, z], drawn) = (velocities[i], bits(seed, i + 64 * phase));
    match drawn % 8 {
        0..=2 => [0; 3],
        7 if seed >= 9 => velocities[drawn / 8 % velocities.len()],
        3..=5 => [-x, -y, -z],
        _ => [-x * (drawn as i32 >> 3 & 1), -y * (drawn as i32 >> 4 & 1), -z * (drawn as i32 >> 5 & 1)],
    }
}

/// The slot of direction `i` among `q`, each of which is one direction's.
const fn permuted(seed: u64, phase: usize, i: usize, q: usize) -> usize {
    let (mut slots, mut n) = ([0; 32], 0);
    while n < q {
        let other = bits(seed, 500 + n + 64 * phase) % (n + 1);
        slots[n] = slots[other];
        slots[other] = n;
        n += 1;
    }
    slots[i]
}

/// The direction whose place direction `i` takes: its opposite; or of two pairs next to each other, each the one's place the
/// other's, so that places go round through four.
const fn after(i: usize, seed: u64, opposites: &[usize]) -> usize {
    let opposite = opposites[i];
    let (mut first, mut n) = (if i < opposite { i } else { opposite }, 0);
    let (mut number, mut pairs, mut firsts) = (0, 0, [0; 32]);
    while n < opposites.len() {
        if n < opposites[n] {
            if n == first {
                number = pairs;
            }
            firsts[pairs] = n;
            pairs += 1;
        }
        n += 1;
    }
    let partner = number ^ 1;
    if once_or_twice(seed) == 1 || i == opposite || partner >= pairs {
        return opposite;
    }
    // a, b, then what is opposite to a, then what is opposite to b.
    first = firsts[partner];
    if (number % 2 == 0) == (i < opposite) { first } else { opposites[first] }
}
