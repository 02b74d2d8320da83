//! What a process knows of a box: of its own parts what their nodes are, and of the whole of it when that is asked for.

use lbm::core::domain::Portion;
use lbm::core::geometry::{Cuboid, Shape, Sphere};

use super::unmet::Unmet;
use super::*;

solver! { Balls { lattice: D3Q19, collision: Trt, forcing: Guo, precision: F64, boundaries: [Bouzidi, HalfWay, Sponge, ZouHePressure, ZouHeVelocity] } }
solver! { Few { lattice: D3Q19, collision: Regularized, forcing: Guo, precision: F32, streaming: Moments, boundaries: [Bouzidi, HalfWay] } }

solver! { Bed { lattice: D2Q9, collision: PartialBounceBack<Bgk>, forcing: Guo } }

const SIZE: [usize; 3] = [12, 10, 16];

/// Periodic along y and z: a ball and a block lie across the ends of the box, and a ball across its middle.
fn balls<V: lbm::core::Variant>() -> Builder<V> {
    let ball = |centre, radius| Sphere { centre, radius };
    let block = |[x, y, z]: [usize; 3]| (4..6).contains(&x) && (y + 2) % 10 < 4 && (z + 1) % 16 < 3;
    V::builder()
        .size(SIZE)
        .viscosity(0.06)
        .force([0.0, 1e-4, 2e-4])
        .face(Face::West, FaceRule::WALL)
        .face(Face::East, FaceRule::Wall { velocity: [0.0, 0.02, 0.01] })
        .moving_solid([0.0, 0.01, 0.0], block)
        .named("block")
        .surface(ball([8.2, 5.1, 7.9], 2.3).or(ball([3.0, 9.4, 12.0], 1.4)), Bouzidi)
        .named("ball")
        .surface_patch_within(
            "cap",
            Cuboid { low: [0.0; 3], high: [12.0, 10.0, 6.5] },
            HalfWay
                .with_each("velocity", |[x, y, z]| [0.001 * x as f64, 0.002 * y as f64, 0.0005 * z as f64]),
        )
        .threads(1)
}

/// From west to east between walls, with rules at all kinds of places.
fn through() -> Builder<Balls> {
    let inflow = |[_, y, z]: [usize; 3]| [0.001 * (1 + y % 4) as f64 + 0.0005 * z as f64, 0.0, 0.0];
    Balls::builder()
        .size(SIZE)
        .viscosity(0.06)
        .face(Face::Bottom, FaceRule::WALL)
        .face(Face::Top, FaceRule::WALL)
        .boundary(Face::West, HalfWay.with_each("velocity", inflow))
        .boundary(Face::East, ZouHePressure)
        .patch(
            "lamella",
            Face::South,
            |[x, _, z]| x < 6 && z > 4,
            HalfWay.with_each("velocity", |[x, ..]| [0.001 * x as f64, 0.0, 0.0]),
        )
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .surface(Sphere { centre: [6.0, 5.0, 8.3], radius: 2.2 }, Bouzidi)
        .named("ball")
        .region(
            "end",
            |[x, ..]| x > 8,
            Sponge
                .with_each("strength", |[x, _, z]| [0.01 * x as f64 + 0.001 * z as f64])
                .with("velocity", [0.01, 0.0, 0.0]),
        )
        .threads(1)
}

/// What is asked of a flow, but for its populations, which it has then.
type Found = (Vec<f64>, Vec<f64>, Vec<f64>);

/// What is found of a flow, in the end.
fn found<V: lbm::core::Variant>(builder: Builder<V>, bodies: &[&str]) -> Of<(Found, Portion)> {
    let mut flow = builder.build()?;
    flow.run(5)?;
    flow.check_finite()?;
    let mut numbers =
        vec![flow.mass()?, flow.fluid_nodes() as f64, flow.mean_velocity(1)?, flow.velocity_change()?];
    flow.run(2)?;
    numbers.push(flow.velocity_change()?);
    let populations = flow.populations()?;
    for body in bodies {
        let forces = flow.force_on(*body, [1.0, 2.0, 3.0])?;
        numbers.extend(forces.force.into_iter().chain(forces.torque));
        numbers.extend([flow.mass_into(*body)?, flow.pressure_on(*body)?]);
    }
    // Nothing of that asked what the nodes of others are.
    let portion = flow.known().portion();
    let density = flow.density()?;
    // Nor does it matter who has asked.
    for body in bodies {
        numbers.extend(flow.force_on(*body, [0.0; 3])?.torque);
    }
    assert_eq!(flow.domain().fluid_nodes(), flow.fluid_nodes());
    numbers.extend(flow.stress()?.into_iter().flatten());
    Ok(((populations, density, numbers), portion))
}

