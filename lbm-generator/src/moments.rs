//! Collisions whose result moments carry, taken apart in two halves.
//!
//! Where every post-collision population is a Hermite expansion of second order,
//!
//! ```text
//! h*_i = w_i (s* + c_i.j* / cs2 + c_i c_i : P* / (2 cs2^2)),
//! j* = sum c_i h*_i,   P* = sum (c_i c_i - cs2) h*_i,   s* = sum h*_i - tr P* / (2 cs2),
//! ```
//!
//! a node is as well determined by the M = 1 + D + D (D + 1) / 2 moments on the right as by its Q populations (Latt & Chopard,
//! Math. Comput. Simul. 72 (2006) 165). `gather` ends with these moments, `rebuild` starts from them, and the collision
//! is one after the other, so that it makes no difference to a bit whether the moments went through memory between
//! them. Whether a collision is of this kind is not declared but found: both sides are compared as polynomials. One that is not may be of
//! another, whose populations follow from as many values (`moments/recursion.rs`).

mod of_sets;
mod recursion;
mod residue;

pub(super) use of_sets::of_set;

use super::gather_parts::Parts;
use super::language::Kernel;
use super::lattice::{AXES, LatticeSpec};
use super::program::Program;
use super::rational::{Rational, ratio, whole};
use super::simplify::{Stages, simplify};
use super::symbolic::{Definition, Monomial, Polynomial, Symbol, Symbols};
use lbm_base::body::SetMoments;
use num_traits::One;

/// Formulas with names.
type Outputs = Vec<(String, Polynomial)>;

/// A collision in two halves.
#[derive(Clone, Debug)]
pub struct Halves {
    /// How each set of populations follows from moments; none where a node has one set, which is of second order.
    pub sets: Vec<SetMoments>,
    /// What the moments are called, in their order.
    pub names: Vec<String>,
    /// Pre-collision populations, and fields of the node, to post-collision moments.
    pub gather: Program,
    /// The same in two parts.
    pub parts: Parts,
    /// Post-collision moments, its inputs, to post-collision populations. It needs no uniform coefficient.
    pub rebuild: Program,
}

/// The moments' names: what all directions share but for their weights, momentum, and the second moments xx, xy, (xz,) yy, (yz, zz).
pub fn names(lattice: &LatticeSpec) -> Vec<String> {
    let momentum = AXES[..lattice.dimension].iter().map(|a| format!("j_{a}_post"));
    let second = lattice.axis_pairs().map(|(a, b)| format!("p_{}{}_post", AXES[a], AXES[b]));
    std::iter::once("isotropic_post".to_owned()).chain(momentum).chain(second).collect()
}

impl Halves {
    /// The halves of a collision, if fewer moments than populations carry it.
    pub fn of(lattice: &LatticeSpec, kernel: &Kernel) -> Option<(Halves, Stages)> {
        let (mut symbols, populations) = (kernel.symbols.clone(), &kernel.populations);
        let mut of_one = || {
            let names = names(lattice);
            (names.len() < lattice.q()).then_some(())?;
            if let Some(moments) = carrying(lattice, &symbols, populations, Opens::Alone) {
                return Some((Vec::new(), names.into_iter().zip(moments).collect(), rebuild(lattice)));
            }
            let (outputs, rebuild) = recursion::carrying(lattice, &mut symbols, populations)?;
            Some((vec![SetMoments::Recursive], outputs, rebuild))
        };
        let (sets, outputs, (rebuild, second)) = match lattice.sets.len() > 1 {
            true => of_sets::of_sets(lattice, kernel),
            false => of_one(),
        }?;
        let names = outputs.iter().map(|(name, _)| name.clone()).collect();
        let (parts, first) = Parts::of(lattice, &symbols, &outputs);
        let mut stages = first.beside(second);
        let halves = Halves { sets, names, gather: parts.whole(), parts, rebuild };
        if let Some((_, program)) = stages.0.last_mut() {
            *program = halves.whole().to_string();
        }
        Some((halves, stages))
    }

    /// The whole collision: the operations of one half, then those of the other that the first has not done.
    pub fn whole(&self) -> Program {
        self.gather.then(&self.rebuild, "post").shared()
    }
}

