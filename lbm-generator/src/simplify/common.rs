//! Common subexpressions of linear forms.
//!
//! Greedy: of all pairs of terms `x a + y b` that occur, up to a common factor, in the linear forms, the one whose
//! extraction saves most becomes a quantity of its own; until none saves anything. This finds the butterflies
//! of moment transforms, the density's share in the momentum, and the equilibrium's common bracket alike.

use super::super::rational::{Rational, inverse};
use super::super::symbolic::Polynomial;
use super::system::{Index, Quantity, System, Term, Uniform};
use num_traits::{One, Signed};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Two terms up to a common factor: (a, uniform of a), (b, uniform of b), number of b over number of a.
type Pattern = (Index, Uniform, Index, Uniform, usize);

/// Where a quantity is needed.
#[derive(Clone, Copy)]
struct Use {
    by: Index,
    /// As a term without a factor.
    plain: bool,
}

/// The uses of each quantity by those that the outputs need.
fn uses(system: &System) -> Vec<Vec<Use>> {
    let mut uses = vec![Vec::new(); system.quantities.len()];
    for by in system.used() {
        match &system.quantities[by].1 {
            Quantity::Linear(terms) => {
                terms.iter().for_each(|t| uses[t.of].push(Use { by, plain: t.is_plain() }));
            }
            other => other.operands().into_iter().for_each(|o| uses[o].push(Use { by, plain: false })),
        }
    }
    uses
}

