//! NVRTC makes machine code of steps with boundary rules, and no value goes to memory.

use lbm::core::axes::Axes;
use lbm::core::domain::{AppliedRule, RuledLink, RuledNode};
use lbm::core::engine::Setup;
use lbm::core::links::Links;
use lbm::core::rules::{self, Arrivals, InTime};
use lbm::core::{Domain, FaceRule, Facts, RuleFacts, Variant};
use lbm::cuda::assemble::{self, Between, BoxWalls, Plan, RuleTexts, Shape};
use lbm::cuda::nvrtc::Architecture;
use lbm::cuda::testing::nvrtc_or_skip;
use lbm::prelude::*;

macro_rules! flow {
    ($name:ident: $lattice:ident, $collision:ident, $precision:ident) => {
        solver! { $name { lattice: $lattice, collision: $collision, precision: $precision, boundaries: [
            ZouHeVelocity, CharacteristicPressure, FreeSlip, Bouzidi, SingleNode, AntiBounceBack
        ] } }
    };
}

flow! { Flat: D2Q9, Bgk, F32 }
flow! { Deep: D3Q19, Bgk, F32 }
flow! { Double: D3Q19, Bgk, F64 }
flow! { Moments3: D3Q19, Regularized, F32 }

solver! { Looking { lattice: D3Q19, collision: Bgk, precision: F32, boundaries: [
    NonEquilibriumExtrapolationVelocity, ConvectiveOutflow, PressurePeriodic, FreeSlip, HalfWaySlip, BouzidiQuadratic
] } }
solver! { LookingMoments { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [
    NonEquilibriumExtrapolationVelocity, ConvectiveOutflow, PressurePeriodic, FreeSlip, HalfWaySlip, BouzidiQuadratic
] } }

macro_rules! others {
    ($name:ident: $collision:ident, $precision:ident) => {
        solver! { $name { lattice: D3Q19, collision: $collision, precision: $precision, boundaries: [
            RegularizedVelocity, RegularizedPressure, CharacteristicVelocity, ZouHePressure, Equilibrium, ZouHeVelocityNeighbour, Windkessel,
            RegularizedVelocityNeighbour, ZeroGradient, NonEquilibriumExtrapolationPressure, FreeSlip, StaircaseSlip
        ] } }
    };
}

others! { Other: Bgk, F32 }
others! { OtherDouble: Bgk, F64 }
others! { OtherMoments: Regularized, F32 }

solver! { Soaked { lattice: D3Q19, collision: Bgk, precision: F32, boundaries: [
    ZouHeVelocity, CharacteristicPressure, FreeSlip, Bouzidi, Sponge
] } }
solver! { SoakedMoments { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [
    ZouHeVelocity, CharacteristicPressure, FreeSlip, Bouzidi, Sponge
] } }

/// The rules of a tunnel: of its six faces with their values, and of the links in it.
struct Placed {
    faces: [(&'static str, &'static [f64]); 6],
    links: (&'static str, &'static [f64]),
    in_fluid: Option<(&'static str, &'static [f64])>,
}

/// A velocity enters, a pressure lets it out, the sides slip.
const PLAIN: Placed = Placed {
    faces: [
        ("zou-he-velocity", &[0.05, 0.0, 0.0]),
        ("characteristic-pressure", &[1.0, 1e-4]),
        ("free-slip", &[]),
        ("free-slip", &[]),
        ("free-slip", &[]),
        ("free-slip", &[]),
    ],
    links: ("bouzidi", &[0.0; 3]),
    in_fluid: None,
};

/// Rules that read other nodes.
const OBSERVING: Placed = Placed {
    faces: [
        ("non-equilibrium-extrapolation-velocity", &[0.05, 0.0, 0.0]),
        ("convective-outflow", &[0.6, 1.0, 1e-4]),
        ("pressure-periodic", &[1e-3, 1.0, 0.1]),
        ("pressure-periodic", &[-1e-3, 1.0, 0.1]),
        ("free-slip", &[]),
        ("half-way-slip", &[]),
    ],
    links: ("bouzidi-quadratic", &[0.0; 3]),
    in_fluid: None,
};

/// The rules of faces that the others have not, and links that remember.
const OTHERS: Placed = Placed {
    faces: [
        ("regularized-velocity", &[0.05, 0.0, 0.0]),
        ("regularized-pressure", &[1.0]),
        ("characteristic-velocity", &[0.05, 0.0, 0.0, 1e-4]),
        ("zou-he-pressure", &[1.0]),
        ("equilibrium", &[1.0, 0.0, 0.0, 0.0]),
        ("zou-he-velocity-neighbour", &[0.0, 0.0, 0.0]),
    ],
    links: ("windkessel", &[10.0, 5.0, 0.1, 1.0]),
    in_fluid: None,
};

/// Those of the rest, which read other nodes, and links of staircases.
const OTHERS_OBSERVING: Placed = Placed {
    faces: [
        ("regularized-velocity-neighbour", &[0.05, 0.0, 0.0]),
        ("zero-gradient", &[]),
        ("non-equilibrium-extrapolation-pressure", &[1.0]),
        ("non-equilibrium-extrapolation-pressure", &[1.0]),
        ("free-slip", &[]),
        ("free-slip", &[]),
    ],
    links: ("staircase-slip", &[]),
    in_fluid: None,
};

