//! Parts on machines that do nothing before they must: what crosses between them straight is right whatever runs first, and no step waits.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use lbm::core::cut::{CutEngine, Decomposition};
use lbm::core::engine::Setup;
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::reference::Reference;
use lbm::core::{Domain, Engine, Facts, Variant};
use lbm::cuda::host::HostBatch;
use lbm::cuda::machine::{Copier, Launch, Machine, Mark, Memory};
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;

use super::Single2D;

solver! { Aa2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: Aa } }
solver! { Pushed2D { lattice: D2Q9, collision: Bgk, precision: F16In32, streaming: TwoLatticePush } }
solver! { Twisted2D { lattice: D2Q9, collision: Bgk, precision: F32, streaming: EsotericTwist } }
solver! { Listed2D { lattice: D2Q9, collision: Bgk, precision: F32, addressing: FluidIndexArray, streaming: Aa } }
solver! { Tiled2D { lattice: D2Q9, collision: Bgk, precision: F32, addressing: Tiled<4, 4, 1>, streaming: EsotericPull } }
solver! { Moments2D { lattice: D2Q9, collision: Regularized, precision: F32, streaming: Moments } }
solver! { Moments3D { lattice: D3Q19, collision: Regularized, precision: F16In32, layout: Aosoa<32>, streaming: Moments } }
solver! { Fluids2D { model: ColourGradient<Regularized>, lattices: [D2Q9, D2Q9], precision: F32, streaming: Moments } }
solver! { Pulled2D { lattice: D2Q9, collision: Trt, precision: F64, streaming: EsotericPull } }

/// What stands in a queue.
enum Task {
    Work(Box<dyn FnOnce() + Send>),
    Wait(usize),
    Mark(usize),
}

/// The queues of all machines, and the marks that are reached.
struct Queues {
    of: Vec<VecDeque<Task>>,
    /// The first queue of the machine of each.
    machines: Vec<usize>,
    reached: BTreeSet<usize>,
    marks: usize,
    /// How often the host has waited.
    waits: usize,
    /// Whether launches write to memory of other machines.
    writes: bool,
    random: SplitMix64,
}

/// All machines.
#[derive(Clone)]
struct World(Arc<Mutex<Queues>>);

impl World {
    fn new(seed: u64) -> World {
        let random = SplitMix64::new(seed);
        World(Arc::new(Mutex::new(Queues {
            of: Vec::new(),
            machines: Vec::new(),
            reached: BTreeSet::new(),
            marks: 0,
            waits: 0,
            writes: seed.is_multiple_of(2),
            random,
        })))
    }

    fn hold(&self) -> MutexGuard<'_, Queues> {
        self.0.lock().expect("nobody panics with the lock")
    }
}

impl Queues {
    /// Another queue of a machine.
    fn add(&mut self, machine: usize) {
        self.of.push(VecDeque::new());
        self.machines.push(machine);
    }

    /// Does all that stands in a queue, and in those beside it.
    fn empty_all(&mut self, queue: usize) {
        let all = 0..self.of.len();
        let own = all.filter(|&n| self.machines[n] == self.machines[queue]).collect::<Vec<_>>();
        own.into_iter().for_each(|queue| self.empty(queue));
    }

    fn mark(&mut self, queue: usize) -> usize {
        self.marks += 1;
        self.of[queue].push_back(Task::Mark(self.marks));
        self.marks
    }

    /// Does what stands in a queue, and of others what comes by chance, or what must.
    fn empty(&mut self, queue: usize) {
        self.waits += 1;
        // A queue that is done as soon as it can be, and one that is done only if no other can be, if any.
        let [eager, lazy] = [(); 2].map(|()| (self.random.bits() % (self.of.len() as u64 + 1)) as usize);
        while !self.of[queue].is_empty() {
            let can = |of: &VecDeque<Task>| match of.front() {
                None => false,
                Some(Task::Wait(mark)) => self.reached.contains(mark),
                Some(_) => true,
            };
            let mut able: Vec<usize> = (0..self.of.len()).filter(|&n| can(&self.of[n])).collect();
            assert!(!able.is_empty(), "queues wait for each other");
            if able.len() > 1 {
                able.retain(|&n| n != lazy);
            }
            let one = match able.contains(&eager) {
                true => eager,
                false => able[(self.random.bits() % able.len() as u64) as usize],
            };
            match self.of[one].pop_front() {
                Some(Task::Work(work)) => work(),
                Some(Task::Mark(mark)) => drop(self.reached.insert(mark)),
                _ => {}
            }
        }
    }
}

