//! Fluids whose viscosity follows the rate of shear, against profiles that are known, and the stress that follows it.

use lbm::prelude::*;

solver! { Eddies { lattice: D2Q9, collision: Smagorinsky<Bgk> } }
solver! { Paste { lattice: D2Q9, collision: PowerLaw<Trt>, forcing: Guo } }
solver! { PasteSingle { lattice: D2Q9, collision: PowerLaw<Bgk>, precision: F32, forcing: Guo } }
solver! { Blood { lattice: D2Q9, collision: Carreau<Trt>, forcing: Guo } }
solver! { DeepBlood { lattice: D3Q19, collision: Carreau<Cumulant>, precision: F32 } }

/// A force along x between two walls that many nodes apart, until nothing changes: velocity and stress across.
fn between_walls(
    builder: Builder<impl lbm::core::Variant>,
    force: f64,
    nodes: usize,
) -> (Vec<f64>, Vec<f64>) {
    let mut flow = builder
        .size([2, nodes])
        .force([force, 0.0, 0.0])
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .threads(1)
        .build()
        .unwrap();
    flow.run(120 * (nodes * nodes) as u64).unwrap();
    let across = |n: &usize| n.is_multiple_of(2);
    let velocity = flow.velocity().unwrap();
    let stress = flow.stress().unwrap();
    let every = 0..2 * nodes;
    (
        every.clone().filter(across).map(|n| velocity[n][0]).collect(),
        every.filter(across).map(|n| stress[n][3]).collect(),
    )
}

/// The largest difference from a profile, which is a function of the distance from the middle, over its largest value; and that of the stress
/// from the force on what lies further in, over the stress at the wall.
fn errors((velocity, stress): &(Vec<f64>, Vec<f64>), force: f64, profile: impl Fn(f64) -> f64) -> [f64; 2] {
    let half = 0.5 * velocity.len() as f64;
    let off = |n: usize| n as f64 + 0.5 - half;
    let most = |errors: &mut dyn Iterator<Item = f64>| errors.fold(0.0, f64::max);
    [
        most(&mut velocity.iter().enumerate().map(|(n, u)| (u - profile(off(n).abs())).abs())) / profile(0.0),
        most(&mut stress.iter().enumerate().map(|(n, s)| (s + force * off(n)).abs())) / (force * half),
    ]
}

/// The lattice is of second order; where the viscosity goes to zero in the middle, for `index` above 1, a little less.
///
/// u = n / (n + 1) (F / K)^(1/n) (H^(1 + 1/n) - y^(1 + 1/n)) (Bird, Armstrong & Hassager 1987, Sec. 4.2).
#[test]
fn power_law_fluids_flow_as_their_exact_profile() {
    let exact = |nodes: usize, index: f64| {
        let half = 0.5 * nodes as f64;
        // The largest velocity is 0.8 / nodes, the viscosity at the wall 1/20.
        let at_wall = 0.8 / nodes as f64 * (index + 1.0) / (index * half);
        let consistency = 0.05 * at_wall.powf(1.0 - index);
        let force = 0.05 * at_wall / half;
        let power = 1.0 + 1.0 / index;
        let profile = move |y: f64| {
            index / (index + 1.0)
                * (force / consistency).powf(1.0 / index)
                * (half.powf(power) - y.powf(power))
        };
        (consistency, force, profile)
    };
    for (index, order) in [(0.5, 1.8), (0.8, 1.8), (1.5, 1.4)] {
        let found = [16, 32].map(|nodes| {
            let (consistency, force, profile) = exact(nodes, index);
            let flow = Paste::builder().viscosity(consistency).parameter("index", index);
            errors(&between_walls(flow, force, nodes), force, profile)
        });
        println!("power law {index}: {found:?}");
        let [coarse, fine] = found;
        assert!(fine[0] < 2e-3 && (coarse[0] / fine[0]).log2() > order, "{index}: {found:?}");
        assert!(found.iter().all(|errors| errors[1] < 1e-8), "{index}: {found:?}");
    }
}

