//! An engine that was stopped in the middle of a change, by a device without memory for the longer lists say: what it holds belongs to neither
//! geometry, and every later call says so.

use lbm_core::Error;
use lbm_core::error::DeviceError;

use super::DeviceEngine;
use crate::machine::Machine;

impl<M: Machine> DeviceEngine<M> {
    /// Does what leaves the engine of no use if it fails.
    pub(super) fn wholly(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let done = work(self);
        if let Err(error) = &done {
            self.unfinished = Some(match error {
                Error::Device(lost @ DeviceError::Lost { .. }) => lost.clone(),
                error => DeviceError::Unfinished { device: self.machine.label(), said: error.to_string() },
            });
        }
        done
    }

    /// The engine, if no change of it was left unfinished.
    pub(super) fn whole(&self) -> Result<&Self, Error> {
        self.unfinished.as_ref().map_or(Ok(self), |why| Err(why.clone().into()))
    }

    /// The same, to be changed.
    pub(super) fn whole_mut(&mut self) -> Result<&mut Self, Error> {
        match &self.unfinished {
            Some(why) => Err(why.clone().into()),
            None => Ok(self),
        }
    }
}
