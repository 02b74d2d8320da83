//! Where a pass finds and leaves the values of a row: runs, and chunks of pieces in between.
//!
//! Rows that lie alike are done by one plan: all addresses move by the same distance.

use std::ops::Range;

use crate::run::{Begins, MOST_VALUES};
use crate::segment::{Piece, Segment};
use crate::side::{Side, Starts};
use crate::stretch::Stretch;

/// The plan of a row.
pub(crate) struct Plan {
    /// Where the rows began that it looks at.
    starts: [Starts; 2],
    pub(crate) segments: Vec<Segment>,
    /// If these are a run between two chunks at the ends of the row, of which the values that lie evenly lie evenly with the run's, and
    /// so do all that are left: where the values of the first node were taken if they lay as those of the run do.
    pub(crate) run_with_ends: Option<Begins<*const u8>>,
    /// The same nodes in as few stretches as can be, where all of them can be done so.
    pub(crate) stretches: Option<Vec<Stretch>>,
}

/// How rows are cut, by what a pass takes and leaves.
pub(crate) struct Cut<'a> {
    pub(crate) sides: [&'a Side<'a>; 2],
    /// Nodes of a row, and of a chunk.
    pub(crate) nx: usize,
    pub(crate) chunk: usize,
    /// Bytes of a value, and from a node to the next one that lies evenly.
    pub(crate) bytes: usize,
    pub(crate) lane: usize,
    /// The slots of all values that are taken where the first of them is, if there are more than that.
    pub(crate) moments: Vec<usize>,
    /// Whether a program can go over values where they lie.
    pub(crate) lies: bool,
    /// Whether it may do the chunks at the ends of a run elsewhere.
    pub(crate) knows_ends: bool,
}

impl Plan {
    /// The plan of a row.
    pub(crate) fn of(cut: &Cut<'_>, starts: &[Starts; 2]) -> Plan {
        let mut segments = Vec::new();
        let mut x = 0;
        while x < cut.nx {
            let segment = segment(cut, starts, x);
            x += segment.count;
            segments.push(segment);
        }
        let mut run_with_ends = None;
        if is_run_with_ends(cut, &segments) {
            near_the_run(cut, &mut segments);
            let run = &segments[1];
            run_with_ends = Some(run.inputs.map(|input| input.wrapping_sub(run.x * cut.bytes)));
        }
        let stretches = if cut.knows_ends { Stretch::all(&segments, cut.chunk, cut.bytes) } else { None };
        Plan { starts: *starts, segments, run_with_ends, stretches }
    }

    /// By how many bytes what a row takes and leaves lies behind this one, if it is cut alike.
    #[inline(always)]
    pub(crate) fn behind(&self, sides: [&Side<'_>; 2], starts: &[Starts; 2]) -> Option<[usize; 2]> {
        Some([sides[0].behind(&starts[0], &self.starts[0])?, sides[1].behind(&starts[1], &self.starts[1])?])
    }
}

/// Plans of rows that a thread remembers.
const MOST_PLANS: usize = 16;

/// The most rows after which rows are looked for that lie alike.
pub(crate) const MOST_ROWS_ALIKE: usize = 4;

/// How rows lie alike.
pub(crate) struct Period {
    /// So many rows further on,
    pub(crate) rows: usize,
    /// all that a row takes and leaves lies so many bytes behind,
    pub(crate) behind: [usize; 2],
    /// if the second one is here along y.
    pub(crate) alike: Range<usize>,
}

/// The plans that a thread has made.
pub(crate) struct Plans {
    all: Vec<Plan>,
    /// Those of the last rows, by their numbers, and how many bytes these lie behind them.
    recent: [Option<(usize, [usize; 2])>; MOST_ROWS_ALIKE],
    /// The one that was found last.
    last: usize,
    oldest: usize,
}

impl Plans {
    pub(crate) fn new() -> Plans {
        Plans { all: Vec::with_capacity(MOST_PLANS), recent: [None; MOST_ROWS_ALIKE], last: 0, oldest: 0 }
    }

    /// The plan that was found last.
    #[inline(always)]
    pub(crate) fn found(&mut self) -> &mut Plan {
        &mut self.all[self.last]
    }

    /// Finds the plan of a row by that of the row before it that lies alike, if this thread has done it, and says by how many bytes what the row
    /// takes and leaves lies behind the plan.
    #[inline(always)]
    pub(crate) fn follow(&mut self, row: usize, period: &Period) -> Option<[usize; 2]> {
        let (plan, behind) = self.recent[row % period.rows]?;
        self.last = plan;
        Some([0, 1].map(|side| period.behind[side].wrapping_add(behind[side])))
    }

    /// Remembers that the plan found last is that of a row, which lies so many bytes behind it.
    #[inline(always)]
    pub(crate) fn remember(&mut self, row: usize, period: &Period, behind: [usize; 2]) {
        self.recent[row % period.rows] = Some((self.last, behind));
    }

