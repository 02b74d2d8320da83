//! Where the neighbours of listed nodes are: runs of nodes whose neighbours follow each other, too.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use lbm_core::addressing::GroupNeighbours;
use lbm_core::facts::Places;
use lbm_core::{Error, Facts, ListedNodes};

use crate::copies::MOST_PARTS;
use crate::threads::Threads;

/// Nodes whose runs are found at once.
const AT_ONCE: usize = 1 << 14;

/// The neighbours of all listed nodes at some shift.
enum Reach {
    /// The nodes themselves.
    Own,
    Runs(Runs),
    /// The same in every group.
    Grouped(Grouped),
}

/// A group of nodes.
#[derive(Clone, Copy)]
pub(crate) struct Group<'a> {
    /// Its row of the table.
    pub(crate) row: &'a [u32],
    /// That of the next group; empty behind the last.
    pub(crate) next: &'a [u32],
    /// The place of a node in it.
    pub(crate) within: usize,
}

/// How the nodes of every group find their neighbours at a shift.
pub(crate) struct Grouped {
    /// For each place in a group the column that names the neighbour's group, the place there, and how many nodes from this one on find
    /// theirs there side by side.
    steps: Vec<[u32; 3]>,
    /// The columns, each once, and, if they are few, for each place which of them and the place there.
    pub(crate) columns: Vec<u32>,
    pub(crate) part: Vec<u32>,
    pub(crate) within: Vec<u32>,
    /// The same of the first node in each part, among every eight.
    pub(crate) leads: Vec<Vec<[u32; 2]>>,
}

/// Lanes that are asked for together.
pub(crate) const ASKED_TOGETHER: usize = 8;

/// Runs of nodes: the first of each, and its neighbour. One more behind the last begins where nodes end.
#[derive(Default)]
struct Runs {
    first: Vec<u32>,
    neighbour: Vec<u32>,
}

impl Runs {
    fn push(&mut self, first: usize, neighbour: usize) {
        self.first.push(first as u32);
        self.neighbour.push(neighbour as u32);
    }

    /// Appends those of the nodes behind; the first goes on with the last, if it can.
    fn append(&mut self, next: Runs) {
        let last = self.first.last().zip(self.neighbour.last()).map(|(a, to)| to.wrapping_sub(*a));
        let then = next.first.first().zip(next.neighbour.first()).map(|(a, to)| to.wrapping_sub(*a));
        let from = usize::from(last.is_some() && last == then);
        self.first.extend_from_slice(&next.first[from..]);
        self.neighbour.extend_from_slice(&next.neighbour[from..]);
    }
}

/// The neighbours of all listed nodes at the shifts that a scheme asks for.
pub(crate) struct Reaches {
    shifts: Vec<[i32; 3]>,
    reaches: Vec<Reach>,
    /// Nodes of a group, and numbers of its row in the table.
    group: usize,
    width: usize,
    nodes: usize,
}

impl Reaches {
    /// Those of a flow.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more nodes than 32 bits can count.
    pub(crate) fn of(
        facts: &Facts,
        places: &Places<usize>,
        listed_nodes: &ListedNodes,
        threads: &Threads,
    ) -> Result<Reaches, Error> {
        let nodes = listed_nodes.listing.positions.len();
        if nodes > u32::MAX as usize {
            let most = format!("at most {}", u32::MAX);
            return Err(Error::out_of_range("listed nodes", nodes, most, "cut the box in parts"));
        }
        let asked = asked(facts);
        let grouped =
            listed_nodes.neighbours.as_ref().filter(|_| nodes.is_multiple_of(facts.addressing.group));
        let reach = |&(shift, missed): &([i32; 3], u64)| match grouped
            .and_then(|neighbours| in_groups(neighbours, shift))
        {
            _ if shift == [0; 3] => Reach::Own,
            Some(grouped) => Reach::Grouped(grouped),
            None => in_runs(places, listed_nodes, missed, shift, threads),
        };
        let reaches = asked.iter().map(reach).collect();
        let shifts = asked.iter().map(|&(shift, _)| shift).collect();
        let width = grouped.map_or(0, |neighbours| neighbours.width);
        Ok(Reaches { shifts, reaches, group: facts.addressing.group, width, nodes })
    }

