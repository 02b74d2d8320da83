//! `lbm validate`: the physics, against exact solutions and published data.
//!
//! A [`Check`] runs flows and gives a [`Row`] for each thing that it measured, beside the reference, the tolerance and
//! the source of the reference. All runs in f64 unless the row's variant says otherwise.
//!
//! ```
//! use lbm_cli::validate::{Event, Options, selected};
//!
//! # fn main() -> Result<(), lbm::core::Error> {
//! let options = Options { quick: true, ..Options::default() };
//! for check in selected(&["couette".to_owned()], options.quick)? {
//!     let rows = check.run(&options, |event| {
//!         if let Event::Row(row) = event {
//!             println!("{row}");
//!         }
//!     })?;
//!     assert!(rows.iter().all(|row| row.passed()));
//! }
//! # Ok(())
//! # }
//! ```

mod bits;
mod cavity;
mod cavity3d;
mod channels;
mod couette;
mod driven;
mod force;
mod mass;
mod poiseuille;
mod precision;
mod row;
mod shear;
mod sphere_arrays;
mod sphere_drag;
mod taylor_green;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use lbm_core::Error;
use lbm_cpu::CpuOptions;

use crate::simulation::Placement;
pub use row::{Criterion, Row};

/// How the checks run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the reduced form runs, for continuous integration: one coarser cavity instead of the fine ones, the coarsest
    /// grid of the arrays of spheres, fewer steps in each precision, all else in full.
    pub quick: bool,
    /// Where checks that draw something leave their tables and pictures; nowhere if none.
    pub out: Option<PathBuf>,
    /// Where and how the flows run: backend, threads, SIMD level, stores. No result depends on them; the check `bits` chooses its own.
    pub placement: Placement,
}

impl Options {
    /// The options for a box so small that sharing it costs more than it saves: one thread unless told otherwise.
    fn small_box(&self) -> Placement {
        let cpu = CpuOptions { threads: self.placement.cpu.threads.or(Some(1)), ..self.placement.cpu };
        Placement { cpu, ..self.placement }
    }
}

/// What is heard of a check while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// What it does now, in a line; some times a second at most.
    Progress(String),
    /// A row is there.
    Row(Row),
    /// A table or a picture was written here.
    Written(PathBuf),
}

/// When a check belongs to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Always.
    Both,
    /// Unless the reduced form is asked for.
    Full,
    /// Only if the reduced form is asked for.
    Quick,
    /// In the reduced form; in full only if it is asked for by name.
    Named,
}

/// Runs flows and tells what happens.
type RunCheck = fn(&Options, &mut dyn FnMut(Event)) -> Result<(), Error>;

/// One check.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name, e.g. `couette`. The names of its rows start with it.
    pub name: &'static str,
    /// What it shows, in one line.
    pub about: &'static str,
    /// Where its references come from.
    pub source: &'static str,
    form: Form,
    run: RunCheck,
}

impl Check {
    /// Runs the check. `heard` is told of each row as soon as it is there; all rows are returned.
    ///
    /// # Errors
    /// If a flow cannot be built or run; a measurement that fails is a row, no error.
    pub fn run(&self, options: &Options, mut heard: impl FnMut(Event)) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        (self.run)(options, &mut |mut event| {
            if let Event::Row(row) = &mut event {
                row.device = options.placement.backend.to_string();
                rows.push(row.clone());
            }
            heard(event);
        })?;
        Ok(rows)
    }

    /// Whether the check belongs to this form where nothing is asked for by name.
    fn belongs_to(&self, quick: bool) -> bool {
        match self.form {
            Form::Both => true,
            Form::Full => !quick,
            Form::Quick | Form::Named => quick,
        }
    }
}

