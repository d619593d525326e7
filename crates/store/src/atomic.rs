//! Writing a file so that, whatever happens, either the old one or the whole new one is there.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{StoreError, StoreErrorKind};

/// A file that is being written under another name in the same folder, and takes its own when it
/// is [kept](Self::keep). Otherwise it is removed.
pub(crate) struct Unfinished {
    /// Where it is being written; empty once kept.
    temporary: Option<PathBuf>,
    /// Where it shall be.
    target: PathBuf,
}

impl Unfinished {
    pub(crate) fn create(path: &Path) -> Result<(Self, File), StoreError> {
        /// Tells apart the files that one process writes at once.
        static COUNT: AtomicU32 = AtomicU32::new(0);

        // A link is followed, so that it is not the link that is replaced.
        let target = match fs::metadata(path) {
            Ok(data) if !data.is_file() => {
                return Err(StoreError::new(path, StoreErrorKind::NotAFile));
            }
            Ok(_) => fs::canonicalize(path).map_err(StoreError::io(path, "find the file"))?,
            Err(_) => path.to_owned(),
        };
        let Some(name) = target.file_name() else {
            return Err(StoreError::new(path, StoreErrorKind::NotAFile));
        };
        loop {
            let mut temporary = std::ffi::OsString::from(".");
            temporary.push(name);
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            temporary.push(format!(".{}-{count}.part", std::process::id()));
            let temporary = target.with_file_name(temporary);
            match OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .open(&temporary)
            {
                Ok(file) => {
                    let unfinished = Self {
                        temporary: Some(temporary),
                        target,
                    };
                    return Ok((unfinished, file));
                }
                // Left behind by a process of the same number that was killed: not ours to take.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::io(path, "create the file")(error)),
            }
        }
    }

    /// Makes sure that the contents are on the disk, and only then gives the file its name.
    pub(crate) fn keep(mut self, file: File) -> Result<(), StoreError> {
        file.sync_all()
            .map_err(StoreError::io(&self.target, "write"))?;
        drop(file);
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.target)
                .map_err(StoreError::io(&self.target, "give the file its name"))?;
            self.temporary = None;
        }
        sync_folder(&self.target);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // Nothing more can be done about a failure here.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Has the new name written to the disk too. The file is whole under either name, so a system
/// that cannot do it (some network folders) loses nothing but promptness.
#[cfg(unix)]
fn sync_folder(path: &Path) {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_path: &Path) {}
