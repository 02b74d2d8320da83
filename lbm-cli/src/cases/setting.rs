//! One setting of a case: its name, default, range and meaning. `--set`, case files and `lbm cases` all read this.

use std::fmt;

use lbm_core::Error;
use serde::Serialize;

use super::case::AUTO;
use crate::variants::{self, Axis};

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// A count.
    Integer(u64),
    /// A number.
    Real(f64),
    /// One of a few names.
    Name(&'static str),
    /// Any text, such as the path of a file. Settings live as long as the command, and so do their texts.
    Text(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Integer(value) => write!(f, "{value}"),
            // Plain where it is short, with an exponent where it would be a row of zeros.
            Value::Real(value) if value != 0.0 && !(1e-3..1e7).contains(&value.abs()) => {
                write!(f, "{value:e}")
            }
            Value::Real(value) => write!(f, "{value}"),
            Value::Name(text) | Value::Text(text) => write!(f, "{text}"),
        }
    }
}

/// Which values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// Integers from the first to the second.
    Integers(u64, u64),
    /// Numbers from the first to the second.
    Reals(f64, f64),
    /// These names.
    Names(&'static [&'static str]),
    /// The names that an axis of the variants has.
    Axis(Axis),
    /// The same, or `auto`.
    AutoOr(Axis),
    /// The collisions on these lattices, each with a body force or without; on all, if there are none.
    Collisions(&'static [(&'static str, bool)]),
    /// Any text; this says of what.
    Text(&'static str),
}

impl Allowed {
    /// The names, if names are allowed.
    fn names(self) -> Vec<&'static str> {
        match self {
            Allowed::Names(names) => names.to_vec(),
            Allowed::Axis(axis) => variants::names_on(axis),
            Allowed::AutoOr(axis) => [vec![AUTO], variants::names_on(axis)].concat(),
            Allowed::Collisions([]) => variants::names_on(Axis::Collision),
            Allowed::Collisions(bodies) => variants::operators(bodies),
            Allowed::Integers(..) | Allowed::Reals(..) | Allowed::Text(_) => Vec::new(),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Allowed::Integers(least, u64::MAX) => write!(f, "an integer from {least}"),
            Allowed::Integers(least, most) => write!(f, "an integer, {least} to {most}"),
            Allowed::Reals(least, most) => {
                write!(f, "a number, {} to {}", Value::Real(least), Value::Real(most))
            }
            Allowed::Text(what) => write!(f, "{what}"),
            Allowed::Names(_) | Allowed::Axis(_) | Allowed::AutoOr(_) | Allowed::Collisions(_) => {
                write!(f, "one of {}", self.names().join(", "))
            }
        }
    }
}

/// A setting of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The key of `--set` and of case files.
    pub name: &'static str,
    /// The value that it has if nobody sets it.
    pub default: Value,
    /// The values that it takes.
    pub allowed: Allowed,
    /// Its unit, `lattice` for lattice units, or empty.
    pub unit: &'static str,
    /// What it means, in one line.
    pub about: &'static str,
}

impl Setting {
    /// A setting that takes integers.
    pub const fn integer(name: &'static str, default: u64, [least, most]: [u64; 2]) -> Setting {
        Setting::of(name, Value::Integer(default), Allowed::Integers(least, most))
    }

    /// A setting that takes numbers.
    pub const fn real(name: &'static str, default: f64, [least, most]: [f64; 2]) -> Setting {
        Setting::of(name, Value::Real(default), Allowed::Reals(least, most))
    }

    /// A setting that takes any text.
    pub const fn text(name: &'static str, what: &'static str) -> Setting {
        Setting::of(name, Value::Text(""), Allowed::Text(what))
    }

    /// A setting that takes names.
    pub const fn named(name: &'static str, default: &'static str, allowed: Allowed) -> Setting {
        Setting::of(name, Value::Name(default), allowed)
    }

    const fn of(name: &'static str, default: Value, allowed: Allowed) -> Setting {
        Setting { name, default, allowed, unit: "", about: "" }
    }

    /// The same in this unit.
    pub const fn unit(self, unit: &'static str) -> Setting {
        Setting { unit, ..self }
    }

