//! Which variants have a hand-written loop beside them.

use lbm_core::{Error, Real};
use lbm_cpu::CpuOptions;
use lbm_cpu::handwritten::Handwritten;

use super::flow::VISCOSITY;

/// A hand-written loop, whatever its precision: runs so many time steps.
pub(super) type ByHand = Box<dyn FnMut(u64)>;

/// The loop that does by hand what a variant does, if there is one.
pub(super) fn of(variant: &str, size: [usize; 3], options: &CpuOptions) -> Result<Option<ByHand>, Error> {
    match variant {
        "d3q19-bgk-f32-soa-dense-two-lattice-pull" => make::<f32>(size, options),
        "d3q19-bgk-f64-soa-dense-two-lattice-pull" => make::<f64>(size, options),
        _ => Ok(None),
    }
}

fn make<T: Real>(size: [usize; 3], options: &CpuOptions) -> Result<Option<ByHand>, Error> {
    let handwritten = Handwritten::<T>::new(size, VISCOSITY, options)?;
    Ok(handwritten.map(|mut handwritten| -> ByHand { Box::new(move |steps| handwritten.run(steps)) }))
}
