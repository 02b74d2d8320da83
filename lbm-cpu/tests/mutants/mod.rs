//! Patterns in which one thing is changed: refused for their arrays and passes, or for their reads; or legal, since what they say
//! is another pattern.

use std::collections::HashMap;
use std::marker::PhantomData;

use lbm_core::addressing::Extent;
use lbm_core::facts::{
    AddressingFacts, BodyFacts, Facts, LatticeFacts, LayoutFacts, Places, PrecisionFacts, StreamingFacts,
};
use lbm_core::laws::{check_streaming, no_races};
use lbm_core::layout::Contents;
use lbm_core::streaming::{Array, BlockExtents, Cut, Holds, Motion, Order, Over, Pass, Span, Towards};
use lbm_core::{Access, Addressing, Body, Dense, F32, Lattice, Layout, Pattern, Soa, Streaming};

use crate::by_hand::Bgk;
use crate::random_pattern::Kind;

/// How often a change was refused in a kind of pattern, and how often not.
#[derive(Default)]
pub(crate) struct Seen(HashMap<(&'static str, Kind), [usize; 2]>);

/// What is legal by design, for some of the reads at least.
const LEGAL: &[(&str, &[Kind])] = &[
    // From one copy to another a node may write anywhere.
    ("a copy more or less", &[Kind::InPlace]),
    // The reads repeat sooner than that, or any may follow any.
    (
        "a phase more",
        &[
            Kind::TwoCopies,
            Kind::Exchange,
            Kind::Rings,
            Kind::Drift,
            Kind::Blocks,
            Kind::Scatter,
            Kind::TwoCopiesOfMoments,
            Kind::DriftOfMoments,
        ],
    ),
    // Moments are read one node upstream, where populations may be read, too.
    ("other values", &[Kind::TwoCopiesOfMoments, Kind::DriftOfMoments]),
    // Where a node may write to other slots than it has read, or exchanges before it reads, slots mean nothing.
    (
        "slots changed in a phase",
        &[Kind::TwoCopies, Kind::Exchange, Kind::Drift, Kind::Blocks, Kind::Scatter],
    ),
    // The same of nodes.
    ("a node further in a phase", &[Kind::TwoCopies, Kind::Exchange, Kind::Scatter]),
];

impl Seen {
    /// That what should be refused was, always, and what is legal by design was legal once.
    pub(crate) fn check(&self) {
        for (&(what, kind), &[refused, legal]) in &self.0 {
            let by_design = LEGAL.iter().any(|(known, kinds)| *known == what && kinds.contains(&kind));
            assert_eq!(legal > 0, by_design, "{what}, {kind:?}: {refused} are refused, {legal} are not");
        }
    }
}

/// A pattern with other arrays.
fn arrays(pattern: &Pattern, change: impl FnOnce(&mut Vec<Array>)) -> Pattern {
    let mut arrays = pattern.arrays.to_vec();
    change(&mut arrays);
    Pattern { arrays: arrays.leak(), ..*pattern }
}

/// A pattern with other passes.
fn passes(pattern: &Pattern, change: impl FnOnce(&mut Vec<Vec<Pass>>)) -> Pattern {
    let mut passes: Vec<Vec<Pass>> = pattern.passes.iter().map(|passes| passes.to_vec()).collect();
    change(&mut passes);
    let passes: Vec<&'static [Pass]> = passes.into_iter().map(|passes| &*passes.leak()).collect();
    Pattern { passes: passes.leak(), ..*pattern }
}

const OTHER: BlockExtents = BlockExtents { single: [[2, 2, 2]; 3], double: [[2, 2, 2]; 3] };

fn reversed(way: Towards) -> Towards {
    match way {
        Towards::Up => Towards::Down,
        Towards::Down => Towards::Up,
    }
}

/// All changes of passes.
fn other_passes(pattern: &Pattern) -> Vec<(&'static str, Pattern)> {
    let mut all = vec![
        ("no list of passes", passes(pattern, Vec::clear)),
        (
            "no collision",
            passes(pattern, |passes| {
                passes.iter_mut().for_each(|passes| *passes = passes[..passes.len() - 1].to_vec())
            }),
        ),
        ("a collision over links", passes(pattern, |passes| last(passes).over = Over::Links)),
        ("a collision that reads nothing", passes(pattern, |passes| last(passes).reads = &[])),
        ("a collision that reads what is not there", passes(pattern, |passes| last(passes).reads = &[7])),
        ("a collision that writes what is not there", passes(pattern, |passes| last(passes).writes = 7)),
        ("a second array that is not there", passes(pattern, |passes| last(passes).reads = &[0, 7])),
        (
            "another order of planes",
            passes(pattern, |passes| {
                let order = last(passes).order;
                last(passes).order = match order {
                    Order::Planes(way) => Order::Planes(reversed(way)),
                    _ => Order::Planes(Towards::Up),
                };
            }),
        ),
        ("another order in blocks", passes(pattern, |passes| last(passes).order = Order::Blocks(OTHER))),
    ];
    if pattern.ordered() {
        all.push(("no order", passes(pattern, |passes| last(passes).order = Order::Any)));
    }
    if pattern.passes[0].len() > 1 {
        all.extend([
            (
                "no first pass",
                passes(pattern, |passes| {
                    passes.iter_mut().for_each(|passes| *passes = passes[1..].to_vec());
                }),
            ),
            (
                "a first pass in some phases",
                Pattern {
                    period: 6,
                    ..passes(pattern, |passes| {
                        passes.push(passes[0][1..].to_vec());
                        passes.truncate(if passes.len() > 3 { 3 } else { 2 });
                        let end = passes.len() - 1;
                        passes[end] = passes[0][1..].to_vec();
                    })
                },
            ),
            (
                "passes in reverse",
                passes(pattern, |passes| passes.iter_mut().for_each(|passes| passes.reverse())),
            ),
            (
                "a first pass done twice",
                passes(pattern, |passes| {
                    passes.iter_mut().for_each(|passes| passes.insert(0, passes[0]));
                }),
            ),
            (
                "a first pass that reads what is not there",
                passes(pattern, |passes| passes[0][0].reads = &[7]),
            ),
            ("a first pass that writes what is not there", passes(pattern, |passes| passes[0][0].writes = 7)),
            (
                "a first pass in an order",
                passes(pattern, |passes| passes[0][0].order = Order::Planes(Towards::Up)),
            ),
            (
                "a first pass over blocks",
                passes(pattern, |passes| {
                    passes[0][0].over = Over::Crossings(Cut::Blocks(OTHER));
                }),
            ),
        ]);
    }
    all
}

/// The pass of the first phase that collides.
fn last(passes: &mut [Vec<Pass>]) -> &mut Pass {
    passes[0].last_mut().expect("a list of passes")
}

/// All changes of arrays and phases.
fn other_arrays(pattern: &Pattern) -> Vec<(&'static str, Pattern)> {
    let state = pattern.collision(0).writes;
    let copies = |copies| arrays(pattern, |arrays| arrays[state].copies = copies);
    let motion = |motion| arrays(pattern, |arrays| arrays[state].motion = motion);
    let mut all = vec![
        ("a copy more or less", copies(3 - pattern.state().copies)),
        ("three copies", copies(3)),
        ("no copy", copies(0)),
        ("other values", arrays(pattern, |arrays| arrays[state].holds = other(arrays[state].holds))),
        ("a state at crossings", arrays(pattern, |arrays| arrays[state].span = Span::Crossings(Cut::Faces))),
        ("an array too many", arrays(pattern, |arrays| arrays.push(arrays[0]))),
        ("no array", arrays(pattern, Vec::clear)),
        ("no phase", Pattern { period: 0, ..*pattern }),
        ("a phase more", Pattern { period: pattern.period + 1, ..*pattern }),
    ];
    match pattern.state().motion {
        Motion::Still => all.extend([
            ("slots that turn", motion(Motion::Along(u64::MAX))),
            ("planes that move", motion(Motion::Planes(&[Towards::Down]))),
        ]),
        Motion::Along(slots) => all.extend([
            ("one of a pair that stays", motion(Motion::Along(slots ^ 2))),
            ("no slot that turns", motion(Motion::Along(0))),
            ("no motion", motion(Motion::Still)),
            ("planes that move", motion(Motion::Planes(&[Towards::Down]))),
        ]),
        Motion::Planes(ways) => all.extend([
            ("no motion", motion(Motion::Still)),
            ("slots that turn", motion(Motion::Along(u64::MAX))),
            ("no way to move", motion(Motion::Planes(&[]))),
            (
                "another way to move",
                motion(Motion::Planes(ways.iter().map(|&way| reversed(way)).collect::<Vec<_>>().leak())),
            ),
            (
                "to and fro in one order",
                Pattern { period: 6, ..motion(Motion::Planes(&[Towards::Down, Towards::Up])) },
            ),
        ]),
    }
    if let Some(beside) = (0..pattern.arrays.len()).find(|&n| n != state) {
        let change = |change: fn(&mut Array)| arrays(pattern, |arrays| change(&mut arrays[beside]));
        all.extend([
            ("other values beside", change(|array| array.holds = other(array.holds))),
            ("motion beside", change(|array| array.motion = Motion::Along(u64::MAX))),
            ("no copy beside", change(|array| array.copies = 0)),
            (
                "two copies of all",
                arrays(pattern, |arrays| arrays.iter_mut().for_each(|array| array.copies = 2)),
            ),
            ("other crossings beside", change(|array| array.span = Span::Crossings(Cut::Blocks(OTHER)))),
            ("crossings of planes beside", change(|array| array.span = Span::Crossings(Cut::Planes))),
        ]);
    }
    all
}

fn other(holds: Holds) -> Holds {
    match holds {
        Holds::Populations => Holds::Moments,
        Holds::Moments => Holds::Populations,
    }
}

/// A pattern of which the reads of the first phase are changed.
#[derive(Clone, Copy)]
struct Reading<S, const HOW: usize>(PhantomData<S>);

const A_SLOT_TWICE: usize = 0;
const A_SLOT_TOO_MANY: usize = 1;
const SLOTS_CHANGED: usize = 2;
const A_NODE_FURTHER: usize = 3;

impl<S: Streaming, const HOW: usize> Streaming for Reading<S, HOW> {
    const PATTERN: Pattern = S::PATTERN;
    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        let (mut access, slot) = (S::read::<L>(i, phase), |i| S::read::<L>(i, phase).slot);
        match (HOW, i, phase) {
            (A_SLOT_TWICE, 1, 0) => access.slot = slot(2),
            (A_SLOT_TOO_MANY, 1, 0) => access.slot = L::Q,
            (SLOTS_CHANGED, 1 | 2, 0) => access.slot = slot(3 - i),
            (A_NODE_FURTHER, 1, 0) => access.shift[0] += 1,
            _ => {}
        }
        access
    }
}

/// What refuses a pattern on a lattice; nothing if it is legal, and then it is free of races.
fn refusal<L: Lattice>(streaming: StreamingFacts) -> Option<String>
where
    Bgk<L>: Body<Lattice = L>,
{
    let lattice = LatticeFacts::of::<L>();
    // As if moments were enough: so that a pattern is not refused for the collision.
    let mut body = BodyFacts::of::<Bgk<L>>("bgk");
    body.moments = 6;
    let (layout, addressing) = (LayoutFacts::of::<Soa>(), AddressingFacts::of::<Dense>());
    let facts = Facts::compose(lattice, body, PrecisionFacts::of::<F32>(), layout, addressing, streaming);
    let checked = facts.and_then(|facts| check_streaming(&facts));
    let places = |stored: [usize; 3]| {
        let addressing = <Dense as Addressing>::new(&Extent::of_box(stored, 1));
        let layout = <Soa as Layout>::new(&Contents::new(L::Q, addressing.nodes(), 0));
        Places::new(addressing, layout)
    };
    match checked {
        Ok(_) => {
            let law = no_races(&streaming, &lattice, &places, [19, 7, 1]);
            law.unwrap_or_else(|race| panic!("{:?} is not refused, but {race}", streaming.pattern));
            None
        }
        Err(error) => Some(error.to_string()),
    }
}

/// Tries every change of a pattern.
pub(crate) fn try_all<S: Streaming, L: Lattice>(kind: Kind, seen: &mut Seen)
where
    Bgk<L>: Body<Lattice = L>,
{
    let unchanged = StreamingFacts::of::<S, L>();
    assert_eq!(refusal::<L>(unchanged), None);
    let mut changed: Vec<(&'static str, StreamingFacts)> = vec![
        ("a slot read twice", StreamingFacts::of::<Reading<S, A_SLOT_TWICE>, L>()),
        ("a slot too many", StreamingFacts::of::<Reading<S, A_SLOT_TOO_MANY>, L>()),
        ("slots changed in a phase", StreamingFacts::of::<Reading<S, SLOTS_CHANGED>, L>()),
        ("a node further in a phase", StreamingFacts::of::<Reading<S, A_NODE_FURTHER>, L>()),
    ];
    let patterns = other_passes(&S::PATTERN).into_iter().chain(other_arrays(&S::PATTERN));
    changed.extend(patterns.map(|(what, pattern)| {
        let mut streaming = unchanged;
        streaming.pattern = pattern;
        (what, streaming)
    }));
    for (what, streaming) in changed {
        let refused = refusal::<L>(streaming).is_some();
        let counts = seen.0.entry((what, kind)).or_default();
        counts[usize::from(!refused)] += 1;
    }
}
