//! Quotients and rests of sums of which something is known.

use super::{Expression, Operator};

/// `a / d` or `a % d` in fewer steps, if a is a sum of parts that d divides, and of others that are too small to matter or are
/// multiples of something that divides d; or if a is itself the rest of a division by a multiple of d.
pub(super) fn divided(a: &Expression, operator: Operator, d: usize) -> Option<Expression> {
    let quotient = operator == Operator::Div;
    if most(a).is_some_and(|most| most < d) {
        return Some(if quotient { Expression::Number(0) } else { a.clone() });
    }
    if let Expression::Binary(of, Operator::Rem, m) = a
        && let Expression::Number(m) = **m
        && m.is_multiple_of(d)
    {
        let of = (**of).clone();
        return Some(if quotient { of / d % (m / d) } else { of % d });
    }
    let (whole, rest): (Vec<_>, Vec<_>) = terms(a).into_iter().partition(|(_, m)| m.is_multiple_of(d));
    let whole = |of: Expression| match quotient {
        true => whole.iter().fold(of, |sum, (term, m)| term.clone() * (m / d) + sum),
        false => of,
    };
    // Of what is left one part may be a multiple of what the others do not reach.
    let reach = |others: &[(Expression, usize)]| most(&sum(others));
    if reach(&rest).is_some_and(|reach| reach < d) {
        return Some(whole(if quotient { Expression::Number(0) } else { sum(&rest) }));
    }
    let (n, (high, m)) = rest.iter().enumerate().max_by_key(|(_, (_, m))| *m)?;
    let mut others = rest.clone();
    others.remove(n);
    if *m > 1 && d.is_multiple_of(*m) && reach(&others).is_some_and(|reach| reach < *m) {
        return Some(match quotient {
            true => whole(high.clone() / (d / m)),
            false => sum(&others) + high.clone() % (d / m) * *m,
        });
    }
    None
}

/// The parts of a sum, each with the known number by which it is multiplied.
fn terms(a: &Expression) -> Vec<(Expression, usize)> {
    match a {
        Expression::Binary(a, Operator::Add, b) => [terms(a), terms(b)].concat(),
        Expression::Binary(a, Operator::Mul, b) => match **b {
            Expression::Number(m) => vec![((**a).clone(), m)],
            _ => vec![(a.as_ref().clone() * b.as_ref().clone(), 1)],
        },
        Expression::Number(n) => vec![(Expression::Number(1), *n)],
        a => vec![(a.clone(), 1)],
    }
}

fn sum(terms: &[(Expression, usize)]) -> Expression {
    terms.iter().fold(Expression::Number(0), |sum, (term, m)| sum + term.clone() * *m)
}

/// What an expression is at most, where that is known.
fn most(a: &Expression) -> Option<usize> {
    match a {
        Expression::Number(n) => Some(*n),
        Expression::Name(_) | Expression::Entry(..) => None,
        Expression::Choice(parts) => Some(most(&parts[1])?.max(most(&parts[2])?)),
        Expression::Binary(a, operator, b) => {
            let known = if let Expression::Number(n) = **b { Some(n) } else { None };
            match operator {
                Operator::Add => most(a)?.checked_add(most(b)?),
                Operator::Sub => most(a),
                Operator::Mul => most(a)?.checked_mul(most(b)?),
                Operator::Div => Some(most(a)? / known.filter(|&d| d > 0)?),
                Operator::Rem => {
                    let below = known.filter(|&d| d > 0)? - 1;
                    Some(most(a).map_or(below, |most| most.min(below)))
                }
            }
        }
    }
}
