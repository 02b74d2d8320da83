//! Arrays on the machine that an engine has beside the copies of what is stored, each bound to its resource.

use lbm_core::crossings::{Blocks, face_values};
use lbm_core::derived::Surroundings;
use lbm_core::engine::Setup;
use lbm_core::links::Masks;
use lbm_core::pieces::{nodes_of_piece, pieces};
use lbm_core::rules::{Arrival, Arrivals, AtLinks, LinkArrival, Observed};
use lbm_core::{Domain, Error, Facts, ListedNodes};

use super::at_walls::Packing;
use super::binding::Bindings;
use super::walls::{Walls, ranked};
use crate::assemble::{Resource, RuleTexts, words_of_tickets};
use crate::machine::{Machine, Memory, bytes_of};

/// Arrays and numbers that are the same for all launches of an engine.
pub(super) struct Arrays<M: Machine> {
    memories: Vec<(Resource, M::Memory)>,
    pub(super) bindings: Bindings<'static>,
    /// The lists of nodes at walls, and how kernels find themselves there.
    pub(super) walls: Option<(Walls, Packing)>,
    /// How many populations of other nodes are read by rules of nodes, and of links.
    pub(super) observed: [usize; 2],
    /// How many values of these change in time.
    pub(super) varying: [usize; 2],
}

/// Binds the coefficients that are the same for all nodes.
fn bind_uniforms(bindings: &mut Bindings<'_>, facts: &Facts, parameters: &[f64]) {
    let mut uniforms = facts.precision.arithmetic.in_memory(&facts.uniforms(parameters));
    // A struct of no numbers holds one all the same.
    uniforms.resize(uniforms.len().max(facts.precision.arithmetic.bytes()), 0);
    bindings.bytes(Resource::Uniforms, &uniforms);
}

impl<M: Machine> Arrays<M> {
    /// No arrays yet, but what setup and size of the box say.
    pub(super) fn new(facts: &Facts, setup: &Setup) -> Arrays<M> {
        let mut bindings = Bindings::default();
        bind_uniforms(&mut bindings, facts, &setup.parameters);
        for (axis, &length) in setup.domain().size.iter().enumerate() {
            bindings.number(Resource::Length(axis), length);
        }
        Arrays { memories: Vec::new(), bindings, walls: None, observed: [0; 2], varying: [0; 2] }
    }

    /// Binds the coefficients that follow from these parameters of the collision.
    pub(super) fn set_parameters(&mut self, facts: &Facts, parameters: &[f64]) {
        bind_uniforms(&mut self.bindings, facts, parameters);
    }

    /// What a box that is stored as a whole needs beside its copies.
    pub(super) fn besides(&mut self, machine: &M, facts: &Facts, domain: &Domain) -> Result<(), Error> {
        let size = domain.size;
        let values = face_values(facts, size) + Blocks::values(facts, size);
        self.put(Resource::Crossing, machine.memory(values * facts.precision.stored_bytes)?);
        // No address, but where there are solid nodes to be distinguished from others.
        self.bindings.array(Resource::Solid, 0);
        if domain.flags.iter().any(|&flag| flag != 0) {
            self.fill(machine, Resource::Solid, &domain.flags)?;
        }
        self.put(Resource::Progress, machine.memory(words_of_tickets(facts, size) * size_of::<u32>())?);
        Ok(())
    }

    /// The default values of what the collision reads of each of so many nodes.
    pub(super) fn default_fields(&mut self, machine: &M, facts: &Facts, count: usize) -> Result<(), Error> {
        let arithmetic = facts.precision.arithmetic;
        if facts.body.field_count() == 0 {
            return Ok(());
        }
        let memory = machine.memory(facts.field_bytes() * count)?;
        for (n, value) in facts.default_fields().enumerate() {
            for nodes in pieces(0..count, nodes_of_piece(1)) {
                let values = arithmetic.in_memory(&vec![value; nodes.len()]);
                memory.write((n * count + nodes.start) * arithmetic.bytes(), &values)?;
            }
        }
        self.put(Resource::NodeFields, memory);
        Ok(())
    }

