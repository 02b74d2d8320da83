//! Probes: what is measured while a flow runs, a row of a table each time.
//!
//! | kind | entries | columns |
//! |---|---|---|
//! | `flow-rate` | a section | `flow_rate`: volume a time step that passes it |
//! | `pressure` | a section | `pressure`: the mean over it, above that of the fluid at rest |
//! | `pressure-drop` | `from`, `to`: each a section, or a point | `pressure_drop`: the first less the second |
//! | `point` | `at` | `pressure`, `u_x`, `u_y`, `u_z`, interpolated linearly between nodes |
//! | `line` | `from`, `to` (points), `points` | a table of its own, `NAME.csv`, with a row for each point: `x`, `y`, `z`, `distance`, `pressure`, `u_x`, `u_y`, `u_z` |
//! | `force` | `body`, `about`, `speed`, `area`, `along`, `lift` | `force_x` .. `torque_z`, `c_d`, `c_l` |
//! | `permeability` | `axis`; `from`, `to` (sections) where a pressure drives | `permeability`: node spacings squared (Darcy) |
//!
//! A section is a face of the box, `west`, a plane, `x:10`, or else a patch by its name, whatever that is; a rectangle of a plane says where it lies,
//! `x:10,y:2:9,z:0:4`, from the first node to the one behind the last. Of the patch of a body's surface there is no plane: its `flow_rate` is the mass that leaves through it, its `pressure` the mean over the nodes
//! beside it. A point is `3.5,4.0,0.5`, in two dimensions also `3.5,4.0`: the centre of node i is at
//! i + 1/2. All numbers are in lattice units.
//!
//! The `area` of a force, left out, is that of the body across `along`: the rows of nodes that have one of it, of a face or a patch of one its own from wall to wall; 1 of what has neither. A permeability needs
//! a force along its axis, or sections. The drag is along `along`, x if left out, the lift along `lift`, y, or x where the drag is along y.
//!
//! Sums are exact, and only the nodes that a probe needs are looked at ([`Section`], [`Points`]).

pub mod parse;
mod placed;
mod table;

use std::ops::Range;

use lbm_core::{Error, Face};

use super::pushed::{AXES, Pushed};
use crate::simulation::{Points, Section, Simulation};

pub(super) use placed::{Gauge, Placed};
pub use table::Row;
pub(super) use table::{Log, Table};

/// Something that is measured, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// What its columns are called by, `NAME.flow_rate`: letters, digits, `-` and `_`.
    pub name: String,
    /// What it measures.
    pub kind: Kind,
}

/// What a probe measures.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// The volume that passes a section in a time step.
    FlowRate(Across),
    /// The mean pressure over a section.
    Pressure(Across),
    /// The pressure at the first place less that at the second.
    PressureDrop([Spot; 2]),
    /// Pressure and velocity at a point.
    Point(Point),
    /// The same at so many points from one to the other.
    Line {
        /// Its ends.
        ends: [Point; 2],
        /// Points, its ends counted.
        points: usize,
    },
    /// Force, torque and coefficients of a body.
    Force {
        /// The body, and what coefficients refer to.
        pushed: Pushed,
        /// The point that torques are about, if one is given.
        about: Option<Point>,
    },
    /// The permeability along an axis, by the body force and what the pressure falls by between two sections.
    Permeability {
        /// 0, 1, 2 for x, y, z.
        axis: usize,
        /// None where the force alone drives.
        between: Option<[Across; 2]>,
    },
}

/// A section as it is written, before the box is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Across {
    /// The nodes at a face of the box.
    Face(Face),
    /// Those of the patch of a face that has this name, or for flow rates and pressures the links of that of a surface.
    Patch(String),
    /// A plane of nodes, or those of it within ranges along x, y, z.
    Plane {
        /// The axis that it is across: 0, 1, 2 for x, y, z.
        axis: usize,
        /// Which of the planes, from 0.
        at: usize,
        /// Whole where there is none.
        within: [Option<Range<usize>>; 3],
    },
}

/// Where a pressure is looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// Its mean over a section.
    Section(Across),
    /// Its value at a point.
    Point(Point),
}

/// A point as it is written, before the box is known: two numbers or three.
#[derive(Clone, Debug, PartialEq)]
pub struct Point(pub Vec<f64>);

impl Point {
    /// Where it is in a box of so many dimensions; in the plane two numbers are in the middle of the nodes.
    fn within(&self, dimension: usize) -> Result<[f64; 3], Error> {
        match (dimension, &self.0[..]) {
            (2, &[x, y]) => Ok([x, y, 0.5]),
            (_, &[x, y, z]) => Ok([x, y, z]),
            (_, numbers) => Err(Error::out_of_range(
                "point of a probe",
                format!("{numbers:?}"),
                format!("{dimension} numbers, as many as the box has dimensions"),
                "write x,y,z; the centre of node i is at i + 1/2",
            )),
        }
    }
}

