//! The kernels that papers compare with, in motion on a machine.

mod solids;

use lbm_core::engine::Setup;
use lbm_core::facts::Places;
use lbm_core::{Error, Facts};

use super::arrays::Arrays;
use super::at_walls::Packing;
use super::binding::Bindings;
use super::built::{Built, launch, prepared};
use super::of_box::check_size;
use crate::DeviceOptions;
use crate::assemble::{self, FromSolids, PASS, ROW_MULTIPLE, Resource, STREAM_SLACK, Way};
use crate::machine::{Machine, Memory, Residency};
use solids::OverLinks;

/// A [`Way`] in motion on a machine, with walls where the box has them, or with solid nodes where the way meets these. Once made it
/// fails only if a device is lost.
pub struct Comparator<M: Machine> {
    machine: M,
    facts: Facts,
    setup: Setup,
    way: Way,
    kernels: Built<M>,
    copies: [M::Memory; 2],
    /// What is stored in between, lists of walls, and coefficients.
    arrays: Arrays<M>,
    /// What is launched over links before the pass, where solid nodes are met.
    over_links: Vec<OverLinks<M>>,
    step: u64,
}

impl<M: Machine> Comparator<M> {
    /// A fluid at rest. `omega` is the collision's rate, for the way that prints its own collision.
    ///
    /// # Errors
    /// What [`assemble::comparator`] refuses; solid nodes for a way that meets none, and walls for one that does; a box beyond the device's memory or positions; a text that does not
    /// build.
    pub fn new(machine: M, facts: &Facts, setup: &Setup, way: Way, omega: f64) -> Result<Self, Error> {
        let (size, q) = (setup.domain().size, facts.lattice.q());
        let nodes = setup.domain().nodes();
        let solids = way.from_solids();
        if solids.is_some() {
            solids::check(setup)?;
        }
        let fits = solids.is_some() || setup.domain().fluid_nodes() == nodes;
        if !fits || q * (nodes + 32) >= 1 << 32 {
            return Err(Error::out_of_range(
                "size",
                format!("{size:?} with {} solid nodes", nodes - setup.domain().fluid_nodes()),
                "a box without solid nodes and with fewer than 2^32 populations",
                "take a smaller box with walls at its faces only",
            ));
        }
        check_size(facts, size, &DeviceOptions::default())?;
        let copy = facts.places(size, ROW_MULTIPLE, STREAM_SLACK).values();
        // The equilibrium lies as the populations do.
        let stored_between = match way {
            Way::Separate => vec![nodes, facts.lattice.dimension * nodes, copy],
            Way::Tiled | Way::Flagged(_) | Way::Listed(_) => Vec::new(),
        };
        let values = 2 * copy + stored_between.iter().sum::<usize>();
        machine
            .check_footprint(nodes as u128, (values * facts.precision.stored_bytes).div_ceil(nodes.max(1)))?;
        let kernels = Built::new(&machine, assemble::comparator(facts, size, way)?)?;
        let memory = |values: usize| machine.memory(values * facts.precision.stored_bytes);
        let copies = [memory(copy)?, memory(copy)?];
        let mut arrays = Arrays::new(facts, setup);
        let between = [Resource::Density, Resource::Velocity, Resource::Equilibrium];
        for (resource, values) in between.into_iter().zip(stored_between) {
            arrays.put(resource, memory(values)?);
        }
        arrays.bindings.bytes(Resource::Rate, &facts.precision.arithmetic.in_memory(&[omega]));
        let mut over_links = Vec::new();
        match (way, solids) {
            (_, Some(solids)) => {
                over_links = solids::list(&mut arrays, &machine, facts, setup, solids)?;
            }
            (Way::Separate, _) => list_links(&mut arrays, &machine, facts, setup)?,
            (_, None) => {
                let packing = Packing { pack: 1, ranked: false, faces: None };
                let links = setup.links(&facts.lattice)?;
                arrays.list_walls(&machine, facts, setup.domain(), &links, packing)?;
            }
        }
        let (facts, setup) = (*facts, setup.clone());
        let mut made =
            Comparator { machine, facts, setup, way, kernels, copies, arrays, over_links, step: 0 };
        made.set_populations(&vec![0.0; q * nodes])?;
        Ok(made)
    }

