//! Polynomials over named quantities, with exact coefficients: what a declaration's formulas become.
//!
//! A formula is a [`Polynomial`] over [`Symbol`]s. A symbol is an input (a population, a parameter) or stands
//! for a [`Definition`], which `let`, division and functions introduce. Equal definitions share a symbol, so
//! that common subexpressions which the author named are found by construction.

mod polynomial;

use super::rational::{Rational, is_unit};
use num_traits::{Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// A quantity with a name; an index into [`Symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// A product of symbols with positive exponents, sorted by symbol. Empty: the constant 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Monomial(pub Vec<(Symbol, u32)>);

/// A sum of monomials with coefficients that are not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Polynomial(pub BTreeMap<Monomial, Rational>);

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Definition {
    /// Population number so-and-so of the node, shifted.
    Population(usize),
    /// Another quantity given for each node.
    Input(usize),
    /// A parameter, the same for all nodes.
    Parameter(usize),
    /// What equations determine, until it is found.
    Unknown(usize),
    /// A polynomial that has a name.
    Named(Polynomial),
    /// A function of polynomials.
    Function(Function, Vec<Polynomial>),
}

/// What is no polynomial of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Function {
    /// One over its operand.
    Reciprocal,
    /// The square root.
    SquareRoot,
    /// The smaller of two.
    Minimum,
    /// The larger of two.
    Maximum,
    /// Without its sign.
    Absolute,
    /// e to its operand.
    Exponential,
    /// The natural logarithm.
    Logarithm,
    /// The first to the power of the second.
    Power,
    /// The third if the first two compare so, else the fourth.
    Choice(Comparison),
}

/// What two numbers are compared for; it does not hold where one of them is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// a < b
    Less,
    /// a <= b
    AtMost,
    /// a == b
    Equal,
}

impl Comparison {
    /// Whether it holds of two numbers.
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::AtMost => a <= b,
            Comparison::Equal => a == b,
        }
    }

    /// The operator, which Rust and C++ write alike.
    pub fn operator(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Equal => "==",
        }
    }
}

impl Function {
    /// The function of operands as text, for stages that are printed.
    pub fn show(self, operands: &[String]) -> String {
        let name = match self {
            Function::Reciprocal => "1 / ",
            Function::SquareRoot => "sqrt",
            Function::Minimum => "min",
            Function::Maximum => "max",
            Function::Absolute => "abs",
            Function::Exponential => "exp",
            Function::Logarithm => "log",
            Function::Power => "pow",
            Function::Choice(comparison) => return select_text(comparison, operands),
        };
        format!("{name}({})", operands.join(", "))
    }
}

/// `select(a < b, then, otherwise)`.
pub(super) fn select_text(comparison: Comparison, operands: &[String]) -> String {
    let (compared, chosen) = operands.split_at(2);
    format!("select({}, {})", compared.join(&format!(" {} ", comparison.operator())), chosen.join(", "))
}

impl Definition {
    /// The polynomials that it is made of.
    pub fn operands(&self) -> &[Polynomial] {
        match self {
            Definition::Population(_)
            | Definition::Input(_)
            | Definition::Parameter(_)
            | Definition::Unknown(_) => &[],
            Definition::Named(polynomial) => std::slice::from_ref(polynomial),
            Definition::Function(_, operands) => operands,
        }
    }
}

/// All symbols of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<String>,
    definitions: Vec<Definition>,
    uniform: Vec<bool>,
    anonymous: BTreeSet<Symbol>,
    index: BTreeMap<Definition, Symbol>,
    /// Whether sums and quotients stay as they are written but for what divides exactly: those of boundary rules, whose `solve` takes care
    /// of digits itself.
    pub(super) keeps_form: bool,
}

impl Symbols {
    /// The symbol of a definition; a new one, of this name, unless the same definition has one.
    pub fn intern(&mut self, name: &str, definition: Definition) -> Symbol {
        if let Some(&symbol) = self.index.get(&definition) {
            return symbol;
        }
        let uniform =
            !matches!(definition, Definition::Population(_) | Definition::Input(_) | Definition::Unknown(_))
                && definition.operands().iter().flat_map(Polynomial::symbols).all(|s| self.is_uniform(s));
        let symbol = Symbol(u32::try_from(self.names.len()).expect("a kernel has fewer than 2^32 symbols"));
        self.names.push(self.unused(name));
        self.index.insert(definition.clone(), symbol);
        self.definitions.push(definition);
        self.uniform.push(uniform);
        symbol
    }

