//! Solvers that do not fit their models.

use lbm::prelude::*;

solver! { TooFew { model: AdvectionDiffusion<Trt, Bgk>, lattices: [D2Q9] } }

solver! { Flat { model: AdvectionDiffusion<Trt, Bgk>, lattices: [D2Q9, D3Q7] } }

solver! { OfNoSet { model: AdvectionDiffusion<Trt, Bgk>, lattices: [D2Q9, D2Q5], boundaries: [FixedValue] } }

solver! { OfOther { model: AdvectionDiffusion<Trt, Bgk>, lattices: [D2Q9, D2Q5], boundaries: [heat: FixedValue] } }

solver! { Conserving { model: AdvectionDiffusion<Trt, Regularized>, lattices: [D2Q9, D2Q9] } }

solver! { Alone { collision: Bgk, lattices: [D2Q9, D2Q5] } }

solver! { Both { model: AdvectionDiffusion<Trt, Bgk>, collision: Bgk, lattices: [D2Q9, D2Q5] } }

solver! { OneSet { collision: Bgk, lattice: D2Q9, boundaries: [flow: ZouHeVelocity] } }

fn main() {}
