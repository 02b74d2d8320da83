//! Collisions that moments carry: which they are, and that their halves make the whole, bit for bit.
#![cfg(feature = "command")]

mod kernels;

use kernels::{Case, EQUILIBRIA};
use lbm::collisions::{Bgk, Mrt, Regularized};
use lbm::core::codegen::language::Equilibrium::QuasiCompressible;
use lbm::core::codegen::language::{Forcing, Given, Scope, evaluate};
use lbm::core::codegen::moments::Halves;
use lbm::core::codegen::rational::{ratio, whole};
use lbm::core::laws::{SplitMix64, boxes, random_setup};
use lbm::core::variant::Arithmetic;
use lbm::core::{Body, Collision as _, Facts, Lattice as _, Real, Variant};
use lbm::prelude::*;

collision! {
    /// Takes away what is above second order, then relaxes to the equilibrium: populations of second order, though
    /// that shows only behind the names. What was taken away is written as a quantity of its own.
    Filtered {
        let omega = 1 / (viscosity / cs2 + 1/2);
        let m = to_moments(f);
        let smooth = from_moments(moments.map(|k| if order[k] <= 2 { m[k] } else { 0 }));
        let ghost = directions.map(|i| f[i] - smooth[i]);
        let one = directions.map(|i| omega * (equilibrium[i] - smooth[i]) + (1 - omega / 2) * source[i]);
        for i in directions {
            f[i] = f[i] - ghost[i] + one[i];
        }
    }
}

collision! {
    /// The equilibrium itself, on any lattice.
    Equilibrated {
        for i in directions {
            f[i] = equilibrium[i];
        }
    }
}

/// How many moments carry a case, without the rest of its kernel.
fn moments(case: &Case) -> usize {
    let scope = Scope { lattice: &case.lattice, choices: &case.choices, given: Given::Populations };
    let kernel = evaluate(&case.collision, &scope).unwrap();
    let halves = Halves::of(&case.lattice, &kernel.symbols, &kernel.populations);
    halves.map_or(0, |(halves, _)| halves.gather.outputs.len())
}

#[test]
fn built_in_collisions_are_carried_if_they_are_regularised() {
    for case in kernels::all(|_| true) {
        let d = case.lattice.dimension;
        let carried = if case.collision.name == "Regularized" { 1 + d + d * (d + 1) / 2 } else { 0 };
        assert_eq!(moments(&case), carried, "{}", case.name());
    }
}

#[test]
fn other_collisions_are_carried_if_their_populations_are_of_second_order_however_they_are_written() {
    for lattice in kernels::lattices() {
        for equilibrium in EQUILIBRIA {
            for forcing in [Forcing::None, Forcing::Guo] {
                let case = |collision| Case::new(lattice, collision, equilibrium, forcing);
                let regularized = moments(&case(Regularized::DECLARATION));
                assert_eq!(moments(&case(Filtered::DECLARATION)), regularized);
                assert_eq!(moments(&case(Equilibrated::DECLARATION)), regularized);
                // With rate 1 the ghosts are those of the equilibrium, and nothing else is left of the populations.
                assert_eq!(moments(&case(Mrt::DECLARATION).baked("rates", whole(1))), regularized);
                let viscosity = |collision| case(collision).baked("viscosity", ratio(1, 6));
                assert_eq!(moments(&viscosity(Bgk::DECLARATION)), regularized);
                assert_eq!(moments(&viscosity(Mrt::DECLARATION)), 0, "the free rates remain");
            }
        }
    }
}

#[test]
fn a_lattice_that_does_not_tell_second_moments_apart_carries_nothing() {
    // All velocities are along axes: xx and yy are not orthogonal, and xy is nothing.
    let axes =
        "Axes { dimension: 2, shells: [[0, 0], [1, 0], [2, 0]], weights: [1/2, 1/10, 1/40], isotropy: 2 }";
    for lattice in [axes, lbm::lattices::D2Q5::DECLARATION, lbm::lattices::D3Q7::DECLARATION] {
        let case = Case::new(lattice, Equilibrated::DECLARATION, QuasiCompressible, Forcing::None);
        assert_eq!(moments(&case), 0, "{}", case.name());
    }
}

#[test]
fn the_whole_collision_is_one_half_after_the_other() {
    lbm::sweep! {
        lattice: [D2Q9, D3Q15, D3Q19, D3Q27],
        collision: [Regularized, Filtered],
        equilibrium: [QuasiCompressible, Incompressible],
        forcing: [None, Guo],
        precision: [F32, F64],
        skip: [{ collision: Filtered, lattice: [D3Q15, D3Q27] }],
        => |V| halves_make_the_whole::<V>()
    }
}

fn halves_make_the_whole<V: Variant>() {
    let facts = Facts::of::<V>();
    let (q, d) = (facts.lattice.q(), facts.lattice.dimension);
    assert_eq!((facts.moments, V::Body::MOMENTS), (1 + d + d * (d + 1) / 2, facts.moments));
    let bits = |values: &[f64]| values.iter().map(|&x| facts.arithmetic.bits(x)).collect::<Vec<_>>();
    let mut random = SplitMix64::new(7);
    for _ in 0..20 {
        let setup = random_setup(&facts, boxes(d)[0], &mut random);
        let uniforms = facts.uniforms(&setup.parameters);
        let before: Vec<f64> = facts
            .lattice
            .weights
            .iter()
            .map(|w| facts.arithmetic.round(w * random.between(-0.1, 0.1)))
            .collect();
        let (mut whole, mut moments, mut after) = (vec![0.0; q], vec![0.0; facts.moments], vec![0.0; q]);
        facts.collide(&before, &uniforms, &mut whole);
        facts.gather(&before, &uniforms, &mut moments);
        facts.rebuild(&moments, &mut after);
        assert_eq!(bits(&after), bits(&whole), "{}", facts.name());

        let one = |i| V::Body::rebuild(i, |n| Arithmetic::<V>::from_f64(moments[n])).to_f64();
        assert_eq!(
            bits(&(0..q).map(one).collect::<Vec<_>>()),
            bits(&whole),
            "{}: each direction",
            facts.name()
        );

        // The sums of the populations are the moments, and give the populations back, but for rounding.
        let near = 16.0 * <Arithmetic<V> as Real>::EPSILON * whole.iter().map(|h| h.abs()).sum::<f64>();
        let (mut sums, mut back) = (vec![0.0; facts.moments], vec![0.0; q]);
        facts.project(&whole, &mut sums);
        facts.rebuild(&sums, &mut back);
        for (a, b) in moments.iter().zip(&sums).chain(whole.iter().zip(&back)) {
            assert!((a - b).abs() <= near, "{}: {a} and {b} differ by more than {near}", facts.name());
        }
    }
}

#[test]
fn a_device_gets_both_halves() {
    lbm::solver! { Carried { lattice: D2Q9, collision: Regularized } }
    lbm::solver! { Whole { lattice: D2Q9, collision: Bgk } }
    let halves = |text: Option<lbm::core::DeviceText>| text.expect("generated bodies have a text").halves;
    assert_eq!(halves(Facts::of::<Whole>().body_text), None);
    let halves = halves(Facts::of::<Carried>().body_text).expect("it is carried");
    let set = |text: &str, array: &str| text.lines().filter(|line| line.trim().starts_with(array)).count();
    assert_eq!((set(halves.gather, "m["), set(halves.rebuild_all, "post[")), (6, 9));
    assert_eq!(halves.rebuild.len(), 9);
    assert!(halves.rebuild.iter().all(|text| set(text, "population = ") == 1 && !text.contains("k[")));
}
