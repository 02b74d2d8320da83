//! A box in parts has the bits of the whole one.

use std::collections::BTreeSet;

use super::looks::Looks;
use super::redrawn::{declare_drawable, drawn};
use super::{
    LawViolation, Make, SplitMix64, compare, random_fields, random_populations, random_setup, set_fields,
    with_random_rules,
};
use crate::cut::{CutEngine, Decomposition, Part, Single, parts};
use crate::domain::{Upstream, positions};
use crate::engine::{Changed, Engine, Setup};
use crate::error::Error;
use crate::facts::Facts;
use crate::pieces::{cut, paste};
use crate::reference::Reference;
use crate::rules::{Arrivals, RuleFacts};

/// How often a flow goes on in other parts.
const ROUNDS: usize = 3;

/// Cuts of one box that are tried where rules do not let it be cut so.
const TRIES: usize = 8;

/// Most steps between two exchanges.
const STEPS: u64 = 3;

/// A box cut into parts, between which values cross once in one to three steps, in boxes as those of [`product_equals_reference`](super::product_equals_reference) and with some of these rules, has the populations of the plain reference
/// bit for bit, and what is looked at is what follows from them, while fields of nodes change and nodes become solid or fluid; and it goes on so in other parts, set to its state and what its rules
/// remember. What crosses is what must ([`crosses_once`]). Gives how many boxes were cut, and into how many parts together: a few cannot be, as their rules
/// read across all of it.
///
/// # Errors
/// [`LawViolation::Differs`]; [`LawViolation::Crosses`]; [`LawViolation::Engine`] if an engine fails.
pub fn product_may_be_cut(
    facts: Facts,
    rules: &[RuleFacts],
    make: Make<'_>,
    sizes: &[[usize; 3]],
    seeds: &[u64],
) -> Result<[usize; 2], LawViolation> {
    let mut found = [0; 2];
    for (&size, &seed) in sizes.iter().flat_map(|size| seeds.iter().map(move |seed| (size, seed))) {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(&facts, size, &mut random);
        let mut setup = with_random_rules(&facts, rules, setup, &mut random);
        declare_drawable(&facts, setup.domain_mut(), &mut random);
        let mut first = setup.domain().clone();
        let Some(mut engine) = in_parts(&facts, &setup, make, &mut random)? else { continue };
        found[0] += 1;
        let mut reference = Reference::new(&facts, &setup)?;
        let start = random_populations(&facts.lattice, setup.domain(), &mut random);
        reference.set_populations(&start, 0)?;
        engine.set_populations(&start, 0)?;
        let mut looks = Looks::default();
        for _ in 0..ROUNDS {
            found[1] += engine.parts().count();
            crosses_once(&facts, &setup, &engine)?;
            for steps in [0, 1, 4] {
                let fields = random_fields(&facts, setup.domain(), &mut random);
                for engine in [&mut engine, &mut reference as &mut dyn Engine] {
                    set_fields(engine, &fields)?;
                    engine.run(steps)?;
                }
                compare(&facts, &engine, &reference, size, seed)?;
                looks.compare(&facts, setup.domain(), &mut engine, &reference)?;
            }
            if let Some((next, nodes)) = drawn(&facts, &setup, &first, &mut random)
                && may_be(&facts, &next, engine.parts())?
            {
                let all = random_populations(&facts.lattice, next.domain(), &mut random);
                let of = |line: &[f64]| nodes.iter().map(|&node| line[node]).collect::<Vec<_>>();
                let begin: Vec<f64> = all.chunks(next.domain().nodes()).flat_map(of).collect();
                for engine in [&mut engine, &mut reference as &mut dyn Engine] {
                    engine.set_geometry(&next, Changed::new(&nodes, &begin))?;
                    engine.run(1)?;
                }
                setup = next;
                looks = Looks::default();
                crosses_once(&facts, &setup, &engine)?;
                compare(&facts, &engine, &reference, size, seed)?;
            }
            // On in other parts.
            if let Some(mut other) = in_parts(&facts, &setup, make, &mut random)? {
                let mut state = vec![0.0; facts.state_values() * setup.domain().nodes()];
                engine.state_of(0..setup.domain().nodes(), &mut |piece, values| {
                    paste(&mut state, piece, values);
                    Ok(())
                })?;
                other.set_state_from(&|piece, values| cut(&state, piece, values), engine.step())?;
                other.set_memory(&engine.memory()?)?;
                engine = other;
                first = setup.domain().clone();
                looks = Looks::default();
            }
        }
    }
    Ok(found)
}

