//! A step as data: the arrays that a pattern stores, and the passes that a step makes over them.
//!
//! All of it is `const`, so that what makes no sense is refused when a solver is compiled ([`Pattern::flaw`]). Backends execute
//! the passes one after the other; none of them knows the patterns by name.

use std::fmt;

/// A streaming pattern, but for its read map ([`Streaming::read`](super::Streaming::read)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The name that variants carry: `two-lattice-pull`.
    pub name: &'static str,
    /// After this many steps the reads repeat.
    pub period: usize,
    /// What is stored. Those that have slots at every node lie in one storage, in this order.
    pub arrays: &'static [Array],
    /// What a step does, pass after pass: a list for each phase, or one for all of them. The last pass collides, and what it
    /// writes is the state of the flow.
    pub passes: &'static [&'static [Pass]],
}

/// Values that a pattern stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Array {
    /// What a slot holds.
    pub holds: Holds,
    /// With two copies a step reads one and writes the other, in turn.
    pub copies: usize,
    /// Where there are values.
    pub span: Span,
    /// How places move from step to step.
    pub motion: Motion,
}

/// What a slot of an array holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A population: Q slots a node.
    Populations,
    /// A moment: as many slots a node as carry the collision's result ([`Body::MOMENTS`](crate::Body::MOMENTS)). A population
    /// that is read from such an array is rebuilt, and the slot of an [`Access`](super::Access) then names its direction.
    Moments,
}

/// Where an array has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// In every slot of every node.
    Nodes,
    /// One for each population that crosses these faces.
    Crossings(Cut),
}

/// How the places of an array move from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// They stay.
    Still,
    /// Each slot is a ring that turns by its velocity, so that a population travels while it stays where it is in memory.
    Along,
    /// All places move along the lattice's last axis, in each phase this way, by as many planes as the array has to spare
    /// ([`Drift`](crate::facts::Drift)).
    Planes(&'static [Towards]),
}

/// A way along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
    /// To lower coordinates.
    Down,
    /// To higher ones.
    Up,
}

/// The faces that a population crosses ([`crossings`](crate::crossings)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Those of the box, to the node at the other end.
    Faces,
    /// Those of the blocks in which the box is cut.
    Blocks(BlockExtents),
    /// The one across the lattice's last axis at which planes begin to be overwritten, with the whole plane behind it.
    Planes,
}

/// Nodes of a block along each axis, by the lattice's dimension less one: where the arithmetic has 32 bits, and where it has 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockExtents {
    /// In single precision.
    pub single: [[usize; 3]; 3],
    /// In double precision.
    pub double: [[usize; 3]; 3],
}

/// One pass over an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// What it is done for.
    pub over: Over,
    /// What is done.
    pub program: Program,
    /// The arrays that it reads, by their numbers. The second holds what crosses the faces of blocks.
    pub reads: &'static [usize],
    /// The array that it writes.
    pub writes: usize,
    /// The order in which it may be done.
    pub order: Order,
}

/// What a pass is done for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Every node.
    Nodes,
    /// Every link between two nodes.
    Links,
    /// Every population that crosses these faces.
    Crossings(Cut),
}

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// Populations meet in a node and collide. Read from moments they are rebuilt; written to moments they are gathered.
    Collide,
    /// A node rebuilds the populations that it sends from its own moments, and writes them to where the step reads them.
    Send,
    /// The place where x reads the opposite direction and the place where x + c_i reads direction i change their contents. A node
    /// may then write what it sends along c_i where it reads the opposite direction.
    Swap,
    /// A population goes from one array to the other, or to its place in the same.
    Move,
}

/// The order in which the nodes of a pass may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Any: no node writes what another one reads or writes.
    Any,
    /// A block of nodes reads all that it needs before it writes anything, and reads nothing that other blocks write.
    Blocks(BlockExtents),
    /// Plane by plane along the lattice's last axis, this way, as many at once as the array's motion lets
    /// ([`Drift::at_once`](crate::facts::Drift::at_once)).
    Planes(Towards),
}

