//! Products by name: the values of each axis that a running program knows, put together in any legal way.
//!
//! Only a body has to be compiled with its lattice, and a streaming pattern with it; what a product of them is follows from facts
//! ([`Facts::compose`]). A device's kernels, and the plain reference, need no more.

use crate::addressing::{Addressing, ConnectivityMatrix, Dense, FluidIndexArray, Tiled};
use crate::error::Error;
use crate::facts::{
    AddressingFacts, BodyFacts, Facts, LatticeFacts, LayoutFacts, PrecisionFacts, StreamingFacts,
};
use crate::lattice::Lattice;
use crate::layout::{Aos, Aosoa, Layout, Soa, TileBest, TilePaper};
use crate::precision::{F16In32, F16In64, F32, F32In64, F64, Precision};
use crate::streaming::{
    Aa, Ccas, EsotericPull, EsotericPush, EsotericTwist, Ghost, Moments, MomentsRing, MomentsTwoSteps,
    Streaming, Swap, ThreadSafe, TwoLatticePull, TwoLatticePush,
};
use crate::variant::Variant;

/// The values that are known on each axis.
#[derive(Clone, Debug)]
pub struct Axes {
    bodies: Vec<(LatticeFacts, BodyFacts)>,
    precisions: Vec<PrecisionFacts>,
    layouts: Vec<LayoutFacts>,
    addressings: Vec<AddressingFacts>,
    /// By the name of the lattice.
    streamings: Vec<(&'static str, StreamingFacts)>,
}

/// Adds a value to an axis, unless one of its name is there.
fn add<T>(axis: &mut Vec<T>, value: T, same: impl Fn(&T, &T) -> bool) {
    if !axis.iter().any(|known| same(known, &value)) {
        axis.push(value);
    }
}

impl Axes {
    /// The built-in precisions, layouts and addressings; no body, and so no product yet.
    #[must_use]
    pub fn built_in() -> Axes {
        let none = Axes {
            bodies: Vec::new(),
            precisions: Vec::new(),
            layouts: Vec::new(),
            addressings: Vec::new(),
            streamings: Vec::new(),
        };
        none.with_precision::<F32>()
            .with_precision::<F64>()
            .with_precision::<F32In64>()
            .with_precision::<F16In32>()
            .with_precision::<F16In64>()
            .with_layout::<Soa>()
            .with_layout::<Aos>()
            .with_layout::<Aosoa<8>>()
            .with_layout::<Aosoa<16>>()
            .with_layout::<Aosoa<32>>()
            .with_layout::<Aosoa<64>>()
            .with_layout::<Aosoa<128>>()
            .with_layout::<TilePaper>()
            .with_layout::<TileBest>()
            .with_addressing::<Dense>()
            .with_addressing::<Tiled<4>>()
            .with_addressing::<Tiled<8, 4, 4>>()
            .with_addressing::<Tiled<16, 4, 4>>()
            .with_addressing::<Tiled<64, 4, 4>>()
            .with_addressing::<Tiled<4, 4, 1>>()
            .with_addressing::<Tiled<8, 8, 1>>()
            .with_addressing::<ConnectivityMatrix>()
            .with_addressing::<FluidIndexArray>()
    }

    /// With all that a variant is made of, and the built-in streaming patterns on its lattice.
    #[must_use]
    pub fn with_variant<V: Variant>(self) -> Axes {
        self.with_lattice::<V::Lattice>().with_facts(&Facts::of::<V>())
    }

    /// With the built-in streaming patterns on a lattice.
    #[must_use]
    pub fn with_lattice<L: Lattice>(self) -> Axes {
        self.with_streaming::<TwoLatticePull, L>()
            .with_streaming::<TwoLatticePush, L>()
            .with_streaming::<Aa, L>()
            .with_streaming::<EsotericTwist, L>()
            .with_streaming::<EsotericPull, L>()
            .with_streaming::<EsotericPush, L>()
            .with_streaming::<Swap, L>()
            .with_streaming::<Ccas, L>()
            .with_streaming::<Ghost, L>()
            .with_streaming::<Moments, L>()
            .with_streaming::<MomentsRing, L>()
            .with_streaming::<MomentsTwoSteps, L>()
            .with_streaming::<ThreadSafe, L>()
    }

    /// With all that a variant is made of.
    #[must_use]
    pub fn with_facts(mut self, facts: &Facts) -> Axes {
        add(&mut self.bodies, (facts.lattice, facts.body), |a, b| {
            (a.0.name, a.1.collision) == (b.0.name, b.1.collision)
        });
        add(&mut self.precisions, facts.precision, |a, b| a.name == b.name);
        add(&mut self.layouts, facts.layout, |a, b| a.name == b.name);
        add(&mut self.addressings, facts.addressing, |a, b| a.name == b.name);
        self.add_streaming(facts.lattice.name, facts.streaming);
        self
    }

