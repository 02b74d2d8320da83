//! Collisions around others: bits, names, parameters, and what they state.

use lbm::core::collision::Declared;
use lbm::core::{Body as _, Collision, Facts, Variant};
use lbm::prelude::*;

collision! {
    /// A mixture of two collisions.
    pub Between<One, Other>(share = 1/2 in 0..=1) {
        let one = One(f);
        let other = Other(f);
        for i in directions {
            f[i] = share * one[i] + (1 - share) * other[i];
        }
    }
}

solver! { Eddies { lattice: D2Q9, collision: Smagorinsky<Bgk>, precision: F32 } }
solver! { DeepEddies { lattice: D3Q19, collision: Smagorinsky<Trt> { magic: 1/4 }, equilibrium: Incompressible, forcing: Guo } }
solver! { Entropic { lattice: D2Q9, collision: Smagorinsky<Kbc>, forcing: Guo, streaming: EsotericPull } }
solver! { Paste { lattice: D2Q9, collision: PowerLaw<Trt>, precision: F32, forcing: Guo } }
solver! { Blood { lattice: D3Q19, collision: Carreau<CentralMoments>, precision: F16In32, streaming: Aa } }
solver! { Thick { lattice: D2Q9, collision: PowerLaw<Smagorinsky<Regularized>> { index: 3/2 }, streaming: TwoLatticePush } }
solver! { Mixed { lattice: D2Q9, collision: Between<Bgk, Regularized>, precision: F32 } }

cross_check!(Eddies, steps: [1, 2, 50]);
cross_check!(DeepEddies, steps: [1, 2, 50]);
cross_check!(Entropic, steps: [1, 2, 50]);
cross_check!(Paste, steps: [1, 2, 50]);
cross_check!(Blood, steps: [1, 2, 50]);
cross_check!(Thick, steps: [1, 2, 50]);
cross_check!(Mixed, steps: [1, 2, 50]);

#[test]
fn nvrtc_takes_collisions_around_others() {
    super::nvrtc_takes::<Eddies>();
    super::nvrtc_takes::<DeepEddies>();
    super::nvrtc_takes::<Paste>();
    super::nvrtc_takes::<Thick>();
}

#[test]
fn names_and_parameters_are_those_of_both() {
    assert_eq!(Facts::of::<Thick>().body.collision, "power-law-of-smagorinsky-of-regularized");
    assert_eq!(Facts::of::<Mixed>().body.collision, "between-of-bgk-and-regularized");
    type Own = <Paste as Variant>::Body;
    for name in ["viscosity", "index", "slowest", "magic", "force_x"] {
        assert!(Own::PARAMETERS.contains(&name), "{name} is none of {:?}", Own::PARAMETERS);
    }
    assert_eq!(Own::PARAMETERS.len(), 6);
    type Within = PowerLaw<Smagorinsky<Regularized>>;
    let Declared { text, within } = Declared::of::<Within>();
    assert!(text.contains("PowerLaw") && within[0].text == Smagorinsky::<Regularized>::DECLARATION);
    assert_eq!(within[0].within[0].text, Regularized::DECLARATION);
    let refused = Paste::builder().size([8, 8]).viscosity(0.1).parameter("index", 7.0).build().map(drop);
    assert!(refused.unwrap_err().to_string().contains("index"));
}

