//! What single precision loses in a step, found by running the kernel where it is generated.
//!
//! The error of a step in `f32`, against the same operations in `f64`, is compared with what the last digits of its populations decide in any
//! case: the change of the `f64` step where each of them moves by half an ulp of the largest, up or down as it changes most. Constants such as weights are far larger than the
//! deviations from rest that populations are stored as, so a formula in which they cancel late loses what the deviations are stored for.

use super::generate::{Field, Generated};
use super::interpret::{Runner, polynomials};
use super::range::ParameterRange;
use super::rational::{Rational, ratio, to_f64};
use super::symbolic::Definition;
use lbm_base::random::SplitMix64;

/// How many times what the last digits of its populations decide a step may lose. More is said when the kernel is printed; two digits more
/// is said when it is compiled.
pub const MOST: f64 = 8.0;

/// From where on the compiler says so.
pub(super) const WORTH_A_WARNING: f64 = 100.0 * MOST;

/// What is tried: amplitudes from 1/10 to 1e-6, at each states near rest and near the equilibrium of a flow.
#[derive(Clone, Copy, Debug)]
pub struct Trials<'a> {
    /// So many states of either kind at each amplitude.
    pub states: usize,
    /// Values of parameters other than their defaults.
    pub parameters: &'a [(&'a str, f64)],
}

impl Trials<'_> {
    /// As few as tell a kernel that loses digits from one that keeps them.
    pub const FEW: Trials<'static> = Trials { states: 2, parameters: &[] };
}

/// What single precision loses.
#[derive(Clone, Debug, PartialEq)]
pub struct Digits {
    /// How many times what the last digits of the populations decide, in the worst trial; infinite where it gives no number. NaN where the step
    /// gives none in `f64` either, at the parameters that were taken.
    pub lost: f64,
    /// The amplitude of the worst trial is ten to the power of minus this.
    pub exponent: i32,
    /// Where that is more than [`MOST`], the operation of which the rounding does most of it.
    pub term: Option<Term>,
}

/// An operation of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The name of its result, or of the sum that it is a part of.
    pub name: String,
    /// All of it, as the stages show it.
    pub shown: String,
}

/// A step that was tried.
struct Trial<'a> {
    generated: &'a Generated,
    k: Vec<f64>,
    /// The node's fields.
    fields: Vec<f32>,
    /// Populations that single precision has.
    h: Vec<f32>,
}

const EXPONENTS: std::ops::RangeInclusive<i32> = 1..=6;

impl Digits {
    /// What a kernel loses in these trials.
    pub fn of(generated: &Generated, trials: &Trials<'_>) -> Digits {
        let mut random = SplitMix64::new(11);
        let mut worst: Option<(f64, i32, Trial<'_>)> = None;
        for exponent in EXPONENTS {
            let amplitude = 0.1f64.powi(exponent);
            let k = uniforms(generated, amplitude / 100.0, trials.parameters);
            let fields = generated.fields.iter().map(|Field { name, default, range }| {
                value(name, default.as_ref(), range, amplitude / 100.0, trials.parameters) as f32
            });
            // What is derived deviates from rest as a force does.
            let derived = generated.derived.names.iter().map(|_| (amplitude / 100.0) as f32);
            let fields: Vec<f32> = fields.chain(derived).collect();
            let both = |_| states(generated, &mut random, amplitude);
            let states: Vec<Vec<f64>> = (0..trials.states).flat_map(both).collect();
            for state in states {
                let h = state.iter().map(|&h| h as f32).collect();
                let trial = Trial { generated, k: k.clone(), fields: fields.clone(), h };
                let lost = trial.lost();
                if worst.as_ref().is_none_or(|&(most, ..)| !most.is_nan() && (lost > most || lost.is_nan())) {
                    worst = Some((lost, exponent, trial));
                }
            }
        }
        let (lost, exponent, trial) = worst.expect("at least one state is tried");
        let term = if lost > MOST { trial.term() } else { None };
        Digits { lost, exponent, term }
    }
}

/// The uniform coefficients at values of the parameters.
fn uniforms(generated: &Generated, force: f64, given: &[(&str, f64)]) -> Vec<f64> {
    let all = generated.parameters.iter().zip(&generated.ranges);
    let values: Vec<f64> =
        all.map(|((name, default), range)| value(name, default.as_ref(), range, force, given)).collect();
    let parameter = |input: &Definition| match input {
        Definition::Parameter(p) => generated.parameter_index[*p].map_or(0.0, |at| values[at]),
        _ => unreachable!("what is the same for all nodes follows from parameters"),
    };
    let program = &generated.collide;
    polynomials(&program.symbols, &program.uniforms, parameter).expect("every function has a meaning in f64")
}

/// The value of a parameter or field: as given; a force of this size; a viscosity of 1/50; else its default, or somewhere in its range.
fn value(
    name: &str,
    default: Option<&Rational>,
    range: &ParameterRange,
    force: f64,
    given: &[(&str, f64)],
) -> f64 {
    let given = given.iter().find(|(known, _)| *known == name).map(|&(_, value)| value);
    given.unwrap_or_else(|| match name {
        name if name.starts_with("force_") => force,
        name => to_f64(&usual(name, default, range)),
    })
}

/// A value that a parameter may well have.
fn usual(name: &str, default: Option<&Rational>, range: &ParameterRange) -> Rational {
    let small = ratio(1, 50);
    if name == "viscosity" {
        return small;
    }
    let usual = [small, ratio(1, 2), ratio(1, 1), ratio(2, 1), ratio(-1, 2)];
    default.cloned().or_else(|| usual.into_iter().find(|x| range.contains(x))).unwrap_or_else(|| ratio(1, 1))
}

/// Populations near rest, and near the equilibrium of a density and a velocity.
fn states(generated: &Generated, random: &mut SplitMix64, amplitude: f64) -> [Vec<f64>; 2] {
    let mut moved = |amplitude: f64| -> Vec<f64> {
        let weights = generated.lattice.weights.iter();
        weights.map(|w| to_f64(w) * amplitude * random.between(-1.0, 1.0)).collect()
    };
    let (near_rest, beside) = (moved(amplitude), moved(1e-2 * amplitude));
    let mut state = vec![1.0 + amplitude * random.between(-1.0, 1.0)];
    state.extend((0..generated.lattice.dimension).map(|_| amplitude / 3.0 * random.between(-1.0, 1.0)));
    // Behind the velocity come the sums of further sets.
    state.resize(4, 0.0);
    state.extend(generated.rests.iter().map(|rest| to_f64(rest) + amplitude * random.between(-1.0, 1.0)));
    let equilibrium = generated.equilibrium.evaluate(&[], &state, &[]).expect("equilibria are numbers");
    [near_rest, equilibrium.iter().zip(beside).map(|(h, off)| h + off).collect()]
}

/// The largest size, NaN where one is none.
fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |largest, x| if x.abs() > largest || x.is_nan() { x.abs() } else { largest })
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    largest(a.iter().zip(b).map(|(a, b)| a - b))
}

