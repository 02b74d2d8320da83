//! Obstacles that are drawn and erased while a flow runs: on every backend, under every kind of scheme, the flow goes on with the bits of one that was
//! built with that geometry.

use lbm::core::cut::Decomposition;
use lbm::core::engine::Setup;
use lbm::core::geometry::{Cuboid, Cylinder, Shape, Sphere};
use lbm::core::laws::{SEEDS, boxes, product_follows_redrawing};
use lbm::core::{Engine, Facts, Variant};
use lbm::cpu::CpuOptions;
use lbm::prelude::*;
use lbm::simulation::{Backend, Product};

#[cfg(feature = "cuda")]
#[path = "redrawn/calls.rs"]
mod calls;
#[path = "redrawn/cut.rs"]
mod cut;
#[path = "redrawn/listed.rs"]
mod listed;
mod products;
#[path = "redrawn/spaced.rs"]
mod spaced;
#[path = "redrawn/torn.rs"]
mod torn;
#[cfg(feature = "cuda")]
#[path = "redrawn/unfinished.rs"]
mod unfinished;

use products::product;

solver! { Flat { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [ZouHeVelocity, RegularizedPressure, FreeSlip, ConvectiveOutflow, Bouzidi, Sponge] } }
solver! { Deep { lattice: D3Q19, collision: Regularized, precision: F32, boundaries: [RegularizedVelocity, ZouHePressure, HalfWaySlip] } }
// Without rules, so that several steps may be done at once.
solver! { Solid3D { lattice: D3Q19, collision: Regularized, precision: F32 } }
solver! { Narrow { lattice: D2Q9, collision: Bgk, precision: F16In32 } }
solver! { Fields { lattice: D2Q9, collision: VaryingViscosity<Bgk>, precision: F32 } }
solver! { Phases { lattice: D2Q9, collision: ShanChen<Bgk>, precision: F64 } }
// More directions than 32 bits hold.
solver! { Many { model: AdvectionDiffusion<Bgk, Bgk>, lattices: [D3Q19, D3Q19], precision: F32, boundaries: [flow: Bouzidi] } }

const DENSE: &[&str] = &[
    "soa-dense-two-lattice-pull",
    "aosoa64-dense-two-lattice-push",
    "soa-dense-aa",
    "soa-dense-esoteric-pull",
    "aosoa128-dense-esoteric-push",
    "aos-dense-esoteric-twist",
    "soa-dense-swap",
    "soa-dense-ccas",
    "soa-dense-ghost",
];
const LISTED: &[&str] = &[
    "soa-tiled4x4x1-esoteric-pull",
    "aosoa64-connectivity-matrix-two-lattice-pull",
    "soa-fluid-index-array-aa",
    "soa-fluid-index-array-two-lattice-push",
    "aosoa128-tiled4x4x1-esoteric-twist",
    "soa-connectivity-matrix-swap",
];
/// Of the other solvers on the CPU.
const OF_DEEP: &[&str] = &[
    "soa-dense-two-lattice-pull",
    "soa-dense-aa",
    "soa-dense-moments",
    "soa-dense-moments-ring",
    "soa-dense-moments-two-steps",
    "soa-dense-thread-safe",
    "soa-tiled4-two-lattice-pull",
];
/// Where no rule stands, two steps are done at once.
const TWO_STEPS: &[&str] = &["soa-dense-moments-two-steps", "aosoa32-dense-moments-two-steps"];
const OF_NARROW: &[&str] = &["aosoa128-dense-esoteric-pull", "soa-connectivity-matrix-aa"];
const OF_FIELDS: &[&str] = &["soa-dense-two-lattice-pull", "soa-tiled4x4x1-aa"];
const OF_PHASES: &[&str] = &["soa-dense-two-lattice-pull", "soa-dense-aa"];
const OF_MANY: &[&str] =
    &["soa-dense-two-lattice-pull", "aosoa128-dense-esoteric-pull", "soa-dense-swap", "soa-tiled4-aa"];

type Make<'a> = &'a dyn Fn(&Product, &Setup) -> Result<Box<dyn Engine>, Error>;

