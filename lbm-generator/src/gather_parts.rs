//! The way from populations to moments, taken apart in what can be done before all populations are there.
//!
//! A march along the last axis meets the populations that leave a plane with it. Of a node in the plane above, those that come
//! up or stay in their plane are then known, and those that come down are not. What the result needs of the known ones is a
//! few sums: their raw moments up to second order, of which several are the same (where c_z is 0 or 1, sum c_z h and
//! sum c_z^2 h are). `early` computes these sums, `late` goes on from them and the populations that come down; `gather` is one
//! after the other, so that it makes no difference to a bit where a march stops between them. On D3Q19 nine values wait
//! instead of fourteen.

use super::lattice::{AXES, LatticeSpec};
use super::linear_system::LinearSystem;
use super::moments::of_set;
use super::program::Program;
use super::rational::{Rational, product, whole};
use super::simplify::{Stages, simplify};
use super::symbolic::{Definition, Monomial, Polynomial, Symbol, Symbols};
use num_traits::Zero;
use std::collections::BTreeMap;
use std::ops::Range;

/// What is made of populations in two parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The part before the populations that come down along the last axis: to the values that wait.
    pub early: Program,
    /// The part after that, from the values that wait, its first inputs, the populations that come down, and fields of the node, its other inputs.
    pub late: Program,
}

impl Parts {
    /// Those of the program of these outputs.
    pub fn of(lattice: &LatticeSpec, symbols: &Symbols, outputs: &[(String, Polynomial)]) -> (Parts, Stages) {
        let stays_or_goes_up = |&i: &usize| lattice.velocities[i][lattice.dimension - 1] >= 0;
        let known: Vec<usize> = (0..lattice.q()).filter(stays_or_goes_up).collect();
        let sums = sums(lattice, &known);
        let (sums, rest) = match rewritten(symbols, outputs, &known, &sums) {
            Some(rest) => (sums, rest),
            // The result needs more of the populations than their moments: they wait themselves.
            None => {
                let all = each(&known);
                let rest = rewritten(symbols, outputs, &known, &all);
                (all, rest.expect("any sum of populations is a sum of these"))
            }
        };
        let mut of_known = Symbols::default();
        let population = |&i: &usize| of_known.intern(&format!("h_{i}"), Definition::Population(i)).into();
        let populations: Vec<Polynomial> = known.iter().map(population).collect();
        let waiting = |Sum { name, weights }: Sum| {
            (name, populations.iter().zip(&weights).map(|(h, weight)| h.scaled(weight)).sum())
        };
        let waiting: Vec<_> = sums.into_iter().map(waiting).collect();
        let (early, first) = simplify(&of_known, &waiting, &[]);
        let (late, second) = simplify(&rest.0, &rest.1, &[]);
        (Parts { early, late }, first.beside(second))
    }

    /// One after the other.
    pub fn whole(&self) -> Program {
        self.early.then(&self.late, "late")
    }

    /// How many values wait in between.
    pub fn waiting(&self) -> usize {
        self.early.outputs.len()
    }
}

/// A sum of known populations.
struct Sum {
    name: String,
    /// Population by population, in the order of those known.
    weights: Vec<Rational>,
}

/// The raw moments up to second order of the known populations, of each set of them, without those that others give.
fn sums(lattice: &LatticeSpec, known: &[usize]) -> Vec<Sum> {
    let axes = (0..lattice.dimension).map(|a| vec![a]);
    let orders = std::iter::once(Vec::new()).chain(axes).chain(lattice.axis_pairs().map(|(a, b)| vec![a, b]));
    let orders: Vec<Vec<usize>> = orders.collect();
    let several = lattice.firsts().zip(&lattice.sets).map(|(first, set)| first..first + set.q());
    let one = lattice.sets.is_empty().then_some(0..lattice.q());
    let sets: Vec<Range<usize>> = one.into_iter().chain(several).collect();
    let mut all: Vec<Sum> = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        for axes in &orders {
            let weight = |&i: &usize| match set.contains(&i) {
                true => product(axes.iter().map(|&a| lattice.velocity(i)[a].clone())),
                false => Rational::zero(),
            };
            let weights: Vec<Rational> = known.iter().map(weight).collect();
            if coordinates(&all, &weights).is_none() {
                let name: String = axes.iter().map(|&a| AXES[a]).collect();
                let name = format!("waiting_{}", if axes.is_empty() { "0" } else { &name });
                all.push(Sum { name: of_set(&name, number), weights });
            }
        }
    }
    all
}

