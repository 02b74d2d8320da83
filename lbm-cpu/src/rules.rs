//! Boundary rules: what they set takes the place of what came back from a wall at rest, in the lines where a chunk's values wait.

mod arriving;
mod batches;
mod code;
mod columns;
mod links;
mod values;
mod visits;

use std::ops::Range;
use std::sync::OnceLock;

use lbm_core::engine::Setup;
use lbm_core::facts::Arithmetics;
use lbm_core::rules::{self, Arrival, Arrivals, AtLinks, Course, LinkArrival, Observed, Varying};
use lbm_core::{Error, Facts, RuleFacts};

use crate::run::{Program, ones};
use crate::simd::SimdLevel;
use batches::{Batch, Batches, Cut};
use code::LinksProgram;
pub use code::RuleCode;
use values::Values;
use visits::Visit;

/// What rules do at nodes that lie alike.
struct Kind {
    parts: Vec<Part>,
    /// What rules do before at other nodes, of which these read what arrives there.
    visits: Vec<Visit>,
    /// A bit for each direction of the box that is set, and for each of these that is set whatever arrives along it.
    mask: u64,
    replaced: u64,
    /// What is kept from the step before: the direction of the box along which a node sent it, and its place among the node's values.
    keeps: Vec<(usize, usize)>,
}

/// What a rule does at such nodes, or links.
struct Part {
    program: Program,
    /// The same for a node at a time: one value is loaded at once that was just stored, several together wait for it.
    single: Program,
    /// What it does at links.
    at_links: LinksProgram,
    /// Which rule it is, and for which class.
    rule: usize,
    class: usize,
    /// The directions of the class that it reads.
    reads: Vec<usize>,
    /// A bit for each of its first values that it reads.
    reads_values: u64,
    /// For each direction of the class, that of the box.
    directions: Vec<usize>,
    /// The directions of the class that are set.
    sets: &'static [usize],
    /// How many values a node, or a link, has, and how many of them it is given.
    values: usize,
    given: usize,
    /// Those among them that the rule remembers.
    remembers: Range<usize>,
    /// What is kept of a link's node, as of a kind's nodes.
    keeps: Vec<(usize, usize)>,
    /// How what it sets comes back from memory, if it is rounded there.
    stored: Option<fn(f64) -> f64>,
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
    links: Batches,
    /// What is read of other nodes, numbered so.
    observed: Vec<Observed>,
    /// Where that lies and goes to, in each phase, once it was looked for: pairs of [`Short`] places.
    found: Vec<OnceLock<Vec<[Short; 2]>>>,
    /// What changes in time of the values of nodes, and of links.
    varying: [Vec<Varying>; 2],
    values: Values,
    /// Directions of the lattice.
    q: usize,
}

/// Values that a rule is to find in the next step, of nodes that follow each other.
pub(crate) struct Kept {
    /// The number of the first node, and how many there are.
    pub(crate) node: usize,
    pub(crate) count: usize,
    /// The direction along which a node sends its own.
    pub(crate) direction: usize,
    /// Where the first is kept, in the arithmetic type, the others behind it; who writes there works on their nodes.
    pub(crate) to: *mut u8,
}

/// Some nodes with rules, and links with rules: those of whole chunks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ruled<'a> {
    pub(crate) nodes: &'a [Arrival],
    pub(crate) links: &'a [Batch],
}

impl<'a> Ruled<'a> {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.links.is_empty()
    }
}

/// A place among populations or values, and a bit more.
#[derive(Clone, Copy)]
pub(crate) struct Short(u32);

impl Short {
    const BIT: u32 = 1 << 31;

    /// One with this bit, if the place is not too far away.
    pub(crate) fn of(place: usize, bit: bool) -> Option<Short> {
        let place = u32::try_from(place).ok().filter(|place| place & Short::BIT == 0)?;
        Some(Short(if bit { place | Short::BIT } else { place }))
    }

    /// The place and the bit.
    #[inline(always)]
    pub(crate) fn get(self) -> (usize, bool) {
        ((self.0 & !Short::BIT) as usize, self.0 & Short::BIT != 0)
    }
}

