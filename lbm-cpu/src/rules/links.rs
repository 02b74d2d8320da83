//! What a rule does at links of a chunk: it takes what arrives at their nodes and sets it where that lies, some nodes side by side or one.

use std::marker::PhantomData;

use lbm_core::rules::Stands;
use lbm_core::{Lanes, Lattice, MOST_LANES, Real, Rule, Site};

use super::columns::Column;
use crate::dispatch::Work;
use crate::run::{Begins, Sent};

/// How many links in a vector of nodes are done one by one.
const FEW: usize = 3;

/// Links of one direction, at nodes that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where its turn begins: for each direction of the class that of the box.
    pub(super) turn: u32,
    /// The first node's place in the chunk, the link's among those of the batch, and how many there are.
    pub(super) lane: u8,
    pub(super) at: u8,
    pub(super) count: u8,
}

/// Some links of a chunk at which a rule does the same.
pub(crate) struct Links<'a> {
    /// In the order of their directions: what one sets none behind it reads.
    pub(super) pieces: &'a [Piece],
    pub(super) turns: &'a [u8],
    /// What the rule does.
    pub(super) class: usize,
    /// Where what arrives lies, so many bytes behind these that of the chunk's first node. What is set can be written.
    pub(super) inputs: &'a Begins<*const u8>,
    pub(super) behind: usize,
    /// The same of what they have sent, where that is not kept among the values.
    pub(super) sent: Option<Sent<'a>>,
    /// Where the first link's values begin, and how many bytes each lies behind the one before.
    pub(super) values: *mut u8,
    pub(super) step: usize,
    /// Whether values of links are written while others are read: then none are read beside those of the links themselves.
    pub(super) are_written: bool,
    /// Which of them lie there, and where all others begin.
    pub(super) columns: &'a [Column],
    pub(super) same: *const u8,
}

/// What a rule of links does, if this is one.
pub(super) struct ArriveAtLinks<R, T>(PhantomData<(R, T)>);

impl<R: Rule, T: Real> Work for ArriveAtLinks<R, T> {
    type Scalar = T;
    type On<'a> = Links<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = T>>(links: &Links<'_>) {
        if const { !matches!(R::STANDS, Stands::AtLinks) } {
            return;
        }
        // Where there is one, it is known which.
        let class = if const { R::CLASSES.len() == 1 } { 0 } else { links.class };
        // A vector would write what other links remember.
        let is_single = R::CLASSES[class].remembers > 0;
        for piece in links.pieces {
            let turn = &links.turns[piece.turn as usize..][..R::Lattice::Q];
            let (start, end) = (usize::from(piece.lane), usize::from(piece.lane + piece.count));
            let first_link = usize::from(piece.at).wrapping_sub(start);
            let mut lane = start;
            while lane < end {
                let first = lane / N::WIDTH * N::WIDTH;
                let all = AtLink::<R, N> {
                    links,
                    class,
                    turn,
                    lane: first,
                    first_link,
                    start: lane - first,
                    end: (end - first).min(N::WIDTH),
                    of: PhantomData,
                };
                let count = all.end - all.start;
                if is_single || count <= FEW || links.are_written && count < N::WIDTH {
                    R::arrive::<T>(class, &mut One(AtLink { end: all.start + 1, ..all }));
                    lane += 1;
                } else {
                    let mut all = all;
                    R::arrive::<N>(class, &mut all);
                    lane = first + N::WIDTH;
                }
            }
        }
    }
}

/// A vector of nodes, at some of which there are links.
struct AtLink<'a, R, N> {
    links: &'a Links<'a>,
    class: usize,
    turn: &'a [u8],
    /// The first node's place in the chunk, and the place of a link that the chunk's first node had if all nodes had one.
    lane: usize,
    first_link: usize,
    /// From which lane up to which there are links.
    start: usize,
    end: usize,
    of: PhantomData<(R, N)>,
}

/// The numbers of lanes, and how many there are at most.
const fn numbers<const COUNT: usize>() -> ([f32; COUNT], [f64; COUNT]) {
    let (mut all, mut n) = (([0.0; COUNT], [0.0; COUNT]), 0);
    while n < COUNT {
        (all.0[n], all.1[n]) = (n as f32, n as f64);
        n += 1;
    }
    all
}

static NUMBERS: ([f32; MOST_LANES + 1], [f64; MOST_LANES + 1]) = numbers();

