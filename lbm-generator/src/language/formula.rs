//! A formula of given numbers in the language of `collision!`, to be computed for many nodes: what a file or a command says of each.

use super::super::interpret::{Runner, constants, polynomials};
use super::super::lattice::standard_lattices;
use super::super::program::Program;
use super::super::simplify::simplify;
use super::super::symbolic::Definition;
use super::super::wrong::refuse;
use super::statements::Evaluator;
use super::value::{Names, Value};
use super::{Choices, Given, Scope, foreign};
use proc_macro2::TokenStream;
use syn::spanned::Spanned;

/// A formula, ready to be computed.
#[derive(Clone, Debug)]
pub struct Formula {
    program: Program,
    constants: Vec<f64>,
    uniforms: Vec<f64>,
}

impl Formula {
    /// Reads `1/2 + select(x < 8, 0.1, 0)`, which knows these names and the functions of the language.
    ///
    /// # Errors
    /// Says of what is no formula, or no number, what to write.
    pub fn read(text: &str, names: &[&str]) -> syn::Result<Formula> {
        let tokens: TokenStream = syn::parse_str(text)?;
        foreign::keywords(&tokens)?;
        let expression: syn::Expr = syn::parse2(tokens).map_err(foreign::grammar)?;
        let [d2q9, ..] = standard_lattices();
        let choices = Choices::default();
        let scope = Scope::of(&d2q9, &choices, Given::Macroscopic);
        let mut evaluator = Evaluator::new(&scope);
        // As in boundary rules, what does not divide exactly is one division.
        evaluator.symbols.keeps_form = true;
        let given = names.iter().enumerate().fold(Names::default(), |known, (n, name)| {
            let input = evaluator.symbols.intern(name, Definition::Input(n));
            known.with(name, Value::number(input))
        });
        let value = evaluator.number(&expression, &given)?;
        if !evaluator.derived.fields.is_empty() {
            return refuse(
                expression.span(),
                "here no node reads another; leave `at`, `grad`, `lap` and `field` out",
            );
        }
        let (program, _) = simplify(&evaluator.symbols, &[("value".to_owned(), value)], &[]);
        let uniforms = polynomials(&program.symbols, &program.uniforms, |_| f64::NAN);
        let Some(uniforms) = uniforms else {
            return refuse(expression.span(), "this divides by zero; give another number");
        };
        Ok(Formula { constants: constants(&program), uniforms, program })
    }

    /// Its value where the names have these.
    ///
    /// # Panics
    /// If there are fewer than names.
    #[must_use]
    pub fn at(&self, given: &[f64]) -> f64 {
        let runner = Runner::with(&self.program, &self.constants);
        let outputs =
            runner.run(&[], given, &self.uniforms).expect("every operation has a meaning in machine numbers");
        outputs[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, given: [f64; 2]) -> f64 {
        Formula::read(text, &["x", "y"]).unwrap_or_else(|error| panic!("{text}: {error}")).at(&given)
    }

    #[test]
    fn formulas_are_what_they_say() {
        assert_eq!(value("0.25", [3.0, 5.0]), 0.25);
        assert_eq!(value("x", [3.0, 5.0]), 3.0);
        assert_eq!(value("1/4 + x * y - (y - x) / 2", [3.0, 5.0]), 14.25);
        assert_eq!(value("select(x < 4 && y > 4, 1, 0) + max(x, y)", [3.0, 5.0]), 6.0);
        assert_eq!(value("sum([0, 1, 2].map(|n| n * x))", [3.0, 5.0]), 9.0);
        assert_eq!(value("sqrt(2) * x", [3.0, 5.0]), 2.0_f64.sqrt() * 3.0);
        assert!(
            (value("exp(-x) + pow(y, 3/2)", [3.0, 5.0]) - (-3.0_f64).exp() - 5.0_f64.powf(1.5)).abs() < 1e-14
        );
        assert_eq!(value("x / x", [0.0, 0.0]), 1.0);
        assert!(value("y / x", [0.0, 0.0]).is_nan());
    }

    #[test]
    fn what_is_no_formula_says_what_to_write() {
        for (text, message) in [
            ("x +", "expected an expression"),
            ("w + 1", "unknown name `w`"),
            ("rho", "unknown name `rho`"),
            ("x^2", "`^` is no power"),
            ("x.sqrt()", "write `sqrt(x)`"),
            ("[x, y]", "expected a number"),
            ("x > 1", "expected a number"),
            ("|x| x", "expected a number"),
            ("sent_at([0, 1], 2)", "sent_at"),
            ("match x", "there is no `match`"),
            ("", "expected an expression"),
            ("(x", ""),
            ("1 / 0", "zero"),
            ("sqrt(1 / (1 - 1))", "zero"),
        ] {
            let error = Formula::read(text, &["x", "y"]).map(drop).expect_err(text).to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
