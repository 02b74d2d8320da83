//! A program of which some inputs are known later than the others, taken apart: what can be done before, and the rest.
//!
//! In between values are held, as few as are found: what the rest makes of others that it is given anyway need not be held. Both together do the
//! same operations, some perhaps twice, so that it makes no difference to a bit.

use super::program::{Kind, Operand, Operation, Program, Value};
use std::collections::{BTreeSet, HashMap};

/// A program in two.
#[derive(Clone, Debug)]
pub struct AroundInputs {
    /// From the inputs that are known first to the values held, its outputs.
    pub before: Program,
    /// From the values held, its first inputs, and the late ones behind them, to the outputs.
    pub after: Program,
}

impl AroundInputs {
    /// That of a program whose inputs from this one on are late; none if it reads none of them.
    pub fn of(program: &Program, first: usize) -> Option<AroundInputs> {
        let mut split = Split { program, first, after: BTreeSet::new(), held: BTreeSet::new() };
        split.follow();
        let is_late = |(_, output): &(String, Operand)| split.is_late(output.value);
        if split.after.is_empty() && !program.outputs.iter().any(is_late) {
            return None;
        }
        while split.hold_less() {}
        Some(AroundInputs { before: split.before(), after: split.rest() })
    }

    /// How many values are held.
    pub fn held(&self) -> usize {
        self.before.outputs.len()
    }
}

struct Split<'a> {
    program: &'a Program,
    first: usize,
    /// The operations done after, by their number.
    after: BTreeSet<usize>,
    held: BTreeSet<Value>,
}

