//! Streaming, addressing and layout of a variant, as text: where each direction of a node lies.

use lbm_core::facts::{Places, spare};
use lbm_core::streaming::Towards;
use lbm_core::{Access, Expression, Facts};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The names of the three coordinates.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// A variant's access code for a box: of known size, or of sizes `nx`, `ny`, `nz` that the kernel is handed.
pub(crate) struct Scheme {
    pub(crate) size: [Expression; 3],
    places: Places<Expression>,
    /// Which of the kernel's `origins` slots begin at, where they are rings.
    origins: Option<&'static str>,
    /// Whether all slots begin at the same one of them.
    drifts: bool,
    /// Whether blocks take their places by tickets.
    tickets: bool,
    /// The axis along which planes move, and which way, where the plane that is overwritten first is found beyond the box.
    kept: Option<(usize, Towards)>,
}

impl Scheme {
    pub(crate) fn new(facts: &Facts, size: Option<[usize; 3]>) -> Scheme {
        let size = match size {
            Some(size) => size.map(Expression::from),
            None => ["nx", "ny", "nz"].map(Expression::name),
        };
        let places = facts.printed_places(size.clone(), ROW_MULTIPLE, STREAM_SLACK);
        let origins = facts.pattern.moves().then_some("now");
        let drifts = facts.pattern.drift().is_some();
        Scheme { size, places, origins, drifts, tickets: drifts, kept: None }
    }

    /// The same for a kernel that is launched portion by portion.
    pub(crate) fn in_portions(self) -> Scheme {
        Scheme { tickets: false, ..self }
    }

    /// The same where the plane that is overwritten first was kept beyond the box.
    pub(crate) fn with_kept(self, axis: usize, way: Towards) -> Scheme {
        Scheme { kept: Some((axis, way)), ..self }
    }

    /// The same for places as they were in the step before.
    pub(crate) fn before(mut self) -> Scheme {
        self.origins = self.origins.map(|_| "before");
        self
    }

    /// The number of the block along an axis: its place in the grid, or in the order of blocks.
    pub(crate) fn block(&self, axis: &str) -> String {
        format!("{}{axis}", if self.tickets { "block_" } else { "blockIdx." })
    }

    /// The storage node at a position within the box.
    pub(crate) fn node(&self, position: [Expression; 3]) -> Expression {
        let node = self.places.locate(position).expect("every node of a dense box is stored");
        match self.origins {
            // All slots begin at the same place.
            Some(origins) if self.drifts => self.turned(&node, origins, 0),
            _ => node,
        }
    }

    /// Where a storage node stands in a ring.
    fn turned(&self, node: &Expression, origins: &str, ring: usize) -> Expression {
        Expression::name(format!("turned({node}, origins.{origins}[{ring}], {})", self.places.nodes()))
    }

    /// The memory place of a slot of a storage node.
    pub(crate) fn value(&self, slot: usize, node: Expression) -> Expression {
        let node = match self.origins {
            Some(origins) if !self.drifts => self.turned(&node, origins, slot),
            _ => node,
        };
        self.places.offset(slot, node)
    }

    /// The value of a slot of the node at a position within the box.
    pub(crate) fn at(&self, slot: usize, position: [Expression; 3]) -> Expression {
        self.value(slot, self.node(position))
    }

    /// What a kernel is handed of rings, and how it finds a place in them.
    pub(crate) fn rings(&self, facts: &Facts) -> String {
        // A place and an origin together stay below twice the nodes.
        let short = matches!(self.places.nodes(), Expression::Number(n) if n <= 1 << 31);
        let index = if short { "unsigned" } else { "size_t" };
        let (q, about) = match facts.pattern.drift().is_some() {
            true => (1, "the copy is a ring, and new planes lie\n// where old ones are no longer needed."),
            false => (facts.lattice.q(), "slots are rings, and populations travel by\n// their turning."),
        };
        format!(
            "\n// Where each slot began in the last step, and begins in this one: {about}\n\
             struct Origins {{ unsigned before[{q}], now[{q}]; }};\n\n\
             // Where a storage node stands in a ring of so many.\n\
             __device__ __forceinline__ size_t turned(const {index} node, const {index} origin, const {index} nodes) {{\n\
             \x20   const {index} at = node + origin;\n\
             \x20   return at < nodes ? at : at - nodes;\n}}\n"
        )
    }

