//! One setting of a case: its name, default, range and meaning. `--set`, case files and `lbm cases` all read this.

use std::fmt;

use lbm_core::Error;

use crate::variants::{self, Axis};

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count.
    Integer(u64),
    /// A number.
    Real(f64),
    /// One of a few names.
    Name(&'static str),
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
            Value::Name(name) => write!(f, "{name}"),
        }
    }
}

/// Which values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Allowed {
    /// Integers from the first to the second.
    Integers(u64, u64),
    /// Finite numbers from the first to the second.
    Reals(f64, f64),
    /// These names.
    Names(&'static [&'static str]),
    /// The names that the table of variants has on an axis.
    Axis(Axis),
}

impl Allowed {
    /// The names, if names are allowed.
    fn names(self) -> Vec<&'static str> {
        match self {
            Allowed::Names(names) => names.to_vec(),
            Allowed::Axis(axis) => variants::names_on(axis),
            Allowed::Integers(..) | Allowed::Reals(..) => Vec::new(),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Allowed::Integers(least, u64::MAX) => write!(f, "an integer from {least}"),
            Allowed::Integers(least, most) => write!(f, "an integer, {least} to {most}"),
            Allowed::Reals(least, f64::INFINITY) => write!(f, "a number from {}", Value::Real(least)),
            Allowed::Reals(least, most) => {
                write!(f, "a number, {} to {}", Value::Real(least), Value::Real(most))
            }
            Allowed::Names(_) | Allowed::Axis(_) => write!(f, "one of {}", self.names().join(", ")),
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
            Allowed::Names(_) | Allowed::Axis(_) => self.name_of(text).map(Value::Name),
        };
        value.ok_or_else(|| self.refusal(text)).and_then(|value| self.checked(value))
    }

    /// The value itself if it is allowed; an integer also stands for a number.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] with the allowed values.
    pub fn checked(&self, value: Value) -> Result<Value, Error> {
        match (self.allowed, value) {
            (Allowed::Integers(least, most), Value::Integer(n)) if (least..=most).contains(&n) => Ok(value),
            (Allowed::Reals(..), Value::Integer(n)) => self.checked(Value::Real(n as f64)),
            (Allowed::Reals(least, most), Value::Real(x)) if x.is_finite() && (least..=most).contains(&x) => {
                Ok(value)
            }
            (Allowed::Names(_) | Allowed::Axis(_), Value::Name(name))
                if self.allowed.names().contains(&name) =>
            {
                Ok(value)
            }
            _ => Err(self.refusal(value)),
        }
    }

    fn name_of(&self, text: &str) -> Option<&'static str> {
        self.allowed.names().into_iter().find(|name| name.eq_ignore_ascii_case(text))
    }

    fn refusal(&self, value: impl ToString) -> Error {
        let remedy = format!("{}; the default is {}", self.about, self.default);
        Error::out_of_range(self.name, value, self.allowed.to_string(), remedy)
    }
}

/// Settings that several cases share. Each function gives the entry of a case's table with its own default.
pub mod shared {
    use super::{Allowed, Axis, Setting, Value};

    /// Nodes across the box.
    #[must_use]
    pub const fn size(default: u64, least: u64, most: u64, about: &'static str) -> Setting {
        let allowed = Allowed::Integers(least, most);
        Setting { name: "size", default: Value::Integer(default), allowed, unit: "nodes", about }
    }

    /// The Reynolds number.
    #[must_use]
    pub const fn reynolds(default: f64, most: f64, about: &'static str) -> Setting {
        let allowed = Allowed::Reals(1e-3, most);
        Setting { name: "re", default: Value::Real(default), allowed, unit: "", about }
    }

    /// The reference velocity.
    #[must_use]
    pub const fn velocity(default: f64, about: &'static str) -> Setting {
        let allowed = Allowed::Reals(1e-6, 0.3);
        Setting { name: "velocity", default: Value::Real(default), allowed, unit: "lattice", about }
    }

    /// The collision operator.
    #[must_use]
    pub const fn collision(default: &'static str) -> Setting {
        Setting {
            name: "collision",
            default: Value::Name(default),
            allowed: Allowed::Axis(Axis::Collision),
            unit: "",
            about: "collision operator",
        }
    }

    /// Storage and arithmetic type.
    #[must_use]
    pub const fn precision(default: &'static str) -> Setting {
        Setting {
            name: "precision",
            default: Value::Name(default),
            allowed: Allowed::Axis(Axis::Precision),
            unit: "",
            about: "type of the stored populations and of the arithmetic",
        }
    }

    /// The memory layout.
    pub const LAYOUT: Setting = Setting {
        name: "layout",
        default: Value::Name("soa"),
        allowed: Allowed::Axis(Axis::Layout),
        unit: "",
        about: "memory layout: structure of arrays, array of structures, or arrays of structures of arrays",
    };

