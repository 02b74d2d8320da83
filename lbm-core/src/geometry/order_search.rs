//! A search for the in-tile orders with the fewest memory transactions.
//!
//! Candidates are all orders by bits (they contain the six permutations of the axes), zigzags in each plane like the
//! paper's, and one order by readers: nodes that the same lanes touch in every access lie together. What the search finds is
//! compared with [`SlotAccesses::lower_bound`], so that it can be seen whether anything better could exist.

use std::collections::BTreeSet;
use std::fmt;

use super::orders::{TILE_EDGE, TILE_NODES, TileOrder};
use super::transactions::{Reader, Sharing, SlotAccesses, TRANSACTION_BYTES, values_per_transaction};
use crate::error::Error;
use crate::index::Index;
use crate::lattice::Lattice;
use crate::streaming::Streaming;

/// How an order is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderFamily {
    /// The axes from the fastest to the slowest: `[0, 1, 2]` is XYZ.
    Axes([u8; 3]),
    /// The bits of x + 4 y + 16 z from the fastest to the slowest: [`TileOrder::of_bits`].
    Bits([u8; 6]),
    /// Rows of three in the plane of two axes and what is left of it last, as in Eq. 13.
    Zigzag {
        /// The axes: of the rows, across them, and the third.
        axes: [u8; 3],
        /// Whether rows run backwards: for steps along the other diagonal.
        mirrored: bool,
        /// Whether two neighbours along the third axis lie side by side, as in Eq. 13; otherwise planes follow one another.
        paired: bool,
    },
    /// Nodes that the same lanes of the same tiles touch lie together. No formula: a table.
    Readers,
}

impl OrderFamily {
    /// x + 4 y + 16 z
    pub const XYZ: OrderFamily = OrderFamily::Axes([0, 1, 2]);

    /// The family of [`TileOrder::of_paper`].
    #[must_use]
    pub fn of_paper(velocity: [i32; 3]) -> OrderFamily {
        match TileOrder::of_paper(velocity) {
            TileOrder::XYZ => OrderFamily::XYZ,
            TileOrder::YXZ => OrderFamily::Axes([1, 0, 2]),
            _ => OrderFamily::Zigzag { axes: [0, 1, 2], mirrored: false, paired: true },
        }
    }

    /// The order, where a formula gives it.
    #[must_use]
    pub fn order(self) -> Option<TileOrder> {
        match self {
            OrderFamily::Readers => None,
            _ => TileOrder::new(std::array::from_fn(|node| self.place(node) as u8)).ok(),
        }
    }

    /// The place of a node by the formula, from its number x + 4 y + 16 z; the number itself with [`Readers`](OrderFamily::Readers), which
    /// have none.
    #[must_use]
    pub fn place<I: Index>(self, node: I) -> I {
        match self {
            OrderFamily::Axes([a, b, c]) => {
                by_bits([a, b, c].map(|axis| [2 * axis, 2 * axis + 1]).as_flattened(), node)
            }
            OrderFamily::Bits(bits) => by_bits(&bits, node),
            OrderFamily::Zigzag { axes, mirrored, paired } => zigzag(axes, mirrored, paired, node),
            OrderFamily::Readers => node,
        }
    }
}

/// Bit k of the place is bit `bits[k]` of the node's number; bits that stay side by side move together.
fn by_bits<I: Index>(bits: &[u8], node: I) -> I {
    let bit = |n: u8| 1usize << n;
    let (mut place, mut to) = (None::<I>, 0);
    for run in bits.chunk_by(|a, b| a + 1 == *b) {
        let moved = node.clone() / bit(run[0]) % bit(run.len() as u8) * bit(to);
        place = Some(place.map_or(moved.clone(), |place| place + moved));
        to += run.len() as u8;
    }
    place.unwrap_or(node)
}