/// What a machine does not wait for others before, so that the test is seen to see it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deaf {
    Never,
    Launches,
    Copies,
}

/// One of them.
struct Queued {
    host: Arc<OnHost>,
    world: World,
    queue: usize,
    deaf: Deaf,
    /// How many launches it takes before it refuses one.
    takes: Arc<AtomicUsize>,
    /// The marks to be waited for before what comes next.
    next: Mutex<Vec<usize>>,
}

struct QueuedMemory {
    host: <OnHost as Machine>::Memory,
    world: World,
    queue: usize,
}

struct Ticket {
    world: World,
    queue: usize,
    mark: usize,
}

impl Queued {
    fn new(world: &World, batch: &Arc<HostBatch>, deaf: Deaf) -> Queued {
        let mut queues = world.hold();
        let queue = queues.of.len();
        queues.add(queue);
        let host = Arc::new(OnHost::batched(7, batch));
        let takes = Arc::new(AtomicUsize::new(usize::MAX));
        Queued { host, world: world.clone(), queue, deaf, takes, next: Mutex::default() }
    }

    fn put(&self, to: Deaf, work: impl FnOnce() + Send + 'static) {
        let mut queues = self.world.hold();
        self.hear(&mut queues, to);
        queues.of[self.queue].push_back(Task::Work(Box::new(work)));
    }

    /// Has what comes next wait, if it is not deaf to that.
    fn hear(&self, queues: &mut Queues, to: Deaf) {
        let heard = std::mem::take(&mut *self.next.lock().expect("nobody panics with the lock"));
        if self.deaf == Deaf::Never || self.deaf != to {
            queues.of[self.queue].extend(heard.into_iter().map(Task::Wait));
        }
    }

    fn marked(&self) -> usize {
        let mut queues = self.world.hold();
        self.hear(&mut queues, Deaf::Never);
        queues.mark(self.queue)
    }
}

impl Memory for QueuedMemory {
    fn bytes(&self) -> usize {
        self.host.bytes()
    }
    fn address(&self) -> u64 {
        self.host.address()
    }
    fn write(&self, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        self.world.hold().empty_all(self.queue);
        self.host.write(offset, bytes)
    }
    fn read(&self, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        self.world.hold().empty_all(self.queue);
        self.host.read(offset, bytes)
    }
}

/// As a device's: after all of its own work.
impl Drop for QueuedMemory {
    fn drop(&mut self) {
        self.world.hold().empty_all(self.queue);
    }
}

impl Mark for Ticket {
    fn seconds_since(&self, _: &Ticket) -> Result<f64, Error> {
        self.world.hold().empty(self.queue);
        Ok(0.0)
    }
}

struct Waiting;

impl Copier<QueuedMemory> for Waiting {
    fn read(&self, memory: &QueuedMemory, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        memory.read(offset, bytes)
    }
}

impl Machine for Queued {
    type Memory = QueuedMemory;
    type Kernel = Arc<<OnHost as Machine>::Kernel>;
    type Recording = ();
    type Copier = Waiting;
    type Mark = Ticket;

