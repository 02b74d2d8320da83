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
    type Copier = <OnHost as Machine>::Copier;
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
    fn memory(&self, bytes: usize) -> Result<Self::Memory, Error> {
        self.host.memory(bytes)
    }
    fn blocks_at_once(&self, kernel: &Self::Kernel, block: [u32; 3], bytes: u32) -> Result<usize, Error> {
        self.host.blocks_at_once(kernel, block, bytes)
    }
    fn copier(&self) -> Result<Self::Copier, Error> {
        self.host.copier()
    }
    unsafe fn launch(&self, kernel: &Self::Kernel, launch: &Launch) -> Result<(), Error> {
        // SAFETY: the caller's promise.
        unsafe { self.host.launch(kernel, launch) }
    }
    fn mark(&self) -> Result<Self::Mark, Error> {
        self.host.mark()
    }
}
