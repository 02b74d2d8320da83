//! How the nodes of a group find their neighbours, whatever the group.

use super::Extent;
use crate::facts::Facts;
use crate::index::Numbers;

/// Where the neighbours of a group's nodes are, as far as all groups are alike: tiles are.
///
/// Found by asking the addressing itself with a table of known numbers; [`Sites::of`](super::Sites::of) compares it with what the
/// nodes find that it asks: all of a small box, some of a large one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Nodes of a group.
    pub group: usize,
    /// Numbers a row of the first table, of which each group has one.
    pub width: usize,
    /// For each velocity of the lattice, node after node of a group, what leads to the neighbour one velocity away.
    steps: Vec<Vec<Step>>,
    velocities: &'static [[i32; 3]],
}

/// What leads from a node of a group to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The column of the table's row in which the neighbour's group stands.
    pub column: u32,
    /// The neighbour's place in that group.
    pub within: u32,
}

impl Pattern {
    /// That of a variant in a box whose table has rows of `width` numbers; nothing if nodes have no groups, or find neighbours in
    /// some other way.
    pub(super) fn of(facts: &Facts, size: [usize; 3], width: usize) -> Option<Pattern> {
        let group = facts.group;
        if group == 1 || width == 0 {
            return None;
        }
        // One group, whose row says `column + 1` in each column, so that nothing of it is the group itself.
        let row = Numbers::new(width, (1..=width as u32).collect());
        let extent = Extent { size, row_multiple: 1, nodes: group, tables: vec![row] };
        let places = facts.listed_places(&extent);
        let step = |node: usize, velocity: [i32; 3]| {
            let found = places.neighbour(node, velocity);
            let column = (found / group).checked_sub(1).filter(|&column| column < width)?;
            Some(Step { column: column as u32, within: (found % group) as u32 })
        };
        let moving = |c: &&[i32; 3]| **c != [0; 3];
        let steps = |c: &[i32; 3]| (0..group).map(|node| step(node, *c)).collect::<Option<Vec<_>>>();
        let all: Option<Vec<_>> = facts
            .lattice
            .velocities
            .iter()
            .map(|c| if moving(&c) { steps(c) } else { Some(Vec::new()) })
            .collect();
        Some(Pattern { group, width, steps: all?, velocities: facts.lattice.velocities })
    }

    /// What leads the nodes of a group to their neighbours at this shift; nothing if no velocity is it.
    #[must_use]
    pub fn steps(&self, shift: [i32; 3]) -> Option<&[Step]> {
        self.along(self.velocities.iter().position(|c| *c == shift)?)
    }

    /// The same at the shift of a direction's velocity; nothing for the node itself.
    #[must_use]
    #[inline]
    pub fn along(&self, direction: usize) -> Option<&[Step]> {
        Some(self.steps[direction].as_slice()).filter(|steps| !steps.is_empty())
    }

    /// The storage node that `step` leads to from a node of the group whose row this is.
    #[must_use]
    #[inline(always)]
    pub fn follow(&self, row: &[u32], step: Step) -> usize {
        row[step.column as usize] as usize * self.group + step.within as usize
    }

    /// The row of a group in the entries of the first table.
    #[must_use]
    #[inline(always)]
    pub fn row<'a>(&self, entries: &'a [u32], group: usize) -> &'a [u32] {
        &entries[group * self.width..][..self.width]
    }
}
