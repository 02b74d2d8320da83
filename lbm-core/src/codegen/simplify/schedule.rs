//! Orders operations so that few values are live at once, which is what decides about registers.

use super::super::program::{Operand, Program, Value};
use std::collections::HashMap;

/// Reorders the operations, if that lowers the number of live values.
///
/// Greedy list scheduling: of the operations whose operands are known, take the one that ends the most values'
/// lives; among equals the one that was next in the original order, which follows the outputs.
pub fn schedule(program: &mut Program) {
    let count = program.operations.len();
    let operands: Vec<Vec<Value>> = program
        .operations
        .iter()
        .map(|(_, operation)| {
            let mut values: Vec<Value> = operation.operands().into_iter().map(|o| o.value).collect();
            values.retain(|v| !matches!(v, Value::Uniform(_) | Value::Constant(_)));
            values.sort_unstable();
            values.dedup();
            values
        })
        .collect();
    let mut uses: HashMap<Value, usize> = HashMap::new();
    operands.iter().flatten().for_each(|v| *uses.entry(*v).or_default() += 1);
    let mut live: HashMap<Value, bool> = HashMap::new();
    let mut done = vec![false; count];
    let mut order = Vec::with_capacity(count);
    while order.len() < count {
        let ready = |n: &usize| {
            !done[*n] && operands[*n].iter().all(|v| !matches!(v, Value::Local(m) if !done[*m]))
        };
        let growth = |n: usize| -> isize {
            let fresh = operands[n].iter().filter(|v| !live.contains_key(v) && !matches!(v, Value::Local(_))).count();
            let ended = operands[n].iter().filter(|v| uses[v] == 1).count();
            let kept = usize::from(uses.contains_key(&Value::Local(n)));
            fresh as isize + kept as isize - ended as isize
        };
        let next = (0..count).filter(ready).min_by_key(|&n| (growth(n), n)).expect("operations have no cycle");
        done[next] = true;
        for value in &operands[next] {
            live.insert(*value, true);
            *uses.get_mut(value).expect("operands were counted") -= 1;
        }
        order.push(next);
    }
    let reordered = permuted(program, &order);
    if reordered.live_values() < program.live_values() {
        *program = reordered;
    }
}

/// The program with its operations in another order.
fn permuted(program: &Program, order: &[usize]) -> Program {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let moved = |operand: Operand| match operand.value {
        Value::Local(n) => Operand { value: Value::Local(place[n]), ..operand },
        _ => operand,
    };
    let operations = order
        .iter()
        .map(|&old| {
            let (name, operation) = &program.operations[old];
            (name.clone(), operation.map(moved))
        })
        .collect();
    let outputs = program.outputs.iter().map(|(name, o)| (name.clone(), moved(*o))).collect();
    Program { operations, outputs, ..program.clone() }
}
