//! Rules that read other nodes: what they must not change, and what they make of flows.

use lbm::core::geometry::{Complement, Cuboid, Cylinder, Sphere};
use lbm::prelude::*;
use lbm::simulation::PlacedRule;

solver! { Flat {
    lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64,
    boundaries: [
        BouzidiQuadratic, NonEquilibriumExtrapolationVelocity, NonEquilibriumExtrapolationPressure, ConvectiveOutflow,
        PressurePeriodic
    ]
} }
solver! { FlatIncompressible {
    lattice: D2Q9, collision: Trt, equilibrium: Incompressible, precision: F64, boundaries: [PressurePeriodic]
} }
solver! { Deep {
    lattice: D3Q19, collision: Regularized, precision: F32,
    boundaries: [BouzidiQuadratic, NonEquilibriumExtrapolationVelocity, ConvectiveOutflow]
} }

solver! { Open {
    lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [CharacteristicVelocity, ConvectiveOutflow]
} }
solver! { Pipe {
    lattice: D3Q19, collision: Trt, forcing: Guo, precision: F64, boundaries: [Bouzidi, BouzidiQuadratic]
} }

/// Populations are linear across the channel, so that a parabola through them has no error, wherever the walls are.
#[test]
fn a_shear_flow_between_quadratic_walls_is_exact() {
    const SPEED: f64 = 0.02;
    for (low, high) in [(1.5, 14.5), (1.51, 14.2), (1.7, 14.45), (2.0, 14.0), (2.3, 14.3), (2.49, 13.51)] {
        let slab = |low: f64, high: f64| Cuboid { low: [-1e3, low, -1e3], high: [1e3, high, 1e3] };
        let mut flow = Flat::builder()
            .size([4, 16])
            .viscosity(0.1)
            .parameter("magic", 0.25)
            .surface(slab(-1e3, low), BouzidiQuadratic)
            .surface(slab(high, 1e3), BouzidiQuadratic.with("velocity", [SPEED, 0.0]))
            .threads(1)
            .build()
            .unwrap();
        flow.run(8000).unwrap();
        let u = flow.velocity().unwrap();
        for y in (0..16).filter(|&y| !flow.domain().is_solid([0, y, 0])) {
            let exact = SPEED * (y as f64 + 0.5 - low) / (high - low);
            assert!((u[4 * y][0] - exact).abs() < 1e-12, "{low} {high}: {} {exact} at {y}", u[4 * y][0]);
            assert!(u[4 * y][1].abs() < 1e-13);
        }
    }
}

/// Half a spacing from all nodes it is the half-way wall, to the last bit.
#[test]
fn half_way_a_quadratic_wall_has_the_bits_of_the_half_way_wall() {
    let stirs = |[x, y, z]: [usize; 3]| Initial {
        velocity: [0.02 * (y as f64).sin(), 0.01 * (z as f64).cos(), 0.01 * (x as f64).sin()],
        ..Initial::default()
    };
    let flow = || Deep::builder().size([12, 10, 8]).viscosity(0.05).initial(stirs);
    let block = Cuboid { low: [4.0, 3.0, 2.0], high: [7.0, 7.0, 5.0] };
    let mut ruled = flow().surface(block, BouzidiQuadratic).build().unwrap();
    let mut plain = flow()
        .solid(|[x, y, z]| (4..7).contains(&x) && (3..7).contains(&y) && (2..5).contains(&z))
        .build()
        .unwrap();
    for steps in [1, 2, 30] {
        ruled.run(steps).unwrap();
        plain.run(steps).unwrap();
        assert_eq!(ruled.populations().unwrap(), plain.populations().unwrap());
    }
}

/// The non-equilibrium of a shear flow is the same everywhere, so that it is extrapolated without an error.
#[test]
fn a_shear_flow_between_extrapolated_walls_is_exact() {
    const SPEED: f64 = 0.05;
    let moves = NonEquilibriumExtrapolationVelocity.with("velocity", [SPEED, 0.0]);
    let mut flow = Flat::builder()
        .size([4, 17])
        .viscosity(0.1)
        .boundary(Face::South, NonEquilibriumExtrapolationVelocity.with("velocity", [0.0, 0.0]))
        .boundary(Face::North, moves)
        .threads(1)
        .build()
        .unwrap();
    flow.run(10_000).unwrap();
    for (node, u) in flow.velocity().unwrap().into_iter().enumerate() {
        let exact = SPEED * (node / 4) as f64 / 16.0;
        assert!((u[0] - exact).abs() < 1e-12 && u[1].abs() < 1e-12, "{u:?} {exact} at {node}");
    }
}

