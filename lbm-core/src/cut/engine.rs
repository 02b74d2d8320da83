//! The parts of a box as one engine.

use std::ops::Range;
use std::sync::Arc;

use super::agreed::{agree, on_all_ranks};
use super::memory::{Place, places};
use super::messages::{Message, bring, messages};
use super::whole::{Asked, Known, cut_own, given, share};
use super::{Alone, Decomposition, OwnBox, Part, Stretch, Transport, planes_read, rank_of};
use crate::engine::{Changed, Engine, OfNodes, Setup, TakeRuns};
use crate::error::Error;
use crate::facts::Facts;
use crate::pieces::{Give, Take};
use crate::rules::{Arrivals, check_memory};

/// Makes the engine of a part, which is named by its number.
pub type MakePart<'a> = &'a dyn Fn(usize, &Setup) -> Result<Box<dyn Engine>, Error>;

/// A part with its engine.
pub(super) struct Held {
    pub(super) part: Part,
    /// The process that has its engine.
    pub(super) rank: usize,
    /// None in the others.
    pub(super) engine: Option<Box<dyn Engine>>,
    /// Where each number that its rules remember is in the memory of the whole box.
    memory: Vec<Place>,
}

/// A box in parts, each in this process or in another one: what crosses is brought before each step. It has the bits of the box that is not cut.
///
/// Where there are several processes, all of them make it, of the same box and the same parts, and call the same methods in the same order: what is
/// asked of the whole box is then known to each.
pub struct CutEngine {
    facts: Facts,
    transport: Arc<dyn Transport>,
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
        CutEngine::over(Arc::new(Alone), facts, whole, cut, make)
    }

    /// The same over several processes: each makes the engines of its own parts, those of rank 0 being the first ones.
    ///
    /// # Errors
    /// As [`CutEngine::new`]; [`Error::OutOfRange`] for fewer parts than processes; [`Error::Conflict`] on all ranks where one builds another flow;
    /// those of the transport.
    pub fn over(
        transport: Arc<dyn Transport>,
        facts: &Facts,
        whole: &Setup,
        cut: &Decomposition,
        make: MakePart<'_>,
    ) -> Result<CutEngine, Error> {
        agree(&*transport, facts, whole, cut)?;
        let ranks = transport.ranks();
        let (own, setups) = parts_of(facts, whole, cut, ranks)?;
        let count = own.len();
        let parts = own.into_iter().zip(&setups).enumerate().map(|(number, (part, setup))| {
            let rank = rank_of(number, count, ranks);
            let engine = if rank == transport.rank() { Some(make(number, setup)?) } else { None };
            Ok(Held { part, rank, engine, memory: Vec::new() })
        });
        let parts = on_all_ranks(&*transport, parts.collect())?;
        let (facts, nodes) = (*facts, whole.domain().nodes());
        let mut engine = CutEngine { facts, transport, parts, messages: Vec::new(), nodes, remembered: 0 };
        let connected = engine.connect(whole, &setups);
        on_all_ranks(&*engine.transport, connected)?;
        Ok(engine)
    }

    /// Why a box is not cut so for so many processes, if it is not.
    #[must_use]
    pub fn refusal(facts: &Facts, whole: &Setup, cut: &Decomposition, ranks: usize) -> Option<Error> {
        parts_of(facts, whole, cut, ranks).err()
    }

    /// Finds what crosses, and whose memory is where.
    fn connect(&mut self, whole: &Setup, setups: &[Setup]) -> Result<(), Error> {
        let own: Vec<Part> = self.parts().copied().collect();
        let (messages, rims) = messages(&self.facts, setups, &own)?;
        for (held, rims) in self.parts.iter_mut().zip(rims) {
            held.engine.as_mut().map_or(Ok(()), |engine| engine.set_rims(rims))?;
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
        let (parts, stored) = (&mut self.parts, self.facts.precision);
        for message in &mut self.messages {
            let Some(engine) = &parts[message.from].engine else { continue };
            engine.rim(message.left, &mut message.values)?;
            if parts[message.to].engine.is_none() {
                message.bytes.resize(stored.stored_bytes * message.values.len(), 0);
                stored.encode(&message.values, &mut message.bytes);
            }
        }
        bring(&*self.transport, parts, &mut self.messages, stored.stored_bytes)?;
        for message in &mut self.messages {
            let is_here = parts[message.from].engine.is_some();
            let Some(engine) = &mut parts[message.to].engine else { continue };
            if !is_here {
                // SAFETY: a storage type is a plain number, of which any bytes are a value.
                unsafe { stored.decode(&message.bytes, &mut message.values) };
            }
            engine.set_rim(message.arrives, &message.values)?;
        }
        Ok(())
    }

    /// Has every part of this process set what is given of its nodes.
    fn each(
        &mut self,
        give: Give<'_>,
        set: impl Fn(&mut dyn Engine, Give<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for Held { part, engine, .. } in &mut self.parts {
            let Some(engine) = engine else { continue };
            set(&mut **engine, &|nodes, values| given(part, give, nodes, values))?;
        }
        Ok(())
    }

    /// Has every part of this process do something.
    fn all(&mut self, work: impl Fn(&mut dyn Engine) -> Result<(), Error>) -> Result<(), Error> {
        self.parts
            .iter_mut()
            .filter_map(|held| held.engine.as_mut())
            .try_for_each(|engine| work(&mut **engine))
    }

    /// The engines of this process.
    fn engines(&self) -> impl Iterator<Item = &dyn Engine> {
        self.parts.iter().filter_map(|held| held.engine.as_deref())
    }

    /// One of them.
    fn first(&self) -> &dyn Engine {
        self.engines().next().expect("each process has a part")
    }

    /// What all processes know of the parts' values.
    fn known(&self) -> Known<'_> {
        Known { parts: &self.parts, transport: &*self.transport }
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
        self.known().collect(nodes, self.facts.lattice.q(), &ask, take).map(drop)
    }

    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        let all = nodes.len();
        for held in &self.parts {
            let own = nodes.iter().enumerate().filter_map(|(n, &node)| Some((n, held.part.own_node(node)?)));
            let (places, here): (Vec<usize>, Vec<usize>) = own.unzip();
            if here.is_empty() {
                continue;
            }
            let mut values = vec![0.0; self.facts.lattice.q() * here.len()];
            if let Some(engine) = &held.engine {
                engine.populations_at(&here, &mut values)?;
            }
            share(&*self.transport, held.rank, &mut values)?;
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
        // What one part refuses changes none.
        Arrivals::of(&self.facts, setup)?;
        let cut = setups(&self.facts, setup, self.parts())?;
        cut.iter().try_for_each(|part| Arrivals::of(&self.facts, part).map(drop))?;
        for (held, setup) in self.parts.iter_mut().zip(&cut) {
            let Some(engine) = &mut held.engine else { continue };
            let place = |here: usize| changed.nodes.binary_search(&held.part.index_there(here)).ok();
            let (nodes, places): (Vec<usize>, Vec<usize>) =
                (0..setup.domain().nodes()).filter_map(|here| Some((here, place(here)?))).unzip();
            let lines = changed.populations.chunks(changed.nodes.len().max(1));
            let own: Vec<f64> = lines.flat_map(|line| places.iter().map(|&place| line[place])).collect();
            engine.set_geometry(setup, Changed::new(&nodes, &own))?;
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
            let mut own = vec![0.0; held.memory.len()];
            if let Some(engine) = &held.engine {
                own = engine.memory()?;
            }
            share(&*self.transport, held.rank, &mut own)?;
            let places = held.memory.iter().zip(own);
            places.filter(|(place, _)| place.is_own).for_each(|(place, value)| all[place.of_whole] = value);
        }
        Ok(all)
    }

    fn set_memory(&mut self, values: &[f64]) -> Result<(), Error> {
        check_memory(self.remembered, values.len())?;
        for held in &mut self.parts {
            let own: Vec<f64> = held.memory.iter().map(|place| values[place.of_whole]).collect();
            held.engine.as_mut().map_or(Ok(()), |engine| engine.set_memory(&own))?;
        }
        Ok(())
    }

    fn set_node_field(&mut self, n: usize, give: Give<'_>) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_node_field(n, give))
    }

    fn node_field_of(&self, n: usize, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask =
            |engine: &dyn Engine, nodes, take: Take<'_>| engine.node_field_of(n, nodes, take).map(|()| true);
        self.known().collect(nodes, 1, &ask, take).map(drop)
    }

    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask = |engine: &dyn Engine, nodes, take: Take<'_>| engine.state_of(nodes, take).map(|()| true);
        self.known().collect(nodes, self.facts.state_values(), &ask, take).map(drop)
    }

    fn stores_moments(&self) -> bool {
        self.first().stores_moments()
    }

    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_state_from(give, step))
    }

    fn fields_of(&self, force: [f64; 3], nodes: Range<usize>, take: Take<'_>) -> Result<bool, Error> {
        let ask: Asked<'_> = &|engine, nodes, take| engine.fields_of(force, nodes, take);
        self.known().collect(nodes, 4, ask, take)
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        // None of all is none of the parts' own. If there are some, they may be beyond cuts, where nobody reads them: then the caller looks.
        let mut none = true;
        for held in &self.parts {
            let found = held.engine.as_ref().map_or(Ok(Some(0)), |engine| engine.not_finite())?;
            let mut finite = [f64::from(u8::from(found == Some(0)))];
            share(&*self.transport, held.rank, &mut finite)?;
            none &= finite == [1.0];
        }
        Ok(none.then_some(0))
    }

    fn own_of(&self, what: OfNodes, take: TakeRuns<'_>) -> Result<(), Error> {
        for Held { part, engine, .. } in &self.parts {
            let Some(engine) = engine else { continue };
            let own: Vec<Stretch> = part.own_within(0..self.nodes).collect();
            what.hand_out(&**engine, 0..engine.nodes(), &mut |here, values| {
                let (runs, values) = cut_own(&own, &here, values);
                if runs.is_empty() { Ok(()) } else { take(&runs, &values) }
            })?;
        }
        Ok(())
    }

    fn owners(&self) -> Vec<(usize, OwnBox)> {
        self.parts.iter().map(|held| (held.rank, held.part.own)).collect()
    }

    fn processes(&self) -> &dyn Transport {
        &*self.transport
    }

    fn nodes(&self) -> usize {
        self.nodes
    }

    fn step(&self) -> u64 {
        self.first().step()
    }

    fn allocated_bytes(&self) -> usize {
        self.engines().map(Engine::allocated_bytes).sum()
    }

    fn description(&self) -> String {
        let (parts, engine) = (self.parts.len(), self.first().description());
        match self.transport.ranks() {
            1 => format!("{parts} parts on: {engine}"),
            _ => format!("{parts} parts over {}, on: {engine}", self.transport.description()),
        }
    }
}

/// The parts of a box for so many processes, and what their engines are made for.
fn parts_of(
    facts: &Facts,
    whole: &Setup,
    cut: &Decomposition,
    ranks: usize,
) -> Result<(Vec<Part>, Vec<Setup>), Error> {
    // What the whole box may not have is said by its own places.
    Arrivals::of(facts, whole)?;
    let domain = whole.domain();
    let (boxes, planes) = (cut.boxes(domain.size)?, planes_read(facts, domain, &whole.rules)?);
    if boxes.len() < ranks {
        return Err(Error::out_of_range(
            "number of parts",
            boxes.len(),
            format!("{ranks} at least, the number of processes"),
            format!("cut the box into {ranks} parts, or start {} processes", boxes.len()),
        ));
    }
    let own: Vec<Part> = boxes.into_iter().map(|own| Part::of(domain, own, planes)).collect();
    let setups = setups(facts, whole, own.iter())?;
    Ok((own, setups))
}

/// What the engines of parts are made for.
fn setups<'a>(
    facts: &Facts,
    whole: &Setup,
    parts: impl Iterator<Item = &'a Part>,
) -> Result<Vec<Setup>, Error> {
    parts.map(|part| part.setup(facts, whole)).collect()
}
