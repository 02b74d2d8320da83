//! From a variant to a running flow: [`Builder`] gathers what the flow is and checks it, [`Simulation`] runs it.
//!
//! Everything is in lattice units: node spacing 1, time step 1, density about 1. Fields are vectors in the order
//! x, y, z (x fastest), one entry a node of the box, at index `x + nx (y + ny z)`.
//!
//! A flow whose variant is only known at run time, as those of the command `lbm`, is described by a `Problem`, which knows no
//! variant.

mod at_faces;
mod averages;
mod backend;
mod bodies;
mod builder;
mod check;
mod control;
mod declared;
mod derived;
mod drive;
mod fields;
mod from_disk;
mod initial;
mod known_box;
mod meeting;
mod memory;
mod names;
mod node_fields;
mod node_forces;
mod patches;
mod plan;
mod probes;
mod problem;
mod processes;
mod product;
mod rate;
mod regions;
mod resumed;
mod rule_values;
mod rules;
mod running;
mod set_up;
mod sets;
mod share;
mod source;
mod started;
mod surfaces;
#[cfg(test)]
mod tests;
mod watched;

pub use averages::Averages;
pub use backend::{Backend, Gpus, Placement};
pub use bodies::Body;
pub use builder::{Builder, Solver};
pub use control::{Controlled, FlowRateController};
pub use derived::{q_criterion, vorticity};
pub use fields::Fields;
#[doc(hidden)]
pub use fields::positions;
pub use initial::Initial;
pub use lbm_core::engine::FieldRequest;
pub use lbm_core::forces::Forces;
pub use memory::{Footprint, footprint};
#[doc(hidden)]
pub use names::check_name;
pub use probes::{PointValue, Points, Section, permeability};
pub use problem::Size;
#[doc(hidden)]
pub use problem::{
    InitialField, NodeValues, Patch, Predicate, Problem, Region, Solid, Surface, SurfacePart, SurfacePatch,
    Viscosity,
};
#[doc(hidden)]
pub use processes::gpu_of_process;
pub use product::Product;
pub use rules::{PlacedRule, WithValues};
pub use running::{Redrawn, Simulation, StartedCheckpoint};
pub use source::Source;
pub use started::StartedFields;
