//! Files that are either the old one or the whole new one, never half of it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// Writes a file through a temporary one in the same folder, which takes the name `path` once all bytes are
/// on the disk. If `content` or the disk fails, an older file of that name stays as it was.
///
/// # Errors
/// [`Error::File`] with what the system said.
pub fn write_atomically(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Error> {
    let temporary = temporary_name(path, next_number());
    let written = write_and_sync(&temporary, content).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|source| {
        // The failure to report is the first one; a leftover is only untidy.
        let _ = fs::remove_file(&temporary);
        Error::file("write", path, source, "check that the folder exists, can be written and has room left")
    })?;
    sync_folder(path);
    Ok(())
}

/// All bytes of a file, of at most `most`. Memory grows with what is there, not with what the file's system says. `remedy` is what to do
/// if it cannot be read.
///
/// # Errors
/// [`Error::File`] with what the system said, [`Error::OutOfRange`] if the file is longer than `most`, or than memory.
pub(crate) fn read_whole(path: &Path, most: u64, remedy: &str) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::file("read", path, source, remedy);
    let too_long = |length: u64, allowed: String| {
        Error::out_of_range(
            format!("the length of {}", path.display()),
            format!("{length} bytes"),
            allowed,
            "give a coarser or a smaller file",
        )
    };
    let file = File::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    if length > most {
        return Err(too_long(length, format!("at most {most} bytes")));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize).map_err(|_| too_long(length, "what memory holds".to_owned()))?;
    file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(too_long(bytes.len() as u64, format!("at most {most} bytes")));
    }
    Ok(bytes)
}

fn write_and_sync(
    temporary: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, File::create_new(temporary)?);
    content(&mut writer)?;
    writer.flush()?;
    writer.get_ref().sync_all()
}

/// Numbers that no other writer of this machine uses at the same time: of this process, and a count.
pub(crate) fn next_number() -> [[u8; 8]; 2] {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    [std::process::id().into(), COUNT.fetch_add(1, Ordering::Relaxed)].map(u64::to_le_bytes)
}

/// A hidden name beside `path` with such numbers.
pub(crate) fn temporary_name(path: &Path, number: [[u8; 8]; 2]) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let [process, count] = number.map(u64::from_le_bytes);
    path.with_file_name(format!(".{name}.{process}-{count}.partial"))
}

/// Makes the rename itself last. Not every system can sync a folder, and the file is whole either way, so a
/// failure here is not reported.
pub(crate) fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result.txt");
        write_atomically(&path, |w| w.write_all(b"old")).unwrap();
        let failure = write_atomically(&path, |w| {
            w.write_all(b"half of the new")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failure.unwrap_err().to_string().contains("the disk is full"));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        write_atomically(&path, |w| w.write_all(b"new")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("result.txt");
        let message = write_atomically(&path, |_| Ok(())).unwrap_err().to_string();
        assert!(message.contains("missing") && message.contains("folder exists"), "{message}");
    }
}
