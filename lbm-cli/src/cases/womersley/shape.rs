//! What the fluid of the case `womersley` pulses through.

use lbm::womersley::Womersley;
use lbm_core::geometry::{Complement, Cylinder};
use lbm_core::{Error, Face, FaceRule};

use super::super::settings::Settings;
use crate::simulation::{PlacedRule, Problem, Surface};

/// A channel along x, of so many nodes from wall to wall.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Between half-way walls, in 2D.
    Plates(usize),
    /// In a pipe of which interpolated walls cut links.
    Pipe(usize),
}

/// Nodes along a period between plates: nothing changes along it but the pressure, and sound passes it at once.
const PERIODIC: usize = 8;

/// Nodes of the box beyond the width of a pipe.
const BESIDE: usize = 5;

impl Shape {
    /// That of the case's settings.
    pub(crate) fn of(settings: &Settings) -> Shape {
        match settings.name("shape") {
            "pipe" => Shape::Pipe(settings.size()),
            _ => Shape::Plates(settings.size()),
        }
    }

    /// Nodes from wall to wall.
    pub(super) fn width(self) -> usize {
        let (Shape::Plates(width) | Shape::Pipe(width)) = self;
        width
    }

    /// Half of that.
    pub(super) fn half(self) -> f64 {
        self.width() as f64 / 2.0
    }

    /// The lattice on which it flows.
    pub(super) fn lattice(self) -> &'static str {
        match self {
            Shape::Plates(_) => "D2Q9",
            Shape::Pipe(_) => "D3Q19",
        }
    }

    /// Nodes along a period. A pipe is as long as wide, since what comes from beyond its ends meets its wall half-way.
    pub(super) fn period(self) -> usize {
        match self {
            Shape::Plates(_) => PERIODIC,
            Shape::Pipe(diameter) => diameter,
        }
    }

    /// Where the middle lies across. The nodes of a pipe are not symmetric about it.
    pub(super) fn middle(self) -> [f64; 2] {
        match self {
            Shape::Plates(_) => [self.half(), 0.5],
            Shape::Pipe(_) => [0.2, 0.0].map(|shift| self.half() + 2.0 + shift),
        }
    }

    /// The distance of a point from the middle.
    pub(crate) fn distance(self, [_, y, z]: [f64; 3]) -> f64 {
        let [middle_y, middle_z] = self.middle();
        match self {
            Shape::Plates(_) => (y - middle_y).abs(),
            Shape::Pipe(_) => (y - middle_y).hypot(z - middle_z),
        }
    }

    /// The exact flow, of an acceleration of 1.
    ///
    /// # Errors
    /// As [`Womersley::plates`].
    pub(super) fn exact(self, viscosity: f64, period: usize) -> Result<Womersley, Error> {
        match self {
            Shape::Plates(_) => Womersley::plates(self.half(), viscosity, period),
            Shape::Pipe(_) => Womersley::pipe(self.half(), viscosity, period),
        }
    }

    /// Gives a problem its box, so many nodes long, and its walls.
    pub(super) fn enclose(self, length: usize, problem: &mut Problem) {
        match self {
            Shape::Plates(width) => {
                problem.size = Some([length, width].into());
                for face in [Face::South, Face::North] {
                    problem.faces[face.index()] = FaceRule::WALL;
                }
            }
            Shape::Pipe(diameter) => {
                let ([y, z], beyond) = (self.middle(), 2.0 * length as f64);
                let bore = Cylinder { from: [-beyond, y, z], to: [2.0 * beyond, y, z], radius: self.half() };
                let across = diameter + BESIDE;
                problem.size = Some([length, across, across].into());
                let rule = PlacedRule::named("bouzidi");
                problem.surfaces = vec![Surface::new(Box::new(Complement(bore)), rule)];
            }
        }
    }
}
