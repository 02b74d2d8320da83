//! Populations of single nodes. Where nodes are listed, the numbers of those that were asked for last are kept: to find them is to go through the list.

use std::cell::RefCell;

use lbm_core::Error;
use lbm_core::pieces::clear_solids;

use super::DeviceEngine;
use super::binding::Bindings;
use crate::assemble::Resource;
use crate::machine::{Machine, Memory, bytes_of, bytes_of_mut};

/// Lists that are kept: those of a few bodies and sections that are looked at in turn.
const MOST_LISTS: usize = 8;

/// A list behind values begins at a multiple of so many bytes.
const LIST_ALIGNED: usize = 256;

/// Nodes that were asked for, and their numbers among the listed ones.
struct List {
    nodes: Vec<usize>,
    numbers: Vec<u32>,
}

/// The lists of the last looks, the latest in the end.
pub(super) struct Asked(RefCell<Vec<List>>);

impl Asked {
    pub(super) fn nothing() -> Asked {
        Asked(RefCell::new(Vec::new()))
    }

    /// Where nodes are stored; `positions` says where listed ones are in the box.
    fn numbers(&self, nodes: &[usize], positions: Option<&[u32]>) -> Vec<u32> {
        if positions.is_none() || nodes.is_empty() {
            return numbers(nodes, None);
        }
        let mut lists = self.0.borrow_mut();
        let list = match lists.iter().position(|list| list.nodes == nodes) {
            Some(known) => lists.remove(known),
            None => List { nodes: nodes.to_vec(), numbers: numbers(nodes, positions) },
        };
        if lists.len() == MOST_LISTS {
            lists.remove(0);
        }
        let numbers = list.numbers.clone();
        lists.push(list);
        numbers
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
        let asked = || self.asked.numbers(nodes, self.positions.as_deref());
        self.gather_stored(nodes, &self.known_numbers(nodes).unwrap_or_else(asked), out)
    }

    /// The same of nodes that are stored under these numbers.
    pub(super) fn gather_stored(
        &self,
        nodes: &[usize],
        numbers: &[u32],
        out: &mut [f64],
    ) -> Result<(), Error> {
        let (q, count) = (self.facts.lattice.q(), nodes.len());
        if count == 0 {
            return Ok(());
        }
        let at_once = self.listed_at_once(q * size_of::<f64>()).min(count);
        for first in (0..count).step_by(at_once) {
            let some = at_once.min(count - first);
            let bindings = self.listed(&numbers[first..first + some], q * some * size_of::<f64>())?;
            self.access("gather", &bindings)?;
            let mut values = vec![0.0; q * some];
            self.staging.memory.read(0, bytes_of_mut(&mut values))?;
            for (line, out) in values.chunks(some).zip(out.chunks_mut(count)) {
                out[first..][..some].copy_from_slice(line);
            }
        }
        clear_solids(&self.setup.domain().flags, nodes.iter().copied(), out);
        Ok(())
    }

    /// Sets what is stored of some nodes of a box that is stored as a whole, ascending, value after value; zeros of solid ones.
    pub(super) fn scatter(&self, nodes: &[usize], values: &[f64]) -> Result<(), Error> {
        self.scatter_stored(nodes, &numbers(nodes, None), values)
    }

    /// The same of nodes that are stored under these numbers.
    pub(super) fn scatter_stored(
        &self,
        nodes: &[usize],
        numbers: &[u32],
        values: &[f64],
    ) -> Result<(), Error> {
        let (facts, count) = (&self.facts, nodes.len());
        if count == 0 {
            return Ok(());
        }
        let stored = facts.precision.stored_bytes;
        let at_once = self.listed_at_once(facts.state_values() * stored).min(count);
        let (mut some, mut bytes) = (Vec::new(), Vec::new());
        for first in (0..count).step_by(at_once) {
            let here = first..count.min(first + at_once);
            some.clear();
            values.chunks(count).for_each(|line| some.extend_from_slice(&line[here.clone()]));
            clear_solids(&self.setup.domain().flags, nodes[here.clone()].iter().copied(), &mut some);
            bytes.resize(some.len() * stored, 0);
            facts.precision.encode(&some, &mut bytes);
            let bindings = self.listed(&numbers[here], bytes.len())?;
            self.with_values("scatter", &bindings, &bytes)?;
        }
        Ok(())
    }

    /// Of how many nodes at once so many bytes each, and their list behind, are staged.
    fn listed_at_once(&self, bytes_of_a_node: usize) -> usize {
        (self.staging.memory.bytes() - LIST_ALIGNED) / (bytes_of_a_node + size_of::<u32>())
    }

    /// What a kernel is handed that does the nodes of a list: values of so many bytes, and behind them the list, since memory of its own would take as long
    /// as all else.
    fn listed(&self, numbers: &[u32], values: usize) -> Result<Bindings<'_>, Error> {
        let (staged, behind) = (&self.staging.memory, values.next_multiple_of(LIST_ALIGNED));
        staged.write(behind, bytes_of(numbers))?;
        let mut bindings = self.beside(None, self.setup.domain().size);
        bindings.array(Resource::Asked, staged.address() + behind as u64);
        bindings.array(Resource::Values, staged.address()).portion(0, 0, numbers.len());
        Ok(bindings)
    }
}
