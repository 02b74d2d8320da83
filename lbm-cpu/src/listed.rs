//! A flow whose nodes are listed: threads go over the nodes of the storage.

use std::ops::Range;

use lbm_core::addressing::Extent;
use lbm_core::engine::Setup;
use lbm_core::laws::check_streaming;
use lbm_core::{Error, Facts, Sites};

use crate::memory::check_footprint;
use crate::nodes::{AT_ONCE, OverNodes, Site, Step};
use crate::options::{CpuOptions, StoreKind};
use crate::requirements::check_listed_storage;
use crate::state::{Nodes, Place, State, ValueAccess};

/// Listed nodes.
pub(crate) struct Listed {
    passes: [Option<OverNodes>; 2],
    sites: Sites,
}

impl Listed {
    /// A variant's fluid at rest in step 0, and its nodes.
    ///
    /// # Errors
    /// As [`CpuEngine::new`](crate::CpuEngine::new); [`Error::OutOfRange`] as [`Sites::of`].
    pub(crate) fn new(
        facts: Facts,
        values: ValueAccess,
        passes: [Option<OverNodes>; 2],
        setup: &Setup,
        options: &CpuOptions,
    ) -> Result<(State, Listed), Error> {
        check_streaming(&facts)?;
        let stores = StoreKind::Ordinary;
        if options.stores.is_some_and(|asked| asked != stores) {
            return Err(Error::conflict(
                format!("listed nodes (`{}`) cannot be stored past the caches", facts.addressing.name),
                "take ordinary stores, or the addressing `Dense`",
            ));
        }
        let sites = Sites::of(&facts, &setup.domain)?;
        check_footprint(sites.listing.positions.len() as u128, facts.bytes_per_node())?;
        let places = facts.listed_places(&Extent::listed(setup.domain.size, &sites.listing));
        let state = State::new(facts, values, setup, options, stores, places, 0, sites.wall_links)?;
        check_listed_storage(&state, sites.listing.positions.len())?;
        Ok((state, Listed { passes, sites }))
    }

    /// Where the post-collision population of direction `i` of a fluid node lies now.
    fn place(&self, state: &State, node: usize, i: usize) -> Place {
        let State { facts, places, .. } = state;
        let (site, opposite) = (Site::of(&self.sites, node), facts.lattice.opposites[i]);
        if !site.misses(opposite) {
            let (sent, last) = (facts.sent(i, state.phase()), self.sites.listing.positions.len() - 1);
            let there = places.neighbour(node, sent.shift).min(last);
            return Place::Copy(places.offset(sent.slot, there));
        }
        match facts.bounce(opposite, state.phase()) {
            Some(slot) => Place::Copy(places.offset(slot, node)),
            None => Place::Kept(site.link(&self.sites, opposite)),
        }
    }
}

impl Nodes for Listed {
    fn one_step(&mut self, state: &State) {
        let step = Step { state, sites: &self.sites };
        let nodes = self.sites.listing.positions.len();
        for over in self.passes.into_iter().flatten() {
            state.threads.split(nodes.div_ceil(AT_ONCE), &|some| {
                let some = some.start * AT_ONCE..(some.end * AT_ONCE).min(nodes);
                // SAFETY: memory and sites were made from the variant's facts; each thread has nodes of its own.
                unsafe { over(&step, state.level, some) };
            });
        }
    }

    fn for_each(&self, state: &State, some: Range<usize>, each: &(dyn Fn(usize, usize, Place) + Sync)) {
        let q = state.facts.lattice.q();
        let positions = &self.sites.listing.positions;
        state.threads.split(positions.len(), &|range| {
            for node in range {
                // Padding has no node of a box.
                if !some.contains(&(positions[node] as usize)) || Site::of(&self.sites, node).is_idle() {
                    continue;
                }
                (0..q).for_each(|i| each(positions[node] as usize, i, self.place(state, node, i)));
            }
        });
    }

    fn restart(&mut self, _state: &State) {}

    fn bytes(&self) -> usize {
        self.sites.bytes()
    }
}