/// Nothing is found in any of so many phases.
fn unknown(phases: usize) -> Vec<OnceLock<Vec<[Short; 2]>>> {
    (0..phases).map(|_| OnceLock::new()).collect()
}

impl Rules {
    /// Those of a box in which these nodes have become solid or fluid, if rules may ask what they are.
    ///
    /// # Errors
    /// As [`Rules::of`].
    pub(crate) fn concerned(
        facts: &Facts,
        codes: &[RuleCode],
        (setup, nodes): (&Setup, &[usize]),
        level: SimdLevel,
    ) -> Result<Option<Rules>, Error> {
        let concerned = Arrivals::concern(facts, setup, nodes)?;
        concerned.then(|| Rules::of(facts, codes, setup, level)).transpose()
    }

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
            let [reads, reads_values] = code.reads(part.class);
            Ok(Part {
                program: code.at(level),
                single: code.at(SimdLevel::Scalar),
                at_links: code.at_links(level),
                rule: part.rule,
                class: part.class,
                reads: ones(reads).collect(),
                reads_values,
                directions,
                sets: class.sets,
                values: rule.values(facts.lattice.dimension, part.class),
                given: rule.given(facts.lattice.dimension),
                remembers: part.remembered(&arrivals.rules, facts),
                keeps: part.kept(&arrivals.rules, facts).collect(),
                stored: None,
            })
        };
        let kind = |(number, kind): (usize, &rules::Kind)| {
            let parts: Vec<Part> = kind.parts.iter().map(part).collect::<Result<_, Error>>()?;
            let set = parts.iter().flat_map(|part| part.sets.iter().map(|&i| 1 << part.directions[i]));
            let mask = set.fold(0, |all: u64, bit: u64| all | bit);
            let (mut read, mut replaced) = (0u64, 0u64);
            for part in &parts {
                let bits = |of: &[usize]| of.iter().fold(0, |all, &i| all | 1u64 << part.directions[i]);
                read |= bits(&part.reads);
                replaced |= bits(part.sets) & !read;
            }
            let visit = |rules::Visit { first, parts, reads }: &rules::Visit| {
                let parts =
                    parts.iter().map(|(own, at)| Ok((part(own)?, *at))).collect::<Result<_, Error>>()?;
                Ok(Visit { first: *first, parts, reads: reads.clone() })
            };
            let visits = kind.visits.iter().map(visit).collect::<Result<_, Error>>()?;
            Ok(Kind { parts, visits, mask, replaced, keeps: arrivals.kept_of(facts, number) })
        };
        let kinds = arrivals.kinds.iter().enumerate().map(kind).collect::<Result<_, Error>>()?;
        let stored = facts.rounds_at_links().then_some(facts.precision.store);
        let at_link = |own| Ok(Part { stored, ..part(own)? });
        let at_links = arrivals.at_links.parts.iter().map(at_link).collect::<Result<_, Error>>()?;
        let arithmetic = facts.precision.arithmetic;
        let values = Values::of(arithmetic, &arrivals.values)?;
        let nodes = arrivals.nodes.clone();
        let varying = [arrivals.varying.clone(), arrivals.at_links.varying.values().cloned().collect()];
        let observed = arrivals.all_observed(None);
        let (q, found) = (facts.lattice.q(), unknown(facts.period));
        let (links, row) = (Batches::default(), setup.domain().size[0]);
        let mut all = Rules { arrivals, kinds, at_links, nodes, links, observed, found, varying, values, q };
        all.in_blocks(facts, row, row)?;
        Ok(all)
    }

    /// Those at some nodes that follow each other, whole chunks.
    pub(crate) fn within(&self, some: Range<usize>) -> Ruled<'_> {
        self.between(self.before(some.start), self.before(some.end))
    }

    /// How many nodes, and batches of links, with rules stand before a node.
    pub(crate) fn before(&self, node: usize) -> [usize; 2] {
        let nodes = self.nodes.partition_point(|arrival| arrival.node < node);
        [nodes, self.links.all.partition_point(|batch| batch.chunk < node)]
    }

    /// Those between two such numbers.
    pub(crate) fn between(&self, start: [usize; 2], end: [usize; 2]) -> Ruled<'_> {
        Ruled { nodes: &self.nodes[start[0]..end[0]], links: &self.links.all[start[1]..end[1]] }
    }

    /// Numbers nodes by their place in a list, instead of in the box.
    ///
    /// # Errors
    /// As [`Rules::of`], for links.
    pub(crate) fn renumber(&mut self, facts: &Facts, positions: &[u32]) -> Result<(), Error> {
        let (nodes, links) = self.arrivals.numbered(positions);
        self.nodes = nodes;
        self.observed = self.arrivals.all_observed(Some(positions));
        self.found = unknown(self.found.len());
        self.lay(&links, Cut::of_list(facts), facts.precision.arithmetic)
    }

    /// The same in a box whose rows have so many nodes, done in blocks with so many of a row.
    ///
    /// # Errors
    /// As [`Rules::of`], for links.
    pub(crate) fn in_blocks(&mut self, facts: &Facts, row: usize, block: usize) -> Result<(), Error> {
        let links: Vec<LinkArrival> = self.arrivals.at_links.iter().collect();
        self.lay(&links, Cut::of_box(facts, row, block), facts.precision.arithmetic)
    }

    /// Puts links together, and their values as they are.
    ///
    /// # Errors
    /// As [`Rules::of`], for links.
    fn lay(&mut self, links: &[LinkArrival], cut: Cut, arithmetic: Arithmetics) -> Result<(), Error> {
        let at_links = &self.arrivals.at_links;
        self.links = Batches::of(links, &self.at_links, at_links, cut, arithmetic)?;
        self.values.lay_links(arithmetic, &self.links.laid(&at_links.values))
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

    /// From where to where what is read goes in a phase, as `find` finds it once for all steps.
    pub(crate) fn found(&self, phase: usize, find: impl FnOnce() -> Vec<[Short; 2]>) -> &[[Short; 2]] {
        self.found[phase].get_or_init(find)
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

    /// All that is kept, whose nodes are numbered as in the box ([`Arrivals::kept`]).
    pub(crate) fn all_kept(&self, facts: &Facts) -> Vec<rules::Kept> {
        self.arrivals.kept(facts)
    }

    /// Whether something is kept for them.
    #[inline(always)]
    pub(crate) fn keeps(&self, ruled: Ruled<'_>) -> bool {
        ruled.links.iter().any(|batch| !self.at_links[batch.part()].keeps.is_empty())
            || ruled.nodes.iter().any(|arrival| !self.kinds[arrival.kind].keeps.is_empty())
    }

    /// Shows what is kept for them.
    #[inline(always)]
    pub(crate) fn each_kept(&self, ruled: Ruled<'_>, mut each: impl FnMut(Kept)) {
        for batch in ruled.links {
            self.each_kept_of_links(batch, &mut each);
        }
        for arrival in ruled.nodes {
            let (node, values) = (arrival.node, self.of_node(arrival));
            for &(direction, place) in &self.kinds[arrival.kind].keeps {
                each(Kept { node, count: 1, direction, to: values.wrapping_add(place * self.values.bytes) });
            }
        }
    }

    /// Where a node's values begin.
    fn of_node(&self, arrival: &Arrival) -> *mut u8 {
        self.values.at(false, arrival.values)
    }

    /// A bit for each direction that rules of nodes set at a node whatever arrives along it.
    pub(crate) fn replaced_at(&self, node: usize) -> u64 {
        let place = self.nodes.binary_search_by_key(&node, |arrival| arrival.node);
        place.map_or(0, |place| self.kinds[self.nodes[place].kind].replaced)
    }

    /// A bit for each direction that rules set at some nodes.
    pub(crate) fn set_at(&self, arrivals: &[Arrival]) -> u64 {
        arrivals.iter().fold(0, |all, arrival| all | self.kinds[arrival.kind].mask)
    }
}
