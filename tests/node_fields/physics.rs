//! Flows through fields that have exact solutions.

use lbm::prelude::*;

solver! { Layers { lattice: D2Q9, collision: VaryingViscosity<Trt>, forcing: Guo } }
solver! { LayersCumulant { lattice: D2Q9, collision: VaryingViscosity<CentralMoments>, forcing: Guo } }

/// A steady flow along x between two walls `nodes` apart, driven by a force, with the viscosity `0.05 (1 + rise s)` at the share s of the way
/// across: velocity and viscous stress at the nodes.
fn channel(builder: Builder<impl lbm::core::Variant>, nodes: usize, rise: f64, force: f64) -> [Vec<f64>; 2] {
    let share = move |y: usize| (y as f64 + 0.5) / nodes as f64;
    let mut flow = builder
        .size([2, nodes])
        .viscosity(0.05)
        .force([force, 0.0, 0.0])
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .field("ratio", move |[_, y, _]| 1.0 + rise * share(y))
        .threads(1)
        .build()
        .unwrap();
    // Several times what diffusion takes across.
    flow.run(100 * (nodes * nodes) as u64).unwrap();
    let (velocity, stress) = (flow.velocity().unwrap(), flow.stress().unwrap());
    let along = 0..nodes;
    [along.clone().map(|y| velocity[2 * y][0]).collect(), along.map(|y| stress[2 * y][3]).collect()]
}

/// (nu u')' = -F with nu = nu0 (1 + a s) and u = 0 at both walls: u = F H^2 / (nu0 a) (log(1 + a s) / log(1 + a) - s), of second order on the
/// lattice. The stress nu u' falls by F from node to node, exactly but for rounding, if it is made with the viscosity of each node.
#[test]
fn a_viscosity_that_varies_across_a_channel_gives_the_integrated_profile() {
    let rise = 4.0_f64;
    let mut errors = Vec::new();
    for nodes in [16, 32] {
        let height = nodes as f64;
        let force = 0.02 * 0.05 * rise / (height * height);
        let [velocity, stress] = channel(Layers::builder(), nodes, rise, force);
        let exact = |y: usize| {
            let s = (y as f64 + 0.5) / height;
            0.02 * ((rise * s).ln_1p() / rise.ln_1p() - s)
        };
        let largest = (0..nodes).map(exact).fold(0.0, f64::max);
        let off = (0..nodes).map(|y| (velocity[y] - exact(y)).abs()).fold(0.0, f64::max);
        errors.push(off / largest);
        let uneven =
            stress.windows(2).map(|pair| ((pair[0] - pair[1]) / force - 1.0).abs()).fold(0.0, f64::max);
        assert!(uneven < 1e-7, "{nodes} nodes: the stress falls by {uneven} more or less than the force");
    }
    println!("profile: {errors:?}");
    let order = (errors[0] / errors[1]).log2();
    assert!(errors[1] < 5e-3 && order > 1.8, "{errors:?}, order {order}");
}

/// Around another collision the same flow, to the order of the lattice.
#[test]
fn the_collision_within_follows_the_viscosity_of_the_node() {
    let (nodes, rise) = (16, 4.0);
    let force = 0.02 * 0.05 * rise / (nodes * nodes) as f64;
    let [one, _] = channel(Layers::builder(), nodes, rise, force);
    let [other, _] = channel(LayersCumulant::builder(), nodes, rise, force);
    let largest = one.iter().copied().fold(0.0, f64::max);
    let off = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 0.01 * largest && off > 0.0, "{off} of {largest}");
}

solver! { Kolmogorov { lattice: D2Q9, collision: Trt, forcing: GuoField } }

/// nu u'' = -F with F = A sin(k y): u = A / (nu k^2) sin(k y), of second order in k.
#[test]
fn a_force_that_varies_drives_the_velocity_of_its_second_integral() {
    let errors = [16, 32].map(|nodes| {
        let (k, viscosity) = (std::f64::consts::TAU / nodes as f64, 0.1);
        let amplitude = 0.01 * viscosity * k * k;
        let sine = move |y: usize| (k * (y as f64 + 0.25)).sin();
        let mut flow = Kolmogorov::builder()
            .size([2, nodes])
            .viscosity(viscosity)
            .field("force_x", move |[_, y, _]| amplitude * sine(y))
            .build()
            .unwrap();
        flow.run(30 * (nodes * nodes) as u64).unwrap();
        let velocity = flow.velocity().unwrap();
        // The stress is what holds the force: it changes by as much from node to node, exactly.
        let stress = flow.stress().unwrap();
        let mut uneven: f64 = 0.0;
        for y in 0..nodes {
            let change = (stress[2 * ((y + 1) % nodes)][3] - stress[2 * y][3]) / (amplitude * k);
            let force = -(sine(y) + sine(y + 1)) / (2.0 * k);
            uneven = uneven.max((change - force).abs() * k);
        }
        println!("{nodes} nodes: {uneven:e}");
        assert!(uneven < 1e-10, "{nodes} nodes: {uneven}");
        (0..nodes).map(|y| (velocity[2 * y][0] - 0.01 * sine(y)).abs()).fold(0.0, f64::max) / 0.01
    });
    println!("driven: {errors:?}");
    let order = (errors[0] / errors[1]).log2();
    assert!(errors[1] < 4e-3 && order > 1.8, "{errors:?}, order {order}");
}

/// What comes to a node has the momentum j, what leaves (1 - n) (j + F) - n j: in balance j = (1 - n) F / (2 n), which is Darcy's law with the
/// permeability viscosity (1 - n) / (2 n). The velocity is read as that of j less F / 2.
#[test]
fn a_porous_medium_lets_through_what_darcy_says() {
    solver! { Bed { lattice: D3Q19, collision: PartialBounceBack<Bgk>, forcing: Guo } }
    for solidity in [0.5_f64, 0.1, 0.01] {
        let (force, viscosity) = (1e-5, 0.1);
        let mut flow = Bed::builder()
            .size([3, 2, 2])
            .viscosity(viscosity)
            .force([0.0, force, 0.0])
            .field("solidity", move |_| solidity)
            .build()
            .unwrap();
        flow.run((40.0 / solidity) as u64).unwrap();
        let through = flow.velocity().unwrap()[5][1] + force / 2.0;
        let permeability = viscosity * (1.0 - solidity) / (2.0 * solidity);
        let darcy = permeability * force / viscosity;
        assert!((through / darcy - 1.0).abs() < 1e-10, "{solidity}: {through} for {darcy}");
    }
}
