//! A model of one's own: two substances that a flow carries and that react with each other, without a line of CUDA.

use lbm::prelude::*;

model! {
    /// Two substances that become a third one where they meet: rate a b of each is used up in a step.
    pub Reaction<Flow, First, Second>(diffusivity in 0.., rate = 0 in 0..) {
        let flow = set(1);
        let first = set(0);
        let second = set(0);
        first.u = flow.u;
        first.viscosity = diffusivity;
        second.u = flow.u;
        second.viscosity = diffusivity;
        flow.f = Flow(flow);
        let used = rate * first.rho * second.rho;
        let after = First(first);
        for i in first.directions {
            first.f[i] = after[i] - first.w[i] * used;
        }
        let after = Second(second);
        for i in second.directions {
            second.f[i] = after[i] - second.w[i] * used;
        }
    }
}

solver! {
    /// In two dimensions.
    pub Mixing {
        model: Reaction<Trt, Bgk, Bgk>, lattices: [D2Q9, D2Q5, D2Q5], boundaries: [first: FixedValue, second: FixedValue]
    }
}

solver! {
    /// In one copy of narrow numbers.
    pub Narrow {
        model: Reaction<Bgk, Bgk, Trt>, lattices: [D2Q9, D2Q5, D2Q9],
        precision: F16In32, layout: Aosoa<16>, streaming: EsotericPull,
        boundaries: [first: FixedValue, second: FixedValue],
    }
}

cross_check!(Mixing, steps: [1, 2, 20]);
cross_check!(Narrow, steps: [1, 2, 20]);

#[cfg(test)]
mod tests {
    use super::*;

    /// Where both are everywhere the same, a (b + c) falls as the equation d a/dt = - rate a (a + c) says, c = b - a being kept.
    #[test]
    fn what_is_well_mixed_reacts_as_it_should() {
        let (rate, a, b) = (1e-3, 0.5, 0.75);
        let mut flow = Mixing::builder()
            .size([4, 4])
            .viscosity(0.1)
            .parameter("diffusivity", 0.05)
            .parameter("rate", rate)
            .initial_sum("first", move |_| a)
            .initial_sum("second", move |_| b)
            .threads(1)
            .build()
            .unwrap();
        flow.run(1000).unwrap();
        let (first, second) = (flow.sum_of("first").unwrap()[5], flow.sum_of("second").unwrap()[5]);
        assert!((second - first - (b - a)).abs() < 1e-13, "{first} {second}");
        let c = b - a;
        let decayed = (-rate * c * 1000.0_f64).exp();
        let exact = a * c * decayed / (b - a * decayed);
        // A step is one of Euler: off by half of rate times the change.
        assert!((first / exact - 1.0).abs() < 5e-4, "{first} {exact}");
    }
}