impl Trial<'_> {
    fn wide(&self) -> Vec<f64> {
        self.h.iter().map(|&h| f64::from(h)).collect()
    }

    fn wide_fields(&self) -> Vec<f64> {
        self.fields.iter().map(|&x| f64::from(x)).collect()
    }

    /// The error of the step over the change that half an ulp makes.
    fn lost(&self) -> f64 {
        const RUNS: &str = "every operation has a meaning in machine numbers";
        let program = &self.generated.collide;
        let (wide, narrow) = (Runner::<f64>::new(program), Runner::<f32>::new(program));
        let (h, fields) = (self.wide(), self.wide_fields());
        let exact = wide.run(&h, &fields, &self.k).expect(RUNS);
        if !largest(exact.iter().copied()).is_finite() {
            return f64::NAN;
        }
        let k: Vec<f32> = self.k.iter().map(|&k| k as f32).collect();
        let rounded: Vec<f64> =
            narrow.run(&self.h, &self.fields, &k).expect(RUNS).iter().map(|&h| f64::from(h)).collect();
        let error = distance(&exact, &rounded);
        if error == 0.0 {
            return 0.0;
        }
        let half = 0.5 * 2f64.powi(largest(h.iter().copied()).log2().floor() as i32 - 23);
        let mut change = vec![0.0; exact.len()];
        for i in 0..h.len() {
            let mut near = h.clone();
            near[i] += half;
            let after = wide.run(&near, &fields, &self.k).expect(RUNS);
            change.iter_mut().zip(exact.iter().zip(after)).for_each(|(sum, (x, y))| *sum += (x - y).abs());
        }
        let change = largest(change);
        let lost = error / change;
        if lost.is_nan() { f64::INFINITY } else { lost }
    }

    /// The operation that moves the result in double precision most if it alone rounds to single precision.
    fn term(&self) -> Option<Term> {
        let program = &self.generated.collide;
        let runner = Runner::<f64>::new(program);
        let (h, fields) = (self.wide(), self.wide_fields());
        let exact = runner.run(&h, &fields, &self.k)?;
        let moves = |n: usize| {
            let rounded = |m, x: f64| if m == n { f64::from(x as f32) } else { x };
            runner.run_with(&h, &fields, &self.k, rounded).map_or(f64::NAN, |after| distance(&exact, &after))
        };
        let all: Vec<f64> = (0..program.operations.len()).map(moves).collect();
        let n = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b]))?;
        let name = &program.operations[n].0;
        let name = name.split_once("_part_").map_or(name.as_str(), |(sum, _)| sum).to_owned();
        Some(Term { name, shown: program.show(n) })
    }
}
