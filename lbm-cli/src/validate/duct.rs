//! The square duct: its profile is known as a series.

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row, lowest_order};

const SOURCE: &str = "series, e.g. White, Viscous Fluid Flow (1991), eq. 3-48";

/// Nodes across the ducts that a force drives.
const SIZES: [usize; 3] = [8, 16, 24];

/// The largest error of a profile by the case, over the velocity in the middle.
fn error(settings: &str, options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(f64, String), Error> {
    let found = Measured::of("duct", settings, format!("duct, {settings}"), options.small_box(), heard)?;
    Ok((found.value("largest error"), found.variant))
}

/// Driven by a force the error falls with the square of the spacing, driven by a pressure it is small.
pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let (mut errors, mut variant) = (Vec::new(), String::new());
    for size in SIZES {
        // The same viscosity everywhere, so that only the spacing changes.
        let settings = format!("size={size} velocity={} re=20", 0.4 / size as f64);
        let (error, name) = error(&settings, options, heard)?;
        errors.push(error);
        variant = name;
    }
    let row = Row::order("duct-force-order".to_owned(), &variant, lowest_order(&SIZES, &errors));
    let words = format!(
        "order of the profile's largest error between {SIZES:?} nodes across: {}",
        super::joined(&errors)
    );
    heard(Event::Row(row.about(words, SOURCE)));
    // What the spacing alone makes of 12 nodes, by the order; the density falls by some 1e-3 along the duct, and the velocity rises by it.
    let (error, variant) = error("size=12 drive=pressure length=3 velocity=0.02 re=20", options, heard)?;
    let row = Row::error("duct-pressure-profile".to_owned(), &variant, error, 0.01);
    let words = "largest error of the profile in the middle of a duct of 12 x 12 nodes that a pressure drives, over the velocity there";
    heard(Event::Row(row.about(words, SOURCE)));
    Ok(())
}
