//! What a case is, and the list of them.

use lbm_core::{Error, Facts};
use lbm_generator::language::Forcing;

use super::evaluation::Evaluation;
use super::probes::{Row, Table};
use super::setting::{Setting, shared};
use super::settings::Settings;
use super::shown::Shown;
use super::state::State;
use super::{
    backstep2d, body, capillary_rise, cavity, cavity_heated, couette2d, cylinder2d, droplet, duct, emulsion,
    impact, node_field, poiseuille2d, porous, rayleigh_benard, rayleigh_taylor, rising_bubble, shear3d,
    sphere, spinodal, taylor_green2d, vessel, windtunnel2d, womersley,
};
use crate::simulation::{Backend, Problem};
use crate::variants::{self, Axis, Entry};

/// A case: a flow of the literature with its settings, its convergence criterion and what its result is compared with.
pub struct Case {
    /// Its name on the command line, e.g. `cavity2d`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// The lattices of its flows, each with a body force or without; none: those of any.
    pub bodies: &'static [(&'static str, bool)],
    /// The settings that are its own. One is the reference velocity, `velocity`.
    pub own: &'static [Setting],
    /// The defaults of those that all cases have.
    pub defaults: Defaults,
    /// The flow that the settings describe. Values out of range across settings (a Reynolds number too high for the
    /// size) are found when the flow is built.
    pub flow: fn(&Settings) -> Result<Flow, Error>,
    /// What pictures show.
    pub shown: Shown,
    /// Profiles and comparisons of the last state, and of what was measured while the flow ran (the rows of [`Flow::table`]), with what is known of the flow.
    pub evaluate: fn(&Settings, &State, &[Row]) -> Evaluation,
}

/// The defaults of settings that all cases have.
pub struct Defaults {
    /// The collision operator.
    pub collision: &'static str,
    /// The type of populations and arithmetic.
    pub precision: &'static str,
    /// Where populations lie, as the user may choose it: layout and addressing.
    pub storage: &'static [Setting],
    /// Steps at the latest.
    pub steps: u64,
    /// The convergence criterion, if the flow has a steady state.
    pub tolerance: Option<Setting>,
    /// Steps between checkpoints.
    pub checkpoint: u64,
    /// Steps between frames of a film; 0 makes none.
    pub film: u64,
}

/// A flow ready to be built and run.
pub struct Flow {
    /// What stands above pictures and in the summary, e.g. `cavity2d, Re = 1000`.
    pub title: String,
    /// The variant that computes it.
    pub variant: &'static Entry,
    /// The flow itself. [`Case::flow_of`] adds what all cases take from their settings.
    pub problem: Problem,
    /// What should be known of it before it runs, a line each.
    pub notes: Vec<String>,
    /// The length that belongs to the reference velocity (node spacings).
    pub reference_length: f64,
    /// When the flow is steady, if it gets so.
    pub steady: Option<Steady>,
    /// What the case measures while it runs: the force on a body, or numbers of its own.
    pub(super) table: Option<Table>,
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
    /// Nothing moves differently any more: over `interval` steps no velocity component of any node changes by more than the setting
    /// `tolerance`.
    pub fn everywhere(interval: u64, settings: &Settings) -> Steady {
        Steady { interval, tolerance: settings.tolerance(), watched: Watched::Velocities }
    }
}

/// All cases, in the order in which they are listed.
pub static ALL: [&Case; 24] = [
    &cavity::SQUARE,
    &cavity::CUBE,
    &taylor_green2d::CASE,
    &poiseuille2d::CASE,
    &couette2d::CASE,
    &shear3d::CASE,
    &backstep2d::CASE,
    &cylinder2d::CASE,
    &windtunnel2d::CASE,
    &sphere::CASE,
    &body::CASE,
    &duct::CASE,
    &porous::CASE,
    &vessel::CASE,
    &womersley::CASE,
    &droplet::CASE,
    &impact::CASE,
    &emulsion::CASE,
    &rising_bubble::CASE,
    &rayleigh_taylor::CASE,
    &spinodal::CASE,
    &capillary_rise::CASE,
    &cavity_heated::CASE,
    &rayleigh_benard::CASE,
];

/// The case of a name.
pub fn find(name: &str) -> Result<&'static Case, Error> {
    ALL.into_iter().find(|case| case.name == name).ok_or_else(|| {
        let names = ALL.map(|case| case.name);
        Error::unknown("case", name, names, format!("the cases are: {}", names.join(", ")))
    })
}

