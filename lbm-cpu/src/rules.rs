//! Boundary rules: what they set takes the place of what came back from a wall at rest, in the lines where a chunk's values wait.

mod code;
mod visits;

use std::ops::Range;

use lbm_core::engine::Setup;
use lbm_core::rules::{self, Arrival, Arrivals, AtLinks, Course, LinkArrival, Observed, Remembered, Varying};
use lbm_core::{Error, Facts, RuleFacts};

use crate::copies::{copy_bytes, copy_values};
use crate::lines::{LINE, RoomForRules};
use crate::memory::Memory;
use crate::run::{Begins, FieldsAt, LONGEST_CHUNK, MOST_MOMENTS, MOST_VALUES, Program, Run};
use crate::simd::SimdLevel;
pub use code::RuleCode;
use visits::Visit;

/// What rules do at nodes that lie alike.
struct Kind {
    parts: Vec<Part>,
    /// What rules do before at other nodes, of which these read what arrives there.
    visits: Vec<Visit>,
    /// A bit for each direction of the box that is set.
    mask: u32,
    /// What is kept from the step before: the direction of the box along which a node sent it, and its place among the node's values.
    keeps: Vec<(usize, usize)>,
}

/// What a rule does at such nodes, or links.
struct Part {
    program: Program,
    class: usize,
    /// For each direction of the class, that of the box.
    directions: Vec<usize>,
    /// The directions of the class that are set.
    sets: &'static [usize],
    /// How many values a node, or a link, has.
    values: usize,
    /// Those among them that the rule remembers.
    remembers: Range<usize>,
    /// What is kept of a link's node, as of a kind's nodes.
    keeps: Vec<(usize, usize)>,
}

/// The rules of a flow.
pub(crate) struct Rules {
    arrivals: Arrivals,
    kinds: Vec<Kind>,
    /// What rules do at links, in the order in which they do it at a node.
    at_links: Vec<Part>,
    /// Nodes with rules, numbered as they are stored.
    nodes: Vec<Arrival>,
    /// Links with rules, whose nodes are numbered so.
    links: Vec<LinkArrival>,
    /// What is read of other nodes, numbered so.
    observed: Vec<Observed>,
    /// What changes in time of the values of nodes, and of links.
    varying: [Vec<Varying>; 2],
    /// Values of nodes, and of links, in the arithmetic type. Those that are kept, observed, or remembered change with every step.
    values: Memory<u8>,
    rows: Memory<u8>,
    /// Values of a link.
    count: usize,
    /// Bytes of a number.
    bytes: usize,
    /// Directions of the lattice.
    q: usize,
}

/// A value that a rule is to find in the next step.
pub(crate) struct Kept {
    /// The number of its node.
    pub(crate) node: usize,
    /// The direction along which the node sends it.
    pub(crate) direction: usize,
    /// Where it is kept, in the arithmetic type; who writes there works on its node.
    pub(crate) to: *mut u8,
}

/// Some nodes with rules, and links with rules.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ruled<'a> {
    pub(crate) nodes: &'a [Arrival],
    pub(crate) links: &'a [LinkArrival],
}

