//! The parts of a box as one engine.

use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use super::abreast::{self, abreast, paces};
use super::agreed::{agree, on_all_ranks};
use super::exchange::{connect, exchange};
use super::held::{Held, changes, parts_of, set_geometry, setups};
use super::joined::{choose_alike, join};
use super::memory::place_memory;
use super::messages::{Message, messages};
use super::whole::{Asked, Known, cut_own, given};
use super::{Alone, Decomposition, OwnBox, Part, Rim, Stretch, Transport, rank_of};
use crate::engine::{Changed, Engine, OfNodes, Setup, TakeRuns};
use crate::error::Error;
use crate::facts::Facts;
use crate::pieces::{Give, Take};
use crate::rules::{Arrivals, check_memory};
use crate::sums::ExactSum;

/// Makes the engine of a part, which is named by its number.
pub type MakePart<'a> = &'a dyn Fn(usize, &Setup) -> Result<Box<dyn Engine>, Error>;

/// A box in parts, each in this process or in another one: what crosses is brought before each step, or once in as many as the decomposition says. It has the bits of the box that is not cut.
///
/// Where there are several processes, all of them make it, of the same box and the same parts, and call the same methods in the same order: what is
/// asked of the whole box is then known to each.
pub struct CutEngine {
    facts: Facts,
    transport: Arc<dyn Transport>,
    parts: Vec<Held>,
    messages: Vec<Message>,
    /// What brings lists between the engines of several processes, if they do not go through the host.
    joined: Option<String>,
    nodes: usize,
    /// Once in how many steps what crosses is brought.
    every: u64,
    /// Whether each part has a thread in a run of many steps.
    is_abreast: bool,
    /// How many numbers rules remember in the whole box.
    remembered: usize,
    /// Whether a change of the geometry ended with some parts changed and others not.
    is_torn: bool,
}

