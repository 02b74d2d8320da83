//! Rules that read what arrives at nodes where other rules stand.

use lbm::core::Facts;
use lbm::core::laws::{SplitMix64, random_setup, with_random_rules};
use lbm::core::rules::Arrivals;
use lbm::prelude::*;
use lbm::simulation::{Backend, PlacedRule, Product};

solver! { Flat {
    lattice: D2Q9, collision: Trt, precision: F64, boundaries: [
        NonEquilibriumExtrapolationVelocity, NonEquilibriumExtrapolationPressure, ZouHeVelocity, FreeSlip, Bouzidi,
        CharacteristicVelocity, CharacteristicPressure, ConvectiveOutflow, RegularizedVelocity, RegularizedPressure,
        ZouHePressure, Equilibrium, BouzidiQuadratic, HalfWay
    ]
} }
solver! { Deep {
    lattice: D3Q19, collision: Bgk, precision: F64, boundaries: [
        NonEquilibriumExtrapolationVelocity, NonEquilibriumExtrapolationPressure, FreeSlip
    ]
} }

const SPEED: f64 = 0.05;

/// The largest difference of a flow's velocity from what it began with.
fn off(mut flow: Simulation) -> f64 {
    let before = flow.velocity().unwrap();
    flow.run(400).unwrap();
    let all = flow.velocity().unwrap().into_iter().zip(before);
    all.flat_map(|(now, then)| [0, 1, 2].map(|axis| (now[axis] - then[axis]).abs())).fold(0.0, f64::max)
}

/// How a uniform flow ends that has these ends, given before sides that slip or behind them.
fn slipping(inlet: &PlacedRule, outlet: &PlacedRule, ends_first: bool) -> f64 {
    let ends = [(Face::West, inlet.clone()), (Face::East, outlet.clone())];
    let sides = [Face::South, Face::North].map(|face| (face, PlacedRule::from(FreeSlip)));
    let mut rules: Vec<_> = ends.into_iter().chain(sides).collect();
    if !ends_first {
        rules.rotate_left(2);
    }
    let flow = Flat::builder().size([9, 7]).viscosity(0.02).initial(|_| Initial::velocity([SPEED, 0.0, 0.0]));
    off(rules.into_iter().fold(flow, |flow, (face, rule)| flow.boundary(face, rule)).build().unwrap())
}

/// A uniform flow between planes of symmetry, in which no gradient is, goes on as it is between any ends that are given before the sides, so that they act
/// when all is known that comes from beyond these; and between ends that extrapolate in any order.
#[test]
fn a_uniform_flow_slips_past_the_sides() {
    let velocity = [SPEED, 0.0];
    let inlets = [
        NonEquilibriumExtrapolationVelocity.with("velocity", velocity),
        ZouHeVelocity.with("velocity", velocity),
        RegularizedVelocity.with("velocity", velocity),
        CharacteristicVelocity.with("velocity", velocity),
        Equilibrium.with("velocity", velocity),
    ];
    let outlets = [
        PlacedRule::from(NonEquilibriumExtrapolationPressure),
        ZouHePressure.into(),
        RegularizedPressure.into(),
        CharacteristicPressure.into(),
        ConvectiveOutflow.with("speed", [0.6]),
    ];
    for (inlet, outlet) in inlets.iter().flat_map(|inlet| outlets.iter().map(move |outlet| (inlet, outlet))) {
        let ends_first = slipping(inlet, outlet, true);
        assert!(ends_first < 1e-13, "{inlet:?} {outlet:?} {ends_first}");
    }
    let sides_first = slipping(&inlets[0], &outlets[0], false);
    assert!(sides_first < 1e-13, "{sides_first}");
    let mut flow = Deep::builder()
        .size([7, 6, 5])
        .viscosity(0.02)
        .initial(|_| Initial::velocity([SPEED, 0.0, 0.0]))
        .boundary(Face::West, NonEquilibriumExtrapolationVelocity.with("velocity", [SPEED, 0.0, 0.0]))
        .boundary(Face::East, NonEquilibriumExtrapolationPressure);
    for face in [Face::South, Face::North, Face::Bottom, Face::Top] {
        flow = flow.boundary(face, FreeSlip);
    }
    let off = off(flow.build().unwrap());
    assert!(off < 1e-13, "{off}");
}

/// A shear flow, whose non-equilibrium is the same everywhere, between moving walls on the nodes.
#[test]
fn a_shear_flow_goes_on_between_its_walls() {
    const HEIGHT: usize = 8;
    let (viscosity, rate) = (0.1, SPEED / HEIGHT as f64);
    let profile = move |[_, y, _]: [usize; 3]| [rate * y as f64, 0.0];
    let start = move |[_, y, _]: [usize; 3]| Initial::velocity([rate * y as f64, 0.0, 0.0]);
    let flow = Flat::builder()
        .size([9, HEIGHT + 1])
        .viscosity(viscosity)
        .initial(start)
        .boundary(Face::West, NonEquilibriumExtrapolationVelocity.with_each("velocity", profile))
        .boundary(Face::East, NonEquilibriumExtrapolationPressure)
        .boundary(Face::South, ZouHeVelocity.with("velocity", [0.0, 0.0]))
        .boundary(Face::North, ZouHeVelocity.with("velocity", [SPEED, 0.0]));
    let mut flow = flow.build().unwrap();
    flow.run(6000).unwrap();
    for (node, u) in flow.velocity().unwrap().into_iter().enumerate() {
        let exact = rate * (node / 9) as f64;
        assert!((u[0] - exact).abs() < 1e-12 && u[1].abs() < 1e-12, "{u:?} {exact} at {node}");
    }
}

