//! The cylinder in a channel of Schäfer & Turek: drag, lift and vortex street, by the momentum that crosses its surface.

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row};
use crate::cases::{self, Settings};

const STEADY: &str = "2D-1 of Schäfer & Turek, Notes Numer. Fluid Mech. 52 (1996) 547; value of Nabh 1998";
const STREET: &str = "2D-2 of Schäfer & Turek, Notes Numer. Fluid Mech. 52 (1996) 547";

/// What is compared: the name of a row, how the case's measure begins, the reference and the tolerance, as a share of it.
type Compared = (&'static str, &'static str, f64, f64);

/// Re 20 with 40 nodes over the diameter, 20 in the reduced form.
pub(super) fn steady(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    // At half the nodes the error of the second order is four times as large.
    let (size, tolerance) = if options.quick { (20, 0.015) } else { (40, 0.01) };
    let compared: [Compared; 3] = [
        ("drag", "drag coefficient", 5.5795, tolerance),
        ("lift", "lift coefficient", 0.010619, 0.04),
        ("pressure", "pressure difference", 0.11752 / 0.04, 0.01),
    ];
    flow(&format!("size={size} re=20 velocity=0.05 steps={}", 3000 * size), STEADY, &compared, options, heard)
}

/// Re 100 with 40 nodes over the diameter.
pub(super) fn street(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let compared: [Compared; 2] = [
        // 0.295 to 0.305
        ("strouhal", "Strouhal", 0.3, 0.005 / 0.3),
        // 1.5 % beyond 3.22 to 3.24
        ("drag", "largest drag", 3.23, (0.01 + 0.015 * 3.23) / 3.23),
    ];
    flow("size=40 re=100 velocity=0.04 steps=150000", STREET, &compared, options, heard)
}

/// Runs the case with these settings.
fn flow(
    settings: &str,
    source: &'static str,
    compared: &[Compared],
    options: &Options,
    heard: &mut dyn FnMut(Event),
) -> Result<(), Error> {
    let known = Settings::with(cases::find("cylinder2d")?, settings)?;
    let (nodes, reynolds, mach) = (known.size(), known.real("re"), known.velocity() * 3f64.sqrt());
    let name = format!("cylinder-re{reynolds}, {nodes} nodes over the diameter");
    let found = Measured::of("cylinder2d", settings, name, options.placement, heard)?;
    for &(name, begins, reference, share) in compared {
        let measured = found.value(begins);
        let row = Row::error(
            format!("cylinder-re{reynolds}-{name}"),
            &found.variant,
            measured,
            share * reference.abs(),
        );
        let words =
            format!("{begins}: {nodes} nodes over the diameter, interpolated wall, Mach number {mach:.3}");
        heard(Event::Row(Row { reference, ..row }.about(words, source)));
    }
    Ok(())
}
