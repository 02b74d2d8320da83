//! The list of a box, built in parallel.

use std::ops::Range;

use super::{Column, Entry, Links, MOST_DIRECTIONS, Masks, PAGE, Page};
use crate::domain::{Domain, Portion, Upstream};
use crate::error::Error;
use crate::facts::LatticeFacts;
use crate::parallel::in_pieces;

impl Links {
    /// The links of a box.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] where the box has walls, for a lattice of more than [`MOST_DIRECTIONS`] velocities, for 2^32 - 1
    /// links or more, and for a number by which a face names a rule, a place or patches that are not there.
    pub fn of(lattice: &LatticeFacts, domain: &Domain) -> Result<Links, Error> {
        if !domain.is_all_bulk() {
            check_directions(lattice)?;
            domain.check_faces()?;
        }
        let (search, nodes) = (Search::new(lattice, domain), domain.nodes());
        let numbers = if domain.is_whole() { Vec::new() } else { pages_of(&domain.portion()) };
        let count = if domain.is_whole() { nodes.div_ceil(PAGE) } else { numbers.len() };
        let made = in_pieces(PAGE * count, PAGE, |some| {
            let places = some.start / PAGE..some.end.div_ceil(PAGE);
            let starts = places.map(|place| PAGE * numbers.get(place).copied().unwrap_or(place));
            starts.map(|start| search.page(start..(start + PAGE).min(nodes))).collect()
        });
        let (mut pages, mut all) = (Vec::with_capacity(made.len()), Vec::new());
        for (entries, missing, meets) in made {
            pages.push(Page { entries, missing, span: all.len()..all.len() + meets.len() });
            all.extend(meets);
        }
        check_numbers(all.len())?;
        Ok(Links { pages, numbers, meets: Column { values: all } })
    }
}

/// The pages of the nodes that are listed of a portion of a box.
fn pages_of(portion: &Portion) -> Vec<usize> {
    let mut all: Vec<usize> = Vec::new();
    for run in portion.listed_runs() {
        let first = all.last().map_or(0, |last| last + 1).max(run.start / PAGE);
        all.extend(first..run.end.div_ceil(PAGE));
    }
    all
}

/// Refuses a lattice whose directions are too many for a mask: no engine takes one.
///
/// # Errors
/// [`Error::OutOfRange`] for more than [`MOST_DIRECTIONS`].
pub fn check_directions(lattice: &LatticeFacts) -> Result<(), Error> {
    if lattice.q() <= MOST_DIRECTIONS {
        return Ok(());
    }
    Err(Error::out_of_range(
        format!("velocities of the lattice `{}`", lattice.name),
        lattice.q(),
        format!("at most {MOST_DIRECTIONS}"),
        "take a lattice of fewer velocities",
    ))
}

/// Refuses more numbers than backends can name.
pub(crate) fn check_numbers(numbers: usize) -> Result<(), Error> {
    if numbers < u32::MAX as usize {
        return Ok(());
    }
    let (what, remedy) = ("links between fluid and walls", "cut the box in parts");
    Err(Error::out_of_range(what, numbers, format!("fewer than {}", u32::MAX), remedy))
}

/// The directions of a node that come along links, a bit each; appends what these meet. A solid node has none.
pub(crate) fn missing(
    lattice: &LatticeFacts,
    domain: &Domain,
    position: [usize; 3],
    meets: &mut Vec<u16>,
) -> u64 {
    if domain.is_solid(position) || domain.is_inner(lattice.velocities, position) {
        return 0;
    }
    let mut missing = 0;
    for (i, c) in lattice.velocities.iter().enumerate() {
        if let Upstream::Wall(wall) = domain.upstream(position, c.map(|component| -component)) {
            missing |= 1 << i;
            meets.push(wall as u16);
        }
    }
    missing
}

/// Where links are looked for.
struct Search<'a> {
    lattice: &'a LatticeFacts,
    domain: &'a Domain,
    walls: bool,
    /// The longest velocity along each axis.
    reach: [usize; 3],
    /// The nodes of which it is known what they are.
    portion: Portion,
    /// For each row of these, where there are solids, whether there are some of their nodes.
    solid_rows: Vec<bool>,
}

impl Search<'_> {
    fn new<'a>(lattice: &'a LatticeFacts, domain: &'a Domain) -> Search<'a> {
        let reach = std::array::from_fn(|axis| {
            let along = lattice.velocities.iter().map(|c| c[axis].unsigned_abs() as usize);
            along.max().unwrap_or(0)
        });
        let portion = domain.portion();
        let [nx, ny, nz] = portion.size();
        let rows = if domain.flags.is_empty() { 0 } else { ny * nz };
        let is_solid = |row: usize| domain.flags[row * nx..(row + 1) * nx].iter().any(|&flag| flag != 0);
        let solid_rows = in_pieces(rows, 1, |rows| rows.map(is_solid).collect());
        Search { lattice, domain, walls: !domain.is_all_bulk(), reach, portion, solid_rows }
    }

    /// The entries of a page with their masks, and what their links meet.
    fn page(&self, nodes: Range<usize>) -> (Vec<Entry>, Masks, Vec<u16>) {
        let (mut entries, mut meets, nx) = (Vec::new(), Vec::new(), self.domain.size[0]);
        let mut masks = Masks::none(self.lattice.q());
        let mut next = if self.walls { nodes.start } else { nodes.end };
        let mut ruled = self
            .domain
            .in_fluid_within(nodes.clone())
            .chunk_by(|one, other| one.node == other.node)
            .peekable();
        while next < nodes.end {
            let (first, row) = (next, next - next % nx);
            let end = nodes.end.min(row + nx);
            next = row + nx;
            let [_, y, z] = self.domain.position(row);
            if !self.portion.lists_plane(1, y) || !self.portion.lists_plane(2, z) {
                continue;
            }
            let inner = self.inner([y, z]);
            for node in first..end {
                let has_rule = ruled.next_if(|some| some[0].node == node).is_some();
                let is_listed = self.portion.lists_plane(0, node - row);
                if !is_listed || inner.contains(&(node - row)) && !has_rule {
                    continue;
                }
                let number = meets.len() as u16;
                let missing = missing(self.lattice, self.domain, self.domain.position(node), &mut meets);
                if missing != 0 || has_rule {
                    entries.push(Entry { node: (node - nodes.start) as u16, first: number });
                    masks.push(missing);
                }
            }
        }
        (entries, masks, meets)
    }

    /// The nodes of a row whose neighbours are all there, as a whole row is seen: none where the box ends or has solids nearby.
    fn inner(&self, [y, z]: [usize; 2]) -> Range<usize> {
        let ([nx, ny, nz], [reach_x, reach_y, reach_z]) = (self.domain.size, self.reach);
        let within = |at: usize, reach: usize, n: usize| at >= reach && at + reach < n;
        let is_fluid = |row| {
            self.solid_rows.is_empty() || self.portion.row(row).is_some_and(|row| !self.solid_rows[row])
        };
        let all_fluid =
            || (z - reach_z..=z + reach_z).all(|z| (y - reach_y..=y + reach_y).all(|y| is_fluid([y, z])));
        match within(y, reach_y, ny) && within(z, reach_z, nz) && all_fluid() {
            true => reach_x..nx.saturating_sub(reach_x),
            false => 0..0,
        }
    }
}
