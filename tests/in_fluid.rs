//! Rules in the fluid: what a sponge does to a flow, where it stands beside others, and what is refused.

use lbm::prelude::*;
use lbm::simulation::{Backend, PlacedRule};

boundary! {
    /// A rule of one's own: the fluid is slowed down, and its density stays.
    Drag(share) in_fluid {
        let rho = sum(f);
        let u = dimensions.map(|a| directions.sum(|i| c[i][a] * f[i]) / rho);
        for i in directions {
            f[i] = f[i] + (equilibrium(rho, u.map(|u| (1 - share) * u))[i] - equilibrium(rho, u)[i]);
        }
    }
}

solver! { Flat {
    lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [Sponge, Drag, Equilibrium, FreeSlip, ZouHePressure]
} }
solver! { FlatIncompressible {
    lattice: D2Q9, collision: Bgk, equilibrium: Incompressible, precision: F64, boundaries: [Sponge]
} }
solver! { Deep { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [Sponge, Drag] } }

const VELOCITY: [f64; 3] = [0.04, -0.03, 0.0];

/// Where all is the same everywhere, density and momentum come nearer to those that are given by the same share in each step: exactly.
#[test]
fn a_uniform_flow_decays_as_its_rule_says() {
    macro_rules! decays {
        ($solver:ty, $momentum:expr) => {{
            let mut flow = <$solver>::builder()
                .size([7, 5])
                .viscosity(0.02)
                .region("all", |_| true, Sponge.with("strength", [0.25]).with("velocity", VELOCITY))
                .initial(|_| Initial { density: 1.02, ..Initial::velocity([-0.05, 0.01, 0.0]) })
                .build()
                .unwrap();
            let momentum = |density: f64, u: f64| if $momentum { density * u } else { u };
            let mut largest = 0.0_f64;
            for step in 1..=12 {
                flow.run(1).unwrap();
                let left = 0.75_f64.powi(step);
                let (rho, u) = (flow.density().unwrap()[9], flow.velocity().unwrap()[9]);
                largest = largest.max((rho - 1.0 - 0.02 * left).abs());
                for (axis, start) in [(0, -0.05), (1, 0.01)] {
                    let off = momentum(1.02, start) - VELOCITY[axis];
                    largest = largest.max((momentum(rho, u[axis]) - VELOCITY[axis] - off * left).abs());
                }
            }
            largest
        }};
    }
    let off = [decays!(Flat, true), decays!(FlatIncompressible, false)];
    assert!(off.iter().all(|&off| off < 1e-15), "{off:?}");
}

/// A flow with the velocity that the sponge asks for goes through unchanged, between any faces.
#[test]
fn what_is_asked_for_goes_through() {
    let mut flow = Flat::builder()
        .size([20, 6])
        .viscosity(0.02)
        .boundary(Face::West, Equilibrium.with("velocity", VELOCITY))
        .boundary(Face::East, Equilibrium.with("velocity", VELOCITY))
        .region(
            "sponge",
            |[x, ..]| x > 9,
            Sponge.with("velocity", VELOCITY).with_each("strength", |[x, ..]| [0.01 * (x - 9) as f64]),
        )
        .initial(|_| Initial::velocity(VELOCITY))
        .build()
        .unwrap();
    flow.run(300).unwrap();
    let off =
        flow.velocity().unwrap().into_iter().map(|u| (u[0] - VELOCITY[0]).abs() + (u[1] - VELOCITY[1]).abs());
    assert!(off.fold(0.0, f64::max) < 1e-14);
}

