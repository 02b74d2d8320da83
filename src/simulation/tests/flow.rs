//! Flows whose solution is known.

use std::f64::consts::TAU;

use lbm_core::{Error, Face, FaceRule};

use super::handwritten::{Plain, Single};
use crate::simulation::{Initial, Solver};

#[test]
fn the_initial_state_reads_back_with_and_without_force() {
    for force in [[0.0; 3], [1e-3, -2e-3, 0.0]] {
        let simulation = Plain::builder()
            .size([5, 4])
            .viscosity(0.05)
            .force(force)
            .initial(|[x, y, _]| Initial {
                density: 1.0 + 0.01 * x as f64,
                velocity: [0.02 * y as f64, -0.01, 0.0],
                gradient: Some([[0.0; 3], [0.02, 0.0, 0.0], [0.0; 3]]),
            })
            .build()
            .unwrap();
        let (density, velocity) = (simulation.density().unwrap(), simulation.velocity().unwrap());
        for y in 0..4 {
            for x in 0..5 {
                assert!((density[x + 5 * y] - 1.0 - 0.01 * x as f64).abs() < 1e-14);
                let [u, v, w] = velocity[x + 5 * y];
                assert!((u - 0.02 * y as f64).abs() < 1e-14 && (v + 0.01).abs() < 1e-14 && w == 0.0);
            }
        }
    }
}

#[test]
fn couette_flow_is_linear_and_its_stress_constant() {
    let (height, lid, viscosity) = (8, 0.05, 0.1);
    let mut simulation = Plain::builder()
        .size([3, height])
        .viscosity(viscosity)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [lid, 0.0, 0.0] })
        .build()
        .unwrap();
    let mass = simulation.mass().unwrap();
    simulation.run(5000).unwrap();
    let shear = lid / height as f64;
    for (index, u) in simulation.velocity().unwrap().into_iter().enumerate() {
        let y = (index / 3) as f64 + 0.5;
        assert!((u[0] - shear * y).abs() < 1e-13, "{index}: {u:?}");
    }
    for stress in simulation.stress().unwrap() {
        assert!((stress[3] - viscosity * shear).abs() < 1e-14, "{stress:?}");
    }
    assert!((simulation.mass().unwrap() - mass).abs() < 1e-12);
}

#[test]
fn a_shear_wave_starts_without_a_layer_and_decays_with_the_viscosity() {
    let (n, viscosity, steps) = (32, 0.02, 200);
    let k = TAU / n as f64;
    let mut simulation = Plain::builder()
        .size([n, 2])
        .viscosity(viscosity)
        .initial(move |[x, _, _]| {
            let phase = k * x as f64;
            let mut gradient = [[0.0; 3]; 3];
            gradient[0][1] = 0.01 * k * phase.cos();
            Initial { density: 1.0, velocity: [0.0, 0.01 * phase.sin(), 0.0], gradient: Some(gradient) }
        })
        .build()
        .unwrap();
    simulation.run(steps).unwrap();
    let largest = simulation.velocity().unwrap().iter().map(|u| u[1]).fold(0.0, f64::max);
    let measured = -(largest / 0.01).ln() / (k * k * steps as f64);
    assert!((measured / viscosity - 1.0).abs() < 5e-3, "{measured}");
}

#[test]
fn a_force_between_still_walls_drives_a_parabola_past_a_solid_free_box() {
    let (height, force, viscosity) = (10, 1e-5, 0.1);
    let mut simulation = Plain::builder()
        .size([2, height])
        .viscosity(viscosity)
        .force([force, 0.0, 0.0])
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::WALL)
        .build()
        .unwrap();
    simulation.run(10_000).unwrap();
    let centre = force * (height * height) as f64 / (8.0 * viscosity);
    let largest = simulation.velocity().unwrap().iter().map(|u| u[0]).fold(0.0, f64::max);
    assert!((largest / centre - 1.0).abs() < 0.02, "{largest} {centre}");
}

#[test]
fn solid_nodes_read_as_rest() {
    let mut simulation = Plain::builder()
        .size([6, 6])
        .viscosity(0.1)
        .moving_solid([0.05, 0.0, 0.0], |[x, y, _]| x == 2 && y == 3)
        .build()
        .unwrap();
    simulation.run(50).unwrap();
    assert_eq!(simulation.velocity().unwrap()[2 + 6 * 3], [0.0; 3]);
    assert_eq!(simulation.density().unwrap()[2 + 6 * 3], 1.0);
    assert!(simulation.velocity().unwrap()[2 + 6 * 4][0] > 0.0);
    assert_eq!(simulation.domain().fluid_nodes(), 35);
}

#[test]
fn a_population_that_is_not_finite_is_found_with_step_and_node() {
    // Finite, but their sum is not.
    let mut simulation = Plain::builder().size([4, 3]).viscosity(0.001).build().unwrap();
    let mut populations = simulation.populations().unwrap();
    populations[6] = 1.7e308;
    populations[12 + 6] = 1.7e308;
    simulation.set_populations(&populations).unwrap();
    simulation.check_finite().unwrap();
    simulation.run(10).unwrap();
    let Err(Error::Diverged { step, .. }) = simulation.check_finite() else { panic!("not found") };
    assert_eq!(step, 10);
    populations[0] = f64::NAN;
    assert!(matches!(simulation.set_populations(&populations), Err(Error::OutOfRange { .. })));
    assert!(matches!(simulation.set_populations(&populations[1..]), Err(Error::OutOfRange { .. })));
}

#[test]
fn a_restart_goes_on_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    let cavity = || {
        let lid = FaceRule::Wall { velocity: [0.1, 0.0, 0.0] };
        let walled = [Face::West, Face::East, Face::South].into_iter();
        walled
            .fold(Plain::builder().size([12, 11]).viscosity(0.01), |builder, face| {
                builder.face(face, FaceRule::WALL)
            })
            .face(Face::North, lid)
            .build()
            .unwrap()
    };
    let mut through = cavity();
    through.run(37).unwrap();
    through.checkpoint(&path).unwrap();
    through.run(40).unwrap();
    let mut resumed = cavity();
    resumed.restart(&path).unwrap();
    assert_eq!(resumed.time_step(), 37);
    resumed.run(40).unwrap();
    assert_eq!(through.populations().unwrap(), resumed.populations().unwrap());

    let mut other_size = Plain::builder().size([12, 12]).viscosity(0.01).build().unwrap();
    let mut other_precision = Single::builder().size([12, 11]).viscosity(0.01).build().unwrap();
    for error in [other_size.restart(&path).unwrap_err(), other_precision.restart(&path).unwrap_err()] {
        assert!(matches!(error, Error::Format { .. }), "{error}");
    }
    assert!(matches!(resumed.restart(folder.path().join("none")), Err(Error::File { .. })));
}
