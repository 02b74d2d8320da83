//! The threads that share a step. Work comes as `dyn`, so that what a pool needs is compiled once, not once a variant.

use std::iter;
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbm_core::Error;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A fixed number of threads, the same ones in a clone. With one, work runs where it is called.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    count: usize,
    pool: Option<Arc<ThreadPool>>,
}

/// The most threads that can be asked for; a larger number is a slip.
const MOST_THREADS: usize = 4096;

impl Threads {
    /// So many threads, or one a core.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for 0 or more than [`MOST_THREADS`], [`Error::Unavailable`] if the system gives none.
    pub(crate) fn new(count: Option<usize>) -> Result<Threads, Error> {
        let count = count.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get));
        if !(1..=MOST_THREADS).contains(&count) {
            return Err(Error::out_of_range(
                "threads",
                count,
                format!("1 to {MOST_THREADS}"),
                "take the number of cores, or leave it out",
            ));
        }
        if count == 1 {
            return Ok(Threads { count, pool: None });
        }
        let pool = ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|index| format!("lbm-{index}"))
            .build()
            .map_err(|error| Error::Unavailable {
                what: format!("the system does not start {count} threads: {error}"),
                remedy: "take fewer threads".to_owned(),
            })?;
        Ok(Threads { count, pool: Some(Arc::new(pool)) })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Has one of the threads do what will cut work again and again: the others are woken by it, and are often awake still, while a caller from
    /// outside sleeps and wakes with each cut.
    pub(crate) fn among<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Cuts `0..items` in one contiguous range a thread and runs `work` on all of them; returns when all are done. A single item is
    /// worked on where it is called.
    pub(crate) fn split(&self, items: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
        self.cut(items, 1, &|ranges| ranges.for_each(work));
    }

    /// As [`split`](Threads::split), but each thread is handed ranges one after the other: those of its own share, then, where a core has other things to
    /// do, of the others'.
    pub(crate) fn deal(&self, items: usize, work: &(dyn Fn(&mut Ranges<'_>) + Sync)) {
        self.cut(items, PIECES, work);
    }

    fn cut(&self, items: usize, pieces: usize, work: &(dyn Fn(&mut Ranges<'_>) + Sync)) {
        let Some(pool) = self.pool.as_ref().filter(|_| items > 1) else {
            return work(&mut std::iter::once(0..items));
        };
        let all: Vec<Share> =
            (0..self.count).map(|part| Share::new(share(items, part, self.count), pieces)).collect();
        let one = || {
            let (before, own) = all.split_at(rayon::current_thread_index().unwrap_or(0));
            let mut ranges =
                own.iter().chain(before).flat_map(|share| iter::from_fn(|| share.take())).peekable();
            // Others may have done all.
            if ranges.peek().is_some() {
                work(&mut ranges);
            }
        };
        // No thread is waited for that has not begun.
        pool.scope(|scope| {
            (1..self.count).for_each(|_| scope.spawn(|_| one()));
            one();
        });
    }
}

/// Ranges of items that a thread works on.
pub(crate) type Ranges<'a> = dyn Iterator<Item = Range<usize>> + 'a;

/// Pieces of a share that is dealt: so many that who waits for the last one waits for little.
const PIECES: usize = 16;

/// A contiguous share of some work, of which threads take pieces. No two lie in one line of a cache.
#[repr(align(128))]
struct Share {
    items: Range<usize>,
    piece: usize,
    /// How many of its items are taken.
    taken: AtomicUsize,
}

impl Share {
    fn new(items: Range<usize>, pieces: usize) -> Share {
        Share { piece: items.len().div_ceil(pieces).max(1), items, taken: AtomicUsize::new(0) }
    }

    /// Takes a piece that nobody has, if there is one.
    fn take(&self) -> Option<Range<usize>> {
        // Pieces are all that threads share here: what they work on the pool hands over.
        let first = self.items.start + self.taken.fetch_add(self.piece, Ordering::Relaxed);
        (first < self.items.end).then(|| first..self.items.end.min(first + self.piece))
    }
}

/// Part `part` of `parts` contiguous parts of `0..items`, as equal as can be.
fn share(items: usize, part: usize, parts: usize) -> Range<usize> {
    let cut = |k: usize| items / parts * k + (items % parts) * k / parts;
    cut(part)..cut(part + 1)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn shares_cover_everything_once() {
        for items in [0, 1, 2, 7, 100] {
            for parts in [1, 2, 3, 8] {
                let mut next = 0;
                for part in 0..parts {
                    let range = share(items, part, parts);
                    assert_eq!(range.start, next);
                    assert!(range.len() <= items.div_ceil(parts));
                    next = range.end;
                }
                assert_eq!(next, items);
            }
        }
    }

    #[test]
    fn all_items_are_worked_on() {
        for (count, items) in [(1, 10), (3, 10), (3, 2), (2, 1000), (3, 0)] {
            let (threads, done) = (Threads::new(Some(count)).unwrap(), || AtomicUsize::new(0));
            let [split, dealt] = [0, 1].map(|_| (0..items).map(|_| done()).collect::<Vec<_>>());
            let add = |done: &[AtomicUsize]| {
                done.iter().for_each(|done| {
                    done.fetch_add(1, Ordering::Relaxed);
                });
            };
            threads.split(items, &|range| add(&split[range]));
            threads.deal(items, &|ranges| ranges.for_each(|range| add(&dealt[range])));
            let all = split.into_iter().chain(dealt);
            assert!(all.map(AtomicUsize::into_inner).all(|done| done == 1), "{count} threads, {items} items");
        }
        assert!(Threads::new(Some(0)).is_err());
    }

    #[test]
    fn who_is_done_takes_pieces_of_the_others() {
        let (pool, done) = (Threads::new(Some(2)).unwrap(), AtomicUsize::new(0));
        let late = Instant::now() + Duration::from_secs(60);
        pool.deal(1000, &|ranges| {
            for range in ranges {
                // The first piece takes until all others are done.
                let others = 1000 - range.len();
                while range.start == 0 && done.load(Ordering::Acquire) < others {
                    assert!(Instant::now() < late, "nobody takes the rest");
                    std::thread::yield_now();
                }
                done.fetch_add(range.len(), Ordering::Release);
            }
        });
        assert_eq!(done.into_inner(), 1000);
    }
}
