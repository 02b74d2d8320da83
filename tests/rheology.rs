//! Fluids whose viscosity follows the rate of shear: the stress follows it, and rest stays rest. Their profiles are a check of `lbm validate rheology`.

use lbm::prelude::*;

solver! { Eddies { lattice: D2Q9, collision: Smagorinsky<Bgk> } }
solver! { PasteSingle { lattice: D2Q9, collision: PowerLaw<Bgk>, precision: F32, forcing: Guo } }
solver! { Blood { lattice: D2Q9, collision: Carreau<Trt>, forcing: Guo } }
solver! { DeepBlood { lattice: D3Q19, collision: Carreau<Cumulant>, precision: F32 } }

solver! { FlatBulk { lattice: D2Q9, collision: BulkViscosity<Bgk>, precision: F64 } }
solver! { DeepBulk { lattice: D3Q19, collision: BulkViscosity<Trt>, precision: F64 } }

/// In a plane wave of sound the normal stresses are (2 - 2/D) and -2/D times the viscosity, with the bulk viscosity beside, times the slope of the velocity.
/// It follows that with the lag of a collision, so a standing wave is looked at when its velocity does not change: after a period, of 221.7 steps. What is left goes with the
/// square of the lag over the period.
#[test]
fn the_stress_has_the_bulk_viscosity_in_it() {
    fn normal<V: lbm::core::Variant>(rest: &[usize], bulk: f64) {
        const LENGTH: usize = 128;
        let (viscosity, dimension) = (0.1, 1.0 + rest.len() as f64);
        let k = std::f64::consts::TAU / LENGTH as f64;
        let wave = move |[x, ..]: [usize; 3]| Initial::velocity([1e-5 * (k * x as f64).sin(), 0.0, 0.0]);
        let size = [&[LENGTH], rest].concat();
        let flow = V::builder().size(size).viscosity(viscosity).parameter("bulk", bulk).threads(1);
        let mut flow = flow.initial(wave).build().unwrap();
        flow.run(221).unwrap();
        // It belongs to the step that comes.
        let stress = flow.stress().unwrap();
        flow.run(1).unwrap();
        let velocity = flow.velocity().unwrap();
        let mode = |value: &dyn Fn(usize) -> f64| {
            let part = |of: fn(f64) -> f64| (0..LENGTH).map(|x| value(x) * of(k * x as f64)).sum::<f64>();
            [part(f64::cos), -part(f64::sin)]
        };
        let [re, im] = mode(&|x| velocity[x][0]);
        let slope = [-k * im, k * re];
        let in_phase = |n: usize| {
            let own = mode(&|x| stress[x][n]);
            (own[0] * slope[0] + own[1] * slope[1]) / (slope[0] * slope[0] + slope[1] * slope[1])
        };
        let bulk_viscosity = (1.0 / bulk - 0.5) / 3.0 * 2.0 / dimension;
        for (n, shear) in [(0, 2.0 - 2.0 / dimension), (1, -2.0 / dimension)] {
            let (found, stated) = (in_phase(n), shear * viscosity + bulk_viscosity);
            assert!(
                (found - stated).abs() < 1e-2 * viscosity,
                "{}, {bulk}, {n}: {found}, {stated}",
                V::name()
            );
        }
    }
    for bulk in [0.7, 1.25, 1.6] {
        normal::<FlatBulk>(&[2], bulk);
        normal::<DeepBulk>(&[2, 2], bulk);
    }
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
