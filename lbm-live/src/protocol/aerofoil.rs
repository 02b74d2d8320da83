//! The outline of the symmetric profile NACA 0012.
//!
//! Its half thickness over the chord is `5 t (0.2969 sqrt(x) - 0.1260 x - 0.3516 x^2 + 0.2843 x^3 - 0.1036 x^4)` with `t = 0.12`: the
//! thickness formula of Jacobs, Ward and Pinkerton, NACA Report 460 (1933), whose last coefficient 0.1015 leaves the trailing edge open;
//! 0.1036 is the usual change that closes it.

use std::f64::consts::PI;

/// Places along the chord, denser towards both ends.
const PLACES: u32 = 256;

/// Half the thickness at a place along the chord, both in parts of it.
fn half_thickness(x: f64) -> f64 {
    5.0 * 0.12 * (0.2969 * x.sqrt() + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1036 * x))))
}

/// Corners of the outline, anticlockwise. It is convex.
pub(super) fn outline(nose: [f64; 2], chord: f64, angle: f64) -> Vec<[f64; 2]> {
    let (sin, cos) = angle.to_radians().sin_cos();
    let place = |k: u32| (1.0 - (PI * f64::from(k) / f64::from(PLACES)).cos()) / 2.0;
    let upper = (1..=PLACES).rev().map(|k| (place(k), 1.0));
    let lower = (0..PLACES).map(|k| (place(k), -1.0));
    let corner = |(x, side): (f64, f64)| {
        let y = if x == 1.0 { 0.0 } else { side * half_thickness(x) };
        // With the nose up, the rest goes down.
        [nose[0] + chord * (cos * x + sin * y), nose[1] + chord * (cos * y - sin * x)]
    };
    upper.chain(lower).map(corner).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_twelve_percent_thick_closed_and_convex() {
        let thickest = (0..=1000).map(|k| 2.0 * half_thickness(f64::from(k) / 1000.0)).fold(0.0, f64::max);
        assert!((thickest - 0.12).abs() < 1e-4, "{thickest}");
        assert!(half_thickness(1.0).abs() < 1e-15);
        // A tabulated ordinate of Report 460 at half the chord: 5.294 % of it.
        assert!((half_thickness(0.5) - 0.05294).abs() < 1e-4, "{}", half_thickness(0.5));
        let corners = outline([0.0, 0.0], 1.0, 0.0);
        for k in 0..corners.len() {
            let [a, b, c] = [0, 1, 2].map(|next| corners[(k + next) % corners.len()]);
            let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
            assert!(turn > -1e-12, "corner {k} turns by {turn}");
        }
    }
}
