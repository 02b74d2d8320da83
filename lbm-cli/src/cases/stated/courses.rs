//! How values of a case file go in time: a ramp, a sine, a table, and what these make of each other; or as a controller sets it.

use lbm_core::rules::Course;

use super::known::Known;
use super::table::{Item, Table, count, flag, number, of, refused, text};
use crate::cases::fault::Fault;

/// The factor that a controller of the flow rate sets.
pub(in crate::cases) const HELD: &str = "flow_rate";

/// The factor in time that a value's table names, by the keys `ramp`, `period`, `table` and `unit`, or by `held` that of the controller; none
/// where none of them stands in it.
pub(super) fn course(table: &Table<'_>, known: &Known<'_>) -> Result<Option<Course>, Fault> {
    let [ramp, file, period, unit] = ["ramp", "table", "period", "unit"].map(|key| table.get(key));
    if let Some(item) = table.get("held")
        && flag(item)?
    {
        if [ramp, file, period].into_iter().flatten().next().is_some() {
            return Err(refused(
                item,
                "a value that is held is set by the controller alone",
                "leave one of them out",
            ));
        }
        return Course::steered(HELD, 0.0, [0.0, 1.0]).map(Some).map_err(of(item));
    }
    if let (Some(unit), None) = (unit, file) {
        return Err(refused(unit, "`unit` is that of a `table`", "leave it out"));
    }
    let steps = period.map(count).transpose()?;
    let pulse = match (file, period) {
        (Some(file), _) => Some(in_file(file, unit, steps, known)?),
        (None, Some(item)) => Some(sine(steps.unwrap_or(1)).map_err(of(item))?),
        (None, None) => None,
    };
    let Some(item) = ramp else { return Ok(pulse) };
    let ramp = Course::ramp(count(item)?).map_err(of(item))?;
    pulse.map_or(Ok(ramp.clone()), |pulse| ramp.times(&pulse)).map(Some).map_err(of(item))
}

/// sin(2 pi t / period).
fn sine(period: usize) -> Result<Course, lbm_core::Error> {
    let turn = 2.0 * std::f64::consts::PI / period as f64;
    Course::periodic(period, |step| (turn * step as f64).sin())
}

/// The lines `time, factor` of a file, a unit of time being one step or so many.
fn in_file(
    file: &Item<'_>,
    unit: Option<&Item<'_>>,
    period: Option<usize>,
    known: &Known<'_>,
) -> Result<Course, Fault> {
    let steps = unit.map(number).transpose()?.unwrap_or(1.0);
    if let Some(unit) = unit.filter(|_| steps <= 0.0) {
        return Err(refused(
            unit,
            format!("unit = {steps} is not above 0"),
            "give the steps in a unit of the table's time",
        ));
    }
    let content = known.read(text(file)?).map_err(of(file))?;
    Course::from_csv(&content, steps, period).map_err(of(file))
}
