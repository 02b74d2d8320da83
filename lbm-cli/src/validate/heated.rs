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
        let warm = found.value("mean Nusselt number of the warm wall");
        let row =
            Row { reference: published, ..Row::error(name.clone(), &found.variant, warm, 0.01 * published) };
        heard(Event::Row(row.about(
            format!("mean Nusselt number of the warm wall, Ra {rayleigh:e}, Pr 0.71, {n} nodes a side; tolerance: 1 %"),
            SOURCE,
        )));
        let balance = found.value("the same over that of the cold one");
        let row = Row::error(format!("{name}-balance"), &found.variant, balance, 1e-4);
        heard(Event::Row(row.about(
            "heat into the warm wall's fluid over that out of it at the cold one, less 1",
            "exact: what goes in goes out once the flow is steady",
        )));
    }
    Ok(())
}
