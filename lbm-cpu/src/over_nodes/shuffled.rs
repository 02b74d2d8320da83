//! Chunks of groups, where all groups are alike: vectors are put together from lines of the groups around, and taken apart.

use std::ops::Range;

use lbm_core::links::Mask;

use super::{Listed, Value, copy_of};
use crate::caches::prefetch_to_write;
use crate::lines::{AllLines, Bench, LINE};
use crate::options::StoreKind;
use crate::pass::Pass;
use crate::reach::{Groups, Shuffle, Shuffles};
use crate::segment::Segment;
use crate::strewn::Missing;

/// The most columns of a group's row that all shifts ask for.
pub(super) const MOST_COLUMNS: usize = 64;

/// Where the groups around a group begin, and around the one behind it: each where it stays while the other is in turn.
pub(super) type Walk = [Begins; 2];

/// Where the groups around a group begin, bytes behind the copy.
pub(super) struct Begins {
    of: usize,
    begins: [usize; MOST_COLUMNS],
}

impl Begins {
    /// Those of no group.
    pub(super) fn nothing() -> Begins {
        Begins { of: usize::MAX, begins: [0; MOST_COLUMNS] }
    }
}

/// How such chunks are done.
pub(super) struct Shuffled<'a> {
    groups: &'a Groups,
    shuffles: &'a Shuffles,
    listed: &'a Listed,
    /// Where copies begin.
    copies: [*mut u8; 2],
    /// What is taken and what is left.
    sides: [Vec<OfGroup<'a>>; 2],
    /// Whether some value is taken in a line, or left in one.
    gathers: bool,
    scatters: bool,
}

/// A value of a group's nodes.
pub(super) struct OfGroup<'a> {
    /// Bytes from the group's first place to the value's.
    pub(super) slot: usize,
    /// The moves, if it is not the node's own.
    pub(super) moves: Option<&'a Shuffle>,
    /// The direction that nodes miss that have no neighbour there, and the same bytes of where these have it themselves, if they do.
    missed: Option<usize>,
    pub(super) at_wall: Option<usize>,
}

/// Which nodes of a chunk miss each direction, and which are fluid, a bit each.
pub(super) type Walls<'b> = Option<(&'b Missing, u64)>;

// SAFETY: copies are places that are handed to threads, each of which works on nodes of its own.
unsafe impl Sync for Shuffled<'_> {}

