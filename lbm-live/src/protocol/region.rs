//! Where a shape is: its spans of x on lines of equal y, and the nodes whose centres they cover.

use std::ops::Range;

/// Where a shape is. All answers come from [`Region::spans`].
#[derive(Clone, Debug)]
pub struct Region {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// All within a distance of a line from end to end.
    Capsule { ends: [[f64; 2]; 2], radius: f64, sides: Vec<[f64; 2]> },
    /// A convex polygon with its corners in order.
    Convex(Vec<[f64; 2]>),
    /// Squares of one node.
    Mask { low: [f64; 2], width: u32, height: u32, bits: Vec<u8> },
}

impl Region {
    pub(super) fn new(pieces: Vec<Piece>) -> Region {
        Region { pieces }
    }

    /// The parts of the line at this y that lie in the region: closed, disjoint, in ascending order.
    #[must_use]
    pub fn spans(&self, y: f64) -> Vec<[f64; 2]> {
        let mut spans = Vec::new();
        self.pieces.iter().for_each(|piece| piece.spans(y, &mut spans));
        spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
        spans.dedup_by(|next, last| {
            let joined = next[0] <= last[1];
            if joined {
                last[1] = last[1].max(next[1]);
            }
            joined
        });
        spans
    }

    /// Whether a point lies in the region.
    #[must_use]
    pub fn contains(&self, [x, y]: [f64; 2]) -> bool {
        self.spans(y).iter().any(|[low, high]| (low..=high).contains(&&x))
    }

    /// Low x, low y, high x, high y of a box around the region.
    #[must_use]
    pub fn bounds(&self) -> [f64; 4] {
        let start = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        self.pieces
            .iter()
            .map(Piece::bounds)
            .fold(start, |a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
    }

    /// The nodes of a plane of `size` whose centres lie in the region: rows from y = 0 up, in each the ranges of its columns in
    /// ascending order, each node once. The time grows with the rows that the region meets and with the nodes that are given.
    pub fn rows(&self, size: [u32; 2]) -> impl Iterator<Item = (u32, Range<u32>)> + '_ {
        let [_, low, _, high] = self.bounds();
        let Range { start, end } = centres(low, high, size[1]);
        (start..end).flat_map(move |row| {
            let spans = self.spans(f64::from(row) + 0.5);
            let columns = spans.into_iter().map(move |[low, high]| centres(low, high, size[0]));
            columns.filter(|columns| !columns.is_empty()).map(move |columns| (row, columns))
        })
    }
}

/// The nodes 0 to `count` whose centres lie from `low` to `high`, both with.
fn centres(low: f64, high: f64, count: u32) -> Range<u32> {
    // Casts saturate; a rounded difference is mended by comparing the centre itself.
    let mut start = ((low - 0.5).ceil() as u32).min(count);
    let mut end = ((high - 0.5).floor() + 1.0) as u32;
    end = end.min(count);
    let centre = |node: u32| f64::from(node) + 0.5;
    if start > 0 && centre(start - 1) >= low {
        start -= 1;
    }
    if start < count && centre(start) < low {
        start += 1;
    }
    if end < count && centre(end) <= high {
        end += 1;
    }
    if end > 0 && centre(end - 1) > high {
        end -= 1;
    }
    start..end.max(start)
}

impl Piece {
    pub(super) fn capsule(from: [f64; 2], to: [f64; 2], radius: f64) -> Piece {
        let along = [to[0] - from[0], to[1] - from[1]];
        let length = along[0].hypot(along[1]);
        let sides = if length == 0.0 {
            Vec::new()
        } else {
            let across = [-along[1] / length * radius, along[0] / length * radius];
            let beside = |end: [f64; 2], side: f64| [end[0] + side * across[0], end[1] + side * across[1]];
            vec![beside(from, -1.0), beside(to, -1.0), beside(to, 1.0), beside(from, 1.0)]
        };
        Piece::Capsule { ends: [from, to], radius, sides }
    }

