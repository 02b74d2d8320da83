//! From linear forms to operations: unit terms become additions, the others fmas.

use super::super::program::{Operand, Operation, Program, UniformCoefficient, Value};
use super::super::rational::{Rational, is_unit};
use super::system::{Index, Quantity, System, Term};
use num_traits::{One, Signed};

/// Lowers every quantity that the outputs need, operands first.
#[must_use]
pub fn lower(system: &System) -> Program {
    let mut lowering = Lowering {
        system,
        values: vec![None; system.quantities.len()],
        program: Program {
            operations: Vec::new(),
            outputs: Vec::new(),
            uniforms: Vec::new(),
            constants: Vec::new(),
            symbols: system.symbols.clone(),
        },
    };
    for (name, index) in &system.outputs {
        let value = lowering.value(*index);
        lowering.program.outputs.push((name.clone(), value));
    }
    lowering.program
}

struct Lowering<'a> {
    system: &'a System,
    values: Vec<Option<Operand>>,
    program: Program,
}

fn positive(value: Value) -> Operand {
    Operand { negative: false, value }
}

impl Lowering<'_> {
    fn value(&mut self, index: Index) -> Operand {
        if let Some(known) = self.values[index] {
            return known;
        }
        let name = self.system.quantities[index].0.clone();
        let one = Rational::one();
        let operand = match self.system.quantities[index].1.clone() {
            Quantity::One => positive(self.constant(&one)),
            Quantity::Population(i) => positive(Value::Population(i)),
            Quantity::Input(i) => positive(Value::Input(i)),
            Quantity::Linear(terms) => self.linear(&name, &terms),
            Quantity::Product(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.push(&name, Operation::Mul(a, b))
            }
            Quantity::Reciprocal(a) => {
                let (one, a) = (positive(self.constant(&one)), self.value(a));
                self.push(&name, Operation::Div(one, a))
            }
            Quantity::SquareRoot(a) => {
                let a = self.value(a);
                self.push(&name, Operation::Sqrt(a))
            }
            Quantity::Minimum(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.push(&name, Operation::Min(a, b))
            }
            Quantity::Maximum(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.push(&name, Operation::Max(a, b))
            }
        };
        self.values[index] = Some(operand);
        operand
    }

    fn push(&mut self, name: &str, operation: Operation) -> Operand {
        let taken = |name: &str| self.program.operations.iter().any(|(n, _)| n == name);
        let mut unique = name.to_owned();
        let mut number = 1;
        while taken(&unique) {
            number += 1;
            unique = format!("{name}_again_{number}");
        }
        self.program.operations.push((unique, operation));
        positive(Value::Local(self.program.operations.len() - 1))
    }

    fn constant(&mut self, magnitude: &Rational) -> Value {
        Value::Constant(self.program.constant(magnitude))
    }

    /// The coefficient of a term as an operand.
    fn coefficient(&mut self, term: &Term) -> Operand {
        let negative = term.coefficient.is_negative();
        let magnitude = term.coefficient.abs();
        if term.uniform == 0 {
            return Operand { negative, value: self.constant(&magnitude) };
        }
        let polynomial = self.system.uniforms[term.uniform].scaled(&magnitude);
        let known = self.program.uniforms.iter().position(|u| u.polynomial == polynomial);
        let number = known.unwrap_or_else(|| {
            let name = format!("k_{}", self.program.uniforms.len());
            self.program.uniforms.push(UniformCoefficient { name, polynomial });
            self.program.uniforms.len() - 1
        });
        Operand { negative, value: Value::Uniform(number) }
    }

    fn linear(&mut self, name: &str, terms: &[Term]) -> Operand {
        let operands: Vec<Operand> = terms.iter().map(|t| self.value(t.of)).collect();
        let mut sum: Option<Operand> = None;
        // Additions first, a positive one in front; then fmas on top.
        let mut plain: Vec<Operand> = Vec::new();
        let mut scaled: Vec<(Operand, Operand)> = Vec::new();
        for (term, operand) in terms.iter().zip(operands) {
            if term.of == 0 {
                // A coefficient alone: a constant or a uniform to add.
                plain.push(self.coefficient(term));
            } else if term.uniform == 0 && is_unit(&term.coefficient) {
                plain.push(Operand {
                    negative: operand.negative != term.coefficient.is_negative(),
                    ..operand
                });
            } else {
                scaled.push((self.coefficient(term), operand));
            }
        }
        plain.sort_by_key(|o| o.negative);
        // The last operation bears the form's name, those before it a number.
        let mut left = (plain.len() + scaled.len()).saturating_sub(usize::from(!plain.is_empty()));
        let mut step = 0;
        let mut partial = || {
            left -= 1;
            step += 1;
            if left == 0 { name.to_owned() } else { format!("{name}_part_{step}") }
        };
        for operand in plain {
            sum = Some(match sum {
                None => operand,
                Some(sum) => self.push(&partial(), Operation::Add(sum, operand)),
            });
        }
        for (coefficient, operand) in scaled {
            sum = Some(match sum {
                None => self.push(&partial(), Operation::Mul(coefficient, operand)),
                Some(sum) => self.push(&partial(), Operation::Fma(coefficient, operand, sum)),
            });
        }
        sum.unwrap_or_else(|| {
            let zero = self.constant(&num_traits::Zero::zero());
            positive(zero)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::formulas;
    use super::*;
    use expect_test::expect;

    #[test]
    fn unit_terms_are_added_and_others_fused() {
        let (symbols, outputs) = formulas(
            "let h = directions.map(|i| f[i] - w[i]);
             f[0] = w[0] - h[0] + h[1] + a * h[2] - 1/2 * h[0] * h[1];
             f[1] = w[1] - h[1];
             f[2] = w[2] + h[0] - h[0] + min(h[0], sqrt(1 + h[1]));",
        );
        let program = lower(&System::new(&symbols, &outputs));
        expect![[r#"
            uniform k_0 = a
            h_0_h_1 = h[0] * h[1]
            post_0_part_1 = h[1] - h[0]
            post_0_part_2 = fma(-1/2, h_0_h_1, post_0_part_1)
            post_0 = fma(k_0, h[2], post_0_part_2)
            root_of = 1 + h[1]
            root = sqrt(root_of)
            minimum = min(h[0], root)
            post_0 <- post_0
            post_1 <- -h[1]
            post_2 <- minimum
        "#]]
        .assert_eq(&program.to_string());
    }

    #[test]
    fn an_empty_sum_is_zero() {
        let (symbols, outputs) = formulas("for i in directions { f[i] = w[i]; }");
        let program = lower(&System::new(&symbols, &outputs));
        expect![[r#"
            post_0 <- 0
            post_1 <- 0
            post_2 <- 0
        "#]]
        .assert_eq(&program.to_string());
    }
}
