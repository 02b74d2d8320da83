//! Built objects kept in a folder, by a hash of everything that decides them.

use super::HostError;
use std::path::{Path, PathBuf};

/// Where built objects are kept: `<LBM_CACHE>/host`, or nowhere if the environment variable is not set.
pub(super) fn folder() -> Option<PathBuf> {
    std::env::var_os("LBM_CACHE")
        .filter(|folder| !folder.is_empty())
        .map(|folder| PathBuf::from(folder).join("host"))
}

/// The file name of what `fingerprint` and `source` give.
pub(super) fn name(fingerprint: &str, source: &str) -> String {
    let hash = [fingerprint, "\0", source]
        .iter()
        .flat_map(|part| part.bytes())
        .fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        });
    format!("{hash:032x}.so")
}

/// Puts a built object into the folder; it appears whole, also if several processes do the same.
pub(super) fn keep(folder: &Path, name: &str, object: &Path) -> Result<(), HostError> {
    let cannot = |what: &str| HostError::io(format!("{what} the cache {}", folder.display()));
    std::fs::create_dir_all(folder).map_err(cannot("create"))?;
    let temporary = tempfile::NamedTempFile::new_in(folder).map_err(cannot("write to"))?;
    std::fs::copy(object, temporary.path()).map_err(cannot("write to"))?;
    temporary.persist(folder.join(name)).map_err(|error| cannot("write to")(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_with_the_compiler_and_with_the_source() {
        assert_eq!(name("a", "b"), name("a", "b"));
        assert_ne!(name("a", "b"), name("b", "a"));
        assert_ne!(name("a", "b"), name("ab", ""));
    }
}