impl CutEngine {
    /// Cuts a box, and makes an engine of each part, the fluid being at rest in step 0.
    ///
    /// # Errors
    /// As [`parts`](super::parts) and [`Part::setup`]; those of making the engines.
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
        let own = parts_of(facts, whole, cut, ranks)?;
        let setups = setups(facts, whole, &own, [transport.rank(), ranks]);
        let (setups, count) = (on_all_ranks(&*transport, setups)?, own.len());
        let parts = own.into_iter().zip(&setups).enumerate().map(|(number, (part, setup))| {
            let rank = rank_of(number, count, ranks);
            let engine = setup.as_ref().map(|setup| make(number, setup)).transpose()?;
            Ok(Held { part, rank, engine, memory: Vec::new(), is_looked_at: false })
        });
        let mut parts = on_all_ranks(&*transport, parts.collect::<Result<Vec<_>, _>>())?;
        choose_alike(&*transport, &mut parts)?;
        let joined = join(&*transport, &mut parts)?;
        let mut engine = CutEngine {
            facts: *facts,
            transport,
            parts,
            messages: Vec::new(),
            joined,
            nodes: whole.domain().nodes(),
            every: cut.steps(facts) as u64,
            is_abreast: false,
            remembered: 0,
            is_torn: false,
        };
        engine.connect(whole, &setups)?;
        Ok(engine)
    }

    /// Why a box is not cut so for so many processes, if it is not.
    #[must_use]
    pub fn refusal(facts: &Facts, whole: &Setup, cut: &Decomposition, ranks: usize) -> Option<Error> {
        let all = parts_of(facts, whole, cut, ranks);
        all.and_then(|parts| setups(facts, whole, &parts, [0, 1])).err()
    }

    /// Finds what crosses, and whose memory is where.
    fn connect(&mut self, whole: &Setup, setups: &[Option<Setup>]) -> Result<(), Error> {
        let own: Vec<Part> = self.parts().copied().collect();
        let (messages, rims) = messages(&*self.transport, &self.facts, (whole, setups), &own)?;
        let connected = self.connect_by(messages, rims);
        let connected = connected
            .and_then(|()| place_memory(&self.facts, whole, &mut self.parts))
            .map(|count| self.remembered = count);
        on_all_ranks(&*self.transport, connected)
    }

    fn connect_by(&mut self, messages: Vec<Message>, rims: Vec<Vec<Rim>>) -> Result<(), Error> {
        for (held, rims) in self.parts.iter_mut().zip(rims) {
            if let Some(engine) = &mut held.engine {
                held.is_looked_at = engine.look_at(held.part.own_grid());
                engine.set_rims(rims)?;
            }
        }
        self.messages = messages;
        connect(&mut self.parts, &mut self.messages, self.joined.is_some())?;
        self.is_abreast = abreast::can(&mut self.parts, &self.messages);
        Ok(())
    }

    /// The parts, in the order of the decomposition.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().map(|held| &held.part)
    }

    /// What crosses before a step, or once in several.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Refuses parts of which some have another geometry than others.
    fn check_is_whole(&self) -> Result<(), Error> {
        if !self.is_torn {
            return Ok(());
        }
        Err(Error::conflict(
            "a run or a change of the geometry failed in one part, and others went on",
            "build the flow anew, and go on from a checkpoint",
        ))
    }

    /// Brings what parts read to them.
    fn exchange(&mut self) -> Result<(), Error> {
        exchange(&*self.transport, &mut self.parts, &mut self.messages, &self.facts.precision)
    }

    /// Brings it as often as so many steps need it, without a step in between, which changes nothing, and tells how long that took, seconds.
    ///
    /// # Errors
    /// Those of the engines and of the transport.
    pub fn exchange_alone(&mut self, steps: u64) -> Result<f64, Error> {
        let start = Instant::now();
        self.paced(steps, |_, _| Ok(()))?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Brings what parts read and then does as many steps with each as follow from that, until so many are done; waits only in the end.
    fn paced(
        &mut self,
        steps: u64,
        work: impl Fn(&mut dyn Engine, u64) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        self.check_is_whole()?;
        self.parts.iter_mut().try_for_each(|held| held.direct(|direct| direct.begin()))?;
        let done = self.steps_between(steps, &work);
        // Where one has failed, others are further than it.
        self.is_torn = done.is_err();
        let ended = self.parts.iter_mut().try_for_each(|held| held.direct(|direct| direct.end()));
        done.and(ended)?;
        self.all(|engine| engine.finish().map(drop))
    }

    /// The same, of devices before they wait.
    fn steps_between(
        &mut self,
        steps: u64,
        work: &(impl Fn(&mut dyn Engine, u64) -> Result<(), Error> + Sync),
    ) -> Result<(), Error> {
        let mut paces = paces(steps, self.every);
        if self.is_abreast && abreast::pays(steps / self.every) {
            return abreast(&mut self.parts, &self.messages, paces, work);
        }
        paces.try_for_each(|some| {
            self.exchange()?;
            self.all(|engine| work(engine, some))
        })
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
    ///
    /// # Errors
    /// [`Error::Conflict`] for parts of two geometries: nothing of them is a state of the flow.
    fn known(&self) -> Result<Known<'_>, Error> {
        self.check_is_whole()?;
        Ok(Known { parts: &self.parts, transport: &*self.transport })
    }
}

