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

#[cfg(test)]
mod tests {
    use lbm_core::Domain;
    use lbm_core::Engine;
    use lbm_core::engine::Setup;
    use lbm_core::reference::Reference;

    use super::super::flow::{Flow, parameters};
    use super::*;
    use crate::variants;

    /// The same physics: populations agree to the rounding of ten steps, with both kinds of stores.
    #[test]
    fn the_hand_written_loop_computes_the_same_flow() {
        let entry = variants::find("d3q19-bgk-f64-soa-dense-two-lattice-pull").unwrap();
        let size = [16, 7, 5];
        let setup = Setup { domain: Domain::periodic(size), parameters: parameters(entry) };
        let start = Flow::new(entry, size).populations();
        let mut reference = Reference::new(&entry.facts, &setup).unwrap();
        reference.set_populations(&start, 0).unwrap();
        reference.run(10).unwrap();
        let mut expected = vec![0.0; start.len()];
        reference.populations(&mut expected).unwrap();
        for stores in [lbm_cpu::StoreKind::Ordinary, lbm_cpu::StoreKind::NonTemporal] {
            let options = CpuOptions { stores: Some(stores), ..CpuOptions::default() };
            let mut by_hand = Handwritten::<f64>::new(size, VISCOSITY, &options).unwrap().unwrap();
            by_hand.set_populations(&start);
            by_hand.run(10);
            // Populations are of the order 1e-4; ten steps of some 100 roundings of 1e-16 relative to quantities of
            // order 1 (1 + delta) stay far below.
            let worst =
                expected.iter().zip(by_hand.populations()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-15, "{worst:e}");
        }
    }
}
