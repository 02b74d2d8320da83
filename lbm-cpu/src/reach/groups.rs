//! Where all groups of nodes are alike: how a group's nodes find their neighbours, and how lines of these become vectors of a chunk.

use lbm_core::addressing::{Along, GroupNeighbours};

use super::{MOST_PARTS, There};

/// How the nodes of every group find their neighbours.
pub(crate) struct Groups {
    /// Nodes of a group, and numbers of its row in the table.
    pub(crate) group: usize,
    width: usize,
    nodes: usize,
    /// Shift by shift; nothing of the nodes themselves.
    ways: Vec<Option<Way>>,
    /// How what lies in lines becomes vectors, where the machine has such.
    pub(crate) shuffles: Option<Shuffles>,
}

/// What leads to the neighbours at a shift.
struct Way {
    /// The columns that name their groups, each once.
    columns: Vec<u32>,
    /// For each place in a group which of the columns, and the place there.
    part: Vec<u32>,
    within: Vec<u32>,
    /// How many nodes from each place on find theirs side by side.
    left: Vec<u32>,
}

/// How vectors of a group's nodes are put together from lines in which values of their neighbours lie, and taken apart to these, shift by
/// shift.
pub(crate) struct Shuffles {
    /// Nodes of a vector, and of a line.
    pub(crate) lanes: usize,
    /// How many vectors are made by the same moves: as many of each [`block`](Shuffles::block), each as far behind the one before.
    pub(crate) at_once: usize,
    /// The columns that any shift asks for, each once.
    pub(crate) columns: Vec<u32>,
    /// For each shift how lines become vectors, and vectors lines; nothing of the nodes themselves.
    pub(crate) ways: [Vec<Option<Shuffle>>; 2],
    /// Orders of lanes: for each lane of what is made the lane that it is taken from.
    pub(crate) orders: Orders,
}

/// The most lanes that are put in another order.
pub(crate) const MOST_LANES: usize = 16;

/// Orders of lanes.
pub(crate) type Orders = Vec<[u32; MOST_LANES]>;

/// Vectors of a block in which some are made at once.
const BLOCK: usize = 4;

/// The moves between the vectors of a group and the lines at a shift.
#[derive(Default)]
pub(crate) struct Shuffle {
    /// Of so many vectors at once, one after the other.
    moves: Vec<Move>,
    /// The lines of each move, one a vector.
    lines: Vec<Line>,
    /// Where the moves of the first vectors, of the next ones and so on begin, and where the last ones end.
    begins: Vec<u32>,
}

/// Some lanes between lines and vectors.
#[derive(Clone, Copy)]
pub(crate) struct Move {
    /// Which of [`Shuffles::orders`].
    pub(crate) order: u32,
    /// A bit for each lane that is made, and for each that it is made from.
    pub(crate) mask: u32,
    pub(crate) from: u32,
}

/// A line of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    /// Which of [`Shuffles::columns`] names the group.
    pub(crate) column: u32,
    /// How far behind the group's first value it lies, bytes.
    pub(crate) behind: u32,
}

impl Shuffle {
    /// The moves of the vectors that are made at once and have this number among such, and their lines, one after the other.
    #[inline(always)]
    pub(crate) fn of(&self, number: usize, at_once: usize) -> (&[Move], &[Line]) {
        let some = self.begins[number] as usize..self.begins[number + 1] as usize;
        (&self.moves[some.clone()], &self.lines[some.start * at_once..some.end * at_once])
    }
}