/// Where two have a parameter of one name, those within are called by their places.
#[test]
fn parameters_of_one_name_are_distinguished() {
    solver! { Two { lattice: D2Q9, collision: Between<CentralMoments, Cumulant> { other_bulk: 1/2, share: 1 } } }
    solver! { Nested { lattice: D2Q9, collision: PowerLaw<Carreau<PowerLaw<Bgk>>> { inner_inner_index: 1/2 } } }
    solver! { One { lattice: D2Q9, collision: CentralMoments } }
    let names = <<Two as Variant>::Body as lbm::core::Body>::PARAMETERS;
    assert!(names.contains(&"one_bulk") && names.contains(&"one_third"), "{names:?}");
    assert!(!names.contains(&"other_bulk") && !names.contains(&"bulk"), "{names:?}");
    let names = <<Nested as Variant>::Body as lbm::core::Body>::PARAMETERS;
    for name in ["index", "inner_index", "slowest", "inner_slowest", "time"] {
        assert!(names.contains(&name), "{name} is none of {names:?}");
    }
    // The range is that of its own declaration.
    let refused = Two::builder().size([8, 8]).viscosity(0.1).parameter("one_bulk", 7.0).build().map(drop);
    assert!(refused.unwrap_err().to_string().contains("one_bulk"));
    let wave = |[x, _, _]: [usize; 3]| Initial::velocity([0.03 * (x as f64).sin(), 0.02, 0.0]);
    let mut two =
        Two::builder().size([8, 8]).viscosity(0.1).parameter("one_bulk", 0.7).initial(wave).build().unwrap();
    let mut one =
        One::builder().size([8, 8]).viscosity(0.1).parameter("bulk", 0.7).initial(wave).build().unwrap();
    two.run(20).unwrap();
    one.run(20).unwrap();
    let [two, one] = [two, one].map(|flow| flow.populations().unwrap());
    assert!(two.iter().zip(&one).all(|(a, b)| (a - b).abs() < 1e-14));
}

/// Half of each of two collisions is the mean of what they do.
#[test]
fn a_mixture_is_the_mean() {
    solver! { One { lattice: D2Q9, collision: Bgk } }
    solver! { Other { lattice: D2Q9, collision: Regularized } }
    solver! { Both { lattice: D2Q9, collision: Between<Bgk, Regularized> { share: 1/4 } } }
    let before: Vec<f64> = (0..9).map(|i| 0.01 * f64::from(i * i % 7) - 0.02).collect();
    let after = |facts: Facts| {
        let mut after = vec![0.0; 9];
        facts.collide(&before, &[], &facts.uniforms(&[0.05]), &mut after);
        after
    };
    let [one, other, both] = [Facts::of::<One>(), Facts::of::<Other>(), Facts::of::<Both>()].map(after);
    for i in 0..9 {
        assert!((both[i] - 0.25 * one[i] - 0.75 * other[i]).abs() < 1e-16, "{i}");
    }
}

/// Without eddies, and with an index of 1, the collision within is alone.
#[test]
fn what_changes_nothing_is_the_collision_within() {
    solver! { Alone { lattice: D2Q9, collision: Trt, forcing: Guo } }
    solver! { NoEddies { lattice: D2Q9, collision: Smagorinsky<Trt> { constant: 0 }, forcing: Guo } }
    solver! { Newtonian { lattice: D2Q9, collision: PowerLaw<Trt> { index: 1 }, forcing: Guo } }
    solver! { NeverFast { lattice: D2Q9, collision: Carreau<Trt> { time: 0 }, forcing: Guo } }
    let before: Vec<f64> = (0..9).map(|i| 0.01 * f64::from(i * i % 7) - 0.02).collect();
    let after = |facts: Facts| {
        let value = |name: &&str| match *name {
            "viscosity" => 0.05,
            "magic" => 0.25,
            "index" => 0.5,
            "slowest" => 1e-6,
            "least" => 0.25,
            _ => 1e-3,
        };
        let parameters: Vec<f64> = facts.body.parameters.iter().map(value).collect();
        let mut after = vec![0.0; 9];
        facts.collide(&before, &[], &facts.uniforms(&parameters), &mut after);
        after
    };
    let alone = after(Facts::of::<Alone>());
    for (n, around) in [Facts::of::<NoEddies>(), Facts::of::<Newtonian>(), Facts::of::<NeverFast>()]
        .map(after)
        .into_iter()
        .enumerate()
    {
        let off = alone.iter().zip(&around).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-16, "{n}: {off:e}");
    }
}
