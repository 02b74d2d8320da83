//! Fluids in two phases, and two fluids: what neighbours are read for. Their physics is checked by `lbm validate two-phases two-fluids`.

use super::{Attracted, Coloured, Drops, Starling};
use lbm::prelude::*;

/// How much of a node in a box of 32 x 32 is in a drop of this radius in its middle.
fn drop(radius: f64) -> impl Fn([usize; 3]) -> f64 + Copy {
    move |[x, y, _]| {
        let away = (x as f64 - 15.5).hypot(y as f64 - 15.5);
        0.5 * (1.0 + (0.7 * (radius - away)).tanh())
    }
}

#[test]
fn each_fluid_is_conserved_to_rounding() -> Result<(), Error> {
    fn lost(builder: lbm::simulation::Builder<impl lbm::core::Variant>) -> Result<[f64; 2], Error> {
        let mut flow = builder
            .size([32, 32])
            .threads(1)
            .viscosity(0.1)
            .parameter("tension", 0.01)
            .parameter("viscosity_ratio", 3.0)
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .initial_sum("red", drop(14.0))
            .build()?;
        let before = [flow.total_of("red")?, flow.total_of("flow")?];
        flow.run(2_000)?;
        assert!(flow.velocity()?.iter().flatten().any(|u| u.abs() > 1e-6), "the drop moves");
        Ok([flow.total_of("red")? / before[0] - 1.0, flow.total_of("flow")? / before[1] - 1.0])
    }
    for lost in [lost(Coloured::builder())?, lost(Drops::builder().parameter("wetting", 0.5))?] {
        assert!(lost.iter().all(|lost| lost.abs() < 2_000.0 * 1e-16), "{lost:?}");
    }
    Ok(())
}

#[test]
fn fields_that_follow_are_read_by_name() -> Result<(), Error> {
    let mut flow = Attracted::builder()
        .size([32, 32])
        .viscosity(0.1)
        .parameter("attraction", -5.0)
        .initial(|at| Initial { density: 0.2 + drop(10.0)(at), ..Initial::default() })
        .build()?;
    assert!(flow.field("psi")?.iter().all(|&psi| psi == 0.0), "no step has computed it");
    flow.run(1)?;
    let (psi, slope) = (flow.field("psi")?, flow.field("slope_0")?);
    // What came to the nodes of the last step: the equilibria of its neighbours, which the drop's middle and far corners have all alike.
    assert!((psi[32 * 16 + 16] - (1.0 - (-1.2f64).exp())).abs() < 1e-3, "{}", psi[32 * 16 + 16]);
    assert!((psi[0] - (1.0 - (-0.2f64).exp())).abs() < 1e-3, "{}", psi[0]);
    assert!(slope[32 * 16 + 6] > 0.05 && slope[32 * 16 + 25] < -0.05, "it grows towards the middle");
    let error = flow.set_field("psi", |_| 1.0).unwrap_err().to_string();
    assert!(error.contains("the field `psi` follows from others"), "{error}");
    let error = flow.field("phi").unwrap_err().to_string();
    assert!(error.contains("are: psi, slope_0, slope_1"), "{error}");
    Ok(())
}

/// A liquid at 0.8 of the critical temperature has the density of thermodynamics; the wall that it does not wet stays dry.
#[test]
fn walls_are_read_as_they_are_said_to_be() -> Result<(), Error> {
    let flow = |wetting: f64| {
        let mut flow = Starling::builder()
            .size([32, 32])
            .threads(1)
            .viscosity(0.1)
            .parameter("temperature", 0.8)
            .parameter("wetting", wetting)
            .face(Face::South, FaceRule::WALL)
            .face(Face::North, FaceRule::WALL)
            .initial(|[_, y, _]| Initial {
                density: if (8..24).contains(&y) { 0.307 } else { 0.0217 },
                ..Initial::default()
            })
            .build()?;
        flow.run(3_000)?;
        let density = flow.density()?;
        Ok::<_, Error>([density[32 * 16 + 16], density[16]])
    };
    let [dry, wet] = [flow(0.6)?, flow(1.4)?];
    assert!((dry[0] / 0.3072 - 1.0).abs() < 0.02, "{dry:?}");
    assert!(dry[1] < 0.025 && wet[1] > 1.2 * dry[1], "{dry:?} {wet:?}");
    Ok(())
}
