//! A pass over rows: what a step works on, and where the values of a row lie.

use std::marker::PhantomData;

use lbm_core::crossings::Blocks;
use lbm_core::facts::Drift;
use lbm_core::variant::{Arithmetic, Storage};
use lbm_core::{Access, Addressing, Body, Lattice, Layout, Links, Streaming, Variant};

use crate::around::{shifted, shifted_once, turned};
use crate::lines::{LONGEST_CHUNK, Place, Row, chunk_nodes, is_plain};
use crate::memory::Memory;
use crate::options::StoreKind;
use crate::specials::Specials;
use crate::stage::Stage;
use crate::state::State;
use crate::uniforms::narrowed;

/// What is to be known of a box that is stored as a whole, beside the state of its flow.
pub(crate) struct Whole {
    pub(crate) links: Links,
    /// One a phase.
    pub(crate) specials: Vec<Specials>,
    /// What crosses the faces of the box, where slots turn, or those of its blocks, where these have ghost values.
    pub(crate) crossings: Memory<u8>,
    /// The blocks in whose order nodes are collided, if they are.
    pub(crate) blocks: Option<Blocks>,
    /// How the copy drifts, if it does.
    pub(crate) drift: Option<Drift>,
    /// The slots of the plane that it keeps, one list a phase.
    pub(crate) kept: Vec<Vec<usize>>,
    /// Where each slot began in the step before ([`lbm_core::Facts::origins`]).
    pub(crate) before: Vec<usize>,
    /// Whether no shift of the pattern is longer than the box.
    pub(crate) wraps_once: bool,
}

/// Everything that one step needs, the same for all threads, whatever the variant.
///
/// Each thread writes to the copy, to what is kept and to the crossings what belongs to the nodes of its own rows or blocks, or to
/// crossings of its own, and these places are disjoint. In one copy, what it reads for them is among them, or nobody writes it in
/// this pass.
pub(crate) struct Step<'a> {
    pub(crate) state: &'a State,
    pub(crate) whole: &'a Whole,
    /// Where each slot begins in this step.
    pub(crate) now: &'a [usize],
}

/// A pass of a step, with the types of a variant and of what it does with the nodes.
pub(crate) struct Pass<'a, V: Variant, S> {
    pub(crate) step: &'a Step<'a>,
    pub(crate) addressing: &'a V::Addressing,
    pub(crate) layout: &'a V::Layout,
    pub(crate) uniforms: <V::Body as Body>::Uniforms<Arithmetic<V>>,
    /// Nodes of the box.
    pub(crate) size: [usize; 3],
    pub(crate) specials: &'a Specials,
    pub(crate) phase: usize,
    pub(crate) stores: StoreKind,
    /// Where each slot begins when it is read.
    read: &'a [usize],
    /// How the copy drifts, if it does, and the plane that is kept before this step.
    drift: Option<(Drift, [usize; 2])>,
    pub(crate) source: *const Storage<V>,
    pub(crate) target: *mut Storage<V>,
    pub(crate) kept: *mut Storage<V>,
    stage: PhantomData<S>,
}

/// Whether the places of a variant's state move from step to step.
pub(crate) const fn moves<V: Variant>() -> bool {
    V::Streaming::PATTERN.moves()
}

impl<'a, V: Variant, S: Stage<V>> Pass<'a, V, S> {
    /// Nodes of a chunk.
    pub(crate) const NODES: usize = {
        let nodes = chunk_nodes::<V::Precision>();
        assert!(nodes <= LONGEST_CHUNK, "storage types have at least 16 bits");
        nodes
    };

