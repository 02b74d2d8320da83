//! The tiles paper: Tomczak & Szafran, tables 3, 4, 6, 8 and 9, on a GTX Titan.

use crate::bench::paper::places::Series;
use crate::bench::paper::sparse::{Found, Kernel, Part};

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

/// All parts of the experiment.
pub(super) const TILES: &[Part] = &[
    Part {
        name: "cavity3d",
        title: "Cube with a lid, D3Q19",
        along: "nodes along an edge",
        places: Series::Cubes,
        variants: &[
            BGK_INCOMPRESSIBLE,
            BGK,
            MRT_INCOMPRESSIBLE,
            MRT,
            BGK_INCOMPRESSIBLE_F32,
            BGK_F32,
            MRT_F32,
        ],
        // The fastest cube and the largest one; in f32 that of 100 nodes, in the order x, y, z and with two tiles a block.
        found: &[
            found("f64", Kernel::Step("bgk-incompressible"), &[(104.0, 680.0), (252.0, 632.0)]),
            found("f64", Kernel::Step("bgk"), &[(100.0, 613.0), (252.0, 545.0)]),
            found("f64", Kernel::Step("mrt-incompressible"), &[(148.0, 468.0), (252.0, 462.0)]),
            found("f64", Kernel::Step("mrt"), &[(152.0, 454.0), (252.0, 451.0)]),
            found("f64", Kernel::Propagation, &[(112.0, 696.0), (252.0, 650.0)]),
            found("f64", Kernel::ReadWrite, &[(220.0, 771.0), (252.0, 771.0)]),
            found("f32", Kernel::Step("bgk-incompressible"), &[(100.0, 1006.0)]),
            found("f32", Kernel::Step("bgk"), &[(100.0, 999.0)]),
            found("f32", Kernel::Step("mrt"), &[(100.0, 803.0)]),
            found("f32", Kernel::Propagation, &[(100.0, 1066.0)]),
            found("f32", Kernel::ReadWrite, &[(100.0, 1504.0)]),
        ],
        found_utilisation: &[],
    },
    Part {
        name: "spheres",
        title: "Overlapping random spheres, D3Q19",
        along: "porosity",
        places: Series::Spheres,
        variants: SPARSE,
        found: &[
            found(
                "f64",
                Kernel::Step("bgk-incompressible"),
                &by_porosity([649.0, 645.0, 638.0, 628.0, 614.0, 594.0, 563.0, 520.0, 446.0]),
            ),
            found(
                "f64",
                Kernel::Step("mrt-incompressible"),
                &by_porosity([450.0, 436.0, 422.0, 404.0, 387.0, 366.0, 343.0, 317.0, 275.0]),
            ),
            found(
                "f64",
                Kernel::Propagation,
                &by_porosity([672.0, 667.0, 659.0, 650.0, 638.0, 621.0, 597.0, 560.0, 491.0]),
            ),
            found(
                "f64",
                Kernel::ReadWrite,
                &by_porosity([761.0, 751.0, 740.0, 726.0, 711.0, 693.0, 668.0, 634.0, 569.0]),
            ),
            found(
                "f32",
                Kernel::Step("bgk-incompressible"),
                &by_porosity([1008.0, 982.0, 954.0, 919.0, 880.0, 833.0, 775.0, 706.0, 589.0]),
            ),
            found(
                "f32",
                Kernel::Step("bgk"),
                &by_porosity([1005.0, 976.0, 948.0, 912.0, 873.0, 826.0, 767.0, 700.0, 585.0]),
            ),
            found(
                "f32",
                Kernel::Step("mrt"),
                &by_porosity([819.0, 794.0, 766.0, 733.0, 701.0, 663.0, 620.0, 567.0, 484.0]),
            ),
            found(
                "f32",
                Kernel::Propagation,
                &by_porosity([1053.0, 1034.0, 1013.0, 989.0, 961.0, 927.0, 880.0, 815.0, 706.0]),
            ),
            found(
                "f32",
                Kernel::ReadWrite,
                &by_porosity([1503.0, 1474.0, 1443.0, 1406.0, 1364.0, 1312.0, 1245.0, 1151.0, 959.0]),
            ),
        ],
        found_utilisation: &by_porosity([0.970, 0.936, 0.899, 0.857, 0.813, 0.762, 0.699, 0.626, 0.512]),
    },
    Part {
        name: "channels",
        title: "Rectangular channels, D3Q19 BGK",
        along: "common faces a tile",
        places: Series::Channels,
        variants: &[BGK, BGK_F32],
        found: &[],
        found_utilisation: &[],
    },
    Part {
        name: "vessels",
        title: "A branching vessel (1) and a tree of vessels (2), D3Q19; the paper's aorta (1) and aneurysm (2)",
        along: "geometry",
        places: Series::Vessels,
        variants: SPARSE,
        found: &[
            found("f64", Kernel::Step("bgk-incompressible"), &[(1.0, 617.0), (2.0, 637.0)]),
            found("f64", Kernel::Step("mrt-incompressible"), &[(1.0, 382.0), (2.0, 439.0)]),
            found("f64", Kernel::Propagation, &[(1.0, 647.0), (2.0, 654.0)]),
            found("f64", Kernel::ReadWrite, &[(1.0, 714.0), (2.0, 753.0)]),
            found("f32", Kernel::Step("bgk-incompressible"), &[(1.0, 864.0), (2.0, 971.0)]),
            found("f32", Kernel::Step("bgk"), &[(1.0, 857.0), (2.0, 968.0)]),
            found("f32", Kernel::Step("mrt"), &[(1.0, 681.0), (2.0, 790.0)]),
            found("f32", Kernel::Propagation, &[(1.0, 990.0), (2.0, 1021.0)]),
            found("f32", Kernel::ReadWrite, &[(1.0, 1393.0), (2.0, 1480.0)]),
        ],
        found_utilisation: &[(1.0, 0.807), (2.0, 0.931)],
    },
];

const fn found(precision: &'static str, kernel: Kernel, mflups: &'static [(f64, f64)]) -> Found {
    Found { kernel, precision, mflups }
}

/// Values at porosities 0.9, 0.8, .. 0.1.
const fn by_porosity(v: [f64; 9]) -> [(f64, f64); 9] {
    [
        (0.9, v[0]),
        (0.8, v[1]),
        (0.7, v[2]),
        (0.6, v[3]),
        (0.5, v[4]),
        (0.4, v[5]),
        (0.3, v[6]),
        (0.2, v[7]),
        (0.1, v[8]),
    ]
}
