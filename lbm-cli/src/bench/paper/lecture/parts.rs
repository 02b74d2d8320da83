//! The parts of the experiment: what is compared with what, and what the lecture found of it on a GeForce 610M.

use lbm_cuda::assemble::{FromSolids, Way};

use super::tunnel::{OPEN, POROUS, Tunnel};

/// Choices that are compared in a flow.
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) tunnel: Tunnel,
    /// What the lecture says of it, and where.
    pub(super) paper: &'static str,
    /// The first is what the others are compared with, wherever it runs.
    pub(super) choices: &'static [Choice],
}

/// One of them.
pub(super) struct Choice {
    pub(super) label: &'static str,
    /// The variant, of which a way has the numbers and the collision.
    pub(super) variant: &'static str,
    pub(super) how: How,
    /// What the lecture measured: a speed, of which only ratios within a part mean something here.
    pub(super) paper: Option<f64>,
}

/// How a choice runs.
#[derive(Clone, Copy)]
pub(super) enum How {
    /// As the system runs it.
    Generated,
    /// The same with so many threads a block, a node each.
    Threads(u32),
    /// In kernels of the lecture.
    Published(Way),
}

const FLAGGED: How = How::Published(Way::Flagged(FromSolids::InTurn));
const LISTED: How = How::Published(Way::Listed(FromSolids::InTurn));

const F32: &str = "d2q9-bgk-f32-soa-dense-two-lattice-pull";
const F64: &str = "d2q9-bgk-f64-soa-dense-two-lattice-pull";

const fn choice(label: &'static str, variant: &'static str, how: How, paper: Option<f64>) -> Choice {
    Choice { label, variant, how, paper }
}

const fn threads(label: &'static str, threads: u32) -> Choice {
    choice(label, F32, How::Threads(threads), None)
}

const FEW_SOLIDS: &str = "with 95 % fluid the branch is faster than the list, by 1 % in float and 8 % in double: the list is \
    one more read from memory, and neighbours are no longer where threads expect them (branch divergence)";

const POROUS_SAYS: &str = "in a porous medium the list is faster than the branch, by 8 % in float and 6 % in double: which \
    one to take depends on the flow (branch divergence)";

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "open_f32",
        title: "95 % fluid, f32: a flag and a branch, or lists",
        tunnel: OPEN,
        paper: FEW_SOLIDS,
        choices: &[
            choice("flag and branch", F32, FLAGGED, Some(42.79)),
            choice("list of fluid nodes", F32, LISTED, Some(42.22)),
            choice("generated, whole box", F32, How::Generated, None),
            choice(
                "generated, connectivity matrix",
                "d2q9-bgk-f32-aosoa128-connectivity-matrix-two-lattice-pull",
                How::Generated,
                None,
            ),
            choice(
                "generated, fluid index array",
                "d2q9-bgk-f32-aosoa128-fluid-index-array-two-lattice-pull",
                How::Generated,
                None,
            ),
        ],
    },
    Part {
        name: "open_f64",
        title: "95 % fluid, f64: a flag and a branch, or a list",
        tunnel: OPEN,
        paper: FEW_SOLIDS,
        choices: &[
            choice("flag and branch", F64, FLAGGED, Some(19.98)),
            choice("list of fluid nodes", F64, LISTED, Some(18.44)),
            choice("generated, whole box", F64, How::Generated, None),
            choice(
                "generated, connectivity matrix",
                "d2q9-bgk-f64-aosoa128-connectivity-matrix-two-lattice-pull",
                How::Generated,
                None,
            ),
        ],
    },
    Part {
        name: "porous_f32",
        title: "20 % fluid, f32: a flag and a branch, or lists",
        tunnel: POROUS,
        paper: POROUS_SAYS,
        choices: &[
            choice("flag and branch", F32, FLAGGED, Some(46.21)),
            choice("list of fluid nodes", F32, LISTED, Some(49.85)),
            choice("generated, whole box", F32, How::Generated, None),
            choice(
                "generated, connectivity matrix",
                "d2q9-bgk-f32-aosoa128-connectivity-matrix-two-lattice-pull",
                How::Generated,
                None,
            ),
            choice(
                "generated, fluid index array",
                "d2q9-bgk-f32-aosoa128-fluid-index-array-two-lattice-pull",
                How::Generated,
                None,
            ),
        ],
    },
    Part {
        name: "porous_f64",
        title: "20 % fluid, f64: a flag and a branch, or a list",
        tunnel: POROUS,
        paper: POROUS_SAYS,
        choices: &[
            choice("flag and branch", F64, FLAGGED, Some(26.55)),
            choice("list of fluid nodes", F64, LISTED, Some(28.02)),
            choice("generated, whole box", F64, How::Generated, None),
            choice(
                "generated, connectivity matrix",
                "d2q9-bgk-f64-aosoa128-connectivity-matrix-two-lattice-pull",
                How::Generated,
                None,
            ),
        ],
    },
    Part {
        name: "boundaries",
        title: "95 % fluid, f32: what comes from solid nodes",
        tunnel: OPEN,
        paper: "boundary nodes belong in lists and kernels of their own, kind by kind, instead of in a ladder of branches \
            on the flags of neighbours; streams of their own gained 1.449 %, since such kernels are too small to fill the \
            device (asynchronous kernel launch)",
        choices: &[
            choice("a kernel each kind", F32, FLAGGED, Some(1.0)),
            choice(
                "a kernel and a stream each kind",
                F32,
                How::Published(Way::Flagged(FromSolids::SideBySide)),
                Some(1.01449),
            ),
            choice(
                "one kernel that branches on the kind",
                F32,
                How::Published(Way::Flagged(FromSolids::Together)),
                None,
            ),
            choice(
                "flags of neighbours asked in the step",
                F32,
                How::Published(Way::Flagged(FromSolids::Asked)),
                None,
            ),
            choice("generated, whole box", F32, How::Generated, None),
        ],
    },
    Part {
        name: "coalescing",
        title: "95 % fluid, f32: directions apart, or nodes apart",
        tunnel: OPEN,
        paper: "threads of a warp should read places side by side, which takes a structure of arrays; an array of structures is \
            what a CPU's caches like (coalesced memory access; no figure)",
        choices: &[
            choice("structure of arrays", F32, How::Generated, None),
            choice("array of structures", "d2q9-bgk-f32-aos-dense-two-lattice-pull", How::Generated, None),
        ],
    },
    Part {
        name: "blocks",
        title: "95 % fluid, f32: threads a block, a node each thread",
        tunnel: OPEN,
        paper: "low occupancy cannot hide the latency of memory, so blocks are as large as registers let many of them stay; the \
            collision ran with 32 registers at 0.97 of the occupancy that is possible (occupancy; no speeds)",
        choices: &[
            threads("32", 32),
            threads("64", 64),
            threads("128", 128),
            threads("256", 256),
            threads("512", 512),
            threads("1024", 1024),
        ],
    },
    Part {
        name: "precision",
        title: "95 % fluid: float, or double",
        tunnel: OPEN,
        paper: "if double takes about twice as long as float, memory is the bound, although a card of that time has 24 to 32 times \
            as many units for float; theirs took 2.14 times as long (memory and computational limitations)",
        choices: &[
            choice("f32", F32, How::Generated, Some(42.79)),
            choice("f64", F64, How::Generated, Some(19.98)),
        ],
    },
];
