//! How a box is cut into parts for blocks that march through it, so that all places that a machine has for blocks are done at the same time.
//!
//! Columns are seldom as many as there are places, and planes near walls take longer. So each column is cut into parts that take one
//! length of time, from the first plane on, and what is left of the columns fills the places that remain. If it takes about as long, all columns
//! are cut in the same planes instead: blocks side by side then do these at the same time, and find in the caches what both read.

mod pieces;

use std::ops::Range;

use lbm_core::Error;

use pieces::{Column, cut};

use super::DeviceEngine;
use crate::assemble::{self, Beyond, BoxWalls, Columns, Part, Resource, Shape};
use crate::machine::{Machine, Memory};

/// What a plane of a block takes away from walls: an eighth is the unit.
const PLAIN: u64 = 8;

/// What a plane takes more at a side of the box.
const AT_SIDE: u64 = 1;

/// What it takes more where lists are asked.
const AT_LISTED: u64 = 4;

/// What a box is cut for.
struct Cutting {
    size: [usize; 3],
    shape: Shape,
    /// The axis along which blocks march.
    axis: usize,
    /// The nodes along each axis that are done.
    own: [Range<usize>; 3],
    /// What kernels know of the faces of the box.
    walls: Option<BoxWalls>,
}

impl Cutting {
    fn is_wall(&self, face: usize) -> bool {
        self.walls.is_some_and(|walls| walls.faces[face] != Beyond::Box)
    }

    /// The columns of blocks along an axis. Threads at their sides only serve the others. At a wall nobody needs to be served, but along
    /// rows the begin of what is stored stays aligned: of a sector that two blocks write, much more is moved than what they write.
    fn along(&self, a: usize) -> Vec<Columns> {
        if a >= self.axis {
            return vec![Columns { origin: 0, serving: 0, count: 1 }];
        }
        let (size, width, serving) =
            (self.size[a], self.shape.block[a] as usize, self.shape.serving() as usize);
        let Range { start: mut begin, end } = self.own[a];
        let at_first = a > 0 && self.is_wall(2 * a);
        let at_last = a > 0 && self.is_wall(2 * a + 1) && end == size;
        let mut all = Vec::new();
        while begin < end {
            let before = if begin == 0 && at_first { 0 } else { serving };
            let rest = end - begin;
            let count =
                if at_last && before + rest <= width { rest } else { rest.min(width - before - serving) };
            all.push(Columns { origin: (begin + size * serving - before) % size, serving: before, count });
            begin += count;
        }
        all
    }

    /// The columns of the box, where bits say which of its nodes have links or are solid.
    fn columns(&self, listed: &[u32]) -> Vec<Column> {
        let (lines, rows, planes) = (self.along(0), self.along(1), self.size[self.axis]);
        let is_at_side = |a: usize, columns: &Columns| {
            let begin = (columns.origin + columns.serving) % self.size[a];
            self.is_wall(2 * a) && begin == 0
                || self.is_wall(2 * a + 1) && begin + columns.count == self.size[a]
        };
        let column = |row: &Columns, line: &Columns| {
            let across = [*line, *row][..self.axis].to_vec();
            let at_side = across.iter().enumerate().any(|(a, columns)| is_at_side(a, columns));
            let plane = if at_side { PLAIN + AT_SIDE } else { PLAIN };
            Column { across, planes: vec![plane; self.own[self.axis].len()] }
        };
        let of_row = |row| lines.iter().map(move |line| column(row, line));
        let mut columns: Vec<Column> = rows.iter().flat_map(of_row).collect();
        let near = self.near(listed, [&lines, &rows], planes);
        let met = 2 * self.shape.steps();
        for (column, near) in columns.iter_mut().zip(near.chunks(planes)) {
            for (plane, takes) in self.own[self.axis].clone().zip(&mut column.planes) {
                if near[(plane + 1).saturating_sub(met)..=plane].contains(&true) {
                    *takes += AT_LISTED;
                }
            }
        }
        columns
    }

