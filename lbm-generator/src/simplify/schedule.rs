//! Orders operations so that few values are live at once, which is what decides about registers.

use super::super::program::{Program, Value};
use std::collections::{HashMap, HashSet};

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
            let mut values: Vec<Value> = operation.operands.iter().map(|o| o.value).collect();
            values.retain(|v| !matches!(v, Value::Uniform(_) | Value::Constant(_)));
            values.sort_unstable();
            values.dedup();
            values
        })
        .collect();
    let mut uses: HashMap<Value, usize> = HashMap::new();
    operands.iter().flatten().for_each(|v| *uses.entry(*v).or_default() += 1);
    let mut live: HashSet<Value> = HashSet::new();
    let mut done = vec![false; count];
    let mut order = Vec::with_capacity(count);
    while order.len() < count {
        let ready =
            |n: &usize| !done[*n] && operands[*n].iter().all(|v| !matches!(v, Value::Local(m) if !done[*m]));
        let growth = |n: usize| -> isize {
            let fresh =
                operands[n].iter().filter(|v| !live.contains(v) && !matches!(v, Value::Local(_))).count();
            let ended = operands[n].iter().filter(|v| uses[v] == 1).count();
            let kept = usize::from(uses.contains_key(&Value::Local(n)));
            fresh as isize + kept as isize - ended as isize
        };
        let next =
            (0..count).filter(ready).min_by_key(|&n| (growth(n), n)).expect("operations have no cycle");
        done[next] = true;
        for value in &operands[next] {
            live.insert(*value);
            *uses.get_mut(value).expect("operands were counted") -= 1;
        }
        order.push(next);
    }
    let outputs: Vec<usize> = (0..program.outputs.len()).collect();
    let reordered = program.part(&order, &outputs);
    if reordered.live_values() < program.live_values() {
        *program = reordered;
    }
}

#[cfg(test)]
mod tests {
    use super::super::formulas;
    use super::super::lower::lower;
    use super::super::system::System;
    use super::*;
    use expect_test::expect;

    #[test]
    fn values_are_used_soon_after_they_are_made_and_nothing_else_changes() {
        let (symbols, outputs) = formulas(
            "let h = directions.map(|i| f[i] - w[i]);
             let x = h[0] * h[0]; let y = h[1] * h[1]; let z = h[2] * h[2];
             f[0] = w[0] + max(max(x, y), z); f[1] = w[1] + x + 1; f[2] = w[2] + y + 1;",
        );
        let before = lower(&System::new(&symbols, &outputs));
        let mut after = before.clone();
        schedule(&mut after);
        assert_eq!(before.live_values(), 4);
        expect![[r#"
            h_0_h_0 = h[0] * h[0]
            post_1 = 1 + h_0_h_0
            h_1_h_1 = h[1] * h[1]
            maximum = max(h_0_h_0, h_1_h_1)
            post_2 = 1 + h_1_h_1
            h_2_h_2 = h[2] * h[2]
            maximum_2 = max(maximum, h_2_h_2)
            post_0 <- maximum_2
            post_1 <- post_1
            post_2 <- post_2
        "#]]
        .assert_eq(&after.to_string());
        assert_eq!(after.live_values(), 2);
        let h = [0.5, -0.25, 0.125];
        assert_eq!(before.evaluate(&h, &[], &[]), after.evaluate(&h, &[], &[]));
    }
}
