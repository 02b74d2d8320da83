//! The plain reference: one node at a time, two arrays.
//!
//! It knows neither layout, addressing, streaming pattern, vectors nor threads, so it is short enough to be checked
//! by eye. Every backend and every scheme must give its bits ([`laws::equals_reference`](crate::laws::equals_reference)).
//! Numbers are held as f64, which holds those of every arithmetic and storage type exactly.

use std::ops::Range;

use crate::cut::Rim;
use crate::derived::{Padded, Surroundings};
use crate::engine::{Changed, Engine, Setup, no_such_field};
use crate::error::Error;
use crate::facts::Facts;
use crate::incoming::Incoming;
use crate::pieces::{Give, Take, clear_solids, cut};

/// A variant in motion, plainly.
#[derive(Clone, Debug)]
pub struct Reference {
    facts: Facts,
    incoming: Incoming,
    uniforms: Vec<f64>,
    /// What the collision reads of each node, field after field, by the numbers of `padded`.
    fields: Vec<f64>,
    padded: Padded,
    surroundings: Surroundings,
    now: Vec<f64>,
    step: u64,
    rims: Vec<Rim>,
}

impl Reference {
    /// A fluid at rest: all shifted populations are zero.
    ///
    /// # Errors
    /// As [`Incoming::of`].
    pub fn new(facts: &Facts, setup: &Setup) -> Result<Reference, Error> {
        let padded = facts.padded(setup.domain().size);
        Ok(Reference {
            incoming: Incoming::of(facts, setup)?,
            uniforms: facts.uniforms(&setup.parameters),
            fields: facts.default_fields().flat_map(|value| vec![value; padded.nodes()]).collect(),
            surroundings: match facts.body.reach() {
                0 => Surroundings::default(),
                reach => Surroundings::of(setup.domain(), facts.lattice.dimension, reach),
            },
            padded,
            now: vec![0.0; facts.lattice.q() * setup.domain().nodes()],
            facts: *facts,
            step: 0,
            rims: Vec::new(),
        })
    }

    /// The same with these post-collision populations as of step `step`, taken as they come from an [`Engine`].
    ///
    /// # Errors
    /// As [`Reference::new`].
    pub fn holding(facts: &Facts, setup: &Setup, now: Vec<f64>, step: u64) -> Result<Reference, Error> {
        Ok(Reference { now, step, ..Reference::new(facts, setup)? })
    }

    /// The *pre-collision* populations that the next step will collide, in the order and form of [`Engine::populations`].
    #[must_use]
    pub fn incoming(&self) -> Vec<f64> {
        self.of_fluid(self.facts.lattice.q(), |node, before| self.gather(node, before))
    }

    /// The fields of nodes that the next step will read, those that are set and those that follow, field after field.
    #[must_use]
    pub fn incoming_fields(&mut self) -> Vec<f64> {
        self.derive();
        self.of_fluid(self.facts.body.field_count(), |node, fields| self.fields_of(node, fields))
    }

    /// So many values of every fluid node, value after value, and zeros for solid ones.
    fn of_fluid(&self, count: usize, mut values: impl FnMut(usize, &mut [f64])) -> Vec<f64> {
        let (domain, nodes) = (self.incoming.domain(), self.nodes());
        let (mut all, mut here) = (vec![0.0; count * nodes], vec![0.0; count]);
        for node in (0..nodes).filter(|&node| domain.flags.get(node).is_none_or(|&flag| flag == 0)) {
            values(node, &mut here);
            here.iter().enumerate().for_each(|(n, &value)| all[node + nodes * n] = value);
        }
        all
    }

    /// What a node has of each field.
    fn fields_of(&self, node: usize, fields: &mut [f64]) {
        let (number, all) = (self.padded.of_node(node), self.padded.nodes());
        fields.iter_mut().enumerate().for_each(|(n, value)| *value = self.fields[number + all * n]);
    }

    /// Computes what follows for each node before it collides, pass after pass, and around the fluid.
    fn derive(&mut self) {
        let (body, all) = (self.facts.body, self.padded.nodes());
        let (mut before, mut fields) = (vec![0.0; self.facts.lattice.q()], vec![0.0; body.field_count()]);
        for (pass, derivation) in body.derivations.iter().enumerate() {
            let mut near = vec![0.0; derivation.reads.len()];
            let derived = self.of_fluid(derivation.fields.len(), |node, derived| {
                let number = self.padded.of_node(node);
                if pass == 0 {
                    self.gather(node, &mut before);
                    self.fields_of(node, &mut fields);
                }
                for (value, read) in near.iter_mut().zip(derivation.reads) {
                    *value = self.fields[self.padded.shifted(number, read.offset) + all * read.field];
                }
                self.facts.derive(pass, &before, &fields, &near, &self.uniforms, derived);
            });
            for (values, n) in derived.chunks(self.nodes()).zip(derivation.fields.clone()) {
                let field = &mut self.fields[all * n..all * (n + 1)];
                values.iter().enumerate().for_each(|(node, &value)| field[self.padded.of_node(node)] = value);
                self.surround(n);
            }
        }
    }

