//! What enters a vessel at z = 0 and leaves it at the other end of the box: a patch for each opening, of links, so that the mass which crosses
//! it is known exactly.

use std::sync::Arc;

use lbm_core::geometry::{Sphere, Vessel};
use lbm_core::{Error, Face, FaceRule, Geometry};

use super::super::evaluation::Measure;
use super::super::probes::{Gauge, Row, Table};
use super::super::setting::Setting;
use super::super::settings::Settings;
use super::radius;
use crate::simulation::{Patch, PlacedRule, Problem, Simulation};

/// The file of what crosses each patch.
const FILE: &str = "flow_rates.csv";

/// The patches of a vessel by how many outlets it has, the inlet first: those of a fork in the order of x.
const PATCHES: [&[&str]; 2] = [&["inlet", "outlet"], &["inlet", "left", "middle", "right"]];

/// The pressures at the outlets of a fork.
pub(super) const PRESSURES: [Setting; 3] =
    [pressure("pressure_left"), pressure("pressure_middle"), pressure("pressure_right")];

/// The density that an outlet holds stays within a tenth of that at rest.
const fn pressure(name: &'static str) -> Setting {
    Setting::real(name, 0.0, [-0.03, 0.03])
        .unit("lattice")
        .about("shape=fork: the pressure that this outlet holds, above that of the fluid at rest")
}

/// Its patches, the inlet first.
fn patches(outlets: usize) -> &'static [&'static str] {
    PATCHES[usize::from(outlets > 1)]
}

/// Gives a vessel its [`inlet`] and its outlets.
///
/// # Errors
/// As [`Settings::ramped`].
pub(super) fn open(
    problem: &mut Problem,
    vessel: &Vessel,
    inlet: PlacedRule,
    settings: &Settings,
) -> Result<(), Error> {
    let (ends, last) = (vessel.ends(), vessel.size()[2] - 1);
    let (names, [bottom, top]) = (patches(ends.len()), [Face::Bottom, Face::Top]);
    for face in [bottom, top] {
        problem.faces[face.index()] = FaceRule::WALL;
    }
    let enters = settings.ramped(inlet)?;
    let below = Box::new(|[_, _, z]: [usize; 3]| z == 0);
    problem.patches.push(Patch::new(names[0], bottom, below, enters));
    for (name, end) in names[1..].iter().zip(ends) {
        // All openings are more than a spacing apart.
        let Sphere { centre, radius } = end;
        let contains = move |[x, y, z]: [usize; 3]| {
            let [dx, dy] = [x as f64 + 0.5 - centre[0], y as f64 + 0.5 - centre[1]];
            z == last && dx.hypot(dy) <= radius + 1.0
        };
        // c_s^2 is 1/3.
        let density = 1.0 + 3.0 * held(settings, name);
        let rule = PlacedRule::named("anti-bounce-back").with("density", [density]);
        problem.patches.push(Patch::new(*name, top, Box::new(contains), rule));
    }
    Ok(())
}

/// The pressure at an outlet.
fn held(settings: &Settings, outlet: &str) -> f64 {
    let own = PRESSURES.iter().find(|pressure| pressure.name.strip_prefix("pressure_") == Some(outlet));
    own.map_or(0.0, |pressure| settings.real(pressure.name))
}

/// That no pressure is set of an outlet that there is not.
///
/// # Errors
/// [`Error::Conflict`] with the setting.
pub(super) fn require_outlets(settings: &Settings) -> Result<(), Error> {
    let set = PRESSURES.iter().find(|pressure| settings.real(pressure.name) != 0.0);
    match set.filter(|_| settings.name("shape") != "fork") {
        Some(pressure) => Err(Error::conflict(
            format!("`{}` is of an outlet that only a fork has", pressure.name),
            "set shape=fork, or leave it out: the one outlet of this vessel holds the pressure of the fluid at rest",
        )),
        None => Ok(()),
    }
}

/// What enters through the nodes of the first plane across z: a paraboloid of this mean over a circle of as many nodes.
pub(super) fn inlet(geometry: &Geometry, mean: f64) -> PlacedRule {
    let nodes: Vec<[usize; 3]> = geometry.fluid_positions().take_while(|position| position[2] == 0).collect();
    let centre =
        [0, 1].map(|axis| nodes.iter().map(|node| node[axis] as f64).sum::<f64>() / nodes.len() as f64);
    let radius = radius(nodes.len());
    PlacedRule::named("half-way").with_each("velocity", move |[x, y, _]| {
        let share = (x as f64 - centre[0]).hypot(y as f64 - centre[1]) / radius;
        [0.0, 0.0, 2.0 * mean * (1.0 - share * share).max(0.0)]
    })
}

/// The mass that crosses each patch in a step, every so many steps: what enters at the inlet, and what leaves at each outlet.
pub(super) fn table(outlets: usize, interval: u64, unit: f64) -> Table {
    let columns = patches(outlets);
    let look = move |simulation: &mut Simulation| {
        let rates = columns.iter().map(|&patch| simulation.mass_into(patch)).collect::<Result<Vec<_>, _>>();
        rates.map(|mut rates| {
            // What leaves through the inlet is what enters there, with its sign turned.
            rates[0] = -rates[0];
            rates
        })
    };
    Table::of_gauge(FILE, interval, unit, Gauge { columns, look: Arc::new(look) })
}

/// What crossed each patch at last, the share of each outlet, and what is missing of what entered.
pub(super) fn measures(rows: &[Row]) -> Vec<Measure> {
    let Some((&entered, left)) = rows.last().and_then(|row| row.values.split_first()) else {
        return Vec::new();
    };
    let names = patches(left.len());
    let rate =
        |name: &str, rate: f64| Measure::alone(&format!("mass a step through `{name}` (density 1)"), rate);
    let mut all = vec![rate(names[0], entered)];
    for (name, &through) in names[1..].iter().zip(left) {
        all.push(rate(name, through));
        if left.len() > 1 {
            all.push(Measure::alone(&format!("share of `{name}` in what entered"), through / entered));
        }
    }
    let missing = 1.0 - left.iter().sum::<f64>() / entered;
    let name = "what entered and did not leave, as a share: inlet less the sum of all outlets";
    all.push(Measure::compared(name, missing, 0.0, "mass is conserved, once steady"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balance_is_stated_of_the_last_row() {
        let row = |values: &[f64]| Row { step: 1, time: 0.1, values: values.to_vec() };
        let of = |rows: &[Row]| -> Vec<(String, f64)> {
            measures(rows).into_iter().map(|measure| (measure.name, measure.measured)).collect()
        };
        let all = of(&[row(&[9.0; 4]), row(&[4.0, 2.0, 1.0, 0.5])]);
        assert_eq!(
            all.iter().map(|(_, value)| *value).collect::<Vec<_>>(),
            [4.0, 2.0, 0.5, 1.0, 0.25, 0.5, 0.125, 0.125]
        );
        assert!(all[3].0.contains("`middle`") && all[7].0.contains("sum of all outlets"), "{all:?}");
        assert_eq!(of(&[row(&[4.0, 3.0])]).len(), 3);
        assert!(of(&[]).is_empty());
    }
}
