//! Shapes that are drawn, in nodes of a slice's plane: x to the right, y up, node `[i, j]` has its centre at `(i + 0.5, j + 0.5)`.

use serde::{Deserialize, Serialize};

use super::region::{Piece, Region};
use super::{Bits, aerofoil, within};
use crate::flow::Refusal;

/// The largest coordinate and length, in nodes.
const FARTHEST: f64 = 1e6;
/// The most points of a brush.
const MOST_POINTS: usize = 256;
/// The largest side of a mask.
const LARGEST_MASK: f64 = 8192.0;

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// All within a distance of a path.
    Brush {
        /// The path, of 1 to 256 points.
        points: Vec<[f64; 2]>,
        /// The distance.
        radius: f64,
    },
    /// A line with round ends.
    Line {
        /// Its first end.
        from: [f64; 2],
        /// Its second end.
        to: [f64; 2],
        /// Its width.
        width: f64,
    },
    /// A circle.
    Circle {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// A rectangle, turned about its centre.
    Rectangle {
        /// Its lower left corner before it is turned.
        low: [f64; 2],
        /// Its upper right corner before it is turned.
        high: [f64; 2],
        /// The angle in degrees, anticlockwise.
        angle: f64,
    },
    /// The profile NACA 0012 with a closed trailing edge.
    Aerofoil {
        /// The leading edge, about which it is turned.
        nose: [f64; 2],
        /// The length from the leading to the trailing edge.
        chord: f64,
        /// The angle of attack in degrees: positive with the nose up in a flow along x.
        angle: f64,
    },
    /// A square of one node for each set bit.
    Mask {
        /// Its lower left corner.
        low: [f64; 2],
        /// Bits of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Row by row from the top, the most significant bit first, rows padded to bytes.
        bits: Bits,
    },
}

impl Shape {
    /// Checks that numbers are finite and bounded and that counts fit.
    ///
    /// # Errors
    /// With the value, the allowed range and the remedy.
    pub fn check(&self) -> Result<(), Refusal> {
        match self {
            Shape::Brush { points, radius } => {
                if points.is_empty() || points.len() > MOST_POINTS {
                    return Err(Refusal::new(format!(
                        "a brush of {} points: give 1 to {MOST_POINTS}, and the rest in another draw",
                        points.len()
                    )));
                }
                points.iter().try_for_each(|point| place("points", *point))?;
                length("radius", *radius)
            }
            Shape::Line { from, to, width } => {
                place("from", *from)?;
                place("to", *to)?;
                length("width", *width)
            }
            Shape::Circle { centre, radius } => {
                place("centre", *centre)?;
                length("radius", *radius)
            }
            Shape::Rectangle { low, high, angle } => {
                place("low", *low)?;
                place("high", *high)?;
                if low[0] >= high[0] || low[1] >= high[1] {
                    return Err(Refusal::new(format!(
                        "a rectangle from {low:?} to {high:?} is empty: give its lower left, then its upper right corner"
                    )));
                }
                turn(*angle)
            }
            Shape::Aerofoil { nose, chord, angle } => {
                place("nose", *nose)?;
                length("chord", *chord)?;
                turn(*angle)
            }
            Shape::Mask { low, width, height, bits } => {
                place("low", *low)?;
                within("width", f64::from(*width), 1.0, LARGEST_MASK)?;
                within("height", f64::from(*height), 1.0, LARGEST_MASK)?;
                let wanted = width.div_ceil(8) as usize * *height as usize;
                if bits.0.len() != wanted {
                    return Err(Refusal::new(format!(
                        "a mask of {width} x {height} has {} bytes: give {wanted}, each row padded to bytes",
                        bits.0.len()
                    )));
                }
                Ok(())
            }
        }
    }

