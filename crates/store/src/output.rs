//! Output files of any format.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::pending::PendingFile;
use crate::resolve::{Resolved, resolve};
use crate::{StoreError, StoreErrorKind, check_standard_output, params};

/// An output file of any format. A regular file is replaced as a whole; a device, a pipe or a
/// file descriptor is written to.
///
/// - A regular file is written under a hidden temporary name in the same folder, and replaces
///   the old file in [`commit`](Self::commit). Until then, and if the program ends before, the
///   old file stays as it was. The new file keeps the old one's permissions.
/// - A symbolic link is followed, and stays a link.
/// - A device or a FIFO is opened and written to.
/// - An open descriptor (`/dev/stdout`, `/dev/fd/3`) is written to, even if it leads to a regular
///   file.
///
/// Writes are buffered.
///
/// ```
/// use std::io::Write;
/// use skewer_store::OutputFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("report.txt");
///
/// let mut report = OutputFile::create(&path)?;
/// writeln!(report, "12 games")?;
/// assert!(!path.exists());
/// report.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "12 games\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is written until `commit`"]
pub struct OutputFile {
    path: PathBuf,
    pub(crate) out: BufWriter<File>,
    /// `None` if the bytes go straight to their destination.
    pending: Option<PendingFile>,
    /// Whether this is the standard output, asked for by `-`.
    is_standard: bool,
}

impl OutputFile {
    /// Begins an output file at `path`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if `path` is a folder, may not be written to, or its folder does not exist; if it is the
    /// standard output, and that is closed; or if another output file with this path is being written.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Self::in_place_of(path, |other| {
            let file = match other {
                Resolved::Descriptor(place) => open_descriptor(&place),
                Resolved::Path(target) if target.is_dir() => {
                    return Err(StoreError::new(path, StoreErrorKind::IsAFolder));
                }
                Resolved::Path(target) => OpenOptions::new().write(true).open(target),
            };
            file.map_err(StoreError::io(path, "create the file"))
        })
    }

    /// Begins an output file. If `path` is a regular file or does not exist, the output file will take its place.
    /// Otherwise, `other` opens what is at `path`, to be written to.
    pub(crate) fn in_place_of(
        path: &Path,
        other: impl FnOnce(Resolved) -> Result<File, StoreError>,
    ) -> Result<Self, StoreError> {
        let bytes = path.as_os_str().as_encoded_bytes();
        if bytes
            .last()
            .is_some_and(|&last| std::path::is_separator(last.into()))
        {
            return Err(StoreError::new(path, StoreErrorKind::IsAFolder));
        }
        let target = resolve(path).map_err(StoreError::io(path, "create the file"))?;
        let (pending, file) = match target {
            Resolved::Path(target) if fs::metadata(&target).map_or(true, |data| data.is_file()) => {
                let (pending, file) = PendingFile::create(path, target)?;
                (Some(pending), file)
            }
            target => (None, other(target)?),
        };
        Ok(Self::new(path, file, pending))
    }

    /// Begins an output file at `path`, or on the standard output if `path` is `-`.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create); or if the standard output is closed.
    pub fn create_or_stdout(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        if path != Path::new("-") {
            return Self::create(path);
        }
        let name = Path::new("standard output");
        check_standard_output()?;
        let file = standard_output().map_err(StoreError::io(name, "open it"))?;
        let mut output = Self::new(name, file, None);
        output.is_standard = true;
        Ok(output)
    }

    fn new(path: &Path, file: File, pending: Option<PendingFile>) -> Self {
        Self {
            path: path.to_owned(),
            out: BufWriter::with_capacity(params::BUFFER, file),
            pending,
            is_standard: false,
        }
    }

    /// The path that the file was created with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what is buffered, and replaces the old file by this one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the system fails. A regular file that was at the path is then still
    /// there.
    pub fn commit(self) -> Result<(), StoreError> {
        let file = match self.out.into_inner() {
            Ok(file) => file,
            Err(error) => {
                let error = lost(error.into_error(), self.is_standard);
                return Err(StoreError::writing(&self.path, error));
            }
        };
        match self.pending {
            Some(pending) => pending.publish(file),
            None => Ok(()),
        }
    }
}

/// Writing to a pipe without a reader fails with [`io::ErrorKind::BrokenPipe`] on the standard output alone. There it
/// means that the reader, such as `head`, wants no more, and programs end without an error. If another output has lost
/// its reader, data are lost, and the error is of another kind.
impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        written.map_err(|error| lost(error, self.is_standard))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        flushed.map_err(|error| lost(error, self.is_standard))
    }
}

fn lost(error: io::Error, is_standard: bool) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe if !is_standard => io::Error::other(error.to_string()),
        _ => error,
    }
}

/// Whether an output at this path is a regular file, which exists or will be created, so that it can be read again by
/// its own name. A device, a FIFO, a socket or an open descriptor (`/dev/stdout`, `/dev/fd/3`) is not.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// assert!(skewer_store::is_file_of_its_own(folder.path().join("new.csv")));
/// # #[cfg(unix)]
/// assert!(!skewer_store::is_file_of_its_own("/dev/null"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn is_file_of_its_own(path: impl AsRef<Path>) -> bool {
    match resolve(path.as_ref()) {
        Ok(Resolved::Path(target)) => fs::metadata(target).map_or(true, |data| data.is_file()),
        Ok(Resolved::Descriptor(_)) | Err(_) => false,
    }
}

/// Writes `bytes` to `path`, by the rules of [`OutputFile`].
///
/// # Errors
///
/// [`StoreError`] if the bytes cannot be written. A regular file that was at the path is then still
/// there.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<(), StoreError> {
    let path = path.as_ref();
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes.as_ref())
        .map_err(StoreError::io(path, "write"))?;
    file.commit()
}

/// Opens `/proc/PID/fd/N` or `/dev/fd/N` for writing.
///
/// Opening descriptor N on Linux opens its file anew, at offset 0. For the standard streams the
/// descriptor itself is duplicated instead, so that the output and what the program prints do not
/// overwrite each other. Other descriptors are opened to append.
fn open_descriptor(place: &Path) -> io::Result<File> {
    #[cfg(unix)]
    if place.parent() == fs::canonicalize("/dev/fd").ok().as_deref() {
        match place.file_name().and_then(|name| name.to_str()) {
            Some("1") => {
                check_standard_output().map_err(StoreError::into_kind)?;
                return standard_output();
            }
            Some("2") => return standard_error(),
            _ => {}
        }
    }
    OpenOptions::new().append(true).open(place)
}

#[cfg(not(windows))]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn standard_error() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stderr().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}
