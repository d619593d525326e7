//! A file under a temporary name, which replaces its target in one step when it is complete.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::lock::{LockedFile, is_locked};
use crate::regular::without_waiting;
use crate::{StoreError, StoreErrorKind};

/// How temporary names end.
const SUFFIX: &str = ".part";

/// How many bytes of the target's name a temporary name keeps. Most file systems allow 255 bytes,
/// and the process id, the counter and the suffix need room.
const NAME_BYTES: usize = 200;

/// A file that is written under a temporary name in the target's folder. [`publish`](Self::publish)
/// renames it to the target; dropping it removes the temporary file.
///
/// The temporary file is locked while it is open, so that the next writer can tell a file that is being
/// written, which is an error, from a file that a killed process left behind, which is removed.
#[derive(Debug)]
pub(crate) struct PendingFile {
    /// The temporary name; `None` once published.
    temporary: Option<PathBuf>,
    target: PathBuf,
}

impl PendingFile {
    /// Begins a file that will replace `target`, which is a regular file or does not exist, and whose links are
    /// resolved. `path` is the user's name of the target, for error messages.
    pub(crate) fn create(path: &Path, target: PathBuf) -> Result<(Self, File), StoreError> {
        let opening = || StoreError::io(path, "create the file");
        // A rename replaces even a write-protected file, so check first that the file may be
        // written to.
        let permissions = match without_waiting(OpenOptions::new().write(true)).open(&target) {
            Ok(old) if is_locked(&old) => {
                return Err(StoreError::new(path, StoreErrorKind::BeingWritten));
            }
            Ok(old) => Some(old.metadata().map_err(opening())?.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(opening()(error)),
        };
        let stem = temporary_stem(&target);
        // Of two writers that begin at once, the second must see the file of the first.
        let _alone = lock_folder(&target);
        if !remove_abandoned(&target, &stem) {
            return Err(StoreError::new(path, StoreErrorKind::BeingWritten));
        }
        let (temporary, file) = create_locked(&target, &stem).map_err(opening())?;
        let pending = Self {
            temporary: Some(temporary),
            target,
        };
        if let Some(permissions) = permissions {
            file.set_permissions(permissions).map_err(opening())?;
        }
        Ok((pending, file))
    }

    /// Writes the contents to the disk, and then gives the file its name.
    pub(crate) fn publish(mut self, file: File) -> Result<(), StoreError> {
        file.sync_all()
            .map_err(StoreError::io(&self.target, "write"))?;
        // Nothing else than what was written may get the name.
        if !(self.temporary.as_deref()).is_some_and(|temporary| is_named(&file, temporary)) {
            let error = io::Error::other("another program has removed or replaced it");
            return Err(StoreError::io(&self.target, "rename the unfinished file")(
                error,
            ));
        }
        // Another program may have created the file meanwhile, and add records to it.
        if fs::metadata(&self.target).is_ok_and(|data| data.is_file())
            && without_waiting(File::options().read(true))
                .open(&self.target)
                .is_ok_and(|other| is_locked(&other))
        {
            return Err(StoreError::new(&self.target, StoreErrorKind::BeingWritten));
        }
        // The lock ends after the rename, because another writer removes an unlocked temporary file. Some systems
        // cannot rename a file that is open.
        let held = Some(LockedFile::already(file)).filter(|_| cfg!(unix));
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.target)
                .map_err(StoreError::io(&self.target, "rename the finished file"))?;
            self.temporary = None;
        }
        drop(held);
        sync_folder(&self.target);
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // No caller can handle an error here; the next writer tries again.
            let _ = fs::remove_file(temporary);
        }
    }
}

/// How the temporary names for `target` begin: a dot, which hides them, and the target's name.
fn temporary_stem(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or_default();
    let mut stem = OsString::from(".");
    if name.len() <= NAME_BYTES {
        stem.push(name);
    } else {
        let name = name.to_string_lossy();
        let end = (0..=NAME_BYTES)
            .rev()
            .find(|&at| name.is_char_boundary(at))
            .unwrap_or(0);
        stem.push(&name[..end]);
    }
    stem.push(".");
    stem
}

