//! A checkpoint goes on with the bits of the run that wrote it, whatever is stored and whichever scheme takes it up.

use lbm::core::{Lattice, Precision, Variant};
use lbm::prelude::*;
use lbm::simulation::Backend;

solver! { Whole { lattice: D3Q19, collision: Regularized, precision: F32 } }
solver! { Double { lattice: D3Q19, collision: Regularized, precision: F64 } }
solver! { Relaxed { lattice: D3Q19, collision: Bgk, precision: F64 } }
solver! { OfMoments { lattice: D3Q19, collision: Regularized, precision: F32, streaming: Moments } }
solver! { OfMomentsDouble { lattice: D3Q19, collision: Regularized, precision: F64, streaming: Moments } }
solver! { Drifting { lattice: D3Q19, collision: Regularized, precision: F32, streaming: MomentsRing } }
solver! { Flat { lattice: D2Q9, collision: Regularized, precision: F32 } }
solver! { FlatCarried { lattice: D2Q9, collision: Regularized, precision: F32, streaming: Moments } }
solver! { AtOnce { lattice: D3Q19, collision: Regularized, precision: F32, streaming: MomentsTwoSteps } }
solver! { Scattered { lattice: D3Q19, collision: Regularized, precision: F32, streaming: ThreadSafe } }

// Storage that is narrower than the arithmetic.
solver! { Pulled { lattice: D2Q9, collision: Trt, precision: F16In32 } }
solver! { InPlace { lattice: D2Q9, collision: Trt, precision: F16In32, streaming: Aa } }
solver! { Twisted { lattice: D2Q9, collision: Trt, precision: F16In32, layout: Aosoa<16>, streaming: EsotericTwist } }
solver! { Swapped { lattice: D2Q9, collision: Trt, precision: F16In32, layout: Aos, streaming: Swap } }
solver! { Ringed { lattice: D2Q9, collision: Trt, precision: F16In32, streaming: Ghost } }
solver! { Listed { lattice: D2Q9, collision: Trt, precision: F16In32, addressing: FluidIndexArray, streaming: EsotericPull } }
solver! { WidePulled { lattice: D2Q9, collision: Trt, precision: F16In64 } }
solver! { WideInPlace { lattice: D2Q9, collision: Trt, precision: F16In64, streaming: EsotericPush } }
solver! { Few { lattice: D2Q9, collision: Regularized, precision: F16In32, streaming: Moments } }
solver! { FewScattered { lattice: D2Q9, collision: Regularized, precision: F16In32, streaming: ThreadSafe } }
solver! { Brief { lattice: D2Q9, collision: Trt, precision: Bf16In32 } }
solver! { BriefInPlace { lattice: D2Q9, collision: Trt, precision: Bf16In32, streaming: Aa } }
solver! { Customised { lattice: D2Q9, collision: Trt, precision: Fp16cIn32 } }
solver! { CustomisedInPlace { lattice: D2Q9, collision: Trt, precision: Fp16cIn32, streaming: EsotericPull } }
solver! { Stepped { lattice: D2Q9, collision: Trt, precision: GradedIn32<4> } }
solver! { SteppedInPlace { lattice: D2Q9, collision: Trt, precision: GradedIn32<4>, streaming: EsotericPush } }
solver! { FewWide { lattice: D2Q9, collision: Regularized, precision: F32In64, streaming: Moments } }

/// A precision of one's own: the upper half of an f32.
#[derive(Clone, Copy, Debug)]
pub struct Upper;

impl Precision for Upper {
    const NAME: &'static str = "upper";
    type Storage = u16;
    type Arithmetic = f32;
    fn decode(stored: u16) -> f32 {
        f32::from_bits(u32::from(stored) << 16)
    }
    fn encode(value: f32) -> u16 {
        (value.to_bits() >> 16) as u16
    }
}

solver! { Mine { lattice: D2Q9, collision: Trt, precision: Upper } }
solver! { MineInPlace { lattice: D2Q9, collision: Trt, precision: Upper, streaming: EsotericPull } }

