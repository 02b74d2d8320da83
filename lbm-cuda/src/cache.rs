//! The disk cache: compiled kernels, and short notes such as tuned launch shapes.
//!
//! The folder is what the variable `LBM_CACHE` names (empty: no cache), else `$XDG_CACHE_HOME/lbm`, else
//! `~/.cache/lbm`, else there is none. A cache only saves time: one that cannot be read or written, or an entry that
//! is damaged, is as good as none, and never an error.

mod entry;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use lbm_core::Error;
use lbm_core::file::write_atomically;
use sha2::{Digest, Sha256};

use crate::nvrtc::{Architecture, Compiled, Nvrtc};

/// A folder of entries, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The cache that the environment names; see the module.
    pub fn of_this_machine() -> Cache {
        Cache { folder: folder_of(|name| env::var_os(name)) }
    }

    /// A cache in that folder, which is made when the first entry is written.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    /// No cache: everything is compiled, nothing is remembered.
    pub fn none() -> Cache {
        Cache { folder: None }
    }

    /// Where the entries are.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether an entry can be written now, found by writing one and removing it; makes the folder.
    pub fn is_writable(&self) -> bool {
        let name = format!("writable.{}", std::process::id());
        let removed = |folder: &PathBuf| fs::remove_file(folder.join(&name)).is_ok();
        self.write(&name, b"").is_some() && self.folder.as_ref().is_some_and(removed)
    }

    /// The machine code of `source`: from the cache if source, architecture and NVRTC's version are those of an entry, else
    /// compiled and kept. The log is that of the compilation either way; [`Compiled::cached`] tells which.
    ///
    /// # Errors
    /// Those of [`Nvrtc::compile`]. Failures are not kept.
    pub fn compile(
        &self,
        nvrtc: &Nvrtc,
        source: &str,
        architecture: Architecture,
    ) -> Result<Compiled, Error> {
        let name = format!("{}.cubin", compile_key(nvrtc.version(), source, architecture));
        if let Some(compiled) = self.read(&name).and_then(|bytes| entry::decode(&bytes)) {
            return Ok(compiled);
        }
        let compiled = nvrtc.compile(source, architecture)?;
        self.write(&name, &entry::encode(&compiled));
        Ok(compiled)
    }

    /// Keeps a short text under `key`, in the place of an older one. A key should name all that the text depends on:
    /// device, variant, size.
    pub fn remember(&self, key: &str, text: &str) {
        self.write(&note_name(key), &entry::seal(text.as_bytes()));
    }

    /// The text last remembered under `key`, if it is there and undamaged.
    pub fn recall(&self, key: &str) -> Option<String> {
        let bytes = self.read(&note_name(key))?;
        String::from_utf8(entry::open(&bytes)?.to_vec()).ok()
    }

    pub(crate) fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.as_ref()?.join(name)).ok()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Option<()> {
        let folder = self.folder.as_ref()?;
        fs::create_dir_all(folder).ok()?;
        write_atomically(&folder.join(name), |file| file.write_all(bytes)).ok()
    }
}

/// The folder that the environment names; see the module.
fn folder_of(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match variable("LBM_CACHE") {
        Some(_) => set("LBM_CACHE"),
        None => set("XDG_CACHE_HOME")
            .map(|folder| folder.join("lbm"))
            .or_else(|| set("HOME").map(|home| home.join(".cache").join("lbm"))),
    }
}

fn note_name(key: &str) -> String {
    format!("{}.note", hash([key.as_bytes()]))
}

fn compile_key(nvrtc: (u32, u32), source: &str, architecture: Architecture) -> String {
    let version = format!("NVRTC {}.{}", nvrtc.0, nvrtc.1);
    let flags = architecture.flags();
    hash([&version, source].into_iter().chain(flags.iter().map(String::as_str)).map(str::as_bytes))
}

/// SHA-256 of the parts, each with its length before it, so that no two lists of parts give the same bytes.
pub(crate) fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hex(&hasher.finalize())
}

/// Bytes in hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_key_counts() {
        let key = compile_key((13, 0), "a", Architecture::SM_90);
        assert_eq!(key.len(), 64);
        assert_eq!(key, compile_key((13, 0), "a", Architecture::SM_90));
        assert_ne!(key, compile_key((13, 1), "a", Architecture::SM_90));
        assert_ne!(key, compile_key((13, 0), "b", Architecture::SM_90));
        assert_ne!(key, compile_key((13, 0), "a", Architecture::SM_80));
        assert_ne!(hash([b"ab".as_slice(), b"c"]), hash([b"a".as_slice(), b"bc"]));
    }

    #[test]
    fn the_environment_names_the_folder() {
        let folder = |variables: &[(&str, &str)]| {
            folder_of(|name| {
                variables.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value))
            })
            .map(|folder| folder.to_string_lossy().into_owned())
        };
        let home = ("HOME", "/home/ada");
        assert_eq!(folder(&[]), None);
        assert_eq!(folder(&[home]).as_deref(), Some("/home/ada/.cache/lbm"));
        assert_eq!(folder(&[home, ("XDG_CACHE_HOME", "/x")]).as_deref(), Some("/x/lbm"));
        assert_eq!(folder(&[home, ("LBM_CACHE", "/c")]).as_deref(), Some("/c"));
        assert_eq!(folder(&[home, ("LBM_CACHE", "")]), None);
    }

    #[test]
    fn notes_are_recalled_replaced_and_refused_when_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path().join("made"));
        assert_eq!(cache.recall("shape"), None);
        cache.remember("shape", "old");
        cache.remember("shape", "{\"block\": [128, 1, 1]}");
        assert_eq!(cache.recall("shape").as_deref(), Some("{\"block\": [128, 1, 1]}"));
        assert_eq!(cache.recall("another"), None);
        let file = cache.folder().unwrap().join(note_name("shape"));
        let mut bytes = fs::read(&file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&file, bytes).unwrap();
        assert_eq!(cache.recall("shape"), None);
    }

    #[test]
    fn without_a_folder_nothing_is_kept_and_nothing_fails() {
        let cache = Cache::none();
        cache.remember("shape", "text");
        assert_eq!(cache.recall("shape"), None);
        assert!(!cache.is_writable());
        let unwritable = Cache::in_folder("/proc/no/such/place");
        unwritable.remember("shape", "text");
        assert!(!unwritable.is_writable());
    }
}
