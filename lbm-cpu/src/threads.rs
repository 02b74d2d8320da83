//! The threads that share a step. Work comes as `dyn`, so that what a pool needs is compiled once, not once a variant.

use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;

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
        match &self.pool {
            Some(pool) if items > 1 => {
                pool.broadcast(|context| {
                    let (part, parts) = (context.index(), context.num_threads());
                    work(share(items, part, parts));
                });
            }
            _ => work(0..items),
        }
    }
}

/// Part `part` of `parts` contiguous parts of `0..items`, as equal as can be.
fn share(items: usize, part: usize, parts: usize) -> Range<usize> {
    let cut = |k: usize| items / parts * k + (items % parts) * k / parts;
    cut(part)..cut(part + 1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

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
        for count in [1, 3] {
            let sum = AtomicUsize::new(0);
            Threads::new(Some(count)).unwrap().split(10, &|range| {
                sum.fetch_add(range.sum::<usize>(), Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 45);
        }
        assert!(Threads::new(Some(0)).is_err());
    }
}
