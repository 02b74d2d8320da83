//! What rules read of other nodes. A pass between steps brings it to their values: populations are at rest then, so that nobody writes what
//! another reads, whatever the streaming pattern. What a node sent in the step before is where every backend finds a node's populations.

use super::{Elsewhere, Observation, Part, RuleFacts};
use crate::domain::{Domain, FaceRule, Upstream};
use crate::facts::Facts;

/// Such a population in a box: what a node sent in the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observed {
    /// Index of the node that has the rule.
    pub reader: usize,
    /// Index of the fluid node that sent it.
    pub node: usize,
    /// The direction along which it was sent.
    pub direction: usize,
    /// Whether it is read for a link: `place` is one in [`AtLinks::values`](super::AtLinks::values), else in
    /// [`Arrivals::values`](super::Arrivals::values).
    pub of_link: bool,
    /// Where it is read.
    pub place: usize,
}

/// A node at which a part of a rule looks around.
#[derive(Clone, Copy)]
pub(super) struct Lookout<'a> {
    pub(super) facts: &'a Facts,
    pub(super) domain: &'a Domain,
    pub(super) rules: &'a [RuleFacts],
    /// Where the node is.
    pub(super) position: [usize; 3],
    /// The rule's faces there.
    pub(super) faces: &'a [usize],
    /// What the rule does there.
    pub(super) part: &'a Part,
    /// Index of the node that reads what is seen: that one, or one whose rule reads what arrives there.
    pub(super) reader: usize,
}

impl Lookout<'_> {
    /// What the last values of the part are before the first step: those that it observes, then for each node that it asks for 1 if it is fluid.
    pub(super) fn values(&self) -> impl Iterator<Item = f64> {
        let class = &self.rules[self.part.rule].classes[self.part.class];
        let asked = class.asks.iter().map(|at| if self.node(at).is_some() { 1.0 } else { 0.0 });
        class.observes.iter().map(|_| 0.0).chain(asked)
    }

    /// What it observes, for values that begin at `first`.
    pub(super) fn observed(&self, first: usize, of_link: bool) -> impl Iterator<Item = Observed> {
        let rule = &self.rules[self.part.rule];
        let class = &rule.classes[self.part.class];
        let before = rule.given(self.facts.lattice.dimension) + class.keeps.len();
        let (reader, places) = (self.reader, first + before..);
        class.observes.iter().zip(places).filter_map(move |(observation, place)| {
            let (node, direction) = self.source(observation)?;
            Some(Observed { reader, node, direction, of_link, place })
        })
    }

    /// The node that sends a population, and along which direction; none where no fluid is.
    fn source(&self, observation: &Observation) -> Option<(usize, usize)> {
        let direction = self.part.turn.directions[observation.direction];
        let there = self.node(&observation.at)?;
        let node = self.domain.index(there);
        Some(if observation.arrives {
            arriving(self.facts, self.domain, there, direction)
        } else {
            (node, direction)
        })
    }

    /// What it reads of that arrives elsewhere: the node, the direction, and its place among values that begin at `first`.
    pub(super) fn arriving(&self, first: usize) -> impl Iterator<Item = ([usize; 3], usize, usize)> {
        let rule = &self.rules[self.part.rule];
        let class = &rule.classes[self.part.class];
        let before = rule.given(self.facts.lattice.dimension) + class.keeps.len();
        class.observes.iter().zip(first + before..).filter(|(observation, _)| observation.arrives).filter_map(
            move |(observation, place)| {
                let there = self.node(&observation.at)?;
                Some((there, self.part.turn.directions[observation.direction], place))
            },
        )
    }

    /// The place of another node if it is fluid, and in the box: through a face it is reached where that is periodic, or the rule's own and
    /// gone through.
    fn node(&self, at: &Elsewhere) -> Option<[usize; 3]> {
        let (domain, offset) = (self.domain, self.part.turn.turned(at.offset));
        for axis in 0..3 {
            let to = self.position[axis] as i64 + i64::from(offset[axis]);
            let face = 2 * axis + usize::from(to >= 0);
            let is_open = domain.faces[face] == FaceRule::Periodic || at.across && self.faces.contains(&face);
            if !(0..domain.size[axis] as i64).contains(&to) && !is_open {
                return None;
            }
        }
        let there = domain.around(self.position, offset);
        (!domain.is_solid(there)).then_some(there)
    }
}

/// The node that sends what arrives at a fluid node along a direction, before rules set anything there, and along which direction it does.
pub(super) fn arriving(
    facts: &Facts,
    domain: &Domain,
    there: [usize; 3],
    direction: usize,
) -> (usize, usize) {
    let lattice = &facts.lattice;
    match domain.upstream(there, lattice.velocities[direction].map(|c| -c)) {
        Upstream::Node(neighbour) => (domain.index(neighbour), direction),
        Upstream::Wall(_) => (domain.index(there), lattice.opposites[direction]),
    }
}

/// What a node observes; `all` ascend by reader.
pub(super) fn of_reader(all: &[Observed], reader: usize) -> &[Observed] {
    let place = |reader: usize| all.partition_point(|observed| observed.reader < reader);
    &all[place(reader)..place(reader + 1)]
}