impl Case {
    /// All settings: the one table that `--set`, case files and `lbm cases` read.
    pub fn settings(&self) -> Vec<Setting> {
        let Defaults { collision, precision, storage, steps, tolerance, checkpoint, film } = self.defaults;
        let mut table = self.own.to_vec();
        table.extend([
            shared::collision(collision, self.bodies),
            shared::EQUILIBRIUM,
            shared::precision(precision),
        ]);
        table.extend_from_slice(storage);
        table.extend([shared::STREAMING, shared::steps(steps, tolerance.is_some())]);
        table.extend(tolerance);
        table.extend([shared::OUTPUT, shared::SLICES, shared::film(film), shared::checkpoint(checkpoint)]);
        table.extend(shared::PROBES);
        table.extend(shared::SELECTION);
        table.extend(shared::VTK);
        table.extend([shared::THREADS, shared::SIMD]);
        table.extend(shared::PHYSICAL);
        table
    }

    /// The settings of the flow that is shown beside that of these, if one is ([`Beside`](super::shown::Beside)).
    ///
    /// # Errors
    /// As [`Settings::set`].
    pub fn beside(&self, settings: &Settings) -> Result<Option<Settings>, Error> {
        let Some(beside) = self.shown.beside.filter(|beside| settings.real(beside.setting) != beside.value)
        else {
            return Ok(None);
        };
        let mut other = settings.clone();
        other.set(beside.setting, &beside.value.to_string())?;
        Ok(Some(other))
    }

    /// The flow of these settings, where they place it and with their parameters of the collision.
    ///
    /// # Errors
    /// Those of the case; [`Error::Conflict`] for a parameter that the collision has not.
    pub fn flow_of(&self, settings: &Settings) -> Result<Flow, Error> {
        let mut flow = (self.flow)(settings)?;
        flow.problem.placement = settings.placement();
        let known = variants::free_parameters(&flow.variant.facts.body);
        for (name, value) in settings.parameters() {
            if !known.contains(&name) {
                let what = format!("the collision {} has no parameter `{name}`", settings.name("collision"));
                let remedy = match known.is_empty() {
                    true => "it has none; leave the setting out".to_owned(),
                    false => format!("leave the setting out, or set one of {}", known.join(", ")),
                };
                return Err(Error::conflict(what, remedy));
            }
            flow.problem.parameters.push((name.to_owned(), value));
        }
        if settings.has("magic") && known.contains(&"magic") {
            flow.problem.parameters.push(("magic".to_owned(), settings.real("magic")));
        }
        give_fields(&mut flow, settings)?;
        Ok(flow)
    }
}

/// Gives the nodes of a flow the fields that are set.
fn give_fields(flow: &mut Flow, settings: &Settings) -> Result<(), Error> {
    let known = flow.variant.facts.body.fields;
    for (name, text) in settings.node_fields() {
        if known.iter().all(|field| field.name != name) {
            let what = format!("the collision {} has no field `{name}`", settings.name("collision"));
            return Err(Error::conflict(what, with_field(flow.variant.facts.lattice.name, name)));
        }
        let values = node_field::values(name, text, size_of(&flow.problem))?;
        flow.problem.fields.push((name.to_owned(), values));
    }
    Ok(())
}

/// What has a field, where the collision has not.
fn with_field(lattice: &str, name: &str) -> String {
    match variants::operators_with_field(lattice, name).join(", ") {
        none if none.is_empty() => format!("leave it out: no collision of this command has it on {lattice}"),
        some => format!("leave it out, or take --set collision= one of {some}"),
    }
}

/// Nodes of a flow's box, as far as it says.
fn size_of(problem: &Problem) -> [usize; 3] {
    match (&problem.size, &problem.geometry) {
        (Some(size), _) => std::array::from_fn(|axis| size.axes().get(axis).copied().unwrap_or(1)),
        (None, Some(geometry)) => geometry.size(),
        (None, None) => [1; 3],
    }
}

/// The settings that choose a variant, beside `equilibrium`. Where none is set, the layout is that of the table for the addressing.
const AXES: [(&str, Axis); 5] = [
    ("collision", Axis::Collision),
    ("precision", Axis::Precision),
    ("layout", Axis::Layout),
    ("addressing", Axis::Addressing),
    ("streaming", Axis::Streaming),
];

