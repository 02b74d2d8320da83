//! Two incompressible fluids of very different densities: the pressure in a drop, a bubble that rises, a wave that falls.

use std::f64::consts::PI;

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row};
use crate::cases::interface::share;
use crate::cases::largest;
use crate::simulation::{Problem, Viscosity};
use crate::variants;

const MODEL: &str =
    "Fakhari et al., Phys. Rev. E 96 (2017) 053301; tolerances from an independent program of the model";

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    laplace(options, heard)?;
    compare(&BUBBLE, options, heard)?;
    compare(&WAVE, options, heard)
}

/// A drop 1000 times as dense as what is around it, and 100 times as viscous.
fn laplace(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    const TENSION: f64 = 0.01;
    const WIDTH: f64 = 5.0;
    let variant =
        variants::find("d2q9d2q9-phase-field-of-trt-and-bgk-incompressible-f64-soa-dense-two-lattice-pull")?;
    let radii: &[usize] = if options.quick { &[16] } else { &[16, 24, 32] };
    for &radius in radii {
        let name = format!("phase-field-laplace-{radius}");
        heard(Event::Progress(name.clone()));
        let (size, r) = (4 * radius, radius as f64);
        let middle = (size - 1) as f64 / 2.0;
        let parameters =
            [("density_ratio", 1000.0), ("viscosity_ratio", 100.0), ("tension", TENSION), ("width", WIDTH)];
        let mut flow = variant.build(Problem {
            size: Some([size, size].into()),
            viscosity: Some(Viscosity::Value(0.1)),
            parameters: parameters.map(|(name, value)| (name.to_owned(), value)).to_vec(),
            sums: vec![(
                "phase".to_owned(),
                Box::new(move |[x, y, _]| share(r - (x as f64 - middle).hypot(y as f64 - middle), WIDTH)),
            )],
            placement: options.small_box(),
            ..Problem::default()
        })?;
        let before = flow.total_of("phase")?;
        // Until the drop rests, but in the quick form.
        flow.run(if options.quick { 500 } else { 2_000 } * radius as u64)?;
        let (reduced, phi) = (flow.density()?, flow.sum_of("phase")?);
        let pressure = |node: usize| (reduced[node] - 1.0) / 3.0 * (1e-3 + 0.999 * phi[node]);
        let area: f64 = phi.iter().sum();
        let excess = pressure(size * size / 2 + size / 2) - pressure(0);
        let error = excess * (area / PI).sqrt() / TENSION - 1.0;
        heard(Event::Row(Row::error(name, &variant.name, error, 0.02).about(
            format!("(p_in - p_out) R / tension - 1 of a drop of radius {radius}, 1000 times as dense"),
            MODEL,
        )));
        let fastest = largest(flow.velocity()?.iter().map(|u| u[0].hypot(u[1])));
        let row = Row::error(format!("phase-field-spurious-{radius}"), &variant.name, fastest, 4e-5);
        heard(Event::Row(row.about("the fastest spurious velocity around a drop", MODEL)));
        let row = Row::error(format!("phase-field-mass-{radius}"), &variant.name, area / before - 1.0, 1e-11);
        let what = "the heavy fluid in the end over that in the beginning, less 1";
        heard(Event::Row(row.about(what, "exact; to rounding")));
    }
    Ok(())
}

/// What a case measures in the end.
struct Known {
    case: &'static str,
    name: &'static str,
    /// Nodes, and the other settings, of the whole check and of the quick one.
    whole: (usize, &'static str),
    quick: (usize, &'static str),
    /// How each measure begins, what an independent program has in the few steps of the quick check, and how far the whole one may be from what is published, as a share.
    measures: &'static [(&'static str, f64, f64)],
    /// What errors are shares of: distances from here.
    from: f64,
}

/// The tolerance beside the independent program.
const SAME: f64 = 0.005;

/// The bubble of a benchmark. An interface of 4 nodes makes it heavier to set in motion, by an error of first order in its width.
const BUBBLE: Known = Known {
    case: "rising-bubble",
    name: "bubble",
    whole: (160, "velocity=0.0112 steps=30000"),
    quick: (64, ""),
    measures: &[
        ("least circularity", 0.9086, 0.01),
        ("largest speed", 0.2318, 0.04),
        ("height", 1.0497, 0.03),
    ],
    from: 0.0,
};

/// A heavy fluid above a light one; its surface was in the middle of the box, two lengths of the wave high.
const WAVE: Known = Known {
    case: "rayleigh-taylor",
    name: "wave",
    whole: (256, "steps=32000"),
    quick: (64, ""),
    measures: &[("spike", 0.9567, 0.05), ("bubble", 2.6637, 0.03)],
    from: 2.0,
};

fn compare(known: &Known, options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let (nodes, settings) = if options.quick { known.quick } else { known.whole };
    let placement = if options.quick { options.small_box() } else { options.placement };
    let name = format!("phase-field-{}-{nodes}", known.name);
    let settings = format!("size={nodes} film=0 {settings}");
    let found = Measured::of(known.case, settings.trim(), name.clone(), placement, heard)?;
    for &(begins, of_program, of_published) in known.measures {
        let (reference, share, source) = match options.quick {
            true => (of_program, SAME, MODEL),
            false => (found.reference(begins), of_published, found.source(begins)),
        };
        let name = format!("{name}-{}", begins.split(' ').next_back().unwrap_or_default());
        let tolerance = share * (reference - known.from).abs();
        let row = Row { reference, ..Row::error(name, &found.variant, found.value(begins), tolerance) };
        let from = if known.from == 0.0 { "it".to_owned() } else { format!("the way from {}", known.from) };
        let what =
            format!("{begins} of `lbm run {}` with {settings}; tolerance: {share} of {from}", known.case);
        heard(Event::Row(row.about(what, source)));
    }
    Ok(())
}
