//! Two thin layers of shear that roll up, on fewer nodes than they need: which collisions bear it, and what remains of the energy.

use std::f64::consts::TAU;
use std::path::PathBuf;

use lbm_core::Error;
use lbm_generator::language::Forcing;

use super::{Criterion, Event, Options, Row, every_body, plain};
use crate::output::{Picture, Plane, number, prepare, write_picture, write_rows};
use crate::simulation::{Initial, Problem, Simulation, Viscosity};

const SOURCE: &str = "Minion & Brown, J. Comput. Phys. 138 (1997) 734, on as many nodes as in Boesch, Chikatamarla & Karlin, Phys. Rev. E 92 (2015) \
                      043309; no reference: whether a run ends depends on its nodes";

/// Nodes a side, in full and in the reduced form.
const NODES: [usize; 2] = [128, 64];

const REYNOLDS: f64 = 30_000.0;

/// The velocity beside the layers.
const SPEED: f64 = 0.04;

/// How thin layers are, and how much they are disturbed.
const THINNESS: f64 = 80.0;
const DISTURBANCE: f64 = 0.05;

/// In the time in which the fluid passes the box once, the layers roll up. It is looked at so often.
const LOOKS: u64 = 20;

/// With so much of its first energy a run has not survived.
const TOO_MUCH: f64 = 1.5;

pub(super) fn run(options: &Options, heard: &mut dyn FnMut(Event)) -> Result<(), Error> {
    let nodes = NODES[usize::from(options.quick)];
    let mut table = Vec::new();
    for body in every_body(Forcing::None, options).filter(|body| body.facts.lattice.name == "D2Q9") {
        let collision = body.facts.body.collision;
        heard(Event::Progress(format!("shear-layer: {collision}, {nodes} x {nodes}")));
        let variant = plain(&format!("d2q9-{collision}"));
        let mut layers = Layers::start(&variant, nodes, options)?;
        let (time, energy) = layers.survive()?;
        let place = format!("Re = {REYNOLDS}, {nodes} x {nodes} nodes");
        let survived = Row::shown(format!("shear-layer-time-{collision}"), &variant, time);
        heard(Event::Row(survived.about(
            format!("passages of the box until the energy is {TOO_MUCH} times the first one, 1 if it is not before; {place}"),
            SOURCE,
        )));
        // Nothing drives the fluid: what has survived has lost energy.
        let criterion = if time < 1.0 { Criterion::Shown } else { Criterion::AtLeast };
        let lost = Row::shown(format!("shear-layer-lost-{collision}"), &variant, 1.0 - energy);
        heard(Event::Row(Row { criterion, ..lost }.about(
            format!("part of the energy that is lost when last looked at, above 0 if it survives; {place}"),
            SOURCE,
        )));
        table.push(vec![collision.to_owned(), number(time), number(energy)]);
        if let Some(folder) = &options.out {
            heard(Event::Written(layers.draw(folder.join(format!("shear_layer_{collision}.png")), &place)?));
        }
    }
    if let Some(folder) = &options.out {
        let path = folder.join("shear_layer.csv");
        write_rows(&path, &["collision", "passages", "energy"].map(str::to_owned), &table)?;
        heard(Event::Written(path));
    }
    Ok(())
}

/// A run.
struct Layers {
    simulation: Simulation,
    nodes: usize,
    collision: String,
}

impl Layers {
    fn start(variant: &str, nodes: usize, options: &Options) -> Result<Layers, Error> {
        let initial = move |[x, y, _]: [usize; 3]| {
            let [x, y] = [x, y].map(|node| (node as f64 + 0.5) / nodes as f64);
            let along = if y < 0.5 { (THINNESS * (y - 0.25)).tanh() } else { (THINNESS * (0.75 - y)).tanh() };
            Initial::velocity([SPEED * along, SPEED * DISTURBANCE * (TAU * (x + 0.25)).sin(), 0.0])
        };
        let problem = Problem {
            size: Some([nodes, nodes].into()),
            viscosity: Some(Viscosity::Value(SPEED * nodes as f64 / REYNOLDS)),
            initial: Some(Box::new(initial)),
            placement: options.placement,
            ..Problem::default()
        };
        let simulation = crate::variants::build(variant, problem)?;
        Ok(Layers { simulation, nodes, collision: variant.to_owned() })
    }

    /// Runs until the fluid has passed the box once, if it bears it: for how much of that, and the energy over the first one.
    fn survive(&mut self) -> Result<(f64, f64), Error> {
        let (first, steps) = (self.energy()?, self.nodes as f64 / SPEED);
        let mut energy = 1.0;
        for look in 1..=LOOKS {
            let step = (steps * look as f64 / LOOKS as f64).round() as u64;
            self.simulation.run(step - self.simulation.time_step())?;
            let now = self.energy()? / first;
            if now.is_nan() || now >= TOO_MUCH {
                return Ok(((look - 1) as f64 / LOOKS as f64, energy));
            }
            energy = now;
        }
        Ok((1.0, energy))
    }

    fn energy(&self) -> Result<f64, Error> {
        Ok(self.simulation.velocity()?.iter().flatten().map(|component| component * component).sum())
    }

    /// Draws the vorticity.
    fn draw(&self, path: PathBuf, place: &str) -> Result<PathBuf, Error> {
        if let Some(folder) = path.parent() {
            prepare(folder)?;
        }
        let scale = self.nodes as f64 / SPEED;
        let vorticity: Vec<f64> = self.simulation.vorticity()?.iter().map(|[.., z]| z * scale).collect();
        let picture = Picture {
            size: [self.nodes, self.nodes, 1],
            planes: &[Plane::Z],
            scalar: Some(&vorticity),
            title: &self.collision,
            subtitle: &format!("{place}, step {}", self.simulation.time_step()),
            label: "vorticity L / U",
            ..Picture::default()
        };
        write_picture(&path, &picture)?;
        Ok(path)
    }
}
