//! The pieces of columns that the blocks of a march do, so that all places of a machine are done at the same time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::assemble::{Columns, Part};

/// Up to how many times as many rounds are tried where columns are cut alike, and how many numbers of them between one and the next multiple.
const MORE_ROUNDS: usize = 4;
const FINE_ROUNDS: usize = 4;

/// Most pieces of a column that fills what remains.
const MOST_PIECES: usize = 16;

/// As this part of the time is it worth more that blocks at work at the same time are side by side.
const WORTH: u64 = 4;

/// A column of blocks, and what each of its planes takes.
pub(super) struct Column {
    pub(super) across: Vec<Columns>,
    pub(super) planes: Vec<u64>,
}

/// Planes of a column for one block.
pub(super) struct Piece {
    column: usize,
    planes: Range<usize>,
    /// How many pieces of the column come before it; none if it is what such pieces have left.
    turn: Option<usize>,
    time: u64,
}

/// The pieces of columns in each of which `time` passes at most, `overhead` of it beside its planes; and how many places they fill.
fn pieces(columns: &[Column], time: u64, overhead: u64) -> (Vec<Piece>, usize) {
    let (mut pieces, mut rests) = (Vec::new(), Vec::new());
    for (column, Column { planes, .. }) in columns.iter().enumerate() {
        let (mut begin, mut turn) = (0, 0);
        while begin < planes.len() {
            let (end, taken) = fitting(&planes[begin..], time - overhead);
            let piece =
                Piece { column, planes: begin..begin + end, turn: Some(turn), time: taken + overhead };
            begin += end;
            turn += 1;
            // What is nearly as long as others is as good as whole.
            match begin == planes.len() && piece.time + overhead < time {
                true => rests.push(Piece { turn: None, ..piece }),
                false => pieces.push(piece),
            }
        }
    }
    let (mut places, mut room) = (pieces.len(), 0);
    for rest in rests {
        let (Range { start: mut begin, end }, planes) = (rest.planes, &columns[rest.column].planes);
        while begin < end {
            if room < 2 * overhead {
                (places, room) = (places + 1, time);
            }
            let (count, taken) = fitting(&planes[begin..end], room - overhead);
            let piece = Piece { planes: begin..begin + count, time: taken + overhead, ..rest };
            room = room.saturating_sub(piece.time);
            begin += count;
            pieces.push(piece);
        }
    }
    (pieces, places)
}

/// How many planes can be done in a time, and what they take: at least one.
fn fitting(planes: &[u64], time: u64) -> (usize, u64) {
    let mut taken = planes[0];
    let mut count = 1;
    while count < planes.len() && taken + planes[count] <= time {
        taken += planes[count];
        count += 1;
    }
    (count, taken)
}

/// The pieces that fill so many places in the least time, in the order in which blocks are to begin.
pub(super) fn filling(columns: &[Column], places: usize, overhead: u64) -> Vec<Piece> {
    let mut enough: u64 = columns.iter().map(|column| column.planes.iter().sum::<u64>() + overhead).sum();
    let mut short = 2 * overhead;
    while short + 1 < enough {
        let time = (short + enough) / 2;
        match pieces(columns, time, overhead).1 <= places {
            true => enough = time,
            false => short = time,
        }
    }
    let mut pieces = pieces(columns, enough, overhead).0;
    // Column by column in turns; then what is left, the longest first.
    pieces.sort_by_key(|piece| match piece.turn {
        Some(turn) => (turn, 0),
        None => (usize::MAX, u64::MAX - piece.time),
    });
    pieces
}

/// Columns in pieces of the same planes, so many before column `head` and so many of it and those behind it: blocks that begin one after the other are side by side, and find in
/// the caches what both read.
fn alike(columns: &[Column], head: usize, [before, behind]: [usize; 2], overhead: u64) -> Vec<Piece> {
    let planes = columns.first().map_or(0, |column| column.planes.len());
    let of = |some: Range<usize>, count: usize| {
        (0..count).flat_map(move |turn| {
            let range = planes * turn / count..planes * (turn + 1) / count;
            some.clone().map(move |column| {
                let time = overhead + columns[column].planes[range.clone()].iter().sum::<u64>();
                Piece { column, planes: range.clone(), turn: Some(turn), time }
            })
        })
    };
    of(0..head, before).chain(of(head..columns.len(), behind)).collect()
}