    /// The number of a shift.
    pub(crate) fn number(&self, shift: [i32; 3]) -> usize {
        let number = self.shifts.iter().position(|known| *known == shift);
        number.expect("all shifts of a scheme are known")
    }

    /// How many shifts there are.
    pub(crate) fn count(&self) -> usize {
        self.shifts.len()
    }

    /// Has a cursor of a shift stand in the run of a node.
    #[inline(always)]
    pub(crate) fn seek(&self, number: usize, cursor: &mut usize, node: usize) {
        if let Reach::Runs(Runs { first, .. }) = &self.reaches[number] {
            if first[*cursor] as usize > node
                || *cursor + 64 < first.len() && first[*cursor + 64] as usize <= node
            {
                *cursor = first.partition_point(|&first| first as usize <= node) - 1;
            }
            while first[*cursor + 1] as usize <= node {
                *cursor += 1;
            }
        }
    }

    /// The neighbour of a node at a shift, and how many from it on follow it as the nodes do. An addressing may be wrong, but must not
    /// reach beyond the copy: not all that it says was looked at before the run.
    #[inline(always)]
    pub(crate) fn find(
        &self,
        entries: &[u32],
        number: usize,
        cursor: &mut usize,
        node: usize,
    ) -> (usize, usize) {
        match &self.reaches[number] {
            Reach::Own => (node, usize::MAX),
            Reach::Runs(Runs { first, neighbour }) => {
                while first[*cursor + 1] as usize <= node {
                    *cursor += 1;
                }
                let within = node - first[*cursor] as usize;
                (neighbour[*cursor] as usize + within, first[*cursor + 1] as usize - node)
            }
            Reach::Grouped(Grouped { steps, .. }) => {
                let (group, within) = (node / self.group, node % self.group);
                let [column, there, left] = steps[within];
                let found =
                    entries[group * self.width + column as usize] as usize * self.group + there as usize;
                (found.min(self.nodes - left as usize), left as usize)
            }
        }
    }

    /// The group of a node, if the next `count` nodes are in it, too: its row of the table, that of the next group, and the node's place.
    pub(crate) fn group_of<'b>(&self, entries: &'b [u32], node: usize, count: usize) -> Option<Group<'b>> {
        let (number, within) = (node / self.group, node % self.group);
        let row = |number: usize| entries.get(number * self.width..(number + 1) * self.width);
        let whole = self.width > 0 && within + count <= self.group;
        whole.then(|| Some(Group { row: row(number)?, next: row(number + 1).unwrap_or_default(), within }))?
    }

    /// How the nodes of a group find their neighbours at a shift one by one, if all groups are alike.
    #[inline(always)]
    pub(crate) fn one_by_one(&self, number: usize) -> Option<&Grouped> {
        match &self.reaches[number] {
            Reach::Grouped(grouped) if !grouped.part.is_empty() => Some(grouped),
            _ => None,
        }
    }

    /// The first node of a group that a row of the table names.
    #[inline(always)]
    pub(crate) fn first_of(&self, named: u32) -> usize {
        (named as usize * self.group).min(self.nodes - self.group)
    }

    /// Nodes of a group.
    pub(crate) fn group(&self) -> usize {
        self.group
    }

    /// Bytes of all runs.
    pub(crate) fn bytes(&self) -> usize {
        let bytes = |reach: &Reach| match reach {
            Reach::Own => 0,
            Reach::Runs(Runs { first, .. }) => 2 * size_of_val(&first[..]),
            Reach::Grouped(Grouped { steps, part, .. }) => {
                size_of_val(&steps[..]) + 2 * size_of_val(&part[..])
            }
        };
        self.reaches.iter().map(bytes).sum()
    }
}

