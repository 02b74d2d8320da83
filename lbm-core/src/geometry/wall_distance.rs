//! How far along each link the wall is.

use super::shape::{Hit, Shape};
use crate::domain::Domain;
use crate::facts::LatticeFacts;
use crate::links::{Column, Link, Links};
use crate::parallel::in_pieces;

/// For each link, where the wall stands that it meets.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WallDistances {
    /// The way from the node to the wall as a share q of the link's whole length, in (0, 1]; 1/2 is half-way.
    pub distance: Column<f64>,
    /// The patch that is met, as the shape numbers its own; none where no shape is met.
    pub patch: Column<Option<u16>>,
    /// Links to solid nodes on which no surface was found, at a hole of a mesh or where solid nodes are not the shape's; they count as
    /// half-way.
    pub assumed: usize,
}

/// Nodes of a piece of the list.
const PIECE: usize = 1 << 12;

/// Where a wall is that no shape says.
const HALF_WAY: f64 = 0.5;

impl WallDistances {
    /// The distances of a box's links to a shape of which its solid nodes were made. Faces of the box are half-way walls. A
    /// [`Surface`](super::Surface) is met from either side: it serves where it holds the fluid, too, and its complement is not needed.
    #[must_use]
    pub fn of(
        links: &Links,
        lattice: &LatticeFacts,
        domain: &Domain,
        shape: &(impl Shape + ?Sized),
    ) -> WallDistances {
        WallDistances::of_each(links, lattice, domain, |_| Some(shape))
    }

    /// The same in a box of several bodies: to the shape of the wall that each link meets ([`Domain::walls`]); those of a wall without one are not looked at
    /// and count as half-way.
    #[must_use]
    pub fn of_each<'a, S: Shape + ?Sized + 'a>(
        links: &Links,
        lattice: &LatticeFacts,
        domain: &Domain,
        shape: impl Fn(usize) -> Option<&'a S> + Sync,
    ) -> WallDistances {
        // Walls are numbered with the faces first.
        let of_solid = |link: &Link| shape(link.meets).filter(|_| link.meets >= domain.faces.len());
        let found = in_pieces(domain.nodes(), PIECE, |nodes| {
            let here = links.within(nodes);
            let seen = |link: Link| {
                let [from, to] = link.ends(lattice, domain);
                Some((link.number, of_solid(&link)?.hit(from, to)))
            };
            here.flat_map(|node| node.iter().filter_map(seen).collect::<Vec<_>>()).collect()
        });
        let (mut distance, mut patch) = (vec![HALF_WAY; links.numbers()], vec![None; links.numbers()]);
        let mut assumed = 0;
        for (number, hit) in found {
            assumed += usize::from(hit.is_none());
            if let Some(Hit { at, patch: met }) = hit {
                (distance[number], patch[number]) = (at, Some(met));
            }
        }
        WallDistances {
            distance: Column::of(links, |link| distance[link.number]),
            patch: Column::of(links, |link| patch[link.number]),
            assumed,
        }
    }
}

impl Link {
    /// Its ends as shapes know them, the fluid node's first. The other one lies in the box, and where the link goes around it, the first one beyond.
    #[must_use]
    pub fn ends(&self, lattice: &LatticeFacts, domain: &Domain) -> [[f64; 3]; 2] {
        let along = lattice.velocities[self.direction];
        let behind = domain.around(domain.position(self.node), along.map(|component| -component));
        let to = behind.map(|at| at as f64 + 0.5);
        [std::array::from_fn(|axis| to[axis] + f64::from(along[axis])), to]
    }
}