/// A channel with a moving lid and an obstacle, where the flow is of no symmetry.
fn channel<V: Variant>(backend: Backend) -> Simulation {
    let flat = <V::Lattice as Lattice>::D == 2;
    let (depth, across) = if flat { (1, 0.0) } else { (7, 0.02) };
    V::builder()
        .size([9, 8, depth])
        .viscosity(0.01)
        .face(Face::South, FaceRule::WALL)
        .face(Face::North, FaceRule::Wall { velocity: [0.1, 0.0, across] })
        .solid(move |[x, y, z]| x == 3 && y < 4 && (z > 2 || flat))
        .backend(backend)
        .build()
        .unwrap()
}

/// A flow that is taken up by another scheme is the one that went on: populations of all steps, and what is written meanwhile.
fn goes_on<From: Variant, To: Variant>(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let [path, again] = ["state.lbm", "again.lbm"].map(|name| folder.path().join(name));
    let mut through = channel::<From>(Backend::Cpu);
    through.run(37).unwrap();
    through.checkpoint(&path).unwrap();
    let mut resumed = channel::<To>(backend);
    resumed.run(3).unwrap();
    resumed.restart(&path).unwrap();
    let (from, to) = (through.variant(), resumed.variant());
    assert_eq!(resumed.time_step(), 37, "{from}, {to}");
    assert!(resumed.populations().unwrap() == through.populations().unwrap(), "{from}, {to}");
    resumed.run(0).unwrap();
    resumed.checkpoint(&again).unwrap();
    resumed.restart(&again).unwrap();
    for steps in [1, 2, 40] {
        through.run(steps).unwrap();
        resumed.run(steps).unwrap();
        assert_eq!(resumed.time_step(), through.time_step());
        assert!(resumed.populations().unwrap() == through.populations().unwrap(), "{from}, {to}, {steps}");
    }
}

#[test]
fn moments_go_on_in_every_scheme_with_the_same_bits() {
    fn all<To: Variant>(backend: Backend) {
        goes_on::<Whole, To>(backend);
        goes_on::<OfMoments, To>(backend);
        goes_on::<Drifting, To>(backend);
        goes_on::<AtOnce, To>(backend);
        goes_on::<Scattered, To>(backend);
    }
    all::<Whole>(Backend::Cpu);
    all::<OfMoments>(Backend::Cpu);
    all::<Drifting>(Backend::Cpu);
    all::<AtOnce>(Backend::Cpu);
    all::<Scattered>(Backend::Cpu);
    goes_on::<Double, OfMomentsDouble>(Backend::Cpu);
    goes_on::<OfMomentsDouble, OfMomentsDouble>(Backend::Cpu);
    if lbm::cuda::testing::cxx_or_skip("moments_go_on_in_every_scheme_with_the_same_bits").is_some() {
        goes_on::<Whole, OfMoments>(Backend::CudaOnHost);
        goes_on::<Whole, Drifting>(Backend::CudaOnHost);
        goes_on::<OfMoments, AtOnce>(Backend::CudaOnHost);
        goes_on::<Drifting, Scattered>(Backend::CudaOnHost);
    }
}

#[test]
fn narrow_storage_goes_on_in_every_scheme_with_the_same_bits() {
    fn both<To: Variant>(backend: Backend) {
        goes_on::<Pulled, To>(backend);
        goes_on::<To, Pulled>(backend);
    }
    both::<InPlace>(Backend::Cpu);
    both::<Twisted>(Backend::Cpu);
    both::<Swapped>(Backend::Cpu);
    both::<Ringed>(Backend::Cpu);
    both::<Listed>(Backend::Cpu);
    goes_on::<WidePulled, WideInPlace>(Backend::Cpu);
    goes_on::<WideInPlace, WidePulled>(Backend::Cpu);
    goes_on::<Few, Few>(Backend::Cpu);
    // Rounds populations on their way, so that its flow is another one.
    goes_on::<FewScattered, FewScattered>(Backend::Cpu);
    goes_on::<FewWide, FewWide>(Backend::Cpu);
    goes_on::<Brief, BriefInPlace>(Backend::Cpu);
    goes_on::<BriefInPlace, Brief>(Backend::Cpu);
    goes_on::<Customised, CustomisedInPlace>(Backend::Cpu);
    goes_on::<CustomisedInPlace, Customised>(Backend::Cpu);
    goes_on::<Stepped, SteppedInPlace>(Backend::Cpu);
    goes_on::<SteppedInPlace, Stepped>(Backend::Cpu);
    goes_on::<Mine, MineInPlace>(Backend::Cpu);
    goes_on::<MineInPlace, Mine>(Backend::Cpu);
    if lbm::cuda::testing::cxx_or_skip("narrow_storage_goes_on_in_every_scheme_with_the_same_bits").is_some()
    {
        goes_on::<Twisted, InPlace>(Backend::CudaOnHost);
        goes_on::<Few, Few>(Backend::CudaOnHost);
    }
}

