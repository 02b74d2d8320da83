//! Obstacles that are drawn and erased while a flow runs.

use super::with_random_rules;
use super::{
    LawViolation, Make, SplitMix64, compare, random_fields, random_populations, random_setup, set_fields,
};
use crate::domain::Domain;
use crate::engine::{Changed, Engine, Setup};
use crate::facts::Facts;
use crate::geometry::Cuboid;
use crate::links::beside;
use crate::pieces::{cut, paste};
use crate::reference::Reference;
use crate::rules::{Arrivals, RuleFacts};

/// How often a box is redrawn.
const ROUNDS: usize = 4;

/// Nodes that are redrawn at once, at most, where they are no whole row.
const MOST: u64 = 24;

/// How often a whole row is redrawn, and how often two things are before a step.
const ROWS: f64 = 0.2;
const TWICE: f64 = 0.3;

/// How often some nodes that are solid at first can be erased where nodes are listed.
const DRAWABLE: f64 = 0.7;

/// After nodes became solid or fluid, an engine goes on with the bits of one that was made for that box and set to its state, and with those of the
/// plain reference: in boxes as those of [`product_equals_reference`](super::product_equals_reference), with some of these rules, redrawn several times. Gives how many nodes
/// became solid, and how many fluid.
///
/// # Errors
/// [`LawViolation::Differs`]; [`LawViolation::Engine`] if the engine fails.
pub fn product_follows_redrawing(
    facts: Facts,
    rules: &[RuleFacts],
    make: Make<'_>,
    sizes: &[[usize; 3]],
    seeds: &[u64],
) -> Result<[usize; 2], LawViolation> {
    let mut redrawn = [0; 2];
    for (&size, &seed) in sizes.iter().flat_map(|size| seeds.iter().map(move |seed| (size, seed))) {
        let mut random = SplitMix64::new(seed);
        let setup = random_setup(&facts, size, &mut random);
        let mut setup = with_random_rules(&facts, rules, setup, &mut random);
        declare_drawable(&facts, setup.domain_mut(), &mut random);
        let first = setup.domain().clone();
        let start = random_populations(&facts.lattice, setup.domain(), &mut random);
        let (mut engine, mut reference) = (make(&setup)?, Reference::new(&facts, &setup)?);
        reference.set_populations(&start, 0)?;
        engine.set_populations(&start, 0)?;
        for round in 0..ROUNDS {
            for engine in [&mut *engine, &mut reference as &mut dyn Engine] {
                engine.run(1 + round as u64 % 3)?;
            }
            // At times two things are drawn before a step.
            let (events, mut state) = (1 + u64::from(random.chance(TWICE)), None);
            for _ in 0..events {
                let Some((next, nodes)) = drawn(&facts, &setup, &first, &mut random) else { continue };
                setup = next;
                let domain = setup.domain();
                let all = random_populations(&facts.lattice, domain, &mut random);
                let of = |line: &[f64]| nodes.iter().map(|&node| line[node]).collect::<Vec<_>>();
                let begin: Vec<f64> = all.chunks(domain.nodes()).flat_map(of).collect();
                let changed = Changed::new(&nodes, &begin);
                let mut stored = vec![0.0; facts.state_values() * domain.nodes()];
                engine.state_of(0..domain.nodes(), &mut |piece, values| {
                    paste(&mut stored, piece, values);
                    Ok(())
                })?;
                changed.put(&facts, domain, &(0..domain.nodes()), &mut stored);
                state = Some(stored);
                let fluid = changed.fluid(domain).count();
                redrawn[0] += nodes.len() - fluid;
                redrawn[1] += fluid;
                engine.set_geometry(&setup, changed)?;
                reference.set_geometry(&setup, changed)?;
            }
            let Some(state) = state else { continue };
            let domain = setup.domain();
            let mut anew = make(&setup)?;
            anew.set_state_from(&|piece, values| cut(&state, piece, values), engine.step())?;
            // What has become fluid has the default ones.
            set_fields(&mut *anew, &fields_of(&facts, &reference)?)?;
            for steps in [0, 1, 2] {
                for engine in [&mut *engine, &mut *anew, &mut reference as &mut dyn Engine] {
                    engine.run(steps)?;
                }
                compare(&facts, &*anew, &reference, size, seed)?;
                compare(&facts, &*engine, &reference, size, seed)?;
            }
            let fields = random_fields(&facts, domain, &mut random);
            for engine in [&mut *engine, &mut reference as &mut dyn Engine] {
                set_fields(engine, &fields)?;
            }
        }
    }
    Ok(redrawn)
}

/// The values of the fields that nodes are given.
fn fields_of(facts: &Facts, engine: &dyn Engine) -> Result<Vec<Vec<f64>>, LawViolation> {
    let field = |n: usize| {
        let mut field = vec![0.0; engine.nodes()];
        engine.node_field_of(n, 0..engine.nodes(), &mut |piece, values| {
            paste(&mut field, piece, values);
            Ok(())
        })?;
        Ok(field)
    };
    (0..facts.body.fields.len()).map(field).collect()
}

/// Where nodes are listed, has those of a part of the box be drawable, of all of it, or none.
pub(super) fn declare_drawable(facts: &Facts, domain: &mut Domain, random: &mut SplitMix64) {
    if facts.addressing.listed && random.chance(DRAWABLE) {
        let [x, y, z] = domain.size.map(|nodes| nodes as f64);
        let low = if random.chance(0.5) { 0.0 } else { random.between(0.0, x).floor() };
        domain.keep_drawable(&Cuboid { low: [low, 0.0, 0.0], high: [x, y, z] });
    }
}

/// The same box in which some nodes are drawn or erased that can be, and which: none where rules cannot do the new one, or it has no fluid. The box was `first`
/// before anything was drawn.
pub(super) fn drawn(
    facts: &Facts,
    setup: &Setup,
    first: &Domain,
    random: &mut SplitMix64,
) -> Option<(Setup, Vec<usize>)> {
    let mut next = setup.clone();
    let domain = next.domain_mut();
    let nx = domain.size[0];
    let any = |random: &mut SplitMix64, all: usize| (random.bits() % all as u64) as usize;
    let mut nodes: Vec<usize> = match random.chance(ROWS) {
        true => {
            let row = any(random, domain.nodes() / nx);
            (nx * row..nx * (row + 1)).collect()
        }
        false => (0..1 + random.bits() % MOST).map(|_| any(random, domain.nodes())).collect(),
    };
    nodes.sort_unstable();
    nodes.dedup();
    nodes.retain(|&node| {
        let is_stored = !facts.addressing.listed || first.solid_at(node).is_none() || first.is_drawable(node);
        let near = beside(&facts.lattice, domain, &[node]);
        is_stored
            && near.iter().all(|&node| domain.links_of(node).is_empty())
            && domain.in_fluid_within(node..node + 1).is_empty()
    });
    // What is drawn is a part of the last solid, or of a new one.
    let drawn = domain.solids.len() - usize::from(random.chance(0.5) && !domain.solids.is_empty());
    let now: Vec<Option<usize>> =
        nodes.iter().map(|&node| domain.solid_at(node).is_none().then_some(drawn)).collect();
    domain.redraw(&nodes, &now).ok()?;
    let fits = domain.fluid_nodes() > 0 && !nodes.is_empty();
    (fits && Arrivals::of(facts, &next).is_ok()).then_some((next, nodes))
}
