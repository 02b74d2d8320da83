//! A pass over the nodes of some rows.
//!
//! Along a row, nodes of which every value lies evenly are one run, as long as may be, that a program goes over where it lies. In
//! between are *chunks*, a cache line of nodes each, in which a value's places wrap around the box, go on in another cluster of the layout, or
//! come from a wall: there values wait in lines ([`crate::chunk`]).

use std::ops::Range;

use lbm_core::{Access, Facts, Lanes};

use crate::dispatch::{Task, dispatch};
use crate::lines::Bench;
use crate::pass::{Does, Pass};
use crate::plan::{Cut, MOST_ROWS_ALIKE, Period, Plan, Plans};
use crate::run::{Late, MOST_VALUES, Run, put_begins};
use crate::segment::Segment;
use crate::side::Side;
use crate::specials::Specials;
use crate::step::Step;
use crate::stretch::{End, Stretch};
use crate::threads::Ranges;
use crate::walled::Walled;

/// A pass over rows.
pub(crate) struct OverRows<'a> {
    step: &'a Step<'a>,
    pass: Pass<'a>,
    taken: Side<'a>,
    left: Side<'a>,
    specials: &'a Specials,
    /// Whether nodes may come from walls, or stand still: else the pass does all nodes alike.
    has_specials: bool,
    /// Whether values of the arithmetic type are stored as they are.
    is_plain: bool,
}