/// All checks of both forms, the cheap ones first.
#[must_use]
pub fn checks() -> &'static [Check] {
    &[
        Check {
            name: "couette",
            about: "plane Couette flow is linear, its stress constant",
            source: couette::SOURCE,
            form: Form::Both,
            run: couette::run,
        },
        Check {
            name: "shear3d",
            about: "plates that slide in opposite directions in 3D: the transient, and the straight line in the end",
            source: shear::SOURCE,
            form: Form::Both,
            run: shear::run,
        },
        Check {
            name: "poiseuille",
            about: "plane Poiseuille flow: exact with TRT 3/16, second order with BGK",
            source: poiseuille::SOURCE,
            form: Form::Both,
            run: poiseuille::run,
        },
        Check {
            name: "force",
            about: "a force adds its momentum in every step, in every collision",
            source: force::SOURCE,
            form: Form::Both,
            run: force::run,
        },
        Check {
            name: "mass",
            about: "mass is conserved in closed boxes with moving lids and obstacles",
            source: mass::SOURCE,
            form: Form::Both,
            run: mass::run,
        },
        Check {
            name: "bits",
            about: "the same bits for 1 and 2 threads, every SIMD level and kind of store, and the plain reference",
            source: bits::SOURCE,
            form: Form::Both,
            run: bits::run,
        },
        Check {
            name: "channels",
            about: "plane and round channels between solid nodes in every addressing: exact, of first order, with the same bits",
            source: channels::SOURCE,
            form: Form::Both,
            run: channels::run,
        },
        Check {
            name: "taylor-green",
            about: "Taylor-Green vortices: second order, and the viscosity that was set",
            source: taylor_green::SOURCE,
            form: Form::Both,
            run: taylor_green::run,
        },
        Check {
            name: "sphere-arrays",
            about: "permeability of cubic arrays of spheres on three grids (one in the reduced form), in every addressing",
            source: sphere_arrays::SOURCE,
            form: Form::Both,
            run: sphere_arrays::run,
        },
        Check {
            name: "cavity-quick",
            about: "lid-driven cavity at Re 100 on 96 x 96 nodes",
            source: cavity::SOURCE,
            form: Form::Quick,
            run: cavity::quick,
        },
        Check {
            name: "precision",
            about: "f32 and 16-bit storage beside f64, in three flows over 100000 steps (2000 in the reduced form)",
            source: precision::SOURCE,
            form: Form::Named,
            run: precision::run,
        },
        Check {
            name: "cavity3d",
            about: "lid-driven cube at Re 100 on 36 x 36 x 36 nodes",
            source: cavity3d::SOURCE,
            form: Form::Full,
            run: cavity3d::run,
        },
        Check {
            name: "cavity-re100",
            about: "lid-driven cavity at Re 100 on 256 x 256 nodes",
            source: cavity::SOURCE,
            form: Form::Full,
            run: |options, heard| cavity::run(100, options, heard),
        },
        Check {
            name: "cavity-re400",
            about: "lid-driven cavity at Re 400 on 256 x 256 nodes",
            source: cavity::SOURCE,
            form: Form::Full,
            run: |options, heard| cavity::run(400, options, heard),
        },
        Check {
            name: "cavity-re1000",
            about: "lid-driven cavity at Re 1000 on 256 x 256 nodes",
            source: cavity::SOURCE,
            form: Form::Full,
            run: |options, heard| cavity::run(1000, options, heard),
        },
        Check {
            name: "cavity-spectral",
            about: "lid-driven cavity at Re 1000 on 256 x 256 nodes, against the spectral solution",
            source: cavity::SPECTRAL_SOURCE,
            form: Form::Full,
            run: cavity::spectral,
        },
    ]
}

/// The checks of this form that are meant by `names`, or all of it if there are none (in full without `precision`). A name means the check that is
/// called so, or else all whose names contain it (`cavity` means every cavity).
///
/// # Errors
/// [`Error::Unknown`], with the nearest name, for a name that means no check of this form.
pub fn selected(names: &[String], quick: bool) -> Result<Vec<&'static Check>, Error> {
    let may_be_named = |check: &&Check| check.form == Form::Named || check.belongs_to(quick);
    let table: Vec<_> = checks().iter().filter(may_be_named).collect();
    let meant = |name: &str, check: &Check| match table.iter().any(|other| other.name == name) {
        true => check.name == name,
        false => !name.is_empty() && check.name.contains(name),
    };
    for name in names {
        if !table.iter().any(|check| meant(name, check)) {
            let known = table.iter().map(|check| check.name);
            let listed = known.clone().collect::<Vec<_>>().join(", ");
            // What several have in common may be meant as well.
            let known = known.chain(["cavity"]);
            let form = if quick { "the checks with --quick are" } else { "the checks are" };
            return Err(Error::unknown("check", name, known, format!("{form}: {listed}")));
        }
    }
    let wanted = |check: &&Check| match names {
        [] => check.belongs_to(quick),
        names => names.iter().any(|name| meant(name, check)),
    };
    Ok(table.iter().copied().filter(wanted).collect())
}

/// The largest absolute value; NaN if there is one.
fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    // f64::max would drop a NaN.
    let larger = |most: f64, value: f64| if most >= value || most.is_nan() { most } else { value };
    values.into_iter().map(f64::abs).fold(0.0, larger)
}

/// The lowest value; NaN if there is one.
fn lowest(values: impl IntoIterator<Item = f64>) -> f64 {
    // f64::min would drop a NaN.
    let lower = |least: f64, value: f64| if value >= least || least.is_nan() { least } else { value };
    values.into_iter().fold(f64::INFINITY, lower)
}
