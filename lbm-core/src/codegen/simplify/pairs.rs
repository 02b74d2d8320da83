//! Splits the outputs of opposite directions.
//!
//! Under c -> -c a collision's output falls in an even part, which both directions share, and an odd part, which
//! changes sign. Computed once a pair, they halve the work: f*_i = rest_i + even + odd, f*_opp = rest_opp + even - odd.
//! Where both populations enter both outputs (TRT), h_i and h_opp themselves are replaced by their sum and difference.

use super::super::rational::Rational;
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
            let Some(at) = b.iter().position(|other| other.of == term.of && other.uniform == term.uniform) else {
                return true;
            };
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
                mirrored.coefficient *= super::super::rational::whole(sign);
                a.push(term.clone());
                b.push(mirrored);
            } else if !terms.is_empty() {
                let of = system.add(&format!("{name}_{number}"), Quantity::Linear(terms));
                a.push(Term { of, coefficient: Rational::one(), uniform: 0 });
                b.push(Term { of, coefficient: super::super::rational::whole(sign), uniform: 0 });
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
    let find = |direction: usize| system.quantities.iter().position(|(_, q)| *q == Quantity::Population(direction));
    let (Some(h_i), Some(h_j)) = (find(i), find(j)) else {
        return;
    };
    let factor = |terms: &[Term], of: Index| {
        terms.iter().filter(|t| t.of == of).fold(Polynomial::default(), |sum, t| sum.plus(&system.factor(t)))
    };
    let (x, y) = (factor(a, h_i), factor(a, h_j));
    if y.0.is_empty() || factor(b, h_j) != x || factor(b, h_i) != y {
        return;
    }
    a.retain(|t| t.of != h_i && t.of != h_j);
    b.retain(|t| t.of != h_i && t.of != h_j);
    let half = Rational::new(1.into(), 2.into());
    for (sign, polynomial, terms, name) in
        [(1, x.plus(&y), even, "sum"), (-1, x.minus(&y), odd, "difference")]
    {
        let polynomial = polynomial.scaled(&half);
        if polynomial.0.is_empty() {
            continue;
        }
        let one = |of, sign| Term { of, coefficient: super::super::rational::whole(sign), uniform: 0 };
        let of = system.add(&format!("{name}_{i}"), Quantity::Linear(vec![one(h_i, 1), one(h_j, sign)]));
        let (coefficient, uniform) = system.uniform(&polynomial);
        terms.push(Term { of, coefficient, uniform });
    }
}