    /// What is around the fluid of a box, where neighbours read fields.
    pub(super) fn surround(&mut self, machine: &M, facts: &Facts, domain: &Domain) -> Result<(), Error> {
        if facts.body.derivations.is_empty() {
            return Ok(());
        }
        let around = Surroundings::of(domain, facts.lattice.dimension, facts.body.reach());
        self.bindings.number(Resource::AroundCount, around.places.len());
        self.bindings.number(Resource::FirstWall, around.first_wall);
        self.fill(machine, Resource::AroundPlaces, &around.places)?;
        self.fill(machine, Resource::AroundStarts, &around.starts)?;
        self.fill(machine, Resource::AroundSources, &around.sources)?;
        let weights = facts.precision.arithmetic.in_memory(&around.weights);
        self.fill(machine, Resource::AroundWeights, &weights)
    }

    /// What listed nodes need.
    pub(super) fn list(
        &mut self,
        machine: &M,
        facts: &Facts,
        domain: &Domain,
        listed_nodes: &ListedNodes,
    ) -> Result<(), Error> {
        self.bindings.number(Resource::Nodes, listed_nodes.listing.positions.len());
        for (n, table) in listed_nodes.listing.tables.iter().enumerate() {
            self.bindings.number(Resource::Width(n), table.width);
            self.fill(machine, Resource::Table(n), &table.entries)?;
        }
        self.fill(machine, Resource::Runs, &listed_nodes.runs)?;
        let ListedNodes { missing, links, walls, wall_links, .. } = listed_nodes;
        self.fill_masks(machine, Resource::Missing, missing)?;
        self.fill(machine, Resource::Links, links)?;
        self.fill(machine, Resource::Walls, walls)?;
        self.list_terms(machine, facts, domain)?;
        let kept = if facts.keeps_sent { *wall_links } else { 0 };
        self.put(Resource::Kept, machine.memory(kept * facts.precision.stored_bytes)?);
        Ok(())
    }

    /// Nodes with boundary rules, of `count` nodes in the order in which a kernel numbers them.
    pub(super) fn list_rules(
        &mut self,
        machine: &M,
        facts: &Facts,
        arrivals: &Arrivals,
        texts: &RuleTexts,
        positions: Option<&[u32]>,
        count: usize,
    ) -> Result<(), Error> {
        let (nodes, links) = match positions {
            None => (arrivals.nodes.clone(), arrivals.at_links.iter().collect()),
            Some(positions) => arrivals.numbered(positions),
        };
        let places = texts.places(&arrivals.at_links);
        self.list_values_in_time(machine, arrivals, &places)?;
        let observed = arrivals.all_observed(positions);
        for of in 0..2 {
            let own: Vec<&Observed> = observed.iter().filter(|one| usize::from(one.of_link) == of).collect();
            self.observed[of] = own.len();
            if own.is_empty() {
                continue;
            }
            let list = |what: &dyn Fn(&Observed) -> usize| -> Vec<u32> {
                own.iter().map(|observed| what(observed) as u32).collect()
            };
            self.fill(machine, Resource::Observed(of), &list(&|observed| observed.node))?;
            self.fill(machine, Resource::ObservedDirections(of), &list(&|observed| observed.direction))?;
            let place = |observed: &Observed| match observed.of_link {
                true => places(observed.place).expect("what is read of other nodes is read"),
                false => observed.place,
            };
            self.fill(machine, Resource::ObservedPlaces(of), &list(&place))?;
        }
        if !links.is_empty() {
            let at_links = &arrivals.at_links;
            self.list_links_with_rules(machine, at_links, &links, [count, facts.lattice.q()])?;
            let rows = texts.rows(at_links, &at_links.values);
            self.fill(machine, Resource::LinkValues, &facts.precision.arithmetic.in_memory(&rows))?;
        }
        if nodes.is_empty() {
            return Ok(());
        }
        let numbers = nodes.iter().map(|arrival| arrival.node as u32);
        let (ruled, ranks) = ranked(numbers, count);
        self.fill(machine, Resource::Ruled, &ruled)?;
        self.fill(machine, Resource::RuledRanks, &ranks)?;
        let of = |what: fn(&Arrival) -> usize| {
            nodes.iter().map(|arrival| what(arrival) as u32).collect::<Vec<_>>()
        };
        self.fill(machine, Resource::RuleKinds, &of(|arrival| arrival.kind))?;
        self.fill(machine, Resource::RuleRows, &of(|arrival| arrival.values))?;
        self.fill(machine, Resource::RuleValues, &facts.precision.arithmetic.in_memory(&arrivals.values))
    }

