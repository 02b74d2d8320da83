//! What the lecture's kernels are handed: flags of nodes or a list of the fluid ones, and lists of links kind by kind.

use lbm_core::engine::Setup;
use lbm_core::{Error, FaceRule, Facts};

use super::super::arrays::Arrays;
use crate::assemble::{FromSolids, OF_LINKS, ROW_MULTIPLE, Resource, STREAM_SLACK};
use crate::machine::Machine;

/// A launch over links before the pass: the name of its kernel, and its lists.
pub(super) type OverLinks<M> = (&'static str, Arrays<M>);

/// Refuses a box in which something else than solid nodes stands.
pub(super) fn check(setup: &Setup) -> Result<(), Error> {
    let domain = setup.domain();
    let periodic = domain.faces.iter().all(|face| *face == FaceRule::Periodic);
    if periodic && domain.rules.is_empty() && domain.in_fluid.is_empty() {
        return Ok(());
    }
    Err(Error::conflict(
        "kernels with flags or lists of fluid nodes meet solid nodes only, and the box has walls or rules at its faces",
        "make the outermost nodes solid, in a periodic box",
    ))
}

/// Lists the nodes, and before which launches what comes from solids is put in its place.
pub(super) fn list<M: Machine>(
    nodes: &mut Arrays<M>,
    machine: &M,
    facts: &Facts,
    setup: &Setup,
    from_solids: FromSolids,
) -> Result<Vec<OverLinks<M>>, Error> {
    let (domain, first) = (setup.domain(), setup.domain().faces.len());
    let places = facts.places(domain.size, ROW_MULTIPLE, STREAM_SLACK);
    let place =
        |node: usize| places.locate(domain.position(node)).expect("every node of a dense box is stored");
    let mut flags = vec![0u32; domain.nodes()];
    let mut fluid = Vec::new();
    for node in 0..domain.nodes() {
        match domain.solid_at(node) {
            Some(solid) => flags[place(node)] = (first + solid) as u32,
            None => fluid.push(node as u32),
        }
    }
    nodes.bindings.number(Resource::Count, fluid.len());
    nodes.fill(machine, Resource::Flags, &flags)?;
    nodes.fill(machine, Resource::Fluid, &fluid)?;
    let terms = facts.precision.arithmetic.in_memory(&facts.lattice.wall_terms(&domain.walls()));
    nodes.fill(machine, Resource::Terms, &terms)?;

    let walls = domain.walls();
    // All in one, or of each solid its own.
    let mut groups: Vec<Group> = match from_solids {
        FromSolids::Asked => return Ok(Vec::new()),
        FromSolids::Together => vec![Group::default()],
        FromSolids::InTurn | FromSolids::SideBySide => {
            domain.solids.iter().map(|_| Group::default()).collect()
        }
    };
    let together = from_solids == FromSolids::Together;
    let links = setup.links(&facts.lattice)?;
    for here in links.iter() {
        for link in here.iter() {
            let group = &mut groups[if together { 0 } else { link.meets - first }];
            let opposite = facts.lattice.opposites[link.direction];
            let beyond = domain.around(domain.position(link.node), facts.lattice.velocities[opposite]);
            let beyond = places.locate(beyond).expect("every node of a dense box is stored");
            group.to.push(places.offset(link.direction, beyond) as u32);
            group.from.push(places.offset(opposite, place(link.node)) as u32);
            group.kinds.push(u32::from(walls[link.meets] != [0.0; 3]));
            group.terms.push(facts.lattice.wall_term(link.direction, walls[link.meets]));
        }
    }
    let launches = groups.iter().map(|group| {
        let name = match (together, group.kinds.contains(&1)) {
            (true, _) => OF_LINKS[0],
            (false, moves) => OF_LINKS[1 + usize::from(moves)],
        };
        Ok((name, group.arrays(machine, facts, setup)?))
    });
    launches.collect()
}

/// Links that one launch does.
#[derive(Default)]
struct Group {
    to: Vec<u32>,
    from: Vec<u32>,
    kinds: Vec<u32>,
    terms: Vec<f64>,
}

impl Group {
    fn arrays<M: Machine>(&self, machine: &M, facts: &Facts, setup: &Setup) -> Result<Arrays<M>, Error> {
        let mut arrays = Arrays::new(facts, setup);
        arrays.bindings.number(Resource::Count, self.to.len());
        for (resource, values) in
            [(Resource::To, &self.to), (Resource::From, &self.from), (Resource::Kinds, &self.kinds)]
        {
            arrays.fill(machine, resource, values)?;
        }
        arrays.fill(machine, Resource::Terms, &facts.precision.arithmetic.in_memory(&self.terms))?;
        Ok(arrays)
    }
}
