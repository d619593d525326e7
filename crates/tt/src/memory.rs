//! Allocation of the table's memory: zeroed, in huge pages if possible, or an error.

use std::fmt;

use crate::cluster::{CLUSTER_BYTES, Cluster, WORDS};
use crate::sync::AtomicU64;

const MEGABYTE: usize = 1 << 20;

/// The size of a table.
///
/// ```
/// # use skewer_tt::TableSize;
/// assert_eq!(TableSize::from_megabytes(16).bytes(), Some(16 * 1024 * 1024));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TableSize {
    megabytes: usize,
}

impl TableSize {
    /// The smallest table: 1 MB.
    pub const MIN: Self = Self::from_megabytes(1);

    /// A size in megabytes of 2^20 bytes. Any number is accepted here; creating a table fails if the
    /// machine does not have that much memory.
    pub const fn from_megabytes(megabytes: usize) -> Self {
        Self { megabytes }
    }

    /// The size in megabytes of 2^20 bytes.
    pub const fn megabytes(self) -> usize {
        self.megabytes
    }

    /// The size in bytes; `None` if it exceeds the address space.
    pub const fn bytes(self) -> Option<usize> {
        self.megabytes.checked_mul(MEGABYTE)
    }
}

impl fmt::Display for TableSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.megabytes)
    }
}

/// Why a table could not be created or resized. A table that could not be resized is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Less than [`TableSize::MIN`].
    #[error(
        "a hash table of {requested} is too small; the least is {}",
        TableSize::MIN
    )]
    TooSmall {
        /// The requested size.
        requested: TableSize,
    },
    /// More than the memory of the machine or of the process's control group.
    #[error(
        "a hash table of {requested} does not fit into the {available} of memory; choose a smaller one"
    )]
    BeyondMemory {
        /// The requested size.
        requested: TableSize,
        /// The available memory.
        available: TableSize,
    },
    /// The system refused the allocation.
    #[error("the system refuses {requested} of memory for a hash table; choose a smaller one")]
    Refused {
        /// The requested size.
        requested: TableSize,
    },
}

/// Whether the table is in huge pages, which avoid a TLB miss at nearly every probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HugePages {
    /// The system agreed to use them where possible.
    Advised,
    /// The table is smaller than a huge page.
    TooSmall,
    /// The system's administrator has switched them off.
    SwitchedOff,
    /// The system refused, with this error number.
    Refused {
        /// The `errno` of the refusal.
        errno: i32,
    },
    /// Huge pages are not supported on this platform.
    Unsupported,
}

impl fmt::Display for HugePages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Advised => f.write_str("hash table in huge pages"),
            Self::TooSmall => f.write_str("hash table too small for huge pages"),
            Self::SwitchedOff => f.write_str("huge pages are switched off on this system"),
            Self::Refused { errno } => write!(f, "the system refused huge pages (error {errno})"),
            Self::Unsupported => f.write_str("huge pages are not used on this platform"),
        }
    }
}

/// Zeroed clusters, aligned to their size so that none straddles two cache lines.
pub(crate) struct Clusters {
    words: Vec<AtomicU64>,
    /// The first word of the first cluster.
    start: usize,
    /// The number of clusters; never zero.
    count: usize,
    huge_pages: HugePages,
}

impl Clusters {
    /// Memory that is all zero, for as many clusters as fit `size`.
    ///
    /// Nothing is written if the system provides zeroed pages.
    pub(crate) fn allocate(size: TableSize) -> Result<Self, TableError> {
        if size < TableSize::MIN {
            return Err(TableError::TooSmall { requested: size });
        }
        if let Some(available) = physical_memory()
            && size > available
        {
            return Err(TableError::BeyondMemory {
                requested: size,
                available,
            });
        }
        let refused = TableError::Refused { requested: size };
        let count = size.bytes().ok_or(refused)? / CLUSTER_BYTES;
        // The standard allocator does not zero lazily with a larger alignment, so align here, with one
        // cluster to spare.
        let words = zeroed_words((count + 1) * WORDS).ok_or(refused)?;
        let misaligned = words.as_ptr() as usize % CLUSTER_BYTES;
        let start = (CLUSTER_BYTES - misaligned) % CLUSTER_BYTES / size_of::<AtomicU64>();
        let huge_pages = advise_huge_pages(&words);
        Ok(Self {
            words,
            start,
            count,
            huge_pages,
        })
    }

    /// All clusters.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[Cluster] {
        self.words[self.start..self.start + self.count * WORDS]
            .as_chunks()
            .0
    }

    /// Zeroes all clusters.
    pub(crate) fn zero(&mut self) {
        #[cfg(not(loom))]
        bytemuck::fill_zeroes(&mut self.words);
        #[cfg(loom)]
        for word in &self.words {
            word.store(0, crate::sync::Ordering::Relaxed);
        }
    }

    pub(crate) fn huge_pages(&self) -> HugePages {
        self.huge_pages
    }
}

