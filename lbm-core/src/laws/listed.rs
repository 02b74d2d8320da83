//! The law of listed nodes.

use super::{LawViolation, SplitMix64, random_setup, wrong_place};
use crate::addressing::{Extent, ListedNodes, Listing, Region};
use crate::domain::Upstream;
use crate::facts::Facts;
use crate::variant::Variant;

/// In boxes of each size with random faces and obstacles, an addressing lists every node that has to be stored once, in whole
/// groups, and finds its way from each to its neighbours; and every slot of a storage node has a value of its own.
///
/// # Errors
/// [`LawViolation::Place`]; [`LawViolation::Engine`] for a box that the addressing does not take.
pub fn neighbours_are_found<V: Variant>(sizes: &[[usize; 3]], seeds: &[u64]) -> Result<(), LawViolation> {
    let facts = Facts::of::<V>();
    for (&size, &seed) in sizes.iter().flat_map(|size| seeds.iter().map(move |seed| (size, seed))) {
        let setup = random_setup(&facts, size, &mut SplitMix64::new(seed));
        let (domain, region) = (setup.domain(), Region::new(&facts, setup.domain()));
        let wrong = |node: [usize; 3], slot: usize, what: String| {
            Err(wrong_place(facts.addressing.name, facts.layout.name, node, slot, &what))
        };
        let listing = ListedNodes::of(&facts, domain, &*setup.links(&facts.lattice)?)?.listing;
        let places = facts.listed_places(&Extent::listed(size, &listing));
        let nodes = listing.positions.len();
        if places.nodes() != nodes || !nodes.is_multiple_of(facts.addressing.group) {
            let what = format!("{nodes} storage nodes are listed, the addressing has {}", places.nodes());
            return wrong([0; 3], 0, format!("{what}, in groups of {}", facts.addressing.group));
        }
        let mut numbers = vec![None; domain.nodes()];
        let mut taken = vec![false; places.values()];
        for (node, &at) in listing.positions.iter().enumerate() {
            let position = if at == Listing::PADDING { [0; 3] } else { region.position(at) };
            if at != Listing::PADDING
                && let Some(other) = numbers[at as usize].replace(node)
            {
                return wrong(position, 0, format!("it is storage node {node}, and {other}, too"));
            }
            for slot in 0..facts.slots() {
                let offset = places.offset(slot, node);
                match taken.get_mut(offset) {
                    Some(free @ false) => *free = true,
                    Some(true) => return wrong(position, slot, format!("value {offset} is another's, too")),
                    None => return wrong(position, slot, format!("value {offset} of {}", places.values())),
                }
            }
        }
        for at in 0..domain.nodes() as u32 {
            let position = region.position(at);
            let Some(node) = numbers[at as usize] else {
                if region.stores(position) {
                    return wrong(position, 0, "it is not listed".to_owned());
                }
                continue;
            };
            for shift in facts.lattice.velocities {
                let Upstream::Node(there) = domain.upstream(position, *shift) else { continue };
                let found = places.neighbour(node, *shift);
                let expected = numbers[region.index(there) as usize];
                if !domain.is_solid(position) && Some(found) != expected {
                    let what =
                        format!("at {shift:?} from storage node {node} it finds {found}, not {expected:?}");
                    return wrong(position, 0, what);
                }
            }
        }
    }
    Ok(())
}
