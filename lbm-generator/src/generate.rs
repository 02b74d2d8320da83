//! The pipeline: a lattice, a collision and choices become a kernel's body.

use super::derive::{Derived, Needed};
use super::language::{
    Choices, CollisionDeclaration, Forcing, Given, Kernel, Scope, SetDeclaration, evaluate,
};
use super::lattice::{AXES, LatticeSpec};
use super::moments::Halves;
use super::program::Program;
use super::range::ParameterRange;
use super::rational::Rational;
use super::simplify::{Stages, simplify};
use super::symbolic::{Definition, Polynomial, Symbols};
use super::wrong::refuse;
use lbm_base::declared::FORCES;
use std::collections::BTreeSet;

/// Free parameters: name and default value.
pub type Parameters = Vec<(String, Option<Rational>)>;

/// A value that a collision reads of each node.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The value where none is set.
    pub default: Option<Rational>,
    /// What it may be.
    pub range: ParameterRange,
}

/// Everything that a backend prints.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The lattice.
    pub lattice: LatticeSpec,
    /// Name of the collision, with those of the collisions within, `Outer<Inner>`.
    pub collision: String,
    /// Of a model, the sums of the sets of populations after the first at rest.
    pub rests: Vec<Rational>,
    /// The values that nodes of a model keep from step to step: the last sets of the lattice.
    pub kept: Vec<SetDeclaration>,
    /// The choices, with the sharing that came out cheaper.
    pub choices: Choices,
    /// Pre-collision to post-collision populations.
    pub collide: Program,
    /// The two halves that `collide` is made of, if moments carry its result.
    pub halves: Option<Halves>,
    /// Populations (and force) to density and velocity.
    pub macroscopic: Program,
    /// Populations (and force) to the node's viscosity, where the collision states one of its own.
    pub viscosity: Option<Stated>,
    /// Populations (and force) to the body force, where a model states one of its own.
    pub force: Option<Stated>,
    /// Density and velocity, and the sums of further sets, to equilibrium populations.
    pub equilibrium: Program,
    /// Free parameters that the kernel uses, with defaults; `Definition::Parameter` counts `parameter_index`.
    pub parameters: Parameters,
    /// What each of them may be.
    pub ranges: Vec<ParameterRange>,
    /// The node's values that `collide` takes as its inputs, before those that are derived.
    pub fields: Vec<Field>,
    /// The passes before.
    pub derived: Derived,
    /// Position in `parameters` of each parameter of the declaration, if it is used.
    pub parameter_index: Vec<Option<usize>>,
    /// What each stage of `collide` made.
    pub stages: Stages,
}

/// A program for what a collision states besides its populations.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The program.
    pub program: Program,
    /// Position in [`Generated::parameters`] of each parameter that its uniforms count.
    pub parameter_index: Vec<Option<usize>>,
}

impl Stated {
    /// The viscosity that a collision states, and the parameters with those that it needs.
    fn viscosity(kernel: &Kernel, needed: &Needed, parameters: &mut Parameters) -> Option<Stated> {
        let outputs = [("viscosity".to_owned(), kernel.viscosity.clone()?)];
        Some(Stated::of(kernel, &outputs, needed, parameters))
    }

    /// The force that a model states.
    fn force(kernel: &Kernel, needed: &Needed, parameters: &mut Parameters) -> Option<Stated> {
        let components = kernel.force.iter().flatten().zip(FORCES);
        let outputs: Vec<_> = components.map(|(f, name)| (name.to_owned(), f.clone())).collect();
        (!outputs.is_empty()).then(|| Stated::of(kernel, &outputs, needed, parameters))
    }

    fn of(
        kernel: &Kernel,
        outputs: &[(String, Polynomial)],
        needed: &Needed,
        parameters: &mut Parameters,
    ) -> Stated {
        let (program, _) = simplify(&kernel.symbols, outputs, &[]);
        let parameter_index = placed(kernel, &program, parameters);
        Stated { program: needed.numbered(&program, FORCES.len() + kernel.fields.len()), parameter_index }
    }
}

/// Position in `parameters`, to which those are added that are new, of each parameter that a program's uniforms count.
pub(super) fn placed(kernel: &Kernel, program: &Program, parameters: &mut Parameters) -> Vec<Option<usize>> {
    let (_, used) = used_parameters(kernel, program);
    let place = |(parameter, used): (&(String, Option<Rational>), &Option<usize>)| {
        used.is_some().then(|| {
            let known = parameters.iter().position(|(name, _)| *name == parameter.0);
            known.unwrap_or_else(|| {
                parameters.push(parameter.clone());
                parameters.len() - 1
            })
        })
    };
    kernel.parameters.iter().zip(&used).map(place).collect()
}

