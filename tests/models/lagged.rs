//! What nodes keep from step to step: `prev(x)`.

use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;
use lbm::simulation::Builder;
use lbm::{core::cut::Decomposition, sweep};

model! {
    /// A fluid that is drawn to where it was denser in the step before.
    pub Lagging<Flow>(attraction) {
        let flow = set(1);
        let psi = flow.rho / (1 + flow.rho);
        let slope = grad(prev(psi, 1/2));
        flow.force = dimensions.map(|a| -attraction * flow.cs2 * psi * slope[a]);
        flow.f = Flow(flow);
    }
}

model! {
    /// The same without a lag.
    pub Following<Flow>(attraction) {
        let flow = set(1);
        let psi = flow.rho / (1 + flow.rho);
        let slope = grad(psi);
        flow.force = dimensions.map(|a| -attraction * flow.cs2 * psi * slope[a]);
        flow.f = Flow(flow);
    }
}

model! {
    /// A substance that a flow carries, and whose rate of change is known: what it was in the step before and in that before it.
    pub Rated<Flow, Scalar>(diffusivity in 0..) {
        let flow = set(1);
        let scalar = set(0);
        scalar.u = flow.u;
        scalar.viscosity = diffusivity;
        let density = flow.rho;
        let substance = scalar.rho;
        let was = prev(density, 1);
        let before = prev(substance);
        let rate = substance - before;
        let last_rate = prev(rate);
        flow.f = Flow(flow);
        let after = Scalar(scalar);
        for i in scalar.directions {
            scalar.f[i] = after[i] - scalar.w[i] * (rate + last_rate + was - density) / 100;
        }
    }
}

solver! { Lag { model: Lagging<Trt>, lattice: D2Q9, precision: F64 } }
model! {
    /// Two steps back, and in a list.
    pub Older<Flow> {
        let flow = set(1);
        let denser = flow.rho - 1;
        let last = dimensions.map(|a| prev(flow.f[1 + a] - flow.w[1 + a]));
        let before_last = prev(last[0]);
        let older = prev(prev(prev(denser)));
        flow.force = dimensions.map(|a| (last[a] - before_last - older) / 100);
        flow.f = Flow(flow);
    }
}

solver! { Old { model: Older<Bgk>, lattice: D2Q9, boundaries: [ZouHeVelocity, Bouzidi, ConvectiveOutflow] } }
solver! { Now { model: Following<Trt>, lattice: D2Q9, precision: F64 } }
solver! { Rates { model: Rated<Trt, Bgk>, lattices: [D2Q9, D2Q5], precision: F64, boundaries: [scalar: FixedValue] } }

fn drop<V: lbm::core::Variant>() -> Builder<V> {
    let dense = |[x, y, _]: [usize; 3]| if (3..9).contains(&x) && (2..7).contains(&y) { 1.6 } else { 0.3 };
    let flow = V::builder().size([14, 10]).viscosity(0.1).parameter("attraction", -4.0).threads(2);
    flow.initial(move |at| Initial { density: dense(at), ..Initial::default() })
}

/// What a step leaves is what the next one reads: the flow is another one than without the lag, from the first step on.
#[test]
fn a_value_of_the_step_before_is_a_step_late() -> Result<(), Error> {
    let (mut late, mut now) = (drop::<Lag>().build()?, drop::<Now>().build()?);
    for _ in 0..5 {
        late.run(1)?;
        now.run(1)?;
        let psi = late.density()?.into_iter().map(|rho| rho / (1.0 + rho));
        assert!(late.sum_of("prev_psi")?.iter().zip(psi).all(|(kept, psi)| (kept - psi).abs() < 1e-14));
        let (late, now) = (late.populations()?, now.populations()?);
        let off = now.iter().zip(&late).map(|(now, late)| (now - late).abs()).fold(0.0, f64::max);
        assert!(off > 1e-3, "{off}");
    }
    Ok(())
}

fn rates() -> Builder<Rates> {
    Rates::builder()
        .size([12, 8])
        .viscosity(0.05)
        .parameter("diffusivity", 0.02)
        .initial(|[x, y, _]| Initial {
            density: 1.0 + 0.01 * (x as f64).sin(),
            velocity: [0.03 * (y as f64).cos(), 0.01, 0.0],
            ..Initial::default()
        })
        .initial_sum("scalar", |[x, y, _]| (x + 2 * y) as f64 / 20.0)
        .face(Face::South, FaceRule::WALL)
        .boundary(Face::North, FixedValue.with("value", [1.0]).of("scalar"))
        .threads(1)
}