/// A form that is needed once, without a factor, is spread into its user, where more can cancel or be shared.
pub fn spread(system: &mut System) {
    for (index, uses) in uses(system).into_iter().enumerate() {
        if let (false, [Use { by, plain: true }], Some(terms)) =
            (system.is_output(index), uses.as_slice(), system.terms(index).map(<[Term]>::to_vec))
        {
            replace(system, *by, index, &terms);
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
        let uses = uses(system);
        let target = uses.iter().enumerate().find_map(|(index, uses)| {
            let [term] = system.terms(index)? else { return None };
            let only_forms = uses.iter().all(|user| system.terms(user.by).is_some());
            let forwarded = (term.is_plain() && term.coefficient.is_one())
                || (only_forms && (term.is_plain() || uses.len() == 1));
            (forwarded && !uses.is_empty() && !system.is_output(index)).then(|| (index, term.clone()))
        });
        let Some((index, term)) = target else { return };
        // The author's name for a product is better than one made from its factors.
        if term.coefficient.is_one() && matches!(system.quantities[term.of].1, Quantity::Product(..)) {
            system.quantities[term.of].0 = system.quantities[index].0.clone();
        }
        for user in &uses[index] {
            replace(system, user.by, index, std::slice::from_ref(&term));
        }
    }
}

/// Replaces a quantity in the definition of `user` by terms; outside of linear forms by the one plain term.
fn replace(system: &mut System, user: Index, old: Index, new: &[Term]) {
    let swap = |i: &mut Index| {
        if *i == old {
            *i = new[0].of;
        }
    };
    match &mut system.quantities[user].1 {
        Quantity::Linear(terms) if terms.iter().any(|t| t.of == old) => {
            let terms = std::mem::take(terms);
            let mut sums: BTreeMap<Index, Polynomial> = BTreeMap::new();
            let mut add = |of: Index, factor: &Polynomial| {
                let sum = sums.entry(of).or_default();
                *sum = sum.plus(factor);
            };
            for term in &terms {
                let factor = system.factor(term);
                if term.of == old {
                    new.iter().for_each(|inner| add(inner.of, &factor.times(&system.factor(inner))));
                } else {
                    add(term.of, &factor);
                }
            }
            let sums = sums.into_iter().filter(|(_, factor)| !factor.0.is_empty());
            let replaced = sums.map(|(of, factor)| system.term(of, &factor)).collect();
            system.quantities[user].1 = Quantity::Linear(replaced);
        }
        Quantity::Product(a, b) => [a, b].into_iter().for_each(swap),
        Quantity::Function(_, operands) => operands.iter_mut().for_each(swap),
        Quantity::Linear(_) | Quantity::One | Quantity::Population(_) | Quantity::Input(_) => {}
    }
}

#[derive(Default)]
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
        let mut search = Search::default();
        for index in system.used() {
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
        let mut pair = [first, second];
        pair.sort_by_key(|term| (term.of, term.uniform));
        let [a, b] = pair;
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
            let saved = self.occurrences.get(&pattern).map(|forms| self.saving(system, pattern, forms));
            match saved {
                Some(saved) => self.savings.insert(pattern, saved),
                None => self.savings.remove(&pattern),
            };
        }
        // The first of the best, so that the result does not depend on chance.
        let (pattern, saved) = self.savings.iter().max_by(|a, b| a.1.cmp(b.1).then(b.0.cmp(a.0)))?;
        (*saved > 0).then(|| (*pattern, self.occurrences[pattern].clone()))
    }

    /// Operations saved, in quarters: an instruction counts four, a multiplication that stays within an fma two.
    fn saving(&self, system: &System, pattern: Pattern, forms: &[Index]) -> i64 {
        let pairs: Vec<_> = forms.iter().map(|&form| self.find(system, form, pattern)).collect();
        let new = self.quantity(pattern, &pairs);
        let fused = new.iter().filter(|t| !t.is_plain()).count() as i64;
        let instructions = 1 + i64::from(fused == 2);
        let mut multiplications = -fused;
        for (a, b) in &pairs {
            let outer = is_plain_outside(a, &new);
            multiplications += i64::from(!a.is_plain()) + i64::from(!b.is_plain()) - i64::from(!outer);
        }
        4 * (forms.len() as i64 - instructions) + 2 * multiplications
    }

    /// The two terms of a form that make the pattern.
    fn find(&self, system: &System, form: Index, pattern: Pattern) -> (Term, Term) {
        let (a, ua, b, ub, ratio) = pattern;
        let terms = system.terms(form).expect("patterns occur in linear forms");
        let same = |first: &Term, second: &Term| {
            let uniforms = if (ua, ub) == (0, 0) {
                first.uniform == second.uniform
            } else {
                (first.uniform, second.uniform) == (ua, ub)
            };
            let distinct = (first.of, first.uniform) != (second.of, second.uniform);
            uniforms && distinct && &second.coefficient / &first.coefficient == self.ratios[ratio]
        };
        for first in terms.iter().filter(|t| t.of == a) {
            if let Some(second) = terms.iter().find(|second| second.of == b && same(first, second)) {
                return (first.clone(), second.clone());
            }
        }
        unreachable!("the pattern was counted in this form")
    }

    /// The new quantity's terms, scaled so that it and its users, which have these terms, multiply least.
    fn quantity(&self, pattern: Pattern, pairs: &[(Term, Term)]) -> Vec<Term> {
        let (a, ua, b, ub, ratio) = pattern;
        let ratio = &self.ratios[ratio];
        let term = |of, coefficient, uniform| Term { of, coefficient, uniform };
        if ua == ub {
            // Uniforms stay outside. Either term may have coefficient 1.
            let by_a = vec![term(a, Rational::one(), 0), term(b, ratio.clone(), 0)];
            let by_b = vec![term(a, inverse(ratio), 0), term(b, Rational::one(), 0)];
            let cost = |new: &[Term]| pairs.iter().filter(|(first, _)| !is_plain_outside(first, new)).count();
            return if cost(&by_b) < cost(&by_a) { by_b } else { by_a };
        }
        // Different uniforms go within, with the first user's numbers.
        let (x, y) = &pairs[0];
        vec![term(a, x.coefficient.abs(), ua), term(b, &y.coefficient * x.coefficient.signum(), ub)]
    }

    fn extract(&mut self, system: &mut System, pattern: Pattern, forms: &[Index]) {
        let pairs: Vec<_> = forms.iter().map(|&form| self.find(system, form, pattern)).collect();
        let new = self.quantity(pattern, &pairs);
        // A form that is nothing but the pattern already is the quantity.
        let is_it = |form: Index| {
            let outer = outer(&self.find(system, form, pattern).0, &new);
            outer.is_plain() && outer.coefficient.is_one()
        };
        let whole_form = forms.iter().copied().find(|&form| {
            system.terms(form).is_some_and(|t| t.len() == 2) && !system.is_output(form) && is_it(form)
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
            let outer = Term { of, ..outer(&a, &new) };
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

/// Whether [`outer`] is plain.
fn is_plain_outside(a: &Term, new: &[Term]) -> bool {
    let alike = a.coefficient == new[0].coefficient || a.coefficient == -&new[0].coefficient;
    alike && (a.uniform == 0 || a.uniform == new[0].uniform)
}

/// How a user whose first term of a pattern is `a` refers to the new quantity (its `of` is filled in later).
fn outer(a: &Term, new: &[Term]) -> Term {
    let uniform = if a.uniform == new[0].uniform { 0 } else { a.uniform };
    Term { of: 0, coefficient: &a.coefficient / &new[0].coefficient, uniform }
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
