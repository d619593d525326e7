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
        let start = words_to_cluster(words.as_ptr() as usize);
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

/// How many words lie between an address and the first cluster, which begins at a multiple of its size.
fn words_to_cluster(address: usize) -> usize {
    (address.next_multiple_of(CLUSTER_BYTES) - address) / size_of::<AtomicU64>()
}

/// Allocates `count` words that are all zero; `None` if the system refuses the memory.
fn zeroed_words(count: usize) -> Option<Vec<AtomicU64>> {
    #[cfg(loom)]
    return Some((0..count).map(|_| AtomicU64::new(0)).collect());
    // The allocating crate panics if the layout overflows, so check it first.
    #[cfg(not(loom))]
    (count <= isize::MAX as usize / size_of::<AtomicU64>())
        .then(|| bytemuck::allocation::try_zeroed_vec(count).ok())
        .flatten()
}

/// The memory available to this process; `None` if it is not known. Then an allocation that is too large fails by
/// itself.
fn physical_memory() -> Option<TableSize> {
    #[cfg(target_os = "linux")]
    return memory_of_linux(
        &std::fs::read_to_string("/proc/meminfo").ok()?,
        std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok(),
    );
    #[cfg(all(unix, not(target_os = "linux")))]
    return memory_by_sysconf();
    #[cfg(not(unix))]
    None
}

/// The machine's memory by `/proc/meminfo` or, if it is less, the limit of the control group. A process in a container
/// sees this limit in a file of version 2 of control groups, which says "max" if there is no limit.
#[cfg(target_os = "linux")]
fn memory_of_linux(meminfo: &str, limit: Option<String>) -> Option<TableSize> {
    let total = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: usize = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let machine = kilobytes / 1024;
    let group = limit
        .and_then(|bytes| bytes.trim().parse::<usize>().ok())
        .map_or(usize::MAX, |bytes| bytes / MEGABYTE);
    Some(TableSize::from_megabytes(machine.min(group)))
}

/// The memory of the machine; `None` if the system does not report it.
#[cfg(all(unix, not(target_os = "linux")))]
fn memory_by_sysconf() -> Option<TableSize> {
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

/// The usual size of a huge page, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// The bytes from the first huge page inside a block of memory to the end of the last one: their distance from the
/// beginning of the block, and their number. `None` if no huge page fits. `address` is the block's.
#[cfg_attr(
    not(all(target_os = "linux", not(loom), not(miri))),
    allow(dead_code, reason = "huge pages are requested on Linux")
)]
fn huge_part(address: usize, bytes: usize) -> Option<(usize, usize)> {
    // Advice must begin on a page, and takes effect on whole huge pages.
    let skipped = address.next_multiple_of(HUGE_PAGE) - address;
    let huge = bytes.checked_sub(skipped)? / HUGE_PAGE * HUGE_PAGE;
    (huge > 0).then_some((skipped, huge))
}

/// Why Linux gives no huge pages, by the text of its setting: the choices, with the present one in brackets. `None` if
/// it gives them.
#[cfg_attr(
    not(all(target_os = "linux", not(loom), not(miri))),
    allow(dead_code, reason = "huge pages are requested on Linux")
)]
fn why_not(setting: Option<&str>) -> Option<HugePages> {
    match setting {
        Some(choices) if choices.contains("[never]") => Some(HugePages::SwitchedOff),
        Some(_) => None,
        None => Some(HugePages::Unsupported),
    }
}

#[cfg(all(target_os = "linux", not(loom), not(miri)))]
fn advise_huge_pages(words: &[AtomicU64]) -> HugePages {
    let Some((skipped, bytes)) = huge_part(words.as_ptr() as usize, size_of_val(words)) else {
        return HugePages::TooSmall;
    };
    let mode = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled");
    if let Some(reason) = why_not(mode.as_deref().ok()) {
        return reason;
    }
    let pointer = words.as_ptr().wrapping_byte_add(skipped);
    // SAFETY: the range lies inside `words`, which is ours, and advice to use huge pages changes
    // neither its contents nor how it may be used.
    let answer = unsafe { libc::madvise(pointer.cast_mut().cast(), bytes, libc::MADV_HUGEPAGE) };
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
    fn the_first_cluster_begins_at_the_next_multiple_of_its_size() {
        let found = [0, 8, 16, 24, 32].map(|word| words_to_cluster(1 << 20 | word));
        assert_eq!(found, [0, 3, 2, 1, 0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_table_may_be_as_large_as_the_memory_and_no_larger() {
        let available = physical_memory().expect("Unix reports its memory");
        let requested = TableSize::from_megabytes(available.megabytes() + 1);
        let beyond = TableError::BeyondMemory {
            requested,
            available,
        };
        assert_eq!(Clusters::allocate(requested).err(), Some(beyond));
        // Nothing touches this memory. The system may refuse it, because much of it is in use.
        let refused = TableError::Refused {
            requested: available,
        };
        let error = Clusters::allocate(available).err();
        assert!(error.is_none_or(|error| error == refused), "{error:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_is_the_machines_or_if_it_is_less_the_limit_of_the_group() {
        let memory = |group: Option<&str>| {
            let machine = "MemFree:  1 kB\nMemTotal:       24680556 kB\nBuffers: 2 kB\n";
            memory_of_linux(machine, group.map(str::to_owned)).map(TableSize::megabytes)
        };
        // 24,680,556 KiB are 24,102.1 MiB.
        for (group, expected) in [
            (None, 24_102),
            (Some("max\n"), 24_102),
            (Some("1073741824\n"), 1024),
            (Some("1073741823\n"), 1023),
            (Some("1099511627776\n"), 24_102),
        ] {
            assert_eq!(memory(group), Some(expected), "{group:?}");
        }
        for machine in ["", "MemTotal: many kB\n", "MemTotal: 24680556 pages\n"] {
            assert_eq!(memory_of_linux(machine, None), None, "{machine}");
        }
    }

    #[test]
    fn linux_gives_huge_pages_unless_it_has_none_or_they_are_switched_off() {
        let off = Some(HugePages::SwitchedOff);
        for (setting, expected) in [
            (Some("[always] madvise never\n"), None),
            (Some("always [madvise] never\n"), None),
            (Some("always madvise [never]\n"), off),
            (None, Some(HugePages::Unsupported)),
        ] {
            assert_eq!(why_not(setting), expected, "{setting:?}");
        }
    }

    #[test]
    fn the_huge_pages_of_a_block_are_those_that_lie_inside_it() {
        let page = HUGE_PAGE;
        for (address, bytes, expected) in [
            (4 * page, page, Some((0, page))),
            (4 * page, page - 1, None),
            (4 * page, 3 * page + 7, Some((0, 3 * page))),
            // The block begins a byte after a huge page, or a byte before one.
            (4 * page + 1, 2 * page - 1, Some((page - 1, page))),
            (4 * page + 1, 2 * page - 2, None),
            (4 * page - 1, 2 * page, Some((1, page))),
            (4 * page + 1, page - 2, None),
        ] {
            let found = huge_part(address, bytes);
            assert_eq!(found, expected, "{bytes} bytes at {address}");
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
