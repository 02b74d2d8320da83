//! Messages: all are begun, then all are waited for.

use std::marker::PhantomData;
use std::thread;
use std::time::{Duration, Instant};

use lbm_core::error::Error;

use crate::calls::{Calls, Given, Request};
use crate::heard::Awaited;
use crate::world::{World, int, lock};

/// The bytes of a piece at most: MPI counts them in 32 bits.
const PIECE: usize = 1 << 30;

/// Tags repeat after so many calls. The standard grants 32767, of which the watch has the last.
const TAGS: u64 = 30_000;

/// For how long a wait yields, and then sleeps for moments. Where there are more ranks than cores, who yields may get the core back when all others have had their
/// slices of time, and who sleeps when it wakes.
const YIELDS: Duration = Duration::from_millis(2);
const YIELDS_CROWDED: Duration = Duration::from_micros(200);
const SLEEPS_SHORT: Duration = Duration::from_millis(500);

/// A piece of a message under way, whose bytes are borrowed.
struct Piece<'a> {
    request: Request,
    other: usize,
    /// How many bytes come; what leaves has none.
    comes: Option<usize>,
    bytes: PhantomData<&'a mut [u8]>,
}

/// A wait that leaves the core to others: first by yielding, later by sleeping.
pub(crate) struct Wait {
    since: Instant,
    yields: Duration,
}

impl Wait {
    /// A wait of a rank.
    pub(crate) fn of(world: &World) -> Wait {
        let yields = if world.local().is_crowded { YIELDS_CROWDED } else { YIELDS };
        Wait { since: Instant::now(), yields }
    }

    /// Waits a little, and says for how long all in all.
    pub(crate) fn a_little(&self) -> Duration {
        let waited = self.since.elapsed();
        if waited < self.yields {
            thread::yield_now();
        } else if waited < SLEEPS_SHORT {
            thread::sleep(Duration::from_micros(50));
        } else {
            thread::sleep(Duration::from_millis(1));
        }
        waited
    }
}

/// The ends of the pieces of so many bytes; there is one piece at least.
fn pieces(length: usize, piece: usize) -> impl Iterator<Item = (usize, usize)> {
    let begins = (0..length.max(1)).step_by(piece);
    begins.map(move |begin| (begin, length.min(begin + piece)))
}

impl World {
    /// As [`Transport::exchange`](lbm_core::cut::Transport::exchange).
    pub(crate) fn exchange(
        &self,
        leaving: &[(usize, &[u8])],
        arriving: &mut [(usize, &mut [u8])],
    ) -> Result<(), Error> {
        let _turn = lock(&self.turn);
        let mut others = leaving.iter().map(|(to, _)| *to).chain(arriving.iter().map(|(from, _)| *from));
        others.try_for_each(|rank| self.check(rank))?;
        self.watch.calls();
        let met = self.bring(leaving, arriving);
        self.watch.works();
        met
    }

    /// As [`Transport::share`](lbm_core::cut::Transport::share): along a tree of ranks, of which each waits for one.
    pub(crate) fn share(&self, from: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let _turn = lock(&self.turn);
        self.check(from)?;
        self.watch.calls();
        let (above, below) = tree((self.rank + self.ranks - from) % self.ranks, self.ranks);
        let rank = |place: usize| (place + from) % self.ranks;
        let mut met = Ok(());
        if let Some(above) = above {
            met = self.bring(&[], &mut [(rank(above), &mut *bytes)]);
        }
        if met.is_ok() {
            let leaving: Vec<(usize, &[u8])> =
                below.into_iter().map(|place| (rank(place), &*bytes)).collect();
            met = self.bring(&leaving, &mut []);
        }
        self.watch.works();
        met
    }

    fn check(&self, rank: usize) -> Result<(), Error> {
        if rank < self.ranks {
            return Ok(());
        }
        let allowed = format!("0 to {}", self.ranks - 1);
        Err(Error::out_of_range("rank", rank, allowed, "start more processes, or cut into fewer parts"))
    }

