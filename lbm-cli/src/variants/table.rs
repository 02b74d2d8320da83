//! The products that are compiled in.

use std::sync::LazyLock;

use lbm_core::codegen::language::{Equilibrium, Forcing};
#[cfg(not(test))]
use lbm_core::{
    Aa, Aosoa, Ccas, Collision, ConnectivityMatrix, EsotericPull, EsotericPush, EsotericTwist, F16In32,
    F16In64, F32In64, FluidIndexArray, Ghost, Moments, MomentsRing, MomentsTwoSteps, Swap, ThreadSafe,
    TileBest, TilePaper, Tiled, TwoLatticePull, TwoLatticePush, Variant,
};
use lbm_core::{Aos, F32, F64, Soa};

use super::Entry;
use crate::collisions::{Bgk, Mrt, Regularized, Trt};
use crate::lattices::{D2Q9, D3Q15, D3Q19, D3Q27};

pub(super) static TABLE: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let mut table = Vec::new();
    collisions(&mut table);
    // This crate's unit tests do without them, so that they are compiled once.
    #[cfg(not(test))]
    schemes(&mut table);
    table
});

/// The bodies that no variant of the table has, in the precisions that they are compiled in: any scheme of these is put together by
/// name, too.
pub(super) static BODIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    #[allow(unused_mut, reason = "unit tests do without")]
    let mut bodies = Vec::new();
    #[cfg(not(test))]
    other_bodies(&mut bodies);
    bodies
});

#[cfg(not(test))]
fn other_bodies(bodies: &mut Vec<Entry>) {
    crate::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Bgk, Trt, Mrt, Regularized], forcing: [None, Guo], precision: [F32, F64, F16In32],
        => |V, collision: C, forcing: F|
            bodies.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::F))
    }
    crate::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Bgk, Trt, Mrt, Regularized], equilibrium: [Incompressible], precision: [F32, F64],
        => |V, collision: C| bodies.push(Entry::new::<V, C>(Equilibrium::Incompressible, Forcing::None))
    }
    crate::sweep! {
        lattice: [D3Q15, D3Q27], collision: [Bgk, Trt, Mrt, Regularized], precision: [F32, F64],
        => |V, collision: C| bodies.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None))
    }
}

/// Every collision, with the storage that every other is compared with.
fn collisions(table: &mut Vec<Entry>) {
    crate::sweep! {
        lattice: [D2Q9, D3Q15, D3Q19, D3Q27], collision: [Bgk, Trt, Mrt, Regularized],
        equilibrium: [QuasiCompressible, Incompressible], forcing: [None, Guo],
        precision: [F32, F64], layout: [Soa, Aos],
        skip: [
            // Body forces and the incompressible equilibrium where a case or a check needs them.
            { forcing: Guo, lattice: [D3Q15, D3Q27] },
            { forcing: Guo, lattice: D3Q19, collision: [Mrt, Regularized] },
            { forcing: Guo, lattice: D3Q19, collision: Bgk, precision: F64 },
            { equilibrium: Incompressible, lattice: [D3Q15, D3Q27] },
            { equilibrium: Incompressible, collision: Regularized },
            { equilibrium: Incompressible, collision: Mrt, lattice: D2Q9 },
            { equilibrium: Incompressible, collision: Mrt, precision: F32 },
            { equilibrium: Incompressible, forcing: Guo },
            // Lattices that few need: each collision once.
            { lattice: D3Q15, collision: [Trt, Mrt, Regularized], precision: F64 },
            { lattice: D3Q27, collision: [Trt, Mrt, Regularized], precision: F32 },
            // Other layouts with one cheap collision.
            { layout: Aos, collision: [Trt, Mrt, Regularized] },
            { layout: Aos, lattice: [D3Q15, D3Q27] },
            { layout: Aos, equilibrium: Incompressible },
            { layout: Aos, forcing: Guo },
        ],
        => |V, collision: C, equilibrium: E, forcing: F|
            table.push(Entry::new::<V, C>(Equilibrium::E, Forcing::F))
    }
}

