//! Which rules bear small viscosities, and what a flow that has diverged says.

use lbm::prelude::*;
use lbm::simulation::PlacedRule;

solver! { Plane {
    lattice: D2Q9, collision: Bgk, precision: F64, boundaries: [ZouHeVelocity, RegularizedVelocity]
} }

const VISCOSITY: f64 = 0.01;
const SPEED: f64 = 0.02;
const NOISE: f64 = 0.01;

/// A stirred fluid between two walls on the nodes, of which one moves, after so many steps that a wave from wall to wall has lost all but exp(-10).
fn stirred(south: PlacedRule, north: PlacedRule) -> Simulation {
    const HEIGHT: usize = 10;
    let noise = |[x, y, _]: [usize; 3]| {
        let n = (x * 7919 + y * 104_729) as f64;
        Initial::velocity([NOISE * n.sin(), NOISE * (1.3 * n).sin(), 0.0])
    };
    let walls = Plane::builder().size([12, HEIGHT]).viscosity(VISCOSITY).initial(noise).threads(1);
    let mut flow = walls.boundary(Face::South, south).boundary(Face::North, north).build().unwrap();
    flow.run((10.0 * ((HEIGHT - 1) as f64 / std::f64::consts::PI).powi(2) / VISCOSITY) as u64).unwrap();
    flow
}

/// A velocity that is held after Zou & He shakes itself at this viscosity, without edges and in a fluid that hardly flows; one that is held by regularised
/// populations does not (Latt et al. 2008).
#[test]
fn regularised_walls_bear_viscosities_that_zou_he_walls_do_not() {
    let walls = |south: PlacedRule, north: PlacedRule| {
        stirred(south.with("velocity", [0.0, 0.0]), north.with("velocity", [SPEED, 0.0]))
    };
    let flow = walls(RegularizedVelocity.into(), RegularizedVelocity.into());
    for (node, u) in flow.velocity().unwrap().into_iter().enumerate() {
        let exact = SPEED * (node / 12) as f64 / 9.0;
        assert!((u[0] - exact).abs() < NOISE / 10.0 && u[1].abs() < NOISE / 10.0, "{u:?} {exact}");
    }
    let error = walls(ZouHeVelocity.into(), ZouHeVelocity.into()).check_finite().unwrap_err().to_string();
    for words in ["regularized-velocity", "Course::ramp(steps)?"] {
        assert!(error.contains(words), "`{words}` in: {error}");
    }
    // Nothing begins at once where both are at rest.
    let still = || ZouHeVelocity.with("velocity", [0.0, 0.0]);
    let error = stirred(still(), still()).check_finite().unwrap_err().to_string();
    assert!(error.contains("regularized-velocity") && !error.contains("ramp"), "{error}");
}