    /// The value of `access` in a copy, for the node whose neighbours [`neighbours`](Scheme::neighbours) declared.
    pub(crate) fn offset(&self, access: Access) -> Expression {
        self.value(access.slot, Expression::name(node(access.shift)))
    }

    /// Declares the storage nodes at these shifts from `x`, `y`, `z`, around the box. Of `nodes` side by side, `x` is the
    /// first; shifts to the west are counted from it, shifts to the east from the last one.
    pub(crate) fn neighbours(&self, shifts: &BTreeSet<[i32; 3]>, nodes: usize) -> String {
        let mut text = String::new();
        put!(text, "// Nodes in memory, with neighbours around the box.");
        for axis in 0..3 {
            let along: BTreeSet<i32> =
                shifts.iter().map(|shift| shift[axis]).filter(|&shift| shift != 0).collect();
            for shift in along {
                let beyond = if axis == 0 && shift > 0 { nodes as i32 - 1 } else { 0 };
                let value = match self.kept {
                    Some((across, Towards::Down)) if axis == across && shift == 1 => {
                        format!("{} + 1u", AXES[axis])
                    }
                    Some((across, Towards::Up)) if axis == across && shift == -1 => {
                        let last = self.size[axis].clone() + spare(self.size[axis].clone());
                        format!("{0} == 0u ? {last} : {0} - 1u", AXES[axis])
                    }
                    _ => around(AXES[axis], shift + beyond, &self.size[axis]),
                };
                put!(text, "const unsigned {} = {value};", coordinate(axis, shift));
            }
        }
        for &shift in shifts {
            let position = std::array::from_fn(|axis| Expression::name(coordinate(axis, shift[axis])));
            let place = self.node(position);
            put!(text, "const size_t {} = {place};", node(shift));
        }
        text
    }
}

/// Rows are not padded on a device: nodes a thread divide them, or are one.
pub(crate) const ROW_MULTIPLE: usize = 1;

/// Streams follow each other without a gap on a device, so that all start at whole lines of 128 bytes: with one, an H200 lost
/// 3 % of its bandwidth and more.
pub(crate) const STREAM_SLACK: usize = 0;

/// `x`, `xm1`, `xp1`, ...
pub(crate) fn coordinate(axis: usize, shift: i32) -> String {
    match shift {
        0 => AXES[axis].to_owned(),
        _ => format!("{}{}{}", AXES[axis], if shift < 0 { 'm' } else { 'p' }, shift.unsigned_abs()),
    }
}

/// `node`, `node_xm1`, `node_xm1_yp1`, ...
pub(crate) fn node(shift: [i32; 3]) -> String {
    let mut name = "node".to_owned();
    for axis in (0..3).filter(|&axis| shift[axis] != 0) {
        write!(name, "_{}", coordinate(axis, shift[axis])).expect("a string takes any text");
    }
    name
}

/// A coordinate shifted around the box.
pub(crate) fn around(name: &str, shift: i32, size: &Expression) -> String {
    let amount = shift.unsigned_abs() as usize;
    let (amount, rest) = match size {
        Expression::Number(n) => (amount % n, (n - amount % n).to_string() + "u"),
        // The engine lets free sizes through only where they are as long as every shift.
        _ => (amount, format!("({size} - {amount}u)")),
    };
    match shift {
        _ if amount == 0 => name.to_owned(),
        ..0 => format!("{name} < {amount}u ? {name} + {rest} : {name} - {amount}u"),
        _ => format!("{name} < {rest} ? {name} + {amount}u : {name} - {rest}"),
    }
}

/// A length less a known number, at least as long.
pub(crate) fn minus(length: &Expression, amount: usize) -> String {
    match length {
        Expression::Number(n) => Expression::from(n.saturating_sub(amount)).to_string(),
        _ => format!("{length} - {amount}u"),
    }
}

/// Adds a line to a text, indented as a statement of a function; what it says is written as for `format!`.
macro_rules! put {
    ($text:expr, $($content:tt)+) => {{
        use $crate::assemble::scheme::Statements as _;
        $text.put(format_args!($($content)+))
    }};
}
pub(crate) use put;

/// A text of statements.
pub(crate) trait Statements {
    /// Adds a line: `put!`.
    fn put(&mut self, content: std::fmt::Arguments<'_>);
}

impl Statements for String {
    fn put(&mut self, content: std::fmt::Arguments<'_>) {
        writeln!(self, "    {content}").expect("a string takes any text");
    }
}