/// The ways in which columns are tried that are cut in the same planes, for about so many rounds of a machine with so many places: all alike; and if the last round is to be
/// filled, of those that fill whole rounds so many pieces each, and more of the others.
fn ways(columns: &[Column], places: usize, (rounds, fills): (usize, bool)) -> Vec<(usize, [usize; 2])> {
    let planes = columns.first().map_or(0, |column| column.planes.len());
    let all = columns.len();
    let step = rounds.div_ceil(FINE_ROUNDS);
    // As many pieces of each column as fit in about so many rounds.
    let mut counts: Vec<usize> = (rounds..=MORE_ROUNDS * rounds)
        .step_by(step)
        .map(|rounds| (rounds * places / all.max(1)).clamp(1, planes.max(1)))
        .collect();
    counts.dedup();
    let behind = |count: usize| {
        let full = places * (all * count / places) / count;
        let more = (count + 1..=MOST_PIECES.min(planes)).map(move |more| (full, [count, more]));
        more.filter(move |_| fills && full > 0 && full < all)
    };
    counts.iter().flat_map(|&count| std::iter::once((all, [count; 2])).chain(behind(count))).collect()
}

/// How long a machine with so many places takes, each of which takes the next piece when it is free.
fn lasts(pieces: &[Piece], places: usize) -> u64 {
    let mut free: BinaryHeap<Reverse<u64>> = std::iter::repeat_n(Reverse(0), places).collect();
    let mut last = 0;
    for piece in pieces {
        let Reverse(begin) = free.pop().unwrap_or(Reverse(0));
        last = last.max(begin + piece.time);
        free.push(Reverse(begin + piece.time));
    }
    last
}

/// Cuts columns of planes from a first one on for a machine with so many places that does so many rounds of them, the last one filled or not, in little time, in the order in which blocks
/// are to begin.
pub(super) fn cut(
    columns: &[Column],
    first: usize,
    places: usize,
    (rounds, fills): (usize, bool),
    overhead: u64,
) -> Vec<Part> {
    let mut best = filling(columns, places * rounds, overhead);
    let mut time = lasts(&best, places);
    time += time / WORTH;
    for (head, counts) in ways(columns, places, (rounds, fills)) {
        let pieces = alike(columns, head, counts, overhead);
        let other = lasts(&pieces, places);
        if other < time {
            (best, time) = (pieces, other);
        }
    }
    parts_of(columns, first, best)
}

/// The parts of blocks that do these pieces, of columns of planes from a first one on.
pub(super) fn parts_of(columns: &[Column], first: usize, pieces: Vec<Piece>) -> Vec<Part> {
    let part = |piece: Piece| {
        let Range { start, end } = piece.planes;
        Part { across: columns[piece.column].across.clone(), planes: first + start..first + end }
    };
    pieces.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of so many planes, of which those of every third take longer.
    fn columns(count: usize, planes: usize) -> Vec<Column> {
        let of = |n: usize| Column {
            across: Vec::new(),
            planes: vec![if n.is_multiple_of(3) { 9 } else { 8 }; planes],
        };
        (0..count).map(of).collect()
    }

    #[test]
    fn pieces_fill_all_places() {
        for (count, places) in [(160, 132), (130, 132), (608, 528)] {
            let columns = columns(count, 512);
            let work: u64 = columns.iter().flat_map(|column| &column.planes).sum();
            let pieces = filling(&columns, places, 40);
            let share = work as f64 / (places as u64 * lasts(&pieces, places)) as f64;
            assert!(share > 0.9, "{count} columns, {places} places: {share}");
        }
    }

    #[test]
    fn columns_are_cut_alike_where_that_takes_about_as_long() {
        let columns = columns(160, 256);
        let parts = cut(&columns, 3, 132, (4, false), 40);
        // 640 pieces in five rounds of 132, those of the same planes one after the other.
        let mut begins: Vec<usize> = parts.iter().map(|part| part.planes.start).collect();
        begins.dedup();
        assert_eq!((parts.len(), begins), (640, vec![3, 67, 131, 195]));
    }

    #[test]
    fn what_is_left_of_columns_that_fill_whole_rounds_fills_the_last_one() {
        let columns = columns(608, 512);
        let parts = cut(&columns, 0, 132, (4, true), 40);
        let whole = parts.iter().take_while(|part| part.planes.len() == 512).count();
        assert_eq!(whole, 528, "four rounds of 132");
        let done: usize = parts.iter().map(|part| part.planes.len()).sum();
        assert_eq!(done, 608 * 512);
        let time = |fills| {
            let pieces = |(head, counts)| lasts(&alike(&columns, head, counts, 40), 132);
            ways(&columns, 132, (4, fills)).into_iter().map(pieces).min()
        };
        assert!(time(true) < time(false), "{:?}, {:?}", time(true), time(false));
    }
}