/// The variant of a lattice, with a body force or without, that the settings choose: one of the table, or else put together by name.
///
/// # Errors
/// Those of [`variants::find`]: values that do not go together, or a body that is not compiled in this precision.
pub(super) fn variant(lattice: &str, forced: bool, settings: &Settings) -> Result<&'static Entry, Error> {
    let equilibrium = equilibrium(lattice, forced, settings)?;
    let axes = AXES.map(|(name, axis)| (axis, settings.name(name)));
    let chosen = axes.into_iter().chain([(Axis::Equilibrium, equilibrium)]);
    let chosen: Vec<(Axis, &str)> = chosen.filter(|&(_, value)| value != AUTO).collect();
    let fits = |entry: &&Entry, chosen: &[(Axis, &str)]| {
        chosen.iter().all(|&(axis, value)| entry.axes()[axis as usize] == value)
    };
    let of_flow = || {
        variants::all()
            .iter()
            .filter(|Entry { facts, .. }| (facts.lattice.name, facts.body.forced) == (lattice, forced))
    };
    // A force of the node's own is no choice of the table.
    let field = settings.node_fields().map(|(name, _)| name).find(|name| variants::is_force(name));
    if let Some(entry) = of_flow().find(|entry| field.is_none() && fits(entry, &chosen)) {
        return runs(entry, settings);
    }
    let addressing = settings.name("addressing");
    let of_table = || variants::all().iter().find(|entry| entry.facts.addressing.name == addressing);
    let layout = match settings.name("layout") {
        AUTO => of_table().map_or("soa", |entry| entry.facts.layout.name),
        layout => layout,
    };
    let forcing = match (forced, field.is_some()) {
        (true, true) => {
            let what = "a force is the same at all nodes, and a field has one for each";
            return Err(Error::conflict(what, "leave one of them out; a field may be `1e-6 + ..`"));
        }
        (true, false) => Forcing::Guo,
        (false, true) => Forcing::GuoField,
        (false, false) => Forcing::None,
    };
    let (collision, precision, streaming) =
        (settings.name("collision"), settings.name("precision"), settings.name("streaming"));
    if let Some(name) =
        field.filter(|name| !variants::operators_with_field(lattice, name).contains(&collision))
    {
        let what = format!("`{collision}` has no force of each node on {lattice}");
        return Err(Error::conflict(what, with_field(lattice, name)));
    }
    let collision = variants::collision(lattice, collision, equilibrium, forcing)?;
    let lattice = lattice.to_lowercase();
    let name = format!("{lattice}-{collision}-{precision}-{layout}-{addressing}-{streaming}");
    let set = |axis: &str, name: &str| format!("`--set {axis}={name}`");
    runs(variants::find_or(&name, set)?, settings)
}

/// The equilibrium that the settings choose for the flows of a lattice, with a body force or without.
///
/// # Errors
/// [`Error::Conflict`] for a collision that is not there, or not with that equilibrium.
fn equilibrium(lattice: &str, forced: bool, settings: &Settings) -> Result<&'static str, Error> {
    let (collision, wanted) = (settings.name("collision"), settings.name("equilibrium"));
    let flow = if forced { "with a body force" } else { "without a body force" };
    let of_lattice = [(lattice, forced)];
    let known = variants::equilibria(&of_lattice, collision);
    let Some(&first) = known.first() else {
        let remedy = format!("--set collision= one of {}", variants::operators(&of_lattice).join(", "));
        return Err(Error::conflict(format!("`{collision}` is not there on {lattice} {flow}"), remedy));
    };
    match wanted {
        AUTO => Ok(first),
        wanted if known.contains(&wanted) => Ok(wanted),
        wanted => {
            let what =
                format!("`{collision}` is not there on {lattice} {flow} with the {wanted} equilibrium");
            Err(Error::conflict(what, format!("--set equilibrium={first}, or another collision")))
        }
    }
}

/// The variant itself, if it runs where the settings say.
fn runs(entry: &'static Entry, settings: &Settings) -> Result<&'static Entry, Error> {
    if settings.backend() != Backend::Cpu || entry.is_compiled() {
        return Ok(entry);
    }
    let compiled = entry.compiled_precisions();
    let other = match compiled.is_empty() {
        true => String::new(),
        false => format!(", --set precision= one of {}", compiled.join(", ")),
    };
    let Facts { lattice, body, precision, .. } = &entry.facts;
    let what = match compiled.is_empty() {
        true => {
            format!("{} on {} is not compiled in for the CPU in any precision", body.collision, lattice.name)
        }
        false => format!(
            "{} on {} in {} is not compiled in for the CPU",
            body.collision, lattice.name, precision.name
        ),
    };
    let lines = entry.solver_lines();
    Err(Error::conflict(
        what,
        format!("take --device cuda[:N]{other}, another collision, or a crate of your own with\n\n{lines}"),
    ))
}

/// The value of a setting that leaves the choice to the command.
pub(super) const AUTO: &str = "auto";
