//! `lattice!`: from the tokens of a declaration to a checked velocity set.

mod check;
mod emit;
mod moments;
mod parse;
mod product;
mod sets;
mod stand_in;
mod standard;
mod weights;

pub(super) use emit::declared;
use emit::emit;
pub(super) use emit::emit_constants;
use moments::Bases;
pub use moments::{Moment, MomentKind};
use parse::LatticeDeclaration;
pub use sets::handed_on;
pub use stand_in::stand_in;
pub(super) use standard::standard_lattices;

use super::rational::{Rational, whole};
use super::wrong::{self, Header};
use proc_macro2::{Span, TokenStream};
use syn::Ident;

/// A checked lattice with everything that is derived from the velocities.
#[derive(Clone, Debug)]
pub struct LatticeSpec {
    /// The name.
    pub name: Ident,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// Velocities, with zeros past the dimension.
    pub velocities: Vec<[i32; 3]>,
    /// Exact weights.
    pub weights: Vec<Rational>,
    /// The opposite of each direction.
    pub opposites: Vec<usize>,
    /// Speed of sound squared.
    pub cs2: Rational,
    /// 2, 4 or 6.
    pub isotropy: u32,
    /// The lattices of which it is made, where a node has several sets of populations; else none.
    pub sets: Vec<LatticeSpec>,
    /// Moments of these velocities and weights that were asked for.
    pub(super) bases: Bases,
}

/// What `lattice!` expands to. A wrong declaration gives its errors and a [`stand_in`].
pub fn expand(tokens: &TokenStream) -> TokenStream {
    let items = |spec| Header::of(tokens).map(|header| emit(&header, &spec, tokens));
    match analyse(tokens.clone()) {
        Ok(spec) => items(spec).unwrap_or_default(),
        Err(error) => wrong::expand(&error, stand_in(tokens).and_then(items)),
    }
}

/// Parses and checks a declaration: dimension, duplicates, opposites, weights, isotropy. Every error found is reported, each at
/// its token.
pub fn analyse(tokens: TokenStream) -> syn::Result<LatticeSpec> {
    let declaration: LatticeDeclaration = syn::parse2(tokens)?;
    check::check(&declaration)
}

impl LatticeSpec {
    /// Number of velocities.
    pub fn q(&self) -> usize {
        self.velocities.len()
    }

    /// Pairs `(i, opposite of i)` with i < opposite, in order of i.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        (0..self.q()).filter(|&i| i < self.opposites[i]).map(|i| (i, self.opposites[i])).collect()
    }

    /// Axes `(a, b)` with a <= b: those of the components of a symmetric tensor.
    pub fn axis_pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let dimension = self.dimension;
        (0..dimension).flat_map(move |a| (a..dimension).map(move |b| (a, b)))
    }

    /// The velocity of a direction as exact numbers.
    pub fn velocity(&self, i: usize) -> [Rational; 3] {
        self.velocities[i].map(|c| whole(i64::from(c)))
    }
}

/// Names of velocity components.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// Collects errors so that all of a declaration are shown at once.
#[derive(Default)]
pub struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at a token.
    pub fn push(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Adds an error.
    pub fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// All of them, if there are any.
    pub fn finish(self) -> syn::Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
