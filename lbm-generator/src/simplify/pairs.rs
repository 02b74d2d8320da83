//! Splits the outputs of opposite directions.
//!
//! Under c -> -c a collision's output falls in an even part, which both directions share, and an odd part, which
//! changes sign. Computed once a pair, they halve the work: f*_i = rest_i + even + odd, f*_opp = rest_opp + even - odd.
//! Where both populations enter both outputs (TRT), h_i and h_opp themselves are replaced by their sum and difference.

use super::super::rational::{Rational, ratio, whole};
use super::super::symbolic::Polynomial;
use super::system::{Index, Quantity, System, Term};
use num_traits::One;

/// Splits each pair of outputs, given by their positions.
pub fn split(system: &mut System, pairs: &[(usize, usize)]) {
    for (number, &(i, j)) in pairs.iter().enumerate() {
        let (out_i, out_j) = (system.outputs[i].1, system.outputs[j].1);
        let (Some(a), Some(b)) = (system.terms(out_i), system.terms(out_j)) else {
            continue;
        };
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        let (mut even, mut odd) = (Vec::new(), Vec::new());
        sum_and_difference(system, &mut a, &mut b, &mut even, &mut odd, (i, j));
        a.retain(|term| {
            let same = |other: &Term| other.of == term.of && other.uniform == term.uniform;
            let Some(at) = b.iter().position(same) else { return true };
            if b[at].coefficient == term.coefficient {
                even.push(term.clone());
            } else if b[at].coefficient == -term.coefficient.clone() {
                odd.push(term.clone());
            } else {
                return true;
            }
            b.remove(at);
            false
        });
        for (terms, sign, name) in [(even, 1, "even"), (odd, -1, "odd")] {
            if let [term] = terms.as_slice() {
                let mut mirrored = term.clone();
                mirrored.coefficient *= whole(sign);
                a.push(term.clone());
                b.push(mirrored);
            } else if !terms.is_empty() {
                let of = system.add(&format!("{name}_{number}"), Quantity::Linear(terms));
                a.push(Term { of, coefficient: Rational::one(), uniform: 0 });
                b.push(Term { of, coefficient: whole(sign), uniform: 0 });
            }
        }
        system.quantities[out_i].1 = Quantity::Linear(a);
        system.quantities[out_j].1 = Quantity::Linear(b);
    }
}

/// Where output i is x h_i + y h_j + .. and output j is y h_i + x h_j + .. with y not zero, takes h_i + h_j and
/// h_i - h_j instead, with the coefficients (x + y)/2 and (x - y)/2.
fn sum_and_difference(
    system: &mut System,
    a: &mut Vec<Term>,
    b: &mut Vec<Term>,
    even: &mut Vec<Term>,
    odd: &mut Vec<Term>,
    (i, j): (usize, usize),
) {
    let find =
        |direction: usize| system.quantities.iter().position(|(_, q)| *q == Quantity::Population(direction));
    let (Some(h_i), Some(h_j)) = (find(i), find(j)) else {
        return;
    };
    let factor = |terms: &[Term], of: Index| {
        terms.iter().filter(|t| t.of == of).map(|t| system.factor(t)).sum::<Polynomial>()
    };
    let (x, y) = (factor(a, h_i), factor(a, h_j));
    if y.0.is_empty() || factor(b, h_j) != x || factor(b, h_i) != y {
        return;
    }
    a.retain(|t| t.of != h_i && t.of != h_j);
    b.retain(|t| t.of != h_i && t.of != h_j);
    for (sign, polynomial, terms, name) in
        [(1, x.plus(&y), even, "sum"), (-1, x.minus(&y), odd, "difference")]
    {
        if !polynomial.0.is_empty() {
            let one = |of, sign| Term { of, coefficient: whole(sign), uniform: 0 };
            let of = system.add(&format!("{name}_{i}"), Quantity::Linear(vec![one(h_i, 1), one(h_j, sign)]));
            terms.push(system.term(of, &polynomial.scaled(&ratio(1, 2))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::formulas;
    use super::*;
    use expect_test::expect;

    fn split_of(body: &str) -> String {
        let (symbols, outputs) = formulas(body);
        let mut system = System::new(&symbols, &outputs);
        split(&mut system, &[(1, 2)]);
        system.to_string()
    }

    #[test]
    fn what_both_directions_share_is_computed_once() {
        let text = split_of(
            "let x = f[0] * f[0]; let y = f[1] * f[2];
             f[0] = w[0];
             f[1] = w[1] + a * x + y + 2 * f[0] + b * f[1] + 3 * f[2];
             f[2] = w[2] + a * x + y - 2 * f[0] + 5 * f[2];",
        );
        expect![[r#"
            h_0_h_0 = h_0 h_0
            x = 4/3 h_0 + h_0_h_0
            h_1_h_2 = h_1 h_2
            y = 1/6 h_1 + h_1_h_2 + 1/6 h_2
            post_0 = 0
            post_1 = 67/36 (1 + 16/67 a + 6/67 b) + (b) h_1 + 3 h_2 + even_0 + 2 h_0
            post_2 = -17/36 (1 - 16/17 a) + 5 h_2 + even_0 - 2 h_0
            even_0 = (a) x + y
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn populations_that_enter_both_outputs_are_replaced_by_sum_and_difference() {
        let text = split_of(
            "f[0] = w[0];
             f[1] = w[1] + a * (f[1] - w[1]) + b * (f[2] - w[2]);
             f[2] = w[2] + a * (f[2] - w[2]) + b * (f[1] - w[1]);",
        );
        expect![[r#"
            post_0 = 0
            post_1 = 1/2 (a + b) sum_1 + 1/2 (a - b) difference_1
            post_2 = 1/2 (a + b) sum_1 - 1/2 (a - b) difference_1
            sum_1 = h_1 + h_2
            difference_1 = h_1 - h_2
        "#]]
        .assert_eq(&text);
    }
}
