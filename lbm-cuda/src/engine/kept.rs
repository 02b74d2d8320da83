//! The state of a step, kept apart on the machine while the flow goes on.

use lbm_core::engine::PendingState;
use lbm_core::error::DeviceError;
use lbm_core::pieces::{Take, nodes_of_piece, pieces};
use lbm_core::{Error, Facts};

use super::DeviceEngine;
use super::exchange::decoded;
use crate::machine::{Copier, Machine};

/// A copy of the state on the machine, in canonical order, as it is stored. Pieces of it cross when they are asked for.
struct Kept<M: Machine> {
    memory: M::Memory,
    copier: M::Copier,
    facts: Facts,
    /// Those of the box, which say what is solid.
    flags: Vec<u8>,
    nodes: usize,
}

impl<M: Machine> PendingState for Kept<M> {
    fn hand_out(&self, take: Take<'_>) -> Result<(), Error> {
        let (facts, bytes) = (&self.facts, self.facts.precision.stored_bytes);
        let count = facts.state_values();
        for nodes in pieces(0..self.nodes, nodes_of_piece(count)) {
            let line = bytes * nodes.len();
            let mut stored = vec![0; count * line];
            for (i, stored) in stored.chunks_mut(line).enumerate() {
                self.copier.read(&self.memory, bytes * (i * self.nodes + nodes.start), stored)?;
            }
            let values = decoded(facts, &self.flags, &nodes, &stored);
            take(nodes, &values)?;
        }
        Ok(())
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Copies the state to memory of its own, behind the steps so far: the values of a node once more, for as long as they are wanted. None
    /// without room for it.
    pub(super) fn keep_apart(&self) -> Result<Option<Box<dyn PendingState>>, Error> {
        let (facts, domain) = (self.facts, self.setup.domain());
        let nodes = domain.nodes();
        let memory = match self.machine.memory(facts.state_values() * nodes * facts.precision.stored_bytes) {
            Ok(memory) => memory,
            Err(Error::Device(DeviceError::OutOfMemory { .. })) => return Ok(None),
            Err(error) => return Err(error),
        };
        let positions = self.positions()?;
        self.each_value("get", &mut self.beside(positions, domain.size), &(0..nodes), &memory)?;
        let (copier, flags) = (self.machine.copier()?, domain.flags.clone());
        Ok(Some(Box::new(Kept::<M> { memory, copier, facts, flags, nodes })))
    }
}