impl<'a> OverRows<'a> {
    /// What a step's pass does with its rows.
    pub(crate) fn new(step: &'a Step<'a>, does: Does) -> OverRows<'a> {
        let (facts, phase) = (step.facts(), step.state.phase());
        let sends = does == Does::Send;
        let (taken, left) = match does {
            Does::Send => (moments(facts), sent(facts, phase)),
            Does::Collide => (met(facts, phase), stays(facts, phase)),
            // Fields lie elsewhere.
            Does::Derive => (met(facts, phase), Vec::new()),
        };
        OverRows {
            step,
            pass: Pass::new(step.state, &step.whole.strides, does, step.read, step.whole.prefetch_distance),
            taken: Side::taken(step, taken),
            left: Side::left(step, left),
            specials: &step.whole.specials[phase],
            has_specials: !sends,
            is_plain: facts.precision.plain,
        }
    }

    /// Does some rows, of some ranges.
    ///
    /// # Safety
    /// The memory is a box's of these facts, the special chunks are those of the phase, and nobody else works on these rows.
    pub(crate) unsafe fn run(&self, rows: &mut Ranges<'_>) {
        dispatch(self.step.state.level, SomeRows { pass: self, rows });
    }

    /// How rows are cut.
    fn cut(&self) -> Cut<'_> {
        let facts = self.step.facts();
        let all = 0..if self.pass.rebuilds { facts.body.moments } else { 0 };
        Cut {
            sides: [&self.taken, &self.left],
            nx: self.step.state.domain().size[0],
            chunk: self.pass.chunk,
            bytes: self.pass.bytes,
            lane: self.pass.lane,
            moments: all.map(|n| facts.moment(n).slot).collect(),
            knows_ends: self.pass.knows_ends,
            lies: self.pass.is_packed() && (!self.pass.rebuilds || self.step.whole.strides.are_even()),
        }
    }

    /// After how few rows all that is taken and left lies alike, and where along y: there neither row looks around the box.
    fn period(&self) -> Option<Period> {
        let ny = self.step.state.domain().size[1];
        let reach = self.taken.reach_along_y().max(self.left.reach_along_y());
        (1..=MOST_ROWS_ALIKE).find_map(|rows| {
            let behind = [self.taken.behind_rows(rows)?, self.left.behind_rows(rows)?];
            Some(Period { rows, behind, alike: reach + rows..ny.saturating_sub(reach) })
        })
    }

    /// # Safety
    /// As for [`run`](OverRows::run).
    #[inline(always)]
    unsafe fn rows(&self, ranges: &mut Ranges<'_>) {
        let cut = self.cut();
        let rebuilt = if self.pass.rebuilds { self.pass.taken } else { 0 };
        let mut bench = Bench::new(self.step.facts().lattice.q(), rebuilt);
        let mut plans = Plans::new();
        let mut starts = [[0; MOST_VALUES]; 2];
        let (period, ny) = (self.period(), self.step.state.domain().size[1]);
        let mut next = None;
        for row in ranges.flatten() {
            // Rows lie behind their plans.
            if next.replace(row + 1).is_some_and(|next| next != row) {
                plans = Plans::new();
            }
            let known = period.as_ref().filter(|period| period.alike.contains(&(row % ny)));
            let behind = known.and_then(|period| plans.follow(row, period)).unwrap_or_else(|| {
                for (side, starts) in cut.sides.iter().zip(&mut starts) {
                    side.find_starts(row, starts);
                }
                plans.find(&cut, &starts)
            });
            if let Some(period) = &period {
                plans.remember(row, period, behind);
            }
            // SAFETY: as the caller says.
            unsafe { self.row(row, plans.found(), behind, &mut bench) };
        }
        // SAFETY: as the caller says.
        unsafe { self.pass.settle(&mut bench.late) };
    }

    /// Does a row whose values lie so many bytes behind those of its plan.
    ///
    /// # Safety
    /// As for [`run`](OverRows::run).
    #[inline(always)]
    unsafe fn row(&self, row: usize, plan: &mut Plan, behind: [usize; 2], bench: &mut Bench) {
        let specials = if self.has_specials { self.specials.row(row).chunks() } else { &[] };
        let chunks = specials.iter().map(|special| self.pass.special(self.specials, row, special));
        if let (Some(begins), true) = (&plan.run_with_ends, self.pass.knows_begins)
            && (specials.is_empty() || self.is_plain)
        {
            let first = row * self.step.state.domain().size[0];
            // SAFETY: as the caller says.
            unsafe { Walled::of_plan(&self.pass, plan, begins, behind, first).run(chunks, bench) };
            return;
        }
        let node = row * self.step.state.domain().size[0];
        if let (Some(stretches), true) = (&mut plan.stretches, specials.is_empty()) {
            for stretch in stretches {
                // SAFETY: as the caller says.
                unsafe { self.stretch(stretch, node, behind, bench) };
            }
            return;
        }
        let mut chunks = chunks.peekable();
        for segment in &plan.segments {
            let (mut x, end) = (segment.x, segment.x + segment.count);
            while x < end {
                let until = chunks.peek().map_or(end, |special| special.first - node);
                // SAFETY: as the caller says.
                unsafe {
                    if let Some(special) = chunks.next_if(|special| special.first == node + x) {
                        // Where there are nothing but solid nodes, these are zero and stay so.
                        if special.live != 0 {
                            self.pass.chunk(segment, x, node + x, behind, Some(special), bench);
                        }
                        x += self.pass.chunk;
                    } else if segment.is_run() {
                        let until = until.min(end);
                        self.along(segment, x..until, node, behind, &mut bench.late);
                        x = until;
                    } else if self.pass.takes_pieces(segment) {
                        let Bench { taken, moments, late, .. } = bench;
                        put_begins(&mut taken.inputs, &segment.inputs, self.pass.taken);
                        match self.pass.rebuilds {
                            true => self.pass.take_moments(segment, behind[0], &mut taken.inputs, moments),
                            false => self.pass.take_pieces(segment, segment.x, behind[0], taken),
                        }
                        let in_lines = if self.pass.rebuilds { segment.gathered } else { 0 };
                        let (first, count) = (node + segment.x, self.pass.chunk);
                        let run = self.pass.over(first, &taken.inputs, &segment.outputs, count, late);
                        self.pass.programs[0](&Run { behind, in_lines, ..run });
                        x = end;
                    } else if self.pass.is_transposed(segment) {
                        self.pass.transposed(segment, node + x, behind, bench);
                        x = end;
                    } else {
                        self.pass.chunk(segment, x, node + x, behind, None, bench);
                        x = end;
                    }
                }
            }
        }
    }

    /// Does a stretch of the row whose first node has this number: what does not lie evenly at its ends waits in lines, which nobody else
    /// reads or writes in this pass, since a place in one copy is one node's.
    ///
    /// # Safety
    /// As for [`run`](OverRows::run).
    #[inline(always)]
    unsafe fn stretch(&self, stretch: &mut Stretch, row: usize, behind: [usize; 2], bench: &mut Bench) {
        let Bench { ends, late, .. } = bench;
        let (level, bytes, distance) =
            (self.step.state.level, self.pass.bytes, self.pass.chunk_prefetch_distance);
        // SAFETY: as the caller says; the lines have room for a chunk.
        unsafe {
            for (end, lines) in stretch.ends.iter_mut().zip(ends.iter_mut()) {
                if let Some(end) = end {
                    end.take(level, behind, distance, lines, bytes);
                }
            }
            let run = self.pass.over(row + stretch.x, &stretch.inputs, &stretch.outputs, stretch.count, late);
            let elsewhere = stretch.ends.each_ref().map(|end| end.as_ref().map(End::elsewhere));
            self.pass.programs[0](&Run { behind, ends: elsewhere, ..run });
            for (end, lines) in stretch.ends.iter().zip(ends.iter()) {
                if let Some(end) = end {
                    end.leave(level, behind[1], lines, bytes);
                }
            }
        }
    }

    /// Has a program go over some nodes of a run, in the row whose first node has this number.
    ///
    /// # Safety
    /// As for [`run`](OverRows::run).
    #[inline(always)]
    unsafe fn along(
        &self,
        segment: &Segment,
        nodes: Range<usize>,
        row: usize,
        behind: [usize; 2],
        late: &mut Late,
    ) {
        let first = (nodes.start - segment.x) * self.pass.bytes;
        let behind = [behind[0].wrapping_add(first), behind[1].wrapping_add(first)];
        let (node, derived) = (row + nodes.start, self.pass.derived_at(row + nodes.start));
        let outputs = derived.as_ref().unwrap_or(&segment.outputs);
        let run = self.pass.over(node, &segment.inputs, outputs, nodes.len(), late);
        // SAFETY: as the caller says.
        unsafe { self.pass.programs[0](&Run { behind, ..run }) };
    }
}

