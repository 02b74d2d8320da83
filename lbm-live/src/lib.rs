//! A flow that is seen and steered in a browser while it runs.
//!
//! This crate has the page, what page and server say to each other, and the server. It knows nothing of lattice Boltzmann: whatever
//! implements [`Flow`] can be shown.
//!
//! ```
//! fn show(flow: impl lbm_live::Flow) -> Result<(), lbm_live::Error> {
//!     let bound = lbm_live::Live::new(flow).record("events.jsonl").bind()?;
//!     println!("open {}", bound.url());
//!     let ended = bound.run()?;
//!     println!("{} steps", ended.steps);
//!     Ok(())
//! }
//! ```
//!
//! # How it works
//!
//! The flow stays on the thread that calls [`Bound::run`]. It runs steps for about 8 ms, then applies what arrived, then runs on; pictures
//! are made thirty times a second, and at once when something is drawn or set, and only while somebody can take one. It never waits for a viewer: pictures are compressed on
//! a second thread and sent from a third, and a slow viewer gets the newest one when it is ready for it. All events are applied between
//! two steps; [`Live::record`] writes them down with their steps, and [`replay`] makes the same calls again.
//!
//! # Who may do what
//!
//! The server listens on the loopback unless another address is given. Everything needs the random token of the printed URL. The first
//! viewer steers; others see the same until they take over; a checkpoint is loaded only with the key that the socket of who steers was
//! given. The names by which the server may be called are those of the loopback, the address that it listens on, and those of
//! [`Live::host`]; pages of other origins are refused.
//!
//! # From another machine
//!
//! Where the flow runs elsewhere, forward a port and open the printed URL here, with the port that was forwarded:
//!
//! ```text
//! ssh -L 8080:127.0.0.1:8080 machine
//! ```
//!
//! The first number is the port here; it may differ from the server's. The connection is encrypted by ssh; the server itself speaks plain
//! HTTP, so another address than the loopback is for networks that are trusted.

mod drive;
mod error;
mod flow;
mod live;
mod page;
mod protocol;
mod publish;
mod record;
mod server;

pub use error::Error;
pub use flow::{About, Fault, Flow, FlowStatus, Mask, Picture, Refusal, Slider, directions_of_slice};
pub use live::{Bound, Ended, Live, Stop};
pub use protocol::{Bits, Event, Region, Shape, View};
pub use record::{Recorded, What, read_events, replay};
