//! All checks, and which of them are meant by names.

use lbm_core::Error;

use super::{
    Event, Options, backstep, bits, boundaries, cavity, cavity3d, channels, conduction, couette, curved,
    cylinder, duct, force, heated, mass, mixture, phase_field, poiseuille, precision, rayleigh_benard,
    rheology, shear, shear_layer, sound, sphere, sphere_arrays, taylor_green, taylor_green_3d, two_fluids,
    two_fluids_3d, two_phases, unless_diverged, walls, waves, womersley, zalesak,
};
use crate::variants::{self, Entry};

/// When a check belongs to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Always.
    Both,
    /// Unless the reduced form is asked for.
    Full,
    /// Only if the reduced form is asked for.
    Quick,
    /// In the reduced form; in full only if it is asked for by name.
    Named,
    /// Only if it is asked for by name.
    Asked,
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
    form: Form,
    run: RunCheck,
}

impl Check {
    /// Runs the check. `heard` gets each row as soon as it is there.
    ///
    /// # Errors
    /// If a flow cannot be built or run; a measurement that fails is a row, no error, and so is a flow that diverges.
    pub fn run(&self, options: &Options, mut heard: impl FnMut(Event)) -> Result<(), Error> {
        let mut heard = |mut event| {
            if let Event::Row(row) = &mut event {
                row.device = options.placement.backend.to_string();
            }
            heard(event);
        };
        let outcome = (self.run)(options, &mut heard);
        unless_diverged(self.name, outcome, &mut heard)
    }

    /// Whether the check belongs to this form where nothing is asked for by name.
    fn belongs_to(&self, quick: bool) -> bool {
        match self.form {
            Form::Both => true,
            Form::Full => !quick,
            Form::Quick | Form::Named => quick,
            Form::Asked => false,
        }
    }
}

/// All checks of both forms, the cheap ones first.
pub(super) static CHECKS: [Check; 40] = [
    check("couette", "plane Couette flow is linear, its stress constant", Form::Both, couette::run),
    check(
        "shear3d",
        "plates that slide in opposite directions in 3D: the transient, and the straight line in the end",
        Form::Both,
        shear::run,
    ),
    check(
        "poiseuille",
        "plane Poiseuille flow: exact with TRT 3/16, second order with every other collision on every lattice",
        Form::Both,
        poiseuille::run,
    ),
    check(
        "rheology",
        "power-law and Carreau fluids between plates against their exact profiles and stresses",
        Form::Both,
        rheology::run,
    ),
    check(
        "waves",
        "shear and sound waves through every collision on every lattice: viscosity, in frames that move too, speed and damping of sound",
        Form::Both,
        waves::run,
    ),
    check(
        "natural-convection",
        "natural convection between a warm and a cold wall: Nusselt numbers at Ra 1e4 (in full up to 1e6)",
        Form::Both,
        heated::run,
    ),
    check(
        "rayleigh-benard",
        "convection above a warm plate: the Rayleigh number at which rolls grow, and what heat they take along",
        Form::Both,
        rayleigh_benard::run,
    ),
    check(
        "conduction",
        "layers of different conductivities and heat capacities, at rest and sliding: temperatures where they meet",
        Form::Both,
        conduction::run,
    ),
    check(
        "two-phases",
        "a liquid and its vapour: the densities that are in balance",
        Form::Both,
        two_phases::run,
    ),
    check(
        "two-fluids",
        "two fluids that do not mix: tension, oscillation, layers, angles at walls, drops that meet",
        Form::Both,
        two_fluids::run,
    ),
    check(
        "two-fluids-3d",
        "the same in three dimensions, on a GPU: tension, and the oscillation of drops up to radius 40 in 360^3",
        Form::Asked,
        two_fluids_3d::run,
    ),
    check(
        "mixture",
        "two components that repel each other: the pressure in drops beside the tension of a flat interface",
        Form::Both,
        mixture::run,
    ),
    check("zalesak", "a disc with a slot in a phase field that turns once around", Form::Both, zalesak::run),
    check(
        "phase-field",
        "two incompressible fluids: the pressure in a drop 1000 times as dense, a bubble that rises, a wave that falls",
        Form::Named,
        phase_field::run,
    ),
    check("force", "a force adds its momentum in every step, in every collision", Form::Both, force::run),
    check("mass", "mass is conserved in closed boxes with moving lids and obstacles", Form::Both, mass::run),
    check(
        "boundaries",
        "rules on nodes: channels and a plane of symmetry exact, mass kept from inlet to outlet",
        Form::Both,
        boundaries::run,
    ),
    check(
        "walls",
        "the lid-driven cavity at Re 100 through every formulation of a wall",
        Form::Both,
        walls::run,
    ),
    check(
        "sound",
        "a plane pulse that meets inlets and outlets: what comes back; mean density and velocity held",
        Form::Both,
        sound::run,
    ),
    check(
        "curved",
        "interpolated walls: a round pipe and a channel at an angle of second order, cylinders that rotate",
        Form::Both,
        curved::run,
    ),
    check(
        "backstep",
        "backward-facing step at Re 100 (in full up to 400) with an inlet and an outlet: where the flow reattaches",
        Form::Both,
        backstep::run,
    ),
    check(
        "duct",
        "square duct, driven by a force and by a pressure, against its series",
        Form::Both,
        duct::run,
    ),
    check(
        "womersley",
        "flow that pulses between plates and in a pipe, driven by a pressure and by an inlet in time: amplitude and phase",
        Form::Both,
        womersley::run,
    ),
    check(
        "sphere-re100",
        "sphere at Re 100: the drag, with 16 nodes over the diameter",
        Form::Full,
        sphere::run,
    ),
    check(
        "cylinder-re20",
        "cylinder in a channel at Re 20: drag, lift and pressure of the benchmark of Schäfer & Turek",
        Form::Both,
        cylinder::steady,
    ),
    check("cylinder-re100", "the same at Re 100: its vortex street", Form::Full, cylinder::street),
    check(
        "bits",
        "the same bits for 1 and 2 threads, every SIMD level and kind of store, and the plain reference",
        Form::Both,
        bits::run,
    ),
    check(
        "channels",
        "plane and round channels between solid nodes in every addressing: exact, of first order, with the same bits",
        Form::Both,
        channels::run,
    ),
    check(
        "taylor-green",
        "Taylor-Green vortices: second order, and the viscosity that was set",
        Form::Both,
        taylor_green::run,
    ),
    check(
        "sphere-arrays",
        "permeability of cubic arrays of spheres on three grids (one in the reduced form), in every addressing",
        Form::Both,
        sphere_arrays::run,
    ),
    check("cavity-quick", "lid-driven cavity at Re 100 on 96 x 96 nodes", Form::Quick, cavity::quick),
    check(
        "precision",
        "f32 and 16-bit storage beside f64, in three flows over 100000 steps (2000 in the reduced form)",
        Form::Named,
        precision::run,
    ),
    check(
        "shear-layer",
        "thin layers of shear that roll up at Re 30000 on few nodes: which collisions bear it",
        Form::Both,
        shear_layer::run,
    ),
    check(
        "taylor-green-3d",
        "Taylor-Green vortices that break up, Re 1600 on 128^3 nodes (a GPU: 256^3 too): the peak of the dissipation",
        Form::Asked,
        taylor_green_3d::run,
    ),
    check("cavity3d", "lid-driven cube at Re 100 on 36 x 36 x 36 nodes", Form::Full, cavity3d::run),
    check(
        "cavity3d-re1000",
        "lid-driven cube at Re 1000 on 96^3 nodes (48^3 in the reduced form) against the spectral solution",
        Form::Named,
        cavity3d::re1000,
    ),
    check("cavity-re100", "lid-driven cavity at Re 100 on 256 x 256 nodes", Form::Full, cavity::run::<100>),
    check("cavity-re400", "lid-driven cavity at Re 400 on 256 x 256 nodes", Form::Full, cavity::run::<400>),
    check(
        "cavity-re1000",
        "lid-driven cavity at Re 1000 on 256 x 256 nodes",
        Form::Full,
        cavity::run::<1000>,
    ),
    check(
        "cavity-spectral",
        "lid-driven cavity at Re 1000 on 256 x 256 nodes, against the spectral solution",
        Form::Full,
        cavity::spectral,
    ),
];

