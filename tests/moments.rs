//! Collisions that moments carry: which they are, that their halves make the whole, bit for bit, and that schemes make no difference.

mod kernels;

use kernels::{Case, EQUILIBRIA};
use lbm::collisions::{Bgk, CentralMoments, Mrt, Regularized};
use lbm::core::laws::{SplitMix64, boxes, random_setup};
use lbm::core::variant::Arithmetic;
use lbm::core::{Body, Collision as _, Facts, Lattice as _, Real, Variant};
use lbm::prelude::*;
use lbm_generator::language::Equilibrium::QuasiCompressible;
use lbm_generator::language::{Forcing, Given, Scope, evaluate};
use lbm_generator::moments::Halves;
use lbm_generator::rational::{ratio, whole};

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
    let scope = Scope::of(&case.lattice, &case.choices, Given::Populations);
    let kernel = evaluate(&case.collision, &scope).unwrap();
    let halves = Halves::of(&case.lattice, &kernel);
    halves.map_or(0, |(halves, _)| halves.gather.outputs.len())
}

#[test]
fn built_in_collisions_have_moments_if_they_are_regularised() {
    for case in kernels::all(|_| true) {
        let d = case.lattice.dimension;
        let name = case.collision.full_name();
        let are = ["Regularized", "RecursiveRegularized", "HybridRecursiveRegularized"].contains(&&*name)
            || name == "RecursiveBulkViscosity<RecursiveRegularized>"
            || name == "BulkViscosity<Regularized>";
        let expected = if are { 1 + d + d * (d + 1) / 2 } else { 0 };
        assert_eq!(moments(&case), expected, "{}", case.name());
    }
}

#[test]
fn other_collisions_have_moments_if_their_populations_are_of_second_order_however_they_are_written() {
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
    lbm::sweep! {
        lattice: [D2Q9, D3Q19, D3Q27],
        collision: [RecursiveRegularized, RecursiveBulkViscosity<RecursiveRegularized>, Smagorinsky<RecursiveRegularized>],
        forcing: [None, Guo],
        precision: [F32, F64],
        skip: [{ collision: Smagorinsky<RecursiveRegularized>, lattice: D3Q27 }],
        => |V| halves_make_the_whole::<V>()
    }
}

#[test]
fn what_follows_by_recursion_is_found_however_it_is_written() {
    let case =
        |collision| Case::new(lbm::lattices::D2Q9::DECLARATION, collision, QuasiCompressible, Forcing::None);
    assert_eq!(moments(&case(kernels::BY_RECURSION)), 6);
    // With rate 1 all above second order are those of the equilibrium.
    let relaxed = ["bulk", "third", "fourth"]
        .iter()
        .fold(case(CentralMoments::DECLARATION), |case, rate| case.baked(rate, whole(1)));
    assert_eq!(moments(&relaxed), 6);
    assert_eq!(moments(&case(CentralMoments::DECLARATION)), 0, "the free rates remain");
}

#[test]
fn recursion_gives_the_same_bits_in_every_scheme_of_moments() {
    use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
    let (options, test) = (
        Options::default().with_steps([1, 2, 5]).with_seeds([7]),
        "recursion_gives_the_same_bits_in_every_scheme_of_moments",
    );
    lbm::sweep! {
        lattice: [D2Q9, D3Q19],
        collision: [RecursiveRegularized],
        forcing: [None, Guo],
        precision: [F32, F64, F16In32],
        layout: [Soa, Aosoa<8>],
        streaming: [Moments, MomentsRing, MomentsTwoSteps, ThreadSafe],
        pairwise: [lattice, forcing, precision, layout, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>(test, &options);
        }
    }
    // With what neighbours tell of the velocity.
    lbm::sweep! {
        lattice: [D2Q9], collision: [HybridRecursiveRegularized], precision: [F32, F64], streaming: [Moments, ThreadSafe],
        pairwise: [precision, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>(test, &options);
        }
    }
}