/// Of several sets each value is known after a step, and a checkpoint has them, for any scheme.
#[test]
fn kept_values_are_known_and_stand_in_checkpoints() -> Result<(), Error> {
    let mut flow = rates().build()?;
    let mut before = flow.sum_of("scalar")?;
    for step in 0..4 {
        flow.run(1)?;
        let same = |name: &str, expected: &[f64]| -> Result<bool, Error> {
            Ok(flow.sum_of(name)?.iter().zip(expected).all(|(kept, now)| (kept - now).abs() < 1e-13))
        };
        // A step collides what it keeps; so what it leaves of density is what it has kept, and the rate is less what it has added.
        let substance = flow.sum_of("prev_substance")?;
        let rate: Vec<f64> = substance.iter().zip(&before).map(|(now, before)| now - before).collect();
        assert!(same("prev_density", &flow.density()?)? && same("prev_rate", &rate)?, "{step}");
        assert!(rate.iter().any(|rate| rate.abs() > 1e-3), "{step}");
        before = substance;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rates.lbm");
    flow.checkpoint(&path)?;
    flow.run(5)?;
    for scheme in
        ["soa-dense-two-lattice-pull", "aosoa8-dense-esoteric-pull", "soa-tiled4-aa", "aos-dense-swap"]
    {
        let mut resumed = rates().scheme(scheme).build()?;
        resumed.restart(&path)?;
        resumed.run(5)?;
        assert!(resumed.populations()? == flow.populations()?, "{scheme}");
    }
    Ok(())
}

#[test]
fn kept_values_have_the_same_bits_everywhere() {
    let options = Options::default().with_steps([1, 2, 5]).with_seeds([7]);
    sweep! {
        model: [Lagging<Bgk>],
        lattices: [[D2Q9]],
        precision: [F32, F16In32],
        layout: [Soa, Aosoa<8>],
        streaming: [TwoLatticePull, Aa, EsotericPull, Ccas, Ghost],
        pairwise: [precision, layout, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("kept_values_have_the_same_bits_everywhere", &options);
        }
    }
    // Rules of the one set that it has otherwise.
    let with_rules = options.clone().with_seeds([7, 14, 88]);
    cpu_equals_reference::<Old>(&with_rules);
    cuda_on_host_equals_cpu::<Old>("kept_values_have_the_same_bits_everywhere", &with_rules);
    sweep! {
        model: [Rated<Regularized, Bgk>],
        lattices: [[D3Q19, D3Q7]],
        precision: [F32],
        addressing: [Dense, Tiled<4>],
        streaming: [TwoLatticePush, EsotericTwist, Moments],
        skip: [{ addressing: Tiled<4>, streaming: [Moments] }]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("kept_values_have_the_same_bits_everywhere", &options);
        }
    }
}

/// A part of a box reads what its neighbours' nodes have kept.
#[test]
fn kept_values_cross_cuts() -> Result<(), Error> {
    let mut whole = drop::<Lag>().build()?;
    whole.run(9)?;
    for cut in [[2, 1, 1], [2, 2, 1]] {
        let mut parts = drop::<Lag>().decomposition(Decomposition::Along(cut)).build()?;
        parts.run(9)?;
        assert!(parts.populations()? == whole.populations()?, "{cut:?}");
    }
    Ok(())
}

/// What begins as the initial state has it is not given, and a node that is drawn begins so, too.
#[test]
fn kept_values_begin_as_the_flow_does() -> Result<(), Error> {
    let given = rates().initial_sum("prev_density", |_| 1.0).build().map(|_| ()).expect_err("it is refused");
    assert!(given.to_string().contains("`prev_density` is what nodes keep"), "{given}");
    let mut flow = rates().solid(|[x, y, _]| (4..6).contains(&x) && (3..5).contains(&y)).build()?;
    flow.run(5)?;
    flow.set_fluid(&lbm::core::geometry::Cuboid { low: [4.0, 3.0, 0.0], high: [6.0, 5.0, 1.0] })?;
    let (density, kept) = (flow.density()?, flow.sum_of("prev_density")?);
    let off = |n: usize| (kept[n] - density[n]).abs();
    assert!([40, 41, 52, 53].into_iter().all(|n| off(n) < 1e-13 && density[n] != 1.0), "{kept:?}");
    Ok(())
}