    /// The addressing.
    #[must_use]
    pub const fn addressing(default: &'static str) -> Setting {
        Setting {
            name: "addressing",
            default: Value::Name(default),
            allowed: Allowed::Axis(Axis::Addressing),
            unit: "",
            about: "which nodes are stored: the whole box, tiles with fluid, or fluid nodes. Results do not depend on it",
        }
    }

    /// Whether fluid that the rest cannot reach is made solid.
    pub const FILL: Setting = Setting {
        name: "fill",
        default: Value::Name("false"),
        allowed: Allowed::Names(&["false", "true"]),
        unit: "",
        about: "make all fluid solid but the largest connected region; without it several regions are an error",
    };

    /// The kinematic viscosity.
    #[must_use]
    pub const fn viscosity(default: f64) -> Setting {
        Setting {
            name: "viscosity",
            default: Value::Real(default),
            allowed: Allowed::Reals(1e-4, 10.0),
            unit: "lattice",
            about: "kinematic viscosity",
        }
    }

    /// The magic parameter of Trt.
    pub const MAGIC: Setting = Setting {
        name: "magic",
        default: Value::Real(3.0 / 16.0),
        allowed: Allowed::Reals(1e-6, 10.0),
        unit: "",
        about: "magic parameter of trt; 3/16 puts plane walls exactly half-way. Other collisions have none",
    };

    /// The streaming pattern.
    pub const STREAMING: Setting = Setting {
        name: "streaming",
        default: Value::Name("two-lattice-pull"),
        allowed: Allowed::Axis(Axis::Streaming),
        unit: "",
        about: "streaming pattern: two copies of the populations, or one. Results do not depend on it",
    };

    /// The largest number of steps.
    #[must_use]
    pub const fn steps(default: u64, about: &'static str) -> Setting {
        let allowed = Allowed::Integers(0, u64::MAX);
        Setting { name: "steps", default: Value::Integer(default), allowed, unit: "time steps", about }
    }

    /// The tolerance of the convergence criterion; read it with [`Settings::tolerance`](crate::cases::Settings::tolerance).
    #[must_use]
    pub const fn tolerance(default: f64, about: &'static str) -> Setting {
        let allowed = Allowed::Reals(0.0, 1.0);
        Setting { name: "tolerance", default: Value::Real(default), allowed, unit: "", about }
    }

    /// Steps between two frames of the VTK series.
    #[must_use]
    pub const fn output(default: u64) -> Setting {
        Setting {
            name: "output",
            default: Value::Integer(default),
            allowed: Allowed::Integers(0, u64::MAX),
            unit: "time steps",
            about: "steps between two frames of the VTK series; 0 writes the last state only",
        }
    }

    /// Steps between two checkpoints.
    #[must_use]
    pub const fn checkpoint(default: u64) -> Setting {
        Setting {
            name: "checkpoint",
            default: Value::Integer(default),
            allowed: Allowed::Integers(0, u64::MAX),
            unit: "time steps",
            about: "steps between two checkpoints, each replacing the one before; 0 writes none",
        }
    }

    /// Threads.
    pub const THREADS: Setting = Setting {
        name: "threads",
        default: Value::Integer(0),
        allowed: Allowed::Integers(0, 1024),
        unit: "",
        about: "threads; 0 takes one a core. Results do not depend on it",
    };

    /// SIMD level.
    pub const SIMD: Setting = Setting {
        name: "simd",
        default: Value::Name("auto"),
        allowed: Allowed::Names(&["auto", "scalar", "128-bit", "avx2", "avx-512"]),
        unit: "",
        about: "width of the vectors; auto takes the widest there is. Results do not depend on it",
    };

    /// The physical size of the reference length.
    pub const PHYSICAL_LENGTH: Setting = Setting {
        name: "physical_length",
        default: Value::Real(0.0),
        allowed: Allowed::Reals(0.0, 1e9),
        unit: "m",
        about: "reference length in metres; with physical_viscosity, results are also given in SI units; 0: not set",
    };

    /// The physical viscosity.
    pub const PHYSICAL_VISCOSITY: Setting = Setting {
        name: "physical_viscosity",
        default: Value::Real(0.0),
        allowed: Allowed::Reals(0.0, 1e9),
        unit: "m^2/s",
        about: "kinematic viscosity of the fluid (water 1e-6, air 1.5e-5); 0: not set",
    };

    /// The physical density.
    pub const PHYSICAL_DENSITY: Setting = Setting {
        name: "physical_density",
        default: Value::Real(1000.0),
        allowed: Allowed::Reals(1e-9, 1e9),
        unit: "kg/m^3",
        about: "density of the fluid, for pressures and forces in SI units",
    };
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
        assert_eq!(re.checked(Value::Integer(400)).unwrap(), Value::Real(400.0));
        assert!(re.parse("NaN").is_err() && re.parse("inf").is_err());
        let precision = shared::precision("f64");
        assert_eq!(precision.parse("F32").unwrap(), Value::Name("f32"));
        assert!(precision.parse("f16").unwrap_err().to_string().contains("one of f32, f64"));
    }
}