    fn label(&self) -> String {
        format!("queue {}", self.queue)
    }
    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Self::Kernel>, Error> {
        Ok(self.host.build(text, names)?.into_iter().map(Arc::new).collect())
    }
    fn memory(&self, bytes: usize) -> Result<QueuedMemory, Error> {
        Ok(QueuedMemory { host: self.host.memory(bytes)?, world: self.world.clone(), queue: self.queue })
    }
    fn copier(&self) -> Result<Waiting, Error> {
        Ok(Waiting)
    }
    fn blocks_at_once(&self, kernel: &Self::Kernel, block: [u32; 3], bytes: u32) -> Result<usize, Error> {
        self.host.blocks_at_once(kernel, block, bytes)
    }
    fn another(&self) -> Result<Option<Queued>, Error> {
        let mut queues = self.world.hold();
        let (queue, next) = (queues.of.len(), Mutex::default());
        queues.add(self.queue);
        let (host, takes) = (Arc::clone(&self.host), Arc::clone(&self.takes));
        Ok(Some(Queued { host, world: self.world.clone(), queue, deaf: self.deaf, takes, next }))
    }
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error> {
        let takes = self.takes.fetch_sub(1, Ordering::Relaxed);
        if takes == 0 {
            return Err(Error::conflict(format!("{} takes no more launches", self.label()), "none"));
        }
        let (host, kernel, launch) = (Arc::clone(&self.host), Arc::clone(kernel), launch.clone());
        self.put(Deaf::Launches, move || {
            // SAFETY: the caller's promise, which holds until this is done.
            unsafe { host.launch(&kernel, &launch) }.expect("the host runs it");
        });
        Ok(())
    }
    fn wait(&self) -> Result<(), Error> {
        self.world.hold().empty(self.queue);
        Ok(())
    }
    fn mark(&self) -> Result<Ticket, Error> {
        let mark = self.marked();
        Ok(Ticket { world: self.world.clone(), queue: self.queue, mark })
    }
    fn mark_again(&self, mark: &mut Ticket) -> Result<(), Error> {
        assert_eq!(mark.queue, self.queue, "a mark is moved by its own machine");
        mark.mark = self.marked();
        Ok(())
    }
    fn wait_for(&self, mark: &Ticket) -> Result<(), Error> {
        self.next.lock().expect("nobody panics with the lock").push(mark.mark);
        Ok(())
    }
    /// Whether a kernel writes there itself is a matter of the world; where copies are looked at, it does not.
    fn reach(&self, _: &QueuedMemory, _: &QueuedMemory) -> Result<bool, Error> {
        Ok(self.deaf != Deaf::Copies && self.world.hold().writes)
    }
    unsafe fn bring(&self, from: &QueuedMemory, to: &QueuedMemory) -> Result<(), Error> {
        assert_eq!(to.queue, self.queue, "a machine copies into memory of its own");
        let (source, target, bytes) = (from.address(), to.address(), from.bytes());
        // SAFETY: the caller's promise: both are alive until this is done.
        self.put(Deaf::Copies, move || unsafe {
            std::ptr::copy_nonoverlapping(source as *const u8, target as *mut u8, bytes);
        });
        Ok(())
    }
}

/// Whether parts of a box on such machines have the bits of the reference, however their work is put in order.
fn crosses_in_order<V: Variant>(cut: &Decomposition, batch: &Arc<HostBatch>, deaf: Deaf) -> bool {
    crosses_in_order_in::<V>("1x32x1x1", cut, batch, deaf)
}

/// The same in a launch shape.
fn crosses_in_order_in<V: Variant>(
    shape: &str,
    cut: &Decomposition,
    batch: &Arc<HostBatch>,
    deaf: Deaf,
) -> bool {
    let size = if Facts::of::<V>().lattice.dimension == 3 { [16, 12, 11] } else { [16, 12, 1] };
    crosses_in_order_of::<V>((size, shape), cut, batch, deaf)
}

