//! Arrays on the machine that an engine has beside the copies of what is stored, each bound to its resource.

use lbm_core::crossings::{Blocks, face_values};
use lbm_core::derived::Surroundings;
use lbm_core::engine::Setup;
use lbm_core::links::{Mask, Masks};
use lbm_core::pieces::{nodes_of_piece, pieces};
use lbm_core::rules::{Arrival, Arrivals, AtLinks, LinkArrival, Observed, mask_of};
use lbm_core::{Access, Domain, Error, Facts, ListedNodes};

use super::at_walls::Packing;
use super::binding::Bindings;
use super::walls::{Walls, ranked};
use crate::assemble::{ROW_MULTIPLE, Resource, RuleTexts, STREAM_SLACK, words_of_tickets};
use crate::machine::{Machine, Memory, bytes_of};

/// Arrays and numbers that are the same for all launches of an engine.
pub(super) struct Arrays<M: Machine> {
    memories: Vec<(Resource, M::Memory)>,
    pub(super) bindings: Bindings<'static>,
    /// The lists of nodes at walls, and how kernels find themselves there.
    pub(super) walls: Option<(Walls, Packing)>,
    /// How many populations of other nodes are brought for rules of nodes, and of links.
    pub(super) observed: [usize; 2],
    /// Lists of which there is one for each phase, each so many bytes long.
    by_phase: Vec<(Resource, usize)>,
    /// How many values of these change in time.
    pub(super) varying: [usize; 2],
    /// The nodes with links of which rules go first, in the order of their rows.
    pub(super) ruled: Vec<u32>,
}

