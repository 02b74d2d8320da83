//! From SI units to lattice units and back.
//!
//! A lattice counts lengths in node spacings dx, times in time steps dt and densities in the fluid's own density
//! rho_0. These three scales fix that of every other [`Quantity`].
//!
//! The reference is Krüger et al., *The Lattice Boltzmann Method* (2017), chapter 7.
//!
//! # Example: water in a cavity of 1 cm
//!
//! Water (nu = 1e-6 m^2/s, 1000 kg/m^3) fills a square cavity of side 1 cm, and the flow is to have Re = 1000.
//! Across the cavity lie 256 nodes, and the lid moves at Mach 0.1 sqrt(3), that is at 0.1 lattice units.
//!
//! ```
//! use lbm_core::units::{PhysicalScale, Quantity, Similarity, UnitConverter, relaxation_time};
//!
//! let units = UnitConverter::from_reynolds_and_mach(Similarity {
//!     reynolds: 1000.0,
//!     mach: 0.1 * 3f64.sqrt(),
//!     resolution: 256.0,
//!     length: 0.01,
//!     scale: PhysicalScale::Viscosity(1e-6),
//!     density: 1000.0,
//!     cs2: 1.0 / 3.0,
//! })?;
//!
//! // The lid: Re nu / L = 0.1 m/s, which is 0.1 lattice units as chosen.
//! let lid = units.to_si(Quantity::Velocity, 0.1);
//! assert!((lid - 0.1).abs() < 1e-15);
//!
//! // A node spacing is 39 micrometres, a time step 39 microseconds: 25 600 steps are one second.
//! assert!((units.to_si(Quantity::Length, 1.0) - 0.01 / 256.0).abs() < 1e-18);
//! assert!((units.to_lattice(Quantity::Time, 1.0) - 25_600.0).abs() < 1e-8);
//!
//! // The viscosity that the solver needs, and its relaxation time.
//! let viscosity = units.to_lattice(Quantity::Viscosity, 1e-6);
//! assert!((viscosity - 0.0256).abs() < 1e-15);
//! assert!((relaxation_time(viscosity, 1.0 / 3.0)? - 0.5768).abs() < 1e-14);
//!
//! // The Reynolds number is the same on both sides.
//! let (physical, lattice) = (0.1 * 0.01 / 1e-6, 0.1 * 256.0 / viscosity);
//! assert!((physical - lattice).abs() < 1e-9);
//!
//! // A node of density 1.001 is under an excess pressure of a third of a pascal.
//! assert!((units.pressure_of_density(1.001) - 1.0 / 3.0).abs() < 1e-9);
//! # Ok::<(), lbm_core::Error>(())
//! ```

use crate::error::Error;

/// The largest velocity, in lattice units, for which a lattice Boltzmann method is trusted.
pub const LARGEST_VELOCITY: f64 = 0.3;

/// The largest density, in lattice units, that is taken for one: at rest it is 1, of a liquid beside its vapour some 10. Beyond, a number has other units.
pub const LARGEST_DENSITY: f64 = 100.0;

/// The smallest distance of the relaxation time from 1/2 that is accepted.
pub const SMALLEST_TAU_EXCESS: f64 = 1e-5;

/// What a number measures, and so which scale converts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// m; one lattice unit is dx.
    Length,
    /// s; dt.
    Time,
    /// kg/m^3; rho_0.
    Density,
    /// m/s; dx / dt.
    Velocity,
    /// m/s^2, a body force per mass such as gravity; dx / dt^2.
    Acceleration,
    /// m^2/s, the kinematic viscosity; dx^2 / dt.
    Viscosity,
    /// Pa, relative to the pressure at lattice density 1; rho_0 (dx / dt)^2.
    Pressure,
    /// Pa; rho_0 (dx / dt)^2.
    Stress,
    /// N/m^3, a body force per volume, what a solver's `force` is; rho_0 dx / dt^2.
    ForceDensity,
    /// N, on a body in three dimensions; rho_0 dx^4 / dt^2. In two dimensions a lattice force is that on a slice of depth dx.
    Force,
}

