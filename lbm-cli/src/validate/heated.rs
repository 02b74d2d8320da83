//! Natural convection in a square between two walls of different temperatures: Nusselt numbers.

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row};

const SOURCE: &str = "Hortmann, Peric & Scheuerer, Int. J. Numer. Methods Fluids 11 (1990) 189 (2.245, 4.522); \
                      Le Quere, Comput. Fluids 20 (1991) 29 (8.825)";

/// A Rayleigh number, nodes along a side, the published Nusselt number of air.
const FLOWS: [(f64, usize, f64); 3] = [(1e4, 64, 2.245), (1e5, 96, 4.522), (1e6, 160, 8.825)];

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let count = if options.quick { 1 } else { FLOWS.len() };
    for (rayleigh, n, published) in FLOWS.into_iter().take(count) {
        let name = format!("natural-convection-ra{rayleigh:e}");
        let settings = format!("ra={rayleigh} size={n} checkpoint=0");
        let found = Measured::of("cavity-heated", &settings, name.clone(), options.placement, heard)?;
        let what = "mean Nusselt number of the warm wall";
        let about = format!("{what}, Ra {rayleigh:e}, Pr 0.71, {n} nodes a side; tolerance: 1 %");
        nusselt(&found, name, (what, about), (published, 0.01, SOURCE), 1e-4, heard);
    }
    Ok(())
}

/// What a run has of the heat that flows from a warm wall to a cold one: the Nusselt number beside one that is published, within a share of it, and whether as much leaves as enters.
pub(super) fn nusselt(
    found: &Measured,
    name: String,
    (what, about): (&str, String),
    (published, share, source): (f64, f64, &'static str),
    balanced: f64,
    heard: &mut dyn FnMut(Event),
) {
    let row = Row::error(name.clone(), &found.variant, found.value(what), share * published);
    heard(Event::Row(Row { reference: published, ..row }.about(about, source)));
    let balance = found.value("the same over that of the cold one");
    let row = Row::error(format!("{name}-balance"), &found.variant, balance, balanced);
    heard(Event::Row(row.about(
        "heat out of the warm wall over that into the cold one, less 1",
        "exact: what goes in goes out once the flow is steady",
    )));
}
