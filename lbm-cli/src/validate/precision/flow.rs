//! The flows in which precisions are compared.

use std::f64::consts::{E, TAU};

use lbm_core::Error;

use super::super::flow_of;
use crate::simulation::{Initial, Problem, Viscosity};
use crate::variants::{self, Entry};

/// A flow, whatever its precision.
pub(super) struct Flow {
    /// What the names of its rows end with, and files begin with.
    pub(super) name: &'static str,
    /// What stands above its picture.
    pub(super) title: &'static str,
    /// Lattice, collision and forcing of its variants.
    pub(super) family: &'static str,
    /// The speed that errors are divided by (lattice units).
    pub(super) speed: f64,
    /// For how many steps a disturbance of the velocity stays: what comes in at 1 a step adds up to this.
    pub(super) memory: f64,
    /// How roundings to memory add up.
    pub(super) roundings: Roundings,
    /// The format that is graded for its speed.
    pub(super) graded: &'static str,
    /// The flow itself.
    pub(super) problem: fn() -> Result<Problem, Error>,
}

impl Flow {
    /// The first variant of its family in this precision: layout and streaming change no bit.
    pub(super) fn variant(&self, precision: &str) -> Result<&'static Entry, Error> {
        let start = format!("{}-{precision}-", self.family);
        let names = variants::names();
        match names.iter().find(|name| name.starts_with(&start)) {
            Some(name) => variants::find(name),
            None => Err(Error::unknown("variant", &start, names, "`lbm variants` lists the known ones")),
        }
    }
}

/// What roundings to memory have to do with each other, and so what n of them, each of size 1, may add up to.
pub(super) enum Roundings {
    /// The flow is steady and the same along its way: all have one sign, n.
    Alike,
    /// The flow is steady, so a node repeats its rounding, but others round differently: as many independent sums of n as
    /// there are nodes, averaged by the viscosity, n / sqrt(nodes).
    EachNode(f64),
    /// All values change, and with them what is rounded: sqrt(n). This takes that a population changes by more than half a
    /// unit of its last place between two roundings. By diffusion alone a slow wave does not (2e-5 of it a step here, against
    /// 2e-4 in 16 bits), but by what streams in with BGK it does. With TRT at magic 3/16, which relaxes the odd part slowly, 16
    /// bits stand still: after 10^5 steps the wave is as high as at the start.
    EachStep,
}

/// All of them.
pub(super) const FLOWS: [Flow; 3] = [
    Flow {
        name: "shear-wave",
        title: "decaying shear wave, 128 nodes, nu = 0.01",
        family: "d2q9-bgk",
        speed: WAVE_SPEED,
        // What comes in at step s is as small as the wave is then, and decays with it: t exp(-t / n) is n / e at most.
        memory: 1.0 / (E * WAVE_VISCOSITY * WAVE_NUMBER * WAVE_NUMBER),
        roundings: Roundings::EachStep,
        graded: "graded4in32",
        problem: shear_wave,
    },
    Flow {
        name: "cavity",
        title: "lid-driven cavity at Re 1000, 64 x 64 nodes",
        // BGK does not stay stable on so few nodes.
        family: "d2q9-trt-guo",
        speed: LID,
        // Some ten passages of the lid (see the check `cavity`), of a fluid whose speed is 0.298 U in the root of the mean
        // square: its energy is 0.0445 U^2 (Bruneau & Saad, Computers & Fluids 35 (2006) 326-348).
        memory: 0.298 * 10.0 * SIDE as f64 / LID,
        roundings: Roundings::EachNode((SIDE * SIDE) as f64),
        graded: "graded4in32",
        problem: || flow_of("cavity2d", &format!("size={SIDE} re=1000 velocity={LID}")),
    },
    Flow {
        name: "poiseuille",
        title: "plane Poiseuille flow, 16 nodes",
        family: "d2q9-trt-guo",
        speed: CENTRE,
        // A force of 1 a step drives the middle to H^2 / (8 nu).
        memory: (HEIGHT * HEIGHT) as f64 / (8.0 * CHANNEL_VISCOSITY),
        roundings: Roundings::Alike,
        graded: "graded10in32",
        problem: || {
            let settings = format!("size={HEIGHT} velocity={CENTRE} viscosity={CHANNEL_VISCOSITY}");
            flow_of("poiseuille2d", &settings)
        },
    },
];

const WAVE_LENGTH: usize = 128;
const WAVE_NUMBER: f64 = TAU / WAVE_LENGTH as f64;
const WAVE_SPEED: f64 = 0.05;

/// After 10^5 steps 9 % of the wave are left.
const WAVE_VISCOSITY: f64 = 0.01;

fn shear_wave() -> Result<Problem, Error> {
    let wave = |[x, ..]: [usize; 3]| {
        let (sin, cos) = (WAVE_NUMBER * x as f64).sin_cos();
        let mut gradient = [[0.0; 3]; 3];
        gradient[0][1] = WAVE_SPEED * WAVE_NUMBER * cos;
        Initial { gradient: Some(gradient), ..Initial::velocity([0.0, WAVE_SPEED * sin, 0.0]) }
    };
    Ok(Problem {
        size: Some([WAVE_LENGTH, 4].into()),
        viscosity: Some(Viscosity::Value(WAVE_VISCOSITY)),
        initial: Some(Box::new(wave)),
        ..Problem::default()
    })
}

const SIDE: usize = 64;
const LID: f64 = 0.1;

const HEIGHT: usize = 16;
const CENTRE: f64 = 1e-3;
const CHANNEL_VISCOSITY: f64 = 1.0 / 6.0;