/// Some rows of a pass, whose addresses are computed with the vectors of the level, too.
struct SomeRows<'a, 'b> {
    pass: &'b OverRows<'a>,
    rows: &'b mut Ranges<'b>,
}

impl Task for SomeRows<'_, '_> {
    type Scalar = f64;

    #[inline(always)]
    fn run<N: Lanes<Scalar = f64>>(self) {
        // SAFETY: who makes it says so.
        unsafe { self.pass.rows(self.rows) };
    }
}

/// Where populations that meet are read, or the moments that they are rebuilt from: the first of them.
fn met(facts: &Facts, phase: usize) -> Vec<Access> {
    let read = (0..facts.lattice.q()).map(|i| facts.read(i, phase));
    match facts.pattern.rebuilds() {
        false => read.collect(),
        true => read.map(|read| Access { slot: facts.moment(0).slot, ..read }).collect(),
    }
}

/// Where what becomes of them is left.
fn stays(facts: &Facts, phase: usize) -> Vec<Access> {
    match facts.pattern.stores_moments() {
        false => (0..facts.lattice.q()).map(|i| facts.write(i, phase)).collect(),
        true => moments(facts),
    }
}

fn moments(facts: &Facts) -> Vec<Access> {
    (0..facts.body.moments).map(|n| facts.moment(n)).collect()
}

/// Where moments send populations to: what is read in this phase was sent in the one before.
fn sent(facts: &Facts, phase: usize) -> Vec<Access> {
    let before = (phase + facts.period - 1) % facts.period;
    (0..facts.lattice.q()).map(|i| facts.write(i, before)).collect()
}
