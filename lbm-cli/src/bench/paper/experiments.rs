//! The experiments: which variants, which boxes, and what the papers found.

mod tiles;

use super::shares::{Found, Part};
use super::{Experiment, comparison, memory};
pub(super) use tiles::TILES;

/// All experiments that this release runs.
pub const EXPERIMENTS: &[Experiment] = &[
    // Montessori et al., single component: two lattices, thread-safe reconstruction, and moments alone.
    Experiment {
        key: "thread-safe",
        run: |session| THREAD_SAFE.iter().try_for_each(|part| part.run(session)),
        takes: None,
    },
    // Valero-Lara: two copies and one, in boxes that grow until two copies no longer fit.
    Experiment { key: "ghost-swap", run: memory::run, takes: Some("--memory") },
    // Khani & Wu: circular arrays beside a core's plain loop, separate kernels and tiles.
    Experiment { key: "ccas", run: comparison::run, takes: Some("--size") },
    // Tomczak & Szafran: tiles in cubes, among spheres, in channels and vessels.
    Experiment {
        key: "tiles",
        run: |session| TILES.iter().try_for_each(|part| part.run(session)),
        takes: None,
    },
];

/// Streaming patterns, with their layouts on the CPU and on a device.
const REGULARIZED: &[(&str, &str, &str)] =
    &[("two-lattice-pull", "soa", "soa"), ("thread-safe", "soa", "aosoa128"), ("moments", "soa", "aosoa128")];

const THREAD_SAFE: &[Part] = &[
    Part {
        name: "d2q9",
        title: "Regularised D2Q9, f32",
        family: "d2q9-regularized-f32",
        schemes: REGULARIZED,
        edges: [&[256, 512, 1024], &[256, 512, 1024, 2048, 4096]],
        cubic: false,
        // 6.1 and 9 GLUPS at 30 and 18 values of 4 bytes, of 936 GB/s.
        found: &[
            Found { label: "paper, thread-safe, RTX 3090", edge: 4096, share: 0.78 },
            Found { label: "paper, two lattices, RTX 3090", edge: 4096, share: 0.69 },
        ],
    },
    Part {
        name: "d3q19",
        title: "Regularised D3Q19, f32",
        family: "d3q19-regularized-f32",
        schemes: REGULARIZED,
        edges: [&[32, 64, 96], &[64, 128, 256, 512]],
        cubic: true,
        // 3.6 and about 5 GLUPS at 58 and 38 values of 4 bytes, of 936 GB/s; 2.1 of 900 GB/s.
        found: &[
            Found { label: "paper, thread-safe, RTX 3090", edge: 256, share: 0.89 },
            Found { label: "paper, two lattices, RTX 3090", edge: 256, share: 0.81 },
            Found { label: "paper, thread-safe, V100", edge: 256, share: 0.54 },
        ],
    },
];