/// A box in some parts, with cuts through two axes more often than not, and some steps between two exchanges; none where its rules let no cut be that was
/// tried.
fn in_parts(
    facts: &Facts,
    setup: &Setup,
    make: Make<'_>,
    random: &mut SplitMix64,
) -> Result<Option<CutEngine>, Error> {
    let (domain, mut left) = (setup.domain(), TRIES);
    while left > 0 {
        left -= 1;
        let planes = domain.size.map(|n| {
            let cuts = if random.chance(0.6) { 1 + random.bits() % 2 } else { 0 };
            let some = (0..cuts).filter(|_| n > 1).map(|_| 1 + random.bits() as usize % (n - 1).max(1));
            let mut some: Vec<usize> = some.collect();
            some.sort_unstable();
            some.dedup();
            some
        });
        if planes.iter().all(Vec::is_empty) {
            continue;
        }
        // Boxes that are cut again and again meet others of another size.
        let cut = match random.chance(0.3) {
            true => Decomposition::Balanced(4 + random.bits() as usize % 3),
            false => Decomposition::At(planes),
        };
        // Not all rules let there be several steps, and some read as far as the box goes.
        let steps = 1 + random.bits() % STEPS;
        let several = cut.clone().exchanging_every(steps as usize);
        let cut = match parts(facts, domain, &setup.rules, &several) {
            Ok(_) => several,
            Err(Error::Conflict { .. } | Error::OutOfRange { .. }) => cut.exchanging_every(1),
            Err(error) => return Err(error),
        };
        let parts = parts(facts, domain, &setup.rules, &cut)?;
        if may_be(facts, setup, parts.iter())? {
            return CutEngine::new(facts, setup, &cut, &|_, setup| make(setup)).map(Some);
        }
    }
    Ok(None)
}

/// Whether a box may be these parts: not where nodes at several places share the values of a rule. What stands in the whole box must then stand in each part.
fn may_be<'a>(facts: &Facts, setup: &Setup, parts: impl Iterator<Item = &'a Part>) -> Result<bool, Error> {
    for part in parts {
        match part.setup(facts, setup) {
            Ok(setup) => drop(Arrivals::of(facts, &setup)?),
            Err(Error::Conflict { .. }) => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// What comes to a node of one part from a node of another crosses once, to the part that reads it, from the one whose node sent it; where moments are
/// stored, all of them. Where there are several steps between two exchanges, it crosses for all nodes that the part computes in the first of them.
///
/// # Errors
/// [`LawViolation::Crosses`].
pub fn crosses_once(facts: &Facts, setup: &Setup, engine: &CutEngine) -> Result<(), LawViolation> {
    let domain = setup.domain();
    let parts: Vec<&Part> = engine.parts().collect();
    let wrong = |what: String| Err(LawViolation::Crosses(format!("{}: {what}", facts.name())));
    let mut crossing = BTreeSet::new();
    for message in engine.messages() {
        let (from, to) = (parts[message.from], parts[message.to]);
        for (sent, read) in message.of_sender.iter().zip(&message.of_reader) {
            let node = to.index_there(read.node);
            if from.own_node(node) != Some(sent.node) || sent.value != read.value {
                return wrong(format!(
                    "part {} sends {sent:?} as {read:?} of part {}",
                    message.from, message.to
                ));
            }
            if !crossing.insert((message.to, *read)) {
                return wrong(format!("{read:?} comes to part {} twice", message.to));
            }
        }
    }
    for (to, part) in parts.iter().enumerate() {
        let size = part.size();
        let computed = positions(size).filter(|&here| part.computes(here, 0));
        for here in computed.filter(|&here| !domain.is_solid(part.there(here))) {
            for (i, c) in facts.lattice.velocities.iter().enumerate() {
                let back = c.map(|c| -c);
                let Upstream::Node(_) = domain.upstream(part.there(here), back) else { continue };
                let from: [usize; 3] = std::array::from_fn(|axis| {
                    (here[axis] as i64 + i64::from(back[axis])).rem_euclid(size[axis] as i64) as usize
                });
                if part.depth(from) == 0 {
                    continue;
                }
                let node = from[0] + size[0] * (from[1] + size[1] * from[2]);
                for value in facts.values_of(i) {
                    if !crossing.contains(&(to, Single::new(node, value))) {
                        return wrong(format!(
                            "value {value} of {from:?} does not come to {here:?} of part {to}"
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}
