//! Collisions that read fields of nodes: the same bits everywhere, and flows that are known.

mod bits;
mod physics;
mod setting;
mod time_and_place;
