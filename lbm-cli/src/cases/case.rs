//! What a case is, and the list of them.

use lbm_core::units::UnitConverter;
use lbm_core::{Addressing, Dense, Error};

use super::evaluation::Evaluation;
use super::setting::Setting;
use super::settings::Settings;
use super::state::State;
use crate::simulation::Problem;
use crate::variants;

/// A case: a flow of the literature with its settings, its convergence criterion and what its result is compared with.
pub trait Case: Sync {
    /// Its name on the command line, e.g. `cavity2d`.
    fn name(&self) -> &'static str;
    /// What it is, in one line.
    fn about(&self) -> &'static str;
    /// Its settings: the one table that `--set`, case files and `lbm cases` read.
    fn settings(&self) -> &'static [Setting];
    /// The flow that the settings describe. Values out of range across settings (a Reynolds number too high for the
    /// size) are found when the flow is built.
    ///
    /// # Errors
    /// If settings do not fit together.
    fn flow(&self, settings: &Settings) -> Result<Flow, Error>;
    /// Profiles and comparisons of a state with what is known of the flow.
    fn evaluate(&self, settings: &Settings, state: &State) -> Evaluation;
}

/// A flow ready to be built and run.
pub struct Flow {
    /// What stands above pictures and in the summary, e.g. `cavity2d, Re = 1000`.
    pub title: String,
    /// The name of the variant that computes it.
    pub variant: String,
    /// The flow itself.
    pub problem: Problem,
    /// The speed that results are divided by (lattice units).
    pub reference_velocity: f64,
    /// The length that belongs to it (node spacings).
    pub reference_length: f64,
    /// When to stop.
    pub stop: Stop,
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// After this many steps at the latest.
    pub steps: u64,
    /// When the velocity is steady, if the flow has a steady state.
    pub steady: Option<Steady>,
}

/// The convergence criterion: what is watched is steady to `tolerance`, by looks every `interval` steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Steps between two looks.
    pub interval: u64,
    /// How steady it must be ([`Watched`]).
    pub tolerance: f64,
    /// Of what.
    pub watched: Watched,
}

/// What a convergence criterion watches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Watched {
    /// Every velocity component of every node: none changes by more than the tolerance, as a share of the flow's reference velocity,
    /// from one look to the next. Nodes do not all turn at the same time. What is left is the change times the time in which it falls by
    /// e, in looks; cases that watch velocities have flows for which that is known (ten looks or so) and tolerances that allow for it.
    Velocities,
    /// A number that is proportional to the mean velocity, over all nodes of the box: its distance from where it settles, estimated from how
    /// its changes fall, is no more than the tolerance, as a share of its present value, and stays so for a fifth of all looks, three at
    /// least. Flows through pores and vessels have modes of all speeds, and one number may turn: a small change would say nothing.
    Mean {
        /// What it is, e.g. `permeability`.
        name: &'static str,
        /// The component of the velocity: 0, 1, 2 for x, y, z.
        component: usize,
        /// What the mean is multiplied by.
        factor: f64,
    },
}

impl Steady {
    /// Nothing moves differently any more: over `interval` steps no velocity component of any node changes by more than `tolerance`
    /// times the flow's reference velocity.
    #[must_use]
    pub fn everywhere(interval: u64, tolerance: f64) -> Steady {
        Steady { interval, tolerance, watched: Watched::Velocities }
    }
}

impl Flow {
    /// The converter to SI units, if the settings give physical scales.
    ///
    /// # Errors
    /// [`Error::Missing`] if only one of length and viscosity is given, or as [`UnitConverter`] says.
    pub fn units(
        &self,
        settings: &Settings,
        viscosity: f64,
        cs2: f64,
    ) -> Result<Option<UnitConverter>, Error> {
        let length = settings.real("physical_length");
        let physical_viscosity = settings.real("physical_viscosity");
        match (length > 0.0, physical_viscosity > 0.0) {
            (false, false) => return Ok(None),
            (true, true) => {}
            (set, _) => {
                let missing = if set { "physical_viscosity" } else { "physical_length" };
                return Err(Error::Missing {
                    what: format!("the setting `{missing}`"),
                    remedy: "SI units need both physical_length and physical_viscosity".to_owned(),
                });
            }
        }
        // The viscosity is the same in both systems: nu_SI = nu dx^2 / dt.
        let spacing = length / self.reference_length;
        let time_step = viscosity * spacing * spacing / physical_viscosity;
        let density = settings.real("physical_density");
        UnitConverter::from_spacing_and_time_step(spacing, time_step, density)?.with_cs2(cs2).map(Some)
    }
}

/// All cases, in the order in which they are listed.
pub static ALL: &[&dyn Case] = &[
    &super::cavity2d::Cavity2d,
    &super::cavity3d::Cavity3d,
    &super::taylor_green2d::TaylorGreen2d,
    &super::poiseuille2d::Poiseuille2d,
    &super::couette2d::Couette2d,
    &super::shear3d::Shear3d,
    &super::porous::Porous,
    &super::vessel::VesselFlow,
];

/// The case of a name.
///
/// # Errors
/// [`Error::Unknown`] with the nearest name.
pub fn find(name: &str) -> Result<&'static dyn Case, Error> {
    ALL.iter().copied().find(|case| case.name() == name).ok_or_else(|| {
        let listed = ALL.iter().map(|case| case.name()).collect::<Vec<_>>().join(", ");
        Error::unknown("case", name, ALL.iter().map(|case| case.name()), format!("the cases are: {listed}"))
    })
}

/// The name of a variant: `lattice-collision[-guo]-precision-layout-addressing-streaming`, from the settings.
///
/// # Errors
/// [`Error::Conflict`] where the table of variants has each of the settings, but not together.
pub(super) fn variant_name(lattice: &str, forcing: &str, settings: &Settings) -> Result<String, Error> {
    let [collision, precision, layout, streaming] =
        ["collision", "precision", "layout", "streaming"].map(|name| settings.name(name));
    let start = format!("{lattice}-{collision}{forcing}-{precision}-");
    let name = format!("{start}{layout}-{}-{streaming}", Dense::<usize>::NAME);
    if variants::find(&name).is_ok() {
        return Ok(name);
    }
    let other = variants::all().iter().find(|entry| entry.name.starts_with(&start));
    Err(Error::Conflict {
        what: format!(
            "collision = {collision}, precision = {precision}, layout = {layout} and streaming = {streaming} are each \
             known, but {name} is no built-in variant"
        ),
        remedy: match other {
            Some(other) => format!(
                "take layout = {} with streaming = {}; `lbm variants` lists all that are built in",
                other.layout, other.streaming
            ),
            None => "take one that `lbm variants` lists, or declare your own with `solver!`".to_owned(),
        },
    })
}