/// The rate of shear at each distance from the middle makes the viscous stress the force on what lies further in; the velocity is its integral.
#[test]
fn carreau_fluids_flow_as_their_integrated_profile() {
    let (index, least, viscosity) = (0.4, 0.1, 0.1);
    let found = [16_usize, 32].map(|nodes| {
        let half = 0.5 * nodes as f64;
        let (time, force) = (300.0 * half, 0.003 / (half * half));
        let thinned = |g: f64| {
            viscosity * (least + (1.0 - least) * (1.0 + (time * g).powi(2)).powf((index - 1.0) / 2.0))
        };
        let rate = |y: f64| {
            let (mut low, mut high) = (0.0, force * y / (viscosity * least) + 1e-300);
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if thinned(middle) * middle < force * y { low = middle } else { high = middle }
            }
            0.5 * (low + high)
        };
        let profile = |y: f64| {
            let width = (half - y) / 400.0;
            (0..400)
                .map(|n| {
                    let at = y + n as f64 * width;
                    width / 6.0 * (rate(at) + 4.0 * rate(at + 0.5 * width) + rate(at + width))
                })
                .sum::<f64>()
        };
        assert!(thinned(rate(half)) < 0.5 * viscosity, "it thins");
        let flow = Blood::builder()
            .viscosity(viscosity)
            .parameter("index", index)
            .parameter("time", time)
            .parameter("least", least);
        errors(&between_walls(flow, force, nodes), force, profile)
    });
    println!("Carreau: {found:?}");
    let [coarse, fine] = found;
    assert!(fine[0] < 0.01 && coarse[0] / fine[0] > 2.0, "{found:?}");
    assert!(found.iter().all(|errors| errors[1] < 1e-6), "{found:?}");
}

/// In a uniform shear g eddies have the viscosity C^2 g, and the stress is that of both.
#[test]
fn the_stress_has_the_eddies_in_it() {
    let (height, lid, viscosity, constant) = (8, 0.02, 1e-3, 1.5);
    let shear = lid / height as f64;
    let mut flow = Eddies::builder()
        .size([3, height])
        .viscosity(viscosity)
        .parameter("constant", constant)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .initial(move |[_, y, _]| {
            let mut gradient = [[0.0; 3]; 3];
            gradient[1][0] = shear;
            Initial { density: 1.0, velocity: [shear * (y as f64 + 0.5), 0.0, 0.0], gradient: Some(gradient) }
        })
        .build()
        .unwrap();
    let stated = (viscosity + constant * constant * shear) * shear;
    // A flow that starts with its gradient has its stress at once: what is left goes with the square of the velocity.
    let off = |flow: &Simulation| {
        flow.stress().unwrap().iter().map(|s| (s[3] / stated - 1.0).abs()).fold(0.0, f64::max)
    };
    println!("at the start {:e}", off(&flow));
    assert!(off(&flow) < 1e-3, "{}", off(&flow));
    flow.run(50_000).unwrap();
    // Normal stresses are of second order in the shear, and count in the rate by their squares.
    assert!(off(&flow) < shear * shear, "{}", off(&flow));
    assert!(stated > 5.0 * viscosity * shear);
}

/// Where nothing flows the rate of shear is zero, and its logarithm and powers are not asked for.
#[test]
fn a_fluid_at_rest_stays_at_rest() {
    fn rests<V: lbm::core::Variant>(mut flow: Simulation) {
        flow.run(10).unwrap();
        assert!(flow.populations().unwrap().iter().all(|&h| h == 0.0), "{}", V::name());
        assert!(flow.stress().unwrap().iter().flatten().all(|&s| s == 0.0), "{}", V::name());
    }
    rests::<Eddies>(Eddies::builder().size([8, 8]).viscosity(0.01).build().unwrap());
    rests::<PasteSingle>(
        PasteSingle::builder().size([8, 8]).viscosity(0.01).parameter("index", 0.5).build().unwrap(),
    );
    rests::<Blood>(Blood::builder().size([8, 8]).viscosity(0.01).parameter("index", 0.5).build().unwrap());
    rests::<DeepBlood>(
        DeepBlood::builder().size([8, 8, 8]).viscosity(0.01).parameter("index", 0.5).build().unwrap(),
    );
}
