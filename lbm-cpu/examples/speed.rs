//! D3Q19 BGK, two-lattice pull, periodic, against what the memory gives, in turns:
//! `cargo run --release -p lbm-cpu --example speed -- [NX,NY,NZ] [threads] [rounds] [f32|f64] [ordinary|non-temporal]`.

#[path = "../tests/by_hand/mod.rs"]
mod by_hand;

use std::time::Instant;

use by_hand::{D3Q19, Solver};
use lbm_core::engine::{Engine, Setup};
use lbm_core::{Domain, Error, F32, F64, Soa, Variant};
use lbm_cpu::bandwidth::Streams;
use lbm_cpu::{CpuEngine, CpuOptions, StoreKind};

/// The fewest steps in one measurement.
const STEPS: u64 = 3;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |text: &str| text.parse::<usize>().ok();
    let numbers =
        |at: usize| arguments.get(at).map(|text| text.split(',').filter_map(number).collect::<Vec<_>>());
    let size = numbers(0).and_then(|size| size.try_into().ok()).unwrap_or([192; 3]);
    let threads = arguments.get(1).and_then(|text| number(text));
    let rounds = arguments.get(2).and_then(|text| number(text)).unwrap_or(15);
    let wanted = |name: &str, all: [&str; 2]| {
        !arguments.iter().any(|text| all.contains(&text.as_str()))
            || arguments.iter().any(|text| text == name)
    };
    for stores in [StoreKind::Ordinary, StoreKind::NonTemporal] {
        if !wanted(stores.name(), ["ordinary", "non-temporal"]) {
            continue;
        }
        let options = CpuOptions { threads, stores: Some(stores), ..CpuOptions::default() };
        if wanted("f32", ["f32", "f64"]) {
            measure::<Solver<D3Q19, F32, Soa>>(size, &options, stores, rounds)?;
        }
        if wanted("f64", ["f32", "f64"]) {
            measure::<Solver<D3Q19, F64, Soa>>(size, &options, stores, rounds)?;
        }
    }
    Ok(())
}

fn measure<V: Variant>(
    size: [usize; 3],
    options: &CpuOptions,
    stores: StoreKind,
    rounds: usize,
) -> Result<(), Error> {
    let setup = Setup { domain: Domain::periodic(size), parameters: vec![0.05] };
    let nodes = setup.domain.nodes();
    let bytes = V::bytes_per_node() * nodes;
    let built = Instant::now();
    let mut engine = CpuEngine::<V>::new(&setup, options)?;
    let built = built.elapsed();
    engine.set_populations(&vec![1e-3; 19 * nodes], 0)?;
    engine.run(2)?;
    let mut copy = Streams::<1>::new(bytes, options)?;
    let mut streams = Streams::<19>::new(bytes, options)?;
    let steps = STEPS.max(10_000_000 / nodes as u64);
    let mut rows = Vec::new();
    for _ in 0..rounds {
        let start = Instant::now();
        engine.run(steps)?;
        let mlups = (steps as usize * nodes) as f64 / start.elapsed().as_secs_f64() * 1e-6;
        let kinds = [StoreKind::Ordinary, StoreKind::NonTemporal];
        let [ordinary, non_temporal] = kinds.map(|kind| copy.measure(kind));
        rows.push([mlups, ordinary, non_temporal, streams.measure(stores)]);
    }
    let median = |pick: &dyn Fn(&[f64; 4]) -> f64| {
        let mut values: Vec<f64> = rows.iter().map(pick).collect();
        values.sort_by(f64::total_cmp);
        (values[values.len() / 2], values[values.len() - 1])
    };
    let gb = |row: &[f64; 4]| row[0] * 1e-3 * V::bytes_per_node() as f64;
    println!(
        "{} {size:?}, {}, {} stores (built in {built:.2?})",
        V::name(),
        engine.description(),
        stores.name()
    );
    println!("  MLUPS median/max      {:6.1?}", median(&|row| row[0]));
    println!("  kernel GB/s           {:6.1?}", median(&gb));
    println!("  copy ordinary GB/s    {:6.1?}", median(&|row| row[1]));
    println!("  copy non-temporal     {:6.1?}", median(&|row| row[2]));
    println!("  19 streams, same      {:6.1?}", median(&|row| row[3]));
    println!("  kernel/streams        {:6.3?}", median(&|row| gb(row) / row[3]));
    println!("  kernel/best copy      {:6.3?}", median(&|row| gb(row) / row[1].max(row[2])));
    Ok(())
}
