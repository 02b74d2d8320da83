//! The drag on a sphere in a uniform flow.

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row};

const SOURCE: &str = "1.09 at Re 100: Schiller & Naumann, Z. VDI 77 (1933) 318; Johnson & Patel, J. Fluid Mech. 378 (1999) 19, fig. 8";

const DRAG: f64 = 1.09;

/// Re 100 in a tunnel nine diameters wide, of which the sphere takes less than 1 %. An inlet that is nearer than eight diameters raises the drag.
pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let size = 16;
    let (speed, name) = (0.1, format!("sphere-re100, {size} nodes over the diameter"));
    let settings = format!(
        "size={size} re=100 collision=trt precision=f64 before=8 behind=12 velocity={speed} steps=8000"
    );
    let found = Measured::of("sphere", &settings, name, options.placement, heard)?;
    let (measured, mach) = (found.value("drag coefficient at the end"), speed * 3f64.sqrt());
    let row = Row::error("sphere-re100-drag".to_owned(), &found.variant, measured, 0.03 * DRAG);
    let words = format!(
        "drag coefficient within 3 %: {size} nodes over the diameter, blockage below 1 %, sides without friction, Mach number {mach:.2}"
    );
    heard(Event::Row(Row { reference: DRAG, ..row }.about(words, SOURCE)));
    Ok(())
}