impl BlockExtents {
    /// The extent of a block, by the lattice's dimension and the bytes of the arithmetic type.
    #[must_use]
    pub const fn extent(&self, dimension: usize, arithmetic_bytes: usize) -> [usize; 3] {
        let by_dimension = if arithmetic_bytes > 4 { &self.double } else { &self.single };
        by_dimension[if dimension > 0 { dimension - 1 } else { 0 }]
    }

    const fn same(&self, other: &BlockExtents) -> bool {
        let mut n = 0;
        while n < 9 {
            let (d, axis) = (n / 3, n % 3);
            if self.single[d][axis] != other.single[d][axis] || self.double[d][axis] != other.double[d][axis]
            {
                return false;
            }
            n += 1;
        }
        true
    }

    const fn has_nodes(&self) -> bool {
        let mut n = 0;
        while n < 9 {
            if self.single[n / 3][n % 3] == 0 || self.double[n / 3][n % 3] == 0 {
                return false;
            }
            n += 1;
        }
        true
    }
}

impl Cut {
    const fn same(&self, other: &Cut) -> bool {
        match (self, other) {
            (Cut::Blocks(blocks), Cut::Blocks(others)) => blocks.same(others),
            (Cut::Faces, Cut::Faces) | (Cut::Planes, Cut::Planes) => true,
            _ => false,
        }
    }
}

impl Pass {
    /// Whether another pass is this one, but for the way in which planes are done.
    const fn does_the_same(&self, other: &Pass) -> bool {
        let over = match (&self.over, &other.over) {
            (Over::Crossings(cut), Over::Crossings(others)) => cut.same(others),
            (Over::Nodes, Over::Nodes) | (Over::Links, Over::Links) => true,
            _ => false,
        };
        let order = match (&self.order, &other.order) {
            (Order::Blocks(blocks), Order::Blocks(others)) => blocks.same(others),
            (Order::Any, Order::Any) | (Order::Planes(_), Order::Planes(_)) => true,
            _ => false,
        };
        let arrays = self.reads[0] == other.reads[0] && self.writes == other.writes;
        over && order && arrays && self.program as u8 == other.program as u8
    }
}

impl Array {
    /// Whether its slots hold moments.
    #[must_use]
    pub const fn of_moments(&self) -> bool {
        matches!(self.holds, Holds::Moments)
    }

    /// Whether it has slots at every node.
    #[must_use]
    pub const fn at_nodes(&self) -> bool {
        matches!(self.span, Span::Nodes)
    }
}