    pub(crate) fn new(step: &'a Step<'a>) -> Pass<'a, V, S> {
        let Step { state, whole, now } = *step;
        let (addressing, layout) = state.places.typed::<V::Addressing, V::Layout>();
        Pass {
            step,
            addressing,
            layout,
            uniforms: narrowed::<V::Body, _>(&state.uniforms),
            size: state.domain().size,
            specials: &whole.specials[state.phase()],
            phase: state.phase(),
            stores: state.stores,
            // Where the step before left it, but in slots that turn from node to node, which are read where they are written.
            read: if whole.drift.is_some() { &whole.before } else { now },
            drift: whole.drift.map(|drift| (drift, drift.kept(state.step as i64))),
            source: state.source().cast(),
            target: state.target().cast(),
            kept: state.kept.start().cast(),
            stage: PhantomData,
        }
    }

    /// Whether the layout lets all places of a row lie evenly, from end to end.
    #[inline(always)]
    pub(crate) fn is_uncut(&self) -> bool {
        self.layout.block() == usize::MAX
    }

    /// Whether whole vectors are moved between memory and registers, where a row lies evenly.
    #[inline(always)]
    pub(crate) fn moves_vectors(&self) -> bool {
        is_plain::<V::Precision>() && self.layout.stride() == 1
    }

    /// The row at a shift along y and z from a row: its first storage node.
    #[inline(always)]
    pub(crate) fn row_at(&self, row: usize, [_, y, z]: [i32; 3]) -> usize {
        let (size, shift) = (self.size, [0, y, z]);
        let position = [0, row % size[1], row / size[1]];
        let position = match self.step.whole.wraps_once {
            true => shifted_once(position, shift, size),
            false => shifted(position, shift, size),
        };
        self.addressing.locate(position).expect("every row of a dense box is stored")
    }

    /// Where a slot holds a storage node that a node of this row reads.
    #[inline(always)]
    pub(crate) fn read_at(&self, slot: usize, mut node: usize, row: usize) -> usize {
        if const { !moves::<V>() } {
            return node;
        }
        if let Some((drift, [kept, beyond])) = self.drift {
            // The plane at the other end finds the one that is done first beside it, as it was.
            let plane = self.addressing.nodes() / drift.stored();
            let at = if drift.axis == 2 { row / self.size[1] } else { row };
            let last = at + 1 + kept == drift.planes;
            if last && node / plane == kept && self.step.whole.kept[self.phase].contains(&slot) {
                node = node % plane + plane * beyond;
            }
        }
        turned(node, self.read[slot], self.addressing.nodes())
    }

    /// Where a slot holds a storage node that is written.
    #[inline(always)]
    pub(crate) fn written_at(&self, slot: usize, node: usize) -> usize {
        match const { moves::<V>() } {
            false => node,
            true => turned(node, self.step.now[slot], self.addressing.nodes()),
        }
    }

    /// Whether all places of a row lie evenly: of slots that are rings, where none of them begins anew in it. A drift is by whole
    /// planes.
    #[inline(always)]
    fn lies_evenly(&self, row: usize) -> bool {
        self.is_uncut()
            && (const { !moves::<V>() } || self.drift.is_some() || self.begins_anew_elsewhere(row))
    }

    #[inline(never)]
    fn begins_anew_elsewhere(&self, row: usize) -> bool {
        let (start, row, nodes) = (self.row_at(row, [0; 3]), self.addressing.row(), self.addressing.nodes());
        self.step.now.iter().all(|&origin| turned(start, origin, nodes) + row <= nodes)
    }

    /// Where the values of a row are found and left. Not inlined, since it is the same at every SIMD level.
    #[inline(never)]
    pub(crate) fn row(&self, number: usize) -> Row<V> {
        let even = self.lies_evenly(number);
        let mut reads = V::Lattice::filled(Place(self.source));
        let mut writes = V::Lattice::filled(Place(self.target));
        if even {
            let offset = |access: Access, node: usize| {
                self.layout.offset(access.slot, node) as isize
                    + access.shift[0] as isize * self.layout.stride() as isize
            };
            // A population that is rebuilt lies nowhere.
            for n in 0..if S::REBUILDS { 0 } else { S::TAKEN } {
                let access = S::taken(n, self.phase);
                let node = self.read_at(access.slot, self.row_at(number, access.shift), number);
                reads.as_mut()[n] = Place(self.source.wrapping_offset(offset(access, node)));
            }
            for n in 0..S::LEFT {
                let access = S::left(n, self.phase);
                let node = self.written_at(access.slot, self.row_at(number, access.shift));
                writes.as_mut()[n] = Place(self.target.wrapping_offset(offset(access, node)));
            }
        }
        let direct = (!S::REBUILDS && even && self.moves_vectors()).then(|| {
            let mut direct = V::Lattice::filled(Place(std::ptr::null()));
            let places = direct.as_mut().iter_mut().zip(reads.as_ref());
            places.for_each(|(direct, read)| *direct = Place(read.0.cast()));
            direct
        });
        Row { number, even, reads, writes, direct }
    }
}