    /// The same with this meaning.
    pub const fn about(self, about: &'static str) -> Setting {
        Setting { about, ..self }
    }

    /// The value that `text` says.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] with the allowed values.
    pub fn parse(&self, text: &str) -> Result<Value, Error> {
        let text = text.trim();
        // Digits may be grouped with `_`, as in TOML.
        let digits = text.replace('_', "");
        let value = match self.allowed {
            Allowed::Integers(..) => digits.parse().ok().map(Value::Integer),
            Allowed::Reals(..) => digits.parse().ok().map(Value::Real),
            Allowed::Text(_) => Some(Value::Text(String::from(text).leak())),
            Allowed::Names(_) | Allowed::Axis(_) | Allowed::AutoOr(_) | Allowed::Collisions(_) => {
                let mut names = self.allowed.names().into_iter();
                names.find(|name| name.eq_ignore_ascii_case(text)).map(Value::Name)
            }
        };
        let fits = |value: &Value| match (self.allowed, *value) {
            (Allowed::Integers(least, most), Value::Integer(n)) => (least..=most).contains(&n),
            (Allowed::Reals(least, most), Value::Real(x)) => (least..=most).contains(&x),
            _ => true,
        };
        value.filter(fits).ok_or_else(|| {
            let found = value.map_or_else(|| text.to_owned(), |value| value.to_string());
            let remedy = format!("{}; the default is {}", self.about, self.default);
            Error::out_of_range(self.name, found, self.allowed.to_string(), remedy)
        })
    }
}

/// Settings that several cases share. Each function gives the entry of a case's table with its own default.
pub mod shared {
    use super::{AUTO, Allowed, Axis, Setting};

    /// Every count.
    pub const ANY: [u64; 2] = [0, u64::MAX];

    /// Nodes across the box.
    pub const fn size(default: u64, least: u64, most: u64, about: &'static str) -> Setting {
        Setting::integer("size", default, [least, most]).unit("nodes").about(about)
    }

    /// The Reynolds number.
    pub const fn reynolds(default: f64, most: f64, about: &'static str) -> Setting {
        Setting::real("re", default, [1e-3, most]).about(about)
    }

    /// The reference velocity: results are divided by it.
    pub const fn velocity(default: f64, about: &'static str) -> Setting {
        Setting::real("velocity", default, [1e-6, 0.3]).unit("lattice").about(about)
    }

    /// The kinematic viscosity.
    pub const fn viscosity(default: f64, least: f64) -> Setting {
        Setting::real("viscosity", default, [least, 10.0]).unit("lattice").about("kinematic viscosity")
    }

    /// The tension of interfaces.
    pub const fn tension(default: f64) -> Setting {
        Setting::real("tension", default, [0.0, 1.0]).unit("lattice").about("tension of the interface")
    }

    /// The viscosity in drops.
    pub const VISCOSITY_RATIO: Setting = Setting::real("viscosity_ratio", 1.0, [1e-3, 1e3])
        .about("viscosity of the red fluid over that of the blue one");

    /// What keeps drops apart.
    pub const NEAR_CONTACT: Setting = Setting::real("near_contact", 0.004, [0.0, 0.05]).unit("lattice").about(
        "velocity with which drops push each other away where the film between them gets thin; a flow with 0 runs beside, unless this is 0",
    );

    /// The magic parameter of Trt.
    pub const MAGIC: Setting = Setting::real("magic", 3.0 / 16.0, [1e-6, 10.0])
        .about("magic parameter of trt, and of what goes around it; 3/16 puts plane walls exactly half-way");

    /// How what enters rises.
    pub const RAMP: Setting = Setting::integer("ramp", 0, [0, 1 << 24])
        .unit("time steps")
        .about("steps in which what enters through an inlet rises from rest; 0: it enters at once");

    /// Whether fluid that the rest cannot reach is made solid.
    pub const FILL: Setting = Setting::named("fill", "false", Allowed::Names(&["false", "true"])).about(
        "make all fluid solid but the largest connected region; without it several regions are an error",
    );

