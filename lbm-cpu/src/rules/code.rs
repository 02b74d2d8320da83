//! The machine code of boundary rules.

use std::cell::Cell;
use std::marker::PhantomData;

use lbm_core::rules::Stands;
use lbm_core::{Lanes, Lattice, Precision, Real, Rule, RuleFacts, RuleSet, RuleVisitor, Site, Variant};

use super::links::{ArriveAtLinks, Links};
use crate::dispatch::{Work, at_level, up_to_32_bytes};
use crate::run::{Program, Run};
use crate::simd::SimdLevel;

/// A rule at links, at a level.
pub(super) type LinksProgram = unsafe fn(&Links<'_>);

/// The machine code of a boundary rule in an arithmetic type, at every level.
#[derive(Clone, Copy, Debug)]
pub struct RuleCode {
    facts: RuleFacts,
    at: fn(SimdLevel) -> Program,
    at_links: fn(SimdLevel) -> LinksProgram,
    reads: fn(usize) -> [u64; 2],
}

impl RuleCode {
    /// That of a rule in an arithmetic type.
    #[must_use]
    pub fn of<R: Rule, T: Real>() -> RuleCode {
        RuleCode {
            facts: RuleFacts::of::<R, T>(),
            at: up_to_32_bytes::<Arrive<R, T>>,
            at_links: at_level::<ArriveAtLinks<R, T>>,
            reads: Seen::<R>::by::<T>,
        }
    }

    /// Those of the rules of a set, in each arithmetic type.
    #[must_use]
    pub fn of_set<S: RuleSet>() -> Vec<RuleCode> {
        let (mut narrow, mut wide) = (Codes::<f32>::default(), Codes::<f64>::default());
        S::each(&mut narrow);
        S::each(&mut wide);
        narrow.all.extend(wide.all);
        narrow.all
    }

    /// Those of a variant, in its arithmetic type.
    #[must_use]
    pub fn of_variant<V: Variant>() -> Vec<RuleCode> {
        let mut codes = Codes::<<V::Precision as Precision>::Arithmetic>::default();
        V::rules(&mut codes);
        codes.all
    }

    /// It at a level, at nodes.
    pub(super) fn at(&self, level: SimdLevel) -> Program {
        (self.at)(level)
    }

    /// The same at links.
    pub(super) fn at_links(&self, level: SimdLevel) -> LinksProgram {
        (self.at_links)(level)
    }

    /// A bit for each direction of a class that it reads, and for each value.
    pub(super) fn reads(&self, class: usize) -> [u64; 2] {
        (self.reads)(class)
    }

    /// What is known of the rule.
    #[must_use]
    pub fn facts(&self) -> &RuleFacts {
        &self.facts
    }
}

/// Gathers the machine code of rules in an arithmetic type.
#[derive(Default)]
struct Codes<T> {
    all: Vec<RuleCode>,
    arithmetic: PhantomData<T>,
}

impl<T: Real> RuleVisitor for Codes<T> {
    fn rule<R: Rule>(&mut self) {
        self.all.push(RuleCode::of::<R, T>());
    }
}

/// The directions and the values that a rule reads of a node: it reads the same of each.
struct Seen<R>([Cell<u64>; 2], PhantomData<R>);

impl<R: Rule> Seen<R> {
    fn by<T: Real>(class: usize) -> [u64; 2] {
        let mut seen = Seen::<R>([Cell::new(0), Cell::new(0)], PhantomData);
        R::arrive::<T>(class, &mut seen);
        seen.0.map(Cell::into_inner)
    }
}

impl<R: Rule, T: Real> Site<T> for Seen<R> {
    fn read(&self, i: usize) -> T {
        let (seen, n) = match i.checked_sub(R::Lattice::Q) {
            None => (&self.0[0], i),
            Some(n) => (&self.0[1], n),
        };
        // As many values as there are bits: those behind are all taken for read.
        seen.set(seen.get() | 1u64.checked_shl(n as u32).unwrap_or(0));
        T::default()
    }

    fn write(&mut self, _i: usize, _value: T) {}
}

/// A rule over nodes whose values wait in lines: of a run the inputs are those of the class' directions, `direction` is the class,
/// `fields` are the rule's values, which can be written, and outputs are lines of what it sets. It goes over the vectors that have nodes from
/// `behind` the first on.
struct Arrive<R, T>(PhantomData<(R, T)>);

impl<R: Rule, T: Real> Work for Arrive<R, T> {
    type Scalar = T;
    type On<'a> = Run<'a>;

    #[inline(always)]
    unsafe fn run<N: Lanes<Scalar = T>>(run: &Run<'_>) {
        if const { matches!(R::STANDS, Stands::AtLinks) } {
            return;
        }
        let first = run.behind[0] / size_of::<T>() / N::WIDTH * N::WIDTH;
        for at in (first..run.count).step_by(N::WIDTH) {
            let behind = at * size_of::<T>();
            let mut site = Node::<R, N> { run, behind, rule: PhantomData };
            R::arrive::<N>(run.direction, &mut site);
        }
    }
}

/// A vector of such nodes.
struct Node<'a, R, N> {
    run: &'a Run<'a>,
    behind: usize,
    rule: PhantomData<(R, N)>,
}

impl<R: Rule, N: Lanes> Site<N> for Node<'_, R, N> {
    #[inline(always)]
    fn read(&self, i: usize) -> N {
        let from = match i.checked_sub(R::Lattice::Q) {
            None => self.run.inputs[i],
            Some(value) => self.run.fields.field(value),
        };
        // SAFETY: lines have room for whole vectors.
        unsafe { N::load(from.wrapping_add(self.behind).cast()) }
    }

    #[inline(always)]
    fn write(&mut self, i: usize, value: N) {
        let to = match i.checked_sub(R::Lattice::Q) {
            None => self.run.outputs[i],
            // What is remembered takes the place of what was.
            Some(value) => self.run.fields.field(value).cast_mut(),
        };
        // SAFETY: lines have room for whole vectors, and all values have been read.
        unsafe { value.store(to.wrapping_add(self.behind).cast()) }
    }
}
