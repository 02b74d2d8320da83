//! The parts of the experiment. What the paper found is in `tiles.txt`.

use super::{Part, Places};

const BGK: &str = "d3q19-bgk-f64-aosoa64-tiled4-two-lattice-pull";
const BGK_F32: &str = "d3q19-bgk-f32-aosoa64-tiled4-two-lattice-pull";
const BGK_INCOMPRESSIBLE: &str = "d3q19-bgk-incompressible-f64-aosoa64-tiled4-two-lattice-pull";
const BGK_INCOMPRESSIBLE_F32: &str = "d3q19-bgk-incompressible-f32-aosoa64-tiled4-two-lattice-pull";
const MRT: &str = "d3q19-mrt-f64-aosoa64-tiled4-two-lattice-pull";
const MRT_F32: &str = "d3q19-mrt-f32-aosoa64-tiled4-two-lattice-pull";
const MRT_INCOMPRESSIBLE: &str = "d3q19-mrt-incompressible-f64-aosoa64-tiled4-two-lattice-pull";

/// The paper's collisions among solids; then tiles in one copy and the connectivity matrix.
const SPARSE: &[&str] = &[
    BGK_INCOMPRESSIBLE,
    MRT_INCOMPRESSIBLE,
    BGK_INCOMPRESSIBLE_F32,
    MRT_F32,
    BGK_F32,
    "d3q19-bgk-f32-aosoa64-tiled4-aa",
    "d3q19-bgk-f32-aosoa128-connectivity-matrix-two-lattice-pull",
];

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "cavity3d",
        title: "Cube with a lid, D3Q19",
        along: "nodes along an edge",
        places: Places::Cubes,
        variants: &[
            BGK_INCOMPRESSIBLE,
            BGK,
            MRT_INCOMPRESSIBLE,
            MRT,
            BGK_INCOMPRESSIBLE_F32,
            BGK_F32,
            MRT_F32,
        ],
    },
    Part {
        name: "spheres",
        title: "Overlapping random spheres, D3Q19",
        along: "porosity",
        places: Places::Spheres,
        variants: SPARSE,
    },
    Part {
        name: "channels",
        title: "Rectangular channels, D3Q19 BGK",
        along: "common faces a tile",
        places: Places::Channels,
        variants: &[BGK, BGK_F32],
    },
    Part {
        name: "vessels",
        title: "A branching vessel (1) and a tree of vessels (2), D3Q19, with inlet and outlet 0.1 beside them; the paper's aorta (1) and aneurysm (2)",
        along: "geometry",
        places: Places::Vessels,
        variants: SPARSE,
    },
];
