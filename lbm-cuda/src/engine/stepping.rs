//! What engines do alike, however their nodes are stored: record steps and replay them, time them, choose a launch shape.

use lbm_core::{Error, Facts};

use super::filled;
use crate::assemble::{Shape, Work};
use crate::machine::Machine;

/// Least steps of a recording: enough that launching it costs little, few enough that a run is seldom shorter.
const RECORDED_STEPS: u64 = 32;

/// Seconds that a shape is measured for, about.
const MEASURED_SECONDS: f64 = 5e-3;

/// How far the flow is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Steps done.
    pub(super) step: u64,
    /// Which copy holds the populations. Several steps at once change it once.
    pub(super) copy: usize,
}

impl Clock {
    /// The clock before step `step`, with the populations in the first copy.
    pub(super) fn at(step: u64) -> Clock {
        Clock { step, copy: 0 }
    }
}

/// Where a run is, and what is recorded of it.
pub(super) struct Motion<M: Machine> {
    /// Names kernels and memory: it goes before they do.
    recording: Option<M::Recording>,
    pub(super) now: Clock,
    /// Before and after the launches of the last run.
    last: Option<[M::Mark; 2]>,
}

impl<M: Machine> Motion<M> {
    pub(super) fn new() -> Motion<M> {
        Motion { recording: None, now: Clock::default(), last: None }
    }

    /// Forgets what was recorded, since kernels or memory change.
    pub(super) fn forget(&mut self) {
        self.recording = None;
    }
}

/// An engine whose steps are launches.
pub(super) trait Stepping {
    /// Where they run.
    type On: Machine;

    fn machine(&self) -> &Self::On;
    fn facts(&self) -> &Facts;
    fn motion(&self) -> &Motion<Self::On>;
    fn motion_mut(&mut self) -> &mut Motion<Self::On>;
    /// What the step's kernels do.
    fn work_mut(&mut self) -> &mut Work;
    fn shape(&self) -> Shape;
    /// Builds the kernels of a shape.
    fn take(&mut self, shape: Shape) -> Result<(), Error>;
    /// Launches the kernels of a step, or of as many as are done at once if not fewer are `left`; gives what is reached.
    fn launch(&self, now: Clock, left: u64) -> Result<Clock, Error>;
    /// Sets a fluid at rest in step 0.
    fn rest(&mut self) -> Result<(), Error>;

    /// After so many steps the launches repeat.
    fn cycle(&self) -> u64 {
        let facts = self.facts();
        let (copies, period) = ((facts.copies * facts.steps) as u64, facts.period as u64);
        (1..=copies * period).find(|n| n.is_multiple_of(copies) && n.is_multiple_of(period)).unwrap_or(1)
    }

    /// The phase in which step `step` is read.
    fn phase_of(&self, step: u64) -> usize {
        (step % self.facts().period as u64) as usize
    }

    /// Steps of a recording: whole cycles.
    fn recorded(&self) -> u64 {
        RECORDED_STEPS.next_multiple_of(self.cycle())
    }

    /// Makes the recording, if a run of so many steps needs it.
    fn prepare(&mut self, steps: u64) -> Result<(), Error> {
        // Rings stand differently in each step, and a recording holds its arguments.
        let wanted = !self.facts().moves() && steps >= self.recorded() + self.cycle();
        if self.motion().recording.is_none() && wanted {
            let recording = self.machine().record(&mut || {
                let mut clock = Clock::default();
                while clock.step < self.recorded() {
                    clock = self.launch(clock, self.recorded() - clock.step)?;
                }
                Ok(())
            })?;
            self.motion_mut().recording = recording;
        }
        Ok(())
    }

    /// Launches steps from `now` on, and gives what is reached.
    fn advance(&self, mut now: Clock, steps: u64) -> Result<Clock, Error> {
        let end = now.step + steps;
        while now.step < end {
            let starts = now.copy == 0 && self.phase_of(now.step) == 0;
            match &self.motion().recording {
                Some(recording) if starts && end - now.step >= self.recorded() => {
                    // SAFETY: the recording is dropped before the kernels and the memory that it names.
                    unsafe { self.machine().replay(recording)? };
                    now.step += self.recorded();
                }
                _ => now = self.launch(now, end - now.step)?,
            }
        }
        Ok(now)
    }

    /// Launches steps after those that are under way.
    fn go(&mut self, steps: u64) -> Result<(), Error> {
        // At most one run is under way, so that progress is what it seems.
        self.machine().wait()?;
        // The recording is made before the clock starts.
        self.prepare(steps)?;
        let start = self.machine().mark()?;
        let now = self.advance(self.motion().now, steps)?;
        let last = Some([start, self.machine().mark()?]);
        let motion = self.motion_mut();
        (motion.now, motion.last) = (now, last);
        Ok(())
    }

    /// Waits for the steps of the last run, and tells how long they took on the machine, seconds.
    fn finished(&self) -> Result<f64, Error> {
        self.motion().last.as_ref().map_or(Ok(0.0), |[start, end]| Self::On::seconds_between(start, end))
    }

    /// Runs steps and tells how long they took on the machine, seconds.
    fn timed_steps(&mut self, steps: u64) -> Result<f64, Error> {
        self.go(steps)?;
        self.finished()
    }

    /// The same for something else than the step.
    fn timed_instead(&mut self, work: Work, times: u64) -> Result<f64, Error> {
        let (step, shape) = (std::mem::replace(self.work_mut(), work), self.shape());
        let timed = self.take(shape).and_then(|()| self.timed_steps(times));
        *self.work_mut() = step;
        // The kernels of the step come from the cache.
        self.take(shape)?;
        timed
    }

    /// Takes the shape that was the fastest when it was measured, or measures; `box_key` says for what.
    fn tune(&mut self, size: [usize; 3], box_key: &str) -> Result<(), Error> {
        let facts = *self.facts();
        let key = format!("shape 2 {} {size:?} {box_key}", facts.name());
        let kept = self.machine().recall(&key).and_then(|note| note.parse::<Shape>().ok());
        if let Some(shape) = kept.filter(|shape| shape.fits(&facts, size)) {
            return self.take(shape);
        }
        let mut best: Option<(f64, Shape)> = None;
        for shape in Shape::candidates(&facts, size) {
            self.take(shape)?;
            let once = self.timed_steps(2)?.max(1e-7);
            let steps = ((MEASURED_SECONDS / once) as u64).clamp(2, 200);
            let seconds = self.timed_steps(steps)?.min(self.timed_steps(steps)?) / steps as f64;
            if best.is_none_or(|(fastest, _)| seconds < fastest) {
                best = Some((seconds, shape));
            }
        }
        // Moving walls and forces have set the fluid in motion meanwhile.
        self.rest()?;
        let shape = best.map_or(Shape::PLAIN, |(_, shape)| shape);
        self.machine().remember(&key, &shape.to_string());
        self.take(shape)
    }
}

/// A word in which kernels count.
pub(super) struct Counter<M: Machine>(M::Memory);

impl<M: Machine> Counter<M> {
    pub(super) fn new(machine: &M) -> Result<Counter<M>, Error> {
        Ok(Counter(filled(machine, &[0u64])?))
    }

    pub(super) fn address(&self, machine: &M) -> u64 {
        machine.address(&self.0)
    }

    /// What has been counted.
    pub(super) fn read(&self, machine: &M) -> Result<u64, Error> {
        let mut bytes = [0; size_of::<u64>()];
        machine.read(&self.0, 0, &mut bytes)?;
        Ok(u64::from_ne_bytes(bytes))
    }
}