/// The error of a channel that a force drives falls with the square of the spacing.
#[test]
fn extrapolated_walls_are_of_second_order() {
    let errors = [8, 16, 32].map(|height: usize| {
        let (viscosity, h) = (0.1, height as f64);
        let force = 8.0 * viscosity * 0.4 / h / (h * h);
        let still = || NonEquilibriumExtrapolationVelocity.with("velocity", [0.0, 0.0]);
        let flow = Flat::builder().size([2, height + 1]).viscosity(viscosity).force([force, 0.0, 0.0]);
        let flow = flow.boundary(Face::South, still()).boundary(Face::North, still());
        let mut flow = flow.threads(1).build().unwrap();
        flow.run((20.0 * h * h) as u64).unwrap();
        let off = flow.velocity().unwrap().into_iter().enumerate().map(|(node, u)| {
            let y = (node / 2) as f64;
            (u[0] - force * y * (h - y) / (2.0 * viscosity)).abs()
        });
        off.fold(0.0, f64::max) * h / 0.4
    });
    for two in errors.windows(2) {
        assert!(two[0] / two[1] > 3.7, "{errors:?}");
    }
}

/// A uniform flow goes on as it is between an extrapolated inlet and each outlet.
#[test]
fn a_uniform_flow_stays_as_it_is() {
    const SPEED: f64 = 0.06;
    let outlets: [fn() -> lbm::simulation::PlacedRule; 3] = [
        || NonEquilibriumExtrapolationPressure.into(),
        || ConvectiveOutflow.with("speed", [0.6]),
        || ConvectiveOutflow.with("speed", [0.06]).with("relaxation", [0.01]),
    ];
    for (number, outlet) in outlets.into_iter().enumerate() {
        let mut flow = Flat::builder()
            .size([9, 6])
            .viscosity(0.01)
            .boundary(Face::West, NonEquilibriumExtrapolationVelocity.with("velocity", [SPEED, 0.0]))
            .boundary(Face::East, outlet())
            .initial(|_| Initial::velocity([SPEED, 0.0, 0.0]))
            .threads(1)
            .build()
            .unwrap();
        flow.run(300).unwrap();
        let off = flow.velocity().unwrap().into_iter().map(|u| (u[0] - SPEED).abs() + u[1].abs());
        let off = off.chain(flow.density().unwrap().into_iter().map(|density| (density - 1.0).abs()));
        let off = off.fold(0.0, f64::max);
        assert!(off < 1e-13, "{off} with outlet {number}");
    }
}

/// In a round pipe the error falls with the square of the spacing, and is smaller than that of lines.
#[test]
fn quadratic_walls_are_of_second_order() {
    const SPEED: f64 = 0.02;
    let off = |nodes: usize, rule: lbm::simulation::PlacedRule| {
        let (radius, centre, viscosity) = (nodes as f64, nodes as f64 + 2.2, 0.1);
        let greatest = SPEED * 6.0 / radius;
        let force = 4.0 * viscosity * greatest / (radius * radius);
        let wall = Cylinder { from: [centre, centre, -1e3], to: [centre, centre, 1e3], radius };
        let size = 2 * nodes + 5;
        let flow = Pipe::builder().size([size, size, 2]).viscosity(viscosity).force([0.0, 0.0, force]);
        let mut flow = flow.surface(Complement(wall), rule).threads(1).build().unwrap();
        flow.run((15.0 * radius * radius / (5.78 * viscosity)) as u64).unwrap();
        let (mut sum, mut count) = (0.0, 0.0);
        // Interpolated walls do not keep the mass exactly, and a force is one a volume: it is the momentum that it decides.
        for (node, (u, density)) in
            flow.velocity().unwrap().into_iter().zip(flow.density().unwrap()).enumerate()
        {
            let position @ [x, y, _] = flow.domain().position(node);
            if !flow.domain().is_solid(position) {
                let square = (x as f64 + 0.5 - centre).powi(2) + (y as f64 + 0.5 - centre).powi(2);
                let exact = force * (radius * radius - square) / (4.0 * viscosity);
                sum += (density * u[2] - exact).powi(2);
                count += 1.0;
            }
        }
        f64::sqrt(sum / count) / greatest
    };
    let lines = [6, 12, 24].map(|nodes| off(nodes, Bouzidi.into()));
    let parabolas = [6, 12, 24].map(|nodes| off(nodes, BouzidiQuadratic.into()));
    let orders = [0, 1].map(|n| (parabolas[n] / parabolas[n + 1]).log2());
    assert!(orders.iter().all(|&order| order > 1.9), "{orders:?} {parabolas:?} {lines:?}");
    assert!(parabolas.iter().zip(&lines).all(|(ours, other)| ours < other), "{parabolas:?} {lines:?}");
}