/// Generates the body of a kernel. Formulas that the language does not know or that do not fit the lattice are errors at their
/// tokens.
pub fn generate(
    lattice: &LatticeSpec,
    collision: &CollisionDeclaration,
    choices: &Choices,
) -> syn::Result<Generated> {
    let formulas = candidates(lattice, collision, choices)?;
    let whole = lattice.keeping(formulas.first().map_or(0, |first| first.kernel.kept.len()))?;
    let Candidate { formulas: Formulas { kernel, choices, .. }, collide, halves, stages } = formulas
        .into_iter()
        .map(|formulas| Candidate::of(&whole, formulas))
        .min_by_key(|candidate| {
            let count = candidate.collide.count();
            (count.adds + count.muls, candidate.collide.live_values())
        })
        .expect("there is a candidate");

    let axes = AXES[..lattice.dimension].iter();
    let names = std::iter::once("rho".to_owned()).chain(axes.map(|a| format!("u_{a}")));
    let scope = Scope::of(lattice, &choices, Given::PopulationsAndForce);
    // Without a force, fields and sets of populations the same is given.
    let is_given = choices.forcing == Forcing::None && kernel.knows_no_node() && collision.sets.is_empty();
    let fields = if is_given { kernel.clone() } else { evaluate(collision, &scope)? };
    let macroscopic = names.zip(fields.macroscopic.iter().cloned());
    let macroscopic = of_the_state(collision, "rho and u", &scope, &fields.symbols, macroscopic)?;

    let names = (0..whole.q()).map(|i| format!("h_{i}_eq"));
    let scope = Scope::of(lattice, &choices, Given::Macroscopic);
    let Kernel { symbols, equilibrium, kept, .. } = evaluate(collision, &scope)?;
    // Values are found again by their formulas, of which some are one where density and velocity are given.
    let is_same = |other: &[SetDeclaration]| {
        let named = |kept: &SetDeclaration| (kept.name.clone(), kept.rest.clone());
        other.iter().map(named).eq(kernel.kept.iter().map(named))
    };
    if !(is_same(&kept) && is_same(&fields.kept)) {
        let message =
            "two values that it keeps by `prev` are one and the same in some of its uses; keep one of them";
        return refuse(collision.name.span(), message);
    }
    let equilibrium = of_the_state(collision, "equilibrium", &scope, &symbols, names.zip(equilibrium))?;

    let (mut parameters, parameter_index) = used_parameters(&kernel, &collide);
    // What is stated reads the same fields: it is of the same formulas.
    let formulas = kernel.populations.iter().chain(&kernel.viscosity).chain(kernel.force.iter().flatten());
    let needed = Needed::by(&kernel, formulas);
    let collide = needed.numbered(&collide, kernel.fields.len());
    let halves = halves.map(|halves| Halves {
        gather: needed.numbered(&halves.gather, kernel.fields.len()),
        parts: needed.numbered_in(&halves.parts, kernel.fields.len()),
        ..halves
    });
    let derived = needed.derived(&kernel, &mut parameters, halves.as_ref().map(|_| &whole));
    let viscosity = Stated::viscosity(&fields, &needed, &mut parameters);
    let force = Stated::force(&fields, &needed, &mut parameters);
    let ranges = parameters.iter().map(|(name, _)| collision.range_of(name)).collect();
    let field = |(name, default): &(String, Option<Rational>)| Field {
        name: name.clone(),
        default: default.clone(),
        range: collision.range_of(name),
    };
    Ok(Generated {
        fields: kernel.fields.iter().map(field).collect(),
        derived,
        lattice: whole,
        collision: collision.full_name(),
        rests: kernel.rests.iter().skip(1).cloned().collect(),
        kept: kernel.kept,
        choices,
        collide,
        halves,
        macroscopic,
        viscosity,
        force,
        equilibrium,
        parameters,
        ranges,
        parameter_index,
        stages,
    })
}

/// A collision, evaluated with one choice of what to share.
struct Formulas {
    kernel: Kernel,
    choices: Choices,
    outputs: Vec<(String, Polynomial)>,
    text: String,
}

impl Formulas {
    fn of(
        lattice: &LatticeSpec,
        collision: &CollisionDeclaration,
        choices: Choices,
    ) -> syn::Result<Formulas> {
        let kernel = evaluate(collision, &Scope::of(lattice, &choices, Given::Populations))?;
        let populations = kernel.populations.iter().enumerate();
        let outputs: Vec<_> = populations.map(|(i, p)| (format!("post_{i}"), p.clone())).collect();
        let text = formulas(&kernel.symbols, &outputs);
        Ok(Formulas { kernel, choices, outputs, text })
    }
}

