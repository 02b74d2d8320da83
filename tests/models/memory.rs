//! Rules of several sets that remember.

use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;

boundary! {
    /// A store beside each link, well stirred, of a given capacity: what goes there through the wall warms it, and it is remembered how warm it is.
    pub Store(capacity = 2 in 0.., coefficient = 1/10 in 0..) on_link remembers(warm = 1/2) {
        let comes = (sent[toward] * (cs2 - coefficient) + 2 * w[back] * coefficient * warm) / (cs2 + coefficient);
        remember(warm, warm + (sent[toward] - comes) / capacity);
        f[back] = comes;
    }
}

solver! {
    /// A dye beside stores, and a flow that leaves through an outlet which remembers.
    pub Stored {
        model: AdvectionDiffusion<Trt, Bgk>,
        lattices: [D2Q9, D2Q5],
        boundaries: [scalar: Store, flow: Windkessel, flow: ZouHeVelocity],
    }
}

/// What leaves the fluid is in the stores, step for step: in the end all are as warm as the mean of all.
#[test]
fn stores_and_fluid_come_to_one_temperature() -> Result<(), Error> {
    let (n, capacity) = (6, 2.0);
    let mut flow = Stored::builder()
        .size([1, n])
        .viscosity(0.1)
        .parameter("diffusivity", 0.1)
        .initial_sum("scalar", |_| 2.0)
        .boundary(Face::South, Store.with("capacity", [capacity]).of("scalar"))
        .face(Face::North, FaceRule::WALL)
        .build()?;
    let mut stored = 0.5 * capacity;
    for _ in 0..400 {
        stored += flow.flux_into("scalar", Face::South)?;
        flow.run(1)?;
        let all = flow.total_of("scalar")? + stored;
        assert!((all - (2.0 * n as f64 + 0.5 * capacity)).abs() < 1e-12, "{all}");
    }
    flow.run(20_000)?;
    let end = (2.0 * n as f64 + 0.5 * capacity) / (n as f64 + capacity);
    assert!(flow.sum_of("scalar")?.into_iter().all(|warm| (warm - end).abs() < 1e-12));
    Ok(())
}

const SCHEMES: [&str; 4] =
    ["soa-dense-two-lattice-pull", "aosoa8-dense-esoteric-pull", "soa-tiled4-aa", "aos-dense-swap"];

/// Both sets remember, in one checkpoint, for any scheme.
#[test]
fn a_checkpoint_has_what_rules_of_all_sets_remember() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stored.lbm");
    let build = |scheme: &str| {
        Stored::builder()
            .size([12, 8])
            .viscosity(0.05)
            .parameter("diffusivity", 0.02)
            .scheme(scheme)
            .initial_sum("scalar", |[x, y, _]| (x + 2 * y) as f64 / 20.0)
            .boundary(Face::West, ZouHeVelocity.with("velocity", [0.02, 0.0]).of("flow"))
            .boundary(Face::East, Windkessel.with("resistance", [0.5]).with("compliance", [9.0]).of("flow"))
            .boundary(Face::East, Store.of("scalar"))
            .boundary(Face::South, Store.with("capacity", [3.0]).of("scalar"))
            .face(Face::North, FaceRule::WALL)
            .build()
    };
    let mut straight = build(SCHEMES[0])?;
    straight.run(9)?;
    straight.checkpoint(&path)?;
    straight.run(7)?;
    for scheme in SCHEMES {
        let mut resumed = build(scheme)?;
        resumed.restart(&path)?;
        resumed.run(7)?;
        assert!(resumed.populations()? == straight.populations()?, "{scheme}");
    }
    Ok(())
}

#[test]
fn rules_of_sets_that_remember_give_the_same_bits() {
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([7, 14]);
    cpu_equals_reference::<Stored>(&options);
    cuda_on_host_equals_cpu::<Stored>("rules_of_sets_that_remember_give_the_same_bits", &options);
}
