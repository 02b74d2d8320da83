//! What an engine holds of a flow, whichever way its nodes are stored.

use std::ops::Range;

use lbm_core::engine::Setup;
use lbm_core::facts::Places;
use lbm_core::{Domain, Error, Facts};

use crate::memory::{CACHE_LINE, Memory};
use crate::node_fields::{NodeFields, Numbers};
use crate::options::{CpuOptions, StoreKind};
use crate::program::{Code, Narrowed, Programs};
use crate::rules::{RuleCode, Rules};
use crate::simd::SimdLevel;
use crate::specials::terms;
use crate::threads::Threads;

/// Where a value of a node lies.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// At this offset of the present copy.
    Copy(usize),
    /// Beside the copies, for this link.
    Kept(usize),
}

/// A flow in memory.
pub(crate) struct State {
    pub(crate) facts: Facts,
    pub(crate) setup: Setup,
    pub(crate) places: Places<usize>,
    pub(crate) copies: Vec<Memory<u8>>,
    /// What was sent into walls, where the pattern has it kept ([`Facts::keeps_sent`]): one value for each link.
    pub(crate) kept: Memory<u8>,
    /// What walls add ([`terms`]).
    pub(crate) terms: Vec<f64>,
    /// Coefficients that are the same for all nodes, rounded to the arithmetic type.
    pub(crate) uniforms: Vec<f64>,
    /// The same in that type, as the programs take them.
    pub(crate) narrowed: Vec<u64>,
    narrow: Narrowed,
    /// The body's machine code at the level.
    pub(crate) programs: Programs,
    /// What the collision reads of each node beside its populations.
    pub(crate) fields: NodeFields,
    /// What boundary rules do.
    pub(crate) rules: Rules,
    pub(crate) threads: Threads,
    pub(crate) level: SimdLevel,
    pub(crate) stores: StoreKind,
    /// Steps done.
    pub(crate) step: u64,
}

impl State {
    /// A fluid at rest (all shifted populations zero) in step 0, of so many nodes that passes number, and so many links.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; [`Error::OutOfRange`] for a wrong number of threads; [`Error::Unavailable`] for a SIMD level that
    /// the machine has not.
    pub(crate) fn new(
        facts: Facts,
        code: Code,
        rules: Rules,
        setup: &Setup,
        options: &CpuOptions,
        stores: StoreKind,
        places: Places<usize>,
        nodes: usize,
        links: usize,
    ) -> Result<State, Error> {
        let (level, threads) = (options.level()?, Threads::new(options.threads)?);
        let bytes = facts.precision.stored_bytes;
        let copies = (0..facts.copies).map(|_| Memory::zeroed(places.values() * bytes, CACHE_LINE));
        let kept = if facts.keeps_sent { links } else { 0 };
        let uniforms = facts.uniforms(&setup.parameters);
        Ok(State {
            narrowed: (code.narrowed)(&uniforms),
            uniforms,
            narrow: code.narrowed,
            programs: (code.at)(level, facts.pattern.stores_moments()),
            fields: NodeFields::new(&facts, nodes, setup.domain().size)?,
            rules: rules.listed(),
            copies: copies.collect::<Result<_, _>>()?,
            kept: Memory::zeroed(kept * bytes, 0)?,
            terms: terms(&facts.lattice, setup.domain()),
            setup: setup.without_links(),
            facts,
            places,
            threads,
            level,
            stores,
            step: 0,
        })
    }

    /// Memory for what so many links keep, if they do, with what they keep now; none if there is enough.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn more_kept(&self, links: usize) -> Result<Option<Memory<u8>>, Error> {
        let bytes = if self.facts.keeps_sent { links * self.facts.precision.stored_bytes } else { 0 };
        if bytes <= self.kept.bytes() {
            return Ok(None);
        }
        let more = Memory::zeroed(bytes, 0)?;
        // SAFETY: both have as many bytes.
        unsafe { self.kept.start().copy_to_nonoverlapping(more.start(), self.kept.bytes()) };
        Ok(Some(more))
    }

    /// Goes on in a box of which these nodes have become solid or fluid, with these rules and this memory for links if they are others.
    pub(crate) fn follow(
        &mut self,
        setup: &Setup,
        nodes: &[usize],
        rules: Option<Rules>,
        kept: Option<Memory<u8>>,
    ) {
        kept.into_iter().for_each(|kept| self.kept = kept);
        self.terms = terms(&self.facts.lattice, setup.domain());
        self.setup.follow(setup, nodes);
        match rules {
            Some(rules) => self.rules = rules.listed(),
            None => self.rules.forget(&self.facts),
        }
        self.set_parameters(&setup.parameters);
    }

    /// Sets the collision's parameters for the steps that follow.
    pub(crate) fn set_parameters(&mut self, parameters: &[f64]) {
        self.setup.parameters = parameters.to_vec();
        self.uniforms = self.facts.uniforms(parameters);
        self.narrowed = (self.narrow)(&self.uniforms);
    }

    pub(crate) fn domain(&self) -> &Domain {
        self.setup.domain()
    }

    /// The phase of the coming step.
    pub(crate) fn phase(&self) -> usize {
        (self.step % self.facts.period as u64) as usize
    }

    /// The copy that holds the flow now.
    fn present(&self) -> usize {
        (self.step % self.copies.len() as u64) as usize
    }

    /// The copy that the coming step reads.
    pub(crate) fn source(&self) -> *const u8 {
        self.copies[self.present()].start()
    }

    /// The copy that it writes: the same if there is one only.
    pub(crate) fn target(&self) -> *mut u8 {
        self.copies[(self.present() + 1) % self.copies.len()].start()
    }

    /// The memory of a place, and the offset there.
    pub(crate) fn memory(&self, place: Place) -> (*mut u8, usize) {
        match place {
            Place::Copy(offset) => (self.copies[self.present()].start(), offset),
            Place::Kept(link) => (self.kept.start(), link),
        }
    }

    /// The value at a place.
    ///
    /// # Safety
    /// It is one of the present copy, or of a link, and nobody writes it meanwhile.
    pub(crate) unsafe fn value(&self, place: Place) -> f64 {
        let (memory, at) = self.memory(place);
        // SAFETY: as the caller says.
        unsafe { (self.programs.values.read)(memory, at) }
    }

    /// So many values of the present copy, from an offset on, which lie so many values apart.
    ///
    /// # Safety
    /// All of them are values of the copy, and nobody writes them meanwhile.
    pub(crate) unsafe fn widen(&self, at: [usize; 2], to: &mut [f64]) {
        // SAFETY: as the caller says.
        unsafe { (self.programs.values.widen)(self.source(), at, to.as_mut_ptr(), to.len()) };
    }

    /// Writes a value to a place, rounded to the storage type.
    ///
    /// # Safety
    /// It is one of the present copy, or of a link, and nobody else reads or writes it meanwhile.
    pub(crate) unsafe fn set_value(&self, place: Place, value: f64) {
        let (memory, at) = self.memory(place);
        // SAFETY: as the caller says.
        unsafe { (self.programs.values.write)(memory, at, value) };
    }
}

