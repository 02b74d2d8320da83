//! Flows of the literature, ready to run: what `lbm run` offers and `lbm validate` builds on.
//!
//! A [`Case`] is a table of settings, a flow made from them, a criterion when to stop and a comparison with what is
//! known of the flow. [`Run`] sets one in motion; the command only shows what happens.

mod case;
mod case_file;
mod cavity2d;
mod cavity3d;
mod clock;
mod couette2d;
mod evaluation;
mod files;
mod poiseuille2d;
mod porous;
mod run;
mod setting;
mod settings;
mod settling;
mod shear3d;
mod sparse;
mod state;
mod taylor_green2d;
#[cfg(test)]
mod tests;
mod vessel;
mod watch;

pub use case::{ALL, Case, Flow, Steady, Stop, Watched, find};
pub use case_file::read as read_case_file;
pub use cavity2d::Cavity2d;
pub use cavity3d::Cavity3d;
pub use couette2d::Couette2d;
pub use evaluation::{Evaluation, Measure, Profile, ReferencePoint};
pub use files::Files;
pub use poiseuille2d::Poiseuille2d;
pub use porous::Porous;
pub use run::{Ended, Observer, Outcome, Progress, Run};
pub use setting::{Allowed, Setting, Value, shared};
pub use settings::Settings;
pub use shear3d::{Shear3d, ShearFlow};
pub use state::State;
pub use taylor_green2d::{TaylorGreen, TaylorGreen2d};
pub use vessel::VesselFlow;
pub use watch::Look;
pub(crate) use watch::Watch;