impl<'a> Shuffled<'a> {
    /// Those of a pass, if the machine has vectors for them and a group's values lie side by side.
    pub(super) fn of<M: Mask>(
        pass: &Pass<'a>,
        listed: &'a Listed,
        sides: &[Vec<Value<M>>; 2],
    ) -> Option<Shuffled<'a>> {
        listed.even_group(pass)?;
        let groups = listed.reaches.groups()?;
        let shuffles = groups.shuffles.as_ref().filter(|all| {
            listed.strides.are_even()
                && all.columns.len() <= MOST_COLUMNS
                && pass.chunk.is_multiple_of(all.lanes * all.block())
        })?;
        let moves = &shuffles.ways;
        let sides = [0, 1].map(|side| {
            let slot = |slot: usize| listed.strides.slot(slot) * pass.bytes;
            let value = |value: &Value<M>| OfGroup {
                slot: slot(value.slot),
                moves: moves[side][value.shift].as_ref(),
                missed: (value.missing != M::NONE).then_some(value.back),
                at_wall: value.at_wall.map(slot),
            };
            sides[side].iter().map(value).collect::<Vec<_>>()
        });
        let [gathers, scatters] =
            [0, 1].map(|side: usize| sides[side].iter().any(|value| value.moves.is_some()));
        let copies = [0, 1].map(|side| copy_of(pass.state, side));
        Some(Shuffled { groups, shuffles, listed, copies, sides, gathers, scatters })
    }

    /// Does the chunk from a node on. What is kept for links is taken to lines, and left from them, by `keep`.
    ///
    /// # Safety
    /// As for [`OverNodes::run`](super::OverNodes::run).
    #[inline(never)]
    pub(super) unsafe fn run(
        &self,
        pass: &Pass<'a>,
        node: usize,
        entries: &[u32],
        walls: Walls<'_>,
        walk: &mut Walk,
        segment: &mut Segment,
        bench: &mut Bench,
        keep: impl Fn(usize, *mut u8),
    ) {
        let all = bench.all.get_or_insert_with(|| AllLines::new(pass.taken));
        let [before, after] = all.first();
        let (group, within) = (node / self.groups.group, node % self.groups.group);
        let strides = &self.listed.strides;
        let begin = |first: usize| strides.begin(first) * pass.bytes;
        // Of the group behind, too: its lines are asked for.
        let known = self.listed.nodes.listing.positions.len() / self.groups.group;
        let asked = if self.gathers || self.scatters { 2 } else { 0 };
        for group in group..(group + asked).min(known) {
            let (begins, row) = (&mut walk[group % 2], self.groups.row(entries, group));
            if begins.of != group {
                begins.of = group;
                for (begins, &column) in begins.begins.iter_mut().zip(&self.shuffles.columns) {
                    *begins = begin(self.groups.first_of(row[column as usize]));
                }
            }
        }
        let own = begin(node);
        let begins = [group, group + 1].map(|group| &walk[group % 2].begins);
        let [taken, left] = &self.sides;
        let line = |lines: *mut u8, v: usize| lines.wrapping_add(v * LINE);
        let waits = |value: &OfGroup<'_>, are_left: bool| {
            value.moves.is_some() || value.waits(walls, are_left, pass.chunk)
        };
        for (value, (v, input)) in taken.iter().zip(segment.inputs.iter_mut().enumerate()) {
            let lies = self.copies[0].wrapping_add(own + value.slot);
            *input = if waits(value, false) { line(before, v) } else { lies };
        }
        let mut scatters = self.scatters;
        for (value, (v, output)) in left.iter().zip(segment.outputs.iter_mut().enumerate()) {
            let (lies, waits) = (self.copies[1].wrapping_add(own + value.slot), waits(value, true));
            *output = if waits { line(after, v) } else { lies };
            scatters |= waits;
        }
        if self.copies[0] != self.copies[1] && pass.state.stores == StoreKind::Ordinary {
            // What is left goes where nobody has looked before.
            let next = begin((node + pass.chunk).min(self.listed.nodes.listing.positions.len() - pass.chunk));
            for value in left.iter().filter(|value| value.moves.is_none()) {
                let to = self.copies[1].wrapping_add(next + value.slot);
                (0..pass.chunk * pass.bytes)
                    .step_by(64)
                    .for_each(|line| prefetch_to_write(to.wrapping_add(line)));
            }
        }
        let vectors = within / self.shuffles.lanes..(within + pass.chunk) / self.shuffles.lanes;
        let work = || {
            let run = pass.over(node, &segment.inputs, &segment.outputs, pass.chunk, &mut bench.late);
            keep(0, before);
            // SAFETY: as the caller says.
            unsafe { pass.programs[usize::from(scatters)](&run) };
            keep(1, after);
        };
        let around = match (pass.bytes, self.shuffles.at_once) {
            (4, 1) => Shuffled::around::<4, 1>,
            (4, 2) => Shuffled::around::<4, 2>,
            (4, _) => Shuffled::around::<4, 4>,
            (_, 1) => Shuffled::around::<8, 1>,
            (_, 2) => Shuffled::around::<8, 2>,
            _ => Shuffled::around::<8, 4>,
        };
        // SAFETY: lines of groups lie in the copy; moves and orders were made together, where the machine has vectors for them.
        unsafe { around(self, begins, own, vectors, walls, [before, after], work) };
    }

    /// Takes vectors of a group, does the work, and leaves them.
    ///
    /// # Safety
    /// As for [`run`](Shuffled::run).
    #[inline(always)]
    unsafe fn around<const BYTES: usize, const AT_ONCE: usize>(
        &self,
        begins: [&[usize; MOST_COLUMNS]; 2],
        own: usize,
        vectors: Range<usize>,
        walls: Walls<'_>,
        [before, after]: [*mut u8; 2],
        work: impl FnOnce(),
    ) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as the caller says.
        unsafe {
            let group = super::vectors::Group::<BYTES, AT_ONCE> {
                orders: &self.shuffles.orders,
                begins,
                own,
                vectors,
                walls,
            };
            let [taken, left] = &self.sides;
            group.take(self.copies[0], taken, before);
            work();
            if self.scatters || walls.is_some() {
                group.leave(self.copies[1], left, after);
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (begins, own, vectors, walls, before, after, work);
            unreachable!("no vectors are put together on this machine");
        }
    }
}

impl OfGroup<'_> {
    /// The nodes that have no neighbour where it is taken or left, a bit each.
    #[inline(always)]
    pub(super) fn missing(&self, walls: Walls<'_>) -> u64 {
        walls.zip(self.missed).map_or(0, |((missing, _), direction)| missing[direction])
    }

    /// Whether some nodes of so many have it elsewhere, or must not leave it.
    #[inline(always)]
    pub(super) fn waits(&self, walls: Walls<'_>, is_left: bool, count: usize) -> bool {
        let all = u64::MAX >> (u64::BITS as usize - count);
        self.missing(walls) != 0 || is_left && walls.is_some_and(|(_, live)| live != all)
    }
}
