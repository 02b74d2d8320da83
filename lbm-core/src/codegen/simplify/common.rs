//! Common subexpressions of linear forms.
//!
//! Greedy: of all pairs of terms `x a + y b` that occur, up to a common factor, in the linear forms, the one whose
//! extraction saves most becomes a quantity of its own; until none saves anything. This finds the butterflies
//! of moment transforms, the density's share in the momentum, and the equilibrium's common bracket alike.

use super::super::rational::{Rational, whole};
use super::system::{Index, Quantity, System, Term, Uniform};
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two terms up to a common factor: (a, uniform of a), (b, uniform of b), number of b over number of a.
type Pattern = (Index, Uniform, Index, Uniform, usize);

/// A form that is needed once, without a factor, is spread into its user, where more can cancel or be shared.
pub fn spread(system: &mut System) {
    let used = system.used();
    let mut uses: Vec<Vec<(Index, bool)>> = vec![Vec::new(); system.quantities.len()];
    for user in (0..used.len()).filter(|&i| used[i]) {
        match system.terms(user) {
            Some(terms) => terms.iter().for_each(|t| uses[t.of].push((user, t.is_plain()))),
            None => system.operands(user).into_iter().for_each(|o| uses[o].push((user, false))),
        }
    }
    for index in 0..used.len() {
        let output = system.outputs.iter().any(|&(_, o)| o == index);
        if let (false, true, [(user, true)], Some(terms)) =
            (output, used[index], uses[index].as_slice(), system.terms(index).map(<[Term]>::to_vec))
        {
            replace(system, *user, index, &terms);
        }
    }
}

/// Extracts common parts until nothing is saved.
pub fn eliminate(system: &mut System) {
    forward_plain(system);
    let mut search = Search::new(system);
    while let Some((pattern, forms)) = search.best(system) {
        search.extract(system, pattern, &forms);
    }
    forward_plain(system);
}

/// A form of one term with coefficient 1 is its operand: users take that instead; so do users of a form that
/// only one of them needs and that is one scaled term.
fn forward_plain(system: &mut System) {
    loop {
        let used = system.used();
        let mut users = vec![0_usize; system.quantities.len()];
        for index in (0..used.len()).filter(|&i| used[i]) {
            system.operands(index).into_iter().for_each(|o| users[o] += 1);
        }
        let target = (0..used.len()).find_map(|index| {
            let terms = system.terms(index)?;
            let output = system.outputs.iter().any(|&(_, o)| o == index);
            let [term] = terms else { return None };
            let only_forms = (0..used.len())
                .filter(|&u| used[u])
                .all(|u| system.terms(u).is_some() || !system.operands(u).contains(&index));
            let same = term.is_plain() && term.coefficient.is_one();
            (used[index]
                && !output
                && users[index] > 0
                && (same || (only_forms && (term.is_plain() || users[index] == 1))))
                .then(|| (index, term.clone()))
        });
        let Some((index, term)) = target else { return };
        // The author's name for a product is better than one made from its factors.
        if term.coefficient.is_one() && matches!(system.quantities[term.of].1, Quantity::Product(..)) {
            system.quantities[term.of].0 = system.quantities[index].0.clone();
        }
        for user in (0..used.len()).filter(|&u| used[u]) {
            replace(system, user, index, std::slice::from_ref(&term));
        }
    }
}

/// Replaces a quantity in the definition of `user` by terms; outside of linear forms by the one plain term.
fn replace(system: &mut System, user: Index, old: Index, new: &[Term]) {
    let swap = |i: Index| if i == old { new[0].of } else { i };
    match system.quantities[user].1.clone() {
        Quantity::Linear(terms) if terms.iter().any(|t| t.of == old) => {
            let mut sums: BTreeMap<Index, super::super::symbolic::Polynomial> = BTreeMap::new();
            for term in &terms {
                let factor = system.factor(term);
                if term.of == old {
                    for inner in new {
                        let sum = sums.entry(inner.of).or_default();
                        *sum = sum.plus(&factor.times(&system.factor(inner)));
                    }
                } else {
                    let sum = sums.entry(term.of).or_default();
                    *sum = sum.plus(&factor);
                }
            }
            let mut replaced = Vec::new();
            for (of, factor) in sums {
                if !factor.0.is_empty() {
                    let (coefficient, uniform) = system.uniform(&factor);
                    replaced.push(Term { of, coefficient, uniform });
                }
            }
            system.quantities[user].1 = Quantity::Linear(replaced);
        }
        Quantity::Product(a, b) => system.quantities[user].1 = Quantity::Product(swap(a), swap(b)),
        Quantity::Minimum(a, b) => system.quantities[user].1 = Quantity::Minimum(swap(a), swap(b)),
        Quantity::Maximum(a, b) => system.quantities[user].1 = Quantity::Maximum(swap(a), swap(b)),
        Quantity::Reciprocal(a) => system.quantities[user].1 = Quantity::Reciprocal(swap(a)),
        Quantity::SquareRoot(a) => system.quantities[user].1 = Quantity::SquareRoot(swap(a)),
        Quantity::Linear(_) | Quantity::One | Quantity::Population(_) | Quantity::Input(_) => {}
    }
}

