//! Taylor-Green vortices in three dimensions, which break up: when, and how fast, their energy is dissipated the most.

use std::f64::consts::TAU;

use lbm_core::Error;

use super::{Event, Options, Row, largest};
use crate::simulation::{Backend, Initial, Problem, Simulation, Viscosity};

const SOURCE: &str = "spectral method with 512^3 modes of the International Workshop on High-Order CFD Methods, case C3.5 (van Rees, Leonard, \
                      Pullin & Koumoutsakos, J. Comput. Phys. 230 (2011) 2794): -dE/dt = 0.0128575 U^3 / L at t = 8.97 L / U";

/// Of the reference, in U^3 / L and L / U.
const PEAK: f64 = 0.012_857_528;
const TIME: f64 = 8.97;

/// How far the peak may be off, as a part of it, and its time.
const OFF: [f64; 2] = [0.05, 0.3];

const REYNOLDS: f64 = 1600.0;

/// The vortices' greatest velocity: a Mach number of 0.17. Half of it takes twice as many steps, of which each damps waves of few nodes.
const SPEED: f64 = 0.1;

/// Nodes a side, and those that are shown too where they take no hour.
const NODES: usize = 128;
const FINE: usize = 256;

/// Looks at the energy, in L / U: from the first to the last one, so far from each other.
const FROM: f64 = 7.0;
const TO: f64 = 11.0;
const EVERY: f64 = 0.1;

/// In single precision; layout and streaming change no bit.
const NAMES: [&str; 4] = ["d3q27-cumulant", "d3q27-kbc", "d3q27-regularized", "d3q27-bgk"];

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    for name in NAMES {
        for row in rows(name, NODES, options, heard)? {
            heard(Event::Row(row));
        }
    }
    if options.placement.backend != Backend::Cpu {
        for row in rows(NAMES[0], FINE, options, heard)? {
            heard(Event::Row(row));
        }
    }
    Ok(())
}

fn rows(
    name: &str,
    nodes: usize,
    options: &Options,
    heard: &mut dyn FnMut(Event),
) -> Result<[Row; 2], Error> {
    let variant = format!("{name}-f32-soa-dense-two-lattice-pull");
    let mut vortices = start(&variant, nodes, options)?;
    let turnover = nodes as f64 / TAU / SPEED;
    let mut energies = Vec::new();
    for look in 0..=((TO - FROM) / EVERY).round() as u32 {
        let time = FROM + EVERY * f64::from(look);
        heard(Event::Progress(format!("taylor-green-3d: {name}, {nodes}^3, t = {time:.1} L / U of {TO}")));
        vortices.run((time * turnover).round() as u64 - vortices.time_step())?;
        energies.push(energy(&vortices)?);
    }
    let rates: Vec<f64> = energies.windows(3).map(|three| (three[0] - three[2]) / (2.0 * EVERY)).collect();
    let peak = largest(rates.iter().copied());
    let time =
        rates.iter().position(|&rate| rate == peak).map_or(f64::NAN, |at| FROM + EVERY * (at + 1) as f64);
    let row = |what: &str, measured, reference, tolerance| {
        let row_name = format!("taylor-green-3d-{what}-{name}-{nodes}");
        match nodes {
            NODES => Row { reference, ..Row::error(row_name, &variant, measured, tolerance) },
            _ => Row::shown(row_name, &variant, measured),
        }
    };
    let place = format!("Re = {REYNOLDS}, {nodes}^3 nodes, U = {SPEED}");
    Ok([
        row("peak", peak, PEAK, OFF[0] * PEAK).about(format!("largest -dE/dt in U^3 / L, {place}"), SOURCE),
        row("time", time, TIME, OFF[1]).about(format!("when it is, in L / U, to {EVERY}; {place}"), SOURCE),
    ])
}

/// At rest but for the vortices, with their pressure (Taylor & Green 1937).
fn start(variant: &str, nodes: usize, options: &Options) -> Result<Simulation, Error> {
    let k = TAU / nodes as f64;
    let initial = move |position: [usize; 3]| {
        let [(sx, cx), (sy, cy), (sz, cz)] = position.map(|node| (k * (node as f64 + 0.5)).sin_cos());
        let double = |sin: f64| 1.0 - 2.0 * sin * sin;
        let pressure = SPEED * SPEED / 16.0 * (double(sx) + double(sy)) * (double(sz) + 2.0);
        let gradient = [
            [cx * cy * cz, sx * sy * cz, 0.0],
            [-sx * sy * cz, -cx * cy * cz, 0.0],
            [-sx * cy * sz, cx * sy * sz, 0.0],
        ];
        Initial {
            density: 1.0 + 3.0 * pressure,
            velocity: [SPEED * sx * cy * cz, -SPEED * cx * sy * cz, 0.0],
            gradient: Some(gradient.map(|row| row.map(|value| SPEED * k * value))),
        }
    };
    let problem = Problem {
        size: Some([nodes; 3].into()),
        viscosity: Some(Viscosity::Value(SPEED * nodes as f64 / TAU / REYNOLDS)),
        initial: Some(Box::new(initial)),
        placement: options.placement,
        ..Problem::default()
    };
    crate::variants::build(variant, problem)
}

/// The mean kinetic energy of a unit of mass, in U^2.
fn energy(flow: &Simulation) -> Result<f64, Error> {
    let velocity = flow.velocity()?;
    let sum: f64 = velocity.iter().map(|velocity| velocity.iter().map(|u| u * u).sum::<f64>()).sum();
    Ok(0.5 * sum / velocity.len() as f64 / (SPEED * SPEED))
}