/// The same in boxes of a size.
fn crosses_in_order_of<V: Variant>(
    (size, shape): ([usize; 3], &str),
    cut: &Decomposition,
    batch: &Arc<HostBatch>,
    deaf: Deaf,
) -> bool {
    let facts = Facts::of::<V>();
    let mut all = true;
    for seed in 0..5 {
        let mut random = SplitMix64::new(seed);
        let world = World::new(seed);
        let setup = random_setup(&facts, size, &mut random);
        let mut options = DeviceOptions::default();
        options.free_size = true;
        options.shape = Some(shape.parse().unwrap());
        let make = |_: usize, setup: &Setup| {
            let engine = DeviceEngine::new(Queued::new(&world, batch, deaf), &facts, setup, &options)?;
            Ok(Box::new(engine) as Box<dyn Engine>)
        };
        let mut engine = CutEngine::new(&facts, &setup, cut, &make).unwrap();
        assert!(engine.messages().iter().all(|message| message.is_direct), "{:?}", engine.messages());
        assert!(engine.description().contains(" parts, a thread each, "), "{}", engine.description());
        let mut reference = Reference::new(&facts, &setup).unwrap();
        let start = random_populations(&facts.lattice, setup.domain(), &mut random);
        engine.set_populations(&start, 0).unwrap();
        reference.set_populations(&start, 0).unwrap();
        // What is listed once is listed before the first run.
        engine.run(0).unwrap();
        // Few steps are asked for by one thread, many by a thread a part.
        let waits = [3, 17].map(|steps| {
            let before = world.hold().waits;
            engine.run(steps).unwrap();
            let waits = world.hold().waits - before;
            reference.run(steps).unwrap();
            let (mut found, mut expected) = (vec![f64::NAN; start.len()], vec![0.0; start.len()]);
            engine.populations(&mut found).unwrap();
            reference.populations(&mut expected).unwrap();
            all &= found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
            waits
        });
        assert_eq!(waits[0], waits[1], "no step waits");
        // Between steps alone nothing changes.
        engine.exchange_alone(5).unwrap();
        engine.run(1).unwrap();
        reference.run(1).unwrap();
        let (mut found, mut expected) = (vec![f64::NAN; start.len()], vec![0.0; start.len()]);
        engine.populations(&mut found).unwrap();
        reference.populations(&mut expected).unwrap();
        all &= found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
    }
    all
}

/// One part of three fails in the midst of a run.
#[test]
fn a_part_that_fails_ends_all() {
    if cxx_or_skip("a_part_that_fails_ends_all").is_none() {
        return;
    }
    let (facts, batch, world) = (Facts::of::<Single2D>(), Arc::<HostBatch>::default(), World::new(1));
    let setup = random_setup(&facts, [16, 12, 1], &mut SplitMix64::new(1));
    let takes = Mutex::new(Vec::new());
    let make = |_: usize, setup: &Setup| {
        let machine = Queued::new(&world, &batch, Deaf::Never);
        takes.lock().unwrap().push(Arc::clone(&machine.takes));
        let engine = DeviceEngine::new(machine, &facts, setup, &DeviceOptions::default())?;
        Ok(Box::new(engine) as Box<dyn Engine>)
    };
    let mut engine = CutEngine::new(&facts, &setup, &Decomposition::Into(3), &make).unwrap();
    engine.run(20).unwrap();
    takes.lock().unwrap()[1].store(50, Ordering::Relaxed);
    let error = engine.run(200).unwrap_err().to_string();
    assert!(error.contains("takes no more launches"), "{error}");
}

#[test]
fn what_crosses_between_queues_comes_in_order() {
    if cxx_or_skip("what_crosses_between_queues_comes_in_order").is_none() {
        return;
    }
    // The same text is built once.
    let batch = &Arc::<HostBatch>::default();
    let [rows, blocks] = [Decomposition::Into(3), Decomposition::At([vec![5], vec![1, 6], vec![]])];
    assert!(crosses_in_order::<Single2D>(&rows, batch, Deaf::Never));
    assert!(crosses_in_order::<Aa2D>(&blocks, batch, Deaf::Never));
    assert!(crosses_in_order::<Pulled2D>(&Decomposition::Into(2), batch, Deaf::Never));
    assert!(crosses_in_order::<Pushed2D>(&rows, batch, Deaf::Never));
    assert!(crosses_in_order::<Twisted2D>(&rows, batch, Deaf::Never));
    // Blocks of listed nodes.
    assert!(crosses_in_order::<Listed2D>(&rows, batch, Deaf::Never));
    assert!(crosses_in_order::<Tiled2D>(&rows, batch, Deaf::Never));
    // Marches through a range of planes each, and blocks that are larger than a range.
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y3", &rows, batch, Deaf::Never));
    assert!(crosses_in_order_in::<Aa2D>("1x8x4x1", &rows, batch, Deaf::Never));
    // Several steps between two exchanges.
    assert!(crosses_in_order::<Aa2D>(&blocks.clone().exchanging_every(2), batch, Deaf::Never));
    // Marches through parts of the box, from one exchange to the next; the last one in boxes of which some have no walls.
    let twice = |cut: &Decomposition| cut.clone().exchanging_every(2);
    let planes = Decomposition::At([vec![], vec![7], vec![5]]);
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y2h2", &twice(&rows), batch, Deaf::Never));
    let uneven = Decomposition::At([vec![], vec![3, 8], vec![]]);
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y2h2", &twice(&uneven), batch, Deaf::Never));
    assert!(crosses_in_order_in::<Moments2D>("1x32x1x1+y1h2", &twice(&blocks), batch, Deaf::Never));
    assert!(crosses_in_order_in::<Moments3D>("1x32x6x1+z2h2", &twice(&planes), batch, Deaf::Never));
    let (long, middle) = (([12, 8, 50], "1x32x8x1+z2h2"), Decomposition::At([vec![], vec![], vec![22]]));
    assert!(crosses_in_order_of::<Moments3D>(long, &twice(&middle), batch, Deaf::Never));
    assert!(!crosses_in_order_in::<Moments2D>("1x32x1x1+y2h2", &twice(&rows), batch, Deaf::Launches));
    assert!(crosses_in_order_in::<Fluids2D>("1x32x1x1+y2f", &rows, batch, Deaf::Never));
    for deaf in [Deaf::Launches, Deaf::Copies] {
        assert!(!crosses_in_order::<Single2D>(&rows, batch, deaf), "a wait that is missed is seen");
    }
}

