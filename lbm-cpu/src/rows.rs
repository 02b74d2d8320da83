//! A box that is stored as a whole: threads go over rows, or over blocks.

use std::ops::Range;
use std::sync::Arc;

use lbm_core::crossings::{Blocks, face_values, kept_slots};
use lbm_core::derived::Surroundings;
use lbm_core::engine::Setup;
use lbm_core::laws::check_streaming;
use lbm_core::links::{Change, check_directions};
use lbm_core::streaming::Over;
use lbm_core::{Domain, Error, Facts, Links};

use crate::around::{place, turned, wrapped};
use crate::blocks::blocks;
use crate::march::{March, serves};
use crate::memory::{Memory, stream_slack};
use crate::options::CpuOptions;
use crate::over_rows::OverRows;
use crate::program::Code;
use crate::requirements::{check_box, check_storage, choose_stores};
use crate::rules::{RuleCode, Rules};
use crate::run::chunk_of;
use crate::specials::{Listing, Specials};
use crate::state::{Nodes, Place, State};
use crate::step::{RowStarts, Step, Whole};
use crate::strides::Strides;

/// Prefetch distance in rows, at most.
const MOST_ROWS_PREFETCHED: usize = 4;

/// The nodes of a box that is stored as a whole.
pub(crate) struct Rows {
    pub(crate) whole: Whole,
}

impl Rows {
    /// A variant's fluid at rest in step 0, and its nodes.
    ///
    /// # Errors
    /// As [`CpuEngine::new`](crate::CpuEngine::new).
    pub(crate) fn new(
        facts: Facts,
        code: Code,
        mut rules: Rules,
        setup: &Setup,
        options: &CpuOptions,
    ) -> Result<(State, Rows), Error> {
        let (domain, size) = (setup.domain(), setup.domain().size);
        check_streaming(&facts)?;
        check_directions(&facts.lattice)?;
        check_box(&facts, size)?;
        let (chunk, bytes) = (chunk_of(&facts), facts.precision.stored_bytes);
        let places = facts.places(size, chunk, stream_slack(bytes));
        check_storage(&facts, size, &places)?;
        let first = |row: usize| places.locate([0, row % size[1], row / size[1]]);
        let first = |row: usize| first(row).expect("every node of a dense box is stored");
        let starts: Vec<_> = (0..size[1] * size[2]).map(first).collect();
        let strides = Strides::of(&places, facts.slots());
        let stores = choose_stores(&facts, options.stores, &places, &strides, &starts)?;
        let links = setup.links(&facts.lattice)?;
        let blocks = facts.blocks();
        cut(&mut rules, &facts, &blocks, size)?;
        let of_phase =
            |phase| Listing { facts: &facts, domain, links: &links, rules: &rules, places: &places, phase };
        let specials =
            (0..facts.period).map(|phase| Specials::of(&of_phase(phase))).collect::<Result<_, _>>()?;
        let crossings = face_values(&facts, size) + Blocks::values(&facts, size);
        let (nodes, numbers) = (domain.nodes(), links.numbers());
        let state = State::new(facts, code, rules, setup, options, stores, places, nodes, numbers)?;
        let rows = RowStarts::of(starts.clone());
        let whole = Whole {
            marches: serves(&facts, setup, &strides, &rows),
            links,
            specials,
            crossings: Memory::zeroed(crossings * bytes, 0)?,
            blocks,
            drift: facts.drift(size),
            stored: (0..facts.period)
                .map(|phase| (0..facts.state_values()).map(|n| facts.state_at(n, phase)).collect())
                .collect(),
            kept: (0..facts.period).map(|phase| kept_slots(&facts, phase)).collect(),
            before: Vec::new(),
            prefetch_distance: prefetch_distance(&strides, &starts) * bytes,
            rows,
            strides,
            around: around(&facts, domain),
        };
        let mut rows = Rows { whole };
        rows.restart(&state);
        Ok((state, rows))
    }

    /// The rows, or blocks, that are done at once, one portion after the other: all, or as many planes as a copy that drifts has to
    /// spare.
    fn portions(&self, size: [usize; 3], step: i64) -> Vec<Range<usize>> {
        if let Some(blocks) = &self.whole.blocks {
            return std::iter::once(0..blocks.count(size)).collect();
        }
        let (rows, drift) = (size[1] * size[2], self.whole.drift);
        // Planes along x are no rows; there is one for all of them.
        let until = |plane: usize| rows * plane / drift.planes.max(1);
        drift.portions(step).map(|planes| until(planes.start)..until(planes.end)).collect()
    }
}

