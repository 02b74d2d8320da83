//! Processes whose machines bring lists to each other: the bits of the whole box, and none is brought so if one machine cannot.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use lbm::core::cut::{CutEngine, Decomposition, Invitation, Threads, Transport};
use lbm::core::engine::Setup;
use lbm::core::laws::{SplitMix64, random_populations, random_setup};
use lbm::core::reference::Reference;
use lbm::core::{Engine, Facts};
use lbm::cuda::machine::{Joined, Launch, Machine, Memory};
use lbm::cuda::testing::cxx_or_skip;
use lbm::cuda::{DeviceEngine, DeviceOptions, OnHost};
use lbm::prelude::*;

use super::Single2D;

type HostMemory = <OnHost as Machine>::Memory;

/// What was invited to, with the ends that nobody has taken yet.
static GROUPS: Mutex<BTreeMap<Invitation, Vec<Option<Threads>>>> = Mutex::new(BTreeMap::new());

/// The host in a GPU's place, which joins others.
struct Linked {
    host: OnHost,
    can: bool,
}

/// What brings bytes between them.
struct Link(Threads);

impl Joined<HostMemory> for Link {
    unsafe fn pass(
        &self,
        leaving: &[(&HostMemory, usize)],
        arriving: &[(&HostMemory, usize)],
    ) -> Result<(), Error> {
        let bytes = |&(memory, rank): &(&HostMemory, usize)| {
            let mut bytes = vec![0; memory.bytes()];
            memory.read(0, &mut bytes).map(|()| (rank, bytes))
        };
        let sent = leaving.iter().map(bytes).collect::<Result<Vec<_>, Error>>()?;
        let mut come = arriving.iter().map(bytes).collect::<Result<Vec<_>, Error>>()?;
        let sent: Vec<(usize, &[u8])> = sent.iter().map(|(rank, bytes)| (*rank, &bytes[..])).collect();
        let mut room: Vec<(usize, &mut [u8])> =
            come.iter_mut().map(|(rank, bytes)| (*rank, &mut bytes[..])).collect();
        self.0.exchange(&sent, &mut room)?;
        arriving.iter().zip(&come).try_for_each(|((memory, _), (_, bytes))| memory.write(0, bytes))
    }
    fn description(&self) -> String {
        "a link".to_owned()
    }
}

impl Machine for Linked {
    type Memory = HostMemory;
    type Kernel = <OnHost as Machine>::Kernel;
    type Recording = ();
    type Copier = <OnHost as Machine>::Copier;
    type Mark = <OnHost as Machine>::Mark;

    fn label(&self) -> String {
        self.host.label()
    }
    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Self::Kernel>, Error> {
        self.host.build(text, names)
    }
    fn memory(&self, bytes: usize) -> Result<HostMemory, Error> {
        self.host.memory(bytes)
    }
    fn copier(&self) -> Result<Self::Copier, Error> {
        self.host.copier()
    }
    fn blocks_at_once(&self, kernel: &Self::Kernel, block: [u32; 3], bytes: u32) -> Result<usize, Error> {
        self.host.blocks_at_once(kernel, block, bytes)
    }
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.host.launch(kernel, launch) }
    }
    fn mark(&self) -> Result<Self::Mark, Error> {
        self.host.mark()
    }
    fn may_join(&self) -> bool {
        self.can
    }
    fn invitation(&self) -> Result<Invitation, Error> {
        static NEXT: AtomicU8 = AtomicU8::new(1);
        Ok([NEXT.fetch_add(1, Ordering::Relaxed); 128])
    }
    fn join(
        &self,
        invitation: &Invitation,
        rank: usize,
        ranks: usize,
    ) -> Result<Box<dyn Joined<HostMemory>>, Error> {
        let mut groups = GROUPS.lock().unwrap();
        let ends =
            groups.entry(*invitation).or_insert_with(|| Threads::of(ranks).into_iter().map(Some).collect());
        let threads = ends[rank].take().expect("each rank joins once");
        Ok(Box::new(Link(threads)))
    }
}

/// Whether the populations of so many ranks are the reference's in each, and what the first says of its engine; `can` says whose machine joins others.
fn joined(ranks: usize, can: &(dyn Fn(usize) -> bool + Sync)) -> String {
    let facts = Facts::of::<Single2D>();
    let mut random = SplitMix64::new(2);
    let setup = random_setup(&facts, [16, 12, 1], &mut random);
    let start = random_populations(&facts.lattice, setup.domain(), &mut random);
    let mut reference = Reference::new(&facts, &setup).unwrap();
    reference.set_populations(&start, 0).unwrap();
    reference.run(7).unwrap();
    let mut expected = vec![0.0; start.len()];
    reference.populations(&mut expected).unwrap();
    let mut options = DeviceOptions::default();
    options.free_size = true;
    options.shape = Some("1x32x1x1".parse().unwrap());
    let (facts, setup, start, expected, options) = (&facts, &setup, &start, &expected, &options);
    std::thread::scope(|scope| {
        let run = |(rank, transport): (usize, Threads)| {
            scope.spawn(move || {
                let make = |_: usize, setup: &Setup| {
                    let machine = Linked { host: OnHost::new(7), can: can(rank) };
                    Ok(Box::new(DeviceEngine::new(machine, facts, setup, options)?) as Box<dyn Engine>)
                };
                let cut = Decomposition::Into(ranks);
                let mut engine = CutEngine::over(Arc::new(transport), facts, setup, &cut, &make).unwrap();
                engine.set_populations(start, 0).unwrap();
                engine.run(3).unwrap();
                engine.run(4).unwrap();
                let mut found = vec![f64::NAN; start.len()];
                engine.populations(&mut found).unwrap();
                assert!(found.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits()), "rank {rank}");
                let straight = engine.messages().iter().all(|message| message.is_direct);
                assert_eq!(straight, (0..ranks).all(can), "all cross so, or none does");
                engine.description()
            })
        };
        let all: Vec<_> = Threads::of(ranks).into_iter().enumerate().map(run).collect();
        all.into_iter().map(|rank| rank.join().unwrap()).next().unwrap()
    })
}

#[test]
fn machines_of_several_processes_bring_lists_to_each_other() {
    if cxx_or_skip("machines_of_several_processes_bring_lists_to_each_other").is_none() {
        return;
    }
    let said = joined(3, &|_| true);
    assert!(said.starts_with("3 parts over 3 threads, lists by a link, on: cuda-on-host"), "{said}");
    for one in 0..2 {
        let said = joined(2, &|rank| rank != one);
        assert!(said.starts_with("2 parts over 2 threads, on: cuda-on-host"), "{said}");
    }
}