/// What knows where the nodes of a flow are stored, and does its steps.
pub(crate) trait Nodes: Send + Sync {
    /// Does a step.
    fn one_step(&mut self, state: &State);
    /// Calls `each` for every value of the state of every fluid one of these nodes of the box, from several threads: the
    /// node, the number of the value, and where it lies. What is kept beside the copies may be there twice.
    fn for_each(&self, state: &State, nodes: Range<usize>, each: &(dyn Fn(usize, usize, Place) + Sync));
    /// Where value `n` of the state of a fluid node lies; nodes are numbered as they are stored ([`Rules::renumber`]).
    fn place(&self, state: &State, node: usize, n: usize) -> Place;
    /// Where that value lies once more, if it does: what is sent into a wall, where the pattern has it kept beside the copies.
    fn place_again(&self, _state: &State, _node: usize, _n: usize) -> Option<Place> {
        None
    }
    /// Where all values of the state of a fluid node of the box lie of which that is [known](Nodes::number).
    fn places(&self, state: &State, node: usize, each: &mut dyn FnMut(usize, Place)) {
        (0..state.facts.state_values()).for_each(|n| each(n, self.place(state, node, n)));
    }
    /// How a fluid node of the box is numbered, if that is known; where nodes are listed all of them are gone through else.
    fn number(&self, node: usize) -> Option<usize> {
        Some(node)
    }
    /// Goes through the pieces in which value `n` of the state lies of `count` nodes of a row of the box, from this node on and so many node spacings apart: the number of the
    /// piece's first node among them, how many it has, where the first value lies, and how far the next one is. False, as by default, where rows are not stored as such.
    fn pieces(
        &self,
        _state: &State,
        _n: usize,
        (_node, _step, _count): (usize, usize, usize),
        _each: &mut dyn FnMut(usize, usize, [usize; 2]),
    ) -> bool {
        false
    }
    /// Copies out value `n` of the state of such nodes; anything of solid ones. False where rows are not stored as such.
    fn line(&self, state: &State, n: usize, node: usize, step: usize, out: &mut [f64]) -> bool {
        self.pieces(state, n, (node, step, out.len()), &mut |first, count, at| {
            // SAFETY: places of nodes are those of the copy, which nobody writes while it is borrowed.
            unsafe { state.widen(at, &mut out[first..first + count]) };
        })
    }
    /// Sets value `n` of the state of nodes side by side in a row, all of them fluid, while no step is under way. False where rows are not stored as such.
    fn set_line(&self, state: &State, n: usize, node: usize, values: &[f64]) -> bool {
        self.pieces(state, n, (node, 1, values.len()), &mut |first, count, [at, apart]| {
            for (k, &value) in values[first..first + count].iter().enumerate() {
                // SAFETY: as above, and the nodes are the caller's.
                unsafe { state.set_value(Place::Copy(at + k * apart), value) };
            }
        })
    }
    /// How passes number nodes.
    fn numbers(&self) -> Numbers<'_> {
        None
    }
    /// As [`Engine::undrawable`](lbm_core::Engine::undrawable).
    fn undrawable(&mut self, _state: &State, _nodes: &[usize]) -> Option<usize> {
        None
    }
    /// Follows a box in which these nodes, ascending, which can, have become solid or fluid. Then values of these nodes are stored. Whether rules are listed anew,
    /// and so are to keep what the state says.
    ///
    /// # Errors
    /// Those of the engine's making; nothing is changed then.
    fn follow(
        &mut self,
        state: &mut State,
        setup: &Setup,
        nodes: &[usize],
        codes: &[RuleCode],
    ) -> Result<bool, Error>;
    /// Keeps what the present values have sent into walls, where the pattern has it kept and they were set without it.
    fn keep(&self, state: &State);
    /// Follows a state whose step was set.
    fn restart(&mut self, state: &State);
    /// Bytes beside those of the state.
    fn bytes(&self) -> usize;
}