/// A line of it.
pub(super) const fn check(name: &'static str, about: &'static str, form: Form, run: RunCheck) -> Check {
    Check { name, about, form, run }
}

/// The names of all checks, as the command's help lists them: those of the full form, those of the reduced one, those that run in full by name alone,
/// and those that never run else.
pub fn names() -> [String; 4] {
    let of = |forms: &[Form]| {
        let names = CHECKS.iter().filter(|check| forms.contains(&check.form)).map(|check| check.name);
        names.collect::<Vec<_>>().join(", ")
    };
    [of(&[Form::Both, Form::Full]), of(&[Form::Quick]), of(&[Form::Named]), of(&[Form::Asked])]
}

/// The checks of this form that are meant by `names`, or all of it if there are none (as their [`Form`] says). A name means the check that is
/// called so, or else all whose names contain it (`cavity` means every cavity).
///
/// # Errors
/// [`Error::Unknown`], with the nearest name, for a name that means no check of this form.
pub fn selected(names: &[String], quick: bool) -> Result<Vec<&'static Check>, Error> {
    let may_be_named =
        |check: &&Check| matches!(check.form, Form::Named | Form::Asked) || check.belongs_to(quick);
    let table: Vec<_> = CHECKS.iter().filter(may_be_named).collect();
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

/// Which of the names are variants, whose bits are compared, and the checks that are meant by the others.
///
/// # Errors
/// As [`selected`]; for a name that begins as a variant's does, those of [`variants::find`].
pub fn asked(names: &[String], quick: bool) -> Result<(Vec<&'static Check>, Vec<&'static Entry>), Error> {
    let (mut variants, mut others) = (Vec::new(), Vec::new());
    for name in names {
        let is_variant = lbm_bodies::all().iter().any(|body| {
            name.strip_prefix(&body.facts.lattice.name.to_lowercase())
                .is_some_and(|rest| rest.starts_with('-'))
        });
        if is_variant { variants.push(variants::find(name)?) } else { others.push(name.clone()) }
    }
    if !variants.is_empty() && !others.iter().any(|name| name == "bits") {
        others.push("bits".to_owned());
    }
    Ok((selected(&others, quick)?, variants))
}
