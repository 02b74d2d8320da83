//! The loop on the flow's thread: what arrived, steps, a picture when one is due. It never waits for a viewer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use crate::error::Error;
use crate::flow::{About, Fault, Flow, FlowStatus, Picture, Refusal};
use crate::protocol::{Event, View};
use crate::publish::{Publisher, Report};
use crate::record::Recorder;

/// How long a chunk of steps is meant to take.
const CHUNK: Duration = Duration::from_millis(8);
/// Pictures come this far apart on average.
const BETWEEN_PICTURES: Duration = Duration::from_nanos(1_000_000_000 / 30);
/// Reports come this far apart.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);
/// The longest wait of a paused flow for something to do.
const IDLE: Duration = Duration::from_millis(10);
/// How many commands are done between two chunks.
const AT_ONCE: usize = 64;

/// A wish that was not done, or done but for a part.
pub(crate) struct Refused {
    pub(crate) why: Refusal,
    pub(crate) partly: bool,
}

impl From<Refusal> for Refused {
    fn from(why: Refusal) -> Refused {
        Refused { why, partly: false }
    }
}

/// Where it goes: to the viewer whose wish it was.
pub(crate) type Refusals = mpsc::Sender<Refused>;

/// What viewers ask of the flow, checked against what the flow says of itself.
pub(crate) enum Command {
    Event(Event, Refusals),
    Pause(bool),
    Step(Refusals),
    View(View),
    Save(oneshot::Sender<Result<Vec<u8>, Refusal>>),
    Load(Vec<u8>, oneshot::Sender<Result<(), Refusal>>),
}

/// A flow with all that drives it.
pub(crate) struct Drive<F> {
    pub(crate) flow: F,
    pub(crate) commands: Receiver<Command>,
    pub(crate) publisher: Publisher,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) stop: Arc<AtomicBool>,
    /// How many steps are run in all.
    pub(crate) steps: Option<u64>,
    /// How many viewers look.
    pub(crate) looking: Arc<dyn Fn() -> usize + Send + Sync>,
    /// The clock, which a test sets itself.
    pub(crate) now: Box<dyn Fn() -> Instant + Send>,
}

/// How the loop stands.
struct State {
    view: View,
    nodes: f64,
    /// Steps that were run, those before a reset among them: what recorded events are counted by.
    done: u64,
    chunk: u64,
    paused: bool,
    /// Single steps that were asked for while paused.
    single: u64,
    /// Whether the last picture shows something else than the present state.
    stale: bool,
    /// How often the flow was changed, and what that was when the picture was begun that is being made.
    changes: u64,
    begun: Option<u64>,
    /// A picture that was made while the one before it was compressed, and when, until a viewer is ready for it.
    waiting: Option<(Picture, Instant)>,
    next_picture: Instant,
    next_report: Instant,
    /// Steps and their time since the last report.
    counted: (u64, Duration),
    mlups: f64,
    status: FlowStatus,
    fault: Option<Arc<str>>,
    broken_record: Option<Error>,
}

impl<F: Flow> Drive<F> {
    /// Runs until it is stopped or the steps are done. Returns how many were run.
    pub(crate) fn run(&mut self, about: &About) -> Result<u64, Error> {
        let now = (self.now)();
        let mut state = State {
            view: View::whole(about),
            nodes: about.size.into_iter().map(f64::from).product(),
            done: 0,
            chunk: 1,
            paused: false,
            single: 0,
            stale: true,
            changes: 0,
            begun: None,
            waiting: None,
            next_picture: now,
            next_report: now,
            counted: (0, Duration::ZERO),
            mlups: 0.0,
            status: FlowStatus::default(),
            fault: None,
            broken_record: None,
        };
        while !self.stop.load(Ordering::Acquire) && self.steps.is_none_or(|steps| state.done < steps) {
            self.commands(&mut state);
            self.steps(&mut state)?;
            self.show(&mut state);
            self.report(&mut state);
        }
        match state.broken_record {
            Some(error) => Err(error),
            None => Ok(state.done),
        }
    }

