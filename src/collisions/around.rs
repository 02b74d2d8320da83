//! Collisions that choose a node's viscosity from its rate of shear, and leave the rest to a collision within.
//!
//! What relaxes carries the stress, so `shear(1)`, the rate of shear times the relaxation time, is known before either is: the viscosity follows from
//! a quadratic equation, or from Newton's steps in the logarithm of the rate. It is stated, so that [`Simulation::stress`](crate::simulation::Simulation::stress)
//! and flows that start with a gradient follow it.

use lbm_macros::collision;

collision! {
    /// Smagorinsky's eddies: `constant`^2 times the rate of shear adds to the viscosity, with a spacing of nodes as the length (Smagorinsky 1963;
    /// closed form: Hou, Sterling, Chen & Doolen 1996).
    pub Smagorinsky<Inner>(constant = 17/100 in 0..) {
        let tau = viscosity / cs2 + 1/2;
        let strained = 4 * constant * constant * shear(1);
        let viscosity = viscosity + strained / (2 * (tau + sqrt(tau * tau + strained / cs2)));
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}

collision! {
    /// A fluid of Ostwald and de Waele: its viscosity is `viscosity` at a rate of shear of 1 and goes with the power `index` - 1 of the rate, which
    /// counts as `slowest` where it is below that. Four steps of Newton's give the rate to 2e-7.
    ///
    /// In SI a consistency K (m^2 s^(n - 2), n the `index`) is the viscosity K / dt^(n - 1) at a rate of one a time step dt:
    ///
    /// ```
    /// use lbm::core::units::{Quantity, UnitConverter};
    ///
    /// # fn main() -> Result<(), lbm::core::Error> {
    /// let units = UnitConverter::from_spacing_and_time_step(1e-4, 1e-5, 1000.0)?;
    /// let (consistency, index) = (1e-5, 0.6);
    /// let dt = units.to_si(Quantity::Time, 1.0);
    /// let viscosity = units.to_lattice(Quantity::Viscosity, consistency / f64::powf(dt, index - 1.0));
    /// // At 100 a second, a thousandth a step, it is that of the fluid.
    /// let (lattice, si) = (viscosity * f64::powf(1e-3, index - 1.0), consistency * f64::powf(100.0, index - 1.0));
    /// assert!((units.to_si(Quantity::Viscosity, lattice) / si - 1.0).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    pub PowerLaw<Inner>(index = 1 in 1/10..=3, slowest = 1/1000000 in 1/1000000000000..) {
        let at_one = viscosity / cs2;
        let share = |y| at_one * exp((index - 1) * y);
        let least = slowest * (1/2 + share(log(slowest)));
        let known = log(max(shear(1), least));
        let start = min(known + log(2), (known - log(at_one)) / index);
        let step = |y, _| {
            let tau = 1/2 + share(y);
            let next = y - (y + log(tau) - known) / (1 + (index - 1) * share(y) / tau);
            next
        };
        let viscosity = cs2 * share((0..4).fold(start, step));
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}

collision! {
    /// A fluid of Carreau's (1972): with the rate of shear g its viscosity falls from `viscosity` to `least` of that, the rest going with
    /// (1 + (`time` g)^2)^((`index` - 1) / 2). Four steps of Newton's give the rate to 2e-7.
    pub Carreau<Inner>(index = 1 in 1/10..=1, time = 1 in 0.., least = 0 in 0..=1) {
        let still = viscosity / cs2;
        let fast = least * still;
        // The logarithm is that of `time` g, whose digits count where it is above 1.
        let square = |y| exp(2 * y);
        let falling = |y| (still - fast) * exp((index - 1) / 2 * log(1 + square(y)));
        let known = log(max(time * shear(1), 1e-30));
        let by_power = (known - log(still - fast)) / index;
        let start = max(min(known - log(1/2 + fast), by_power), known - log(1/2 + still));
        let step = |y, _| {
            let tau = 1/2 + fast + falling(y);
            let slope = (index - 1) * falling(y) * square(y) / ((1 + square(y)) * tau);
            let next = y - (y + log(tau) - known) / (1 + slope);
            next
        };
        let viscosity = cs2 * (fast + falling((0..4).fold(start, step)));
        let after = Inner(f);
        for i in directions {
            f[i] = after[i];
        }
    }
}