/// The physical quantity that, besides the length, fixes the scales of a flow of given Reynolds number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PhysicalScale {
    /// The kinematic viscosity in m^2/s; the velocity follows as Re nu / L.
    Viscosity(f64),
    /// The reference velocity in m/s; the viscosity follows as U L / Re.
    Velocity(f64),
}

/// A flow given by its dimensionless numbers and its physical size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Re = U L / nu, the same in both systems of units.
    pub reynolds: f64,
    /// The Mach number *of the lattice*, u / c_s: a numerical parameter, seldom that of the fluid.
    pub mach: f64,
    /// How many node spacings the reference length has.
    pub resolution: f64,
    /// The reference length in m.
    pub length: f64,
    /// The viscosity or the velocity, physical.
    pub scale: PhysicalScale,
    /// The fluid's density in kg/m^3.
    pub density: f64,
    /// The lattice's speed of sound squared, 1/3 for most.
    pub cs2: f64,
}

/// The scales between SI and lattice units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitConverter {
    spacing: f64,
    time_step: f64,
    density: f64,
    cs2: f64,
}

impl UnitConverter {
    /// From the node spacing in m, the time step in s and the fluid's density in kg/m^3. c_s^2 is 1/3 unless
    /// [`with_cs2`](UnitConverter::with_cs2) says otherwise.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a number that is not positive and finite.
    pub fn from_spacing_and_time_step(
        spacing: f64,
        time_step: f64,
        density: f64,
    ) -> Result<UnitConverter, Error> {
        Ok(UnitConverter {
            spacing: positive("node spacing", spacing, "m")?,
            time_step: positive("time step", time_step, "s")?,
            density: positive("physical density", density, "kg/m^3")?,
            cs2: 1.0 / 3.0,
        })
    }

    /// From Reynolds number, lattice Mach number, resolution and physical size.
    ///
    /// dx = L / resolution; u = Ma c_s; U = Re nu / L unless given; dt = dx u / U.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for a number that is not positive and finite, a Mach number whose lattice velocity
    /// is above [`LARGEST_VELOCITY`], or a relaxation time nearer to 1/2 than [`SMALLEST_TAU_EXCESS`].
    pub fn from_reynolds_and_mach(flow: Similarity) -> Result<UnitConverter, Error> {
        let reynolds = positive("Reynolds number", flow.reynolds, "no unit")?;
        let resolution = positive("resolution", flow.resolution, "node spacings")?;
        let length = positive("reference length", flow.length, "m")?;
        let cs2 = checked_cs2(flow.cs2)?;
        let largest_mach = LARGEST_VELOCITY / cs2.sqrt();
        if !(flow.mach > 0.0 && flow.mach <= largest_mach) {
            return Err(Error::out_of_range(
                "Mach number",
                flow.mach,
                format!("0 < Ma <= {largest_mach:.3}, that is u <= {LARGEST_VELOCITY} nodes a time step"),
                "take a smaller Mach number (errors grow as its square; 0.1 is usual)",
            ));
        }
        let velocity = match flow.scale {
            PhysicalScale::Viscosity(nu) => reynolds * positive("physical viscosity", nu, "m^2/s")? / length,
            PhysicalScale::Velocity(u) => positive("physical velocity", u, "m/s")?,
        };
        let lattice_velocity = flow.mach * cs2.sqrt();
        relaxation_time(lattice_velocity * resolution / reynolds, cs2)?;
        let spacing = length / resolution;
        let time_step = spacing * lattice_velocity / velocity;
        UnitConverter::from_spacing_and_time_step(spacing, time_step, flow.density)?.with_cs2(cs2)
    }

    /// The same scales for a lattice of another speed of sound, which only the pressure feels.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] unless 0 < c_s^2 <= 1.
    pub fn with_cs2(self, cs2: f64) -> Result<UnitConverter, Error> {
        Ok(UnitConverter { cs2: checked_cs2(cs2)?, ..self })
    }

    /// What one lattice unit is in SI units.
    #[must_use]
    pub fn scale(&self, quantity: Quantity) -> f64 {
        let UnitConverter { spacing: dx, time_step: dt, density: rho, .. } = *self;
        let velocity = dx / dt;
        match quantity {
            Quantity::Length => dx,
            Quantity::Time => dt,
            Quantity::Density => rho,
            Quantity::Velocity => velocity,
            Quantity::Acceleration => velocity / dt,
            Quantity::Viscosity => dx * velocity,
            Quantity::Pressure | Quantity::Stress => rho * velocity * velocity,
            Quantity::ForceDensity => rho * velocity / dt,
            Quantity::Force => rho * velocity * velocity * dx * dx,
        }
    }

