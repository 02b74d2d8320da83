//! Flows that change along one direction only, through a generated kernel as the generator runs it: a node stands for a plane of them.

use lbm_generator::Generated;
use lbm_generator::interpret::{Runner, polynomials};
use lbm_generator::rational::to_f64;
use lbm_generator::symbolic::Definition;

/// The coefficients that are the same for all nodes: parameters have these values or their defaults, forces are 0.
pub(crate) fn uniforms(generated: &Generated, given: &[(&str, f64)]) -> Vec<f64> {
    let value = |at: usize| {
        let (name, default) = &generated.parameters[at];
        match given.iter().find(|(known, _)| known == name) {
            Some(&(_, value)) => value,
            None if name.starts_with("force_") => 0.0,
            None => to_f64(default.as_ref().unwrap()),
        }
    };
    let program = &generated.collide;
    let parameter = |input: &Definition| match input {
        Definition::Parameter(p) => generated.parameter_index[*p].map_or(0.0, value),
        _ => unreachable!("these follow from parameters"),
    };
    polynomials(&program.symbols, &program.uniforms, parameter).unwrap()
}

/// A periodic row of planes, without walls.
pub(crate) struct Line<'a> {
    collide: Runner<'a, f64>,
    velocities: Vec<[f64; 3]>,
    /// By how many planes a population of each direction moves in a step.
    moves: Vec<usize>,
    /// Coefficients of each plane.
    uniforms: Vec<Vec<f64>>,
    /// Populations of each plane behind its collision.
    planes: Vec<Vec<f64>>,
}

impl<'a> Line<'a> {
    /// Planes across `along`, with the equilibrium of a density and a velocity in each, and what is the same in all nodes of it.
    pub(crate) fn new(
        generated: &'a Generated,
        along: [i32; 3],
        uniforms: Vec<Vec<f64>>,
        initial: impl Fn(usize) -> [f64; 4],
    ) -> Line<'a> {
        let count = uniforms.len();
        let planes = (0..count)
            .map(|plane| generated.equilibrium.evaluate(&[], &initial(plane), &[]).unwrap())
            .collect();
        let velocities: Vec<[i32; 3]> = generated.lattice.velocities.clone();
        let moves = velocities.iter().map(|c| {
            let along: i32 = c.iter().zip(along).map(|(c, n)| c * n).sum();
            along.rem_euclid(count as i32) as usize
        });
        Line {
            collide: Runner::new(&generated.collide),
            moves: moves.collect(),
            velocities: velocities.into_iter().map(|c| c.map(f64::from)).collect(),
            uniforms,
            planes,
        }
    }

    /// So many steps.
    pub(crate) fn run(&mut self, steps: usize) {
        let count = self.planes.len();
        for _ in 0..steps {
            let arrived = |plane: usize| {
                let from = |(i, moved): (usize, &usize)| self.planes[(plane + count - moved) % count][i];
                self.moves.iter().enumerate().map(from).collect::<Vec<f64>>()
            };
            let after = (0..count)
                .map(|plane| self.collide.run(&arrived(plane), &[], &self.uniforms[plane]).expect("numbers"));
            self.planes = after.collect();
        }
    }

    /// Momentum of each plane behind its collision, by its deviation from rest.
    pub(crate) fn momentum(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.planes.iter().map(|h| {
            let part = |a: usize| self.velocities.iter().zip(h).map(|(c, h)| c[a] * h).sum();
            std::array::from_fn(part)
        })
    }
}