impl Pattern {
    /// The passes of a step of `phase`.
    #[must_use]
    pub const fn passes(&self, phase: usize) -> &'static [Pass] {
        self.passes[phase % self.passes.len()]
    }

    /// The last pass of a step of `phase`: the one that collides.
    #[must_use]
    pub const fn collision(&self, phase: usize) -> &'static Pass {
        let passes = self.passes(phase);
        &passes[passes.len() - 1]
    }

    /// The array that holds the flow between steps.
    #[must_use]
    pub const fn state(&self) -> &'static Array {
        &self.arrays[self.collision(0).writes]
    }

    /// Whether the state is moments.
    #[must_use]
    pub const fn stores_moments(&self) -> bool {
        self.state().of_moments()
    }

    /// Whether populations are rebuilt where they are read.
    #[must_use]
    pub const fn rebuilds(&self) -> bool {
        self.arrays[self.collision(0).reads[0]].of_moments()
    }

    /// Whether populations are sent out of moments in a pass of their own.
    #[must_use]
    pub const fn sends(&self) -> bool {
        self.stores_moments() && !self.rebuilds()
    }

    /// The slot of a node's first moment, where a node has `q` populations: behind those that are sent.
    #[must_use]
    pub const fn first_moment(&self, q: usize) -> usize {
        if self.sends() { q } else { 0 }
    }

    /// Whether neighbours exchange populations before the collision.
    #[must_use]
    pub const fn swaps(&self) -> bool {
        let (passes, mut n) = (self.passes(0), 0);
        while n < passes.len() {
            if matches!(passes[n].program, Program::Swap) {
                return true;
            }
            n += 1;
        }
        false
    }

    /// Whether slots are rings that turn.
    #[must_use]
    pub const fn turns(&self) -> bool {
        matches!(self.state().motion, Motion::Along)
    }

    /// Which way planes move in each phase, if they do.
    #[must_use]
    pub const fn drift(&self) -> Option<&'static [Towards]> {
        match self.state().motion {
            Motion::Planes(towards) => Some(towards),
            _ => None,
        }
    }

    /// Whether values lie elsewhere from step to step.
    #[must_use]
    pub const fn moves(&self) -> bool {
        !matches!(self.state().motion, Motion::Still)
    }

    /// The blocks in whose order nodes are collided, if they are.
    #[must_use]
    pub const fn blocks(&self) -> Option<BlockExtents> {
        match self.collision(0).order {
            Order::Blocks(blocks) => Some(blocks),
            _ => None,
        }
    }

    /// Which way planes are done in a phase, if they are one after the other.
    #[must_use]
    pub const fn plane_order(&self, phase: usize) -> Option<Towards> {
        match self.collision(phase).order {
            Order::Planes(towards) => Some(towards),
            _ => None,
        }
    }

    /// Whether nodes have an order: then all that a node reads is as the step before left it when its turn comes.
    #[must_use]
    pub const fn ordered(&self) -> bool {
        !matches!(self.collision(0).order, Order::Any)
    }

    /// Whether what a node sends into a wall is kept beside the populations until it comes back. With two copies, or in an order,
    /// it is read back from where it was written; with one copy in any order, that place may be another node's to overwrite
    /// before: behind a wall at a face lies the other end of the box.
    #[must_use]
    pub const fn keeps_sent(&self) -> bool {
        self.state().copies == 1 && !self.stores_moments() && !self.ordered()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}

