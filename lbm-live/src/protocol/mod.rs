//! What viewers and the server say to each other: typed, bounded, unknown fields refused.
//!
//! A viewer sends JSON texts ([`Message`]); the server sends JSON texts (`answer`) and binary frames (`frame`).

mod aerofoil;
pub(crate) mod answer;
mod bits;
mod event;
pub(crate) mod frame;
mod message;
mod region;
mod shape;
mod view;

pub use bits::Bits;
pub use event::Event;
pub(crate) use message::{LONGEST_MASK, Message, Wish};
pub use region::Region;
pub use shape::Shape;
pub use view::View;

use crate::flow::Refusal;

/// Refuses a number that is not finite or lies out of its range.
fn within(name: &str, value: f64, low: f64, high: f64) -> Result<(), Refusal> {
    // NaN lies in no range.
    if (low..=high).contains(&value) {
        return Ok(());
    }
    Err(Refusal::new(format!("{name} = {value} is out of range: give {low} to {high}")))
}