struct Search {
    /// The forms in which each pattern occurs, with multiplicity one a form.
    occurrences: BTreeMap<Pattern, Vec<Index>>,
    /// What each pattern saves, as far as known; a change of its forms forgets it.
    savings: BTreeMap<Pattern, i64>,
    changed: BTreeSet<Pattern>,
    ratios: Vec<Rational>,
    ratio_index: HashMap<Rational, usize>,
    extracted: usize,
}

impl Search {
    fn new(system: &System) -> Search {
        let mut search = Search {
            occurrences: BTreeMap::new(),
            savings: BTreeMap::new(),
            changed: BTreeSet::new(),
            ratios: Vec::new(),
            ratio_index: HashMap::new(),
            extracted: 0,
        };
        let used = system.used();
        for index in (0..used.len()).filter(|&i| used[i]) {
            search.count(system, index, true);
        }
        search
    }

    /// Adds or removes the patterns of a form.
    fn count(&mut self, system: &System, form: Index, add: bool) {
        let Some(terms) = system.terms(form) else { return };
        for (n, first) in terms.iter().enumerate() {
            for second in &terms[n + 1..] {
                let pattern = self.pattern(first, second);
                self.changed.insert(pattern);
                let forms = self.occurrences.entry(pattern).or_default();
                if add {
                    forms.push(form);
                } else {
                    forms.retain(|&f| f != form);
                    if forms.is_empty() {
                        self.occurrences.remove(&pattern);
                    }
                }
            }
        }
    }

    fn pattern(&mut self, first: &Term, second: &Term) -> Pattern {
        let (a, b) = if (first.of, first.uniform) < (second.of, second.uniform) {
            (first, second)
        } else {
            (second, first)
        };
        let ratio = &b.coefficient / &a.coefficient;
        let next = self.ratios.len();
        let index = *self.ratio_index.entry(ratio.clone()).or_insert(next);
        if index == next {
            self.ratios.push(ratio);
        }
        // A common uniform factor does not tell patterns apart.
        let common = a.uniform == b.uniform;
        (a.of, if common { 0 } else { a.uniform }, b.of, if common { 0 } else { b.uniform }, index)
    }

