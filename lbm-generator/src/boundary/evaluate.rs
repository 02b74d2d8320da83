//! Evaluates a rule for one class of nodes of one lattice.

use super::super::language::{Choices, Found, FoundInputs, Given, RuleScope, Scope, Stated, state};
use super::super::lattice::LatticeSpec;
use super::super::program::Program;
use super::super::rational::{Rational, whole};
use super::super::simplify::simplify;
use super::super::symbolic::{Definition, Polynomial, Symbols};
use super::super::wrong::refuse;
use super::{BoundaryDeclaration, Class};
use lbm_base::observation::{Elsewhere, Observation};

/// What a rule does at the nodes or links of a class.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The class.
    pub class: Class,
    /// The directions that it sets, ascending; output n of the program is the nth of them.
    pub sets: Vec<usize>,
    /// From the populations that arrive (from beyond the rule's faces: what the node itself sent there) and the rule's values to
    /// those that it sets.
    pub program: Program,
    /// Whether this is what a half-way wall does, at rest or with the velocity that is the rule's one parameter.
    pub is_half_way: bool,
    /// After those that are given come, of these values, what the node sent along these directions in the step before;
    pub keeps: Vec<usize>,
    /// then these populations of other nodes;
    pub observes: Vec<Observation>,
    /// for each of these nodes 1 where it is fluid, else 0;
    pub asks: Vec<Elsewhere>,
    /// at last so many values that the rule remembers, which are the program's last outputs, too.
    pub remembers: usize,
    /// Of the values the first of these.
    pub memory: usize,
}

impl Arrival {
    /// For each output of the program where it is left: in the place of a population, or of a value behind so many populations.
    pub fn left(&self, directions: usize) -> Vec<usize> {
        let memory = directions + self.memory;
        self.sets.iter().copied().chain(memory..memory + self.remembers).collect()
    }
}

/// What a rule does at the nodes or links of a class. Formulas that the language does not know, or that read what is not known there, are
/// errors at their tokens.
pub fn evaluate(
    declaration: &BoundaryDeclaration,
    lattice: &LatticeSpec,
    (choices, rest): (&Choices, &Rational),
    class: Class,
) -> syn::Result<Arrival> {
    let mut scope = Scope::of(lattice, choices, Given::Populations);
    scope.set.rest.clone_from(rest);
    let rule = RuleScope { declaration, class };
    let Stated { mut symbols, outputs, found } = state(&rule, &scope)?;
    let is_half_way = is_half_way(declaration, (lattice, rest), class, &mut symbols, &outputs);
    let set = set(declaration, (lattice, rest), class, outputs)?;
    let sets = set.iter().map(|&(i, _)| i).collect();
    let arrives = |(i, arrives): (usize, Polynomial)| (format!("arrives_{i}"), arrives);
    let mut formulas: Vec<(String, Polynomial)> = set.into_iter().map(arrives).collect();
    let remembered = remembered(declaration, lattice, class, &found)?;
    let remembers = remembered.len();
    formulas.extend(remembered.into_iter().enumerate().map(|(n, next)| (format!("remembers_{n}"), next)));
    let (program, _) = simplify(&symbols, &formulas, &[]);
    if !program.uniforms.is_empty() {
        let message = format!(
            "`{}` takes a root of a number; write its digits, or `cs` for that of `cs2`",
            declaration.name
        );
        return refuse(declaration.name.span(), message);
    }
    let first = found.first;
    let ordered = in_order(found, &program);
    let place = |input| ordered.iter().position(|(known, _)| *known == input).map_or(input, |n| first + n);
    let mut arrival = Arrival {
        program: program.with_inputs(place),
        class,
        sets,
        is_half_way,
        keeps: Vec::new(),
        observes: Vec::new(),
        asks: Vec::new(),
        remembers,
        memory: first + ordered.len() - remembers,
    };
    for (_, found) in ordered {
        match found {
            Found::Sent(i) => arrival.keeps.push(i),
            Found::Seen(observation) => arrival.observes.push(observation),
            Found::IsFluid(at) => arrival.asks.push(at),
            Found::Remembered(_) => {}
        }
    }
    Ok(arrival)
}

/// The directions that a rule sets, ascending, and what arrives along each of them, shifted. All that are missing must be among them.
fn set(
    declaration: &BoundaryDeclaration,
    (lattice, rest): (&LatticeSpec, &Rational),
    class: Class,
    outputs: Vec<Option<Polynomial>>,
) -> syn::Result<Vec<(usize, Polynomial)>> {
    let mut set = Vec::new();
    for (i, output) in outputs.into_iter().enumerate() {
        match output {
            Some(f) => set.push((i, f.minus(&(&lattice.weights[i] * rest).into()))),
            None if class.misses(lattice, i) => {
                let c = &lattice.velocities[i][..lattice.dimension];
                let remedy = match class {
                    Class::Nodes { .. } => "for i in missing { f[i] = ..; }",
                    Class::Links { .. } => "f[back] = ..;",
                };
                let message = format!(
                    "`{}` does not set f[{i}] with velocity {c:?} at {}; set every missing direction, e.g. `{remedy}`",
                    declaration.name,
                    class.describe(lattice)
                );
                return refuse(declaration.name.span(), message);
            }
            None => {}
        }
    }
    if set.is_empty() {
        let message = format!(
            "`{}` sets no population at {}; set some, e.g. `for i in directions {{ f[i] = ..; }}`",
            declaration.name,
            class.describe(lattice)
        );
        return refuse(declaration.name.span(), message);
    }
    Ok(set)
}