/// With the speed of sound in the flow a plane pulse leaves, of which little comes back: the scheme is of first order. With the speed of the
/// flow alone the outlet holds still meanwhile, and all comes back.
#[test]
fn sound_leaves_with_the_speed_of_sound() {
    const SPEED: f64 = 0.05;
    let (sound, height) = (1.0 / 3f64.sqrt(), 1e-3);
    let back = [sound + SPEED, SPEED].map(|speed| {
        let pulse = move |[x, _, _]: [usize; 3]| {
            let part = height * (-((x as f64 - 200.0) / 16.0).powi(2)).exp();
            Initial { density: 1.0 + part, velocity: [SPEED + sound * part, 0.0, 0.0], ..Initial::default() }
        };
        let mut flow = Open::builder()
            .size([400, 4])
            .viscosity(1.0 / 300.0)
            .boundary(Face::West, CharacteristicVelocity.with("velocity", [SPEED, 0.0]))
            .boundary(Face::East, ConvectiveOutflow.with("speed", [speed]))
            .initial(pulse)
            .threads(1)
            .build()
            .unwrap();
        flow.run((200.0 / (sound + SPEED) + 100.0 / (sound - SPEED)) as u64).unwrap();
        let density = flow.density().unwrap();
        density.into_iter().fold(0.0, |most: f64, density| most.max((density - 1.0).abs())) / height
    });
    assert!(back[0] < 0.01 && back[1] > 0.9, "{back:?}");
}

/// Between half-way walls the parabola of a pressure gradient is exact, and no mass is lost, for however long a flow goes on.
#[test]
fn a_channel_with_a_difference_of_pressure_is_exact() {
    const SIZE: [usize; 2] = [10, 8];
    const RISE: f64 = 1e-3;
    let viscosity = 0.1;
    for (anchoring, axis) in [(0.0, 0), (0.1, 0), (1.0, 1)] {
        let (along, across) = (axis, 1 - axis);
        let mut size = SIZE;
        size.swap(0, along);
        let rule = |rise: f64| PressurePeriodic.with("rise", [rise]).with("anchoring", [anchoring]);
        let mut flow = FlatIncompressible::builder()
            .size(size)
            .viscosity(viscosity)
            .parameter("magic", 3.0 / 16.0)
            .boundary(Face::ALL[2 * along], rule(RISE))
            .boundary(Face::ALL[2 * along + 1], rule(-RISE))
            .face(Face::ALL[2 * across], FaceRule::WALL)
            .face(Face::ALL[2 * across + 1], FaceRule::WALL)
            .threads(1)
            .build()
            .unwrap();
        flow.run(20_000).unwrap();
        let gradient = RISE / 3.0 / SIZE[0] as f64;
        for (node, u) in flow.velocity().unwrap().into_iter().enumerate() {
            let y = flow.domain().position(node)[across] as f64 + 0.5;
            let exact = gradient * y * (SIZE[1] as f64 - y) / (2.0 * viscosity);
            assert!((u[along] - exact).abs() < 1e-10 && u[across].abs() < 1e-10, "{u:?} {exact} at {node}");
        }
        let mean = flow.density().unwrap().into_iter().sum::<f64>() / (SIZE[0] * SIZE[1]) as f64;
        assert!((mean - 1.0).abs() < 1e-11, "{mean}");
    }
}

