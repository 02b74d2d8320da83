//! The settings of one run: a case's table with the values that the user gave.

use lbm_core::Error;
use lbm_core::rules::Course;
use lbm_cpu::{CpuOptions, SimdLevel};

use super::case::Case;
use super::node_field;
use super::probes::Probe;
use super::probes::parse::list;
use super::setting::{Setting, Value};
use super::stated::Statement;
use crate::simulation::{Backend, PlacedRule, Placement};
use crate::variants;

/// The values of all settings of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    case: &'static str,
    entries: Vec<(Setting, Value)>,
    /// How many of these the case declares. Parameters and fields of its collision follow, as many as were set.
    declared: usize,
    placement: Placement,
    /// The flow that a case file states, if one does.
    statement: Option<Statement>,
    /// Those of the setting `probes`, or of a case file.
    probes: Vec<Probe>,
}

impl Settings {
    /// The defaults of a case.
    pub fn of(case: &Case) -> Settings {
        let entries: Vec<_> = case.settings().into_iter().map(|setting| (setting, setting.default)).collect();
        let (declared, statement, probes) = (entries.len(), None, Vec::new());
        Settings { case: case.name, entries, declared, placement: Placement::default(), statement, probes }
    }

    /// The defaults but for these values, e.g. `size=32 re=100`.
    pub fn with(case: &Case, pairs: &str) -> Result<Settings, Error> {
        let mut settings = Settings::of(case);
        pairs.split_whitespace().try_for_each(|pair| settings.set_pair(pair))?;
        Ok(settings)
    }

