//! Flows of the literature, ready to run: what `lbm run` offers and `lbm validate` builds on.
//!
//! A [`Case`] is a table of settings, a flow made from them, a criterion when to stop and a comparison with what is
//! known of the flow. [`Run`] sets one in motion; the command only shows what happens.

mod area;
mod backstep2d;
mod beside;
mod body;
mod capillary_rise;
mod case;
mod case_file;
mod cavity;
mod cavity_heated;
mod clock;
mod couette2d;
mod cylinder2d;
mod droplet;
pub(crate) mod drops;
mod duct;
mod emulsion;
mod evaluation;
mod fault;
mod files;
mod heat;
mod impact;
pub(crate) mod interface;
mod node_field;
mod phases;
mod plates;
mod poiseuille2d;
mod porous;
pub mod probes;
mod pushed;
mod rayleigh_benard;
mod rayleigh_taylor;
mod rising_bubble;
mod run;
mod selection;
mod setting;
mod settings;
mod settling;
mod shear3d;
mod shown;
mod sparse;
mod sphere;
mod spinodal;
mod state;
mod stated;
mod taylor_green2d;
#[cfg(test)]
mod tests;
mod tunnel;
mod vessel;
mod watch;
pub(crate) mod windtunnel2d;
pub(crate) mod womersley;
mod writer;

pub use beside::View;
pub use case::{ALL, Case, Steady, Watched, find};
pub use case_file::{located as located_in_case_file, read as read_case_file};
pub use evaluation::{Measure, Profile, largest};
pub use files::Files;
pub use run::{Ended, Observer, Outcome, Progress, Run};
pub use settings::Settings;
pub use shear3d::ShearFlow;
pub(crate) use shown::PHI;
#[cfg(feature = "live")]
pub use shown::{Disc, Drawn};
pub use state::{StartedState, State};
pub use taylor_green2d::TaylorGreen;
pub use watch::Watch;
#[cfg(feature = "live")]
pub use windtunnel2d::SPEED;