    /// From lattice units to SI.
    #[must_use]
    pub fn to_si(&self, quantity: Quantity, lattice: f64) -> f64 {
        lattice * self.scale(quantity)
    }

    /// From SI to lattice units.
    #[must_use]
    pub fn to_lattice(&self, quantity: Quantity, si: f64) -> f64 {
        si / self.scale(quantity)
    }

    /// The pressure in Pa, relative to that at lattice density 1, of a node of this lattice density:
    /// p = c_s^2 (rho - 1) rho_0 (dx / dt)^2.
    #[must_use]
    pub fn pressure_of_density(&self, lattice_density: f64) -> f64 {
        self.to_si(Quantity::Pressure, self.cs2 * (lattice_density - 1.0))
    }
}

/// The relaxation time tau = nu / c_s^2 + 1/2 in time steps, from the viscosity in lattice units.
///
/// # Errors
/// [`Error::OutOfRange`] for a viscosity that is not positive and finite, or so small that tau - 1/2 is below
/// [`SMALLEST_TAU_EXCESS`].
pub fn relaxation_time(viscosity: f64, cs2: f64) -> Result<f64, Error> {
    let cs2 = checked_cs2(cs2)?;
    let smallest = SMALLEST_TAU_EXCESS * cs2;
    if !(viscosity.is_finite() && viscosity >= smallest) {
        return Err(Error::out_of_range(
            "viscosity",
            viscosity,
            format!(
                "at least {smallest:.2e} and finite (lattice units), so that tau = nu / c_s^2 + 1/2 is at least \
                 {}",
                0.5 + SMALLEST_TAU_EXCESS
            ),
            "raise the viscosity, the resolution or the velocity, or lower the Reynolds number",
        ));
    }
    Ok(viscosity / cs2 + 0.5)
}

/// The relaxation rate omega = 1 / tau per time step, from the viscosity in lattice units.
///
/// # Errors
/// Those of [`relaxation_time`].
pub fn relaxation_rate(viscosity: f64, cs2: f64) -> Result<f64, Error> {
    Ok(1.0 / relaxation_time(viscosity, cs2)?)
}

fn positive(name: &str, value: f64, unit: &str) -> Result<f64, Error> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(Error::out_of_range(
        name,
        value,
        format!("positive and finite ({unit})"),
        format!("give the {name} in {unit}"),
    ))
}

