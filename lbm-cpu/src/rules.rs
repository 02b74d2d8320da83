//! Boundary rules: what they set takes the place of what came back from a wall at rest, in the lines where a chunk's values wait.

use std::marker::PhantomData;

use lbm_core::engine::Setup;
use lbm_core::rules::{self, Arrival, Arrivals};
use lbm_core::{Error, Facts, Lanes, Lattice, Real, Rule, RuleFacts, RuleSet, RuleVisitor, Site, Variant};

use crate::dispatch::{OverRun, at_level};
use crate::lines::{LINE, RoomForRules};
use crate::run::{Begins, LONGEST_CHUNK, MOST_MOMENTS, MOST_VALUES, Program, Run};
use crate::simd::SimdLevel;

/// The machine code of a boundary rule, in both arithmetic types, at every level.
#[derive(Clone, Copy, Debug)]
pub struct RuleCode {
    facts: RuleFacts,
    at: [fn(SimdLevel) -> Program; 2],
}

impl RuleCode {
    /// That of a rule.
    #[must_use]
    pub fn of<R: Rule>() -> RuleCode {
        RuleCode { facts: RuleFacts::of::<R>(), at: [at_level::<Arrive<R, f32>>, at_level::<Arrive<R, f64>>] }
    }

    /// Those of the rules of a set.
    #[must_use]
    pub fn of_set<S: RuleSet>() -> Vec<RuleCode> {
        let mut codes = Codes::default();
        S::each(&mut codes);
        codes.0
    }

    /// Those of a variant.
    #[must_use]
    pub fn of_variant<V: Variant>() -> Vec<RuleCode> {
        let mut codes = Codes::default();
        V::rules(&mut codes);
        codes.0
    }

    /// What is known of the rule.
    #[must_use]
    pub fn facts(&self) -> &RuleFacts {
        &self.facts
    }
}

#[derive(Default)]
struct Codes(Vec<RuleCode>);

impl RuleVisitor for Codes {
    fn rule<R: Rule>(&mut self) {
        self.0.push(RuleCode::of::<R>());
    }
}

/// A rule over nodes whose values wait in lines: of a run the inputs are those of the class' directions, `direction` is the class,
/// `uniforms` are lines of the rule's values, and outputs are lines of what it sets.
struct Arrive<R, T>(PhantomData<(R, T)>);

impl<R: Rule, T: Real> OverRun for Arrive<R, T> {
    type Scalar = T;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = T>>(run: &Run<'_>) {
        for at in (0..run.count).step_by(N::WIDTH) {
            let behind = at * size_of::<T>();
            let mut site = Node::<R, N> { run, behind, rule: PhantomData };
            R::arrive::<N>(run.direction, &mut site);
        }
    }
}

/// A vector of such nodes.
struct Node<'a, R, N> {
    run: &'a Run<'a>,
    behind: usize,
    rule: PhantomData<(R, N)>,
}

impl<R: Rule, N: Lanes> Site<N> for Node<'_, R, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        let from = match i.checked_sub(R::Lattice::Q) {
            None => self.run.inputs[i],
            Some(value) => self.run.uniforms.wrapping_add(value * LINE),
        };
        // SAFETY: lines have room for whole vectors.
        unsafe { N::load(from.wrapping_add(self.behind).cast()) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: as above.
        unsafe { value.store(self.run.outputs[i].wrapping_add(self.behind).cast()) }
    }
}

/// What rules do at nodes that lie alike.
struct Kind {
    parts: Vec<Part>,
    /// A bit for each direction of the box that is set.
    mask: u32,
}

/// What a rule does at such nodes.
struct Part {
    program: Program,
    class: usize,
    /// For each direction of the class, that of the box.
    directions: Vec<usize>,
    /// The directions of the class that are set.
    sets: &'static [usize],
    /// How many values a node has.
    values: usize,
}

/// The rules of a flow.
pub(crate) struct Rules {
    arrivals: Arrivals,
    kinds: Vec<Kind>,
    /// Values of nodes, in the arithmetic type.
    values: Vec<u8>,
    /// Bytes of a number.
    bytes: usize,
}

impl Rules {
    /// Those of a box, with their machine code at a level.
    ///
    /// # Errors
    /// As [`Arrivals::of`]; [`Error::Conflict`] for a rule without machine code.
    pub(crate) fn of(
        facts: &Facts,
        codes: &[RuleCode],
        setup: &Setup,
        level: SimdLevel,
    ) -> Result<Rules, Error> {
        let arrivals = Arrivals::of(facts, setup)?;
        let arithmetic = facts.precision.arithmetic;
        let part = |(part, values): (&rules::Part, usize)| {
            let rule = &arrivals.rules[part.rule];
            let same = |code: &&RuleCode| (code.facts.name, code.facts.lattice) == (rule.name, rule.lattice);
            let code = codes.iter().find(same).ok_or_else(|| {
                Error::conflict(
                    format!("the boundary rule `{}` is not compiled in for the CPU", rule.name),
                    "hand its code to the engine, as a solver with `boundaries: [..]` does",
                )
            })?;
            let (directions, sets) = (part.turn.directions.clone(), rule.classes[part.class].sets);
            let program = (code.at[arithmetic as usize])(level);
            Ok(Part { program, class: part.class, directions, sets, values })
        };
        let kind = |kind: usize| {
            let parts: Vec<Part> = arrivals.counts(facts, kind).map(part).collect::<Result<_, Error>>()?;
            let set = parts.iter().flat_map(|part| part.sets.iter().map(|&i| 1 << part.directions[i]));
            let mask = set.fold(0, |all: u32, bit: u32| all | bit);
            Ok(Kind { parts, mask })
        };
        let kinds = (0..arrivals.kinds.len()).map(kind).collect::<Result<_, Error>>()?;
        let (values, bytes) = (arithmetic.in_memory(&arrivals.values), arithmetic.bytes());
        Ok(Rules { arrivals, kinds, values, bytes })
    }