/// What a sponge of full strength leaves is the equilibrium that it is given and the rest of what came: so it acts behind the rules of faces, and
/// of two the first one last.
#[test]
fn the_first_one_has_the_last_word() {
    let soaks =
        |density: f64| Sponge.with("strength", [1.0]).with("density", [density]).with("velocity", VELOCITY);
    let mut flow = Flat::builder()
        .size([12, 6])
        .viscosity(0.02)
        .boundary(Face::West, ZouHePressure.with("density", [1.05]))
        .face(Face::East, FaceRule::WALL)
        .region("first", |[x, ..]| x < 4, soaks(0.98))
        .region("second", |[x, ..]| x < 8, soaks(1.02))
        .initial(|[x, y, _]| Initial::velocity([0.01 * (y as f64).sin(), 0.01 * (x as f64).cos(), 0.0]))
        .build()
        .unwrap();
    flow.run(3).unwrap();
    let density = flow.density().unwrap();
    for (node, density) in density.into_iter().enumerate() {
        match node % 12 {
            0..4 => assert!((density - 0.98).abs() < 1e-14, "{node}: {density}"),
            4..8 => assert!((density - 1.02).abs() < 1e-14, "{node}: {density}"),
            _ => assert!((density - 1.02).abs() > 1e-6, "{node}: {density}"),
        }
    }
}

/// A box without walls, in which only such rules are, has the same bits everywhere; the rule of another crate, too.
#[test]
fn a_box_without_walls_has_the_same_bits_everywhere() {
    let flow = |scheme: &str, backend: Backend| {
        let mut flow = Deep::builder()
            .size([16, 8, 8])
            .viscosity(0.02)
            .scheme(scheme)
            .backend(backend)
            .region(
                "sponge",
                |[x, y, _]| x > 9 && y < 5,
                Sponge.with("strength", [0.1]).with("velocity", VELOCITY),
            )
            .region(
                "drag",
                |[x, _, z]| x > 11 && z == 3,
                Drag.with_each("share", |[x, y, _]| [0.01 * (x + y) as f64]),
            )
            .initial(|[x, y, z]| Initial {
                density: 1.0 + 0.01 * (x as f64).sin(),
                velocity: [0.05, 0.02 * (z as f64).sin(), 0.02 * (y as f64).cos()],
                ..Initial::default()
            })
            .build()
            .unwrap();
        flow.run(9).unwrap();
        flow.populations().unwrap()
    };
    let plain = flow("soa-dense-two-lattice-pull", Backend::Cpu);
    let schemes = [
        "aosoa128-dense-aa",
        "soa-dense-ghost",
        "aosoa64-tiled4-esoteric-pull",
        "soa-fluid-index-array-swap",
    ];
    for scheme in schemes {
        assert!(plain == flow(scheme, Backend::Cpu), "{scheme}");
    }
    let moments = flow("soa-dense-moments", Backend::Cpu);
    #[cfg(feature = "cuda")]
    if lbm::cuda::testing::cxx_or_skip("rules in the fluid on the host").is_some() {
        for scheme in ["soa-dense-two-lattice-pull"].into_iter().chain(schemes) {
            assert!(plain == flow(scheme, Backend::CudaOnHost), "{scheme}");
        }
        assert!(moments == flow("soa-dense-moments", Backend::CudaOnHost));
    }
    assert!(moments.iter().all(|value| value.is_finite()));
}

#[test]
fn what_is_refused() {
    let flow = || {
        Flat::builder()
            .size([8, 8])
            .viscosity(0.1)
            .face(Face::West, FaceRule::WALL)
            .face(Face::East, FaceRule::WALL)
    };
    let refused = |flow: Builder<Flat>, said: &str| {
        let error = flow.build().expect_err(said).to_string();
        assert!(error.contains(said), "{error}");
    };
    let sponge = || Sponge.with("strength", [0.1]).with("velocity", VELOCITY);
    refused(
        flow().face(Face::North, FaceRule::WALL).boundary(Face::South, sponge()),
        "`sponge` is for nodes in the fluid, not for nodes at a face",
    );
    refused(
        flow().region("soft", |_| true, FreeSlip),
        "`free-slip` of the region `soft` is for nodes at a face",
    );
    refused(flow().region("soft", |[x, ..]| x > 20, sponge()), "the region `soft` takes no fluid node");
    refused(flow().region("soft", |_| true, PlacedRule::named("spunge")), "unknown boundary rule `spunge`");
    refused(
        flow().region("soft", |_| true, Sponge.with("velocity", VELOCITY)),
        "`strength` of the rule `sponge` at the region `soft`",
    );
}
