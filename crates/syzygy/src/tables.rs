//! A set of tables: which files there are, and the tables opened so far.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use skewer_movegen::Board;

use crate::error::Fault;
use crate::material::MaterialKey;
use crate::source::{Access, Source};
use crate::table::{Table, check_length};
use crate::{Material, OpenError, ProbeError, TableError, TableKind, Wdl};

/// Files up to this length are read whole when they are first used.
const DEFAULT_WHOLE: u64 = 1 << 20;

/// A table that may not have been opened yet.
struct Entry {
    /// The table's file; `None` if the table was added from memory, and opened already.
    path: Option<PathBuf>,
    table: OnceLock<Result<Table, TableError>>,
}

/// The WDL and the DTZ table of one material.
struct Slot {
    material: Material,
    /// By `TableKind`.
    entries: [Option<Entry>; 2],
}

/// A set of Syzygy tables.
///
/// Opening a set lists its directories; a table file is opened when it is first needed and stays
/// open. Any number of threads may probe one set at once, and any number of sets may be open.
pub struct Tables {
    slots: Vec<Slot>,
    /// By the pieces on the board: the slot, and whether the sides are exchanged.
    index: HashMap<MaterialKey, (usize, bool)>,
    largest: usize,
    access: Access,
}

impl Tables {
    /// Opens the tables in one directory.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the directory cannot be read, has no WDL table, or has a file whose length
    /// no table can have.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::builder().directory(directory).open()
    }

    /// Opens the tables in a list of directories, separated by `;` or (except on Windows) `:`, as
    /// in the UCI option `SyzygyPath`.
    ///
    /// # Errors
    ///
    /// As [`Tables::open`]; also if the list is empty.
    pub fn open_list(list: &str) -> Result<Self, OpenError> {
        let separators: &[char] = if cfg!(windows) { &[';'] } else { &[';', ':'] };
        let names = list.split(separators).map(str::trim);
        let directories = names.filter(|name| !name.is_empty()).map(Path::new);
        directories
            .fold(Self::builder(), TablesBuilder::directory)
            .open()
    }

    /// Like [`open_list`](Self::open_list), but checks every header, so that most damaged files are reported here and
    /// not by a search.
    ///
    /// # Errors
    ///
    /// As [`Tables::open_list`] and [`Tables::check_headers`].
    pub fn open_checked(list: &str) -> Result<Self, OpenError> {
        let tables = Self::open_list(list)?;
        tables.check_headers()?;
        Ok(tables)
    }

    /// Returns a builder, for several directories, tables in memory or other settings.
    pub fn builder() -> TablesBuilder {
        TablesBuilder::default()
    }

    /// The most pieces on the board, kings included, of any WDL table in the set.
    #[inline]
    pub fn max_pieces(&self) -> usize {
        self.largest
    }

    /// Whether the set has this table.
    pub fn has(&self, material: Material, kind: TableKind) -> bool {
        let slot = self.index.get(&material.key());
        slot.is_some_and(|&(slot, _)| self.slots[slot].entries[kind as usize].is_some())
    }

    /// The tables with at most `pieces` pieces that the set lacks.
    pub fn missing(&self, pieces: usize) -> impl Iterator<Item = (Material, TableKind)> {
        (3..=pieces.min(crate::MAX_PIECES))
            .flat_map(Material::with_pieces)
            .flat_map(|material| TableKind::ALL.map(|kind| (material, kind)))
            .filter(|&(material, kind)| !self.has(material, kind))
    }

    /// Reads the header of every table and checks it. Damaged files are found before they are
    /// needed, apart from damage within the compressed values.
    ///
    /// # Errors
    ///
    /// The first [`TableError`] found.
    pub fn check_headers(&self) -> Result<(), TableError> {
        for slot in &self.slots {
            for kind in TableKind::ALL {
                let Some(entry) = &slot.entries[kind as usize] else {
                    continue;
                };
                // Close each file again: a full set has over a thousand, which may be more than
                // a process can have open.
                if let Some(path) = &entry.path {
                    Source::open(path, Access::Read { whole: 0 })
                        .and_then(|source| Table::new(source, &slot.material, kind))
                        .map_err(|fault| TableError::new(path, fault))?;
                }
            }
        }
        Ok(())
    }

    /// The table for the pieces on a board.
    #[inline]
    pub(crate) fn table(&self, board: &Board, kind: TableKind) -> Result<Opened<'_>, ProbeError> {
        let missing = || missing(board, kind);
        let key = MaterialKey::of(board);
        let &(slot, flip) = self.index.get(&key).ok_or_else(missing)?;
        let slot = &self.slots[slot];
        let entry = slot.entries[kind as usize].as_ref().ok_or_else(missing)?;
        let table = entry.table.get_or_init(|| {
            let path = entry.path();
            Source::open(path, self.access)
                .and_then(|source| Table::new(source, &slot.material, kind))
                .map_err(|fault| TableError::new(path, fault))
        });
        match table {
            Ok(table) => Ok(Opened { table, flip, entry }),
            Err(error) => Err(ProbeError::Table(error.clone())),
        }
    }
}

