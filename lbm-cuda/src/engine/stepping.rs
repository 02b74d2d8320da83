//! Steps: one after the other, recorded and replayed, timed, and in the launch shape that is the fastest.

use std::ops::Range;

use lbm_core::engine::Setup;
use lbm_core::{Error, Facts};

use super::at_walls::Packing;
use super::binding::Bindings;
use super::built::{Built, launch};
use super::{DeviceEngine, DeviceOptions, Measured};
use crate::assemble::{
    self, Between, Grid, Plan, Program, ROW_MULTIPLE, Resource, RuleTexts, STREAM_SLACK, Shape,
};
use crate::machine::{Machine, Memory, bytes_of};

/// Least steps of a recording: enough that launching it costs little, few enough that a run is seldom shorter.
const RECORDED_STEPS: u64 = 32;

/// Seconds that a shape is measured for, about.
const MEASURED_SECONDS: f64 = 5e-3;

/// Shapes that are measured once more at most, and how many times as long as the fastest they may take.
const MEASURED_AGAIN: usize = 3;
const ABOUT_AS_FAST: f64 = 1.1;

/// Bytes of shared memory that a text declares itself, at most.
const DECLARED_BYTES: usize = 64;

/// Bytes of shared memory that a block has beside what a text declares itself.
pub(super) fn room<M: Machine>(machine: &M) -> usize {
    machine.shared_bytes_a_block().saturating_sub(DECLARED_BYTES)
}

/// How far the flow is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Clock {
    /// Steps done.
    pub(super) step: u64,
    /// Which copy holds the populations. Several steps at once change it once.
    pub(super) copy: usize,
}

/// The shape to begin with: that which was asked for, else the likeliest.
///
/// # Errors
/// [`Error::OutOfRange`] where a shape was asked for that does not do what is between two steps: boundary rules, or what other parts of a box bring.
pub(super) fn first_shape(
    facts: &Facts,
    setup: &Setup,
    options: &DeviceOptions,
    rules: &RuleTexts,
) -> Result<Shape, Error> {
    let (domain, between) = (setup.domain(), Between::of(!rules.is_empty(), setup.exchange_every()));
    let likely = Shape::likely_for(facts, domain.size, between);
    let remedy = "leave it out, and the best of a few is measured";
    let exchanging = Between { rules: false, ..between };
    match (options.shape, domain.rules.first()) {
        // One of a variant that does nothing but as many steps at once does fewer, too.
        (Some(shape), _) if !exchanging.lets(shape.steps()) && shape.steps() != likely.steps() => {
            let every = between.exchange.unwrap_or(1);
            Err(Error::out_of_range(
                "launch shape",
                shape,
                format!(
                    "as many steps at once as {every} is a multiple of, in a part of a box to which others bring what it reads once in {every} steps"
                ),
                format!("have values cross once in {} steps; or {remedy}", shape.steps()),
            ))
        }
        (Some(shape), Some(standing)) if !shape.does_rules(facts) && between.rules => {
            let rule = &standing.rule;
            let way = if shape.single().does_rules(facts) { "one step at once" } else { "no march" };
            let allowed = format!("for `{}` {way} where a rule such as `{rule}` stands", facts.pattern);
            Err(Error::out_of_range("launch shape", shape, allowed, remedy))
        }
        (Some(shape), _) => Ok(shape),
        (None, _) => Ok(likely),
    }
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
    pub(super) last: Option<[M::Mark; 2]>,
    /// Before those of a run of which steps are asked for some at a time, until it ends.
    begun: Option<M::Mark>,
}

impl<M: Machine> Motion<M> {
    pub(super) fn new() -> Motion<M> {
        Motion { recording: None, now: Clock::default(), last: None, begun: None }
    }

    /// Has steps recorded anew: kernels, memory or arguments change.
    pub(super) fn forget_recording(&mut self) {
        self.recording = None;
    }
}

impl<M: Machine> DeviceEngine<M> {
    /// The step's kernels in a shape.
    pub(super) fn program(&self, shape: Shape) -> Result<Program, Error> {
        assemble::step(&self.facts, &Plan { shape, ..self.plan.clone() })
    }

    /// Builds the step's kernels in a shape, and goes on with them.
    pub(super) fn take(&mut self, shape: Shape) -> Result<(), Error> {
        let built = Built::new(&self.machine, self.program(shape)?)?;
        self.go_on_with(shape, built).map(|_| ())
    }

