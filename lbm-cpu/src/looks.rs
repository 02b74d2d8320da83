//! Looks at a flow: numbers of all its nodes, or of those of a part that are its own.

use std::sync::atomic::{AtomicU64, Ordering};

use lbm_core::Error;
use lbm_core::engine::{Engine, Grid};
use lbm_core::sums::ExactSum;

use crate::state::{Nodes, State};

/// What is looked at, and what was seen there.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    /// The nodes, if not all.
    own: Option<Grid>,
    /// Their velocities at the last look, node after node; none before the first one.
    velocities: Vec<f64>,
}

impl Looks {
    /// Those at some nodes of the box.
    pub(crate) fn at(own: Grid) -> Looks {
        Looks { own: Some(own), velocities: Vec::new() }
    }

    /// Forgets what was seen.
    pub(crate) fn forget(&mut self) {
        self.velocities = Vec::new();
    }

    /// How many stored values are not finite.
    pub(crate) fn not_finite(&self, state: &State, nodes: &dyn Nodes) -> u64 {
        let (own, count) = (self.own(state), AtomicU64::new(0));
        nodes.for_each(state, own.range(), &|node, _, place| {
            // SAFETY: the place is one of the state, which nobody writes while it is borrowed.
            let is_finite = unsafe { state.value(place) }.is_finite();
            if !is_finite && own.number(state.domain().position(node)).is_some() {
                count.fetch_add(1, Ordering::Relaxed);
            }
        });
        count.into_inner()
    }

    /// By how much a component of the velocity of a fluid node differs at most from the last look; NaN where one of them is no number.
    pub(crate) fn change(
        &mut self,
        engine: &dyn Engine,
        state: &State,
        force: [f64; 3],
    ) -> Result<f64, Error> {
        let is_first = self.velocities.is_empty();
        let mut before = std::mem::take(&mut self.velocities);
        before.resize(3 * self.own(state).nodes(), 0.0);
        let mut most = 0.0;
        self.each(engine, state, force, |number, u| {
            for (now, before) in u.into_iter().zip(&mut before[3 * number..]) {
                let change = (now - std::mem::replace(before, now)).abs();
                // f64::max would drop a NaN.
                most = if most >= change || f64::is_nan(most) { most } else { change };
            }
        })?;
        self.velocities = before;
        Ok(if is_first { 0.0 } else { most })
    }

    /// The sum of a component of the velocity over the fluid nodes.
    pub(crate) fn sum(
        &self,
        engine: &dyn Engine,
        state: &State,
        force: [f64; 3],
        component: usize,
    ) -> Result<ExactSum, Error> {
        let mut sum = ExactSum::default();
        self.each(engine, state, force, |_, u| sum.add(u[component]))?;
        Ok(sum)
    }

    /// Calls `visit` with each fluid node's number among those that are looked at, and its velocity.
    fn each(
        &self,
        engine: &dyn Engine,
        state: &State,
        force: [f64; 3],
        mut visit: impl FnMut(usize, [f64; 3]),
    ) -> Result<(), Error> {
        let (own, domain) = (self.own(state), state.domain());
        engine.fields_of(force, own.range(), &mut |nodes, values| {
            let (count, first) = (nodes.len(), nodes.start);
            for node in nodes.filter(|&node| domain.solid_at(node).is_none()) {
                // All nodes have the numbers of the box.
                let number = self.own.map_or(Some(node), |own| own.number(domain.position(node)));
                if let Some(number) = number {
                    visit(number, std::array::from_fn(|axis| values[node - first + count * (axis + 1)]));
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    fn own(&self, state: &State) -> Grid {
        self.own.unwrap_or_else(|| Grid::of(state.domain().size))
    }
}
