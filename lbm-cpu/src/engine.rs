//! A variant in motion on the CPU.

mod stored;

use std::ops::Range;

use lbm_core::addressing::Drawable;
use lbm_core::cut::Rim;
use lbm_core::engine::{
    Changed, Engine, FieldRequest, Grid, PendingFields, PendingState, Setup, no_such_field,
    populations_within_spans,
};
use lbm_core::pieces::{self, Give, Take, map_nodes, pieces};
use lbm_core::sums::ExactSum;
use lbm_core::{Error, Facts, Variant};

use crate::kept::{Apart, keep_apart};
use crate::looks::Looks;
use crate::memory::Memory;
use crate::observed::observe;
use crate::options::{CpuOptions, StoreKind};
use crate::over_nodes::Listed;
use crate::program::Code;
use crate::rims::Rims;
use crate::rows::Rows;
use crate::rules::{RuleCode, Rules};
use crate::seen::seen;
use crate::state::{Nodes, State};

/// A variant in motion on the CPU: any streaming pattern that keeps [`lbm_core::laws`], any addressing, layout, precision.
pub struct CpuEngine {
    state: State,
    nodes: Box<dyn Nodes>,
    apart: Apart,
    codes: Vec<RuleCode>,
    rims: Rims,
    looks: Looks,
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
        let (code, rules) = (Code::of::<V::Body, V::Precision>(), RuleCode::of_variant::<V>());
        if setup.rules.is_empty() && !rules.is_empty() {
            let known = rules.iter().map(|code| *code.facts()).collect();
            return CpuEngine::of(Facts::of::<V>(), code, &rules, &setup.clone().with_rules(known), options);
        }
        CpuEngine::of(Facts::of::<V>(), code, &rules, setup, options)
    }

    /// The same of facts put together at run time, the machine code of their body in their precision, and that of boundary rules.
    ///
    /// # Errors
    /// As [`CpuEngine::new`].
    pub fn of(
        facts: Facts,
        code: Code,
        rules: &[RuleCode],
        setup: &Setup,
        options: &CpuOptions,
    ) -> Result<CpuEngine, Error> {
        code.check(&facts)?;
        let codes = rules.to_vec();
        let rules = Rules::of(&facts, rules, setup, options.level()?)?;
        let (state, nodes): (State, Box<dyn Nodes>) = if facts.addressing.listed {
            let (state, listed) = Listed::new(facts, code, rules, setup, options)?;
            (state, Box::new(listed))
        } else {
            let (state, rows) = Rows::new(facts, code, rules, setup, options)?;
            (state, Box::new(rows))
        };
        Ok(CpuEngine {
            state,
            nodes,
            apart: Apart::new(),
            codes,
            rims: Rims::default(),
            looks: Looks::default(),
        })
    }

    /// How results are written.
    #[must_use]
    pub fn stores(&self) -> StoreKind {
        self.state.stores
    }

    /// Refuses a field that nodes do not have.
    fn has_field(&self, n: usize) -> Result<(), Error> {
        if self.state.fields.has(n) { Ok(()) } else { Err(no_such_field(n, &self.description())) }
    }
}

/// A piece as it is given.
fn given(give: Give<'_>, nodes: Range<usize>, count: usize) -> Vec<f64> {
    let mut values = vec![0.0; count * nodes.len()];
    pieces::fill(give, nodes, &mut values);
    values
}

