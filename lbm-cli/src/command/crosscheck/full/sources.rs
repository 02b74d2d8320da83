//! Where the sources of this program lie, and which they are.

use std::path::{Path, PathBuf};

use lbm_core::Error;

/// What to do where something is missing.
const REMEDY: &str = "run `cargo run --release -- crosscheck --all ..` in a clone of lbm, or leave out --all: what is compiled in needs \
     neither sources nor cargo";

/// The folder of the facade that this program was built from: this crate's lies in it.
pub(super) fn root() -> Result<PathBuf, Error> {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    if root.join("Cargo.toml").is_file() && root.join("Cargo.lock").is_file() {
        return Ok(root);
    }
    Err(unavailable(format!("the sources of lbm are not at {} any more", root.display())))
}

/// Where cargo puts what it builds from there.
pub(super) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// The error of something that is missing or does not work.
pub(super) fn unavailable(what: String) -> Error {
    Error::Unavailable { what, remedy: REMEDY.to_owned() }
}

/// The error of a file.
pub(super) fn cannot(action: &'static str, path: &Path, source: std::io::Error) -> Error {
    Error::file(action, path, source, REMEDY.to_owned())
}

/// A hash of everything that decides what the kernels are. The hash may differ from one release of Rust to the next,
/// after which everything is checked again.
pub(super) fn version(root: &Path) -> Result<u64, Error> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut files = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
    for part in ["lbm-core", "lbm-macros", "lbm-cpu", "lbm-cuda"] {
        files.push(root.join(part).join("Cargo.toml"));
        collect(&root.join(part).join("src"), &mut files)?;
    }
    for file in ["lattices.rs", "collisions.rs", "cross_check.rs"] {
        files.push(root.join("src").join(file));
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.strip_prefix(root).unwrap_or(&file).hash(&mut hasher);
        std::fs::read(&file).map_err(|error| cannot("read", &file, error))?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(|error| cannot("read", folder, error))? {
        let path = entry.map_err(|error| cannot("read", folder, error))?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
