//! The parts of a box as one engine.

use std::ops::Range;

use super::memory::{Place, places};
use super::messages::{Message, messages};
use super::whole::{Asked, collect, given};
use super::{Decomposition, Part, planes_read};
use crate::engine::{Changed, Engine, Setup};
use crate::error::Error;
use crate::facts::Facts;
use crate::pieces::{Give, Take};
use crate::rules::{Arrivals, check_memory};

/// Makes the engine of a part.
pub type MakePart<'a> = &'a dyn Fn(&Setup) -> Result<Box<dyn Engine>, Error>;

/// A part with its engine.
pub(super) struct Held {
    pub(super) part: Part,
    pub(super) engine: Box<dyn Engine>,
    /// Where each number that its rules remember is in the memory of the whole box.
    memory: Vec<Place>,
}

/// A box in parts, in one process: what crosses is copied before each step. It has the bits of the box that is not cut.
pub struct CutEngine {
    facts: Facts,
    parts: Vec<Held>,
    messages: Vec<Message>,
    nodes: usize,
    /// How many numbers rules remember in the whole box.
    remembered: usize,
}

impl CutEngine {
    /// Cuts a box, and makes an engine of each part, the fluid being at rest in step 0.
    ///
    /// # Errors
    /// As [`Decomposition::boxes`] and [`Part::setup`]; those of making the engines.
    pub fn new(
        facts: &Facts,
        whole: &Setup,
        cut: &Decomposition,
        make: MakePart<'_>,
    ) -> Result<CutEngine, Error> {
        let domain = whole.domain();
        let planes = planes_read(facts, domain, &whole.rules)?;
        let own = cut.boxes(domain.size)?.into_iter().map(|own| Part::of(domain, own, planes));
        let own: Vec<Part> = own.collect();
        let setups = setups(facts, whole, own.iter())?;
        let held = own
            .into_iter()
            .zip(&setups)
            .map(|(part, setup)| Ok::<_, Error>(Held { part, engine: make(setup)?, memory: Vec::new() }));
        let parts = held.collect::<Result<_, _>>()?;
        let (messages, remembered) = (Vec::new(), 0);
        let mut engine = CutEngine { facts: *facts, parts, messages, nodes: domain.nodes(), remembered };
        engine.connect(whole, &setups)?;
        Ok(engine)
    }

    /// Finds what crosses, and whose memory is where.
    fn connect(&mut self, whole: &Setup, setups: &[Setup]) -> Result<(), Error> {
        let own: Vec<Part> = self.parts().copied().collect();
        let (messages, rims) = messages(&self.facts, setups, &own)?;
        for (held, rims) in self.parts.iter_mut().zip(rims) {
            held.engine.set_rims(rims)?;
        }
        self.messages = messages;
        let all = Arrivals::of(&self.facts, whole)?.memory_of(&self.facts);
        self.remembered = all.iter().map(|(_, numbers)| numbers).sum();
        for (held, setup) in self.parts.iter_mut().zip(setups) {
            let own = Arrivals::of(&self.facts, setup)?.memory_of(&self.facts);
            held.memory = places(&all, &own, &held.part);
        }
        Ok(())
    }

    /// The parts, in the order of the decomposition.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().map(|held| &held.part)
    }

    /// What crosses before a step.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Brings what parts read to them.
    fn exchange(&mut self) -> Result<(), Error> {
        for message in &mut self.messages {
            self.parts[message.from].engine.rim(message.left, &mut message.values)?;
        }
        for message in &self.messages {
            self.parts[message.to].engine.set_rim(message.arrives, &message.values)?;
        }
        Ok(())
    }

    /// Has every part set what is given of its nodes.
    fn each(
        &mut self,
        give: Give<'_>,
        set: impl Fn(&mut dyn Engine, Give<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for held in &mut self.parts {
            let part = held.part;
            set(&mut *held.engine, &|nodes, values| given(&part, give, nodes, values))?;
        }
        Ok(())
    }

    /// Has every part do something.
    fn all(&mut self, work: impl Fn(&mut dyn Engine) -> Result<(), Error>) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(|held| work(&mut *held.engine))
    }

    fn first(&self) -> &dyn Engine {
        &*self.parts[0].engine
    }
}