/// Moments go on from populations of more nodes than are read at once, beyond the ends of the box, too.
#[test]
fn a_larger_flow_goes_on_from_populations_with_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    let swirl = |[x, y, _]: [usize; 3]| {
        Initial::velocity([0.02 * (0.1 * y as f64).sin(), 0.01 * (0.05 * x as f64).cos(), 0.0])
    };
    let mut through = Flat::builder().size([257, 203]).viscosity(0.02).initial(swirl).build().unwrap();
    let mut resumed = FlatCarried::builder().size([257, 203]).viscosity(0.02).build().unwrap();
    through.run(2).unwrap();
    through.checkpoint(&path).unwrap();
    resumed.restart(&path).unwrap();
    assert!(resumed.populations().unwrap() == through.populations().unwrap());
    // The file is open until then.
    std::fs::remove_file(&path).unwrap();
    through.run(2).unwrap();
    resumed.run(2).unwrap();
    assert!(resumed.populations().unwrap() == through.populations().unwrap());
}

/// A state of one scheme in another, when it is taken up: its populations and the file that it writes then.
fn taken_up<From: Variant, To: Variant>() -> [String; 2] {
    let folder = tempfile::tempdir().unwrap();
    let [path, again] = ["state.lbm", "again.lbm"].map(|name| folder.path().join(name));
    let mut from = channel::<From>(Backend::Cpu);
    from.run(5).unwrap();
    from.checkpoint(&path).unwrap();
    let mut to = channel::<To>(Backend::Cpu);
    to.restart(&path).unwrap();
    assert!(to.populations().unwrap() == from.populations().unwrap(), "{}, {}", from.variant(), to.variant());
    to.checkpoint(&again).unwrap();
    [path, again].map(|path| {
        let bytes = std::fs::read(path).unwrap();
        let header = String::from_utf8_lossy(&bytes).into_owned();
        let line =
            header.lines().find(|line| line.starts_with("moments = ") || line.starts_with("populations = "));
        line.unwrap().split(" of ").next().unwrap().split(" shifted").next().unwrap().to_owned()
    })
}

/// A file holds what is stored, so that who stores the same goes on from it as it is.
#[test]
fn a_checkpoint_holds_moments_where_they_are_stored() {
    assert_eq!(taken_up::<Whole, Whole>(), ["populations =", "populations ="]);
    assert_eq!(taken_up::<OfMoments, Drifting>(), ["moments = 10", "moments = 10"]);
    assert_eq!(taken_up::<Scattered, OfMoments>(), ["moments = 10", "moments = 10"]);
    assert_eq!(taken_up::<FewWide, FewWide>(), ["moments = 6", "moments = 6"]);
    // Populations come from moments, but none of those that any population has.
    assert_eq!(taken_up::<OfMoments, Whole>(), ["moments = 10", "populations ="]);
    assert_eq!(taken_up::<Whole, OfMoments>(), ["populations =", "populations ="]);
    // Who rounds populations that moments carry has others than who does not.
    assert_eq!(taken_up::<Few, FewScattered>(), ["moments = 6", "populations ="]);
    assert_eq!(taken_up::<FewScattered, Few>(), ["populations =", "populations ="]);
    assert_eq!(taken_up::<FewScattered, FewScattered>(), ["populations =", "populations ="]);
}

/// The moments of a flow as populations of a collision that no moments carry: the same to the last digits.
#[test]
fn another_collision_takes_up_moments() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    let mut from = channel::<OfMomentsDouble>(Backend::Cpu);
    from.run(20).unwrap();
    from.checkpoint(&path).unwrap();
    let mut to = channel::<Relaxed>(Backend::Cpu);
    to.restart(&path).unwrap();
    let [from, to] = [from, to].map(|flow| flow.populations().unwrap());
    let most = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(most < 1e-16 && from.iter().any(|h| h.abs() > 1e-3), "{most:e}");
}

