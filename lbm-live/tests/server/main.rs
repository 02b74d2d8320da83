//! The server with a toy in place of a flow.

mod access;
mod checkpoints;
mod client;
mod faults;
mod flood;
mod frames;
mod hostile;
mod recording;
mod steering;
#[path = "../toy/mod.rs"]
mod toy;
mod viewers;
