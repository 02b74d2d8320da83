//! Random velocity sets: `lattice!` refuses them, or what it derives from them is right.

use lbm_generator::lattice::{LatticeSpec, analyse};
use lbm_generator::rational::{Rational, ratio, sum, whole};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The same cases in every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// Shells of one dimension by their sorted representatives.
fn shells(dimension: usize) -> impl Strategy<Value = Vec<Vec<i32>>> {
    let reach = if dimension == 3 { 2 } else { 3 };
    let all: Vec<Vec<i32>> = match dimension {
        1 => (1..=reach + 1).map(|a| vec![a]).collect(),
        2 => (1..=reach).flat_map(|a| (0..=a).map(move |b| vec![a, b])).collect(),
        _ => {
            (1..=reach).flat_map(|a| (0..=a).flat_map(move |b| (0..=b).map(move |c| vec![a, b, c]))).collect()
        }
    };
    let most = all.len().min(5);
    proptest::sample::subsequence(all, 1..=most).prop_map(move |mut some| {
        some.insert(0, vec![0; dimension]);
        some
    })
}

fn shell_sets() -> impl Strategy<Value = Vec<Vec<i32>>> {
    (1_usize..=3).prop_flat_map(shells)
}

#[test]
fn solved_weights_are_isotropic_to_the_order_asked_for() {
    let solved = Cell::new(0);
    let case = (shell_sets(), 1_i64..=6, 1_i64..=6, prop_oneof![Just(2_u32), Just(4), Just(6)]);
    runner(400)
        .run(&case, |(shells, n, d, order)| {
            let cs2 = ratio(n, d);
            let text = format!(
                "L {{ dimension: {}, shells: {shells:?}, weights: solve, cs2: {cs2}, isotropy: {order} }}",
                shells[0].len()
            );
            if let Ok(spec) = analyse(text.parse().unwrap()) {
                solved.set(solved.get() + 1);
                prop_assert_eq!(&spec.cs2, &cs2);
                prop_assert!(spec.isotropy >= order);
                holds(&spec)?;
            }
            Ok(())
        })
        .unwrap();
    assert!(solved.get() >= 40, "only {} sets had weights: the test says little", solved.get());
}

#[test]
fn given_weights_are_checked() {
    let accepted = Cell::new(0);
    let case = (shell_sets(), proptest::collection::vec(-1_i64..=9, 6));
    runner(200)
        .run(&case, |(shells, twentieths)| {
            let dimension = shells[0].len();
            let members: Vec<i64> = shells.iter().map(|s| members(s)).collect();
            let mut weights: Vec<Rational> =
                members.iter().zip(&twentieths).map(|(&m, &t)| ratio(t, 20 * m)).collect();
            // The rest's weight makes the sum 1; it may come out negative.
            weights[0] = whole(1) - sum(members[1..].iter().zip(&weights[1..]).map(|(&m, w)| whole(m) * w));
            let list: Vec<String> = weights.iter().map(ToString::to_string).collect();
            let list = list.join(", ");
            let text =
                format!("L {{ dimension: {dimension}, shells: {shells:?}, weights: [{list}], isotropy: 2 }}");
            let positive = weights.iter().all(|w| *w > whole(0));
            let analysed = analyse(text.parse().unwrap());
            prop_assert_eq!(analysed.is_ok(), positive, "{}", text);
            if let Ok(spec) = analysed {
                accepted.set(accepted.get() + 1);
                holds(&spec)?;
            }
            Ok(())
        })
        .unwrap();
    assert!(accepted.get() >= 30, "only {} sets were accepted: the test says little", accepted.get());
}

