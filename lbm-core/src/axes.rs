//! Products by name: the values of each axis that a running program knows, put together in any legal way.
//!
//! Only a body has to be compiled with its lattice, and a streaming pattern with it; what a product of them is follows from facts
//! ([`Facts::compose`]). A device's kernels, and the plain reference, need no more.

use crate::addressing::{ConnectivityMatrix, Dense, FluidIndexArray, Tiled};
use crate::error::Error;
use crate::facts::{
    AddressingFacts, BodyFacts, Facts, LatticeFacts, LayoutFacts, PrecisionFacts, StreamingFacts,
};
use crate::lattice::Lattice;
use crate::layout::{Aos, Aosoa, Soa, TileBest, TilePaper};
use crate::precision::{Bf16In32, F16In32, F16In64, F32, F32In64, F64, Fp16cIn32, GradedIn32};
use crate::streaming::{
    Aa, Ccas, EsotericPull, EsotericPush, EsotericTwist, Ghost, Moments, MomentsRing, MomentsTwoSteps, Swap,
    ThreadSafe, TwoLatticePull, TwoLatticePush,
};

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
fn add<T, N: PartialEq>(axis: &mut Vec<T>, value: T, name: impl Fn(&T) -> N) {
    if !axis.iter().any(|known| name(known) == name(&value)) {
        axis.push(value);
    }
}

impl Axes {
    /// The built-in precisions, layouts and addressings; no body, and so no product yet.
    #[must_use]
    pub fn built_in() -> Axes {
        Axes {
            bodies: Vec::new(),
            precisions: vec![
                PrecisionFacts::of::<F32>(),
                PrecisionFacts::of::<F64>(),
                PrecisionFacts::of::<F32In64>(),
                PrecisionFacts::of::<F16In32>(),
                PrecisionFacts::of::<F16In64>(),
                PrecisionFacts::of::<Bf16In32>(),
                PrecisionFacts::of::<Fp16cIn32>(),
                PrecisionFacts::of::<GradedIn32<4>>(),
                PrecisionFacts::of::<GradedIn32<7>>(),
                PrecisionFacts::of::<GradedIn32<10>>(),
            ],
            layouts: vec![
                LayoutFacts::of::<Soa>(),
                LayoutFacts::of::<Aos>(),
                LayoutFacts::of::<Aosoa<8>>(),
                LayoutFacts::of::<Aosoa<16>>(),
                LayoutFacts::of::<Aosoa<32>>(),
                LayoutFacts::of::<Aosoa<64>>(),
                LayoutFacts::of::<Aosoa<128>>(),
                LayoutFacts::of::<TilePaper>(),
                LayoutFacts::of::<TileBest>(),
            ],
            addressings: vec![
                AddressingFacts::of::<Dense>(),
                AddressingFacts::of::<Tiled<4>>(),
                AddressingFacts::of::<Tiled<8>>(),
                AddressingFacts::of::<Tiled<8, 4, 2>>(),
                AddressingFacts::of::<Tiled<8, 4, 4>>(),
                AddressingFacts::of::<Tiled<16, 4, 4>>(),
                AddressingFacts::of::<Tiled<64, 4, 4>>(),
                AddressingFacts::of::<Tiled<4, 4, 1>>(),
                AddressingFacts::of::<Tiled<8, 8, 1>>(),
                AddressingFacts::of::<ConnectivityMatrix>(),
                AddressingFacts::of::<FluidIndexArray>(),
            ],
            streamings: Vec::new(),
        }
    }