impl Split<'_> {
    fn operation(&self, n: usize) -> &Operation {
        &self.program.operations[n].1
    }

    fn is_late(&self, value: Value) -> bool {
        matches!(value, Value::Input(n) if n >= self.first)
    }

    /// Whether a value has to be held to be at hand later.
    fn varies(&self, value: Value) -> bool {
        matches!(value, Value::Local(_) | Value::Population(_) | Value::Input(_)) && !self.is_late(value)
    }

    /// What an operation takes that has to be held for it.
    fn taken(&self, n: usize) -> impl Iterator<Item = Value> + '_ {
        self.operation(n).operands.iter().map(|o| o.value).filter(|&value| self.varies(value))
    }

    /// Finds what cannot be done before, and what it takes.
    fn follow(&mut self) {
        for n in 0..self.program.operations.len() {
            let waits = |value: Value| match value {
                Value::Local(n) => self.after.contains(&n),
                value => self.is_late(value),
            };
            if self.operation(n).operands.iter().any(|o| waits(o.value)) {
                self.after.insert(n);
            }
        }
        let outputs = self.program.outputs.iter().map(|(_, output)| output.value);
        let held: BTreeSet<Value> = self.after.iter().flat_map(|&n| self.taken(n)).chain(outputs).collect();
        let before = |value: &Value| match value {
            Value::Local(n) => !self.after.contains(n),
            &value => self.varies(value),
        };
        self.held = held.into_iter().filter(before).collect();
    }

    /// The operation that makes a value held, if it is as well done later.
    fn cheap(&self, value: Value) -> Option<usize> {
        match value {
            Value::Local(n) => {
                let kind = self.operation(n).kind;
                matches!(kind, Kind::Add | Kind::Mul | Kind::Fma | Kind::Copy).then_some(n)
            }
            _ => None,
        }
    }

    /// Those of the values held that follow from the others, and perhaps one more.
    fn following(&self, more: Option<Value>) -> Vec<usize> {
        let is_held = |value: Value| self.held.contains(&value) || more == Some(value);
        let follows = |&n: &usize| more != Some(Value::Local(n)) && self.taken(n).all(is_held);
        self.held.iter().filter_map(|&value| self.cheap(value)).filter(follows).collect()
    }

    /// Holds fewer values, if that can be.
    fn hold_less(&mut self) -> bool {
        if let Some(&n) = self.following(None).first() {
            self.held.remove(&Value::Local(n));
            self.after.insert(n);
            return true;
        }
        let cheap = self.held.iter().filter_map(|&value| self.cheap(value));
        let others: BTreeSet<Value> =
            cheap.flat_map(|n| self.taken(n)).filter(|value| !self.held.contains(value)).collect();
        // One held in the place of two or more.
        let best = others.into_iter().map(|more| (self.following(Some(more)), more));
        let Some((following, more)) = best.max_by_key(|(following, _)| following.len()) else { return false };
        if following.len() < 2 {
            return false;
        }
        self.held.insert(more);
        for n in following {
            self.held.remove(&Value::Local(n));
            self.after.insert(n);
        }
        true
    }

    /// The program of some operations, in their order, to these outputs; `known` are values at hand.
    fn made(
        &self,
        operations: &BTreeSet<usize>,
        outputs: Vec<(String, Operand)>,
        known: &HashMap<Value, Value>,
    ) -> Program {
        let place: HashMap<usize, usize> =
            operations.iter().enumerate().map(|(place, &n)| (n, place)).collect();
        let moved = |operand: Operand| {
            let value = match (operand.value, known.get(&operand.value)) {
                (_, Some(&known)) => known,
                (Value::Local(n), None) => Value::Local(place[&n]),
                (value, None) => value,
            };
            Operand { value, ..operand }
        };
        let own = |&n: &usize| {
            let (name, operation) = &self.program.operations[n];
            (name.clone(), operation.map(moved))
        };
        Program {
            operations: operations.iter().map(own).collect(),
            outputs: outputs.into_iter().map(|(name, output)| (name, moved(output))).collect(),
            ..self.program.clone()
        }
    }

    fn before(&self) -> Program {
        let (mut needed, mut open) = (BTreeSet::new(), Vec::from_iter(self.held.iter().copied()));
        while let Some(value) = open.pop() {
            if let Value::Local(n) = value
                && needed.insert(n)
            {
                open.extend(self.taken(n));
            }
        }
        let name = |value: Value| match value {
            Value::Local(n) => self.program.operations[n].0.clone(),
            Value::Population(i) => format!("h_{i}"),
            _ => "held".to_owned(),
        };
        let outputs = self.held.iter().map(|&value| (name(value), Operand::from(value)));
        self.made(&needed, outputs.collect(), &HashMap::new())
    }

    fn rest(&self) -> Program {
        let held = self.held.iter().enumerate().map(|(n, &value)| (value, Value::Input(n)));
        let late = self.after.iter().flat_map(|&n| self.operation(n).operands.iter().map(|o| o.value));
        let late = late.chain(self.program.outputs.iter().map(|(_, output)| output.value));
        let late = late.filter(|&value| self.is_late(value)).map(|value| match value {
            Value::Input(n) => (value, Value::Input(self.held.len() + n - self.first)),
            value => (value, value),
        });
        self.made(&self.after, self.program.outputs.clone(), &held.chain(late).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: Kind, a: Value, b: Value) -> (String, Operation) {
        (String::new(), Operation { kind, operands: vec![a.into(), b.into()] })
    }

    #[test]
    fn as_few_values_are_held_as_are_found() {
        use Value::{Input, Local, Population, Uniform};
        let add = |a: Value, b: Value| of(Kind::Add, a, b);
        let known = [
            add(Population(0), Population(1)),
            add(Population(0), Population(2)),
            // Follows from both.
            add(Local(0), Local(1)),
            add(Population(1), Population(2)),
            // Two that follow from one.
            of(Kind::Mul, Local(3), Uniform(0)),
            of(Kind::Mul, Local(3), Uniform(1)),
        ];
        let late = [0, 1, 2, 4, 5].map(|n| add(Local(n), Input(0)));
        let operations = [&known[..], &late].concat();
        let output = |value: Value| (String::new(), Operand::from(value));
        let outputs = (6..11).map(Local).chain([Local(1)]).map(output).collect();
        let program = Program { operations, outputs, ..Program::default() };
        let around = AroundInputs::of(&program, 0).unwrap();
        let values = |program: &Program| program.outputs.iter().map(|(_, o)| o.value).collect::<Vec<_>>();
        assert_eq!((around.held(), values(&around.before)), (3, vec![Local(0), Local(1), Local(2)]));
        let sums = [&known[0], &known[1], &known[3]].map(|(_, operation)| operation);
        assert!(around.before.operations.iter().map(|(_, operation)| operation).eq(sums));
        // The others as before, of what is held, and the late input behind that.
        let after = &around.after.operations;
        assert_eq!((after.len(), &after[0]), (8, &add(Input(0), Input(1))));
        assert_eq!(after[1], of(Kind::Mul, Input(2), Uniform(0)));
        assert_eq!(after[3], add(Input(0), Input(3)));
        assert_eq!(
            values(&around.after),
            [3, 4, 5, 6, 7].map(Local).into_iter().chain([Input(1)]).collect::<Vec<_>>()
        );
        assert!(AroundInputs::of(&program, 1).is_none());
    }
}
