//! Texts that are built together when the first of them is launched.

use super::{HostError, HostKernel, HostModule, HostText, build_all};
use lbm_core::Error;
use std::sync::{Arc, Mutex, OnceLock};

/// Texts a translation unit: fewer start the compiler more often, more keep it from being run beside another.
const TEXTS_PER_UNIT: usize = 10;

/// Notes texts instead of building them, and builds all that were noted when one is launched, several a translation
/// unit. That saves most of what building them one by one costs; a text that does not build is an error of its launches.
#[derive(Debug, Default)]
pub struct HostBatch {
    noted: Mutex<Vec<Arc<Noted>>>,
}

/// A text, and its module once that is built.
#[derive(Debug)]
struct Noted {
    text: String,
    entries: Vec<String>,
    module: OnceLock<Result<HostModule, HostError>>,
}

/// A kernel of a text that was noted.
#[derive(Debug)]
pub struct BatchedKernel {
    batch: Arc<HostBatch>,
    noted: Arc<Noted>,
    entry: String,
}

impl HostBatch {
    /// Notes a text and gives its kernels. The same text is built once.
    #[must_use]
    pub fn note(self: &Arc<Self>, text: &str, entries: &[String]) -> Vec<BatchedKernel> {
        let mut all = self.noted.lock().expect("no holder panics");
        let known = all.iter().find(|noted| noted.text == text && noted.entries == entries).cloned();
        let noted = known.unwrap_or_else(|| {
            let (text, entries) = (text.to_owned(), entries.to_owned());
            let noted = Arc::new(Noted { text, entries, module: OnceLock::new() });
            all.push(noted.clone());
            noted
        });
        let kernel = |entry: &String| BatchedKernel {
            batch: self.clone(),
            noted: noted.clone(),
            entry: entry.clone(),
        };
        entries.iter().map(kernel).collect()
    }

    /// Builds everything that was noted and is not built yet.
    pub fn build(&self) {
        // Held to the end, so that nobody builds the same twice.
        let all = self.noted.lock().expect("no holder panics");
        let waiting: Vec<&Noted> =
            all.iter().map(Arc::as_ref).filter(|noted| noted.module.get().is_none()).collect();
        let entries: Vec<Vec<&str>> =
            waiting.iter().map(|noted| noted.entries.iter().map(String::as_str).collect()).collect();
        let texts: Vec<HostText<'_>> = waiting
            .iter()
            .zip(&entries)
            .map(|(noted, entries)| HostText { name: "kernel", text: &noted.text, entries })
            .collect();
        for (noted, module) in waiting.iter().zip(build_all(&texts, TEXTS_PER_UNIT)) {
            // Nobody else fills it while the list is locked.
            let _ = noted.module.set(module);
        }
    }
}

impl BatchedKernel {
    /// The kernel, built with all that was noted if need be.
    ///
    /// # Errors
    /// The text does not build.
    pub fn built(&self) -> Result<HostKernel, Error> {
        if self.noted.module.get().is_none() {
            self.batch.build();
        }
        let module = self.noted.module.get().expect("all that was noted is built");
        Ok(module.as_ref()?.kernel(&self.entry)?)
    }
}
