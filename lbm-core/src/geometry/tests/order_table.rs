//! The transactions of a tile by direction and order, and the least that any order could have.

use std::cmp::Reverse;
use std::fmt;

use crate::geometry::TileOrder;
use crate::geometry::order_search::{candidates, cost};
use crate::geometry::transactions::{
    Reader, Sharing, SlotAccesses, TRANSACTION_BYTES, reader, values_per_transaction,
};
use crate::lattice::Lattice;
use crate::streaming::{Derived, Streaming};

/// The accesses to each slot of a pattern that stores populations where their nodes are.
pub(super) fn accesses<S: Streaming, L: Lattice>() -> Vec<SlotAccesses> {
    let both = |i, phase| [S::read::<L>(i, phase), S::write::<L>(i, phase)];
    SlotAccesses::gathered(L::Q, S::PATTERN.period, both)
}

/// The transactions for one access of a whole tile to nodes `shift` away.
pub(super) fn transactions(places: &[u8; 64], shift: [i32; 3], value_bytes: usize, lanes: usize) -> usize {
    Sharing::new(shift, lanes).transactions(places, value_bytes)
}

/// The least number of transactions for one access that any order could have: values that lie in the same tile and go to the same
/// lanes can share one, others cannot.
pub(super) fn lower_bound(shift: [i32; 3], value_bytes: usize, lanes: usize) -> usize {
    let mut readers: Vec<Reader> = (0..64).map(|node| reader(node, shift, lanes)).collect();
    readers.sort_unstable();
    let groups = readers.chunk_by(|a, b| a == b);
    groups.map(|group| group.len().div_ceil(values_per_transaction(value_bytes))).sum()
}

/// What touches a node, access by access.
fn readers(slot: &SlotAccesses, node: usize, lanes: usize) -> Vec<Reader> {
    slot.shifts().map(|shift| reader(node, shift, lanes)).collect()
}

/// What no order can go below, reads and writes together.
///
/// Each access by itself has its [`lower_bound`]. Together they have another: a transaction is needed once for each access at
/// the least, and once more unless the same lanes touch all its values in every access, which nodes that are touched alike can
/// fill only in whole transactions.
fn lower_bound_together(slot: &SlotAccesses, value_bytes: usize, lanes: usize) -> usize {
    let mut shifts: Vec<[i32; 3]> = slot.shifts().collect();
    shifts.sort_unstable();
    let apart = shifts.iter().map(|&shift| lower_bound(shift, value_bytes, lanes)).sum();
    let values = values_per_transaction(value_bytes);
    let mut all_readers: Vec<Vec<Reader>> = (0..64).map(|node| readers(slot, node, lanes)).collect();
    all_readers.sort_unstable();
    let pure: usize = all_readers.chunk_by(|a, b| a == b).map(|alike| alike.len() / values).sum();
    let all = 64 / values;
    // Lanes that differ in one access differ in all with the same shift.
    let once_more = shifts.chunk_by(|a, b| a == b).map(<[_]>::len).min().unwrap_or(0);
    (all * shifts.len() + (all - pure) * once_more).max(apart)
}

/// The order by readers, which has no formula: nodes touched by the same lanes in every access fill whole transactions; what is
/// left of each such group is packed, largest first, with what is most alike.
fn by_readers(slot: &SlotAccesses, value_bytes: usize, lanes: usize) -> [u8; 64] {
    let values = values_per_transaction(value_bytes);
    let mut nodes: Vec<(Vec<Reader>, usize)> =
        (0..64).map(|node| (readers(slot, node, lanes), node)).collect();
    nodes.sort();
    let mut placed: Vec<usize> = Vec::with_capacity(64);
    let mut rests: Vec<&[(Vec<Reader>, usize)]> = Vec::new();
    for group in nodes.chunk_by(|a, b| a.0 == b.0) {
        let whole = group.len() / values * values;
        placed.extend(group[..whole].iter().map(|(_, node)| node));
        rests.push(&group[whole..]);
    }
    rests.retain(|rest| !rest.is_empty());
    rests.sort_by_key(|rest| Reverse(rest.len()));
    while !rests.is_empty() {
        let first = rests.remove(0);
        let mut room = values - first.len();
        placed.extend(first.iter().map(|(_, node)| node));
        // The rest that fits and shares the most accesses with the first; the largest of several.
        let alike =
            |rest: &[(Vec<Reader>, usize)]| rest[0].0.iter().zip(&first[0].0).filter(|(a, b)| a == b).count();
        while let Some(next) = (0..rests.len())
            .filter(|&n| rests[n].len() <= room)
            .max_by_key(|&n| (alike(rests[n]), rests[n].len(), Reverse(n)))
        {
            let rest = rests.remove(next);
            room -= rest.len();
            placed.extend(rest.iter().map(|(_, node)| node));
        }
    }
    let mut places = [0; 64];
    for (place, node) in placed.into_iter().enumerate() {
        places[node] = place as u8;
    }
    places
}

/// An order, and its reads and writes over a period.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub(super) name: String,
    pub(super) moved: [usize; 2],
}

