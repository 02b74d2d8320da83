//! Density and velocity of every node, computed on the machine.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::Error;
use lbm_core::engine::PendingFields;
use lbm_core::pieces::{Take, paste, pieces};

use super::DeviceEngine;
use crate::assemble::Resource;
use crate::machine::{Landing, Machine, Memory, bytes_of, bytes_of_mut};

/// Numbers a node: density and velocity.
const PER_NODE: usize = 4;

/// Memory that the next fields in flight can take over, on the machine and on the host. Pinned memory is slow to get.
pub(super) type Room<M> = Arc<Mutex<Vec<(<M as Machine>::Memory, <M as Machine>::Landing)>>>;

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
    fn wait(self: Box<Self>, see: &mut dyn FnMut(&[f64])) -> Result<(), Error> {
        see(self.landing.values()?);
        self.room.lock().unwrap_or_else(PoisonError::into_inner).push((self.memory, self.landing));
        Ok(())
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Density and velocity of every node, value after value: `rho`, `u_x`, `u_y`, `u_z`, in f64, by the formulas that take
    /// pre-collision populations; the stored ones come after the collision, so `force` is the body force with its sign turned. Solid
    /// nodes have anything. No memory is taken on the machine. Fails if the device is lost.
    pub fn macroscopic(&self, force: [f64; 3]) -> Result<Vec<f64>, Error> {
        let nodes = self.setup.domain.nodes();
        let mut fields = vec![0.0; PER_NODE * nodes];
        self.get_fields(force, 0..nodes, &mut |nodes, values| {
            paste(&mut fields, nodes, values);
            Ok(())
        })?;
        Ok(fields)
    }

    /// The same of some nodes of the box, piece after piece.
    pub(super) fn get_fields(
        &self,
        force: [f64; 3],
        nodes: Range<usize>,
        take: Take<'_>,
    ) -> Result<(), Error> {
        let (memory, positions) = (&self.staging.memory, self.positions()?);
        for nodes in pieces(nodes, self.staging.values / PER_NODE) {
            let mut values = vec![0.0; PER_NODE * nodes.len()];
            self.launch_fields(memory, &positions, force, &nodes)?;
            memory.read(0, bytes_of_mut(&mut values))?;
            take(nodes, &values)?;
        }
        Ok(())
    }

    /// Starts what [`macroscopic`](DeviceEngine::macroscopic) does for some nodes of the box; steps that follow run beside the copy.
    /// Takes 32 bytes a node on the machine and on the host, which are kept for the next time.
    ///
    /// # Errors
    /// Too little memory on the machine or on the host; a lost device.
    pub fn start_fields(&mut self, force: [f64; 3], nodes: Range<usize>) -> Result<FieldsInFlight<M>, Error> {
        let values = PER_NODE * nodes.len();
        let bytes = values * size_of::<f64>();
        let kept = {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = room.iter().position(|(memory, _)| memory.bytes() == bytes);
            fits.map(|at| room.swap_remove(at))
        };
        let (memory, landing) = match kept {
            Some(room) => room,
            None => (self.machine.memory(bytes)?, self.machine.landing(values)?),
        };
        let positions = self.positions()?;
        self.launch_fields(&memory, &positions, force, &nodes)?;
        let landing = self.machine.start_read(&memory, landing)?;
        Ok(FieldsInFlight { landing, memory, _positions: positions, room: Arc::clone(&self.room) })
    }

    /// Computes the fields of some nodes of the box into memory.
    fn launch_fields(
        &self,
        memory: &M::Memory,
        positions: &Option<M::Memory>,
        force: [f64; 3],
        nodes: &Range<usize>,
    ) -> Result<(), Error> {
        let mut bindings = self.beside(positions, self.setup.domain.size);
        bindings.number(Resource::First, nodes.start).number(Resource::Count, nodes.len());
        bindings.array(Resource::Values, memory.address()).bytes(Resource::Force, bytes_of(&force));
        self.access("fields", &bindings)
    }
}