/// Each known population by itself.
fn each(known: &[usize]) -> Vec<Sum> {
    let unit = |n: usize| known.iter().enumerate().map(|(m, _)| whole(i64::from(m == n))).collect();
    known.iter().enumerate().map(|(n, i)| Sum { name: format!("waiting_{i}"), weights: unit(n) }).collect()
}

/// The numbers with which the sums add up to these weights, if there are any. The sums are independent.
fn coordinates(sums: &[Sum], weights: &[Rational]) -> Option<Vec<Rational>> {
    let mut system = LinearSystem::new(sums.len());
    for (n, wanted) in weights.iter().enumerate() {
        let row = sums.iter().map(|sum| sum.weights[n].clone()).collect();
        system.add(row, wanted.clone()).ok()?;
    }
    Some(system.solution())
}

/// Formulas: symbols, and outputs made of them.
type Formulas = (Symbols, Vec<(String, Polynomial)>);

/// The formulas with the sums in place of the known populations; nothing if these do not suffice.
fn rewritten(
    symbols: &Symbols,
    outputs: &[(String, Polynomial)],
    known: &[usize],
    sums: &[Sum],
) -> Option<Formulas> {
    let mut rewriting =
        Rewriting { old: symbols, known, sums, new: Symbols::default(), same: BTreeMap::new() };
    for symbol in symbols.reachable(outputs.iter().map(|(_, p)| p)) {
        rewriting.take(symbol)?;
    }
    let outputs = outputs.iter().map(|(name, p)| Some((name.clone(), rewriting.polynomial(p)?)));
    let outputs = outputs.collect::<Option<_>>()?;
    Some((rewriting.new, outputs))
}

struct Rewriting<'a> {
    old: &'a Symbols,
    known: &'a [usize],
    sums: &'a [Sum],
    new: Symbols,
    /// The new symbol of an old one.
    same: BTreeMap<Symbol, Symbol>,
}

