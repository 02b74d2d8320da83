//! Linear forms over quantities: the shape in which common parts can be found.

use super::super::names::is_identifier;
use super::super::rational::{Rational, inverse, is_unit};
use super::super::symbolic::{Definition, Function, Monomial, Polynomial, Symbol, Symbols, sum_text};
use num_traits::One;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// An index into [`System::quantities`].
pub type Index = usize;

/// An index into [`System::uniforms`]; 0 is the number 1.
pub type Uniform = usize;

/// `coefficient * uniform * quantity`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub of: Index,
    pub coefficient: Rational,
    pub uniform: Uniform,
}

impl Term {
    /// Whether the quantity enters without a multiplication.
    pub fn is_plain(&self) -> bool {
        self.uniform == 0 && is_unit(&self.coefficient)
    }
}

/// How a quantity comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    One,
    Population(usize),
    Input(usize),
    /// A sum of terms, at most one a quantity and uniform.
    Linear(Vec<Term>),
    Product(Index, Index),
    Function(Function, Vec<Index>),
}

impl Quantity {
    /// The quantities that it is made of.
    pub fn operands(&self) -> Vec<Index> {
        match self {
            Quantity::One | Quantity::Population(_) | Quantity::Input(_) => Vec::new(),
            Quantity::Linear(terms) => terms.iter().map(|t| t.of).collect(),
            Quantity::Product(a, b) => vec![*a, *b],
            Quantity::Function(_, operands) => operands.clone(),
        }
    }
}

/// All quantities of a kernel that vary from node to node.
#[derive(Clone, Debug)]
pub struct System {
    /// Names and definitions; a definition may refer to later ones.
    pub quantities: Vec<(String, Quantity)>,
    /// Uniform factors, normalised to a leading coefficient 1. Entry 0 is 1.
    pub uniforms: Vec<Polynomial>,
    pub outputs: Vec<(String, Index)>,
    /// The symbols that `uniforms` are made of.
    pub symbols: Symbols,
    uniform_index: HashMap<Polynomial, Uniform>,
    products: HashMap<(Index, Index), Index>,
}

impl System {
    /// Takes the formulas apart. Only what the outputs need is kept.
    pub fn new(symbols: &Symbols, outputs: &[(String, Polynomial)]) -> System {
        let one = Polynomial::from(Rational::one());
        let mut system = System {
            quantities: vec![("one".to_owned(), Quantity::One)],
            uniforms: vec![one.clone()],
            outputs: Vec::new(),
            symbols: symbols.clone(),
            uniform_index: HashMap::from([(one, 0)]),
            products: HashMap::new(),
        };
        let mut of_symbol: BTreeMap<Symbol, Index> = BTreeMap::new();
        for symbol in symbols.reachable(outputs.iter().map(|(_, p)| p)) {
            if symbols.is_uniform(symbol) {
                continue;
            }
            let quantity = match symbols.definition(symbol) {
                Definition::Population(i) => Quantity::Population(*i),
                Definition::Input(i) => Quantity::Input(*i),
                Definition::Parameter(_) => unreachable!("parameters are uniform"),
                Definition::Unknown(_) => unreachable!("what was unknown is found"),
                Definition::Named(p) => system.linear(p, &of_symbol),
                Definition::Function(function, operands) => {
                    let mut operand = |p| system.operand(p, &of_symbol, symbols.name(symbol));
                    Quantity::Function(*function, operands.iter().map(&mut operand).collect())
                }
            };
            let index = system.add(symbols.name(symbol), quantity);
            of_symbol.insert(symbol, index);
        }
        for (name, polynomial) in outputs {
            let form = system.linear(polynomial, &of_symbol);
            let index = system.add(name, form);
            system.outputs.push((name.clone(), index));
        }
        system
    }

    pub fn add(&mut self, name: &str, quantity: Quantity) -> Index {
        self.quantities.push((name.to_owned(), quantity));
        self.quantities.len() - 1
    }

    /// The terms of a quantity, if it is a linear form.
    pub fn terms(&self, index: Index) -> Option<&[Term]> {
        match &self.quantities[index].1 {
            Quantity::Linear(terms) => Some(terms),
            _ => None,
        }
    }

