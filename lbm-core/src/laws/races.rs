//! The law that nodes do not disturb each other.

mod moves;

use std::collections::HashMap;

use super::LawViolation;
use crate::addressing::{Addressing, Extent};
use crate::crossings::Blocks;
use crate::domain::positions;
use crate::facts::{Drift, LatticeFacts, Places, StreamingFacts};
use crate::lattice::Lattice;
use crate::layout::{Contents, Layout};
use crate::streaming::{Access, Array, Order, Pass, Program, Rings, Streaming};

/// In a periodic box, pass after pass and in the order that the pass declares, no value that one node writes is read or written by
/// another that need not be done before. In any order these are all others; in blocks, which read before they write, the nodes of
/// other blocks; plane by plane, those of the planes that are done at once or later. No value is in two exchanges of neighbours. What
/// enters a block has a ghost value of its own, which nobody writes in the step. What crosses faces moves to where no
/// other value goes or comes from in the same pass, and is read there by later passes only.
///
/// # Errors
/// [`LawViolation::Race`]; [`LawViolation::Ghost`].
pub fn free_of_races<S: Streaming, L: Lattice, A: Addressing, Y: Layout>(
    size: [usize; 3],
) -> Result<(), LawViolation> {
    let places = |stored: [usize; 3]| {
        let addressing = A::new(&Extent::of_box(stored, 1));
        let layout = Y::new(&Contents::new(L::Q, addressing.nodes(), 0));
        Places::new(addressing, layout)
    };
    no_races(&StreamingFacts::of::<S, L>(), &LatticeFacts::of::<L>(), &places, size)
}

