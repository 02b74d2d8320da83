//! Listed nodes, apart from what the cross-check of the table does: measuring sticks beside the step, and texts that look nothing up
//! that is not there.

use lbm::prelude::*;

use lbm::core::engine::Setup;
use lbm::core::{Domain, Facts, Variant};
use lbm::cuda::OnHost;
use lbm::cuda::assemble::{self, Plan, Shape, Work};
use lbm::cuda::testing::cxx_or_skip;

use super::{BAKED, options};

solver! { Tiles { lattice: D2Q9, collision: Bgk, precision: F32, addressing: Tiled<4, 4, 1>, streaming: Aa } }
solver! { Kept { lattice: D2Q9, collision: Bgk, precision: F32, addressing: Tiled<4, 4, 1>, streaming: EsotericPull } }
solver! { Rows { lattice: D2Q9, collision: Bgk, precision: F32, addressing: ConnectivityMatrix } }

/// A box of which only a tile and a node beside it are fluid.
fn a_tile() -> Setup {
    let mut domain = Domain::periodic([16, 16, 1]);
    domain.solids = vec![[0.0; 3]];
    let fluid = |[x, y]: [usize; 2]| (4..8).contains(&x) && (4..8).contains(&y) || [x, y] == [8, 5];
    domain.flags = (0..domain.nodes()).map(|n| u8::from(!fluid([n % 16, n / 16]))).collect();
    Setup::new(domain, vec![0.1])
}

/// Beside a missing tile there is nothing to read or to write, whatever is done with the nodes.
fn sticks<V: Variant>() {
    let options = options("1x64x1x1", BAKED);
    let mut engine =
        lbm::cuda::engine::engine(OnHost::new(1), &Facts::of::<V>(), &a_tile(), &options).unwrap();
    for work in [Work::Propagate, Work::ReadWrite, Work::Nothing] {
        engine.timed_work(work, 4).unwrap();
    }
    engine.run(2).unwrap();
    assert_eq!(engine.not_finite().unwrap(), Some(0));
}

#[test]
fn the_measuring_sticks_of_listed_nodes() {
    if cxx_or_skip("the_measuring_sticks_of_listed_nodes").is_none() {
        return;
    }
    sticks::<Tiles>();
    sticks::<Kept>();
}

/// The list of neighbours that lie apart has entries for few nodes only.
#[test]
fn what_is_there_on_condition_is_looked_up_on_condition() {
    let shape = Shape::PLAIN.with_block([64, 1, 1]);
    let plan = Plan::of(shape).with_walls(None);
    let facts = Facts::of::<Rows>();
    let (step, accessors) =
        (assemble::step(&facts, &plan).unwrap(), assemble::accessors(&facts, &plan).unwrap());
    let (step, accessors) = (step.to_string(), accessors.to_string());
    let apart =
        |text: &str| text.lines().filter(|line| line.contains("table_1[")).map(str::to_owned).collect();
    let [in_step, in_accessors]: [Vec<String>; 2] = [apart(&step), apart(&accessors)];
    assert!(!in_step.is_empty(), "{step}");
    for line in in_step.iter().chain(&in_accessors) {
        assert!(line.contains(" ? table_1["), "{line}");
    }
}
