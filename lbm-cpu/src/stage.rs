//! What a pass over all rows does with the nodes of a chunk: which values it takes, what it makes of them, where it leaves the
//! results. A step is one such pass, or two where moments send populations out.

use lbm_core::streaming::Derived;
use lbm_core::{Access, Body, Lanes, Lattice, Site, Streaming, Variant};

/// Whether a variant's state is moments.
pub(crate) const fn stores_moments<V: Variant>() -> bool {
    V::Streaming::PATTERN.stores_moments()
}

/// A pass over all rows.
pub(crate) trait Stage<V: Variant> {
    /// How many values it takes of a node.
    const TAKEN: usize;
    /// How many it leaves.
    const LEFT: usize;
    /// Whether it takes populations, of which some come from walls or are wanting at the ends of rows.
    const HAS_PATCHES: bool;
    /// Whether these are rebuilt from the moments of the nodes that [`taken`](Stage::taken) names, where they are taken.
    const REBUILDS: bool;
    /// Where value `n` is taken in a phase.
    fn taken(n: usize, phase: usize) -> Access;
    /// Where value `n` is left.
    fn left(n: usize, phase: usize) -> Access;
    /// From the values taken to those left.
    fn work<N: Lanes>(site: &mut impl Site<N>, uniforms: &<V::Body as Body>::Uniforms<N>);
}

/// Populations meet in a node and collide; they leave, or the moments that carry them stay.
pub(crate) struct Meet;

impl<V: Variant> Stage<V> for Meet {
    const TAKEN: usize = V::Lattice::Q;
    const LEFT: usize = if stores_moments::<V>() { V::Body::MOMENTS } else { V::Lattice::Q };
    const HAS_PATCHES: bool = true;
    const REBUILDS: bool = V::Streaming::PATTERN.rebuilds();

    #[inline(always)]
    fn taken(n: usize, phase: usize) -> Access {
        V::Streaming::read::<V::Lattice>(n, phase)
    }

    #[inline(always)]
    fn left(n: usize, phase: usize) -> Access {
        match const { stores_moments::<V>() } {
            false => V::Streaming::write::<V::Lattice>(n, phase),
            true => V::Streaming::moment::<V::Lattice>(n),
        }
    }

    #[inline(always)]
    fn work<N: Lanes>(site: &mut impl Site<N>, uniforms: &<V::Body as Body>::Uniforms<N>) {
        match const { stores_moments::<V>() } {
            false => V::Body::collide::<N>(site, uniforms),
            true => V::Body::gather::<N>(site, uniforms),
        }
    }
}

/// Before that, every node sends out the populations that its moments carry ([`Program::Send`](lbm_core::streaming::Program)).
pub(crate) struct Send;

impl<V: Variant> Stage<V> for Send {
    const TAKEN: usize = V::Body::MOMENTS;
    const LEFT: usize = V::Lattice::Q;
    const HAS_PATCHES: bool = false;
    const REBUILDS: bool = false;

    #[inline(always)]
    fn taken(n: usize, _phase: usize) -> Access {
        V::Streaming::moment::<V::Lattice>(n)
    }

    #[inline(always)]
    fn left(n: usize, phase: usize) -> Access {
        // What is read in this phase was sent in the one before.
        V::Streaming::write::<V::Lattice>(
            n,
            (phase + V::Streaming::PATTERN.period - 1) % V::Streaming::PATTERN.period,
        )
    }

    #[inline(always)]
    fn work<N: Lanes>(site: &mut impl Site<N>, _uniforms: &<V::Body as Body>::Uniforms<N>) {
        V::Body::rebuild_all::<N>(site);
    }
}