    /// With the built-in streaming patterns on a lattice.
    #[must_use]
    pub fn with_lattice<L: Lattice>(mut self) -> Axes {
        let built_in = [
            StreamingFacts::of::<TwoLatticePull, L>(),
            StreamingFacts::of::<TwoLatticePush, L>(),
            StreamingFacts::of::<Aa, L>(),
            StreamingFacts::of::<EsotericTwist, L>(),
            StreamingFacts::of::<EsotericPull, L>(),
            StreamingFacts::of::<EsotericPush, L>(),
            StreamingFacts::of::<Swap, L>(),
            StreamingFacts::of::<Ccas, L>(),
            StreamingFacts::of::<Ghost, L>(),
            StreamingFacts::of::<Moments, L>(),
            StreamingFacts::of::<MomentsRing, L>(),
            StreamingFacts::of::<MomentsTwoSteps, L>(),
            StreamingFacts::of::<ThreadSafe, L>(),
        ];
        built_in.into_iter().for_each(|streaming| self.add_streaming(L::NAME, streaming));
        self
    }

    /// With all that a variant is made of, one's own values among them.
    #[must_use]
    pub fn with_facts(mut self, facts: &Facts) -> Axes {
        add(&mut self.bodies, (facts.lattice, facts.body), |(lattice, body)| (lattice.name, body.collision));
        add(&mut self.precisions, facts.precision, |precision| precision.name);
        add(&mut self.layouts, facts.layout, |layout| layout.name);
        add(&mut self.addressings, facts.addressing, |addressing| addressing.name);
        self.add_streaming(facts.lattice.name, facts.streaming);
        self
    }

    fn add_streaming(&mut self, lattice: &'static str, streaming: StreamingFacts) {
        add(&mut self.streamings, (lattice, streaming), |known| (known.0, known.1.pattern.name));
    }

    /// The lattices with their collisions.
    #[must_use]
    pub fn bodies(&self) -> &[(LatticeFacts, BodyFacts)] {
        &self.bodies
    }

    /// The precisions.
    #[must_use]
    pub fn precisions(&self) -> &[PrecisionFacts] {
        &self.precisions
    }

    /// The layouts.
    #[must_use]
    pub fn layouts(&self) -> &[LayoutFacts] {
        &self.layouts
    }

    /// The addressings.
    #[must_use]
    pub fn addressings(&self) -> &[AddressingFacts] {
        &self.addressings
    }

    /// The streaming patterns on the lattice of this name.
    pub fn streamings(&self, lattice: &str) -> impl Iterator<Item = StreamingFacts> {
        self.streamings.iter().filter(move |known| known.0 == lattice).map(|known| known.1)
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
        let on_lattice: Vec<StreamingFacts> = self.streamings(lattice.name).collect();
        let (streaming, rest) = first(name, "streaming", &on_lattice, |value| value.pattern.name, rest)?;
        if !rest.is_empty() {
            let remedy = format!("`{name}` ends with the streaming; leave `{rest}` out");
            return Err(Error::unknown("end of a variant's name", rest, [""], remedy));
        }
        Facts::compose(lattice, body, precision, layout, addressing, streaming)
    }

