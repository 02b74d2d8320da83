//! Work on a range, cut in pieces for all cores, its results in order.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Items that are worth a piece: enough that handing them out costs nothing.
const LEAST: usize = 1 << 12;

/// What `work` makes of `0..items`, piece after piece. Pieces begin at multiples of `unit`.
pub(crate) fn in_pieces<T: Send>(
    items: usize,
    unit: usize,
    work: impl Fn(Range<usize>) -> Vec<T> + Sync,
) -> Vec<T> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Several pieces a core, since some are done sooner than others.
    let piece = items.div_ceil(8 * cores).max(LEAST).next_multiple_of(unit.max(1));
    let pieces = items.div_ceil(piece);
    if pieces <= 1 {
        return work(0..items);
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(pieces)));
    std::thread::scope(|scope| {
        for _ in 0..cores.min(pieces) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= pieces {
                        return;
                    }
                    let made = work(number * piece..((number + 1) * piece).min(items));
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((number, made));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_unstable_by_key(|&(number, _)| number);
    let mut all = Vec::with_capacity(done.iter().map(|(_, made)| made.len()).sum());
    done.into_iter().for_each(|(_, made)| all.extend(made));
    all
}

#[cfg(test)]
mod tests {
    use super::in_pieces;

    #[test]
    fn pieces_come_back_in_order() {
        for items in [0, 1, LEAST_AND_MORE] {
            let all = in_pieces(items, 3, |range| {
                assert!(range.start.is_multiple_of(3));
                range.collect()
            });
            assert_eq!(all, (0..items).collect::<Vec<_>>());
        }
    }

    const LEAST_AND_MORE: usize = 100_003;
}
