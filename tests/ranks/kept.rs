//! What ranks keep on disk: the bytes of one, which any number of ranks goes on from.

use std::path::Path;

use super::*;

solver! { Rounded { lattice: D2Q9, collision: Trt, forcing: Guo, precision: F16In32, streaming: EsotericPull, boundaries: [ZouHeVelocity, ZouHePressure] } }
solver! { Few { lattice: D2Q9, collision: Regularized, forcing: Guo, precision: F32, streaming: Moments, boundaries: [ZouHeVelocity, ZouHePressure] } }
solver! { Porous { lattice: D2Q9, collision: VaryingViscosity<Bgk>, forcing: Guo, precision: F64, boundaries: [ZouHeVelocity, ZouHePressure, Windkessel] } }

/// A flow on some ranks.
type Build = fn() -> Builder<Porous>;

/// Goes on from a file, if there is one, and keeps the state after some steps; gives the populations.
fn kept<V: lbm::core::Variant>(
    ranks: usize,
    build: &(dyn Fn() -> Builder<V> + Sync),
    from: Option<&Path>,
    steps: u64,
    to: &Path,
) -> Vec<f64> {
    let work = |transport: Option<Arc<dyn Transport>>| {
        let builder = build();
        let mut flow = match transport {
            Some(transport) => builder.transport(transport).build()?,
            None => builder.build()?,
        };
        from.map_or(Ok(()), |from| flow.restart(from))?;
        // What is not gone on from yet is kept as it is.
        if let Some(from) = from {
            flow.checkpoint(to)?;
            assert!(std::fs::read(to).unwrap() == std::fs::read(from).unwrap());
        }
        flow.run(steps)?;
        flow.checkpoint(to)?;
        flow.populations()
    };
    if ranks == 0 {
        return work(None).unwrap();
    }
    let mut all: Vec<_> =
        each(ranks, |_, transport| work(Some(transport))).into_iter().map(Result::unwrap).collect();
    let first = all.swap_remove(0);
    assert!(all.iter().all(|other| *other == first));
    first
}

/// One process, and 4, then 3, then 1 and 2 that go on from each other.
fn goes_on<V: lbm::core::Variant>(build: impl Fn() -> Builder<V> + Sync) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let mut before: Option<String> = None;
    for (n, ranks) in [4, 3, 1, 2].into_iter().enumerate() {
        let whole = kept(0, &build, before.as_ref().map(|_| file("whole")).as_deref(), 7, &file("next"));
        let name = format!("{n}");
        let parts =
            kept(ranks, &build, before.as_ref().map(|before| file(before)).as_deref(), 7, &file(&name));
        assert!(parts == whole, "{ranks} ranks");
        std::fs::rename(file("next"), file("whole")).unwrap();
        assert!(
            std::fs::read(file(&name)).unwrap() == std::fs::read(file("whole")).unwrap(),
            "{ranks} ranks"
        );
        before = Some(name);
    }
    // Without a stop on the way the populations are the same.
    let all = kept(0, &build, None, 28, &file("all"));
    assert!(std::fs::read(file("all")).unwrap() == std::fs::read(file("whole")).unwrap() && !all.is_empty());
}

#[test]
fn four_ranks_then_three_then_one_keep_what_one_keeps() {
    goes_on(|| channel::<Channel>(0.04).solid(block));
    goes_on(|| channel::<Channel>(0.04).solid(block).decomposition(Decomposition::Along([2, 3, 1])));
    goes_on(|| channel::<Rounded>(0.04).solid(block));
    goes_on(|| channel::<Few>(0.04).solid(block));
}

#[test]
fn fields_of_nodes_and_what_rules_remember_are_kept() {
    let build: Build =
        || {
            let windkessel = Windkessel.with("resistance", [0.05]).with("compliance", [40.0]);
            channel::<Porous>(0.04)
                .solid(block)
                .field("ratio", |[x, y, _]| 1.0 + 0.01 * (x + y) as f64)
                .patch("outlet", Face::East, |[_, y, _]| (3..10).contains(&y), windkessel)
        };
    goes_on(build);
}