    /// With a precision.
    #[must_use]
    pub fn with_precision<P: Precision>(mut self) -> Axes {
        add(&mut self.precisions, PrecisionFacts::of::<P>(), |a, b| a.name == b.name);
        self
    }

    /// With a layout.
    #[must_use]
    pub fn with_layout<Y: Layout>(mut self) -> Axes {
        add(&mut self.layouts, LayoutFacts::of::<Y>(), |a, b| a.name == b.name);
        self
    }

    /// With an addressing.
    #[must_use]
    pub fn with_addressing<A: Addressing>(mut self) -> Axes {
        add(&mut self.addressings, AddressingFacts::of::<A>(), |a, b| a.name == b.name);
        self
    }

    /// With a streaming pattern on a lattice.
    #[must_use]
    pub fn with_streaming<S: Streaming, L: Lattice>(mut self) -> Axes {
        self.add_streaming(L::NAME, StreamingFacts::of::<S, L>());
        self
    }

    fn add_streaming(&mut self, lattice: &'static str, streaming: StreamingFacts) {
        add(&mut self.streamings, (lattice, streaming), |a, b| {
            (a.0, a.1.pattern.name) == (b.0, b.1.pattern.name)
        });
    }

    /// The product of this name, `lattice-collision[-incompressible][-guo]-precision-layout-addressing-streaming`.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a name of which a part is no known value; [`Error::Conflict`] for values that do not go together.
    pub fn product(&self, name: &str) -> Result<Facts, Error> {
        let (lattice, body, rest) = self.body_of(name)?;
        let (precision, rest) = first(name, "precision", &self.precisions, |value| value.name, rest)?;
        let (layout, rest) = first(name, "layout", &self.layouts, |value| value.name, rest)?;
        let (addressing, rest) = first(name, "addressing", &self.addressings, |value| value.name, rest)?;
        let on_lattice: Vec<StreamingFacts> =
            self.streamings.iter().filter(|known| known.0 == lattice.name).map(|known| known.1).collect();
        let (streaming, rest) = first(name, "streaming", &on_lattice, |value| value.pattern.name, rest)?;
        if !rest.is_empty() {
            let remedy = format!("`{name}` ends with the streaming; leave `{rest}` out");
            return Err(Error::unknown("end of a variant's name", rest, [""], remedy));
        }
        Facts::compose(lattice, body, precision, layout, addressing, streaming)
    }

    /// The body that a name begins with, and the rest of the name.
    fn body_of<'a>(&self, name: &'a str) -> Result<(LatticeFacts, BodyFacts, &'a str), Error> {
        let label = |(lattice, body): &(LatticeFacts, BodyFacts)| {
            format!("{}-{}", lattice.name.to_lowercase(), body.collision)
        };
        let begins = |known: &&(LatticeFacts, BodyFacts)| {
            name.strip_prefix(label(known).as_str()).is_some_and(|rest| rest.starts_with('-'))
        };
        // `bgk-guo` and not `bgk`.
        let longest = self.bodies.iter().filter(begins).max_by_key(|known| label(known).len());
        let Some(known) = longest else {
            let labels: Vec<String> = self.bodies.iter().map(label).collect();
            let known: Vec<&str> = labels.iter().map(String::as_str).collect();
            let remedy =
                format!("a name begins with one of {}; declare another with `solver!`", known.join(", "));
            return Err(Error::unknown("lattice and collision in", name, known, remedy));
        };
        Ok((known.0, known.1, &name[label(known).len() + 1..]))
    }
}

/// The value of an axis that the rest of a name begins with, and what is left behind it.
fn first<'a, T: Copy>(
    name: &str,
    axis: &str,
    values: &[T],
    name_of: impl Fn(&T) -> &'static str,
    rest: &'a str,
) -> Result<(T, &'a str), Error> {
    let behind = |value: &T| {
        let rest = rest.strip_prefix(name_of(value))?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('-') }
    };
    let found = values.iter().filter_map(|value| Some((*value, behind(value)?)));
    // The longest name: `moments-ring` and not `moments`.
    found.min_by_key(|(_, rest)| rest.len()).ok_or_else(|| {
        let known: Vec<&str> = values.iter().map(&name_of).collect();
        let remedy = format!("in `{name}` one of these stands here: {}", known.join(", "));
        Error::unknown(axis, rest.split('-').next().unwrap_or(rest), known, remedy)
    })
}