/// A collision's formulas with either choice of what to share.
fn candidates(
    lattice: &LatticeSpec,
    collision: &CollisionDeclaration,
    choices: &Choices,
) -> syn::Result<Vec<Formulas>> {
    let mut candidates: Vec<Formulas> = [true, false]
        .map(|share_flux_trace| Choices { share_flux_trace, ..choices.clone() })
        .into_iter()
        .map(|choices| Formulas::of(lattice, collision, choices))
        .collect::<syn::Result<_>>()?;
    // Where no formula has a trace, both are one.
    candidates.dedup_by(|spread, shared| spread.text == shared.text);
    Ok(candidates)
}

/// The same, simplified.
struct Candidate {
    formulas: Formulas,
    collide: Program,
    halves: Option<Halves>,
    stages: Stages,
}

impl Candidate {
    fn of(lattice: &LatticeSpec, formulas: Formulas) -> Candidate {
        let Formulas { kernel, outputs, text, .. } = &formulas;
        let (collide, halves, mut stages) = match Halves::of(lattice, kernel) {
            Some((halves, stages)) => (halves.whole(), Some(halves), stages),
            None => {
                let (program, stages) = simplify(&kernel.symbols, outputs, &lattice.pairs());
                (program, None, stages)
            }
        };
        stages.0.insert(0, ("formulas", text.clone()));
        Candidate { formulas, collide, halves, stages }
    }
}

/// The evaluated formulas as text.
fn formulas(symbols: &Symbols, outputs: &[(String, Polynomial)]) -> String {
    let mut text = String::new();
    for symbol in symbols.reachable(outputs.iter().map(|(_, p)| p)) {
        let definition = symbols.definition(symbol);
        let operands: Vec<String> = definition.operands().iter().map(|p| symbols.show(p)).collect();
        let name = symbols.name(symbol);
        text += &match definition {
            Definition::Population(_)
            | Definition::Input(_)
            | Definition::Parameter(_)
            | Definition::Unknown(_) => continue,
            Definition::Named(_) => format!("{name} = {}\n", operands.concat()),
            Definition::Function(function, _) => format!("{name} = {}\n", function.show(&operands)),
        };
    }
    for (name, polynomial) in outputs {
        text += &format!("{name} = {}\n", symbols.show(polynomial));
    }
    text
}

/// Simplifies what must not depend on free parameters and fields, since it is asked for without them.
fn of_the_state(
    collision: &CollisionDeclaration,
    what: &str,
    scope: &Scope<'_>,
    symbols: &Symbols,
    outputs: impl Iterator<Item = (String, Polynomial)>,
) -> syn::Result<Program> {
    let outputs: Vec<_> = outputs.collect();
    let mut reached = symbols.reachable(outputs.iter().map(|(_, p)| p)).into_iter();
    let other = reached.find_map(|symbol| match symbols.definition(symbol) {
        Definition::Parameter(_) => Some(("parameter", symbol)),
        Definition::Input(n) if *n >= scope.first_field() => Some(("field", symbol)),
        _ => None,
    });
    if let Some((kind, symbol)) = other {
        let free = if kind == "parameter" { "free parameter" } else { kind };
        let message = format!(
            "{what} depends on the {free} `{}`, but must follow from the populations alone; bake the {kind} in \
             or leave it out of {what}",
            symbols.name(symbol)
        );
        return refuse(collision.name.span(), message);
    }
    Ok(simplify(symbols, &outputs, &[]).0)
}

/// The parameters that the uniform coefficients need, the viscosity first.
fn used_parameters(kernel: &Kernel, program: &Program) -> (Parameters, Vec<Option<usize>>) {
    let symbols = &program.symbols;
    let parameter = |symbol| match symbols.definition(symbol) {
        Definition::Parameter(p) => Some(*p),
        _ => None,
    };
    let used: BTreeSet<usize> =
        symbols.reachable(&program.uniforms).into_iter().filter_map(parameter).collect();
    let kept = used.iter().map(|&p| kernel.parameters[p].clone()).collect();
    let index = (0..kernel.parameters.len()).map(|p| used.iter().position(|&used| used == p)).collect();
    (kept, index)
}

#[cfg(test)]
mod tests {
    use super::super::lattice::standard_lattices;
    use super::*;

    #[test]
    fn what_has_no_trace_of_the_flux_is_simplified_once() {
        let [d2q9, ..] = standard_lattices();
        let count = |body: &str| {
            let collision = syn::parse_str(&format!("Test {{ {body} }}")).unwrap();
            candidates(&d2q9, &collision, &Choices::default()).unwrap().len()
        };
        assert_eq!(count("for i in directions { f[i] = f[opposite[i]] + w[i] * sum(j) * sum(u); }"), 1);
        assert_eq!(count("for i in directions { f[i] = equilibrium[i]; }"), 2);
    }
}
