//! Which nodes of a box are solid, and of which solid each is a part: a byte a node, or two where there are more than 255 solids.

use super::{Domain, FaceRule};
use crate::error::Error;
use crate::geometry::{Shape, paint_cells};

/// Solids that a byte tells apart, 0 being the fluid.
const OF_A_PAGE: usize = u8::MAX as usize;

/// Solids that two bytes a node tell apart.
pub const MOST_SOLIDS: usize = OF_A_PAGE * (u8::MAX as usize + 1);

/// What some nodes are parts of, how many solids there are, and how many nodes have a byte, and a second one.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    of_nodes: Vec<Option<usize>>,
    solids: usize,
    lengths: [usize; 2],
}

impl Domain {
    /// The same box with these solids, 255 at most, instead of those that it has: a byte a node as in [`flags`](Domain::flags), and their
    /// velocities, node spacings a time step.
    #[must_use]
    pub fn with_solids(self, flags: Vec<u8>, solids: Vec<[f64; 3]>) -> Domain {
        Domain { flags, pages: Vec::new(), solids, ..self }
    }

    /// Makes the fluid nodes whose centres a shape contains a new solid that moves with this velocity; it may have none. Gives its number in
    /// [`solids`](Domain::solids). Only the shape's bounds are looked at, but for every 255th solid.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for more solids than [`MOST_SOLIDS`], or if memory holds no byte a node more.
    pub fn add_solid(&mut self, shape: &(impl Shape + ?Sized), velocity: [f64; 3]) -> Result<usize, Error> {
        let number = self.begin_solid(velocity)?;
        let (_, flag) = coded(number);
        paint_cells(&self.portion(), &mut self.flags, shape, |cell| {
            if *cell == 0 {
                *cell = flag;
            }
        });
        Ok(number)
    }

    /// Makes fluid nodes new solids of these velocities: `holder` gives the number among them of the one that a node becomes, if it becomes one.
    ///
    /// # Errors
    /// As [`add_solid`](Domain::add_solid).
    ///
    /// # Panics
    /// If `holder` gives a number that no velocity has.
    pub fn add_solids(
        &mut self,
        velocities: impl IntoIterator<Item = [f64; 3]>,
        holder: impl Fn([usize; 3]) -> Option<usize>,
    ) -> Result<(), Error> {
        let first = self.solids.len();
        velocities.into_iter().try_for_each(|velocity| self.begin_solid(velocity).map(drop))?;
        if self.solids.len() == first {
            return Ok(());
        }
        for (cell, position) in self.portion().positions().enumerate() {
            if let (0, Some(number)) = (self.flags[cell], holder(position)) {
                assert!(
                    first + number < self.solids.len(),
                    "solid {number} of {}",
                    self.solids.len() - first
                );
                let (page, flag) = coded(first + number);
                self.flags[cell] = flag;
                // Without pages all solids are those of the first one.
                self.pages.get_mut(cell).into_iter().for_each(|cell| *cell = page);
            }
        }
        Ok(())
    }

    /// Makes each of some nodes a part of a solid, or fluid. A number behind the last solid is a new one, at rest.
    ///
    /// # Errors
    /// As [`add_solid`](Domain::add_solid); [`Error::Conflict`] for a box of which not all nodes are known.
    ///
    /// # Panics
    /// For a number further behind.
    pub fn redraw(&mut self, nodes: &[usize], now: &[Option<usize>]) -> Result<(), Error> {
        if !self.is_whole() {
            return Err(Error::conflict(
                "nodes would change of a box of which a process has a part alone",
                "make the box with all its nodes",
            ));
        }
        if now.contains(&Some(self.solids.len())) {
            self.begin_solid([0.0; 3])?;
        }
        let solids = self.solids.len();
        let beyond = now.iter().flatten().find(|&&number| number >= solids);
        assert!(beyond.is_none(), "solid {beyond:?} of {solids}");
        self.relabel(nodes, now);
        Ok(())
    }