/// Eq. 13 on any axes: a + 3 b in the plane of the first two, but 15 - b where a is 3.
fn zigzag<I: Index>(axes: [u8; 3], mirrored: bool, paired: bool, node: I) -> I {
    let at = |axis: u8| node.clone() / (1 << (2 * axis)) % TILE_EDGE;
    // 3 - n is 3 n + 3 around 4.
    let back = |n: I| (n * 3 + 3) % TILE_EDGE;
    let [a, b, c] = axes.map(at);
    let a = if mirrored { back(a) } else { a };
    let in_plane =
        I::choose((a.clone() + 1) / TILE_EDGE, || back(b.clone()) + 12, || a.clone() + b.clone() * 3);
    if paired { in_plane * 2 + c.clone() % 2 + c / 2 * 32 } else { in_plane + c * 16 }
}

impl fmt::Display for OrderFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |axis: u8| ['x', 'y', 'z'][usize::from(axis % 3)];
        match *self {
            OrderFamily::Axes(axes) => {
                axes.iter().try_for_each(|&axis| write!(f, "{}", letter(axis).to_ascii_uppercase()))
            }
            OrderFamily::Bits(bits) => {
                bits.iter().try_for_each(|&bit| write!(f, "{}{}", letter(bit / 2), bit % 2))
            }
            OrderFamily::Zigzag { axes, mirrored, paired } => {
                let sign = if mirrored { '-' } else { '+' };
                let pairs = if paired { ", pairs" } else { "" };
                write!(f, "zigzag {sign}{}{}{pairs}", letter(axes[0]), letter(axes[1]))
            }
            OrderFamily::Readers => f.write_str("by readers"),
        }
    }
}

/// Which candidates a search looks at: each of these, and those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Candidates {
    /// [`OrderFamily::Axes`]
    Axes,
    /// [`OrderFamily::Bits`]
    Bits,
    /// [`OrderFamily::Zigzag`]
    Zigzags,
    /// [`OrderFamily::Readers`]
    Tables,
}

/// An order and its transactions over a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestOrder {
    /// How it is made.
    pub family: OrderFamily,
    /// The order.
    pub order: TileOrder,
    /// Transactions of all reads of the period.
    pub reads: usize,
    /// Transactions of all writes of the period.
    pub writes: usize,
}

/// Bytes of a line of the caches, whose transactions travel together.
const LINE_BYTES: usize = 128;

/// Lines in which each group of lanes finds the values of its own nodes.
fn lines(order: &TileOrder, value_bytes: usize, lanes: usize) -> usize {
    let values = (LINE_BYTES / value_bytes.max(1)).max(1);
    let pieces = order.places().iter().enumerate();
    pieces
        .map(|(node, &place)| (node / lanes.max(1), usize::from(place) / values))
        .collect::<BTreeSet<_>>()
        .len()
}

/// The candidate with the fewest transactions for a slot, reads and writes together; of several that with which lanes find the values
/// of their own nodes in the fewest lines of 128 bytes; of several the first, so the simplest.
#[must_use]
pub fn best_order(slot: &SlotAccesses, value_bytes: usize, lanes: usize, among: Candidates) -> BestOrder {
    let mut orders = formulas(among, values_per_transaction(value_bytes));
    if among >= Candidates::Tables {
        orders.push((OrderFamily::Readers, readers_order(slot, value_bytes, lanes)));
    }
    let sharing = [&slot.reads, &slot.writes]
        .map(|shifts| shifts.iter().map(|&shift| Sharing::new(shift, lanes)).collect::<Vec<_>>());
    let counted = |(family, order)| {
        let [reads, writes] = [&sharing[0], &sharing[1]]
            .map(|accesses| accesses.iter().map(|access| access.transactions(&order, value_bytes)).sum());
        BestOrder { family, order, reads, writes }
    };
    let simplest = counted((OrderFamily::XYZ, TileOrder::XYZ));
    let cost = |best: &BestOrder| (best.reads + best.writes, lines(&best.order, value_bytes, lanes));
    orders
        .into_iter()
        .map(counted)
        .fold(simplest, |best, other| if cost(&other) < cost(&best) { other } else { best })
}

