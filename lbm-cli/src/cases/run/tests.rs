//! The time of a run on an engine that does its steps later.

use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lbm_core::Engine;
use lbm_core::engine::Setup;
use lbm_core::pieces::{Give, Take};

use super::*;
use crate::cases::find;
use lbm::prelude::*;

lbm::solver! { Any { lattice: D2Q9, collision: Bgk, precision: F64 } }

/// What a step takes.
const STEP: Duration = Duration::from_millis(4);

/// A device that does nothing, but takes its time for it. `run` returns at once.
struct Later {
    nodes: usize,
    step: u64,
    /// When the last run began, and when it will be done.
    last: [Instant; 2],
    /// Steps of each run.
    runs: Arc<Mutex<Vec<u64>>>,
}

impl Later {
    fn wait(&self) {
        std::thread::sleep(self.last[1].saturating_duration_since(Instant::now()));
    }
}

impl Engine for Later {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.wait();
        let start = Instant::now();
        self.last = [start, start + STEP * steps as u32];
        self.step += steps;
        self.runs.lock().unwrap().push(steps);
        Ok(())
    }

    fn finish(&self) -> Result<Option<f64>, Error> {
        self.wait();
        Ok(Some((self.last[1] - self.last[0]).as_secs_f64()))
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.wait();
        take(nodes.clone(), &vec![0.0; 9 * nodes.len()])
    }

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn set_populations_from(&mut self, _give: Give<'_>, step: u64) -> Result<(), Error> {
        self.step = step;
        Ok(())
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn allocated_bytes(&self) -> usize {
        0
    }

    fn description(&self) -> String {
        "later".to_owned()
    }
}

/// Takes longer to write a frame than the steps take that run beside it.
struct Slow;

impl Observer for Slow {
    fn progress(&mut self, _progress: &Progress) {}

    fn frame(&mut self, _state: StartedState) -> Result<(), Error> {
        std::thread::sleep(30 * STEP);
        Ok(())
    }
}

/// A run on an engine that does its steps later: what came out, the steps of each call, and seconds on the wall.
fn timed(pairs: &[&str]) -> (Outcome, Vec<u64>, f64) {
    let case = find("couette2d").unwrap();
    let mut settings = Settings::of(case);
    for pair in [&["size=16", "threads=1"], pairs].concat() {
        settings.set_pair(pair).unwrap();
    }
    let mut run = Run::new(case, settings).unwrap();
    let runs = Arc::default();
    let size = run.simulation.size();
    let nodes = size.iter().product();
    let later = |_: &Setup| {
        let runs = Arc::clone(&runs);
        Ok(Box::new(Later { nodes, step: 0, last: [Instant::now(); 2], runs }) as Box<dyn Engine>)
    };
    run.steady = None;
    run.simulation = Any::builder().size(size).viscosity(0.1).build_on(later).unwrap();
    let start = Instant::now();
    let outcome = run.run(&mut Slow).unwrap();
    let wall = start.elapsed().as_secs_f64();
    let runs = runs.lock().unwrap().clone();
    (outcome, runs, wall)
}

#[test]
fn the_time_of_steps_is_that_until_they_are_done() {
    let (outcome, runs, wall) = timed(&["steps=100"]);
    let least = 99.9 * STEP.as_secs_f64();
    assert!(outcome.seconds >= least && outcome.seconds <= wall, "{} s of {wall} s", outcome.seconds);
    let nodes: usize = outcome.state.size.iter().product();
    let mlups = 100.0 * nodes as f64 / outcome.seconds * 1e-6;
    assert!((outcome.progress.mlups / mlups - 1.0).abs() < 1e-9);
    // A tenth of a second each, though the call that asks for them returns at once.
    assert!(runs.iter().all(|&steps| steps <= 25), "{runs:?}");
}

#[test]
fn a_frame_that_is_written_meanwhile_takes_no_time_of_steps() {
    let (outcome, _, wall) = timed(&["steps=20", "output=5"]);
    let took = 20.0 * STEP.as_secs_f64();
    assert!((outcome.seconds / took - 1.0).abs() < 0.5, "{} s", outcome.seconds);
    assert!(wall > 2.0 * took, "frames are slow: {wall} s");
    // Each of the first four takes 30 steps' time beside 5; the last one comes after the steps.
    let [steps, files, after] =
        [Phase::Steps, Phase::Files, Phase::After].map(|phase| outcome.phases.at_end().seconds(phase));
    assert!((steps / outcome.seconds - 1.0).abs() < 1e-9, "{steps} s");
    assert!(files > 0.9 * took && after >= 0.9 * 30.0 * STEP.as_secs_f64(), "{files} s, {after} s");
}
