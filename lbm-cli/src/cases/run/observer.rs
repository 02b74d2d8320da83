//! Who is shown what happens during a run.

use std::path::Path;

use lbm_core::Error;

use super::super::probes::Row;
use super::super::state::StartedState;
use crate::simulation::StartedCheckpoint;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Time steps done.
    pub step: u64,
    /// The step at which the run ends at the latest.
    pub last_step: u64,
    /// The step at which the run is expected to end, where that can be estimated from how the flow has settled so far.
    pub expected_step: Option<u64>,
    /// Million updates of fluid nodes a second, of the whole run so far.
    pub mlups: f64,
    /// What the tolerance is for, at the last look: the largest change of a velocity, as a share of the reference velocity, or how far a
    /// number is from where it settles, as a share of it, if that can be estimated ([`Watched`](crate::cases::Watched)).
    pub change: Option<f64>,
}

impl Progress {
    /// `step 1200, 85 MLUPS, change 1.2e-3 (until 1e-5)`, the last where there is a tolerance.
    pub fn words(&self, tolerance: Option<f64>) -> String {
        let mut words = format!("step {}, {:.0} MLUPS", self.step, self.mlups);
        if let Some((change, tolerance)) = self.change.zip(tolerance) {
            words += &format!(", change {change:.1e} (until {tolerance:.0e})");
        }
        words
    }
}

/// What happens during a run is shown to this.
pub trait Observer {
    /// Several times a second.
    fn progress(&mut self, progress: &Progress);
    /// Every `output` steps, and step 0 before the first if there is such an interval. An error ends the run.
    fn frame(&mut self, _state: StartedState) -> Result<(), Error> {
        Ok(())
    }
    /// The plane in the middle across z, every `slices` steps, and step 0 likewise. An error ends the run.
    fn slice(&mut self, _plane: StartedState) -> Result<(), Error> {
        Ok(())
    }
    /// The same plane every `film` steps near the end. An error ends the run.
    fn film(&mut self, _plane: StartedState) -> Result<(), Error> {
        Ok(())
    }
    /// Every `checkpoint` steps, where the engine keeps the state apart while the flow goes on; by default it is written at once. Those that
    /// come later replace it. An error ends the run.
    fn checkpoint(&mut self, path: &Path, state: StartedCheckpoint) -> Result<(), Error> {
        state.write(path)
    }
    /// Waits until all checkpoints are written that it was handed: by default they are.
    fn checkpoints_written(&mut self) -> Result<(), Error> {
        Ok(())
    }
    /// A row of a table of probes, e.g. `forces.csv`, as often as that has one, and of the last step. An error ends the run.
    fn row(&mut self, _file: &str, _row: &Row) -> Result<(), Error> {
        Ok(())
    }
    /// Asked several times a second: whether to end now.
    fn interrupted(&self) -> bool {
        false
    }
}
