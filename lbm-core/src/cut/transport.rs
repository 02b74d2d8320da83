//! What brings bytes from process to process.

use crate::error::Error;

/// The processes that share a flow, seen from one of them. All of them call the same methods in the same order.
pub trait Transport: Send + Sync {
    /// The number of this process, from 0 on.
    fn rank(&self) -> usize;
    /// How many there are.
    fn ranks(&self) -> usize;
    /// Sends bytes to other ranks, and fills others with what comes from them. Messages between two ranks keep their order, and both know their lengths.
    ///
    /// # Errors
    /// [`Error::Unavailable`] where a link or a rank fails.
    fn exchange(&self, leaving: &[(usize, &[u8])], arriving: &mut [(usize, &mut [u8])]) -> Result<(), Error>;
    /// Fills the bytes of all ranks with those of one.
    ///
    /// # Errors
    /// As [`exchange`](Transport::exchange).
    fn share(&self, from: usize, bytes: &mut [u8]) -> Result<(), Error>;
    /// What it is, e.g. `Open MPI 4.1`.
    fn description(&self) -> String;
}

/// A process that has no other: nothing is brought.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn exchange(&self, leaving: &[(usize, &[u8])], arriving: &mut [(usize, &mut [u8])]) -> Result<(), Error> {
        debug_assert!(leaving.is_empty() && arriving.is_empty(), "there is nobody else");
        Ok(())
    }

    fn share(&self, _from: usize, _bytes: &mut [u8]) -> Result<(), Error> {
        Ok(())
    }

    fn description(&self) -> String {
        "one process".to_owned()
    }
}
