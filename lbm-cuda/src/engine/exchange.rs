//! Populations between the machine and the host, in canonical order, as they are stored.

use std::borrow::Cow;
use std::ops::Range;

use lbm_core::pieces::{Give, Take, Work, clear_solids, fill, map_nodes, nodes_of_piece, pieces};
use lbm_core::rules::Remembered;
use lbm_core::{Domain, Engine, Error, Facts, RuleFacts};

use super::DeviceEngine;
use super::arrays::filled;
use super::binding::Bindings;
use super::built::launch;
use super::stepping::Clock;
use crate::assemble::{Held, Resource};
use crate::machine::{Machine, Memory};

/// Bytes that cross at once.
const STAGED_BYTES: usize = 64 << 20;

/// At least so many f64 cross at once, so that fields of small boxes do.
const LEAST_VALUES: usize = 1 << 14;

/// Room on the machine for values that cross: those of the state as they are stored, fields in f64.
pub(super) struct Staging<M: Machine> {
    pub(super) memory: M::Memory,
    /// How many f64 fit.
    pub(super) values: usize,
}

impl<M: Machine> Staging<M> {
    pub(super) fn new(machine: &M, facts: &Facts, domain: &Domain) -> Result<Staging<M>, Error> {
        let values = facts.lattice.q().max(facts.state_values()).saturating_mul(domain.nodes());
        let values = values.clamp(LEAST_VALUES, STAGED_BYTES / size_of::<f64>());
        Ok(Staging { memory: machine.memory(values * size_of::<f64>())?, values })
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// What kernels are handed at this time.
    pub(super) fn bindings(&self, now: Clock) -> Bindings<'_> {
        let mut bindings = Bindings::over(&self.arrays.bindings);
        let stored = Resource::Stored(Held::of(&self.facts));
        bindings.array(stored, self.copies[now.copy].address());
        if self.accessors.needs(Resource::Origins) {
            bindings.bytes(Resource::Origins, &self.origins(now.step));
        }
        self.arrays.bind_phase(&mut bindings, self.phase_of(now.step));
        bindings
    }