    /// Where it is: what a flow asks for the nodes that it covers.
    #[must_use]
    pub fn region(&self) -> Region {
        Region::new(match self {
            Shape::Brush { points, radius } => match points.as_slice() {
                [point] => vec![Piece::capsule(*point, *point, *radius)],
                path => path.windows(2).map(|ends| Piece::capsule(ends[0], ends[1], *radius)).collect(),
            },
            Shape::Line { from, to, width } => vec![Piece::capsule(*from, *to, width / 2.0)],
            Shape::Circle { centre, radius } => vec![Piece::capsule(*centre, *centre, *radius)],
            Shape::Rectangle { low, high, angle } => {
                let (sin, cos) = angle.to_radians().sin_cos();
                let centre = [0, 1].map(|i| (low[i] + high[i]) / 2.0);
                let half = [0, 1].map(|i| (high[i] - low[i]) / 2.0);
                let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
                let turned = corners.map(|[x, y]| {
                    let [x, y] = [x * half[0], y * half[1]];
                    [centre[0] + cos * x - sin * y, centre[1] + sin * x + cos * y]
                });
                vec![Piece::Convex(turned.to_vec())]
            }
            Shape::Aerofoil { nose, chord, angle } => {
                vec![Piece::Convex(aerofoil::outline(*nose, *chord, *angle))]
            }
            Shape::Mask { low, width, height, bits } => {
                vec![Piece::Mask { low: *low, width: *width, height: *height, bits: bits.0.clone() }]
            }
        })
    }
}

fn place(name: &str, point: [f64; 2]) -> Result<(), Refusal> {
    point.into_iter().try_for_each(|coordinate| within(name, coordinate, -FARTHEST, FARTHEST))
}

fn length(name: &str, value: f64) -> Result<(), Refusal> {
    if value == 0.0 {
        return Err(Refusal::new(format!(
            "{name} = 0 is out of range: give more than 0, at most {FARTHEST}"
        )));
    }
    within(name, value, 0.0, FARTHEST)
}

