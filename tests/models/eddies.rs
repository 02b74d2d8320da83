//! Eddies whose viscosity follows the velocity's gradient: the formula node by node, where it vanishes, and what a flow does with it.

use super::{DeepEddies, Eddies, Plain, Strained};
use lbm::core::{Lattice, Variant};
use lbm::prelude::*;
use lbm::simulation::Builder;
use std::f64::consts::TAU;

/// A number from -1 to 1 that looks random, one for each component of each node.
fn noise([x, y, z]: [usize; 3], component: usize) -> f64 {
    let mut bits = ((x * 131 + y) * 137 + z) as u64 * 3 + component as u64;
    for _ in 0..3 {
        bits = (bits ^ (bits >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x632b_e59b_d9b4_e019);
    }
    (bits >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// The eddies' viscosity where the constant is 1, of a gradient whose entry [a][b] is d u_a / d x_b: Nicoud & Ducros (1999), Eqs. 10 to 13.
fn nicoud_and_ducros(g: [[f64; 3]; 3]) -> f64 {
    let indices = || (0..3).flat_map(|i| (0..3).map(move |j| (i, j)));
    let squared = |i: usize, j: usize| (0..3).map(|k| g[i][k] * g[k][j]).sum::<f64>();
    let trace: f64 = (0..3).map(|k| squared(k, k)).sum();
    let swirl = |i, j| 0.5 * (squared(i, j) + squared(j, i)) - if i == j { trace / 3.0 } else { 0.0 };
    let swirls: f64 = indices().map(|(i, j)| swirl(i, j) * swirl(i, j)).sum();
    let strain = |i: usize, j: usize| 0.5 * (g[i][j] + g[j][i]);
    let strains: f64 = indices().map(|(i, j)| strain(i, j) * strain(i, j)).sum();
    swirls.powf(1.5) / (strains.powf(2.5) + swirls.powf(1.25))
}

/// The gradient at a node of a periodic box, by the velocities of D2Q9 or D3Q27.
fn gradient(size: [usize; 3], dimension: usize, u: &[Vec<f64>], at: [usize; 3]) -> [[f64; 3]; 3] {
    let mut g = [[0.0; 3]; 3];
    for n in 0..3_usize.pow(dimension as u32) {
        let c = [n % 3, n / 3 % 3, n / 9].map(|digit| digit as i64 - 1);
        let c: [i64; 3] = std::array::from_fn(|axis| if axis < dimension { c[axis] } else { 0 });
        let weight: f64 =
            c[..dimension].iter().map(|&c| if c == 0 { 2.0 / 3.0 } else { 1.0 / 6.0 }).product();
        let there: [usize; 3] =
            std::array::from_fn(|a| (at[a] as i64 + c[a]).rem_euclid(size[a] as i64) as usize);
        let node = there[0] + size[0] * (there[1] + size[1] * there[2]);
        for (row, u) in g.iter_mut().zip(u) {
            row.iter_mut().zip(c).for_each(|(entry, c)| *entry += 3.0 * weight * c as f64 * u[node]);
        }
    }
    g
}

/// One step of velocities that look random in a periodic box: the eddies are those of the formula, node by node.
fn formula_holds<V: Variant>(size: [usize; 3], constant: f64) -> Result<(), Error> {
    let most = 0.05;
    let mut flow = Builder::<V>::from(lbm::simulation::Problem::default())
        .size(size)
        .viscosity(0.01)
        .parameter("constant", constant)
        .initial(move |at| {
            let component = |c| if c < <V::Lattice as Lattice>::D { most * noise(at, c) } else { 0.0 };
            Initial::velocity([0, 1, 2].map(component))
        })
        .build()?;
    flow.run(1)?;
    let dimension = <V::Lattice as Lattice>::D;
    let u: Vec<Vec<f64>> =
        ["u_x", "u_y", "u_z"][..dimension].iter().map(|name| flow.field(name)).collect::<Result<_, _>>()?;
    // Without a force a collision keeps the momentum, so these are the velocities after it, too.
    for (node, after) in flow.velocity()?.into_iter().enumerate() {
        assert!((0..dimension).all(|a| (after[a] - u[a][node]).abs() < 1e-16), "{node}: {after:?}");
    }
    let eddies = flow.field("eddies")?;
    let largest = u.iter().flatten().fold(0.0, |most: f64, u| most.max(u.abs()));
    let mut worst = 0.0_f64;
    for (node, at) in positions(size).enumerate() {
        let exact = constant * constant * nicoud_and_ducros(gradient(size, dimension, &u, at));
        // An entry of the gradient is a sum of at most 18 terms of which the factors add up to 1: off by 18 half ulps of the largest velocity, here and there. What
        // follows is off by 16 times the square of the constant times that of nine entries, which is the most by which the formula changes with its gradient, and by some 60
        // roundings.
        let half_ulp = f64::EPSILON / 2.0;
        let of_gradient = 3.0 * 2.0 * 18.0 * half_ulp * largest;
        let bound = 16.0 * constant * constant * of_gradient + 60.0 * half_ulp * exact;
        worst = worst.max((eddies[node] - exact).abs() / bound);
    }
    assert!(worst < 1.0, "{worst}");
    assert!(eddies.iter().all(|&eddies| eddies > 0.0 && eddies < 4.0 * most));
    assert!(eddies.iter().any(|&eddies| eddies > most / 50.0), "{eddies:?}");
    Ok(())
}

/// The nodes of a box in the order x, y, z.
fn positions([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

#[test]
fn eddies_are_those_of_the_formula_node_by_node() -> Result<(), Error> {
    formula_holds::<Eddies>([17, 9, 1], 0.5)?;
    formula_holds::<DeepEddies>([7, 6, 5], 0.325)
}

/// A fluid that turns as a whole has no strain: the formula is (2/3)^(1/4) times the rate of turning, here with the constant 1/2.
#[test]
fn a_fluid_that_turns_as_a_whole_has_the_eddies_of_its_turning() -> Result<(), Error> {
    [1e-4, 1e-9].into_iter().try_for_each(turns)
}

fn turns(turning: f64) -> Result<(), Error> {
    let n = 16;
    let middle = (n - 1) as f64 / 2.0;
    let mut flow = Eddies::builder()
        .size([n, n])
        .viscosity(0.01)
        .initial(move |[x, y, _]| {
            Initial::velocity([-turning * (y as f64 - middle), turning * (x as f64 - middle), 0.0])
        })
        .build()?;
    flow.run(1)?;
    let (eddies, exact) = (flow.field("eddies")?, 0.25 * (2.0_f64 / 3.0).powf(0.25) * turning);
    // Nodes at the faces of the periodic box see what turns on the other side. In a step the velocity changes by its square, and rounds by an ulp of the populations'.
    for (node, [x, y, _]) in positions([n, n, 1]).enumerate() {
        if (2..n - 2).contains(&x) && (2..n - 2).contains(&y) {
            let off = 10.0 * turning + 100.0 * f64::EPSILON / turning;
            assert!((eddies[node] / exact - 1.0).abs() < off, "{turning} {x} {y}: {}", eddies[node]);
        }
    }
    Ok(())
}

/// In the middle of a pulse of pressure the fluid only dilates: its gradient has equal entries, of which the traceless part is rounding alone.
#[test]
fn what_rounding_leaves_of_no_swirl_is_no_viscosity_that_is_no_number() -> Result<(), Error> {
    let n = 11;
    let mut flow = DeepEddies::builder()
        .size([n, n, n])
        .viscosity(0.01)
        .initial(move |at| {
            let away: f64 = at.iter().map(|&x| (x as f64 - (n / 2) as f64).powi(2)).sum();
            Initial { density: 1.0 + 1e-3 * (-away / 4.0).exp(), velocity: [0.0; 3], gradient: None }
        })
        .build()?;
    for _ in 0..20 {
        flow.run(1)?;
        let eddies = flow.field("eddies")?;
        assert!(eddies.iter().all(|&eddies| (0.0..1e-3).contains(&eddies)), "{eddies:?}");
    }
    Ok(())
}

/// Between a wall at rest and one that moves the flow shears only: no eddies, also beside the walls, and the stress is that of the fluid alone.
#[test]
fn pure_shear_has_no_eddies_also_beside_walls() -> Result<(), Error> {
    let (height, lid, viscosity) = (8, 0.04, 1e-2);
    let shear = lid / height as f64;
    let mut flow = Eddies::builder()
        .size([4, height])
        .viscosity(viscosity)
        .parameter("constant", 2.0)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .initial(move |[_, y, _]| {
            let mut gradient = [[0.0; 3]; 3];
            gradient[1][0] = shear;
            Initial { density: 1.0, velocity: [shear * (y as f64 + 0.5), 0.0, 0.0], gradient: Some(gradient) }
        })
        .build()?;
    for steps in [1, 10_000] {
        flow.run(steps)?;
        // What rounding adds to the other entries is less than 1e-13 of the gradient: eddies go with the cube of that.
        assert!(flow.field("eddies")?.iter().all(|&eddies| eddies < 4.0 * 2.0_f64.powi(6) * shear * 1e-39));
    }
    for (y, (u, stress)) in flow.velocity()?.into_iter().zip(flow.stress()?).enumerate() {
        let exact = shear * ((y / 4) as f64 + 0.5);
        assert!((u[0] - exact).abs() < 1e-13, "{y}: {u:?}");
        assert!((stress[3] / (viscosity * shear) - 1.0).abs() < 1e-10, "{y}: {stress:?}");
    }
    Ok(())
}

/// The share that is left of a shear wave after so many steps, of a collision with this viscosity.
fn wave_left<V: Variant>(constant: Option<f64>) -> Result<f64, Error> {
    let (n, wave) = (32, TAU / 32.0);
    let builder = Builder::<V>::from(lbm::simulation::Problem::default())
        .size([1, n])
        .viscosity(0.01)
        .initial(move |[_, y, _]| {
            let mut gradient = [[0.0; 3]; 3];
            gradient[1][0] = 0.1 * wave * (wave * y as f64).cos();
            let velocity = [0.1 * (wave * y as f64).sin(), 0.0, 0.0];
            Initial { velocity, gradient: Some(gradient), ..Initial::default() }
        });
    let mut flow = match constant {
        Some(constant) => builder.parameter("constant", constant).build()?,
        None => builder.build()?,
    };
    flow.run(500)?;
    let velocity = flow.velocity()?;
    let along = velocity.iter().enumerate().map(|(y, u)| u[0] * (wave * y as f64).sin());
    Ok(along.sum::<f64>() / (0.1 * n as f64 / 2.0))
}

/// A shear wave decays with the fluid's viscosity alone; Smagorinsky's eddies act on it.
#[test]
fn a_shear_wave_decays_with_the_viscosity_of_the_fluid_alone() -> Result<(), Error> {
    let alone = wave_left::<Plain>(None)?;
    let exact = (-0.01 * (TAU / 32.0).powi(2) * 500.0).exp();
    // To second order in the wave number, whose square is 0.04.
    assert!((alone / exact - 1.0).abs() < 1e-3, "{alone} {exact}");
    // The rate of the node is rounded once more than that of all nodes.
    let adapting = wave_left::<Eddies>(Some(0.5))?;
    assert!((adapting / alone - 1.0).abs() < 500.0 * f64::EPSILON, "{adapting} {alone}");
    let straining = wave_left::<Strained>(Some(0.5))?;
    assert!(straining < 0.98 * alone, "{straining} {alone}");
    Ok(())
}

/// The stress is that of the populations with the rate of both viscosities.
#[test]
fn the_stress_follows_the_eddies() -> Result<(), Error> {
    let (size, viscosity) = ([12, 10], 1e-3);
    let state = |at| Initial::velocity([0.05 * noise(at, 0), 0.05 * noise(at, 1), 0.0]);
    let mut adapting = Eddies::builder().size(size).viscosity(viscosity).initial(state).build()?;
    let mut alone = Plain::builder().size(size).viscosity(viscosity).initial(state).build()?;
    adapting.run(3)?;
    alone.set_populations(&adapting.populations()?)?;
    let (stress, without) = (adapting.stress()?, alone.stress()?);
    adapting.run(1)?;
    let share = |viscosity: f64| 1.0 - 0.5 / (3.0 * viscosity + 0.5);
    for (node, eddies) in adapting.field("eddies")?.into_iter().enumerate() {
        let more = share(viscosity + eddies) / share(viscosity);
        for (with, without) in stress[node].iter().zip(without[node]) {
            assert!((with - more * without).abs() < 1e-13, "{node}: {with} {without} {more}");
        }
        assert!(more > 1.01, "{node}: {more}");
    }
    Ok(())
}

/// Where nothing flows, or all with one velocity, or so little that squares of gradients have no digits, the formula is 0 / 0: there are no eddies.
#[test]
fn a_fluid_without_gradients_has_no_eddies() -> Result<(), Error> {
    let rest = || DeepEddies::builder().size([6, 6, 4]).viscosity(1e-3);
    let mut walled = rest()
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .solid(|[x, y, _]| x == 3 && y == 2)
        .build()?;
    walled.run(10)?;
    assert!(walled.populations()?.iter().all(|&h| h == 0.0));
    assert!(walled.field("eddies")?.iter().all(|&eddies| eddies == 0.0));
    assert!(walled.stress()?.iter().flatten().all(|&stress| stress == 0.0));

    let mut uniform = rest().initial(|_| Initial::velocity([0.05, -0.03, 0.02])).build()?;
    uniform.run(10)?;
    assert!(uniform.field("eddies")?.iter().all(|&eddies| (0.0..1e-15).contains(&eddies)));
    assert!(uniform.velocity()?.iter().all(|u| (u[0] - 0.05).abs() < 1e-15 && (u[1] + 0.03).abs() < 1e-15));

    for faint in [1e-16, 1e-100, 1e-300, 5e-324] {
        let state = move |at| Initial::velocity([0, 1, 2].map(|c| faint * noise(at, c)));
        let mut flow = rest().initial(state).build()?;
        flow.run(2)?;
        assert!(flow.field("eddies")?.iter().all(|&eddies| eddies == 0.0), "{faint:e}");
        flow.check_finite()?;
    }
    Ok(())
}

/// In a driven channel with an obstacle eddies are finite beside walls, and small where they adapt to one.
#[test]
fn eddies_beside_walls_are_numbers() -> Result<(), Error> {
    let mut flow = Eddies::builder()
        .size([32, 16])
        .viscosity(2e-3)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.05, 0.0, 0.0] })
        .solid(|[x, y, _]| (10..13).contains(&x) && (6..10).contains(&y))
        .initial(|[_, y, _]| Initial::velocity([0.05 * (y as f64 + 0.5) / 16.0, 0.0, 0.0]))
        .build()?;
    flow.run(600)?;
    flow.check_finite()?;
    let eddies = flow.field("eddies")?;
    assert!(eddies.iter().all(|eddies| eddies.is_finite() && *eddies >= 0.0));
    let row = |y: usize| eddies[32 * y..32 * (y + 1)].iter().sum::<f64>() / 32.0;
    assert!(row(0) < 0.1 * row(5), "{} {}", row(0), row(5));
    Ok(())
}

/// A model of one set states the viscosity that the set is given: its stress is that of a fluid with this viscosity.
#[test]
fn the_stress_follows_the_viscosity_that_a_model_gives() -> Result<(), Error> {
    model! {
        /// A fluid that is so many times as viscous.
        Thickened<Flow>(times = 1 in 0..) {
            let flow = set(1);
            flow.viscosity = times * flow.viscosity;
            flow.f = Flow(flow);
        }
    }
    solver! { Thick { model: Thickened<Bgk>, lattice: D2Q9 } }
    let gradient = Some([[0.0, 0.01, 0.0], [0.02, 0.0, 0.0], [0.0; 3]]);
    let state = move |_| Initial { gradient, ..Initial::default() };
    let thick =
        Thick::builder().size([4, 4]).viscosity(0.1).parameter("times", 3.0).initial(state).build()?;
    let plain = Plain::builder().size([4, 4]).viscosity(0.3).initial(state).build()?;
    for (thick, plain) in thick.stress()?.iter().flatten().zip(plain.stress()?.iter().flatten()) {
        assert!((thick - plain).abs() < 1e-16, "{thick} {plain}");
    }
    assert!(thick.stress()?.iter().all(|stress| stress[3].abs() > 1e-4), "{:?}", thick.stress()?[0]);
    Ok(())
}
