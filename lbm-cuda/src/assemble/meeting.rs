//! What the threads of a block send each other where they do several steps at once, or fields on the way: by shuffles along x, and through
//! shared memory along y.

mod of_fields;

use lbm_core::Facts;

use super::scheme::put;
use of_fields::OfFields;

/// Threads of a row: a warp.
const ROW: u32 = 32;

/// Values before and after those of each step and half, to which nobody writes. A thread at the side of a block reads where one
/// beside it would have written, so that all threads read at the same distance: there it finds what the same step was sent in
/// another direction, or a margin, which serves nobody. It never reads what another step or half was sent, where others may
/// write at the same time.
const MARGIN: u32 = ROW + 1;

/// What the threads of a block send each other, in two halves in turn.
///
/// Nobody reads before it has waited for those who wrote. Nobody overwrites what others still read: the first step is sent
/// something in the same half two planes later, and in between all have said that they sent it the plane between, which they do
/// after they have read; a later step is sent something after waiting for the step before in the same plane, for which all have
/// sent after they had read the later step's plane before.
pub(super) struct Exchange<'a> {
    facts: &'a Facts,
    /// The directions that go to other rows of the block: through shared memory.
    across: Vec<usize>,
    /// Threads of the block.
    threads: usize,
    /// Steps done at once.
    steps: usize,
    /// What follows on the way.
    of_fields: OfFields,
}

impl Exchange<'_> {
    pub(super) fn new<'a>(facts: &'a Facts, block: [u32; 3], steps: usize, axis: usize) -> Exchange<'a> {
        let across = (0..facts.lattice.q()).filter(|&i| axis == 2 && facts.way(i, 0)[1] != 0).collect();
        Exchange {
            facts,
            across,
            threads: block.iter().product::<u32>() as usize,
            steps,
            of_fields: OfFields::default(),
        }
    }

    /// Values of shared memory that a block takes.
    pub(super) fn values(&self) -> usize {
        match self.across.is_empty() {
            true => 0,
            false => 2 * self.half() + MARGIN as usize + self.values_of_fields(),
        }
    }

    /// The directions that go to other rows of the block, or stay in theirs.
    pub(super) fn directions(&self, across: bool) -> Vec<usize> {
        (0..self.facts.lattice.q()).filter(|i| self.across.contains(i) == across).collect()
    }

    /// Where it is what the thread itself has sent along a direction that goes to other rows.
    pub(super) fn own(&self, step: usize, i: usize) -> usize {
        let n = self.across.iter().position(|&other| other == i).expect("a direction across");
        self.slot(step, n)
    }

    /// Values of which there are two halves.
    fn half(&self) -> usize {
        self.slot(self.steps, 0)
    }

    /// Where the `n`th direction of a step lies.
    fn slot(&self, step: usize, n: usize) -> usize {
        (step * self.across.len() + n) * self.threads + step * MARGIN as usize
    }

    /// Text that is needed outside of the kernel.
    pub(super) fn functions(&self) -> &'static str {
        if self.across.is_empty() { "" } else { concat!("\n", include_str!("meeting.cuh")) }
    }

    /// Before the march: nothing was sent yet.
    pub(super) fn opened(&self) -> String {
        let (mut text, steps) = (String::new(), self.steps);
        let meetings = steps + usize::from(self.of_fields != OfFields::default());
        if self.across.is_empty() {
            return text;
        }
        put!(text, "const unsigned me = {MARGIN}u + threadIdx.x + {ROW}u * threadIdx.y;");
        put!(text, "__shared__ unsigned long long meetings[{meetings}];");
        put!(text, "if (threadIdx.x == 0u && threadIdx.y == 0u) {{");
        let warps = self.threads / ROW as usize;
        (0..meetings).for_each(|s| put!(text, "    open_meeting(&meetings[{s}], {warps}u);"));
        put!(text, "}}");
        put!(text, "__syncthreads();");
        if meetings > 1 {
            put!(text, "// The first plane of what is exchanged later is nobody's.");
        }
        for s in 1..steps {
            (0..self.across.len()).for_each(|n| put!(text, "exchange[me + {}u] = 0;", self.slot(s, n)));
            put!(text, "say_sent(&meetings[{s}]);");
        }
        if meetings > steps {
            put!(text, "say_sent(&meetings[{steps}]);");
        }
        text
    }

    /// At the begin of a plane: where it is exchanged.
    pub(super) fn turned(&self) -> String {
        let (mut text, half) = (String::new(), self.half());
        if !self.across.is_empty() {
            put!(text, "    // Two halves in turn: nobody writes what others still read.");
            put!(text, "    real* const at = exchange + (number & 1u) * {half}u + me;");
            put!(text, "    real* const at_next = exchange + (~number & 1u) * {half}u + me;");
        }
        text
    }

    /// Sends what leaves a plane of moments; what stays in the row of the block is there at once. The first step is sent the plane
    /// that was read, a later one what it meets with the next plane. `comes` are statements that take what comes along a direction from
    /// beside; what `at_walls` says follows. All that leaves has a name there.
    pub(super) fn sent(
        &self,
        step: usize,
        plane: &str,
        comes: &dyn Fn(usize, &str) -> String,
        at_walls: &str,
    ) -> String {
        let (mut text, q) = (String::new(), self.facts.lattice.q());
        let at = if step == 0 { "at" } else { "at_next" };
        put!(text, "    {{");
        put!(text, "        real leaving[{}];", q);
        put!(text, "        rebuild_all({plane}, leaving);");
        for (n, i) in self.across.iter().enumerate() {
            put!(text, "        {at}[{}] = leaving[{i}];", self.slot(step, n));
        }
        text += &self.said(step);
        for i in (0..q).filter(|i| !self.across.contains(i)) {
            let sent = match self.facts.way(i, 0)[0] {
                0 => format!("leaving[{i}]"),
                1.. => format!("__shfl_up_sync(0xffffffffu, leaving[{i}], 1)"),
                _ => format!("__shfl_down_sync(0xffffffffu, leaving[{i}], 1)"),
            };
            put!(text, "        {}", comes(i, &sent));
        }
        text += at_walls;
        put!(text, "    }}");
        text
    }

    /// Says that a warp has sent what it sends.
    fn said(&self, step: usize) -> String {
        let mut text = String::new();
        if !self.across.is_empty() {
            put!(text, "        say_sent(&meetings[{step}]);");
        }
        text
    }

    /// Waits for what the other warps have sent.
    fn waited(&self, step: usize) -> String {
        let mut text = String::new();
        if !self.across.is_empty() {
            put!(text, "    wait_for_all(&meetings[{step}], number, {}u);", self.threads / ROW as usize);
        }
        text
    }

    /// Waits for what other rows have sent. `comes` are statements that take what comes along a direction from this place.
    pub(super) fn taken(&self, step: usize, comes: &dyn Fn(usize, i32) -> String) -> String {
        let mut text = self.waited(step);
        for (n, &i) in self.across.iter().enumerate() {
            let way = self.facts.way(i, 0);
            let from = self.slot(step, n) as i32 - way[0] - ROW as i32 * way[1];
            put!(text, "    {}", comes(i, from));
        }
        text
    }
}
