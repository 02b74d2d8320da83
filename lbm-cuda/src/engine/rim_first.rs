//! Steps of a part of a box of which the nodes near cuts go first, so that what crosses does so beside all others.
//!
//! The machine has two queues then. In the engine's own one are the nodes far from cuts, the *rest*; in another one, which goes first where both could go on, those near
//! cuts, the *rim*, and all that crosses. Of step t
//!
//! - rest t follows rest t - 1 in its queue, and waits for rim t - 1: it reads what both left;
//! - rim t follows what crossed before it in its queue, and waits for rest t - 1;
//! - what crosses after step t follows rim t.
//!
//! So one rest follows the other, and what crosses has as long as a rest takes. Which nodes are the rim follows from the lists: it has every node of its own of one, and every node
//! that reads what a list says: planes along the lattice's last axis with such nodes, or where nodes are listed, blocks of threads with such. It is legal where each phase is one kernel that does
//! nodes in any order, which is seen by its taking a range of planes or blocks, and no rule stands in the part. Then nothing races:
//!
//! - rim t beside rest t: nodes in any order.
//! - What is packed or unpacked after step t, beside rest t and t + 1: these are places of values that nodes of lists sent in step t. Only such a node writes them in step t, and
//!   what reads them in step t + 1, or in one copy writes there, is of the rim, too. Rest t + 2 waits for rim t + 1, which stands behind what crossed.
//!
//! What the part itself makes of nodes that are not its own nobody reads, so that planes and blocks without any of its own are left out. Where a machine has one queue, or steps
//! cannot be split, all is in an order that waits for all before.

use std::ops::Range;

use lbm_core::cut::Rim;
use lbm_core::domain::Upstream;
use lbm_core::{Domain, Error, Facts};

use super::DeviceEngine;
use super::asked::numbers;
use super::direct::mark;
use crate::assemble::{Grid, Resource};
use crate::machine::Machine;

/// How steps are split, and how far both queues are.
pub(super) struct RimFirst<M: Machine> {
    /// The other queue, if the machine has one and the part may need it.
    queue: Option<M>,
    /// Behind all of its work that the engine's own queue may have to wait for.
    rim: Option<M::Mark>,
    /// The same the other way around.
    rest: Option<M::Mark>,
    /// How steps are split in a run, if they are.
    split: Option<Split>,
    /// What is in each plane or block.
    near: Vec<Has>,
}

/// What a plane or block has, in the order in which blocks are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Has {
    /// Nodes far from cuts.
    Far,
    /// A node of a list, or one that reads what a list says.
    Near,
    /// A block: no node of the part's own.
    NoneOfItsOwn,
}

/// Planes along the lattice's last axis, or blocks in the order of their list: those near cuts, and the others.
#[derive(Debug, PartialEq, Eq)]
struct Split {
    rim: Vec<Range<usize>>,
    rest: Range<usize>,
}

impl<M: Machine> RimFirst<M> {
    /// One queue, and whole steps.
    pub(super) fn nothing() -> RimFirst<M> {
        RimFirst { queue: None, rim: None, rest: None, split: None, near: Vec::new() }
    }

    /// Whether steps are split.
    pub(super) fn is_split(&self) -> bool {
        self.split.is_some()
    }
}

impl Split {
    /// That of own planes, of which some are near cuts. The rest is the longest stretch of others.
    fn of(own: Range<usize>, near: &[Has]) -> Split {
        let (mut rest, mut begin) = (own.start..own.start, own.start);
        for plane in own.clone() {
            if near[plane] == Has::Near {
                begin = plane + 1;
            } else if plane + 1 - begin > rest.len() {
                rest = begin..plane + 1;
            }
        }
        let rim = [own.start..rest.start, rest.end..own.end].into_iter().filter(|planes| !planes.is_empty());
        Split { rim: rim.collect(), rest }
    }

    /// That of blocks, which are listed in the order of what they have.
    fn of_blocks(near: &[Has]) -> Split {
        let count = |of: Has| near.iter().filter(|&&has| has == of).count();
        let (far, rim) = (count(Has::Far), count(Has::Near));
        Split { rim: (rim > 0).then_some(far..far + rim).into_iter().collect(), rest: 0..far }
    }
}