fn turn(angle: f64) -> Result<(), Refusal> {
    within("angle", angle, -360.0, 360.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of what is covered, the top row first.
    fn drawn(shape: &Shape, size: [u32; 2]) -> String {
        shape.check().unwrap();
        let region = shape.region();
        let mut rows = vec![vec!['.'; size[0] as usize]; size[1] as usize];
        for (row, columns) in region.rows(size) {
            for column in columns {
                let node = &mut rows[row as usize][column as usize];
                assert_eq!(*node, '.', "each node comes once");
                *node = '#';
            }
        }
        for (j, row) in rows.iter().enumerate() {
            for (i, node) in row.iter().enumerate() {
                let centre = [i as f64 + 0.5, j as f64 + 0.5];
                assert_eq!(region.contains(centre), *node == '#', "{centre:?}");
            }
        }
        rows.iter().rev().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn circles_cover_the_centres_within() {
        let shape = Shape::Circle { centre: [3.0, 2.5], radius: 1.6 };
        assert_eq!(drawn(&shape, [7, 5]), ".......\n..##...\n.####..\n..##...\n.......");
    }

    #[test]
    fn a_centre_on_the_edge_is_covered() {
        let shape = Shape::Circle { centre: [2.5, 1.5], radius: 1.0 };
        assert_eq!(drawn(&shape, [5, 3]), "..#..\n.###.\n..#..");
    }

    #[test]
    fn brushes_join_their_pieces() {
        let shape = Shape::Brush { points: vec![[0.5, 0.5], [4.5, 0.5], [4.5, 3.5]], radius: 0.4 };
        assert_eq!(drawn(&shape, [6, 4]), "....#.\n....#.\n....#.\n#####.");
    }

    #[test]
    fn lines_have_round_ends() {
        let shape = Shape::Line { from: [2.5, 1.5], to: [4.5, 1.5], width: 2.0 };
        assert_eq!(drawn(&shape, [7, 3]), "..###..\n.#####.\n..###..");
    }

    #[test]
    fn rectangles_turn_about_their_centre() {
        let upright = Shape::Rectangle { low: [1.0, 1.0], high: [5.0, 3.0], angle: 0.0 };
        assert_eq!(drawn(&upright, [6, 4]), "......\n.####.\n.####.\n......");
        let turned = Shape::Rectangle { low: [1.0, 1.0], high: [5.0, 3.0], angle: 90.0 };
        assert_eq!(drawn(&turned, [6, 4]), "..##..\n..##..\n..##..\n..##..");
        let leans = Shape::Rectangle { low: [0.0, 2.0], high: [6.0, 3.0], angle: 45.0 };
        let covered = leans.region();
        assert!(covered.contains([4.5, 4.0]) && !covered.contains([4.5, 1.0]), "anticlockwise");
    }

    #[test]
    fn aerofoils_raise_their_nose() {
        let level = Shape::Aerofoil { nose: [10.0, 50.0], chord: 100.0, angle: 0.0 }.region();
        // The thickest place, 12 % of the chord, lies at 30 % of it.
        assert!(level.contains([40.0, 55.9]) && !level.contains([40.0, 56.1]));
        assert!(level.contains([40.0, 44.1]) && !level.contains([40.0, 43.9]));
        assert!(level.contains([109.9, 50.0]) && !level.contains([110.1, 50.0]));
        assert!(!level.contains([9.9, 50.0]));
        let raised = Shape::Aerofoil { nose: [10.0, 50.0], chord: 100.0, angle: 30.0 }.region();
        assert!(raised.contains([10.0 + 86.0, 50.0 - 49.6]), "the tail goes down");
        assert!(!raised.contains([10.0 + 86.0, 50.0 + 49.6]));
    }

    #[test]
    fn masks_cover_nodes_exactly() {
        let bits = Bits(vec![0b1010_0000, 0b1000_0000, 0b0111_1111, 0b1000_0000]);
        let shape = Shape::Mask { low: [1.0, 1.0], width: 9, height: 2, bits };
        assert_eq!(drawn(&shape, [11, 4]), "...........\n.#.#.....#.\n..########.\n...........");
    }

    #[test]
    fn shapes_reach_beyond_the_plane() {
        let shape = Shape::Circle { centre: [0.0, 0.0], radius: 1e6 };
        assert_eq!(drawn(&shape, [3, 2]), "###\n###");
        let away = Shape::Circle { centre: [-900.0, 1.0], radius: 2.0 };
        assert_eq!(drawn(&away, [3, 2]), "...\n...");
    }

    #[test]
    fn wrong_numbers_are_refused_with_a_remedy() {
        let refused = |shape: Shape, part: &str| {
            let message = shape.check().unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        };
        refused(Shape::Circle { centre: [f64::NAN, 0.0], radius: 1.0 }, "centre = NaN");
        refused(Shape::Circle { centre: [0.0, 2e6], radius: 1.0 }, "-1000000 to 1000000");
        refused(Shape::Circle { centre: [0.0, 0.0], radius: 0.0 }, "more than 0");
        refused(Shape::Circle { centre: [0.0, 0.0], radius: f64::INFINITY }, "radius = inf");
        refused(Shape::Line { from: [0.0; 2], to: [1.0; 2], width: -1.0 }, "width = -1");
        refused(Shape::Brush { points: vec![], radius: 1.0 }, "give 1 to 256");
        refused(Shape::Brush { points: vec![[0.0; 2]; 257], radius: 1.0 }, "257 points");
        refused(Shape::Rectangle { low: [1.0, 0.0], high: [1.0, 2.0], angle: 0.0 }, "lower left");
        refused(Shape::Aerofoil { nose: [0.0; 2], chord: 1.0, angle: 361.0 }, "-360 to 360");
        let mask =
            |width, height, bytes| Shape::Mask { low: [0.0; 2], width, height, bits: Bits(vec![0; bytes]) };
        refused(mask(9, 2, 3), "give 4");
        refused(mask(0, 2, 0), "width = 0");
        refused(mask(8, 9000, 9000), "height = 9000");
    }
}
