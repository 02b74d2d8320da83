//! Two components that repel each other.

use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;

solver! {
    /// Two components.
    pub Components { model: ShanChenMixture<Bgk>, lattices: [D2Q9, D2Q9], streaming: EsotericPull }
}

/// The densities of both components in and around a drop of the first one, after so many steps, and what the difference of pressures times the radius is.
fn drop(radius: f64, viscosity: f64, steps: u64) -> Result<([f64; 4], f64), Error> {
    let size = 4 * radius as usize + 4;
    let middle = (size - 1) as f64 / 2.0;
    let mut flow = Components::builder()
        .size([size, size])
        .threads(1)
        .viscosity(viscosity)
        .initial_sum("red", move |[x, y, _]| {
            let depth = radius - (x as f64 - middle).hypot(y as f64 - middle);
            0.06 + 0.88 * 0.5 * (1.0 + depth.tanh())
        })
        .build()?;
    let before = [flow.total_of("red")?, flow.mass()?];
    flow.run(steps)?;
    let after = [flow.total_of("red")?, flow.mass()?];
    assert!(
        after.iter().zip(before).all(|(after, before)| (after / before - 1.0).abs() < 1e-12),
        "{after:?}"
    );
    let (red, density) = (flow.sum_of("red")?, flow.density()?);
    let at = |node: usize| [red[node], density[node] - red[node]];
    let ([red_in, blue_in], [red_out, blue_out]) = (at(size * size / 2 + size / 2), at(0));
    let pressure = |red: f64, blue: f64| (red + blue) / 3.0 + red * blue;
    let area: f64 = red.iter().map(|red| (red - red_out) / (red_in - red_out)).sum();
    let tension =
        (pressure(red_in, blue_in) - pressure(red_out, blue_out)) * (area / std::f64::consts::PI).sqrt();
    Ok(([red_in, blue_in, red_out, blue_out], tension))
}

/// Drops of two radii have one tension, to first order in 1 / R, and one at two viscosities.
#[test]
fn drops_of_a_component_have_one_tension() -> Result<(), Error> {
    let (within, small) = drop(12.0, 1.0 / 6.0, 4_000)?;
    let (_, large) = drop(20.0, 1.0 / 6.0, 4_000)?;
    assert!((small / large - 1.0).abs() < 0.07, "{small}, {large}");
    let (other, viscous) = drop(12.0, 1.0 / 3.0, 4_000)?;
    assert!((viscous / small - 1.0).abs() < 0.02, "{viscous}, {small}");
    assert!(within.iter().zip(other).all(|(a, b)| (a - b).abs() < 3e-3), "{within:?}, {other:?}");
    Ok(())
}

/// What an independent program of this model has after 1500 steps.
#[test]
fn a_component_dissolves_as_much_as_in_an_independent_program() -> Result<(), Error> {
    let (densities, tension) = drop(8.0, 1.0 / 6.0, 1_500)?;
    let known = [1.038_804_700_03, 0.046_760_202_81, 0.060_877_755_52, 0.974_263_405_63];
    assert!(densities.iter().zip(known).all(|(a, b)| (a - b).abs() < 1e-9), "{densities:?}");
    assert!((tension - 0.046_225_15).abs() < 1e-7, "{tension}");
    Ok(())
}

#[test]
fn schemes_of_a_mixture_give_the_same_bits() {
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([7]);
    sweep! {
        model: [ShanChenMixture<Bgk>],
        lattices: [[D2Q9, D2Q9]],
        forcing: [Guo],
        precision: [F32, F64],
        layout: [Soa, Aosoa<8>],
        streaming: [TwoLatticePull, Aa, Swap],
        pairwise: [precision, layout, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("schemes_of_a_mixture_give_the_same_bits", &options);
        }
    }
}