/// What keeps up to 8 bytes in memory for two nodes a thread, and where: the compiler takes 72 registers and no more.
const MAY_SPILL: [(&str, &str); 1] = [("d3q19-bgk-f32-aosoa128-dense-two-lattice-pull", "sm_90")];

/// A tunnel, and in it a box whose walls cut links anywhere.
fn tunnel(facts: &Facts, size: [usize; 3], rules: &[RuleFacts], placed: &Placed) -> Setup {
    let mut domain = Domain::periodic(size);
    let dimension = facts.lattice.dimension;
    for (face, &(rule, values)) in placed.faces.iter().enumerate().take(2 * dimension) {
        let is_vector = rule.ends_with("velocity") && values.len() == 3;
        let values = if is_vector { &values[..dimension] } else { values }.to_vec();
        domain.faces[face] = FaceRule::Rule(face);
        domain.rules.push(AppliedRule::new(rule, values.len(), values));
    }
    let rule = domain.rules.len();
    let (of_links, values) = placed.links;
    let values = if values.len() == 3 { &values[..dimension] } else { values }.to_vec();
    domain.rules.push(AppliedRule::new(of_links, values.len(), values));
    domain.solids = vec![[0.0; 3]];
    domain.flags = (0..domain.nodes()).map(|node| u8::from(domain.position(node)[..2] == [20, 7])).collect();
    for here in Links::of(&facts.lattice, &domain).unwrap().iter() {
        for link in here.iter().filter(|link| link.meets == 6) {
            let distance = 0.3 + 0.02 * link.direction as f64;
            domain.links.push(RuledLink::new(link.node, link.direction, rule).at_distance(distance));
        }
    }
    if let Some((rule, values)) = placed.in_fluid {
        let behind = (0..domain.nodes()).filter(|&node| domain.position(node)[0] > 100);
        domain.in_fluid = behind.map(|node| RuledNode::new(node, domain.rules.len(), 0)).collect();
        domain.rules.push(AppliedRule::new(rule, values.len(), values.to_vec()));
    }
    let parameters = facts.body.parameters.iter().map(|_| 0.1).collect();
    Setup::new(domain, parameters).with_rules(rules.to_vec())
}

/// Kernels for such a box, in a likely shape.
fn planned(facts: &Facts, setup: &Setup, arrivals: &Arrivals) -> Plan {
    let size = setup.domain().size;
    let faces = BoxWalls::of(&facts.lattice, setup.domain());
    let plan = Plan::of(Shape::likely_for(facts, size, Between::of(true, None)))
        .with_size(Some(size))
        .with_walls(Some(faces));
    plan.with_rules(RuleTexts::of(facts, size, arrivals))
}

/// What kernels keep in memory on the newest architecture; `no_value_goes_to_memory` asks an older one, too, of two copies.
fn spills<V: Variant>(schemes: &[&str], placed: &Placed) -> Vec<String> {
    spills_on::<V>(&[Architecture::SM_90], schemes, placed)
}

fn spills_on<V: Variant>(architectures: &[Architecture], schemes: &[&str], placed: &Placed) -> Vec<String> {
    let (of_solver, rules) = (Facts::of::<V>(), rules::of_variant::<V>());
    let Some(nvrtc) = nvrtc_or_skip(&of_solver.name()) else { return Vec::new() };
    let axes = Axes::built_in().with_lattice::<V::Lattice>().with_facts(&of_solver);
    let mut found = Vec::new();
    for (number, scheme) in schemes.iter().enumerate() {
        let body = format!("{}-{}", of_solver.lattice.name.to_lowercase(), of_solver.body.collision);
        let facts = axes.product(&format!("{body}-{}-{scheme}", of_solver.precision.name)).unwrap();
        let size = if facts.lattice.dimension == 2 { [128, 64, 1] } else { [128, 16, 12] };
        let setup = tunnel(&facts, size, &rules, placed);
        let arrivals = Arrivals::of(&facts, &setup).unwrap();
        let plan = planned(&facts, &setup, &arrivals);
        let program = assemble::step(&facts, &plan).unwrap();
        let accessors = assemble::accessors(&facts, &plan).unwrap();
        let observes = accessors.names().into_iter().filter(|name| name.starts_with("observe")).count();
        let brings = !arrivals.observed.is_empty() && !facts.seen_lies(size);
        // Links that go first read it where it lies, but where mirrors read what a step has sent into the wall of another node, and that is where its mirror leaves what comes back.
        let lies = facts.links_go_first() && (facts.keeps_sent || placed.links.0 != "staircase-slip");
        assert_eq!(observes, if !brings { 0 } else { 2 - usize::from(lies) });
        let beside = (observes > 0 || facts.links_go_first()).then_some((&accessors, Architecture::SM_80));
        // The sums of forces know of a scheme where populations lie: one stands for all.
        let forces = (number == 0).then(|| assemble::forces(&facts, &plan).unwrap());
        let steps = architectures.iter().map(|&architecture| (&program, architecture));
        let of_forces = forces.iter().map(|forces| (forces, Architecture::SM_90));
        for (program, architecture) in steps.chain(of_forces).chain(beside) {
            let compiled =
                nvrtc.compile(&program.to_string(), architecture).unwrap_or_else(|e| panic!("{e}"));
            for kernel in program.names() {
                let resources = compiled.kernel(&kernel).expect("a kernel of the text");
                let spilled = (resources.spill_stores, resources.local_bytes);
                let said = format!(
                    "{} `{kernel}` on {architecture}: {} registers, {spilled:?} bytes",
                    facts.name(),
                    resources.registers
                );
                let may_spill = MAY_SPILL.contains(&(&*facts.name(), &*architecture.to_string()));
                if spilled != (0, 0) && !(may_spill && resources.local_bytes <= 8) {
                    found.push(said);
                }
            }
        }
    }
    found
}

