//! Where the seconds of a run go.

use std::fmt;
use std::time::Instant;

use serde_json::{Value as Json, json};

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// What comes before the first step: geometry, memory, kernels, the initial state, the first look.
    Before,
    /// Time steps.
    Steps,
    /// Looks at convergence and for numbers that are not finite, and telling what they found.
    Looks,
    /// What steps wait for while frames, slices and checkpoints are copied and written.
    Files,
    /// What comes after the last step: the last state, pictures, tables, what was still to be written.
    After,
}

/// Seconds of each phase since the run was begun. All of its time belongs to one of them.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    since: Instant,
    seconds: [f64; 5],
}

impl Phases {
    /// Begins now.
    pub fn begin() -> Phases {
        Phases { since: Instant::now(), seconds: [0.0; 5] }
    }

    /// Counts the time since this was asked before to a phase, and gives it.
    pub fn count(&mut self, phase: Phase) -> f64 {
        let now = Instant::now();
        let took = now.duration_since(std::mem::replace(&mut self.since, now)).as_secs_f64();
        self.seconds[phase as usize] += took;
        took
    }

    /// The same, but so many seconds of it to another phase.
    pub fn count_both(&mut self, phase: Phase, other: Phase, of_other: f64) {
        let of_other = of_other.min(self.count(phase));
        self.seconds[phase as usize] -= of_other;
        self.seconds[other as usize] += of_other;
    }

    /// The seconds of a phase so far.
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }

    /// The same with all time until now, counted to what comes after the last step.
    #[must_use]
    pub fn at_end(mut self) -> Phases {
        self.count(Phase::After);
        self
    }

    /// What stands in `summary.json`, seconds.
    pub fn to_json(self) -> Json {
        json!({
            "before_first_step": self.seconds(Phase::Before),
            "steps": self.seconds(Phase::Steps),
            "looks": self.seconds(Phase::Looks),
            "files": self.seconds(Phase::Files),
            "after_last_step": self.seconds(Phase::After),
        })
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, steps, looks, files, after] = self.seconds;
        write!(
            f,
            "{before:.1} s before the first step, {steps:.1} s of steps, {looks:.1} s of looks, \
             {files:.1} s waiting for files, {after:.1} s after the last step"
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn all_time_belongs_to_a_phase() {
        let start = Instant::now();
        let mut phases = Phases::begin();
        let pause = || std::thread::sleep(Duration::from_millis(20));
        pause();
        phases.count(Phase::Before);
        pause();
        phases.count_both(Phase::Files, Phase::Steps, 0.015);
        pause();
        let end = phases.at_end();
        let wall = start.elapsed().as_secs_f64();
        assert_eq!((end.seconds(Phase::Steps), end.seconds(Phase::Looks)), (0.015, 0.0));
        assert!(end.seconds(Phase::Before) >= 0.02 && end.seconds(Phase::After) >= 0.02);
        assert!(end.seconds(Phase::Files) >= 0.0049);
        let sum: f64 = end.seconds.iter().sum();
        assert!(sum >= 0.06 && sum <= wall, "{sum} s of {wall} s");
        // No more is counted to another phase than there was.
        phases.count_both(Phase::Files, Phase::Looks, 1000.0);
        assert!(phases.seconds(Phase::Looks) < 1000.0);
    }
}
