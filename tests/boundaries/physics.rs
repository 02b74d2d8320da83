//! What the built-in rules do to flows of which the solution is known.

use lbm::prelude::*;

solver! { Forced { lattice: D2Q9, collision: Bgk, forcing: Guo, boundaries: [ZouHeVelocity, RegularizedVelocity, FreeSlip] } }
solver! { ForcedIncompressible {
    lattice: D2Q9, collision: Bgk, equilibrium: Incompressible, forcing: Guo, boundaries: [ZouHeVelocity, FreeSlip]
} }
solver! { Deep { lattice: D3Q19, collision: Bgk, forcing: Guo, boundaries: [ZouHeVelocity, FreeSlip] } }
solver! { Driven {
    lattice: D2Q9, collision: Bgk, equilibrium: Incompressible, boundaries: [ZouHeVelocity, ZouHePressure]
} }
solver! { Open {
    lattice: D2Q9, collision: Bgk, boundaries: [ZouHeVelocity, ZouHePressure, RegularizedVelocity, RegularizedPressure]
} }

const VISCOSITY: f64 = 0.05;

/// u_x of a flow, by y (or z, of a box of one row).
fn profile(flow: &Simulation, at: impl Fn(usize) -> usize, count: usize) -> Vec<f64> {
    let u = flow.velocity().unwrap();
    (0..count).map(|n| u[at(n)][0]).collect()
}

/// The largest deviation from F y (H - y) / (2 nu), with walls on the first and the last node, over the largest velocity.
fn deviation(profile: &[f64], force: f64) -> f64 {
    let height = (profile.len() - 1) as f64;
    let largest = force * height * height / (8.0 * VISCOSITY);
    let exact = |y: usize| force * y as f64 * (height - y as f64) / (2.0 * VISCOSITY);
    let off = profile.iter().enumerate().map(|(y, u)| (u - exact(y)).abs());
    off.fold(0.0, f64::max) / largest
}

/// The solution is a parabola, which the method represents exactly, so what remains are the start (e^-30 of it) and rounding.
#[test]
fn a_forced_channel_between_zou_he_walls_is_exact() {
    const FORCE: f64 = 1e-6;
    let steps = (30.0 * 12.0 * 12.0 / (9.8 * VISCOSITY)) as u64;
    macro_rules! deviates {
        ($flow:ty, $rule:expr) => {{
            let mut flow = <$flow>::builder()
                .size([4, 13])
                .viscosity(VISCOSITY)
                .force([FORCE, 0.0, 0.0])
                .boundary(Face::South, $rule.with("velocity", [0.0, 0.0]))
                .boundary(Face::North, $rule.with("velocity", [0.0, 0.0]))
                .threads(1)
                .build()
                .unwrap();
            flow.run(steps).unwrap();
            deviation(&profile(&flow, |y| 1 + 4 * y, 13), FORCE)
        }};
    }
    for off in [deviates!(Forced, ZouHeVelocity), deviates!(ForcedIncompressible, ZouHeVelocity)] {
        assert!(off < 1e-10, "{off:e}");
    }
    // Regularised walls are of second order.
    let off = deviates!(Forced, RegularizedVelocity);
    assert!(off < 0.05 && off > 1e-6, "{off:e}");
}

#[test]
fn in_three_dimensions_too_and_along_any_axis() {
    const FORCE: f64 = 1e-6;
    let steps = (30.0 * 12.0 * 12.0 / (9.8 * VISCOSITY)) as u64;
    let still = || ZouHeVelocity.with("velocity", [0.0; 3]);
    let flow = |size: [usize; 3], low, high| {
        let mut flow = Deep::builder()
            .size(size)
            .viscosity(VISCOSITY)
            .force([FORCE, 0.0, 0.0])
            .boundary(low, still())
            .boundary(high, still())
            .threads(1)
            .build()
            .unwrap();
        flow.run(steps).unwrap();
        flow
    };
    let along_y = profile(&flow([2, 13, 2], Face::South, Face::North), |y| 2 * y, 13);
    let along_z = profile(&flow([2, 2, 13], Face::Bottom, Face::Top), |z| 4 * z, 13);
    for profile in [along_y, along_z] {
        let off = deviation(&profile, FORCE);
        assert!(off < 1e-10, "{off:e}");
    }
}

