//! The table: which cluster a key belongs to, ages, clearing, resizing and how full it is.

use std::fmt;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::cluster::{self, CLUSTER_BYTES, Cluster, LANES};
use crate::entry::{Age, Entry, Payload, RawEntry};
use crate::memory::Clusters;
use crate::params;
use crate::sync::{AtomicU8, Ordering::Relaxed};
use crate::{HugePages, TableError, TableSize};

/// A hash table of search results that any number of threads may read and write at once.
///
/// All methods but [`resize`](Self::resize) and [`reset`](Self::reset) take `&self`. The guarantees to
/// threads are in the documentation of the [crate].
pub struct Table {
    clusters: Clusters,
    size: TableSize,
    age: AtomicU8,
}

impl Table {
    /// Creates an empty table. Its pages are touched when they are first written; use
    /// [`clear_in`](Self::clear_in) to touch them before a search.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the size is below the minimum or exceeds the memory.
    pub fn new(size: TableSize) -> Result<Self, TableError> {
        Ok(Self {
            clusters: Clusters::allocate(size)?,
            size,
            age: AtomicU8::new(0),
        })
    }

    /// Resizes and clears the table, with all threads of `pool`.
    ///
    /// The old memory is freed before the new is touched, so that the machine need not have memory for
    /// both.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the size is below the minimum or exceeds the memory; the table is then unchanged.
    pub fn resize(&mut self, size: TableSize, pool: &ThreadPool) -> Result<(), TableError> {
        self.clusters = Clusters::allocate(size)?;
        self.size = size;
        self.clear_in(pool);
        Ok(())
    }

    /// The requested size.
    pub fn size(&self) -> TableSize {
        self.size
    }

    /// The maximal number of entries.
    pub fn capacity(&self) -> usize {
        self.clusters().len() * LANES
    }

    /// Whether the table is in huge pages. The `Display` of [`HugePages`] is a message for the user.
    pub fn huge_pages(&self) -> HugePages {
        self.clusters.huge_pages()
    }

    /// The cluster for a key: its high bits choose, by a multiplication instead of a division
    /// (Lemire, 2016), so that any number of clusters is possible. The low 16 bits, which hardly
    /// affect the choice, distinguish the positions of a cluster.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let clusters = self.clusters();
        &clusters[((u128::from(key) * clusters.len() as u128) >> 64) as usize]
    }

    /// All clusters, in the order of the keys that they stand for.
    #[inline]
    pub(crate) fn clusters(&self) -> &[Cluster] {
        self.clusters.as_slice()
    }

    pub(crate) fn set_age(&self, age: Age) {
        self.age.store(age.get(), Relaxed);
    }

    #[inline]
    pub(crate) fn now(&self) -> Age {
        Age::new(self.age.load(Relaxed))
    }

    /// The entry of the position with this key.
    ///
    /// Any part of the entry may be wrong (see [`Entry`]); a position that was never stored is
    /// found with a chance of up to 3 / 2^16.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.probe_raw(key).map(Entry::from)
    }

    /// Stores an entry for the position with this key. A new position replaces the entry of its cluster with the
    /// least `depth - `[`AGE_WEIGHT`](params::AGE_WEIGHT)` * age`.
    ///
    /// If the table has an entry of this position, the old move is kept when the new entry has none. The old
    /// result is kept when it is from this search, the new result is not exact, and the old one is deeper by more
    /// than [`REPLACE_MARGIN`](params::REPLACE_MARGIN) plies. For a new entry that `was_pv`, this margin is greater
    /// by [`PV_BONUS`](params::PV_BONUS).
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        self.store_raw(key, entry.into());
    }

    /// [`probe`](Self::probe) for searches of other games than chess.
    #[inline]
    pub fn probe_raw(&self, key: u64) -> Option<RawEntry> {
        cluster::probe(self.cluster(key), key as u16).map(Payload::unpack)
    }

    /// [`store`](Self::store) for searches of other games than chess.
    #[inline]
    pub fn store_raw(&self, key: u64, entry: RawEntry) {
        cluster::store(self.cluster(key), key as u16, entry, self.now());
    }

    /// Prefetches the entries of this key. Call it as soon as the key is known, some work before the probe.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        crate::prefetch::prefetch(self.cluster(key));
    }

    /// Ages all entries by one search, so that they are replaced sooner. Call it once for each search, not
    /// for each thread.
    pub fn new_search(&self) {
        // Only one thread begins searches, so load and store need not be atomic together.
        let next = Age::new(self.now().get() + 1);
        self.age.store(next.get(), Relaxed);
    }

    /// Clears the table on this thread.
    pub fn clear(&self) {
        self.clusters().iter().for_each(wipe);
        self.age.store(0, Relaxed);
    }

    /// [`clear`](Self::clear) for a table that no other thread uses: without atomic stores, several times
    /// as fast.
    pub fn reset(&mut self) {
        self.clusters.zero();
        self.age.store(0, Relaxed);
    }

    /// Clears the table with all threads of `pool`.
    ///
    /// Waits until the pool is free. Do not call it on a thread that jobs of the pool wait for.
    pub fn clear_in(&self, pool: &ThreadPool) {
        let chunk = params::CLEAR_CHUNK / CLUSTER_BYTES;
        pool.install(|| {
            self.clusters
                .as_slice()
                .par_chunks(chunk)
                .for_each(|chunk| chunk.iter().for_each(wipe));
        });
        self.age.store(0, Relaxed);
    }

    /// How full the table is with entries of this search, in thousandths: an estimate from the
    /// first [`HASHFULL_SAMPLE`](params::HASHFULL_SAMPLE) entries, as the UCI protocol wants it.
    pub fn hashfull(&self) -> u32 {
        let now = self.now();
        self.count_permille(|payload| payload.age() == now)
    }

    /// How full the table is with entries of any age, in thousandths: an estimate like
    /// [`hashfull`](Self::hashfull), for a table loaded from a snapshot.
    pub fn occupancy(&self) -> u32 {
        self.count_permille(|_| true)
    }

    fn count_permille(&self, counts: impl Fn(Payload) -> bool) -> u32 {
        let sample = params::HASHFULL_SAMPLE / LANES;
        let clusters = &self.clusters()[..sample];
        let used = clusters
            .iter()
            .flat_map(|cluster| &cluster[..LANES])
            .map(|word| Payload(word.load(Relaxed)))
            .filter(|&payload| !payload.is_empty() && counts(payload))
            .count();
        (used * 1000 / (sample * LANES)) as u32
    }
}

#[inline]
fn wipe(cluster: &Cluster) {
    for word in cluster {
        word.store(0, Relaxed);
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("size", &self.size)
            .field("capacity", &self.capacity())
            .field("age", &self.now().get())
            .field("huge_pages", &self.huge_pages())
            .finish_non_exhaustive()
    }
}
