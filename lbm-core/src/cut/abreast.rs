//! Parts whose engines work beside the host, each asked by a thread of its own.
//!
//! A device begins what it is given by calls that take the host some time: of several devices the last one would wait for those of all others. So in a run
//! of many steps each part has a thread. A thread waits only for its neighbours, and only until they have asked, not until anything is done: a message
//! arrives once it has left again, and leaves once it has arrived as often as it left. Then all marks that an engine waits for are set before, as they are where one
//! thread asks all of them. Nobody waits in a circle: leaving waits for what arrives of the exchange before, arriving for what leaves in this one.

use std::iter;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::held::Held;
use super::messages::Message;
use crate::engine::Engine;
use crate::error::Error;

/// Exchanges of a run that are worth a thread a part: starting one takes about as long as an exchange.
const LEAST_EXCHANGES: u64 = 8;

/// Whether so many exchanges are asked for by a thread a part.
pub(super) fn pays(exchanges: u64) -> bool {
    exchanges >= LEAST_EXCHANGES
}

/// Whether each part can have a thread: all are here, and everything goes straight between engines that work beside the host.
pub(super) fn can(parts: &mut [Held], messages: &[Message]) -> bool {
    let beside = |held: &mut Held| held.engine.as_mut().is_some_and(|engine| engine.direct().is_some());
    parts.len() > 1 && messages.iter().all(|message| message.is_direct) && parts.iter_mut().all(beside)
}

/// How many steps follow each exchange of a run.
pub(super) fn paces(steps: u64, every: u64) -> impl Iterator<Item = u64> + Clone {
    let mut left = steps;
    iter::from_fn(move || {
        let some = left.min(every);
        left -= some;
        (some > 0).then_some(some)
    })
}

/// Brings what parts read and then has each do its work, as often as `paces` says, a thread a part.
///
/// # Errors
/// Those of the engines; of several parts that of the first.
pub(super) fn abreast(
    parts: &mut [Held],
    messages: &[Message],
    paces: impl Iterator<Item = u64> + Clone + Send,
    work: &(impl Fn(&mut dyn Engine, u64) -> Result<(), Error> + Sync),
) -> Result<(), Error> {
    let turns: Vec<Turns> = messages.iter().map(|_| Turns::default()).collect();
    thread::scope(|scope| {
        let turns = &turns[..];
        let threads: Vec<_> = parts
            .iter_mut()
            .enumerate()
            .map(|(number, held)| {
                let paces = paces.clone();
                scope.spawn(move || {
                    let ends = Ends(turns);
                    let done = one(number, held, messages, turns, paces, work);
                    if done.is_ok() {
                        std::mem::forget(ends);
                    }
                    done
                })
            })
            .collect();
        // All are waited for before one of their errors is given.
        let done: Vec<_> = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect();
        done.into_iter().collect()
    })
}

/// All that one part does in a run. Where another one has failed, it ends, too.
fn one(
    number: usize,
    held: &mut Held,
    messages: &[Message],
    turns: &[Turns],
    paces: impl Iterator<Item = u64>,
    work: &impl Fn(&mut dyn Engine, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let all = || messages.iter().zip(turns);
    for some in paces {
        for (message, turn) in all().filter(|(message, _)| message.from == number) {
            if !turn.may_leave() {
                return Ok(());
            }
            held.direct(|direct| direct.leave(message.left))?;
            turn.note(|counts| counts.left += 1);
        }
        for (message, turn) in all().filter(|(message, _)| message.to == number) {
            if !turn.may_arrive() {
                return Ok(());
            }
            held.direct(|direct| direct.arrive(message.arrives))?;
            turn.note(|counts| counts.arrived += 1);
        }
        if let Some(engine) = &mut held.engine {
            engine.keep_rims()?;
            work(&mut **engine, some)?;
        }
    }
    Ok(())
}

/// How often a message has left and has arrived in a run.
#[derive(Default)]
struct Turns {
    counts: Mutex<Counts>,
    moved: Condvar,
}

#[derive(Default)]
struct Counts {
    left: u64,
    arrived: u64,
    /// Whether a part has failed, so that nobody waits for it.
    ended: bool,
}

impl Turns {
    /// Waits until it has arrived as often as it left; false if a part has failed.
    fn may_leave(&self) -> bool {
        self.waits(|counts| counts.arrived == counts.left)
    }

    /// Waits until it has left more often than it arrived; false if a part has failed.
    fn may_arrive(&self) -> bool {
        self.waits(|counts| counts.left > counts.arrived)
    }

    fn waits(&self, until: impl Fn(&Counts) -> bool) -> bool {
        let mut counts = self.hold();
        while !until(&counts) && !counts.ended {
            counts = self.moved.wait(counts).unwrap_or_else(PoisonError::into_inner);
        }
        !counts.ended
    }

    fn note(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.hold());
        self.moved.notify_one();
    }

    fn hold(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the waiting of all threads when it is dropped: one has failed, or panics.
struct Ends<'a>(&'a [Turns]);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|turn| turn.note(|counts| counts.ended = true));
    }
}