fn follows<V: Variant>(schemes: &[&str], seeds: &[u64], make: Make<'_>) {
    for scheme in schemes {
        let product = product::<V>(scheme);
        let facts = *product.facts();
        let make = |setup: &Setup| make(&product, setup);
        let sizes = &boxes(facts.lattice.dimension)[..if seeds.len() > 1 { 2 } else { 1 }];
        let [solid, fluid] = product_follows_redrawing(facts, &product.rules(), &make, sizes, seeds)
            .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
        assert!(solid > 3 && fluid > 0, "{scheme}: {solid} nodes became solid, {fluid} fluid");
    }
}

fn on_cpu<V: Variant>(schemes: &[&str]) {
    let options = CpuOptions::default().with_threads(2);
    follows::<V>(schemes, &SEEDS, &|product, setup| Ok(Box::new(product.on_cpu(setup, &options)?)));
}

#[test]
fn flows_follow_what_is_drawn_on_the_cpu() {
    on_cpu::<Flat>(DENSE);
    on_cpu::<Flat>(LISTED);
    on_cpu::<Deep>(OF_DEEP);
    on_cpu::<Solid3D>(TWO_STEPS);
    on_cpu::<Narrow>(OF_NARROW);
    on_cpu::<Fields>(OF_FIELDS);
    on_cpu::<Phases>(OF_PHASES);
    on_cpu::<Many>(OF_MANY);
}

/// In a wide box most of what is drawn is far from all rules, and lists of links have several pages.
#[test]
fn flows_in_wide_boxes_follow_what_is_drawn() {
    let options = CpuOptions::default().with_threads(2);
    for scheme in ["soa-dense-two-lattice-pull", "soa-dense-aa"] {
        let product = product::<Flat>(scheme);
        let make = |setup: &Setup| -> Result<Box<dyn Engine>, Error> {
            Ok(Box::new(product.on_cpu(setup, &options)?))
        };
        let sizes = [[81, 53, 1], [33, 70, 1]];
        product_follows_redrawing(*product.facts(), &product.rules(), &make, &sizes, &SEEDS)
            .unwrap_or_else(|violation| panic!("{scheme}: {violation}"));
    }
}

#[cfg(feature = "cuda")]
#[test]
fn flows_follow_what_is_drawn_on_the_host_in_a_gpus_place() {
    if lbm::cuda::testing::cxx_or_skip("redrawn on the host").is_none() {
        return;
    }
    let mut placement = lbm::simulation::Placement::default();
    placement.backend = Backend::CudaOnHost;
    let make = |product: &Product, setup: &Setup| product.engine(setup, &placement);
    // Where boundary rules stand, most boxes have a text of their own.
    follows::<Flat>(&["soa-dense-two-lattice-pull"], &SEEDS[1..2], &make);
    follows::<Narrow>(&["aosoa128-dense-aa", "soa-dense-swap"], &SEEDS[1..2], &make);
    follows::<Narrow>(LISTED, &SEEDS[1..2], &make);
    follows::<Deep>(&["soa-dense-moments", "soa-dense-moments-ring"], &SEEDS[2..3], &make);
    follows::<Deep>(&["soa-dense-thread-safe"], &SEEDS[2..3], &make);
    follows::<Solid3D>(&TWO_STEPS[1..], &SEEDS[..2], &make);
    follows::<Fields>(OF_FIELDS, &SEEDS[..1], &make);
}

fn channel(backend: Backend) -> Builder<Flat> {
    Flat::builder()
        .size([48, 24])
        .viscosity(0.02)
        .force([0.0; 3])
        .backend(backend)
        .boundary(Face::West, ZouHeVelocity.with("velocity", [0.05, 0.0]))
        .boundary(Face::East, RegularizedPressure)
        .boundary(Face::South, FreeSlip)
        .boundary(Face::North, FreeSlip)
        .initial(|_| Initial::velocity([0.05, 0.0, 0.0]))
}

