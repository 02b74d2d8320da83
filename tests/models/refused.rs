//! What a flow of a model cannot have says so.

use super::Dye;
use lbm::prelude::*;
use lbm::simulation::Builder;

model! {
    /// As `AdvectionDiffusion`, of a scalar that is about 1.
    Shifted<Flow, Scalar>(diffusivity in 0..) {
        let flow = set(1);
        let scalar = set(1);
        scalar.u = flow.u;
        scalar.viscosity = diffusivity;
        flow.f = Flow(flow);
        scalar.f = Scalar(scalar);
    }
}

solver! { NearOne { model: Shifted<Trt, Bgk>, lattices: [D2Q9, D2Q5] } }

#[test]
fn a_checkpoint_of_sets_that_are_counted_from_elsewhere() -> Result<(), Error> {
    let dye = Dye::builder().size([8, 8]).viscosity(0.1).parameter("diffusivity", 0.1).build()?;
    let mut other = NearOne::builder().size([8, 8]).viscosity(0.1).parameter("diffusivity", 0.1).build()?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("dye.lbm");
    dye.checkpoint(&path)?;
    let error = other.restart(&path).expect_err("it is refused").to_string();
    assert!(error.contains("flow 1 scalar 0") && error.contains("flow 1 scalar 1"), "{error}");
    Ok(())
}

fn refused(flow: Builder<Dye>, parts: &[&str]) {
    let flow = flow.size([8, 8]).viscosity(0.1).parameter("diffusivity", 0.1);
    let error = flow.build().map(drop).expect_err("it is refused").to_string();
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn rules_of_sets_that_do_not_go_together() {
    let value = || FixedValue.with("value", [1.0]).of("scalar");
    refused(Dye::builder().boundary(Face::West, value()).boundary(Face::West, value()), &["two rules"]);
    refused(
        Dye::builder().boundary(Face::West, ZouHeVelocity.with("velocity", [0.01, 0.0]).of("flow")).patch(
            "hot",
            Face::West,
            |[_, y, _]| y < 4,
            value(),
        ),
        &["the face West has patches", "flow.zou-he-velocity", "scalar.fixed-value"],
    );
    refused(
        Dye::builder().boundary(Face::West, FixedValue.with("value", [1.0])),
        &["fixed-value", "scalar.fixed-value"],
    );
}

#[test]
fn sums_and_states_that_cannot_be() {
    refused(Dye::builder().initial_sum("heat", |_| 1.0), &["heat", "flow, scalar"]);
    refused(Dye::builder().initial_sum("flow", |_| 1.0), &["is the density", ".initial(..)"]);
    refused(Dye::builder().initial_sum("scalar", |_| f64::NAN), &["`scalar` at node [0, 0, 0]", "finite"]);
    let gradient = Some([[0.0, 0.01, 0.0], [0.0; 3], [0.0; 3]]);
    refused(
        Dye::builder().initial(move |_| Initial { gradient, ..Initial::default() }),
        &["gradient", "several sets"],
    );
}

#[test]
fn what_is_not_known_of_a_model() -> Result<(), Error> {
    let mut flow = Dye::builder().size([8, 8]).viscosity(0.1).parameter("diffusivity", 0.1).build()?;
    let stress = flow.stress().map(drop).expect_err("it is refused").to_string();
    assert!(stress.contains("is a model, of which no stress is known"), "{stress}");
    for error in [
        flow.sum_of("heat").map(drop),
        flow.total_of("heat").map(drop),
        flow.flux_into("heat", Face::West).map(drop),
    ] {
        let error = error.expect_err("there is no such set").to_string();
        assert!(error.contains("`heat`") && error.contains("flow, scalar"), "{error}");
    }
    Ok(())
}

#[test]
fn rules_that_remember_where_neighbours_are_read() {
    solver! { Outflow { model: ShanChen<Bgk>, lattice: D2Q9, boundaries: [Windkessel] } }
    let outlet = Windkessel.with("resistance", [0.1]).with("compliance", [10.0]);
    let flow = Outflow::builder().size([8, 8]).viscosity(0.1).parameter("attraction", -3.0);
    let flow = flow.face(Face::West, FaceRule::WALL).boundary(Face::East, outlet);
    let error = flow.build().map(drop).expect_err("it is refused").to_string();
    assert!(error.contains("`windkessel` remembers") && error.contains("reads neighbours"), "{error}");
}

/// What a scalar has beyond a wall is the wall's: a rule of nodes of it holds after walls.
#[test]
fn rules_of_scalars_hold_after_walls() {
    solver! { Dyed {
        model: AdvectionDiffusion<Trt, Bgk>, lattices: [D2Q9, D2Q9], boundaries: [scalar: ZeroGradient]
    } }
    let outlet = |rule| {
        let flow = Dyed::builder().size([8, 8]).viscosity(0.1).parameter("diffusivity", 0.1);
        flow.face(Face::West, FaceRule::WALL).boundary(Face::East, rule).build().map(drop)
    };
    outlet(ZeroGradient.of("scalar")).expect("it stands there");
    let error = outlet(ZeroGradient.of("scalar").before_walls()).expect_err("it is refused").to_string();
    let said = "`scalar.zero-gradient` at the face East is to hold before walls, and is of a further set";
    assert!(error.contains(said) && error.contains("leave `before_walls` out"), "{error}");
}
