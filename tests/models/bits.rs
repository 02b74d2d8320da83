//! Every streaming pattern, layout, addressing and precision gives the bits of the plain reference, on the CPU and in the text for a device.

use lbm::cross_check::{Options, cpu_equals_reference, cuda_on_host_equals_cpu};
use lbm::prelude::*;
use lbm::sweep;

fn options() -> Options {
    Options::default().with_steps([1, 2, 5]).with_seeds([7])
}

/// Rows longer than what is done at a time, and boxes shorter than what is read.
#[test]
fn rows_of_any_length_read_their_neighbours() {
    solver! { Long { model: Emulsion<Bgk>, lattices: [D2Q9, D2Q9], precision: F32, streaming: EsotericPull } }
    let options = options().with_sizes([[70, 3, 1], [5, 4, 1], [131, 2, 1]]);
    cpu_equals_reference::<Long>(&options);
    cuda_on_host_equals_cpu::<Long>("rows_of_any_length_read_their_neighbours", &options);
}

/// A model with a force that is a field of nodes reads it before the fields that follow.
#[test]
fn fields_that_are_set_stand_before_those_that_follow() {
    solver! { Pushed { model: ShanChen<Trt>, lattice: D2Q9, forcing: GuoField, precision: F64 } }
    cpu_equals_reference::<Pushed>(&options());
    cuda_on_host_equals_cpu::<Pushed>("fields_that_are_set_stand_before_those_that_follow", &options());
}

#[test]
fn schemes_of_a_model_give_the_same_bits() {
    let options = options();
    sweep! {
        model: [Boussinesq<Trt, Bgk>],
        lattices: [[D2Q9, D2Q5]],
        precision: [F32, F64, F16In32],
        layout: [Soa, Aosoa<8>],
        addressing: [Dense, Tiled<4>],
        streaming: [TwoLatticePull, TwoLatticePush, Aa, EsotericPull, Swap, Ccas, Ghost],
        skip: [{ addressing: Tiled<4>, streaming: [Swap, Ccas, Ghost] }],
        pairwise: [precision, layout, addressing, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("schemes_of_a_model_give_the_same_bits", &options);
        }
    }
}

#[test]
fn models_in_three_dimensions_give_the_same_bits() {
    let options = options();
    sweep! {
        model: [AdvectionDiffusion<Mrt, Trt>, Boussinesq<Smagorinsky<Bgk>, Bgk>],
        lattices: [[D3Q19, D3Q7]],
        precision: [F32],
        streaming: [TwoLatticePull, EsotericTwist]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("models_in_three_dimensions_give_the_same_bits", &options);
        }
    }
}

#[test]
fn what_is_read_at_neighbours_is_the_same_everywhere() {
    let options = options();
    sweep! {
        model: [ColourGradient<Regularized>],
        lattices: [[D2Q9, D2Q9]],
        precision: [F32, F16In32],
        layout: [Soa, Aos, Aosoa<8>],
        streaming: [TwoLatticePush, Aa, EsotericPull, Swap, Ccas, Ghost],
        pairwise: [precision, layout, streaming]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("what_is_read_at_neighbours_is_the_same_everywhere", &options);
        }
    }
}

#[test]
fn neighbours_in_three_dimensions_are_read_alike() {
    let options = options();
    sweep! {
        model: [ShanChen<Bgk>],
        lattices: [[D3Q19]],
        precision: [F32],
        streaming: [TwoLatticePull, EsotericPull, Ghost]
        => |V| {
            cpu_equals_reference::<V>(&options);
            cuda_on_host_equals_cpu::<V>("neighbours_in_three_dimensions_are_read_alike", &options);
        }
    }
}
