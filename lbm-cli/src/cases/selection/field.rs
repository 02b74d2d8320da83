//! Fields that can be written: their names, units and values.

use std::borrow::Cow;
use std::ops::Range;

use lbm_core::Domain;
use lbm_core::units::{Quantity, UnitConverter};

use super::super::shown::Scalar;
use super::super::state::State;
use crate::output::Colouring;
use crate::simulation::{q_criterion, vorticity};

/// A field by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cases) enum Field {
    Density,
    Pressure,
    Velocity,
    Vorticity,
    Q,
    WallShearStress,
    /// What the case shows.
    Scalar(&'static Scalar),
}

impl Field {
    /// Those of every flow.
    pub(super) const ALL: [Field; 6] = [
        Field::Density,
        Field::Pressure,
        Field::Velocity,
        Field::Vorticity,
        Field::Q,
        Field::WallShearStress,
    ];

    /// What settings and files call it.
    pub(in crate::cases) fn name(self) -> &'static str {
        match self {
            Field::Density => "density",
            Field::Pressure => "pressure",
            Field::Velocity => "velocity",
            Field::Vorticity => "vorticity",
            Field::Q => "q",
            Field::WallShearStress => "wall_shear_stress",
            Field::Scalar(scalar) => scalar.name,
        }
    }

    /// What a colour bar says of it: with its SI unit, if there is a converter.
    pub(in crate::cases) fn label(self, units: Option<&UnitConverter>) -> String {
        let name = if let Field::Scalar(scalar) = self { scalar.label } else { self.name() };
        match self.unit().filter(|_| units.is_some()) {
            Some(unit) => format!("{name} [{unit}]"),
            None => name.to_owned(),
        }
    }

    /// The SI unit that [`scale`](Field::scale) leads to, if it has one.
    fn unit(self) -> Option<&'static str> {
        match self {
            Field::Density => Some("kg/m³"),
            Field::Pressure | Field::WallShearStress => Some("Pa"),
            Field::Velocity => Some("m/s"),
            Field::Vorticity => Some("1/s"),
            Field::Q => Some("1/s²"),
            Field::Scalar(_) => None,
        }
    }

    /// How it is drawn.
    pub(in crate::cases) fn colouring(self) -> Colouring {
        if let Field::Scalar(scalar) = self { scalar.colouring } else { Colouring::default() }
    }

    /// What a value is multiplied by: SI units if there is a converter.
    pub(in crate::cases) fn scale(self, units: Option<&UnitConverter>) -> f64 {
        let Some(units) = units else { return 1.0 };
        match self {
            Field::Density => units.scale(Quantity::Density),
            Field::Pressure => units.scale(Quantity::Pressure),
            Field::Velocity => units.scale(Quantity::Velocity),
            Field::Vorticity => 1.0 / units.scale(Quantity::Time),
            Field::Q => units.scale(Quantity::Time).powi(-2),
            Field::WallShearStress => units.scale(Quantity::Stress),
            // A share, whatever the units.
            Field::Scalar(_) => 1.0,
        }
    }

    /// Which of a node's `rho, u_x, u_y, u_z` it is made of; none where others' nodes count, too.
    pub(in crate::cases) fn components(self) -> Range<usize> {
        match self {
            Field::Density | Field::Pressure => 0..1,
            Field::Velocity => 1..4,
            Field::Vorticity | Field::Q | Field::WallShearStress | Field::Scalar(_) => 0..0,
        }
    }

    /// How many numbers a node has.
    pub(in crate::cases) fn count(self) -> usize {
        match self {
            Field::Velocity | Field::Vorticity | Field::WallShearStress => 3,
            Field::Density | Field::Pressure | Field::Q | Field::Scalar(_) => 1,
        }
    }

    /// The values of all nodes, lattice units, one component or three of each.
    pub(in crate::cases) fn values<'a>(
        self,
        state: &'a State,
        domain: &Domain,
        cs2: f64,
    ) -> (usize, Cow<'a, [f64]>) {
        match self {
            Field::Density => (1, Cow::from(&state.density)),
            Field::Pressure => (1, state.density.iter().map(|&rho| pressure(rho, cs2)).collect()),
            Field::Velocity => (3, Cow::from(state.velocity.as_flattened())),
            Field::Vorticity => (3, Cow::from(vorticity(domain, &state.velocity).into_flattened())),
            Field::Q => (1, Cow::from(q_criterion(domain, &state.velocity))),
            Field::WallShearStress => (3, Cow::from(state.wall_shear_stress.as_flattened())),
            Field::Scalar(_) => (1, Cow::from(&state.scalar)),
        }
    }
}

/// The pressure above that of the fluid at rest.
pub(super) fn pressure(rho: f64, cs2: f64) -> f64 {
    (rho - 1.0) * cs2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::shown::PHI;

    #[test]
    fn a_label_has_the_unit_of_what_is_drawn() {
        let units = UnitConverter::from_spacing_and_time_step(1e-3, 1e-4, 1000.0).unwrap();
        let labels = [Field::Pressure, Field::Vorticity, Field::Q].map(|field| field.label(Some(&units)));
        assert_eq!(labels, ["pressure [Pa]", "vorticity [1/s]", "q [1/s²]"]);
        assert_eq!(Field::Pressure.label(None), "pressure");
        assert_eq!(Field::Scalar(&PHI).label(Some(&units)), "phi");
    }
}