    /// Does what arrived; waits a little for it where there are no steps to run.
    fn commands(&mut self, state: &mut State) {
        let mut wait = state.paused && state.single == 0;
        for _ in 0..AT_ONCE {
            let command = if wait {
                self.commands.recv_timeout(IDLE).map_err(|error| error == RecvTimeoutError::Disconnected)
            } else {
                self.commands.try_recv().map_err(|error| error == TryRecvError::Disconnected)
            };
            wait = false;
            match command {
                Ok(command) => self.command(command, state),
                // Without a server nobody could stop it.
                Err(gone) => {
                    return if gone {
                        self.stop.store(true, Ordering::Release)
                    };
                }
            }
        }
    }

    fn command(&mut self, command: Command, state: &mut State) {
        match command {
            Command::Pause(paused) => state.paused = paused || state.fault.is_some(),
            Command::View(view) => (state.view, state.stale, state.waiting) = (view, true, None),
            Command::Step(refusals) => match &state.fault {
                Some(fault) => {
                    refuse(&refusals, Refusal::new(format!("{fault}; reset it or load a checkpoint")).into())
                }
                None => state.single += u64::from(state.paused),
            },
            Command::Event(event, refusals) => {
                let restarts = event == Event::Reset {};
                let applied = match &state.fault {
                    Some(fault) if !restarts => {
                        Err(Refusal::new(format!("{fault}; reset it or load a checkpoint")))
                    }
                    _ => self.flow.apply(&event),
                };
                match applied {
                    Ok(left_out) => {
                        let done = state.done;
                        self.record(state, |recorder| recorder.event(done, &event));
                        state.changed(restarts, (self.now)());
                        if let Some(why) = left_out {
                            refuse(&refusals, Refused { why, partly: true });
                        }
                    }
                    Err(refusal) => refuse(&refusals, refusal.into()),
                }
            }
            // Whoever asked may be gone.
            Command::Save(answer) => drop(answer.send(self.flow.save())),
            Command::Load(checkpoint, answer) => {
                let loaded = self.flow.load(&checkpoint);
                if loaded.is_ok() {
                    let done = state.done;
                    self.record(state, |recorder| recorder.load(done, &checkpoint));
                    state.changed(true, (self.now)());
                }
                drop(answer.send(loaded));
            }
        }
    }

    /// A recording that breaks ends; the flow runs on and viewers are warned.
    fn record(&mut self, state: &mut State, write: impl FnOnce(&mut Recorder) -> Result<(), Error>) {
        if let Some(Err(error)) = self.recorder.as_mut().map(write) {
            self.recorder = None;
            state.broken_record = Some(error);
        }
    }

    /// Runs a chunk of steps, or one that was asked for.
    fn steps(&mut self, state: &mut State) -> Result<(), Error> {
        let left = self.steps.map_or(u64::MAX, |steps| steps - state.done);
        let steps = match (state.paused, state.single) {
            (false, _) => state.chunk.min(left),
            (true, 0) => return Ok(()),
            (true, _) => {
                state.single -= 1;
                left.min(1)
            }
        };
        let start = (self.now)();
        let run = self.flow.run(steps);
        let time = (self.now)() - start;
        state.done += steps;
        state.stale = true;
        state.counted = (state.counted.0 + steps, state.counted.1 + time);
        if steps == state.chunk {
            let fit = steps as f64 * CHUNK.as_secs_f64() / time.as_secs_f64().max(1e-9);
            // Grows slowly, so that one quick chunk starts no long one.
            state.chunk = (fit as u64).clamp(1, 2 * steps);
        }
        if let Err(fault) = run {
            // Where the end is known, nobody need be there to reset it.
            if self.steps.is_some() {
                return Err(fault.into());
            }
            state.fail(&fault);
        }
        Ok(())
    }

