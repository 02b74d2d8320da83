//! Which variants have a hand-written loop beside them.

use lbm_core::{Error, Real};
use lbm_cpu::CpuOptions;
use lbm_cpu::handwritten::Handwritten;

use super::flow::VISCOSITY;

/// A hand-written loop, whatever its precision.
pub(super) struct ByHand(Box<dyn FnMut(u64)>);

impl ByHand {
    /// Runs time steps.
    pub(super) fn run(&mut self, steps: u64) {
        (self.0)(steps);
    }
}

/// The loop that does by hand what a variant does, if there is one.
pub(super) fn of(variant: &str, size: [usize; 3], options: &CpuOptions) -> Result<Option<ByHand>, Error> {
    match variant {
        "d3q19-bgk-f32-soa-dense-two-lattice-pull" => make::<f32>(size, options),
        "d3q19-bgk-f64-soa-dense-two-lattice-pull" => make::<f64>(size, options),
        _ => Ok(None),
    }
}

fn make<T: Real>(size: [usize; 3], options: &CpuOptions) -> Result<Option<ByHand>, Error> {
    let Some(mut handwritten) = Handwritten::<T>::new(size, VISCOSITY, options)? else {
        return Ok(None);
    };
    Ok(Some(ByHand(Box::new(move |steps| handwritten.run(steps)))))
}