    /// Goes on with the kernels of a shape, and lists the nodes at walls as these take them. Gives the kernels of before.
    pub(super) fn go_on_with(&mut self, shape: Shape, built: Built<M>) -> Result<Built<M>, Error> {
        // Kernels, and perhaps memory, change.
        self.motion.forget_recording();
        let known = (!self.step.is_empty()).then(|| self.packing());
        self.plan.shape = shape;
        let before = std::mem::replace(&mut self.step, built);
        let packing = self.packing();
        if known != Some(packing) && self.plan.walls && self.plan.listed.is_none() {
            let domain = self.setup.domain();
            self.arrays.list_walls(&self.machine, &self.facts, domain, &self.links, packing)?;
            self.keep()?;
        }
        self.list_parts()?;
        self.list_blocks(&[])?;
        Ok(before)
    }

    /// How the step's kernels find nodes at walls.
    fn packing(&self) -> Packing {
        let ranked = assemble::meets_walls(&self.facts, &self.plan);
        let faces = assemble::box_walls(&self.facts, &self.plan);
        Packing { pack: if ranked { 1 } else { self.plan.shape.nodes }, ranked, faces }
    }

    /// Launches the kernels of a step, or of as many as are done at once if not fewer are `left`; gives what is reached.
    fn launch(&self, now: Clock, left: u64) -> Result<Clock, Error> {
        self.observe(now)?;
        self.links_first(now)?;
        self.launch_in(&self.machine, now, left, 0..self.ranged())
    }

    /// The same in a queue of the machine, where kernels do ranges for this one only, of planes or blocks.
    pub(super) fn launch_in(
        &self,
        machine: &M,
        now: Clock,
        left: u64,
        range: Range<usize>,
    ) -> Result<Clock, Error> {
        self.owes_fields.set(true);
        let (mut bindings, next) = self.copies_before(now);
        bindings.number(Resource::RangeBegin, range.start).number(Resource::RangeEnd, range.end);
        let size = self.setup.domain().size;
        let (steps, kernels) = self.step.of_phase(self.phase_of(now.step), left);
        for kernel in kernels {
            if !matches!(kernel.0.threads.grid, Grid::Portions(_)) {
                launch(machine, kernel, &self.facts, size, &bindings)?;
                continue;
            }
            for planes in self.facts.drift(size).portions(now.step as i64) {
                bindings.number(Resource::Begin, planes.start).number(Resource::End, planes.end);
                launch(machine, kernel, &self.facts, size, &bindings)?;
            }
        }
        Ok(Clock { step: now.step + steps, copy: next })
    }

    /// What the kernels of a step are handed that reads the copy of this time, and the copy that it writes.
    pub(super) fn copies_before(&self, now: Clock) -> (Bindings<'_>, usize) {
        let next = (now.copy + 1) % self.facts.copies;
        let [source, target] = [now.copy, next].map(|copy| self.copies[copy].address());
        let mut bindings = self.bindings(now);
        bindings.array(Resource::Source, source).array(Resource::Target, target);
        (bindings, next)
    }

    /// Brings what rules read of other nodes, and in time, to their values, as it is before a step.
    pub(super) fn observe(&self, now: Clock) -> Result<(), Error> {
        for (of, &count) in self.arrays.varying.iter().enumerate().filter(|(_, count)| **count > 0) {
            self.access(&format!("vary_{of}"), self.bindings(now).number(Resource::Count, count))?;
        }
        if self.arrays.varying != [0; 2] {
            self.access("tick", self.bindings(now).number(Resource::Count, 1))?;
        }
        for (of, &count) in self.arrays.observed.iter().enumerate().filter(|(_, count)| **count > 0) {
            let mut bindings = self.bindings(now);
            bindings.number(Resource::Phase, self.phase_of(now.step)).number(Resource::Count, count);
            self.access(&format!("observe_{of}"), &bindings)?;
        }
        Ok(())
    }

    /// Has rules of links that go first do what they do before a step.
    fn links_first(&self, now: Clock) -> Result<(), Error> {
        match self.arrays.ruled.len() {
            0 => Ok(()),
            count => {
                let name = format!("links_{}", self.phase_of(now.step));
                self.access(&name, self.bindings(now).number(Resource::Count, count))
            }
        }
    }

