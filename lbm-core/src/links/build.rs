//! The list of a box, built in parallel.

use std::ops::Range;

use super::{Column, Entry, Links, MOST_DIRECTIONS, PAGE, Page};
use crate::domain::{Domain, Upstream};
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
        let made = in_pieces(nodes, PAGE, |some| {
            let starts = some.clone().step_by(PAGE);
            starts.map(|start| search.page(start..(start + PAGE).min(some.end))).collect()
        });
        let (mut pages, mut all) = (Vec::with_capacity(made.len()), Vec::new());
        for (entries, meets) in made {
            pages.push(Page { entries, span: all.len()..all.len() + meets.len() });
            all.extend(meets);
        }
        check_numbers(all.len())?;
        Ok(Links { pages, meets: Column { values: all } })
    }
}

/// Refuses a lattice whose directions are too many for a word of a list.
pub(crate) fn check_directions(lattice: &LatticeFacts) -> Result<(), Error> {
    if lattice.q() <= MOST_DIRECTIONS {
        return Ok(());
    }
    Err(Error::out_of_range(
        format!("velocities of the lattice `{}`", lattice.name),
        lattice.q(),
        format!("at most {MOST_DIRECTIONS} where there are walls or listed nodes"),
        "take a lattice of fewer velocities, or a periodic box without solids and the addressing `Dense`",
    ))
}

/// Refuses more numbers than backends can name.
pub(super) fn check_numbers(numbers: usize) -> Result<(), Error> {
    if numbers < u32::MAX as usize {
        return Ok(());
    }
    let (what, remedy) = ("links between fluid and walls", "cut the box in parts");
    Err(Error::out_of_range(what, numbers, format!("fewer than {}", u32::MAX), remedy))
}

/// The directions of a node that come along links, a bit each; appends what these meet. A solid node has none.
pub(super) fn missing(
    lattice: &LatticeFacts,
    domain: &Domain,
    position: [usize; 3],
    meets: &mut Vec<u16>,
) -> u32 {
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
    /// For each row of a box with solid nodes, whether there are some.
    solid_rows: Vec<bool>,
}

impl Search<'_> {
    fn new<'a>(lattice: &'a LatticeFacts, domain: &'a Domain) -> Search<'a> {
        let reach = std::array::from_fn(|axis| {
            let along = lattice.velocities.iter().map(|c| c[axis].unsigned_abs() as usize);
            along.max().unwrap_or(0)
        });
        let nx = domain.size[0];
        let rows = if domain.flags.is_empty() { 0 } else { domain.size[1] * domain.size[2] };
        let is_solid = |row: usize| domain.flags[row * nx..(row + 1) * nx].iter().any(|&flag| flag != 0);
        let solid_rows = in_pieces(rows, 1, |rows| rows.map(is_solid).collect());
        Search { lattice, domain, walls: !domain.is_all_bulk(), reach, solid_rows }
    }

    /// The entries of a page, and what their links meet.
    fn page(&self, nodes: Range<usize>) -> (Vec<Entry>, Vec<u16>) {
        let (mut entries, mut meets, nx) = (Vec::new(), Vec::new(), self.domain.size[0]);
        let mut next = if self.walls { nodes.start } else { nodes.end };
        let mut ruled = self
            .domain
            .in_fluid_within(nodes.clone())
            .chunk_by(|one, other| one.node == other.node)
            .peekable();
        while next < nodes.end {
            let row = next - next % nx;
            let inner = self.inner(row / nx);
            for node in next..nodes.end.min(row + nx) {
                let has_rule = ruled.next_if(|some| some[0].node == node).is_some();
                if inner.contains(&(node - row)) && !has_rule {
                    continue;
                }
                let first = meets.len() as u16;
                let missing = missing(self.lattice, self.domain, self.domain.position(node), &mut meets);
                if missing != 0 || has_rule {
                    entries.push(Entry { node: (node - nodes.start) as u16, first, missing });
                }
            }
            next = row + nx;
        }
        (entries, meets)
    }

    /// The nodes of a row whose neighbours are all there, as a whole row is seen: none where the box ends or has solids nearby.
    fn inner(&self, row: usize) -> Range<usize> {
        let ([nx, ny, nz], [reach_x, reach_y, reach_z]) = (self.domain.size, self.reach);
        let (y, z) = (row % ny, row / ny);
        let within = |at: usize, reach: usize, n: usize| at >= reach && at + reach < n;
        let is_fluid = |row: usize| !self.solid_rows.get(row).is_some_and(|&solid| solid);
        let all_fluid =
            || (z - reach_z..=z + reach_z).all(|z| (y - reach_y..=y + reach_y).all(|y| is_fluid(y + ny * z)));
        match within(y, reach_y, ny) && within(z, reach_z, nz) && all_fluid() {
            true => reach_x..nx.saturating_sub(reach_x),
            false => 0..0,
        }
    }
}
