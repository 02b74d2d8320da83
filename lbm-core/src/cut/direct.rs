//! What crosses without the host.

use std::any::Any;
use std::sync::Arc;

use crate::error::Error;

/// Where engines of one kind find what leaves another one by a list. Only they know what it is.
pub type Outlet = Arc<dyn Any + Send + Sync>;

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
    /// Begins steps one by one.
    fn begin(&mut self) -> Result<(), Error>;
    /// Does a step.
    fn step(&mut self) -> Result<(), Error>;
    /// Ends them, so that all so far is waited for.
    fn end(&mut self) -> Result<(), Error>;
}