    /// Where each slot began before a step, then where each begins in it, as the kernels' `Origins`.
    pub(super) fn origins(&self, step: u64) -> Vec<u8> {
        let (facts, size) = (&self.facts, self.setup.domain().size);
        let places = facts.places(size, ROW_MULTIPLE, STREAM_SLACK);
        let of = |step: i64| {
            let mut origins = facts.origins(step, &places, size);
            // All slots of a copy that drifts begin at the same place.
            origins.truncate(facts.rings.count);
            origins
        };
        let both = [of(step as i64 - 1), of(step as i64)];
        let both: Vec<u32> = both.into_iter().flatten().map(|origin| origin as u32).collect();
        bytes_of(&both).to_owned()
    }

    /// After so many steps the launches repeat.
    fn cycle(&self) -> u64 {
        let facts = &self.facts;
        let (copies, period) = ((facts.copies * self.plan.shape.steps()) as u64, facts.period as u64);
        (1..=copies * period).find(|n| n.is_multiple_of(copies) && n.is_multiple_of(period)).unwrap_or(1)
    }

    /// The phase in which step `step` is read.
    pub(super) fn phase_of(&self, step: u64) -> usize {
        (step % self.facts.period as u64) as usize
    }

    /// Steps of a recording: whole cycles.
    fn recorded(&self) -> u64 {
        RECORDED_STEPS.next_multiple_of(self.cycle())
    }

    /// Makes the recording, if a run of so many steps needs it.
    pub(super) fn prepare(&mut self, steps: u64) -> Result<(), Error> {
        // Rings stand differently in each step, and a recording holds its arguments.
        let wanted = !self.step.needs(Resource::Origins) && steps >= self.recorded() + self.cycle();
        if self.motion.recording.is_none() && wanted {
            let recording = self.machine.record(&mut || {
                let mut clock = Clock::default();
                while clock.step < self.recorded() {
                    clock = self.launch(clock, self.recorded() - clock.step)?;
                }
                Ok(())
            })?;
            self.motion.recording = recording;
        }
        Ok(())
    }

    /// Launches steps from `now` on, and gives what is reached.
    pub(super) fn advance(&self, mut now: Clock, steps: u64) -> Result<Clock, Error> {
        let end = now.step + steps;
        self.arrays.set_clock(now.step)?;
        // Replayed steps leave as little as others.
        self.owes_fields.set(self.owes_fields.get() || steps > 0);
        while now.step < end {
            let starts = now.copy == 0 && self.phase_of(now.step) == 0;
            match &self.motion.recording {
                Some(recording) if starts && end - now.step >= self.recorded() => {
                    // SAFETY: the recording is dropped before the kernels and the memory that it names.
                    unsafe { self.machine.replay(recording)? };
                    now.step += self.recorded();
                }
                _ => now = self.launch(now, end - now.step)?,
            }
        }
        Ok(now)
    }

    /// Begins a run of which steps are asked for some at a time: at most one run is under way, so that progress is what it seems.
    pub(super) fn begin_steps(&mut self) -> Result<(), Error> {
        self.machine.wait()?;
        self.crossing().wait()?;
        self.arrays.set_clock(self.motion.now.step)?;
        self.motion.begun = Some(self.machine.mark()?);
        self.split();
        Ok(())
    }

    /// Launches so many steps behind what was launched so far.
    pub(super) fn some_steps(&mut self, count: u64) -> Result<(), Error> {
        if count == 1 && self.rim_first.is_split() {
            return self.step_rim_first();
        }
        self.after_all_crossed()?;
        let end = self.motion.now.step + count;
        while self.motion.now.step < end {
            self.motion.now = self.launch(self.motion.now, end - self.motion.now.step)?;
        }
        self.before_all_crosses()
    }

    /// Ends such a run.
    pub(super) fn end_steps(&mut self) -> Result<(), Error> {
        self.after_all_crossed()?;
        let Some(begun) = self.motion.begun.take() else { return Ok(()) };
        self.motion.last = Some([begun, self.machine.mark()?]);
        Ok(())
    }

    /// What a note of the fastest shape is for.
    fn shape_key(&self) -> String {
        let (plan, baked) = (&self.plan, self.plan.size.is_some());
        let of_box = match (&plan.listed, &self.positions) {
            (Some(plan), Some(positions)) => format!("{} nodes, {:?}", positions.len(), plan.walls),
            _ if plan.walls => format!("walls {:?} baked {baked}", plan.faces),
            _ => format!("walls false baked {baked}"),
        };
        // Rules cost registers, each as many as it likes.
        let rules = if plan.rules.is_empty() { String::new() } else { format!(" {:?}", plan.rules) };
        let steps = plan.exchange.map_or_else(String::new, |every| format!(" every {every}"));
        format!("shape 9 {} {:?} {of_box}{rules}{steps}", self.facts.name(), self.setup.domain().size)
    }