    /// What [`restore`](Domain::restore) needs to take back that these nodes were redrawn.
    pub(crate) fn labels(&self, nodes: &[usize]) -> Labels {
        Labels {
            of_nodes: nodes.iter().map(|&node| self.solid_at(node)).collect(),
            solids: self.solids.len(),
            lengths: [self.flags.len(), self.pages.len()],
        }
    }

    /// Takes back that nodes were [redrawn](Domain::redraw).
    pub(crate) fn restore(&mut self, nodes: &[usize], before: &Labels) {
        self.solids.truncate(before.solids);
        self.flags.truncate(before.lengths[0]);
        self.pages.truncate(before.lengths[1]);
        self.relabel(nodes, &before.of_nodes);
    }

    /// Writes which solid each of some nodes is a part of, if it is of one.
    pub(super) fn relabel(&mut self, nodes: &[usize], now: &[Option<usize>]) {
        let (fluid, _) = coded(self.solids.len().saturating_sub(1));
        for (&node, &now) in nodes.iter().zip(now) {
            let (page, flag) = now.map_or((fluid, 0), coded);
            self.flags.get_mut(node).into_iter().for_each(|cell| *cell = flag);
            self.pages.get_mut(node).into_iter().for_each(|cell| *cell = page);
        }
    }

    /// Adds a solid without a node. Fluid nodes have the page of the last solid, so that those which become it need their flag alone.
    fn begin_solid(&mut self, velocity: [f64; 3]) -> Result<usize, Error> {
        let number = self.solids.len();
        if number >= MOST_SOLIDS {
            return Err(Error::out_of_range(
                "number of solids",
                number + 1,
                format!("at most {MOST_SOLIDS}, a geometry counted as one"),
                "join solids of the same velocity in one predicate, or bodies in one shape",
            ));
        }
        let nodes = self.portion().nodes();
        grow(&mut self.flags, nodes)?;
        let (page, _) = coded(number);
        if page > 0 && (number.is_multiple_of(OF_A_PAGE) || self.pages.is_empty()) {
            grow(&mut self.pages, nodes)?;
            let cells = self.pages.iter_mut().zip(&self.flags);
            cells.filter(|(_, flag)| **flag == 0).for_each(|(cell, _)| *cell = page);
        }
        self.solids.push(velocity);
        Ok(number)
    }

    /// Follows a box of which these nodes have become solid or fluid, or a part of another solid.
    pub(crate) fn follow(&mut self, now: &Domain, nodes: &[usize]) {
        for (own, other) in [(&mut self.flags, &now.flags), (&mut self.pages, &now.pages)] {
            match own.len() == other.len() {
                true if own.is_empty() => (),
                true => nodes.iter().for_each(|&node| own[node] = other[node]),
                false => own.clone_from(other),
            }
        }
        self.solids.clone_from(&now.solids);
    }

    /// Whether a node is solid.
    #[must_use]
    #[inline]
    pub fn is_solid(&self, position: [usize; 3]) -> bool {
        !self.flags.is_empty() && self.flags[self.cell(position)] != 0
    }

    /// The solid of which the node of an index is a part, an entry of [`solids`](Domain::solids); none of a fluid node.
    #[must_use]
    #[inline]
    pub fn solid_at(&self, node: usize) -> Option<usize> {
        let cell =
            if self.is_whole() || self.flags.is_empty() { node } else { self.cell(self.position(node)) };
        self.solid_of(cell)
    }

    /// The solid of a cell of [`flags`](Domain::flags), if it is of one.
    #[inline]
    fn solid_of(&self, cell: usize) -> Option<usize> {
        let flag = usize::from(self.flags.get(cell).copied().unwrap_or(0));
        let page = self.pages.get(cell).copied().map_or(0, usize::from);
        flag.checked_sub(1).map(|number| number + OF_A_PAGE * page)
    }

