//! The language of `lbm`: what a lattice, a collision, a precision, a layout and a storage scheme *are*.
//!
//! Every axis of a kernel is a small trait here, and none knows the others (the table of axes stands in
//! `ARCHITECTURE.md`). A [`Variant`] picks one value on each axis; a backend crate turns it into a running
//! [`Engine`]. The symbolic engine that turns a declaration into code is a crate of its own, `lbm-generator`: a user's binary does not have
//! it. What both speak of is in `lbm-base`, and has its names here, too.
//!
//! Units are lattice units everywhere (node spacing 1, time step 1, density about 1) except in [`units`].

pub mod addressing;
pub mod axes;
pub mod checkpoint;
pub mod collision;
pub mod crossings;
pub mod cut;
pub mod derived;
pub mod domain;
pub mod engine;
pub mod error;
pub mod facts;
pub mod file;
pub mod forces;
pub mod geometry;
pub mod incoming;
pub mod index;
pub mod lattice;
pub mod laws;
pub mod layout;
pub mod legal;
pub mod links;
pub mod pieces;
pub mod precision;
pub mod reference;
pub mod rows;
pub mod rules;
pub mod streaming;
pub mod sums;
pub mod units;
pub mod variant;

pub use lbm_base::{elementary, lanes, parallel, range, written};

pub use addressing::{
    Addressing, ConnectivityMatrix, Dense, FluidIndexArray, ListedNodes, Listing, Region, Tiled,
};
pub use collision::{
    AroundFields, Body, Collision, Declared, DeviceHalves, DeviceParts, DeviceText, Functions, NodeField,
    SetMoments, Site, Slices,
};
pub use crossings::{Blocks, Crossing, GhostFace};
pub use domain::{Domain, Face, FaceRule, Upstream};
pub use engine::Engine;
pub use error::Error;
pub use facts::Facts;
pub use geometry::Geometry;
pub use index::{Expression, Index};
pub use lanes::{Lanes, MOST_LANES, Real};
pub use lattice::Lattice;
pub use layout::{Aos, Aosoa, Layout, Soa, TileBest, TilePaper};
pub use links::Links;
pub use precision::{Bf16In32, F16In32, F16In64, F32, F32In64, F64, Fp16cIn32, GradedIn32, Precision};
pub use rules::{Boundary, Rule, RuleClass, RuleFacts, RuleParameter, RuleSet, RuleVisitor};
pub use streaming::{
    Aa, Access, Ccas, EsotericPull, EsotericPush, EsotericTwist, Ghost, Moments, MomentsRing,
    MomentsTwoSteps, Pattern, Streaming, Swap, ThreadSafe, TwoLatticePull, TwoLatticePush,
};
pub use variant::Variant;
pub use written::Written;