/// A slot's line of an [`OrderTable`].
#[derive(Clone, Debug)]
pub(super) struct OrderRow {
    slot: usize,
    velocity: [i32; 3],
    xyz: Counted,
    /// The paper's order for this direction.
    pub(super) paper: Counted,
    /// The best permutation of the axes.
    pub(super) axes: Counted,
    /// The best order that has a formula.
    pub(super) formula: Counted,
    /// The best order, the one by readers included.
    pub(super) best: Counted,
    /// What no order can go below, reads and writes together.
    pub(super) bound: usize,
}

/// The transactions of a tile by direction and order, over a period of a streaming pattern.
#[derive(Clone, Debug)]
pub(super) struct OrderTable {
    streaming: &'static str,
    lattice: &'static str,
    steps: usize,
    value_bytes: usize,
    pub(super) lanes: usize,
    pub(super) rows: Vec<OrderRow>,
}

impl OrderRow {
    fn of(
        slot: usize,
        velocity: [i32; 3],
        accesses: &SlotAccesses,
        value_bytes: usize,
        lanes: usize,
    ) -> OrderRow {
        let counted = |name: String, places: &[u8; 64]| {
            let moved = [&accesses.reads, &accesses.writes]
                .map(|shifts| shifts.iter().map(|&c| transactions(places, c, value_bytes, lanes)).sum());
            Counted { name, moved }
        };
        let by_formula = |order: TileOrder| counted(name(order), &order.places().unwrap());
        let sharing = accesses.sharing(lanes);
        let mut all: Vec<(String, [u8; 64])> = candidates(values_per_transaction(value_bytes))
            .into_iter()
            .map(|order| (name(order), order.places().unwrap()))
            .collect();
        let best = |among: &[(String, [u8; 64])]| {
            let best = among.iter().min_by_key(|(_, places)| cost(&sharing, places, value_bytes, lanes));
            best.map(|(name, places)| counted(name.clone(), places)).unwrap()
        };
        // The six permutations of the axes come first.
        let (axes, formula) = (best(&all[..6]), best(&all));
        all.push(("by readers".to_owned(), by_readers(accesses, value_bytes, lanes)));
        OrderRow {
            slot,
            velocity,
            xyz: by_formula(TileOrder::XYZ),
            paper: by_formula(TileOrder::of_paper(velocity)),
            axes,
            formula,
            best: best(&all),
            bound: lower_bound_together(accesses, value_bytes, lanes),
        }
    }
}

impl OrderTable {
    pub(super) fn of<S: Streaming, L: Lattice>(value_bytes: usize, lanes: usize) -> OrderTable {
        let row = |(slot, accesses)| OrderRow::of(slot, L::VELOCITIES[slot], &accesses, value_bytes, lanes);
        let rows = accesses::<S, L>().into_iter().enumerate().map(row).collect();
        let (streaming, lattice, steps) = (S::PATTERN.name, L::NAME, S::PATTERN.period);
        OrderTable { streaming, lattice, steps, value_bytes, lanes, rows }
    }

    /// Reads and writes of all slots over a period, by what is picked of each line.
    pub(super) fn total(&self, pick: impl Fn(&OrderRow) -> &Counted) -> [usize; 2] {
        let all = self.rows.iter().map(|row| pick(row).moved);
        all.fold([0, 0], |sum, row| [sum[0] + row[0], sum[1] + row[1]])
    }

    /// The reads, and as many writes, that move every value of the tile once a step.
    pub(super) fn least(&self) -> usize {
        self.steps * self.rows.len() * 64 * self.value_bytes / TRANSACTION_BYTES
    }
}

/// An order as the table names it.
fn name(order: TileOrder) -> String {
    let letter = |axis: u8| ["x", "y", "z"][usize::from(axis % 3)];
    match order {
        TileOrder::Axes(axes) => axes.map(letter).concat().to_uppercase(),
        TileOrder::Bits(bits) => bits.map(|bit| format!("{}{}", letter(bit / 2), bit % 2)).concat(),
        TileOrder::Zigzag { axes, mirrored, paired } => {
            let (sign, pairs) = (if mirrored { '-' } else { '+' }, if paired { ", pairs" } else { "" });
            format!("zigzag {sign}{}{}{pairs}", letter(axes[0]), letter(axes[1]))
        }
    }
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
        for row in &self.rows {
            line([
                row.slot.to_string(),
                row.velocity.map(|c| c.to_string()).join(" "),
                shown(row.xyz.moved),
                shown(row.paper.moved),
                shown(row.axes.moved),
                row.axes.name.clone(),
                shown(row.formula.moved),
                row.formula.name.clone(),
                shown(row.best.moved),
                row.bound.to_string(),
            ])?;
        }
        let total = |pick: fn(&OrderRow) -> &Counted| shown(self.total(pick));
        line([
            "all".to_owned(),
            String::new(),
            total(|row| &row.xyz),
            total(|row| &row.paper),
            total(|row| &row.axes),
            String::new(),
            total(|row| &row.formula),
            String::new(),
            total(|row| &row.best),
            self.rows.iter().map(|row| row.bound).sum::<usize>().to_string(),
        ])
    }
}