impl<R: Rule, N: Lanes> AtLink<'_, R, N> {
    /// How many values of a link are given: what is kept stands behind them.
    const GIVEN: usize = {
        let (mut all, mut n) = (R::Lattice::D + 1, 0);
        while n < R::PARAMETERS.len() {
            all += if R::PARAMETERS[n].vector { R::Lattice::D } else { 1 };
            n += 1;
        }
        all
    };

    /// Where direction `i` of the class lies of their nodes.
    #[inline(always)]
    fn arriving(&self, i: usize) -> *const u8 {
        let Links { inputs, behind, .. } = self.links;
        inputs[usize::from(self.turn[i])]
            .wrapping_add(behind.wrapping_add(self.lane * size_of::<N::Scalar>()))
    }

    /// These numbers in the lanes that have links, and others in the rest.
    #[inline(always)]
    fn among(&self, these: N, others: N) -> N {
        if N::WIDTH == 1 {
            return these;
        }
        let numbers: *const N::Scalar = match size_of::<N::Scalar>() {
            4 => NUMBERS.0.as_ptr().cast(),
            _ => NUMBERS.1.as_ptr().cast(),
        };
        // SAFETY: there are as many, of the scalar's type.
        unsafe {
            let lanes = N::load(numbers);
            let (start, end) =
                (N::splat(numbers.add(self.start).read()), N::splat(numbers.add(self.end).read()));
            N::select_less(lanes, start, others, N::select_less(lanes, end, these, others))
        }
    }

    #[inline(always)]
    fn value(&self, n: usize) -> *mut u8 {
        let (links, bytes) = (self.links, size_of::<N::Scalar>());
        match links.columns[n] {
            Column::Each(row) => {
                let link = self.first_link.wrapping_add(self.lane);
                links.values.wrapping_add(row * links.step).wrapping_add(link.wrapping_mul(bytes))
            }
            Column::Same(place) => links.same.wrapping_add(place * bytes).cast_mut(),
            Column::Absent => unreachable!("nobody reads it"),
        }
    }
}

impl<R: Rule, N: Lanes> AtLink<'_, R, N> {
    /// Where the first lane's direction, or value, lies that a rule reads.
    #[inline(always)]
    fn read_from(&self, i: usize) -> *const u8 {
        let Some(n) = i.checked_sub(R::Lattice::Q) else { return self.arriving(i) };
        let kept = n.checked_sub(Self::GIVEN).and_then(|n| R::CLASSES[self.class].keeps.get(n));
        match (kept, self.links.sent) {
            (Some(&i), Some(sent)) => {
                sent.further(self.lane * size_of::<N::Scalar>()).read_along(usize::from(self.turn[i]))
            }
            _ => self.value(n).cast_const(),
        }
    }

    /// Puts what the lanes with links set among what the others have: a load that finds its numbers in several stores waits for these, so a vector is
    /// stored as a whole.
    #[inline(always)]
    unsafe fn set(&self, i: usize, value: N) {
        let to = self.arriving(i).cast_mut().cast();
        // SAFETY: as the caller says.
        unsafe { self.among(value, N::load(to)).store(to) }
    }
}

impl<R: Rule, N: Lanes> Site<N> for AtLink<'_, R, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        // SAFETY: who has links done says that values lie there, for as many nodes; a vector of which some nodes have links takes those of other links, too,
        // or of the memory around all, which has room for one.
        unsafe { N::load(self.read_from(i).cast()) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        // SAFETY: as above, and all values have been read; what is remembered is set one by one.
        unsafe { self.set(i, value) }
    }
}

/// The first of the lanes with links.
struct One<'a, R, N>(AtLink<'a, R, N>);

impl<R: Rule, N: Lanes<Scalar = T>, T: Real> Site<T> for One<'_, R, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> T {
        // SAFETY: as above.
        unsafe { self.0.read_from(i).cast::<T>().wrapping_add(self.0.start).read() }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: T) {
        match i.checked_sub(R::Lattice::Q) {
            // SAFETY: as above.
            None => unsafe { self.0.set(i, N::splat(value)) },
            // SAFETY: what is remembered takes the place of what was.
            Some(n) => unsafe { self.0.value(n).cast::<T>().wrapping_add(self.0.start).write(value) },
        }
    }
}