    /// Links with boundary rules.
    fn list_links_with_rules(
        &mut self,
        machine: &M,
        all: &AtLinks,
        links: &[LinkArrival],
        [count, directions]: [usize; 2],
    ) -> Result<(), Error> {
        let of_node = || links.chunk_by(|one, other| one.node == other.node);
        let (ruled, ranks) = ranked(of_node().map(|some| some[0].node as u32), count);
        self.fill(machine, Resource::LinkRuled, &ruled)?;
        self.fill(machine, Resource::LinkRanks, &ranks)?;
        let mask = |some: &[LinkArrival]| some.iter().fold(0, |mask, link| mask | 1 << link.back);
        let mut masks = Masks::none(directions);
        of_node().for_each(|some| masks.push(mask(some)));
        self.fill_masks(machine, Resource::LinkMasks, &masks)?;
        let ranks = all.ranks();
        let rank =
            |link: &LinkArrival| ranks[link.row].expect("a row of which a link is listed has that link").0;
        let first = |some: &[LinkArrival]| rank(&some[0]) as u32;
        self.fill(machine, Resource::LinkRows, &of_node().map(first).collect::<Vec<_>>())?;
        let rules = all.iter().map(|link| link.part as u32);
        self.fill(machine, Resource::LinkRules, &rules.collect::<Vec<_>>())
    }

    /// The memory of a resource, where there is one.
    pub(super) fn memory(&self, resource: Resource) -> Option<&M::Memory> {
        self.memories.iter().find(|(known, _)| *known == resource).map(|(_, memory)| memory)
    }

    /// Writes the values of boundary rules anew: those of nodes, or of links.
    pub(super) fn renew(&self, of: Resource, facts: &Facts, values: &[f64]) -> Result<(), Error> {
        match self.memory(of) {
            Some(memory) => memory.write(0, &facts.precision.arithmetic.in_memory(values)),
            None => Ok(()),
        }
    }

    /// What walls add to what comes from them.
    pub(super) fn list_terms(&mut self, machine: &M, facts: &Facts, domain: &Domain) -> Result<(), Error> {
        let terms = facts.precision.arithmetic.in_memory(&facts.lattice.wall_terms(&domain.walls()));
        match self.memory(Resource::Terms).filter(|memory| memory.bytes() == terms.len()) {
            Some(memory) => memory.write(0, &terms),
            None => self.fill(machine, Resource::Terms, &terms),
        }
    }

    /// Binds memory that holds these masks.
    fn fill_masks(&mut self, machine: &M, resource: Resource, masks: &Masks) -> Result<(), Error> {
        match masks {
            Masks::Narrow(words) => self.fill(machine, resource, words),
            Masks::Wide(words) => self.fill(machine, resource, words),
        }
    }

    /// Binds memory that holds these values.
    pub(super) fn fill<T: Copy>(
        &mut self,
        machine: &M,
        resource: Resource,
        values: &[T],
    ) -> Result<(), Error> {
        self.put(resource, filled(machine, values)?);
        Ok(())
    }

    /// Binds memory, in the place of what the resource had before.
    pub(super) fn put(&mut self, resource: Resource, memory: M::Memory) {
        self.bindings.array(resource, memory.address());
        self.memories.retain(|(known, _)| *known != resource);
        self.memories.push((resource, memory));
    }

    /// Bytes of all arrays.
    pub(super) fn bytes(&self) -> usize {
        self.memories.iter().map(|(_, memory)| memory.bytes()).sum()
    }
}

/// Memory that holds these values.
pub(super) fn filled<M: Machine, T: Copy>(machine: &M, values: &[T]) -> Result<M::Memory, Error> {
    let memory = machine.memory(size_of_val(values))?;
    memory.write(0, bytes_of(values))?;
    Ok(memory)
}
