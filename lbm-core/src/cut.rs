//! A box in parts, each an ordinary engine on a box of its own: whose which node is, what crosses between them, and all of them as one engine.
//!
//! A part has more planes beyond each cut than are its own, as many as a step reads. Before a step, what the part reads of the nodes there is brought from
//! the parts whose nodes they are: stored values of single nodes, in their canonical numbers, so that no pattern, layout or addressing knows of it. What
//! the part itself makes of those nodes nobody reads. Where that is done once in several steps, a part has as many times the planes, and does all of these steps
//! but the last beyond its own nodes, too: each reads there what the one before it made. So the bits are those of the box that is not cut ([`laws::product_may_be_cut`](crate::laws::product_may_be_cut)).

mod abreast;
mod agreed;
mod asked;
mod asks;
mod bisection;
mod decomposition;
mod direct;
mod domain;
mod engine;
mod exchange;
mod faces;
mod held;
mod joined;
mod memory;
mod messages;
mod part;
mod parts;
mod planes;
mod rims;
mod threads;
mod transport;
mod whole;

pub(crate) use agreed::compare;
pub use agreed::{checksum, in_any, lists, on_all_ranks, same_box, sums};
pub use decomposition::{Decomposition, OwnBox, rank_of};
pub use direct::{Direct, Invitation, Outlet};
pub use engine::{CutEngine, MakePart};
pub use messages::Message;
pub use part::{Part, Stretch};
pub use parts::parts;
pub use planes::planes_read;
pub use rims::{Rim, Single, read_beyond};
pub use threads::Threads;
pub use transport::{Alone, Transport};
