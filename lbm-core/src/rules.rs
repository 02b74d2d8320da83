//! Boundary rules at run time. Their maths lives in the declarations; `rules!` and `solver!` specialise them to a lattice.
//!
//! At a node beyond which a rule stands, every missing population is first what comes back from a half-way wall at rest: what the node
//! itself sent the other way. So each streaming pattern, addressing and layout hands a rule what it hands a wall. Then, before
//! the node collides, the rule sets the missing populations from those, from the known ones and from its own values. Nobody reads
//! what another node writes. A rule of a link does the same for what comes along the link. A rule in the fluid replaces populations where none
//! is missing, after all others. A rule may also ask what the node sent into
//! the fluid in the step before, which a backend keeps beside the rule's values; and what another node sent, which a pass between steps
//! brings there. What it remembers it leaves among its values itself, and finds it there in the next step.

mod arrivals;
mod at_links;
mod at_once;
mod course;
mod frames;
mod in_time;
mod observed;
mod turn;

pub use arrivals::{Arrival, Arrivals, Kept, Kind, MemoryOf, Part, Remembered, Visit, check_memory};
pub(crate) use arrivals::{LONGEST_CHAIN, find as known};
pub use at_links::{AtLinks, LinkArrival, mask_of};
pub use course::Course;
pub use frames::Frames;
pub use in_time::{InTime, Varying};
pub use lbm_base::observation::{Elsewhere, Observation};
pub use observed::Observed;
pub use turn::Turn;

use std::marker::PhantomData;
use std::ops::{Range as Places, RangeBounds};

use crate::Variant;
use crate::collision::{Operations, Site};
use crate::facts::{Arithmetics, LatticeFacts};
use crate::lanes::{Lanes, Real};
use crate::lattice::Lattice;
use crate::precision::Precision;
use crate::range::{Range, described};

/// A boundary rule as declared by `boundary!`.
pub trait Boundary: Copy + Send + Sync + 'static {
    /// The name as declared, e.g. `ZouHeVelocity`.
    const NAME: &'static str;
    /// The same in small letters, e.g. `zou-he-velocity`: what users and files call it.
    const LABEL: &'static str;
    /// The declaration's tokens, so that tools can print it at run time.
    const DECLARATION: &'static str;
}

/// What a user sets of a rule: a number, or a vector with a component along each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleParameter {
    /// Its name.
    pub name: &'static str,
    /// Whether it has a component along each axis.
    pub vector: bool,
    /// The value that it, or each of its components, has unless it is set.
    pub default: Option<f64>,
    /// What it, or each of its components, may be.
    pub range: Range,
}

impl RuleParameter {
    /// A parameter, as `boundary!` declares it.
    #[must_use]
    pub const fn new(name: &'static str, vector: bool, default: Option<f64>, range: Range) -> RuleParameter {
        RuleParameter { name, vector, default, range }
    }

    /// Whether it, or one of its components, may be this.
    #[must_use]
    pub fn allows(&self, value: f64) -> bool {
        self.range.contains(&value)
    }

    /// Its range in words, e.g. `0 to 1`.
    #[must_use]
    pub fn allowed(&self) -> String {
        described(self.range)
    }

    /// How many values it has on a lattice of this dimension.
    #[must_use]
    pub fn components(&self, dimension: usize) -> usize {
        if self.vector { dimension } else { 1 }
    }
}

/// What a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// Nodes at a face of the box.
    AtFaces,
    /// Links that its wall cuts.
    AtLinks,
    /// Nodes anywhere in the fluid, to which all populations come: from neighbours, or by the rules before it.
    InFluid,
}

impl Stands {
    /// As words: what a rule is.
    #[must_use]
    pub fn described(self) -> &'static str {
        match self {
            Stands::AtFaces => "for nodes at a face",
            Stands::AtLinks => "for links that a wall cuts",
            Stands::InFluid => "for nodes in the fluid",
        }
    }
}

/// The nodes or links for which a rule was generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lies {
    /// Nodes at so many faces with the rule, beside so many half-way walls, turned so that the rule's faces are the lower ends of the
    /// first axes, and the walls those of the axes that follow.
    Nodes {
        /// Faces with the rule; none in the fluid.
        faces: usize,
        /// Half-way walls beside.
        walls: usize,
    },
    /// Links from beyond which this direction comes.
    Links {
        /// Number of the direction.
        back: usize,
    },
}

/// What a rule does at nodes or links that lie alike.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleClass {
    /// Which these are.
    pub lies: Lies,
    /// The directions that the rule sets, ascending.
    pub sets: &'static [usize],
    /// After its values that are given come what the node sent along these directions in the step before,
    pub keeps: &'static [usize],
    /// then populations of other nodes,
    pub observes: &'static [Observation],
    /// for each of these nodes 1 where it is fluid, else 0,
    pub asks: &'static [Elsewhere],
    /// at last so many values that the rule remembers, each less what it is at first. Of these the text sets all, each in a line of its own
    /// that begins with `values[`.
    pub remembers: usize,
    /// What it does as statements of CUDA C++: from `h[‹i›]` and `values[n]` to those `h[‹i›]` that it sets
    /// ([`Turn::directed`]). An error, if the rule says nothing of such nodes, with the reason.
    pub text: Result<&'static str, &'static str>,
    /// Operations of a node.
    pub operations: Operations,
}

