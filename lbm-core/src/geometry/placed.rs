//! Voxels turned by quarters, enlarged by whole numbers, and put into larger boxes: what keeps each voxel a block of nodes.

use super::{Geometry, Regions, checked_nodes, too_many};
use crate::domain::shown;
use crate::error::Error;

/// The quarter turns about an axis that so many are, 0 to 3; a whole turn is none.
fn quarters(turns: i32) -> usize {
    turns.rem_euclid(4) as usize
}

/// A box of cells that are taken from another one, each from the place that `from` says; of the first value where there is none.
fn gathered<T: Copy + Default>(
    cells: &[T],
    [nx, ny, _]: [usize; 3],
    size: [usize; 3],
    from: impl Fn([usize; 3]) -> Option<[usize; 3]>,
) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    all.try_reserve_exact(checked_nodes(size)?).map_err(|_| too_many(size))?;
    for z in 0..size[2] {
        for y in 0..size[1] {
            let cell = |x| from([x, y, z]).map_or(T::default(), |[x, y, z]| cells[x + nx * (y + ny * z)]);
            all.extend((0..size[0]).map(cell));
        }
    }
    Ok(all)
}

/// What moves voxels: the size that a box of this size becomes, and where each node of that one comes from.
struct Move {
    size: [usize; 3],
    from: Box<dyn Fn([usize; 3]) -> Option<[usize; 3]>>,
}

impl Move {
    /// This one after another.
    fn after(self, before: Move) -> Move {
        let from = move |at| (self.from)(at).and_then(&before.from);
        Move { size: self.size, from: Box::new(from) }
    }

    /// Turned right-handed about x, y and z, in this order, by so many quarters.
    fn turned(size: [usize; 3], turns: [i32; 3]) -> Move {
        let steps = (0..3).flat_map(|axis| std::iter::repeat_n(axis, quarters(turns[axis])));
        let still = Move { size, from: Box::new(Some) };
        steps.fold(still, |before, axis| {
            // A quarter about z brings what was along x to y, and what was along y to -x.
            let [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
            let (mut size, along_b) = (before.size, before.size[b]);
            size.swap(a, b);
            let from = move |at: [usize; 3]| {
                let mut source = at;
                source[a] = at[b];
                source[b] = along_b - 1 - at[a];
                Some(source)
            };
            Move { size, from: Box::new(from) }.after(before)
        })
    }

    /// Each voxel as many nodes along each axis.
    fn enlarged(size: [usize; 3], by: [usize; 3]) -> Result<Move, Error> {
        if by.contains(&0) {
            return Err(Error::out_of_range(
                "scale of voxels",
                shown(by),
                "whole numbers from 1",
                "a voxel becomes a block of as many nodes along each axis",
            ));
        }
        let larger = |axis: usize| size[axis].checked_mul(by[axis]).ok_or_else(|| too_many(size));
        let size = [larger(0)?, larger(1)?, larger(2)?];
        let from = move |at: [usize; 3]| Some(std::array::from_fn(|axis| at[axis] / by[axis]));
        Ok(Move { size, from: Box::new(from) })
    }

    /// With the lowest corner at a node of a larger box.
    fn within(own: [usize; 3], size: [usize; 3], low: [usize; 3]) -> Result<Move, Error> {
        for axis in 0..3 {
            let most = size[axis].checked_sub(own[axis]);
            if most.is_none_or(|most| low[axis] > most) {
                return Err(Error::out_of_range(
                    format!("lowest node of {} voxels along {}", own[axis], ["x", "y", "z"][axis]),
                    low[axis],
                    most.map_or("none".to_owned(), |most| format!("0 to {most}"))
                        + &format!(", since the box has {} nodes", size[axis]),
                    "move them, or take a larger box",
                ));
            }
        }
        let from = move |at: [usize; 3]| {
            let of = |axis: usize| at[axis].checked_sub(low[axis]).filter(|&at| at < own[axis]);
            Some([of(0)?, of(1)?, of(2)?])
        };
        Ok(Move { size, from: Box::new(from) })
    }
}

/// How voxels are put in a box: turned by quarters, enlarged, then with their middle at a point of a larger box.
///
/// ```
/// use lbm_core::geometry::{Geometry, VoxelPlacement};
///
/// let rod = Geometry::from_nodes([3, 1, 1], vec![1; 3])?;
/// let placed = VoxelPlacement::default().rotated([0.0, 0.0, 90.0])?.scaled(2.0)?.at([8, 12, 1], [4.5, 6.0, 0.5]);
/// // One voxel across stays one node across.
/// assert_eq!(placed.size_of(rod.size())?, [8, 12, 1]);
/// assert!(rod.placed(&placed)?.is_solid([4, 3, 0]));
/// # Ok::<(), lbm_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoxelPlacement {
    quarters: [i32; 3],
    scale: usize,
    /// The box, and the point of it at which their middle lies.
    at: Option<([usize; 3], [f64; 3])>,
}

impl Default for VoxelPlacement {
    fn default() -> VoxelPlacement {
        VoxelPlacement { quarters: [0; 3], scale: 1, at: None }
    }
}

impl VoxelPlacement {
    /// Turned about x, then y, then z, right-handed, by degrees.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for what is no quarter turn.
    pub fn rotated(self, degrees: [f64; 3]) -> Result<VoxelPlacement, Error> {
        if let Some(wrong) = degrees.iter().find(|angle| *angle % 90.0 != 0.0 || angle.abs() > 1e6) {
            return Err(Error::out_of_range(
                "turn of voxels",
                wrong,
                "multiples of 90 degrees, at most a million",
                "voxels turn by quarters; a surface (STL, OBJ) turns by any angle",
            ));
        }
        Ok(VoxelPlacement { quarters: degrees.map(|angle| (angle / 90.0) as i32), ..self })
    }

