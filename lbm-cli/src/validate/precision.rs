//! What storage and arithmetic types cost in accuracy: the same flows in every precision, beside f64, over many steps.

mod errors;
mod flow;
mod page;

use lbm_core::Error;
use lbm_core::facts::Rounding;

use super::{Event, Options, Row, largest};
use crate::variants::Entry;
use errors::Errors;
use flow::{FLOWS, Flow, Roundings};

const SOURCE: &str = "the same flow in f64; tolerance: Higham & Mary, SIAM J. Sci. Comput. 41 (2019) A2815 \
                                 (sums of roundings), storage: Lehmann et al., Phys. Rev. E 106 (2022) 015308";

/// Time steps in full and for continuous integration.
const STEPS: [u64; 2] = [100_000, 2000];

/// What is compared with f64, beside the format that is graded for the flow's own speed.
const PRECISIONS: [&str; 6] = ["f32", "f32in64", "f16in32", "f16in64", "bf16in32", "fp16cin32"];

/// What a rounding of all populations changes of the momentum along an axis is at most so many roundings: D2Q9 has three directions
/// either way.
const ALONG_AN_AXIS: f64 = 6.0;

/// Roundings by which a collision in f32 may be wrong at all nodes in the same way: those of the coefficients of a
/// population on its way (1 - omega, omega, its weight, 1 / cs2), which are rounded once a run.
const COEFFICIENTS: f64 = 4.0;

/// No velocity may be wrong by more than this part of the flow's speed, however few digits there are.
const ALL_WRONG: f64 = 0.5;

/// So many standard deviations are not passed but with a probability of 2 exp(-6^2 / 2) = 3e-8.
const DEVIATIONS: f64 = 6.0;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let steps = STEPS[usize::from(options.quick)];
    let mut measured = Vec::new();
    for flow in &FLOWS {
        let variants = PRECISIONS.into_iter().chain([flow.graded]).map(|name| flow.variant(name));
        let variants = variants.collect::<Result<Vec<_>, _>>()?;
        let errors = Errors::measure(flow, &variants, steps, options.small_box(), heard)?;
        for (variant, errors) in errors.columns() {
            heard(Event::Row(row(flow, variant, errors, steps)));
        }
        for ((variant, _), &drift) in errors.columns().zip(errors.drifts()) {
            heard(Event::Row(drift_row(flow, variant, drift, steps)));
        }
        if let Some(folder) = &options.out {
            errors.write(folder, flow)?.into_iter().for_each(|path| heard(Event::Written(path)));
        }
        measured.push((flow, errors));
    }
    if let Some(folder) = &options.out {
        heard(Event::Written(page::write(folder, &measured, steps)?));
    }
    Ok(())
}

fn row(flow: &Flow, variant: &Entry, errors: &[f64], steps: u64) -> Row {
    let largest = largest(errors.iter().copied());
    let last = errors.last().copied().unwrap_or(f64::NAN);
    Row::error(
        format!("precision-{}-{}", flow.name, variant.facts.precision.name),
        &variant.name,
        largest,
        tolerance(flow, variant, steps),
    )
    .about(
        format!(
            "largest error of the velocity over U = {} in {steps} steps, {} (in the end {last:.1e})",
            flow.speed, flow.title
        ),
        SOURCE,
    )
}

/// What is lost or won of the mass is shown: where all nodes round alike, a part of it.
fn drift_row(flow: &Flow, variant: &Entry, drift: f64, steps: u64) -> Row {
    let name = format!("precision-{}-{}-mass", flow.name, variant.facts.precision.name);
    let quantity = format!("change of the mean density in {steps} steps, {}", flow.title);
    Row::shown(name, &variant.name, drift).about(quantity, "mass is conserved but for roundings to memory")
}

/// How far a velocity may be from f64's, over the flow's speed U.
///
/// What is stored is h = f - w, about 3 w (c . u). A rounding of all h of a node changes its momentum by at most
/// its [`Rounding`] relative to (sum over i of |c_i| |h_i|), about U, and stays for n steps: as long as the flow remembers, or all that
/// were done. Numbers so small that their last place is fixed add the absolute part to all.
///
/// - Rounded coefficients do so everywhere and always with one sign: n times.
/// - Roundings to memory add up as [`Roundings`] says.
///
/// Measured over 10^5 steps, as given by the CPU: docs/accuracy.md has the table. The wave in f32 is 4 times below the tolerance, in f32in64 72 times,
/// in 16 bits 17 to 72 times (bfloat16 against half of U: twice); the cavity 11 to 26 times; Poiseuille 3 to 7 times.
fn tolerance(flow: &Flow, variant: &Entry, steps: u64) -> f64 {
    let n = flow.memory.min(steps as f64);
    let stored = match flow.roundings {
        Roundings::Alike => n,
        Roundings::EachNode(nodes) => n.min(DEVIATIONS * n / nodes.sqrt()),
        Roundings::EachStep => n.min(DEVIATIONS * n.sqrt()),
    };
    let Rounding { relative, absolute, .. } = variant.facts.precision.rounding();
    let rounding = relative + absolute * ALONG_AN_AXIS / flow.speed;
    let computed = variant.epsilon() / 2.0;
    (rounding * stored + computed * COEFFICIENTS * n).min(ALL_WRONG)
}
