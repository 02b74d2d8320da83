//! Drops of one fluid in another: where they begin, and how many there are.

use super::interface::turned;

/// How fast phi turns from one fluid to the other across an interface: tanh of this times the distance.
const SHARPNESS: f64 = 0.7;

/// The share of red so many nodes behind an interface; before it the distance is negative.
pub(crate) fn share(depth: f64) -> f64 {
    turned(SHARPNESS * depth)
}

/// How many drops there are in a plane of so many nodes: pieces of red, phi > 0, of which nodes hang together along axes, also through faces along x,
/// and along y where these are periodic.
pub(super) fn count(phi: &[f64], [nx, ny]: [usize; 2], y_is_periodic: bool) -> usize {
    let mut seen: Vec<bool> = phi.iter().map(|&phi| phi.is_nan() || phi <= 0.0).collect();
    let (mut drops, mut waiting) = (0, Vec::new());
    for start in 0..phi.len() {
        if seen[start] {
            continue;
        }
        drops += 1;
        seen[start] = true;
        waiting.push(start);
        while let Some(node) = waiting.pop() {
            let [x, y] = [node % nx, node / nx];
            let beside = [[x + 1, y], [x + nx - 1, y], [x, y + 1], [x, y + ny - 1]];
            let last = if y == 0 { 3 } else { 2 };
            let at_face = |k: usize| k == last && (y == 0 || y + 1 == ny);
            let reached = (0..4).filter(|&k| y_is_periodic || !at_face(k)).map(|k| beside[k]);
            for node in reached.map(|[x, y]| x % nx + nx * (y % ny)) {
                if !std::mem::replace(&mut seen[node], true) {
                    waiting.push(node);
                }
            }
        }
    }
    drops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_are_counted_through_periodic_faces() {
        let rows = ["#..#", ".#..", ".##.", "...#", "#..."];
        let phi: Vec<f64> = rows.concat().chars().map(|c| if c == '#' { 1.0 } else { -1.0 }).collect();
        assert_eq!(count(&phi, [4, 5], false), 4);
        // The corners are one, and so is what stands beside it through the upper face.
        assert_eq!(count(&phi, [4, 5], true), 3);
        assert_eq!(count(&[-1.0; 20], [4, 5], true), 0);
        assert_eq!(count(&[f64::NAN; 20], [4, 5], true), 0);
        assert_eq!(count(&[1.0; 20], [4, 5], true), 1);
    }

    #[test]
    fn an_interface_lies_where_half_is_red() {
        assert_eq!(share(0.0), 0.5);
        assert!(share(4.0) > 0.99 && share(-4.0) < 0.01);
    }
}