/// The error for a table that the set lacks.
#[cold]
fn missing(board: &Board, kind: TableKind) -> ProbeError {
    match Material::of(board) {
        Some(material) => ProbeError::Missing { material, kind },
        None => ProbeError::TooManyPieces {
            pieces: board.occupied().count() as usize,
            largest: crate::MAX_PIECES,
        },
    }
}

impl Entry {
    fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new("table in memory"))
    }
}

/// An open table, and whether a board is looked up in it with colors exchanged.
pub(crate) struct Opened<'a> {
    table: &'a Table,
    /// Whether Black has the pieces that the table's name has first.
    flip: bool,
    entry: &'a Entry,
}

impl Opened<'_> {
    /// As [`Table::wdl`].
    #[inline]
    pub(crate) fn wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        self.table
            .wdl(board, self.flip)
            .map_err(|fault| self.error(fault))
    }

    /// As [`Table::dtz`].
    pub(crate) fn dtz(&self, board: &Board, wdl: Wdl) -> Result<Option<u32>, ProbeError> {
        self.table
            .dtz(board, self.flip, wdl)
            .map_err(|fault| self.error(fault))
    }

    /// The error for a fault of this table.
    #[cold]
    pub(crate) fn error(&self, fault: Fault) -> ProbeError {
        ProbeError::Table(TableError::new(self.entry.path(), fault))
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("max_pieces", &self.largest)
            .field("materials", &self.slots.len())
            .finish_non_exhaustive()
    }
}

/// Collects directories, tables in memory and settings for a set of [`Tables`].
///
/// ```
/// use skewer_syzygy::Tables;
///
/// let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
/// let tables = Tables::builder()
///     .directory(directory)
///     .read_whole_up_to(4 << 20)
///     .open()
///     .unwrap();
/// assert!(tables.max_pieces() >= 3);
/// ```
#[derive(Debug)]
#[must_use]
pub struct TablesBuilder {
    directories: Vec<PathBuf>,
    memory: Vec<(Material, TableKind, Box<[u8]>)>,
    access: Access,
}

impl Default for TablesBuilder {
    fn default() -> Self {
        Self {
            directories: Vec::new(),
            memory: Vec::new(),
            access: Access::Read {
                whole: DEFAULT_WHOLE,
            },
        }
    }
}

impl TablesBuilder {
    /// Adds a directory. If two have the same table, the earlier directory's is used.
    pub fn directory(mut self, directory: impl AsRef<Path>) -> Self {
        self.directories.push(directory.as_ref().into());
        self
    }

    /// Adds a table whose file content is in memory. It is used before the tables of directories.
    pub fn table(mut self, material: Material, kind: TableKind, content: Vec<u8>) -> Self {
        self.memory.push((material, kind, content.into()));
        self
    }

