//! Formulas and programs over exact rationals: the plain meaning that simplification must keep.
#![allow(dead_code, reason = "every test uses its own part")]

pub(crate) use lbm_generator::interpret::Arithmetic;
use lbm_generator::program::Program;
use lbm_generator::rational::{Rational, ratio};
use lbm_generator::symbolic::{Definition, Polynomial, Symbols};
use lbm_generator::{Generated, interpret};

/// What a kernel is given.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// Shifted populations.
    pub(crate) populations: Vec<Rational>,
    /// Other inputs of the node.
    pub(crate) inputs: Vec<Rational>,
    /// Values of all parameters of the declaration, used or not.
    pub(crate) parameters: Vec<Rational>,
}

/// Numbers that look random and are the same in every run (Knuth's 64-bit linear congruence).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A whole number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    /// A number between -1/20 and 1/20.
    pub(crate) fn small(&mut self) -> Rational {
        ratio(i64::try_from(self.below(101)).unwrap() - 50, 1000)
    }

    /// A number in (0, 2).
    pub(crate) fn positive(&mut self) -> Rational {
        ratio(1 + i64::try_from(self.below(39)).unwrap(), 20)
    }
}

impl Point {
    /// Random populations and parameters for a kernel.
    pub(crate) fn random(generated: &Generated, random: &mut Random) -> Point {
        Point {
            populations: (0..generated.lattice.q()).map(|_| random.small()).collect(),
            inputs: Vec::new(),
            parameters: generated.parameter_index.iter().map(|_| random.positive()).collect(),
        }
    }

    /// The same with a value for the parameter of this name.
    pub(crate) fn with(mut self, generated: &Generated, name: &str, value: &Rational) -> Point {
        let kept =
            generated.parameters.iter().position(|(n, _)| n == name).expect("the kernel uses the parameter");
        let declared = generated.parameter_index.iter().position(|index| *index == Some(kept));
        self.parameters[declared.expect("a used parameter is declared")] = value.clone();
        self
    }

    /// The parameters that the kernel uses, in its order.
    pub(crate) fn used_parameters(&self, generated: &Generated) -> Vec<Rational> {
        let pairs = generated.parameter_index.iter().zip(&self.parameters);
        let mut used: Vec<_> = pairs.filter_map(|(index, value)| index.map(|i| (i, value.clone()))).collect();
        used.sort_by_key(|(index, _)| *index);
        used.into_iter().map(|(_, value)| value).collect()
    }
}

/// The values of polynomials, by their definitions alone; nothing where one has a function without a meaning, or divides exactly by zero.
pub(crate) fn polynomials<'a, T: Arithmetic>(
    symbols: &Symbols,
    polynomials: impl IntoIterator<Item = &'a Polynomial>,
    point: &Point,
) -> Option<Vec<T>> {
    interpret::polynomials(symbols, polynomials, |input| {
        T::from_rational(match input {
            Definition::Population(i) => &point.populations[*i],
            Definition::Input(i) => &point.inputs[*i],
            Definition::Parameter(i) => &point.parameters[*i],
            _ => unreachable!("what follows from others is not given"),
        })
    })
}

/// The uniform coefficients of a program.
pub(crate) fn uniforms<T: Arithmetic>(program: &Program, point: &Point) -> Option<Vec<T>> {
    polynomials(&program.symbols, &program.uniforms, point)
}

/// The outputs of a program.
pub(crate) fn run(program: &Program, point: &Point) -> Option<Vec<Rational>> {
    program.evaluate(&point.populations, &point.inputs, &uniforms(program, point)?)
}
