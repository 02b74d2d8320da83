//! The host in a GPU's place, with one word of every text replaced.

use lbm::core::Error;
use lbm::cuda::OnHost;
use lbm::cuda::machine::{Launch, Machine};

/// Replaces a word of every text of a time step.
pub(crate) struct Broken {
    host: OnHost,
    word: &'static str,
    by: &'static str,
}

impl Broken {
    pub(crate) fn new(word: &'static str, by: &'static str) -> Broken {
        Broken { host: OnHost::new(1), word, by }
    }
}

impl Machine for Broken {
    type Memory = <OnHost as Machine>::Memory;
    type Kernel = <OnHost as Machine>::Kernel;
    type Recording = <OnHost as Machine>::Recording;
    type Landing = <OnHost as Machine>::Landing;
    type Outgoing = <OnHost as Machine>::Outgoing;
    type Mark = <OnHost as Machine>::Mark;

    fn build(&self, text: &str, names: &[String]) -> Result<Vec<Self::Kernel>, Error> {
        if self.word.is_empty() || !text.contains("step_0") {
            return self.host.build(text, names);
        }
        assert_eq!(text.matches(self.word).count(), 1, "one sign is turned:\n{text}");
        self.host.build(&text.replace(self.word, self.by), names)
    }

    fn label(&self) -> String {
        self.host.label()
    }
    fn check_footprint(&self, nodes: u128, bytes_per_node: usize) -> Result<(), Error> {
        self.host.check_footprint(nodes, bytes_per_node)
    }
    fn memory(&self, bytes: usize) -> Result<Self::Memory, Error> {
        self.host.memory(bytes)
    }
    fn bytes(&self, memory: &Self::Memory) -> usize {
        self.host.bytes(memory)
    }
    fn address(&self, memory: &Self::Memory) -> u64 {
        self.host.address(memory)
    }
    fn write(&self, memory: &mut Self::Memory, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        self.host.write(memory, offset, bytes)
    }
    fn read(&self, memory: &Self::Memory, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        self.host.read(memory, offset, bytes)
    }
    fn landing(&self, values: usize) -> Result<Self::Landing, Error> {
        self.host.landing(values)
    }
    fn start_read(&self, memory: &Self::Memory, landing: Self::Landing) -> Result<Self::Outgoing, Error> {
        self.host.start_read(memory, landing)
    }
    fn finish_read(outgoing: Self::Outgoing) -> Result<Self::Landing, Error> {
        OnHost::finish_read(outgoing)
    }
    fn landed(landing: &Self::Landing) -> &[f64] {
        OnHost::landed(landing)
    }
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.host.launch(kernel, launch) }
    }
    fn record(&self, launches: &mut dyn FnMut() -> Result<(), Error>) -> Result<Option<()>, Error> {
        self.host.record(launches)
    }
    unsafe fn replay(&self, recording: &()) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.host.replay(recording) }
    }
    fn wait(&self) -> Result<(), Error> {
        self.host.wait()
    }
    fn mark(&self) -> Result<Self::Mark, Error> {
        self.host.mark()
    }
    fn seconds_between(start: &Self::Mark, end: &Self::Mark) -> Result<f64, Error> {
        OnHost::seconds_between(start, end)
    }
    fn recall(&self, key: &str) -> Option<String> {
        self.host.recall(key)
    }
    fn remember(&self, key: &str, note: &str) {
        self.host.remember(key, note);
    }
    fn can_be_tuned(&self) -> bool {
        self.host.can_be_tuned()
    }
}
