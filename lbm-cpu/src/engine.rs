//! A variant in motion on the CPU.

use lbm_core::engine::{Engine, Setup};
use lbm_core::{Error, Facts, Variant};

use crate::memory::Memory;
use crate::options::{CpuOptions, StoreKind};
use crate::over_nodes::Listed;
use crate::program::Code;
use crate::rows::Rows;
use crate::state::{Nodes, State};

/// A slice of which threads write each their own values.
struct Shared(*mut f64);

// SAFETY: an address; who writes there answers for it.
unsafe impl Sync for Shared {}

impl Shared {
    fn start(&self) -> *mut f64 {
        self.0
    }
}

/// Takes a value for a place, from any thread.
type Each<'a> = &'a (dyn Fn(usize, f64) + Sync);

/// Fills a slice with what is given to `each`, and with zeros. Nothing is given to a place twice but from the same thread.
fn fill(out: &mut [f64], give: impl FnOnce(Each<'_>)) {
    out.fill(0.0);
    let (length, shared) = (out.len(), Shared(out.as_mut_ptr()));
    give(&|at, value| {
        assert!(at < length, "places are those of a box");
        // SAFETY: the place lies in the slice, and no other thread writes there.
        unsafe { shared.start().add(at).write(value) };
    });
}

/// A variant in motion on the CPU: any streaming pattern that keeps [`lbm_core::laws`], any addressing, layout, precision.
pub struct CpuEngine {
    state: State,
    nodes: Box<dyn Nodes>,
}

impl CpuEngine {
    /// Sets up a variant's fluid at rest (all shifted populations zero) in step 0.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], before anything is taken; [`Error::OutOfRange`] for a wrong number of threads or a box
    /// beyond 2^32 nodes; [`Error::Unavailable`] for a SIMD level that the machine has not; [`Error::Conflict`] if stores
    /// past the caches are asked for where they cannot be, or if the streaming pattern lets nodes overwrite each other's
    /// populations, or the addressing or the layout leaves the storage (which [`lbm_core::laws`] would have found).
    pub fn new<V: Variant>(setup: &Setup, options: &CpuOptions) -> Result<CpuEngine, Error> {
        CpuEngine::of(Facts::of::<V>(), Code::of::<V::Body, V::Precision>(), setup, options)
    }

    /// The same of facts put together at run time, and the machine code of their body in their precision.
    ///
    /// # Errors
    /// As [`CpuEngine::new`].
    pub fn of(facts: Facts, code: Code, setup: &Setup, options: &CpuOptions) -> Result<CpuEngine, Error> {
        code.check(&facts)?;
        let (state, nodes): (State, Box<dyn Nodes>) = if facts.addressing.listed {
            let (state, listed) = Listed::new(facts, code, setup, options)?;
            (state, Box::new(listed))
        } else {
            let (state, rows) = Rows::new(facts, code, setup, options)?;
            (state, Box::new(rows))
        };
        Ok(CpuEngine { state, nodes })
    }

    /// How results are written.
    #[must_use]
    pub fn stores(&self) -> StoreKind {
        self.state.stores
    }

    /// Makes of some values of every fluid node others, `count` of them, for `each` with their places in canonical order.
    fn map_nodes(
        &self,
        from: &[f64],
        count: usize,
        work: &(dyn Fn(&[f64], &mut [f64]) + Sync),
        each: Each<'_>,
    ) {
        let (domain, nodes) = (self.state.domain(), self.state.domain().nodes());
        self.state.threads.split(nodes, &|some| {
            let (mut before, mut after) = (vec![0.0; from.len() / nodes], vec![0.0; count]);
            for node in some.filter(|&node| !domain.is_solid(domain.position(node))) {
                before.iter_mut().enumerate().for_each(|(n, value)| *value = from[node + nodes * n]);
                work(&before, &mut after);
                after.iter().enumerate().for_each(|(n, &value)| each(node + nodes * n, value));
            }
        });
    }

    /// The post-collision populations of every fluid node now, for `each` with their places in canonical order.
    fn for_each_population(&self, each: Each<'_>) {
        let stored = |each: Each<'_>| {
            self.nodes.for_each(&self.state, &|at, place| {
                // SAFETY: the place is one of the state, which nobody writes while `self` is borrowed.
                each(at, unsafe { self.state.value(place) });
            });
        };
        let facts = &self.state.facts;
        if facts.pattern.stores_moments() {
            let mut moments = vec![0.0; facts.state_values() * self.state.domain().nodes()];
            fill(&mut moments, stored);
            self.map_nodes(&moments, facts.lattice.q(), &|moments, h| facts.rebuild(moments, h), each);
        } else {
            stored(each);
        }
    }

    /// Populations cross in whole boxes.
    fn check_length(&self, populations: &[f64]) {
        let values = self.state.facts.lattice.q() * self.state.domain().nodes();
        assert_eq!(populations.len(), values, "one value a direction and node");
    }
}

impl Engine for CpuEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.nodes.one_step(&self.state);
            self.state.step += 1;
        }
        Ok(())
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        self.check_length(out);
        fill(out, |each| self.for_each_population(each));
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.check_length(populations);
        let facts = &self.state.facts;
        if !facts.pattern.stores_moments() {
            return self.set_state(populations, step);
        }
        let mut moments = vec![0.0; facts.state_values() * self.state.domain().nodes()];
        let project = |h: &[f64], moments: &mut [f64]| facts.project(h, moments);
        fill(&mut moments, |each| self.map_nodes(populations, facts.state_values(), &project, each));
        self.set_state(&moments, step)
    }

    fn set_state(&mut self, state: &[f64], step: u64) -> Result<(), Error> {
        let values = self.state.facts.state_values();
        assert_eq!(state.len(), values * self.state.domain().nodes(), "as many values a node as are stored");
        self.state.step = step;
        self.nodes.restart(&self.state);
        // SAFETY: places of fluid nodes lie in the copy or among the links, and are disjoint.
        self.nodes.for_each(&self.state, &|at, place| unsafe { self.state.set_value(place, state[at]) });
        Ok(())
    }

    fn step(&self) -> u64 {
        self.state.step
    }

    fn allocated_bytes(&self) -> usize {
        let memory = self.state.copies.iter().chain([&self.state.kept]).map(Memory::bytes).sum::<usize>();
        memory + self.nodes.bytes()
    }

    fn description(&self) -> String {
        let threads = self.state.threads.count();
        format!("cpu, {threads} thread{}, {}", if threads == 1 { "" } else { "s" }, self.state.level)
    }
}

#[cfg(test)]
mod tests;
