//! Density and velocity of every node, computed on the machine.

use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::Error;
use lbm_core::engine::PendingFields;

use super::DeviceEngine;
use crate::assemble::Resource;
use crate::machine::{Landing, Machine, Memory, bytes_of, bytes_of_mut};

/// Numbers a node: density and velocity.
const PER_NODE: usize = 4;

/// Memory that the next fields in flight can take over, on the machine and on the host. Pinned memory is slow to get.
pub(super) type Room<M> = Arc<Mutex<Option<(<M as Machine>::Memory, <M as Machine>::Landing)>>>;

/// Fields on their way to the host, while later steps run.
#[must_use = "the fields come from `PendingFields::wait`"]
pub struct FieldsInFlight<M: Machine> {
    landing: M::Landing,
    memory: M::Memory,
    /// Where listed nodes are, until all are done.
    _positions: Option<M::Memory>,
    room: Room<M>,
}

impl<M: Machine> PendingFields for FieldsInFlight<M> {
    fn wait(self: Box<Self>) -> Result<Vec<[f64; 4]>, Error> {
        let fields = self.landing.values()?.as_chunks::<PER_NODE>().0.to_vec();
        *self.room.lock().unwrap_or_else(PoisonError::into_inner) = Some((self.memory, self.landing));
        Ok(fields)
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Density and velocity of every node: `[rho, u_x, u_y, u_z]`, in f64, by the formulas that take pre-collision
    /// populations; the stored ones come after the collision, so `force` is the body force with its sign turned. Solid
    /// nodes have what zero populations give. No memory is taken on the machine. Fails if the device is lost.
    pub fn macroscopic(&self, force: [f64; 3]) -> Result<Vec<[f64; 4]>, Error> {
        let mut fields = vec![[0.0; PER_NODE]; self.setup.domain.nodes()];
        let portion = self.staging.values / PER_NODE;
        let positions = self.positions()?;
        for (number, part) in fields.chunks_mut(portion).enumerate() {
            let memory = &self.staging.memory;
            self.launch_fields(memory, &positions, force, number * portion, part.len())?;
            memory.read(0, bytes_of_mut(part.as_flattened_mut()))?;
        }
        Ok(fields)
    }

    /// Starts what [`macroscopic`](DeviceEngine::macroscopic) does; steps that follow run beside the copy. Takes 32 bytes a
    /// node on the machine and on the host, which are kept for the next time.
    ///
    /// # Errors
    /// Too little memory on the machine or on the host; a lost device.
    pub fn start_fields(&mut self, force: [f64; 3]) -> Result<FieldsInFlight<M>, Error> {
        let nodes = self.setup.domain.nodes();
        let kept = self.room.lock().unwrap_or_else(PoisonError::into_inner).take();
        let (memory, landing) = match kept {
            Some(room) => room,
            None => {
                let values = PER_NODE * nodes;
                (self.machine.memory(values * size_of::<f64>())?, self.machine.landing(values)?)
            }
        };
        let positions = self.positions()?;
        self.launch_fields(&memory, &positions, force, 0, nodes)?;
        let landing = self.machine.start_read(&memory, landing)?;
        Ok(FieldsInFlight { landing, memory, _positions: positions, room: Arc::clone(&self.room) })
    }

    /// Computes the fields of `count` nodes from node `first` on into memory.
    fn launch_fields(
        &self,
        memory: &M::Memory,
        positions: &Option<M::Memory>,
        force: [f64; 3],
        first: usize,
        count: usize,
    ) -> Result<(), Error> {
        let mut bindings = self.beside(positions, self.setup.domain.size);
        bindings.number(Resource::First, first).number(Resource::Count, count);
        bindings.array(Resource::Values, memory.address()).bytes(Resource::Force, bytes_of(&force));
        self.access("fields", &bindings)
    }
}
