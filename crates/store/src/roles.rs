//! Whether an output of a command would overwrite one of its other files.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::resolve::{Resolved, resolve};

/// The files that a command was given, collected before anything is opened.
///
/// [`check`](Self::check) refuses an output or a journal that is the same file as another file of
/// the command. Files are compared by device and inode, so that links and other spellings of a path
/// are found too. A file that does not exist yet is compared by its canonical folder and its name.
/// `-` stands for the standard input or output.
///
/// `/dev/null` may be used for several outputs, and a terminal or a socket for input and output.
///
/// ```
/// use skewer_store::CommandFiles;
///
/// let mut files = CommandFiles::new();
/// files.input("games.pgn");
/// files.output("--csv", "./games.pgn");
/// assert_eq!(
///     files.check().unwrap_err().to_string(),
///     "./games.pgn (--csv output) is the same file as games.pgn (input); choose another output"
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct CommandFiles {
    files: Vec<CommandFile>,
}

#[derive(Debug, Clone)]
struct CommandFile {
    path: PathBuf,
    role: Role,
    id: FileId,
}

/// What a command does with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Role {
    Input,
    Journal,
    /// Holds the option that names the output, for example `--csv`.
    Output(String),
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input => f.write_str("input"),
            Self::Journal => f.write_str("journal"),
            Self::Output(option) => write!(f, "{option} output"),
        }
    }
}

/// Identifies a file independently of its path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FileId {
    #[cfg(unix)]
    Inode { device: u64, inode: u64 },
    /// A terminal or a socket, which can be both read from and written to.
    #[cfg(unix)]
    Stream { device: u64, inode: u64 },
    /// `/dev/null`, or anything that cannot be identified.
    Any,
    /// A file that does not exist yet.
    Place(PathBuf),
}

/// Two files of a command are the same, and one of them would be overwritten.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct FileConflictError {
    message: String,
}

impl CommandFiles {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Files that are read.
    pub fn reading(paths: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        let mut files = Self::new();
        for path in paths {
            files.input(path);
        }
        files
    }

    /// Adds a file that is read.
    pub fn input(&mut self, path: impl AsRef<Path>) -> &mut Self {
        self.add(path.as_ref(), Role::Input)
    }

    /// Adds a file that is read and added to.
    pub fn journal(&mut self, path: impl AsRef<Path>) -> &mut Self {
        self.add(path.as_ref(), Role::Journal)
    }

    /// Adds a file that is written, and named by `option`, for example `--csv`.
    pub fn output(&mut self, option: &str, path: impl AsRef<Path>) -> &mut Self {
        self.add(path.as_ref(), Role::Output(option.to_owned()))
    }

    fn add(&mut self, path: &Path, role: Role) -> &mut Self {
        let id = match (path == Path::new("-"), &role) {
            (true, Role::Input) => standard_input(),
            (true, _) => standard_output(),
            (false, _) => FileId::of(path),
        };
        self.files.push(CommandFile {
            path: path.to_owned(),
            role,
            id,
        });
        self
    }

    /// Checks that no output and no journal is one of the other files.
    ///
    /// # Errors
    ///
    /// [`FileConflictError`] if one is. Its text is a complete message for the user.
    pub fn check(&self) -> Result<(), FileConflictError> {
        for (index, second) in self.files.iter().enumerate() {
            for first in &self.files[..index] {
                if first.conflicts_with(second) {
                    return Err(first.conflict(second));
                }
            }
        }
        Ok(())
    }
}

impl CommandFile {
    fn conflicts_with(&self, other: &Self) -> bool {
        let reads = |file: &Self| file.role == Role::Input;
        match &self.id {
            FileId::Any => false,
            #[cfg(unix)]
            FileId::Stream { .. } if reads(self) || reads(other) => false,
            id => *id == other.id && !(reads(self) && reads(other)),
        }
    }

    fn conflict(&self, other: &Self) -> FileConflictError {
        // The file to change comes last.
        let (kept, changed) = match (&self.role, &other.role) {
            (Role::Output(_), Role::Input | Role::Journal) | (Role::Journal, Role::Input) => {
                (other, self)
            }
            _ => (self, other),
        };
        let another = match changed.role {
            Role::Journal => "journal",
            Role::Input | Role::Output(_) => "output",
        };
        let message = if kept.path == changed.path {
            format!(
                "{} is both {} and {}; choose another {another}",
                kept.name(),
                kept.role,
                changed.role
            )
        } else {
            format!(
                "{} ({}) is the same file as {} ({}); choose another {another}",
                changed.name(),
                changed.role,
                kept.name(),
                kept.role
            )
        };
        FileConflictError { message }
    }

    fn name(&self) -> std::borrow::Cow<'_, str> {
        if self.path != Path::new("-") {
            return self.path.to_string_lossy();
        }
        match self.role {
            Role::Input => "standard input".into(),
            Role::Journal | Role::Output(_) => "standard output".into(),
        }
    }
}

impl FileId {
    fn of(path: &Path) -> Self {
        if let Ok(data) = fs::metadata(path) {
            return Self::of_existing(path, &data);
        }
        match resolve(path) {
            Ok(Resolved::Path(place) | Resolved::Descriptor(place)) => Self::Place(place),
            Err(_) => Self::Place(std::path::absolute(path).unwrap_or_else(|_| path.to_owned())),
        }
    }

    #[cfg(unix)]
    fn of_existing(_path: &Path, data: &Metadata) -> Self {
        use std::os::unix::fs::{FileTypeExt, MetadataExt};
        let is_null = |data: &Metadata| {
            fs::metadata("/dev/null").is_ok_and(|null| null.rdev() == data.rdev())
        };
        let (device, inode) = (data.dev(), data.ino());
        let kind = data.file_type();
        if kind.is_char_device() && is_null(data) {
            Self::Any
        } else if kind.is_char_device() || kind.is_socket() {
            Self::Stream { device, inode }
        } else {
            Self::Inode { device, inode }
        }
    }

    #[cfg(not(unix))]
    fn of_existing(path: &Path, _data: &Metadata) -> Self {
        fs::canonicalize(path).map_or(Self::Any, Self::Place)
    }
}

#[cfg(unix)]
fn of_descriptor(descriptor: std::io::Result<std::os::fd::OwnedFd>) -> FileId {
    match descriptor.and_then(|owned| fs::File::from(owned).metadata()) {
        Ok(data) => FileId::of_existing(Path::new("-"), &data),
        Err(_) => FileId::Any,
    }
}

#[cfg(unix)]
fn standard_input() -> FileId {
    use std::os::fd::AsFd;
    of_descriptor(std::io::stdin().as_fd().try_clone_to_owned())
}

#[cfg(unix)]
fn standard_output() -> FileId {
    use std::os::fd::AsFd;
    of_descriptor(std::io::stdout().as_fd().try_clone_to_owned())
}

/// Standard streams cannot be compared with files here, but two uses of the same stream are found.
#[cfg(not(unix))]
fn standard_input() -> FileId {
    FileId::Place("standard input".into())
}

#[cfg(not(unix))]
fn standard_output() -> FileId {
    FileId::Place("standard output".into())
}
