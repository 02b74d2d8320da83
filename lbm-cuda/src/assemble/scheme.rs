//! Streaming, addressing and layout of a variant, as text: where each direction of a node lies.

use lbm_core::facts::Places;
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
    /// How many these are.
    rings: usize,
    /// Whether all slots begin at the same.
    drifts: bool,
    /// Whether blocks take their places by tickets.
    tickets: bool,
    /// Where the plane that is overwritten first was kept, if neighbours find it there.
    kept: Option<KeptPlane>,
    /// The axis along which a launch does a range of planes, if it does.
    pub(crate) range: Option<usize>,
}

/// The plane that is overwritten first, for the nodes at the other end of the box.
struct KeptPlane {
    /// The axis along which planes move.
    axis: usize,
    /// The shift that leads to it.
    shift: i32,
    /// Where it is kept beyond the box.
    beyond: Expression,
}

impl Scheme {
    pub(crate) fn new(facts: &Facts, size: Option<[usize; 3]>) -> Scheme {
        let size = match size {
            Some(size) => size.map(Expression::from),
            None => ["nx", "ny", "nz"].map(Expression::name),
        };
        let places = facts.printed_places(size.clone(), ROW_MULTIPLE, STREAM_SLACK);
        let (rings, drifts) = (facts.rings.count, facts.rings.drifts());
        let origins = (rings > 0).then_some("now");
        Scheme { size, places, origins, rings, drifts, tickets: false, kept: None, range: None }
    }

    /// The same for a kernel whose blocks take their places by tickets, or do not.
    pub(crate) fn with_tickets(self, tickets: bool) -> Scheme {
        Scheme { tickets, ..self }
    }

    /// The same for a kernel of which a launch does a range of planes along an axis, if it does.
    pub(crate) fn in_ranges(self, range: Option<usize>) -> Scheme {
        Scheme { range, ..self }
    }

    /// The same before a step of `phase`, where the plane that is overwritten first along an axis was kept beyond the box.
    pub(crate) fn with_kept(self, facts: &Facts, axis: usize, phase: usize) -> Scheme {
        let [_, beyond] = facts.rings.kept(phase, self.size[axis].clone());
        // All moves away from where it is kept.
        Scheme { kept: Some(KeptPlane { axis, shift: -facts.rings.sign(phase), beyond }), ..self }
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

    /// The first slots of a storage node that has a name, with their memory places.
    pub(crate) fn values(&self, node: &str, slots: usize) -> impl Iterator<Item = (usize, Expression)> {
        (0..slots).map(move |slot| (slot, self.value(slot, Expression::name(node))))
    }

    /// The storage node at `x`, `y`, `z`.
    pub(crate) fn here(&self) -> Expression {
        self.node(AXES.map(Expression::name))
    }

    /// The number of a node, or of its pack of so many along x, in the order x, y, z.
    pub(crate) fn number(&self, [x, y, z]: [Expression; 3], pack: usize) -> Expression {
        let [nx, ny, _] = self.size.clone();
        x / pack + nx / pack * (y + ny * z)
    }

    /// Whether kernels are handed where slots begin.
    pub(crate) fn has_rings(&self) -> bool {
        self.origins.is_some()
    }

    /// What a kernel is handed of rings, and how it finds a place in them; nothing where slots stay.
    pub(crate) fn functions(&self) -> String {
        if !self.has_rings() {
            return String::new();
        }
        // A place and an origin together stay below twice the nodes.
        let short = matches!(self.places.nodes(), Expression::Number(n) if n <= 1 << 31);
        let index = if short { "unsigned" } else { "size_t" };
        let rings = self.rings;
        let about = match self.drifts {
            true => "the copy is a ring, and new planes lie\n// where old ones are no longer needed.",
            false => "slots are rings, and populations travel by\n// their turning.",
        };
        format!(
            "\n// Where each slot began in the last step, and begins in this one: {about}\n\
             struct Origins {{ unsigned before[{rings}], now[{rings}]; }};\n\n\
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
        let coordinate = |axis: usize, shift: i32| match &self.kept {
            Some(kept) if (axis, shift) == (kept.axis, kept.shift) => match shift {
                // It lies behind the last plane, or apart from the first one.
                1.. => format!("{} + 1u", AXES[axis]),
                _ => format!("{0} == 0u ? {1} : {0} - 1u", AXES[axis], kept.beyond),
            },
            _ => {
                let beyond = if axis == 0 && shift > 0 { nodes as i32 - 1 } else { 0 };
                around(AXES[axis], shift + beyond, &self.size[axis])
            }
        };
        let about = "// Nodes in memory, with neighbours around the box.";
        self.declared(about, shifts, coordinate)
    }

    /// The same, but with coordinates that are never around the box, for nodes of which only those within a block are touched.
    pub(crate) fn neighbours_within(&self, shifts: &BTreeSet<[i32; 3]>) -> String {
        let about = "// Nodes in memory; what they are beyond the block nobody asks.";
        self.declared(about, shifts, |axis, shift| {
            format!("{} {} {}u", AXES[axis], if shift < 0 { '-' } else { '+' }, shift.unsigned_abs())
        })
    }

    /// Declares the storage nodes at these shifts, with what each coordinate beside `x`, `y`, `z` is.
    fn declared(
        &self,
        about: &str,
        shifts: &BTreeSet<[i32; 3]>,
        value: impl Fn(usize, i32) -> String,
    ) -> String {
        let mut text = String::new();
        put!(text, "{about}");
        for axis in 0..3 {
            let along: BTreeSet<i32> = shifts.iter().map(|shift| shift[axis]).collect();
            for shift in along.into_iter().filter(|&shift| shift != 0) {
                put!(text, "const unsigned {} = {};", coordinate(axis, shift), value(axis, shift));
            }
        }
        for &shift in shifts {
            let position = std::array::from_fn(|axis| Expression::name(coordinate(axis, shift[axis])));
            put!(text, "const size_t {} = {};", node(shift), self.node(position));
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

/// `x`, `y`, `z`, but for one of them.
pub(crate) fn position_at(axis: usize, along: Expression) -> [Expression; 3] {
    let mut position = AXES.map(Expression::name);
    position[axis] = along;
    position
}

/// What an array of values has behind its name where each thread does so many nodes: `[4]`, or nothing for one node.
pub(super) fn extent_of(nodes: usize) -> String {
    if nodes == 1 { String::new() } else { format!("[{nodes}]") }
}

/// The same for each of these nodes: `[0]`, `[1]`, ..., or nothing for one node.
pub(super) fn each_of(nodes: usize) -> impl Iterator<Item = String> {
    (0..nodes).map(move |node| if nodes == 1 { String::new() } else { format!("[{node}]") })
}

/// The aligned pack that an access falls into, all but for its shift along x.
pub(super) fn along_rows(access: Access) -> Access {
    Access { shift: [0, access.shift[1], access.shift[2]], ..access }
}

/// Declares a node's coordinates from its number in the order x, y, z, which has a name.
pub(crate) fn position_of(number: &str, size: &[Expression; 3]) -> String {
    let [nx, ny, _] = size;
    format!("const unsigned x = {number} % {nx}, y = {number} / {nx} % {ny}, z = {number} / {nx} / {ny};")
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
