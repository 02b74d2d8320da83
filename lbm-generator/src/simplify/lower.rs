//! From linear forms to operations: unit terms become additions, the others fmas.

use super::super::program::{Kind, Operand, Operation, Program, Value};
use super::super::rational::Rational;
use super::super::symbolic::{Function, unused};
use super::system::{Index, Quantity, System, Term};
use num_traits::{One, Signed, Zero};

/// Lowers every quantity that the outputs need, operands first.
pub fn lower(system: &System) -> Program {
    let mut lowering = Lowering {
        system,
        values: vec![None; system.quantities.len()],
        program: Program { symbols: system.symbols.clone(), ..Program::default() },
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

impl Lowering<'_> {
    fn value(&mut self, index: Index) -> Operand {
        if let Some(known) = self.values[index] {
            return known;
        }
        let name = self.system.quantities[index].0.clone();
        let operand = match self.system.quantities[index].1.clone() {
            Quantity::One => self.program.constant(&Rational::one()).into(),
            Quantity::Population(i) => Value::Population(i).into(),
            Quantity::Input(i) => Value::Input(i).into(),
            Quantity::Linear(terms) => self.linear(&name, &terms),
            Quantity::Product(a, b) => {
                let operands = vec![self.value(a), self.value(b)];
                self.push(&name, Kind::Mul, operands)
            }
            Quantity::Function(function, operands) => {
                let mut operands: Vec<Operand> = operands.into_iter().map(|i| self.value(i)).collect();
                if function == Function::Reciprocal {
                    operands.insert(0, self.program.constant(&Rational::one()).into());
                }
                self.push(&name, Kind::of(function), operands)
            }
        };
        self.values[index] = Some(operand);
        operand
    }

    fn push(&mut self, name: &str, kind: Kind, operands: Vec<Operand>) -> Operand {
        let operations = &self.program.operations;
        let unique = unused(name, "_again", |name| operations.iter().any(|(taken, _)| taken == name));
        self.program.operations.push((unique, Operation { kind, operands }));
        Value::Local(self.program.operations.len() - 1).into()
    }

    /// The coefficient of a term as an operand.
    fn coefficient(&mut self, term: &Term) -> Operand {
        let negative = term.coefficient.is_negative();
        let magnitude = term.coefficient.abs();
        if term.uniform == 0 {
            return Operand { negative, value: self.program.constant(&magnitude) };
        }
        let polynomial = self.system.uniforms[term.uniform].scaled(&magnitude);
        Operand { negative, value: self.program.uniform(&polynomial) }
    }

    fn linear(&mut self, name: &str, terms: &[Term]) -> Operand {
        let operands: Vec<Operand> = terms.iter().map(|t| self.value(t.of)).collect();
        let summand = |(term, operand): (&Term, Operand)| {
            if term.of == 0 {
                // A coefficient alone: a constant or a uniform to add.
                (None, self.coefficient(term))
            } else if term.is_plain() {
                let negative = operand.negative != term.coefficient.is_negative();
                (None, Operand { negative, ..operand })
            } else {
                (Some(self.coefficient(term)), operand)
            }
        };
        let mut summands: Vec<(Option<Operand>, Operand)> = terms.iter().zip(operands).map(summand).collect();
        // Additions first, a positive one in front; then fmas on top.
        summands.sort_by_key(|(factor, operand)| (factor.is_some(), factor.is_none() && operand.negative));
        let operations = summands.len() - usize::from(matches!(summands.first(), Some((None, _))));
        let (mut sum, mut step) = (None, 0);
        for (factor, operand) in summands {
            let (kind, operands) = match (factor, sum) {
                (None, None) => {
                    sum = Some(operand);
                    continue;
                }
                (None, Some(sum)) => (Kind::Add, vec![sum, operand]),
                (Some(factor), None) => (Kind::Mul, vec![factor, operand]),
                (Some(factor), Some(sum)) => (Kind::Fma, vec![factor, operand, sum]),
            };
            // The last operation bears the form's name, those before it a number.
            step += 1;
            let name = if step == operations { name.to_owned() } else { format!("{name}_part_{step}") };
            sum = Some(self.push(&name, kind, operands));
        }
        sum.unwrap_or_else(|| self.program.constant(&Rational::zero()).into())
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
    fn a_choice_is_one_operation() {
        let (symbols, outputs) = formulas(
            "let h = directions.map(|i| f[i] - w[i]);
             f[0] = w[0] + select(rho > 1, h[0], -h[1] / 2);
             f[1] = w[1] + abs(h[1] - h[2]);
             f[2] = w[2] + select(a < b, a, 0) * clamp(h[2], -1/4, 1/4);",
        );
        let program = lower(&System::new(&symbols, &outputs));
        expect![[r#"
            uniform k_0 = choice_2
            delta_rho_part_1 = h[0] + h[1]
            delta_rho = delta_rho_part_1 + h[2]
            choice_of = -1/2 * h[1]
            choice = select(0 < delta_rho, h[0], choice_of)
            absolute_of = h[1] - h[2]
            absolute = abs(absolute_of)
            raised = max(h[2], -1/4)
            clamped = min(raised, 1/4)
            post_2 = k_0 * clamped
            post_0 <- choice
            post_1 <- absolute
            post_2 <- post_2
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
