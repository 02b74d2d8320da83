//! Where a controller looks at a flow rate.

use lbm_core::{Domain, Error, FaceRule};

use super::probes::Section;
use super::running::Simulation;

/// Where a flow rate is looked at, and which way it counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Watched {
    /// Through a section along its axis, or the mean with that beside it.
    Section { section: Section, beside: Option<Section> },
    /// Out of the fluid through a patch of links.
    Patch {
        name: String,
        /// Its rule, an entry of [`Domain::rules`].
        rule: usize,
        /// Fluid nodes beside it.
        area: usize,
        /// The dimension of the flow.
        dimension: usize,
    },
}

impl Watched {
    /// A patch of links.
    ///
    /// # Errors
    /// As [`Simulation::mass_into`]; [`Error::Unknown`] for a patch that has no rule of links.
    pub(super) fn patch(simulation: &mut Simulation, name: &str) -> Result<Watched, Error> {
        // Which says what is wrong with the name.
        simulation.mass_into(name)?;
        let (rule, area) = simulation.of_patch(name)?;
        let dimension = simulation.facts().lattice.dimension;
        Ok(Watched::Patch { name: name.to_owned(), rule, area, dimension })
    }

    /// The section, if it is one.
    pub(super) fn section(&self) -> Option<&Section> {
        match self {
            Watched::Section { section, .. } => Some(section),
            Watched::Patch { .. } => None,
        }
    }

    /// The volume a time step.
    pub(super) fn flow_rate(&self, simulation: &mut Simulation) -> Result<f64, Error> {
        match self {
            Watched::Section { section, beside: None } => simulation.flow_rate(section),
            Watched::Section { section, beside: Some(beside) } => {
                Ok((simulation.flow_rate(section)? + simulation.flow_rate(beside)?) / 2.0)
            }
            Watched::Patch { name, .. } => simulation.mass_into(name.as_str()),
        }
    }

    /// The area through which it goes, in node spacings.
    pub(super) fn area(&self) -> f64 {
        match self {
            Watched::Section { section, .. } => section.area(),
            Watched::Patch { area, .. } => *area as f64,
        }
    }

    /// About how far it is across, in nodes.
    pub(super) fn width(&self) -> f64 {
        match self {
            Watched::Section { section, .. } => section.least_extent() as f64,
            Watched::Patch { area, dimension, .. } => (*area as f64).powf(1.0 / (*dimension as f64 - 1.0)),
        }
    }

    /// Which way a pressure at a rule, an entry of [`Domain::rules`], pushes what goes through: 1 with it, -1 against it, 0 where it does neither.
    pub(super) fn pushes(&self, simulation: &Simulation, rule: usize) -> f64 {
        let domain = simulation.domain();
        match self {
            Watched::Section { section, .. } => {
                let axis = section.axis();
                if let Some(face) = (2 * axis..2 * axis + 2).find(|&face| stands_at(domain, face, rule)) {
                    return if face % 2 == 0 { 1.0 } else { -1.0 };
                }
                let links = domain.links.iter().filter(|link| link.rule == rule);
                let places = links.map(|link| domain.position(link.node)[axis] as f64 + 0.5);
                let (count, sum) = places.fold((0.0, 0.0), |(count, sum), at| (count + 1.0, sum + at));
                // Links beside the section push nowhere.
                let before = if count > 0.0 { section.position() - sum / count } else { 0.0 };
                if before.abs() < 1.0 { 0.0 } else { before.signum() }
            }
            Watched::Patch { rule: own, .. } if *own == rule => -1.0,
            Watched::Patch { .. } => 1.0,
        }
    }

    /// What it is, in words.
    pub(super) fn described(&self) -> String {
        match self {
            Watched::Section { section, .. } => format!("across {}", ["x", "y", "z"][section.axis()]),
            Watched::Patch { name, .. } => format!("`{name}`"),
        }
    }
}

/// Whether a rule of nodes, an entry of [`Domain::rules`], stands at a face.
fn stands_at(domain: &Domain, face: usize, rule: usize) -> bool {
    match domain.faces[face] {
        FaceRule::Rule(other) => other == rule,
        FaceRule::Patches(patches) => {
            domain.patches[patches].iter().any(|&other| usize::from(other) == rule + 1)
        }
        FaceRule::Periodic | FaceRule::Wall { .. } => false,
    }
}