    /// None.
    #[cfg(test)]
    pub(crate) fn none() -> Rules {
        Rules { arrivals: Arrivals::default(), kinds: Vec::new(), values: Vec::new(), bytes: 8 }
    }

    /// Those at some nodes of the box that follow each other, as a range for [`some`](Rules::some).
    pub(crate) fn within(&self, nodes: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let place = |node: usize| self.arrivals.nodes.partition_point(|arrival| arrival.node < node);
        place(nodes.start)..place(nodes.end)
    }

    /// Some of them.
    pub(crate) fn some(&self, range: std::ops::Range<usize>) -> &[Arrival] {
        &self.arrivals.nodes[range]
    }

    /// Numbers nodes by their place in a list, instead of in the box.
    pub(crate) fn renumber(&mut self, positions: &[u32]) {
        self.arrivals.nodes = self.arrivals.numbered(positions);
    }

    /// A bit for each direction that rules set at some nodes.
    pub(crate) fn set_at(&self, arrivals: &[Arrival]) -> u32 {
        arrivals.iter().fold(0, |all, arrival| all | self.kinds[arrival.kind].mask)
    }

    /// Sets what rules set at nodes whose values begin at `inputs`, the first being node `first`: of those that are set, they lie in lines
    /// that can be written. All are of the arithmetic type; there are `count` nodes, whole vectors.
    ///
    /// # Safety
    /// As said.
    pub(crate) unsafe fn arrive(
        &self,
        arrivals: &[Arrival],
        first: usize,
        count: usize,
        inputs: &Begins<*const u8>,
        room: &mut Option<Box<RoomForRules>>,
    ) {
        debug_assert!(count <= LONGEST_CHUNK);
        let room = room.get_or_insert_with(RoomForRules::new);
        let mut rest = arrivals;
        while let Some(&Arrival { kind, .. }) = rest.first() {
            // Nodes that lie alike follow each other, but for the ends of rows.
            let same = rest.iter().take_while(|arrival| arrival.kind == kind).count();
            let (some, others) = rest.split_at(same);
            rest = others;
            let mut row = 0;
            for part in &self.kinds[kind].parts {
                // SAFETY: as the caller says.
                unsafe { self.part(part, row, some, first, count, inputs, room) };
                row += part.values;
            }
        }
    }

    /// Does what one rule does at some nodes, whose values begin so many behind those of their kind.
    ///
    /// # Safety
    /// As for [`arrive`](Rules::arrive).
    unsafe fn part(
        &self,
        part: &Part,
        row: usize,
        nodes: &[Arrival],
        first: usize,
        count: usize,
        inputs: &Begins<*const u8>,
        room: &mut RoomForRules,
    ) {
        let (Part { program, class, directions, sets, values }, bytes) = (part, self.bytes);
        for arrival in nodes {
            let lane = (arrival.node - first) * bytes;
            for n in 0..*values {
                let from = (arrival.values + row + n) * bytes;
                room.values.0[n][lane..lane + bytes].copy_from_slice(&self.values[from..from + bytes]);
            }
        }
        let mut seen: Begins<*const u8> = [std::ptr::null(); MOST_VALUES];
        let mut results: Begins<*mut u8> = [std::ptr::null_mut(); MOST_VALUES];
        for (i, &there) in directions.iter().enumerate() {
            seen[i] = inputs[there];
            results[i] = room.results.0[i].as_mut_ptr();
        }
        let run = Run {
            inputs: &seen,
            outputs: &results,
            behind: [0; 2],
            count,
            apart: &[[0; MOST_MOMENTS]; 2],
            in_lines: 0,
            ahead: 0,
            direction: *class,
            late: std::ptr::null_mut(),
            uniforms: room.values.0.as_ptr().cast(),
        };
        // SAFETY: as the caller says; values and results have lines of their own.
        unsafe {
            program(&run);
            for &i in *sets {
                let line = inputs[directions[i]].cast_mut();
                for arrival in nodes {
                    let lane = (arrival.node - first) * bytes;
                    let result = room.results.0[i].as_ptr().add(lane);
                    std::ptr::copy_nonoverlapping(result, line.add(lane), bytes);
                }
            }
        }
    }
}