/// The same without types, for the places of a box of so many nodes.
///
/// # Errors
/// As there.
pub fn no_races(
    streaming: &StreamingFacts,
    lattice: &LatticeFacts,
    places: &dyn Fn([usize; 3]) -> Places<usize>,
    size: [usize; 3],
) -> Result<(), LawViolation> {
    for phase in 0..streaming.pattern.period {
        let (pattern, mut filled) = (&streaming.pattern, Vec::new());
        for pass in pattern.passes(phase) {
            let crossings =
                |array: &&usize| pattern.arrays.get(**array).is_some_and(|array| !array.at_nodes());
            if let Some(array) = pass.reads.iter().filter(crossings).find(|array| !filled.contains(*array)) {
                return Err(LawViolation::Race(format!(
                    "`{}`, phase {phase}: a pass reads what crosses faces from array {array}, to which none before has moved it",
                    pattern.name
                )));
            }
            filled.push(pass.writes);
            let turns = |order, bytes| Turns::new(streaming, lattice, places, size, phase, order, bytes);
            match pass.program {
                Program::Swap => turns(Order::Any, 4).exchanges_are_apart()?,
                // What it is for, the collision's order says.
                Program::Move => {
                    for bytes in [4, 8] {
                        turns(pattern.collision(phase).order, bytes).moves_are_apart(pass)?;
                    }
                }
                // A node writes its own moments, or what the collision will read: places of its own.
                Program::Send => turns(Order::Any, 4).writes_are_apart()?,
                Program::Collide => {
                    for bytes in [4, 8] {
                        turns(pass.order, bytes).are_apart()?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A pass over nodes, and whose turn it is when.
struct Turns<'a> {
    streaming: &'a StreamingFacts,
    lattice: &'a LatticeFacts,
    size: [usize; 3],
    phase: usize,
    places: Places<usize>,
    drift: Drift,
    blocks: Option<Blocks>,
}

/// Who touches a value: its turn, its block of nodes that read before any of them writes (a node's own, where nothing is cut in blocks), and the
/// node.
#[derive(Clone, Copy)]
struct Toucher {
    turn: usize,
    block: usize,
    node: [usize; 3],
    /// The node's place in its block, and how many nodes that has along each axis, where there are blocks.
    within: Option<[[usize; 3]; 2]>,
}

impl<'a> Turns<'a> {
    fn new(
        streaming: &'a StreamingFacts,
        lattice: &'a LatticeFacts,
        places: &dyn Fn([usize; 3]) -> Places<usize>,
        size: [usize; 3],
        phase: usize,
        order: Order,
        bytes: usize,
    ) -> Self {
        let (mut rings, mut blocks, mut stored) = (Rings::STILL, None, size);
        if let Order::Planes(_) = order {
            rings = streaming.pattern.rings(lattice.q());
        }
        let drift = Drift::of(lattice.dimension, size, rings);
        stored[drift.axis] = drift.stored;
        if let Order::Blocks(extents) = order {
            let upstream = |i| streaming.read(i, phase).shift.map(|component: i32| -component);
            let extent = extents.extent(lattice.dimension, bytes);
            blocks = Some(Blocks::new((0..lattice.q()).map(upstream), extent));
        }
        Turns { streaming, lattice, size, phase, places: places(stored), drift, blocks }
    }

    /// Where an access of a node lies, as step `step` writes it.
    fn place(&self, node: [usize; 3], access: Access, written: bool) -> Option<usize> {
        let (mut at, drift, step) = (self.around(node, access.shift), self.drift, self.phase as i64);
        let (axis, [kept, beyond]) = (drift.axis, drift.kept(step));
        let along = node[axis] as i64 + i64::from(access.shift[axis]);
        // Through the face from which all moves away.
        let wraps = along.div_euclid(drift.planes as i64).signum() == -i64::from(drift.sign(step));
        if !written && wraps && at[axis] == kept {
            at[axis] = beyond;
        }
        at[axis] = (at[axis] + drift.origin(if written { step } else { step - 1 })) % drift.stored;
        Some(self.places.offset(access.slot, self.places.locate(at)?))
    }

    /// A node at a shift, around the box.
    fn around(&self, node: [usize; 3], shift: [i32; 3]) -> [usize; 3] {
        std::array::from_fn(|axis| {
            (node[axis] as i64 + i64::from(shift[axis])).rem_euclid(self.size[axis] as i64) as usize
        })
    }

    /// The nodes in the order of their turns.
    fn touchers(&self) -> Vec<Toucher> {
        if let Some(blocks) = &self.blocks {
            let of = |block: usize| {
                let (start, cut) = blocks.block(block, self.size);
                positions(cut).map(move |local| {
                    let node = std::array::from_fn(|axis| start[axis] + local[axis]);
                    Toucher { turn: 0, block, node, within: Some([local, cut]) }
                })
            };
            return (0..blocks.count(self.size)).flat_map(of).collect();
        }
        let turn = |node: [usize; 3]| {
            let mut portions = self.drift.portions(self.phase as i64);
            portions.position(|planes| planes.contains(&node[self.drift.axis])).unwrap_or(0)
        };
        let nodes = positions(self.size).enumerate();
        nodes.map(|(block, node)| Toucher { turn: turn(node), block, node, within: None }).collect()
    }

    fn writes_are_apart(&self) -> Result<(), LawViolation> {
        self.apart_from(&HashMap::new())
    }

    fn are_apart(&self) -> Result<(), LawViolation> {
        // Nothing of what is read from other arrays is written.
        if self.streaming.pattern.sends() || self.streaming.pattern.state().copies > 1 {
            return self.writes_are_apart();
        }
        let mut readers: HashMap<usize, Vec<Toucher>> = HashMap::new();
        let mut ghosts = HashMap::new();
        for toucher in self.touchers() {
            for direction in 0..self.lattice.q() {
                let access = self.streaming.read(direction, self.phase);
                if self.is_ghost(toucher, direction, access, &mut ghosts)? {
                    continue;
                }
                if let Some(offset) = self.place(toucher.node, access, false) {
                    readers.entry(offset).or_default().push(toucher);
                }
            }
        }
        self.apart_from(&readers)
    }

    /// Whether a direction enters a block at a node, and then by a ghost value of its own.
    fn is_ghost(
        &self,
        Toucher { block, node, within, .. }: Toucher,
        direction: usize,
        access: Access,
        ghosts: &mut HashMap<usize, [usize; 3]>,
    ) -> Result<bool, LawViolation> {
        let (Some(blocks), Some([local, cut])) = (&self.blocks, within) else { return Ok(false) };
        let wrong = |what: String| {
            let (streaming, lattice) = (self.streaming.pattern.name, self.lattice.name);
            let place = format!("`{streaming}` on {lattice}, node {node:?}, direction {direction}");
            Err(LawViolation::Ghost(format!("{place}: {what}")))
        };
        if access.shift != self.lattice.velocities[direction].map(|component| -component) {
            return wrong(format!("it is read at {:?}, not where it comes from", access.shift));
        }
        let Some(face) = blocks.entrance(direction, local, cut) else { return Ok(false) };
        let value = block * blocks.ghosts + face.index(local);
        if value >= blocks.count(self.size) * blocks.ghosts {
            return wrong(format!("ghost value {value} is not there"));
        }
        match ghosts.insert(value, node) {
            Some(other) => wrong(format!("ghost value {value} is also one of node {other:?}")),
            None => Ok(true),
        }
    }

    /// Whether no value is written twice, or before it is read.
    fn apart_from(&self, readers: &HashMap<usize, Vec<Toucher>>) -> Result<(), LawViolation> {
        let mut writers: HashMap<usize, [usize; 3]> = HashMap::new();
        for writer in self.touchers() {
            for direction in 0..self.lattice.q() {
                let access = self.streaming.write(self.lattice, direction, self.phase);
                let Some(offset) = self.place(writer.node, access, true) else { continue };
                let late = |reader: &&Toucher| {
                    reader.turn > writer.turn || reader.turn == writer.turn && reader.block != writer.block
                };
                let reader = readers.get(&offset).and_then(|readers| readers.iter().find(late));
                let reader = reader.map(|reader| (reader.node, "reads"));
                let other = writers.insert(offset, writer.node).map(|other| (other, "writes"));
                if let Some(other) = reader.or(other) {
                    let copy = (self.phase + 1) % self.streaming.pattern.state().copies;
                    return Err(self.race(writer.node, direction, offset, copy, other));
                }
            }
        }
        Ok(())
    }

    /// No value is at an end of two links along which neighbours exchange populations.
    fn exchanges_are_apart(&self) -> Result<(), LawViolation> {
        let mut ends: HashMap<usize, [usize; 3]> = HashMap::new();
        for node in positions(self.size) {
            for direction in (0..self.lattice.q()).filter(|&i| i < self.lattice.opposites[i]) {
                for access in self.streaming.ends(self.lattice, direction, self.phase) {
                    let Some(offset) = self.place(node, access, false) else { continue };
                    if let Some(other) = ends.insert(offset, node) {
                        return Err(self.race(node, direction, offset, 0, (other, "writes")));
                    }
                }
            }
        }
        Ok(())
    }

    /// No value goes where another one comes from in the same pass, or also goes, or where another node reads in the step.
    fn moves_are_apart(&self, pass: &Pass) -> Result<(), LawViolation> {
        /// What nodes do at a place of an array.
        type Touches = Vec<([usize; 3], &'static str)>;
        let at_nodes = |array: usize| self.streaming.pattern.arrays.get(array).is_some_and(Array::at_nodes);
        let moved = self.moved();
        let mut touched: HashMap<(usize, usize), Touches> = HashMap::new();
        for value in &moved {
            let from = if at_nodes(pass.reads[0]) { value.source } else { value.number };
            touched.entry((pass.reads[0], from)).or_default().push((value.node, "reads"));
        }
        for value in &moved {
            let to = if at_nodes(pass.writes) { value.target } else { value.number };
            let others = touched.entry((pass.writes, to)).or_default();
            if let Some(&other) = others.first() {
                return Err(self.race(value.node, value.direction, to, 0, other));
            }
            others.push((value.node, "writes"));
        }
        Ok(())
    }

    fn race(
        &self,
        node: [usize; 3],
        direction: usize,
        offset: usize,
        copy: usize,
        (other, access): ([usize; 3], &'static str),
    ) -> LawViolation {
        let (streaming, phase) = (self.streaming.pattern.name, self.phase);
        LawViolation::Race(format!(
            "`{streaming}`, phase {phase}: node {node:?} writes direction {direction} to value {offset} of copy {copy}, \
             which node {other:?} {access} in the same pass"
        ))
    }
}