#[test]
fn no_value_goes_to_memory() {
    const SCHEMES: &[&str] = &[
        "soa-dense-two-lattice-pull",
        "aosoa128-dense-two-lattice-pull",
        "soa-dense-aa",
        "aosoa128-dense-esoteric-pull",
        "soa-connectivity-matrix-two-lattice-pull",
    ];
    let both = [Architecture::SM_80, Architecture::SM_90];
    let mut found = spills_on::<Deep>(&both, &SCHEMES[..2], &PLAIN);
    found.extend(spills::<Deep>(&SCHEMES[2..], &PLAIN));
    found.extend(spills::<Flat>(&SCHEMES[..2], &PLAIN));
    found.extend(spills::<Double>(&SCHEMES[2..], &PLAIN));
    found.extend(spills::<Moments3>(&["aosoa128-dense-moments", "soa-dense-thread-safe"], &PLAIN));
    for links in [("single-node", &[0.0; 3][..]), ("anti-bounce-back", &[1.0])] {
        let placed = Placed { links, ..PLAIN };
        found
            .extend(spills::<Deep>(&["soa-dense-two-lattice-pull", "aosoa128-dense-esoteric-pull"], &placed));
        found.extend(spills::<Double>(&["soa-dense-aa"], &placed));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn no_value_goes_to_memory_where_rules_read_other_nodes() {
    let mut found =
        spills::<Looking>(&["soa-dense-two-lattice-pull", "soa-connectivity-matrix-aa"], &OBSERVING);
    found.extend(spills::<LookingMoments>(&["aosoa128-dense-moments"], &OBSERVING));
    assert!(found.is_empty(), "{found:#?}");
}

/// With these each rule of the library is in some text but `HalfWay`, which becomes a wall.
#[test]
fn no_value_goes_to_memory_with_the_other_rules() {
    let mut found = Vec::new();
    for placed in [&OTHERS, &OTHERS_OBSERVING] {
        found.extend(spills::<Other>(
            &["aosoa128-dense-two-lattice-pull", "aosoa128-dense-esoteric-pull"],
            placed,
        ));
        found.extend(spills::<OtherDouble>(&["soa-dense-aa"], placed));
        found.extend(spills::<OtherMoments>(&["aosoa128-dense-moments"], placed));
    }
    // Planes that are launches, and rules in them.
    found.extend(spills::<LookingMoments>(&["aosoa128-dense-moments-ring"], &OBSERVING));
    assert!(found.is_empty(), "{found:#?}");
}

/// A sponge in a tunnel, and at its end.
#[test]
fn no_value_goes_to_memory_in_a_sponge() {
    let placed = Placed { in_fluid: Some(("sponge", &[0.1, 1.0, 0.05, 0.0, 0.0])), ..PLAIN };
    let mut found =
        spills::<Soaked>(&["soa-dense-two-lattice-pull", "aosoa128-dense-esoteric-pull"], &placed);
    found.extend(spills::<SoakedMoments>(&["aosoa128-dense-moments"], &placed));
    assert!(found.is_empty(), "{found:#?}");
}

/// Kernels beside the step write values in time, of nodes and of links.
#[test]
fn values_in_time_are_compiled() {
    let (facts, size) = (Facts::of::<Deep>(), [128, 16, 12]);
    let Some(nvrtc) = nvrtc_or_skip(&facts.name()) else { return };
    let mut setup = tunnel(&facts, size, &rules::of_variant::<Deep>(), &PLAIN);
    let course = Course::periodic(10, |n| n as f64).unwrap();
    for rule in setup.adjustable().rules {
        rule.in_time = vec![InTime::new(course.clone(), vec![1e-3; rule.values.len()])];
    }
    let arrivals = Arrivals::of(&facts, &setup).unwrap();
    assert_eq!(arrivals.courses.len(), 1, "clones share a table");
    let program = assemble::accessors(&facts, &planned(&facts, &setup, &arrivals)).unwrap();
    for kernel in ["vary_0", "vary_1", "tick"] {
        assert!(program.names().iter().any(|name| name == kernel), "{kernel} is missing");
    }
    nvrtc.compile(&program.to_string(), Architecture::SM_80).unwrap_or_else(|error| panic!("{error}"));
}
