//! The force on what stands in a box, asked for after every step that is timed.

use std::sync::Arc;
use std::time::Instant;

use lbm_core::engine::Setup;
use lbm_core::forces::{Contact, forces_on};
use lbm_core::incoming::Incoming;
use lbm_core::{Engine, Error, Face, Facts};

use super::turns::seconds;

/// A body that is asked about between steps.
pub(super) struct Pushed {
    incoming: Incoming,
    contact: Arc<Contact>,
    about: [f64; 3],
}

impl Pushed {
    /// All solid nodes of a box.
    ///
    /// # Errors
    /// [`Error::Conflict`] for a box without.
    pub(super) fn of(facts: &Facts, setup: &Setup) -> Result<Pushed, Error> {
        let incoming = Incoming::of(facts, setup)?;
        let solids = Face::ALL.len()..setup.domain().walls().len();
        let contact = Arc::new(Contact::of(&incoming, setup, &solids));
        if contact.links() == 0 {
            return Err(Error::conflict(
                "--forces for a box in which nothing stands",
                "add `--flow sphere` or `--flow spheres`",
            ));
        }
        let about = setup.domain().size.map(|length| length as f64 / 2.0);
        Ok(Pushed { incoming, contact, about })
    }
}

/// Seconds that steps take; with a body by the wall clock, each step followed by the force on it.
pub(super) fn timed(engine: &mut dyn Engine, pushed: Option<&mut Pushed>, steps: u64) -> Result<f64, Error> {
    let Some(Pushed { incoming, contact, about }) = pushed else { return seconds(engine, steps) };
    let start = Instant::now();
    for _ in 0..steps {
        engine.run(1)?;
        forces_on(engine, incoming, contact, *about)?;
    }
    Ok(start.elapsed().as_secs_f64())
}
