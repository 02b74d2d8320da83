//! The experiments: which variants, which boxes, and what the papers found.

mod tiles;

use lbm_core::FaceRule;

use super::Experiment;
use super::comparison::{self, Figure};
use super::memory::{self, Paper};
use super::shares::{Found, Part};
pub(super) use tiles::TILES;

/// All experiments that this release runs.
pub const EXPERIMENTS: &[Experiment] = &[
    // Montessori et al., single component: two lattices, thread-safe reconstruction, and moments alone.
    Experiment { key: "thread-safe", plan: &THREAD_SAFE, takes: None },
    // Valero-Lara: two copies and one, in boxes that grow until two copies no longer fit.
    Experiment { key: "ghost-swap", plan: &GHOST_SWAP, takes: Some("--memory") },
    // Khani & Wu: circular arrays beside a core's plain loop, separate kernels and tiles.
    Experiment { key: "ccas", plan: &CCAS, takes: Some("--size") },
    // Tomczak & Szafran: tiles in cubes, among spheres, in channels and vessels.
    Experiment { key: "tiles", plan: &TILES, takes: None },
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

/// The paper's card is a K20c. Its ghost copy is almost 10 % slower than two copies and takes 55 % of their memory; swap is about
/// 40 % slower than two copies, and takes 50 %.
pub(super) const GHOST_SWAP: memory::Contest = memory::Contest {
    name: "d2q9",
    title: "D2Q9 BGK, f64: two copies and one",
    family: "d2q9-bgk-f64-soa-dense",
    standard: "two-lattice-pull",
    schemes: &["two-lattice-pull", "ghost", "swap", "aa", "esoteric-pull"],
    paper: &[
        Paper { scheme: "ghost", speed: 0.90, memory: 0.55 },
        Paper { scheme: "swap", speed: 0.60, memory: 0.50 },
    ],
};

/// The paper's card is a K40c, its core one of a Xeon E5-2650. Speedups are the smallest and the largest of three boxes; of
/// the comparators the paper gives averages over both flows.
pub(super) const CCAS: comparison::Contest = comparison::Contest {
    family: "d3q19-bgk-f64-soa-dense",
    standard: "two-lattice-pull",
    scheme: "ccas",
    edges: [&[32, 64, 96], &[64, 128, 192]],
    flows: &[
        comparison::Flow {
            name: "shear",
            title: "Shear flow, D3Q19 BGK, f64",
            faces: [P, P, P, P, sliding([0.0, -0.1, 0.0]), sliding([0.0, 0.1, 0.0])],
            speedups: [114.29, 163.0],
        },
        comparison::Flow {
            name: "cavity",
            title: "Cube with a lid, D3Q19 BGK, f64",
            faces: [WALL, WALL, WALL, WALL, WALL, sliding([0.1, 0.0, 0.0])],
            speedups: [118.0, 167.58],
        },
    ],
    over: &[
        Figure { label: "separate kernels", ratio: 1.1439 },
        Figure { label: "tiled pull", ratio: 1.0794 },
    ],
};

const P: FaceRule = FaceRule::Periodic;

const WALL: FaceRule = FaceRule::WALL;

const fn sliding(velocity: [f64; 3]) -> FaceRule {
    FaceRule::Wall { velocity }
}