impl Engine for CutEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        for _ in 0..steps {
            self.exchange()?;
            self.all(|engine| engine.run(1))?;
        }
        // A device may still be at work.
        self.all(|engine| engine.finish().map(drop))
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask =
            |engine: &dyn Engine, nodes, take: Take<'_>| engine.populations_of(nodes, take).map(|()| true);
        collect(&self.parts, nodes, self.facts.lattice.q(), &ask, take).map(drop)
    }

    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        let all = nodes.len();
        for held in &self.parts {
            let own = nodes.iter().enumerate().filter_map(|(n, &node)| Some((n, held.part.own_node(node)?)));
            let (places, here): (Vec<usize>, Vec<usize>) = own.unzip();
            let mut values = vec![0.0; self.facts.lattice.q() * here.len()];
            if here.is_empty() {
                continue;
            }
            held.engine.populations_at(&here, &mut values)?;
            for (line, values) in out.chunks_mut(all).zip(values.chunks(here.len())) {
                places.iter().zip(values).for_each(|(&place, &value)| line[place] = value);
            }
        }
        Ok(())
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_populations_from(give, step))
    }

    fn set_uniform(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.all(|engine| engine.set_uniform(populations, step))
    }

    fn set_geometry(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        let cut = setups(&self.facts, setup, self.parts())?;
        for (held, setup) in self.parts.iter_mut().zip(&cut) {
            let place = |here: usize| changed.nodes.binary_search(&held.part.index_there(here)).ok();
            let (nodes, places): (Vec<usize>, Vec<usize>) =
                (0..setup.domain().nodes()).filter_map(|here| Some((here, place(here)?))).unzip();
            let lines = changed.populations.chunks(changed.nodes.len().max(1));
            let own: Vec<f64> = lines.flat_map(|line| places.iter().map(|&place| line[place])).collect();
            held.engine.set_geometry(setup, Changed::new(&nodes, &own))?;
        }
        self.connect(setup, &cut)
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        self.all(|engine| engine.set_parameters(parameters))
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.all(|engine| engine.set_factor(name, factor))
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        let mut all = vec![0.0; self.remembered];
        for held in self.parts.iter().filter(|held| !held.memory.is_empty()) {
            let own = held.engine.memory()?;
            let places = held.memory.iter().zip(own);
            places.filter(|(place, _)| place.is_own).for_each(|(place, value)| all[place.of_whole] = value);
        }
        Ok(all)
    }

    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        check_memory(self.remembered, values.len())?;
        for held in &mut self.parts {
            let own: Vec<f64> = held.memory.iter().map(|place| values[place.of_whole]).collect();
            held.engine.set_memory(&own)?;
        }
        Ok(())
    }

    fn set_node_field(&mut self, n: usize, give: Give<'_>) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_node_field(n, give))
    }

    fn node_field_of(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask =
            |engine: &dyn Engine, nodes, take: Take<'_>| engine.node_field_of(n, nodes, take).map(|()| true);
        collect(&self.parts, nodes, 1, &ask, take).map(drop)
    }

    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask = |engine: &dyn Engine, nodes, take: Take<'_>| engine.state_of(nodes, take).map(|()| true);
        collect(&self.parts, nodes, self.facts.state_values(), &ask, take).map(drop)
    }

    fn stores_moments(&self) -> bool {
        self.first().stores_moments()
    }

    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_state_from(give, step))
    }

    fn fields_of(&self, force: [f64; 3], nodes: Range<usize>, take: Take<'_>) -> Result<bool, Error> {
        let ask: Asked<'_> = &|engine, nodes, take| engine.fields_of(force, nodes, take);
        collect(&self.parts, nodes, 4, ask, take)
    }

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn step(&self) -> u64 {
        self.first().step()
    }

    fn allocated_bytes(&self) -> usize {
        self.parts.iter().map(|held| held.engine.allocated_bytes()).sum()
    }

    fn description(&self) -> String {
        format!("{} parts on: {}", self.parts.len(), self.first().description())
    }
}

/// What the engines of parts are made for.
fn setups<'a>(
    facts: &Facts,
    whole: &Setup,
    parts: impl Iterator<Item = &'a Part>,
) -> Result<Vec<Setup>, Error> {
    parts.map(|part| part.setup(facts, whole)).collect()
}
