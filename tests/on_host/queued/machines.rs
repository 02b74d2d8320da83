//! Machines that do nothing before they must, and then in an order by chance.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use lbm::core::Error;
use lbm::core::laws::SplitMix64;
use lbm::cuda::OnHost;
use lbm::cuda::host::HostBatch;
use lbm::cuda::machine::{Copier, Launch, Machine, Mark, Memory};

/// What stands in a queue.
enum Task {
    Work(Box<dyn FnOnce() + Send>),
    Wait(usize),
    Mark(usize),
}

/// The queues of all machines, and the marks that are reached.
pub(super) struct Queues {
    of: Vec<VecDeque<Task>>,
    /// The first queue of the machine of each.
    machines: Vec<usize>,
    reached: BTreeSet<usize>,
    marks: usize,
    /// How often the host has waited.
    pub(super) waits: usize,
    /// Whether launches write to memory of other machines.
    writes: bool,
    random: SplitMix64,
}

/// All machines.
#[derive(Clone)]
pub(super) struct World(Arc<Mutex<Queues>>);

impl World {
    pub(super) fn new(seed: u64) -> World {
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

    pub(super) fn hold(&self) -> MutexGuard<'_, Queues> {
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
pub(super) enum Deaf {
    Never,
    Launches,
    Copies,
}

/// One of them.
pub(super) struct Queued {
    host: Arc<OnHost>,
    world: World,
    queue: usize,
    deaf: Deaf,
    /// How many launches it takes before it refuses one.
    pub(super) takes: Arc<AtomicUsize>,
    /// The marks to be waited for before what comes next.
    next: Mutex<Vec<usize>>,
}

pub(super) struct QueuedMemory {
    host: <OnHost as Machine>::Memory,
    world: World,
    queue: usize,
}

pub(super) struct Ticket {
    world: World,
    queue: usize,
    mark: usize,
}

impl Queued {
    pub(super) fn new(world: &World, batch: &Arc<HostBatch>, deaf: Deaf) -> Queued {
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

pub(super) struct Waiting;

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