/// What leads from the places of a group to its neighbours at a shift, if the same does in all groups.
fn in_groups(neighbours: &GroupNeighbours, shift: [i32; 3]) -> Option<Grouped> {
    let along = neighbours.at(shift)?;
    let mut steps: Vec<[u32; 3]> =
        along.steps.iter().map(|step| [along.columns[step.column as usize], step.within, 1]).collect();
    for at in (1..steps.len()).rev() {
        let [column, within, left] = steps[at];
        if steps[at - 1][0] == column && steps[at - 1][1] + 1 == within {
            steps[at - 1][2] = left + 1;
        }
    }
    let few = &along.steps[..if along.columns.len() <= MOST_PARTS { along.steps.len() } else { 0 }];
    let leads = few.chunks(ASKED_TOGETHER).map(|some| {
        let first = |k: &usize| some[..*k].iter().all(|step| step.column != some[*k].column);
        (0..some.len()).filter(first).map(|k| [some[k].column, some[k].within]).collect()
    });
    let (part, within) = few.iter().map(|step| (step.column, step.within)).unzip();
    let (columns, leads) = (along.columns.clone(), leads.collect());
    (!steps.is_empty()).then_some(Grouped { steps, columns, part, within, leads })
}

/// The shifts at which nodes look for values, with a bit for each direction that a node must miss not to look there.
fn asked(facts: &Facts) -> Vec<([i32; 3], u64)> {
    let mut asked: Vec<([i32; 3], u64)> = Vec::new();
    let mut ask = |shift: [i32; 3], missed: usize| match asked.iter_mut().find(|asked| asked.0 == shift) {
        Some((_, all)) => *all |= 1 << missed,
        None => asked.push((shift, 1 << missed)),
    };
    for phase in 0..facts.period {
        for (i, &opposite) in facts.lattice.opposites.iter().enumerate() {
            ask(facts.read(i, phase).shift, i);
            ask(facts.write(i, phase).shift, opposite);
            if facts.pattern.swaps() {
                facts.ends(i, phase).iter().for_each(|end| ask(end.shift, opposite));
            }
        }
    }
    asked
}

/// The runs of nodes whose neighbours at a shift follow each other. Where a node does not look, since it misses all of these directions,
/// the run goes on.
fn in_runs(
    places: &Places<usize>,
    listed_nodes: &ListedNodes,
    missed: u64,
    shift: [i32; 3],
    threads: &Threads,
) -> Reach {
    let nodes = listed_nodes.listing.positions.len();
    let is_there = |node: usize| {
        let missing = listed_nodes.entry(node).map_or(0, |entry| listed_nodes.missing.get(entry));
        missing & ListedNodes::IDLE == 0 && missing & missed != missed
    };
    let runs_of = |nodes_of_piece: Range<usize>| {
        let mut runs = Runs::default();
        let mut next = usize::MAX;
        for node in nodes_of_piece {
            let found = if is_there(node) { places.neighbour(node, shift).min(nodes - 1) } else { next };
            if found != next || found >= nodes {
                // Where nobody looks, anything that is there will do.
                runs.push(node, if found < nodes { found } else { 0 });
            }
            next = if found < nodes { found + 1 } else { 1 };
        }
        runs
    };
    let pieces: Vec<_> = (0..nodes.div_ceil(AT_ONCE)).map(|_| Mutex::new(Runs::default())).collect();
    threads.split(pieces.len(), &|some| {
        for piece in some {
            let runs = runs_of(piece * AT_ONCE..((piece + 1) * AT_ONCE).min(nodes));
            *pieces[piece].lock().unwrap_or_else(PoisonError::into_inner) = runs;
        }
    });
    let mut all = Runs::default();
    for piece in pieces {
        all.append(piece.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    all.first.push(nodes as u32);
    all.first.shrink_to_fit();
    all.neighbour.shrink_to_fit();
    Reach::Runs(all)
}
