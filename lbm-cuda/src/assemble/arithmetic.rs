//! The arithmetic type as CUDA C++: its name, its literals, and the functions that a body's text calls.

use lbm_core::elementary;
use lbm_core::facts::Arithmetics;

/// How the text of a kernel speaks of an arithmetic type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArithmeticText {
    /// `float` or `double`.
    pub(crate) name: &'static str,
    double: bool,
}

impl ArithmeticText {
    pub(crate) fn of(arithmetic: Arithmetics) -> ArithmeticText {
        match arithmetic {
            Arithmetics::F32 => ArithmeticText { name: "float", double: false },
            Arithmetics::F64 => ArithmeticText { name: "double", double: true },
        }
    }

    /// A number, rounded once to this type.
    pub(crate) fn literal(self, x: f64) -> String {
        if self.double { format!("{x:?}") } else { format!("{:?}f", x as f32) }
    }

    /// The type `real` and its functions; each rounds once, to nearest even. Behind them are those elementary functions that texts call.
    pub(crate) fn prelude<'a>(self, texts: impl IntoIterator<Item = &'a str>) -> String {
        let [fma, div, rcp, sqrt] = if self.double {
            ["__fma_rn", "__ddiv_rn", "__drcp_rn", "__dsqrt_rn"]
        } else {
            ["__fmaf_rn", "__fdiv_rn", "__frcp_rn", "__fsqrt_rn"]
        };
        format!(
            "using real = {};\n\
             __device__ __forceinline__ real fma_rn(const real a, const real b, const real c) {{ return {fma}(a, b, c); }}\n\
             __device__ __forceinline__ real div_rn(const real a, const real b) {{ return {div}(a, b); }}\n\
             __device__ __forceinline__ real rcp_rn(const real a) {{ return {rcp}(a); }}\n\
             __device__ __forceinline__ real sqrt_rn(const real a) {{ return {sqrt}(a); }}\n\
             __device__ __forceinline__ real smaller(const real a, const real b) {{ return a < b ? a : b; }}\n\
             __device__ __forceinline__ real larger(const real a, const real b) {{ return a > b ? a : b; }}\n{}",
            self.name,
            elementary::text(self.double, texts)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_have_the_width_of_their_type() {
        let (single, double) = (ArithmeticText::of(Arithmetics::F32), ArithmeticText::of(Arithmetics::F64));
        assert_eq!(single.literal(1.0 / 3.0), "0.33333334f");
        assert_eq!(double.literal(1.0 / 3.0), "0.3333333333333333");
        assert_eq!(single.literal(-2.0), "-2.0f");
        assert_eq!(single.literal(1e-20), "1e-20f");
    }
}
