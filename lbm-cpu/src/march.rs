//! A march through a box of moments in two copies: the populations of a row are rebuilt together, and wait until all nodes have met that they go to.
//!
//! Else every node rebuilds what comes to it, direction after direction, from the moments of as many nodes. A thread takes a *strip*, some rows along y
//! in every plane, and goes through it plane after plane. The populations of the planes around the one that is done, the *window*, stay in a cache: of
//! those that go up along z three planes, of others two. In two dimensions a plane is a row, and the march goes along y.
//!
//! ```text
//!   z + 1   rebuilt, row y + 1 just now         strip +-------+
//!   z       meets, row y just now            window   |       |  a row beside it on either side
//!   z - 1   waits for what goes up                    +-------+  is rebuilt by two strips
//! ```

use std::cell::RefCell;
use std::ops::Range;

use lbm_core::engine::Setup;
use lbm_core::{Facts, Lanes};

use crate::around::{moves, wrapped};
use crate::caches::PREFETCH_BYTES;
use crate::dispatch::{Task, dispatch};
use crate::lines::Bench;
use crate::memory::CACHE_LINE;
use crate::pass::Pass;
use crate::run::{Begins, MOST_VALUES, Run, Sent, chunk_of};
use crate::specials::Specials;
use crate::step::{RowStarts, Step};
use crate::strides::Strides;
use crate::threads::Ranges;
use crate::walled::Walled;

/// Bytes of a window, which shall stay in the second cache beside what goes through it. That of few rows of more than some 400 nodes is larger.
const WINDOW: usize = 400 << 10;

/// The least and the most rows of a strip: fewer would rebuild too many twice, and more do not make it much better.
const ROWS: [usize; 2] = [4, 16];

/// The least planes of a strip, in which two more are rebuilt.
const PLANES: usize = 4;

/// Strips a thread at least, so that who is done takes some of the others'.
const PARTS: usize = 4;

thread_local! {
    /// The window of a thread, as large as the largest that it had.
    static LINES: RefCell<Vec<CacheLine>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct CacheLine {
    _bytes: [u8; CACHE_LINE],
}

/// Whether a box can be marched through: rows are stored in whole chunks of values as they are computed with, in two copies that stay where they are.
pub(crate) fn serves(facts: &Facts, setup: &Setup, strides: &Strides, rows: &RowStarts) -> bool {
    let (chunk, [_, ny, nz]) = (chunk_of(facts), setup.domain().size);
    let is_turned = facts.lattice.dimension < 3;
    let is_near = |c: &[i32; 3]| c.iter().all(|c| c.abs() <= 1);
    facts.pattern.state().of_moments()
        && facts.pattern.state().copies == 2
        && facts.pattern.passes(0).len() == 1
        && !moves(facts)
        && facts.precision.plain
        && !(is_turned && nz > 1)
        && facts.lattice.velocities.iter().all(is_near)
        && strides.lie_in(chunk)
        && (0..ny * nz).all(|row| rows.of_row(row).is_multiple_of(chunk))
}

/// A step that marches.
pub(crate) struct March<'a> {
    step: &'a Step<'a>,
    /// Has populations meet that wait.
    pass: Pass<'a>,
    specials: &'a Specials,
    /// Where the values of node 0 lie: the moments that are taken, and those that are left.
    taken: Begins<*const u8>,
    left: Begins<*mut u8>,
    /// Nodes of a row, rows of a plane, and planes of the march, which in two dimensions goes along y.
    size: [usize; 3],
    /// Nodes of a row with those that fill it up to whole chunks.
    stored: usize,
    /// How far along each of these each direction leads.
    ways: [[isize; 3]; MOST_VALUES],
    /// How many planes of each direction wait, and how many before it.
    planes: [usize; MOST_VALUES],
    before: [usize; MOST_VALUES],
    /// How many rows on either side of a strip are rebuilt with it.
    beside: usize,
    /// Rows and planes of a strip.
    strip: [usize; 2],
    /// Bytes of a value, and how far beyond what is taken moments are asked for.
    bytes: usize,
    prefetch_distance: usize,
}

