//! The backward-facing step: where the flow reattaches.

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row, unless_diverged};

const SOURCE: &str = "Erturk, Computers & Fluids 37 (2008) 633-655, expansion 2, Re by 2/3 u_max and 2 h";

/// Reynolds numbers and Erturk's lengths, in heights of the step.
const LENGTHS: [(u32, f64); 4] = [(100, 2.92), (200, 4.98), (300, 6.75), (400, 8.24)];

/// At Re 100; in full up to 400.
pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let flows = if options.quick { &LENGTHS[..1] } else { &LENGTHS };
    flows.iter().try_for_each(|&(reynolds, length)| {
        let outcome = step(reynolds, length, options, heard);
        unless_diverged(&format!("backstep-re{reynolds}"), outcome, heard)
    })
}

fn step(reynolds: u32, length: f64, options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let settings = format!("size=20 re={reynolds} checkpoint=0");
    let name = format!("backstep-re{reynolds}, 20 nodes over the step");
    let found = Measured::of("backstep2d", &settings, name, options.placement, heard)?;
    let row = Row::error(
        format!("backstep-re{reynolds}-length"),
        &found.variant,
        found.value("reattachment"),
        0.03 * length,
    );
    let words = "where the flow reattaches, in heights of the step, within 3 %";
    heard(Event::Row(Row { reference: length, ..row }.about(words, SOURCE)));
    let row =
        Row::error(format!("backstep-re{reynolds}-mass"), &found.variant, found.value("mass flow"), 1e-3);
    heard(Event::Row(
        row.about("mass flow in the middle over that at the inlet, less 1, once steady", "mass is kept"),
    ));
    Ok(())
}
