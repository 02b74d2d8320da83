//! What a process knows of the box of a flow: what its own parts need, and all of it once that is asked for.

use std::sync::{Arc, OnceLock};

use lbm_core::cut::{OwnBox, Transport};
use lbm_core::engine::Setup;
use lbm_core::{Domain, Error};

use super::plan::{Plan, Seen};

/// The box of a flow.
pub(super) struct KnownBox {
    /// That of which the engine was made.
    own: Setup,
    /// Where that is of a part of the nodes alone, of what all of them are made.
    rest: Option<Rest>,
    /// Fluid nodes of the whole box, where a part of it is known.
    fluid_nodes: usize,
}

/// What is known of nodes of other processes.
pub(super) struct Rest {
    transport: Arc<dyn Transport>,
    /// The nodes that are this process's own.
    own: Vec<OwnBox>,
    plan: Plan,
    /// The box without its solids.
    bare: Domain,
    /// All of it, once it was asked for.
    whole: OnceLock<Setup>,
}

impl Rest {
    /// What a plan makes of the box without its solids, of which these nodes are this process's own.
    pub(super) fn of(transport: Arc<dyn Transport>, own: Vec<OwnBox>, plan: Plan, bare: Domain) -> Rest {
        Rest { transport, own, plan, bare, whole: OnceLock::new() }
    }

    /// The processes.
    pub(super) fn transport(&self) -> Arc<dyn Transport> {
        Arc::clone(&self.transport)
    }

    /// Whether a node is this process's own.
    pub(super) fn has(&self, position: [usize; 3]) -> bool {
        self.own.iter().any(|own| own.contains(position))
    }
}

impl KnownBox {
    /// A box of which all nodes are known.
    pub(super) fn whole(setup: Setup) -> KnownBox {
        KnownBox { own: setup, rest: None, fluid_nodes: 0 }
    }

    /// One of which some are, with its faces and their rules, and how many fluid nodes all of it has.
    pub(super) fn part(setup: Setup, rest: Rest, fluid_nodes: usize) -> KnownBox {
        KnownBox { own: setup, rest: Some(rest), fluid_nodes }
    }

    /// What the engine was made of, and what has followed it since.
    pub(super) fn own(&self) -> &Setup {
        &self.own
    }

    /// Those who know the rest, where that is not known here as a whole: in all processes alike, whoever has asked for all of it.
    pub(super) fn others(&self) -> Option<&Rest> {
        self.rest.as_ref()
    }

    /// The box with what is known of its nodes: all that is not of single nodes is that of the whole box.
    pub(super) fn known(&self) -> &Setup {
        self.rest.as_ref().and_then(|rest| rest.whole.get()).unwrap_or(&self.own)
    }

    /// All of it, which is made when it is asked for first.
    ///
    /// # Errors
    /// Where memory does not hold a byte a node, or there are more links than are numbered.
    pub(super) fn all(&self) -> Result<&Setup, Error> {
        let Some(Rest { plan, bare, whole, .. }) = &self.rest else { return Ok(&self.own) };
        if let Some(known) = whole.get() {
            return Ok(known);
        }
        let mut made = plan.with_links(bare.clone(), &mut Seen::of(bare), false)?.setup;
        made.parameters.clone_from(&self.own.parameters);
        for (made, own) in made.adjustable().rules.iter_mut().zip(&self.own.domain().rules) {
            for (made, own) in made.in_time.iter_mut().zip(&own.in_time) {
                made.course.clone_from(&own.course);
            }
        }
        Ok(whole.get_or_init(|| made))
    }

    /// The same, to be changed; from then on it is all that is known.
    ///
    /// # Errors
    /// As [`all`](KnownBox::all).
    pub(super) fn all_mut(&mut self) -> Result<&mut Setup, Error> {
        self.all()?;
        if let Some(whole) = self.rest.take().and_then(|rest| rest.whole.into_inner()) {
            self.own = whole;
        }
        Ok(&mut self.own)
    }

    /// Changes what is not of single nodes.
    pub(super) fn adjust<T>(&mut self, mut change: impl FnMut(&mut Setup) -> T) -> T {
        let whole = self.rest.as_mut().and_then(|rest| rest.whole.get_mut());
        whole.map(&mut change);
        change(&mut self.own)
    }

    /// Fluid nodes of the whole box.
    pub(super) fn fluid_nodes(&self) -> usize {
        if self.rest.is_none() { self.own.domain().fluid_nodes() } else { self.fluid_nodes }
    }
}
