//! What cases measure of their flows, for checks with references of their own.

use lbm_core::Error;

use super::Event;
use super::cavity::Watching;
use crate::cases::{self, Measure, Run, Settings};
use crate::simulation::Placement;

/// A case's flow in the end.
pub(super) struct Measured {
    /// The variant that ran.
    pub(super) variant: String,
    measures: Vec<Measure>,
}

impl Measured {
    /// Runs a case with these settings; who looks on is shown the name.
    pub(super) fn of(
        case: &str,
        settings: &str,
        name: String,
        placement: Placement,
        heard: &mut dyn FnMut(Event),
    ) -> Result<Measured, Error> {
        let case = cases::find(case)?;
        let settings = Settings::with(case, settings)?;
        let mut flow = case.flow_of(&settings)?;
        flow.problem.placement = placement;
        let mut run = Run::of(case, settings, flow)?;
        let tolerance = run.steady.map(|steady| steady.tolerance);
        let outcome = run.run(&mut Watching { name, tolerance, heard: &mut *heard })?;
        Ok(Measured { variant: run.simulation.variant(), measures: outcome.evaluation.measures })
    }

    fn measure(&self, begins: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.name.starts_with(begins))
    }

    /// The number of which the name begins so; without one no check passes.
    pub(super) fn value(&self, begins: &str) -> f64 {
        self.measure(begins).map_or(f64::NAN, |measure| measure.measured)
    }

    /// Where that is from.
    pub(super) fn source(&self, begins: &str) -> &'static str {
        self.measure(begins).map_or("", |measure| measure.source)
    }

    /// What the case knows of it, from elsewhere.
    pub(super) fn reference(&self, begins: &str) -> f64 {
        self.measure(begins).and_then(|measure| measure.reference).unwrap_or(f64::NAN)
    }
}
