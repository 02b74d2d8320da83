//! The kernels that papers compare with, in motion on a machine.

use lbm_core::engine::Setup;
use lbm_core::{Error, Facts, Links};

use super::walls::Walls;
use super::{check_size, filled};
use crate::DeviceOptions;
use crate::assemble::{self, BOUNDARY_BLOCK, LINKS_BLOCK, ROW_MULTIPLE, STREAM_SLACK, Way};
use crate::machine::{Arguments, Launch, Machine};

/// A [`Way`] in motion on a machine, with walls where the box has them. Solid nodes it knows not.
pub struct Comparator<M: Machine> {
    machine: M,
    facts: Facts,
    setup: Setup,
    way: Way,
    kernels: Vec<M::Kernel>,
    copies: [M::Memory; 2],
    /// Density, velocity and equilibrium, where they are stored.
    between: Vec<M::Memory>,
    /// Listed nodes, or listed links, and their number.
    lists: (u32, Vec<M::Memory>),
    /// The coefficients of the collision, or its rate.
    uniforms: Vec<u8>,
    step: u64,
}

impl<M: Machine> Comparator<M> {
    /// A fluid at rest. `omega` is the collision's rate, for the way that prints its own collision.
    ///
    /// # Errors
    /// What [`assemble::comparator`] refuses; solid nodes; a box beyond the device's memory or positions; a text that does not
    /// build.
    pub fn new(machine: M, facts: &Facts, setup: &Setup, way: Way, omega: f64) -> Result<Self, Error> {
        let (size, q) = (setup.domain.size, facts.lattice.q());
        let nodes = setup.domain.nodes();
        if setup.domain.fluid_nodes() != nodes || q * (nodes + 32) >= 1 << 32 {
            return Err(Error::out_of_range(
                "size",
                format!("{size:?} with {} solid nodes", nodes - setup.domain.fluid_nodes()),
                "a box without solid nodes and with fewer than 2^32 populations",
                "take a smaller box with walls at its faces only",
            ));
        }
        check_size(facts, size, &DeviceOptions::default())?;
        let copy = facts.places(size, ROW_MULTIPLE, STREAM_SLACK).values();
        // The equilibrium lies as the populations do.
        let stored_between = match way {
            Way::Separate => vec![nodes, facts.lattice.dimension * nodes, copy],
            Way::Tiled => Vec::new(),
        };
        let values = 2 * copy + stored_between.iter().sum::<usize>();
        machine.check_footprint(nodes as u128, (values * facts.stored_bytes).div_ceil(nodes.max(1)))?;
        let names: Vec<String> = way.kernels().iter().map(|&name| name.to_owned()).collect();
        let kernels = machine.build(&assemble::comparator(facts, size, way)?, &names)?;
        let memory = |values: usize| machine.memory(values * facts.stored_bytes);
        let copies = [memory(copy)?, memory(copy)?];
        let between = stored_between.into_iter().map(memory).collect::<Result<_, _>>()?;
        let (lists, uniforms) = match way {
            Way::Separate => (links(&machine, facts, setup)?, vec![omega]),
            Way::Tiled => (listed(&machine, facts, setup)?, facts.uniforms(&setup.parameters)),
        };
        let uniforms = facts.arithmetic.in_memory(&uniforms);
        let mut made = Comparator {
            facts: *facts,
            setup: setup.clone(),
            way,
            kernels,
            copies,
            between,
            lists,
            uniforms,
            step: 0,
            machine,
        };
        made.set_populations(&vec![0.0; q * nodes])?;
        Ok(made)
    }

    /// Runs steps and tells how long they took on the machine, seconds.
    ///
    /// # Errors
    /// A lost device.
    pub fn timed(&mut self, steps: u64) -> Result<f64, Error> {
        let first = self.step;
        let seconds =
            self.machine.seconds(&mut || (first..first + steps).try_for_each(|step| self.launch(step)))?;
        self.step += steps;
        Ok(seconds)
    }

    /// The machine's own words, and how nodes are dealt out to threads.
    #[must_use]
    pub fn description(&self) -> String {
        format!("{}, launch shape {}", self.machine.label(), self.way.shape(self.setup.domain.size))
    }