/// Adds a variant with the equilibrium and without the force, as `solver!` takes them by itself.
#[cfg(not(test))]
fn add<V: Variant, C: Collision>(table: &mut Vec<Entry>) {
    table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::None));
}

/// Storage schemes with one cheap collision.
#[cfg(not(test))]
fn schemes(table: &mut Vec<Entry>) {
    // Those that are fast on a GPU, ..
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk], precision: [F32, F64, F16In32], layout: [Aosoa<128>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap, Ccas],
        skip: [
            { precision: [F64, F16In32], streaming: [TwoLatticePush, EsotericTwist, EsotericPush, Swap, Ccas] },
        ],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. on the plane, ..
    crate::sweep! {
        lattice: [D2Q9], collision: [Bgk], precision: [F32], layout: [Aosoa<128>],
        streaming: [TwoLatticePull, Aa, EsotericPull],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. on the CPU, ..
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk], precision: [F32, F64], streaming: [EsotericPull, Ccas],
        skip: [{ precision: F32, streaming: Ccas }],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. in one copy beside two (the experiment `ghost-swap`), ..
    crate::sweep! {
        lattice: [D2Q9], collision: [Bgk], precision: [F64], streaming: [Aa, EsotericPull, Swap],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. all precisions of a collision that is stable on few nodes, with a body force, ..
    crate::sweep! {
        lattice: [D2Q9], collision: [Trt], forcing: [Guo], precision: [F32In64, F16In32, F16In64],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::Guo))
    }
    // .. and every two values together, on the lattice whose kernels are compiled the soonest.
    crate::sweep! {
        lattice: [D2Q9], collision: [Bgk], precision: [F32, F64, F32In64, F16In32, F16In64],
        layout: [Soa, Aos, Aosoa<128>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap, Ccas, Ghost],
        skip: [
            { precision: [F32, F64], layout: [Soa, Aos], streaming: TwoLatticePull },
            { precision: F64, layout: Soa, streaming: [Aa, EsotericPull, Swap, Ghost] },
            { precision: F32, layout: Aosoa<128>, streaming: [TwoLatticePull, Aa, EsotericPull] },
        ],
        pairwise: [precision, layout, streaming],
        => |V, collision: C| add::<V, C>(table)
    }
    // Blocks of the sizes that a GPU has registers for, their rows in one chunk each.
    crate::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Bgk], precision: [F32, F64],
        layout: [Soa, Aosoa<16>, Aosoa<32>], streaming: [Ghost],
        skip: [
            { lattice: D2Q9, precision: F32 },
            { lattice: D2Q9, layout: [Aosoa<16>, Aosoa<32>] },
            { precision: F64, layout: [Soa, Aosoa<32>], lattice: D3Q19 },
            { precision: F32, layout: Aosoa<16> },
        ],
        => |V, collision: C| add::<V, C>(table)
    }
    // Listed nodes: those that are fast on a GPU, ..
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk], precision: [F32, F64, F16In32], layout: [Aosoa<64>],
        addressing: [Tiled<4>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap],
        skip: [{ precision: [F64, F16In32], streaming: [TwoLatticePush, EsotericTwist, EsotericPull, EsotericPush, Swap] }],
        => |V, collision: C| add::<V, C>(table)
    }
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk], precision: [F32, F64], layout: [TilePaper, TileBest],
        addressing: [Tiled<4>], streaming: [TwoLatticePull, Aa],
        skip: [{ layout: TilePaper, streaming: Aa }, { layout: TilePaper, precision: F32 }],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. the other flows of the experiment `tiles`, ..
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk, Mrt], equilibrium: [QuasiCompressible, Incompressible],
        precision: [F32, F64], layout: [Aosoa<64>], addressing: [Tiled<4>],
        skip: [
            { collision: Bgk, equilibrium: QuasiCompressible },
            { collision: Mrt, equilibrium: Incompressible, precision: F32 },
        ],
        => |V, collision: C, equilibrium: E| table.push(Entry::new::<V, C>(Equilibrium::E, Forcing::None))
    }
    // .. in longer chunks and rows, with which f64 is a little faster, ..
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk], precision: [F64], layout: [Aosoa<128>],
        addressing: [Tiled<4>, Tiled<8, 4, 4>],
        => |V, collision: C| add::<V, C>(table)
    }
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk], precision: [F32, F64], layout: [Aosoa<128>],
        addressing: [ConnectivityMatrix, FluidIndexArray], streaming: [TwoLatticePull, Aa],
        skip: [{ addressing: FluidIndexArray, precision: F64 }],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. those that pores and vessels are run with, driven by a body force, ..
    crate::sweep! {
        lattice: [D3Q19], collision: [Bgk, Trt], forcing: [Guo], precision: [F32, F64],
        layout: [Aosoa<64>, Aosoa<128>], addressing: [Tiled<4>, ConnectivityMatrix, FluidIndexArray],
        streaming: [TwoLatticePull, Aa],
        skip: [
            { layout: Aosoa<64>, addressing: [ConnectivityMatrix, FluidIndexArray] },
            { layout: Aosoa<128>, addressing: Tiled<4> },
            { collision: Bgk, precision: F64 },
            { collision: Bgk, streaming: Aa },
            { streaming: Aa, precision: F64, addressing: Tiled<4> },
            // Where the checks of sparse flows need it.
            { addressing: FluidIndexArray, precision: F32 },
            { addressing: FluidIndexArray, streaming: Aa },
        ],
        => |V, collision: C| table.push(Entry::new::<V, C>(Equilibrium::QuasiCompressible, Forcing::Guo))
    }
    // .. and every two values together.
    crate::sweep! {
        lattice: [D2Q9], collision: [Bgk], precision: [F32, F64, F32In64, F16In32, F16In64],
        layout: [Soa, Aosoa<128>], addressing: [Tiled<4, 4, 1>, ConnectivityMatrix, FluidIndexArray],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericTwist, EsotericPull, EsotericPush, Swap],
        pairwise: [precision, layout, addressing, streaming],
        => |V, collision: C| add::<V, C>(table)
    }
    // Moments, for a collision that they carry.
    crate::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Regularized], precision: [F32, F64, F16In32],
        layout: [Soa, Aosoa<128>], streaming: [Moments, ThreadSafe],
        skip: [
            { lattice: D3Q19, layout: Soa, precision: [F64, F16In32] },
            { streaming: ThreadSafe, precision: [F64, F16In32], lattice: D3Q19 },
            { streaming: ThreadSafe, precision: F64, layout: Aosoa<128> },
            { streaming: ThreadSafe, precision: F16In32, layout: Soa },
        ],
        => |V, collision: C| add::<V, C>(table)
    }
    // .. in one copy, or two steps at once.
    crate::sweep! {
        lattice: [D2Q9, D3Q19], collision: [Regularized], precision: [F32, F64, F16In32],
        layout: [Soa, Aosoa<32>, Aosoa<128>], streaming: [MomentsRing, MomentsTwoSteps],
        skip: [
            { lattice: D2Q9, layout: Soa, precision: [F32, F16In32] },
            { lattice: D2Q9, layout: Aosoa<128>, precision: [F32, F64] },
            { lattice: D2Q9, layout: Aosoa<32> },
            { lattice: D3Q19, precision: [F64, F16In32] },
            // What a warp of two steps at once reads lies in two chunks of its own width at most.
            { lattice: D3Q19, layout: [Soa, Aosoa<128>], streaming: MomentsTwoSteps },
            { layout: Aosoa<32>, streaming: MomentsRing },
        ],
        => |V, collision: C| add::<V, C>(table)
    }
}
