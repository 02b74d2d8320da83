//! Random formulas in the language of `collision!`: the simplified program computes what the formulas say, exactly
//! over rationals, and within rounding in f64.

mod exact;

use exact::{Point, Random};
use lbm_generator::generate;
use lbm_generator::language::{Choices, CollisionDeclaration, Equilibrium, Forcing, Given, Scope, evaluate};
use lbm_generator::lattice::{LatticeSpec, analyse};
use lbm_generator::program::Program;
use lbm_generator::rational::{Rational, to_f64};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// The same cases in every run.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn lattices() -> Vec<LatticeSpec> {
    [
        "D1Q3 { dimension: 1, shells: [[0], [1]], weights: [2/3, 1/6] }",
        "D2Q5 { dimension: 2, shells: [[0, 0], [1, 0]], weights: [1/3, 1/6], isotropy: 2 }",
        "D2Q9 { dimension: 2, shells: [[0, 0], [1, 0], [1, 1]], weights: [4/9, 1/9, 1/36] }",
        "D3Q7 { dimension: 3, shells: [[0, 0, 0], [1, 0, 0]], weights: [1/4, 1/8], isotropy: 2 }",
    ]
    .map(|text| analyse(text.parse().unwrap()).unwrap())
    .into()
}

/// A formula over `atoms`; a denominator is 1 plus something that is not negative.
fn formula(atoms: &'static [&'static str]) -> impl Strategy<Value = String> {
    let constants = prop_oneof![Just("1"), Just("2/3"), Just("0.25"), Just("3")];
    let leaf = prop_oneof![4 => proptest::sample::select(atoms), 1 => constants].prop_map(str::to_owned);
    leaf.prop_recursive(3, 8, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            3 => pair.clone().prop_map(|(a, b)| format!("({a} + {b})")),
            3 => pair.clone().prop_map(|(a, b)| format!("({a} - {b})")),
            3 => pair.clone().prop_map(|(a, b)| format!("{a} * {b}")),
            1 => inner.clone().prop_map(|a| format!("(-{a})")),
            1 => pair.clone().prop_map(|(a, b)| format!("{a} / (1 + {b} * {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("max({a}, 2 * {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("abs({a} - {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("clamp({a}, {b}, {b} + 1)")),
            1 => (pair, inner).prop_map(|((a, b), c)| format!("select({a} <= {b} && {c} != {a}, {b}, {c})")),
        ]
    })
}

/// Names that mean one number.
const NODE: &[&str] =
    &["rho", "u[0]", "j[0]", "f[0]", "f[1]", "f[2]", "viscosity", "alpha", "cs2", "force[0]"];
/// Names that mean one number where a direction `i` is at hand and `first`, `second` are known.
const DIRECTION: &[&str] = &[
    "f[i]",
    "f[opposite[i]]",
    "w[i]",
    "c[i][0]",
    "equilibrium[i]",
    "source[i]",
    "first",
    "second",
    "even(f, i)",
    "odd(equilibrium, i)",
    "alpha",
    "rho",
];

/// A collision with lets, closures, sums, conditions and pairs.
fn collision() -> impl Strategy<Value = String> {
    (formula(NODE), formula(NODE), formula(DIRECTION), formula(DIRECTION), any::<bool>()).prop_map(
        |(first, second, each, other, pairs)| {
            let set = if pairs {
                format!(
                    "f[0] = first;
                     for (i, j) in pairs {{ f[i] = {each}; f[j] = f[j] + second * ({other}); }}"
                )
            } else {
                format!(
                    "for i in directions {{ f[i] = if c[i][0] == 0 {{ {each} }} else {{ f[i] + {other} }}; }}"
                )
            };
            format!(
                "Random(alpha = 1/3) {{
                    let even = |a, i| (a[i] + a[opposite[i]]) / 2;
                    let odd = |a, i| (a[i] - a[opposite[i]]) / 2;
                    let first = {first};
                    let second = directions.filter(|i| c[i][0] > 0).sum(|i| w[i] * f[i]) + {second};
                    {set}
                }}"
            )
        },
    )
}

#[test]
fn a_simplified_program_computes_its_formulas() {
    let lattices = lattices();
    let case = (collision(), 0..lattices.len(), any::<bool>(), any::<bool>(), any::<u64>());
    runner(150)
        .run(&case, |(text, lattice, compressible, forced, seed)| {
            let lattice = &lattices[lattice];
            let choices = Choices {
                equilibrium: if compressible {
                    Equilibrium::QuasiCompressible
                } else {
                    Equilibrium::Incompressible
                },
                forcing: if forced { Forcing::Guo } else { Forcing::None },
                baked: [].into(),
                share_flux_trace: true,
            };
            check(lattice, &text, &choices, seed)
        })
        .unwrap();
}

fn check(lattice: &LatticeSpec, text: &str, choices: &Choices, seed: u64) -> Result<(), TestCaseError> {
    let declaration: CollisionDeclaration = syn::parse_str(text).unwrap();
    let generated =
        generate(lattice, &declaration, choices).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
    let scope = Scope::of(lattice, &generated.choices, Given::Populations);
    let kernel = evaluate(&declaration, &scope).unwrap();
    let point = Point::random(&generated, &mut Random(seed));
    let expected = exact::polynomials(&kernel.symbols, &kernel.populations, &point);
    let Some(expected) = expected else { return Ok(()) };
    let found = exact::run(&generated.collide, &point);
    prop_assert_eq!(found.as_ref(), Some(&expected), "{} on {}", text, lattice.name);

    let rounded: Vec<f64> = point.populations.iter().map(to_f64).collect();
    let k: Vec<f64> = exact::uniforms(&generated.collide, &point).unwrap().iter().map(to_f64).collect();
    let found = generated.collide.evaluate(&rounded, &[], &k).unwrap();
    let scale = largest(&generated.collide, &point);
    for (found, expected) in found.iter().zip(&expected) {
        let expected = to_f64(expected);
        let steps = generated.collide.operations.len() as f64;
        prop_assert!(
            (found - expected).abs() <= 4.0 * steps * f64::EPSILON * scale,
            "{} instead of {} (values up to {}): {}",
            found,
            expected,
            scale,
            text
        );
    }
    Ok(())
}

/// The largest magnitude of any value or product of the program, squared where errors are multiplied: a scale for
/// rounding.
fn largest(program: &Program, point: &Point) -> f64 {
    let watched = Program {
        outputs: (0..program.operations.len())
            .map(|n| {
                (
                    String::new(),
                    lbm_generator::program::Operand {
                        negative: false,
                        value: lbm_generator::program::Value::Local(n),
                    },
                )
            })
            .collect(),
        ..program.clone()
    };
    let values: Vec<Rational> = exact::run(&watched, point).unwrap();
    let uniforms = exact::uniforms(program, point).unwrap();
    let largest = values.iter().chain(&uniforms).map(|v| to_f64(v).abs()).fold(1.0, f64::max);
    largest * largest
}