/// Moments about the velocity are those of one kind of collision; those of second order are anyone's.
#[test]
fn moments_about_the_velocity_are_distinguished_from_others() {
    solver! { Recursive { lattice: D3Q19, collision: RecursiveRegularized, precision: F32 } }
    solver! { RecursiveCarried { lattice: D3Q19, collision: RecursiveRegularized, precision: F32, streaming: Moments } }
    solver! { RecursiveScattered { lattice: D3Q19, collision: RecursiveRegularized, precision: F32, streaming: ThreadSafe } }
    goes_on::<Recursive, RecursiveCarried>(Backend::Cpu);
    goes_on::<RecursiveCarried, Recursive>(Backend::Cpu);
    goes_on::<RecursiveCarried, RecursiveScattered>(Backend::Cpu);
    assert_eq!(taken_up::<RecursiveCarried, RecursiveScattered>(), ["moments = 10", "moments = 10"]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.lbm");
    // What follows from moments of second order are populations for whom others carry.
    let (mut from, mut to) = (channel::<OfMoments>(Backend::Cpu), channel::<RecursiveCarried>(Backend::Cpu));
    from.run(20).unwrap();
    from.checkpoint(&path).unwrap();
    to.restart(&path).unwrap();
    let [from, to] = [from, to].map(|flow| flow.populations().unwrap());
    let most = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(most < 1e-8 && from.iter().any(|h| h.abs() > 1e-3), "{most:e}");
    channel::<RecursiveCarried>(Backend::Cpu).checkpoint(&path).unwrap();
    for refused in
        [channel::<Whole>(Backend::Cpu).restart(&path), channel::<OfMoments>(Backend::Cpu).restart(&path)]
    {
        let message = refused.unwrap_err().to_string();
        assert!(
            message.contains("recursive-regularized") && message.contains("about the velocity"),
            "{message}"
        );
    }
}

/// What is written while the flow goes on is the file that was to be written in its step, and the steps meanwhile are seen by none.
fn written_beside_the_steps<V: Variant>(backend: Backend) {
    let folder = tempfile::tempdir().unwrap();
    let [at_once, beside] = ["at_once.lbm", "beside.lbm"].map(|name| folder.path().join(name));
    let bytes = |path| std::fs::read(path).unwrap();
    let mut flow = channel::<V>(backend);
    for steps in [5, 2] {
        flow.run(steps).unwrap();
        flow.checkpoint(&at_once).unwrap();
        let expected = bytes(&at_once);
        let first = flow.start_checkpoint().unwrap().expect("there is room for it");
        // The CPU would have to hold the state a third time.
        let second = flow.start_checkpoint().unwrap();
        assert_eq!((first.step(), second.is_some()), (flow.time_step(), backend != Backend::Cpu));
        flow.run(3).unwrap();
        std::thread::scope(|scope| scope.spawn(|| first.write(&beside).unwrap()).join().unwrap());
        assert!(bytes(&beside) == expected, "{}", flow.variant());
        if let Some(second) = second {
            second.write(&beside).unwrap();
            assert!(bytes(&beside) == expected, "{}", flow.variant());
        }
        flow.checkpoint(&at_once).unwrap();
        assert!(bytes(&at_once) != expected, "{}: the flow goes on", flow.variant());
    }
}

#[test]
fn a_checkpoint_is_of_its_step_however_late_it_is_written() {
    fn all(backend: Backend) {
        written_beside_the_steps::<Whole>(backend);
        written_beside_the_steps::<InPlace>(backend);
        written_beside_the_steps::<Listed>(backend);
        written_beside_the_steps::<Drifting>(backend);
        written_beside_the_steps::<WideInPlace>(backend);
        written_beside_the_steps::<Few>(backend);
        // Populations that moments carry are rounded on their way here.
        assert!(channel::<FewScattered>(backend).start_checkpoint().unwrap().is_none());
    }
    all(Backend::Cpu);
    written_beside_the_steps::<Mine>(Backend::Cpu);
    if lbm::cuda::testing::cxx_or_skip("a_checkpoint_is_of_its_step_however_late_it_is_written").is_some() {
        all(Backend::CudaOnHost);
    }
}