impl Engine for CpuEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        let threads = self.state.threads.clone();
        let mut work = || {
            for _ in 0..steps {
                observe(&self.state, &*self.nodes);
                self.nodes.one_step(&self.state);
                self.state.step += 1;
            }
        };
        // To go among the threads is itself to sleep and wake.
        if steps > 1 {
            threads.among(work)
        } else {
            work()
        }
        Ok(())
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        if !self.stores_moments() {
            return self.state_of(nodes, take);
        }
        let (facts, domain) = (&self.state.facts, self.state.domain());
        let q = facts.lattice.q();
        for nodes in pieces(nodes, self.nodes_of_piece(q)) {
            let (moments, mut values) = (self.stored(nodes.clone()), vec![0.0; q * nodes.len()]);
            map_nodes(nodes.clone(), &moments, &mut values, &|node, moments, h| {
                if domain.is_solid(domain.position(node)) { h.fill(0.0) } else { facts.rebuild(moments, h) }
            });
            take(nodes, &values)?;
        }
        Ok(())
    }

    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        let facts = &self.state.facts;
        if nodes.iter().any(|&node| self.nodes.number(node).is_none()) {
            return populations_within_spans(self, nodes, out);
        }
        let (stored, domain) = (self.stored_at(nodes), self.state.domain());
        map_nodes(0..nodes.len(), &stored, out, &|place, state, h| match domain.solid_at(nodes[place]) {
            Some(_) => h.fill(0.0),
            None => facts.populations_of(state, h),
        });
        Ok(())
    }

    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let mut all = pieces(nodes, self.nodes_of_piece(self.state.facts.state_values()));
        all.try_for_each(|nodes| take(nodes.clone(), &self.stored(nodes)))
    }

    fn start_state(&mut self) -> Result<Option<Box<dyn PendingState>>, Error> {
        let (mut apart, facts, nodes) = (std::mem::take(&mut self.apart), self.state.facts, self.nodes());
        let kept = keep_apart(&mut apart, &facts, nodes, |take| self.state_of(0..nodes, take));
        self.apart = apart;
        kept
    }

    fn stores_moments(&self) -> bool {
        self.state.facts.pattern.stores_moments()
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        if !self.stores_moments() {
            return self.set_state_from(give, step);
        }
        let facts = self.state.facts;
        let q = facts.lattice.q();
        self.restart(step, q, &|nodes| {
            let populations = given(give, nodes.clone(), q);
            let mut moments = vec![0.0; facts.state_values() * nodes.len()];
            map_nodes(nodes, &populations, &mut moments, &|_, h, moments| facts.project(h, moments));
            moments
        });
        Ok(())
    }

    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        let count = self.state.facts.state_values();
        self.restart(step, count, &|nodes| given(give, nodes, count));
        Ok(())
    }

    fn undrawable(&mut self, nodes: &[usize]) -> Option<usize> {
        self.nodes.undrawable(&self.state, nodes)
    }

    fn set_geometry(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        let (facts, domain) = (self.state.facts, setup.domain());
        if let Some(node) = self.undrawable(changed.nodes) {
            return Err(Drawable::refusal(facts.addressing.name, domain.position(node)));
        }
        let rules_anew = self.nodes.follow(&mut self.state, setup, changed.nodes, &self.codes)?;
        self.store_changed(domain, changed);
        self.nodes.keep(&self.state);
        for number in changed.fluid(domain).filter_map(|node| self.nodes.number(node)) {
            for (n, value) in facts.default_fields().take(facts.body.fields.len()).enumerate() {
                self.state.fields.set(n, number..number + 1, &[value], None);
            }
        }
        self.state.fields.clear_derived();
        if rules_anew {
            self.keep_for_rules();
        }
        self.rims = Rims::default();
        self.looks.forget();
        Ok(())
    }

    fn set_rims(&mut self, rims: Vec<Rim>) -> Result<(), Error> {
        self.rims = Rims::of(&self.state, &*self.nodes, rims);
        Ok(())
    }

    fn rim(&self, number: usize, out: &mut [f64]) -> Result<(), Error> {
        self.rims.read(&self.state, &*self.nodes, number, out);
        Ok(())
    }

    fn set_rim(&mut self, number: usize, values: &[f64]) -> Result<(), Error> {
        self.rims.write(&self.state, &*self.nodes, number, values);
        Ok(())
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        self.state.set_parameters(parameters);
        Ok(())
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.state.rules.steer(name, factor)
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        Ok(self.state.rules.memory(&self.state.facts))
    }

    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        self.state.rules.set_memory(&self.state.facts, values)
    }

    fn set_node_field(&mut self, n: usize, give: Give<'_>) -> Result<(), Error> {
        if n >= self.state.facts.body.fields.len() {
            return Err(no_such_field(n, &self.description()));
        }
        for nodes in pieces(0..self.nodes(), self.nodes_of_piece(1)) {
            let values = given(give, nodes.clone(), 1);
            self.state.fields.set(n, nodes, &values, self.nodes.numbers());
        }
        Ok(())
    }

    fn node_field_of(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.has_field(n)?;
        pieces(nodes, self.nodes_of_piece(1)).try_for_each(|nodes| {
            let mut values = self.state.fields.get(n, nodes.clone(), self.nodes.numbers());
            pieces::clear_solids(&self.state.domain().flags, nodes.clone(), &mut values);
            take(nodes, &values)
        })
    }

    fn start_fields(
        &mut self,
        force: [f64; 3],
        request: &FieldRequest,
    ) -> Result<Option<Box<dyn PendingFields>>, Error> {
        let held = seen(&self.state, &*self.nodes, force, request);
        Ok(held.map(|held| Box::new(held) as Box<dyn PendingFields>))
    }

    fn fields_of(&self, force: [f64; 3], nodes: Range<usize>, take: Take<'_>) -> Result<bool, Error> {
        let facts = &self.state.facts;
        self.populations_of(nodes, &mut |nodes, populations| {
            let mut values = vec![0.0; 4 * nodes.len()];
            map_nodes(nodes.clone(), populations, &mut values, &|_, h, fields| {
                fields.copy_from_slice(&facts.macroscopic(h, force));
            });
            take(nodes, &values)
        })?;
        Ok(true)
    }

    fn look_at(&mut self, own: Grid) -> bool {
        self.looks = Looks::at(own);
        true
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        Ok(Some(self.looks.not_finite(&self.state, &*self.nodes)))
    }

    fn largest_change(&mut self, force: [f64; 3]) -> Result<Option<f64>, Error> {
        let mut looks = std::mem::take(&mut self.looks);
        let change = looks.change(self, &self.state, force);
        self.looks = looks;
        change.map(Some)
    }

    fn sum_of_velocity(&self, force: [f64; 3], component: usize) -> Result<Option<ExactSum>, Error> {
        self.looks.sum(self, &self.state, force, component).map(Some)
    }

    fn nodes(&self) -> usize {
        self.state.domain().nodes()
    }

    fn step(&self) -> u64 {
        self.state.step
    }

    fn allocated_bytes(&self) -> usize {
        let memory = self.state.copies.iter().chain([&self.state.kept]).map(Memory::bytes).sum::<usize>();
        memory + self.state.fields.bytes() + self.nodes.bytes()
    }

    fn description(&self) -> String {
        let threads = self.state.threads.count();
        format!("cpu, {threads} thread{}, {}", if threads == 1 { "" } else { "s" }, self.state.level)
    }
}

#[cfg(test)]
mod tests;
