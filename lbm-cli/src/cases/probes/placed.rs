//! Probes in a box: their columns and what these have at a step.

use std::fmt;
use std::sync::Arc;

use lbm_core::Error;

use crate::cases::pushed::Pushed;
use crate::output::{Panel, Series};
use crate::simulation::{FlowRateController, PointValue, Points, Section, Simulation};

/// A probe that knows its nodes.
#[derive(Clone, Debug)]
pub(in crate::cases) enum Placed {
    FlowRate(Section),
    /// What leaves through the patch of a surface of this name.
    Through(String),
    Pressure(Spot),
    PressureDrop([Spot; 2]),
    Point(Points),
    Line(Points),
    Force(Pushed),
    Permeability {
        axis: usize,
        between: Option<[Section; 2]>,
    },
    /// A flow rate that is held: looking at it sets the force.
    Held(FlowRateController),
    /// What a case measures of its flow.
    Gauge(Gauge),
}

/// Numbers that a case has of its flow by a function of its own.
#[derive(Clone)]
pub(in crate::cases) struct Gauge {
    /// What they are called.
    pub(in crate::cases) columns: &'static [&'static str],
    /// What they are now, as many as there are columns.
    pub(in crate::cases) look: Look,
}

/// Looks at a flow.
type Look = Arc<dyn Fn(&mut Simulation) -> Result<Vec<f64>, Error> + Send + Sync>;

impl fmt::Debug for Gauge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gauge").field(&self.columns).finish()
    }
}

/// Where a pressure is looked at.
#[derive(Clone, Debug)]
pub(in crate::cases) enum Spot {
    Section(Section),
    Point(Points),
    /// The nodes beside the patch of a surface of this name.
    Beside(String),
}

impl Spot {
    fn pressure(&self, simulation: &mut Simulation) -> Result<f64, Error> {
        match self {
            Spot::Beside(patch) => simulation.pressure_on(patch.as_str()),
            Spot::Section(section) => simulation.mean_pressure(section),
            Spot::Point(point) => Ok(simulation.values_at(point)?.iter().map(|value| value.pressure).sum()),
        }
    }
}

impl Placed {
    /// What its columns are called.
    pub(in crate::cases) fn columns(&self) -> &'static [&'static str] {
        match self {
            Placed::FlowRate(_) | Placed::Through(_) => &["flow_rate"],
            Placed::Pressure(_) => &["pressure"],
            Placed::PressureDrop(_) => &["pressure_drop"],
            Placed::Point(_) => &["pressure", "u_x", "u_y", "u_z"],
            Placed::Line(_) => &LINE,
            Placed::Force(_) => &Pushed::COLUMNS,
            Placed::Permeability { .. } => &["permeability"],
            Placed::Held(controller) if controller.is_by_pressure() => &["flow_rate", "gradient"],
            Placed::Held(_) => &["flow_rate", "force"],
            Placed::Gauge(gauge) => gauge.columns,
        }
    }

    /// What these have now.
    pub(in crate::cases) fn look(&self, simulation: &mut Simulation) -> Result<Vec<f64>, Error> {
        Ok(match self {
            Placed::FlowRate(section) => vec![simulation.flow_rate(section)?],
            Placed::Through(patch) => vec![simulation.mass_into(patch.as_str())?],
            Placed::Pressure(spot) => vec![spot.pressure(simulation)?],
            Placed::PressureDrop([from, to]) => vec![from.pressure(simulation)? - to.pressure(simulation)?],
            Placed::Point(point) => simulation.values_at(point)?.into_iter().flat_map(numbers).collect(),
            Placed::Line(points) => along(points, simulation)?,
            Placed::Force(pushed) => pushed.look(simulation)?,
            Placed::Permeability { axis, between } => {
                let between = between.as_ref().map(|[from, to]| [from, to]);
                vec![simulation.permeability(*axis, between)?]
            }
            Placed::Held(controller) => {
                let record = controller.act(simulation)?;
                vec![record.flow_rate, record.force]
            }
            Placed::Gauge(gauge) => (gauge.look)(simulation)?,
        })
    }
}

/// The points of a line with what is there now, one behind the other: x, y, z, the distance from its first point, pressure and velocity.
fn along(points: &Points, simulation: &Simulation) -> Result<Vec<f64>, Error> {
    let first = points.points()[0];
    let values = simulation.values_at(points)?;
    let row = |(&[x, y, z], value): (&[f64; 3], PointValue)| {
        let distance = [x, y, z].iter().zip(first).map(|(to, from)| (to - from).powi(2)).sum::<f64>().sqrt();
        let [p, ux, uy, uz] = numbers(value);
        [x, y, z, distance, p, ux, uy, uz]
    };
    Ok(points.points().iter().zip(values).flat_map(row).collect())
}

/// The columns of the table of a line.
const LINE: [&str; 8] = ["x", "y", "z", "distance", "pressure", "u_x", "u_y", "u_z"];

/// The points of a line as a plot: the velocity along it.
pub(super) fn panel_of_line(name: &str, points: &[f64]) -> Panel {
    let rows = points.as_chunks::<{ LINE.len() }>().0;
    let series = (5..8).map(|k| Series::line(LINE[k], rows.iter().map(|row| (row[3], row[k])).collect()));
    Panel::new(name, "distance", "velocity", series.collect())
}

fn numbers(PointValue { pressure, velocity: [x, y, z], .. }: PointValue) -> [f64; 4] {
    [pressure, x, y, z]
}
