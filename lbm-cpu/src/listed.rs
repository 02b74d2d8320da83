//! A flow whose nodes are listed: threads go over the nodes of the storage.

use std::ops::Range;

use lbm_core::addressing::{Drawable, Extent};
use lbm_core::engine::Setup;
use lbm_core::laws::check_streaming;
use lbm_core::links::{Mask, Masks};
use lbm_core::{Error, Facts, ListedNodes};

use crate::memory::check_footprint;
use crate::node_fields::Numbers;
use crate::options::CpuOptions;
use crate::over_nodes::{Listed, OverNodes};
use crate::program::Code;
use crate::reach::Reaches;
use crate::requirements::{check_listed_storage, choose_stores};
use crate::rules::{RuleCode, Rules};
use crate::state::{Nodes, Place, State};
use crate::strides::Strides;

/// Nodes that a thread takes at least: whole chunks and groups.
const PORTION: usize = 256;

impl Listed {
    /// A variant's fluid at rest in step 0, and its nodes.
    ///
    /// # Errors
    /// As [`CpuEngine::new`](crate::CpuEngine::new); [`Error::OutOfRange`] as [`ListedNodes::of`].
    pub(crate) fn new(
        facts: Facts,
        code: Code,
        mut rules: Rules,
        setup: &Setup,
        options: &CpuOptions,
    ) -> Result<(State, Listed), Error> {
        check_streaming(&facts)?;
        let mut listed_nodes = Drawable::open(&facts, setup)?;
        rules.renumber(&facts, &listed_nodes.listing.positions)?;
        check_footprint(listed_nodes.listing.positions.len() as u128, facts.bytes_per_node())?;
        let places = facts.listed_places(&Extent::listed(setup.domain().size, &listed_nodes.listing));
        let strides = Strides::of(&places, facts.slots());
        let stores = choose_stores(&facts, options.stores, &places, &strides, &[])?;
        let (nodes, links) = (listed_nodes.listing.positions.len(), listed_nodes.wall_links);
        let mut state = State::new(facts, code, rules, setup, options, stores, places, nodes, links)?;
        check_listed_storage(&state, nodes)?;
        // Nobody looks further than in the box in which all is fluid that may become it.
        let reaches = Reaches::of(&state.facts, &state.places, &listed_nodes, &state.threads, state.level)?;
        let mut drawable = Drawable::default();
        drawable.close(&mut listed_nodes, &facts, setup.domain())?;
        state.kept = state.more_kept(listed_nodes.wall_links)?.unwrap_or(state.kept);
        let origins = vec![0; state.facts.slots()];
        Ok((state, Listed { nodes: listed_nodes, reaches, strides, origins, drawable }))
    }

    /// A step, of nodes that miss these directions.
    fn step<M: Mask>(&self, state: &State, missing: &[M]) {
        let pass = OverNodes::new(state, self, missing);
        let nodes = self.nodes.listing.positions.len();
        let split = |work: &(dyn Fn(Range<usize>) + Sync)| {
            state.threads.split(nodes.div_ceil(PORTION), &|some| {
                work(some.start * PORTION..(some.end * PORTION).min(nodes));
            });
        };
        if state.facts.pattern.swaps() {
            // SAFETY: memory and nodes were made from the same facts; each thread has nodes of its own.
            split(&|some| unsafe { pass.exchange(some) });
        }
        // SAFETY: as above.
        split(&|some| unsafe { pass.run(some) });
    }

    /// What a node misses ([`ListedNodes::missing`]).
    fn missing(&self, node: usize) -> u64 {
        self.nodes.entry(node).map_or(0, |entry| self.nodes.missing.get(entry))
    }
}

impl Nodes for Listed {
    fn one_step(&mut self, state: &State) {
        match &self.nodes.missing {
            Masks::Narrow(missing) => self.step(state, missing),
            Masks::Wide(missing) => self.step(state, missing),
        }
    }

    fn for_each(&self, state: &State, some: Range<usize>, each: &(dyn Fn(usize, usize, Place) + Sync)) {
        let q = state.facts.lattice.q();
        let positions = &self.nodes.listing.positions;
        state.threads.split(positions.len(), &|range| {
            for node in range {
                // Padding has no node of a box.
                if !some.contains(&(positions[node] as usize)) || self.missing(node) == ListedNodes::IDLE {
                    continue;
                }
                (0..q).for_each(|i| each(positions[node] as usize, i, self.place(state, node, i)));
            }
        });
    }

    fn place(&self, state: &State, node: usize, i: usize) -> Place {
        let State { facts, places, .. } = state;
        let (missing, opposite) = (self.missing(node), facts.lattice.opposites[i]);
        if missing >> opposite & 1 == 0 {
            let (sent, last) = (facts.sent(i, state.phase()), self.nodes.listing.positions.len() - 1);
            let there = places.neighbour(node, sent.shift).min(last);
            return Place::Copy(places.offset(sent.slot, there));
        }
        match facts.bounce(opposite, state.phase()) {
            Some(slot) => Place::Copy(places.offset(slot, node)),
            None => Place::Kept(self.link(node, missing, opposite)),
        }
    }

    fn numbers(&self) -> Numbers<'_> {
        Some(&self.nodes.listing.positions)
    }

    fn places(&self, state: &State, node: usize, each: &mut dyn FnMut(usize, Place)) {
        let number = self.drawable.number(node).expect("a node that was drawn is stored");
        (0..state.facts.lattice.q()).for_each(|i| each(i, self.place(state, number, i)));
    }

    fn number(&self, node: usize) -> Option<usize> {
        self.drawable.number(node)
    }

    fn undrawable(&mut self, state: &State, nodes: &[usize]) -> Option<usize> {
        self.drawable.lacks(&self.nodes.listing.positions, state.domain(), nodes)
    }

    fn follow(
        &mut self,
        state: &mut State,
        setup: &Setup,
        nodes: &[usize],
        codes: &[RuleCode],
    ) -> Result<bool, Error> {
        let (facts, domain) = (state.facts, setup.domain());
        let mut rules = Rules::concerned(&facts, codes, (setup, nodes), state.level)?;
        rules.iter_mut().try_for_each(|rules| rules.renumber(&facts, &self.nodes.listing.positions))?;
        let near = self.drawable.near(&facts.lattice, domain, nodes);
        let kept = state.more_kept(self.nodes.wall_links + facts.lattice.q() * near.len())?;
        // Where a node leaves a value depends on its links.
        let stays = |&&(node, _): &&(usize, usize)| {
            [state.domain(), domain].iter().all(|domain| domain.solid_at(node).is_none())
        };
        let moved: Vec<usize> = near.iter().filter(stays).map(|&(_, number)| number).collect();
        let mut values = Vec::with_capacity(facts.lattice.q() * moved.len());
        for &number in &moved {
            // SAFETY: it is a place of a fluid node; nobody else is at work, here and below.
            values
                .extend((0..facts.lattice.q()).map(|i| unsafe { state.value(self.place(state, number, i)) }));
        }
        self.drawable.renew(&mut self.nodes, &facts, domain, &near)?;
        let anew = rules.is_some();
        state.follow(setup, nodes, rules, kept);
        for (&number, values) in moved.iter().zip(values.chunks(facts.lattice.q())) {
            for (i, &value) in values.iter().enumerate() {
                // SAFETY: as above.
                unsafe { state.set_value(self.place(state, number, i), value) };
            }
        }
        Ok(anew)
    }

    fn keep(&self, _state: &State) {}

    fn restart(&mut self, _state: &State) {}

    fn bytes(&self) -> usize {
        self.nodes.bytes() + self.reaches.bytes()
    }
}
