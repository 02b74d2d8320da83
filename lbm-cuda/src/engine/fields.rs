//! Density and velocity of every node, computed on the machine.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use lbm_core::Error;
use lbm_core::engine::{FieldRequest, PendingFields, TakeOf, TakeRounded, sums_of_populations};
use lbm_core::pieces::{Take, nodes_of_piece, paste, pieces};

use super::DeviceEngine;
use crate::assemble::Resource;
use crate::machine::{Copier, Machine, Memory, Number, bytes_of, bytes_of_mut};

/// Numbers a node: density and velocity.
const PER_NODE: usize = 4;

/// Nodes of which fields that are kept apart cross at once.
const AT_ONCE: usize = 1 << 17;

/// Memory that is kept for the next fields, at most so many times: looks of other sizes come and go.
const MOST_ROOM: usize = 4;

/// Memory that the next fields of as many bytes can take over.
pub(super) type Room<M> = Arc<Mutex<Vec<(usize, <M as Machine>::Memory)>>>;

/// Fields that are kept apart on the machine while later steps run. Pieces of them cross when they are asked for.
#[must_use = "the fields come from `PendingFields::hand_out`"]
pub struct FieldsInFlight<M: Machine> {
    request: FieldRequest,
    /// None once it is given back.
    memory: Option<M::Memory>,
    copier: M::Copier,
    room: Room<M>,
}

impl<M: Machine> FieldsInFlight<M> {
    /// Has components of all nodes cross, piece after piece, as the numbers that they are kept as.
    fn in_pieces<T: Number>(&self, components: Range<usize>, take: TakeOf<'_, T>) -> Result<(), Error> {
        let (request, memory) = (&self.request, self.memory.as_ref().expect("it is given back at the end"));
        for nodes in pieces(request.nodes.clone(), AT_ONCE) {
            let count = nodes.len();
            let mut values = vec![T::default(); components.len() * count];
            for (component, line) in components.clone().zip(values.chunks_mut(count)) {
                let before = (component - request.components.start) * request.nodes.len();
                let first = before + nodes.start - request.nodes.start;
                self.copier.read(memory, size_of::<T>() * first, bytes_of_mut(line))?;
            }
            take(nodes, &values)?;
        }
        Ok(())
    }
}

impl<M: Machine> PendingFields for FieldsInFlight<M> {
    fn hand_out(&self, components: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        if !self.request.rounded {
            return self.in_pieces(components, take);
        }
        self.in_pieces(components, &mut |nodes, values: &[f32]| {
            take(nodes, &values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>())
        })
    }

    fn hand_out_rounded(&self, components: Range<usize>, take: TakeRounded<'_>) -> Result<(), Error> {
        if self.request.rounded {
            return self.in_pieces(components, take);
        }
        self.in_pieces(components, &mut |nodes, values: &[f64]| {
            take(nodes, &values.iter().map(|&value| value as f32).collect::<Vec<_>>())
        })
    }
}

