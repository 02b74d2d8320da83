//! Named regions of a box, two bytes a node.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::mesh::{MOST_NAMES, Mesh, check_names};
use super::raster::{each_slab, each_within};
use super::shape::Shape;
use super::{Geometry, checked_nodes, too_many};
use crate::domain::Piece;
use crate::error::Error;
use crate::parallel::each_chunk;

/// The nodes of a box, each fluid or a part of one of up to 65,535 named solids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regions {
    size: [usize; 3],
    region: Vec<u16>,
    names: Vec<String>,
}

impl Regions {
    /// A box of `size` nodes, all fluid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if a size is 0, or if two bytes a node are more than memory holds.
    pub fn empty(size: [usize; 3]) -> Result<Regions, Error> {
        let nodes = checked_nodes(size)?;
        let mut region = Vec::new();
        region.try_reserve_exact(nodes).map_err(|_| too_many(size))?;
        region.resize(nodes, 0);
        Ok(Regions { size, region, names: Vec::new() })
    }

    /// A box from a label a node in the order x, y, z: 0 is fluid, any other label a region, `names` says of which name.
    pub(super) fn from_labels(
        size: [usize; 3],
        mut labels: Vec<u16>,
        name: impl Fn(u16) -> String,
    ) -> Regions {
        let mut number = vec![0u16; MOST_NAMES + 1];
        labels.iter().for_each(|&label| number[usize::from(label)] = 1);
        number[0] = 0;
        let mut names = Vec::new();
        for (label, number) in (0u16..=u16::MAX).zip(&mut number) {
            if *number != 0 {
                names.push(name(label));
                *number = names.len() as u16;
            }
        }
        labels.iter_mut().for_each(|label| *label = number[usize::from(*label)]);
        Regions { size, region: labels, names }
    }

    /// The same names with these nodes.
    pub(super) fn with_cells(&self, size: [usize; 3], region: Vec<u16>) -> Regions {
        Regions { size, region, names: self.names.clone() }
    }

    /// The regions that a mesh encloses: each patch that is closed by itself is one, and all others together are one of the name of the
    /// largest. Where several hold a node it belongs to the first.
    ///
    /// # Errors
    /// As [`Regions::empty`] and [`Mesh::bodies`].
    pub fn of_mesh(size: [usize; 3], mesh: Mesh) -> Result<Regions, Error> {
        let mut regions = Regions::empty(size)?;
        for (name, surface) in mesh.bodies()? {
            regions.add(&name, &surface)?;
        }
        Ok(regions)
    }

    /// Makes the nodes with their centre in `shape` a region of this name, a new one or a part of one that has it. Nodes of other regions
    /// stay theirs. Returns how many nodes it has gained.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more names than 65,535.
    pub fn add(&mut self, name: &str, shape: &(impl Shape + ?Sized)) -> Result<usize, Error> {
        let known = self.names.iter().position(|other| other == name);
        let number = check_names(known.unwrap_or(self.names.len()) + 1)?;
        if known.is_none() {
            self.names.push(name.to_owned());
        }
        Ok(self.paint(shape, |region| *region == 0, number))
    }

    /// Makes the nodes with their centre in `shape` fluid. Returns how many were solid.
    pub fn subtract(&mut self, shape: &(impl Shape + ?Sized)) -> usize {
        self.paint(shape, |region| *region != 0, 0)
    }

    /// Gives the nodes in a shape of which `of` says so a number, on all cores; returns how many.
    fn paint(
        &mut self,
        shape: &(impl Shape + ?Sized),
        of: impl Fn(&u16) -> bool + Sync,
        number: u16,
    ) -> usize {
        let changed = AtomicUsize::new(0);
        each_slab(self.size, &mut self.region, |slab, cells| {
            let mut count = 0;
            each_within(&Piece::all_of(slab), cells, shape, |region| {
                if of(region) {
                    *region = number;
                    count += 1;
                }
            });
            changed.fetch_add(count, Ordering::Relaxed);
        });
        changed.into_inner()
    }

    /// Nodes along x, y, z.
    #[must_use]
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// The region of each node in the order x, y, z: 0 fluid, k > 0 that of name number k - 1.
    #[must_use]
    pub fn region(&self) -> &[u16] {
        &self.region
    }

    /// The names of the regions.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The nodes of each region, in the order of names.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.names.len() + 1];
        self.region.iter().for_each(|&region| counts[usize::from(region)] += 1);
        counts.split_off(1)
    }

    /// Which nodes are solid, whatever their region.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if one byte a node is more than memory holds beside these.
    pub fn geometry(&self) -> Result<Geometry, Error> {
        let mut geometry = Geometry::empty(self.size)?;
        each_chunk(&mut geometry.solid, 1 << 20, |chunk, part| {
            let regions = &self.region[chunk << 20..];
            part.iter_mut().zip(regions).for_each(|(solid, &region)| *solid = u8::from(region != 0));
        });
        Ok(geometry)
    }
}
