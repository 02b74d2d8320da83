//! What can go wrong between a kernel's text and its result.

use std::path::PathBuf;

/// A failure of the build, the load or the run of a kernel on the host.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// No C++ compiler answers.
    #[error(
        "no C++ compiler was found (tried {}); install g++ or clang++ (Debian: `apt install g++`, Fedora: `dnf install \
         gcc-c++`, macOS: `xcode-select --install`), or name one in the environment variable CXX",
        tried.join(", ")
    )]
    NoCompiler {
        /// The commands tried.
        tried: Vec<String>,
    },
    /// The compiler refused the text.
    #[error(
        "kernel `{kernel}` does not build on the host: {message}{}{}\n{log}",
        line.map(|line| format!("\n  line {line}")).unwrap_or_default(),
        source_line.as_ref().map(|text| format!(": {}", text.trim())).unwrap_or_default()
    )]
    Compile {
        /// Which text, by its name.
        kernel: String,
        /// Line of the kernel's text, from 1, where the compiler said it.
        line: Option<usize>,
        /// That line.
        source_line: Option<String>,
        /// The first error.
        message: String,
        /// Everything the compiler said.
        log: String,
    },
    /// The text has no such kernel.
    #[error("kernel `{kernel}` has no entry `{entry}`; it has {}", known.join(", "))]
    UnknownEntry {
        /// Which text.
        kernel: String,
        /// The name asked for.
        entry: String,
        /// The entries that were named when it was built.
        known: Vec<String>,
    },
    /// The built object could not be loaded.
    #[error("cannot load {}: {message}; is the folder mounted without the right to execute? set TMPDIR to another", path.display())]
    Load {
        /// The shared object.
        path: PathBuf,
        /// What the loader said.
        message: String,
    },
    /// A file could not be written or a process not started.
    #[error("cannot {action}: {source}")]
    Io {
        /// What was tried.
        action: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A launch outside of what a device allows, or one whose arguments do not fit.
    #[error("launch of `{entry}`: {what} is {found}, allowed is {allowed}")]
    Launch {
        /// The kernel.
        entry: String,
        /// What does not fit.
        what: &'static str,
        /// What was given.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// Threads wait for others that never come.
    #[error("deadlock in `{entry}`, block {block:?}: {waiting}")]
    Deadlock {
        /// The kernel.
        entry: String,
        /// The block whose threads wait.
        block: [u32; 3],
        /// Who waits where, with lines of the text.
        waiting: String,
    },
    /// Threads spin and nothing changes.
    #[error(
        "`{entry}` spins in block {block:?}: {turns} turns without a thread that ends or meets another; if blocks wait for \
         each other, more of them must be in flight ({in_flight} now)"
    )]
    Spinning {
        /// The kernel.
        entry: String,
        /// One of the blocks.
        block: [u32; 3],
        /// How often each thread had its turn.
        turns: u64,
        /// Blocks alive at once.
        in_flight: u32,
    },
    /// The lanes that a mask names do different things, or a lane is not in its own mask.
    #[error("`{entry}`, block {block:?}, line {line}: {what}")]
    Meeting {
        /// The kernel.
        entry: String,
        /// The block.
        block: [u32; 3],
        /// Line of the kernel's text.
        line: u32,
        /// What is wrong.
        what: String,
    },
    /// A thread used more stack than a fibre has.
    #[error(
        "a thread of `{entry}` needs more than {bytes} bytes of stack; move its large local arrays elsewhere"
    )]
    StackOverflow {
        /// The kernel.
        entry: String,
        /// Size of a fibre's stack.
        bytes: usize,
    },
}

impl HostError {
    /// An error of the system while doing `action`.
    pub(super) fn io(action: impl Into<String>) -> impl FnOnce(std::io::Error) -> HostError {
        let action = action.into();
        move |source| HostError::Io { action, source }
    }
}