impl<'a> Ruled<'a> {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.links.is_empty()
    }

    /// Those at some nodes that follow each other.
    fn within(self, some: Range<usize>) -> Self {
        let Ruled { nodes, links } = self;
        let place = |node: usize| nodes.partition_point(|arrival| arrival.node < node);
        let of_links = |node: usize| links.partition_point(|link| link.node < node);
        Ruled {
            nodes: &nodes[place(some.start)..place(some.end)],
            links: &links[of_links(some.start)..of_links(some.end)],
        }
    }
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
        let part = |part: &rules::Part| {
            let rule = &arrivals.rules[part.rule];
            let known = |rule: &RuleFacts| (rule.name, rule.lattice, rule.arithmetic);
            let same = |code: &&RuleCode| known(code.facts()) == known(rule);
            let code = codes.iter().find(same).ok_or_else(|| {
                Error::conflict(
                    format!("the boundary rule `{}` is not compiled in for the CPU", rule.name),
                    "hand its code to the engine, as a solver with `boundaries: [..]` does",
                )
            })?;
            let (directions, class) = (part.turn.directions.clone(), &rule.classes[part.class]);
            Ok(Part {
                program: code.at(level),
                class: part.class,
                directions,
                sets: class.sets,
                values: rule.values(facts.lattice.dimension, part.class),
                remembers: part.remembered(&arrivals.rules, facts),
                keeps: part.kept(&arrivals.rules, facts).collect(),
            })
        };
        let kind = |(number, kind): (usize, &rules::Kind)| {
            let parts: Vec<Part> = kind.parts.iter().map(part).collect::<Result<_, Error>>()?;
            let set = parts.iter().flat_map(|part| part.sets.iter().map(|&i| 1 << part.directions[i]));
            let mask = set.fold(0, |all: u32, bit: u32| all | bit);
            let visit = |rules::Visit { first, parts, reads }: &rules::Visit| {
                let parts =
                    parts.iter().map(|(own, at)| Ok((part(own)?, *at))).collect::<Result<_, Error>>()?;
                Ok(Visit { first: *first, parts, reads: reads.clone() })
            };
            let visits = kind.visits.iter().map(visit).collect::<Result<_, Error>>()?;
            Ok(Kind { parts, visits, mask, keeps: arrivals.kept_of(facts, number) })
        };
        let kinds = arrivals.kinds.iter().enumerate().map(kind).collect::<Result<_, Error>>()?;
        let at_links = arrivals.at_links.parts.iter().map(part).collect::<Result<_, Error>>()?;
        let in_memory = |values: &[f64]| {
            let bytes = arithmetic.in_memory(values);
            let memory = Memory::zeroed(bytes.len(), 0)?;
            // SAFETY: the memory has as many bytes, and is not yet shared.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.start(), bytes.len()) };
            Ok::<_, Error>(memory)
        };
        let (values, rows) = (in_memory(&arrivals.values)?, in_memory(&arrivals.at_links.values)?);
        let (bytes, count) = (arithmetic.bytes(), arrivals.at_links.count);
        let (nodes, links) = (arrivals.nodes.clone(), arrivals.at_links.iter().collect());
        let varying = [arrivals.varying.clone(), arrivals.at_links.varying.values().cloned().collect()];
        let observed = arrivals.all_observed(None);
        Ok(Rules {
            arrivals,
            kinds,
            at_links,
            nodes,
            links,
            observed,
            varying,
            values,
            rows,
            count,
            bytes,
            q: facts.lattice.q(),
        })
    }

    /// Those at some nodes that follow each other.
    pub(crate) fn within(&self, some: Range<usize>) -> Ruled<'_> {
        Ruled { nodes: &self.nodes, links: &self.links }.within(some)
    }

    /// How many nodes and links with rules stand before a node.
    pub(crate) fn before(&self, node: usize) -> [usize; 2] {
        let nodes = self.nodes.partition_point(|arrival| arrival.node < node);
        [nodes, self.links.partition_point(|link| link.node < node)]
    }

    /// Those between two such numbers.
    pub(crate) fn between(&self, start: [usize; 2], end: [usize; 2]) -> Ruled<'_> {
        Ruled { nodes: &self.nodes[start[0]..end[0]], links: &self.links[start[1]..end[1]] }
    }

    /// Numbers nodes by their place in a list, instead of in the box.
    pub(crate) fn renumber(&mut self, positions: &[u32]) {
        (self.nodes, self.links) = self.arrivals.numbered(positions);
        self.observed = self.arrivals.all_observed(Some(positions));
    }

    /// The same, when all nodes have their numbers: lets go of where the core lists rules at links, unless something there is kept or remembered.
    pub(crate) fn listed(mut self) -> Rules {
        if self.at_links.iter().all(|part| part.keeps.is_empty() && part.remembers.is_empty()) {
            self.arrivals.at_links = AtLinks::default();
        }
        self
    }

    /// What is read of other nodes in each step, ascending by these.
    pub(crate) fn observed(&self) -> &[Observed] {
        &self.observed
    }

    /// What changes in time of the values of nodes, and of links, and the factors in time.
    pub(crate) fn varying(&self) -> (&[Vec<Varying>; 2], &[Course]) {
        (&self.varying, &self.arrivals.courses)
    }

    /// As [`Arrivals::steer`].
    ///
    /// # Errors
    /// Its.
    pub(crate) fn steer(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.arrivals.steer(name, factor)
    }

    /// Sets a value, of a link or of a node.
    ///
    /// # Safety
    /// Nobody else reads or writes it meanwhile.
    pub(crate) unsafe fn set(&self, of_link: bool, place: usize, value: f64) {
        let values = if of_link { &self.rows } else { &self.values };
        let to = values.start().wrapping_add(place * self.bytes);
        // SAFETY: the place is one of the values, and nobody else works on it.
        unsafe {
            match self.bytes {
                4 => to.cast::<f32>().write(value as f32),
                _ => to.cast::<f64>().write(value),
            }
        }
    }

    /// What rules remember ([`Arrivals::memory`]), while no step is under way.
    pub(crate) fn memory(&self, facts: &Facts) -> Vec<f64> {
        let all = self.arrivals.memory(facts);
        // SAFETY: the places are those of values, which nobody writes between steps.
        all.into_iter().map(|Remembered { of_link, place }| unsafe { self.get(of_link, place) }).collect()
    }

    /// Has rules remember these.
    ///
    /// # Errors
    /// As [`Arrivals::set_memory`].
    pub(crate) fn set_memory(&mut self, facts: &Facts, values: &[f64]) -> Result<(), Error> {
        let all = self.arrivals.memory(facts);
        rules::check_memory(all.len(), values.len())?;
        for (Remembered { of_link, place }, &value) in all.into_iter().zip(values) {
            // SAFETY: nobody else works on the rules.
            unsafe { self.set(of_link, place, value) };
        }
        Ok(())
    }

    /// Has rules remember nothing.
    pub(crate) fn forget(&mut self, facts: &Facts) {
        for Remembered { of_link, place } in self.arrivals.memory(facts) {
            // SAFETY: nobody else works on the rules.
            unsafe { self.set(of_link, place, 0.0) };
        }
    }

    /// A value, of a link or of a node.
    ///
    /// # Safety
    /// Nobody writes it meanwhile.
    unsafe fn get(&self, of_link: bool, place: usize) -> f64 {
        let values = if of_link { &self.rows } else { &self.values };
        let from = values.start().wrapping_add(place * self.bytes);
        // SAFETY: the place is one of the values, and nobody writes there.
        unsafe {
            match self.bytes {
                4 => from.cast::<f32>().read().into(),
                _ => from.cast::<f64>().read(),
            }
        }
    }

    /// All that is kept, whose nodes are numbered as in the box ([`Arrivals::kept`]).
    pub(crate) fn all_kept(&self, facts: &Facts) -> Vec<rules::Kept> {
        self.arrivals.kept(facts)
    }

    /// Whether something is kept for them.
    #[inline(always)]
    pub(crate) fn keeps(&self, ruled: Ruled<'_>) -> bool {
        ruled.links.iter().any(|link| !self.at_links[link.part].keeps.is_empty())
            || ruled.nodes.iter().any(|arrival| !self.kinds[arrival.kind].keeps.is_empty())
    }

    /// What is kept for them.
    pub(crate) fn kept<'a>(&'a self, ruled: Ruled<'a>) -> impl Iterator<Item = Kept> + 'a {
        let bytes = self.bytes;
        let kept = move |node, values: *mut u8| {
            move |&(direction, place): &(usize, usize)| Kept {
                node,
                direction,
                to: values.wrapping_add(place * bytes),
            }
        };
        let of_links = ruled
            .links
            .iter()
            .flat_map(move |link| self.at_links[link.part].keeps.iter().map(kept(link.node, self.row(link))));
        of_links.chain(ruled.nodes.iter().flat_map(move |arrival| {
            self.kinds[arrival.kind].keeps.iter().map(kept(arrival.node, self.of_node(arrival)))
        }))
    }

    /// Where a link's values begin.
    fn row(&self, link: &LinkArrival) -> *mut u8 {
        self.rows.start().wrapping_add(link.row * self.count * self.bytes)
    }

    /// Where a node's values begin.
    fn of_node(&self, arrival: &Arrival) -> *mut u8 {
        self.values.start().wrapping_add(arrival.values * self.bytes)
    }

    /// How many values a rule has at most.
    fn most_values(&self) -> usize {
        let at_nodes = self.kinds.iter().flat_map(|kind| &kind.parts);
        let visited = self.kinds.iter().flat_map(|kind| &kind.visits).flat_map(|visit| &visit.parts);
        let at_nodes = at_nodes.chain(visited.map(|(part, _)| part));
        at_nodes.chain(&self.at_links).map(|part| part.values).max().unwrap_or(0)
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
        ruled: Ruled<'_>,
        first: usize,
        count: usize,
        inputs: &Begins<*const u8>,
        room: &mut Option<Box<RoomForRules>>,
    ) {
        debug_assert!(count <= LONGEST_CHUNK);
        if ruled.is_empty() {
            return;
        }
        let room = room.get_or_insert_with(|| RoomForRules::new(self.most_values()));
        if !ruled.links.is_empty() {
            for (number, part) in self.at_links.iter().enumerate() {
                let mut some = std::mem::take(&mut room.nodes);
                let of_part = ruled.links.iter().filter(|link| link.part == number);
                some.extend(of_part.map(|link| (link.node - first, self.row(link))));
                if !some.is_empty() {
                    // SAFETY: as the caller says.
                    unsafe { self.part(part, &some, count, inputs, room) };
                }
                some.clear();
                room.nodes = some;
            }
        }
        let mut rest = ruled.nodes;
        while let Some(&Arrival { kind, .. }) = rest.first() {
            // Nodes that lie alike follow each other, but for the ends of rows.
            let same = rest.iter().take_while(|arrival| arrival.kind == kind).count();
            let (some, others) = rest.split_at(same);
            rest = others;
            // SAFETY: as the caller says.
            self.kinds[kind]
                .visits
                .iter()
                .for_each(|visit| unsafe { self.visit(visit, some, first, count, room) });
            let mut row = 0;
            for part in &self.kinds[kind].parts {
                let mut nodes = std::mem::take(&mut room.nodes);
                let values = |arrival: &Arrival| self.of_node(arrival).wrapping_add(row * self.bytes);
                nodes.extend(some.iter().map(|arrival| (arrival.node - first, values(arrival))));
                // SAFETY: as the caller says.
                unsafe { self.part(part, &nodes, count, inputs, room) };
                nodes.clear();
                room.nodes = nodes;
                row += part.values;
            }
        }
    }

    /// Does what one rule does at some nodes, of each of which there is its place in the lines and where its values begin; what it remembers comes
    /// back there.
    ///
    /// # Safety
    /// As for [`arrive`](Rules::arrive), by one who works on these nodes alone.
    unsafe fn part(
        &self,
        part: &Part,
        nodes: &[(usize, *mut u8)],
        count: usize,
        inputs: &Begins<*const u8>,
        room: &mut RoomForRules,
    ) {
        let (Part { program, class, directions, sets, values, remembers, .. }, bytes) = (part, self.bytes);
        let (Some(&(first, _)), Some(&(last, _))) = (nodes.first(), nodes.last()) else { return };
        debug_assert!(last < count && room.values.len() >= *values);
        let lines: *mut u8 = room.values.as_mut_ptr().cast();
        for &(place, row) in nodes {
            // SAFETY: a row has as many values, and only who works on the node writes there; there is a line for each.
            unsafe { copy_values(row, bytes, lines.wrapping_add(place * bytes), LINE, *values, bytes) };
        }
        let mut seen: Begins<*const u8> = [std::ptr::null(); MOST_VALUES];
        let mut results: Begins<*mut u8> = [std::ptr::null_mut(); MOST_VALUES];
        for (i, &there) in directions.iter().enumerate() {
            seen[i] = inputs[there];
            results[i] = room.results.0[i].as_mut_ptr();
        }
        let run = Run {
            inputs: &seen,
            ends: [None; 2],
            outputs: &results,
            behind: [first * bytes; 2],
            count: last + 1,
            fields: FieldsAt::NONE,
            apart: &[[0; MOST_MOMENTS]; 2],
            in_lines: 0,
            prefetch_distance: 0,
            direction: *class,
            late: std::ptr::null_mut(),
            uniforms: lines.cast_const(),
        };
        // SAFETY: as the caller says; values and results have lines of their own.
        unsafe {
            program(&run);
            for &(place, row) in nodes.iter().filter(|_| !remembers.is_empty()) {
                let (from, to) = (
                    lines.wrapping_add(remembers.start * LINE + place * bytes),
                    row.wrapping_add(remembers.start * bytes),
                );
                copy_values(from, LINE, to, bytes, remembers.len(), bytes);
            }
            let all = last + 1 - first == nodes.len();
            for &i in *sets {
                let (line, result) = (inputs[directions[i]].cast_mut(), room.results.0[i].as_ptr());
                if all {
                    let lane = first * bytes;
                    copy_bytes(result.add(lane), line.add(lane), nodes.len() * bytes);
                    continue;
                }
                for &(place, _) in nodes {
                    copy_bytes(result.add(place * bytes), line.add(place * bytes), bytes);
                }
            }
        }
    }
}
