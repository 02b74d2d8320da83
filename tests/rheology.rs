//! Fluids whose viscosity follows the rate of shear: the stress follows it, and rest stays rest. Their profiles are a check of `lbm validate rheology`.

use lbm::prelude::*;

solver! { Eddies { lattice: D2Q9, collision: Smagorinsky<Bgk> } }
solver! { PasteSingle { lattice: D2Q9, collision: PowerLaw<Bgk>, precision: F32, forcing: Guo } }
solver! { Blood { lattice: D2Q9, collision: Carreau<Trt>, forcing: Guo } }
solver! { DeepBlood { lattice: D3Q19, collision: Carreau<Cumulant>, precision: F32 } }

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