/// What each value is next that the rule remembers.
fn remembered(
    declaration: &BoundaryDeclaration,
    lattice: &LatticeSpec,
    class: Class,
    found: &FoundInputs,
) -> syn::Result<Vec<Polynomial>> {
    found.remembered().map_err(|name| {
        let span =
            declaration.memory.iter().find(|memory| memory.name == name).map(|memory| memory.name.span());
        let message = format!(
            "`{}` does not say what `{name}` is next at {}; write `remember({name}, ..);`",
            declaration.name,
            class.describe(lattice)
        );
        syn::Error::new(span.unwrap_or_else(|| declaration.name.span()), message)
    })
}

/// The inputs that a rule reads, in the order in which its values have them.
fn in_order(FoundInputs { first, all, .. }: FoundInputs, program: &Program) -> Vec<(usize, Found)> {
    // What is remembered has its place whether it is read or not.
    let has_place =
        |&(input, found): &(usize, Found)| program.reads(input) || matches!(found, Found::Remembered(_));
    let mut read: Vec<(usize, Found)> = (first..).zip(all).filter(has_place).collect();
    read.sort_by_key(|(_, found)| match found {
        Found::Sent(_) => 0,
        Found::Seen(_) => 1,
        Found::IsFluid(_) => 2,
        Found::Remembered(_) => 3,
    });
    read
}

/// Whether a rule of links is the half-way wall, written in any way: what the node sent, and 2 w c.u / cs2 of a wall's velocity u (Ladd 1994).
fn is_half_way(
    declaration: &BoundaryDeclaration,
    (lattice, rest): (&LatticeSpec, &Rational),
    class: Class,
    symbols: &mut Symbols,
    outputs: &[Option<Polynomial>],
) -> bool {
    let Class::Links { back } = class else { return false };
    if !declaration.memory.is_empty() {
        return false;
    }
    let moves = match &declaration.parameters[..] {
        [] => false,
        [one] if one.vector => true,
        _ => return false,
    };
    let Some(mut found) = outputs[back].clone() else { return false };
    loop {
        let named = found.symbols().find_map(|symbol| match symbols.definition(symbol) {
            Definition::Named(value) => Some((symbol, value.clone())),
            _ => None,
        });
        let Some((symbol, value)) = named else { break };
        found = found.substituted(symbol, &value, |_| true);
    }
    let (weight, c) = (&lattice.weights[back], &lattice.velocities[back][..lattice.dimension]);
    // In the place of what is missing stands what the node sent, shifted by the weight of both directions.
    let mut wall = Polynomial::from(weight * rest);
    wall = wall.plus(&symbols.intern("h", Definition::Population(back)).into());
    for (axis, &c) in c.iter().enumerate().filter(|_| moves) {
        let velocity = Polynomial::from(symbols.intern("velocity", Definition::Input(axis)));
        wall = wall.plus(&velocity.scaled(&(weight * whole(2 * i64::from(c)) / &lattice.cs2)));
    }
    found == wall
}

#[cfg(test)]
mod tests {
    use super::super::super::lattice::standard_lattices;
    use super::*;
    use num_traits::One;

    /// Whether a rule is the half-way wall, in all its classes on all standard lattices.
    fn is_wall(rule: &str) -> bool {
        let rule: BoundaryDeclaration = syn::parse_str(rule).unwrap();
        let mut all = Vec::new();
        for lattice in standard_lattices() {
            for class in Class::all(rule.placement, &lattice) {
                all.push(
                    evaluate(&rule, &lattice, (&Choices::default(), &Rational::one()), class)
                        .unwrap()
                        .is_half_way,
                );
            }
        }
        assert!(all.iter().all(|&is| is == all[0]), "{all:?}");
        all[0]
    }

    #[test]
    fn a_half_way_wall_is_recognised_however_it_is_written() {
        for (rule, expected) in [
            ("Rest on_link { f[back] = sent[toward]; }", true),
            (
                "Moves(u[dimensions] = 0) on_link { f[back] = sent[toward] + 2 * w[back] / cs2 * dimensions.sum(|a| c[back][a] * u[a]); }",
                true,
            ),
            (
                "Named(velocity[dimensions]) on_link {
                    let along = dimensions.sum(|a| c[toward][a] * velocity[a]);
                    let moves = w[toward] * along / cs2;
                    f[back] = sent[toward] - moves - moves;
                }",
                true,
            ),
            (
                "Half(u[dimensions]) on_link { f[back] = sent[toward] + w[back] / cs2 * dimensions.sum(|a| c[back][a] * u[a]); }",
                false,
            ),
            ("Number(u = 0) on_link { f[back] = sent[toward]; }", false),
            ("More(u[dimensions], k = 1) on_link { f[back] = sent[toward]; }", false),
            ("Other on_link { f[back] = f[toward]; }", false),
            ("Cut on_link { f[back] = select(q < 1/2, sent[toward], f[toward]); }", false),
            ("Faces half_way { for i in missing { f[i] = sent[opposite[i]]; } }", false),
        ] {
            assert_eq!(is_wall(rule), expected, "{rule}");
        }
    }
}
