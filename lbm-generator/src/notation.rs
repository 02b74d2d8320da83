//! Programs as text: what the stages on record, Rust and CUDA C++ write alike.

use super::program::{Kind, Operand, Operation, Program, Value};

/// How a language writes a program.
pub(super) trait Notation {
    /// The program that is written.
    fn program(&self) -> &Program;

    /// A value with its sign.
    fn operand(&self, operand: Operand) -> String;

    /// What has no operator in every language: fma, division, root, minimum, maximum, choice.
    fn function(&self, operation: &Operation, operands: &[String]) -> String;

    /// The statement that gives a value its name.
    fn definition(&self, name: &str, value: &str) -> String;

    /// The value of an operation.
    fn expression(&self, operation: &Operation) -> String {
        let operands: Vec<String> = operation.operands.iter().map(|&operand| self.operand(operand)).collect();
        match (operation.kind, operation.operands.as_slice()) {
            (Kind::Add, [_, b]) if b.negative => {
                format!("{} - {}", operands[0], self.operand(b.value.into()))
            }
            (Kind::Add, _) => operands.join(" + "),
            (Kind::Mul, _) => operands.join(" * "),
            (Kind::Copy, _) => operands.concat(),
            _ => self.function(operation, &operands),
        }
    }

    /// Every operation, and below it what is to be said once its result is known.
    fn definitions(&self, after: impl Fn(usize) -> String) -> String {
        let operations = self.program().operations.iter().enumerate();
        let lines = operations.map(|(n, (_, operation))| {
            self.definition(&self.operand(Value::Local(n).into()), &self.expression(operation)) + &after(n)
        });
        lines.collect()
    }

    /// The statements of the whole program: `write` is handed number and value of each output as soon as it is known.
    fn written(&self, write: impl Fn(usize, String) -> String) -> String {
        let known_after = |operation: Option<usize>| -> String {
            let outputs = self.program().outputs.iter().enumerate();
            let known = outputs.filter(|(_, (_, output))| match output.value {
                Value::Local(n) => operation == Some(n),
                _ => operation.is_none(),
            });
            known.map(|(i, (_, output))| write(i, self.operand(*output))).collect()
        };
        self.definitions(|n| known_after(Some(n))) + &known_after(None)
    }

    /// The statements of the whole program: `write` is handed number and value of each output below all operations.
    fn written_last(&self, write: impl Fn(usize, String) -> String) -> String {
        let outputs = self.program().outputs.iter().enumerate();
        let last = outputs.map(|(i, (_, output))| write(i, self.operand(*output)));
        self.definitions(|_| String::new()) + &last.collect::<String>()
    }
}