#[cfg(not(loom))]
fn zeroed_words(count: usize) -> Option<Vec<AtomicU64>> {
    // The allocating crate panics if the layout overflows, so check it first.
    (count <= isize::MAX as usize / size_of::<AtomicU64>())
        .then(|| bytemuck::allocation::try_zeroed_vec(count).ok())
        .flatten()
}

#[cfg(loom)]
fn zeroed_words(count: usize) -> Option<Vec<AtomicU64>> {
    Some((0..count).map(|_| AtomicU64::new(0)).collect())
}

/// The memory available to this process: the machine's or, if less, its control group's limit. `None` if the
/// system does not report it.
#[cfg(target_os = "linux")]
fn physical_memory() -> Option<TableSize> {
    let machine = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix("MemTotal:"))?;
            let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(kilobytes / 1024)
        })?;
    // Version 2 of control groups, seen from inside a container; "max" does not parse.
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max")
        .ok()
        .and_then(|text| text.trim().parse::<usize>().ok())
        .map_or(usize::MAX, |bytes| bytes / MEGABYTE);
    Some(TableSize::from_megabytes(machine.min(group)))
}

/// The memory of the machine; `None` if the system does not report it.
#[cfg(all(unix, not(target_os = "linux")))]
fn physical_memory() -> Option<TableSize> {
    // SAFETY: `sysconf` reads a number and touches no memory of ours.
    let (pages, page) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    let bytes = usize::try_from(pages)
        .ok()?
        .checked_mul(usize::try_from(page).ok()?)?;
    (bytes > 0).then(|| TableSize::from_megabytes(bytes / MEGABYTE))
}

/// The memory is not known on this system. An allocation that is too large fails by itself.
#[cfg(not(unix))]
fn physical_memory() -> Option<TableSize> {
    None
}

#[cfg(all(target_os = "linux", not(loom), not(miri)))]
fn advise_huge_pages(words: &[AtomicU64]) -> HugePages {
    /// The usual size of a huge page.
    const HUGE_PAGE: usize = 2 << 20;

    let address = words.as_ptr() as usize;
    let end = address + size_of_val(words);
    // The advice must begin on a page; it takes effect on the huge pages that lie inside.
    let begin = address.next_multiple_of(HUGE_PAGE);
    if begin + HUGE_PAGE > end {
        return HugePages::TooSmall;
    }
    let mode = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    match mode {
        Ok(mode) if mode.contains("[never]") => return HugePages::SwitchedOff,
        Ok(_) => {}
        Err(_) => return HugePages::Unsupported,
    }
    let pointer = words.as_ptr().wrapping_byte_add(begin - address);
    // SAFETY: the range lies inside `words`, which is ours, and advice to use huge pages changes
    // neither its contents nor how it may be used.
    let answer = unsafe {
        libc::madvise(
            pointer.cast_mut().cast(),
            (end - begin) & !(HUGE_PAGE - 1),
            libc::MADV_HUGEPAGE,
        )
    };
    if answer == 0 {
        HugePages::Advised
    } else {
        HugePages::Refused {
            errno: std::io::Error::last_os_error().raw_os_error().unwrap_or(0),
        }
    }
}

#[cfg(not(all(target_os = "linux", not(loom), not(miri))))]
fn advise_huge_pages(_words: &[AtomicU64]) -> HugePages {
    HugePages::Unsupported
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_aligned_zero_and_as_many_as_fit() {
        for megabytes in [1, 2, 3, 64] {
            let clusters = Clusters::allocate(TableSize::from_megabytes(megabytes)).expect("small");
            let slice = clusters.as_slice();
            assert_eq!(size_of_val(slice), megabytes * MEGABYTE);
            assert_eq!(slice.as_ptr() as usize % CLUSTER_BYTES, 0);
            assert!(
                slice
                    .iter()
                    .flatten()
                    .all(|w| w.load(crate::sync::Ordering::Relaxed) == 0)
            );
        }
    }

    #[test]
    fn impossible_sizes_are_refused_and_not_aborted_on() {
        let none = TableSize::from_megabytes(0);
        assert_eq!(
            Clusters::allocate(none).err(),
            Some(TableError::TooSmall { requested: none })
        );
        for megabytes in [1 << 30, usize::MAX / MEGABYTE, usize::MAX] {
            assert!(Clusters::allocate(TableSize::from_megabytes(megabytes)).is_err());
        }
        assert!(zeroed_words(usize::MAX).is_none());
        assert!(zeroed_words(isize::MAX as usize / 8).is_none());
    }
}