impl<M: Machine> Drop for FieldsInFlight<M> {
    fn drop(&mut self) {
        let memory = self.memory.take().map(|memory| (self.request.bytes(), memory));
        let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
        room.extend(memory);
        let more = room.len().saturating_sub(MOST_ROOM);
        room.drain(..more);
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Density and velocity of every node, value after value: `rho`, `u_x`, `u_y`, `u_z`, in f64, by the formulas that take
    /// pre-collision populations; the stored ones come after the collision, so `force` is the body force with its sign turned. Solid
    /// nodes have anything. No memory is taken on the machine. Fails if the device is lost.
    pub fn macroscopic(&self, force: [f64; 3]) -> Result<Vec<f64>, Error> {
        let nodes = self.setup.domain().nodes();
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
        let memory = &self.staging.memory;
        for nodes in pieces(nodes, nodes_of_piece(PER_NODE).min(self.staging.values / PER_NODE)) {
            let mut values = vec![0.0; PER_NODE * nodes.len()];
            self.launch_fields(memory, force, &FieldRequest::of(nodes.clone()))?;
            memory.read(0, bytes_of_mut(&mut values))?;
            take(nodes, &values)?;
        }
        Ok(())
    }

    /// What populations along these directions of some nodes of the box sum to, piece after piece; where there is one set of them, the host sums.
    pub(super) fn get_sums(
        &self,
        directions: Range<usize>,
        nodes: Range<usize>,
        take: Take<'_>,
    ) -> Result<(), Error> {
        if self.accessors.named("sum").is_none() {
            return sums_of_populations(self, directions, nodes, take);
        }
        let mut bindings = self.beside(self.positions()?, self.setup.domain().size);
        bindings.number(Resource::DirectionEnd, directions.end);
        for nodes in pieces(nodes, nodes_of_piece(1).min(self.staging.values)) {
            self.access("sum", bindings.portion(directions.start, nodes.start, nodes.len()))?;
            let mut values = vec![0.0; nodes.len()];
            self.staging.memory.read(0, bytes_of_mut(&mut values))?;
            take(nodes, &values)?;
        }
        Ok(())
    }

    /// Starts what [`macroscopic`](DeviceEngine::macroscopic) does for what is asked for; steps that follow run beside the copies. Takes
    /// the bytes of the request on the machine, which are kept for the next time.
    ///
    /// # Errors
    /// Too little memory on the machine; a lost device.
    pub fn start_fields(
        &mut self,
        force: [f64; 3],
        request: &FieldRequest,
    ) -> Result<FieldsInFlight<M>, Error> {
        let kept = {
            let mut room = self.room.lock().unwrap_or_else(PoisonError::into_inner);
            let fits = room.iter().position(|&(bytes, _)| bytes == request.bytes());
            fits.map(|at| room.swap_remove(at).1)
        };
        let memory = match kept {
            Some(memory) => memory,
            None => self.machine.memory(request.bytes())?,
        };
        self.launch_fields(&memory, force, request)?;
        let (copier, room) = (self.machine.copier()?, Arc::clone(&self.room));
        let (request, memory) = (request.clone(), Some(memory));
        Ok(FieldsInFlight { request, memory, copier, room })
    }

    /// Computes fields into memory.
    fn launch_fields(
        &self,
        memory: &M::Memory,
        force: [f64; 3],
        request: &FieldRequest,
    ) -> Result<(), Error> {
        let mut bindings = self.beside(self.positions()?, self.setup.domain().size);
        let [values, rounded] = if request.rounded { [0, memory.address()] } else { [memory.address(), 0] };
        let nodes = self.setup.domain().nodes();
        // Nodes side by side are a row.
        let row = (request.nodes.start, [request.nodes.len().max(1), 1, 1], [1, nodes, nodes]);
        let on_grid = request.grid.map(|grid| (grid.strides().0, grid.count, grid.strides().1));
        let (first, count, stride) = on_grid.unwrap_or(row);
        let sampling = sampling(count, stride);
        bindings.number(Resource::First, first).number(Resource::Count, request.nodes.len());
        bindings.bytes(Resource::Sampling, bytes_of(&sampling));
        bindings.array(Resource::Values, values).array(Resource::Rounded, rounded);
        let wanted = request.components.clone().map(|component| 1usize << component).sum::<usize>();
        bindings.number(Resource::Wanted, wanted).bytes(Resource::Force, bytes_of(&force));
        self.access("fields", &bindings)
    }
}

/// Nodes on a grid as kernels are handed them: how many along each axis, and how far their indices are apart.
pub(super) fn sampling(count: [usize; 3], stride: [usize; 3]) -> [u64; 6] {
    let [x, y, z] = count.map(|number| number as u64);
    let [along, up, across] = stride.map(|number| number as u64);
    [x, y, z, along, up, across]
}
