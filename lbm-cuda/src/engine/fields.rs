//! Density and velocity of every node, computed on the machine.

use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::Error;
use lbm_core::engine::PendingFields;

use super::DeviceEngine;
use super::exchange::FIELDS;
use crate::assemble::SERVICE_BLOCK;
use crate::machine::{Arguments, Launch, Machine};

/// Numbers a node: density and velocity.
const PER_NODE: usize = 4;

/// Memory that the next fields in flight can take over, on the machine and on the host. Pinned memory is slow to get.
pub(super) type Room<M> = Arc<Mutex<Option<(<M as Machine>::Memory, <M as Machine>::Landing)>>>;

/// Fields on their way to the host, while later steps run.
#[must_use = "the fields come from `wait`"]
pub struct FieldsInFlight<M: Machine> {
    outgoing: M::Outgoing,
    memory: M::Memory,
    room: Room<M>,
}

impl<M: Machine> FieldsInFlight<M> {
    /// Waits for the fields: `[rho, u_x, u_y, u_z]` of every node, in the order x, y, z.
    ///
    /// # Errors
    /// A lost device.
    pub fn wait(self) -> Result<Vec<[f64; 4]>, Error> {
        let landing = M::finish_read(self.outgoing)?;
        let fields = M::landed(&landing).as_chunks::<PER_NODE>().0.to_vec();
        *self.room.lock().unwrap_or_else(PoisonError::into_inner) = Some((self.memory, landing));
        Ok(fields)
    }
}

impl<M: Machine> PendingFields for FieldsInFlight<M> {
    fn wait(self: Box<Self>) -> Result<Vec<[f64; 4]>, Error> {
        FieldsInFlight::wait(*self)
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Density and velocity of every node: `[rho, u_x, u_y, u_z]`, in f64, by the formulas that take pre-collision
    /// populations; the stored ones come after the collision, so `force` is the body force with its sign turned. Solid
    /// nodes have what zero populations give. No memory is taken on the machine.
    ///
    /// # Errors
    /// A lost device.
    pub fn macroscopic(&self, force: [f64; 3]) -> Result<Vec<[f64; 4]>, Error> {
        let mut fields = vec![[0.0; PER_NODE]; self.setup.domain.nodes()];
        let portion = self.exchange.values / PER_NODE;
        for (number, part) in fields.chunks_mut(portion).enumerate() {
            self.launch_fields(&self.exchange.memory, force, number * portion, part.len())?;
            // SAFETY: f64 has no invalid bits, and the length is the part's own.
            let bytes =
                unsafe { std::slice::from_raw_parts_mut(part.as_mut_ptr().cast::<u8>(), size_of_val(part)) };
            self.machine.read(&self.exchange.memory, 0, bytes)?;
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
        self.launch_fields(&memory, force, 0, nodes)?;
        let outgoing = self.machine.start_read(&memory, landing)?;
        Ok(FieldsInFlight { outgoing, memory, room: Arc::clone(&self.room) })
    }

    /// Computes the fields of `count` nodes from node `first` on into memory.
    fn launch_fields(
        &self,
        memory: &M::Memory,
        force: [f64; 3],
        first: usize,
        count: usize,
    ) -> Result<(), Error> {
        let arguments = self
            .told_service(Arguments::new().word(self.populations_now()).word(self.machine.address(memory)))
            .unsigned(self.phase())
            .bytes(super::bytes_of(&force))
            .word(first as u64)
            .word(count as u64);
        let blocks = count.div_ceil(SERVICE_BLOCK as usize) as u32;
        let launch = Launch::new([blocks, 1, 1], [SERVICE_BLOCK, 1, 1], arguments);
        // SAFETY: these are the parameters that `assemble` printed; the memory holds four numbers for each of the nodes.
        unsafe { self.machine.launch(&self.service[FIELDS], &launch) }
    }
}