    /// The body that a name begins with, and the rest of the name.
    fn body_of<'a>(&self, name: &'a str) -> Result<(LatticeFacts, BodyFacts, &'a str), Error> {
        let (lattice, rest) = name.split_once('-').unwrap_or((name, ""));
        let is_on = |known: &&(LatticeFacts, BodyFacts)| known.0.name.to_lowercase() == lattice;
        let on_lattice: Vec<&(LatticeFacts, BodyFacts)> = self.bodies.iter().filter(is_on).collect();
        let Some((facts, _)) = on_lattice.first() else {
            let mut lattices: Vec<String> =
                self.bodies.iter().map(|(known, _)| known.name.to_lowercase()).collect();
            lattices.sort_unstable();
            lattices.dedup();
            let remedy = format!(
                "a name begins with a lattice, {}, and its collision; a solver on another is declared with `solver!`",
                lattices.join(", ")
            );
            return Err(Error::unknown("lattice", lattice, lattices.iter().map(String::as_str), remedy));
        };
        let behind = |collision: &str| {
            let rest = rest.strip_prefix(collision)?;
            if rest.is_empty() { Some(rest) } else { rest.strip_prefix('-') }
        };
        // `bgk-guo` and not `bgk`.
        let found = on_lattice.iter().filter_map(|&&(own, body)| Some((own, body, behind(body.collision)?)));
        match found.min_by_key(|(.., rest)| rest.len()) {
            // Models on the same lattices name their sets each in its own way.
            Some((own, body, rest)) if !begins_with_choice(rest) => Ok((own, body, rest)),
            _ => Err(self.unknown_collision(name, facts, &on_lattice, rest)),
        }
    }

    /// That no collision on a lattice is the one that the rest of a name begins with.
    fn unknown_collision(
        &self,
        name: &str,
        lattice: &LatticeFacts,
        on_lattice: &[&(LatticeFacts, BodyFacts)],
        rest: &str,
    ) -> Error {
        if rest.is_empty() {
            return incomplete(name, "collision");
        }
        // All before the precision.
        let parts =
            rest.split('-').take_while(|part| self.precisions.iter().all(|known| known.name != *part));
        let asked = parts.collect::<Vec<_>>().join("-");
        let elsewhere = self.bodies.iter().filter(|(_, body)| body.collision == asked);
        let elsewhere: Vec<&str> = elsewhere.map(|(lattice, _)| lattice.name).collect();
        if !elsewhere.is_empty() {
            return Error::conflict(
                format!("the collision `{asked}` is not there on {}", lattice.name),
                format!("take it on {}, or another collision", elsewhere.join(", ")),
            );
        }
        let known: Vec<&str> = on_lattice.iter().map(|(_, body)| body.collision).collect();
        let plain = known.iter().filter(|known| asked.strip_prefix(**known).is_some_and(begins_as_choice));
        if let Some(plain) = plain.max_by_key(|plain| plain.len()) {
            let choice = &asked[plain.len()..];
            let with_it: Vec<&str> = known.iter().filter(|known| known.ends_with(choice)).copied().collect();
            return Error::conflict(
                format!("`{plain}` on {} is not there with `{choice}`", lattice.name),
                match with_it.is_empty() {
                    true => format!("leave `{choice}` out"),
                    false => format!("leave it out, or take one of {}", with_it.join(", ")),
                },
            );
        }
        let near = Error::nearest(&asked, known.iter().copied(), SHOWN);
        let remedy = match near[..] {
            [] => format!("`lbm variants` lists those on {}", lattice.name),
            _ => format!("near on {} are {}; `lbm variants` lists all", lattice.name, near.join(", ")),
        };
        Error::unknown("collision", &asked, known, remedy)
    }
}

/// As many names are offered for one that is unknown.
const SHOWN: usize = 4;

/// What is behind a collision's name is its equilibrium or forcing, where it is not the plain one.
const CHOICES: [&str; 2] = ["incompressible", "guo"];

fn begins_with_choice(rest: &str) -> bool {
    rest.split('-').next().is_some_and(|first| CHOICES.contains(&first))
}

fn begins_as_choice(rest: &str) -> bool {
    rest.strip_prefix('-').is_some_and(begins_with_choice)
}

/// That a name ends too soon.
fn incomplete(name: &str, axis: &str) -> Error {
    const AXES: [&str; 5] = ["collision", "precision", "layout", "addressing", "streaming"];
    const USUAL: [&str; 5] = ["bgk", "f32", "soa", "dense", "two-lattice-pull"];
    let place = AXES.iter().position(|known| *known == axis).unwrap_or(0);
    let rest = USUAL[place..].join("-");
    Error::Missing {
        what: format!("the {} behind `{name}`", AXES[place..].join(", ")),
        remedy: format!("write a whole name, e.g. `{}-{rest}`", name.trim_end_matches('-')),
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
        if rest.is_empty() {
            return incomplete(name, axis);
        }
        let known: Vec<&str> = values.iter().map(&name_of).collect();
        let remedy = format!("in `{name}` one of these stands here: {}", known.join(", "));
        // The streaming is the last.
        let unknown = if axis == "streaming" { rest } else { rest.split('-').next().unwrap_or(rest) };
        Error::unknown(axis, unknown, known, remedy)
    })
}