    /// Gives a symbol that the engine named (a reciprocal, a root) the author's name for it.
    pub fn christen(&mut self, symbol: Symbol, name: &str) {
        if self.anonymous.remove(&symbol) {
            self.names[symbol.0 as usize] = self.unused(name);
        }
    }

    /// The symbol of a definition that nobody has named yet.
    pub fn intern_anonymous(&mut self, name: &str, definition: Definition) -> Symbol {
        let before = self.names.len();
        let symbol = self.intern(name, definition);
        if self.names.len() > before {
            self.anonymous.insert(symbol);
        }
        symbol
    }

    /// Gives the symbol of a definition, if there is one, another definition, of what came before it and is not the same for all nodes, and a name.
    pub fn define(&mut self, definition: &Definition, other: Definition, name: &str) {
        if let Some(symbol) = self.index.remove(definition) {
            self.index.entry(other.clone()).or_insert(symbol);
            self.definitions[symbol.0 as usize] = other;
            self.christen(symbol, name);
        }
    }

    fn unused(&self, name: &str) -> String {
        unused(name, "", |name| self.names.iter().any(|taken| taken == name))
    }

    /// The name of a symbol, unique in its kernel.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// What a symbol stands for.
    pub fn definition(&self, symbol: Symbol) -> &Definition {
        &self.definitions[symbol.0 as usize]
    }

    /// Whether the symbol has the same value for all nodes.
    pub fn is_uniform(&self, symbol: Symbol) -> bool {
        self.uniform[symbol.0 as usize]
    }

    /// The polynomial by a name that stands for it but for what is the same for all nodes, such as a momentum with the half step of a force.
    pub(super) fn beside(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        self.all().find_map(|symbol| {
            let Definition::Named(known) = self.definition(symbol) else { return None };
            let uniform = polynomial.minus(known);
            uniform.symbols().all(|s| self.is_uniform(s)).then(|| uniform.plus(&symbol.into()))
        })
    }

    /// Every symbol, in the order in which they came.
    pub(super) fn all(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..u32::try_from(self.names.len()).expect("a kernel has fewer than 2^32 symbols")).map(Symbol)
    }

    /// The symbols that `roots` need, directly or through definitions, each after those it needs itself.
    pub fn reachable<'a>(&self, roots: impl IntoIterator<Item = &'a Polynomial>) -> Vec<Symbol> {
        let mut seen = vec![false; self.names.len()];
        let mut ordered = Vec::new();
        for symbol in roots.into_iter().flat_map(Polynomial::symbols) {
            self.visit(symbol, &mut seen, &mut ordered);
        }
        ordered
    }

    fn visit(&self, symbol: Symbol, seen: &mut [bool], ordered: &mut Vec<Symbol>) {
        if std::mem::replace(&mut seen[symbol.0 as usize], true) {
            return;
        }
        for inner in self.definition(symbol).operands().iter().flat_map(Polynomial::symbols) {
            self.visit(inner, seen, ordered);
        }
        ordered.push(symbol);
    }

    /// A polynomial as text, for stages that are printed.
    pub fn show(&self, polynomial: &Polynomial) -> String {
        let name = |symbol| self.name(symbol).to_owned();
        sum_text(polynomial.products(name), " ", ToString::to_string)
    }
}

/// A name that is not taken: this one, or else it with this end and a number.
pub(super) fn unused(name: &str, end: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{end}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).expect("names with numbers never end")
}

/// A sum of products as text: the number and the other factors of each, with `times` between them.
pub fn sum_text<'a>(
    products: impl IntoIterator<Item = (&'a Rational, Vec<String>)>,
    times: &str,
    show: impl Fn(&Rational) -> String,
) -> String {
    let mut text = String::new();
    for (number, mut factors) in products {
        text += match (text.is_empty(), number.is_negative()) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        if !is_unit(number) || factors.is_empty() {
            factors.insert(0, show(&number.abs()));
        }
        text += &factors.join(times);
    }
    if text.is_empty() { show(&Rational::zero()) } else { text }
}