fn checked_cs2(cs2: f64) -> Result<f64, Error> {
    if cs2 > 0.0 && cs2 <= 1.0 {
        return Ok(cs2);
    }
    Err(Error::out_of_range("c_s^2", cs2, "0 < c_s^2 <= 1", "take the lattice's CS2 (1/3 for most)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;

    fn air_channel() -> Similarity {
        Similarity {
            reynolds: 250.0,
            mach: 0.1,
            resolution: 40.0,
            length: 0.02,
            scale: PhysicalScale::Velocity(0.19),
            density: 1.2,
            cs2: 1.0 / 3.0,
        }
    }

    #[test]
    fn every_quantity_goes_there_and_back_by_its_powers_of_the_basic_scales() {
        let powers = [
            (Quantity::Length, [1, 0, 0]),
            (Quantity::Time, [0, 1, 0]),
            (Quantity::Density, [0, 0, 1]),
            (Quantity::Velocity, [1, -1, 0]),
            (Quantity::Acceleration, [1, -2, 0]),
            (Quantity::Viscosity, [2, -1, 0]),
            (Quantity::Pressure, [2, -2, 1]),
            (Quantity::Stress, [2, -2, 1]),
            (Quantity::ForceDensity, [1, -2, 1]),
            (Quantity::Force, [4, -2, 1]),
        ];
        let base = [2e-3f64, 5e-4, 870.0];
        let units = UnitConverter::from_spacing_and_time_step(base[0], base[1], base[2]).unwrap();
        for (quantity, powers) in powers {
            let expected: f64 = (0..3).map(|i| base[i].powi(powers[i])).product();
            assert_relative_eq!(units.scale(quantity), expected, max_relative = 1e-14);
            let back = units.to_lattice(quantity, units.to_si(quantity, 0.37));
            assert_relative_eq!(back, 0.37, max_relative = 1e-15);
        }
    }

    #[test]
    fn reynolds_and_mach_are_met_in_both_systems() {
        let flow = air_channel();
        let units = UnitConverter::from_reynolds_and_mach(flow).unwrap();
        let nu = 0.19 * 0.02 / 250.0;
        let u = units.to_lattice(Quantity::Velocity, 0.19);
        let l = units.to_lattice(Quantity::Length, 0.02);
        assert_relative_eq!(l, 40.0, max_relative = 1e-14);
        assert_relative_eq!(u / flow.cs2.sqrt(), 0.1, max_relative = 1e-14);
        assert_relative_eq!(u * l / units.to_lattice(Quantity::Viscosity, nu), 250.0, max_relative = 1e-13);
        // The same flow given by its viscosity.
        let again = Similarity { scale: PhysicalScale::Viscosity(nu), ..flow };
        let again = UnitConverter::from_reynolds_and_mach(again).unwrap();
        assert_relative_eq!(again.scale(Quantity::Time), units.scale(Quantity::Time), max_relative = 1e-14);
    }

    #[test]
    fn euler_and_froude_numbers_are_the_same_in_both_systems() {
        let units = UnitConverter::from_reynolds_and_mach(air_channel()).unwrap();
        let (rho, p) = (1.0007, units.pressure_of_density(1.0007));
        let u = 0.19;
        let lattice_u = units.to_lattice(Quantity::Velocity, u);
        assert_relative_eq!(p / (1.2 * u * u), (rho - 1.0) / 3.0 / lattice_u.powi(2), max_relative = 1e-12);
        let (g, l) = (9.81, 0.02);
        let lattice_g = units.to_lattice(Quantity::Acceleration, g);
        assert_relative_eq!(u * u / (g * l), lattice_u.powi(2) / (lattice_g * 40.0), max_relative = 1e-13);
        // A force per volume is the density times that per mass.
        let force = units.to_lattice(Quantity::ForceDensity, 1.2 * g);
        assert_relative_eq!(force, lattice_g, max_relative = 1e-13);
    }

    #[test]
    fn relaxation_time_and_rate_follow_from_the_viscosity() {
        assert_relative_eq!(relaxation_time(0.1, 1.0 / 3.0).unwrap(), 0.8, max_relative = 1e-15);
        assert_relative_eq!(relaxation_rate(1.0 / 6.0, 1.0 / 3.0).unwrap(), 1.0, max_relative = 1e-15);
        // D3Q7 with c_s^2 = 1/4.
        assert_relative_eq!(relaxation_time(0.1, 0.25).unwrap(), 0.9, max_relative = 1e-15);
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_name_value_and_range() {
        let spaced = |spacing, time_step, density| {
            UnitConverter::from_spacing_and_time_step(spacing, time_step, density).unwrap_err().to_string()
        };
        let text = "node spacing = 0 is out of range: positive and finite (m); give the node spacing in m";
        assert_eq!(spaced(0.0, 1.0, 1.0), text);
        assert!(spaced(1.0, f64::NAN, 1.0).contains("time step = NaN"));
        assert!(spaced(1.0, 1.0, f64::INFINITY).contains("density = inf"));
        let similar = |flow| UnitConverter::from_reynolds_and_mach(flow).unwrap_err().to_string();
        let text = similar(Similarity { mach: 0.6, ..air_channel() });
        assert!(text.contains("Mach number = 0.6") && text.contains("0.520"), "{text}");
        let text = similar(Similarity { reynolds: 1e9, ..air_channel() });
        assert!(text.contains("viscosity") && text.contains("tau"), "{text}");
        for viscosity in [0.0, -0.1, f64::NAN, f64::INFINITY, 1e-7] {
            assert!(relaxation_time(viscosity, 1.0 / 3.0).is_err(), "{viscosity}");
        }
        assert!(relaxation_time(0.1, 0.0).is_err());
    }
}
