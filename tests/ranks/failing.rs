//! What an engine of one rank fails at, the others end with, and not with a message that does not come.

use std::ops::Range;

use lbm::core::Facts;
use lbm::core::cut::CutEngine;
use lbm::core::engine::{Engine, Grid, Setup};
use lbm::core::pieces::{Give, Take};

use super::*;

/// An engine of a machine that does no more.
struct Lost(usize);

fn lost<T>() -> Result<T, Error> {
    Err(Error::conflict("the machine is lost", "take another one"))
}

impl Engine for Lost {
    fn run(&mut self, _: u64) -> Result<(), Error> {
        lost()
    }

    fn populations_of(&self, _: Range<usize>, _: Take<'_>) -> Result<(), Error> {
        lost()
    }

    fn set_populations_from(&mut self, _: Give<'_>, _: u64) -> Result<(), Error> {
        lost()
    }

    fn set_uniform(&mut self, _: &[f64], _: u64) -> Result<(), Error> {
        lost()
    }

    fn memory(&self) -> Result<Vec<f64>, Error> {
        lost()
    }

    fn not_finite(&self) -> Result<Option<u64>, Error> {
        lost()
    }

    fn look_at(&mut self, _: Grid) -> bool {
        true
    }

    fn set_rims(&mut self, _: Vec<lbm::core::cut::Rim>) -> Result<(), Error> {
        Ok(())
    }

    fn nodes(&self) -> usize {
        self.0
    }

    fn step(&self) -> u64 {
        0
    }

    fn allocated_bytes(&self) -> usize {
        0
    }

    fn description(&self) -> String {
        "a lost machine".to_owned()
    }
}

/// What a flow is asked for.
type Ask = (&'static str, fn(&CutEngine) -> Result<(), Error>);

#[test]
fn what_one_rank_cannot_read_ends_all_with_its_name() {
    let asked: [Ask; 5] = [
        ("populations", |flow| flow.populations_of(0..flow.nodes(), &mut |_, _| Ok(()))),
        ("state", |flow| flow.state_of(0..flow.nodes(), &mut |_, _| Ok(()))),
        // Nodes of the first rank alone: the lost machine is not asked.
        ("none", |flow| flow.populations_at(&[0, 1], &mut [0.0; 18])),
        ("some", |flow| flow.populations_at(&[0, 100], &mut [0.0; 18])),
        ("finite", |flow| flow.not_finite().map(drop)),
    ];
    let facts = Facts::of::<Channel>();
    let setup = Setup::new(lbm::core::Domain::periodic([8, 16, 1]), vec![0.05, 0.0, 0.0, 0.0]);
    for (name, ask) in asked {
        let all = each(3, |_, transport| {
            let make = |part: usize, setup: &Setup| -> Result<Box<dyn Engine>, Error> {
                match part {
                    2 => Ok(Box::new(Lost(setup.domain().nodes()))),
                    _ => Ok(Box::new(lbm::core::reference::Reference::new(&facts, setup)?)),
                }
            };
            let cut = Decomposition::Along([1, 3, 1]);
            ask(&CutEngine::over(transport, &facts, &setup, &cut, &make)?)
        });
        for (rank, ended) in all.into_iter().enumerate() {
            let said = ended.map_err(|error| error.to_string());
            if name == "none" {
                assert!(said.is_ok(), "{said:?}");
                continue;
            }
            let said = said.unwrap_err();
            assert!(said.starts_with("rank 2 failed: the machine is lost"), "{name}, rank {rank}: {said}");
        }
    }
}

/// Who cannot keep what is handed out says so, when all others have theirs.
#[test]
fn what_one_rank_cannot_keep_ends_it_alone() {
    let facts = Facts::of::<Channel>();
    let setup = Setup::new(lbm::core::Domain::periodic([8, 16, 1]), vec![0.05, 0.0, 0.0, 0.0]);
    let all = each(2, |rank, transport| {
        let make = |_: usize, setup: &Setup| -> Result<Box<dyn Engine>, Error> {
            Ok(Box::new(lbm::core::reference::Reference::new(&facts, setup)?))
        };
        let flow = CutEngine::over(transport, &facts, &setup, &Decomposition::Into(2), &make)?;
        let taken = flow.populations_of(0..128, &mut |_, _| if rank == 0 { lost() } else { Ok(()) });
        flow.not_finite()?;
        taken
    });
    assert!(all[0].as_ref().unwrap_err().to_string().starts_with("the machine is lost"), "{all:?}");
    assert!(all[1].is_ok(), "{all:?}");
}
