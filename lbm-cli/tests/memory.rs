//! What a scheme says that it stores is what is allocated, on the CPU and on a device, for every variant of the table.

use std::sync::Arc;

use lbm::core::Domain;
use lbm::core::engine::{Engine, Setup};
use lbm::cpu::CpuOptions;
use lbm::cuda::engine::engine;
use lbm::cuda::host::HostBatch;
use lbm::cuda::{DeviceOptions, OnHost};
use lbm_cli::variants::{self, Entry};

/// A box in which neither the padding of rows nor what lies between streams counts much; listed nodes have neither.
fn a_box(entry: &Entry) -> [usize; 3] {
    match (entry.facts.lattice.dimension, entry.facts.addressing.listed) {
        (2, false) => [2048, 1024, 1],
        (2, true) => [512, 128, 1],
        (_, false) => [512, 64, 64],
        (_, true) => [128, 64, 16],
    }
}

fn setup(entry: &Entry) -> Setup {
    let parameters = entry.parameters(&[("viscosity", 0.02)]);
    Setup::new(Domain::periodic(a_box(entry)), parameters)
}

#[test]
fn as_much_is_allocated_as_is_stated() {
    let (batch, options) = (Arc::<HostBatch>::default(), CpuOptions::default());
    for entry in variants::all() {
        let setup = setup(entry);
        let stated = entry.facts.bytes_of(setup.domain()).unwrap() as f64;
        let within = |engine: &dyn Engine, tolerance: f64| {
            let found = engine.allocated_bytes() as f64;
            let name = &entry.name;
            assert!(
                (found / stated - 1.0).abs() < tolerance,
                "{name}, {}: {found} of {stated}",
                engine.description()
            );
        };
        // On the CPU every 16 listed nodes say where those around lie: some 6 bytes a node.
        let nodes = setup.domain().nodes() as f64;
        let runs = if entry.facts.addressing.listed { 7.0 * nodes / stated } else { 0.0 };
        if entry.is_compiled() {
            within(&entry.engine(&setup, &options).unwrap(), 0.01 + runs);
        }
        // Nothing is built before the first launch.
        let machine = OnHost::batched(1, &batch);
        // Of fields that neighbours read, each place around the fluid is listed with the node that it follows from: four numbers of 32 bits.
        let size = setup.domain().size;
        let around = entry.facts.padded(size).nodes() - size.iter().product::<usize>();
        let listed = 16.0 * around as f64 / stated;
        within(&*engine(machine, &entry.facts, &setup, &DeviceOptions::default()).unwrap(), 0.01 + listed);
    }
}

/// How many values a node has in memory, in large boxes, by scheme.
#[test]
fn schemes_store_what_they_promise() {
    for entry in variants::all().iter().filter(|entry| !entry.facts.addressing.listed) {
        let facts = &entry.facts;
        let size = if facts.lattice.dimension == 2 { [8192, 8192, 1] } else { [512, 512, 512] };
        let nodes: usize = size.iter().product();
        let values = facts.bytes(size) as f64 / (nodes * facts.precision.stored_bytes) as f64;
        let (q, m) = (facts.lattice.q() as f64, facts.body.moments as f64);
        let most = match facts.pattern.name {
            "two-lattice-pull" | "two-lattice-push" => 2.0 * q,
            "ghost" => q * if facts.lattice.dimension == 2 { 1.15 } else { 1.25 },
            "moments" | "moments-two-steps" => 2.0 * m,
            "moments-ring" => 1.13 * m,
            "thread-safe" => q + m,
            _ => 1.01 * q,
        };
        let least = if facts.pattern.stores_moments() { m } else { q };
        // Fields that neighbours read lie in a box that is a little wider.
        let fields = facts.field_bytes() as f64 / facts.precision.stored_bytes as f64;
        let (least, most) = (least + fields, most + 1.02 * fields);
        assert!((least..=most).contains(&values), "{}: {values} values, at most {most}", entry.name);
    }
}