impl RuleClass {
    /// A class of nodes or links of which a rule says something; the text is its [`text`](RuleClass::text).
    #[must_use]
    pub const fn new(
        lies: Lies,
        sets: &'static [usize],
        keeps: &'static [usize],
        observes: &'static [Observation],
        asks: &'static [Elsewhere],
        text: &'static str,
        operations: Operations,
    ) -> RuleClass {
        RuleClass { lies, sets, keeps, observes, asks, remembers: 0, text: Ok(text), operations }
    }

    /// The same of a rule that remembers so many values.
    #[must_use]
    pub const fn remembering(self, values: usize) -> RuleClass {
        RuleClass { remembers: values, ..self }
    }

    /// One of which it says nothing, and why.
    #[must_use]
    pub const fn refused(lies: Lies, why: &'static str) -> RuleClass {
        let operations = Operations { adds: 0, muls: 0, fmas: 0, divs: 0, others: 0 };
        RuleClass {
            lies,
            sets: &[],
            keeps: &[],
            observes: &[],
            asks: &[],
            remembers: 0,
            text: Err(why),
            operations,
        }
    }
}

/// A rule specialised to a lattice and an equilibrium.
pub trait Rule: Send + Sync + 'static {
    /// The lattice.
    type Lattice: Lattice;
    /// Its name in small letters ([`Boundary::LABEL`]), of a model behind that of the set of populations: `heat.fixed-value`.
    const NAME: &'static str;
    /// The first direction of the set of populations that it sets, of which the lattice above is its own.
    const FIRST: usize = 0;
    /// What it is for.
    const STANDS: Stands;
    /// How far its wall lies beyond nodes at a face, in node spacings: 0 on them, 1/2 half-way. Links that leave through a face are cut
    /// half-way.
    const BEYOND: f64;
    /// Whether it does what a half-way wall does, at rest or with the velocity that is its one parameter. Such a rule needs no kernel of its
    /// own where the velocity is the same everywhere.
    const HALF_WAY: bool;
    /// What is set of it. Its values at a node are these, component after component, then the components of the body force; of a link
    /// also the distance to the wall in lengths of the link; then what is kept, what is known of other nodes, and what it remembers.
    const PARAMETERS: &'static [RuleParameter];
    /// The classes of nodes, the midst of a face first; in the fluid there is one.
    const CLASSES: &'static [RuleClass];
    /// Sets populations of a node, or as many side by side as there are lanes: the site reads arriving population i at place i, value n
    /// of the rule at place Q + n, and takes population i at place i and what is remembered at that of its value, behind all reading.
    fn arrive<V: Lanes>(class: usize, site: &mut impl Site<V>);
}

/// Is shown the rules of a set, type by type.
pub trait RuleVisitor {
    /// Is shown a rule.
    fn rule<R: Rule>(&mut self);
}

/// Rules of one lattice: what `rules!` declares.
pub trait RuleSet: Send + Sync + 'static {
    /// Shows each of them.
    fn each<W: RuleVisitor>(visitor: &mut W);
}

/// A rule at the nodes of a class: class, arriving populations, values; sets some of the populations, and of the
/// values what is remembered.
type Program = fn(usize, &[f64], &mut [f64], &mut [f64]);

/// A rule without its type, in one arithmetic type.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RuleFacts {
    /// [`Rule::NAME`]
    pub name: &'static str,
    /// The lattice's name.
    pub lattice: &'static str,
    /// [`Rule::FIRST`]
    pub first: usize,
    /// [`Rule::STANDS`]
    pub stands: Stands,
    /// [`Rule::BEYOND`]
    pub beyond: f64,
    /// [`Rule::HALF_WAY`]
    pub half_way: bool,
    /// [`Rule::PARAMETERS`]
    pub parameters: &'static [RuleParameter],
    /// [`Rule::CLASSES`]
    pub classes: &'static [RuleClass],
    /// The type of its arithmetic.
    pub arithmetic: Arithmetics,
    program: Program,
}