    /// The shape that was the fastest when it was measured; else all that are worth trying.
    pub(super) fn shapes(&self) -> Vec<Shape> {
        let (facts, size) = (&self.facts, self.setup.domain().size);
        let kept = self.machine.recall(&self.shape_key()).and_then(|note| note.parse::<Shape>().ok());
        if let Some(shape) = kept.filter(|shape| shape.fits(facts, size)) {
            return vec![shape];
        }
        let shapes = self.worth_trying();
        if shapes.is_empty() { vec![Shape::PLAIN] } else { shapes }
    }

    /// The shapes that are worth trying, the likeliest first.
    fn worth_trying(&self) -> Vec<Shape> {
        let (facts, size) = (&self.facts, self.setup.domain().size);
        let between = Between::of(!self.plan.rules.is_empty(), self.setup.exchange_every());
        let mut shapes = Shape::candidates_for(facts, size, between);
        shapes.retain(|shape| shape.has_room(facts, self.plan.walls, room(&self.machine)));
        shapes
    }

    /// Goes on in the shape of another part of the box, if it is one that is worth trying here.
    pub(super) fn take_shape(&mut self, text: &str) -> Result<(), Error> {
        let Ok(shape) = text.parse::<Shape>() else { return Ok(()) };
        if shape == self.plan.shape || !self.worth_trying().contains(&shape) {
            return Ok(());
        }
        let built = Built::new(&self.machine, self.program(shape)?)?;
        self.go_on_with(shape, built)?;
        self.have_another_queue()
    }

    /// Goes on with the fastest of these shapes, of several the one that is measured to be it: those that are about as fast are measured once more, longer and in turns.
    pub(super) fn tune(&mut self, mut candidates: Vec<(Shape, Built<M>)>) -> Result<(), Error> {
        let (mut at, several) = (None, candidates.len() > 1);
        let mut seconds = Vec::new();
        for n in 0..candidates.len() {
            self.try_out(&mut candidates, &mut at, n)?;
            seconds.push(if several { self.seconds_a_step(MEASURED_SECONDS)? } else { 0.0 });
        }
        if !several {
            return Ok(());
        }
        let mut order: Vec<usize> = (0..seconds.len()).collect();
        order.sort_by(|&one, &other| seconds[one].total_cmp(&seconds[other]));
        let bound = ABOUT_AS_FAST * seconds[order[0]];
        let near = order.iter().take(MEASURED_AGAIN).take_while(|&&n| seconds[n] <= bound);
        let mut best = (f64::INFINITY, order[0]);
        let turns = if near.clone().count() > 1 { 2 } else { 0 };
        for &n in std::iter::repeat_n(near, turns).flatten() {
            self.try_out(&mut candidates, &mut at, n)?;
            let again = self.seconds_a_step(3.0 * MEASURED_SECONDS)?;
            best = if again < best.0 { (again, n) } else { best };
        }
        self.try_out(&mut candidates, &mut at, best.1)?;
        self.machine.remember(&self.shape_key(), &candidates[best.1].0.to_string());
        // Moving walls and forces have set the fluid in motion meanwhile.
        self.set_repeated([1; 3], &vec![0.0; self.facts.lattice.q()], 0)
    }

    /// Goes on with one of these shapes, in the place of the one that it went on with.
    fn try_out(
        &mut self,
        candidates: &mut [(Shape, Built<M>)],
        at: &mut Option<usize>,
        n: usize,
    ) -> Result<(), Error> {
        if *at == Some(n) {
            return Ok(());
        }
        let built = std::mem::replace(&mut candidates[n].1, Built::nothing());
        let before = self.go_on_with(candidates[n].0, built)?;
        if let Some(last) = at.replace(n) {
            candidates[last].1 = before;
        }
        Ok(())
    }

    /// How long a step takes in the present shape, measured for about so many seconds.
    fn seconds_a_step(&mut self, measured: f64) -> Result<f64, Error> {
        let once = self.timed(2)?.max(1e-7);
        // Whole cycles: a step that is left over is done by itself, and slower.
        let steps = ((measured / once) as u64).clamp(2, 200).next_multiple_of(self.cycle());
        Ok(self.timed(steps)?.min(self.timed(steps)?) / steps as f64)
    }
}