impl<'a> March<'a> {
    /// That of a step, if there are programs for it.
    pub(crate) fn new(step: &'a Step<'a>) -> Option<March<'a>> {
        let pass = Pass::of_waiting(step.state, &step.whole.strides, step.read)?;
        let (facts, state, strides) = (step.facts(), step.state, &step.whole.strides);
        let (mut taken, mut left) = ([std::ptr::null(); MOST_VALUES], [std::ptr::null_mut(); MOST_VALUES]);
        let bytes = facts.precision.stored_bytes;
        for n in 0..facts.body.moments {
            let at = strides.slot(facts.moment(n).slot) * bytes;
            (taken[n], left[n]) = (state.source().wrapping_add(at), state.target().wrapping_add(at));
        }
        let (size, is_flat) = (state.domain().size, facts.lattice.dimension < 3);
        let turned = |[x, y, z]: [usize; 3]| if is_flat { [x, z, y] } else { [x, y, z] };
        let (mut ways, mut planes) = ([[0; 3]; MOST_VALUES], [0; MOST_VALUES]);
        let (mut before, mut all) = ([0; MOST_VALUES], 0);
        for (i, c) in facts.lattice.velocities.iter().enumerate() {
            ways[i] = [0, 1, 2].map(|axis| c[turned([0, 1, 2])[axis]] as isize);
            // Those that go up wait the longest, and what comes back from walls is a plane's own.
            (planes[i], before[i]) = (if ways[i][2] > 0 { 3 } else { 2 }, all);
            all += planes[i];
        }
        let specials = &step.whole.specials[state.phase()];
        let mut march = March {
            step,
            pass,
            specials,
            taken,
            left,
            size: turned(size),
            stored: state.places.row(),
            ways,
            planes,
            before,
            beside: usize::from(!is_flat),
            strip: [1; 2],
            bytes,
            prefetch_distance: strides.between().map_or(PREFETCH_BYTES, |between| between * bytes),
        };
        march.strip = march.rows_and_planes(all);
        Some(march)
    }

    /// Those of a strip, where so many lines of a row wait.
    fn rows_and_planes(&self, lines: usize) -> [usize; 2] {
        let ([_, rows, planes], threads) = (self.size, self.step.state.threads.count());
        let [least, most] = ROWS;
        let fit = (WINDOW / (lines * self.line())).saturating_sub(2).clamp(least, most);
        let across = rows.div_ceil(rows.div_ceil(fit.min(rows.div_ceil(2 * threads).max(least))));
        // Where these are too few strips of all planes, each is cut.
        let wanted = if threads > 1 { PARTS * threads } else { 1 };
        let cuts = wanted.div_ceil(rows.div_ceil(across)).min(planes.div_ceil(PLANES));
        [across, planes.div_ceil(cuts)]
    }

    /// Bytes of a line of the window: a row with a node more on either side, which comes from the other one.
    fn line(&self) -> usize {
        self.stored * self.bytes + 2 * CACHE_LINE
    }

    /// How many strips there are.
    pub(crate) fn strips(&self) -> usize {
        let ([_, rows, planes], [across, along]) = (self.size, self.strip);
        rows.div_ceil(across) * planes.div_ceil(along)
    }

    /// Does some strips, of some ranges.
    ///
    /// # Safety
    /// As for [`OverRows::run`](crate::over_rows::OverRows::run), of all rows of the strips.
    pub(crate) unsafe fn run(&self, strips: &mut Ranges<'_>) {
        dispatch(self.step.state.level, SomeStrips { march: self, strips });
    }

    /// # Safety
    /// As for [`run`](March::run).
    #[inline(always)]
    unsafe fn all(&self, ranges: &mut Ranges<'_>) {
        let (q, [_, rows, planes], [across, along]) = (self.step.facts().lattice.q(), self.size, self.strip);
        let waiting = across + 2 * self.beside;
        let lines = (self.before[q - 1] + self.planes[q - 1]) * waiting;
        let mut bench = Bench::new(q, 0);
        LINES.with_borrow_mut(|window| {
            let least = lines * self.line() / CACHE_LINE;
            if window.len() < least {
                window.resize(least, CacheLine { _bytes: [0; CACHE_LINE] });
            }
            let first = window.as_mut_ptr().cast::<u8>().wrapping_add(CACHE_LINE);
            let window = Window { first, line: self.line(), plane: waiting * self.line() };
            for strip in ranges.flatten() {
                let [row, plane] =
                    [strip % rows.div_ceil(across) * across, strip / rows.div_ceil(across) * along];
                let some = [row..rows.min(row + across), plane..planes.min(plane + along)];
                // SAFETY: as the caller says; the window is this thread's.
                unsafe { self.strip(some, &window, &mut bench) };
            }
        });
        // SAFETY: as the caller says.
        unsafe { self.pass.settle(&mut bench.late) };
    }

    /// Does some rows of some planes.
    ///
    /// # Safety
    /// As for [`run`](March::run); nobody else has the window.
    #[inline(always)]
    unsafe fn strip(&self, [rows, planes]: [Range<usize>; 2], window: &Window, bench: &mut Bench) {
        let ([_, all_rows, all_planes], beside) = (self.size, self.beside);
        // The plane that is rebuilt goes before the one that meets.
        for number in 0..planes.len() + 2 {
            let plane = all_rows * wrapped((planes.start + number) as isize - 1, all_planes);
            let row =
                |place: usize| plane + wrapped((rows.start + place) as isize - beside as isize, all_rows);
            let (to, own) = (self.rebuilt(window, number), number.wrapping_sub(1));
            let (from, sent) = (self.met(window, own), self.rebuilt(window, own).map(<*mut u8>::cast_const));
            // SAFETY: as the caller says, for all of these.
            unsafe {
                (0..2 * beside).for_each(|place| self.rebuild(row(place), &to, place * window.line, bench));
                for place in beside..beside + rows.len() {
                    let next = place + beside;
                    self.rebuild(row(next), &to, next * window.line, bench);
                    if number > 1 {
                        let meets = all_rows * (planes.start + number - 2) + rows.start + place - beside;
                        self.meet(meets, [&from, &sent], place * window.line, bench);
                    }
                }
            }
        }
    }

    /// Where the populations of the first node of a plane are put, had it the first place.
    #[inline(always)]
    fn rebuilt(&self, window: &Window, plane: usize) -> Begins<*mut u8> {
        let (mut lines, turns) = ([std::ptr::null_mut(); MOST_VALUES], turns(plane));
        for i in 0..self.step.facts().lattice.q() {
            let place = self.before[i] + turns[self.planes[i]];
            lines[i] = window.first.wrapping_add(place * window.plane);
        }
        lines
    }

    /// Where what comes to the first node of a plane waits, had it the first place.
    #[inline(always)]
    fn met(&self, window: &Window, plane: usize) -> Begins<*const u8> {
        let mut lines = [std::ptr::null(); MOST_VALUES];
        let turns = [1, 0, -1].map(|z| turns(plane.wrapping_add_signed(z)));
        for i in 0..self.step.facts().lattice.q() {
            let [x, y, z] = self.ways[i];
            let place = self.before[i] + turns[(z + 1) as usize][self.planes[i]];
            let back = y * window.line as isize + x * self.bytes as isize;
            lines[i] = window.first.wrapping_add(place * window.plane).wrapping_offset(-back).cast_const();
        }
        lines
    }

    /// Rebuilds the populations of a row, so many bytes behind these.
    #[inline(always)]
    unsafe fn rebuild(&self, row: usize, to: &Begins<*mut u8>, behind: usize, bench: &mut Bench) {
        let (nx, bytes, rebuild) = (self.size[0], self.bytes, self.step.programs().of_moments().send);
        self.pieces(row, |x, count, begin| {
            let run = self.pass.over(row * nx + x, &self.taken, to, count, &mut bench.late);
            // SAFETY: as the caller says.
            unsafe {
                rebuild(&Run {
                    behind: [begin, behind + x * bytes],
                    prefetch_distance: self.prefetch_distance,
                    ..run
                })
            };
        });
        for (to, way) in to.iter().zip(&self.ways[..self.step.facts().lattice.q()]) {
            let to = to.wrapping_add(behind);
            let [from, beyond] = match way[0] {
                0 => continue,
                1 => [to.wrapping_add((nx - 1) * bytes), to.wrapping_sub(bytes)],
                _ => [to, to.wrapping_add(nx * bytes)],
            };
            // SAFETY: lines have room for a node more on either side; values have 4 or 8 bytes.
            unsafe {
                match bytes {
                    4 => beyond.cast::<u32>().write(from.cast::<u32>().read()),
                    _ => beyond.cast::<u64>().write(from.cast::<u64>().read()),
                }
            }
        }
    }

    /// The nodes of a row meet, of what waits so many bytes behind the first of these; behind the second lies what they have sent.
    #[inline(always)]
    unsafe fn meet(
        &self,
        row: usize,
        [inputs, sent]: [&Begins<*const u8>; 2],
        behind: usize,
        bench: &mut Bench,
    ) {
        let (first, pass, outputs) = (row * self.size[0], &self.pass, &self.left);
        self.pieces(row, |x, count, begin| {
            let (node, behind) = (first + x, [behind + x * self.bytes, begin]);
            let sent = Some(Sent { begins: sent, behind: behind[0], next: None });
            let row_of = Walled { pass, ends: None, count, behind, node, inputs, outputs, sent };
            let chunks = self.specials.row(row).chunks().iter();
            let specials = chunks.map(|special| pass.special(self.specials, row, special));
            let own = specials.filter(|special| (node..node + count).contains(&special.first));
            // SAFETY: as the caller says.
            unsafe { row_of.run(own, bench) };
        });
    }

    /// Calls `each` for pieces of a row whose values lie evenly: with the first node, how many, and by how many bytes they lie behind node 0.
    #[inline(always)]
    fn pieces(&self, row: usize, mut each: impl FnMut(usize, usize, usize)) {
        let whole = self.step.whole;
        let (first, mut x) = (whole.rows.of_row(row), 0);
        while x < self.stored {
            let count = (self.stored - x).min(whole.strides.even_from(first + x));
            each(x, count, whole.strides.begin(first + x) * self.bytes);
            x += count;
        }
    }
}