/// Where what a node has sent lies in a copy before a step of a phase, in a box that is stored as a whole.
fn lies_at<'a>(facts: &'a Facts, domain: &'a Domain, phase: usize) -> impl Fn(&Observed) -> usize + 'a {
    let copy = facts.places(domain.size, ROW_MULTIPLE, STREAM_SLACK);
    move |observed| {
        let Access { shift, slot } = facts.sent(observed.direction, phase);
        let node = copy.locate(domain.around(domain.position(observed.node), shift));
        copy.offset(slot, node.expect("every node of a dense box is stored"))
    }
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
        let (memories, walls, by_phase) = (Vec::new(), None, Vec::new());
        Arrays { memories, bindings, walls, observed: [0; 2], by_phase, varying: [0; 2], ruled: Vec::new() }
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

    /// Nodes with boundary rules, with their numbers in the box, or in the list that says where in it they are.
    pub(super) fn list_rules(
        &mut self,
        machine: &M,
        facts: &Facts,
        domain: &Domain,
        arrivals: &Arrivals,
        texts: &RuleTexts,
        positions: Option<&[u32]>,
    ) -> Result<(), Error> {
        let count = positions.map_or(domain.nodes(), <[u32]>::len);
        let (nodes, links) = match positions {
            None => (arrivals.nodes.clone(), texts.in_order(&arrivals.at_links)),
            Some(positions) => arrivals.numbered(positions),
        };
        self.ruled.clear();
        self.by_phase.clear();
        let places = texts.places(&arrivals.at_links);
        self.list_values_in_time(machine, arrivals, &places)?;
        let observed = arrivals.all_observed(positions);
        let place = |observed: &Observed| match observed.of_link {
            true => places(observed.place).expect("what is read of other nodes is read"),
            false => observed.place,
        };
        for of in 0..2 {
            let mut own: Vec<&Observed> =
                observed.iter().filter(|one| usize::from(one.of_link) == of).collect();
            self.observed[of] = if texts.are_brought(of) { own.len() } else { 0 };
            if own.is_empty() {
                continue;
            }
            if texts.see(of) {
                let rows = match of {
                    0 => arrivals.values.len(),
                    _ => texts.count * arrivals.at_links.iter().count(),
                };
                self.fill_phases(machine, Resource::SeenAt(of), facts, |phase| {
                    let (mut all, lies) = (vec![u32::MAX; rows], lies_at(facts, domain, phase));
                    own.iter().for_each(|one| all[place(one)] = lies(one) as u32);
                    all
                })?;
                continue;
            }
            if texts.are_brought_from_places(of) {
                // Threads side by side write side by side.
                own.sort_unstable_by_key(|one| place(one));
            }
            let list = |what: &dyn Fn(&Observed) -> usize| -> Vec<u32> {
                own.iter().map(|observed| what(observed) as u32).collect()
            };
            if texts.are_brought_from_places(of) {
                let places = |phase| list(&lies_at(facts, domain, phase));
                self.fill_phases(machine, Resource::Observed(of), facts, places)?;
            } else {
                self.fill(machine, Resource::Observed(of), &list(&|observed| observed.node))?;
                self.fill(machine, Resource::ObservedDirections(of), &list(&|observed| observed.direction))?;
            }
            self.fill(machine, Resource::ObservedPlaces(of), &list(&place))?;
        }
        if !links.is_empty() {
            let at_links = &arrivals.at_links;
            self.list_links_with_rules(machine, (at_links, texts), &links, [count, facts.lattice.q()])?;
            if texts.go_first {
                self.list_links_that_go_first(machine, facts, domain, (at_links, &links))?;
            }
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

    /// Lists what there is for each phase.
    fn fill_phases(
        &mut self,
        machine: &M,
        resource: Resource,
        facts: &Facts,
        of_phase: impl Fn(usize) -> Vec<u32>,
    ) -> Result<(), Error> {
        let all: Vec<u32> = (0..facts.period).flat_map(of_phase).collect();
        self.by_phase.push((resource, size_of_val(&all[..]) / facts.period));
        self.fill(machine, resource, &all)
    }

    /// Binds the lists of a phase.
    pub(super) fn bind_phase(&self, bindings: &mut Bindings<'_>, phase: usize) {
        for &(resource, bytes) in &self.by_phase {
            let memory = self.memory(resource).expect("it is filled");
            bindings.array(resource, memory.address() + (phase * bytes) as u64);
        }
    }

    /// Links with boundary rules.
    fn list_links_with_rules(
        &mut self,
        machine: &M,
        (all, texts): (&AtLinks, &RuleTexts),
        links: &[LinkArrival],
        [count, lattice_directions]: [usize; 2],
    ) -> Result<(), Error> {
        let of_node = || links.chunk_by(|one, other| one.node == other.node);
        let (ruled, ranks) = ranked(of_node().map(|some| some[0].node as u32), count);
        self.fill(machine, Resource::LinkRuled, &ruled)?;
        self.fill(machine, Resource::LinkRanks, &ranks)?;
        let mut masks = Masks::none(lattice_directions);
        of_node().for_each(|some| masks.push(mask_of(some)));
        self.fill_masks(machine, Resource::LinkMasks, &masks)?;
        let ranks = texts.ranks(all);
        let first = |some: &[LinkArrival]| ranks[some[0].row].expect("its link is listed").0 as u32;
        self.fill(machine, Resource::LinkRows, &of_node().map(first).collect::<Vec<_>>())?;
        let rules = texts.in_order(all).into_iter().map(|link| link.part as u32);
        self.fill(machine, Resource::LinkRules, &rules.collect::<Vec<_>>())
    }

    /// The nodes of links of which rules go first, in the order of rows.
    fn list_links_that_go_first(
        &mut self,
        machine: &M,
        facts: &Facts,
        domain: &Domain,
        (all, links): (&AtLinks, &[LinkArrival]),
    ) -> Result<(), Error> {
        self.ruled =
            links.chunk_by(|one, other| one.node == other.node).map(|some| some[0].node as u32).collect();
        let mut order: Vec<u32> = (0..self.ruled.len() as u32).collect();
        order.sort_unstable_by_key(|&place| self.ruled[place as usize]);
        let (mut missing, mut firsts, mut walls) = (Masks::none(facts.lattice.q()), Vec::new(), Vec::new());
        for &node in &self.ruled {
            let here = all.links_of(node as usize);
            let moves = |&wall: &u16| domain.velocity_of_wall(usize::from(wall)) != [0.0; 3];
            missing.push(here.missing | if here.meets.iter().any(moves) { u64::LAST } else { 0 });
            firsts.push(walls.len() as u32);
            walls.extend_from_slice(here.meets);
        }
        let nodes = self.ruled.clone();
        self.fill(machine, Resource::LinkNodes, &nodes)?;
        self.fill(machine, Resource::LinkOrder, &order)?;
        self.fill_masks(machine, Resource::LinkMissing, &missing)?;
        self.fill(machine, Resource::LinkFirsts, &firsts)?;
        self.fill(machine, Resource::LinkWalls, &walls)
    }

    /// Where what comes back to the nodes of links of which rules go first begins to be kept, once the nodes at walls are listed.
    pub(super) fn list_kept_at_links(&mut self, machine: &M, facts: &Facts) -> Result<(), Error> {
        let Some((walls, _)) = self.walls.as_ref().filter(|_| facts.keeps_sent && !self.ruled.is_empty())
        else {
            return Ok(());
        };
        let firsts = walls.first_links();
        let kept: Vec<u32> = self.ruled.iter().map(|node| firsts[node]).collect();
        self.fill(machine, Resource::LinkKept, &kept)
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
