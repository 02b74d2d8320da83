//! An addressing of one's own, for the CPU and for a GPU: which nodes are stored, and how they find each other, says all.

use lbm::core::addressing::Extent;
use lbm::core::index::{Index, Numbers, Table};
use lbm::core::{Addressing, Listing, Region};
use lbm::prelude::*;
use lbm::simulation::Backend;

/// Fluid nodes column after column along z, each with the numbers of the 27 nodes around it.
#[derive(Clone, Debug)]
pub struct Columns<I: Index = usize> {
    nodes: I,
    around: I::Table,
}

impl<I: Index> Addressing<I> for Columns<I> {
    const NAME: &'static str = "columns";
    type On<J: Index> = Columns<J>;
    const LISTED: bool = true;

    fn list(region: &Region<'_>) -> Listing {
        let [nx, ny, nz] = region.size();
        let columns = (0..nx * ny).flat_map(|n| (0..nz).map(move |z| [n % nx, n / nx, z]));
        let stored = columns.filter(|&position| region.stores(position));
        let positions: Vec<u32> = stored.map(|position| region.index(position)).collect();
        let mut numbers = vec![0; nx * ny * nz];
        positions.iter().zip(0..).for_each(|(&at, number)| numbers[at as usize] = number);
        let number = |at: u32, step| numbers[region.index(region.around(region.position(at), step)) as usize];
        let steps = (0..27).map(|n: i32| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
        let around = steps.flat_map(|step| positions.iter().map(move |&at| (at, step)));
        let table = Numbers::new(positions.len(), around.map(|(at, step)| number(at, step)).collect());
        Listing { positions, tables: vec![table] }
    }

    fn new(extent: &Extent<I>) -> Self {
        Columns { nodes: extent.nodes.clone(), around: extent.tables[0].clone() }
    }

    fn neighbour(&self, node: I, [x, y, z]: [i32; 3]) -> I {
        let row = x + 1 + 3 * (y + 1 + 3 * (z + 1));
        self.around.look(I::from(row as usize), node)
    }

    fn nodes(&self) -> I {
        self.nodes.clone()
    }
}

solver! { pub Pores { lattice: D3Q19, collision: Bgk, precision: F32, addressing: Columns, streaming: Aa } }

/// The mean density of a disturbed fluid among solid balls after some steps, on a backend.
fn density(backend: Backend) -> Result<f64, Error> {
    let ball =
        |[x, y, z]: [usize; 3]| [x % 16, y, z].iter().map(|n| n.abs_diff(8).pow(2)).sum::<usize>() < 40;
    let wave = |[x, _, _]: [usize; 3]| Initial::velocity([0.0, 0.02 * (x as f64).sin(), 0.0]);
    let flow = Pores::builder().size([32, 16, 16]).viscosity(0.05).solid(ball).initial(wave);
    let mut flow = flow.backend(backend).build()?;
    flow.run(100)?;
    let fluid = (0..32 * 16 * 16).filter(|n| !ball([n % 32, n / 32 % 16, n / 512]));
    let density = flow.density()?;
    let (nodes, sum) = fluid.fold((0.0, 0.0), |(nodes, sum), n| (nodes + 1.0, sum + density[n]));
    Ok(sum / nodes)
}

fn main() -> Result<(), Error> {
    println!("{}, mean density 1", <Pores as lbm::core::Variant>::name());
    for backend in [Backend::Cpu, Backend::Cuda(0)] {
        match density(backend) {
            Ok(measured) => println!("{backend}: {measured:.7}"),
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
    fn neighbours_are_found() {
        laws::neighbours_are_found::<Pores>(&[[5, 4, 3], [8, 1, 2]], &laws::SEEDS).unwrap();
    }

    #[test]
    fn mass_is_conserved() {
        assert!((density(Backend::Cpu).unwrap() - 1.0).abs() < 1e-6);
    }

    cross_check!(Pores, steps: [1, 2, 7]);
}