    fn spans(&self, y: f64, spans: &mut Vec<[f64; 2]>) {
        match self {
            Piece::Capsule { ends, radius, sides } => {
                let discs = ends.iter().filter_map(|centre| across_disc(*centre, *radius, y));
                // A capsule is convex: its parts join to one span.
                spans.extend(discs.chain(across_polygon(sides, y)).reduce(joined));
            }
            Piece::Convex(corners) => spans.extend(across_polygon(corners, y)),
            Piece::Mask { low, width, height, bits } => {
                let up = (y - low[1]).floor();
                if !(0.0..f64::from(*height)).contains(&up) {
                    return;
                }
                let row = (*height - 1 - up as u32) as usize;
                let bytes = width.div_ceil(8) as usize;
                let bits = &bits[row * bytes..(row + 1) * bytes];
                let set = |column: u32| bits[column as usize / 8] & (0x80 >> (column % 8)) != 0;
                let mut column = 0;
                while column < *width {
                    let start = column;
                    while column < *width && set(column) {
                        column += 1;
                    }
                    if column > start {
                        // The right edge of a square belongs to the next one.
                        let end = (low[0] + f64::from(column)).next_down();
                        spans.push([low[0] + f64::from(start), end]);
                    }
                    column += 1;
                }
            }
        }
    }

    fn bounds(&self) -> [f64; 4] {
        match self {
            Piece::Capsule { ends: [from, to], radius, .. } => [
                from[0].min(to[0]) - radius,
                from[1].min(to[1]) - radius,
                from[0].max(to[0]) + radius,
                from[1].max(to[1]) + radius,
            ],
            Piece::Convex(corners) => {
                let of = |start: f64, of: fn(f64, f64) -> f64, direction: usize| {
                    corners.iter().map(|corner| corner[direction]).fold(start, of)
                };
                let (low, high) = (f64::INFINITY, f64::NEG_INFINITY);
                [of(low, f64::min, 0), of(low, f64::min, 1), of(high, f64::max, 0), of(high, f64::max, 1)]
            }
            Piece::Mask { low, width, height, .. } => {
                [low[0], low[1], low[0] + f64::from(*width), low[1] + f64::from(*height)]
            }
        }
    }
}

fn joined(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

fn across_disc(centre: [f64; 2], radius: f64, y: f64) -> Option<[f64; 2]> {
    let up = y - centre[1];
    let half = (radius * radius - up * up).sqrt();
    // The root of a negative number is NaN.
    (half >= 0.0).then_some([centre[0] - half, centre[0] + half])
}

fn across_polygon(corners: &[[f64; 2]], y: f64) -> Option<[f64; 2]> {
    let next = corners.iter().cycle().skip(1);
    corners
        .iter()
        .zip(next)
        .filter_map(|(a, b)| {
            let (low, high) = if a[1] <= b[1] { (a, b) } else { (b, a) };
            if y < low[1] || y > high[1] {
                return None;
            }
            if low[1] == high[1] {
                return Some(joined([low[0]; 2], [high[0]; 2]));
            }
            let part = (y - low[1]) / (high[1] - low[1]);
            Some([low[0] + part * (high[0] - low[0]); 2])
        })
        .reduce(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_that_meet_are_joined() {
        let discs = [[0.0, 0.0], [1.5, 0.0], [5.0, 0.0]].map(|centre| Piece::capsule(centre, centre, 1.0));
        assert_eq!(Region::new(discs.to_vec()).spans(0.0), [[-1.0, 2.5], [4.0, 6.0]]);
    }

    #[test]
    fn centres_count_at_both_ends() {
        assert_eq!(centres(0.5, 2.5, 9), 0..3);
        assert_eq!(centres(0.5_f64.next_up(), 2.5_f64.next_down(), 9), 1..2);
        assert_eq!(centres(-1e300, 1e300, 9), 0..9);
        assert_eq!(centres(3.6, 3.9, 9), 4..4);
        assert_eq!(centres(20.0, 30.0, 9), 9..9);
        assert_eq!(centres(-30.0, -20.0, 9), 0..0);
    }
}