/// That many ranks find what one process does, each of a portion of the box with as many nodes at most.
fn alike<V: lbm::core::Variant>(
    build: impl Fn() -> Builder<V> + Sync,
    bodies: &[&str],
    cases: &[(usize, Decomposition, usize)],
) {
    let (one, portion) = found(build(), bodies).unwrap();
    assert!(portion.is_whole());
    for (ranks, cut, most) in cases {
        let all = each(*ranks, |_, transport| {
            found(build().decomposition(cut.clone()).transport(transport), bodies)
        });
        for (rank, other) in all.into_iter().enumerate() {
            let (other, portion) = other.unwrap_or_else(|error| panic!("{cut:?}, rank {rank}: {error}"));
            assert!(other == one, "{cut:?}, rank {rank}");
            assert!(portion.nodes() <= *most, "{cut:?}, rank {rank}: {portion:?}");
        }
    }
}

#[test]
fn ranks_that_know_their_own_parts_have_the_bits_of_one() {
    let cases = [
        (2, Decomposition::Into(2), 12 * 10 * 12),
        (4, Decomposition::Along([1, 1, 4]), 12 * 10 * 8),
        (6, Decomposition::Along([1, 2, 3]), 12 * 9 * 10),
        // Parts of one rank in a row, which lie around the end, too.
        (3, Decomposition::Along([1, 1, 7]), 12 * 10 * 13),
        (4, Decomposition::Along([2, 1, 2]).exchanging_every(2), 10 * 10 * 14),
    ];
    // Each reads some nodes of the other one twice, at both of its ends.
    alike(
        balls::<Balls>,
        &["ball"],
        &[(2, Decomposition::Along([1, 1, 2]).exchanging_every(5), 12 * 10 * 16)],
    );
    alike(balls::<Balls>, &["block", "ball", "cap"], &cases);
    alike(balls::<Few>, &["block", "ball", "cap"], &cases[..4]);
    let listed = || balls::<Balls>().scheme("soa-fluid-index-array-aa");
    alike(listed, &["ball"], &cases[1..3]);
}

#[test]
fn rules_stand_where_they_do_in_one_process() {
    let cases = [
        (4, Decomposition::Along([1, 1, 4]), 12 * 10 * 10),
        (6, Decomposition::Along([3, 2, 1]), 12 * 10 * 16),
        (4, Decomposition::Along([1, 2, 2]), 12 * 10 * 16),
    ];
    alike(through, &["ball", "lamella"], &cases);
}

/// Links without a surface are counted once each, though more than one rank knows those beside cuts.
#[test]
fn links_without_a_surface_are_counted_once() {
    let unmet = |builder: Builder<Balls>| {
        let ball = Unmet(Sphere { centre: [6.2, 5.4, 8.1], radius: 3.3 });
        let beside = Cuboid { low: [0.0; 3], high: [2.0; 3] };
        let flow = builder.surface(ball, Bouzidi).surface(beside, Bouzidi).build()?;
        Ok((flow.unmet_links(), flow.known().portion().is_whole()))
    };
    let build = || Balls::builder().size(SIZE).viscosity(0.06).threads(1);
    let (all, _) = unmet(build()).unwrap();
    assert!(all > 100);
    for cut in [Decomposition::Along([1, 1, 4]), Decomposition::Along([1, 2, 2])] {
        for found in each(4, |_, transport| unmet(build().decomposition(cut.clone()).transport(transport))) {
            let (found, knows_all) = found.unwrap();
            assert!(found == all && !knows_all, "{cut:?}: {found} of {all}");
        }
    }
}

