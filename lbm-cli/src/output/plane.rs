//! Planes through the middle of a box, and what lies in them.

use super::Picture;

/// A plane across an axis: the axes that it shows to the right and upwards, where these begin, and how far nodes are apart on them.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    pub(super) right: usize,
    pub(super) up: usize,
    across: usize,
    origin: [f64; 2],
    spacing: f64,
}

impl Plane {
    /// The plane across z.
    pub const Z: Plane = Plane::of([0, 1, 2]);

    /// Those across z, y and x.
    pub const ALL: [Plane; 3] = [Plane::Z, Plane::of([0, 2, 1]), Plane::of([1, 2, 0])];

    const fn of([right, up, across]: [usize; 3]) -> Plane {
        Plane { right, up, across, origin: [0.0; 2], spacing: 1.0 }
    }

    /// The plane across an axis: 0, 1, 2 for x, y, z.
    pub fn across(axis: usize) -> Plane {
        Plane::ALL[2 - axis]
    }

    /// The same of a part of a box that begins there and has nodes so far apart.
    #[must_use]
    pub fn of_part(self, origin: [f64; 3], spacing: f64) -> Plane {
        Plane { origin: [self.right, self.up].map(|axis| origin[axis]), spacing, ..self }
    }

    /// What lies in it of the values of all nodes, row after row.
    pub fn cut<T: Copy>(self, size: [usize; 3], values: &[T]) -> Vec<T> {
        self.nodes(size).map(|node| values[node]).collect()
    }

    /// Where a place in it lies on its axes; node (i, j) is at (i + 1/2, j + 1/2).
    pub(super) fn on_axes(self, [right, up]: [f64; 2]) -> (f64, f64) {
        let [first, second] = self.origin;
        (first + self.spacing * right, second + self.spacing * up)
    }

    /// The indices of its nodes, row after row.
    fn nodes(self, size: [usize; 3]) -> impl Iterator<Item = usize> {
        let strides = [1, size[0], size[0] * size[1]];
        let first = size[self.across] / 2 * strides[self.across];
        let along = move |axis: usize| (0..size[axis]).map(move |n| n * strides[axis]);
        along(self.up).flat_map(move |up| along(self.right).map(move |right| first + right + up))
    }
}

/// What lies in a plane, node by node; empty what a picture has not.
pub(super) struct Field {
    pub(super) size: [usize; 2],
    pub(super) scalar: Vec<f64>,
    pub(super) velocity: Vec<[f64; 2]>,
    pub(super) solid: Vec<bool>,
}

impl Field {
    pub(super) fn of(plane: Plane, picture: &Picture<'_>) -> Field {
        fn cut<T, U>(
            plane: Plane,
            picture: &Picture<'_>,
            values: Option<&[T]>,
            of: impl Fn(&T) -> U,
        ) -> Vec<U> {
            values.map_or_else(Vec::new, |all| plane.nodes(picture.size).map(|node| of(&all[node])).collect())
        }
        Field {
            size: [picture.size[plane.right], picture.size[plane.up]],
            scalar: cut(plane, picture, picture.scalar, |&value| value),
            velocity: cut(plane, picture, picture.velocity, |u| [u[plane.right], u[plane.up]]),
            solid: cut(plane, picture, picture.solid, |&solid| solid),
        }
    }

    pub(super) fn is_solid(&self, node: usize) -> bool {
        self.solid.get(node) == Some(&true)
    }

    /// The node nearest to a place in node spacings from the lower left corner; node (i, j) lies at (i + 1/2, j + 1/2).
    pub(super) fn nearest(&self, at: [f64; 2]) -> usize {
        let [x, y] = [0, 1].map(|axis| (at[axis] as usize).min(self.size[axis] - 1));
        x + self.size[0] * y
    }

    /// The four nodes around a place, in rows, and the shares of the second along x and y; beyond the last node, that node alone.
    pub(super) fn corners(&self, at: [f64; 2]) -> ([usize; 4], [f64; 2]) {
        let [nx, ny] = self.size;
        let neighbours = |at: f64, n: usize| {
            let shifted = (at - 0.5).clamp(0.0, (n - 1) as f64);
            let low = shifted as usize;
            (low, (low + 1).min(n - 1), shifted - low as f64)
        };
        let ((x, x1, px), (y, y1, py)) = (neighbours(at[0], nx), neighbours(at[1], ny));
        ([x + nx * y, x1 + nx * y, x + nx * y1, x1 + nx * y1], [px, py])
    }
}

/// Values at corners, mixed by these shares.
pub(super) fn bilinear([a, b, c, d]: [f64; 4], [px, py]: [f64; 2]) -> f64 {
    (1.0 - py) * ((1.0 - px) * a + px * b) + py * ((1.0 - px) * c + px * d)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_show_their_nodes() {
        let size = [4, 3, 2];
        let planes = Plane::ALL.map(|plane| plane.nodes(size).collect::<Vec<_>>());
        assert_eq!(planes[0], (12..24).collect::<Vec<_>>());
        assert_eq!(planes[1], [4, 5, 6, 7, 16, 17, 18, 19]);
        assert_eq!(planes[2], [2, 6, 10, 14, 18, 22]);
    }

    #[test]
    fn a_plane_of_a_part_has_the_places_of_the_box() {
        let values: Vec<usize> = (0..24).collect();
        for (axis, nodes) in [(0, 6), (1, 8), (2, 12)] {
            let (size, plane) = ([4, 3, 2], Plane::across(axis));
            let cut = plane.cut(size, &values);
            assert_eq!(cut, plane.nodes(size).collect::<Vec<_>>());
            // What was cut is a plane of its own, of one layer.
            let mut flat = size;
            flat[axis] = 1;
            assert_eq!((plane.cut(flat, &cut), cut.len()), (cut.clone(), nodes));
            assert_eq!(plane.on_axes([0.5, 1.5]), (0.5, 1.5));
        }
        let part = Plane::across(1).of_part([7.5, 12.0, 3.5], 2.0);
        assert_eq!(part.on_axes([0.5, 4.0]), (8.5, 11.5));
    }
}