    /// The pattern that saves most, with the forms that hold it.
    fn best(&mut self, system: &System) -> Option<(Pattern, Vec<Index>)> {
        for pattern in std::mem::take(&mut self.changed) {
            match self.occurrences.get(&pattern) {
                Some(forms) => {
                    let saved = self.saving(system, pattern, forms);
                    self.savings.insert(pattern, saved);
                }
                None => {
                    self.savings.remove(&pattern);
                }
            }
        }
        // The first of the best, so that the result does not depend on chance.
        let (pattern, saved) = self.savings.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)))?;
        (*saved > 0).then(|| (*pattern, self.occurrences[pattern].clone()))
    }

    /// Operations saved, in quarters: an instruction counts four, a multiplication that stays inside an fma two.
    fn saving(&self, system: &System, pattern: Pattern, forms: &[Index]) -> i64 {
        let (new, _) = self.quantity(system, pattern, forms);
        let inside = new.iter().filter(|t| !t.is_plain()).count() as i64;
        let instructions = 1 + i64::from(inside == 2);
        let mut multiplications = -inside;
        for &form in forms {
            let (a, b) = self.find(system, form, pattern);
            let outer = self.outer(&a, &b, &new);
            multiplications +=
                i64::from(!a.is_plain()) + i64::from(!b.is_plain()) - i64::from(!outer.is_plain());
        }
        4 * (forms.len() as i64 - instructions) + 2 * multiplications
    }

    /// The two terms of a form that make the pattern.
    fn find(&self, system: &System, form: Index, pattern: Pattern) -> (Term, Term) {
        let (a, ua, b, ub, ratio) = pattern;
        let terms = system.terms(form).expect("patterns occur in linear forms");
        for first in terms.iter().filter(|t| t.of == a) {
            for second in terms.iter().filter(|t| t.of == b) {
                let common = ua == ub && ua == 0;
                let uniforms = if common {
                    first.uniform == second.uniform
                } else {
                    first.uniform == ua && second.uniform == ub
                };
                let distinct = (first.of, first.uniform) != (second.of, second.uniform);
                if uniforms && distinct && &second.coefficient / &first.coefficient == self.ratios[ratio] {
                    return (first.clone(), second.clone());
                }
            }
        }
        unreachable!("the pattern was counted in this form")
    }

    /// The new quantity's terms, scaled so that it and its users multiply least.
    fn quantity(&self, system: &System, pattern: Pattern, forms: &[Index]) -> (Vec<Term>, usize) {
        let (a, ua, b, ub, ratio) = pattern;
        let ratio = &self.ratios[ratio];
        let term = |of, coefficient, uniform| Term { of, coefficient, uniform };
        if ua == ub {
            // Uniforms stay outside. Either term may have coefficient 1.
            let by_a = vec![term(a, Rational::one(), 0), term(b, ratio.clone(), 0)];
            let by_b = vec![term(a, Rational::one() / ratio, 0), term(b, Rational::one(), 0)];
            let cost = |new: &[Term]| {
                forms
                    .iter()
                    .filter(|&&form| {
                        let (x, y) = self.find(system, form, pattern);
                        !self.outer(&x, &y, new).is_plain()
                    })
                    .count()
            };
            let (cost_a, cost_b) = (cost(&by_a), cost(&by_b));
            return if cost_b < cost_a { (by_b, cost_b) } else { (by_a, cost_a) };
        }
        // Different uniforms go inside, with the first user's numbers.
        let (x, y) = self.find(system, forms[0], pattern);
        (vec![term(a, x.coefficient.abs(), ua), term(b, y.coefficient * x.coefficient.signum(), ub)], 0)
    }

    /// How a user with the terms `a` and `b` refers to the new quantity (its `of` is filled in later).
    fn outer(&self, a: &Term, _b: &Term, new: &[Term]) -> Term {
        let uniform = if a.uniform == new[0].uniform { 0 } else { a.uniform };
        Term { of: 0, coefficient: &a.coefficient / &new[0].coefficient, uniform }
    }

    fn extract(&mut self, system: &mut System, pattern: Pattern, forms: &[Index]) {
        let (new, _) = self.quantity(system, pattern, forms);
        // A form that is nothing but the pattern already is the quantity.
        let whole_form = forms.iter().copied().find(|&form| {
            system.terms(form).is_some_and(|t| t.len() == 2)
                && !system.outputs.iter().any(|&(_, o)| o == form)
                && {
                    let (a, b) = self.find(system, form, pattern);
                    let outer = self.outer(&a, &b, &new);
                    outer.is_plain() && outer.coefficient == whole(1)
                }
        });
        let of = whole_form.unwrap_or_else(|| {
            self.extracted += 1;
            let name = format!("t_{}", self.extracted);
            let index = system.add(&name, Quantity::Linear(new.clone()));
            self.count(system, index, true);
            index
        });
        for &form in forms.iter().filter(|&&form| form != of) {
            let (a, b) = self.find(system, form, pattern);
            let mut outer = self.outer(&a, &b, &new);
            outer.of = of;
            self.count(system, form, false);
            let Quantity::Linear(terms) = &mut system.quantities[form].1 else {
                unreachable!("patterns occur in linear forms");
            };
            terms.retain(|t| *t != a && *t != b);
            match terms.iter_mut().find(|t| t.of == outer.of && t.uniform == outer.uniform) {
                Some(same) => same.coefficient += outer.coefficient,
                None => terms.push(outer),
            }
            terms.retain(|t| !t.coefficient.is_zero());
            self.count(system, form, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::formulas;
    use super::*;
    use expect_test::expect;

    fn eliminated(body: &str) -> String {
        let (symbols, outputs) = formulas(body);
        let mut system = System::new(&symbols, &outputs);
        spread(&mut system);
        eliminate(&mut system);
        system.to_string()
    }

    #[test]
    fn a_common_part_is_found_up_to_sign_and_factor() {
        let text = eliminated(
            "let h = directions.map(|i| f[i] - w[i]);
             f[0] = w[0] + h[0] + 2 * h[1] + h[2];
             f[1] = w[1] + 3 * h[0] + 6 * h[1];
             f[2] = w[2] - h[0] - 2 * h[1] + a * h[2];",
        );
        expect![[r#"
            post_0 = h_2 + t_1
            post_1 = 3 t_1
            post_2 = (a) h_2 - t_1
            t_1 = h_0 + 2 h_1
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn what_is_needed_once_is_spread_into_its_user() {
        let text = eliminated(
            "let inner = f[1] + f[2];
             f[0] = inner - f[1] - w[2] + w[0]; f[1] = w[1]; f[2] = w[2];",
        );
        expect![[r#"
            post_0 = h_2
            post_1 = 0
            post_2 = 0
        "#]]
        .assert_eq(&text);
    }

    #[test]
    fn nothing_is_extracted_where_nothing_is_saved() {
        let text = eliminated(
            "f[0] = w[0] + a * f[0] + f[1]; f[1] = w[1] + b * f[0] - f[1]; f[2] = w[2] + f[0] * f[1];",
        );
        expect![[r#"
            post_0 = 1/6 (1 + 4 a) + (a) h_0 + h_1
            post_1 = -1/6 (1 - 4 b) + (b) h_0 - h_1
            h_0_h_1 = h_0 h_1
            post_2 = 1/9 + 1/6 h_0 + h_0_h_1 + 2/3 h_1
        "#]]
        .assert_eq(&text);
    }
}
