//! The settings of one run: a case's table with the values that the user gave.

use lbm_core::Error;
use lbm_cpu::CpuOptions;

use super::case::Case;
use super::setting::{Setting, Value};
use crate::simulation::{Backend, Placement};

/// The values of all settings of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    case: &'static str,
    table: &'static [Setting],
    values: Vec<Value>,
    placement: Placement,
}

impl Settings {
    /// The defaults of a case.
    #[must_use]
    pub fn of(case: &dyn Case) -> Settings {
        let table = case.settings();
        Settings {
            case: case.name(),
            table,
            values: table.iter().map(|setting| setting.default).collect(),
            placement: Placement::default(),
        }
    }

    /// Sets one value, given as text.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a key that the case has not, [`Error::OutOfRange`] for a value.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let index = self.index(name)?;
        self.values[index] = self.table[index].parse(text)?;
        Ok(())
    }

    /// Sets one value from `key=value`.
    ///
    /// # Errors
    /// As [`set`](Settings::set), and [`Error::Conflict`] if there is no `=`.
    pub fn set_pair(&mut self, pair: &str) -> Result<(), Error> {
        let (name, text) = pair.split_once('=').ok_or_else(|| Error::Conflict {
            what: format!("`{pair}` is not a setting"),
            remedy: "write --set key=value, e.g. --set re=400".to_owned(),
        })?;
        self.set(name.trim(), text)
    }

    /// The table with the present values.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Setting, Value)> + '_ {
        self.table.iter().zip(self.values.iter().copied())
    }

    /// The value of an integer setting.
    ///
    /// # Panics
    /// If the case's table has no such setting: a fault of the case, which the test of all cases finds.
    #[must_use]
    pub fn integer(&self, name: &str) -> u64 {
        match self.value(name) {
            Value::Integer(value) => value,
            other => unreachable!("{}: {name} is {other}, no integer", self.case),
        }
    }

    /// The value of a real setting.
    ///
    /// # Panics
    /// As [`integer`](Settings::integer).
    #[must_use]
    pub fn real(&self, name: &str) -> f64 {
        match self.value(name) {
            Value::Real(value) => value,
            other => unreachable!("{}: {name} is {other}, no real number", self.case),
        }
    }

    /// The value of a setting that takes names.
    ///
    /// # Panics
    /// As [`integer`](Settings::integer).
    #[must_use]
    pub fn name(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Name(value) => value,
            other => unreachable!("{}: {name} is {other}, no name", self.case),
        }
    }

    /// Nodes across the box, the setting `size`.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::try_from(self.integer("size")).unwrap_or(usize::MAX)
    }

    /// The setting `tolerance`, but not less than what the setting `precision` resolves: 16 units of
    /// rounding (9e-7 was seen between looks at a steady Couette flow in f32).
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        let precision = self.name("precision");
        let rounding = crate::variants::all().iter().find(|entry| entry.precision == precision);
        let rounding = rounding.expect("the setting takes the names of the table").epsilon;
        self.real("tolerance").max(16.0 * rounding)
    }

    /// Where the flow runs; the CPU unless [`on`](Settings::on) was called.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.placement.backend
    }

    /// Has the flow run on a backend, in a launch shape if the placement has one; threads and SIMD level stay those of the
    /// settings. No result depends on it.
    #[must_use]
    pub fn on(mut self, placement: impl Into<Placement>) -> Settings {
        self.placement = placement.into();
        self
    }

    /// Backend, launch shape, threads and SIMD level.
    #[must_use]
    pub fn placement(&self) -> Placement {
        let threads = self.integer("threads");
        let cpu = CpuOptions {
            // At most 1024 by the table.
            threads: (threads > 0).then_some(threads as usize),
            // `auto` is no level.
            simd: self.name("simd").parse().ok(),
            ..CpuOptions::default()
        };
        Placement { cpu, ..self.placement }
    }

    fn value(&self, name: &str) -> Value {
        let index = self.table.iter().position(|setting| setting.name == name);
        self.values[index.expect("every case declares the settings that it reads")]
    }

    fn index(&self, name: &str) -> Result<usize, Error> {
        self.table.iter().position(|setting| setting.name == name).ok_or_else(|| {
            let known = self.table.iter().map(|setting| setting.name);
            let listed = known.clone().collect::<Vec<_>>().join(", ");
            Error::unknown("setting", name, known, format!("the settings of {} are: {listed}", self.case))
        })
    }
}