/// What a person does: draws, erases, takes back; each backend has the same bits, and forces are those of a flow that was built so.
#[test]
fn a_steered_channel_has_the_same_bits_everywhere() {
    let rod = Cylinder { from: [14.0, 12.0, 0.0], to: [14.0, 12.0, 1.0], radius: 3.2 };
    let hole = Cuboid { low: [13.0, 10.0, 0.0], high: [15.0, 14.0, 1.0] };
    let steer = |backend: Backend, scheme: &str| {
        let mut flow = channel(backend).scheme(scheme).build().unwrap();
        flow.run(11).unwrap();
        let drawn = flow.set_solid(&rod).unwrap();
        assert!(drawn.before.iter().all(Option::is_none) && drawn.nodes.len() == 32, "{}", drawn.nodes.len());
        flow.run(7).unwrap();
        let force = flow.force_on(Body::Drawn, [0.0; 3]).unwrap();
        let contains = move |[x, y, _]: [usize; 3]| rod.contains([x as f64 + 0.5, y as f64 + 0.5, 0.5]);
        let mut built = channel(backend).scheme(scheme).solid(contains).build().unwrap();
        built.set_populations(&flow.populations().unwrap()).unwrap();
        assert_eq!(built.force_on(Body::Solid(0), [0.0; 3]).unwrap(), force);
        let erased = flow.set_fluid(&hole).unwrap();
        assert_eq!(erased.nodes.len(), 8);
        flow.run(6).unwrap();
        flow.undo(&erased).unwrap();
        flow.set_viscosity(0.03).unwrap();
        flow.run(6).unwrap();
        // A node at the inlet.
        flow.set_solid(&Cuboid { low: [0.0, 5.0, 0.0], high: [1.0, 7.0, 1.0] }).unwrap();
        flow.run(5).unwrap();
        (flow.populations().unwrap(), [force, flow.force_on(Body::Drawn, [0.0; 3]).unwrap()])
    };
    let (expected, forces) = steer(Backend::Cpu, DENSE[0]);
    assert!(expected.iter().all(|h| h.is_finite()));
    for scheme in LISTED {
        assert!(steer(Backend::Cpu, scheme) == (expected.clone(), forces), "{scheme}");
    }
    #[cfg(feature = "cuda")]
    if lbm::cuda::testing::cxx_or_skip("a steered channel").is_some() {
        assert!(steer(Backend::CudaOnHost, DENSE[0]) == (expected, forces));
    }
}

/// Nodes that become fluid have the mean of those beside them, added up in the order of nodes.
#[test]
fn what_is_erased_begins_as_its_neighbours_are() {
    let mut flow = channel(Backend::Cpu).build().unwrap();
    flow.set_solid(&Sphere { centre: [20.5, 12.5, 0.5], radius: 1.8 }).unwrap();
    flow.run(20).unwrap();
    let (density, velocity) = (flow.density().unwrap(), flow.velocity().unwrap());
    let one = Sphere { centre: [21.5, 12.5, 0.5], radius: 0.6 };
    let node = flow.set_fluid(&one).unwrap().nodes[0];
    let mut mean = ([0.0f64; 4], 0.0f64);
    for y in 11..14 {
        for x in 20..23 {
            let near = x + 48 * y;
            if near != node && flow.domain().solid_at(near).is_none() {
                let [u, v, w] = velocity[near];
                mean.0.iter_mut().zip([density[near], u, v, w]).for_each(|(sum, value)| *sum += value);
                mean.1 += 1.0;
            }
        }
    }
    assert_eq!(mean.1, 3.0);
    let mut expected = vec![0.0; 9];
    let [rho, u, v, w] = mean.0.map(|sum| sum / mean.1);
    Facts::of::<Flat>().equilibrium(rho, [u, v, w], &mut expected);
    let populations = flow.populations().unwrap();
    let found: Vec<f64> = (0..9).map(|i| populations[node + 48 * 24 * i]).collect();
    assert_eq!(found, expected);

    // One without such neighbours is at rest.
    let mut flow = channel(Backend::Cpu).build().unwrap();
    flow.set_solid(&Sphere { centre: [20.5, 12.5, 0.5], radius: 3.0 }).unwrap();
    let node = flow.set_fluid(&Sphere { centre: [20.5, 12.5, 0.5], radius: 0.6 }).unwrap().nodes[0];
    let populations = flow.populations().unwrap();
    assert!((0..9).all(|i| populations[node + 48 * 24 * i] == 0.0));
}

