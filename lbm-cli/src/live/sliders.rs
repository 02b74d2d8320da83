//! What of a flow can be changed while it runs.

use lbm_core::Error;
use lbm_live::Slider;

use crate::simulation::Simulation;

/// Largest over smallest viscosity of the slider.
const DECADES: f64 = 100.0;

/// The name of the slider of the viscosity.
pub(super) const VISCOSITY: &str = "viscosity";

/// The sliders of a flow: the factors of its boundary rules, and its viscosity if that is free.
pub(super) fn sliders(simulation: &Simulation) -> Vec<Slider> {
    let mut all: Vec<Slider> = simulation
        .factors()
        .into_iter()
        .map(|(name, value, [low, high])| Slider {
            label: name.replace('_', " "),
            name,
            value,
            low,
            high,
            logarithmic: false,
        })
        .collect();
    if let Some(value) = simulation.parameter(VISCOSITY) {
        // tau - 1/2 is three times that; below a hundred-thousandth nothing is stable.
        let low = (value / DECADES).max(1e-5).min(value);
        let (name, label) = (VISCOSITY.to_owned(), VISCOSITY.to_owned());
        all.push(Slider {
            name,
            label,
            value,
            low,
            high: (value * DECADES).min(0.5).max(value),
            logarithmic: true,
        });
    }
    all
}

/// Gives a slider a value.
pub(super) fn set(simulation: &mut Simulation, name: &str, value: f64) -> Result<(), Error> {
    if name == VISCOSITY { simulation.set_viscosity(value) } else { simulation.set_factor(name, value) }
}

/// The value of a slider.
pub(super) fn value(simulation: &Simulation, name: &str) -> Option<f64> {
    if name == VISCOSITY { simulation.viscosity() } else { simulation.factor(name) }
}