impl Across {
    /// The name of the patch of a surface that it is, if it is one.
    fn on_surface(&self, simulation: &Simulation) -> Option<&str> {
        match self {
            Across::Patch(name) => Some(name.as_str()).filter(|name| simulation.is_on_surface(name)),
            Across::Face(_) | Across::Plane { .. } => None,
        }
    }

    /// The section of a box.
    ///
    /// # Errors
    /// As [`Section::rectangle`] and [`Simulation::patch`].
    pub fn section(&self, simulation: &Simulation) -> Result<Section, Error> {
        let domain = simulation.domain();
        match self {
            Across::Patch(name) => simulation.patch(name),
            Across::Face(face) => Section::face(domain, *face),
            Across::Plane { axis, at, within } => {
                let within = std::array::from_fn(|axis| within[axis].clone().unwrap_or(0..domain.size[axis]));
                Section::rectangle(domain, *axis, *at, within)
            }
        }
    }
}

impl Probe {
    /// The probe in a box.
    ///
    /// # Errors
    /// Those of [`Section`] and [`Points`], for places that the box has not, with the entry that says them.
    pub(super) fn placed(&self, simulation: &Simulation) -> Result<Placed, Error> {
        let domain = simulation.domain();
        let said = |key: &'static str| move |error| of_entry(error, key, &self.name);
        let section = |across: &Across, key| across.section(simulation).map_err(said(key));
        let over = |across: &Across, key| match across.on_surface(simulation) {
            Some(patch) => Ok(placed::Spot::Beside(patch.to_owned())),
            None => section(across, key).map(placed::Spot::Section),
        };
        let within = |at: &Point, key| at.within(simulation.dimension()).map_err(said(key));
        let point = |at: &Point, key| Points::new(domain, [within(at, key)?]).map_err(said(key));
        Ok(match &self.kind {
            Kind::FlowRate(across) => match across.on_surface(simulation) {
                Some(patch) => Placed::Through(patch.to_owned()),
                None => Placed::FlowRate(section(across, "section")?),
            },
            Kind::Pressure(across) => Placed::Pressure(over(across, "section")?),
            Kind::PressureDrop([from, to]) => {
                let spot = |spot: &Spot, key| match spot {
                    Spot::Section(across) => over(across, key),
                    Spot::Point(at) => point(at, key).map(placed::Spot::Point),
                };
                Placed::PressureDrop([spot(from, "from")?, spot(to, "to")?])
            }
            Kind::Point(at) => Placed::Point(point(at, "at")?),
            Kind::Line { ends: [from, to], points } => {
                point(from, "from").and(point(to, "to"))?;
                let [from, to] = [within(from, "from")?, within(to, "to")?];
                Placed::Line(Points::along(domain, from, to, *points).map_err(said("points"))?)
            }
            Kind::Force { pushed, about } => {
                let about = about.as_ref().map_or(Ok(pushed.about), |about| within(about, "about"))?;
                for (key, axis) in ["along", "lift"].into_iter().zip(pushed.axes) {
                    has_axis(axis, simulation.dimension()).map_err(said(key))?;
                }
                Placed::Force(Pushed { about, ..pushed.clone() })
            }
            Kind::Permeability { axis, between } => {
                let between = match between {
                    Some([from, to]) => Some([section(from, "from")?, section(to, "to")?]),
                    None => None,
                };
                Placed::Permeability { axis: *axis, between }
            }
        })
    }
}

/// That a box of so many dimensions has an axis.
fn has_axis(axis: usize, dimension: usize) -> Result<(), Error> {
    if axis < dimension {
        return Ok(());
    }
    let allowed = AXES[..dimension].join(", ");
    Err(Error::out_of_range("axis of a probe", AXES[axis], allowed, "name an axis of the box"))
}

/// An error with the entry of a probe that it is about; what is unknown has a name of its own.
fn of_entry(error: Error, key: &str, name: &str) -> Error {
    let said = |what: String| match what.contains("` of the probe `") {
        true => what,
        false => format!("`{key}` of the probe `{name}`: {what}"),
    };
    match error {
        Error::OutOfRange { name, value, allowed, remedy } => {
            Error::OutOfRange { name: said(name), value, allowed, remedy }
        }
        Error::Conflict { what, remedy } => Error::Conflict { what: said(what), remedy },
        other => other,
    }
}

#[cfg(test)]
mod tests;
