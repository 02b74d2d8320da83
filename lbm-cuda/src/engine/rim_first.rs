//! Steps of a part of a box of which the nodes near cuts go first, so that what crosses does so beside all others.
//!
//! The machine has two queues then. In the engine's own one are the nodes far from cuts, the *bulk*; in another one, which goes first where both could go on, those near
//! cuts, the *rim*, and all that crosses. Of step t
//!
//! - bulk t follows bulk t - 1 in its queue, and waits for rim t - 1: it reads what both left;
//! - rim t follows what crossed before it in its queue, and waits for bulk t - 1;
//! - what crosses after step t follows rim t.
//!
//! So one bulk follows the other, and what crosses has as long as a bulk takes. Which nodes are the rim follows from the lists: it has every node of one, and every node
//! that reads what a list says. It is legal where each phase is one kernel that does nodes in any order, which is seen by its taking a range of planes, and no rule
//! stands in the part. Then nothing races:
//!
//! - rim t beside bulk t: nodes in any order.
//! - What is packed or unpacked after step t, beside bulk t and t + 1: these are places of values that nodes of lists sent in step t. Only such a node writes them in step t, and
//!   what reads them in step t + 1, or in one copy writes there, is of the rim, too. Bulk t + 2 waits for rim t + 1, which stands behind what crossed.
//!
//! What the part itself makes of nodes that are not its own nobody reads, so that planes without any of its own are left out. Where a machine has one queue, or steps
//! cannot be split, all is in an order that waits for all before.

use std::ops::Range;

use lbm_core::cut::Rim;
use lbm_core::{Domain, Error, Facts};

use super::DeviceEngine;
use super::direct::mark;
use crate::assemble::Grid;
use crate::machine::Machine;

/// How steps are split, and how far both queues are.
pub(super) struct RimFirst<M: Machine> {
    /// The other queue, if the machine has one and the part may need it.
    queue: Option<M>,
    /// Behind all of its work that the engine's own queue may have to wait for.
    rim: Option<M::Mark>,
    /// The same the other way around.
    bulk: Option<M::Mark>,
    /// How steps are split in a run, if they are.
    split: Option<Split>,
}

/// Planes along the lattice's last axis: those near cuts, and the others.
#[derive(Debug, PartialEq, Eq)]
struct Split {
    rim: Vec<Range<usize>>,
    bulk: Range<usize>,
}

impl<M: Machine> RimFirst<M> {
    /// One queue, and whole steps.
    pub(super) fn nothing() -> RimFirst<M> {
        RimFirst { queue: None, rim: None, bulk: None, split: None }
    }

    /// Whether steps are split.
    pub(super) fn is_split(&self) -> bool {
        self.split.is_some()
    }
}

impl Split {
    /// That of own planes, of which some are near cuts. The bulk is the longest stretch of others.
    fn of(own: Range<usize>, near: &[bool]) -> Split {
        let (mut bulk, mut begin) = (own.start..own.start, own.start);
        for plane in own.clone() {
            if near[plane] {
                begin = plane + 1;
            } else if plane + 1 - begin > bulk.len() {
                bulk = begin..plane + 1;
            }
        }
        let rim = [own.start..bulk.start, bulk.end..own.end].into_iter().filter(|planes| !planes.is_empty());
        Split { rim: rim.collect(), bulk }
    }
}

/// By plane along the lattice's last axis, whether a node of a list is there, or one that reads what a list says of it.
pub(super) fn planes_near(facts: &Facts, domain: &Domain, rims: &[Rim]) -> Vec<bool> {
    let axis = facts.lattice.dimension.max(1) - 1;
    let planes = domain.size[axis];
    // By plane and value, whether a list has it.
    let values = facts.state_values();
    let mut listed = vec![false; planes * values];
    for single in rims.iter().flatten() {
        listed[domain.position(single.node)[axis] * values + single.value] = true;
    }
    let mut near = vec![false; planes];
    for plane in 0..planes {
        for (i, c) in facts.lattice.velocities.iter().enumerate() {
            if facts.values_of(i).any(|value| listed[plane * values + value]) {
                near[plane] = true;
                near[(plane as i64 + i64::from(c[axis])).rem_euclid(planes as i64) as usize] = true;
            }
        }
    }
    near
}

impl<M: Machine> DeviceEngine<M> {
    /// Has the part's rim and what crosses be in a queue of their own, where kernels can do a rim by itself and the machine has another queue.
    pub(super) fn have_another_queue(&mut self) -> Result<(), Error> {
        if self.does_ranges() {
            self.rim_first.queue = self.machine.another()?;
        }
        Ok(())
    }

    /// Whether the kernels of a step do ranges of planes, one kernel a phase.
    fn does_ranges(&self) -> bool {
        let in_any_order = |phase: usize| {
            let mut kernels = self.step.all().filter(|(kernel, _)| kernel.phase == phase);
            let is_range =
                kernels.next().is_some_and(|(kernel, _)| matches!(kernel.threads.grid, Grid::Range(_)));
            is_range && kernels.next().is_none()
        };
        (0..self.facts.period).all(in_any_order)
    }

    /// The queue in which lists leave and arrive.
    pub(super) fn crossing(&self) -> &M {
        self.rim_first.queue.as_ref().unwrap_or(&self.machine)
    }

    /// Finds how the steps of a run are split.
    pub(super) fn split(&mut self) {
        let axis = self.last_axis();
        let own = self.own.first[axis]..self.own.first[axis] + self.own.count[axis];
        let near = self.rims.as_ref().map(|rims| &rims.near).filter(|_| self.does_ranges());
        self.rim_first.split = near.map(|near| Split::of(own, near));
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
        let RimFirst { queue, rim, bulk, split } = first;
        let Some(split) = split else { return Ok(now) };
        if let Some(queue) = queue {
            bulk.as_ref().map_or(Ok(()), |bulk| queue.wait_for(bulk))?;
            rim.as_ref().map_or(Ok(()), |rim| self.machine.wait_for(rim))?;
        }
        let machine = queue.as_ref().unwrap_or(&self.machine);
        for planes in &split.rim {
            next = self.launch_in(machine, now, 1, planes.clone())?;
        }
        if let Some(queue) = queue {
            mark(queue, rim)?;
        }
        if !split.bulk.is_empty() {
            next = self.launch_in(&self.machine, now, 1, split.bulk.clone())?;
        }
        if queue.is_some() {
            mark(&self.machine, bulk)?;
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
        let RimFirst { queue: Some(queue), bulk, .. } = &mut self.rim_first else { return Ok(()) };
        mark(&self.machine, bulk)?;
        bulk.as_ref().map_or(Ok(()), |bulk| queue.wait_for(bulk))
    }
}

#[cfg(test)]
mod tests {
    use lbm_core::cut::Single;

    use super::*;

    #[test]
    fn the_bulk_is_the_longest_stretch_away_from_cuts() {
        let split = |own: Range<usize>, near: &str| {
            let near: Vec<bool> = near.chars().map(|plane| plane == '#').collect();
            let Split { rim, bulk } = Split::of(own, &near);
            (rim, bulk)
        };
        assert_eq!(split(1..9, "##......##"), (vec![1..2, 8..9], 2..8));
        assert_eq!(split(0..9, "........##"), (vec![8..9], 0..8));
        assert_eq!(split(1..9, "##..#...##"), (vec![1..5, 8..9], 5..8));
        assert_eq!(split(1..4, "#####"), (vec![1..4], 1..1));
        assert_eq!(split(0..3, "..."), (vec![], 0..3));
    }
}