    /// Hands on a picture that is done and begins one that is due, if somebody can take it, now or when the one before it is compressed.
    fn show(&mut self, state: &mut State) {
        let now = (self.now)();
        let wanted = self.publisher.wanted();
        let may_begin = wanted || self.publisher.is_busy();
        if let Some((picture, made)) = state.waiting.take() {
            match (wanted, now - made < BETWEEN_PICTURES) {
                (true, _) => self.publisher.picture(picture),
                (false, true) => return state.waiting = Some((picture, made)),
                // A viewer that is slow gets a newer one.
                (false, false) => state.stale = true,
            }
        }
        // When one is done the next one may be due already.
        if self.picture(state, now, may_begin) {
            self.picture(state, now, may_begin);
        }
    }

    /// Asks for the picture that was begun, or begins one that is due. Gives whether one is done.
    fn picture(&mut self, state: &mut State, now: Instant, may_begin: bool) -> bool {
        // One that was begun is waited for, so that it does not grow old in the flow.
        let begun = match state.begun {
            Some(begun) => begun,
            None if state.waiting.is_some() || !state.stale || now < state.next_picture || !may_begin => {
                return false;
            }
            None => {
                // Thirty are begun a second on average, though each waits for the end of a chunk, and however many chunks each takes.
                state.next_picture = (state.next_picture + BETWEEN_PICTURES).max(now + BETWEEN_PICTURES / 2);
                *state.begun.insert(state.changes)
            }
        };
        let picture = self.flow.picture(&state.view).and_then(|picture| {
            picture.as_ref().map_or(Ok(()), |picture| picture.check())?;
            Ok(picture)
        });
        match picture {
            Ok(None) => return false,
            Ok(Some(picture)) => {
                state.begun = None;
                // One that was begun before the last change is followed by another at once, which that change made due.
                let is_other = begun != state.changes || picture.view != state.view;
                state.stale = is_other || picture.step != self.flow.steps_done();
                match (self.publisher.wanted(), is_other) {
                    (true, _) => self.publisher.picture(picture),
                    (false, false) => state.waiting = Some((picture, now)),
                    // The next one is made at once.
                    (false, true) => {}
                }
            }
            Err(fault) => {
                (state.stale, state.begun) = (false, None);
                state.fail(&fault);
            }
        }
        true
    }

    fn report(&mut self, state: &mut State) {
        let now = (self.now)();
        if now < state.next_report {
            return;
        }
        state.next_report = now + BETWEEN_REPORTS;
        let (steps, time) = std::mem::take(&mut state.counted);
        if steps > 0 {
            state.mlups = steps as f64 * state.nodes / time.as_secs_f64().max(1e-9) / 1e6;
        }
        if (self.looking)() > 0 {
            state.status = self.flow.status();
        }
        let broken = state.broken_record.as_ref().map(|error| Arc::from(error.to_string()));
        self.publisher.report(Report {
            step: self.flow.steps_done(),
            mlups: state.mlups,
            paused: state.paused,
            flow: state.status.clone(),
            fault: state.fault.clone().or(broken),
        });
    }
}

impl State {
    /// After an event: the picture is old, and another one due; after one that sets up the flow again, its fault is gone.
    fn changed(&mut self, restarts: bool, now: Instant) {
        (self.stale, self.waiting) = (true, None);
        self.changes += 1;
        self.next_picture = self.next_picture.min(now);
        if restarts && self.fault.take().is_some() {
            self.paused = false;
        }
    }

    fn fail(&mut self, fault: &Fault) {
        self.fault = Some(Arc::from(fault.to_string()));
        self.paused = true;
        self.single = 0;
    }
}

/// Never waits: a viewer with many refusals unread misses some.
fn refuse(refusals: &Refusals, refused: Refused) {
    let _ = refusals.try_send(refused);
}

#[cfg(test)]
mod tests;