    /// What kernels beside the step are handed, but for the portion that they do: all may be, so that each finds its own. Values
    /// cross through the staging memory; those to be put or compared are a cell's.
    pub(super) fn beside(&self, positions: Option<&M::Memory>, cell: [usize; 3]) -> Bindings<'_> {
        let now = self.motion.now;
        let mut bindings = self.bindings(now);
        bindings.number(Resource::Phase, self.phase_of(now.step));
        for values in [Resource::Values, Resource::Portion] {
            bindings.array(values, self.staging.memory.address());
        }
        for (axis, &length) in cell.iter().enumerate() {
            bindings.number(Resource::Cell(axis), length);
        }
        if let Some(positions) = positions {
            bindings.array(Resource::Positions, positions.address());
        }
        bindings
    }

    /// Launches the kernel beside the step of this name.
    pub(super) fn access(&self, name: &str, bindings: &Bindings<'_>) -> Result<(), Error> {
        let kernel = self.accessors.named(name).expect("the text has all kernels that are asked for");
        launch(&self.machine, kernel, &self.facts, self.setup.domain().size, bindings)
    }

    /// The indices of all storage nodes in the box where they are listed, on the machine from the first look on.
    pub(super) fn positions(&self) -> Result<Option<&M::Memory>, Error> {
        let Some(positions) = &self.positions else { return Ok(None) };
        if self.positions_there.get().is_none() {
            // Nobody else sets it meanwhile.
            let _ = self.positions_there.set(filled(&self.machine, positions)?);
        }
        Ok(self.positions_there.get())
    }

    /// Nodes of the box whose values cross at once.
    fn nodes_at_once(&self) -> usize {
        let values = self.facts.lattice.q().max(self.facts.state_values());
        nodes_of_piece(values).min(self.staging.values / values)
    }

    /// Launches a kernel for each value of the state of some nodes of the box, whose values lie side by side in memory.
    pub(super) fn each_value(
        &self,
        name: &str,
        bindings: &mut Bindings<'_>,
        nodes: &Range<usize>,
        memory: &M::Memory,
    ) -> Result<(), Error> {
        for i in 0..self.facts.state_values() {
            let first = i * nodes.len() * self.facts.precision.stored_bytes;
            bindings.array(Resource::Portion, memory.address() + first as u64);
            self.access(name, bindings.portion(i, nodes.start, nodes.len()))?;
        }
        Ok(())
    }

    /// Sets what is stored of each node, `count` values of which are given and made into those by `stored`; solid nodes become zero.
    pub(super) fn put(&self, give: Give<'_>, count: usize, stored: Option<Work<'_>>) -> Result<(), Error> {
        let domain = self.setup.domain();
        let all = pieces(0..domain.nodes(), self.nodes_at_once()).map(|nodes| {
            let mut values = vec![0.0; count * nodes.len()];
            fill(give, nodes.clone(), &mut values);
            if let Some(work) = stored {
                let given =
                    std::mem::replace(&mut values, vec![0.0; self.facts.state_values() * nodes.len()]);
                map_nodes(nodes.clone(), &given, &mut values, work);
            }
            (nodes, Cow::Owned(values))
        });
        self.put_pieces(all)
    }

    /// Sets what is stored of the nodes of some pieces; solid nodes become zero.
    pub(super) fn put_back(&self, pieces: &[(Range<usize>, Vec<f64>)]) -> Result<(), Error> {
        self.put_pieces(pieces.iter().map(|(nodes, values)| (nodes.clone(), Cow::Borrowed(&values[..]))))
    }

    fn put_pieces<'a>(
        &self,
        pieces: impl Iterator<Item = (Range<usize>, Cow<'a, [f64]>)>,
    ) -> Result<(), Error> {
        self.clear_derived()?;
        let domain = self.setup.domain();
        let positions = self.positions()?;
        let mut bindings = self.beside(positions, domain.size);
        let mut bytes = Vec::new();
        for (nodes, values) in pieces {
            let mut values = values.into_owned();
            clear_solids(&domain.flags, nodes.clone(), &mut values);
            bytes.resize(values.len() * self.facts.precision.stored_bytes, 0);
            self.facts.precision.encode(&values, &mut bytes);
            self.staging.memory.write(0, &bytes)?;
            self.each_value("put", &mut bindings, &nodes, &self.staging.memory)?;
        }
        self.machine.wait()?;
        self.forget()?;
        self.keep()
    }

    /// Keeps what the present populations have sent into walls, where the pattern has it kept.
    pub(super) fn keep(&self) -> Result<(), Error> {
        self.keep_for_rules()?;
        self.keep_sent()
    }

    /// The same of walls alone: what rules keep is that already.
    pub(super) fn keep_sent(&self) -> Result<(), Error> {
        if !self.plan.walls || self.accessors.named("keep").is_none() {
            return Ok(());
        }
        self.access("keep", &self.beside(None, self.setup.domain().size))
    }

    /// Has rules keep what the present populations say, where these are stored.
    fn keep_for_rules(&self) -> Result<(), Error> {
        let (arrivals, facts) = (&self.arrivals, &self.facts);
        let keeps = arrivals.rules.iter().any(RuleFacts::keeps);
        if facts.pattern.stores_moments() || arrivals.is_empty() || !keeps {
            return Ok(());
        }
        let kept = arrivals.kept(facts);
        let [mut of_nodes, mut of_links] = [arrivals.values.clone(), arrivals.at_links.values.clone()];
        let mut nodes: Vec<usize> = kept.iter().map(|kept| kept.node).collect();
        nodes.dedup();
        let mut values = vec![0.0; facts.lattice.q() * nodes.len()];
        if !nodes.is_empty() {
            self.gather(&nodes, &mut values)?;
        }
        for kept in &kept {
            let all = if kept.of_link { &mut of_links } else { &mut of_nodes };
            let node = nodes.partition_point(|&node| node < kept.node);
            all[kept.place] = values[node + nodes.len() * kept.direction];
        }
        for (Remembered { of_link, place }, value) in arrivals.memory(facts).into_iter().zip(self.memory()?) {
            let all = if of_link { &mut of_links } else { &mut of_nodes };
            all[place] = value;
        }
        self.arrays.renew(Resource::RuleValues, facts, &of_nodes)?;
        let rows = self.plan.rules.rows(&arrivals.at_links, &of_links);
        self.arrays.renew(Resource::LinkValues, facts, &rows)
    }

    /// Launches a kernel over a portion with these values, and waits for it.
    pub(super) fn with_values(
        &self,
        kernel: &str,
        portion: &Bindings<'_>,
        values: &[u8],
    ) -> Result<(), Error> {
        self.staging.memory.write(0, values)?;
        self.access(kernel, portion)?;
        self.machine.wait()
    }

    /// The post-collision populations of some nodes of the box.
    pub(super) fn get_populations(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let (facts, domain) = (&self.facts, self.setup.domain());
        if !facts.pattern.stores_moments() {
            return self.get_state(nodes, take);
        }
        self.get_state(nodes, &mut |nodes, moments| {
            let mut values = vec![0.0; facts.lattice.q() * nodes.len()];
            map_nodes(nodes.clone(), moments, &mut values, &|_, moments, h| facts.rebuild(moments, h));
            // What is rebuilt from zeros may be a zero with a sign.
            clear_solids(&domain.flags, nodes.clone(), &mut values);
            take(nodes, &values)
        })
    }

    /// What is stored of some nodes of the box.
    pub(super) fn get_state(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let (facts, domain) = (&self.facts, self.setup.domain());
        let positions = self.positions()?;
        let mut bindings = self.beside(positions, domain.size);
        for nodes in pieces(nodes, self.nodes_at_once()) {
            self.each_value("get", &mut bindings, &nodes, &self.staging.memory)?;
            let mut bytes = vec![0; facts.state_values() * nodes.len() * facts.precision.stored_bytes];
            self.staging.memory.read(0, &mut bytes)?;
            let values = decoded(facts, &domain.flags, &nodes, &bytes);
            take(nodes, &values)?;
        }
        Ok(())
    }

    /// What a cell's populations are stored as: themselves, or the moments that carry them.
    pub(super) fn stored<'a>(&self, populations: &'a [f64]) -> Cow<'a, [f64]> {
        match self.facts.pattern.stores_moments() {
            false => Cow::Borrowed(populations),
            true => {
                let nodes = populations.len() / self.facts.lattice.q();
                let (facts, mut moments) = (self.facts, vec![0.0; self.facts.state_values() * nodes]);
                map_nodes(0..nodes, populations, &mut moments, &|_, h, moments| facts.project(h, moments));
                Cow::Owned(moments)
            }
        }
    }
}

