//! Lines in which the values of a chunk wait.

use crate::run::{Begins, LONGEST_CHUNK, Late, MOST_VALUES};

/// Bytes of a line: room for the longest chunk of the arithmetic type.
pub(crate) const LINE: usize = 4 * LONGEST_CHUNK;

/// A line a value.
#[repr(C, align(64))]
pub(crate) struct Lines(pub(crate) [[u8; LINE]; MOST_VALUES]);

impl Lines {
    pub(crate) const ZERO: Lines = Lines([[0; LINE]; MOST_VALUES]);

    /// Where the first value's begins: each next one's follows.
    #[inline(always)]
    pub(crate) fn first(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// The line of a value.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u8; LINE]);

/// Room for what boundary rules take and set of a chunk.
pub(crate) struct RoomForRules {
    /// Values of rules.
    pub(crate) values: Vec<Line>,
    pub(crate) results: Lines,
    /// Nodes at which a rule stands: their places in the lines, and where their values begin.
    pub(crate) nodes: Vec<(usize, *mut u8)>,
    /// What arrives at other nodes, once rules read it.
    pub(crate) there: Option<Box<Lines>>,
}

/// Room for a chunk.
pub(crate) struct Waiting {
    /// What was gathered.
    pub(crate) before: Box<Lines>,
    /// Room for what becomes of it.
    pub(crate) after: Box<Lines>,
    /// Where values are taken: as they lie, or in lines.
    pub(crate) inputs: Begins<*const u8>,
    /// Where they are left: where they shall lie, or in lines.
    pub(crate) outputs: Begins<*mut u8>,
    /// Whether what is taken is in the arithmetic type.
    pub(crate) is_decoded: bool,
    /// What lies evenly and is to be copied out of lines for all that: from where, to where and how many nodes.
    pub(crate) scattered: Vec<(*const u8, *mut u8, usize)>,
    /// Whether some values are left in lines.
    pub(crate) is_scattered: bool,
    /// A bit a node: whether it is solid.
    pub(crate) dead: u64,
    /// Room for what rules set, once there are some.
    pub(crate) rules: Option<Box<RoomForRules>>,
}

impl Waiting {
    pub(crate) fn nothing() -> Self {
        Waiting {
            before: Box::new(Lines::ZERO),
            after: Box::new(Lines::ZERO),
            inputs: [std::ptr::null(); MOST_VALUES],
            outputs: [std::ptr::null_mut(); MOST_VALUES],
            is_decoded: false,
            scattered: Vec::new(),
            is_scattered: false,
            dead: 0,
            rules: None,
        }
    }
}

impl RoomForRules {
    /// For so many values.
    pub(crate) fn new(values: usize) -> Box<Self> {
        let values = vec![Line([0; LINE]); values];
        Box::new(RoomForRules { values, results: Lines::ZERO, nodes: Vec::new(), there: None })
    }
}

/// A chunk's values that were taken before it is done.
pub(crate) struct Taken {
    pub(crate) lines: Box<Lines>,
    /// Where values are taken: as they lie, or in lines, but for how far behind its plan the row lies.
    pub(crate) inputs: Begins<*const u8>,
}

impl Taken {
    pub(crate) fn nothing() -> Self {
        Taken { lines: Box::new(Lines::ZERO), inputs: [std::ptr::null(); MOST_VALUES] }
    }
}

/// Room for chunks of which every value is taken from a line and left in another. Where these begin is known before: programs wait for
/// addresses that were stored just now.
pub(crate) struct AllLines {
    /// Those of what is taken, then those of what is left.
    room: Vec<Lines>,
    pub(crate) inputs: Begins<*const u8>,
    pub(crate) outputs: Begins<*mut u8>,
}

impl AllLines {
    pub(crate) fn new() -> Self {
        let mut room: Vec<Lines> = std::iter::repeat_with(|| Lines::ZERO).take(2).collect();
        let first = room.as_mut_ptr().cast::<u8>();
        let line = |number: usize| first.wrapping_add(number * LINE);
        let inputs = std::array::from_fn(|v| line(v).cast_const());
        AllLines { room, inputs, outputs: std::array::from_fn(|v| line(MOST_VALUES + v)) }
    }

    /// Where the first line begins of what is taken, and of what is left.
    #[inline(always)]
    pub(crate) fn first(&mut self) -> [*mut u8; 2] {
        let first = self.room.as_mut_ptr();
        [first.cast(), first.wrapping_add(1).cast()]
    }
}

/// What a thread has for its chunks: room for one, and for the moments of the nodes that each direction is rebuilt from.
pub(crate) struct Bench {
    pub(crate) waiting: Waiting,
    /// A chunk that is taken before it is done.
    pub(crate) taken: Taken,
    pub(crate) moments: Vec<Lines>,
    /// What does not lie evenly of the chunks at the ends of a run, where that stays in one copy.
    pub(crate) ends: Box<[Lines; 2]>,
    /// A chunk of which every value waits, once there is one.
    pub(crate) all: Option<AllLines>,
    /// What is to be stored past the caches.
    pub(crate) late: Late,
}

impl Bench {
    pub(crate) fn new(rebuilt: usize) -> Self {
        let moments = std::iter::repeat_with(|| Lines::ZERO).take(rebuilt).collect();
        let (waiting, taken, ends) = (Waiting::nothing(), Taken::nothing(), Box::new([Lines::ZERO; 2]));
        Bench { waiting, taken, moments, ends, all: None, late: Late::new() }
    }
}
