//! Where the neighbours of most nodes are.

use std::ops::Range;

use crate::domain::Domain;
use crate::facts::LatticeFacts;

/// Where the neighbours are of a node that has all of them within the box, as most have.
#[derive(Clone, Debug)]
pub struct Around {
    /// How many nodes away along each axis.
    reach: [usize; 3],
    /// How far away in the numbers of nodes, ascending.
    distances: Vec<isize>,
}

impl Around {
    /// Those along the velocities of a lattice in a box.
    #[must_use]
    pub fn of(lattice: &LatticeFacts, size: [usize; 3]) -> Around {
        let far = |c: &[i32; 3]| {
            let [x, y, z] = c.map(|c| c as isize);
            -(x + size[0] as isize * (y + size[1] as isize * z))
        };
        let mut distances: Vec<isize> = lattice.velocities.iter().map(far).filter(|&far| far != 0).collect();
        distances.sort_unstable();
        distances.dedup();
        let reach =
            |axis: usize| lattice.velocities.iter().map(move |c| c[axis].unsigned_abs() as usize).max();
        Around { reach: [0, 1, 2].map(|axis| reach(axis).unwrap_or(0)), distances }
    }

    /// The neighbours of a node, ascending; nothing of one that is nearer to an end of the box than the longest velocity.
    #[must_use]
    pub fn node(&self, domain: &Domain, node: usize) -> Option<impl Iterator<Item = usize>> {
        Some(self.run(domain, node..node + 1)?.map(|beside| beside.start))
    }

    /// Folds for each of some nodes side by side in a row the [flags](Domain::flags) of its neighbours: 0 where one is fluid. Nothing where nobody is solid,
    /// if one of the nodes is too near to an end of the box, and of a box of which not all nodes are known.
    #[must_use]
    pub fn fold(
        &self,
        domain: &Domain,
        nodes: &Range<usize>,
        first: u8,
        with: impl Fn(u8, u8) -> u8,
    ) -> Option<Vec<u8>> {
        if domain.flags.is_empty() || !domain.is_whole() {
            return None;
        }
        let mut all = vec![first; nodes.len()];
        for beside in self.run(domain, nodes.clone())? {
            all.iter_mut().zip(&domain.flags[beside]).for_each(|(all, &flag)| *all = with(*all, flag));
        }
        Some(all)
    }

    /// The neighbours of such nodes: ranges of as many.
    fn run(&self, domain: &Domain, nodes: Range<usize>) -> Option<impl Iterator<Item = Range<usize>>> {
        let first = domain.position(nodes.start);
        let more = [nodes.len().saturating_sub(1), 0, 0];
        let all_there = (0..3).all(|axis| {
            let reach = self.reach[axis];
            first[axis] >= reach && first[axis] + more[axis] + reach < domain.size[axis]
        });
        let Range { start, end } = nodes;
        all_there.then(|| {
            let beside = move |&far: &isize| start.wrapping_add_signed(far)..end.wrapping_add_signed(far);
            self.distances.iter().map(beside)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATTICE: LatticeFacts = LatticeFacts {
        name: "near",
        dimension: 2,
        velocities: &[[0; 3], [1, 0, 0], [-1, 0, 0], [0, 2, 0], [0, -2, 0]],
        opposites: &[],
        weights: &[],
        cs2: 1.0 / 3.0,
        sets: &[],
    };

    #[test]
    fn neighbours_are_those_of_the_velocities() {
        let mut domain = Domain::periodic([6, 5, 1]);
        let around = Around::of(&LATTICE, domain.size);
        assert!(around.fold(&domain, &(13..17), 0, u8::max).is_none(), "nobody is solid");
        domain.redraw(&[1, 14], &[Some(0); 2]).unwrap();
        assert_eq!(around.node(&domain, 13).unwrap().collect::<Vec<_>>(), [1, 12, 14, 25]);
        assert_eq!(around.fold(&domain, &(13..17), 0, u8::max).unwrap(), [1, 0, 1, 0]);
        assert_eq!(around.fold(&domain, &(13..17), 1, u8::min).unwrap(), [0; 4]);
        // Too near to an end along x, or y.
        for nodes in [12..13, 13..18, 7..8, 19..20] {
            assert!(around.fold(&domain, &nodes, 0, u8::max).is_none(), "{nodes:?}");
        }
        let all: Vec<usize> = around.node(&domain, 13).unwrap().collect();
        domain.redraw(&all, &[Some(0); 4]).unwrap();
        assert_eq!(around.fold(&domain, &(13..14), 1, u8::min).unwrap(), [1]);
    }
}
