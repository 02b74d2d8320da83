//! Whether ranks that are waited for are alive: a thread asks them, answers others, and ends all where one is silent for too long.

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use lbm_core::error::Error;

use crate::calls::Request;
use crate::heard::{Awaited, ENDED, Known};
use crate::world::{World, int, lock};

/// The variable that says how many seconds a rank that is waited for may be silent; 0 is for ever.
const VARIABLE: &str = "LBM_MPI_TIMEOUT";
const DEFAULT: u64 = 25;

/// How often the thread looks, when it begins to ask, and how often it asks.
const LOOKS: Duration = Duration::from_millis(200);
const ASKS: Duration = Duration::from_secs(1);

/// The last tag that the standard grants.
const TAG: i32 = 32_767;

/// What this rank does, beside `ENDED`.
const WORKS: u8 = 0;
const WAITS: u8 = 1;

/// A question or an answer: rank, whether it is an answer, what it does, which call was its last.
type Note = [u64; 4];
const NOTE: usize = 32;

/// What the thread that works and the thread that watches know of each other.
pub(crate) struct Watch {
    timeout: Option<Duration>,
    does: AtomicU8,
    /// The number of the last call that began, the same on all ranks.
    call: AtomicU64,
    awaited: Mutex<Option<Awaited>>,
    ends: AtomicBool,
    thread: OnceLock<Mutex<Option<JoinHandle<()>>>>,
}

/// The seconds of `LBM_MPI_TIMEOUT`; none where it is 0.
pub(crate) fn timeout() -> Result<Option<Duration>, Error> {
    let value = env::var(VARIABLE).unwrap_or_default();
    let seconds =
        if value.is_empty() { Some(DEFAULT) } else { value.trim().parse::<u32>().ok().map(u64::from) };
    let seconds = seconds.ok_or_else(|| {
        let allowed = "a whole number of seconds, or 0 for no limit";
        Error::out_of_range(VARIABLE, &value, allowed, format!("leave it out for {DEFAULT} s"))
    })?;
    Ok((seconds > 0).then(|| Duration::from_secs(seconds)))
}

impl Watch {
    pub(crate) fn new(timeout: Option<Duration>) -> Watch {
        Watch {
            timeout,
            does: AtomicU8::new(WORKS),
            call: AtomicU64::new(0),
            awaited: Mutex::new(None),
            ends: AtomicBool::new(false),
            thread: OnceLock::new(),
        }
    }

    /// A call begins.
    pub(crate) fn calls(&self) {
        self.call.fetch_add(1, Ordering::SeqCst);
        self.does.store(WAITS, Ordering::SeqCst);
    }

    /// It has ended.
    pub(crate) fn works(&self) {
        self.does.store(WORKS, Ordering::SeqCst);
    }

    /// No further call will come.
    pub(crate) fn ended(&self) {
        self.does.store(ENDED, Ordering::SeqCst);
    }

    pub(crate) fn call(&self) -> u64 {
        self.call.load(Ordering::SeqCst)
    }

    /// Ranks are waited for, for so long by now.
    pub(crate) fn waits(&self, waited: Duration, awaited: impl FnOnce() -> Awaited) {
        if waited > ASKS {
            *lock(&self.awaited) = Some(awaited());
        }
    }

    pub(crate) fn waits_no_more(&self) {
        *lock(&self.awaited) = None;
    }

