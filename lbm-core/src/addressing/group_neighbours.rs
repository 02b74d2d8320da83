//! How the nodes of a group find their neighbours, whatever the group.

use super::Extent;
use crate::facts::Facts;
use crate::index::Numbers;

/// Where the neighbours of a group's nodes are, as far as all groups are alike: tiles are.
///
/// Found by asking the addressing itself with a table of known numbers; [`ListedNodes::of`](super::ListedNodes::of) compares it with what the
/// nodes find that it asks: all of a small box, some of a large one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupNeighbours {
    /// Nodes of a group.
    pub group: usize,
    /// Numbers a row of the first table, of which each group has one.
    pub width: usize,
    /// For each velocity of the lattice, what leads to the neighbours one velocity away; no steps for the nodes themselves.
    along: Vec<Along>,
    velocities: &'static [[i32; 3]],
}

/// What leads the nodes of a group to their neighbours at one shift.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Along {
    /// The columns of the group's row in which the neighbours' groups stand, each once.
    pub columns: Vec<u32>,
    /// Node after node of a group.
    pub steps: Vec<Step>,
}

/// What leads from a node of a group to a neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// Which of the columns names the neighbour's group.
    pub column: u32,
    /// The neighbour's place in that group.
    pub within: u32,
}

impl GroupNeighbours {
    /// That of a variant in a box whose table has rows of `width` numbers; nothing if nodes have no groups, or find neighbours in
    /// some other way.
    pub(super) fn of(facts: &Facts, size: [usize; 3], width: usize) -> Option<GroupNeighbours> {
        let group = facts.addressing.group;
        if group == 1 || width == 0 {
            return None;
        }
        // One group, whose row says `column + 1` in each column, so that nothing of it is the group itself.
        let row = Numbers::new(width, (1..=width as u32).collect());
        let extent = Extent { size, row_multiple: 1, nodes: group, tables: vec![row] };
        let places = facts.listed_places(&extent);
        let along = |velocity: &[i32; 3]| {
            let mut along = Along::default();
            if *velocity == [0; 3] {
                return Some(along);
            }
            for node in 0..group {
                let found = places.neighbour(node, *velocity);
                let column = (found / group).checked_sub(1).filter(|&column| column < width)? as u32;
                let known = along.columns.iter().position(|&c| c == column).unwrap_or_else(|| {
                    along.columns.push(column);
                    along.columns.len() - 1
                });
                along.steps.push(Step { column: known as u32, within: (found % group) as u32 });
            }
            Some(along)
        };
        let velocities = facts.lattice.velocities;
        let along: Option<Vec<_>> = velocities.iter().map(along).collect();
        Some(GroupNeighbours { group, width, along: along?, velocities })
    }

    /// What leads the nodes of a group to their neighbours at this shift; nothing if no velocity is it.
    #[must_use]
    pub fn at(&self, shift: [i32; 3]) -> Option<&Along> {
        self.along(self.velocities.iter().position(|c| *c == shift)?)
    }

    /// The same at the shift of a direction's velocity; nothing for the node itself.
    #[must_use]
    #[inline]
    pub fn along(&self, direction: usize) -> Option<&Along> {
        Some(&self.along[direction]).filter(|along| !along.steps.is_empty())
    }

    /// The storage node that such a way leads to from the node `within` a group whose row this is.
    #[must_use]
    #[inline(always)]
    pub fn follow(&self, along: &Along, row: &[u32], within: usize) -> usize {
        let step = along.steps[within];
        row[along.columns[step.column as usize] as usize] as usize * self.group + step.within as usize
    }

    /// The row of a group in the entries of the first table.
    #[must_use]
    #[inline(always)]
    pub fn row<'a>(&self, entries: &'a [u32], group: usize) -> &'a [u32] {
        &entries[group * self.width..][..self.width]
    }
}
