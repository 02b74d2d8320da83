//! A variant in motion on the CPU whose nodes are listed: threads go over the nodes of the storage.

use std::ops::Range;

use lbm_core::addressing::Extent;
use lbm_core::engine::{Engine, Setup};
use lbm_core::facts::{Bounce, Places};
use lbm_core::laws::check_streaming;
use lbm_core::reference::Reference;
use lbm_core::{Error, Facts, Listing, Sites, Streaming, Variant};

use crate::engine::{Running, Shared, ValueAccess, described};
use crate::memory::{Memory, check_footprint};
use crate::nodes::{self, AT_ONCE, Pass, Place};
use crate::options::{CpuOptions, StoreKind};
use crate::requirements::check_listed_storage;
use crate::simd::SimdLevel;
use crate::threads::Threads;

/// A pass over some of a variant's nodes.
type OverNodes = unsafe fn(&Pass<'_>, SimdLevel, Range<usize>);

/// A variant in motion whose nodes are listed.
pub(crate) struct ListedEngine {
    facts: Facts,
    setup: Setup,
    /// What runs over the nodes in a step, one after the other.
    passes: Vec<OverNodes>,
    values: ValueAccess,
    places: Places<usize>,
    sites: Sites,
    copies: Vec<Memory<u8>>,
    kept: Memory<u8>,
    terms: Vec<f64>,
    uniforms: Vec<f64>,
    threads: Threads,
    level: SimdLevel,
    step: u64,
}

impl ListedEngine {
    /// Sets up a variant's fluid at rest in step 0.
    ///
    /// # Errors
    /// As [`CpuEngine::new`](crate::CpuEngine::new); [`Error::OutOfRange`] as [`Sites::of`].
    pub(crate) fn new<V: Variant>(setup: &Setup, options: &CpuOptions) -> Result<ListedEngine, Error> {
        let facts = Facts::of::<V>();
        check_streaming(&facts)?;
        if options.stores == Some(StoreKind::NonTemporal) {
            return Err(Error::Conflict {
                what: format!("listed nodes (`{}`) cannot be stored past the caches", facts.addressing.name),
                remedy: "take ordinary stores, or the addressing `Dense`".to_owned(),
            });
        }
        let level = options.simd.unwrap_or_else(SimdLevel::best).checked()?;
        let threads = Threads::new(options.threads)?;
        let sites = Sites::of(&facts, &setup.domain)?;
        check_footprint(sites.listing.positions.len() as u128, facts.bytes_per_node())?;
        let places = facts.listed_places(&Extent::listed(setup.domain.size, &sites.listing));
        check_listed_storage(&facts, sites.listing.positions.len(), &places, &threads)?;
        let copies = (0..facts.copies)
            .map(|_| Memory::zeroed(places.values() * facts.precision.stored_bytes, 0))
            .collect::<Result<Vec<_>, _>>()?;
        let kept = if facts.keeps_sent { sites.wall_links } else { 0 };
        let terms = facts.lattice.wall_terms(&setup.domain.walls());
        let exchange: Option<OverNodes> = V::Streaming::PATTERN.swaps().then_some(nodes::exchange::<V>);
        Ok(ListedEngine {
            passes: exchange.into_iter().chain([nodes::step::<V> as OverNodes]).collect(),
            values: ValueAccess::of::<V>(),
            kept: Memory::zeroed(kept * facts.precision.stored_bytes, 0)?,
            terms: terms.into_iter().map(|term| facts.precision.arithmetic.round(term)).collect(),
            uniforms: facts.uniforms(&setup.parameters),
            setup: setup.clone(),
            facts,
            places,
            sites,
            copies,
            threads,
            level,
            step: 0,
        })
    }

    fn one_step(&mut self) {
        let copies = self.facts.copies as u64;
        let (read, written) = ((self.step % copies) as usize, ((self.step + 1) % copies) as usize);
        let target = self.copies[written].as_mut_ptr();
        let source = if read == written { target.cast_const() } else { self.copies[read].as_ptr() };
        let pass = Pass {
            facts: &self.facts,
            places: &self.places,
            sites: &self.sites,
            terms: &self.terms,
            uniforms: &self.uniforms,
            phase: (self.step % self.facts.period as u64) as usize,
            source,
            target,
            kept: self.kept.as_mut_ptr(),
        };
        let nodes = self.sites.listing.positions.len();
        for over in &self.passes {
            self.threads.split(nodes.div_ceil(AT_ONCE), &|some| {
                let some = some.start * AT_ONCE..(some.end * AT_ONCE).min(nodes);
                // SAFETY: memory and sites were made from the variant's facts; each thread has nodes of its own.
                unsafe { over(&pass, self.level, some) };
            });
        }
        self.step += 1;
    }

    /// Where the post-collision population of direction `i` of a fluid node lies before a step of `phase`.
    fn place(&self, node: usize, i: usize, phase: usize) -> Place {
        let (site, opposite) = (nodes::site(&self.sites, node), self.facts.lattice.opposites[i]);
        if site.0 >> opposite & 1 == 0 {
            let (sent, last) = (self.facts.sent(i, phase), self.sites.listing.positions.len() - 1);
            let there = self.places.neighbour(node, sent.shift).min(last);
            return Place::Copy(self.places.offset(sent.slot, there));
        }
        match self.facts.bounce(opposite, phase) {
            Bounce::Sent(slot) | Bounce::There(slot) => Place::Copy(self.places.offset(slot, node)),
            Bounce::Kept => Place::Kept(nodes::link(&self.sites, site, opposite)),
        }
    }

    /// Calls `each` for every direction of every fluid node: its place in canonical order, and where it lies before step `step`.
    fn for_each(&self, step: u64, each: &(dyn Fn(usize, Place) + Sync)) {
        let (q, nodes) = (self.facts.lattice.q(), self.setup.domain.nodes());
        let phase = (step % self.facts.period as u64) as usize;
        let positions = &self.sites.listing.positions;
        self.threads.split(positions.len(), &|range| {
            for node in range {
                if positions[node] == Listing::PADDING || nodes::site(&self.sites, node).0 == Sites::IDLE {
                    continue;
                }
                (0..q).for_each(|i| each(positions[node] as usize + nodes * i, self.place(node, i, phase)));
            }
        });
    }

    fn check_length(&self, populations: &[f64]) {
        let values = self.facts.lattice.q() * self.setup.domain.nodes();
        assert_eq!(populations.len(), values, "one value a direction and node");
    }
}

impl Running for ListedEngine {
    fn stores(&self) -> StoreKind {
        StoreKind::Ordinary
    }

    fn simd(&self) -> SimdLevel {
        self.level
    }

    fn threads(&self) -> usize {
        self.threads.count()
    }
}

impl Engine for ListedEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        (0..steps).for_each(|_| self.one_step());
        Ok(())
    }

    fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        self.check_length(out);
        out.fill(0.0);
        let copy = Shared(self.copies[(self.step % self.facts.copies as u64) as usize].as_ptr().cast_mut());
        let (kept, out) = (Shared(self.kept.as_ptr().cast_mut()), Shared(out.as_mut_ptr()));
        self.for_each(self.step, &|at, place| {
            // SAFETY: places of nodes lie in the copy, links among those kept; a node has its own entries of `out`.
            unsafe {
                let value = match place {
                    Place::Copy(offset) => (self.values.read)(copy.start(), offset),
                    Place::Kept(link) => (self.values.read)(kept.start(), link),
                };
                out.start().add(at).write(value);
            }
        });
        Ok(())
    }

    fn set_populations(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.check_length(populations);
        self.step = step;
        let copy = Shared(self.copies[(step % self.facts.copies as u64) as usize].as_mut_ptr());
        let kept = Shared(self.kept.as_mut_ptr());
        self.for_each(step, &|at, place| {
            // SAFETY: as above; places are disjoint.
            unsafe {
                match place {
                    Place::Copy(offset) => (self.values.write)(copy.start(), offset, populations[at]),
                    Place::Kept(link) => (self.values.write)(kept.start(), link, populations[at]),
                }
            }
        });
        Ok(())
    }

    fn incoming(&self, out: &mut [f64]) -> Result<(), Error> {
        let mut populations = vec![0.0; out.len()];
        self.populations(&mut populations)?;
        Reference::holding(&self.facts, &self.setup, populations)?.incoming(out)
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        let memory: usize = self.copies.iter().chain([&self.kept]).map(Memory::bytes).sum();
        memory + self.sites.bytes()
    }

    fn description(&self) -> String {
        described(self)
    }
}
