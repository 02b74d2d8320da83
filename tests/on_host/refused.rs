//! What a device cannot do: typed errors, before anything is launched, or instead of a panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbm::core::engine::Setup;
use lbm::core::error::DeviceError;
use lbm::core::laws::{SplitMix64, random_setup};
use lbm::core::{Domain, Engine, Facts, Variant};
use lbm::cuda::machine::{Launch, Machine};
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;

use super::{BAKED, Single2D, Single3D, Together2D, cell, engine, handwritten, options};

/// The error of an engine that cannot be made.
fn refused<V: Variant>(size: [usize; 3], options: &DeviceOptions) -> Error {
    let mut setup = random_setup(&Facts::of::<V>(), [4, 4, 1], &mut SplitMix64::new(1));
    *setup.domain_mut() = Domain::periodic(size);
    match engine::<V>(&setup, options) {
        Ok(engine) => panic!("an engine: {}", engine.description()),
        Err(error) => error,
    }
}

#[test]
fn what_a_device_cannot_run_is_refused_by_name() {
    for (size, shape) in [
        ([13, 7, 1], "2x32x1x1"),  // rows are no whole packs
        ([64, 7, 1], "2x8x2x1"),   // no whole warps
        ([64, 7, 1], "1x64x32x1"), // too many threads
        ([64, 7, 1], "1x1x1x128"),
    ] {
        let error = refused::<Single2D>(size, &options(shape, BAKED));
        assert!(matches!(error, Error::OutOfRange { .. }), "{error}");
        for part in [shape, "launch shape", "e.g. "] {
            assert!(error.to_string().contains(part), "{part} in {error}");
        }
    }
    assert!(matches!(
        refused::<Together2D>([16, 8, 1], &options("2x32x1x1", BAKED)),
        Error::OutOfRange { .. }
    ));
    let huge = refused::<Single2D>([1 << 17, 1 << 15, 1], &DeviceOptions::default());
    assert!(huge.to_string().contains("fewer than 2^32 nodes"), "{huge}");
    let mut free = DeviceOptions::default();
    free.free_size = true;
    let flat = refused::<Single3D>([8, 8, 0], &free);
    assert!(flat.to_string().contains("longest shift"), "{flat}");
}

#[test]
fn a_body_written_in_rust_alone_runs_on_the_cpu_alone() {
    let error = refused::<handwritten::Plain>([8, 8, 1], &DeviceOptions::default());
    assert!(matches!(error, Error::Unavailable { .. }), "{error}");
    for part in ["has no CUDA text", "bgk-guo", "`collision!`", "CPU"] {
        assert!(error.to_string().contains(part), "{part} in {error}");
    }
    assert!(handwritten::Single::name().contains("f32"));
}

/// A machine of little memory that may be lost.
struct Scarce {
    inner: OnHost,
    /// Bytes left.
    free: AtomicUsize,
    /// Launches until it is lost.
    launches: Arc<AtomicUsize>,
}

impl Scarce {
    fn new(bytes: usize, launches: &Arc<AtomicUsize>) -> Scarce {
        Scarce { inner: OnHost::new(1), free: AtomicUsize::new(bytes), launches: Arc::clone(launches) }
    }
}

impl Machine for Scarce {
    type Memory = <OnHost as Machine>::Memory;
    type Kernel = <OnHost as Machine>::Kernel;
    type Recording = ();
    type Copier = <OnHost as Machine>::Copier;
    type Mark = <OnHost as Machine>::Mark;

    fn label(&self) -> String {
        "scarce".to_owned()
    }
    fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
        let (needed, free) = (nodes * bytes_per_node as u128, self.free.load(Ordering::Relaxed) as u128);
        if needed <= free {
            return Ok(());
        }
        let would_fit = (free / bytes_per_node as u128) as u64;
        let (needed, available) = (needed as f64 / 1e9, free as f64 / 1e9);
        Err(Error::OutOfMemory { nodes, bytes_per_node, needed, available, would_fit })
    }
    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Self::Kernel>, Error> {
        self.inner.build(text, names)
    }
    fn memory(&self, bytes: usize) -> Result<Self::Memory, Error> {
        let free = self.free.load(Ordering::Relaxed);
        if bytes > free {
            let (needed, free) = (bytes as u64, free as u64);
            return Err(DeviceError::OutOfMemory { device: self.label(), needed, free, total: free }.into());
        }
        self.free.store(free - bytes, Ordering::Relaxed);
        self.inner.memory(bytes)
    }
    fn blocks_at_once(&self, kernel: &Self::Kernel, block: [u32; 3], bytes: u32) -> Result<usize, Error> {
        self.inner.blocks_at_once(kernel, block, bytes)
    }
    fn copier(&self) -> Result<Self::Copier, Error> {
        self.inner.copier()
    }
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error> {
        let left = self.launches.load(Ordering::Relaxed);
        if left == 0 {
            let (device, said) = (self.label(), "an illegal address".to_owned());
            return Err(DeviceError::Lost { device, call: "cuLaunchKernel", said }.into());
        }
        self.launches.store(left - 1, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { self.inner.launch(kernel, launch) }
    }
    fn mark(&self) -> Result<Self::Mark, Error> {
        self.inner.mark()
    }
}

