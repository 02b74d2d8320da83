//! Collisions whose populations follow from the density, the momentum and the stress, where Hermite coefficients of higher order follow by recursion:
//! seen from a frame that goes with the fluid they are 0 (Malaspinas 2015; Coreixas et al. 2017).
//!
//! As many values are stored as of a collision of second order. These are what the density has beyond rest, the momentum, and second moments about
//! the velocity, so that the way back starts with values that the way there had, and nothing is computed twice unless a force acts in between.

use super::residue::Residue;
use super::{Opens, Outputs, expanded, moments, replaceable};
use crate::interpret::polynomials;
use crate::language::{Choices, Given, Kernel, Scope, evaluate};
use crate::lattice::{AXES, LatticeSpec};
use crate::program::Program;
use crate::rational::whole;
use crate::simplify::{Stages, simplify};
use crate::symbolic::{Definition, Function, Polynomial, Symbols};

/// The populations of a node, as a collision would write them.
const FORMULAS: &str = "
    let density = 1 + delta_rho_post;
    let velocity = momentum.map(|j| j / density);
    let coefficients = exponents.zip(given).map(|[e, a]| [density, 0, a, 0, 0, 0, 0][sum(e)]);
    let all = from_central(from_hermite(coefficients), velocity);
    for i in directions { f[i] = all[i]; }
";

/// What is stored, in the order of moments of second order.
fn names(lattice: &LatticeSpec) -> Vec<String> {
    let momentum = AXES[..lattice.dimension].iter().map(|a| format!("j_{a}_post"));
    let stress = lattice.axis_pairs().map(|(a, b)| format!("stress_{}{}_post", AXES[a], AXES[b]));
    std::iter::once("delta_rho_post".to_owned()).chain(momentum).chain(stress).collect()
}

/// These formulas as polynomials of what is stored; none on a lattice whose velocities are no products along the axes, or where nothing is of
/// higher order.
fn formulas(lattice: &LatticeSpec) -> Option<(Symbols, Vec<Polynomial>)> {
    let exponents = lattice.exponents()?;
    exponents.iter().any(|e| e.iter().sum::<usize>() > 2).then_some(())?;
    let names = names(lattice);
    let (momentum, second) = names[1..].split_at(lattice.dimension);
    let entry = |e: &[usize; 3]| {
        // The axes, each as often as its exponent says.
        let axes: Vec<usize> = (0..lattice.dimension).flat_map(|a| std::iter::repeat_n(a, e[a])).collect();
        let pair = lattice.axis_pairs().position(|(a, b)| axes == [a, b]);
        pair.map_or("0", |pair| &second[pair])
    };
    let text = format!(
        "Moments({}) {{ let momentum = [{}]; let given = [{}]; {FORMULAS} }}",
        names.iter().map(|name| format!("field {name}")).collect::<Vec<_>>().join(", "),
        momentum.join(", "),
        exponents.iter().map(entry).collect::<Vec<_>>().join(", "),
    );
    let declaration = syn::parse_str(&text).expect("it is written in the language");
    let choices = Choices::default();
    let kernel = evaluate(&declaration, &Scope::of(lattice, &choices, Given::Populations));
    let Kernel { symbols, populations, .. } = kernel.expect("the language knows its words");
    Some((symbols, populations))
}

/// What is to be stored of post-collision populations that follow from it, if they do, and the program back. Symbols may get some that are
/// quotients by the density.
pub(super) fn carrying(
    lattice: &LatticeSpec,
    symbols: &mut Symbols,
    populations: &[Polynomial],
) -> Option<(Outputs, (Program, Stages))> {
    let (of_stored, followed) = formulas(lattice)?;
    let collided = polynomials(symbols, populations, Residue::of_given)?;
    // What is stored of these values, which are short whatever the collision is.
    let mut of_values = Symbols::default();
    let value = |i: usize| of_values.intern(&format!("post_{i}"), Definition::Population(i)).into();
    let each: Vec<Polynomial> = (0..populations.len()).map(value).collect();
    let stored_values = stored(lattice, &mut of_values, &each);
    let values = polynomials(&of_values, &stored_values, |given| match given {
        Definition::Population(i) => collided[*i],
        other => Residue::of_given(other),
    })?;
    let again = polynomials(&of_stored, &followed, |given| match given {
        Definition::Input(n) => values[*n],
        other => Residue::of_given(other),
    })?;
    (again == collided).then(|| {
        let outputs: Outputs =
            followed.into_iter().enumerate().map(|(i, p)| (format!("post_{i}"), p)).collect();
        let stored = stored(lattice, symbols, populations);
        (names(lattice).into_iter().zip(stored).collect(), simplify(&of_stored, &outputs, &lattice.pairs()))
    })
}

