//! What crosses without the host.

use std::any::Any;
use std::sync::Arc;

use crate::error::Error;

/// Where engines of one kind find what leaves another one by a list. Only they know what it is.
pub type Outlet = Arc<dyn Any + Send + Sync>;

/// What engines of several processes are given so that they find each other.
pub type Invitation = [u8; 128];

/// An engine that works beside the host, and from which lists of stored values ([`Engine::set_rims`](crate::Engine::set_rims)) may cross to others of its kind without it.
///
/// None of this waits for what is under way, or is done when it returns: [`Engine::finish`](crate::Engine::finish) waits. What one engine is asked for is done in that
/// order. Between two of them only lists say what comes first: a value leaves before it arrives, and what has not arrived yet is not overwritten.
///
/// # Errors
/// Those of a device.
pub trait Direct {
    /// Where another engine finds what leaves by a list. One takes it.
    ///
    /// # Panics
    /// If the list was not named, here and below.
    fn outlet(&self, number: usize) -> Outlet;
    /// Has what arrives by a list be what leaves there. False, and nothing is changed, if this engine cannot take it from there.
    fn connect(&mut self, number: usize, outlet: &Outlet) -> Result<bool, Error>;
    /// Has the present values of a list leave.
    fn leave(&mut self, number: usize) -> Result<(), Error>;
    /// Has the values arrive that left last where a list is connected.
    fn arrive(&mut self, number: usize) -> Result<(), Error>;
    /// Begins a run of which the steps are asked for some at a time.
    fn begin(&mut self) -> Result<(), Error>;
    /// Does so many steps.
    fn steps(&mut self, count: u64) -> Result<(), Error>;
    /// Ends it, so that all so far is waited for.
    fn end(&mut self) -> Result<(), Error>;
    /// Whether its lists can cross to engines of other processes, too. By default they cannot, and nothing below is called.
    fn may_join(&self) -> bool {
        false
    }
    /// What the engines of all processes are to join with. One is asked.
    fn invitation(&self) -> Result<Invitation, Error> {
        Err(alone())
    }
    /// Joins the engines of the other processes, as that of `rank` among `ranks`. All do so at the same time. Gives what brings their lists, e.g. `NCCL 2.28.3`.
    fn join(&mut self, _invitation: &Invitation, _rank: usize, _ranks: usize) -> Result<String, Error> {
        Err(alone())
    }
    /// Has lists that have left go each to an engine of another rank, and others arrive that leave there, all at the same time.
    fn pass(&mut self, _leaving: &[(usize, usize)], _arriving: &[(usize, usize)]) -> Result<(), Error> {
        Err(alone())
    }
}

fn alone() -> Error {
    Error::conflict("this engine does not join those of other processes", "have lists cross through the host")
}