/// Creates a temporary file for `target` and locks it.
fn create_locked(target: &Path, stem: &OsString) -> io::Result<(PathBuf, File)> {
    /// Separates the files that one process writes at once.
    static COUNT: AtomicU32 = AtomicU32::new(0);

    loop {
        let mut name = stem.clone();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        name.push(format!("{}-{count}{SUFFIX}", std::process::id()));
        let temporary = target.with_file_name(name);
        let file = match OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            Ok(file) => file,
            // Left by a killed process that had the same id: take the next name.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        match file.try_lock() {
            // Another writer took the new file for an abandoned one, and removes it.
            Err(TryLockError::WouldBlock) => {}
            Ok(()) if !temporary.exists() => {}
            // Some network file systems have no locks; nothing is removed there.
            Ok(()) | Err(TryLockError::Error(_)) => return Ok((temporary, file)),
        }
    }
}

/// Whether `path` is a name of the open file. True on systems that cannot tell.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let node = |data: io::Result<fs::Metadata>| data.map(|data| (data.dev(), data.ino())).ok();
    node(file.metadata()) == node(fs::symlink_metadata(path))
}

#[cfg(not(unix))]
fn is_named(_file: &File, _path: &Path) -> bool {
    true
}

/// Whether a process has begun a file that will replace `target`, whose links are resolved.
#[cfg(feature = "journal")]
pub(crate) fn is_being_replaced(target: &Path) -> bool {
    !remove_abandoned(target, &temporary_stem(target))
}

/// How long a writer waits while another writer looks through the folder.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks the folder of `target` until the returned file is dropped. `None` where folders have no locks, or if another
/// process does not release its lock. Two writers that begin at the same moment may then not notice each other.
fn lock_folder(target: &Path) -> Option<LockedFile> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match LockedFile::certain(File::open(folder_of(target)).ok()?) {
            Ok(folder) => return Some(folder),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(2));
            }
            Err(_) => return None,
        }
    }
}

/// Removes the temporary files for `target` that no process holds open. Returns false if a process holds
/// one of them open.
///
/// Errors are ignored: a file that cannot be removed does no harm.
fn remove_abandoned(target: &Path, stem: &OsString) -> bool {
    let stem = stem.to_string_lossy();
    let Ok(entries) = folder_of(target).read_dir() else {
        return true;
    };
    let mut is_free = true;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_temporary = name
            .strip_prefix(&*stem)
            .and_then(|rest| rest.strip_suffix(SUFFIX))
            .and_then(|rest| rest.split_once('-'))
            .is_some_and(|(process, count)| is_number(process) && is_number(count));
        if !is_temporary || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // The file is removed while the lock is held, so that no writer can take the file in between.
        let Ok(file) = without_waiting(File::options().read(true)).open(entry.path()) else {
            continue;
        };
        match LockedFile::certain(file) {
            Ok(_locked) => drop(fs::remove_file(entry.path())),
            Err(TryLockError::WouldBlock) => is_free = false,
            Err(TryLockError::Error(_)) => {}
        }
    }
    is_free
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes the folder's entry for the new name to the disk. The file is complete under either
/// name, so nothing is lost on a file system that cannot do this.
#[cfg(unix)]
fn sync_folder(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_path: &Path) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// A process that another thread starts at this moment has a copy of the file.
    #[test]
    fn a_published_file_is_not_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let begin = || PendingFile::create(&path, path.clone());
        let (pending, file) = begin().unwrap();
        let _copy = file.try_clone().unwrap();
        assert!(begin().is_err(), "two writers");
        pending.publish(file).unwrap();
        assert!(begin().is_ok());
    }

    /// A writer that begins while another program publishes a file must not take that file for an abandoned one. The
    /// writers race: most runs fail if the lock ends before the rename.
    #[test]
    fn a_file_that_is_being_published_is_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let begin = || PendingFile::create(&path, path.clone());
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            // Each may fail to begin, because another has begun.
            for _ in 0..3 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        drop(begin());
                    }
                });
            }
            let mut published = 0;
            while published < 200 {
                if let Ok((pending, file)) = begin() {
                    let result = pending.publish(file);
                    published += 1;
                    if let Err(error) = result {
                        done.store(true, Ordering::Relaxed);
                        panic!("file {published}: {error}");
                    }
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
