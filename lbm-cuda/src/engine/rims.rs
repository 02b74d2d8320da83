//! Stored values of single nodes that cross between the parts of a box: their lists lie on the machine, and with each the room for its values.

use std::collections::HashSet;

use lbm_core::Error;
use lbm_core::cut::Rim;

use super::DeviceEngine;
use super::arrays::filled;
use super::asked::numbers;
use super::built::{Built, launch};
use super::of_box;
use crate::assemble::{self, Resource};
use crate::machine::{Machine, Memory};

/// Lists of values, and the kernels that copy and set them.
pub(super) struct Rims<M: Machine> {
    built: Built<M>,
    lists: Vec<List<M>>,
}

struct List<M: Machine> {
    count: usize,
    /// Where the nodes are stored, and which values of theirs they are.
    nodes: M::Memory,
    numbers: M::Memory,
    values: M::Memory,
    /// Whether something of it is kept elsewhere, too: by a rule, or for a wall.
    keeps: bool,
}

impl<M: Machine> DeviceEngine<M> {
    /// As [`Engine::set_rims`](lbm_core::Engine::set_rims).
    pub(super) fn name_rims(&mut self, rims: Vec<Rim>) -> Result<(), Error> {
        let (facts, domain) = (&self.facts, self.setup.domain());
        let built = match self.rims.take() {
            Some(rims) => rims.built,
            None => {
                let plan = of_box::beside(facts, domain.size, &self.plan);
                Built::new(&self.machine, assemble::rims(facts, &plan)?)?
            }
        };
        let kept: HashSet<(usize, usize)> = match facts.values_of(0).len() {
            2.. => HashSet::new(),
            _ => self.arrivals.kept(facts).iter().map(|kept| (kept.node, kept.direction)).collect(),
        };
        let list = |rim: Rim| {
            let mut nodes: Vec<usize> = rim.iter().map(|single| single.node).collect();
            let keeps =
                facts.keeps_sent || rim.iter().any(|single| kept.contains(&(single.node, single.value)));
            let all = nodes.clone();
            nodes.sort_unstable();
            nodes.dedup();
            let stored = numbers(&nodes, self.positions.as_deref());
            let stored: Vec<u32> =
                all.iter().map(|node| stored[nodes.partition_point(|n| n < node)]).collect();
            let values: Vec<u32> = rim.iter().map(|single| single.value as u32).collect();
            Ok(List {
                count: rim.len(),
                nodes: filled(&self.machine, &stored)?,
                numbers: filled(&self.machine, &values)?,
                values: self.machine.memory(rim.len() * facts.precision.stored_bytes)?,
                keeps,
            })
        };
        let lists = rims.into_iter().map(list).collect::<Result<_, Error>>()?;
        self.rims = Some(Rims { built, lists });
        Ok(())
    }

    /// As [`Engine::rim`](lbm_core::Engine::rim).
    pub(super) fn leave(&self, number: usize, out: &mut [f64]) -> Result<(), Error> {
        let (list, bytes) = (self.list(number), self.facts.precision.stored_bytes);
        assert_eq!(list.count, out.len(), "one value for each of the list");
        self.over("leave", list)?;
        let mut values = vec![0; bytes * out.len()];
        list.values.read(0, &mut values)?;
        // SAFETY: the kernel copies what the precision stores.
        unsafe { self.facts.precision.decode(&values, out) };
        Ok(())
    }

    /// As [`Engine::set_rim`](lbm_core::Engine::set_rim).
    pub(super) fn arrive(&self, number: usize, values: &[f64]) -> Result<(), Error> {
        let (list, bytes) = (self.list(number), self.facts.precision.stored_bytes);
        assert_eq!(list.count, values.len(), "one value for each of the list");
        let mut stored = vec![0; bytes * values.len()];
        self.facts.precision.encode(values, &mut stored);
        list.values.write(0, &stored)?;
        self.over("arrive", list)?;
        self.machine.wait()?;
        if list.keeps { self.keep() } else { Ok(()) }
    }

    fn list(&self, number: usize) -> &List<M> {
        &self.rims.as_ref().expect("lists were named").lists[number]
    }

    /// Launches a kernel over a list.
    fn over(&self, name: &str, list: &List<M>) -> Result<(), Error> {
        let rims = self.rims.as_ref().expect("lists were named");
        let kernel = rims.built.named(name).expect("the text has both kernels");
        let size = self.setup.domain().size;
        let mut bindings = self.beside(&None, size);
        bindings.array(Resource::Asked, list.nodes.address());
        bindings.array(Resource::AskedDirections, list.numbers.address());
        bindings.array(Resource::Portion, list.values.address());
        launch(&self.machine, kernel, &self.facts, size, bindings.portion(0, 0, list.count))
    }
}