#[test]
fn what_cannot_be_drawn_is_refused_and_changes_nothing() {
    let rod = Cylinder { from: [14.0, 12.0, 0.0], to: [14.0, 12.0, 1.0], radius: 3.2 };
    let mut flow = Flat::builder().size([32, 24]).viscosity(0.02).surface(rod, Bouzidi).build().unwrap();
    flow.run(3).unwrap();
    let (before, fluid) = (flow.populations().unwrap(), flow.domain().fluid_nodes());
    let error = flow.set_solid(&Sphere { centre: [18.5, 12.5, 0.5], radius: 1.0 }).unwrap_err().to_string();
    assert!(error.contains("two nodes or more away"), "{error}");
    let error = flow.set_solid(&Sphere { centre: [26.5, 12.5, 0.5], radius: 99.0 }).unwrap_err().to_string();
    assert!(error.contains("away") || error.contains("no fluid"), "{error}");
    assert_eq!(flow.set_solid(&Sphere { centre: [-9.0; 3], radius: 1.0 }).unwrap().nodes, []);
    assert!(flow.force_on(Body::Drawn, [0.0; 3]).is_err());
    assert_eq!((flow.populations().unwrap(), flow.domain().fluid_nodes()), (before, fluid));
}

/// Fields on a grid are those of its nodes, on every backend, where nodes are listed too.
#[test]
fn fields_on_a_grid_are_those_of_its_nodes() {
    use lbm::core::engine::{FieldRequest, Grid};
    let grids = |size: [usize; 3]| {
        [
            Grid::of(size),
            Grid { size, first: [3, 1, 0], step: [4, 3, 1], count: [10, 7, 1] },
            Grid { size, first: [5, 0, 0], step: [1, 1, 1], count: [2, 24, 1] },
            Grid { size, first: [47, 23, 0], step: [9, 9, 9], count: [1; 3] },
        ]
    };
    let looks = |mut flow: Simulation, scheme: &str| {
        flow.set_solid(&Cylinder { from: [14.0, 12.0, 0.0], to: [14.0, 12.0, 1.0], radius: 3.2 }).unwrap();
        flow.run(9).unwrap();
        let (density, velocity) = (flow.density().unwrap(), flow.velocity().unwrap());
        let all = FieldRequest::on;
        for grid in grids(flow.size()) {
            for request in
                [all(grid), all(grid).rounded(), all(grid).velocity(), all(grid).density().rounded()]
            {
                let (rounded, components) = (request.rounded, request.components.clone());
                let started = flow.start_fields(request).unwrap();
                started
                    .hand_out(components.clone(), &mut |some, values| {
                        for (n, number) in some.clone().enumerate() {
                            let node = flow.domain().index(grid.position(number));
                            if flow.domain().solid_at(node).is_some() {
                                continue;
                            }
                            let found: Vec<f64> = values.chunks(some.len()).map(|line| line[n]).collect();
                            let [u, v, w] = velocity[node];
                            let round = |value: f64| if rounded { f64::from(value as f32) } else { value };
                            let expected = [density[node], u, v, w].map(round);
                            assert_eq!(found, expected[components.clone()], "{scheme}, {grid:?}, {number}");
                        }
                        Ok(())
                    })
                    .unwrap();
            }
        }
        let beyond = Grid { size: flow.size(), first: [40, 0, 0], step: [4, 1, 1], count: [3, 1, 1] };
        assert!(flow.start_fields(all(beyond)).is_err());
        let huge = Grid { size: flow.size(), first: [usize::MAX; 3], step: [2; 3], count: [usize::MAX; 3] };
        assert!(flow.start_fields(all(huge)).is_err());
        assert!(flow.start_fields(FieldRequest::of(0..48 * 24 + 1)).is_err());
    };
    for scheme in DENSE.iter().chain(&LISTED[..1]) {
        looks(channel(Backend::Cpu).scheme(scheme).build().unwrap(), scheme);
    }
    for scheme in OF_DEEP.iter().filter(|scheme| scheme.contains("dense")) {
        let flow = Deep::builder().size([48, 24, 1]).viscosity(0.05).scheme(scheme);
        let flow =
            flow.initial(|[x, y, _]| Initial::velocity([0.01 * (x % 5) as f64, 0.01 * (y % 3) as f64, 0.0]));
        looks(flow.build().unwrap(), scheme);
    }
    #[cfg(feature = "cuda")]
    if lbm::cuda::testing::cxx_or_skip("fields on a grid").is_some() {
        for scheme in ["soa-dense-two-lattice-pull", "soa-tiled4x4x1-aa"] {
            looks(channel(Backend::CudaOnHost).scheme(scheme).build().unwrap(), scheme);
        }
    }
}

