//! The drag on a sphere in a uniform flow.

use lbm_core::Error;

use super::cavity::Watching;
use super::{Event, Options, Row};
use crate::cases::{self, Run, Settings};

const SOURCE: &str = "1.09 at Re 100: Schiller & Naumann, Z. VDI 77 (1933) 318; Johnson & Patel, J. Fluid Mech. 378 (1999) 19, fig. 8";

const DRAG: f64 = 1.09;

/// Re 100 in a tunnel nine diameters wide, of which the sphere takes less than 1 %. An inlet that is nearer than eight diameters raises the drag.
pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let size = 16;
    let case = cases::find("sphere")?;
    let tunnel = "before=8 behind=12 velocity=0.1 steps=8000";
    let settings = Settings::with(case, &format!("size={size} re=100 precision=f64 {tunnel}"))?;
    let (tolerance, mach) = (settings.tolerance(), settings.velocity() * 3f64.sqrt());
    let mut flow = case.flow_of(&settings)?;
    flow.problem.placement = options.placement;
    let mut run = Run::of(case, settings, flow)?;
    let name = format!("sphere-re100, {size} nodes over the diameter");
    let outcome = run.run(&mut Watching { name, tolerance, heard: &mut *heard })?;
    let found = outcome.evaluation.measures.iter().find(|measure| measure.name.ends_with("at the end"));
    let measured = found.map_or(f64::NAN, |measure| measure.measured);
    let row = Row::error("sphere-re100-drag".to_owned(), &run.simulation.variant(), measured, 0.03 * DRAG);
    let words = format!(
        "drag coefficient within 3 %: {size} nodes over the diameter, blockage below 1 %, sides without friction, Mach number {mach:.2}"
    );
    heard(Event::Row(Row { reference: DRAG, ..row }.about(words, SOURCE)));
    Ok(())
}
