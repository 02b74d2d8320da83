//! What storage and arithmetic types cost in accuracy: the same flows in every precision, beside f64, over many steps.

mod errors;
mod flow;

use lbm_core::Error;

use super::{Event, Options, Row, largest};
use errors::Errors;
use flow::{FLOWS, Flow, Roundings};

const SOURCE: &str = "the same flow in f64; tolerance: Higham & Mary, SIAM J. Sci. Comput. 41 (2019) A2815 \
                                 (sums of roundings), storage: Lehmann et al., Phys. Rev. E 106 (2022) 015308";

/// Time steps in full and for continuous integration.
const STEPS: [u64; 2] = [100_000, 2000];

/// A type of the populations beside f64, and the largest relative error of a rounding.
#[derive(Clone, Copy)]
struct Precision {
    /// As variants have it.
    name: &'static str,
    /// In memory.
    stored: f64,
    /// In memory, of the smallest numbers, which have no digits of their own: the largest absolute error.
    smallest: f64,
    /// In the collision; 0 for f64.
    computed: f64,
}

/// 2^-24.
const F32: f64 = 1.0 / 16_777_216.0;

/// 2^-11.
const F16: f64 = 1.0 / 2048.0;

/// 2^-8.
const BF16: f64 = 1.0 / 256.0;

/// 2^-12.
const FP16C: f64 = 1.0 / 4096.0;

/// 2^-26.
const FP16C_SMALLEST: f64 = 1.0 / 67_108_864.0;

/// What is compared with f64, beside the flow's own fixed point.
const PRECISIONS: [Precision; 6] = [
    Precision { name: "f32", stored: F32, smallest: 0.0, computed: F32 },
    Precision { name: "f32in64", stored: F32, smallest: 0.0, computed: 0.0 },
    Precision { name: "f16in32", stored: F16, smallest: 0.0, computed: F32 },
    Precision { name: "f16in64", stored: F16, smallest: 0.0, computed: 0.0 },
    Precision { name: "bf16in32", stored: BF16, smallest: 0.0, computed: F32 },
    Precision { name: "fp16cin32", stored: FP16C, smallest: FP16C_SMALLEST, computed: F32 },
];

impl Precision {
    /// Whole numbers of 16 bits below 2^-`bits`.
    const fn fixed(name: &'static str, bits: u32) -> Precision {
        Precision { name, stored: 0.0, smallest: 1.0 / (1_u64 << (bits + 16)) as f64, computed: F32 }
    }
}

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
    for flow in &FLOWS {
        let precisions: Vec<Precision> = PRECISIONS.into_iter().chain([flow.fixed]).collect();
        let errors = Errors::measure(flow, &precisions, steps, options.small_box(), heard)?;
        for (precision, (variant, errors)) in precisions.iter().zip(errors.columns()) {
            heard(Event::Row(row(flow, precision, variant, errors, steps)));
        }
        for (precision, ((variant, _), &drift)) in
            precisions.iter().zip(errors.columns().zip(errors.drifts()))
        {
            heard(Event::Row(drift_row(flow, precision, variant, drift, steps)));
        }
        if let Some(folder) = &options.out {
            errors.write(folder, flow)?.into_iter().for_each(|path| heard(Event::Written(path)));
        }
    }
    Ok(())
}

fn row(flow: &Flow, precision: &Precision, variant: &str, errors: &[f64], steps: u64) -> Row {
    let largest = largest(errors.iter().copied());
    let last = errors.last().copied().unwrap_or(f64::NAN);
    Row::error(
        format!("precision-{}-{}", flow.name, precision.name),
        variant,
        largest,
        tolerance(flow, precision, steps),
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
fn drift_row(flow: &Flow, precision: &Precision, variant: &str, drift: f64, steps: u64) -> Row {
    let name = format!("precision-{}-{}-mass", flow.name, precision.name);
    let quantity = format!("change of the mean density in {steps} steps, {}", flow.title);
    Row::shown(name, variant, drift).about(quantity, "mass is conserved but for roundings to memory")
}

/// How far a velocity may be from f64's, over the flow's speed U.
///
/// What is stored is h = f - w, about 3 w (c . u). A rounding of all h of a node changes its momentum by at most
/// roundoff (sum over i of |c_i| |h_i|), about roundoff U, and stays for n steps: as long as the flow remembers, or all that
/// were done. Numbers so small that their last place is fixed add that to all.
///
/// - Rounded coefficients do so everywhere and always with one sign: n times.
/// - Roundings to memory add up as [`Roundings`] says.
///
/// Measured over 10^5 steps, as given by the CPU: docs/validation.md has the table. The wave in f32 is 4 times below the tolerance, in f32in64 72 times,
/// in 16 bits 14 to 27 times (bfloat16 against half of U: twice); the cavity 4 to 26 times; Poiseuille 3 to 7 times.
fn tolerance(flow: &Flow, precision: &Precision, steps: u64) -> f64 {
    let n = flow.memory.min(steps as f64);
    let stored = match flow.roundings {
        Roundings::Alike => n,
        Roundings::EachNode(nodes) => n.min(DEVIATIONS * n / nodes.sqrt()),
        Roundings::EachStep => n.min(DEVIATIONS * n.sqrt()),
    };
    let rounding = precision.stored + precision.smallest * ALONG_AN_AXIS / flow.speed;
    (rounding * stored + precision.computed * COEFFICIENTS * n).min(ALL_WRONG)
}
