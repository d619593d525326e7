//! Locks of open files.

use std::fs::{File, TryLockError};
use std::ops::{Deref, DerefMut};

/// A file that this program has locked. Dropping it unlocks the file and closes it.
///
/// Some network file systems have no locks. The file is then not locked.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Locks `file`. `None` if another opening of the file has locked it, in this program or in another.
    #[cfg(feature = "journal")]
    pub(crate) fn new(file: File) -> Option<Self> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => None,
            Ok(()) | Err(TryLockError::Error(_)) => Some(Self(file)),
        }
    }

    /// Takes a file that this opening has locked already.
    pub(crate) fn already(file: File) -> Self {
        Self(file)
    }

    /// Locks `file`. Fails if another opening of the file has locked it, and where there are no locks.
    pub(crate) fn certain(file: File) -> Result<Self, TryLockError> {
        file.try_lock()?;
        Ok(Self(file))
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        unlock(&self.0);
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

/// Ends the lock of a file that is about to be closed.
///
/// Closing alone is not enough. A process that another thread starts has a copy of every open file until it runs its
/// own program, and a lock lasts until the last copy is closed. Unlocking ends the lock for all copies.
fn unlock(file: &File) {
    // Fails only where there are no locks.
    let _ = file.unlock();
}

/// Whether another opening of the file has locked it for writing, as a program that appends to a file does.
pub(crate) fn is_locked(file: &File) -> bool {
    let is_locked = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
    if !is_locked {
        unlock(file);
    }
    is_locked
}

#[cfg(all(test, feature = "journal"))]
mod tests {
    use super::*;

    /// A copy stands for a process that another thread has just started.
    #[test]
    fn copies_keep_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let open = || {
            let mut options = File::options();
            let file = options.read(true).append(true).create(true).open(&path);
            file.unwrap()
        };
        let locked = LockedFile::new(open()).unwrap();
        let _copy = locked.try_clone().unwrap();
        assert!(is_locked(&open()));
        assert!(LockedFile::new(open()).is_none());
        drop(locked);
        let looked = open();
        assert!(!is_locked(&looked));
        assert!(LockedFile::certain(open()).is_ok());
        assert!(LockedFile::new(open()).is_some());
    }
}
