//! What a backend has kept apart of a step, to be handed out in pieces while the flow goes on.

use std::ops::Range;

use crate::error::Error;
use crate::pieces::Take;

/// Nodes of a box on a grid: so many along each axis, so many node spacings apart. They are numbered x first, then y, then z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Nodes of the box along x, y, z.
    pub size: [usize; 3],
    /// The first node of the grid.
    pub first: [usize; 3],
    /// Node spacings from one to the next along each axis, at least 1.
    pub step: [usize; 3],
    /// How many there are along each axis, at least 1.
    pub count: [usize; 3],
}

impl Grid {
    /// All nodes of a box.
    #[must_use]
    pub fn of(size: [usize; 3]) -> Grid {
        Grid { size, first: [0; 3], step: [1; 3], count: size }
    }

    /// How many nodes it has.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.count.iter().fold(1, |nodes, &along| nodes.saturating_mul(along))
    }

    /// Whether all of them lie in the box.
    #[must_use]
    pub fn fits(&self) -> bool {
        (0..3).all(|axis| {
            let Grid { size, first, step, count } = self;
            count[axis] > 0
                && step[axis] > 0
                && (count[axis] - 1).saturating_mul(step[axis]).saturating_add(first[axis]) < size[axis]
        })
    }

    /// The node of a number.
    #[must_use]
    pub fn position(&self, number: usize) -> [usize; 3] {
        let [nx, ny, _] = self.count;
        let along = [number % nx, number / nx % ny, number / nx / ny];
        std::array::from_fn(|axis| self.first[axis] + self.step[axis] * along[axis])
    }

    /// The number of a node of the box, if it lies on the grid.
    #[must_use]
    pub fn number(&self, position: [usize; 3]) -> Option<usize> {
        let along = |axis: usize| {
            let behind = position[axis].checked_sub(self.first[axis])?;
            let number = behind / self.step[axis];
            (behind.is_multiple_of(self.step[axis]) && number < self.count[axis]).then_some(number)
        };
        let (x, y, z) = (along(0)?, along(1)?, along(2)?);
        Some(x + self.count[0] * (y + self.count[1] * z))
    }

    /// The indices in the box from the first node to the last.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        let (first, strides) = self.strides();
        let last: usize = (0..3).map(|axis| (self.count[axis] - 1) * strides[axis]).sum();
        first..first + last + 1
    }

    /// The index in the box of the first node, and how far indices are apart along each axis of the grid.
    #[must_use]
    pub fn strides(&self) -> (usize, [usize; 3]) {
        let [nx, ny, _] = self.size;
        let [x, y, z] = self.first;
        (x + nx * (y + ny * z), [self.step[0], self.step[1] * nx, self.step[2] * nx * ny])
    }
}

/// Which of density and velocity are asked for, and of which nodes.
///
/// ```
/// use lbm_core::engine::FieldRequest;
///
/// // What a picture of the speed in a plane needs.
/// let plane = FieldRequest::of(4096..8192).velocity();
/// assert_eq!((plane.components.clone(), plane.values()), (1..4, 3 * 4096));
/// assert!(!plane.rounded);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldRequest {
    /// Nodes of the box, by index, or where there is a grid, by their numbers there.
    pub nodes: Range<usize>,
    /// The grid, if the nodes lie on one.
    pub grid: Option<Grid>,
    /// Which of the four numbers `rho, u_x, u_y, u_z` of a node.
    pub components: Range<usize>,
    /// Whether they are kept as f32, each rounded once, as a file in single precision has them; else as f64.
    pub rounded: bool,
}

impl FieldRequest {
    /// Density and velocity of these nodes, in f64.
    #[must_use]
    pub fn of(nodes: Range<usize>) -> FieldRequest {
        FieldRequest { nodes, grid: None, components: 0..4, rounded: false }
    }

    /// Density and velocity of the nodes of a grid, in f64.
    #[must_use]
    pub fn on(grid: Grid) -> FieldRequest {
        FieldRequest { grid: Some(grid), ..FieldRequest::of(0..grid.nodes()) }
    }

    /// The same, but the density only.
    #[must_use]
    pub fn density(self) -> FieldRequest {
        FieldRequest { components: 0..1, ..self }
    }

    /// The same, but the velocity only.
    #[must_use]
    pub fn velocity(self) -> FieldRequest {
        FieldRequest { components: 1..4, ..self }
    }

    /// The same, rounded to f32.
    #[must_use]
    pub fn rounded(self) -> FieldRequest {
        FieldRequest { rounded: true, ..self }
    }

    /// How many numbers they are.
    #[must_use]
    pub fn values(&self) -> usize {
        self.components.len() * self.nodes.len()
    }

    /// How many bytes they are.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values() * if self.rounded { size_of::<f32>() } else { size_of::<f64>() }
    }
}

impl From<Range<usize>> for FieldRequest {
    fn from(nodes: Range<usize>) -> FieldRequest {
        FieldRequest::of(nodes)
    }
}

/// Fields of a step that a backend has begun to compute, kept apart until they are taken.
pub trait PendingFields: Send {
    /// Hands out some of the components that were asked for, of all nodes that were, piece after piece ([`pieces`](crate::pieces)), after
    /// waiting for them; anything in solid nodes. It may be asked again.
    ///
    /// # Errors
    /// Those of `take`; a device may be lost.
    fn hand_out(&self, components: Range<usize>, take: Take<'_>) -> Result<(), Error>;
    /// The same in f32: as they are kept where the request is rounded, else each rounded once.
    ///
    /// # Errors
    /// As [`hand_out`](PendingFields::hand_out).
    fn hand_out_rounded(&self, components: Range<usize>, take: TakeRounded<'_>) -> Result<(), Error>;
}

/// Takes numbers of a type of some nodes, line after line, as [`Take`] does those of f64.
pub type TakeOf<'a, T> = &'a mut dyn FnMut(Range<usize>, &[T]) -> Result<(), Error>;

/// The same of f32.
pub type TakeRounded<'a> = TakeOf<'a, f32>;

/// What a backend has kept apart of the state of a step, while the flow goes on.
pub trait PendingState: Send {
    /// Hands out what [`Engine::state_of`](super::Engine::state_of) did in that step, of all nodes of the box. It may be asked again.
    ///
    /// # Errors
    /// Those of `take`; a device may be lost.
    fn hand_out(&self, take: Take<'_>) -> Result<(), Error>;
}