    /// Files of at most this many bytes are read whole when they are first used; of larger ones
    /// each probe reads the few bytes that it needs. One mebibyte unless set.
    pub fn read_whole_up_to(mut self, bytes: u64) -> Self {
        self.access = Access::Read { whole: bytes };
        self
    }

    /// Maps files into memory instead of reading them.
    ///
    /// Nothing may change or truncate a file while it is mapped: a truncated one ends the process
    /// with a bus error, a changed one gives wrong results.
    #[cfg(feature = "memmap2")]
    pub fn map_files(mut self) -> Self {
        self.access = Access::Map;
        self
    }

    /// Opens the set.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if a directory cannot be read, there is no WDL table in any directory or in
    /// memory, a table in memory is damaged, or a directory has a file whose length no table can
    /// have.
    pub fn open(self) -> Result<Tables, OpenError> {
        let mut found: BTreeMap<Material, [Option<Entry>; 2]> = BTreeMap::new();
        for (material, kind, content) in self.memory {
            let table = Table::new(Source::Memory(content), &material, kind);
            let table = table.map_err(|fault| {
                TableError::new(
                    Path::new(&format!("{material}.{}", kind.extension())),
                    fault,
                )
            })?;
            let entry = Entry {
                path: None,
                table: OnceLock::from(Ok(table)),
            };
            found.entry(material).or_default()[kind as usize].get_or_insert(entry);
        }
        for directory in &self.directories {
            for file in list(directory)? {
                let (material, kind, path) = file?;
                let entry = Entry {
                    path: Some(path),
                    table: OnceLock::new(),
                };
                found.entry(material).or_default()[kind as usize].get_or_insert(entry);
            }
        }
        let slots: Vec<Slot> = (found.into_iter())
            .map(|(material, entries)| Slot { material, entries })
            .collect();
        // A later entry replaces an earlier one, so that the sides are not exchanged where both have the same pieces.
        let index = slots
            .iter()
            .enumerate()
            .flat_map(|(slot, Slot { material, .. })| {
                let key = material.key();
                [(key.flipped(), (slot, true)), (key, (slot, false))]
            });
        let with_wdl = slots.iter().filter(|slot| slot.entries[0].is_some());
        let largest = with_wdl.map(|slot| slot.material.pieces()).max();
        let Some(largest) = largest else {
            let first = self.directories.into_iter().next();
            return Err(first.map_or(OpenError::NoDirectory, OpenError::NoTables));
        };
        Ok(Tables {
            index: index.collect(),
            slots,
            largest,
            access: self.access,
        })
    }
}

/// The tables in a directory. Other files are ignored.
fn list(
    directory: &Path,
) -> Result<impl Iterator<Item = Result<(Material, TableKind, PathBuf), OpenError>>, OpenError> {
    let unreadable = |error| OpenError::Directory(directory.into(), error);
    let mut files = Vec::new();
    for file in fs::read_dir(directory).map_err(unreadable)? {
        let path = file.map_err(unreadable)?.path();
        let name =
            |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
        let (Some(stem), Some(extension)) = (name(path.file_stem()), name(path.extension())) else {
            continue;
        };
        let kind = TableKind::ALL
            .into_iter()
            .find(|kind| extension.eq_ignore_ascii_case(kind.extension()));
        if let (Ok(material), Some(kind)) = (stem.parse(), kind) {
            files.push((material, kind, path));
        }
    }
    // `read_dir` returns files in no particular order.
    files.sort_unstable();
    Ok(files.into_iter().map(|(material, kind, path)| {
        let check = || {
            // Do not open the file: opening a named pipe can block.
            let metadata = fs::metadata(&path)?;
            if !metadata.is_file() {
                return Err(Fault::Unusable("not a regular file"));
            }
            check_length(metadata.len())
        };
        match check() {
            Ok(()) => Ok((material, kind, path)),
            Err(fault) => Err(TableError::new(&path, fault).into()),
        }
    }))
}