/// What makes no sense.
impl Pattern {
    /// Why these arrays and passes are no step that a backend can execute; nothing if they are.
    #[must_use]
    pub const fn flaw(&self) -> Option<&'static str> {
        if self.period == 0 || self.passes.is_empty() || !self.period.is_multiple_of(self.passes.len()) {
            return Some(
                "this pattern has no phase, or a list of passes too many; give `passes` one list, or one for each of `period` phases",
            );
        }
        let mut phase = 0;
        while phase < self.period {
            if let Some(flaw) = self.flaw_of_phase(phase) {
                return Some(flaw);
            }
            if !self.does_the_same(phase) {
                return Some(
                    "phases have different passes; let them differ in what is read and in the way of planes alone",
                );
            }
            phase += 1;
        }
        self.flaw_of_arrays()
    }

    /// Whether the passes of a phase are those of the first one, but for the way in which planes are done.
    const fn does_the_same(&self, phase: usize) -> bool {
        let (first, passes) = (self.passes(0), self.passes(phase));
        let (mut n, mut same) = (0, first.len() == passes.len());
        while same && n < passes.len() {
            same = first[n].does_the_same(&passes[n]);
            n += 1;
        }
        same
    }

    /// Whether any pass writes an array.
    const fn is_written(&self, array: usize) -> bool {
        let (passes, mut n) = (self.passes(0), 0);
        while n < passes.len() {
            if passes[n].writes == array {
                return true;
            }
            n += 1;
        }
        false
    }

    const fn flaw_of_arrays(&self) -> Option<&'static str> {
        let mut n = 0;
        while n < self.arrays.len() {
            let array = &self.arrays[n];
            if array.copies == 0
                || array.copies > 2
                || array.copies != self.state().copies && array.at_nodes()
            {
                return Some(
                    "an array has no copy, more than two, or not as many as the others; set `copies` to 1 or 2",
                );
            }
            if !self.is_written(n) || array.of_moments() && !array.at_nodes() {
                return Some(
                    "an array is written by no pass, or has moments where populations cross faces; leave it out, or let it hold \
                     populations",
                );
            }
            if n != self.collision(0).writes && !matches!(array.motion, Motion::Still) {
                return Some(
                    "only the array that the collision writes may move; set `motion` of the others to `Motion::Still`",
                );
            }
            n += 1;
        }
        let (state, one_copy) = (self.state(), self.state().copies == 1);
        match state.motion {
            Motion::Along if state.of_moments() => Some(
                "slots of moments cannot turn, since no moment travels; take populations, or `Motion::Still`",
            ),
            Motion::Along | Motion::Planes(_) if !one_copy => {
                Some("an array moves so that it need not be two; set `copies` to 1")
            }
            Motion::Planes(towards) if towards.is_empty() || !self.period.is_multiple_of(towards.len()) => {
                Some("planes move a way in each phase; give `Motion::Planes` one, or one for each phase")
            }
            _ => None,
        }
    }

    const fn flaw_of_phase(&self, phase: usize) -> Option<&'static str> {
        let passes = self.passes(phase);
        if passes.is_empty() {
            return Some("a step without a pass does nothing; end it with one that collides");
        }
        let last = &passes[passes.len() - 1];
        if !matches!((last.program, last.over), (Program::Collide, Over::Nodes))
            || last.writes != self.collision(0).writes
        {
            return Some(
                "the last pass of a step must collide over nodes, and write the same array in every phase",
            );
        }
        let (mut n, mut before) = (0, Before::NOTHING);
        while n < passes.len() {
            let pass = &passes[n];
            let blocks = matches!(pass.order, Order::Blocks(_));
            if pass.reads.is_empty()
                || pass.reads.len() > 1 + blocks as usize
                || !self.has(pass.reads[0])
                || !self.has(pass.writes)
            {
                return Some(
                    "a pass reads or writes an array that is not there, or reads two without blocks; `reads` and `writes` are numbers of `arrays`",
                );
            }
            if n + 1 == passes.len() {
                return self.flaw_of_collision(pass, phase, &before);
            }
            if let Some(flaw) = self.flaw_before_collision(pass, &mut before) {
                return Some(flaw);
            }
            n += 1;
        }
        None
    }

    const fn has(&self, array: usize) -> bool {
        array < self.arrays.len()
    }

    /// What a pass before the collision lacks; adds it to what has been done.
    const fn flaw_before_collision(&self, pass: &Pass, before: &mut Before) -> Option<&'static str> {
        let (from, to, state) =
            (&self.arrays[pass.reads[0]], &self.arrays[pass.writes], self.collision(0).writes);
        let ordered = !matches!(pass.order, Order::Any);
        match (pass.program, pass.over) {
            _ if ordered => {
                Some("only the pass that collides has an order; set that of the others to `Order::Any`")
            }
            (Program::Send, Over::Nodes)
                if from.of_moments() && !to.of_moments() && to.at_nodes() && from.copies == 1 =>
            {
                before.sent = Some(pass.writes);
                None
            }
            (Program::Send, _) => Some(
                "populations are sent from moments in one copy to populations at all nodes; say so in `reads`, `writes` and `over`",
            ),
            (Program::Swap, Over::Links)
                if pass.reads[0] == state
                    && pass.writes == state
                    && !from.of_moments()
                    && from.copies == 1 =>
            {
                before.swapped = true;
                None
            }
            (Program::Swap, _) => {
                Some("populations of one copy are exchanged over `Over::Links`; moments do not travel")
            }
            (Program::Move, Over::Crossings(Cut::Planes))
                if pass.reads[0] == state && pass.writes == state =>
            {
                before.plane = true;
                None
            }
            (Program::Move, Over::Crossings(cut)) => match (cut, from.span, to.span) {
                (Cut::Faces, Span::Nodes, Span::Crossings(Cut::Faces)) if pass.reads[0] == state => {
                    before.out = Some(pass.writes);
                    None
                }
                (Cut::Faces, Span::Crossings(Cut::Faces), Span::Nodes) if pass.writes == state => {
                    match before.out {
                        Some(array) if array == pass.reads[0] => {
                            before.back = true;
                            None
                        }
                        _ => {
                            Some("what crosses the faces is put back before it was taken; move it out first")
                        }
                    }
                }
                (Cut::Blocks(blocks), Span::Nodes, Span::Crossings(Cut::Blocks(room)))
                    if pass.reads[0] == state && !from.of_moments() && blocks.same(&room) =>
                {
                    before.ring = Some(pass.writes);
                    None
                }
                _ => Some(
                    "what crosses faces is moved between the state and an array of the same crossings; say so in `reads` and `writes`",
                ),
            },
            _ => Some(
                "a pass before the collision sends over nodes, swaps over links, or moves over crossings",
            ),
        }
    }

    const fn flaw_of_collision(&self, pass: &Pass, phase: usize, before: &Before) -> Option<&'static str> {
        let state = self.state();
        let from = &self.arrays[pass.reads[0]];
        if !from.at_nodes() || !state.at_nodes() {
            return Some("the collision reads and writes values at all nodes");
        }
        let reads_state = pass.reads[0] == pass.writes;
        let turned = before.out.is_some() && before.back;
        let ways = before.swapped as usize
            + before.sent.is_some() as usize
            + before.ring.is_some() as usize
            + before.plane as usize
            + before.out.is_some() as usize;
        match (pass.order, state.motion) {
            _ if ways == 1 && self.passes(phase).len() != 2 + before.back as usize => {
                Some("a pass before the collision is done twice; leave one of the two out")
            }
            _ if ways > 1 => Some(
                "populations travel in several ways at once; leave one of: exchange, sending, blocks, turning slots, planes that move",
            ),
            _ if matches!(before.sent, Some(sent) if sent != pass.reads[0])
                || !reads_state && before.sent.is_none() =>
            {
                Some(
                    "the collision reads what nobody sent; let it read its own array, or the one that a pass before sends to",
                )
            }
            _ if ways > 0 && state.copies != 1 => {
                Some("passes before the collision are for one copy; set `copies` to 1")
            }
            (Order::Any, Motion::Still) if before.ring.is_none() && !before.plane && before.out.is_none() => {
                None
            }
            (Order::Any, Motion::Along) if turned => None,
            (Order::Planes(order), Motion::Planes(towards)) if before.plane && !towards.is_empty() => {
                // What moves down leaves room below, so that lower planes are done first.
                match (order, towards[phase % towards.len()]) {
                    (Towards::Up, Towards::Down) | (Towards::Down, Towards::Up) => None,
                    _ => Some(
                        "planes would overwrite what is still read: do them upwards where they move down, and downwards where they move up",
                    ),
                }
            }
            (Order::Blocks(blocks), Motion::Still) if pass.reads.len() == 2 && self.has(pass.reads[1]) => {
                match (before.ring, self.arrays[pass.reads[1]].span) {
                    (Some(ring), Span::Crossings(Cut::Blocks(filled)))
                        if ring == pass.reads[1] && filled.same(&blocks) && blocks.has_nodes() =>
                    {
                        None
                    }
                    _ => Some(
                        "blocks read what crosses their faces from an array that a pass before has filled, for blocks of the same nodes",
                    ),
                }
            }
            _ => Some(
                "the order of the collision and the motion of its array do not fit, or a pass between them is missing: slots that turn want \
                 what crosses the faces moved out and back, planes that move one more plane and their order, blocks what crosses between them",
            ),
        }
    }
}

/// What the passes before a collision have done.
struct Before {
    swapped: bool,
    sent: Option<usize>,
    out: Option<usize>,
    back: bool,
    ring: Option<usize>,
    plane: bool,
}

impl Before {
    const NOTHING: Before =
        Before { swapped: false, sent: None, out: None, back: false, ring: None, plane: false };
}
