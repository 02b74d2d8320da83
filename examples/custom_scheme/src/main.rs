//! A streaming pattern of one's own, for the CPU and for a GPU: where each population is read says all.

use lbm::core::{Access, Lattice, Streaming};
use lbm::prelude::*;
use lbm::simulation::Backend;

/// AA with its steps in the other order: even steps gather from the neighbours and scatter to them, odd ones stay in the
/// node. One copy of the populations.
#[derive(Clone, Copy, Debug)]
pub struct Scattered;

impl Streaming for Scattered {
    const NAME: &'static str = "scattered";
    const COPIES: usize = 1;
    const PERIOD: usize = 2;

    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        match phase {
            0 => Access { shift: L::VELOCITIES[i].map(|c| -c), slot: i },
            _ => Access { shift: [0; 3], slot: L::OPPOSITES[i] },
        }
    }
}

solver! { pub Wave { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Scattered } }

/// The viscosity that a decaying shear wave shows, on a backend.
fn viscosity(backend: Backend) -> Result<f64, Error> {
    let k = std::f64::consts::TAU / 32.0;
    let wave = move |[x, _, _]: [usize; 3]| Initial::velocity([0.0, 0.05 * (k * x as f64).sin(), 0.0]);
    let mut flow = Wave::builder().size([32, 8, 8]).viscosity(0.05).initial(wave).backend(backend).build()?;
    let amplitude = |flow: &Simulation| flow.velocity().map(|u| u[8][1]);
    let (before, steps) = (amplitude(&flow)?, 300);
    flow.run(steps)?;
    Ok((before / amplitude(&flow)?).ln() / (k * k * steps as f64))
}

fn main() -> Result<(), Error> {
    println!("{}, viscosity 0.05", <Wave as lbm::core::Variant>::name());
    for backend in [Backend::Cpu, Backend::Cuda(0)] {
        match viscosity(backend) {
            Ok(measured) => println!("{backend}: {measured:.6}"),
            Err(error) => println!("{backend}: {error}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lbm::core::laws;

    #[test]
    fn the_pattern_keeps_the_laws() {
        laws::slots_are_a_permutation::<Scattered, D3Q19>().unwrap();
        laws::free_of_races::<Scattered, D3Q19, Dense, Soa>([5, 4, 3]).unwrap();
    }

    #[test]
    fn a_shear_wave_decays_as_it_should() {
        assert!((viscosity(Backend::Cpu).unwrap() / 0.05 - 1.0).abs() < 0.01);
    }

    cross_check!(Wave, steps: [1, 2, 7]);
}