    /// For each column and plane whether a thread meets such a node.
    fn near(&self, listed: &[u32], all: [&[Columns]; 2], planes: usize) -> Vec<bool> {
        let [lines, rows] = all.map(<[Columns]>::len);
        let mut near = vec![false; lines * rows * planes];
        // The blocks that read a coordinate.
        let readers: [Vec<Vec<usize>>; 2] = std::array::from_fn(|a| {
            let mut readers = vec![Vec::new(); self.size[a]];
            for (number, columns) in all[a].iter().enumerate() {
                let width = if a < self.axis { self.shape.block[a] as usize } else { self.size[a] };
                (0..width.min(self.size[a]))
                    .for_each(|n| readers[(columns.origin + n) % self.size[a]].push(number));
            }
            readers
        });
        let [nx, ny, _] = self.size;
        let mut mark = |node: usize| {
            let [x, y, z] = [node % nx, node / nx % ny, node / nx / ny];
            for (&row, &line) in
                readers[1][y].iter().flat_map(|row| readers[0][x].iter().map(move |line| (row, line)))
            {
                near[(row * lines + line) * planes + [x, y, z][self.axis]] = true;
            }
        };
        for (number, &word) in listed.iter().enumerate().filter(|(_, word)| **word != 0) {
            let [first, last] =
                [word.trailing_zeros(), 31 - word.leading_zeros()].map(|bit| 32 * number + bit as usize);
            match first / nx == last / nx {
                // No block is narrower than a word.
                true => [first, last].into_iter().for_each(&mut mark),
                false => (first..=last).for_each(&mut mark),
            }
        }
        near
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// Cuts the box into parts for the blocks of a step's kernel that is handed them, if one is.
    pub(super) fn list_parts(&mut self) -> Result<(), Error> {
        let shape = self.plan.shape;
        let kernel = self.step.all().find(|(kernel, _)| kernel.needs(Resource::Parts));
        let (Some((kernel, built)), Some(march)) = (kernel, shape.march) else { return Ok(()) };
        let at_once =
            self.machine.blocks_at_once(built, kernel.threads.block, kernel.threads.shared_bytes)?;
        let walls = assemble::box_walls(&self.facts, &self.plan);
        let lists = self.arrays.memory(Resource::Skip).filter(|_| walls.is_none_or(|walls| walls.elsewhere));
        let mut listed = vec![0; lists.map_or(0, Memory::bytes)];
        lists.map_or(Ok(()), |bits| bits.read(0, &mut listed))?;
        let word = |bytes: &[u8]| u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let listed: Vec<u32> = listed.chunks_exact(4).map(word).collect();
        let (size, axis) = (self.setup.domain().size, march.axis);
        // Of a part of a box to which what is read comes before all of these steps, nobody reads other nodes.
        let is_of_own = self.plan.exchange == Some(shape.steps());
        let own: [Range<usize>; 3] = std::array::from_fn(|a| match is_of_own {
            true => self.own.first[a]..self.own.first[a] + self.own.count[a],
            false => 0..size[a],
        });
        let (first, overhead) = (own[axis].start, PLAIN * shape.lag() as u64);
        let cutting = Cutting { size, shape, axis, own, walls };
        // Beside other parts of a box more pieces take longer.
        let rounds = (march.parts as usize, self.plan.exchange.is_none());
        let parts = cut(&cutting.columns(&listed), first, at_once, rounds, overhead);
        self.arrays.bindings.number(Resource::PartCount, parts.len());
        let words: Vec<u32> = parts.iter().flat_map(Part::words).collect();
        self.arrays.fill(&self.machine, Resource::Parts, &words)
    }
}

#[cfg(test)]
mod tests {
    use super::pieces::{filling, parts_of};
    use super::*;
    use crate::assemble::March;

    fn cutting(size: [usize; 3], block: [u32; 3], steps: u32, faces: [Beyond; 6]) -> Cutting {
        let axis = if size[2] > 1 { 2 } else { 1 };
        let march = Some(March::new(axis, 1).with_steps(steps));
        let walls = Some(BoxWalls { faces, elsewhere: true, moving: false });
        let shape = Shape { block, march, ..Shape::PLAIN };
        Cutting { size, shape, axis, own: size.map(|n| 0..n), walls }
    }

    /// The same of parts, counted otherwise.
    fn parts_last(columns: &[Column], parts: &[Part], places: usize, overhead: u64) -> u64 {
        let mut free = vec![0; places];
        for part in parts {
            let column = columns.iter().find(|column| column.across == part.across).unwrap();
            let next = (0..places).min_by_key(|&place| free[place]).unwrap();
            free[next] += overhead + column.planes[part.planes.clone()].iter().sum::<u64>();
        }
        free.into_iter().max().unwrap()
    }