/// Words in which kernels count.
pub(super) struct Counter<M: Machine> {
    memory: M::Memory,
    words: usize,
}

impl<M: Machine> Counter<M> {
    /// So many words, all zero.
    pub(super) fn new(machine: &M, words: usize) -> Result<Counter<M>, Error> {
        Ok(Counter { memory: filled(machine, &vec![0u64; words])?, words })
    }

    pub(super) fn address(&self) -> u64 {
        self.memory.address()
    }

    /// What has been counted.
    pub(super) fn read(&self) -> Result<Vec<u64>, Error> {
        let mut bytes = vec![0; self.words * size_of::<u64>()];
        self.memory.read(0, &mut bytes)?;
        Ok(bytes.as_chunks().0.iter().map(|&word| u64::from_ne_bytes(word)).collect())
    }
}

/// The values of the state of some nodes from the bytes in which kernels have stored them; zeros in solid nodes.
pub(super) fn decoded(facts: &Facts, flags: &[u8], nodes: &Range<usize>, bytes: &[u8]) -> Vec<f64> {
    let mut values = vec![0.0; bytes.len() / facts.precision.stored_bytes];
    // SAFETY: the kernels store what the precision does.
    unsafe { facts.precision.decode(bytes, &mut values) };
    // A pattern in place leaves what it likes in the places of solid nodes, and a list has none of them.
    clear_solids(flags, nodes.clone(), &mut values);
    values
}
