//! How a node lies to those for which a rule was generated.

use crate::facts::LatticeFacts;

/// A turn of the lattice, perhaps with mirrors: from the axes of a class to those of the box.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// For each axis of the class, that of the box, and whether it points the other way.
    axes: [(usize, bool); 3],
    /// For each direction of the class, that of the box.
    pub directions: Vec<usize>,
}

impl Turn {
    /// The turn that puts the lower ends of the first axes at these faces (twice the axis, plus one at the upper end). None if the
    /// lattice has not the directions for it.
    #[must_use]
    pub fn to_faces(lattice: &LatticeFacts, faces: &[usize]) -> Option<Turn> {
        let mut axes: Vec<(usize, bool)> = faces.iter().map(|face| (face / 2, face % 2 == 1)).collect();
        for axis in 0..3 {
            if axes.iter().all(|&(taken, _)| taken != axis) {
                axes.push((axis, false));
            }
        }
        Turn::of_axes(lattice, <[(usize, bool); 3]>::try_from(axes).ok()?)
    }

    /// The first turn that brings a direction to another. None if the lattice has none.
    #[must_use]
    pub fn to_direction(lattice: &LatticeFacts, from: usize, to: usize) -> Option<Turn> {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]];
        let turns = ORDERS.into_iter().flat_map(|order| {
            (0..8_usize).map(move |mirrors| std::array::from_fn(|n| (order[n], mirrors >> n & 1 == 1)))
        });
        turns.filter_map(|axes| Turn::of_axes(lattice, axes)).find(|turn| turn.directions[from] == to)
    }

    /// The same of a set of populations, in a box of several, whose first direction is this.
    #[must_use]
    pub fn of_set(mut self, first: usize) -> Turn {
        self.directions.iter_mut().for_each(|direction| *direction += first);
        self
    }

    /// The turn that brings the axes there.
    fn of_axes(lattice: &LatticeFacts, axes: [(usize, bool); 3]) -> Option<Turn> {
        let mut turn = Turn { axes, directions: Vec::new() };
        let there = |&c: &[i32; 3]| lattice.velocities.iter().position(|&other| other == turn.turned(c));
        turn.directions = lattice.velocities.iter().map(there).collect::<Option<_>>()?;
        Some(turn)
    }

    /// A vector of the class as the box sees it.
    #[must_use]
    pub fn turned(&self, vector: [i32; 3]) -> [i32; 3] {
        let mut there = [0; 3];
        for (component, (axis, mirrored)) in vector.into_iter().zip(self.axes) {
            there[axis] = if mirrored { -component } else { component };
        }
        there
    }

    /// A vector of the box as the class sees it.
    #[must_use]
    pub fn seen(&self, vector: [f64; 3]) -> [f64; 3] {
        // A mirrored zero has no sign: so what is nothing is the same in all turns.
        self.axes.map(|(axis, mirrored)| if mirrored { 0.0 - vector[axis] } else { vector[axis] })
    }

    /// A text of a class, with each `‹i›` the direction of the box.
    ///
    /// # Panics
    /// On a text that `rules!` did not print.
    #[must_use]
    pub fn directed(&self, text: &str) -> String {
        let mut parts = text.split('‹');
        let mut printed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (i, rest) = part.split_once('›').expect("the emitter closes every direction");
            let i: usize = i.parse().expect("the emitter prints numbers of directions");
            printed += &self.directions[i].to_string();
            printed += rest;
        }
        printed
    }
}