impl Groups {
    /// Those of a flow, if all of these shifts lead from every group to a few others in the same way.
    pub(super) fn of(
        neighbours: &GroupNeighbours,
        shifts: &[[i32; 3]],
        nodes: usize,
        lanes: Option<usize>,
    ) -> Option<Groups> {
        let group = neighbours.group;
        let way = |&shift: &[i32; 3]| match shift {
            [0, 0, 0] => Some(None),
            _ => neighbours.at(shift).and_then(Way::of).map(Some),
        };
        let ways: Vec<_> = shifts.iter().map(way).collect::<Option<_>>()?;
        let shuffles =
            lanes.filter(|&lanes| group.is_multiple_of(lanes)).map(|lanes| Shuffles::of(&ways, lanes));
        Some(Groups { group, width: neighbours.width, nodes, ways, shuffles })
    }

    /// The row of a group.
    #[inline(always)]
    pub(crate) fn row<'a>(&self, entries: &'a [u32], group: usize) -> &'a [u32] {
        &entries[group * self.width..][..self.width]
    }

    /// The first node of a group that a row of the table names. A table may be wrong, but must not lead beyond the copy.
    #[inline(always)]
    pub(crate) fn first_of(&self, named: u32) -> usize {
        (named as usize * self.group).min(self.nodes - self.group)
    }

    /// As [`Reaches::there`](super::Reaches::there).
    #[inline(always)]
    pub(super) fn there<'a>(
        &'a self,
        entries: &[u32],
        number: usize,
        node: usize,
        count: usize,
    ) -> There<'a> {
        let Some(way) = &self.ways[number] else { return There::From(node as u32) };
        let (row, at) = (self.row(entries, node / self.group), node % self.group);
        let first = |column: u32| self.first_of(row[column as usize]) as u32;
        if way.left[at] as usize >= count {
            return There::From(first(way.columns[way.part[at] as usize]) + way.within[at]);
        }
        let mut firsts = [0; MOST_PARTS];
        firsts.iter_mut().zip(&way.columns).for_each(|(begin, &column)| *begin = first(column));
        There::Parts { firsts, part: &way.part[at..at + count], within: &way.within[at..at + count] }
    }

    /// As [`Reaches::find`](super::Reaches::find).
    #[inline(always)]
    pub(super) fn find(&self, entries: &[u32], number: usize, node: usize) -> usize {
        let Some(way) = &self.ways[number] else { return node };
        let (row, at) = (self.row(entries, node / self.group), node % self.group);
        self.first_of(row[way.columns[way.part[at] as usize] as usize]) + way.within[at] as usize
    }

    /// Bytes of all ways and moves.
    pub(super) fn bytes(&self) -> usize {
        let ways = self.ways.iter().flatten().map(|way| 3 * size_of_val(&way.part[..]));
        let moves = self.shuffles.iter().flat_map(|all| all.ways.iter().flatten().flatten());
        let of_moves = |shuffle: &Shuffle| {
            size_of_val(&shuffle.moves[..])
                + size_of_val(&shuffle.lines[..])
                + size_of_val(&shuffle.begins[..])
        };
        let orders = self.shuffles.iter().map(|all| size_of_val(&all.orders[..]));
        ways.chain(moves.map(of_moves)).chain(orders).sum()
    }
}

impl Way {
    /// What leads to these, if they are in few groups.
    fn of(along: &Along) -> Option<Way> {
        let (columns, steps) = (along.columns.clone(), &along.steps);
        let (part, within): (Vec<_>, Vec<_>) = steps.iter().map(|step| (step.column, step.within)).unzip();
        let mut left = vec![1; steps.len()];
        for at in (1..steps.len()).rev() {
            if part[at - 1] == part[at] && within[at - 1] + 1 == within[at] {
                left[at - 1] = left[at] + 1;
            }
        }
        (!steps.is_empty() && columns.len() <= MOST_PARTS).then_some(Way { columns, part, within, left })
    }

    /// The column of the group in which a place's neighbour is.
    fn column(&self, at: usize) -> u32 {
        self.columns[self.part[at] as usize]
    }
}

/// The lanes of one vector that come from one line: the column of its group, its first place there, their order and which they are.
type Part = (u32, usize, [u32; MOST_LANES], u32);

