//! What the collision reads of each node beside its populations, between the machine and the host.

use std::ops::Range;

use lbm_core::Error;
use lbm_core::engine::{Engine as _, no_such_field};
use lbm_core::pieces::{Give, Take, clear_solids, fill, nodes_of_piece, pieces};

use super::DeviceEngine;
use crate::assemble::Resource;
use crate::machine::{Machine, Memory};

impl<M: Machine> DeviceEngine<M> {
    /// Nodes of which a field has values: those of the box, or the listed ones.
    fn nodes_with_fields(&self) -> usize {
        self.positions.as_ref().map_or(self.setup.domain().nodes(), Vec::len)
    }

    /// The memory of all fields, and where field `n` begins in it, bytes.
    fn node_field(&self, n: usize) -> Result<(&M::Memory, usize), Error> {
        let bytes = self.facts.precision.arithmetic.bytes();
        let memory = self.arrays.memory(Resource::NodeFields).filter(|_| n < self.facts.body.fields.len());
        let memory = memory.ok_or_else(|| no_such_field(n, &self.description()))?;
        Ok((memory, n * self.nodes_with_fields() * bytes))
    }

    /// Sets a field once all steps are done that were started.
    pub(super) fn put_node_field(&self, n: usize, give: Give<'_>) -> Result<(), Error> {
        let (memory, begin) = self.node_field(n)?;
        self.machine.wait()?;
        let (arithmetic, mut listed) = (self.facts.precision.arithmetic, Vec::new());
        for nodes in pieces(0..self.setup.domain().nodes(), nodes_of_piece(1)) {
            let mut values = vec![0.0; nodes.len()];
            fill(give, nodes.clone(), &mut values);
            match &self.positions {
                None => {
                    memory.write(begin + nodes.start * arithmetic.bytes(), &arithmetic.in_memory(&values))?;
                }
                Some(positions) => {
                    listed.resize(positions.len(), 0.0);
                    for (value, &position) in listed.iter_mut().zip(positions) {
                        if nodes.contains(&(position as usize)) {
                            *value = values[position as usize - nodes.start];
                        }
                    }
                }
            }
        }
        if self.positions.is_some() {
            memory.write(begin, &arithmetic.in_memory(&listed))?;
        }
        Ok(())
    }

    /// Hands out a field of some nodes of the box.
    pub(super) fn get_node_field(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let (memory, begin) = self.node_field(n)?;
        let arithmetic = self.facts.precision.arithmetic;
        let read = |first: usize, count: usize| {
            let mut bytes = vec![0; count * arithmetic.bytes()];
            memory.read(begin + first * arithmetic.bytes(), &mut bytes)?;
            Ok::<_, Error>(arithmetic.from_memory(&bytes))
        };
        let listed = match &self.positions {
            Some(positions) => read(0, positions.len())?,
            None => Vec::new(),
        };
        for nodes in pieces(nodes, nodes_of_piece(1)) {
            let mut values = match &self.positions {
                None => read(nodes.start, nodes.len())?,
                Some(positions) => {
                    let mut values = vec![0.0; nodes.len()];
                    for (&value, &position) in listed.iter().zip(positions) {
                        if nodes.contains(&(position as usize)) {
                            values[position as usize - nodes.start] = value;
                        }
                    }
                    values
                }
            };
            clear_solids(&self.setup.domain().flags, nodes.clone(), &mut values);
            take(nodes, &values)?;
        }
        Ok(())
    }
}
