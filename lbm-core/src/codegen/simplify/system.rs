//! Linear forms over quantities: the shape in which common parts can be found.

use super::super::rational::{Rational, is_unit};
use super::super::symbolic::{Definition, Monomial, Polynomial, Symbol, Symbols};
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// An index into [`System::quantities`].
pub type Index = usize;

/// An index into [`System::uniforms`]; 0 is the number 1.
pub type Uniform = usize;

/// `coefficient * uniform * quantity`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The quantity.
    pub of: Index,
    /// The exact number before it.
    pub coefficient: Rational,
    /// The uniform factor.
    pub uniform: Uniform,
}

impl Term {
    /// Whether the quantity enters without a multiplication.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.uniform == 0 && is_unit(&self.coefficient)
    }
}

/// How a quantity comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The number 1.
    One,
    /// Population of a direction.
    Population(usize),
    /// Another input.
    Input(usize),
    /// A sum of terms, at most one a quantity and uniform.
    Linear(Vec<Term>),
    /// A product.
    Product(Index, Index),
    /// One over a quantity.
    Reciprocal(Index),
    /// A square root.
    SquareRoot(Index),
    /// The smaller.
    Minimum(Index, Index),
    /// The larger.
    Maximum(Index, Index),
}

/// All quantities of a kernel that vary from node to node.
#[derive(Clone, Debug)]
pub struct System {
    /// Names and definitions; a definition may refer to later ones.
    pub quantities: Vec<(String, Quantity)>,
    /// Uniform factors, normalised to a leading coefficient 1. Entry 0 is 1.
    pub uniforms: Vec<Polynomial>,
    /// The outputs, by name.
    pub outputs: Vec<(String, Index)>,
    /// The symbols that `uniforms` are made of.
    pub symbols: Symbols,
    uniform_index: HashMap<Polynomial, Uniform>,
    products: HashMap<(Index, Index), Index>,
}

impl System {
    /// Takes the formulas apart. Only what the outputs need is kept.
    #[must_use]
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
                Definition::Named(p) => system.linear(p, &of_symbol),
                Definition::Reciprocal(p) => {
                    Quantity::Reciprocal(system.operand(p, &of_symbol, symbols.name(symbol)))
                }
                Definition::SquareRoot(p) => {
                    Quantity::SquareRoot(system.operand(p, &of_symbol, symbols.name(symbol)))
                }
                Definition::Minimum(a, b) => Quantity::Minimum(
                    system.operand(a, &of_symbol, symbols.name(symbol)),
                    system.operand(b, &of_symbol, symbols.name(symbol)),
                ),
                Definition::Maximum(a, b) => Quantity::Maximum(
                    system.operand(a, &of_symbol, symbols.name(symbol)),
                    system.operand(b, &of_symbol, symbols.name(symbol)),
                ),
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

    /// Adds a quantity.
    pub fn add(&mut self, name: &str, quantity: Quantity) -> Index {
        self.quantities.push((name.to_owned(), quantity));
        self.quantities.len() - 1
    }

    /// The terms of a quantity, if it is a linear form.
    #[must_use]
    pub fn terms(&self, index: Index) -> Option<&[Term]> {
        match &self.quantities[index].1 {
            Quantity::Linear(terms) => Some(terms),
            _ => None,
        }
    }