    /// Sends and receives within a call. It returns when no message is under way any more, so that all bytes are the caller's again.
    fn bring(&self, leaving: &[(usize, &[u8])], arriving: &mut [(usize, &mut [u8])]) -> Result<(), Error> {
        let tag = int(usize::try_from(self.watch.call() % TAGS).unwrap_or(0));
        let mut begun = Vec::with_capacity(leaving.len() + arriving.len());
        let mut failed = None;
        let calls = self.calls();
        let mut begin = |other: usize, comes: Option<usize>, request: Given<Request>| match request {
            Ok(request) => begun.push(Piece { request, other, comes, bytes: PhantomData }),
            Err(code) => _ = failed.get_or_insert_with(|| self.failure(&**calls, other, code)),
        };
        for (from, bytes) in arriving {
            for (first, end) in pieces(bytes.len(), PIECE) {
                let piece = &mut bytes[first..end];
                // SAFETY: `complete` waits for it, and until then the bytes are borrowed.
                let request =
                    unsafe { calls.receive(piece.as_mut_ptr(), int(piece.len()), Some(int(*from)), tag) };
                begin(*from, Some(piece.len()), request);
            }
        }
        for (to, bytes) in leaving {
            for (first, end) in pieces(bytes.len(), PIECE) {
                let piece = &bytes[first..end];
                // SAFETY: as above.
                let request = unsafe { calls.send(piece.as_ptr(), int(piece.len()), int(*to), tag) };
                begin(*to, None, request);
            }
        }
        drop(calls);
        let met = self.complete(begun);
        failed.map_or(met, Err)
    }

    /// Waits for all pieces; the first failure is given when the others are complete.
    fn complete(&self, mut begun: Vec<Piece<'_>>) -> Result<(), Error> {
        let wait = Wait::of(self);
        let mut met = Ok(());
        loop {
            let calls = self.calls();
            begun.retain_mut(|piece| match calls.test(&mut piece.request) {
                Ok(None) => true,
                Ok(Some(came)) => {
                    if let Some(comes) = piece.comes.filter(|&comes| comes != came) {
                        met = Err(self.misfit(piece.other, came, comes));
                    }
                    false
                }
                Err(code) => {
                    met = Err(self.failure(&**calls, piece.other, code));
                    false
                }
            });
            drop(calls);
            if begun.is_empty() {
                self.watch.waits_no_more();
                return met;
            }
            let waited = wait.a_little();
            let others = || begun.iter().map(|piece| piece.other).collect();
            self.watch.waits(waited, || Awaited::new(wait.since, others()));
        }
    }

    /// A message to or from a rank fails.
    fn failure(&self, calls: &dyn Calls, other: usize, code: i32) -> Error {
        Error::Unavailable {
            what: format!(
                "{}: a message between it and {} fails: {}",
                self.name(self.rank),
                self.name(other),
                calls.error(code)
            ),
            remedy: "all ranks must run the same program with the same input; see what the launcher prints"
                .to_owned(),
        }
    }

    fn misfit(&self, other: usize, came: usize, comes: usize) -> Error {
        Error::Unavailable {
            what: format!(
                "{}: {} sends {came} bytes where {comes} are due",
                self.name(self.rank),
                self.name(other)
            ),
            remedy: "all ranks must run the same program with the same input".to_owned(),
        }
    }
}

/// From whom a place of a tree with so many places hears, and who hears from it. Place 0 is the root.
fn tree(place: usize, places: usize) -> (Option<usize>, Vec<usize>) {
    let lowest = if place == 0 { places.next_power_of_two() } else { place & place.wrapping_neg() };
    let above = (place > 0).then(|| place - lowest);
    let steps = std::iter::successors(Some(lowest / 2), |step| Some(step / 2)).take_while(|&step| step > 0);
    (above, steps.map(|step| place + step).filter(|&below| below < places).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_of_a_message() {
        let of = |length| pieces(length, 4).collect::<Vec<_>>();
        assert_eq!(of(0), [(0, 0)]);
        assert_eq!(of(4), [(0, 4)]);
        assert_eq!(of(9), [(0, 4), (4, 8), (8, 9)]);
    }

    #[test]
    fn everyone_hears_once_of_a_tree() {
        for places in 1..40 {
            let mut heard = vec![0; places];
            for place in 0..places {
                for below in tree(place, places).1 {
                    heard[below] += 1;
                    assert_eq!(tree(below, places).0, Some(place));
                }
            }
            assert_eq!((heard[0], tree(0, places).0), (0, None));
            assert!(heard[1..].iter().all(|&times| times == 1), "{places}: {heard:?}");
        }
    }
}
