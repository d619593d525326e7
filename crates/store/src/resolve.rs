//! Where a path leads, once symbolic links are followed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How many symbolic links in a row are followed; Linux stops at the same number.
const LINK_LIMIT: usize = 40;

/// What a path names.
#[derive(Debug)]
pub(crate) enum Resolved {
    /// A file, or a place for one. The folder is canonical and the name is no symbolic link.
    Path(PathBuf),
    /// An open file descriptor of a process, such as `/dev/stdout`, `/dev/fd/3` or
    /// `/proc/self/fd/3`.
    Descriptor(PathBuf),
}

/// Follows `path` to its end. The last part need not exist.
///
/// # Errors
///
/// If the folder does not exist, there is no name, or there are too many symbolic links.
pub(crate) fn resolve(path: &Path) -> io::Result<Resolved> {
    let mut path = path.to_owned();
    for _ in 0..LINK_LIMIT {
        let Some(name) = path.file_name() else {
            return Ok(Resolved::Path(fs::canonicalize(path)?));
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = fs::canonicalize(folder)?;
        let place = folder.join(name);
        if holds_descriptors(&folder) {
            return Ok(Resolved::Descriptor(place));
        }
        match fs::symlink_metadata(&place) {
            Ok(data) if data.is_symlink() => path = folder.join(fs::read_link(&place)?),
            _ => return Ok(Resolved::Path(place)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Whether the entries of this canonical folder are file descriptors: `/dev/fd` where it is a
/// folder of its own, or `/proc/PID/fd`, to which it leads on Linux.
fn holds_descriptors(folder: &Path) -> bool {
    folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
}
