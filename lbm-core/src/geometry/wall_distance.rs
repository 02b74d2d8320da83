//! How far along each link the wall is.

use super::shape::{Hit, Shape};
use crate::domain::Domain;
use crate::facts::LatticeFacts;
use crate::links::{Column, Link, Links};
use crate::parallel::in_pieces;

/// For each link, where the wall stands that it meets.
#[derive(Clone, Debug, PartialEq)]
pub struct WallDistances {
    /// The way from the node to the wall as a share q of the link's whole length, in (0, 1]; 1/2 is half-way.
    pub distance: Column<f64>,
    /// The patch that is met, as the shape numbers its own; 0 where no shape is met.
    pub patch: Column<u16>,
    /// Links to solid nodes on which no surface was found, at a hole of a mesh or where solid nodes are not the shape's; they count as
    /// half-way.
    pub assumed: usize,
}

/// Nodes of a piece of the list.
const PIECE: usize = 1 << 12;

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
        let found = in_pieces(domain.nodes(), PIECE, |nodes| {
            let here = links.within(nodes);
            let seen = |link: Link| (link.number, wall(lattice, domain, shape, &link));
            here.flat_map(|node| node.iter().map(seen).collect::<Vec<_>>()).collect()
        });
        let (mut distance, mut patch) = (vec![0.0; links.numbers()], vec![0; links.numbers()]);
        let mut assumed = 0;
        for (number, hit) in found {
            assumed += usize::from(hit.is_none());
            let Hit { at, patch: met } = hit.unwrap_or(HALF_WAY);
            (distance[number], patch[number]) = (at, met);
        }
        WallDistances {
            distance: Column::of(links, |link| distance[link.number]),
            patch: Column::of(links, |link| patch[link.number]),
            assumed,
        }
    }
}

const HALF_WAY: Hit = Hit { at: 0.5, patch: 0 };

/// Where a link meets the shape, if it meets a solid node.
fn wall(lattice: &LatticeFacts, domain: &Domain, shape: &(impl Shape + ?Sized), link: &Link) -> Option<Hit> {
    // Walls are numbered with the faces first.
    if link.meets < domain.faces.len() {
        return Some(HALF_WAY);
    }
    let along = lattice.velocities[link.direction];
    // The solid node may lie around the box, and the shape with it.
    let solid = domain.around(domain.position(link.node), along.map(|component| -component));
    let to = solid.map(|at| at as f64 + 0.5);
    let from = std::array::from_fn(|axis| to[axis] + f64::from(along[axis]));
    shape.hit(from, to)
}