/// The candidates that have a formula, the simplest first. Of orders by bits that put the same nodes in a transaction of so many
/// values, only the first: transactions do not depend on the order of their values, nor on their own.
fn formulas(among: Candidates, values: usize) -> Vec<(OrderFamily, TileOrder)> {
    let axes = permutations([0, 1, 2]);
    let mut found: Vec<OrderFamily> = axes.iter().map(|&axes| OrderFamily::Axes(axes)).collect();
    if among >= Candidates::Bits {
        let mut seen = BTreeSet::new();
        let together = |bits: &[u8; 6]| {
            bits.iter().take(values.ilog2() as usize).fold(0u8, |together, bit| together | 1 << bit)
        };
        let all = permutations([0, 1, 2, 3, 4, 5]).into_iter();
        found.extend(all.filter(|bits| seen.insert(together(bits))).map(OrderFamily::Bits));
    }
    if among >= Candidates::Zigzags {
        for &axes in &axes {
            for (mirrored, paired) in [(false, true), (true, true), (false, false), (true, false)] {
                found.push(OrderFamily::Zigzag { axes, mirrored, paired });
            }
        }
    }
    found.into_iter().filter_map(|family| Some((family, family.order()?))).collect()
}

/// All orders of some things, in lexicographic order.
fn permutations<const N: usize>(things: [u8; N]) -> Vec<[u8; N]> {
    let mut all = vec![[0; N]];
    for place in 0..N {
        let longer = all.iter().flat_map(|begun| {
            let left = things.into_iter().filter(|thing| !begun[..place].contains(thing));
            left.map(|thing| {
                let mut begun = *begun;
                begun[place] = thing;
                begun
            })
        });
        all = longer.collect();
    }
    all
}

/// The order by readers: nodes touched by the same lanes in every access fill whole transactions; what is left of each such
/// group is packed, largest first, with what is most alike.
fn readers_order(slot: &SlotAccesses, value_bytes: usize, lanes: usize) -> TileOrder {
    let values = values_per_transaction(value_bytes);
    let mut nodes: Vec<(Vec<Reader>, usize)> =
        (0..TILE_NODES).map(|node| (slot.readers(node, lanes), node)).collect();
    nodes.sort();
    let mut placed: Vec<usize> = Vec::with_capacity(TILE_NODES);
    let mut rests: Vec<&[(Vec<Reader>, usize)]> = Vec::new();
    for group in nodes.chunk_by(|a, b| a.0 == b.0) {
        let whole = group.len() / values * values;
        placed.extend(group[..whole].iter().map(|(_, node)| node));
        rests.push(&group[whole..]);
    }
    rests.retain(|rest| !rest.is_empty());
    rests.sort_by_key(|rest| std::cmp::Reverse(rest.len()));
    while !rests.is_empty() {
        let first = rests.remove(0);
        let mut room = values - first.len();
        placed.extend(first.iter().map(|(_, node)| node));
        // The rest that fits and shares the most accesses with the first; the largest of several.
        let alike =
            |rest: &[(Vec<Reader>, usize)]| rest[0].0.iter().zip(&first[0].0).filter(|(a, b)| a == b).count();
        while let Some(next) = (0..rests.len())
            .filter(|&n| rests[n].len() <= room)
            .max_by_key(|&n| (alike(rests[n]), rests[n].len(), std::cmp::Reverse(n)))
        {
            let rest = rests.remove(next);
            room -= rest.len();
            placed.extend(rest.iter().map(|(_, node)| node));
        }
    }
    let mut places = [0; TILE_NODES];
    for (place, node) in placed.into_iter().enumerate() {
        places[node] = place as u8;
    }
    TileOrder::new(places).unwrap_or(TileOrder::XYZ)
}

/// A slot's line of an [`OrderTable`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRow {
    /// The slot.
    pub slot: usize,
    /// The velocity of the direction that has the slot's number.
    pub velocity: [i32; 3],
    /// Reads and writes with XYZ.
    pub xyz: [usize; 2],
    /// Reads and writes with the paper's order for this direction.
    pub paper: [usize; 2],
    /// The best permutation of the axes.
    pub axes: BestOrder,
    /// The best order that has a formula.
    pub formula: BestOrder,
    /// The best order, tables included.
    pub best: BestOrder,
    /// What no order can go below, reads and writes together.
    pub bound: usize,
}