/// Half of a channel with a plane of symmetry is the half of the whole one.
#[test]
fn a_plane_of_symmetry_is_exact() {
    const FORCE: f64 = 1e-6;
    let steps = (30.0 * 12.0 * 12.0 / (9.8 * VISCOSITY)) as u64;
    let mut half = Forced::builder()
        .size([4, 7])
        .viscosity(VISCOSITY)
        .force([FORCE, 0.0, 0.0])
        .boundary(Face::South, ZouHeVelocity.with("velocity", [0.0, 0.0]))
        .boundary(Face::North, FreeSlip)
        .threads(1)
        .build()
        .unwrap();
    half.run(steps).unwrap();
    let mut whole = profile(&half, |y| 1 + 4 * y, 7);
    whole.extend(whole.clone().into_iter().rev().skip(1));
    let off = deviation(&whole, FORCE);
    assert!(off < 1e-10, "{off:e}");
}

/// A pressure difference drives the parabola that its force would, and a pressure that falls along a line. The rule leaves out of
/// what it sends back the odd part 2 tau w d rho/dx, so that the ends have a layer; in between the flow is steady along the channel.
#[test]
fn a_pressure_difference_drives_a_channel() {
    let (length, height, drop) = (25usize, 13usize, 1e-4);
    let mut flow = Driven::builder()
        .size([length, height])
        .viscosity(VISCOSITY)
        .boundary(Face::South, ZouHeVelocity.with("velocity", [0.0, 0.0]))
        .boundary(Face::North, ZouHeVelocity.with("velocity", [0.0, 0.0]))
        .boundary(Face::West, ZouHePressure.with("density", [1.0 + drop]))
        .boundary(Face::East, ZouHePressure)
        .threads(1)
        .build()
        .unwrap();
    flow.run(40_000).unwrap();
    let force = drop / 3.0 / (length - 1) as f64;
    let off = deviation(&profile(&flow, |y| length / 2 + length * y, height), force);
    assert!(off < 0.02, "{off:e}");
    let u = flow.velocity().unwrap();
    let flux = |x: usize| (0..height).map(|y| u[x + length * y][0]).sum::<f64>();
    assert!((flux(0) / flux(length - 1) - 1.0).abs() < 1e-6, "{:e} and {:e}", flux(0), flux(length - 1));
    assert!((flux(8) / flux(16) - 1.0).abs() < 1e-6, "{:e} and {:e}", flux(8), flux(16));
    let rho = flow.density().unwrap();
    let at = |x: usize| (rho[x + length * (height / 2)] - 1.0) / drop;
    for x in [6, 12, 18] {
        let line = 1.0 - x as f64 / (length - 1) as f64;
        assert!((at(x) - line).abs() < 0.01, "{x}: {} and {line}", at(x));
    }
}

/// A velocity enters, a pressure lets it out: as much flows through the middle as comes in, whichever rules.
#[test]
fn what_enters_flows_on() {
    let (length, height) = (31usize, 13usize);
    let parabola = move |[_, y, _]: [usize; 3]| {
        let y = (y as f64 + 0.5) / height as f64;
        [0.2 * y * (1.0 - y), 0.0]
    };
    for regularized in [false, true] {
        let flow = Open::builder()
            .size([length, height])
            .viscosity(VISCOSITY)
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .threads(1);
        let mut flow = match regularized {
            false => flow
                .boundary(Face::West, ZouHeVelocity.with_each("velocity", parabola))
                .boundary(Face::East, ZouHePressure),
            true => flow
                .boundary(Face::West, RegularizedVelocity.with_each("velocity", parabola))
                .boundary(Face::East, RegularizedPressure),
        }
        .build()
        .unwrap();
        flow.run(30_000).unwrap();
        let (u, rho) = (flow.velocity().unwrap(), flow.density().unwrap());
        for y in 0..height {
            let ([asked, _], found) = (parabola([0, y, 0]), u[length * y][0]);
            // What is asked for is there to rounding, and at the outlet the density is.
            assert!((found - asked).abs() < 1e-12, "{regularized}: {found} and {asked} at {y}");
            assert!((rho[length - 1 + length * y] - 1.0).abs() < 1e-12, "{regularized}: {y}");
        }
        let flux = |x: usize| (0..height).map(|y| rho[x + length * y] * u[x + length * y][0]).sum::<f64>();
        let (inlet, middle) = (flux(0), flux(length / 2));
        assert!((inlet / middle - 1.0).abs() < 1e-4, "{regularized}: {inlet:e} and {middle:e}");
    }
}

