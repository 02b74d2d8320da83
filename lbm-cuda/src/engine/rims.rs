//! Stored values of single nodes that cross between the parts of a box: their lists lie on the machine, and with each the room for its values.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lbm_core::Error;
use lbm_core::cut::{Rim, Single};
use lbm_core::domain::Upstream;

use super::DeviceEngine;
use super::arrays::filled;
use super::asked::numbers;
use super::built::{Built, launch};
use super::of_box;
use crate::assemble::{self, Resource};
use crate::machine::{Machine, Memory};

/// Lists of values, and the kernels that copy and set them.
pub(super) struct Rims<M: Machine> {
    built: Built<M>,
    lists: Vec<List<M>>,
    /// Whether values were set of which something is to be kept yet.
    pub(super) unkept: bool,
}

/// A list that leaves, or arrives. What is under way with it is waited for when its own memory is freed, which goes before the outlet that it takes from.
pub(super) struct List<M: Machine> {
    pub(super) count: usize,
    named: Named<M>,
    /// The values, as they are stored.
    pub(super) values: Arc<Mutex<Values<M>>>,
    /// Whether something of it is kept elsewhere, too: by a rule, or for a wall.
    pub(super) keeps: bool,
    /// Where what arrives leaves another engine, if it comes from there.
    pub(super) inlet: Option<Arc<Mutex<Values<M>>>>,
}

/// Where the nodes of a list are stored, and which values of theirs it has.
enum Named<M: Machine> {
    /// One by one.
    Each { nodes: M::Memory, numbers: M::Memory },
    /// In so many runs ([`runs_of`]).
    Runs { count: usize, runs: M::Memory },
}

/// The values of a list, and for an engine that takes them from there how far both are.
pub(super) struct Values<M: Machine> {
    /// Of what leaves it is that of the engine where it arrives, if it can be written to from here; then the host does not read it.
    pub(super) memory: Arc<M::Memory>,
    /// When they were there.
    pub(super) left: Option<M::Mark>,
    /// When they had been taken.
    pub(super) taken: Option<M::Mark>,
}

/// The values of a list, which nobody holds for longer than a call.
pub(super) fn hold<M: Machine>(values: &Mutex<Values<M>>) -> MutexGuard<'_, Values<M>> {
    values.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<M: Machine> DeviceEngine<M> {
    /// As [`Engine::set_rims`](lbm_core::Engine::set_rims).
    pub(super) fn name_rims(&mut self, rims: Vec<Rim>) -> Result<(), Error> {
        // Which nodes are its own is known now.
        self.motion.forget_recording();
        self.list_parts()?;
        self.note_near(&rims)?;
        let (facts, domain) = (&self.facts, self.setup.domain());
        let built = match self.rims.take() {
            Some(rims) => rims.built,
            None => {
                let plan = of_box::beside(facts, domain.size, &self.plan);
                Built::new(&self.machine, assemble::rims(facts, &plan)?)?
            }
        };
        let single_values = facts.values_of(0).len() == 1;
        let kept: HashSet<(usize, usize)> = match single_values {
            false => HashSet::new(),
            true => self.arrivals.kept(facts).iter().map(|kept| (kept.node, kept.direction)).collect(),
        };
        let goes_to_a_wall = |single: &Single| {
            let velocity = facts.lattice.velocities.get(single.value).filter(|_| single_values);
            let meets = velocity.map(|&c| domain.upstream(domain.position(single.node), c));
            !matches!(meets, Some(Upstream::Node(_)))
        };
        let machine = self.crossing();
        let list = |rim: Rim| {
            let keeps = rim.iter().any(|single| {
                kept.contains(&(single.node, single.value)) || facts.keeps_sent && goes_to_a_wall(single)
            });
            let stored = stored(&rim, self.positions.as_deref());
            let values: Vec<u32> = rim.iter().map(|single| single.value as u32).collect();
            let named = match runs_of(&stored, &values) {
                Some(runs) => Named::Runs { count: runs.len() / RUN, runs: filled(machine, &runs)? },
                None => Named::Each { nodes: filled(machine, &stored)?, numbers: filled(machine, &values)? },
            };
            Ok(List {
                count: rim.len(),
                named,
                values: Arc::new(Mutex::new(Values {
                    memory: Arc::new(machine.memory(rim.len() * facts.precision.stored_bytes)?),
                    left: None,
                    taken: None,
                })),
                keeps,
                inlet: None,
            })
        };
        let lists = rims.into_iter().map(list).collect::<Result<_, Error>>()?;
        self.rims = Some(Rims { built, lists, unkept: false });
        Ok(())
    }

    /// As [`Engine::rim`](lbm_core::Engine::rim).
    pub(super) fn read_rim(&self, number: usize, out: &mut [f64]) -> Result<(), Error> {
        let (list, bytes) = (self.list(number), self.facts.precision.stored_bytes);
        assert_eq!(list.count, out.len(), "one value for each of the list");
        let held = hold(&list.values);
        self.over("leave", list, &held)?;
        let mut values = vec![0; bytes * out.len()];
        held.memory.read(0, &mut values)?;
        // SAFETY: the kernel copies what the precision stores.
        unsafe { self.facts.precision.decode(&values, out) };
        Ok(())
    }

    /// As [`Engine::set_rim`](lbm_core::Engine::set_rim).
    pub(super) fn write_rim(&mut self, number: usize, values: &[f64]) -> Result<(), Error> {
        let (list, bytes) = (self.list(number), self.facts.precision.stored_bytes);
        assert_eq!(list.count, values.len(), "one value for each of the list");
        let mut stored = vec![0; bytes * values.len()];
        self.facts.precision.encode(values, &mut stored);
        let held = hold(&list.values);
        // The last ones are where they belong when it is written.
        held.memory.write(0, &stored)?;
        self.over("arrive", list, &held)?;
        drop(held);
        self.note_kept(number);
        Ok(())
    }

    /// Has what is kept of a list be kept anew before the next step, if something is.
    pub(super) fn note_kept(&mut self, number: usize) {
        let keeps = self.list(number).keeps;
        if let Some(rims) = &mut self.rims {
            rims.unkept |= keeps;
        }
    }

    /// As [`Engine::keep_rims`](lbm_core::Engine::keep_rims).
    pub(super) fn keep_of_rims(&mut self) -> Result<(), Error> {
        match self.rims.as_mut().is_some_and(|rims| std::mem::take(&mut rims.unkept)) {
            true => {
                self.after_all_crossed()?;
                self.keep()?;
                self.before_all_crosses()
            }
            false => Ok(()),
        }
    }

    pub(super) fn list(&self, number: usize) -> &List<M> {
        &self.rims.as_ref().expect("lists were named").lists[number]
    }

    pub(super) fn list_mut(&mut self, number: usize) -> &mut List<M> {
        &mut self.rims.as_mut().expect("lists were named").lists[number]
    }

    /// Launches a kernel over a list.
    pub(super) fn over(&self, name: &str, list: &List<M>, values: &Values<M>) -> Result<(), Error> {
        let rims = self.rims.as_ref().expect("lists were named");
        let size = self.setup.domain().size;
        let mut bindings = self.beside(None, size);
        let kernel = match &list.named {
            Named::Each { nodes, numbers } => {
                bindings.array(Resource::Asked, nodes.address());
                bindings.array(Resource::AskedDirections, numbers.address());
                rims.built.named(name)
            }
            Named::Runs { count, runs } => {
                bindings.array(Resource::AskedRuns, runs.address()).number(Resource::RunCount, *count);
                rims.built.named(&format!("{name}_in_runs"))
            }
        };
        bindings.array(Resource::Portion, values.memory.address());
        let kernel = kernel.expect("the text has all kernels");
        launch(self.crossing(), kernel, &self.facts, size, bindings.portion(0, 0, list.count))
    }
}

