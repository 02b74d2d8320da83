//! Rules of links for what a flow carries: a temperature, a concentration. Without a rule a wall lets nothing through.

use lbm_macros::boundary;

boundary! {
    /// A value of what the flow advects, where the boundary cuts links: what the node sent comes back with its sign turned, and with it twice the equilibrium
    /// of the value (Ginzburg 2005, Adv. Water Resour. 28, 1171; between other places than half-way interpolated as Li, Mei & Klausner 2013, J. Comput.
    /// Phys. 253, 366). Second order in the place of the boundary.
    pub FixedValue(value) on_link {
        f[back] = select(q < 1/2,
            2 * w[back] * value - sent[toward] + (1 - 2 * q) * (sent[toward] - f[toward]),
            (2 * w[back] * value - sent[toward] + (2 * q - 1) * sent[back]) / (2 * q));
    }
}

boundary! {
    /// What flows in through each unit of area in a time step, as a vector of which the component across the wall counts: `[0.0, 0.01]` at the lower face, `[0.0, -0.01]` at the
    /// upper one. The wall lies half-way, as for a wall that lets nothing through (Li, Mei & Klausner 2013).
    pub FixedFlux(flux[dimensions]) on_link {
        f[back] = sent[toward] + 2 * w[back] / cs2 * dimensions.sum(|a| c[back][a] * flux[a]);
    }
}

boundary! {
    /// What is exchanged with an outside that has a value of its own: coefficient (outside - value at the wall) flows in through each unit of area in a time
    /// step (Robin). The wall lies half-way along an axis, and on a staircase the area is the staircase's; the value there is the mean of what comes and goes. With a large coefficient it is [`FixedValue`], with none a wall that lets nothing
    /// through.
    pub Exchange(outside, coefficient in 0..) on_link {
        f[back] = (sent[toward] * (cs2 - coefficient) + 2 * w[back] * coefficient * outside) / (cs2 + coefficient);
    }
}
