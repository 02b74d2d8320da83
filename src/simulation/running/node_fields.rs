//! What the collision of a flow in motion reads of each node.

use std::ops::Range;

use lbm_core::{Error, NodeField};

use super::Simulation;
use crate::simulation::node_fields::{check_all, given, place_of, settable};
use crate::simulation::node_forces::{NodeForces, StatedForces};

impl Simulation {
    /// The names of the fields that the collision reads of each node.
    pub fn field_names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.facts.body.fields.iter().map(|field: &NodeField| field.name)
    }

    /// Sets a field that the collision declares for all steps that follow, on any backend: the value of the node at `[x, y, z]`, asked for each fluid
    /// node on all cores, perhaps more than once. Checkpoints hold it. On an error the flow stays as it was.
    ///
    /// ```
    /// use lbm::prelude::*;
    ///
    /// solver! { Warming { lattice: D2Q9, collision: VaryingViscosity<Trt>, precision: F32 } }
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut flow = Warming::builder().size([8, 8]).viscosity(0.1).build()?;
    /// for part in 0..4 {
    ///     flow.set_field("ratio", move |[_, y, _]| 1.0 - 0.1 * f64::from(part) * y as f64 / 8.0)?;
    ///     flow.run(10)?;
    /// }
    /// assert!((flow.field("ratio")?[8 * 4] - 0.85).abs() < 1e-7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that the collision does not declare; [`Error::Conflict`] for where the nodes lie; [`Error::OutOfRange`] for the first
    /// fluid node whose value is not in the declared range.
    pub fn set_field(&mut self, name: &str, value: impl Fn([usize; 3]) -> f64 + Sync) -> Result<(), Error> {
        let n = settable(&self.facts, name)?;
        // What was seen before stays: velocities of the present step are those of the force with which it was reached.
        let is_force = self.facts.body.force_field && n < self.facts.lattice.dimension;
        let before = match &self.last_force_field {
            None if is_force => Some(self.present_forces(0..self.nodes())?),
            _ => None,
        };
        let (field, domain) = (&self.facts.body.fields[n], self.setup.known().domain());
        // What one process refuses of its nodes none sets.
        let give = given(domain, &value);
        self.on_all_ranks(check_all(domain, field, &give))?;
        let is_set = self.engine.now_mut().set_node_field(n, &give);
        self.on_all_ranks(is_set)?;
        if before.is_some() {
            self.last_force_field = before;
        }
        Ok(())
    }

    /// The components of a force that is a field, of some nodes.
    fn present_forces(&self, nodes: Range<usize>) -> Result<Vec<f64>, Error> {
        let mut values = Vec::with_capacity(self.facts.lattice.dimension * nodes.len());
        for n in 0..self.facts.lattice.dimension {
            self.engine.now().node_field_of(n, nodes.clone(), &mut |_, field| {
                values.extend_from_slice(field);
                Ok(())
            })?;
        }
        Ok(values)
    }

    /// The body force of the last step at some nodes.
    pub(super) fn last_forces(&self, nodes: Range<usize>) -> Result<NodeForces<'_>, Error> {
        if self.facts.body.states_force {
            let (facts, given) = (&self.facts, self.last_force);
            let parameters = self.last_parameters.as_deref().unwrap_or(&self.setup.known().parameters);
            let (mut fields, count) = (Vec::new(), nodes.len());
            for n in 0..facts.body.field_count() {
                self.engine.now().node_field_of(n, nodes.clone(), &mut |_, field| {
                    fields.extend_from_slice(field);
                    Ok(())
                })?;
            }
            return Ok(NodeForces::Stated(StatedForces { facts, parameters, given, fields, count }));
        }
        if !self.facts.body.force_field {
            return Ok(NodeForces::Same(self.last_force));
        }
        let count = nodes.len();
        let values = match &self.last_force_field {
            None => self.present_forces(nodes)?,
            Some(all) => {
                let lines = all.chunks(self.nodes());
                lines.flat_map(|line| &line[nodes.clone()]).copied().collect()
            }
        };
        Ok(NodeForces::Each(values, count))
    }

    /// The values of a field, one a node, as the collision reads them: rounded to the arithmetic type. Solid nodes have 0. A field that follows from others, such as
    /// what neighbours read of a node, is as it was in the last step, and 0 before there was one: a checkpoint does not hold it, nor, until then, the force of a model that it enters.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name that the collision does not declare, and that none of its fields has.
    pub fn field(&self, name: &str) -> Result<Vec<f64>, Error> {
        self.node_field(place_of(&self.facts, name)?)
    }

    /// The same by its number.
    pub(super) fn node_field(&self, n: usize) -> Result<Vec<f64>, Error> {
        let nodes = 0..self.nodes();
        self.check_gathered(nodes.len(), size_of::<f64>())?;
        let mut all = Vec::with_capacity(nodes.len());
        self.engine.now().node_field_of(n, nodes, &mut |_, values| {
            all.extend_from_slice(values);
            Ok(())
        })?;
        Ok(all)
    }
}
