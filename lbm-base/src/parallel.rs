//! Work in pieces, on all cores.

use std::ops::Range;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;

/// Items that are worth a piece: enough that handing them out costs nothing.
const LEAST: usize = 1 << 12;

/// Cores of the machine.
pub fn cores() -> usize {
    // The system reads files to tell.
    static CORES: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));
    *CORES
}

/// What `work` makes of `0..items`, piece after piece. Pieces begin at multiples of `unit`.
pub fn in_pieces<T: Send>(items: usize, unit: usize, work: impl Fn(Range<usize>) -> Vec<T> + Sync) -> Vec<T> {
    // Several pieces a core, since some are done sooner than others.
    let piece = items.div_ceil(8 * cores()).max(LEAST).next_multiple_of(unit.max(1));
    if items <= piece {
        return work(0..items);
    }
    let mut pieces: Vec<Vec<T>> = (0..items.div_ceil(piece)).map(|_| Vec::new()).collect();
    each_chunk(&mut pieces, 1, |number, made| {
        made[0] = work(number * piece..((number + 1) * piece).min(items));
    });
    let mut all = Vec::with_capacity(pieces.iter().map(Vec::len).sum());
    pieces.into_iter().for_each(|made| all.extend(made));
    all
}

/// Does something with each chunk of `length` values (the last may be shorter) and its number, whichever is next.
pub fn each_chunk<T: Send>(values: &mut [T], length: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let chunks = values.len().div_ceil(length);
    let next = Mutex::new(values.chunks_mut(length).enumerate());
    let worker = || {
        loop {
            // A panic of another worker leaves the iterator whole.
            let chunk = next.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, part)) = chunk else { break };
            work(number, part);
        }
    };
    thread::scope(|scope| {
        for _ in 1..cores().min(chunks) {
            scope.spawn(worker);
        }
        worker();
    });
}

#[cfg(test)]
mod tests {
    use super::in_pieces;

    #[test]
    fn pieces_return_in_order() {
        for items in [0, 1, 100_003] {
            let all = in_pieces(items, 3, |range| {
                assert!(range.start.is_multiple_of(3));
                range.collect()
            });
            assert_eq!(all, (0..items).collect::<Vec<_>>());
        }
    }
}