    /// Sets the values of a field around the fluid.
    fn surround(&mut self, n: usize) {
        let (body, arithmetic) = (self.facts.body, self.facts.precision.arithmetic);
        let at_wall = body.derived[n - body.fields.len()].at_wall;
        let (times, more) = (self.uniforms[at_wall], self.uniforms[at_wall + 1]);
        let field = &mut self.fields[self.padded.nodes() * n..];
        for (number, &place) in self.surroundings.places.iter().enumerate() {
            let mut value = 0.0;
            for (source, weight) in self.surroundings.sources_of(number) {
                value = arithmetic.mul_add(arithmetic.round(weight), field[source], value);
            }
            if number >= self.surroundings.first_wall {
                value = arithmetic.mul_add(times, value, more);
            }
            field[place as usize] = value;
        }
    }

    /// The pre-collision populations of a fluid node.
    fn gather(&self, node: usize, before: &mut [f64]) {
        self.incoming.at((node, self.step + 1), |from, i| self.now[from + self.nodes() * i], before);
    }
}

impl Engine for Reference {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        let mut before = vec![0.0; self.facts.lattice.q()];
        let mut fields = vec![0.0; self.facts.body.field_count()];
        for _ in 0..steps {
            self.derive();
            let (mut next, time, nodes) = (Vec::new(), self.step + 1, self.nodes());
            self.now = self.of_fluid(before.len(), |node, after| {
                let sent = |from, i| self.now[from + nodes * i];
                self.incoming
                    .step((node, time), sent, &mut before, &mut |one, value| next.push((one, value)));
                self.fields_of(node, &mut fields);
                self.facts.collide_and_store(&before, &fields, &self.uniforms, after);
            });
            self.incoming.remember(&next);
            self.step += 1;
        }
        Ok(())
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let mut values = vec![0.0; self.facts.lattice.q() * nodes.len()];
        cut(&self.now, nodes.clone(), &mut values);
        take(nodes, &values)
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        let (q, nodes) = (self.facts.lattice.q(), self.nodes());
        let (mut all, mut given) = (vec![0.0; q * nodes], vec![0.0; q]);
        give(0..nodes, &mut all);
        self.now = self.of_fluid(q, |node, stored| {
            given.iter_mut().enumerate().for_each(|(i, value)| *value = all[node + nodes * i]);
            self.facts.stored(&given, stored);
        });
        self.incoming.forget();
        self.step = step;
        self.fields[self.facts.body.fields.len() * self.padded.nodes()..].fill(0.0);
        Ok(())
    }

    fn set_geometry(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        let (facts, nodes) = (self.facts, self.nodes());
        let anew = Reference::new(&facts, setup)?;
        let Reference { fields, now, step, .. } = std::mem::replace(self, anew);
        (self.now, self.step) = (now, step);
        let (given, all) = (facts.body.fields.len(), self.padded.nodes());
        self.fields[..given * all].copy_from_slice(&fields[..given * all]);
        let domain = self.incoming.domain();
        for (node, (n, value)) in changed
            .fluid(domain)
            .flat_map(|node| facts.default_fields().take(given).enumerate().map(move |of| (node, of)))
        {
            self.fields[self.padded.of_node(node) + all * n] = value;
        }
        let mut stored = vec![0.0; facts.lattice.q()];
        changed.within(domain, &(0..nodes), |node, h| {
            match h {
                None => stored.fill(0.0),
                Some(h) => facts.stored(h, &mut stored),
            }
            stored.iter().enumerate().for_each(|(i, &value)| self.now[node + nodes * i] = value);
        });
        Ok(())
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        self.uniforms = self.facts.uniforms(parameters);
        Ok(())
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.incoming.steer(name, factor)
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        Ok(self.incoming.memory())
    }

    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        self.incoming.set_memory(values)
    }

    fn set_node_field(&mut self, n: usize, give: Give<'_>) -> Result<(), Error> {
        let (nodes, arithmetic) = (self.nodes(), self.facts.precision.arithmetic);
        let field = self.fields.chunks_mut(self.padded.nodes()).nth(n);
        let field = field.filter(|_| n < self.facts.body.fields.len());
        let field = field.ok_or_else(|| no_such_field(n, "plain reference"))?;
        let mut values = vec![0.0; nodes];
        give(0..nodes, &mut values);
        for (node, value) in values.into_iter().enumerate() {
            field[self.padded.of_node(node)] = arithmetic.round(value);
        }
        Ok(())
    }

    fn node_field_of(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let field = self.fields.chunks(self.padded.nodes()).nth(n);
        let field = field.ok_or_else(|| no_such_field(n, "plain reference"))?;
        let mut values: Vec<f64> = nodes.clone().map(|node| field[self.padded.of_node(node)]).collect();
        clear_solids(&self.incoming.domain().flags, nodes.clone(), &mut values);
        take(nodes, &values)
    }

    fn set_rims(&mut self, rims: Vec<Rim>) -> Result<(), Error> {
        self.rims = rims;
        Ok(())
    }

    fn rim(&self, number: usize, out: &mut [f64]) -> Result<(), Error> {
        let nodes = self.nodes();
        let values = self.rims[number].iter().map(|single| self.now[single.node + nodes * single.value]);
        out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
        Ok(())
    }

    fn set_rim(&mut self, number: usize, values: &[f64]) -> Result<(), Error> {
        let nodes = self.nodes();
        for (single, &value) in self.rims[number].iter().zip(values) {
            self.now[single.node + nodes * single.value] = value;
        }
        Ok(())
    }

    fn nodes(&self) -> usize {
        self.incoming.domain().nodes()
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        size_of_val(self.now.as_slice())
    }

    fn description(&self) -> String {
        "plain reference, 1 thread, scalar".to_owned()
    }
}
