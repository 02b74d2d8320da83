//! A change of the geometry that one part could not follow: nothing goes on with parts of two geometries, in no process.

use std::ops::Range;
use std::sync::Arc;

use lbm::core::cut::{CutEngine, Decomposition, Rim, Threads, Transport};
use lbm::core::engine::{Changed, Setup};
use lbm::core::pieces::{Give, Take};
use lbm::core::reference::Reference;
use lbm::core::{Domain, Engine, Error, Facts};

use super::Flat;

/// An engine whose geometry stays as it is, as that of a device without memory for lists.
struct Full(Reference);

impl Engine for Full {
    fn run(&mut self, steps: u64) -> Result<(), Error> {
        self.0.run(steps)
    }
    fn populations_of(&self, nodes: Range<usize>, take: Take<'_>) -> Result<(), Error> {
        self.0.populations_of(nodes, take)
    }
    fn set_populations_from(&mut self, give: Give<'_>, step: u64) -> Result<(), Error> {
        self.0.set_populations_from(give, step)
    }
    fn set_rims(&mut self, rims: Vec<Rim>) -> Result<(), Error> {
        self.0.set_rims(rims)
    }
    fn rim(&self, number: usize, out: &mut [f64]) -> Result<(), Error> {
        self.0.rim(number, out)
    }
    fn set_rim(&mut self, number: usize, values: &[f64]) -> Result<(), Error> {
        self.0.set_rim(number, values)
    }
    fn nodes(&self) -> usize {
        self.0.nodes()
    }
    fn step(&self) -> u64 {
        self.0.step()
    }
    fn allocated_bytes(&self) -> usize {
        self.0.allocated_bytes()
    }
    fn description(&self) -> String {
        "a full device".to_owned()
    }
}

/// What each of so many ranks says to a change of geometry, and then to a step, to another change, and to being asked for its populations.
fn torn(ranks: usize) -> Vec<[String; 4]> {
    let facts = Facts::of::<Flat>();
    let parameters = facts.body.parameters.iter().map(|_| 0.1).collect();
    let setup = Setup::new(Domain::periodic([12, 9, 1]), parameters);
    let run = |rank: &dyn Fn() -> Arc<dyn Transport>| {
        let make = |part: usize, setup: &Setup| {
            let engine = Reference::new(&facts, setup)?;
            Ok(if part == 2 { Box::new(Full(engine)) as Box<dyn Engine> } else { Box::new(engine) })
        };
        let mut flow = CutEngine::over(rank(), &facts, &setup, &Decomposition::Into(3), &make).unwrap();
        flow.run(2).unwrap();
        let mut next = setup.clone();
        next.domain_mut().redraw(&[17], &[Some(0)]).unwrap();
        let populations = vec![0.0; facts.lattice.q()];
        let change = flow.set_geometry(&next, Changed::new(&[17], &populations));
        let mut other = setup.clone();
        other.domain_mut().redraw(&[3], &[Some(0)]).unwrap();
        let again = flow.set_geometry(&other, Changed::new(&[3], &populations));
        let seen = flow.populations_of(0..4, &mut |_, _| Ok(()));
        [change, flow.run(1), again, seen].map(|said| said.unwrap_err().to_string())
    };
    std::thread::scope(|scope| {
        let all = Threads::of(ranks).into_iter().map(|rank| Arc::new(rank) as Arc<dyn Transport>);
        let started: Vec<_> = all.map(|rank| scope.spawn(move || run(&|| Arc::clone(&rank)))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn no_step_is_done_in_two_geometries() {
    for ranks in [1, 3] {
        let said = torn(ranks);
        for [change, later @ ..] in &said {
            assert!(later.iter().all(|said| said.contains("failed in one part")), "{later:?}");
            assert!(change.contains("a full device"), "{change}");
            assert_eq!(change.starts_with("rank 2 failed"), ranks > 1, "{change}");
        }
    }
}
