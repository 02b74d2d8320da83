//! Streaming patterns of one's own, for the CPU and for a GPU: what is stored, what a step does, and where each population is read.

#[cfg(test)]
mod built_in;
mod compressed;
#[cfg(test)]
mod lattice {
    pub use lbm::core::Lattice;
}

use compressed::CompressedGrid;
use lbm::core::streaming::recipes;
use lbm::core::{Access, Lattice, Pattern, Streaming, Variant};
use lbm::prelude::*;
use lbm::simulation::Backend;

/// AA with its steps in the other order: even steps gather from the neighbours and scatter to them, odd ones stay in the
/// node. One copy of the populations.
#[derive(Clone, Copy, Debug)]
pub struct Scattered;

impl Streaming for Scattered {
    const PATTERN: Pattern = recipes::in_place("scattered", 2);

    fn read<L: Lattice>(i: usize, phase: usize) -> Access {
        match phase {
            0 => Access { shift: L::VELOCITIES[i].map(|c| -c), slot: i },
            _ => Access { shift: [0; 3], slot: L::OPPOSITES[i] },
        }
    }
}

solver! { pub Wave { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Scattered } }
solver! { pub CompressedWave { lattice: D3Q19, collision: Bgk, precision: F32, streaming: CompressedGrid } }

/// The viscosity that a decaying shear wave shows.
fn viscosity<V: Variant>(backend: Backend) -> Result<f64, Error> {
    let k = std::f64::consts::TAU / 32.0;
    let wave = move |[x, _, _]: [usize; 3]| Initial::velocity([0.0, 0.05 * (k * x as f64).sin(), 0.0]);
    let builder = V::builder().size([32, 8, 8]).viscosity(0.05);
    let mut flow = builder.initial(wave).backend(backend).build()?;
    let amplitude = |flow: &Simulation| flow.velocity().map(|u| u[8][1]);
    let (before, steps) = (amplitude(&flow)?, 300);
    flow.run(steps)?;
    Ok((before / amplitude(&flow)?).ln() / (k * k * steps as f64))
}

fn show<V: Variant>() {
    println!("{}, viscosity 0.05", V::name());
    for backend in [Backend::Cpu, Backend::Cuda(0)] {
        match viscosity::<V>(backend) {
            Ok(measured) => println!("{backend}: {measured:.6}"),
            Err(error) => println!("{backend}: {error}"),
        }
    }
}

fn main() {
    show::<Wave>();
    show::<CompressedWave>();
}

#[cfg(test)]
mod tests {
    use super::built_in::{Ccas, Ghost};
    use super::*;
    use lbm::core::laws;

    fn keeps_the_laws<S: Streaming>() {
        laws::slots_are_a_permutation::<S, D3Q19>().unwrap();
        laws::free_of_races::<S, D3Q19, Dense, Soa>([5, 4, 3]).unwrap();
        laws::free_of_races::<S, D3Q19, Dense, Aosoa<8>>([35, 6, 19]).unwrap();
    }

    #[test]
    fn the_patterns_keep_the_laws() {
        keeps_the_laws::<Scattered>();
        keeps_the_laws::<CompressedGrid>();
        keeps_the_laws::<Ccas>();
        keeps_the_laws::<Ghost>();
    }

    #[test]
    fn a_shear_wave_decays_as_it_should() {
        for measured in [viscosity::<Wave>(Backend::Cpu), viscosity::<CompressedWave>(Backend::Cpu)] {
            assert!((measured.unwrap() / 0.05 - 1.0).abs() < 0.01);
        }
    }

    /// Where nodes lie, and what a step does, is the same whoever declares it.
    #[test]
    fn a_pattern_is_what_it_declares() {
        assert_eq!(Ghost::PATTERN, lbm::core::Ghost::PATTERN);
        assert_eq!(Ccas::PATTERN, lbm::core::Ccas::PATTERN);
    }

    /// A pattern of one's own is a value of its axis like any other: its name goes with every layout, and on a device.
    #[test]
    fn a_pattern_is_chosen_by_its_name() {
        let after = |scheme: &str, backend| {
            let wave = |[x, ..]: [usize; 3]| Initial::velocity([0.0, 0.01 * (x as f64).sin(), 0.0]);
            let builder = Wave::builder().size([16, 6, 5]).viscosity(0.05).initial(wave);
            let mut flow = builder.scheme(scheme).backend(backend).build().unwrap();
            flow.run(5).unwrap();
            flow.velocity().unwrap()
        };
        let own = after("soa-dense-scattered", Backend::Cpu);
        assert_eq!(own, after("aosoa16-dense-scattered", Backend::Cpu));
        assert_eq!(own, after("aosoa8-dense-two-lattice-pull", Backend::Cpu));
        if lbm::cuda::testing::cxx_or_skip("a_pattern_is_chosen_by_its_name").is_some() {
            assert_eq!(own, after("aosoa16-dense-scattered", Backend::CudaOnHost));
        }
    }

    solver! { BlocksOfOurOwn { lattice: D3Q19, collision: Bgk, precision: F32, streaming: Ghost } }
    solver! { RingsOfOurOwn { lattice: D2Q9, collision: Bgk, precision: F64, streaming: Ccas } }

    cross_check!(Wave, steps: [1, 2, 7]);
    cross_check!(CompressedWave, steps: [1, 2, 7]);
    cross_check!(BlocksOfOurOwn, steps: [1, 2, 7]);
    cross_check!(RingsOfOurOwn, steps: [1, 2, 7]);
}
