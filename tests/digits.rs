//! Digits: what single precision loses in a step is what its inputs' last digits decide in any case, whatever operator, lattice and amplitude.
//!
//! Constants such as weights are far larger than the deviations from rest that populations are stored as, so a formula in which they
//! cancel late loses what the deviations are stored for.

#[path = "../lbm-core/tests/exact/mod.rs"]
mod exact;
mod kernels;

use exact::{Point, Random, Run as _};
use kernels::Case;
use lbm::core::codegen::Generated;
use lbm::core::codegen::language::Forcing;
use lbm::core::codegen::rational::{Rational, ratio, to_f64};

/// How often the error of a step may be the change by half an ulp of the largest population in each.
const MOST: f64 = 8.0;

/// The same where a node has a viscosity of its own: this, its product with `cs2` and the rate that follows are rounded, too.
const MOST_OF_OWN: f64 = 12.0;

const STATES: usize = 12;
const CHANGES: usize = 24;

/// A number between -1 and 1.
fn unit(random: &mut Random) -> f64 {
    random.below(2_000_001) as f64 * 1e-6 - 1.0
}

fn moved(generated: &Generated, random: &mut Random, amplitude: f64) -> Vec<f64> {
    generated.lattice.weights.iter().map(|w| to_f64(w) * amplitude * unit(random)).collect()
}

/// Populations near rest, and near the equilibrium of a density and a velocity.
fn states(generated: &Generated, random: &mut Random, amplitude: f64) -> [Vec<f64>; 2] {
    let mut fields = vec![1.0 + amplitude * unit(random)];
    fields.extend((0..generated.lattice.dimension).map(|_| amplitude / 3.0 * unit(random)));
    let equilibrium = generated.equilibrium.evaluate(&[], &fields, &[]).unwrap();
    let beside = moved(generated, random, 1e-2 * amplitude);
    let flowing = equilibrium.iter().zip(beside).map(|(h, off)| h + off).collect();
    [moved(generated, random, amplitude), flowing]
}

/// The uniform coefficients at a viscosity of 1/50, magic numbers and rates at their defaults, and a force of this size.
fn uniforms(generated: &Generated, force: &Rational) -> Vec<f64> {
    let parameter = |(name, default): &(String, Option<Rational>)| match name.as_str() {
        "viscosity" => ratio(1, 50),
        // Of a fluid that thins.
        "index" => ratio(7, 10),
        "time" => ratio(50, 1),
        name if name.starts_with("force_") => force.clone(),
        _ => default.clone().unwrap(),
    };
    let values: Vec<Rational> = generated.parameters.iter().map(parameter).collect();
    let of = |index: &Option<usize>| index.map_or(ratio(0, 1), |at| values[at].clone());
    let parameters = generated.parameter_index.iter().map(of).collect();
    let point = Point { populations: Vec::new(), inputs: Vec::new(), parameters };
    exact::uniforms(&generated.collide, &point).unwrap()
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, x| if x.abs() > largest || x.is_nan() { x.abs() } else { largest })
}

/// The error of a step in single precision over the change that half an ulp makes.
fn lost(generated: &Generated, k: &[f64], h: &[f64], random: &mut Random) -> f64 {
    let stored: Vec<f32> = h.iter().map(|&h| h as f32).collect();
    let h: Vec<f64> = stored.iter().map(|&h| f64::from(h)).collect();
    let narrow: Vec<f32> = k.iter().map(|&k| k as f32).collect();
    let exact = generated.collide.evaluate(&h, &[], k).unwrap();
    let rounded = generated.collide.evaluate(&stored, &[], &narrow).unwrap();
    let error = largest(exact.iter().zip(rounded).map(|(x, y)| x - f64::from(y)));
    let half = 0.5 * 2f64.powi(largest(h.iter().copied()).log2().floor() as i32 - 23);
    let change = (0..CHANGES).map(|_| {
        let near: Vec<f64> = h.iter().map(|h| h + if random.below(2) == 0 { half } else { -half }).collect();
        let after = generated.collide.evaluate(&near, &[], k).unwrap();
        largest(exact.iter().zip(after).map(|(x, y)| x - y))
    });
    error / largest(change)
}

#[test]
fn a_step_in_single_precision_keeps_the_digits_of_its_populations() {
    let mut faults = Vec::new();
    let with_given = kernels::all(|_| true).into_iter().chain(kernels::of_higher_order());
    let with_own = kernels::irrational().into_iter().map(|case| (case, MOST_OF_OWN));
    for (case, most) in with_given.map(|case| (case, MOST)).chain(with_own) {
        let generated = case.generate();
        let mut random = Random(11);
        for exponent in 1..=6 {
            let force = ratio(1, 100 * 10i64.pow(exponent));
            let k = uniforms(&generated, &force);
            for _ in 0..STATES {
                for h in states(&generated, &mut random, 0.1f64.powi(exponent as i32)) {
                    let lost = lost(&generated, &k, &h, &mut random);
                    // NaN is a fault, too.
                    if lost.is_nan() || lost > most {
                        faults.push(format!("{} at 1e-{exponent}: {lost:.1}", case.name()));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The simplifier sees one formula only, so a number that cancels between two `let`s of a user's is lost: the test sees that.
#[test]
fn what_loses_digits_is_seen() {
    let text = "Wasteful {
        let whole = 1000 + select(f[1] < 1, f[1], 0);
        for i in directions { f[i] = f[i] + abs(whole) - 1000 - f[1]; }
    }";
    let case = Case::new(kernels::lattices()[0], text, kernels::EQUILIBRIA[0], Forcing::None);
    let generated = case.generate();
    let mut random = Random(12);
    let [h, _] = states(&generated, &mut random, 1e-3);
    assert!(lost(&generated, &[], &h, &mut random) > 100.0);
}

/// At rest and in uniform flow, where what an entropic rate divides by is 0, a step gives numbers, and changes nothing but by rounding.
#[test]
fn equilibria_stay_in_single_precision() {
    for case in
        kernels::all(|_| false).into_iter().chain(kernels::irrational()).chain(kernels::of_higher_order())
    {
        let generated = case.generate();
        let k: Vec<f32> = uniforms(&generated, &ratio(0, 1)).iter().map(|&k| k as f32).collect();
        let mut fields = vec![1.0, 0.0, 0.0, 0.0];
        for speed in [0.0, 0.1] {
            fields[1] = speed;
            let h = generated.equilibrium.evaluate(&[], &fields, &[]).unwrap();
            let stored: Vec<f32> = h.iter().map(|&h| h as f32).collect();
            let after = generated.collide.evaluate(&stored, &[], &k).unwrap();
            let off = largest(after.iter().zip(&stored).map(|(a, b)| f64::from(a - b)));
            let scale = largest(h);
            assert!(off <= 32.0 * f64::from(f32::EPSILON) * scale, "{} at u = {speed}: {off:e}", case.name());
        }
    }
}