/// Whose place a plane has among two and three.
#[inline(always)]
fn turns(plane: usize) -> [usize; 4] {
    [0, 0, plane % 2, plane % 3]
}

/// Room for what waits of the strip that a thread is in: of planes for as many as wait, each of which takes the place of one that is done.
struct Window {
    /// Where the first line's first node has its place.
    first: *mut u8,
    /// Bytes of a line, and of a plane.
    line: usize,
    plane: usize,
}

/// Some strips of a march, whose addresses are computed with the vectors of the level, too.
struct SomeStrips<'a, 'b> {
    march: &'b March<'a>,
    strips: &'b mut Ranges<'b>,
}

impl Task for SomeStrips<'_, '_> {
    type Scalar = f64;

    #[inline(always)]
    fn run<N: Lanes<Scalar = f64>>(self) {
        // SAFETY: who makes it says so.
        unsafe { self.march.all(self.strips) };
    }
}

#[cfg(test)]
mod tests {
    use lbm_core::streaming::{Moments, MomentsRing, MomentsTwoSteps, Pattern, ThreadSafe, TwoLatticePull};
    use lbm_core::{Domain, Soa, Streaming as _};

    use super::*;

    /// Whether boxes of moments in two copies are marched through, and no others: else all tests of strips would be of nodes by themselves.
    #[test]
    fn moments_in_two_copies_are_marched_through() {
        type V = crate::by_hand::Solver<crate::by_hand::D2Q9, lbm_core::F32, Soa>;
        let serves = |pattern: Pattern, size: [usize; 3]| {
            let mut facts = Facts::of::<V>();
            (facts.pattern, facts.body.moments) = (pattern, 6);
            let places = facts.places(size, chunk_of(&facts), 0);
            let first = |y: usize| places.locate([0, y, 0]).unwrap();
            let rows = RowStarts::of((0..size[1]).map(first).collect());
            let setup = Setup::new(Domain::periodic(size), Vec::new());
            super::serves(&facts, &setup, &Strides::of(&places, 6), &rows)
        };
        for size in [[64, 9, 1], [50, 9, 1], [7, 1, 1]] {
            assert!(serves(Moments::PATTERN, size) && serves(MomentsTwoSteps::PATTERN, size), "{size:?}");
            for other in [MomentsRing::PATTERN, ThreadSafe::PATTERN, TwoLatticePull::PATTERN] {
                assert!(!serves(other, size), "{size:?}, {other}");
            }
        }
        assert!(!serves(Moments::PATTERN, [16, 1, 2]), "its rows would be taken for planes");
    }
}