/// Where the nodes of a list are stored.
fn stored(rim: &Rim, positions: Option<&[u32]>) -> Vec<u32> {
    if positions.is_none() {
        return rim.iter().map(|single| single.node as u32).collect();
    }
    let mut nodes: Vec<usize> = rim.iter().map(|single| single.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let stored = numbers(&nodes, positions);
    rim.iter().map(|single| stored[nodes.partition_point(|&node| node < single.node)]).collect()
}

/// Numbers of a run.
const RUN: usize = 4;

/// Values of a run, on an average, for which runs are worth looking for them.
const WORTH: usize = 16;

/// Runs of values of one kind whose nodes are stored equally far apart, as a plane of a box or its columns: where each begins, then the first node of each, then how
/// far its nodes are apart, then which value it is of. None if most are too short.
fn runs_of(nodes: &[u32], values: &[u32]) -> Option<Vec<u32>> {
    let mut all: Vec<[u32; RUN]> = Vec::new();
    for (number, (&node, &value)) in (0u32..).zip(nodes.iter().zip(values)) {
        match all.last_mut() {
            Some([begin, first, apart, of]) if *of == value => match number - *begin {
                1 => {
                    *apart = node.wrapping_sub(*first);
                    continue;
                }
                along if node == first.wrapping_add(apart.wrapping_mul(along)) => continue,
                _ => (),
            },
            _ => (),
        }
        all.push([number, node, 0, value]);
    }
    let numbers = |of: usize| all.iter().map(move |run| run[of]);
    (WORTH * all.len() <= nodes.len()).then(|| (0..RUN).flat_map(numbers).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_columns_are_runs() {
        let plane = 0..64u32;
        let nodes: Vec<u32> = plane.clone().map(|n| 100 + n).chain(plane.map(|n| 9 + 7 * n)).collect();
        assert_eq!(runs_of(&nodes, &[3; 128]).unwrap(), [0, 64, 100, 9, 1, 7, 3, 3]);
        let values = [[3; 32], [4; 32], [5; 32], [6; 32]].concat();
        let runs = runs_of(&nodes, &values).unwrap();
        assert_eq!(runs, [0, 32, 64, 96, 100, 132, 9, 233, 1, 1, 7, 7, 3, 4, 5, 6]);
        // A list of nodes that are stored the other way round.
        let back: Vec<u32> = (0..32).rev().collect();
        assert_eq!(runs_of(&back, &[0; 32]).unwrap(), [0, 31, u32::MAX, 0]);
        let squares: Vec<u32> = (0..64).map(|n| n * n).collect();
        assert_eq!(runs_of(&squares, &[0; 64]), None);
        assert_eq!(runs_of(&[], &[]), Some(Vec::new()));
    }
}