/// The program from moments to populations, which the lattice alone decides.
fn rebuild(lattice: &LatticeSpec) -> (Program, Stages) {
    let mut symbols = Symbols::default();
    let inputs = names(lattice).into_iter().enumerate();
    let moments: Vec<Polynomial> =
        inputs.map(|(n, name)| symbols.intern(&name, Definition::Input(n)).into()).collect();
    let outputs: Vec<_> =
        (0..lattice.q()).map(|i| (format!("post_{i}"), second_order(lattice, i, &moments))).collect();
    simplify(&symbols, &outputs, &lattice.pairs())
}

/// Which names are put in where polynomials are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opens {
    /// Those that are the only factor of their term that differs from node to node.
    Alone,
    /// Those of few terms, too; what they hid of quotients is cancelled.
    Short,
}

/// The most terms of a name that is short: a component along each axis.
const FEW_TERMS: usize = 3;

/// The moments of post-collision populations, if the populations follow from them.
fn carrying(
    lattice: &LatticeSpec,
    symbols: &Symbols,
    populations: &[Polynomial],
    opens: Opens,
) -> Option<Vec<Polynomial>> {
    let moments = moments(lattice, populations);
    let mut hiding = Vec::new();
    for (i, given) in populations.iter().enumerate() {
        hiding.extend(hiding_zero(symbols, second_order(lattice, i, &moments).minus(given), opens)?);
    }
    // What hid that the populations follow would hide as well how short the moments are.
    hiding.sort_unstable();
    hiding.dedup();
    let uncovered = moments.into_iter().map(|moment| {
        let open = |moment, &symbol: &Symbol| expanded(symbols, &moment, symbol, opens);
        cancelled(symbols, hiding.iter().rev().fold(moment, open), opens)
    });
    Some(uncovered.collect())
}

fn moments(lattice: &LatticeSpec, populations: &[Polynomial]) -> Vec<Polynomial> {
    let sum = |factor: &dyn Fn([Rational; 3]) -> Rational| -> Polynomial {
        populations.iter().enumerate().map(|(i, p)| p.scaled(&factor(lattice.velocity(i)))).sum()
    };
    let mut isotropic = sum(&|_| Rational::one());
    let mut tensor = Vec::new();
    for (a, b) in lattice.axis_pairs() {
        let trace = if a == b { lattice.cs2.clone() } else { whole(0) };
        let moment = sum(&|c| &c[a] * &c[b] - &trace);
        if a == b {
            isotropic = isotropic.minus(&moment.scaled(&(ratio(1, 2) / &lattice.cs2)));
        }
        tensor.push(moment);
    }
    let momentum = (0..lattice.dimension).map(|a| sum(&|c| c[a].clone()));
    std::iter::once(isotropic).chain(momentum).chain(tensor).collect()
}

/// w (s + c.j / cs2 + c.P.c / (2 cs2^2)) of direction i; the moments are s, j, and P as [`LatticeSpec::axis_pairs`] lists it.
pub(super) fn second_order(lattice: &LatticeSpec, i: usize, moments: &[Polynomial]) -> Polynomial {
    let (c, cs2) = (lattice.velocity(i), &lattice.cs2);
    let (momentum, tensor) = moments[1..].split_at(lattice.dimension);
    let first = momentum.iter().zip(&c).map(|(j, c)| j.scaled(&(c / cs2)));
    let second = lattice.axis_pairs().zip(tensor).map(|((a, b), p)| {
        let twice = if a == b { ratio(1, 2) } else { whole(1) };
        p.scaled(&(&c[a] * &c[b] * twice / (cs2 * cs2)))
    });
    let sum: Polynomial = first.chain(second).chain([moments[0].clone()]).sum();
    sum.scaled(&lattice.weights[i])
}

/// The names that hide that a polynomial is zero; nothing if it is not found to be.
///
/// A named polynomial is put in its name's place, the latest first, where it makes no products of long sums: where the name is
/// the same for all nodes, or the only factor of its term that is not. So terms stay few whatever a collision multiplies.
fn hiding_zero(symbols: &Symbols, mut polynomial: Polynomial, opens: Opens) -> Option<Vec<Symbol>> {
    let mut hiding = Vec::new();
    while !polynomial.0.is_empty() {
        let symbol = *replaceable(symbols, &polynomial, opens).last()?;
        polynomial = expanded(symbols, &polynomial, symbol, opens);
        hiding.push(symbol);
    }
    Some(hiding)
}

