//! How fast tiles propagate, by what they have in common with each other: the tiles paper's formula, fitted to measurements.
//!
//! Source: Tomczak & Szafran, section 4.4.

use crate::error::Error;

/// The share of the memory bandwidth that a kernel which only propagates reaches, by the common faces f and edges e a tile:
/// `k_0 + k_1 f + k_2 e + k_3 / (P_f - f) + k_4 / (P_e - e)`, with the poles P of [`POLES`].
///
/// More faces or edges than `most` count as so many: the formula has poles just beyond, while larger boxes were measured to be a
/// little slower.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PropagationModel {
    /// The constant, those of faces and edges, and those of the distances from their poles.
    pub coefficients: [f64; TERMS],
    /// The most common faces and edges a tile of what was fitted.
    pub most: [f64; 2],
}

/// A measurement to fit: common faces and edges a tile, and the share of the bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PropagationPoint {
    /// Common faces a tile.
    pub faces: f64,
    /// Common edges a tile.
    pub edges: f64,
    /// The share of the bandwidth that was measured.
    pub share: f64,
}

/// How far a model is from measurements, in shares of the bandwidth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Residuals {
    /// The root of the mean square.
    pub rms: f64,
    /// The largest, whatever its sign.
    pub largest: f64,
}

/// Where the paper has the poles of common faces and edges. They are kept in a fit, so that it stays linear.
pub const POLES: [f64; 2] = [2.9, 2.81];

/// The model's terms.
const TERMS: usize = 5;

/// A term is distinguished from those before it if so much of it is its own. With less, noise of a thousandth in the shares would be
/// a coefficient of a thousand.
const OWN: f64 = 1e-6;

impl PropagationModel {
    /// The paper's, fitted to rectangular channels of up to 100^3 nodes, as shares of the peak bandwidth of a GTX Titan (4^3 tiles,
    /// D3Q19, f64, two copies): Eq. 19.
    pub const PAPER: PropagationModel = PropagationModel {
        coefficients: [0.92, -1.0 / 14.28, -1.0 / 25.74, 0.00104, 0.0023],
        most: [2.88, 2.7648],
    };

    /// The share of the bandwidth that it expects with so many common faces and edges a tile.
    #[must_use]
    pub fn share(&self, faces: f64, edges: f64) -> f64 {
        let terms = terms(faces.min(self.most[0]), edges.min(self.most[1]));
        terms.iter().zip(self.coefficients).map(|(term, coefficient)| term * coefficient).sum()
    }

    /// The model with the least squares of the residuals.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are no more points than coefficients, or if one of them lies at a pole, beyond it, or
    /// nowhere; [`Error::Conflict`] if the points do not tell the terms apart.
    pub fn fit(points: &[PropagationPoint]) -> Result<PropagationModel, Error> {
        if points.len() <= TERMS {
            return Err(Error::out_of_range(
                "points to fit",
                points.len(),
                format!("at least {}, for {TERMS} coefficients", TERMS + 1),
                "measure more channels",
            ));
        }
        let fits = |p: &&PropagationPoint| p.faces < POLES[0] && p.edges < POLES[1] && p.share.is_finite();
        if let Some(wrong) = points.iter().find(|point| !fits(point)) {
            return Err(Error::out_of_range(
                "point to fit",
                format!("{wrong:?}"),
                format!("faces below {}, edges below {}, and a share", POLES[0], POLES[1]),
                "leave it out",
            ));
        }
        let column = |n: usize| points.iter().map(|point| terms(point.faces, point.edges)[n]).collect();
        let columns = std::array::from_fn(column);
        let shares = points.iter().map(|point| point.share).collect();
        let Some(coefficients) = least_squares(columns, shares) else {
            return Err(Error::conflict(
                format!("{} points do not tell the {TERMS} terms of the model apart", points.len()),
                "add channels of other sections, so that faces and edges vary independently",
            ));
        };
        let most = |of: fn(&PropagationPoint) -> f64| points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        Ok(PropagationModel { coefficients, most: [most(|point| point.faces), most(|point| point.edges)] })
    }

    /// How far it is from these points; not a number without any.
    #[must_use]
    pub fn residuals(&self, points: &[PropagationPoint]) -> Residuals {
        let of = |point: &PropagationPoint| (self.share(point.faces, point.edges) - point.share).abs();
        let squares: f64 = points.iter().map(|point| of(point).powi(2)).sum();
        Residuals {
            rms: (squares / points.len() as f64).sqrt(),
            largest: points.iter().map(of).fold(0.0, f64::max),
        }
    }
}

fn terms(faces: f64, edges: f64) -> [f64; TERMS] {
    [1.0, faces, edges, 1.0 / (POLES[0] - faces), 1.0 / (POLES[1] - edges)]
}

/// The combination of columns that is the nearest to `values`, by modified Gram-Schmidt; nothing if a column is one of those before.
fn least_squares<const N: usize>(mut columns: [Vec<f64>; N], mut values: Vec<f64>) -> Option<[f64; N]> {
    let (mut upper, mut right) = ([[0.0; N]; N], [0.0; N]);
    let lengths: [f64; N] = std::array::from_fn(|n| dot(&columns[n], &columns[n]).sqrt());
    for k in 0..N {
        let length = dot(&columns[k], &columns[k]).sqrt();
        if length <= OWN * lengths[k] {
            return None;
        }
        let unit: Vec<f64> = columns[k].iter().map(|value| value / length).collect();
        upper[k][k] = length;
        for j in k + 1..N {
            upper[k][j] = take_out(&mut columns[j], &unit);
        }
        right[k] = take_out(&mut values, &unit);
    }
    for k in (0..N).rev() {
        let known: f64 = (k + 1..N).map(|j| upper[k][j] * right[j]).sum();
        right[k] = (right[k] - known) / upper[k][k];
    }
    Some(right)
}

/// Leaves of a column what is at right angles to `unit`, and gives the rest's length.
fn take_out(column: &mut [f64], unit: &[f64]) -> f64 {
    let along = dot(column, unit);
    column.iter_mut().zip(unit).for_each(|(value, unit)| *value -= along * unit);
    along
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