    /// The collision operator.
    pub const fn collision(default: &'static str, bodies: &'static [(&'static str, bool)]) -> Setting {
        Setting::named("collision", default, Allowed::Collisions(bodies))
            .about("collision operator; its parameters are set by their names, e.g. --set bulk=0.9")
    }

    /// The equilibrium.
    pub const EQUILIBRIUM: Setting = Setting::named("equilibrium", AUTO, Allowed::AutoOr(Axis::Equilibrium)).about(
        "equilibrium; auto takes that of the collision, quasi-compressible where it has both. the incompressible one leaves out the error that the changing density makes in steady flows, of second order in the Mach number",
    );

    /// Storage and arithmetic type.
    pub const fn precision(default: &'static str) -> Setting {
        Setting::named("precision", default, Allowed::Axis(Axis::Precision))
            .about("type of the stored populations and of the arithmetic")
    }

    /// The memory layout.
    pub const LAYOUT: Setting = Setting::named("layout", "soa", Allowed::Axis(Axis::Layout))
        .about("memory layout: structure of arrays, array of structures, or arrays of structures of arrays");

    /// The addressing.
    pub const fn addressing(default: &'static str) -> Setting {
        Setting::named("addressing", default, Allowed::Axis(Axis::Addressing)).about(
            "which nodes are stored: the whole box, tiles with fluid, or fluid nodes. Results do not depend on it",
        )
    }

    /// Where populations of a box lie that is stored as a whole unless its user says otherwise.
    pub const STORAGE: &[Setting] = &[LAYOUT, addressing("dense")];

    /// Where those lie of a box with many solid nodes, in the layout that is best for the addressing.
    pub const SPARSE_STORAGE: &[Setting] = &[
        Setting::named("layout", AUTO, Allowed::AutoOr(Axis::Layout))
            .about("memory layout; auto takes the one that was measured best for the addressing"),
        addressing("tiled4"),
    ];

    /// The streaming pattern.
    pub const STREAMING: Setting =
        Setting::named("streaming", "two-lattice-pull", Allowed::Axis(Axis::Streaming))
            .about("streaming pattern: two copies of the populations, or one. Results do not depend on it");

    /// The largest number of steps; `latest` if the flow may be steady before.
    pub const fn steps(default: u64, latest: bool) -> Setting {
        let about =
            if latest { "stop after so many steps at the latest" } else { "stop after so many steps" };
        Setting::integer("steps", default, ANY).unit("time steps").about(about)
    }

    /// The tolerance of the convergence criterion; read it with [`Settings::tolerance`](crate::cases::Settings::tolerance).
    pub const fn tolerance(default: f64, about: &'static str) -> Setting {
        Setting::real("tolerance", default, [0.0, 1.0]).about(about)
    }

    /// Steps between two frames of the VTK series.
    pub const OUTPUT: Setting = Setting::integer("output", 0, ANY)
        .unit("time steps")
        .about("steps between two frames of the VTK series; 0 writes the last state only");

    /// Steps between two slices.
    pub const SLICES: Setting = Setting::integer("slices", 0, ANY)
        .unit("time steps")
        .about("steps between two pictures of the middle plane: the speed, or what the case shows, a pixel a node or more; 0 draws none");

    /// Steps between two frames of a film.
    pub const fn film(default: u64) -> Setting {
        Setting::integer("film", default, ANY).unit("time steps").about(
            "steps between two frames of film.gif: the speed in the middle plane, or what the case shows, the last 50 frames that `steps` has; 0 makes none",
        )
    }

    /// What is measured while the flow runs.
    pub const PROBES: [Setting; 2] = [
        Setting::text("probes", "a list: KIND key=value ..; KIND key=value ..").about(
            "what probes.csv has a row of each time, e.g. `flow-rate section=x:10; point at=3.5,4.0,0.5`; kinds: flow-rate, pressure, \
             pressure-drop, point, line, force, permeability",
        ),
        Setting::integer("probe_interval", 100, [1, u64::MAX])
            .unit("time steps")
            .about("steps between two rows of probes.csv"),
    ];

    /// A flow rate to hold, of a flow that a force drives.
    pub const FLOW_RATE: Setting = Setting::real("flow_rate", 0.0, [-1e9, 1e9]).unit("lattice").about(
        "volume a time step that is held through a plane across the flow, by the body force or, where a pressure drives the flow, by the \
         density that enters; logged in controller.csv; 0: nothing is held",
    );

    /// What of the flow is written.
    pub const SELECTION: [Setting; 5] = [
        Setting::text("fields", "a list of density, pressure, velocity, vorticity, q, wall_shear_stress")
            .about("what VTK files have, and pictures beside the speed, also what the case shows (phi, temperature); that, density and velocity if it is not set"),
        Setting::text("region", "ranges FIRST:END along x, y, z").about(
            "the part of the box that VTK files and pictures show, e.g. 10:50,0:20, each from the first node to the one behind the last",
        ),
        Setting::integer("every", 1, [1, u64::MAX]).about("VTK files and pictures show every nth node along each axis"),
        Setting::integer("average_every", 0, ANY).unit("time steps").about(
            "steps between two fields of which averages.vti has means, root mean squares and Reynolds stresses; 0 averages none",
        ),
        Setting::integer("average_from", 0, ANY)
            .unit("time steps")
            .about("the step from which fields are averaged; a run that goes on from a checkpoint begins anew"),
    ];

    /// How VTK files are written.
    pub const VTK: [Setting; 2] = [
        Setting::named("vtk_precision", "f32", Allowed::Names(&["f32", "f64"]))
            .about("type of the numbers in VTK files"),
        Setting::named("vtk_compression", "none", Allowed::Names(&["none", "zlib"]))
            .about("compression of VTK files: smaller, and slower to write"),
    ];

    /// Steps between two checkpoints.
    pub const fn checkpoint(default: u64) -> Setting {
        Setting::integer("checkpoint", default, ANY)
            .unit("time steps")
            .about("steps between two checkpoints, each replacing the one before; 0 writes none")
    }

    /// Threads.
    pub const THREADS: Setting = Setting::integer("threads", 0, [0, 1024])
        .about("threads; 0 takes one a core. Results do not depend on it");

    /// SIMD level.
    pub const SIMD: Setting = Setting::named("simd", "auto", Allowed::Names(SIMD_LEVELS))
        .about("width of the vectors; auto takes the widest there is. Results do not depend on it");

    /// Those of the kind of machine.
    const SIMD_LEVELS: &[&str] = match cfg!(target_arch = "x86_64") {
        true => &["auto", "scalar", "avx2", "avx-512"],
        false => &["auto", "scalar", "128-bit"],
    };

    /// What SI units follow from.
    pub const PHYSICAL: [Setting; 3] = [
        Setting::real("physical_length", 0.0, [0.0, 1e9]).unit("m").about(
            "reference length in metres; with physical_viscosity, results are also given in SI units; 0: not set",
        ),
        Setting::real("physical_viscosity", 0.0, [0.0, 1e9])
            .unit("m^2/s")
            .about("kinematic viscosity of the fluid (water 1e-6, air 1.5e-5); 0: not set"),
        Setting::real("physical_density", 1000.0, [1e-9, 1e9])
            .unit("kg/m^3")
            .about("density of the fluid, for pressures and forces in SI units: VTK and pictures have them, tables are in lattice units, with their scales in summary.json"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parsed_and_checked() {
        let size = shared::size(64, 4, 4096, "nodes across");
        assert_eq!(size.parse(" 1_28 ").unwrap(), Value::Integer(128));
        for wrong in ["3", "5000", "-1", "1.5", "many", ""] {
            let message = size.parse(wrong).unwrap_err().to_string();
            assert!(message.contains("4 to 4096") && message.contains("default is 64"), "{message}");
        }
        let re = shared::reynolds(100.0, 1e5, "Reynolds number");
        assert_eq!(re.parse("1e3").unwrap(), Value::Real(1000.0));
        assert_eq!(re.parse("400").unwrap(), Value::Real(400.0));
        assert!(re.parse("NaN").is_err() && re.parse("inf").is_err());
        let precision = shared::precision("f64");
        assert_eq!(precision.parse("F32").unwrap(), Value::Name("f32"));
        assert!(precision.parse("f16").unwrap_err().to_string().contains("one of f32, f64"));
    }
}
