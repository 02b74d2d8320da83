//! Collisions that count with time and with where a node lies: as if these were set by hand, on every backend.

use super::setting::backends;
use lbm::prelude::*;
use lbm::simulation::Backend;

collision! {
    /// A push along x that changes from step to step and from node to node, and a list of weights.
    pub Stirred<Inner>(time_step, field position[dimensions], weights[2] = 1/1000) {
        let after = Inner(f);
        let push = weights[0] * exp(-time_step / 10) * position[1] + weights[1] * time_step / (1 + position[0]);
        for i in directions {
            f[i] = after[i] + w[i] * c[i][0] * push / cs2;
        }
    }
}

collision! {
    /// The same with names that mean nothing to a flow.
    pub ByHand<Inner>(now, field place[dimensions], weights[2] = 1/1000) {
        let after = Inner(f);
        let push = weights[0] * exp(-now / 10) * place[1] + weights[1] * now / (1 + place[0]);
        for i in directions {
            f[i] = after[i] + w[i] * c[i][0] * push / cs2;
        }
    }
}

solver! { Own { lattice: D2Q9, collision: Stirred<Bgk>, precision: F32 } }
solver! { Set { lattice: D2Q9, collision: ByHand<Bgk>, precision: F32 } }

const STEPS: u64 = 7;

fn own(scheme: &str, backend: Backend) -> Builder<Own> {
    Own::builder().size([20, 12]).viscosity(0.05).parameter("weights_1", 1e-4).scheme(scheme).backend(backend)
}

#[test]
fn time_and_place_are_those_of_the_flow() {
    for scheme in ["soa-dense-two-lattice-pull", "aosoa16-dense-aa", "soa-tiled4x4x1-esoteric-pull"] {
        for backend in backends() {
            let mut flow = own(scheme, backend).build().unwrap();
            // In one call and in several.
            flow.run(STEPS - 3).unwrap();
            flow.run(3).unwrap();
            let mut other = Set::builder()
                .size([20, 12])
                .viscosity(0.05)
                .parameter("weights_1", 1e-4)
                .parameter("now", 0.0)
                .field("place_x", |[x, ..]| x as f64)
                .field("place_y", |[_, y, _]| y as f64)
                .scheme(scheme)
                .backend(backend)
                .build()
                .unwrap();
            for now in 0..STEPS {
                other.set_parameter("now", now as f64).unwrap();
                other.step().unwrap();
            }
            let populations = flow.populations().unwrap();
            assert!(populations.iter().any(|&h| h.abs() > 1e-4));
            assert!(populations == other.populations().unwrap(), "{scheme} on {backend}");
        }
    }
}

/// What goes on from a checkpoint counts on.
#[test]
fn time_goes_on_from_a_checkpoint() {
    let path = std::env::temp_dir().join(format!("lbm-time-{}.checkpoint", std::process::id()));
    let start = || own("soa-dense-two-lattice-pull", Backend::Cpu).build().unwrap();
    let mut flow = start();
    flow.run(3).unwrap();
    flow.checkpoint(&path).unwrap();
    flow.run(4).unwrap();
    let mut resumed = start();
    resumed.restart(&path).unwrap();
    resumed.run(4).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(flow.populations().unwrap() == resumed.populations().unwrap());
}

#[test]
fn what_a_flow_knows_is_not_set() {
    let scheme = "soa-dense-two-lattice-pull";
    let refused = |builder: Builder<Own>| builder.build().unwrap_err().to_string();
    let error = refused(own(scheme, Backend::Cpu).parameter("time_step", 3.0));
    assert!(error.contains("`time_step` is how many steps a flow has done"), "{error}");
    let error = refused(own(scheme, Backend::Cpu).field("position_x", |_| 0.0));
    assert!(error.contains("`position_x` is where the node lies"), "{error}");
    let mut flow = own(scheme, Backend::Cpu).build().unwrap();
    assert!(flow.set_parameter("time_step", 3.0).is_err());
    assert!(flow.set_field("position_y", |_| 0.0).is_err());
    assert_eq!(flow.field("position_y").unwrap()[20 * 5 + 3], 5.0);
}
