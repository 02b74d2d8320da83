//! Runs: nodes side by side, of which each value lies in consecutive places.

use lbm_core::Facts;
use lbm_core::links::MOST_DIRECTIONS;

use crate::caches::prefetch_early;
use crate::memory::CACHE_LINE;

/// The most values of a node that a program takes or leaves: as many as directions can have a bit.
pub(crate) const MOST_VALUES: usize = MOST_DIRECTIONS + 1;

/// The most values of a node for which no more is copied, and no more room is made, than for fewer.
pub(crate) const FEW_VALUES: usize = 32;

pub(crate) use lbm_core::collision::MOST_MOMENTS;

/// How many bytes behind its first moment each moment of a node lies.
pub(crate) type Apart = [usize; MOST_MOMENTS];

/// Nodes of the longest chunk: a cache line of 16-bit values.
pub(crate) const LONGEST_CHUNK: usize = 64;

/// Where the values of some nodes begin, one address a value.
pub(crate) type Begins<T> = [T; MOST_VALUES];

/// Copies where so many values begin. What is copied of few is as long whatever their number, and so is done by some instructions.
#[inline(always)]
pub(crate) fn put_begins<T: Copy>(to: &mut Begins<T>, from: &Begins<T>, values: usize) {
    to[..FEW_VALUES].copy_from_slice(&from[..FEW_VALUES]);
    if values > FEW_VALUES {
        to[FEW_VALUES..].copy_from_slice(&from[FEW_VALUES..]);
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
pub(crate) fn ones(bits: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut bits: u64 = bits.into();
    std::iter::from_fn(move || {
        let first = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (first < u64::BITS).then_some(first as usize)
    })
}

/// Where the fields of some nodes side by side are, those of the first node.
#[derive(Clone, Copy)]
pub(crate) struct FieldsAt {
    pub(crate) start: *const u8,
    /// Bytes from a field to the next one.
    pub(crate) step: usize,
}

impl FieldsAt {
    /// Of nodes that have none.
    pub(crate) const NONE: FieldsAt = FieldsAt { start: std::ptr::null(), step: 0 };

    /// Those of the node so many bytes behind.
    #[inline(always)]
    pub(crate) fn behind(self, bytes: usize) -> FieldsAt {
        FieldsAt { start: self.start.wrapping_add(bytes), ..self }
    }

    /// Where the values of a field begin.
    #[inline(always)]
    pub(crate) fn field(self, n: usize) -> *const u8 {
        self.start.wrapping_add(n * self.step)
    }
}

/// Some nodes side by side.
pub(crate) struct Run<'a> {
    /// Where values are taken: populations, or moments of the nodes where each direction comes from.
    pub(crate) inputs: &'a Begins<*const u8>,
    /// Where values are left.
    pub(crate) outputs: &'a Begins<*mut u8>,
    /// Where both lie of the first line of nodes and of the last one, if that is elsewhere. What goes from copy to copy is only taken elsewhere,
    /// at the first line.
    pub(crate) ends: [Option<Elsewhere<'a>>; 2],
    /// By how many bytes the run lies behind both.
    pub(crate) behind: [usize; 2],
    /// How many nodes: whole chunks.
    pub(crate) count: usize,
    /// Where their fields are.
    pub(crate) fields: FieldsAt,
    /// How far behind its first moment each moment of a node lies, where moments are taken: as they are stored, and in lines.
    pub(crate) apart: &'a [Apart; 2],
    /// A bit for each input whose moments wait in lines.
    pub(crate) in_lines: u64,
    /// The prefetch distance beyond what is taken, bytes.
    pub(crate) prefetch_distance: usize,
    /// The direction that is rebuilt, where that is one only.
    pub(crate) direction: usize,
    /// The results that wait to be stored past the caches, where they are.
    pub(crate) late: *mut Late,
    /// The body's coefficients in the arithmetic type.
    pub(crate) uniforms: *const u8,
}

/// Where values are taken and left that do not lie as those beside them do.
#[derive(Clone, Copy)]
pub(crate) struct Elsewhere<'a> {
    pub(crate) inputs: &'a Begins<*const u8>,
    pub(crate) outputs: &'a Begins<*mut u8>,
}

impl<'a> Run<'a> {
    /// Of nodes whose values wait in lines, without fields.
    #[inline(always)]
    pub(crate) fn of_lines(
        inputs: &'a Begins<*const u8>,
        outputs: &'a Begins<*mut u8>,
        count: usize,
        uniforms: *const u8,
    ) -> Run<'a> {
        Run {
            inputs,
            outputs,
            ends: [None; 2],
            behind: [0; 2],
            count,
            fields: FieldsAt::NONE,
            apart: &[[0; MOST_MOMENTS]; 2],
            in_lines: 0,
            prefetch_distance: 0,
            direction: 0,
            late: std::ptr::null_mut(),
            uniforms,
        }
    }

    /// Where the values of a line of nodes are taken that begins so many bytes behind the first, in two copies.
    #[inline(always)]
    pub(crate) fn taken_at(&self, first: usize) -> &'a Begins<*const u8> {
        match self.ends[0] {
            Some(begin) if first < CACHE_LINE => begin.inputs,
            _ => self.inputs,
        }
    }

    /// Where the values of a line of nodes lie that begins so many bytes behind the first, of so many in all.
    #[inline(always)]
    pub(crate) fn at(&self, first: usize, all: usize) -> Elsewhere<'a> {
        match self.ends {
            [Some(begin), _] if first < CACHE_LINE => begin,
            [_, Some(end)] if first + CACHE_LINE >= all => end,
            _ => Elsewhere { inputs: self.inputs, outputs: self.outputs },
        }
    }
}