    /// Finds or makes the plan of a row, and says by how many bytes what the row takes and leaves lies behind it.
    #[inline(always)]
    pub(crate) fn find(&mut self, cut: &Cut<'_>, starts: &[Starts; 2]) -> [usize; 2] {
        let known = |plan: &Plan| plan.behind(cut.sides, starts);
        if let Some(behind) = self.all.get(self.last).and_then(known) {
            return behind;
        }
        if let Some((n, behind)) = self.all.iter().enumerate().find_map(|(n, plan)| Some((n, known(plan)?))) {
            self.last = n;
            return behind;
        }
        let plan = Plan::of(cut, starts);
        if self.all.len() < MOST_PLANS {
            self.last = self.all.len();
            self.all.push(plan);
        } else {
            (self.last, self.oldest) = (self.oldest, (self.oldest + 1) % MOST_PLANS);
            self.all[self.last] = plan;
            self.recent = [None; MOST_ROWS_ALIKE];
        }
        [0; 2]
    }
}

/// See [`Plan::run_with_ends`].
fn is_run_with_ends(cut: &Cut<'_>, segments: &[Segment]) -> bool {
    let [first, run, last] = segments else { return false };
    let [taken, left] = cut.sides.map(Side::count);
    let is_end = |end: &Segment| {
        let away = end.x.wrapping_sub(run.x).wrapping_mul(cut.bytes);
        let input =
            |v: usize| end.gathered >> v & 1 == 1 || end.inputs[v] == run.inputs[v].wrapping_add(away);
        let output = |v: usize| end.outputs[v] == run.outputs[v].wrapping_add(away);
        end.count == cut.chunk && end.scattered == 0 && (0..taken).all(input) && (0..left).all(output)
    };
    run.is_run() && is_end(first) && is_end(last)
}

/// What a row's ends take where its run goes on, or from the other end that was just read, is near.
fn near_the_run(cut: &Cut<'_>, segments: &mut [Segment]) {
    let [first, run, last] = segments else { return };
    for piece in &mut first.taken {
        let away = (first.x + piece.lane).wrapping_sub(run.x).wrapping_mul(cut.bytes);
        piece.prefetches = piece.at.cast_const() != run.inputs[piece.value].wrapping_add(away);
    }
    last.taken.iter_mut().for_each(|piece| piece.prefetches = false);
}

/// The segment that begins with node `x`.
fn segment(cut: &Cut<'_>, starts: &[Starts; 2], x: usize) -> Segment {
    let mut at = [[std::ptr::null_mut(); MOST_VALUES]; 2];
    let mut even = [[0; MOST_VALUES]; 2];
    let mut least = cut.nx - x;
    for (n, side) in cut.sides.iter().enumerate() {
        for v in 0..side.count() {
            (at[n][v], even[n][v]) = side.piece(&starts[n], [v, side.slot(v)], x);
            least = least.min(even[n][v]);
        }
    }
    let [inputs, outputs] = at;
    let inputs = inputs.map(<*mut u8>::cast_const);
    let mut segment = Segment { x, inputs, outputs, ..Segment::nothing() };
    segment.count = if cut.lies { least / cut.chunk * cut.chunk } else { 0 };
    if segment.count > 0 {
        return segment;
    }
    segment.count = cut.chunk.min(cut.nx - x);
    for (n, side) in cut.sides.iter().enumerate() {
        for v in (0..side.count()).filter(|&v| !cut.lies || even[n][v] < cut.chunk) {
            let (mask, pieces) = match n {
                0 => (&mut segment.gathered, &mut segment.taken),
                _ => (&mut segment.scattered, &mut segment.left),
            };
            *mask |= 1 << v;
            let own = [side.slot(v)];
            let slots = if n == 0 && !cut.moments.is_empty() { &cut.moments } else { &own[..] };
            for (moment, &slot) in slots.iter().enumerate() {
                let mut lane = 0;
                while lane < segment.count {
                    let (at, left) = side.piece(&starts[n], [v, slot], x + lane);
                    let count = left.min(segment.count - lane);
                    let piece = Piece { moment, ..Piece::of(v, at, lane, count) };
                    let may_go_on = slots.len() == 1 && cut.lane != cut.bytes;
                    match pieces.iter_mut().find(|before| may_go_on && before.goes_on_with(&piece, cut.bytes))
                    {
                        Some(before) => before.values += 1,
                        None => pieces.push(piece),
                    }
                    lane += count;
                }
            }
        }
    }
    if cut.lane != cut.bytes {
        prefetch_once(&mut segment.taken, cut.lane);
        prefetch_once(&mut segment.left, cut.lane);
    }
    segment
}

/// Where nodes lie apart, values of nodes that are next to each other lie in the same cache lines: the first of such pieces asks for them.
fn prefetch_once(pieces: &mut [Piece], lane: usize) {
    for n in 1..pieces.len() {
        let (before, piece) = (&pieces[..n], &pieces[n]);
        let has_asked = |other: &Piece| {
            let apart = other.at.addr().abs_diff(piece.at.addr());
            other.prefetches && other.lane == piece.lane && other.count >= piece.count && apart <= 2 * lane
        };
        pieces[n].prefetches = !before.iter().any(has_asked);
    }
}