    /// The quantity of a polynomial operand.
    fn operand(&mut self, polynomial: &Polynomial, of_symbol: &BTreeMap<Symbol, Index>, user: &str) -> Index {
        match self.linear(polynomial, of_symbol) {
            Quantity::Linear(terms)
                if terms.len() == 1 && terms[0].is_plain() && terms[0].coefficient.is_one() =>
            {
                terms[0].of
            }
            form => {
                let name = user.strip_prefix("inverse_").map_or_else(|| format!("{user}_of"), str::to_owned);
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
        let mut terms = Vec::new();
        for (varying, factor) in by_varying {
            if factor.0.is_empty() {
                continue;
            }
            let of = self.product(&varying, of_symbol);
            let (coefficient, uniform) = self.uniform(&factor);
            terms.push(Term { of, coefficient, uniform });
        }
        Quantity::Linear(terms)
    }

    /// The quantity of a product of symbols.
    fn product(&mut self, monomial: &Monomial, of_symbol: &BTreeMap<Symbol, Index>) -> Index {
        let mut factors = Vec::new();
        for &(symbol, exponent) in &monomial.0 {
            factors.extend(std::iter::repeat_n(of_symbol[&symbol], exponent as usize));
        }
        let Some((&first, rest)) = factors.split_first() else {
            return 0;
        };
        rest.iter().fold(first, |product, &factor| {
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

    /// Writes a uniform polynomial as a number times a normalised one.
    pub fn uniform(&mut self, polynomial: &Polynomial) -> (Rational, Uniform) {
        let Some(leading) = polynomial.0.values().next().cloned() else {
            return (Rational::zero(), 0);
        };
        let normalised = polynomial.scaled(&(Rational::one() / &leading));
        let next = self.uniforms.len();
        let index = *self.uniform_index.entry(normalised.clone()).or_insert(next);
        if index == next {
            self.uniforms.push(normalised);
        }
        (leading, index)
    }

    /// The full coefficient of a term.
    #[must_use]
    pub fn factor(&self, term: &Term) -> Polynomial {
        self.uniforms[term.uniform].scaled(&term.coefficient)
    }

    /// Which quantities the outputs need.
    #[must_use]
    pub fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.quantities.len()];
        let mut open: Vec<Index> = self.outputs.iter().map(|&(_, index)| index).collect();
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut used[index], true) {
                open.extend(self.operands(index));
            }
        }
        used
    }

    /// The quantities that one is made of.
    #[must_use]
    pub fn operands(&self, index: Index) -> Vec<Index> {
        match &self.quantities[index].1 {
            Quantity::One | Quantity::Population(_) | Quantity::Input(_) => Vec::new(),
            Quantity::Linear(terms) => terms.iter().map(|t| t.of).collect(),
            Quantity::Product(a, b) | Quantity::Minimum(a, b) | Quantity::Maximum(a, b) => vec![*a, *b],
            Quantity::Reciprocal(a) | Quantity::SquareRoot(a) => vec![*a],
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.used();
        for (index, (name, quantity)) in self.quantities.iter().enumerate() {
            let of = |i: &Index| self.quantities[*i].0.as_str();
            if !used[index] {
                continue;
            }
            match quantity {
                Quantity::One | Quantity::Population(_) | Quantity::Input(_) => continue,
                Quantity::Product(a, b) => writeln!(f, "{name} = {} {}", of(a), of(b))?,
                Quantity::Reciprocal(a) => writeln!(f, "{name} = 1 / {}", of(a))?,
                Quantity::SquareRoot(a) => writeln!(f, "{name} = sqrt({})", of(a))?,
                Quantity::Minimum(a, b) => writeln!(f, "{name} = min({}, {})", of(a), of(b))?,
                Quantity::Maximum(a, b) => writeln!(f, "{name} = max({}, {})", of(a), of(b))?,
                Quantity::Linear(terms) => {
                    write!(f, "{name} =")?;
                    if terms.is_empty() {
                        write!(f, " 0")?;
                    }
                    for (n, term) in terms.iter().enumerate() {
                        let sign = match (n, term.coefficient.is_negative()) {
                            (0, false) => " ",
                            (0, true) => " -",
                            (_, false) => " + ",
                            (_, true) => " - ",
                        };
                        let mut factors = Vec::new();
                        if !is_unit(&term.coefficient) || (term.of == 0 && term.uniform == 0) {
                            factors.push(term.coefficient.abs().to_string());
                        }
                        if term.uniform != 0 {
                            factors.push(format!("({})", self.symbols.show(&self.uniforms[term.uniform])));
                        }
                        if term.of != 0 {
                            factors.push(of(&term.of).to_owned());
                        }
                        write!(f, "{sign}{}", factors.join(" "))?;
                    }
                    writeln!(f)?;
                }
            }
        }
        Ok(())
    }
}
