//! What an addressing stores of a geometry and moves in a step.

use lbm_core::geometry::{Geometry, Tiling};
use lbm_core::{Addressing, Domain, Error, FaceRule, Facts, FluidIndexArray, Links, ListedNodes, Region};

use crate::variants;

/// Nodes along x that a dense kernel computes together.
pub const SEGMENT: usize = 32;

/// Bytes of an entry of a table.
const ENTRY: usize = size_of::<u32>();

/// One way to store the fluid of a geometry, with what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// Name of the addressing, e.g. `tiled4`.
    pub addressing: &'static str,
    /// Name of the streaming pattern, e.g. `aa`.
    pub streaming: &'static str,
    /// Copies of the populations.
    pub copies: usize,
    /// Name of the precision: `f32` or `f64`.
    pub precision: &'static str,
    /// Bytes of populations and of what is kept of walls.
    pub population_bytes: u128,
    /// Bytes of lists and tables.
    pub list_bytes: u128,
    /// Bytes that a step moves for each fluid node, by the model of [`Storage::all`].
    pub step_bytes: f64,
    /// What has to be known besides.
    pub note: Option<String>,
}

/// What is the same in all precisions: values and bytes.
struct Counts {
    values: u128,
    list_bytes: u128,
    /// Bytes of lists and tables that a step reads.
    read_bytes: u128,
    moved_nodes: u128,
    note: Option<String>,
}

impl Storage {
    /// Bytes of all that is stored.
    #[must_use]
    pub fn bytes(&self) -> u128 {
        self.population_bytes + self.list_bytes
    }

    /// All addressings in one copy and in two, in f32 and in f64; for a plane those of D2Q9, else those of D3Q19, as far as the table
    /// of variants has their pattern.
    ///
    /// A step is taken to read and write every population of each storage node once, and to read each list and table once; the index
    /// array, which a node looks up at each of its neighbours, once for each of them. Storage nodes are all of a tile with fluid, and
    /// fluid nodes of a list; of a dense box those of segments of [`SEGMENT`] nodes along x with fluid. Where memory is what limits a
    /// kernel, as on a GPU, speed goes with the inverse of these bytes.
    ///
    /// # Errors
    /// As [`ListedNodes::of`] and [`Tiling`].
    pub fn all(geometry: &Geometry, domain: &Domain) -> Result<Vec<Storage>, Error> {
        let (lattice, tiles) = if domain.size[2] == 1 { ("D2Q9", "tiled4x4x1") } else { ("D3Q19", "tiled4") };
        let fluid = geometry.fluid_nodes() as f64;
        let (mut all, mut known) = (Vec::new(), Known::default());
        for addressing in ["dense", tiles, "connectivity-matrix", "fluid-index-array"] {
            for streaming in ["two-lattice-pull", "aa"] {
                let Some(facts) = facts(lattice, addressing, streaming) else { continue };
                let counts = match facts.addressing.listed {
                    true => listed(facts, domain, &mut known)?,
                    false => dense(facts, geometry)?,
                };
                for (precision, bytes) in [("f32", 4), ("f64", 8)] {
                    let moved = counts.moved_nodes * 2 * facts.slots() as u128 * bytes;
                    all.push(Storage {
                        addressing,
                        streaming,
                        copies: facts.copies,
                        precision,
                        population_bytes: counts.values * bytes,
                        list_bytes: counts.list_bytes,
                        step_bytes: (moved + counts.read_bytes) as f64 / fluid,
                        note: counts.note.clone(),
                    });
                }
            }
        }
        Ok(all)
    }
}

/// Any variant with this pattern: precision, layout and collision change no count.
fn facts(lattice: &str, addressing: &str, streaming: &str) -> Option<&'static Facts> {
    let of = |facts: &&Facts| {
        (facts.lattice.name, facts.addressing.name, facts.pattern.name) == (lattice, addressing, streaming)
    };
    variants::all().iter().map(|entry| &entry.facts).find(of)
}

fn dense(facts: &Facts, geometry: &Geometry) -> Result<Counts, Error> {
    let segments = Tiling::new([SEGMENT, 1, 1], [0; 3])?.statistics(geometry)?.tiles;
    let values = facts.bytes(geometry.size()) / facts.precision.stored_bytes as u128;
    // The last segment of a row may stick out of the box.
    let moved_nodes = (segments * SEGMENT).min(geometry.nodes()) as u128;
    Ok(Counts { values, list_bytes: 0, read_bytes: 0, moved_nodes, note: None })
}

/// What is known of a box from other variants.
#[derive(Default)]
struct Known {
    /// Its links, which are the same for all variants of a lattice.
    links: Option<Links>,
    /// The last lists that were made, and of which variant.
    lists: Option<(&'static Facts, Lists)>,
}

/// What lists of nodes take.
#[derive(Clone, Copy)]
struct Lists {
    stored: usize,
    bytes: usize,
    table_bytes: usize,
    wall_links: usize,
}

impl Known {
    /// The lists of a variant: those of one that stores the same nodes are as large.
    fn lists(&mut self, facts: &'static Facts, domain: &Domain) -> Result<Lists, Error> {
        let is_alike = |other: &Facts| {
            (other.addressing.name, other.keeps_sent) == (facts.addressing.name, facts.keeps_sent)
                && Region::new(other, domain).stores_as(&Region::new(facts, domain))
        };
        if let Some((_, lists)) = self.lists.filter(|(other, _)| is_alike(other)) {
            return Ok(lists);
        }
        let links = self.links.take().map_or_else(|| Links::of(&facts.lattice, domain), Ok)?;
        let nodes = ListedNodes::of(facts, domain, self.links.insert(links))?;
        let lists = Lists {
            stored: nodes.listing.positions.len(),
            bytes: nodes.bytes(),
            table_bytes: nodes.listing.table_bytes(),
            wall_links: nodes.wall_links,
        };
        self.lists = Some((facts, lists));
        Ok(lists)
    }
}

fn listed(facts: &'static Facts, domain: &Domain, known: &mut Known) -> Result<Counts, Error> {
    let divides = |axis: usize| {
        !domain.is_periodic(axis) || domain.size[axis].is_multiple_of(facts.addressing.granule[axis])
    };
    if let Some(axis) = (0..facts.lattice.dimension).find(|&axis| !divides(axis)) {
        // Walls leave room for a tile that is not full; what is stored is the same but for what is kept of walls.
        let mut walls = domain.clone();
        walls.faces[2 * axis] = FaceRule::WALL;
        walls.faces[2 * axis + 1] = FaceRule::WALL;
        let granule = facts.addressing.granule[axis];
        let note = format!("periodic along {}: take a multiple of {granule} nodes", ["x", "y", "z"][axis]);
        return Ok(Counts { note: Some(note), ..listed(facts, &walls, &mut Known::default())? });
    }
    let Lists { stored, bytes, table_bytes, wall_links } = known.lists(facts, domain)?;
    let kept = if facts.keeps_sent { wall_links } else { 0 };
    // Its own position and the index of each neighbour; other tables have entries of a node's own.
    let looked_up = if facts.addressing.name == FluidIndexArray::<usize>::NAME {
        stored * facts.lattice.q() * ENTRY
    } else {
        table_bytes
    };
    Ok(Counts {
        values: (facts.copies * facts.slots() * stored + kept) as u128,
        list_bytes: bytes as u128,
        read_bytes: (bytes - table_bytes + looked_up) as u128,
        moved_nodes: stored as u128,
        note: None,
    })
}