impl RuleFacts {
    /// What a rule is that cannot hold before walls ([`AppliedRule::before_walls`](crate::domain::AppliedRule::before_walls)), in words; none of one that can.
    #[must_use]
    pub fn not_before_walls(&self) -> Option<&'static str> {
        match self.stands {
            Stands::AtFaces => (self.first > 0).then_some("of a further set of populations"),
            Stands::AtLinks | Stands::InFluid => Some(self.stands.described()),
        }
    }

    /// Those of a rule in an arithmetic type.
    #[must_use]
    pub fn of<R: Rule, T: Real>() -> RuleFacts {
        RuleFacts {
            name: R::NAME,
            lattice: R::Lattice::NAME,
            first: R::FIRST,
            stands: R::STANDS,
            beyond: R::BEYOND,
            half_way: R::HALF_WAY,
            parameters: R::PARAMETERS,
            classes: R::CLASSES,
            arithmetic: Arithmetics::of::<T>(),
            program: at_a_node::<R, T>,
        }
    }

    /// The lattice on which it was generated, in a box of populations on this one: the same, or that of a set. None if it is of another.
    #[must_use]
    pub fn own_lattice(&self, whole: &LatticeFacts) -> Option<LatticeFacts> {
        let of_set = || whole.sets.iter().find(|set| set.first == self.first).map(|set| set.lattice);
        let own = if whole.sets.is_empty() { Some(*whole) } else { of_set() };
        own.filter(|own| own.name == self.lattice)
    }

    /// The directions of its set of populations, in a box of populations on this lattice.
    #[must_use]
    pub fn directions(&self, whole: &LatticeFacts) -> std::ops::Range<usize> {
        let count = self.own_lattice(whole).map_or(0, |own| own.q());
        self.first..self.first + count
    }

    /// How many numbers a user gives it on a lattice of this dimension: the components of its parameters.
    #[must_use]
    pub fn components(&self, dimension: usize) -> usize {
        self.parameters.iter().map(|parameter| parameter.components(dimension)).sum()
    }

    /// How many values it is given at a node, or a link, on a lattice of this dimension: its components, the body force, and of a link the
    /// distance. What is kept, and what is known of other nodes, follows them.
    #[must_use]
    pub fn given(&self, dimension: usize) -> usize {
        self.components(dimension) + dimension + usize::from(self.stands == Stands::AtLinks)
    }

    /// How many values it has at a node, or a link, of a class: those that it is given, what is kept, what is known of other nodes, and what it
    /// remembers.
    #[must_use]
    pub fn values(&self, dimension: usize, class: usize) -> usize {
        self.remembered(dimension, class).end
    }

    /// Where among these stand those that it remembers, the last ones.
    #[must_use]
    pub fn remembered(&self, dimension: usize, class: usize) -> Places<usize> {
        let RuleClass { keeps, observes, asks, remembers, .. } = &self.classes[class];
        let first = self.given(dimension) + keeps.len() + observes.len() + asks.len();
        first..first + remembers
    }

    /// Whether it remembers something somewhere.
    #[must_use]
    pub fn remembers(&self) -> bool {
        self.classes.iter().any(|class| class.remembers > 0)
    }

    /// Whether something is kept somewhere.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.classes.iter().any(|class| !class.keeps.is_empty())
    }

    /// Whether the body force counts somewhere in what it does, so that a force cannot change while the rule stands.
    #[must_use]
    pub fn reads_force(&self, dimension: usize) -> bool {
        let first = self.components(dimension);
        let reads = |text: &str| (first..first + dimension).any(|n| text.contains(&format!("values[{n}]")));
        self.classes.iter().any(|class| class.text.is_ok_and(reads))
    }

    /// Sets populations of a node of a class, and of its values what it remembers; all numbers are those of the arithmetic type.
    pub fn arrive(&self, class: usize, values: &mut [f64], h: &mut [f64]) {
        let before = h.to_vec();
        (self.program)(class, &before, values, h);
    }
}

/// A node in slices of numbers that the arithmetic type holds.
struct Plain<'a> {
    before: &'a [f64],
    values: &'a mut [f64],
    after: &'a mut [f64],
}

// Not inlined: a rule asks for a value hundreds of times, and nobody waits for this.
impl<T: Real> Site<T> for Plain<'_> {
    #[inline(never)]
    fn read(&self, i: usize) -> T {
        T::from_f64(self.before.get(i).copied().unwrap_or_else(|| self.values[i - self.before.len()]))
    }
    #[inline(never)]
    fn write(&mut self, i: usize, value: T) {
        match i.checked_sub(self.after.len()) {
            None => self.after[i] = value.to_f64(),
            Some(n) => self.values[n] = value.to_f64(),
        }
    }
}

fn at_a_node<R: Rule, T: Real>(class: usize, before: &[f64], values: &mut [f64], after: &mut [f64]) {
    R::arrive::<T>(class, &mut Plain { before, values, after });
}

/// What is known of a variant's rules, in its arithmetic type.
#[must_use]
pub fn of_variant<V: Variant>() -> Vec<RuleFacts> {
    let mut all = Gathered(Vec::new(), PhantomData::<<V::Precision as Precision>::Arithmetic>);
    V::rules(&mut all);
    all.0
}

/// Gathers the facts of rules in an arithmetic type.
struct Gathered<T>(Vec<RuleFacts>, PhantomData<T>);

impl<T: Real> RuleVisitor for Gathered<T> {
    fn rule<R: Rule>(&mut self) {
        self.0.push(RuleFacts::of::<R, T>());
    }
}