    fn operand(&mut self, polynomial: &Polynomial, of_symbol: &BTreeMap<Symbol, Index>, user: &str) -> Index {
        match self.linear(polynomial, of_symbol) {
            Quantity::Linear(terms)
                if terms.len() == 1 && terms[0].is_plain() && terms[0].coefficient.is_one() =>
            {
                terms[0].of
            }
            form => {
                // What `inverse_rho` divides by is rho; what `inverse_2` divides by has no name.
                let named = user.strip_prefix("inverse_").filter(|name| is_identifier(name));
                let name = named.map_or_else(|| format!("{user}_of"), str::to_owned);
                self.add(&name, form)
            }
        }
    }

    /// Splits every monomial in its uniform and its varying part and collects terms.
    fn linear(&mut self, polynomial: &Polynomial, of_symbol: &BTreeMap<Symbol, Index>) -> Quantity {
        let mut by_varying: BTreeMap<Monomial, Polynomial> = BTreeMap::new();
        for (monomial, coefficient) in &polynomial.0 {
            let (uniform, varying): (Vec<_>, Vec<_>) =
                monomial.0.iter().copied().partition(|&(s, _)| self.symbols.is_uniform(s));
            by_varying.entry(Monomial(varying)).or_default().add_term(Monomial(uniform), coefficient.clone());
        }
        let terms = by_varying.into_iter().filter(|(_, factor)| !factor.0.is_empty());
        let term = |(varying, factor): (Monomial, Polynomial)| {
            let of = self.product(&varying, of_symbol);
            self.term(of, &factor)
        };
        Quantity::Linear(terms.map(term).collect())
    }

    fn product(&mut self, monomial: &Monomial, of_symbol: &BTreeMap<Symbol, Index>) -> Index {
        let mut factors = monomial.factors().map(|symbol| of_symbol[&symbol]);
        let Some(first) = factors.next() else {
            return 0;
        };
        factors.fold(first, |product, factor| {
            let key = (product.min(factor), product.max(factor));
            if let Some(&known) = self.products.get(&key) {
                return known;
            }
            let name = format!("{}_{}", self.quantities[product].0, self.quantities[factor].0);
            let index = self.add(&name, Quantity::Product(product, factor));
            self.products.insert(key, index);
            index
        })
    }

    /// A quantity times a uniform polynomial that is not zero: a number times a normalised one.
    pub fn term(&mut self, of: Index, factor: &Polynomial) -> Term {
        let coefficient = factor.0.values().next().expect("the factor is not zero").clone();
        let normalised = factor.scaled(&inverse(&coefficient));
        let next = self.uniforms.len();
        let uniform = *self.uniform_index.entry(normalised.clone()).or_insert(next);
        if uniform == next {
            self.uniforms.push(normalised);
        }
        Term { of, coefficient, uniform }
    }

    /// The full coefficient of a term.
    pub fn factor(&self, term: &Term) -> Polynomial {
        self.uniforms[term.uniform].scaled(&term.coefficient)
    }

    /// The quantities that the outputs need.
    pub fn used(&self) -> BTreeSet<Index> {
        let mut used = BTreeSet::new();
        let mut open: Vec<Index> = self.outputs.iter().map(|&(_, index)| index).collect();
        while let Some(index) = open.pop() {
            if used.insert(index) {
                open.extend(self.quantities[index].1.operands());
            }
        }
        used
    }

    pub fn is_output(&self, index: Index) -> bool {
        self.outputs.iter().any(|&(_, output)| output == index)
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |i: &Index| self.quantities[*i].0.clone();
        let factors = |term: &Term| {
            let uniform =
                (term.uniform != 0).then(|| format!("({})", self.symbols.show(&self.uniforms[term.uniform])));
            uniform.into_iter().chain((term.of != 0).then(|| of(&term.of))).collect()
        };
        for index in self.used() {
            let (name, quantity) = &self.quantities[index];
            match quantity {
                Quantity::One | Quantity::Population(_) | Quantity::Input(_) => {}
                Quantity::Product(a, b) => writeln!(f, "{name} = {} {}", of(a), of(b))?,
                Quantity::Function(Function::Reciprocal, of_one) => {
                    writeln!(f, "{name} = 1 / {}", of(&of_one[0]))?;
                }
                Quantity::Function(function, operands) => {
                    let operands: Vec<_> = operands.iter().map(of).collect();
                    writeln!(f, "{name} = {}", function.show(&operands))?;
                }
                Quantity::Linear(terms) => {
                    let products = terms.iter().map(|term| (&term.coefficient, factors(term)));
                    let sum = sum_text(products, " ", ToString::to_string);
                    writeln!(f, "{name} = {sum}")?;
                }
            }
        }
        Ok(())
    }
}