impl Engine for CutEngine {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.paced(steps, |engine, some| match engine.direct() {
            Some(direct) => direct.steps(some),
            None => engine.run(some),
        })
    }

    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask =
            |engine: &dyn Engine, nodes, take: Take<'_>| engine.populations_of(nodes, take).map(|()| true);
        self.known()?.collect(nodes, self.facts.lattice.q(), &ask, take).map(drop)
    }

    fn populations_at(&self, nodes: &[usize], out: &mut [f64]) -> Result<(), Error> {
        self.known()?.populations_at(self.facts.lattice.q(), nodes, out)
    }

    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_populations_from(give, step))
    }

    fn set_uniform(&mut self, populations: &[f64], step: u64) -> Result<(), Error> {
        self.all(|engine| engine.set_uniform(populations, step))
    }

    fn set_geometry(&mut self, setup: &Setup, changed: Changed<'_>) -> Result<(), Error> {
        // What is torn stays so: what is drawn next does not mend it.
        self.check_is_whole()?;
        // What one part refuses changes none.
        Arrivals::of(&self.facts, setup)?;
        let parts: Vec<Part> = self.parts().copied().collect();
        let cut = setups(&self.facts, setup, &parts, [self.transport.rank(), self.transport.ranks()]);
        let fits = |setup: &Setup| Arrivals::of(&self.facts, setup).map(drop);
        let cut = cut.and_then(|cut| cut.iter().flatten().try_for_each(fits).map(|()| cut));
        let cut = cut.and_then(|cut| {
            changes(&self.facts, setup, &mut self.parts, &cut, changed.nodes).map(|changes| (cut, changes))
        });
        let (cut, changes) = on_all_ranks(&*self.transport, cut)?;
        // What an engine refuses then, memory that a device lacks, may leave some parts changed and others not.
        let done = set_geometry(&mut self.parts, &cut, &changes, changed);
        self.is_torn = true;
        on_all_ranks(&*self.transport, done)?;
        self.connect(setup, &cut)?;
        self.is_torn = false;
        Ok(())
    }

    fn set_parameters(&mut self, parameters: &[f64]) -> Result<(), Error> {
        self.all(|engine| engine.set_parameters(parameters))
    }

    fn set_factor(&mut self, name: &str, factor: f64) -> Result<(), Error> {
        self.all(|engine| engine.set_factor(name, factor))
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        self.known()?.memory(self.remembered)
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
        self.known()?.collect(nodes, 1, &ask, take).map(drop)
    }

    fn state_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask = |engine: &dyn Engine, nodes, take: Take<'_>| engine.state_of(nodes, take).map(|()| true);
        self.known()?.collect(nodes, self.facts.state_values(), &ask, take).map(drop)
    }

    fn stores_moments(&self) -> bool {
        self.first().stores_moments()
    }

    fn set_state_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.each(give, |engine, give| engine.set_state_from(give, step))
    }

    fn fields_of(&self, force: [f64; 3], nodes: Range<usize>, take: Take<'_>) -> Result<bool, Error> {
        let ask: Asked<'_> = &|engine, nodes, take| engine.fields_of(force, nodes, take);
        self.known()?.collect(nodes, 4, ask, take)
    }

    fn sums_of(&self, directions: Range<usize>, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        let ask: Asked<'_> =
            &|engine, nodes, take| engine.sums_of(directions.clone(), nodes, take).map(|()| true);
        self.known()?.collect(nodes, 1, ask, take).map(|_| ())
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        let all = self.known()?.looks(|engine| Ok(engine.not_finite()?.map(|count| [count])))?;
        Ok(all.map(|all| all.iter().map(|[count]| count).sum()))
    }

    fn largest_change(&mut self, force: [f64; 3]) -> Result<Option<f64>, Error> {
        self.check_is_whole()?;
        let look = |held: &mut Held| match &mut held.engine {
            Some(engine) if held.is_looked_at => {
                Ok(engine.largest_change(force)?.map(|change| [change.to_bits()]))
            }
            _ => Ok(None),
        };
        let found = self.parts.iter_mut().map(look).collect();
        // Numbers that are not negative are in the order of their bits, and what is no number comes last.
        let all = self.known()?.shared_words(found)?;
        Ok(all.map(|all| all.into_iter().map(|[bits]| bits).max().map_or(0.0, f64::from_bits)))
    }

    fn sum_of_velocity(&self, force: [f64; 3], component: usize) -> Result<Option<ExactSum>, Error> {
        let look = |engine: &dyn Engine| Ok(engine.sum_of_velocity(force, component)?.map(|sum| sum.words()));
        let all = self.known()?.looks(look)?;
        Ok(all.map(|all| {
            let mut sum = ExactSum::default();
            all.into_iter().for_each(|[a, b, c, refused]| sum.join(&ExactSum::of([a, b, c], refused)));
            sum
        }))
    }

    fn own_of(&self, what: OfNodes, take: TakeRuns<'_>) -> Result<(), Error> {
        self.check_is_whole()?;
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
        let threads = if self.is_abreast { ", a thread each" } else { "" };
        let every = match self.every {
            1 => String::new(),
            steps => format!(", exchanging every {steps} steps"),
        };
        let (over, way) = match self.transport.ranks() {
            1 => (String::new(), None),
            _ => (format!(" over {}", self.transport.description()), self.joined.as_deref()),
        };
        let way = way.map_or_else(String::new, |way| format!(", lists by {way}"));
        format!("{parts} parts{over}{threads}{way}{every}, on: {engine}")
    }
}