/// The rows of which nodes have become solid or fluid, or have other links, or other numbers of links where something is kept at these; each once.
fn changed_rows(facts: &Facts, domain: &Domain, nodes: &[usize], changes: &[Change]) -> Vec<usize> {
    let row = |node: usize| node / domain.size[0];
    let mut rows: Vec<usize> = nodes.iter().map(|&node| row(node)).collect();
    for change in changes {
        let Range { start, end } = match facts.keeps_sent {
            true => change.numbered(),
            false => change.node..change.node + 1,
        };
        rows.extend(row(start)..=row(end.min(domain.nodes()) - 1));
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// What fields are around the fluid, where neighbours read them.
fn around(facts: &Facts, domain: &Domain) -> Surroundings {
    match facts.body.reach() {
        0 => Surroundings::default(),
        reach => Surroundings::of(domain, facts.lattice.dimension, reach),
    }
}

/// Values from those of a row to those of one of the next ones that is cut alike: nothing, where there is none near.
fn prefetch_distance(strides: &Strides, starts: &[usize]) -> usize {
    let near = starts.iter().skip(1).take(MOST_ROWS_PREFETCHED);
    near.filter_map(|start| strides.moved_by(start.wrapping_sub(starts[0]))).next().unwrap_or(0)
}

impl Nodes for Rows {
    fn one_step(&mut self, state: &State) {
        let (step, size) = (state.step as i64, state.domain().size);
        let now = state.facts.origins(step, &state.places, size);
        let read = state.facts.read_origins(step, &state.places, size);
        let work = Step { state, whole: &self.whole, now: &now, read: &read };
        // A pass begins when all threads are done with the one before.
        let passes = state.facts.pattern.passes(state.phase());
        for (number, pass) in passes.iter().enumerate() {
            if pass.over != Over::Nodes {
                work.move_values(pass);
                continue;
            }
            // The last one collides.
            if number + 1 == passes.len() {
                // SAFETY: memory was made from the facts, and no other pass is at work.
                unsafe { work.derive() };
            }
            if let Some(march) = self.whole.marches.then(|| March::new(&work)).flatten() {
                state.threads.deal(march.strips(), &|strips| {
                    // SAFETY: memory and links were made from the facts; each thread has strips of its own.
                    unsafe { March::new(&work).expect("there is one").run(strips) };
                });
                continue;
            }
            for portion in self.portions(size, step) {
                state.threads.deal(portion.len(), &|ranges| {
                    let mut items =
                        ranges.map(|items| portion.start + items.start..portion.start + items.end);
                    // SAFETY: memory and links were made from the facts; each thread has rows, or blocks, of its own.
                    unsafe {
                        match &self.whole.blocks {
                            None => OverRows::new(&work, pass.program.into()).run(&mut items),
                            Some(cut) => blocks(&work, cut, &mut items),
                        }
                    }
                });
            }
        }
        self.whole.before = now;
    }

    fn for_each(&self, state: &State, some: Range<usize>, each: &(dyn Fn(usize, usize, Place) + Sync)) {
        let (facts, domain) = (&state.facts, state.domain());
        let nx = domain.size[0];
        let first = some.start / nx;
        state.threads.split(some.end.div_ceil(nx) - first, &|rows| {
            for row in rows.map(|row| first + row) {
                let here = some.start.max(nx * row)..some.end.min(nx * (row + 1));
                let kept = self.whole.links.within(here.clone()).filter(|_| facts.keeps_sent);
                for here in kept {
                    here.iter().for_each(|link| {
                        let sent = facts.lattice.opposites[link.direction];
                        each(here.node, sent, Place::Kept(link.number));
                    });
                }
                for n in 0..facts.state_values() {
                    self.pieces(state, n, (here.start, 1, here.len()), &mut |first, count, [at, apart]| {
                        let nodes = here.start + first..here.start + first + count;
                        for (k, node) in
                            nodes.enumerate().filter(|&(_, node)| domain.solid_at(node).is_none())
                        {
                            each(node, n, Place::Copy(at + k * apart));
                        }
                    });
                }
            }
        });
    }

    fn pieces(
        &self,
        state: &State,
        n: usize,
        (node, step, count): (usize, usize, usize),
        each: &mut dyn FnMut(usize, usize, [usize; 2]),
    ) -> bool {
        let ([nx, ny, nz], access) = (state.domain().size, self.whole.stored[state.phase()][n]);
        let ([along_x, along_y, along_z], [x, row]) =
            (access.shift.map(|c| c as isize), [node % nx, node / nx]);
        let [y, z] = [wrapped((row % ny) as isize + along_y, ny), wrapped((row / ny) as isize + along_z, nz)];
        let (first, nodes) = (self.whole.rows.of_row(y + ny * z), state.places.nodes());
        let (origin, strides) = (self.whole.before[access.slot], &self.whole.strides);
        let mut number = 0;
        while number < count {
            let there = wrapped((x + number * step) as isize + along_x, nx);
            let node = turned(first + there, origin, nodes);
            let (at, even) = strides.find(&state.places, access.slot, node);
            let even = even.min(nx - there).min(nodes - node);
            let some = even.div_ceil(step).min(count - number);
            each(number, some, [at, step * strides.lane()]);
            number += some;
        }
        true
    }

    fn place(&self, state: &State, node: usize, n: usize) -> Place {
        let (domain, access) = (state.domain(), self.whole.stored[state.phase()][n]);
        let position = domain.position(node);
        Place::Copy(place(&state.places, domain.size, position, access, &self.whole.before))
    }

    fn place_again(&self, state: &State, node: usize, n: usize) -> Option<Place> {
        let here = state.facts.keeps_sent.then(|| self.whole.links.at(node))?;
        here.link(state.facts.lattice.opposites[n]).map(|link| Place::Kept(link.number))
    }

    fn places(&self, state: &State, node: usize, each: &mut dyn FnMut(usize, Place)) {
        let (size, position) = (state.domain().size, state.domain().position(node));
        for (n, &access) in self.whole.stored[state.phase()].iter().enumerate() {
            each(n, Place::Copy(place(&state.places, size, position, access, &self.whole.before)));
        }
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
        let blocks = &self.whole.blocks;
        rules.iter_mut().try_for_each(|rules| cut(rules, &facts, blocks, domain.size))?;
        let links = Arc::make_mut(&mut self.whole.links);
        let renewed = links.renew(&facts.lattice, domain, nodes);
        let renewed = renewed.and_then(|changes| Ok((changes, state.more_kept(links.numbers())?)));
        let (changes, kept) = match renewed {
            Ok(renewed) => renewed,
            Err(error) => {
                *links = Links::of(&facts.lattice, state.domain())?;
                return Err(error);
            }
        };
        let rows = match &rules {
            // Rows know their rules by where these stand in a list.
            Some(_) => (0..domain.size[1] * domain.size[2]).collect(),
            None => changed_rows(&facts, domain, nodes, &changes),
        };
        let listed_anew = rules.is_some();
        state.follow(setup, nodes, rules, kept);
        for (phase, specials) in self.whole.specials.iter_mut().enumerate() {
            let places = &state.places;
            let listing = Listing {
                facts: &facts,
                domain,
                links: &self.whole.links,
                rules: &state.rules,
                places,
                phase,
            };
            specials.list(&listing, rows.iter().copied());
        }
        self.whole.around = around(&facts, domain);
        setup.share(&facts.lattice, &self.whole.links);
        Ok(listed_anew)
    }

    fn keep(&self, state: &State) {
        if !state.facts.keeps_sent {
            return;
        }
        for link in self.whole.links.iter().flat_map(|here| here.iter()) {
            let sent = self.place(state, link.node, state.facts.lattice.opposites[link.direction]);
            // SAFETY: places are those of the state and of its links, and nobody else is at work.
            unsafe { state.set_value(Place::Kept(link.number), state.value(sent)) };
        }
    }

    fn restart(&mut self, state: &State) {
        self.whole.before = state.facts.origins(state.step as i64 - 1, &state.places, state.domain().size);
    }

    fn bytes(&self) -> usize {
        self.whole.crossings.bytes()
    }
}

/// Has rules go by the chunks of blocks, where there are some.
///
/// # Errors
/// As [`Rules::of`], for links.
fn cut(rules: &mut Rules, facts: &Facts, blocks: &Option<Blocks>, size: [usize; 3]) -> Result<(), Error> {
    let width = blocks.as_ref().map(|blocks| blocks.block(0, size).1[0]);
    width.map_or(Ok(()), |width| rules.in_blocks(facts, size[0], width))
}