impl Rewriting<'_> {
    /// The number of a known population among these, if the symbol is one.
    fn number(&self, symbol: Symbol) -> Option<usize> {
        match self.old.definition(symbol) {
            Definition::Population(i) => self.known.iter().position(|known| known == i),
            _ => None,
        }
    }

    /// Gives a symbol its new one.
    fn take(&mut self, symbol: Symbol) -> Option<()> {
        if let Some(n) = self.number(symbol) {
            // Where every population is a sum of its own, it can be a factor of anything.
            if self.sums.len() == self.known.len() {
                let sum = self.new.intern(&self.sums[n].name, Definition::Input(n));
                self.same.insert(symbol, sum);
            }
            return Some(());
        }
        let definition = match self.old.definition(symbol) {
            Definition::Named(p) => Definition::Named(self.polynomial(p)?),
            Definition::Function(function, operands) => {
                let operands = operands.iter().map(|p| self.polynomial(p));
                Definition::Function(*function, operands.collect::<Option<_>>()?)
            }
            // Behind the sums that wait.
            Definition::Input(field) => Definition::Input(self.sums.len() + field),
            Definition::Unknown(_) => unreachable!("a collision has nothing that is solved for"),
            given @ (Definition::Population(_) | Definition::Parameter(_)) => given.clone(),
        };
        let new = self.new.intern(self.old.name(symbol), definition);
        self.same.insert(symbol, new);
        Some(())
    }

    /// A polynomial in new symbols: for each product of other symbols, its sum over known populations as one over sums.
    fn polynomial(&mut self, polynomial: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        let mut by_rest: BTreeMap<Monomial, Vec<Rational>> = BTreeMap::new();
        for (monomial, coefficient) in &polynomial.0 {
            let open = |&(symbol, _): &(Symbol, u32)| !self.same.contains_key(&symbol);
            let mut factors = monomial.0.iter().copied().filter(open);
            match (factors.next(), factors.next()) {
                (None, _) => result.add_term(self.renamed(monomial.0.iter()), coefficient.clone()),
                (Some((population, 1)), None) => {
                    let rest = self.renamed(monomial.0.iter().filter(|(symbol, _)| *symbol != population));
                    let nothing = || vec![Rational::zero(); self.known.len()];
                    by_rest.entry(rest).or_insert_with(nothing)[self.number(population)?] += coefficient;
                }
                // A product of populations is no sum of them.
                _ => return None,
            }
        }
        for (rest, weights) in by_rest {
            for (n, coordinate) in coordinates(self.sums, &weights)?.into_iter().enumerate() {
                let sum = self.new.intern(&self.sums[n].name, Definition::Input(n));
                result.add_term(rest.times(&Monomial(vec![(sum, 1)])), coordinate);
            }
        }
        Some(result)
    }

    fn renamed<'m>(&self, factors: impl Iterator<Item = &'m (Symbol, u32)>) -> Monomial {
        let one = |&(symbol, exponent): &(Symbol, u32)| Monomial(vec![(self.same[&symbol], exponent)]);
        factors.map(one).fold(Monomial::default(), |product, factor| product.times(&factor))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::standard_lattices;
    use super::super::symbolic::Function;
    use super::*;

    #[test]
    fn one_part_after_the_other_is_the_whole() {
        let mut symbols = Symbols::default();
        let [lattice, ..] = standard_lattices();
        let population = |i| symbols.intern(&format!("h_{i}"), Definition::Population(i)).into();
        let populations: Vec<Polynomial> = (0..9).map(population).collect();
        let density: Polynomial = populations.iter().cloned().sum();
        let rho = density.plus(&whole(1).into());
        let inverse = Definition::Function(Function::Reciprocal, vec![rho]);
        let inverse = symbols.intern("inverse", inverse).into();
        let along = |a: usize| -> Polynomial {
            populations.iter().enumerate().map(|(i, h)| h.scaled(&lattice.velocity(i)[a])).sum()
        };
        let moments =
            [("density", density), ("u_x", along(0).times(&inverse)), ("u_y", along(1).times(&inverse))];
        // A product of two populations that do not come down is no sum of them.
        let product = [("product", populations[0].times(&populations[1]).plus(&populations[4]))];
        for (outputs, waiting) in [(moments.as_slice(), 5), (product.as_slice(), 6)] {
            let outputs: Vec<_> = outputs.iter().map(|(name, p)| ((*name).to_owned(), p.clone())).collect();
            let (Parts { early, late }, _) = Parts::of(&lattice, &symbols, &outputs);
            assert_eq!(early.outputs.len(), waiting);
            let h = [0.1, -0.07, 0.03, 0.019, -0.004, 0.001, 0.02, -0.03, 0.05];
            let whole = early.then(&late, "late");
            let early = early.evaluate(&h, &[], &[]).unwrap();
            let late = late.evaluate(&h, &early, &[]).unwrap();
            assert_eq!(whole.evaluate(&h, &[], &[]), Some(late.clone()));
            let (plain, _) = simplify(&symbols, &outputs, &[]);
            for (a, b) in plain.evaluate(&h, &[], &[]).unwrap().into_iter().zip(late) {
                let difference: f64 = a - b;
                assert!(difference.abs() < 1e-15, "{a} {b}");
            }
        }
    }
}
