//! Which rules ask what nodes are.

use std::ops::Range;

use super::{Arrivals, Given};
use crate::domain::{Domain, Face, FaceRule, positions};
use crate::engine::Setup;
use crate::error::Error;
use crate::facts::Facts;

impl Arrivals {
    /// Whether rules of the box may be others since these nodes, ascending, have become solid or fluid: one stands at some of them, or so near that it
    /// may ask what these are. If not, all that was listed of rules stays as it is.
    ///
    /// # Errors
    /// Those of [`Arrivals::of`] that are of no single node.
    pub fn concern(facts: &Facts, setup: &Setup, nodes: &[usize]) -> Result<bool, Error> {
        let (given, domain) = (Given::of(facts, setup)?, setup.domain());
        if given.used.is_empty() {
            return Ok(false);
        }
        // A rule that reads what arrives at a node with a rule leads on to what that one reads: it stands at a face, from which it is counted then.
        let (asked, sent) = given.reach();
        let reach = asked + sent;
        Ok(nodes.iter().any(|&node| is_near_face(domain, domain.position(node), reach))
            || has_own_near(domain, nodes, reach))
    }
}

impl Given<'_> {
    /// From how far rules read or ask along an axis, and from how far populations arrive, in nodes.
    pub(in crate::rules) fn reach(&self) -> (usize, usize) {
        let classes = self.used.iter().flat_map(|&rule| self.rules[rule].classes);
        let asked = classes
            .flat_map(|class| class.observes.iter().map(|observation| &observation.at).chain(class.asks));
        let longest = |all: &mut dyn Iterator<Item = &[i32; 3]>| {
            all.flatten().map(|along| along.unsigned_abs() as usize).max().unwrap_or(0)
        };
        (longest(&mut asked.map(|at| &at.offset)), longest(&mut self.facts.lattice.velocities.iter()))
    }
}

/// Whether a node is so near to one at a face with rules, around the box too.
fn is_near_face(domain: &Domain, position: [usize; 3], reach: usize) -> bool {
    let has_rules =
        |face: &Face| matches!(domain.faces[face.index()], FaceRule::Rule(_) | FaceRule::Patches(_));
    Face::ALL.into_iter().filter(has_rules).any(|face| {
        let (at, length) = (position[face.axis()], domain.size[face.axis()]);
        at <= reach || at + reach + 1 >= length
    })
}

/// Whether some nodes, ascending, are so near to links or fluid nodes with rules of their own, around the box too.
fn has_own_near(domain: &Domain, nodes: &[usize], reach: usize) -> bool {
    if domain.links.is_empty() && domain.in_fluid.is_empty() {
        return false;
    }
    let nx = domain.size[0];
    let is_ruled = |some: Range<usize>| {
        let first = domain.links.partition_point(|link| link.node < some.start);
        domain.links.get(first).is_some_and(|link| link.node < some.end)
            || !domain.in_fluid_within(some).is_empty()
    };
    let follows = |&one: &usize, &other: &usize| other == one + 1 && !other.is_multiple_of(nx);
    nodes.chunk_by(follows).any(|run| {
        let [x, y, z] = domain.position(run[0]);
        let back = -(reach as i32);
        let [_, height, depth] = domain.size.map(|length| length.min(2 * reach + 1));
        // A run at an end of its row stands for the whole row, around which it reaches.
        let (first, end) = (x.checked_sub(reach), x + run.len() + reach);
        let along = first.filter(|_| end <= nx).map_or(0..nx, |first| first..end);
        positions([1, height, depth]).any(|[_, j, k]| {
            let row = domain.index(domain.around([0, y, z], [0, back + j as i32, back + k as i32]));
            is_ruled(row + along.start..row + along.end)
        })
    })
}
