//! What is checked before the library may look at a folder: that it is there, that it has tables,
//! and that each of them has the layout of the table that its name says.

use std::fs::{self, File};
use std::path::Path;

use super::layout;
use super::name::{Kind, Name};
use crate::TablebaseError;

/// What was found.
pub(super) struct Checked {
    /// The folders in the form that the library wants.
    pub(super) folders: String,
    /// The most men of any table of outcomes. (The library believes that it has every table, and
    /// is of no help here.)
    pub(super) largest: u32,
}

/// Looks at each of the folders of `path`.
pub(super) fn check(path: &str) -> Result<Checked, TablebaseError> {
    if path.contains('\0') {
        return Err(TablebaseError::BadPath);
    }
    let separators: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };
    let mut folders = Vec::new();
    let mut largest = 0;
    for name in path.split(separators).map(str::trim) {
        if name.is_empty() {
            continue;
        }
        largest = largest.max(check_folder(Path::new(name))?);
        // Only on Windows can a colon still be there.
        let name = if name.contains(':') {
            let here = std::env::current_dir().unwrap_or_default();
            without_drive(name, &here.to_string_lossy())
                .ok_or_else(|| TablebaseError::Colon(name.into()))?
        } else {
            name
        };
        folders.push(name);
    }
    if folders.is_empty() {
        return Err(TablebaseError::BadPath);
    }
    if largest == 0 {
        return Err(TablebaseError::Empty);
    }
    Ok(Checked {
        folders: folders.join(":"),
        largest,
    })
}

/// A Windows path as it is called on the drive of the current folder `here`, without the drive's
/// letter and colon; `None` if it is on another one.
fn without_drive<'a>(name: &'a str, here: &str) -> Option<&'a str> {
    let (drive, rest) = name.split_once(':')?;
    let (current, _) = here.split_once(':')?;
    // A verbatim path, as the system may give it.
    let current = current.strip_prefix(r"\\?\").unwrap_or(current);
    (drive.len() == 1 && drive.eq_ignore_ascii_case(current) && !rest.contains(':')).then_some(rest)
}

/// The most men of a folder's tables of outcomes; 0 if there are none.
fn check_folder(folder: &Path) -> Result<u32, TablebaseError> {
    let unreadable = |error| TablebaseError::Folder(folder.into(), error);
    let mut largest = 0;
    for file in fs::read_dir(folder).map_err(unreadable)? {
        let file = file.map_err(unreadable)?.file_name();
        let Some(name) = file.to_str().and_then(Name::parse) else {
            continue;
        };
        // The library opens what the system finds by its own spelling of the name.
        let path = folder.join(name.file());
        if file != *name.file() && !path.exists() {
            continue;
        }
        if !is_table(&path, &name) {
            return Err(TablebaseError::Damaged(path));
        }
        if name.kind == Kind::Outcomes {
            largest = largest.max(name.men() as u32);
        }
    }
    Ok(largest)
}

/// Whether a file is the table of this name. Only regular files are opened: to open others may
/// take forever.
fn is_table(path: &Path, name: &Name) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file())
        && File::open(path).is_ok_and(|file| {
            file.metadata()
                .is_ok_and(|data| layout::check(file, data.len(), name).is_some())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_drive_can_be_left_out() {
        for (name, here, expected) in [
            (r"C:\tb\345", r"C:\Program Files\GUI", Some(r"\tb\345")),
            (r"d:/tb", r"D:\", Some("/tb")),
            (r"C:tb", r"\\?\C:\x", Some("tb")),
            (r"D:\tb", r"C:\", None),
            (r"C:\tb", "/home/me", None),
            (r"C:\a:b", r"C:\", None),
        ] {
            assert_eq!(without_drive(name, here), expected, "{name} at {here}");
        }
    }
}
