//! What a text is assembled for.

use lbm_core::{Domain, Error, Facts, Links, ListedNodes};

use super::box_walls::BoxWalls;
use super::rule_text::RuleTexts;
use super::shape::Shape;

/// What a kernel does between its reads and its writes: a step, or a measuring stick beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Work {
    /// The time step.
    #[default]
    Step,
    /// Streaming without collision: the tiles paper's `propagation only`.
    Propagate,
    /// As many values in and out, none moved to another node, no arithmetic.
    ReadWrite,
    /// Nothing at all: what a launch itself takes.
    Nothing,
}

impl Work {
    /// Whether values come from other nodes.
    pub(super) fn streams(self) -> bool {
        matches!(self, Work::Step | Work::Propagate)
    }
}

/// What a text is assembled for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Plan {
    /// Nodes of the box, baked into the text; none if the kernel is handed them, as it always is where nodes are listed.
    pub size: Option<[usize; 3]>,
    /// Whether the box has walls, solid nodes, or rules in the fluid.
    pub walls: bool,
    /// What is known of these; none if that is no more than `walls` says, and where nodes are listed.
    pub faces: Option<BoxWalls>,
    /// How nodes are dealt out to threads; of listed nodes, threads a block.
    pub shape: Shape,
    /// What is done with the nodes.
    pub work: Work,
    /// What is known of listed nodes; none if that is no more than `walls` says.
    pub listed: Option<ListedPlan>,
    /// What boundary rules do.
    pub rules: RuleTexts,
    /// Once in how many steps values cross to other parts of a box; none, if there is no other part. Where that is each step, and no rule stands, a launch of a pass over nodes in any order
    /// may do some planes along the lattice's last axis only, or some blocks of listed nodes.
    pub exchange: Option<usize>,
}

impl Plan {
    /// A step in a box without walls and of any size, in a launch shape.
    #[must_use]
    pub fn of(shape: Shape) -> Plan {
        Plan { shape, ..Plan::default() }
    }

    /// The same for a box of which the size is baked into the text, or not.
    #[must_use]
    pub fn with_size(self, size: Option<[usize; 3]>) -> Plan {
        Plan { size, ..self }
    }

    /// The same with walls, and with what is known of them.
    #[must_use]
    pub fn with_walls(self, faces: Option<BoxWalls>) -> Plan {
        Plan { walls: true, faces, ..self }
    }

    /// The axis along which a launch does a range of planes, if it does.
    pub(super) fn ranges_along(&self, facts: &Facts) -> Option<usize> {
        facts.lattice.dimension.checked_sub(1).filter(|&axis| self.does_ranges() && axis > 0)
    }

    /// Whether a launch of a pass over nodes in any order may do some of them.
    pub(super) fn does_ranges(&self) -> bool {
        self.exchange == Some(1) && self.rules.is_empty()
    }

    /// The same with boundary rules.
    #[must_use]
    pub fn with_rules(self, rules: RuleTexts) -> Plan {
        Plan { rules, ..self }
    }
}

/// What a text for listed nodes depends on beside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ListedPlan {
    /// Whether places in copies and tables have 64 bits: where 32 do not suffice, and in one copy, where the compiler then needs
    /// fewer registers for the places of what it has read.
    pub wide: bool,
    /// Numbers a row of each table.
    pub widths: Vec<usize>,
    /// What the box has of walls.
    pub walls: ListedWalls,
}

/// What a box has of walls, as far as a text depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ListedWalls {
    /// Whether a node misses a neighbour, or is no fluid.
    pub any: bool,
    /// Whether a storage node is no fluid.
    pub idle: bool,
    /// Whether a wall moves.
    pub moving: bool,
    /// Nodes of a run.
    pub run: usize,
}

impl ListedWalls {
    /// What there is beside these nodes.
    #[must_use]
    pub fn of(nodes: &ListedNodes) -> ListedWalls {
        let ListedNodes { idle, moving, run, .. } = *nodes;
        ListedWalls { any: !nodes.missing.is_empty(), idle, moving, run }
    }
}

impl ListedPlan {
    /// That of a box whose storage nodes are known, in copies of so many values each.
    #[must_use]
    pub fn of(facts: &Facts, listed_nodes: &ListedNodes, values: usize) -> ListedPlan {
        let tables = &listed_nodes.listing.tables;
        let largest = tables.iter().map(|table| table.entries.len()).max().unwrap_or(0);
        // The last block has threads beyond the nodes.
        let threads = listed_nodes.listing.positions.len() + 1024;
        ListedPlan {
            wide: facts.copies == 1 || values.max(largest).max(threads) > u32::MAX as usize,
            widths: tables.iter().map(|table| table.width).collect(),
            walls: ListedWalls::of(listed_nodes),
        }
    }

    /// That of a box of which no more is known than whether it has walls: these may move, and places have as few bits as the
    /// pattern allows.
    pub(super) fn likely(facts: &Facts, walls: bool) -> Result<ListedPlan, Error> {
        let domain = Domain::periodic(facts.addressing.granule);
        let listed_nodes = ListedNodes::of(facts, &domain, &Links::of(&facts.lattice, &domain)?)?;
        let plan = ListedPlan::of(facts, &listed_nodes, 0);
        Ok(ListedPlan { walls: ListedWalls { any: walls, idle: walls, moving: walls, ..plan.walls }, ..plan })
    }

    /// Whether a kernel has to know the numbers of links.
    pub(super) fn numbers_links(&self, facts: &Facts) -> bool {
        self.walls.any && (self.walls.moving || facts.keeps_sent)
    }
}