impl Way {
    /// The parts of the vector from a place on, of so many lanes; of the line from which it is taken, or to which it is left.
    fn parts(&self, first: usize, lanes: usize, are_taken: bool) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for k in 0..lanes {
            let (column, within) = (self.column(first + k), self.within[first + k] as usize);
            let line = within / lanes * lanes;
            let at = parts.iter().position(|part| (part.0, part.1) == (column, line)).unwrap_or(parts.len());
            if at == parts.len() {
                parts.push((column, line, [0; MOST_LANES], 0));
            }
            let (made, from) = if are_taken { (k, within - line) } else { (within - line, k) };
            parts[at].2[made] = from as u32;
            parts[at].3 |= 1 << made;
        }
        // In the order of lanes, not of lines: so vectors that are alike have the same moves.
        parts.sort_by_key(|part| part.3.trailing_zeros());
        parts
    }
}

impl Shuffles {
    /// Those of vectors of so many lanes, of values of so many bytes.
    fn of(ways: &[Option<Way>], lanes: usize) -> Shuffles {
        let parts = [true, false].map(|are_taken| {
            let of_way = |way: &Way| {
                (0..way.part.len()).step_by(lanes).map(|first| way.parts(first, lanes, are_taken)).collect()
            };
            ways.iter().map(|way| way.as_ref().map(of_way)).collect::<Vec<Option<Vec<_>>>>()
        });
        let alike = |at_once: usize| {
            let moves = |parts: &Vec<Part>| parts.iter().map(|part| (part.2, part.3)).collect::<Vec<_>>();
            parts.iter().flatten().flatten().all(|parts: &Vec<Vec<Part>>| {
                let mut blocks = parts.chunks(BLOCK);
                blocks.all(|block| {
                    let apart = BLOCK / at_once;
                    block.len() == BLOCK
                        && (apart..BLOCK).all(|k| moves(&block[k]) == moves(&block[k - apart]))
                })
            })
        };
        let at_once = [4, 2].into_iter().find(|&at_once| alike(at_once)).unwrap_or(1);
        let mut all =
            Shuffles { lanes, at_once, columns: Vec::new(), ways: Default::default(), orders: Vec::new() };
        for (side, of_side) in parts.into_iter().enumerate() {
            for parts in of_side {
                let shuffle = parts.map(|parts| all.shuffle(&parts));
                all.ways[side].push(shuffle);
            }
        }
        all
    }

    /// Vectors of a block: one, or as many as hold several that are made at once.
    pub(crate) fn block(&self) -> usize {
        if self.at_once == 1 { 1 } else { BLOCK }
    }

    /// The moves that make the vectors of these parts.
    fn shuffle(&mut self, parts: &[Vec<Part>]) -> Shuffle {
        fn number<T: PartialEq + Copy>(all: &mut Vec<T>, one: T) -> u32 {
            let at = all.iter().position(|&known| known == one).unwrap_or(all.len());
            if at == all.len() {
                all.push(one);
            }
            at as u32
        }
        let mut shuffle = Shuffle { begins: vec![0], ..Shuffle::default() };
        let apart = self.block() / self.at_once;
        for (block, first) in
            parts.chunks(self.block()).flat_map(|block| (0..apart).map(move |first| (block, first)))
        {
            for (k, &(_, _, order, mask)) in block[first].iter().enumerate() {
                let lanes = (0..MOST_LANES).filter(|lane| mask >> lane & 1 == 1);
                let from = lanes.fold(0, |from, lane| from | 1 << order[lane]);
                shuffle.moves.push(Move { order: number(&mut self.orders, order), mask, from });
                for parts in block[first..].iter().step_by(apart) {
                    let column = number(&mut self.columns, parts[k].0);
                    shuffle.lines.push(Line { column, behind: (parts[k].1 * 64 / self.lanes) as u32 });
                }
            }
            shuffle.begins.push(shuffle.moves.len() as u32);
        }
        shuffle
    }
}
