//! Kernel texts, built and loaded.

use super::fibre::{Fibre, Table};
use super::source::assemble;
use super::{HostCompiler, HostError, HostKernel, HostText};
use crate::cache::{Cache, hash};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// One text, built by the host's compiler and loaded. Cheap to clone.
#[derive(Clone, Debug)]
pub struct HostModule {
    name: String,
    kernels: Vec<HostKernel>,
}

/// A loaded shared object, which may hold several texts.
#[derive(Debug)]
pub(super) struct Object {
    pub table: *const Table,
    /// Held during a launch: the built-in variables and the shared arrays are the object's.
    pub turn: Mutex<()>,
    _library: libloading::Library,
    // Dropped after the library, which lies in it.
    _folder: tempfile::TempDir,
}

// SAFETY: the table is constant; what it points to is used only by the holder of `turn`.
unsafe impl Send for Object {}
// SAFETY: as above.
unsafe impl Sync for Object {}

impl HostModule {
    /// Builds one text and loads it. Messages call it `kernel`.
    ///
    /// # Errors
    /// No compiler, a text that it refuses (with the line of the text), an entry that the text does not name, a folder
    /// that cannot be written.
    pub fn build(text: &str, entries: &[&str]) -> Result<HostModule, HostError> {
        let mut built = HostModule::build_many(&[HostText { name: "kernel", text, entries }])?;
        Ok(built.remove(0))
    }

    /// Builds several texts as one translation unit, each in its own namespace, which saves most of what starting the
    /// compiler and the linker costs. Gives one module a text, in the same order.
    ///
    /// # Errors
    /// As [`HostModule::build`]; one bad text fails them all.
    pub fn build_many(texts: &[HostText<'_>]) -> Result<Vec<HostModule>, HostError> {
        for text in texts {
            if let Some(missing) = text.entries.iter().find(|&&entry| !text.text.contains(entry)) {
                return Err(unknown(text.name, missing, &["no function of this name"]));
            }
        }
        if texts.iter().all(|text| text.entries.is_empty()) {
            let first = texts.first().map_or("none", |text| text.name);
            return Err(unknown(first, "", &["none: name at least one entry"]));
        }
        let object = Arc::new(Object::build(texts, &kept_objects())?);
        // The object's table has the entries of all texts, one after the other.
        let mut numbers = 0..;
        let module = |text: &HostText<'_>| {
            let (entries, meets) = (text.entries.iter().zip(&mut numbers), text.meets());
            let kernels = entries.map(|(entry, n)| HostKernel::new(object.clone(), entry, n, meets));
            HostModule { name: text.name.to_owned(), kernels: kernels.collect() }
        };
        Ok(texts.iter().map(module).collect())
    }

    /// The kernel of this name.
    ///
    /// # Errors
    /// [`HostError::UnknownEntry`] if it was not among the entries of the build.
    pub fn kernel(&self, entry: &str) -> Result<HostKernel, HostError> {
        let found = self.kernels.iter().find(|kernel| kernel.name == entry).cloned();
        found.ok_or_else(|| {
            let known: Vec<&str> = self.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
            unknown(&self.name, entry, &known)
        })
    }
}

fn unknown(kernel: &str, entry: &str, known: &[&str]) -> HostError {
    let known = known.iter().map(|&entry| entry.to_owned()).collect();
    HostError::UnknownEntry { kernel: kernel.to_owned(), entry: entry.to_owned(), known }
}