    /// Ends the thread.
    pub(crate) fn end(&self) {
        self.ends.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.get().and_then(|thread| lock(thread).take()) {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// Starts the thread.
pub(crate) fn keep(world: &'static World) {
    let thread = thread::Builder::new().name("lbm-mpi".to_owned()).spawn(move || watch(world));
    // Without it only the launcher notices a rank that fails.
    let _ = world.watch.thread.set(Mutex::new(thread.ok()));
}

/// A note that is sent, and its bytes until it is.
struct Sent {
    request: Request,
    _bytes: Box<[u8; NOTE]>,
}

/// What the thread does until this rank ends.
fn watch(world: &'static World) {
    let watch = &world.watch;
    let patience = watch.timeout.unwrap_or(Duration::MAX);
    let (mut inbox, mut receiving, mut sent) = (Box::new([0_u8; NOTE]), None, Vec::<Sent>::new());
    let mut known = Known::default();
    let mut asked: Option<Instant> = None;
    loop {
        let Some(calls) = world.calls_within(patience) else {
            eprintln!("lbm: {}: a call of MPI does not return: all ranks end", world.name(world.rank));
            world.abort(1)
        };
        let mut send = |to: usize, is_answer: bool| {
            let note = [
                world.rank as u64,
                u64::from(is_answer),
                watch.does.load(Ordering::SeqCst).into(),
                watch.call(),
            ];
            let bytes = Box::new(bytes(note));
            // SAFETY: the bytes are kept until the message is complete, or for ever.
            if let Ok(request) = unsafe { calls.send(bytes.as_ptr(), int(NOTE), int(to), TAG) } {
                sent.push(Sent { request, _bytes: bytes });
            }
        };
        let now = Instant::now();
        loop {
            let request = receiving.get_or_insert_with(|| {
                // SAFETY: the inbox is touched only when the message is complete, and outlives the request.
                unsafe { calls.receive(inbox.as_mut_ptr(), int(NOTE), None, TAG) }
            });
            let Ok(request) = request else { break };
            let came = calls.test(request);
            if came == Ok(None) {
                break;
            }
            receiving = None;
            let [rank, is_answer, does, last] = note(&inbox);
            let rank = usize::try_from(rank).unwrap_or(usize::MAX);
            if came != Ok(Some(NOTE)) || rank >= world.ranks {
                break;
            }
            if is_answer == 0 {
                send(rank, true);
            } else {
                known.hear(rank, now, u8::try_from(does).unwrap_or(ENDED), last, watch.call());
            }
        }
        let awaited = lock(&watch.awaited);
        match (&*awaited, watch.timeout) {
            (Some(awaited), Some(timeout)) => {
                if let Some((rank, said)) = known.failed(awaited, now, timeout) {
                    let names =
                        awaited.ranks.iter().map(|&rank| world.name(rank)).collect::<Vec<_>>().join(", ");
                    eprintln!(
                        "lbm: {} waits for {names} in call {} since {} s; of {} {said}: all ranks end (LBM_MPI_TIMEOUT={})",
                        world.name(world.rank),
                        watch.call(),
                        awaited.since.elapsed().as_secs(),
                        world.name(rank),
                        timeout.as_secs()
                    );
                    drop(calls);
                    world.abort(1);
                }
                if asked.is_none_or(|asked| now.duration_since(asked) >= ASKS) {
                    asked = Some(now);
                    awaited
                        .ranks
                        .iter()
                        .filter(|&&rank| rank != world.rank)
                        .for_each(|&rank| send(rank, false));
                }
            }
            _ => asked = None,
        }
        drop(awaited);
        sent.retain_mut(|sent| calls.test(&mut sent.request) == Ok(None));
        if watch.ends.load(Ordering::SeqCst) {
            if let Some(Ok(mut request)) = receiving
                && calls.cancel(&mut request).is_ok()
            {
                while calls.test(&mut request) == Ok(None) {}
            }
            // What is not complete may still be read or written.
            std::mem::forget((inbox, sent));
            return;
        }
        drop(calls);
        thread::park_timeout(LOOKS);
    }
}

fn bytes(note: Note) -> [u8; NOTE] {
    let mut bytes = [0; NOTE];
    bytes.chunks_mut(8).zip(note).for_each(|(bytes, number)| bytes.copy_from_slice(&number.to_le_bytes()));
    bytes
}

fn note(bytes: &[u8; NOTE]) -> Note {
    let number = |n: usize| bytes[8 * n..8 * n + 8].try_into().map_or(0, u64::from_le_bytes);
    [0, 1, 2, 3].map(number)
}