    /// Sets one value, given as text.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a key that the case has not, [`Error::OutOfRange`] for a value.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        if variants::fields().contains(&name) {
            node_field::check(name, text)?;
        }
        let known: Vec<&str> = self.entries.iter().map(|(setting, _)| setting.name).collect();
        let listed = format!(
            "the settings of {} are: {}; parameters and fields of its collision are set by their names, too",
            self.case,
            known.join(", ")
        );
        let index = known.iter().position(|known| *known == name).or_else(|| {
            let any = of_collision(name)?;
            self.entries.push((any, any.default));
            Some(self.entries.len() - 1)
        });
        let index = index.ok_or_else(|| Error::unknown("setting", name, known.iter().copied(), listed))?;
        let (setting, value) = &mut self.entries[index];
        *value = setting.parse(text)?;
        if name == "probes" {
            self.probes.clear();
            list(text)?.into_iter().try_for_each(|probe| self.add_probe(probe))?;
        }
        Ok(())
    }

    /// The parameters of a collision that were set by their names.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.entries[self.declared..].iter().filter_map(|(setting, value)| match *value {
            Value::Real(value) => Some((setting.name, value)),
            _ => None,
        })
    }

    /// The fields of a collision that were set by their names, as texts.
    pub fn node_fields(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.entries[self.declared..].iter().filter_map(|(setting, value)| match *value {
            Value::Text(text) => Some((setting.name, text)),
            _ => None,
        })
    }

    /// Adds a probe, as a case file says it, to those there are; the setting `probes` replaces all.
    ///
    /// # Errors
    /// [`Error::Conflict`] if there is one of its name.
    pub fn add_probe(&mut self, probe: Probe) -> Result<(), Error> {
        if self.probes.iter().any(|other| other.name == probe.name) {
            let what = format!("two probes are named `{}`", probe.name);
            return Err(Error::conflict(what, "give each a name of its own, name=.."));
        }
        self.probes.push(probe);
        Ok(())
    }

    /// What is measured while the flow runs.
    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }

    /// Sets one value from `key=value`.
    ///
    /// # Errors
    /// As [`set`](Settings::set), and [`Error::Conflict`] if there is no `=`.
    pub fn set_pair(&mut self, pair: &str) -> Result<(), Error> {
        let (name, text) = pair.split_once('=').ok_or_else(|| {
            Error::conflict(format!("`{pair}` is not a setting"), "write --set key=value, e.g. --set re=400")
        })?;
        self.set(name.trim(), text)
    }

    /// The table with the present values.
    pub fn entries(&self) -> &[(Setting, Value)] {
        &self.entries
    }

    /// Whether the case has such a setting.
    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(setting, _)| setting.name == name)
    }

    fn value(&self, name: &str) -> Value {
        let entry = self.entries.iter().find(|(setting, _)| setting.name == name);
        entry.expect("every case declares the settings that it reads").1
    }

    /// The value of an integer setting.
    ///
    /// # Panics
    /// If the case's table has no such setting: a fault of the case, which the test of all cases finds.
    pub fn integer(&self, name: &str) -> u64 {
        let Value::Integer(value) = self.value(name) else { unreachable!("{name} is no integer") };
        value
    }

    /// The value of a real setting.
    pub fn real(&self, name: &str) -> f64 {
        let Value::Real(value) = self.value(name) else { unreachable!("{name} is no real number") };
        value
    }

    /// Whether real settings have these values, to rounding.
    pub fn are(&self, known: &[(&str, f64)]) -> bool {
        known.iter().all(|&(name, value)| (self.real(name) - value).abs() <= 1e-9 * value.abs())
    }

    /// The value of a setting that takes names.
    pub fn name(&self, name: &str) -> &'static str {
        let Value::Name(value) = self.value(name) else { unreachable!("{name} is no name") };
        value
    }

    /// The value of a setting that takes any text; none where nobody set it.
    pub fn text(&self, name: &str) -> Option<&'static str> {
        let Value::Text(value) = self.value(name) else { unreachable!("{name} is no text") };
        Some(value).filter(|value| !value.is_empty())
    }

    /// The flow rate that a controller holds, the setting `flow_rate`; none where the case has none, or it is 0.
    pub fn held_flow_rate(&self) -> Option<f64> {
        self.has("flow_rate").then(|| self.real("flow_rate")).filter(|&rate| rate != 0.0)
    }

    /// A rule of which the velocity rises as the setting `ramp` says.
    ///
    /// # Errors
    /// As [`Course::ramp`].
    pub fn ramped(&self, rule: PlacedRule) -> Result<PlacedRule, Error> {
        match self.integer("ramp") {
            0 => Ok(rule),
            steps => Ok(rule.in_time("velocity", Course::ramp(steps as usize)?)),
        }
    }

    /// Nodes across the box, the setting `size`.
    pub fn size(&self) -> usize {
        usize::try_from(self.integer("size")).unwrap_or(usize::MAX)
    }

    /// The speed that results are divided by, the setting `velocity`.
    pub fn velocity(&self) -> f64 {
        self.real("velocity")
    }

    /// The setting `tolerance`, but not less than what the setting `precision` resolves: 16 units of
    /// rounding (9e-7 was seen between looks at a steady Couette flow in f32).
    pub fn tolerance(&self) -> f64 {
        let precision = self.name("precision");
        let known = variants::axes().precisions().iter().find(|known| known.name == precision);
        let rounding = known.expect("the setting takes the names of the axis").arithmetic.epsilon();
        self.real("tolerance").max(16.0 * rounding)
    }

    /// The same for a flow that a case file states.
    pub(super) fn stating(self, statement: Statement) -> Settings {
        Settings { statement: Some(statement), ..self }
    }

    /// The flow that a case file states.
    pub(super) fn statement(&self) -> Option<&Statement> {
        self.statement.as_ref()
    }

    /// Has the flow run on a backend, in a launch shape if the placement has one; threads and SIMD level stay those of the
    /// settings. No result depends on it. Without it the flow runs on the CPU.
    pub fn on(self, placement: Placement) -> Settings {
        Settings { placement, ..self }
    }

    /// Where the flow runs.
    pub fn backend(&self) -> Backend {
        self.placement.backend
    }

    /// Backend, launch shape, threads and SIMD level.
    pub fn placement(&self) -> Placement {
        let threads = self.integer("threads");
        // At most 1024 by the table; `auto` is no level.
        let cpu = CpuOptions::default()
            .with_threads((threads > 0).then_some(threads as usize))
            .with_simd(self.name("simd").parse::<SimdLevel>().ok());
        self.placement.with_cpu(cpu)
    }
}

/// The setting of a parameter or a field of a collision: of which one, is known when all is set.
fn of_collision(name: &str) -> Option<Setting> {
    let named = |names: Vec<&'static str>| names.into_iter().find(|known| *known == name);
    if let Some(parameter) = named(variants::parameters()) {
        let any = Setting::real(parameter, 0.0, [f64::MIN, f64::MAX]);
        return Some(
            any.about("a parameter of the collision; without it the collision's own default counts"),
        );
    }
    let field = named(variants::fields())?;
    let any = Setting::text(field, "a formula of x, y, z, or a file: *.raw, *.png, *.csv");
    Some(any.about(
        "a field of the collision, a value for each node; without it the collision's own default counts",
    ))
}
