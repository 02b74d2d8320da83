//! Lists of nodes at walls on the machine, as the step's kernels take them.

use std::ops::Range;

use lbm_core::addressing::Renewed;
use lbm_core::links::Masks;
use lbm_core::{Domain, Error, Facts, Links, ListedNodes};

use super::arrays::Arrays;
use super::at_faces::AtFaces;
use super::walls::{View, Walls, Words, Written};
use crate::assemble::{BoxWalls, Resource};
use crate::machine::{Machine, Memory, bytes_of};

/// Nodes, or links, for which lists that grow have more room than they need at least.
const ROOM: usize = 1 << 12;

/// Bytes between two parts of a list that are written with them: a copy of its own takes longer.
const NEAR: usize = 1 << 16;

/// How the step's kernels find nodes at walls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Packing {
    /// In packs of so many nodes.
    pub(super) pack: usize,
    /// Whether nodes find themselves in the lists by rank, else all that are listed are gone through.
    pub(super) ranked: bool,
    /// What kernels know of the faces of the box; their nodes are in no list then.
    pub(super) faces: Option<BoxWalls>,
}

impl Packing {
    fn view<'a>(&self, facts: &Facts, domain: &'a Domain, links: &'a Links) -> View<'a> {
        let faces = self.faces.map(|walls| AtFaces::new(&facts.lattice, domain, walls));
        View::new(domain, links, faces, self.pack, facts.lattice.q())
    }
}

impl<M: Machine> Arrays<M> {
    /// Lists the nodes at walls of a box.
    pub(super) fn list_walls(
        &mut self,
        machine: &M,
        facts: &Facts,
        domain: &Domain,
        links: &Links,
        packing: Packing,
    ) -> Result<(), Error> {
        let walls = Walls::of(&packing.view(facts, domain, links), facts.keeps_sent);
        let Words { skip, linked, ranks } = &walls.words;
        self.fill(machine, Resource::Skip, skip)?;
        if packing.ranked {
            self.fill(machine, Resource::Linked, linked)?;
            self.fill(machine, Resource::Ranks, ranks)?;
        }
        let mut all = Written::default();
        all.nodes.push(0..walls.nodes.len());
        all.links.push(0..walls.walls.len());
        self.write_walls(machine, facts, &walls, packing, all)?;
        self.list_terms(machine, facts, domain)?;
        self.walls = Some((walls, packing));
        self.list_kept_at_links(machine, facts)
    }

    /// Follows a box of which `nodes` have become solid or fluid, and `linked` have other links now.
    pub(super) fn renew_walls(
        &mut self,
        machine: &M,
        facts: &Facts,
        (domain, links): (&Domain, &Links),
        nodes: &[usize],
        linked: Vec<usize>,
    ) -> Result<(), Error> {
        let Some((mut walls, packing)) = self.walls.take() else { return Ok(()) };
        let view = packing.view(facts, domain, links);
        let units = view.units_of(nodes.iter().copied().chain(linked));
        let mut written = Written::default();
        units.iter().for_each(|&unit| walls.put(&view, unit, &mut written));
        let (units, Words { skip, linked, ranks }) = (runs(&units), &walls.words);
        self.write_parts(machine, Resource::Skip, skip, &units)?;
        if packing.ranked {
            self.write_parts(machine, Resource::Linked, linked, &units)?;
            self.write_parts(machine, Resource::Ranks, ranks, &units)?;
        }
        self.write_walls(machine, facts, &walls, packing, written)?;
        self.list_terms(machine, facts, domain)?;
        self.walls = Some((walls, packing));
        self.list_kept_at_links(machine, facts)?;
        match self.memory(Resource::Solid) {
            Some(_) => self.write_parts(machine, Resource::Solid, &domain.flags, &runs(nodes)),
            None => Ok(()),
        }
    }