    /// With each voxel as so many nodes along each axis that has more than one voxel: a plane stays a plane.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for what is no whole number from 1 to 65,536.
    pub fn scaled(self, nodes: f64) -> Result<VoxelPlacement, Error> {
        if nodes.fract() != 0.0 || !(1.0..=65536.0).contains(&nodes) {
            return Err(Error::out_of_range(
                "scale of voxels",
                nodes,
                "whole numbers from 1 to 65536",
                "a voxel becomes a block of nodes; a surface (STL, OBJ) has any scale",
            ));
        }
        Ok(VoxelPlacement { scale: nodes as usize, ..self })
    }

    /// In a box of `size` nodes that is fluid around them, with their middle at a point of it, in node spacings from its corner: a whole number along axes along
    /// which they then have an even number of nodes, else one and a half.
    #[must_use]
    pub fn at(self, size: [usize; 3], middle: [f64; 3]) -> VoxelPlacement {
        VoxelPlacement { at: Some((size, middle)), ..self }
    }

    /// The nodes of the box that voxels of this size then fill.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] where they are more than memory has addresses for, or do not lie in the box.
    pub fn size_of(&self, voxels: [usize; 3]) -> Result<[usize; 3], Error> {
        Ok(self.way(voxels)?.size)
    }

    /// Whether voxels of this size stay where they are, if they may be put there at all.
    fn is_still(&self, voxels: [usize; 3]) -> bool {
        let turned = self.quarters.iter().any(|&turns| quarters(turns) != 0);
        !turned && self.scale == 1 && self.at.is_none_or(|(size, _)| size == voxels)
    }

    fn way(&self, voxels: [usize; 3]) -> Result<Move, Error> {
        let by = voxels.map(|n| if n > 1 { self.scale } else { 1 });
        let larger = Move::enlarged(voxels, by)?;
        let turned = Move::turned(larger.size, self.quarters).after(larger);
        let Some((size, middle)) = self.at else { return Ok(turned) };
        let mut low = [0; 3];
        for axis in 0..3 {
            let half = turned.size[axis] as f64 / 2.0;
            let (at, most) = (middle[axis] - half, size[axis] as f64 - 2.0 * half);
            if at.fract() != 0.0 || !(0.0..=most).contains(&at) {
                return Err(Error::out_of_range(
                    format!(
                        "middle of voxels, {} nodes along {} of {}",
                        turned.size[axis],
                        ["x", "y", "z"][axis],
                        size[axis]
                    ),
                    middle[axis],
                    match most >= 0.0 {
                        true => format!("{half} to {}, in steps of 1", size[axis] as f64 - half),
                        false => "none, since they are longer than the box".to_owned(),
                    },
                    "move them by whole nodes, or take a larger box",
                ));
            }
            low[axis] = at as usize;
        }
        Ok(Move::within(turned.size, size, low)?.after(turned))
    }
}

impl Geometry {
    /// The box put in its place, on one core; both are held for a while, unless it stays as it is.
    ///
    /// # Errors
    /// As [`VoxelPlacement::size_of`], and if memory does not hold both.
    pub fn placed(self, placement: &VoxelPlacement) -> Result<Geometry, Error> {
        let way = placement.way(self.size)?;
        if placement.is_still(self.size) { Ok(self) } else { self.moved(way) }
    }

    /// The box turned by quarters about x, then y, then z, each right-handed: a quarter about z brings what lies along x to y. Two or more bytes a node
    /// while it is made.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if memory does not hold both.
    pub fn turned(&self, quarters: [i32; 3]) -> Result<Geometry, Error> {
        self.moved(Move::turned(self.size, quarters))
    }

    /// The box with each node as a block of so many nodes along x, y, z: 1 along axes that the lattice has not.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for 0, and if memory does not hold both.
    pub fn enlarged(&self, by: [usize; 3]) -> Result<Geometry, Error> {
        self.moved(Move::enlarged(self.size, by)?)
    }

    /// The box in a larger one of `size` nodes that is fluid around it, with its first node at `low`.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] where it does not lie within that, with where it may, and if memory does not hold both.
    pub fn within(&self, size: [usize; 3], low: [usize; 3]) -> Result<Geometry, Error> {
        self.moved(Move::within(self.size, size, low)?)
    }

    fn moved(&self, Move { size, from }: Move) -> Result<Geometry, Error> {
        Ok(Geometry { size, solid: gathered(&self.solid, self.size, size, from)? })
    }
}

impl Regions {
    /// As [`Geometry::placed`].
    ///
    /// # Errors
    /// As there.
    pub fn placed(self, placement: &VoxelPlacement) -> Result<Regions, Error> {
        let way = placement.way(self.size())?;
        if placement.is_still(self.size()) { Ok(self) } else { self.moved(way) }
    }

    /// As [`Geometry::turned`].
    ///
    /// # Errors
    /// As there.
    pub fn turned(&self, quarters: [i32; 3]) -> Result<Regions, Error> {
        self.moved(Move::turned(self.size(), quarters))
    }

    /// As [`Geometry::enlarged`].
    ///
    /// # Errors
    /// As there.
    pub fn enlarged(&self, by: [usize; 3]) -> Result<Regions, Error> {
        self.moved(Move::enlarged(self.size(), by)?)
    }

    /// As [`Geometry::within`].
    ///
    /// # Errors
    /// As there.
    pub fn within(&self, size: [usize; 3], low: [usize; 3]) -> Result<Regions, Error> {
        self.moved(Move::within(self.size(), size, low)?)
    }

    fn moved(&self, Move { size, from }: Move) -> Result<Regions, Error> {
        Ok(self.with_cells(size, gathered(self.region(), self.size(), size, from)?))
    }
}