/// What is drawn while the flow runs all know.
#[test]
fn what_is_drawn_is_drawn_by_all() {
    let drawn = |builder: Builder<Balls>| {
        let mut flow = builder.build()?;
        flow.run(3)?;
        flow.set_solid(&Cuboid { low: [1.0, 3.0, 2.0], high: [3.0, 5.0, 4.0] })?;
        flow.run(3)?;
        Ok((flow.populations()?, flow.fluid_nodes(), flow.mass()?))
    };
    let one = drawn(balls()).unwrap();
    for other in each(4, |_, transport| drawn(balls::<Balls>().transport(transport))) {
        assert!(other.unwrap() == one);
    }
}

/// A field that one process refuses, of nodes that only it knows, none of them sets.
#[test]
fn what_one_rank_refuses_none_sets() {
    let flows = each(3, |_, transport| {
        let bed = Bed::builder().size([8, 18]).viscosity(0.1).force([1e-6, 0.0, 0.0]).threads(1);
        let mut flow = bed.transport(transport).build()?;
        flow.set_field("solidity", |[_, y, _]| y as f64 / 32.0)?;
        let refused = flow.set_field("solidity", |[_, y, _]| if y == 17 { 2.0 } else { 0.5 });
        Ok((refused.unwrap_err().to_string(), flow.field("solidity")?))
    });
    for flow in flows {
        let (said, field) = flow.unwrap();
        assert!(said.contains("field `solidity` at node [0, 17, 0] = 2"), "{said}");
        assert!(
            field.chunks(8).enumerate().all(|(y, row)| row.iter().all(|&value| value == y as f64 / 32.0))
        );
    }
}

/// Values of a rule that reaches no cut are compared, too.
#[test]
fn another_value_of_a_rule_on_one_rank_is_found() {
    let built = each(4, |rank, transport| {
        let strength = if rank == 2 { 0.2 } else { 0.1 };
        let sponge = Sponge.with("velocity", [0.0; 3]).with("strength", [strength]);
        through().region("middle", |[_, _, z]| z == 1, sponge).transport(transport).build().map(drop)
    });
    for said in built {
        let said = said.unwrap_err().to_string();
        assert!(said.contains("rank 2 has another solver or settings"), "{said}");
    }
}

/// What is nowhere in the box all say, and nobody says it of what another one has.
#[test]
fn what_takes_no_node_is_refused_by_all() {
    fn refused(builder: impl Fn() -> Builder<Balls> + Sync, said: &str) {
        let one = builder().build().map(drop).unwrap_err().to_string();
        assert!(one.contains(said), "{one}");
        for other in each(4, |_, transport| builder().transport(transport).build().map(drop)) {
            assert_eq!(other.unwrap_err().to_string(), one);
        }
    }
    refused(|| balls().solid(|_| true), "are solid");
    refused(|| balls().solid(|_| false).named("nothing"), "`nothing` takes no node");
    refused(
        || through().region("none", |_| false, Sponge.with("velocity", [0.0; 3]).with("strength", [0.1])),
        "`none` takes no fluid node",
    );
    let cap = |low: f64| Cuboid { low: [low; 3], high: [low + 1.0; 3] };
    let far = cap(0.0);
    refused(move || balls().surface_patch_within("far", far, HalfWay), "`far` of a surface cuts no link");
}

/// A node that one rank alone finds solid, beside a cut, and far from all that is looked at alike.
#[test]
fn other_nodes_at_a_cut_are_found() {
    let large = |rank: usize| {
        let node = if rank == 1 { [30, 40, 31] } else { [30, 40, 32] };
        Balls::builder().size([64, 64, 64]).viscosity(0.1).solid(move |at| at == node).threads(1)
    };
    let cut = Decomposition::Along([1, 1, 2]);
    let all = each(2, |rank, transport| {
        large(rank).decomposition(cut.clone()).transport(transport).build().map(drop)
    });
    for error in all {
        let error = error.unwrap_err().to_string();
        assert!(error.contains("another box or geometry than rank"), "{error}");
    }
}