/// At a face only what is beside it in the box counts, and nodes that are what they are to be stay as they are.
#[test]
fn what_is_erased_at_a_face_asks_nobody_beyond_it() {
    let mut flow = channel(Backend::Cpu).build().unwrap();
    let rod = Cylinder { from: [20.5, 0.5, 0.0], to: [20.5, 0.5, 1.0], radius: 1.2 };
    let drawn = flow.set_solid(&rod).unwrap();
    assert_eq!(drawn.nodes.len(), 4);
    flow.run(5).unwrap();
    let velocity = flow.velocity().unwrap();
    let opened = flow.set_fluid(&Sphere { centre: [20.5, 0.5, 0.5], radius: 0.4 }).unwrap();
    assert_eq!(opened.nodes, [20]);
    let around = [19 + 48, 21 + 48].map(|node: usize| velocity[node][0]);
    let mean = (around[0] + around[1]) / 2.0;
    assert!((flow.velocity().unwrap()[20][0] / mean - 1.0).abs() < 1e-12);
    // To take back what was drawn makes the other three fluid, and leaves the first one.
    let before = flow.populations().unwrap();
    let undone = flow.undo(&drawn).unwrap();
    assert_eq!(undone.nodes, [19, 21, 20 + 48]);
    let after = flow.populations().unwrap();
    assert!((0..9).all(|i| before[20 + 48 * 24 * i] == after[20 + 48 * 24 * i]));
}

solver! { Gate { lattice: D2Q9, collision: Regularized, streaming: MomentsRing, precision: F32, boundaries: [RegularizedVelocity, RegularizedPressure] } }

/// Rules whose nodes are all solid at first begin to stand: in one of two parts no rule stood before, so that on a device other kernels go on.
#[test]
fn gates_that_are_opened_let_fluid_in() {
    fn open<V: Variant>(of: &dyn Fn() -> Builder<V>, backend: Backend, parts: usize) -> Vec<f64> {
        let all = Cuboid { low: [0.0; 3], high: [12.0, 9.0, 1.0] };
        let flow = of().size([12, 9]).viscosity(0.05).backend(backend).drawable(all);
        let flow = flow.face(Face::South, FaceRule::WALL).face(Face::North, FaceRule::WALL);
        let flow = flow.solid(|[x, y, _]| y < 5 && (x == 0 || x == 11));
        let cut = Decomposition::At([vec![], vec![3; parts - 1], vec![]]);
        let mut flow = flow.decomposition(cut).build().unwrap();
        flow.run(4).unwrap();
        flow.set_fluid(&all).unwrap();
        flow.run(9).unwrap();
        flow.check_finite().unwrap();
        flow.populations().unwrap()
    }
    let ring = || {
        let inlet = RegularizedVelocity.with("velocity", [0.05, 0.0]);
        Gate::builder().boundary(Face::West, inlet).boundary(Face::East, RegularizedPressure)
    };
    let of_scheme = |scheme: &'static str| {
        move || {
            let inlet = ZouHeVelocity.with("velocity", [0.05, 0.0]);
            let flow = Flat::builder().scheme(scheme).boundary(Face::West, inlet);
            flow.boundary(Face::East, RegularizedPressure)
        }
    };
    let [whole, listed] = [of_scheme(DENSE[0]), of_scheme(LISTED[0])];
    let expected = [open(&ring, Backend::Cpu, 1), open(&whole, Backend::Cpu, 1)];
    let backends = [
        Backend::Cpu,
        #[cfg(feature = "cuda")]
        Backend::CudaOnHost,
    ];
    for backend in backends {
        #[cfg(feature = "cuda")]
        if backend == Backend::CudaOnHost
            && lbm::cuda::testing::cxx_or_skip("gates that are opened").is_none()
        {
            continue;
        }
        for parts in [1, 2] {
            assert!(open(&ring, backend, parts) == expected[0], "{backend:?}, {parts} parts");
            assert!(open(&listed, backend, parts) == expected[1], "listed, {backend:?}, {parts} parts");
        }
    }
}