fn halves_make_the_whole<V: Variant>() {
    let facts = Facts::of::<V>();
    let (q, d) = (facts.lattice.q(), facts.lattice.dimension);
    assert_eq!((facts.body.moments, V::Body::MOMENTS), (1 + d + d * (d + 1) / 2, facts.body.moments));
    let bits =
        |values: &[f64]| values.iter().map(|&x| facts.precision.arithmetic.bits(x)).collect::<Vec<_>>();
    let mut random = SplitMix64::new(7);
    for _ in 0..20 {
        let setup = random_setup(&facts, boxes(d)[0], &mut random);
        let uniforms = facts.uniforms(&setup.parameters);
        let before: Vec<f64> = facts
            .lattice
            .weights
            .iter()
            .map(|w| facts.precision.arithmetic.round(w * random.between(-0.1, 0.1)))
            .collect();
        let (mut whole, mut moments, mut after) = (vec![0.0; q], vec![0.0; facts.body.moments], vec![0.0; q]);
        facts.collide(&before, &[], &uniforms, &mut whole);
        facts.gather(&before, &[], &uniforms, &mut moments);
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
        let (mut sums, mut back) = (vec![0.0; facts.body.moments], vec![0.0; q]);
        facts.project(&whole, &mut sums);
        facts.rebuild(&sums, &mut back);
        for (a, b) in moments.iter().zip(&sums).chain(whole.iter().zip(&back)) {
            assert!((a - b).abs() <= near, "{}: {a} and {b} differ by more than {near}", facts.name());
        }
    }
}

#[test]
fn a_device_gets_both_halves() {
    lbm::solver! { OfMoments { lattice: D2Q9, collision: Regularized } }
    lbm::solver! { Whole { lattice: D2Q9, collision: Bgk } }
    let halves = |text: Option<lbm::core::DeviceText>| text.expect("generated bodies have a text").halves;
    assert_eq!(halves(Facts::of::<Whole>().body.text), None);
    let halves = halves(Facts::of::<OfMoments>().body.text).expect("it has moments");
    let set = |text: &str, array: &str| text.lines().filter(|line| line.trim().starts_with(array)).count();
    assert_eq!((set(halves.gather, "m["), set(halves.rebuild_all, "post[")), (6, 9));
    assert_eq!(halves.rebuild.len(), 9);
    assert!(halves.rebuild.iter().all(|text| set(text, "population = ") == 1 && !text.contains("k[")));
}

/// What 16-bit storage of moments costs in one store. A moment m loses at most e(m) = max(2^-11 |m|, 2^-40): half a unit of
/// the eleventh digit, or of the smallest number of the format times 2^-15. So a population loses at most
/// w_i (e(s) + sum_a |c_ia| e(j_a) / cs2 + sum_ab |c_ia c_ib| e(P_ab) / (2 cs2^2)), and some roundings of the arithmetic.
#[test]
fn sixteen_bits_cost_what_their_digits_say() {
    lbm::solver! { Narrow { lattice: D3Q19, collision: Regularized, precision: F16In32, streaming: Moments } }
    lbm::solver! { Wide { lattice: D3Q19, collision: Regularized, precision: F32, streaming: Moments } }
    let (narrow, wide) = (Facts::of::<Narrow>(), Facts::of::<Wide>());
    let (lattice, mut random) = (wide.lattice, SplitMix64::new(3));
    let loss = |m: f64| (m.abs() * 2f64.powi(-11)).max(2f64.powi(-40));
    let mut largest: f64 = 0.0;
    for _ in 0..200 {
        let populations: Vec<f64> =
            lattice.weights.iter().map(|w| f64::from((w * random.between(-0.1, 0.1)) as f32)).collect();
        let (mut m, mut lossy, mut exact) = ([0.0; 10], [0.0; 19], [0.0; 19]);
        wide.project(&populations, &mut m);
        narrow.stored(&populations, &mut lossy);
        wide.stored(&populations, &mut exact);
        for (i, c) in lattice.velocities.iter().enumerate() {
            let c = c.map(|c| f64::from(c.abs()));
            let (mut bound, mut second) = (loss(m[0]), 4);
            for a in 0..3 {
                bound += c[a] * loss(m[1 + a]) / lattice.cs2;
                for b in a..3 {
                    let twice = if a == b { 0.5 } else { 1.0 };
                    bound += twice * c[a] * c[b] * loss(m[second]) / (lattice.cs2 * lattice.cs2);
                    second += 1;
                }
            }
            let bound = lattice.weights[i] * bound;
            let (difference, roundings) = ((lossy[i] - exact[i]).abs(), 16.0 * f64::from(f32::EPSILON) * 0.1);
            assert!(
                difference <= bound + roundings * lattice.weights[i],
                "direction {i}: {difference:e}, {bound:e}"
            );
            largest = largest.max(difference / bound);
        }
    }
    // A bound that is never approached would say little.
    assert!(largest > 0.3, "{largest}");
}
