//! Functions that collisions share, of this crate and of others.

use lbm_macros::functions;

functions! {
    /// The squares among moments by exponents: those of second order along one axis, the sum of which is the trace.
    pub Squares {
        /// The exponents of the square along an axis.
        let square = |a| dimensions.map(|b| 2 * delta(a, b));
        /// The mean of the squares of these moments.
        let mean_square = |m| dimensions.sum(|a| m[square(a)]) / dimensions.len();
        /// 1 for the exponents of a square, 0 for others.
        let is_square = |e| if sum(e) == 2 { e.filter(|p| p == 2).len() } else { 0 };
    }
}
