use lbm::prelude::*;

collision! {
    Lagging {
        let before = prev(rho, 1);
        for i in directions {
            f[i] = equilibrium[i] + (f[i] - equilibrium[i]) * before;
        }
    }
}

model! {
    TwoRests<Flow> {
        let flow = set(1);
        let density = flow.rho;
        let before = prev(density, 1);
        let again = prev(density);
        flow.force = dimensions.map(|a| before - again);
        flow.f = Flow(flow);
    }
}

model! {
    NoNumber<Flow> {
        let flow = set(1);
        let before = prev(flow.rho, flow.rho);
        flow.force = dimensions.map(|a| before);
        flow.f = Flow(flow);
    }
}

fn main() {}
