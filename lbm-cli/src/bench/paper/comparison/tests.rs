//! Each comparator computes the flow, on the CPU and, from its text, on the host in a device's place.

use super::*;
use lbm_cuda::testing::cxx_or_skip;

/// Boxes with axes of different lengths, and one that is thinner than a tile.
const SIZES: [[usize; 3]; 3] = [[12, 9, 10], [32, 5, 3], [7, 17, 4]];

fn differences(request: &Request) -> Vec<(String, f64)> {
    let standard = variants::find("d3q19-bgk-f64-soa-dense-two-lattice-pull").unwrap();
    let mut all = Vec::new();
    for flow in &FLOWS {
        for size in SIZES {
            let trial = Trial::new(flow, size, standard, request).unwrap();
            for (name, way) in WAYS {
                let mut one = comparator(way, standard, &trial.setup, request).unwrap();
                one.set(&trial.start).unwrap();
                // In two parts, so that what is kept between steps counts.
                one.timed(CHECKED_STEPS - 3).unwrap();
                one.timed(3).unwrap();
                let mut found = vec![0.0; trial.start.len()];
                one.get(&mut found).unwrap();
                all.push((format!("{name}, {}, {size:?}", flow.name), trial.difference(&found)));
            }
        }
    }
    all
}

#[test]
fn comparators_compute_the_flow_whatever_the_threads() {
    for count in [1, 3] {
        let cpu = lbm_cpu::CpuOptions::default().with_threads(count);
        let placement = crate::simulation::Placement::from(Backend::Cpu).with_cpu(cpu);
        let request = Request { placement, ..Request::default() };
        for (what, difference) in differences(&request) {
            assert!(difference <= TOLERANCE, "{what}, {count} threads: {difference:e}");
        }
    }
}

#[test]
fn texts_of_comparators_compute_the_flow() {
    if cxx_or_skip("texts_of_comparators_compute_the_flow").is_none() {
        return;
    }
    let request = Request { placement: Backend::CudaOnHost.into(), ..Request::default() };
    for (what, difference) in differences(&request) {
        assert!(difference <= TOLERANCE, "{what}: {difference:e}");
        // The tiles have the collision's own operations.
        assert!(!what.starts_with("tiled") || difference == 0.0, "{what}: {difference:e}");
    }
}

#[test]
fn a_wrong_population_is_seen_and_so_is_what_is_no_number() {
    let request = Request::default();
    let standard = variants::find("d3q19-bgk-f64-soa-dense-two-lattice-pull").unwrap();
    let trial = Trial::new(&FLOWS[0], [6, 5, 4], standard, &request).unwrap();
    assert_eq!(trial.difference(&trial.expected), 0.0);
    let with = |value: &dyn Fn(f64) -> f64| {
        let mut found = trial.expected.clone();
        found[1000] = value(found[1000]);
        trial.difference(&found)
    };
    assert!(with(&|h| h + 1e-12) > TOLERANCE);
    assert!(with(&|_| f64::NAN) > TOLERANCE);
    // A bit is nothing for a comparator, but not for a variant.
    let bit = with(&|h| f64::from_bits(h.to_bits() ^ 1));
    assert!(bit > 0.0 && bit < TOLERANCE, "{bit:e}");
}