    /// Writes what has been written of lists; all that stands in them where kernels go through it.
    fn write_walls(
        &mut self,
        machine: &M,
        facts: &Facts,
        walls: &Walls,
        packing: Packing,
        written: Written,
    ) -> Result<(), Error> {
        let whole;
        let (nodes, missing, links, places) = match packing.ranked {
            true => (&walls.nodes, &walls.missing, &walls.links, written.nodes),
            false => {
                whole = walls.standing();
                let (nodes, missing, links) = &whole;
                (nodes, missing, links, std::iter::once(0..nodes.len()).collect())
            }
        };
        self.bindings.number(Resource::Count, nodes.len());
        self.write_parts(machine, Resource::AtWalls, nodes, &places)?;
        match missing {
            Masks::Narrow(words) => self.write_parts(machine, Resource::Missing, words, &places)?,
            Masks::Wide(words) => self.write_parts(machine, Resource::Missing, words, &places)?,
        }
        self.write_parts(machine, Resource::Links, links, &places)?;
        self.write_parts(machine, Resource::Walls, &walls.walls, &written.links)?;
        let kept = |links: usize| if facts.keeps_sent { links * facts.precision.stored_bytes } else { 0 };
        let links = walls.walls.len();
        if self.memory(Resource::Kept).is_none_or(|memory| memory.bytes() < kept(links)) {
            self.put(Resource::Kept, machine.memory(kept(with_room(links)))?);
        }
        Ok(())
    }

    /// Writes what has been written of the lists of listed nodes.
    pub(super) fn renew_lists(
        &mut self,
        machine: &M,
        facts: &Facts,
        domain: &Domain,
        nodes: &ListedNodes,
        renewed: &Renewed,
    ) -> Result<(), Error> {
        self.write_parts(machine, Resource::Runs, &nodes.runs, &runs(&renewed.runs))?;
        let entries = runs(&renewed.entries);
        match &nodes.missing {
            Masks::Narrow(words) => self.write_parts(machine, Resource::Missing, words, &entries)?,
            Masks::Wide(words) => self.write_parts(machine, Resource::Missing, words, &entries)?,
        }
        if !nodes.links.is_empty() {
            self.write_parts(machine, Resource::Links, &nodes.links, &entries)?;
        }
        if nodes.moving {
            let all = 0..nodes.walls.len();
            self.write_parts(machine, Resource::Walls, &nodes.walls, std::slice::from_ref(&all))?;
        }
        self.list_terms(machine, facts, domain)?;
        let kept = |links: usize| if facts.keeps_sent { links * facts.precision.stored_bytes } else { 0 };
        let links = nodes.wall_links;
        let outgrown = self.memory(Resource::Kept).filter(|memory| memory.bytes() < kept(links));
        let Some(memory) = outgrown else { return Ok(()) };
        let mut bytes = vec![0; memory.bytes()];
        memory.read(0, &mut bytes)?;
        let memory = machine.memory(kept(with_room(links)))?;
        memory.write(0, &bytes)?;
        self.put(Resource::Kept, memory);
        Ok(())
    }

    /// Writes some ranges of a list, all of it where it has outgrown its memory.
    fn write_parts<T: Copy>(
        &mut self,
        machine: &M,
        resource: Resource,
        list: &[T],
        ranges: &[Range<usize>],
    ) -> Result<(), Error> {
        if let Some(memory) = self.memory(resource).filter(|memory| memory.bytes() >= size_of_val(list)) {
            let parts = joined(ranges, NEAR / size_of::<T>()).into_iter();
            let parts = parts.map(|range| (range.start * size_of::<T>(), bytes_of(&list[range])));
            return memory.write_all(&parts.collect::<Vec<_>>());
        }
        let memory = machine.memory(with_room(list.len()) * size_of::<T>())?;
        memory.write(0, bytes_of(list))?;
        self.put(resource, memory);
        Ok(())
    }
}

/// The ranges that some numbers, ascending, make.
fn runs(numbers: &[usize]) -> Vec<Range<usize>> {
    let follows = |one: &usize, other: &usize| one + 1 == *other;
    numbers.chunk_by(follows).map(|run| run[0]..run[0] + run.len()).collect()
}

/// Ranges of which those that meet are one, and those that so few lie between.
fn joined(ranges: &[Range<usize>], between: usize) -> Vec<Range<usize>> {
    let mut sorted: Vec<_> = ranges.iter().filter(|range| !range.is_empty()).cloned().collect();
    sorted.sort_unstable_by_key(|range| range.start);
    let mut all: Vec<Range<usize>> = Vec::new();
    for range in sorted {
        match all.last_mut().filter(|last| last.end + between >= range.start) {
            Some(last) => last.end = last.end.max(range.end),
            None => all.push(range),
        }
    }
    all
}

/// Room for so many and some more.
fn with_room(count: usize) -> usize {
    count + (count / 4).max(ROOM)
}
