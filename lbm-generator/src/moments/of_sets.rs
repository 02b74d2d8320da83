//! Several sets of populations in moments: what each needs, and how it follows from that.
//!
//! A set of second order has moments of its own. A set that is a share x of the first one, but for a flux b, say a colour of two fluids,
//!
//! ```text
//! f_i = x f0_i + w_i c_i.b / cs2,
//! ```
//!
//! has x and b only: of two fluids on D3Q19 fourteen values stand for 38 populations. Rebuilt it is of second order, too, of moments that are x
//! times those of the first set, and b. What is neither keeps its populations. Which a set is is found, as for one set, by comparing polynomials.

use super::{Opens, Outputs, carrying, expanded, hiding_zero, names, second_order};
use crate::language::Kernel;
use crate::lattice::{AXES, LatticeSpec};
use crate::program::Program;
use crate::rational::Rational;
use crate::simplify::{Stages, simplify};
use crate::symbolic::{Definition, Polynomial, Symbol, Symbols};
use lbm_base::body::{MOST_MOMENTS, SetMoments};

/// Kinds of sets, moments that carry them, and the program and stages of what is rebuilt.
type OfSets = (Vec<SetMoments>, Outputs, (Program, Stages));

/// The moments of all sets, if they are fewer than populations; the first set, which has the flow, must be of second order.
pub(super) fn of_sets(lattice: &LatticeSpec, kernel: &Kernel) -> Option<OfSets> {
    let Kernel { symbols, populations, rests, .. } = kernel;
    let (mut sets, mut outputs): (Vec<SetMoments>, Outputs) = Default::default();
    let flow = &lattice.sets[0];
    for (number, (set, first)) in lattice.sets.iter().zip(lattice.firsts()).enumerate() {
        let own = &populations[first..first + set.q()];
        let is_alike = number > 0 && (&set.velocities, &set.weights) == (&flow.velocities, &flow.weights);
        let share = || share(set, symbols, [own, &populations[..flow.q()]], [&rests[number], &rests[0]]);
        let moments = || {
            // Where momentum stands beside density times velocity, short names hide that they are one.
            let moments = [Opens::Alone, Opens::Short]
                .into_iter()
                .find_map(|opens| carrying(set, symbols, own, opens))?;
            Some(names(set).into_iter().zip(moments).collect())
        };
        let (kind, values) = if let Some(values) = is_alike.then(share).flatten() {
            (SetMoments::Share, values)
        } else if let Some(moments) = (names(set).len() < set.q()).then(moments).flatten() {
            (SetMoments::SecondOrder, moments)
        } else if number > 0 {
            let each = own.iter().enumerate();
            (SetMoments::Populations, each.map(|(i, p)| (format!("post_{i}"), p.clone())).collect())
        } else {
            return None;
        };
        sets.push(kind);
        outputs.extend(values.into_iter().map(|(name, value)| (of_set(&name, number), value)));
    }
    (outputs.len() < lattice.q() && outputs.len() <= MOST_MOMENTS).then(|| {
        let rebuilt = rebuild(lattice, &sets, &outputs, rests);
        (sets, outputs, rebuilt)
    })
}

/// The name of a value of a set.
pub(crate) fn of_set(name: &str, number: usize) -> String {
    if number == 0 { name.to_owned() } else { format!("{name}_{}", number + 1) }
}

/// The share and the flux of a set, if it is a share of the first one. Populations and sums at rest are its own, and those of the first.
fn share(
    lattice: &LatticeSpec,
    symbols: &Symbols,
    [own, first]: [&[Polynomial]; 2],
    [rest, first_rest]: [&Rational; 2],
) -> Option<Outputs> {
    let mut candidates: Vec<Symbol> =
        own[0].symbols().filter(|&symbol| !symbols.is_uniform(symbol)).collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.into_iter().find_map(|share| {
        let beyond = |(i, (own, first)): (usize, (&Polynomial, &Polynomial))| {
            let whole = |p: &Polynomial, rest: &Rational| p.plus(&(&lattice.weights[i] * rest).into());
            whole(own, rest).minus(&whole(first, first_rest).times(&share.into()))
        };
        let beyond: Vec<Polynomial> = own.iter().zip(first).enumerate().map(beyond).collect();
        let flux: Vec<Polynomial> = (0..lattice.dimension)
            .map(|a| beyond.iter().enumerate().map(|(i, p)| p.scaled(&lattice.velocity(i)[a])).sum())
            .collect();
        let mut hiding = Vec::new();
        for (i, given) in beyond.iter().enumerate() {
            let factor = |c: &Rational| c * &lattice.weights[i] / &lattice.cs2;
            let along = flux.iter().zip(&lattice.velocity(i)).map(|(b, c)| b.scaled(&factor(c))).sum();
            let along: Polynomial = along;
            hiding.extend(hiding_zero(symbols, along.minus(given), Opens::Short)?);
        }
        hiding.sort_unstable();
        hiding.dedup();
        let open = |flux, &symbol: &Symbol| expanded(symbols, &flux, symbol, Opens::Short);
        let flux = flux.into_iter().map(|flux| hiding.iter().rev().fold(flux, open));
        let names = AXES[..lattice.dimension].iter().map(|a| format!("flux_{a}_post"));
        Some(std::iter::once(("share_post".to_owned(), share.into())).chain(names.zip(flux)).collect())
    })
}

/// The program from these values to populations.
fn rebuild(
    lattice: &LatticeSpec,
    kinds: &[SetMoments],
    outputs: &Outputs,
    rests: &[Rational],
) -> (Program, Stages) {
    let mut symbols = Symbols::default();
    let input = |(n, (name, _)): (usize, &(String, _))| symbols.intern(name, Definition::Input(n)).into();
    let inputs: Vec<Polynomial> = outputs.iter().enumerate().map(input).collect();
    let (mut inputs, mut first, mut populations) = (&inputs[..], Vec::new(), Vec::new());
    for (number, (set, kind)) in lattice.sets.iter().zip(kinds).enumerate() {
        let (values, others) = inputs.split_at(kind.count(set.dimension, set.q()));
        inputs = others;
        let moments = match kind {
            SetMoments::Populations => {
                populations.extend_from_slice(values);
                continue;
            }
            SetMoments::SecondOrder => values.to_vec(),
            SetMoments::Recursive => unreachable!("only one set alone is found to be of this kind"),
            SetMoments::Share => {
                let shared = shared(&first, values, [&rests[0], &rests[number]]);
                let name = |(moment, name): (Polynomial, String)| {
                    symbols.intern(&of_set(&name, number), Definition::Named(moment)).into()
                };
                shared.into_iter().zip(names(set)).map(name).collect()
            }
        };
        populations.extend((0..set.q()).map(|i| second_order(set, i, &moments)));
        if number == 0 {
            first = moments;
        }
    }
    let outputs: Outputs =
        populations.into_iter().enumerate().map(|(i, p)| (format!("post_{i}"), p)).collect();
    simplify(&symbols, &outputs, &lattice.pairs())
}

/// The moments of a set that is a share of one with the moments `first`, from its share and flux.
fn shared(
    first: &[Polynomial],
    values: &[Polynomial],
    [first_rest, rest]: [&Rational; 2],
) -> Vec<Polynomial> {
    let (share, flux) = values.split_first().expect("a share has a value");
    let mut moments: Vec<Polynomial> = first.iter().map(|moment| moment.times(share)).collect();
    moments[0] = moments[0].plus(&share.scaled(first_rest)).minus(&rest.clone().into());
    moments[1..].iter_mut().zip(flux).for_each(|(moment, b)| *moment = moment.plus(b));
    moments
}
