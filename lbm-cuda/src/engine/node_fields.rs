//! What the collision reads of each node beside its populations, between the machine and the host.

use std::ops::Range;

use lbm_core::Error;
use lbm_core::derived::Padded;
use lbm_core::engine::{Engine as _, no_such_field};
use lbm_core::pieces::{Give, Take, clear_solids, fill, nodes_of_piece, pieces};

use super::DeviceEngine;
use super::built::launch;
use super::stepping::Clock;
use crate::assemble::Resource;
use crate::machine::{Machine, Memory};

impl<M: Machine> DeviceEngine<M> {
    /// Nodes of which a field has values: those of the box, or the listed ones.
    fn nodes_with_fields(&self) -> usize {
        self.positions.as_ref().map_or(self.padded().nodes(), Vec::len)
    }

    /// How the nodes of a box are numbered.
    fn padded(&self) -> Padded {
        self.facts.padded(self.setup.domain().size)
    }

    /// Whether values lie in another order than nodes of the box.
    fn is_scattered(&self) -> bool {
        self.positions.is_some() || self.facts.body.reach() > 0
    }

    /// Calls `each` with the place of a value and its node, of all nodes of a part of the box that have one.
    fn each_scattered(&self, nodes: Range<usize>, mut each: impl FnMut(usize, usize)) {
        match &self.positions {
            Some(positions) => {
                let all = positions.iter().enumerate();
                all.filter(|(_, node)| nodes.contains(&(**node as usize)))
                    .for_each(|(at, &node)| each(at, node as usize));
            }
            None => {
                let padded = self.padded();
                nodes.for_each(|node| each(padded.of_node(node), node));
            }
        }
    }

    /// The memory of all fields, and where field `n` begins in it, bytes.
    fn node_field(&self, n: usize) -> Result<(&M::Memory, usize), Error> {
        let bytes = self.facts.precision.arithmetic.bytes();
        let memory = self.arrays.memory(Resource::NodeFields).filter(|_| n < self.facts.body.field_count());
        let memory = memory.ok_or_else(|| no_such_field(n, &self.description()))?;
        Ok((memory, n * self.nodes_with_fields() * bytes))
    }

    /// Sets a field once all steps are done that were started.
    pub(super) fn put_node_field(&self, n: usize, give: Give<'_>) -> Result<(), Error> {
        if n >= self.facts.body.fields.len() {
            return Err(no_such_field(n, &self.description()));
        }
        let (memory, begin) = self.node_field(n)?;
        self.machine.wait()?;
        let (arithmetic, scattered) = (self.facts.precision.arithmetic, self.is_scattered());
        let mut all = if scattered { vec![0.0; self.nodes_with_fields()] } else { Vec::new() };
        for nodes in pieces(0..self.setup.domain().nodes(), nodes_of_piece(1)) {
            let mut values = vec![0.0; nodes.len()];
            fill(give, nodes.clone(), &mut values);
            if scattered {
                self.each_scattered(nodes.clone(), |at, node| all[at] = values[node - nodes.start]);
            } else {
                memory.write(begin + nodes.start * arithmetic.bytes(), &arithmetic.in_memory(&values))?;
            }
        }
        if scattered {
            memory.write(begin, &arithmetic.in_memory(&all))?;
        }
        Ok(())
    }

    /// Gives nodes that have become fluid, numbered as kernels number them, the default fields, and forgets what followed in steps before.
    pub(super) fn restore_fields(&self, numbers: impl Iterator<Item = usize>) -> Result<(), Error> {
        let arithmetic = self.facts.precision.arithmetic;
        if self.facts.body.fields.is_empty() {
            return self.clear_derived();
        }
        let numbers: Vec<usize> = numbers.collect();
        let runs: Vec<_> = numbers.chunk_by(|one, other| one + 1 == *other).collect();
        for (n, value) in self.facts.default_fields().take(self.facts.body.fields.len()).enumerate() {
            let (memory, begin) = self.node_field(n)?;
            let values = arithmetic.in_memory(&vec![value; numbers.len()]);
            let parts = runs
                .iter()
                .map(|run| (begin + run[0] * arithmetic.bytes(), &values[..run.len() * arithmetic.bytes()]));
            memory.write_all(&parts.collect::<Vec<_>>())?;
        }
        self.clear_derived()
    }

    /// Computes those fields of the last step that it did not store: what it computed where it read it, from the copy that it read.
    pub(super) fn derive_last(&self) -> Result<(), Error> {
        if !self.owes_fields.replace(false) {
            return Ok(());
        }
        let Clock { step, copy } = self.motion.now;
        let before =
            Clock { step: step.saturating_sub(1), copy: (copy + self.facts.copies - 1) % self.facts.copies };
        let (bindings, _) = self.copies_before(before);
        for kernel in self.step.asked() {
            launch(&self.machine, kernel, &self.facts, self.setup.domain().size, &bindings)?;
        }
        match self.facts.body.joined_pass() {
            Some(pass) => self.access(&format!("near_{pass}_0"), &self.bindings(self.motion.now)),
            None => Ok(()),
        }
    }

    /// Forgets what followed in steps before.
    pub(super) fn clear_derived(&self) -> Result<(), Error> {
        self.owes_fields.set(false);
        let (body, bytes) = (&self.facts.body, self.facts.precision.arithmetic.bytes());
        for n in body.fields.len()..body.field_count() {
            let (memory, begin) = self.node_field(n)?;
            for values in pieces(0..self.nodes_with_fields(), nodes_of_piece(1)) {
                memory.write(begin + values.start * bytes, &vec![0; values.len() * bytes])?;
            }
        }
        Ok(())
    }

    /// Hands out a field of some nodes of the box.
    pub(super) fn get_node_field(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.derive_last()?;
        let (memory, begin) = self.node_field(n)?;
        let arithmetic = self.facts.precision.arithmetic;
        let read = |first: usize, count: usize| {
            let mut bytes = vec![0; count * arithmetic.bytes()];
            memory.read(begin + first * arithmetic.bytes(), &mut bytes)?;
            Ok::<_, Error>(arithmetic.from_memory(&bytes))
        };
        let (scattered, padded) = (self.is_scattered(), self.padded());
        // Of a list all; of a wider box what lies between.
        let between = match &self.positions {
            Some(positions) => 0..positions.len(),
            None if nodes.is_empty() => 0..0,
            None => padded.of_node(nodes.start)..padded.of_node(nodes.end - 1) + 1,
        };
        let all = if scattered { read(between.start, between.len())? } else { Vec::new() };
        for nodes in pieces(nodes, nodes_of_piece(1)) {
            let mut values = match scattered {
                false => read(nodes.start, nodes.len())?,
                true => {
                    let mut values = vec![0.0; nodes.len()];
                    self.each_scattered(nodes.clone(), |at, node| {
                        values[node - nodes.start] = all[at - between.start]
                    });
                    values
                }
            };
            clear_solids(&self.setup.domain().flags, nodes.clone(), &mut values);
            take(nodes, &values)?;
        }
        Ok(())
    }
}
