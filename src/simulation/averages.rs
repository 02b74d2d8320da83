//! Means over time.

use lbm_core::Error;

use super::fields::Fields;

/// Density and velocity of nodes averaged over the steps that were added, and how they fluctuate about that.
///
/// Means and squares are kept by Welford's recurrence (Technometrics 4 (1962) 419), so that a flow that is steady has just itself as its mean,
/// and no fluctuations. Each node is summed by itself in the order of steps: the bits are the same everywhere.
///
/// ```
/// use lbm::prelude::*;
/// use lbm::simulation::Averages;
///
/// solver! { Periodic { lattice: D2Q9, collision: Bgk, precision: F64 } }
///
/// # fn main() -> Result<(), Error> {
/// let wave = |[_, y, _]: [usize; 3]| Initial::velocity([0.01 * (y as f64).sin(), 0.0, 0.0]);
/// let mut flow = Periodic::builder().size([4, 8]).viscosity(0.1).initial(wave).build()?;
/// let mut averages = Averages::new(flow.domain().nodes());
/// for _ in 0..10 {
///     flow.run(5)?;
///     averages.add(&flow.fields()?)?;
/// }
/// assert_eq!(averages.samples(), 10);
/// assert!(averages.velocity_rms().iter().any(|u| u[0] > 1e-5));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Averages {
    samples: u64,
    /// Of each node: the means of rho, u_x, u_y, u_z.
    means: Vec<[f64; 4]>,
    /// Of each node: the sums of products of deviations, of the density with itself and of the velocity `[xx, yy, zz, xy, xz, yz]`.
    products: Vec<[f64; 7]>,
}

/// The components of the velocity in a product of deviations.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];

impl Averages {
    /// Nothing yet, of so many nodes. A node takes 88 bytes.
    #[must_use]
    pub fn new(nodes: usize) -> Averages {
        Averages { samples: 0, means: vec![[0.0; 4]; nodes], products: vec![[0.0; 7]; nodes] }
    }

    /// Adds the fields of a step.
    ///
    /// # Errors
    /// [`Error::Conflict`] for those of another number of nodes.
    pub fn add(&mut self, fields: &Fields) -> Result<(), Error> {
        let (found, expected) = (fields.density.len(), self.means.len());
        if found != expected {
            return Err(Error::conflict(
                format!("fields of {found} nodes were added to averages of {expected}"),
                "add those of the nodes that the averages were made for",
            ));
        }
        self.samples += 1;
        let share = 1.0 / self.samples as f64;
        let all = self.means.iter_mut().zip(&mut self.products);
        for ((means, products), (&rho, &[ux, uy, uz])) in all.zip(fields.density.iter().zip(&fields.velocity))
        {
            let now = [rho, ux, uy, uz];
            let before: [f64; 4] = std::array::from_fn(|k| now[k] - means[k]);
            (0..4).for_each(|k| means[k] += before[k] * share);
            let after: [f64; 4] = std::array::from_fn(|k| now[k] - means[k]);
            products[0] += before[0] * after[0];
            for (product, (a, b)) in products[1..].iter_mut().zip(PAIRS) {
                *product += before[a + 1] * after[b + 1];
            }
        }
        Ok(())
    }

    /// How many steps were added.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The mean density of each node.
    #[must_use]
    pub fn density(&self) -> Vec<f64> {
        self.means.iter().map(|means| means[0]).collect()
    }

    /// The mean velocity of each node.
    #[must_use]
    pub fn velocity(&self) -> Vec<[f64; 3]> {
        self.means.iter().map(|&[_, ux, uy, uz]| [ux, uy, uz]).collect()
    }

    /// The root mean square of the density's deviation from its mean.
    #[must_use]
    pub fn density_rms(&self) -> Vec<f64> {
        self.products.iter().map(|products| self.mean(products[0]).sqrt()).collect()
    }

    /// The root mean squares of the velocity's deviation from its mean, component by component.
    #[must_use]
    pub fn velocity_rms(&self) -> Vec<[f64; 3]> {
        self.products.iter().map(|p| [p[1], p[2], p[3]].map(|product| self.mean(product).sqrt())).collect()
    }

    /// The Reynolds stresses over the density, the means of u_i' u_j': `[xx, yy, zz, xy, xz, yz]`.
    #[must_use]
    pub fn reynolds_stress(&self) -> Vec<[f64; 6]> {
        let of_node = |products: &[f64; 7]| std::array::from_fn(|k| self.mean(products[k + 1]));
        self.products.iter().map(of_node).collect()
    }

    fn mean(&self, product: f64) -> f64 {
        if self.samples == 0 { 0.0 } else { product / self.samples as f64 }
    }
}
