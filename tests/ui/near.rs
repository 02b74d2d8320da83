use lbm::prelude::*;

model! {
    /// Reads a neighbour amid what is its own.
    pub Amid<Flow>() {
        let flow = set(1);
        let psi = exp(-flow.rho);
        flow.force = dimensions.map(|a| psi * at(psi, flow.c[1]));
        flow.f = Flow(flow);
    }
}

model! {
    pub Both<Flow>() {
        let flow = set(1);
        let psi = exp(-flow.rho);
        let mixed = psi * at(psi, flow.c[1]);
        flow.f = Flow(flow);
    }
}

model! {
    pub Far<Flow>() {
        let flow = set(1);
        let far = at(flow.rho, [7, 0]);
        flow.f = Flow(flow);
    }
}

model! {
    pub Curved<Flow>() {
        let flow = set(1);
        let psi = field(flow.rho, |beside| beside * beside);
        flow.f = Flow(flow);
    }
}

model! {
    pub Twice<Flow>() {
        let flow = set(1);
        let slope = grad(flow.rho);
        let psi = field(flow.rho, |_| 0);
        flow.f = Flow(flow);
    }
}

boundary! {
    pub Elsewhere on_node {
        let slope = grad(rho);
        for i in missing {
            f[i] = f[opposite[i]];
        }
    }
}

solver! { Listed { model: ShanChen<Bgk>, lattice: D2Q9, addressing: FluidIndexArray } }

fn main() {}
