//! Inlets and outlets that let sound out: what they must not change, and what they keep.

use lbm::prelude::*;

solver! { Open { lattice: D2Q9, collision: Trt, forcing: Guo, boundaries: [CharacteristicVelocity, CharacteristicPressure] } }
solver! { OpenIncompressible {
    lattice: D2Q9, collision: Bgk, equilibrium: Incompressible, boundaries: [CharacteristicVelocity, CharacteristicPressure]
} }
solver! { Deep {
    lattice: D3Q19, collision: Regularized, precision: F32,
    boundaries: [CharacteristicVelocity, CharacteristicPressure, FreeSlip]
} }

/// A uniform flow, in which no gradient is, goes on as it is.
#[test]
fn a_uniform_flow_stays_as_it_is() {
    macro_rules! flow {
        ($solver:ty, $into:expr, $out:expr, $velocity:expr) => {{
            let velocity: [f64; 3] = $velocity;
            let mut flow = <$solver>::builder()
                .size([9, 6])
                .viscosity(0.01)
                .boundary($into, CharacteristicVelocity.with("velocity", [velocity[0], velocity[1]]))
                .boundary($out, CharacteristicPressure)
                .initial(move |_| Initial::velocity(velocity))
                .threads(1)
                .build()
                .unwrap();
            flow.run(500).unwrap();
            let off = flow
                .velocity()
                .unwrap()
                .into_iter()
                .map(|u| (u[0] - velocity[0]).abs() + (u[1] - velocity[1]).abs());
            let density = flow.density().unwrap().into_iter().map(|density| (density - 1.0).abs());
            off.chain(density).fold(0.0, f64::max)
        }};
    }
    let off = [
        flow!(Open, Face::West, Face::East, [0.06, 0.0, 0.0]),
        flow!(OpenIncompressible, Face::West, Face::East, [0.06, 0.0, 0.0]),
        flow!(Open, Face::South, Face::North, [0.0, 0.06, 0.0]),
    ];
    assert!(off.iter().all(|&off| off < 1e-13), "{off:?}");
}

/// A channel between half-way walls that a force drives is the same all along. What its ends change falls faster than the spacing, as with
/// other regularised rules.
#[test]
fn the_ends_of_a_driven_channel_hardly_show() {
    let off = [8, 16].map(|height: usize| {
        let (force, viscosity) = (1e-2 / (height as f64).powi(3), 0.05);
        let channel = |length| {
            let flow = Open::builder().size([length, height]).viscosity(viscosity).force([force, 0.0, 0.0]);
            flow.threads(1).face(Face::South, FaceRule::WALL).face(Face::North, FaceRule::WALL)
        };
        let mut endless = channel(1).build().unwrap();
        endless.run(60_000).unwrap();
        let steady = endless.velocity().unwrap();
        let profile = steady.clone();
        let inlet = CharacteristicVelocity.with_each("velocity", move |[_, y, _]| [profile[y][0], 0.0]);
        let mut open = channel(2 * height)
            .boundary(Face::West, inlet.with("relaxation", [0.01]))
            .boundary(Face::East, CharacteristicPressure.with("relaxation", [0.01]))
            .build()
            .unwrap();
        open.run(60_000).unwrap();
        let largest = steady.iter().fold(0.0_f64, |most, u| most.max(u[0]));
        let flow = open.velocity().unwrap().into_iter().enumerate();
        let off = flow.map(|(at, u)| (u[0] - steady[at / (2 * height)][0]).abs() + u[1].abs());
        off.fold(0.0, f64::max) / largest
    });
    assert!(off[1] < 0.002 && off[0] / off[1] > 2.5, "{off:?}");
}

/// What a node sent is kept, and is part of its populations: a checkpoint has it, for any scheme.
#[test]
fn a_flow_with_open_ends_goes_on_from_its_checkpoint() {
    let flow = |scheme: &str| {
        Deep::builder()
            .size([12, 10, 8])
            .viscosity(0.02)
            .scheme(scheme)
            .boundary(
                Face::West,
                CharacteristicVelocity.with("velocity", [0.05, 0.0, 0.0]).with("relaxation", [0.01]),
            )
            .boundary(Face::East, CharacteristicPressure)
            .boundary(Face::South, FreeSlip)
            .boundary(Face::North, FreeSlip)
            .initial(|[x, y, z]| Initial {
                density: 1.0 + 0.01 * (x as f64).sin(),
                velocity: [0.05, 0.02 * (z as f64).sin(), 0.02 * (y as f64).cos()],
                ..Initial::default()
            })
            .build()
            .unwrap()
    };
    let mut straight = flow("soa-dense-two-lattice-pull");
    straight.run(17).unwrap();
    let file = std::env::temp_dir().join(format!("lbm-open-{}", std::process::id()));
    straight.checkpoint(&file).unwrap();
    straight.run(5).unwrap();
    for scheme in
        ["soa-dense-two-lattice-pull", "aosoa128-dense-aa", "soa-dense-ghost", "soa-connectivity-matrix-aa"]
    {
        let mut resumed = flow(scheme);
        resumed.restart(&file).unwrap();
        resumed.run(5).unwrap();
        assert_eq!(straight.populations().unwrap(), resumed.populations().unwrap(), "{scheme}");
    }
    std::fs::remove_file(&file).unwrap();
}