/// A fluid whose density counts would fill the loop; it comes to rest a little above the density that is asked for.
#[test]
fn a_loop_with_a_difference_of_pressure_does_not_fill_up() {
    const RISE: f64 = 2e-3;
    let rule = |rise: f64| PressurePeriodic.with("rise", [rise]).with("anchoring", [0.2]);
    let mut flow = Flat::builder()
        .size([20, 16])
        .viscosity(0.1)
        .boundary(Face::West, rule(RISE))
        .boundary(Face::East, rule(-RISE))
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .threads(1)
        .build()
        .unwrap();
    let mean = |flow: &Simulation| flow.density().unwrap().into_iter().sum::<f64>() / 320.0;
    flow.run(20_000).unwrap();
    let before = mean(&flow);
    flow.run(20_000).unwrap();
    let speed = flow.velocity().unwrap().into_iter().map(|u| u[0]).sum::<f64>() / 320.0;
    let expected = 3.0 * RISE * speed / 0.2;
    assert!((mean(&flow) - before).abs() < 1e-12, "{before} {}", mean(&flow));
    assert!((before - 1.0 - expected).abs() < 0.2 * expected, "{} {expected}", before - 1.0);
}

/// What rules observe follows from the populations, so a checkpoint needs no more, for any scheme.
#[test]
fn a_flow_goes_on_from_its_checkpoint() {
    let ball = || Sphere { centre: [6.2, 5.1, 4.3], radius: 2.2 };
    let flow = |scheme: &str| {
        Deep::builder()
            .size([14, 10, 9])
            .viscosity(0.02)
            .scheme(scheme)
            .boundary(Face::West, NonEquilibriumExtrapolationVelocity.with("velocity", [0.05, 0.0, 0.0]))
            .boundary(Face::East, ConvectiveOutflow.with("speed", [0.63]))
            .surface(ball(), BouzidiQuadratic)
            .build()
            .unwrap()
    };
    let mut straight = flow("soa-dense-two-lattice-pull");
    straight.run(17).unwrap();
    let file = std::env::temp_dir().join(format!("lbm-elsewhere-{}", std::process::id()));
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

/// What one end adds the other takes away.
#[test]
fn ends_of_a_period_that_contradict_each_other_are_refused() {
    let rule = |rise: f64| PressurePeriodic.with("rise", [rise]);
    let channel = |west: PlacedRule| {
        let flow = Flat::builder().size([20, 16]).viscosity(0.1).threads(1).boundary(Face::West, west);
        flow.face(Face::South, FaceRule::WALL).face(Face::North, FaceRule::WALL)
    };
    let refused = |flow: Builder<Flat>| flow.build().map(|_| ()).unwrap_err().to_string();
    let text = refused(channel(rule(0.01)).boundary(Face::East, rule(0.01)));
    assert!(text.contains("of the face West has the rise 0.01 at node [0, 0, 0]"), "{text}");
    assert!(text.contains("give the opposite face the rise -0.01"), "{text}");
    let text = refused(channel(rule(0.01)).face(Face::East, FaceRule::WALL));
    assert!(text.contains("opposite a wall at the face East"), "{text}");
    let outflow = ConvectiveOutflow.with("speed", [0.5]);
    let text = refused(channel(outflow).boundary(Face::East, rule(0.01)));
    assert!(
        text.contains("`pressure-periodic` of the face East")
            && text.contains("`convective-outflow` of the face West"),
        "{text}"
    );
    let pulse = |rise: f64, period: usize| {
        rule(rise).in_time("rise", Course::periodic(period, |step| step as f64 / 100.0).unwrap())
    };
    channel(pulse(0.01, 40)).boundary(Face::East, pulse(-0.01, 40)).build().unwrap();
    let text = refused(channel(pulse(0.01, 40)).boundary(Face::East, pulse(-0.01, 41)));
    assert!(text.contains("what one adds the other must take away"), "{text}");
}