    /// For each solid whether it has one of the nodes of which it is known what they are.
    #[must_use]
    pub fn solids_with_nodes(&self) -> Vec<bool> {
        let mut has_nodes = vec![false; self.solids.len()];
        let solids = (0..self.flags.len()).filter_map(|cell| self.solid_of(cell));
        solids.for_each(|solid| has_nodes[solid] = true);
        has_nodes
    }

    /// Whether the box has a fluid node among those of which it is known what they are.
    #[must_use]
    pub fn has_fluid(&self) -> bool {
        self.flags.is_empty() || self.flags.contains(&0)
    }

    /// Fluid nodes of the box, among those of which it is known what they are.
    #[must_use]
    pub fn fluid_nodes(&self) -> usize {
        self.portion().nodes() - self.flags.iter().filter(|&&flag| flag != 0).count()
    }

    /// The velocity of each wall: the six faces (zero where periodic), then the solids.
    #[must_use]
    pub fn walls(&self) -> Vec<[f64; 3]> {
        (0..self.faces.len() + self.solids.len()).map(|wall| self.velocity_of_wall(wall)).collect()
    }

    /// The velocity of one of them, node spacings a time step.
    ///
    /// # Panics
    /// Behind the last one.
    #[must_use]
    pub fn velocity_of_wall(&self, wall: usize) -> [f64; 3] {
        match (self.faces.get(wall), wall.checked_sub(self.faces.len())) {
            (Some(&FaceRule::Wall { velocity }), _) => velocity,
            (None, Some(solid)) => self.solids[solid],
            _ => [0.0; 3],
        }
    }
}

/// The page and the flag of a solid, one of [`MOST_SOLIDS`].
fn coded(number: usize) -> (u8, u8) {
    ((number / OF_A_PAGE) as u8, (number % OF_A_PAGE) as u8 + 1)
}

/// A byte for each node.
fn grow(cells: &mut Vec<u8>, nodes: usize) -> Result<(), Error> {
    let more = nodes.saturating_sub(cells.len());
    cells.try_reserve_exact(more).map_err(|_| {
        Error::out_of_range(
            "size",
            format!("{nodes} nodes"),
            "what memory holds at a byte a node more",
            "take fewer nodes",
        )
    })?;
    cells.resize(nodes.max(cells.len()), 0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Cuboid;

    fn node(x: f64) -> Cuboid {
        Cuboid { low: [x, 0.0, 0.0], high: [x + 1.0, 9.0, 9.0] }
    }

    /// Those of one page, of several, and nodes that two claim.
    #[test]
    fn each_node_knows_its_solid() {
        for count in [3, 255, 256, 700] {
            let mut domain = Domain::periodic([count + 1, 1, 1]);
            for n in 0..count / 2 {
                assert_eq!(domain.add_solid(&node(n as f64), [n as f64; 3]).unwrap(), n);
            }
            let rest = count / 2..count;
            let velocities = rest.clone().map(|n| [n as f64; 3]);
            domain.add_solids(velocities, |[x, ..]| rest.contains(&x).then(|| x - rest.start)).unwrap();
            let all = Cuboid { low: [0.0; 3], high: [count as f64; 3] };
            assert_eq!(domain.add_solid(&all, [9.0; 3]).unwrap(), count);
            for n in 0..count {
                assert_eq!(domain.solid_at(n), Some(n), "{count}");
                assert_eq!(domain.velocity_of_wall(6 + n), [n as f64; 3]);
            }
            assert_eq!((domain.solid_at(count), domain.fluid_nodes()), (None, 1));
            assert_eq!(domain.pages.is_empty(), count < 255, "few solids take one byte a node");
        }
    }

    #[test]
    fn more_solids_than_two_bytes_tell_apart_are_refused() {
        let mut domain = Domain::periodic([1; 3]);
        let error = domain.add_solids(vec![[0.0; 3]; MOST_SOLIDS + 1], |_| None).unwrap_err().to_string();
        assert!(error.contains("65281") && error.contains("at most 65280"), "{error}");
    }
}