/// By plane along the lattice's last axis, whether a node of a list is there, or one that reads what a list says of it.
fn planes_near(facts: &Facts, domain: &Domain, rims: &[Rim]) -> Vec<Has> {
    let axis = facts.lattice.dimension.max(1) - 1;
    let planes = domain.size[axis];
    // By plane and value, whether a list has it.
    let values = facts.state_values();
    let mut listed = vec![false; planes * values];
    for single in rims.iter().flatten() {
        listed[domain.position(single.node)[axis] * values + single.value] = true;
    }
    let mut near = vec![Has::Far; planes];
    for plane in 0..planes {
        for (i, c) in facts.lattice.velocities.iter().enumerate() {
            if facts.values_of(i).any(|value| listed[plane * values + value]) {
                near[plane] = Has::Near;
                // Around the box, too: a part that is not cut along this axis may be periodic there.
                near[(plane as i64 + i64::from(c[axis])).rem_euclid(planes as i64) as usize] = Has::Near;
            }
        }
    }
    near
}

/// The nodes of lists, and those that read what these say, ascending.
fn nodes_near(facts: &Facts, domain: &Domain, rims: &[Rim]) -> Vec<usize> {
    let mut nodes = Vec::new();
    for single in rims.iter().flatten() {
        nodes.push(single.node);
        let position = domain.position(single.node);
        for (i, &c) in facts.lattice.velocities.iter().enumerate() {
            if facts.values_of(i).any(|value| value == single.value)
                && let Upstream::Node(reader) = domain.upstream(position, c)
            {
                nodes.push(domain.index(reader));
            }
        }
    }
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

impl<M: Machine> DeviceEngine<M> {
    /// Has the part's rim and what crosses be in a queue of their own, where kernels can do a rim by itself and the machine has another queue.
    pub(super) fn have_another_queue(&mut self) -> Result<(), Error> {
        if self.does_ranges() {
            self.rim_first.queue = self.machine.another()?;
        }
        Ok(())
    }

    /// Whether the kernels of a step do ranges, one kernel a phase.
    fn does_ranges(&self) -> bool {
        let in_any_order = |phase: usize| {
            let mut kernels = self.step.all().filter(|(kernel, _)| kernel.phase == phase);
            let does = kernels
                .next()
                .is_some_and(|(kernel, _)| matches!(kernel.threads.grid, Grid::Range(_) | Grid::Blocks));
            does && kernels.next().is_none()
        };
        (0..self.facts.period).all(in_any_order)
    }

    /// The lattice's last axis.
    fn last_axis(&self) -> usize {
        self.facts.lattice.dimension.max(1) - 1
    }

    /// Of how many planes or blocks launches do ranges.
    pub(super) fn ranged(&self) -> usize {
        match &self.positions {
            None => self.setup.domain().size[self.last_axis()],
            Some(positions) => positions.len().div_ceil(self.plan.shape.block[0] as usize),
        }
    }

    /// Has the planes or blocks be known that are near cuts, by lists of what crosses these.
    pub(super) fn note_near(&mut self, rims: &[Rim]) -> Result<(), Error> {
        let (facts, domain) = (&self.facts, self.setup.domain());
        let near = match &self.positions {
            None => planes_near(facts, domain, rims),
            Some(positions) => {
                let block = self.plan.shape.block[0] as usize;
                let is_own = |&at: &u32| self.own.number(domain.position(at as usize)).is_some();
                let of_block =
                    |some: &[u32]| if some.iter().any(is_own) { Has::Far } else { Has::NoneOfItsOwn };
                let mut near: Vec<Has> = positions.chunks(block).map(of_block).collect();
                for node in numbers(&nodes_near(facts, domain, rims), Some(positions)) {
                    let has = &mut near[node as usize / block];
                    *has = (*has).max(Has::Near);
                }
                near
            }
        };
        self.list_blocks(&near)?;
        self.rim_first.near = near;
        Ok(())
    }

    /// Lists the blocks of listed nodes in the order of what they have, if kernels are handed such a list; as they are if that is not known.
    pub(super) fn list_blocks(&mut self, near: &[Has]) -> Result<(), Error> {
        if !self.step.needs(Resource::Blocks) {
            return Ok(());
        }
        self.rim_first.near = Vec::new();
        // It names the list's memory.
        self.motion.forget_recording();
        let mut blocks: Vec<u32> = (0..self.ranged() as u32).collect();
        blocks.sort_by_key(|&block| near.get(block as usize).copied().unwrap_or(Has::Far));
        self.arrays.fill(&self.machine, Resource::Blocks, &blocks)
    }

    /// The queue in which lists leave and arrive.
    pub(super) fn crossing(&self) -> &M {
        self.rim_first.queue.as_ref().unwrap_or(&self.machine)
    }

    /// Finds how the steps of a run are split.
    pub(super) fn split(&mut self) {
        self.rim_first.split = self.parted();
    }

    /// How steps are split, if they are.
    fn parted(&self) -> Option<Split> {
        let near = &self.rim_first.near;
        if self.rims.is_none() || near.is_empty() || !self.does_ranges() {
            return None;
        }
        let axis = self.last_axis();
        let own = self.own.first[axis]..self.own.first[axis] + self.own.count[axis];
        let split = if self.positions.is_some() { Split::of_blocks(near) } else { Split::of(own, near) };
        // A part without fluid of its own does whole steps, so that it goes on in time.
        (!split.rim.is_empty() || !split.rest.is_empty()).then_some(split)
    }

    /// Whether there are nodes far from cuts that are done beside what crosses.
    pub(super) fn has_rim_beside(&self) -> bool {
        self.rim_first.queue.is_some() && self.parted().is_some_and(|split| !split.rest.is_empty())
    }

    /// Does a step, the nodes near cuts first.
    pub(super) fn step_rim_first(&mut self) -> Result<(), Error> {
        let mut first = std::mem::replace(&mut self.rim_first, RimFirst::nothing());
        let done = self.both(&mut first);
        self.rim_first = first;
        self.motion.now = done?;
        Ok(())
    }

    /// Launches both, and gives what is reached.
    fn both(&self, first: &mut RimFirst<M>) -> Result<super::Clock, Error> {
        let (now, mut next) = (self.motion.now, self.motion.now);
        let RimFirst { queue, rim, rest, split, .. } = first;
        let Some(split) = split else { return Ok(now) };
        if let Some(queue) = queue {
            rest.as_ref().map_or(Ok(()), |rest| queue.wait_for(rest))?;
            rim.as_ref().map_or(Ok(()), |rim| self.machine.wait_for(rim))?;
        }
        let machine = queue.as_ref().unwrap_or(&self.machine);
        for range in &split.rim {
            next = self.launch_in(machine, now, 1, range.clone())?;
        }
        if let Some(queue) = queue {
            mark(queue, rim)?;
        }
        if !split.rest.is_empty() {
            next = self.launch_in(&self.machine, now, 1, split.rest.clone())?;
        }
        if queue.is_some() {
            mark(&self.machine, rest)?;
        }
        Ok(next)
    }

    /// Has launches from now on wait for all that crosses so far.
    pub(super) fn after_all_crossed(&mut self) -> Result<(), Error> {
        let RimFirst { queue: Some(queue), rim, .. } = &mut self.rim_first else { return Ok(()) };
        mark(queue, rim)?;
        rim.as_ref().map_or(Ok(()), |rim| self.machine.wait_for(rim))
    }

    /// Has all that crosses from now on wait for the launches so far.
    pub(super) fn before_all_crosses(&mut self) -> Result<(), Error> {
        let RimFirst { queue: Some(queue), rest, .. } = &mut self.rim_first else { return Ok(()) };
        mark(&self.machine, rest)?;
        rest.as_ref().map_or(Ok(()), |rest| queue.wait_for(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_the_longest_stretch_away_from_cuts() {
        let ends = |Split { rim, rest }: Split| {
            let rim: Vec<[usize; 2]> = rim.into_iter().map(|range| [range.start, range.end]).collect();
            (rim, [rest.start, rest.end])
        };
        let near = |planes: &str| {
            let has = |plane| match plane {
                '#' => Has::Near,
                ' ' => Has::NoneOfItsOwn,
                _ => Has::Far,
            };
            planes.chars().map(has).collect::<Vec<_>>()
        };
        let split = |own: Range<usize>, planes: &str| ends(Split::of(own, &near(planes)));
        assert_eq!(split(1..9, "##......##"), (vec![[1, 2], [8, 9]], [2, 8]));
        assert_eq!(split(0..9, "........##"), (vec![[8, 9]], [0, 8]));
        assert_eq!(split(1..9, "##..#...##"), (vec![[1, 5], [8, 9]], [5, 8]));
        assert_eq!(split(1..4, "#####"), (vec![[1, 4]], [1, 1]));
        assert_eq!(split(0..3, "..."), (vec![], [0, 3]));
        assert_eq!(ends(Split::of_blocks(&near("#..#."))), (vec![[3, 5]], [0, 3]));
        assert_eq!(ends(Split::of_blocks(&near(" #..#  ."))), (vec![[3, 5]], [0, 3]));
    }
}