/// How many signed permutations a vector has, counted here by trying all.
fn members(shell: &[i32]) -> i64 {
    let reach = shell.iter().map(|c| c.abs()).max().unwrap_or(0);
    let sorted = |c: &[i32]| {
        let mut c: Vec<i32> = c.iter().map(|c| c.abs()).collect();
        c.sort_unstable();
        c
    };
    let mut vectors: Vec<Vec<i32>> = vec![Vec::new()];
    for _ in shell {
        vectors = vectors
            .iter()
            .flat_map(|v| (-reach..=reach).map(move |c| [v.as_slice(), &[c]].concat()))
            .collect();
    }
    i64::try_from(vectors.iter().filter(|v| sorted(v) == sorted(shell)).count()).unwrap()
}

/// All that is derived from a lattice is as it should be, found anew from its velocities and weights.
fn holds(spec: &LatticeSpec) -> Result<(), TestCaseError> {
    let q = spec.q();
    let distinct: BTreeSet<_> = spec.velocities.iter().collect();
    prop_assert_eq!(distinct.len(), q);
    for i in 0..q {
        let j = spec.opposites[i];
        prop_assert_eq!(spec.opposites[j], i);
        prop_assert_eq!(spec.velocities[j], spec.velocities[i].map(|c| -c));
        prop_assert_eq!(&spec.weights[j], &spec.weights[i]);
        prop_assert!(spec.weights[i] > whole(0));
    }
    prop_assert_eq!(sum(spec.weights.iter().cloned()), whole(1));
    for order in 1..=6 {
        let isotropic =
            products(spec.dimension, order).iter().all(|axes| tensor(spec, axes) == wick(spec, axes));
        if order % 2 == 1 || order <= spec.isotropy {
            prop_assert!(isotropic, "order {}", order);
        } else if order == spec.isotropy + 2 {
            prop_assert!(!isotropic, "isotropic to order {}, said {}", order, spec.isotropy);
        }
    }
    orthogonal(spec)
}

/// Every product of `order` velocity components, as a list of axes.
fn products(dimension: usize, order: u32) -> Vec<Vec<usize>> {
    (0..order).fold(vec![Vec::new()], |lists, _| {
        lists.iter().flat_map(|l| (0..dimension).map(move |a| [l.as_slice(), &[a]].concat())).collect()
    })
}

/// sum w c_a c_b ...
fn tensor(spec: &LatticeSpec, axes: &[usize]) -> Rational {
    let product = |c: &[i32; 3]| whole(axes.iter().map(|&a| i64::from(c[a])).product());
    sum(spec.velocities.iter().zip(&spec.weights).map(|(c, w)| w * product(c)))
}

/// What it is for an isotropic lattice: the sum over all pairings of the axes of products of `cs2 delta_ab`.
fn wick(spec: &LatticeSpec, axes: &[usize]) -> Rational {
    let Some((first, rest)) = axes.split_first() else { return whole(1) };
    let mut sum = whole(0);
    for (n, _) in rest.iter().enumerate().filter(|(_, a)| *a == first) {
        let others = [&rest[..n], &rest[n + 1..]].concat();
        sum += &spec.cs2 * wick(spec, &others);
    }
    sum
}

/// The moments are Q functions, orthogonal in the weighted product; the first are density and momentum.
fn orthogonal(spec: &LatticeSpec) -> Result<(), TestCaseError> {
    let moments = spec.moments();
    prop_assert_eq!(moments.len(), spec.q());
    let names: BTreeSet<_> = moments.iter().map(|m| m.name.clone()).collect();
    prop_assert_eq!(names.len(), spec.q());
    for (k, a) in moments.iter().enumerate() {
        for b in &moments[..=k] {
            let product: Rational =
                sum(spec.weights.iter().zip(a.values.iter().zip(&b.values)).map(|(w, (a, b))| w * a * b));
            let expected = if a.name == b.name { a.norm.clone() } else { whole(0) };
            prop_assert_eq!(product, expected, "{} . {}", a.name, b.name);
        }
        prop_assert!(a.norm > whole(0));
    }
    prop_assert!(moments[0].values.iter().all(|v| *v == whole(1)));
    Ok(())
}
