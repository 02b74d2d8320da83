//! What flows between two plates share: walls across the last axis, a viscosity, and when the velocity is steady.

use lbm_core::{Error, FaceRule};

use super::case::{Defaults, Flow, Steady, variant};
use super::setting::shared;
use super::settings::Settings;
use crate::simulation::{Problem, Viscosity};

/// What the tolerance is for where the greatest speed is `velocity`.
pub(super) const OF_THE_GREATEST: &str = "steady when no velocity changes by more than this share of the greatest in a \
                                          hundredth of the viscous time H^2 / nu";

/// The defaults of cases with this collision; `steady` is what the tolerance is for.
pub(super) const fn defaults(collision: &'static str, steady: &'static str) -> Defaults {
    Defaults {
        collision,
        precision: "f64",
        storage: shared::STORAGE,
        steps: 2_000_000,
        tolerance: Some(shared::tolerance(1e-13, steady)),
        checkpoint: 20_000,
        film: 0,
    }
}

/// A box of equal sides, periodic but along its last axis, where walls move with these velocities.
pub(super) fn problem(settings: &Settings, dimension: usize, walls: [[f64; 3]; 2]) -> Problem {
    let mut problem = Problem {
        size: Some(vec![settings.size(); dimension].into()),
        viscosity: Some(Viscosity::Value(settings.real("viscosity"))),
        ..Problem::default()
    };
    let [low, high] = walls.map(|velocity| FaceRule::Wall { velocity });
    problem.faces[2 * dimension - 2..2 * dimension].copy_from_slice(&[low, high]);
    problem
}

/// The flow, computed by a variant of this lattice, looked at every hundredth of its viscous time.
pub(super) fn flow(
    settings: &Settings,
    title: String,
    lattice: &str,
    problem: Problem,
) -> Result<Flow, Error> {
    let height = settings.size();
    let interval = ((height * height) as f64 / (100.0 * settings.real("viscosity"))).ceil() as u64;
    Ok(Flow {
        title,
        variant: variant(lattice, problem.force.is_some(), settings)?,
        problem,
        notes: Vec::new(),
        reference_length: height as f64,
        steady: Some(Steady::everywhere(interval, settings)),
        table: None,
    })
}
