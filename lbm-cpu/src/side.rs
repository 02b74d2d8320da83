//! Where the values lie that a pass takes of the nodes of a row, or leaves.

use lbm_core::Access;
use lbm_core::facts::Places;

use crate::around::{moves, turned, wrapped};
use crate::run::MOST_VALUES;
use crate::step::Step;

/// One value that a pass takes of every node, or leaves.
struct Value {
    slot: usize,
    /// How far along x.
    along: isize,
    /// Which of the rows that the pass looks at.
    row: usize,
}

/// A row that a pass looks at.
#[derive(PartialEq, Eq)]
struct Row {
    /// Along y and z.
    shift: [i32; 2],
    /// Where the slots begin that are looked at there.
    origin: usize,
    /// Whether they may lie in the plane that a drifting copy keeps.
    is_kept: bool,
}

/// All values that a pass takes of every node, or all that it leaves.
pub(crate) struct Side<'a> {
    step: &'a Step<'a>,
    places: &'a Places<usize>,
    /// Storage nodes.
    nodes: usize,
    copy: *mut u8,
    values: Vec<Value>,
    rows: Vec<Row>,
    /// The plane that a drifting copy keeps before a step, and where.
    kept_plane: [usize; 2],
    /// Whether places move from step to step.
    moves: bool,
    /// Bytes of a value.
    bytes: usize,
}

/// The first storage node of each row that is looked at.
pub(crate) type Starts = [usize; MOST_VALUES];

impl<'a> Side<'a> {
    /// What is taken.
    pub(crate) fn taken(step: &'a Step<'a>, accesses: Vec<Access>) -> Side<'a> {
        let state = step.state;
        Side::new(step, state.source().cast_mut(), step.read, &step.whole.kept[state.phase()], &accesses)
    }

    /// What is left.
    pub(crate) fn left(step: &'a Step<'a>, accesses: Vec<Access>) -> Side<'a> {
        Side::new(step, step.state.target(), step.now, &[], &accesses)
    }

    fn new(
        step: &'a Step<'a>,
        copy: *mut u8,
        origins: &[usize],
        kept: &[usize],
        accesses: &[Access],
    ) -> Side<'a> {
        let facts = step.facts();
        let bytes = facts.precision.stored_bytes;
        let mut rows: Vec<Row> = Vec::new();
        let values = accesses.iter().map(|&Access { slot, shift: [x, y, z] }| {
            let wanted = Row { shift: [y, z], origin: origins[slot], is_kept: kept.contains(&slot) };
            let row = rows.iter().position(|row| *row == wanted).unwrap_or_else(|| {
                rows.push(wanted);
                rows.len() - 1
            });
            Value { slot, along: x as isize, row }
        });
        let values = values.collect();
        let (places, moves) = (&step.state.places, moves(facts));
        let kept_plane = step.whole.drift.kept(step.state.step as i64);
        Side { step, places, nodes: places.nodes(), copy, values, rows, kept_plane, moves, bytes }
    }

    /// How many values there are.
    pub(crate) fn count(&self) -> usize {
        self.values.len()
    }

    /// The slot of a value.
    pub(crate) fn slot(&self, v: usize) -> usize {
        self.values[v].slot
    }

    /// Finds where the rows begin in the copy that are looked at from a row.
    #[inline(always)]
    pub(crate) fn find_starts(&self, row: usize, starts: &mut Starts) {
        let [_, ny, nz] = self.step.state.domain().size;
        let (y, z) = ((row % ny) as isize, (row / ny) as isize);
        for (start, looked_at) in starts.iter_mut().zip(&self.rows) {
            let [along_y, along_z] = looked_at.shift;
            let there = wrapped(y + along_y as isize, ny) + ny * wrapped(z + along_z as isize, nz);
            let node = self.step.whole.rows.of_row(there);
            let node = if looked_at.is_kept { self.kept(node, row) } else { node };
            *start = turned(node, looked_at.origin, self.nodes);
        }
    }

    /// By how many bytes all values of a row lie behind those of another one, if all do, where the rows that these look at begin here.
    #[inline(always)]
    pub(crate) fn behind(&self, starts: &Starts, others: &Starts) -> Option<usize> {
        let nodes = starts[0].wrapping_sub(others[0]);
        let (starts, others) = (&starts[..self.rows.len()], &others[..self.rows.len()]);
        let last = self.nodes - self.step.state.domain().size[0];
        let whole = |starts: &[usize]| !self.moves || starts.iter().all(|&start| start <= last);
        let alike = starts.iter().zip(others).all(|(a, b)| a.wrapping_sub(*b) == nodes);
        let alike = alike && whole(starts) && whole(others);
        let values = if alike { self.step.whole.strides.moved_by(nodes) } else { None };
        values.map(|values| values.wrapping_mul(self.bytes))
    }

    /// By how many bytes all values of a row lie behind those of the one so many rows before, where neither looks around the box along y, if all do.
    pub(crate) fn behind_rows(&self, rows: usize) -> Option<usize> {
        let nodes = self.step.whole.rows.step().filter(|_| !self.moves)?.wrapping_mul(rows);
        Some(self.step.whole.strides.moved_by(nodes)?.wrapping_mul(self.bytes))
    }

    /// How many rows along y it looks at on either side.
    pub(crate) fn reach_along_y(&self) -> usize {
        self.rows.iter().map(|row| row.shift[0].unsigned_abs() as usize).max().unwrap_or(0)
    }

    /// Where a value of node `x` of a row lies, in its slot or another one that begins at the same place, and how many nodes from it on
    /// have it evenly.
    pub(crate) fn piece(&self, starts: &Starts, [v, slot]: [usize; 2], x: usize) -> (*mut u8, usize) {
        let (value, nx, nodes) = (&self.values[v], self.step.state.domain().size[0], self.nodes);
        let there = wrapped(x as isize + value.along, nx);
        let node = turned(starts[value.row], there, nodes);
        let left = (nx - there).min(nx - x).min(nodes - node);
        let (offset, even) = self.step.whole.strides.find(self.places, slot, node);
        (self.copy.wrapping_add(offset * self.bytes), left.min(even))
    }

    /// The plane at the other end finds the one that is done first beside it, as it was.
    fn kept(&self, node: usize, row: usize) -> usize {
        let (drift, [kept, beyond]) = (self.step.whole.drift, self.kept_plane);
        let plane = self.nodes / drift.stored;
        let at = if drift.axis == 2 { row / self.step.state.domain().size[1] } else { row };
        let last = at + 1 + kept == drift.planes;
        if last && node / plane == kept { node % plane + plane * beyond } else { node }
    }
}