/// Where the populations of a node, and of those beside it, lie that these have sent.
#[derive(Clone, Copy)]
pub(crate) struct Sent<'a> {
    pub(crate) begins: &'a Begins<*const u8>,
    /// So many bytes behind these.
    pub(crate) behind: usize,
    /// So many bytes behind lie those of which memory is to be asked for, if it is.
    pub(crate) next: Option<usize>,
}

impl Sent<'_> {
    /// Of the node so many bytes further on.
    #[inline(always)]
    pub(crate) fn further(self, bytes: usize) -> Self {
        Sent { behind: self.behind.wrapping_add(bytes), ..self }
    }

    /// What was sent along a direction.
    #[inline(always)]
    pub(crate) fn along(self, direction: usize) -> *const u8 {
        self.begins[direction].wrapping_add(self.behind)
    }

    /// The same, and memory is asked for what will be read like it.
    #[inline(always)]
    pub(crate) fn read_along(self, direction: usize) -> *const u8 {
        let from = self.along(direction);
        if let Some(next) = self.next {
            prefetch_early(from.wrapping_add(next));
        }
        from
    }
}

/// A cache line a value, and some more: a page that is all theirs would put the results of two lines of nodes at the same places of
/// pages, and loads of those that wait would wait for stores of the next ones.
#[repr(C, align(64))]
struct Results([[u8; CACHE_LINE]; MOST_VALUES + FEW_VALUES]);

/// The results of a line of nodes that wait to be stored past the caches, and room for those of the next one.
pub(crate) struct Late {
    results: Box<[Results; 2]>,
    turn: usize,
    /// Whether there are any.
    pub(crate) waits: bool,
    /// Where they shall lie.
    pub(crate) to: Begins<*mut u8>,
}

impl Late {
    pub(crate) fn new() -> Late {
        let results = Box::new([const { Results([[0; CACHE_LINE]; MOST_VALUES + FEW_VALUES]) }; 2]);
        Late { results, turn: 0, waits: false, to: [std::ptr::null_mut(); MOST_VALUES] }
    }

    /// The lines for the next results, and those that wait.
    #[inline(always)]
    pub(crate) fn turn(&mut self) -> (*mut u8, *const u8) {
        self.turn ^= 1;
        let all = self.results.as_mut_ptr();
        (all.wrapping_add(self.turn).cast(), all.wrapping_add(self.turn ^ 1).cast_const().cast())
    }

    /// Where the results that wait are, a cache line a value.
    pub(crate) fn waiting(&mut self) -> *mut u8 {
        self.results.as_mut_ptr().wrapping_add(self.turn).cast()
    }

    /// Stores so many values that wait.
    ///
    /// # Safety
    /// They can be written.
    pub(crate) unsafe fn settle(&mut self, values: usize) {
        if std::mem::take(&mut self.waits) {
            for (line, &to) in self.results[self.turn].0.iter().zip(&self.to).take(values) {
                // SAFETY: as the caller says.
                unsafe { to.cast::<[u8; CACHE_LINE]>().write_unaligned(*line) };
            }
        }
    }
}

/// A program at a level.
///
/// # Safety
/// All values of the run can be read and written, and nobody else writes them meanwhile; the machine has the level.
pub(crate) type Program = unsafe fn(&Run<'_>);

/// Nodes of a chunk: a cache line of the narrower of storage and arithmetic type, so whole vectors of every level.
pub(crate) fn chunk_of(facts: &Facts) -> usize {
    CACHE_LINE / facts.precision.stored_bytes.min(facts.precision.arithmetic.bytes())
}
