//! Populations of single nodes: their list lies on the machine for as long as it is one of the last that were asked for.

use std::cell::RefCell;
use std::ops::Range;

use lbm_core::Error;
use lbm_core::pieces::clear_solids;

use super::DeviceEngine;
use super::arrays::filled;
use crate::assemble::Resource;
use crate::machine::{Machine, Memory, bytes_of, bytes_of_mut};

/// Lists that are kept: those of a few bodies and sections that are looked at in turn.
const MOST_LISTS: usize = 8;

/// A list behind values begins at a multiple of so many bytes.
const LIST_ALIGNED: usize = 256;

/// Nodes that were asked for, and on the machine where they are stored.
struct List<M: Machine> {
    nodes: Vec<usize>,
    stored: M::Memory,
}

/// The lists of the last looks, the latest in the end.
pub(super) struct Asked<M: Machine>(RefCell<Vec<List<M>>>);

impl<M: Machine> Asked<M> {
    pub(super) fn nothing() -> Asked<M> {
        Asked(RefCell::new(Vec::new()))
    }

    /// The address of a list; `positions` says where listed nodes are in the box.
    fn address(&self, machine: &M, nodes: &[usize], positions: Option<&[u32]>) -> Result<u64, Error> {
        let mut lists = self.0.borrow_mut();
        let list = match lists.iter().position(|list| list.nodes == nodes) {
            Some(known) => lists.remove(known),
            None => {
                let stored = filled(machine, &numbers(nodes, positions))?;
                List { nodes: nodes.to_vec(), stored }
            }
        };
        if lists.len() == MOST_LISTS {
            // What was launched over it may be under way.
            machine.wait()?;
            lists.remove(0);
        }
        let address = list.stored.address();
        lists.push(list);
        Ok(address)
    }
}

/// Where these nodes, ascending, are stored. A solid node that a list leaves out stands for another: what it holds is not handed out.
pub(super) fn numbers(nodes: &[usize], positions: Option<&[u32]>) -> Vec<u32> {
    let Some(positions) = positions else { return nodes.iter().map(|&node| node as u32).collect() };
    let mut numbers = vec![0; nodes.len()];
    for (number, &at) in positions.iter().enumerate() {
        if let Ok(place) = nodes.binary_search(&(at as usize)) {
            numbers[place] = number as u32;
        }
    }
    numbers
}

impl<M: Machine> DeviceEngine<M> {
    /// The post-collision populations of some nodes of the box, ascending, direction after direction.
    pub(super) fn gather(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        let (q, count) = (self.facts.lattice.q(), nodes.len());
        if count == 0 {
            return Ok(());
        }
        let list = self.asked.address(&self.machine, nodes, self.positions.as_deref())?;
        let at_once = (self.staging.values / q).min(count);
        for first in (0..count).step_by(at_once) {
            let some = at_once.min(count - first);
            self.gather_listed(list, first..first + some, self.staging.memory.address())?;
            let mut values = vec![0.0; q * some];
            self.staging.memory.read(0, bytes_of_mut(&mut values))?;
            for (line, out) in values.chunks(some).zip(out.chunks_mut(count)) {
                out[first..][..some].copy_from_slice(line);
            }
        }
        clear_solids(&self.setup.domain().flags, nodes.iter().copied(), out);
        Ok(())
    }

    /// Sets what is stored of some nodes of a box that is stored as a whole, ascending, value after value.
    pub(super) fn scatter(&self, nodes: &[usize], values: &[f64]) -> Result<(), Error> {
        let (facts, all, count) = (&self.facts, self.facts.state_values(), nodes.len());
        if count == 0 {
            return Ok(());
        }
        // The list stands behind the values: memory of its own would take as long as all else.
        let of_a_node = all * facts.precision.stored_bytes + size_of::<u32>();
        let at_once = ((self.staging.memory.bytes() - LIST_ALIGNED) / of_a_node).min(count);
        let (mut some, mut bytes) = (Vec::new(), Vec::new());
        for first in (0..count).step_by(at_once) {
            let here = first..count.min(first + at_once);
            some.clear();
            values.chunks(count).for_each(|line| some.extend_from_slice(&line[here.clone()]));
            bytes.resize(some.len() * facts.precision.stored_bytes, 0);
            facts.precision.encode(&some, &mut bytes);
            let behind = bytes.len().next_multiple_of(LIST_ALIGNED);
            self.staging.memory.write(behind, bytes_of(&numbers(&nodes[here.clone()], None)))?;
            let mut bindings = self.beside(&None, self.setup.domain().size);
            bindings.array(Resource::Asked, self.staging.memory.address() + behind as u64);
            self.with_values("scatter", bindings.portion(0, 0, here.len()), &bytes)?;
        }
        Ok(())
    }

    /// Launches what brings the populations of some nodes of a list on the machine to this address, in f64.
    pub(super) fn gather_listed(&self, list: u64, some: Range<usize>, to: u64) -> Result<(), Error> {
        let mut bindings = self.beside(&None, self.setup.domain().size);
        bindings.array(Resource::Asked, list).array(Resource::Values, to);
        self.access("gather", bindings.portion(0, some.start, some.len()))
    }
}