fn facts() -> Facts {
    Facts::of::<Single2D>()
}

fn periodic(size: [usize; 3]) -> Setup {
    let mut setup = random_setup(&Facts::of::<Single2D>(), size, &mut SplitMix64::new(1));
    *setup.domain_mut() = Domain::periodic(size);
    setup
}

#[test]
fn too_little_memory_is_said_before_any_is_taken() {
    let endless = Arc::new(AtomicUsize::new(usize::MAX));
    let machine = Scarce::new(1 << 20, &endless);
    let result = DeviceEngine::new(machine, &facts(), &periodic([512, 512, 1]), &DeviceOptions::default());
    let Err(error) = result.map(|engine| engine.description()) else { panic!("18 MiB fit in one") };
    assert!(matches!(error, Error::OutOfMemory { bytes_per_node: 72, would_fit: 14563, .. }), "{error}");
}

#[test]
fn without_room_for_fields_beside_the_steps_they_cross_before_them() {
    if cxx_or_skip("without_room_for_fields_beside_the_steps_they_cross_before_them").is_none() {
        return;
    }
    let (size, endless) = ([64, 64, 1], Arc::new(AtomicUsize::new(usize::MAX)));
    let shape = options("2x32x4x1", BAKED);
    let engine_with =
        |bytes| DeviceEngine::new(Scarce::new(bytes, &endless), &facts(), &periodic(size), &shape);
    // Populations and the staging memory fit, fields of all nodes beside them do not.
    let populations = engine_with(1 << 30).map(|e| e.allocated_bytes()).unwrap();
    let mut engine = engine_with(populations + (289 << 10)).unwrap();
    engine.set_populations(&cell::<D2Q9>(size), 0).unwrap();
    let expected = engine.macroscopic([0.0; 3]).unwrap();
    let all = (0..64 * 64).into();
    let error = engine.start_fields([0.0; 3], &all).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Device(DeviceError::OutOfMemory { .. })), "{error}");
    assert!(Engine::start_fields(&mut engine, [0.0; 3], &all).unwrap().is_none(), "left to the caller");
    assert!(engine.start_state().unwrap().is_none(), "likewise");
    assert_eq!(engine.largest_change([0.0; 3]).unwrap(), None);
    assert_eq!(engine.macroscopic([0.0; 3]).unwrap(), expected);
}

#[test]
fn a_lost_device_is_an_error_of_every_call_and_no_panic() {
    if cxx_or_skip("a_lost_device_is_an_error_of_every_call_and_no_panic").is_none() {
        return;
    }
    let launches = Arc::new(AtomicUsize::new(usize::MAX));
    let (size, shape) = ([64, 64, 1], options("2x32x4x1", BAKED));
    let mut engine =
        DeviceEngine::new(Scarce::new(1 << 30, &launches), &facts(), &periodic(size), &shape).unwrap();
    launches.store(3, Ordering::Relaxed);
    let mut out = vec![0.0; 9 * 64 * 64];
    let errors = [
        engine.run(5),
        engine.run(1),
        engine.populations(&mut out),
        engine.set_populations(&out, 0),
        engine.macroscopic([0.0; 3]).map(|_| ()),
        engine.start_fields([0.0; 3], &(0..64 * 64).into()).map(|_| ()),
        engine.start_state().map(|_| ()),
        engine.not_finite().map(|_| ()),
    ];
    for result in errors {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Device(DeviceError::Lost { .. })), "{error}");
        assert!(error.to_string().contains("start again from the last checkpoint"), "{error}");
    }
}
