//! Two incompressible fluids of very different densities: a drop, gravity, viscosities, bits.

use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;

solver! {
    /// Two fluids.
    pub Fluids { model: PhaseField<Trt, Bgk>, lattices: [D2Q9, D2Q9], equilibrium: Incompressible }
}

/// How much of a node is heavy fluid so far behind an interface.
fn share(depth: f64) -> f64 {
    0.5 * (1.0 + (2.0 * depth / 5.0).tanh())
}

#[test]
fn a_drop_a_thousand_times_as_dense_has_the_pressure_of_laplace() -> Result<(), Error> {
    let (size, radius, tension) = (64_usize, 16.0, 0.01);
    let middle = (size - 1) as f64 / 2.0;
    let mut flow = Fluids::builder()
        .size([size, size])
        .threads(1)
        .viscosity(0.1)
        .parameter("density_ratio", 1000.0)
        .parameter("viscosity_ratio", 100.0)
        .parameter("tension", tension)
        .initial_sum("phase", move |[x, y, _]| share(radius - (x as f64 - middle).hypot(y as f64 - middle)))
        .build()?;
    let before = flow.total_of("phase")?;
    flow.run(8_000)?;
    let (reduced, phi) = (flow.density()?, flow.sum_of("phase")?);
    let pressure = |node: usize| (reduced[node] - 1.0) / 3.0 * (1e-3 + 0.999 * phi[node]);
    let area: f64 = phi.iter().sum();
    let laplace =
        (pressure(size * size / 2 + size / 2) - pressure(0)) * (area / std::f64::consts::PI).sqrt() / tension;
    let fastest = flow.velocity()?.iter().map(|u| u[0].hypot(u[1])).fold(0.0, f64::max);
    // What an independent program of this model has.
    assert!((laplace - 0.9899).abs() < 0.002, "{laplace}");
    assert!((fastest / 2.007e-5 - 1.0).abs() < 0.02, "{fastest}");
    assert!((area / before - 1.0).abs() < 1e-12);
    Ok(())
}

/// The flow, the phase and what is read at neighbours, in every kind of scheme.
#[test]
fn schemes_of_a_phase_field_give_the_same_bits() {
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([7]);
    sweep! {
        model: [PhaseField<Trt, Bgk>],
        lattices: [[D2Q9, D2Q9]],
        equilibrium: [Incompressible],
        precision: [F32, F64],
        layout: [Soa, Aosoa<8>],
        streaming: [TwoLatticePush, EsotericPull, Swap],
        pairwise: [precision, layout, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("schemes_of_a_phase_field_give_the_same_bits", &options);
        }
    }
}

/// The velocity after some steps of a box full of one fluid, which gravity pulls on, along y; it starts at rest.
fn fallen(phi: f64, floating: f64, steps: u64) -> Result<f64, Error> {
    let mut flow = Fluids::builder()
        .size([4, 4])
        .viscosity(0.1)
        .parameter("density_ratio", 10.0)
        .parameter("tension", 0.01)
        .parameter("floating", floating)
        .parameter("gravity_y", -1e-5)
        .initial_sum("phase", move |_| phi)
        .build()?;
    flow.run(steps)?;
    Ok(flow.velocity()?[5][1])
}

/// What is denser than the fluid that floats falls, by the part of its weight that is not borne; what is lighter rises.
#[test]
fn gravity_pulls_on_what_is_denser() -> Result<(), Error> {
    for (phi, floating, exact) in
        [(0.0, 1.0, 9e-5), (1.0, 0.0, -0.9e-5), (1.0, 1.0, 0.0), (0.5, 1.0, 0.45 / 0.55 * 1e-5)]
    {
        let velocity = fallen(phi, floating, 10)?;
        assert!((velocity - 10.0 * exact).abs() < 1e-15, "phi {phi}: {velocity}, {exact}");
    }
    Ok(())
}

/// A shear wave in either fluid decays by its own viscosity: the light one's dynamic one is a share of the heavy one's, its density another.
#[test]
fn each_fluid_has_its_viscosity() -> Result<(), Error> {
    let (size, viscosity) = (32, 0.01);
    let wave = std::f64::consts::TAU / size as f64;
    for (phi, of_it) in [(1.0, viscosity), (0.0, viscosity * 1000.0 / 100.0)] {
        let mut flow = Fluids::builder()
            .size([1, size])
            .viscosity(viscosity)
            .parameter("density_ratio", 1000.0)
            .parameter("viscosity_ratio", 100.0)
            .parameter("tension", 0.01)
            .initial(move |[_, y, _]| Initial::velocity([0.01 * (wave * y as f64).cos(), 0.0, 0.0]))
            .initial_sum("phase", move |_| phi)
            .build()?;
        // What equilibria lack decays first.
        flow.run(100)?;
        let before = flow.velocity()?[0][0];
        flow.run(200)?;
        let measured = -(flow.velocity()?[0][0] / before).ln() / (200.0 * wave * wave);
        assert!((measured / of_it - 1.0).abs() < 0.01, "phi {phi}: {measured}, {of_it}");
    }
    Ok(())
}
