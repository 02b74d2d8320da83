//! Fluid between a warm plate below and a cold one above: when rolls begin to grow, and what heat they take along.

use std::f64::consts::TAU;

use lbm_core::Error;

use super::measured::Measured;
use super::{Event, Options, Row, flow_of, heated, narrow};

const ONSET: &str = "Chandrasekhar, Hydrodynamic and Hydromagnetic Stability (1961), two rigid plates: 1707.762 at wave number 3.117";

/// Where rolls begin to grow.
const CRITICAL: f64 = 1707.762;

/// The Rayleigh numbers at which growth is measured, on both sides of that.
const BESIDE: [f64; 2] = [1600.0, 1800.0];

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    onset(options, heard)?;
    nusselt(options, heard)
}

/// The body of the case.
const VARIANT: &str = "d2q9d2q5-boussinesq-of-trt-and-bgk-f64-soa-dense-two-lattice-pull";

/// How fast rolls grow that have hardly begun: the rate in units of diffusivity / height^2, of the second half of 0.6 height^2 / diffusivity.
fn growth(rayleigh: f64, height: usize, options: &Options) -> Result<f64, Error> {
    let problem =
        flow_of("rayleigh-benard", &format!("size={height} ra={rayleigh} amplitude=1e-4 velocity=0.05"))?;
    let size = problem.size.as_ref().map(|size| size.axes().to_vec()).unwrap_or_default();
    let diffusivity =
        problem.parameters.iter().find(|(name, _)| name == "diffusivity").map_or(1.0, |known| known.1);
    let time = (height * height) as f64 / diffusivity;
    let [long, rows] = size[..] else { return Ok(f64::NAN) };
    let mut flow = narrow([long, rows], problem, &[], VARIANT, options)?;
    let mut roll = || {
        flow.run((0.3 * time) as u64)?;
        let velocity = flow.velocity()?;
        let wave = |node: usize| (TAU * ((node % long) as f64 + 0.5) / long as f64).cos();
        Ok::<f64, Error>(velocity.iter().enumerate().map(|(node, u)| u[1] * wave(node)).sum())
    };
    let [before, after] = [roll()?, roll()?];
    Ok((after / before).ln() / (0.3 * time).floor() * time)
}

/// The Rayleigh number at which growth is 0, by a line between two.
fn onset(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let name = "rayleigh-benard-onset".to_owned();
    heard(Event::Progress(name.clone()));
    let height = if options.quick { 20 } else { 32 };
    let [below, above] = BESIDE.map(|rayleigh| growth(rayleigh, height, options));
    let [below, above] = [below?, above?];
    let found = BESIDE[0] - below * (BESIDE[1] - BESIDE[0]) / (above - below);
    let row = Row { reference: CRITICAL, ..Row::error(name, VARIANT, found, 0.015 * CRITICAL) };
    heard(Event::Row(row.about(
        format!("Rayleigh number at which a pair of rolls begins to grow, {height} nodes from plate to plate; tolerance: 1.5 %"),
        ONSET,
    )));
    Ok(())
}

/// What rolls take from plate to plate.
fn nusselt(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let flows: &[(f64, usize)] = if options.quick { &[(5e3, 24)] } else { &[(5e3, 48), (1e4, 64)] };
    for &(rayleigh, n) in flows {
        let name = format!("rayleigh-benard-ra{rayleigh:e}");
        let settings = format!("ra={rayleigh} size={n} checkpoint=0 tolerance=1e-5");
        let placement = if options.quick { options.small_box() } else { options.placement };
        let found = Measured::of("rayleigh-benard", &settings, name.clone(), placement, heard)?;
        let what = "mean Nusselt number of the warm plate";
        let about =
            format!("{what}, Ra {rayleigh:e}, Pr 0.71, {n} nodes from plate to plate; tolerance: 1.5 %");
        let known = (found.reference(what), 0.015, found.source(what));
        heated::nusselt(&found, name, (what, about), known, 1e-3, heard);
    }
    Ok(())
}
