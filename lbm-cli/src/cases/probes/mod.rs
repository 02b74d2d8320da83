//! Probes: what is measured while a flow runs, a row of a table each time.
//!
//! | kind | entries | columns |
//! |---|---|---|
//! | `flow-rate` | a section | `flow_rate`: volume a time step that passes it |
//! | `pressure` | a section | `pressure`: the mean over it, above that of the fluid at rest |
//! | `pressure-drop` | `from`, `to`: each a section, or a point | `pressure_drop`: the first less the second |
//! | `point` | `at` | `pressure`, `u_x`, `u_y`, `u_z`, interpolated linearly between nodes |
//! | `line` | `from`, `to` (points), `points` | none: its last values become `NAME.csv` |
//! | `force` | `body`, `about`, `speed`, `area` | `force_x` .. `torque_z`, `c_d`, `c_l` |
//! | `permeability` | `axis`; `from`, `to` (sections) where a pressure drives | `permeability`: node spacings squared (Darcy) |
//!
//! A section is a face of the box, `west`, a patch by its name, or a plane, `x:10`; a rectangle of it says where it lies, `x:10,y:2:9,z:0:4`, from the
//! first node to the one behind the last. Of the patch of a body's surface there is no plane: its `flow_rate` is the mass that leaves through it, its `pressure` the mean over the nodes
//! beside it. A point is `3.5,4.0,0.5`: the centre of node i is at i + 1/2. All numbers are in lattice units.
//!
//! The `area` of a force, left out, is that of the body across x: the rows of nodes that have one of it; 1 of a face or a patch. A permeability needs
//! a force along its axis, or sections.
//!
//! Sums are exact, and only the nodes that a probe needs are looked at ([`Section`], [`Points`]).

pub mod parse;
mod placed;
mod table;

use std::ops::Range;

use lbm_core::{Error, Face};

use super::pushed::Pushed;
use crate::simulation::{Points, Section, Simulation};

pub(super) use placed::{Gauge, LINE, Placed, panel_of_line};
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
    Point([f64; 3]),
    /// The same at so many points from one to the other, when the run ends.
    Line {
        /// Its ends.
        ends: [[f64; 3]; 2],
        /// Points, its ends counted.
        points: usize,
    },
    /// Force, torque and coefficients of a body.
    Force(Pushed),
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
    Point([f64; 3]),
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
    /// Those of [`Section`] and [`Points`], for places that the box has not.
    pub(super) fn placed(&self, simulation: &Simulation) -> Result<Placed, Error> {
        let domain = simulation.domain();
        let section = |across: &Across| across.section(simulation);
        let over = |across: &Across| match across.on_surface(simulation) {
            Some(patch) => Ok(placed::Spot::Beside(patch.to_owned())),
            None => section(across).map(placed::Spot::Section),
        };
        let point = |at: [f64; 3]| Points::new(domain, [at]);
        Ok(match &self.kind {
            Kind::FlowRate(across) => match across.on_surface(simulation) {
                Some(patch) => Placed::Through(patch.to_owned()),
                None => Placed::FlowRate(section(across)?),
            },
            Kind::Pressure(across) => Placed::Pressure(over(across)?),
            Kind::PressureDrop(spots) => {
                let spot = |spot: &Spot| match spot {
                    Spot::Section(across) => over(across),
                    Spot::Point(at) => point(*at).map(placed::Spot::Point),
                };
                Placed::PressureDrop([spot(&spots[0])?, spot(&spots[1])?])
            }
            Kind::Point(at) => Placed::Point(point(*at)?),
            Kind::Line { ends: [from, to], points } => {
                Placed::Line(Points::along(domain, *from, *to, *points)?)
            }
            Kind::Force(pushed) => Placed::Force(pushed.clone()),
            Kind::Permeability { axis, between } => {
                let between = match between {
                    Some([from, to]) => Some([section(from)?, section(to)?]),
                    None => None,
                };
                Placed::Permeability { axis: *axis, between }
            }
        })
    }
}

#[cfg(test)]
mod tests;
