//! A solver of one's own, whose kernels give the same bits on every backend: five lines of tests say so.

use lbm::prelude::*;

lattice! {
    /// Rest, axes and corners; the weights follow from isotropy.
    pub Corners {
        dimension: 3,
        shells: [[0, 0, 0], [1, 0, 0], [1, 1, 1]],
        weights: solve,
        cs2: 1/3,
    }
}

collision! {
    /// BGK for the even part; the odd part relaxes with a rate of its own.
    pub Damped(odd_rate = 6/5) {
        require(isotropy >= 4, "a flow needs fourth-order isotropy");
        let omega = 1 / (viscosity / cs2 + 1/2);
        let away = |i| equilibrium[i] - f[i];
        for i in directions {
            let even = (away(i) + away(opposite[i])) / 2;
            let odd = (away(i) - away(opposite[i])) / 2;
            f[i] = f[i] + omega * even + odd_rate * odd;
        }
    }
}

solver! {
    /// Single precision, one array for each direction.
    pub Fast { lattice: Corners, collision: Damped, precision: F32 }
}

solver! {
    /// Double precision, all of a node's populations side by side, with a body force.
    pub Forced { lattice: D2Q9, collision: Damped { odd_rate: 5/4 }, forcing: Guo, layout: Aos }
}

#[cfg(test)]
mod tests {
    use super::*;

    cross_check!(Fast);
    cross_check!(Forced, steps: [1, 2, 50], sizes: [[33, 9, 1], [64, 4, 1]], seeds: [1, 2, 3]);
}
