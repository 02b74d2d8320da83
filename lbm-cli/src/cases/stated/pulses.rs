//! The profile of a flow that pulses between plates or in a pipe, as an inlet has it: two products of a profile and a factor in time.

use std::sync::Arc;

use lbm::womersley::Womersley;
use lbm_core::Error;
use lbm_core::rules::Course;

use super::known::Known;
use super::rows::one_of;
use super::rules::{Field, Stand, of_count};
use super::table::{Table, count, number, of, refused, text};
use crate::cases::fault::Fault;

/// What a pulse says of its flow, whose viscosity is known when it is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pulse {
    number: f64,
    /// Half of the width, or the radius.
    half: f64,
    period: usize,
}

/// How far the flow's own Womersley number may be from that of a profile, as a share.
const OFF: f64 = 0.01;

impl Pulse {
    /// That a flow of this viscosity has the Womersley number.
    pub(super) fn check(&self, viscosity: f64) -> Result<(), Error> {
        let own = self.half * (std::f64::consts::TAU / (self.period as f64 * viscosity)).sqrt();
        if (own / self.number - 1.0).abs() <= OFF {
            return Ok(());
        }
        Err(Error::out_of_range(
            "`number` of the profile \"womersley\"",
            self.number,
            format!(
                "within 1 % of {own:.4}, that of the flow: half a width of {} nodes, a period of {} steps, a viscosity of {viscosity:.6}",
                self.half, self.period
            ),
            format!("write number = {own:.4}, or set period and viscosity so that it fits"),
        ))
    }
}

/// How far a point is from the middle.
type Distance = Arc<dyn Fn([f64; 3]) -> f64 + Send + Sync>;

/// The terms of a value whose profile is `"womersley"`; none for another one.
pub(super) fn pulse(
    table: &Table<'_>,
    key: &str,
    components: usize,
    stand: &Stand,
    known: &Known<'_>,
) -> Result<Option<[(Field, Course); 2]>, Fault> {
    let Some(profile) = table.get("profile").filter(|item| text(item).is_ok_and(|name| name == "womersley"))
    else {
        return Ok(None);
    };
    let mean = of_count(table.need("mean", "mean = [0.03, 0]")?, key, components)?;
    let period = count(table.need("period", "period = 4000")?)?;
    let given = table.need("number", "number = 4.0")?;
    let number = number(given)?;
    let along = table.get("along");
    let ramp = table.read("ramp", |item| Course::ramp(count(item)?).map_err(of(item)))?;
    table.finish()?;
    if let (Stand::Disk { .. }, Some(item)) = (stand, along) {
        return Err(refused(item, "across a disk this profile is that of a pipe", "leave `along` out"));
    }
    let (half, distance, is_round): (f64, Distance, bool) = match stand {
        Stand::Rectangle { axes, low, high } => {
            let axis = match (along, &axes[..]) {
                (Some(item), axes) => one_of(item, axes)?,
                (None, &[axis]) => axis,
                _ => {
                    let what = "between plates this profile has one axis across";
                    return Err(refused(
                        profile,
                        what,
                        "name it, along = \"y\", or take a disk: `centre`, `radius`",
                    ));
                }
            };
            let middle = (low[axis] + high[axis]) / 2.0;
            (
                (high[axis] - low[axis]) / 2.0,
                Arc::new(move |point: [f64; 3]| (point[axis] - middle).abs()),
                false,
            )
        }
        Stand::Disk { axes, centre, radius } => {
            let (axes, centre) = (axes.clone(), *centre);
            let distance = move |point: [f64; 3]| {
                axes.iter().map(|&axis| (point[axis] - centre[axis]).powi(2)).sum::<f64>().sqrt()
            };
            (*radius, Arc::new(distance), true)
        }
        Stand::Layer { .. } | Stand::Body | Stand::Start => {
            return Err(refused(profile, "this profile is that of an inlet", "give it to a face or a patch"));
        }
    };
    // nu = R^2 w / alpha^2.
    let viscosity = half * half * std::f64::consts::TAU / (period as f64 * number * number);
    let exact = if is_round { Womersley::pipe } else { Womersley::plates };
    let exact = exact(half, viscosity, period).map_err(of(given))?.with_mean(1.0);
    known.pulses.borrow_mut().push(Pulse { number, half, period });
    let mean: [f64; 3] = std::array::from_fn(|k| mean.get(k).copied().unwrap_or(0.0));
    let courses = exact.courses().map_err(of(given))?;
    let mut terms = Vec::new();
    for (n, course) in courses.into_iter().enumerate() {
        let distance = Arc::clone(&distance);
        let field: Field = Arc::new(move |point| mean.map(|u| u * exact.parts(distance(point))[n]));
        let course =
            ramp.as_ref().map_or(Ok(course.clone()), |ramp| ramp.times(&course)).map_err(of(given))?;
        terms.push((field, course));
    }
    Ok(terms.try_into().ok())
}