solver! { Tunnel { lattice: D3Q19, collision: Trt, boundaries: [Equilibrium, ZouHePressure, FreeSlip, PressurePeriodic] } }

/// Uniform flow stays as it is, whatever rules meet at edges and corners.
#[test]
fn uniform_flow_passes_a_tunnel() {
    let speed = 0.05;
    let wind = move |_| Initial { velocity: [speed, 0.0, 0.0], ..Initial::default() };
    let mut tunnel = Tunnel::builder()
        .size([9, 7, 6])
        .viscosity(0.02)
        .initial(wind)
        .boundary(Face::West, Equilibrium.with("velocity", [speed, 0.0, 0.0]))
        .boundary(Face::East, ZouHePressure)
        .boundary(Face::South, FreeSlip)
        .boundary(Face::North, FreeSlip)
        .boundary(Face::Bottom, FreeSlip)
        .boundary(Face::Top, FreeSlip)
        .threads(1)
        .build()
        .unwrap();
    tunnel.run(200).unwrap();
    for (u, rho) in tunnel.velocity().unwrap().iter().zip(tunnel.density().unwrap()) {
        let off = (u[0] - speed).abs().max(u[1].abs()).max(u[2].abs()).max((rho - 1.0).abs());
        assert!(off < 1e-13, "{u:?}, {rho}");
    }
}

/// What cannot be is refused, with the place and the remedy.
#[test]
fn what_rules_cannot_do_is_refused() {
    let flow = || Tunnel::builder().size([9, 7, 6]).viscosity(0.02);
    let refused = |flow: Builder<Tunnel>| flow.build().unwrap_err().to_string();
    let still = || Equilibrium.with("velocity", [0.0; 3]);
    for (flow, words) in [
        (flow().boundary(Face::West, FreeSlip), "face East is periodic, but the opposite face West is not"),
        (
            flow().boundary(Face::West, FreeSlip).boundary(Face::West, FreeSlip),
            "face West is given two rules",
        ),
        (
            flow().boundary(Face::West, Equilibrium).boundary(Face::East, FreeSlip),
            "`velocity` of the rule `equilibrium`",
        ),
        (
            flow()
                .boundary(Face::West, Equilibrium.with("velocity", [0.1, 0.0]))
                .boundary(Face::East, FreeSlip),
            "3 numbers on D3Q19",
        ),
        (
            flow()
                .boundary(Face::West, Equilibrium.with("velocity", [0.9, 0.0, 0.0]))
                .boundary(Face::East, FreeSlip),
            "at most 0.3",
        ),
        (
            flow().boundary(Face::West, ZouHePressure.with("density", [-1.0])).boundary(Face::East, FreeSlip),
            "`density` of the rule `zou-he-pressure`",
        ),
        (flow().boundary(Face::West, FreeSlip.with("speed", [1.0])).boundary(Face::East, FreeSlip), "speed"),
        (
            flow()
                .boundary(Face::West, ZouHeVelocity.with("velocity", [0.0; 3]))
                .boundary(Face::East, FreeSlip),
            "declare the solver with it",
        ),
        (
            flow()
                .boundary(Face::West, PressurePeriodic.with("rise", [0.01]))
                .boundary(Face::East, PressurePeriodic.with("rise", [-0.01]))
                .boundary(Face::South, PressurePeriodic.with("rise", [0.01]))
                .boundary(Face::North, PressurePeriodic.with("rise", [-0.01])),
            "the rule `pressure-periodic` says nothing of such nodes",
        ),
        (
            Tunnel::builder()
                .size([1, 7, 6])
                .viscosity(0.02)
                .boundary(Face::West, still())
                .boundary(Face::East, still()),
            "cannot stand at both ends of a single node",
        ),
    ] {
        let message = refused(flow);
        assert!(message.contains(words), "`{words}` in: {message}");
    }
}