/// The transactions of a tile by direction and order, over a period of a streaming pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTable {
    /// The name of the streaming pattern ([`Streaming::PATTERN`]).
    pub streaming: &'static str,
    /// [`Lattice::NAME`]
    pub lattice: &'static str,
    /// Steps of a period.
    pub steps: usize,
    /// Bytes of a value.
    pub value_bytes: usize,
    /// Lanes that access memory together: 32 a warp, 64 the tile.
    pub lanes: usize,
    /// A line for each slot.
    pub rows: Vec<OrderRow>,
}

impl OrderTable {
    /// Reads and writes of all slots over a period, by what is picked of each line.
    #[must_use]
    pub fn total(&self, pick: impl Fn(&OrderRow) -> [usize; 2]) -> [usize; 2] {
        self.rows.iter().map(pick).fold([0, 0], |sum, row| [sum[0] + row[0], sum[1] + row[1]])
    }

    /// The reads, and as many writes, that move every value of the tile once a step.
    #[must_use]
    pub fn least(&self) -> usize {
        self.steps * self.rows.len() * TILE_NODES * self.value_bytes / TRANSACTION_BYTES
    }
}

/// Searches the best order for each slot of a streaming pattern.
///
/// # Errors
/// As [`SlotAccesses::of`].
pub fn order_table<S: Streaming, L: Lattice>(value_bytes: usize, lanes: usize) -> Result<OrderTable, Error> {
    let row = |(slot, accesses): (usize, SlotAccesses)| {
        let velocity = L::VELOCITIES[slot];
        OrderRow {
            slot,
            velocity,
            xyz: accesses.transactions(&TileOrder::XYZ, value_bytes, lanes),
            paper: accesses.transactions(&TileOrder::of_paper(velocity), value_bytes, lanes),
            axes: best_order(&accesses, value_bytes, lanes, Candidates::Axes),
            formula: best_order(&accesses, value_bytes, lanes, Candidates::Zigzags),
            best: best_order(&accesses, value_bytes, lanes, Candidates::Tables),
            bound: accesses.lower_bound(value_bytes, lanes),
        }
    };
    let rows = SlotAccesses::of::<S, L>()?.into_iter().enumerate().map(row).collect();
    let (streaming, lattice, steps) = (S::PATTERN.name, L::NAME, S::PATTERN.period);
    Ok(OrderTable { streaming, lattice, steps, value_bytes, lanes, rows })
}

impl fmt::Display for OrderTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OrderTable { streaming, lattice, steps, value_bytes, lanes, .. } = self;
        writeln!(
            f,
            "{lattice} {streaming}, {value_bytes} bytes a value, {lanes} lanes together: transactions of 32 bytes a tile, \
             reads + writes of {steps} step(s), at least {0} + {0}",
            self.least()
        )?;
        let mut line = |cells: [String; 10]| {
            let [slot, velocity, xyz, paper, axes, axes_name, formula, formula_name, best, bound] = cells;
            writeln!(
                f,
                "{slot:>4} {velocity:>8} {xyz:>9} {paper:>9} {axes:>9} {axes_name:<4}{formula:>9} {formula_name:<18}\
                 {best:>9} {bound:>7}"
            )
        };
        line(
            ["slot", "velocity", "XYZ", "paper", "axes", "", "formula", "", "best", "bound"]
                .map(String::from),
        )?;
        let shown = |[reads, writes]: [usize; 2]| format!("{reads} + {writes}");
        let best = |best: &BestOrder| shown([best.reads, best.writes]);
        for row in &self.rows {
            line([
                row.slot.to_string(),
                row.velocity.map(|c| c.to_string()).join(" "),
                shown(row.xyz),
                shown(row.paper),
                best(&row.axes),
                row.axes.family.to_string(),
                best(&row.formula),
                row.formula.family.to_string(),
                best(&row.best),
                row.bound.to_string(),
            ])?;
        }
        let total =
            |pick: fn(&OrderRow) -> &BestOrder| shown(self.total(|row| [pick(row).reads, pick(row).writes]));
        line([
            "all".to_owned(),
            String::new(),
            shown(self.total(|row| row.xyz)),
            shown(self.total(|row| row.paper)),
            total(|row| &row.axes),
            String::new(),
            total(|row| &row.formula),
            String::new(),
            total(|row| &row.best),
            self.rows.iter().map(|row| row.bound).sum::<usize>().to_string(),
        ])
    }
}