/// A part all of whose own nodes are solid, with fluid beyond its cuts, goes on in time as the others do.
#[test]
fn a_part_without_fluid_goes_on() {
    if cxx_or_skip("a_part_without_fluid_goes_on").is_none() {
        return;
    }
    let (facts, batch) = (Facts::of::<Listed2D>(), Arc::<HostBatch>::default());
    let (world, mut random) = (World::new(2), SplitMix64::new(2));
    let mut setup = random_setup(&facts, [16, 12, 1], &mut random);
    let mut domain = Domain::periodic([16, 12, 1]);
    domain.solids = vec![[0.0; 3]];
    domain.flags = (0..16 * 12).map(|node| u8::from(node < 16 * 4)).collect();
    *setup.domain_mut() = domain;
    let make = |_: usize, setup: &Setup| {
        let machine = Queued::new(&world, &batch, Deaf::Never);
        let engine = DeviceEngine::new(machine, &facts, setup, &DeviceOptions::default())?;
        Ok(Box::new(engine) as Box<dyn Engine>)
    };
    let cut = Decomposition::At([vec![], vec![4], vec![]]);
    let mut engine = CutEngine::new(&facts, &setup, &cut, &make).unwrap();
    let mut reference = Reference::new(&facts, &setup).unwrap();
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let mut both: [&mut dyn Engine; 2] = [&mut engine, &mut reference];
    let [found, expected] = both.each_mut().map(|engine| {
        engine.set_populations(&start, 0).unwrap();
        engine.run(3).unwrap();
        assert_eq!(engine.step(), 3);
        let mut all = vec![0.0; start.len()];
        engine.populations(&mut all).unwrap();
        all
    });
    assert!(found.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
}

/// Where each part sends its messages in their order, each part is sent one at a time.
#[test]
fn no_part_is_written_to_by_two_at_once() {
    if cxx_or_skip("no_part_is_written_to_by_two_at_once").is_none() {
        return;
    }
    let (facts, batch, world) = (Facts::of::<Single2D>(), Arc::<HostBatch>::default(), World::new(2));
    let mut setup = random_setup(&facts, [16, 12, 1], &mut SplitMix64::new(2));
    *setup.domain_mut() = Domain::periodic([16, 12, 1]);
    let make = |_: usize, setup: &Setup| {
        let machine = Queued::new(&world, &batch, Deaf::Never);
        let engine = DeviceEngine::new(machine, &facts, setup, &DeviceOptions::default())?;
        Ok(Box::new(engine) as Box<dyn Engine>)
    };
    let cut = Decomposition::At([vec![], vec![3, 6, 9], vec![]]);
    let engine = CutEngine::new(&facts, &setup, &cut, &make).unwrap();
    let of = |from: usize| engine.messages().iter().filter(move |message| message.from == from);
    for turn in 0..2 {
        let readers: BTreeSet<usize> = (0..4).map(|part| of(part).nth(turn).expect("two each").to).collect();
        assert_eq!(readers.len(), 4, "turn {turn}: {readers:?}");
    }
}