    #[test]
    fn every_node_is_in_one_part_and_reads_those_beside_it() {
        let [walls, around] = [[Beyond::Rest; 6], [Beyond::Box; 6]];
        let mixed = [Beyond::Rest, Beyond::Moving, Beyond::Box, Beyond::Box, Beyond::Rest, Beyond::Rest];
        for (size, block, steps) in [
            ([61, 40, 9], [32, 8, 1], 2),
            ([32, 8, 5], [32, 8, 1], 2),
            ([1, 1, 3], [32, 8, 1], 3),
            ([90, 33, 1], [32, 1, 1], 2),
        ] {
            for (faces, places) in [walls, around, mixed].into_iter().zip([1, 3, 50]) {
                let cutting = cutting(size, block, steps, faces);
                let columns = cutting.columns(&[]);
                let parts = cut(&columns, 0, places, (1, true), 20);
                let mut stored = vec![0; size.iter().product()];
                for Part { across, planes } in &parts {
                    for (a, columns) in across.iter().enumerate() {
                        let Columns { origin, serving, count } = *columns;
                        let behind = block[a] as usize - serving - count;
                        let at_wall = [2 * a, 2 * a + 1].map(|face| a > 0 && cutting.is_wall(face));
                        let serves = |threads: usize| threads >= steps as usize;
                        assert!(serves(serving) || at_wall[0] && origin == 0, "{columns:?}");
                        let ends = origin + serving + count == size[a];
                        assert!(serves(behind) || at_wall[1] && ends, "{columns:?}");
                    }
                    let along = |a: usize| match across.get(a) {
                        Some(&Columns { origin, serving, count }) => {
                            (0..count).map(|n| (origin + serving + n) % size[a]).collect()
                        }
                        None if a == cutting.axis => planes.clone().collect::<Vec<_>>(),
                        None => vec![0],
                    };
                    for (z, y) in along(2).into_iter().flat_map(|z| along(1).into_iter().map(move |y| (z, y)))
                    {
                        along(0).into_iter().for_each(|x| stored[x + size[0] * (y + size[1] * z)] += 1);
                    }
                }
                assert!(stored.iter().all(|&times| times == 1), "{size:?} {faces:?}");
            }
        }
    }

    #[test]
    fn all_places_are_done_at_the_same_time() {
        let [lid, around] = [[Beyond::Rest; 6], [Beyond::Box; 6]];
        // A ball of which lists know, in the corner of the box.
        let (size, overhead) = ([256; 3], 40);
        let in_ball = |node: usize| {
            let d = [node % 256, node / 256 % 256, node / 65_536].map(|x| x as f64 - 40.0);
            d.iter().map(|d| d * d).sum::<f64>() < 900.0
        };
        let ball: Vec<u32> = (0..1 << 19)
            .map(|word| (0..32).map(|bit| u32::from(in_ball(32 * word + bit)) << bit).sum())
            .collect();
        for (faces, listed) in [(lid, &[][..]), (around, &[]), (lid, &ball)] {
            for (rows, places) in [(24, 132), (12, 264), (20, 108)] {
                let columns = cutting(size, [32, rows, 1], 2, faces).columns(listed);
                let work: u64 = columns.iter().flat_map(|column| &column.planes).sum();
                let lasts = |parts: &[Part]| parts_last(&columns, parts, places, overhead);
                let filling = lasts(&parts_of(&columns, 0, filling(&columns, places, overhead)));
                let share = work as f64 / (places as u64 * filling) as f64;
                assert!(share > 0.9, "{rows} rows, {places} places: {share}");
                // What is side by side may take a quarter longer.
                let taken = lasts(&cut(&columns, 0, places, (1, true), overhead));
                assert!(4 * taken <= 5 * filling, "{rows} rows, {places} places: {taken}, {filling}");
            }
        }
    }

    #[test]
    fn nodes_of_other_parts_are_left_out() {
        let all = cutting([64, 24, 40], [32, 12, 1], 2, [Beyond::Box; 6]);
        let own = Cutting { own: [0..64, 3..22, 2..38], ..all };
        let parts = cut(&own.columns(&[]), 2, 24, (1, false), 20);
        let done = (0..40).filter(|plane| parts.iter().any(|part| part.planes.contains(plane)));
        assert!(done.eq(2..38));
        let rows_of =
            |&Columns { origin, serving, count }: &Columns| origin + serving..origin + serving + count;
        let mut rows: Vec<usize> = parts.iter().flat_map(|part| rows_of(&part.across[1])).collect();
        rows.sort_unstable();
        rows.dedup();
        assert!(rows.into_iter().eq(3..22));
    }

    #[test]
    fn planes_near_listed_nodes_take_longer() {
        let cutting = cutting([64, 24, 40], [32, 12, 1], 2, [Beyond::Box; 6]);
        let mut listed = vec![0; 64 * 24 * 40 / 32];
        // x = 3, y = 4, z = 20.
        listed[2 * (4 + 24 * 20)] = 8;
        let near = |column: &Column| column.planes.iter().filter(|&&takes| takes > PLAIN).count();
        let columns = cutting.columns(&listed);
        // Blocks of 28 by 8 columns, two more at each side.
        assert_eq!(columns.iter().map(near).collect::<Vec<_>>(), [4, 0, 4, 0, 0, 0, 0, 0, 0]);
    }
}
