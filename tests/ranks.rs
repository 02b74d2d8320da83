//! Processes that share a flow, as threads of this one: they build the same one or none, and what they keep of it is what one keeps.

use std::sync::Arc;

use lbm::core::cut::{Threads, Transport};
use lbm::prelude::*;

#[path = "ranks/at_scale.rs"]
mod at_scale;
#[path = "ranks/failing.rs"]
mod failing;
#[path = "ranks/kept.rs"]
mod kept;
#[path = "ranks/own_parts.rs"]
mod own_parts;
mod unmet;

solver! { Channel { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F64, boundaries: [ZouHeVelocity, ZouHePressure] } }
solver! { Other { lattice: D2Q9, collision: Bgk, forcing: Guo, precision: F64, boundaries: [ZouHeVelocity, ZouHePressure] } }

/// What a rank gets.
type Of<T> = Result<T, Error>;

/// Does the same on so many ranks, and gives what each gets.
fn each<T: Send>(ranks: usize, work: impl Fn(usize, Arc<dyn Transport>) -> Of<T> + Sync) -> Vec<Of<T>> {
    std::thread::scope(|scope| {
        let work = &work;
        let start = |(rank, threads)| scope.spawn(move || work(rank, Arc::new(threads)));
        let started: Vec<_> = Threads::of(ranks).into_iter().enumerate().map(start).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A flow from west to east around a block.
fn channel<V: lbm::core::Variant>(inflow: f64) -> Builder<V> {
    V::builder()
        .size([24, 14])
        .viscosity(0.05)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .boundary(Face::West, ZouHeVelocity.with("velocity", [inflow, 0.0]))
        .boundary(Face::East, ZouHePressure)
        .threads(1)
}

/// Nodes of the block.
fn block([x, y, _]: [usize; 3]) -> bool {
    (8..11).contains(&x) && (5..8).contains(&y)
}

/// What a rank builds that differs from the others, and what is said of it.
type Another = (fn() -> Builder<Channel>, &'static str);

#[test]
fn ranks_that_build_other_flows_all_say_which_one_does() {
    let usual = || channel::<Channel>(0.04).solid(block).decomposition(Decomposition::Into(4));
    let cases: [Another; 7] = [
        (|| channel(0.04).solid(|[x, y, _]| block([x, y, 0]) && x != 9), "geometry"),
        (|| channel(0.04).solid(block).size([25, 14]), "geometry"),
        (
            || channel(0.04).solid(block).face(Face::North, FaceRule::Wall { velocity: [0.01, 0.0, 0.0] }),
            "geometry",
        ),
        (|| channel(0.05).solid(block), "settings"),
        (|| channel(0.04).solid(block).viscosity(0.051), "settings"),
        (|| channel(0.04).solid(block).scheme("soa-dense-aa"), "settings"),
        (|| channel(0.04).solid(block).decomposition(Decomposition::Along([4, 1, 1])), "settings"),
    ];
    for (number, (another, part)) in cases.into_iter().enumerate() {
        let differs = 1 + number % 3;
        let all = each(4, |rank, transport| {
            let builder = match rank == differs {
                true if number == 6 => another(),
                true => another().decomposition(Decomposition::Into(4)),
                false => usual(),
            };
            builder.transport(transport).build().map(drop)
        });
        for refused in all {
            let Err(error @ Error::Conflict { .. }) = refused else { panic!("{number}: {refused:?}") };
            let error = error.to_string();
            assert!(error.starts_with(&format!("rank {differs} has another ")), "{number}: {error}");
            assert!(error.contains(part) && error.contains(" than rank 0; "), "{number}: {error}");
        }
    }
    let all = each(2, |rank, transport| match rank {
        0 => channel::<Channel>(0.04).transport(transport).build().map(drop),
        _ => channel::<Other>(0.04).transport(transport).build().map(drop),
    });
    for refused in all {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with("rank 1 has another solver or settings"), "{error}");
    }
    assert!(each(4, |_, transport| usual().transport(transport).build()).iter().all(Result::is_ok));
}

#[test]
fn what_one_rank_cannot_build_is_said_on_all() {
    let all = each(3, |rank, transport| {
        let threads = if rank == 2 { usize::MAX } else { 1 };
        channel::<Channel>(0.04).threads(threads).transport(transport).build().map(drop)
    });
    for refused in all {
        let error = refused.unwrap_err().to_string();
        assert!(error.starts_with("rank 2 failed: threads = "), "{error}");
    }
}

/// Where it is asked for, each process does all of what cannot be cut for them.
#[test]
fn a_box_that_cannot_be_cut_is_done_by_each() {
    let thin = |whole: bool, transport: Option<Arc<dyn Transport>>| {
        let placement = lbm::simulation::Placement::default();
        let placement = if whole { placement.or_whole() } else { placement };
        let mut builder = Other::builder().size([2, 1]).viscosity(0.05).placement(placement);
        if let Some(transport) = transport {
            builder = builder.transport(transport);
        }
        let mut flow = builder.build()?;
        flow.run(3)?;
        Ok((flow.populations()?, flow.ranks()))
    };
    for refused in each(3, |_, transport| thin(false, Some(transport))) {
        let error = refused.unwrap_err().to_string();
        assert!(error.contains("number of parts = 3"), "{error}");
    }
    let alone = thin(true, None).unwrap();
    for done in each(3, |_, transport| thin(true, Some(transport))) {
        assert!(done.unwrap() == alone);
    }
    let all = each(2, |_, transport| thin(true, Some(transport)));
    assert!(all.into_iter().all(|done| done.unwrap().1 == 2));
}