    /// Runs steps and tells how long they took on the machine, seconds.
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
        format!("{}, launch shape {}", self.machine.label(), self.way.shape(self.setup.domain().size))
    }

    /// What its largest kernel takes of a multiprocessor.
    pub fn residency(&self) -> Result<Option<Residency>, Error> {
        let Some((kernel, built)) = self.kernels.named(PASS).or_else(|| self.kernels.all().next()) else {
            return Ok(None);
        };
        self.machine.residency(built, kernel.threads.block, kernel.threads.shared_bytes)
    }

    /// The post-collision populations, less the weights, in canonical order.
    pub fn populations(&self, out: &mut [f64]) -> Result<(), Error> {
        let mut bytes = vec![0; self.places().values() * self.facts.precision.stored_bytes];
        self.copies[(self.step % 2) as usize].read(0, &mut bytes)?;
        let domain = self.setup.domain();
        self.each_place(|at, i, place| {
            // What solid nodes hold is on its way to others.
            let fluid = domain.solid_at(at % domain.nodes()).is_none();
            out[at] = if fluid { self.number(&bytes, place) - self.base(i) } else { 0.0 };
        });
        Ok(())
    }

    /// Sets the populations, in the same order.
    pub fn set_populations(&mut self, populations: &[f64]) -> Result<(), Error> {
        let mut values = vec![0.0; self.places().values()];
        self.each_place(|at, i, place| values[place] = populations[at] + self.base(i));
        let bytes = self.facts.precision.arithmetic.in_memory(&values);
        self.copies[(self.step % 2) as usize].write(0, &bytes)
    }

    fn places(&self) -> Places<usize> {
        self.facts.places(self.setup.domain().size, ROW_MULTIPLE, STREAM_SLACK)
    }

    /// What is stored of a fluid at rest: papers store populations as they are, our collisions what they differ by.
    fn base(&self, i: usize) -> f64 {
        if self.way == Way::Separate { self.facts.lattice.weights[i] } else { 0.0 }
    }

    fn number(&self, bytes: &[u8], place: usize) -> f64 {
        match self.facts.precision.stored_bytes {
            4 => f64::from(f32::from_ne_bytes(bytes[4 * place..][..4].try_into().expect("four bytes"))),
            _ => f64::from_ne_bytes(bytes[8 * place..][..8].try_into().expect("eight bytes")),
        }
    }

    /// Calls with the canonical place, the direction and the place in a copy of each value.
    fn each_place(&self, mut tell: impl FnMut(usize, usize, usize)) {
        let (places, domain) = (self.places(), self.setup.domain());
        for at in 0..self.facts.lattice.q() * domain.nodes() {
            let (i, position) = (at / domain.nodes(), domain.position(at % domain.nodes()));
            let node = places.locate(position).expect("every node of a dense box is stored");
            tell(at, i, places.offset(i, node));
        }
    }

    /// Launches the kernels of one step.
    fn launch<'a>(&'a self, step: u64) -> Result<(), Error> {
        let [source, target] = [step, step + 1].map(|step| self.copies[(step % 2) as usize].address());
        let bound = |arrays: &'a Arrays<M>| {
            let mut bindings = Bindings::over(&arrays.bindings);
            bindings.array(Resource::Source, source).array(Resource::Target, target);
            bindings
        };
        let (machine, facts, size) = (&self.machine, &self.facts, self.setup.domain().size);
        let Some(solids) = self.way.from_solids() else {
            let bindings = bound(&self.arrays);
            return self.kernels.all().try_for_each(|kernel| launch(machine, kernel, facts, size, &bindings));
        };
        let mut beside = Vec::new();
        for (name, arrays) in &self.over_links {
            let kernel = self.kernels.named(name).expect("what is launched was printed");
            if let Some(prepared) = prepared(&kernel.0, facts, size, &bound(arrays))? {
                beside.push((&kernel.1, prepared));
            }
        }
        // SAFETY: arguments follow from the kernels' parameters, arrays are as long as the lists that they hold, and no two links
        // lead to the same place or to one that another comes from.
        unsafe {
            match solids {
                FromSolids::SideBySide => machine.launch_side_by_side(&beside)?,
                _ => beside.iter().try_for_each(|(kernel, prepared)| machine.launch(kernel, prepared))?,
            }
        }
        let pass = self.kernels.named(PASS).expect("there is a pass");
        launch(machine, pass, facts, size, &bound(&self.arrays))
    }
}

/// Each link with a wall: where its population goes in a copy, where it was sent from, and the wall's term.
fn list_links<M: Machine>(
    arrays: &mut Arrays<M>,
    machine: &M,
    facts: &Facts,
    setup: &Setup,
) -> Result<(), Error> {
    let (domain, lattice) = (setup.domain(), &facts.lattice);
    let places = facts.places(domain.size, ROW_MULTIPLE, STREAM_SLACK);
    let (links, walls) = (setup.links(lattice)?, domain.walls());
    let (mut to, mut from, mut terms) = (Vec::<u32>::new(), Vec::<u32>::new(), Vec::new());
    for here in links.iter() {
        let node = places.locate(domain.position(here.node)).expect("every node of a dense box is stored");
        for link in here.iter() {
            to.push(places.offset(link.direction, node) as u32);
            from.push(places.offset(lattice.opposites[link.direction], node) as u32);
            terms.push(lattice.wall_term(link.direction, walls[link.meets]));
        }
    }
    arrays.bindings.number(Resource::Count, to.len());
    arrays.fill(machine, Resource::To, &to)?;
    arrays.fill(machine, Resource::From, &from)?;
    arrays.fill(machine, Resource::Terms, &facts.precision.arithmetic.in_memory(&terms))
}
