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
        let axes = <[(usize, bool); 3]>::try_from(axes).ok()?;
        let turned = |c: &[i32; 3]| {
            let mut there = [0; 3];
            for (&component, (axis, mirrored)) in c.iter().zip(axes) {
                there[axis] = if mirrored { -component } else { component };
            }
            lattice.velocities.iter().position(|&other| other == there)
        };
        let directions = lattice.velocities.iter().map(turned).collect::<Option<_>>()?;
        Some(Turn { axes, directions })
    }

    /// A vector of the box as the class sees it.
    #[must_use]
    pub fn seen(&self, vector: [f64; 3]) -> [f64; 3] {
        self.axes.map(|(axis, mirrored)| if mirrored { -vector[axis] } else { vector[axis] })
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
