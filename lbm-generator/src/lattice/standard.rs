//! The lattices on which declarations are tried where no solver has named one.

use super::{LatticeSpec, analyse};
use quote::quote;

/// D2Q9, D3Q19, D2Q5, D3Q27, D3Q15 and D3Q7.
pub fn standard_lattices() -> [LatticeSpec; 6] {
    [
        quote!(D2Q9 { dimension: 2, shells: [[0, 0], [1, 0], [1, 1]], weights: [4 / 9, 1 / 9, 1 / 36] }),
        quote!(D3Q19 {
            dimension: 3,
            shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0]],
            weights: [1 / 3, 1 / 18, 1 / 36]
        }),
        quote!(D2Q5 { dimension: 2, shells: [[0, 0], [1, 0]], weights: [1 / 3, 1 / 6], isotropy: 2 }),
        quote!(D3Q27 {
            dimension: 3,
            shells: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
            weights: [8 / 27, 2 / 27, 1 / 54, 1 / 216]
        }),
        quote!(D3Q15 {
            dimension: 3,
            shells: [[0, 0, 0], [1, 0, 0], [1, 1, 1]],
            weights: [2 / 9, 1 / 9, 1 / 72]
        }),
        quote!(D3Q7 { dimension: 3, shells: [[0, 0, 0], [1, 0, 0]], weights: [1 / 4, 1 / 8], isotropy: 2 }),
    ]
    .map(|tokens| analyse(tokens).expect("the standard lattices are right"))
}