/// What is stored of populations: of moments up to second order with what all directions share, s = delta_rho - tr P / (2 cs2).
fn stored(lattice: &LatticeSpec, symbols: &mut Symbols, populations: &[Polynomial]) -> Vec<Polynomial> {
    let moments = moments(lattice, populations).into_iter();
    let moments: Vec<Polynomial> = moments.map(|moment| shortest(symbols, moment)).collect();
    let (momentum, second) = moments[1..].split_at(lattice.dimension);
    let delta_rho = shortest(symbols, populations.iter().cloned().sum());
    let inverse = Definition::Function(Function::Reciprocal, vec![delta_rho.plus(&whole(1).into())]);
    let inverse = Polynomial::from(symbols.intern("inverse_rho_post", inverse));
    let velocity = momentum.iter().zip(AXES).map(|(j, axis)| {
        let definition = Definition::Named(j.times(&inverse));
        Polynomial::from(symbols.intern(&format!("u_{axis}_post"), definition))
    });
    let velocity: Vec<Polynomial> = velocity.collect();
    let stress = lattice.axis_pairs().zip(second);
    let stress = stress.map(|((a, b), p)| shortest(symbols, p.minus(&momentum[a].times(&velocity[b]))));
    [delta_rho].into_iter().chain(momentum.iter().cloned()).chain(stress).collect()
}

/// The shortest form of a polynomial on the way of putting definitions in for names, the latest first.
fn shortest(symbols: &Symbols, polynomial: Polynomial) -> Polynomial {
    let opened = std::iter::successors(Some(polynomial), |open| {
        let latest = *replaceable(symbols, open, Opens::Alone).last()?;
        Some(expanded(symbols, open, latest, Opens::Alone))
    });
    opened.min_by_key(|open| open.0.len()).expect("it is one of them")
}

#[cfg(test)]
mod tests {
    use super::super::Halves;
    use super::*;
    use crate::lattice::standard_lattices;

    /// The halves of a collision about the fluid's velocity, whose entries of third order are this many times their own, on a lattice that can
    /// have it; and its program as a whole.
    fn halves(lattice: &LatticeSpec, third: &str) -> Option<(Option<Halves>, Program)> {
        let body = format!(
            "Test(a, b) {{
                let k = to_central(f, u);
                let rest = |e| if e.filter(|n| n == 2).len() > 0 {{ rho * cs2 }} else {{ 0 }};
                let off = |e| sqrt(1 + a * a) * (k[e] - rest(e));
                let kept = exponents.map(|e| [rho, 0, off(e), {third} * k[e], 0, 0, 0][sum(e)]);
                let relaxed = from_central(from_hermite(kept), u);
                for i in directions {{ f[i] = relaxed[i]; }}
            }}"
        );
        let (declaration, choices) = (syn::parse_str(&body).unwrap(), Choices::default());
        let scope = Scope::of(lattice, &choices, Given::Populations);
        let kernel = evaluate(&declaration, &scope).ok()?;
        let outputs = kernel.populations.iter().enumerate().map(|(i, p)| (format!("post_{i}"), p.clone()));
        let (plain, _) = simplify(&kernel.symbols, &outputs.collect::<Vec<_>>(), &lattice.pairs());
        Some((Halves::of(lattice, &kernel).map(|(halves, _)| halves), plain))
    }

    #[test]
    fn what_follows_by_recursion_is_found_and_comes_back() {
        let mut found = Vec::new();
        for lattice in standard_lattices() {
            let Some((Some(halves), plain)) = halves(&lattice, "0") else { continue };
            let h: Vec<f64> = (0..lattice.q()).map(|i| 0.01 * (1.7 * i as f64 + 0.3).sin()).collect();
            let with_rate = |program: &Program| {
                let rate = |k: &Polynomial| polynomials(&program.symbols, [k], |_| 0.7_f64).unwrap()[0];
                program.uniforms.iter().map(rate).collect::<Vec<f64>>()
            };
            let moments = halves.gather.evaluate(&h, &[], &with_rate(&halves.gather)).unwrap();
            assert_eq!(moments.len(), names(&lattice).len());
            let again = halves.rebuild.evaluate(&[], &moments, &[]).unwrap();
            for (again, plain) in again.iter().zip(plain.evaluate(&h, &[], &with_rate(&plain)).unwrap()) {
                assert!((again - plain).abs() < 1e-16, "{}: {again} {plain}", lattice.name);
            }
            found.push(lattice.name.to_string());
        }
        assert_eq!(found, ["D2Q9", "D3Q19", "D3Q27"]);
    }

    #[test]
    fn what_keeps_more_is_not() {
        let [d2q9, ..] = standard_lattices();
        let (halves, _) = halves(&d2q9, "b").expect("it has the exponents");
        assert!(halves.is_none());
    }
}
