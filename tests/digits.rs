//! Digits: what single precision loses in a step is what its inputs' last digits decide in any case, whatever operator, lattice and amplitude
//! ([`lbm_generator::digits`]).

mod kernels;

use kernels::Case;
use kernels::line::uniforms;
use lbm_generator::digits::{Digits, MOST, Trials};
use lbm_generator::language::Forcing;
use lbm_generator::rational::to_f64;

/// Of a fluid that thins; other parameters have their defaults.
const THINNING: [(&str, f64); 2] = [("index", 0.7), ("time", 50.0)];

fn every_case(forced: bool) -> impl Iterator<Item = Case> {
    let others = [
        kernels::irrational(),
        kernels::of_higher_order(),
        kernels::of_bulk_viscosity(),
        kernels::of_other_bases(),
    ];
    kernels::all(move |_| forced).into_iter().chain(others.into_iter().flatten())
}

/// Those that read what neighbours say, or fields of their node.
fn reading() -> impl Iterator<Item = Case> {
    kernels::reading_neighbours().into_iter().chain([kernels::reading_fields()])
}

#[test]
fn a_step_in_single_precision_keeps_the_digits_of_its_populations() {
    let trials = Trials { states: 12, parameters: &THINNING };
    let mut faults = Vec::new();
    for case in every_case(true).chain(reading()) {
        let digits = Digits::of(&case.generate(), &trials);
        // NaN is a fault, too.
        if digits.lost.is_nan() || digits.lost > MOST {
            faults.push(format!("{}: {digits:?}", case.name()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The simplifier sees one formula only, so a number that cancels between two `let`s of a user's is lost: it is seen, and named.
#[test]
fn what_loses_digits_is_seen() {
    let text = "Wasteful {
        let whole = 1000 + select(f[1] < 1, f[1], 0);
        for i in directions { f[i] = f[i] + abs(whole) - 1000 - f[1]; }
    }";
    let case = Case::new(kernels::lattices()[0], text, kernels::EQUILIBRIA[0], Forcing::None);
    let digits = Digits::of(&case.generate(), &Trials::FEW);
    assert!(digits.lost > 1e6 && digits.exponent >= 4, "{digits:?}");
    assert!(digits.term.unwrap().shown.contains("abs"));
}

/// A number that is lost by overflow is one, and where double precision has none nothing is said of digits.
#[test]
fn what_gives_no_number_is_distinguished() {
    let lost = |formula: &str| {
        let text = format!("Far {{ for i in directions {{ f[i] = f[i] + {formula}; }} }}");
        let case = Case::new(kernels::lattices()[0], &text, kernels::EQUILIBRIA[0], Forcing::None);
        Digits::of(&case.generate(), &Trials::FEW).lost
    };
    assert_eq!(lost("exp(100 + f[1]) / exp(100 + f[2]) - 1"), f64::INFINITY);
    assert!(lost("log(-1 - f[1] * f[1])").is_nan());
}

fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, x| if x.abs() > largest || x.is_nan() { x.abs() } else { largest })
}

/// At rest and in uniform flow, where what an entropic rate divides by is 0, a step gives numbers, and changes nothing but by rounding.
#[test]
fn equilibria_stay_in_single_precision() {
    for case in every_case(false).chain(reading()) {
        let generated = case.generate();
        let k: Vec<f32> = uniforms(&generated, &[("viscosity", 0.02)]).iter().map(|&k| k as f32).collect();
        // What neighbours say is 0: nothing changes from node to node.
        let read = generated.fields.iter().map(|field| to_f64(field.default.as_ref().unwrap()) as f32);
        let read: Vec<f32> = read.chain(generated.derived.names.iter().map(|_| 0.0)).collect();
        let mut fields = vec![1.0, 0.0, 0.0, 0.0];
        for speed in [0.0, 0.1] {
            fields[1] = speed;
            let h = generated.equilibrium.evaluate(&[], &fields, &[]).unwrap();
            let stored: Vec<f32> = h.iter().map(|&h| h as f32).collect();
            let after = generated.collide.evaluate(&stored, &read, &k).unwrap();
            let off = largest(after.iter().zip(&stored).map(|(a, b)| f64::from(a - b)));
            let scale = largest(h);
            assert!(off <= 32.0 * f64::from(f32::EPSILON) * scale, "{} at u = {speed}: {off:e}", case.name());
        }
    }
}
