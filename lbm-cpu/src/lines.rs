//! Lines in which the values of a chunk wait.

use crate::run::{Begins, FEW_VALUES, LONGEST_CHUNK, Late, MOST_MOMENTS, MOST_VALUES};

/// Bytes of a line: room for the longest chunk of the arithmetic type.
pub(crate) const LINE: usize = 4 * LONGEST_CHUNK;

/// The line of a value.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u8; LINE]);

/// A line a value.
pub(crate) struct Lines(pub(crate) Vec<Line>);

impl Lines {
    /// For so many values: room is as long for all that are few.
    pub(crate) fn of(values: usize) -> Lines {
        Lines(vec![Line([0; LINE]); values.max(1).next_multiple_of(FEW_VALUES)])
    }

    /// Where the first value's begins: each next one's follows.
    #[inline(always)]
    pub(crate) fn first(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    /// Where a value's begins.
    #[inline(always)]
    pub(crate) fn line(&mut self, value: usize) -> *mut u8 {
        assert!(value < self.0.len(), "a line a value");
        self.first().wrapping_add(value * LINE)
    }
}

/// Room for what boundary rules take and set of a chunk.
pub(crate) struct RoomForRules {
    /// Values of rules.
    pub(crate) values: Vec<Line>,
    /// Where lines begin of what rules set, and their room.
    pub(crate) results: Begins<*mut u8>,
    _room: Lines,
    /// Where lines begin of what a rule reads of nodes.
    pub(crate) seen: Begins<*const u8>,
    /// Nodes at which a rule stands: their places in the lines, and where their values begin.
    pub(crate) nodes: Vec<(usize, *mut u8)>,
    /// What arrives at other nodes, once rules read it.
    pub(crate) there: Option<Lines>,
}

/// Room for a chunk.
pub(crate) struct Waiting {
    /// What was gathered.
    pub(crate) before: Lines,
    /// Room for what becomes of it.
    pub(crate) after: Lines,
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
    /// Nothing yet, of so many values.
    pub(crate) fn nothing(values: usize) -> Self {
        Waiting {
            before: Lines::of(values),
            after: Lines::of(values),
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
    /// For so many directions, and values of rules.
    pub(crate) fn new(directions: usize, values: usize) -> Box<Self> {
        let (values, mut room) = (vec![Line([0; LINE]); values], Lines::of(directions));
        let first = room.first();
        let results = std::array::from_fn(|v| first.wrapping_add(v * LINE));
        let seen = [std::ptr::null(); MOST_VALUES];
        Box::new(RoomForRules { values, results, _room: room, seen, nodes: Vec::new(), there: None })
    }
}

/// A chunk's values that were taken before it is done.
pub(crate) struct Taken {
    pub(crate) lines: Lines,
    /// Where values are taken: as they lie, or in lines, but for how far behind its plan the row lies.
    pub(crate) inputs: Begins<*const u8>,
}

impl Taken {
    /// Nothing yet, of so many values.
    pub(crate) fn nothing(values: usize) -> Self {
        Taken { lines: Lines::of(values), inputs: [std::ptr::null(); MOST_VALUES] }
    }
}

/// Room for chunks of which every value is taken from a line and left in another. Where these begin is known before: programs wait for
/// addresses that were stored just now.
pub(crate) struct AllLines {
    /// Those of what is taken, then those of what is left.
    room: Lines,
    pub(crate) inputs: Begins<*const u8>,
    pub(crate) outputs: Begins<*mut u8>,
}

impl AllLines {
    /// Those of so many values.
    pub(crate) fn new(values: usize) -> Self {
        let half = values.next_multiple_of(FEW_VALUES);
        let mut room = Lines::of(2 * half);
        let first = room.first();
        let line = |number: usize| first.wrapping_add(number * LINE);
        let inputs = std::array::from_fn(|v| line(v).cast_const());
        AllLines { room, inputs, outputs: std::array::from_fn(|v| line(half + v)) }
    }

    /// Where the first line begins of what is taken, and of what is left.
    #[inline(always)]
    pub(crate) fn first(&mut self) -> [*mut u8; 2] {
        let (first, bytes) = (self.room.first(), size_of_val(&self.room.0[..]));
        [first, first.wrapping_add(bytes / 2)]
    }
}

/// What a thread has for its chunks: room for one, and for the moments of the nodes that each direction is rebuilt from.
pub(crate) struct Bench {
    pub(crate) waiting: Waiting,
    /// A chunk that is taken before it is done.
    pub(crate) taken: Taken,
    pub(crate) moments: Vec<Lines>,
    /// What does not lie evenly of the chunks at the ends of a run, where that stays in one copy.
    pub(crate) ends: [Lines; 2],
    /// A chunk of which every value waits, once there is one.
    pub(crate) all: Option<AllLines>,
    /// What is to be stored past the caches.
    pub(crate) late: Late,
}

impl Bench {
    /// For so many values, of which so many are rebuilt of moments.
    pub(crate) fn new(values: usize, rebuilt: usize) -> Self {
        let moments = std::iter::repeat_with(|| Lines::of(MOST_MOMENTS)).take(rebuilt).collect();
        let (waiting, taken) = (Waiting::nothing(values), Taken::nothing(values));
        let ends = [0, 1].map(|_| Lines::of(values));
        Bench { waiting, taken, moments, ends, all: None, late: Late::new() }
    }
}