/// The polynomial with the definitions of names put in where that leaves fewer terms, such as a trace beside its parts.
fn cancelled(symbols: &Symbols, mut polynomial: Polynomial, opens: Opens) -> Polynomial {
    for symbol in replaceable(symbols, &polynomial, opens).into_iter().rev() {
        let open = expanded(symbols, &polynomial, symbol, opens);
        if open.0.len() < polynomial.0.len() {
            polynomial = open;
        }
    }
    polynomial
}

/// The names that can be replaced in at least one term, in the order in which they were given.
fn replaceable(symbols: &Symbols, polynomial: &Polynomial, opens: Opens) -> Vec<Symbol> {
    let named = |&(_, symbol): &(_, Symbol)| matches!(symbols.definition(symbol), Definition::Named(_));
    let factors = polynomial.0.keys().flat_map(|term| term.0.iter().map(move |&(symbol, _)| (term, symbol)));
    let replaceable =
        factors.filter(named).filter(|(term, symbol)| is_replaceable(symbols, term, *symbol, opens));
    let mut names: Vec<Symbol> = replaceable.map(|(_, symbol)| symbol).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn is_replaceable(symbols: &Symbols, term: &Monomial, symbol: Symbol, opens: Opens) -> bool {
    let mut varying = term.0.iter().filter(|&&(s, _)| !symbols.is_uniform(s));
    let is_short = || match symbols.definition(symbol) {
        Definition::Named(named) => opens == Opens::Short && named.0.len() <= FEW_TERMS,
        _ => false,
    };
    symbols.is_uniform(symbol)
        || (varying.next() == Some(&(symbol, 1)) && varying.next().is_none())
        || is_short()
}

/// The polynomial with a name replaced by its definition in every term where it can be.
fn expanded(symbols: &Symbols, polynomial: &Polynomial, symbol: Symbol, opens: Opens) -> Polynomial {
    let Definition::Named(definition) = symbols.definition(symbol) else {
        return polynomial.clone();
    };
    let open =
        polynomial.substituted(symbol, definition, |term| is_replaceable(symbols, term, symbol, opens));
    match opens {
        Opens::Alone => open,
        Opens::Short => symbols.cancelled(open),
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::{Choices, Given, Scope, evaluate};
    use super::super::lattice::standard_lattices;
    use super::*;
    use expect_test::expect;

    fn d2q9() -> LatticeSpec {
        let [d2q9, ..] = standard_lattices();
        d2q9
    }

    /// The halves of a collision on D2Q9, if it has any.
    fn halves(body: &str) -> Option<Halves> {
        let declaration = syn::parse_str(&format!("Test(a, b) {{ {body} }}")).unwrap();
        let choices = Choices { share_flux_trace: true, ..Choices::default() };
        let lattice = d2q9();
        let scope = Scope::of(&lattice, &choices, Given::Populations);
        let kernel = evaluate(&declaration, &scope).unwrap();
        Halves::of(&lattice, &kernel).map(|(halves, _)| halves)
    }

    #[test]
    fn moments_are_short_whatever_named_them() {
        let halves = halves(
            "let m = to_moments(f);
             let smooth = from_moments(moments.map(|k| if order[k] < 2 { m[k] } else { 0 }));
             let ghost = directions.map(|i| f[i] - smooth[i]);
             for i in directions { f[i] = f[i] - ghost[i] + a * w[i] * c[i][0] * c[i][1] * u[0]; }",
        );
        expect![[r#"
            uniform k_0 = 1/9 a
            t_1 = h[1] + h[5]
            waiting_xy = h[5] - h[8]
            t_2 = h[2] + h[8]
            waiting_x = t_1 - t_2
            t_3 = t_1 + t_2
            waiting_y_part_1 = h[3] + h[5]
            waiting_y = waiting_y_part_1 + h[8]
            waiting_0_part_1 = h[0] + h[3]
            waiting_0 = waiting_0_part_1 + t_3
            t_1_late = h[4] + h[6]
            t_2_late = h[7] + t_1_late
            j_x_part_1 = h[7] + waiting_x
            j_x = j_x_part_1 - h[6]
            j_y_post = waiting_y - t_2_late
            delta_rho = waiting_0 + t_2_late
            rho = 1 + delta_rho
            inverse_rho = 1 / rho
            u_x = j_x * inverse_rho
            p_xy_post = k_0 * u_x
            isotropic_post <- delta_rho
            j_x_post <- j_x
            j_y_post <- j_y_post
            p_xx_post <- 0
            p_xy_post <- p_xy_post
            p_yy_post <- 0
        "#]]
        .assert_eq(&halves.unwrap().gather.to_string());
    }

    #[test]
    fn the_whole_is_one_half_after_the_other() {
        let collisions = [
            "for i in directions { f[i] = equilibrium[i]; }",
            // Moments that are a number, a uniform coefficient, and a value with its sign turned.
            "for i in directions { f[i] = w[i] * (3/2 + a * c[i][0] - 3 * u[1] * c[i][1]); }",
        ];
        for body in collisions {
            let halves = halves(body).unwrap();
            let (h, k) = ([0.1, -0.07, 0.03, 0.019, -0.004, 0.001, 0.02, -0.03, 0.05], [0.3, 0.7, -0.2]);
            let moments = halves.gather.evaluate(&h, &[], &k).unwrap();
            let rebuilt = halves.rebuild.evaluate(&[], &moments, &[]);
            assert_eq!(halves.whole().evaluate(&h, &[], &k), rebuilt, "{body}");
        }
    }

    #[test]
    fn what_is_not_of_second_order_has_no_halves() {
        assert!(halves("for i in directions { f[i] = f[i] + a * (equilibrium[i] - f[i]); }").is_none());
        let third = "for i in directions { f[i] = equilibrium[i] + a * w[i] * c[i][0] * c[i][1] * c[i][1]; }";
        assert!(halves(third).is_none());
    }

    #[test]
    fn populations_follow_from_moments() {
        let (program, _) = rebuild(&d2q9());
        let names = names(&d2q9());
        expect![[r#"
            isotropic_post = input[0]
            j_x_post = input[1]
            j_y_post = input[2]
            p_xx_post = input[3]
            p_xy_post = input[4]
            p_yy_post = input[5]
            post_0 = 4/9 * isotropic_post
            t_1 = fma(9/2, p_xx_post, isotropic_post)
            even_1_part_1 = 1/9 * isotropic_post
            even_0 = 1/9 * t_1
            post_1 = fma(1/3, j_x_post, even_0)
            post_2 = fma(-1/3, j_x_post, even_0)
            even_1 = fma(1/2, p_yy_post, even_1_part_1)
            t_2 = fma(2/9, t_1, p_yy_post)
            post_3 = fma(1/3, j_y_post, even_1)
            post_4 = fma(-1/3, j_y_post, even_1)
            t_3 = j_x_post + j_y_post
            t_4 = j_x_post - j_y_post
            odd_2 = 1/12 * t_3
            odd_3 = 1/12 * t_4
            even_2_part_1 = 1/4 * p_xy_post
            even_2 = fma(1/8, t_2, even_2_part_1)
            post_5 = even_2 + odd_2
            post_6 = even_2 - odd_2
            even_3_part_1 = -1/4 * p_xy_post
            even_3 = fma(1/8, t_2, even_3_part_1)
            post_7 = even_3 + odd_3
            post_8 = even_3 - odd_3
            post_0 <- post_0
            post_1 <- post_1
            post_2 <- post_2
            post_3 <- post_3
            post_4 <- post_4
            post_5 <- post_5
            post_6 <- post_6
            post_7 <- post_7
            post_8 <- post_8
        "#]]
        .assert_eq(&program.with_named_inputs(&names).to_string());
        assert_eq!((program.operations.len(), program.only(5).operations.len()), (22, 7));
        // One direction gives the bits that all give.
        let moments = [0.1, -0.07, 0.03, 0.019, -0.004, 0.001].map(|m: f64| m * 1.1);
        let all = program.evaluate(&[], &moments, &[]).unwrap();
        for (i, population) in all.iter().enumerate() {
            let one = program.only(i).with_named_inputs(&names).evaluate(&[], &moments, &[]).unwrap();
            assert_eq!(one, [*population]);
        }
    }
}
