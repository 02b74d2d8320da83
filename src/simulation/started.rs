//! Fields of a step that are taken while the flow goes on.

use std::ops::Range;

use lbm_core::engine::{FieldRequest, PendingFields};
use lbm_core::parallel::each_chunk;
use lbm_core::pieces::{Take, pieces};
use lbm_core::{Domain, Error};

use super::fields::Fields;

/// Numbers of which a core takes some at a time.
const AT_ONCE: usize = 1 << 14;

/// Nodes of which they are handed out at a time.
const PIECE: usize = 1 << 17;

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
        let asked = &self.request.components;
        if components.start < asked.start || components.end > asked.end {
            return Err(Error::out_of_range(
                "components of fields",
                format!("{components:?}"),
                format!("within {asked:?} of rho, u_x, u_y, u_z, which were asked for"),
                "ask for more in the request",
            ));
        }
        self.pending.hand_out(components.clone(), &mut |nodes, values| {
            if self.flags.is_empty() {
                return take(nodes, values);
            }
            let mut values = values.to_vec();
            for (component, line) in components.clone().zip(values.chunks_mut(nodes.len())) {
                let at_rest = if component == 0 { 1.0 } else { 0.0 };
                let solid = line.iter_mut().zip(&self.flags[nodes.clone()]).filter(|(_, flag)| **flag != 0);
                solid.for_each(|(value, _)| *value = at_rest);
            }
            take(nodes, &values)
        })
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

/// Fields that the host has computed, component after component.
pub(super) struct HeldFields {
    request: FieldRequest,
    numbers: Numbers,
}

enum Numbers {
    Rounded(Vec<f32>),
    Wide(Vec<f64>),
}

impl HeldFields {
    /// Room for what a request asks for.
    pub(super) fn room(request: FieldRequest) -> HeldFields {
        let values = request.values();
        let numbers = match request.rounded {
            true => Numbers::Rounded(vec![0.0; values]),
            false => Numbers::Wide(vec![0.0; values]),
        };
        HeldFields { request, numbers }
    }

    /// Where a component of a piece of nodes lies.
    fn place(&self, component: usize, nodes: &Range<usize>) -> Range<usize> {
        let FieldRequest { nodes: all, components, .. } = &self.request;
        let first = (component - components.start) * all.len() + nodes.start - all.start;
        first..first + nodes.len()
    }

    /// Takes what was asked for of a piece of density and velocity, on all cores.
    pub(super) fn take(&mut self, nodes: Range<usize>, values: &[f64]) {
        for component in self.request.components.clone() {
            let (place, from) = (self.place(component, &nodes), &values[component * nodes.len()..]);
            match &mut self.numbers {
                Numbers::Rounded(all) => each_chunk(&mut all[place], AT_ONCE, |number, own| {
                    own.iter_mut()
                        .zip(&from[number * AT_ONCE..])
                        .for_each(|(own, &value)| *own = value as f32);
                }),
                Numbers::Wide(all) => all[place.clone()].copy_from_slice(&from[..place.len()]),
            }
        }
    }
}

impl PendingFields for HeldFields {
    fn hand_out(&self, components: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        for nodes in pieces(self.request.nodes.clone(), PIECE) {
            let mut values = Vec::with_capacity(components.len() * nodes.len());
            for component in components.clone() {
                let place = self.place(component, &nodes);
                match &self.numbers {
                    Numbers::Rounded(all) => values.extend(all[place].iter().map(|&value| f64::from(value))),
                    Numbers::Wide(all) => values.extend_from_slice(&all[place]),
                }
            }
            take(nodes, &values)?;
        }
        Ok(())
    }
}
