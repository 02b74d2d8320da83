//! The launch shape, chosen by measuring a few at the first run of a variant and size; the choice is kept.

use lbm_core::Error;

use super::DeviceEngine;
use crate::assemble::Shape;
use crate::machine::Machine;

/// Seconds that a shape is measured for, about.
pub(super) const MEASURED_SECONDS: f64 = 5e-3;

impl<M: Machine> DeviceEngine<M> {
    /// Takes the shape that was the fastest when it was measured, or measures.
    pub(super) fn tune(&mut self) -> Result<(), Error> {
        let size = self.setup.domain.size;
        let key = format!(
            "shape 2 {} {size:?} walls {} baked {}",
            self.facts.name(),
            self.plan.walls,
            self.plan.size.is_some()
        );
        let kept = self.machine.recall(&key).and_then(|note| note.parse::<Shape>().ok());
        if let Some(shape) = kept.filter(|shape| shape.fits(&self.facts, size)) {
            return self.take(shape);
        }
        let mut best: Option<(f64, Shape)> = None;
        for shape in Shape::candidates(&self.facts, size) {
            self.take(shape)?;
            let once = self.timed(2)?.max(1e-7);
            let steps = ((MEASURED_SECONDS / once) as u64).clamp(2, 200);
            let seconds = self.timed(steps)?.min(self.timed(steps)?) / steps as f64;
            if best.is_none_or(|(fastest, _)| seconds < fastest) {
                best = Some((seconds, shape));
            }
        }
        // Moving walls and forces have set the fluid in motion meanwhile.
        self.set_repeated([1; 3], &vec![0.0; self.facts.lattice.q()], 0)?;
        let shape = best.map_or(Shape::PLAIN, |(_, shape)| shape);
        self.machine.remember(&key, &shape.to_string());
        self.take(shape)
    }
}
