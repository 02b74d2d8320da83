//! Models whose sets of populations are not given what they need.

use lbm::prelude::*;

model! {
    pub WithoutSets<Flow> {
        let twice = 2;
        f[0] = Flow(f);
    }
}

collision! {
    pub Several {
        let flow = set(1);
        let heat = set(0);
    }
}

model! {
    pub Unset<Flow> {
        let flow = set(1);
        let heat = set(0);
        flow.f = Flow(flow);
    }
}

model! {
    pub Late<Flow, Heat> {
        let flow = set(1);
        let heat = set(0);
        heat.u = flow.u;
        flow.force = dimensions.map(|a| heat.rho);
        flow.f = Flow(flow);
        heat.f = Heat(heat);
    }
}

model! {
    pub Pushed<Flow, Heat> {
        let flow = set(1);
        let heat = set(0);
        heat.force = flow.force;
        flow.f = Flow(flow);
        heat.f = Heat(heat);
    }
}

model! {
    pub Misspelt<Flow, Heat> {
        let flow = set(1);
        let heat = set(0);
        heat.viscosity = flow.viscocity;
        flow.f = Flow(flow);
        heat.f = Heat(heat);
    }
}

model! {
    pub Plain<Flow, Heat> {
        let flow = set(1);
        let heat = set(1);
        flow.f = Flow(f);
        heat.f = Heat(heat);
    }
}

model! {
    pub One<Flow> {
        let flow = set(1);
        flow.f = Flow(flow);
    }
}

model! {
    pub Unnamed<Flow, Heat> {
        let flow = set(1);
        let heat = set(1);
        flow.f = Flow(flow);
        heat.f = Heat(heat);
        f[0] = 1;
    }
}

model! {
    pub Nothing<Flow, Heat> {
        let flow = set(1);
        let heat = set(0);
        flow.f = Flow(flow);
        heat.f = Heat(heat);
    }
}

model! {
    pub Dense<Flow, Heat> {
        let flow = set(2);
        let heat = set(0);
        heat.u = flow.u;
        flow.f = Flow(flow);
        heat.f = Heat(heat);
    }
}

fn main() {}
