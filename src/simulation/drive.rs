//! What a controller pushes a flow with.

use lbm_core::Error;

use super::running::Simulation;
use super::watched::Watched;

/// What pushes: as a force a volume, or what has the same effect.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drive {
    /// The body force along an axis.
    Force {
        /// The axis.
        axis: usize,
    },
    /// Pressures at ends of the flow, whose densities go with a factor.
    Pressure {
        /// The factor's name.
        factor: String,
        /// The fall of the pressure along the flow, a length, where the factor is 1, less that where it is 0.
        gradient: f64,
        /// The length of the flow.
        length: f64,
        /// What the factor may be.
        range: [f64; 2],
    },
}

impl Drive {
    /// The pressures whose densities go with a factor in time, [`Course::steered`](lbm_core::rules::Course::steered).
    ///
    /// # Errors
    /// [`Error::Unknown`] for a factor that no rule has; [`Error::Conflict`] where it does not push what is watched, or is not the same at all nodes
    /// of a rule.
    pub(super) fn by_pressure(
        simulation: &Simulation,
        watched: &Watched,
        factor: &str,
    ) -> Result<Drive, Error> {
        let domain = simulation.domain();
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
            if rule.in_time.iter().any(|term| term.course.name() == Some(factor)) {
                rise += watched.pushes(simulation, number) * simulation.density_of(number, factor)?;
            }
        }
        if rise == 0.0 {
            let (what, remedy) = match watched.section() {
                Some(_) => ("at the faces ", ", or hold the flow rate through a section across another axis"),
                None => ("that pushes through ", ""),
            };
            return Err(Error::conflict(
                format!("no density {what}{} goes with the factor `{factor}`", watched.described()),
                format!("give it to a rule with a pressure at one end of the flow{remedy}"),
            ));
        }
        let extent = simulation.extent();
        let longest = extent.into_iter().fold(0.0, f64::max);
        let length = watched.section().map_or(longest, |section| extent[section.axis()]);
        let gradient = simulation.facts().lattice.cs2 * rise / length;
        Ok(Drive::Pressure { factor: factor.to_owned(), gradient, length, range: course.range() })
    }

    /// Steps after which a change is felt along the whole flow: at once, or when sound has gone there and back, with a part of that time more,
    /// so that looks are not in step with sound that goes to and fro.
    pub(super) fn delay(&self, cs2: f64) -> f64 {
        match self {
            Drive::Force { .. } => 0.0,
            Drive::Pressure { length, .. } => (1.0 + 5.0_f64.sqrt()) * length / cs2.sqrt(),
        }
    }

    /// How it pushes now, a volume.
    pub(super) fn now(&self, simulation: &Simulation) -> f64 {
        match self {
            Drive::Force { axis } => simulation.force()[*axis],
            Drive::Pressure { factor, gradient, .. } => {
                gradient * simulation.factor(factor).unwrap_or_default()
            }
        }
    }

    /// The least and the greatest push that a pressure can give.
    pub(super) fn ends(&self) -> Option<[f64; 2]> {
        match self {
            Drive::Force { .. } => None,
            Drive::Pressure { gradient, range, .. } => {
                let [one, other] = range.map(|factor| gradient * factor);
                Some([one.min(other), one.max(other)])
            }
        }
    }

    /// The nearest push that it can give.
    pub(super) fn within(&self, push: f64) -> f64 {
        self.ends().map_or(push, |[least, greatest]| push.clamp(least, greatest))
    }

    /// Pushes so from now on.
    ///
    /// # Errors
    /// As [`Simulation::set_force`] and [`Simulation::set_factor`].
    pub(super) fn set(&self, simulation: &mut Simulation, push: f64) -> Result<(), Error> {
        match self {
            Drive::Force { axis } => {
                let mut force = simulation.force();
                if force[*axis] == push {
                    return Ok(());
                }
                force[*axis] = push;
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
