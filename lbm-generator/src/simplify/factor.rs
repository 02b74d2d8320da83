//! Common factors of sums: x y + x z + 2 x is x (y + z + 2).
//!
//! Within one linear form, where the products are needed by nobody else. The factor that saves most comes first.

use super::super::rational::Rational;
use super::system::{Index, Quantity, System, Term};
use num_traits::One;
use std::collections::BTreeMap;

/// Takes common factors out of every form that the outputs need.
pub fn factor(system: &mut System) {
    for form in system.used() {
        while let Some((factor, terms)) = best(system, form) {
            extract(system, form, factor, &terms);
        }
    }
}

/// How many quantities that are needed take each quantity, counted with multiplicity.
fn users(system: &System) -> Vec<usize> {
    let mut users = vec![0; system.quantities.len()];
    for by in system.used() {
        system.quantities[by].1.operands().into_iter().for_each(|of| users[of] += 1);
    }
    users
}

/// The factor of a form whose extraction saves most multiplications, with the places of its terms.
fn best(system: &System, form: Index) -> Option<(Index, Vec<usize>)> {
    let terms = system.terms(form)?;
    let is_product = |term: &Term| matches!(system.quantities[term.of].1, Quantity::Product(..));
    if !terms.iter().any(is_product) {
        return None;
    }
    let users = users(system);
    let mut with: BTreeMap<Index, Vec<usize>> = BTreeMap::new();
    for (n, term) in terms.iter().enumerate() {
        if let (Quantity::Product(a, b), 1) = (&system.quantities[term.of].1, users[term.of]) {
            with.entry(*a).or_default().push(n);
            if a != b {
                with.entry(*b).or_default().push(n);
            }
        }
    }
    let alone = |x: Index| terms.iter().enumerate().filter(move |(_, term)| term.of == x);
    let saved = |x: Index, products: usize| {
        // The factor alone costs no multiplication if it stands there plainly, and then saves none.
        products + alone(x).filter(|(_, term)| !term.is_plain()).count()
    };
    let (factor, products) =
        with.into_iter().max_by_key(|(x, products)| (saved(*x, products.len()), std::cmp::Reverse(*x)))?;
    (saved(factor, products.len()) > 1).then(|| {
        let mut all = products;
        all.extend(alone(factor).map(|(n, _)| n));
        all.sort_unstable();
        (factor, all)
    })
}

fn extract(system: &mut System, form: Index, factor: Index, places: &[usize]) {
    let Some(terms) = system.terms(form).map(<[Term]>::to_vec) else { return };
    let inner = places.iter().map(|&n| {
        let of = match system.quantities[terms[n].of].1 {
            Quantity::Product(a, b) if terms[n].of != factor => {
                if a == factor {
                    b
                } else {
                    a
                }
            }
            _ => 0,
        };
        Term { of, ..terms[n].clone() }
    });
    let inner = Quantity::Linear(inner.collect());
    let name = &system.quantities[factor].0;
    let (of_sum, of_product) = (format!("by_{name}"), format!("with_{name}"));
    let sum = system.add(&of_sum, inner);
    let of = system.add(&of_product, Quantity::Product(factor.min(sum), factor.max(sum)));
    let mut left: Vec<Term> =
        terms.into_iter().enumerate().filter(|(n, _)| !places.contains(n)).map(|(_, term)| term).collect();
    left.push(Term { of, coefficient: Rational::one(), uniform: 0 });
    system.quantities[form].1 = Quantity::Linear(left);
}

#[cfg(test)]
mod tests {
    use super::super::formulas;
    use super::*;
    use expect_test::expect;

    fn factored(body: &str) -> String {
        let (symbols, outputs) = formulas(body);
        let mut system = System::new(&symbols, &outputs);
        factor(&mut system);
        system.to_string()
    }

    #[test]
    fn what_all_products_of_a_sum_share_is_multiplied_once() {
        let text = factored(
            "let x = f[0] - w[0]; let y = f[1] - w[1]; let z = f[2] - w[2];
             f[0] = w[0] + x * y + 3 * x * z + 2 * x + z; f[1] = w[1] + x * x * y; f[2] = w[2];",
        );
        expect![[r#"
            post_0 = h_2 + with_h_0
            h_0_h_0 = h_0 h_0
            h_0_h_0_h_1 = h_0_h_0 h_1
            post_1 = h_0_h_0_h_1
            post_2 = 0
            by_h_0 = 2 + h_1 + 3 h_2
            with_h_0 = h_0 by_h_0
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn products_that_others_need_stay() {
        let text = factored(
            "let x = f[0] - w[0]; let y = f[1] - w[1]; let z = f[2] - w[2];
             f[0] = w[0] + x * y + x * z; f[1] = w[1] + x * y + z; f[2] = w[2] + x * z + y;",
        );
        expect![[r#"
            h_0_h_1 = h_0 h_1
            h_0_h_2 = h_0 h_2
            post_0 = h_0_h_1 + h_0_h_2
            post_1 = h_0_h_1 + h_2
            post_2 = h_0_h_2 + h_1
        "#]]
        .assert_eq(&text);
    }
}