    /// The post-collision populations, less the weights, in canonical order.
    ///
    /// # Errors
    /// A lost device.
    pub fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        let mut bytes = vec![0; self.values() * self.facts.stored_bytes];
        self.machine.read(&self.copies[(self.step % 2) as usize], 0, &mut bytes)?;
        self.each_place(|at, i, place| out[at] = self.number(&bytes, place) - self.base(i));
        Ok(())
    }

    /// Sets the populations, in the same order.
    ///
    /// # Errors
    /// A lost device.
    pub fn set_populations(&mut self, populations: &[f64]) -> Result<(), Error> {
        let mut values = vec![0.0; self.values()];
        self.each_place(|at, i, place| values[place] = populations[at] + self.base(i));
        let bytes = self.facts.arithmetic.in_memory(&values);
        self.machine.write(&mut self.copies[(self.step % 2) as usize], 0, &bytes)
    }

    /// Values of a copy.
    fn values(&self) -> usize {
        self.facts.places(self.setup.domain.size, ROW_MULTIPLE, STREAM_SLACK).values()
    }

    /// What is stored of a fluid at rest: papers store populations as they are, our collisions what they differ by.
    fn base(&self, i: usize) -> f64 {
        if self.way == Way::Separate { self.facts.lattice.weights[i] } else { 0.0 }
    }

    fn number(&self, bytes: &[u8], place: usize) -> f64 {
        match self.facts.stored_bytes {
            4 => f64::from(f32::from_ne_bytes(bytes[4 * place..][..4].try_into().expect("four bytes"))),
            _ => f64::from_ne_bytes(bytes[8 * place..][..8].try_into().expect("eight bytes")),
        }
    }

    /// Calls with the canonical place, the direction and the place in a copy of each value.
    fn each_place(&self, mut tell: impl FnMut(usize, usize, usize)) {
        let places = self.facts.places(self.setup.domain.size, ROW_MULTIPLE, STREAM_SLACK);
        let [nx, ny, nz] = self.setup.domain.size;
        let mut at = 0;
        for i in 0..self.facts.lattice.q() {
            for n in 0..nx * ny * nz {
                let node = places
                    .locate([n % nx, n / nx % ny, n / nx / ny])
                    .expect("every node of a dense box is stored");
                tell(at, i, places.offset(i, node));
                at += 1;
            }
        }
    }

    /// Launches the kernels of one step.
    fn launch(&self, step: u64) -> Result<(), Error> {
        let address = |memory: &M::Memory| self.machine.address(memory);
        let [source, target] = [step, step + 1].map(|step| address(&self.copies[(step % 2) as usize]));
        let shape = self.way.shape(self.setup.domain.size);
        let both = || Arguments::new().word(source).word(target);
        let (count, lists) = &self.lists;
        let words = |arguments: Arguments, memories: &[M::Memory]| {
            memories.iter().fold(arguments, |arguments, memory| arguments.word(address(memory)))
        };
        for (name, kernel) in self.way.kernels().iter().zip(&self.kernels) {
            let beside = matches!(*name, "walls" | "boundary_0");
            let only = Arguments::new().word(target);
            let arguments = match *name {
                "stream" => both(),
                "walls" => words(both().unsigned(*count), lists),
                "density" => words(only, &self.between[..1]),
                "velocity" => words(only, &self.between[..2]),
                "equilibrium" => words(Arguments::new(), &self.between),
                "relax" => words(only, &self.between[2..]).bytes(&self.uniforms),
                "tiled" => both().bytes(&self.uniforms),
                _ => words(both().bytes(&self.uniforms).unsigned(*count), lists),
            };
            let (grid, block) = match beside {
                true if *count == 0 => continue,
                true => ([count.div_ceil(LINKS_BLOCK), 1, 1], [LINKS_BLOCK, 1, 1]),
                false => (shape.grid(self.setup.domain.size), shape.block),
            };
            // SAFETY: these are the parameters that `assemble` printed; memory is as large as the box, lists name its places.
            unsafe { self.machine.launch(kernel, &Launch::new(grid, block, arguments))? };
        }
        Ok(())
    }
}

const _: () = assert!(LINKS_BLOCK == BOUNDARY_BLOCK, "both lists are launched alike");

/// Each link with a wall: where its population goes in a copy, where it was sent from, and the wall's term.
fn links<M: Machine>(machine: &M, facts: &Facts, setup: &Setup) -> Result<(u32, Vec<M::Memory>), Error> {
    let (domain, lattice) = (&setup.domain, &facts.lattice);
    let places = facts.places(domain.size, ROW_MULTIPLE, STREAM_SLACK);
    let (links, walls) = (Links::of(lattice, domain)?, domain.walls());
    let (mut to, mut from, mut terms) = (Vec::<u32>::new(), Vec::<u32>::new(), Vec::new());
    for here in links.iter() {
        let node = places.locate(domain.position(here.node)).expect("every node of a dense box is stored");
        for link in here.iter() {
            to.push(places.offset(link.direction, node) as u32);
            from.push(places.offset(lattice.opposites[link.direction], node) as u32);
            terms.push(lattice.wall_term(link.direction, walls[link.meets]));
        }
    }
    let terms = facts.arithmetic.in_memory(&terms);
    let memories = vec![filled(machine, &to)?, filled(machine, &from)?, filled(machine, &terms)?];
    Ok((to.len() as u32, memories))
}

/// The nodes at walls, as the kernel that does them takes them.
fn listed<M: Machine>(machine: &M, facts: &Facts, setup: &Setup) -> Result<(u32, Vec<M::Memory>), Error> {
    let domain = &setup.domain;
    let walls = if Walls::needed(domain) { Walls::of(&facts.lattice, domain, 1)? } else { Walls::default() };
    let terms = facts.arithmetic.in_memory(&facts.lattice.wall_terms(&domain.walls()));
    let memories = vec![
        filled(machine, &walls.nodes)?,
        filled(machine, &walls.missing)?,
        filled(machine, &walls.links)?,
        filled(machine, &walls.walls)?,
        filled(machine, &terms)?,
    ];
    Ok((walls.nodes.len() as u32, memories))
}
