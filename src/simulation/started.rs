//! Fields of a step that are taken while the flow goes on.

use std::ops::Range;

use lbm_core::engine::{FieldRequest, PendingFields, TakeOf, TakeRounded};
use lbm_core::pieces::Take;
use lbm_core::{Domain, Error};

use super::fields::Fields;

/// Fields that were asked for at one step; the flow may go on before they are taken. Where the flow is on a device they lie there, else
/// they take the bytes of the [request](FieldRequest) on the host.
#[must_use = "the fields come from `hand_out` or `wait`"]
pub struct StartedFields {
    step: u64,
    request: FieldRequest,
    /// Of the box: which nodes are solid.
    flags: Vec<u8>,
    pending: Box<dyn PendingFields>,
}

impl StartedFields {
    pub(super) fn new(
        step: u64,
        request: FieldRequest,
        domain: &Domain,
        pending: Box<dyn PendingFields>,
    ) -> StartedFields {
        // On a grid it is not nodes of the box that are numbered.
        let flags = if request.grid.is_some() { Vec::new() } else { domain.flags.clone() };
        StartedFields { step, request, flags, pending }
    }

    /// The step whose fields they are.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// What was asked for.
    #[must_use]
    pub fn request(&self) -> &FieldRequest {
        &self.request
    }

    /// Hands out some of the components `rho, u_x, u_y, u_z` that were asked for, of all nodes that were, piece after piece
    /// ([`lbm_core::pieces`]): density 1 and velocity 0 in solids, on a grid anything there. Another thread may take them, and they may be asked for again.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for components that were not asked for; those of `take` and of the engine.
    pub fn hand_out(&self, components: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.check(&components)?;
        self.pending.hand_out(components.clone(), &mut |nodes, values| {
            self.at_rest_in_solids([1.0, 0.0], &components, nodes, values, take)
        })
    }

    /// The same in f32.
    ///
    /// # Errors
    /// As [`hand_out`](StartedFields::hand_out).
    pub fn hand_out_rounded(&self, components: Range<usize>, take: TakeRounded<'_>) -> Result<(), Error> {
        self.check(&components)?;
        self.pending.hand_out_rounded(components.clone(), &mut |nodes, values| {
            self.at_rest_in_solids([1.0, 0.0], &components, nodes, values, take)
        })
    }

    fn check(&self, components: &Range<usize>) -> Result<(), Error> {
        let asked = &self.request.components;
        if components.start >= asked.start && components.end <= asked.end {
            return Ok(());
        }
        Err(Error::out_of_range(
            "components of fields",
            format!("{components:?}"),
            format!("within {asked:?} of rho, u_x, u_y, u_z, which were asked for"),
            "ask for more in the request",
        ))
    }

    /// Hands on components of some nodes, with what density and velocity are at rest where nodes are solid.
    fn at_rest_in_solids<T: Copy>(
        &self,
        [density, velocity]: [T; 2],
        components: &Range<usize>,
        nodes: Range<usize>,
        values: &[T],
        take: TakeOf<'_, T>,
    ) -> Result<(), Error> {
        if self.flags.is_empty() {
            return take(nodes, values);
        }
        let mut values = values.to_vec();
        for (component, line) in components.clone().zip(values.chunks_mut(nodes.len())) {
            let at_rest = if component == 0 { density } else { velocity };
            let solid = line.iter_mut().zip(&self.flags[nodes.clone()]).filter(|(_, flag)| **flag != 0);
            solid.for_each(|(value, _)| *value = at_rest);
        }
        take(nodes, &values)
    }

    /// Waits for all of them; another thread may.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn wait(self) -> Result<Fields, Error> {
        let mut fields = Fields::at_rest(self.step, self.request.clone());
        self.pending.hand_out(self.request.components.clone(), &mut |nodes, values| {
            fields.take(&self.flags, nodes, values);
            Ok(())
        })?;
        Ok(fields)
    }
}

impl std::fmt::Debug for StartedFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartedFields").field("step", &self.step()).finish_non_exhaustive()
    }
}