/// From a corner rules lead on to edges and faces, in any order, to the last bit everywhere.
#[test]
fn rules_lead_on_from_corners() {
    let ends: [(Face, PlacedRule); 3] = [
        (Face::West, NonEquilibriumExtrapolationPressure.with("density", [1.01])),
        (Face::South, NonEquilibriumExtrapolationVelocity.with("velocity", [SPEED, 0.0, 0.01])),
        (Face::Bottom, FreeSlip.into()),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
        let flow = |scheme: &str, backend: Backend| {
            let flow = Deep::builder().size([7, 6, 5]).viscosity(0.02).scheme(scheme).backend(backend);
            let flow = order.iter().fold(flow, |flow, &n| flow.boundary(ends[n].0, ends[n].1.clone()));
            let flow = flow
                .face(Face::East, FaceRule::WALL)
                .face(Face::North, FaceRule::WALL)
                .face(Face::Top, FaceRule::WALL);
            let mut flow = flow.build().unwrap();
            flow.run(12).unwrap();
            flow.populations().unwrap()
        };
        let plain = flow("soa-dense-two-lattice-pull", Backend::Cpu);
        for scheme in ["aosoa128-dense-aa", "soa-dense-ghost", "soa-fluid-index-array-swap"] {
            assert!(plain == flow(scheme, Backend::Cpu), "{order:?} {scheme}");
        }
        #[cfg(feature = "cuda")]
        if lbm::cuda::testing::cxx_or_skip("rules beside rules on the host").is_some() {
            assert!(plain == flow("soa-dense-two-lattice-pull", Backend::CudaOnHost), "{order:?}");
        }
    }
}

/// What comes to the next node from a moving wall, or along a link with a rule, is not known beside it.
#[test]
fn moving_walls_and_links_at_the_next_node_are_refused() {
    let flow = || {
        Flat::builder()
            .size([9, 7])
            .viscosity(0.02)
            .boundary(Face::West, NonEquilibriumExtrapolationVelocity.with("velocity", [SPEED, 0.0]))
            .boundary(Face::East, NonEquilibriumExtrapolationPressure)
    };
    let lid = flow()
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [SPEED, 0.0, 0.0] });
    let disk = lbm::core::geometry::Sphere { centre: [6.5, 3.5, 0.5], radius: 1.2 };
    let touching = flow().surface(disk, Bouzidi);
    for (flow, words) in [
        (
            lid,
            "the rule `non-equilibrium-extrapolation-pressure` at node [8, 6, 0] reads what arrives at node [7, 6, 0], where a wall moves",
        ),
        (touching, "reads what arrives at node [7, 1, 0], where the rule `bouzidi` sets a link"),
    ] {
        let error = flow.build().unwrap_err().to_string();
        assert!(error.contains(words), "`{words}` in: {error}");
    }
}

boundary! {
    /// A rule that reads along its own face.
    Around on_node {
        for i in missing {
            f[i] = arrives_at(dimensions.map(|a| 1 - normal[a]), i);
        }
    }
}

solver! { Turning { lattice: D2Q9, collision: Bgk, boundaries: [Around] } }

#[test]
fn what_has_no_end_is_refused() {
    let error = Turning::builder()
        .size([9, 9])
        .viscosity(0.1)
        .boundary(Face::West, Around)
        .face(Face::East, FaceRule::WALL)
        .build()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("the rule `around` at node [0, 3, 0] reads what arrives at node [0, 4, 0]"),
        "{error}"
    );
}

/// Where a face with a rule is behind the node, a link's wall is half-way, wherever it cuts the link.
#[test]
fn a_quadratic_wall_before_an_inlet_is_half_way() {
    let run = |rule: PlacedRule| {
        // All links that it does not cut half-way begin at the inlet.
        let slab = lbm::core::geometry::Cuboid { low: [1.3, 2.0, -1e3], high: [3.0, 5.0, 1e3] };
        let mut flow = Flat::builder()
            .size([9, 7])
            .viscosity(0.05)
            .boundary(Face::West, ZouHeVelocity.with("velocity", [SPEED, 0.0]))
            .boundary(Face::East, ZouHePressure)
            .surface(slab, rule)
            .build()
            .unwrap();
        flow.run(50).unwrap();
        flow.populations().unwrap()
    };
    let half_way = run(HalfWay.into());
    assert!(half_way == run(BouzidiQuadratic.into()));
    assert!(half_way == run(Bouzidi.into()));
}

/// Laws and cross-checks run what they draw.
#[test]
fn what_is_drawn_is_never_refused() {
    let facts = Facts::of::<Flat>();
    let mut rules = Product::of::<Flat>().rules();
    rules.retain(|rule| ["bouzidi", "non-equilibrium-extrapolation-velocity"].contains(&rule.name));
    assert_eq!(rules.len(), 2);
    let (mut both, mut apart) = (0, 0);
    for seed in 0..300 {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(&facts, [12, 11, 1], &mut random);
        let setup = with_random_rules(&facts, &rules, setup, &mut random);
        let arrivals = Arrivals::of(&facts, &setup).unwrap();
        both += usize::from(!arrivals.nodes.is_empty() && !setup.domain().links.is_empty());
        apart += usize::from(arrivals.nodes.is_empty() && !setup.domain().links.is_empty());
    }
    assert!(both > 20 && apart > 20, "{both}, {apart}");
}
