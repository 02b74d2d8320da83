//! The time that steps take.

use std::time::Instant;

use lbm_core::Error;

use crate::simulation::Simulation;

/// Seconds between two reports of progress.
const REPORT_INTERVAL: f64 = 0.1;

/// Measures the speed of steps that are done and cuts the run into pieces of about [`REPORT_INTERVAL`].
pub(super) struct Clock {
    fluid_nodes: f64,
    steps: u64,
    seconds: f64,
}

impl Clock {
    pub(super) fn new(fluid_nodes: usize) -> Clock {
        Clock { fluid_nodes: fluid_nodes as f64, steps: 0, seconds: 0.0 }
    }

    /// Runs at most `steps` steps, or as many as take about a tenth of a second, and `beside` while a device does them. They
    /// are done when this returns. That costs a device nothing: a run waits for the one before it in any case.
    pub(super) fn run(
        &mut self,
        simulation: &mut Simulation,
        steps: u64,
        beside: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let steps_in_time = match self.seconds {
            // Processes that share a flow stop for the same things, which their clocks do not know.
            _ if simulation.ranks() > 1 => steps,
            0.0 => 1,
            seconds => (self.steps as f64 / seconds * REPORT_INTERVAL) as u64,
        };
        let piece = steps.min(steps_in_time.max(1));
        let start = Instant::now();
        simulation.run(piece)?;
        let call = start.elapsed().as_secs_f64();
        beside()?;
        // A step that the host does in a device's place takes its time within the call.
        self.seconds += simulation.finish()?.map_or(call, |seconds| seconds.max(call));
        self.steps += piece;
        Ok(())
    }

    /// Seconds that all steps took.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Million updates of fluid nodes a second, of all steps.
    pub(super) fn mlups(&self) -> f64 {
        if self.seconds > 0.0 { self.fluid_nodes * self.steps as f64 / self.seconds * 1e-6 } else { 0.0 }
    }
}
