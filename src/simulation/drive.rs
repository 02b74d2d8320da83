//! What a controller pushes a flow with.

use lbm_core::{Error, FaceRule};

use super::probes::Section;
use super::running::Simulation;

/// What pushes: as a force a volume along an axis, or what has the same effect.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drive {
    /// The body force.
    Force,
    /// Pressures at faces across the axis, whose densities go with a factor.
    Pressure {
        /// The factor's name.
        factor: String,
        /// The fall of the pressure along the axis, a length, where the factor is 1, less that where it is 0.
        gradient: f64,
        /// The length.
        length: f64,
        /// What the factor may be.
        range: [f64; 2],
    },
}

impl Drive {
    /// The pressures whose densities go with a factor in time, [`Course::steered`](lbm_core::rules::Course::steered).
    ///
    /// # Errors
    /// [`Error::Unknown`] for a factor that no rule has; [`Error::Conflict`] where it does not push along the section's axis: no density at a
    /// face across it, or not the same at all nodes.
    pub(super) fn by_pressure(
        simulation: &Simulation,
        section: &Section,
        factor: &str,
    ) -> Result<Drive, Error> {
        let (domain, axis) = (simulation.domain(), section.axis());
        let terms = || domain.rules.iter().flat_map(|rule| &rule.in_time).map(|term| &term.course);
        let Some(course) = terms().find(|course| course.name() == Some(factor)) else {
            let remedy = "give a density one, `.in_time(\"density\", Course::steered(name, ..)?)`";
            return Err(Error::unknown(
                "factor of values in time",
                factor,
                terms().filter_map(|c| c.name()),
                remedy,
            ));
        };
        let mut rise = 0.0;
        for (number, rule) in domain.rules.iter().enumerate() {
            let has_factor = rule.in_time.iter().any(|term| term.course.name() == Some(factor));
            // The end of the axis at which it stands.
            let stands = |face: &usize| match domain.faces[*face] {
                FaceRule::Rule(other) => other == number,
                FaceRule::Patches(patches) => {
                    domain.patches[patches].iter().any(|&other| usize::from(other) == number + 1)
                }
                FaceRule::Periodic | FaceRule::Wall { .. } => false,
            };
            if has_factor && let Some(face) = (2 * axis..2 * axis + 2).find(stands) {
                let density = simulation.density_of(number, factor)?;
                rise += if face % 2 == 0 { density } else { -density };
            }
        }
        if rise == 0.0 {
            let axis = ["x", "y", "z"][axis];
            return Err(Error::conflict(
                format!("no density at the faces across {axis} goes with the factor `{factor}`"),
                format!(
                    "give it to a rule of nodes with a pressure at one of these faces (rules of links do not count), or hold the flow rate \
                     through a section across another axis than {axis}"
                ),
            ));
        }
        let length = simulation.extent()[axis];
        let gradient = simulation.facts().lattice.cs2 * rise / length;
        Ok(Drive::Pressure { factor: factor.to_owned(), gradient, length, range: course.range() })
    }

    /// Steps after which a change is felt along the whole flow: at once, or when sound has gone there and back, with a part of that time more,
    /// so that looks are not in step with sound that goes to and fro.
    pub(super) fn delay(&self, cs2: f64) -> f64 {
        match self {
            Drive::Force => 0.0,
            Drive::Pressure { length, .. } => (1.0 + 5.0_f64.sqrt()) * length / cs2.sqrt(),
        }
    }

    /// How it pushes now along an axis, a volume.
    pub(super) fn now(&self, simulation: &Simulation, axis: usize) -> f64 {
        match self {
            Drive::Force => simulation.force()[axis],
            Drive::Pressure { factor, gradient, .. } => {
                gradient * simulation.factor(factor).unwrap_or_default()
            }
        }
    }

    /// The nearest push that it can give.
    pub(super) fn within(&self, push: f64) -> f64 {
        match self {
            Drive::Force => push,
            Drive::Pressure { gradient, range, .. } => {
                let [one, other] = range.map(|factor| gradient * factor);
                push.clamp(one.min(other), one.max(other))
            }
        }
    }

    /// Pushes so along an axis from now on.
    ///
    /// # Errors
    /// As [`Simulation::set_force`] and [`Simulation::set_factor`].
    pub(super) fn set(&self, simulation: &mut Simulation, axis: usize, push: f64) -> Result<(), Error> {
        match self {
            Drive::Force => {
                let mut force = simulation.force();
                if force[axis] == push {
                    return Ok(());
                }
                force[axis] = push;
                simulation.set_force(force)
            }
            Drive::Pressure { factor, gradient, range, .. } => {
                // The quotient may be beyond by a rounding.
                let now = (push / gradient).clamp(range[0], range[1]);
                if simulation.factor(factor) == Some(now) {
                    return Ok(());
                }
                simulation.set_factor(factor, now)
            }
        }
    }
}
