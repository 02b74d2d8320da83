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
    /// Each slot whose bit is set is a ring that turns by its velocity, so that a population travels while it stays where it is in
    /// memory. The others stay.
    Along(u64),
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
    /// The one across the lattice's last axis at which planes begin to be overwritten; of moments all that lie in the first plane.
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

    /// The passes of all phases in the order in which steps make them, each with its phase.
    pub fn in_order(&self) -> impl Iterator<Item = (usize, &'static Pass)> {
        let pattern = *self;
        (0..self.period).flat_map(move |phase| pattern.passes(phase).iter().map(move |pass| (phase, pass)))
    }

    /// The last pass of a step of `phase`: the one that collides.
    #[must_use]
    pub const fn collision(&self, phase: usize) -> &'static Pass {
        let passes = self.passes(phase);
        &passes[passes.len() - 1]
    }

    /// The array that holds the flow between steps.
    #[must_use]
    #[inline]
    pub const fn state(&self) -> &'static Array {
        &self.arrays[self.collision(0).writes]
    }

    /// Whether the state is moments.
    #[must_use]
    #[inline]
    pub const fn stores_moments(&self) -> bool {
        self.state().of_moments()
    }

    /// Whether populations are rebuilt where they are read.
    #[must_use]
    #[inline]
    pub const fn rebuilds(&self) -> bool {
        self.arrays[self.collision(0).reads[0]].of_moments()
    }

    /// Whether populations are sent out of moments in a pass of their own.
    #[must_use]
    #[inline]
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

    /// The blocks in whose order nodes are collided, if they are.
    #[must_use]
    pub const fn blocks(&self) -> Option<BlockExtents> {
        match self.collision(0).order {
            Order::Blocks(blocks) => Some(blocks),
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

    /// Whether what a node sends lies where it is until it is read: all through the next step in a copy that nobody writes meanwhile, before it in the only copy.
    #[must_use]
    pub const fn sent_stays(&self) -> bool {
        !self.stores_moments() && (self.state().copies == 1 || !self.ordered())
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)
    }
}