/// Builds many texts, `at_once` a translation unit, and gives one result a text, in the same order. If a unit fails its texts
/// are built again one by one, so that only the bad ones fail.
pub fn build_all(texts: &[HostText<'_>], at_once: usize) -> Vec<Result<HostModule, HostError>> {
    texts.chunks(at_once.max(1)).flat_map(build_unit).collect()
}

fn build_unit(texts: &[HostText<'_>]) -> Vec<Result<HostModule, HostError>> {
    match HostModule::build_many(texts) {
        Ok(modules) => modules.into_iter().map(Ok).collect(),
        Err(error) if texts.len() == 1 => vec![Err(error)],
        Err(_) => texts.iter().flat_map(|text| build_unit(std::slice::from_ref(text))).collect(),
    }
}

/// Where built objects are kept: in `<LBM_CACHE>/host`, or nowhere if the variable is not set.
fn kept_objects() -> Cache {
    let folder = std::env::var_os("LBM_CACHE").filter(|folder| !folder.is_empty());
    folder.map_or_else(Cache::none, |folder| Cache::in_folder(Path::new(&folder).join("host")))
}

impl Object {
    /// Builds and loads the texts, or takes what an earlier build left in the cache.
    fn build(texts: &[HostText<'_>], cache: &Cache) -> Result<Object, HostError> {
        let compiler = HostCompiler::find()?;
        let source = assemble(texts);
        let name = format!("{}.so", hash([compiler.fingerprint().as_bytes(), source.as_bytes()]));
        let folder = tempfile::Builder::new()
            .prefix("lbm-host-")
            .tempdir()
            .map_err(HostError::io("create a temporary folder for the compiler"))?;
        let (file, path) = (folder.path().join("kernels.cpp"), folder.path().join("kernels.so"));
        // Loaded from a copy: the loader gives the same file only once, and with it the variables of another object.
        // A damaged file does not load and is built anew.
        let copied = cache.read(&name).filter(|object| std::fs::write(&path, object).is_ok());
        let (table, library) = match copied.and_then(|_| load(&path).ok()) {
            Some(loaded) => loaded,
            None => {
                std::fs::write(&file, &source).map_err(HostError::io(format!("write {}", file.display())))?;
                if let Err(log) = compiler.build(&file, &path)? {
                    return Err(refusal(texts, log));
                }
                if let Ok(object) = std::fs::read(&path) {
                    cache.write(&name, &object);
                }
                load(&path)?
            }
        };
        Ok(Object { table, turn: Mutex::new(()), _library: library, _folder: folder })
    }
}

/// Loads a built object.
fn load(path: &Path) -> Result<(*const Table, libloading::Library), HostError> {
    let cannot = |message: String| HostError::Load { path: PathBuf::from(path), message };
    // SAFETY: the object was built from our own stubs; loading it runs no code of the texts, as device variables have
    // constant initialisers.
    let library = unsafe { libloading::Library::new(path) }.map_err(|error| cannot(error.to_string()))?;
    // SAFETY: `lbm_table` is exported with this type by `shim/entry.h`; a symbol's value is its address.
    let table: *const Table =
        *unsafe { library.get::<*const Table>(b"lbm_table") }.map_err(|error| cannot(error.to_string()))?;
    // SAFETY: the table lives as long as the library.
    if unsafe { (*table).fibre_bytes } != size_of::<Fibre>() {
        return Err(cannot("it was built with another shim".to_owned()));
    }
    Ok((table, library))
}

/// The first error in the compiler's log, and which text and line it means.
fn refusal(texts: &[HostText<'_>], log: String) -> HostError {
    let found = log.lines().find_map(|said| {
        texts.iter().find_map(|text| {
            let (line, said) = said.strip_prefix(&text.file_name())?.strip_prefix(':')?.split_once(':')?;
            let message = said.split_once("error: ")?.1;
            Some((text, line.parse::<usize>().ok()?, message.to_owned()))
        })
    });
    let (kernel, line, source_line, message) = match found {
        Some((text, line, message)) => {
            let quoted = text.text.lines().nth(line.wrapping_sub(1)).map(str::to_owned);
            (text.name.to_owned(), Some(line), quoted, message)
        }
        None => {
            let names: Vec<&str> = texts.iter().map(|text| text.name).collect();
            let said = log.lines().find(|said| said.contains("error")).unwrap_or("the compiler failed");
            (names.join(", "), None, None, said.to_owned())
        }
    };
    HostError::Compile { kernel, line, source_line, message, log }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_of_the_log_is_found_with_its_line() {
        let text = HostText { name: "a b", text: "first\nsecond\n", entries: &[] };
        let log = "shim/x.h:3:1: note: n\na b:2:5: error: no\na b:1:1: error: later\n".to_owned();
        let HostError::Compile { line, source_line, message, .. } = refusal(&[text], log) else { panic!() };
        assert_eq!((line, source_line.as_deref(), message.as_str()), (Some(2), Some("second"), "no"));
    }

    #[test]
    fn a_cached_object_has_variables_of_its_own_and_a_damaged_one_is_built_again() {
        let test = "a_cached_object_has_variables_of_its_own_and_a_damaged_one_is_built_again";
        if crate::testing::cxx_or_skip(test).is_none() {
            return;
        }
        let text = "extern \"C\" __global__ void run(int* out) { out[0] = 1; }";
        let text = HostText { name: "t", text, entries: &["run"] };
        let folder = tempfile::tempdir().unwrap();
        let build = || Object::build(&[text], &Cache::in_folder(folder.path().join("host"))).unwrap();
        let files =
            || std::fs::read_dir(folder.path().join("host")).unwrap().map(|file| file.unwrap().path());
        let objects = [build(), build(), build()];
        assert_ne!(objects[0].table, objects[1].table);
        assert_ne!(objects[1].table, objects[2].table);
        assert_eq!(files().count(), 1);
        let file = files().next().unwrap();
        let size = std::fs::metadata(&file).unwrap().len();
        std::fs::write(&file, "damaged").unwrap();
        drop(build());
        assert_eq!(std::fs::metadata(&file).unwrap().len(), size);
    }
}
