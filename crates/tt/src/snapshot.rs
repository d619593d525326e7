//! Saves the table to a file and loads it, to continue a long analysis later.
//!
//! A file holds, after the header that all files of `skewer-store` have, the number of clusters
//! and the age, and then the clusters as in memory, little-endian. A cluster is chosen by
//! the high bits of a key and the low bits distinguish its entries, so each cluster stands
//! for a range of keys, in order. So a file can be loaded into a table of any size: a cluster of the
//! table is filled from the clusters of the file whose ranges overlap its own.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use skewer_store::{Header, Identity, Reader, StoreError, StoreErrorKind, Writer};

use crate::cluster::{self, CLUSTER_BYTES, Image, LANES, WORDS};
use crate::entry::Age;
use crate::{Table, TableSize, params};

/// The kind of these files.
const KIND: &str = "hash table";
/// The version of the data after the header. Raise it when the meaning of an entry's bits changes.
const VERSION: u32 = 1;

/// The data before the clusters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    clusters: u64,
    age: u8,
}

/// Why a snapshot could not be written or loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The file could not be written or read, or has another identity.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file is complete, but its numbers are inconsistent.
    #[error("{}: the snapshot's numbers do not agree", path.display())]
    Inconsistent {
        /// The file.
        path: PathBuf,
    },
    /// The path names a file that is not a snapshot. Such a file is not replaced.
    #[error(
        "{}: this file is not a hash table; choose another name, or delete the file first",
        path.display()
    )]
    NotASnapshot {
        /// The file.
        path: PathBuf,
    },
}

/// The description of a file of [`Table::save`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotInfo {
    signature: String,
    size: TableSize,
}

impl SnapshotInfo {
    /// Reads the description of the file at `path`, without its entries.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`] if the file cannot be read or is not a snapshot.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SnapshotError> {
        let path = path.as_ref();
        let header = skewer_store::inspect(path)?;
        let identity = Identity::new(KIND, VERSION, header.signature());
        let (_, head) = open(path, &identity)?;
        Ok(Self {
            signature: header.signature().to_owned(),
            size: head.size(),
        })
    }

    /// The signature for [`Table::load`].
    pub fn signature(&self) -> &str {
        &self.signature
    }

    /// The size of the table that was saved. The file is a little larger.
    pub fn size(&self) -> TableSize {
        self.size
    }
}

impl Head {
    fn size(self) -> TableSize {
        // `open` has checked that the file has as many bytes.
        TableSize::from_megabytes((self.clusters * CLUSTER_BYTES as u64).div_ceil(1 << 20) as usize)
    }
}

impl Table {
    /// Writes all entries to a new file. When the new file is complete, it replaces an older snapshot. The file is as
    /// large as the table.
    ///
    /// `signature` identifies the engine: its name, version and everything else that affects scores and
    /// keys. The file can only be loaded with the same signature.
    ///
    /// The table may be in use; entries stored meanwhile may or may not be in the file.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`] if the file cannot be written, or if the path names a file that is neither empty
    /// nor a snapshot. An older file is then unchanged.
    pub fn save(&self, path: impl AsRef<Path>, signature: &str) -> Result<(), SnapshotError> {
        let path = path.as_ref();
        check_replaceable(path)?;
        let clusters = self.clusters();
        let mut writer = Writer::create(path, &Identity::new(KIND, VERSION, signature))?;
        writer.put_value(&Head {
            clusters: clusters.len() as u64,
            age: self.now().get(),
        })?;
        let mut buffer = Vec::with_capacity(params::SNAPSHOT_BUFFER);
        for part in clusters.chunks(params::SNAPSHOT_BUFFER / CLUSTER_BYTES) {
            buffer.clear();
            for cluster in part {
                for word in cluster::image(cluster) {
                    buffer.extend(word.to_le_bytes());
                }
            }
            writer.put(&buffer)?;
        }
        writer.finish()?;
        Ok(())
    }

    /// Replaces all entries by the entries of a file that [`save`](Self::save) wrote with this
    /// `signature`.
    ///
    /// The table keeps its size. From a file of the same size, every entry is loaded. From a larger file,
    /// the most valuable entries for each cluster are loaded. A smaller file lacks the key bits that select
    /// the cluster in a larger table, so each entry is copied to every cluster in which a probe may look
    /// for it; the copies are replaced as new entries come. All entries are found if the size of the table
    /// is a multiple of the size of the file; otherwise about a tenth of the entries, the least valuable, is lost.
    ///
    /// A running search may find old entries or new ones.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`] if the file cannot be read, is damaged or truncated, or is not a snapshot with this
    /// signature. The whole file is checked before the table is changed. If reading then fails, the table
    /// is empty.
    pub fn load(
        &self,
        path: impl AsRef<Path>,
        signature: &str,
    ) -> Result<SnapshotInfo, SnapshotError> {
        let path = path.as_ref();
        let identity = Identity::new(KIND, VERSION, signature);
        let (mut reader, _) = open(path, &identity)?;
        reader.verify()?;
        let head: Head = reader.take_value()?;
        let mut source = Source::new(reader);
        if let Err(error) = self
            .fill(&mut source, head)
            .and_then(|()| source.reader.finish())
        {
            self.clear();
            return Err(error.into());
        }
        self.set_age(Age::new(head.age));
        Ok(SnapshotInfo {
            signature: signature.to_owned(),
            size: head.size(),
        })
    }

    /// Fills each cluster from the clusters of the source whose ranges of keys overlap its own.
    fn fill(&self, source: &mut Source, head: Head) -> Result<(), StoreError> {
        let clusters = self.clusters();
        let (ours, theirs) = (clusters.len() as u128, u128::from(head.clusters));
        let now = Age::new(head.age);
        // The last cluster read, which two neighbours may share, and how many have been read.
        let mut last = [0; WORDS];
        let mut read = 0;
        for (index, cluster) in clusters.iter().enumerate() {
            let from = index as u128 * theirs / ours;
            let to = ((index as u128 + 1) * theirs).div_ceil(ours);
            let mut kept = Best::new(now);
            if from < read {
                kept.offer(&last);
            }
            while read < to {
                last = source.next_cluster()?;
                read += 1;
                kept.offer(&last);
            }
            cluster::set_image(cluster, &kept.image);
        }
        Ok(())
    }
}

/// Refuses to replace a file that is neither empty nor a snapshot.
fn check_replaceable(path: &Path) -> Result<(), SnapshotError> {
    // `Writer` refuses what cannot be replaced at all.
    if !fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() > 0) {
        return Ok(());
    }
    is_snapshot(path, skewer_store::inspect(path))
}

/// Judges a file by its header. For a file that cannot be read, returns the error of the read, because the file may be
/// a snapshot.
fn is_snapshot(path: &Path, header: Result<Header, StoreError>) -> Result<(), SnapshotError> {
    match header {
        Ok(header) if header.kind() == KIND => Ok(()),
        Err(error) if matches!(error.kind(), StoreErrorKind::Io { .. }) => Err(error.into()),
        Ok(_) | Err(_) => Err(SnapshotError::NotASnapshot {
            path: path.to_owned(),
        }),
    }
}

/// Opens a snapshot and checks its length against its number of clusters.
fn open(path: &Path, identity: &Identity<'_>) -> Result<(Reader, Head), SnapshotError> {
    let mut reader = Reader::open(path, identity)?;
    let head: Head = reader.take_value()?;
    let bytes = head.clusters.checked_mul(CLUSTER_BYTES as u64);
    if head.clusters == 0 || bytes != Some(reader.remaining()) || head.age >= Age::CYCLE {
        return Err(SnapshotError::Inconsistent {
            path: path.to_owned(),
        });
    }
    Ok((reader, head))
}

/// The clusters of a file, one after the other.
struct Source {
    reader: Reader,
    buffer: Vec<u8>,
    at: usize,
}

impl Source {
    fn new(reader: Reader) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            at: 0,
        }
    }

    fn next_cluster(&mut self) -> Result<Image, StoreError> {
        if self.at == self.buffer.len() {
            let most = self.reader.remaining().min(params::SNAPSHOT_BUFFER as u64) as usize;
            // Past the end, ask for one cluster, so that the reader returns the error.
            self.buffer.resize(most.max(CLUSTER_BYTES), 0);
            self.reader.take(&mut self.buffer)?;
            self.at = 0;
        }
        let mut image = [0; WORDS];
        for (word, bytes) in image.iter_mut().zip(self.buffer[self.at..].as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        self.at += CLUSTER_BYTES;
        Ok(image)
    }
}

/// The best entries of some clusters, as one cluster.
struct Best {
    image: Image,
    worth: [i32; LANES],
    now: Age,
}

impl Best {
    fn new(now: Age) -> Self {
        Self {
            image: [0; WORDS],
            worth: [i32::MIN; LANES],
            now,
        }
    }

    fn offer(&mut self, image: &Image) {
        for lane in 0..LANES {
            // A table that was loaded from a smaller table holds each entry more than once.
            if cluster::holds_lane(&self.image, image, lane) {
                continue;
            }
            let worth = cluster::worth_in(image, lane, self.now);
            let (place, least) = (0..LANES)
                .map(|place| (place, self.worth[place]))
                .min_by_key(|&(_, worth)| worth)
                .unwrap_or((0, i32::MAX));
            if worth > least {
                cluster::copy_lane(image, lane, &mut self.image, place);
                self.worth[place] = worth;
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::cluster::Cluster;
    use crate::entry::{Payload, RawEntry};
    use crate::sync::AtomicU64;

    const NOW: Age = Age::new(3);

    /// A cluster with an entry of each of these depths, with these keys and moves.
    fn image(entries: [(u16, i32); LANES]) -> Image {
        let cluster: Cluster = std::array::from_fn(|_| AtomicU64::new(0));
        for (key, depth) in entries {
            let entry = RawEntry {
                mv: key,
                depth,
                ..RawEntry::default()
            };
            cluster::store(&cluster, key, entry, NOW);
        }
        cluster::image(&cluster)
    }

    /// The moves that are left of some clusters, each with the number of its place.
    fn best_of(images: &[Image]) -> [u16; LANES] {
        let mut best = Best::new(NOW);
        for image in images {
            best.offer(image);
        }
        std::array::from_fn(|lane| Payload(best.image[lane]).move_bits())
    }

    #[test]
    fn an_entry_of_some_clusters_gives_way_to_one_that_is_worth_more_and_not_to_its_equal() {
        let one = image([(1, 5), (2, 9), (3, 5)]);
        let other = image([(4, 5), (5, 7), (6, 4)]);
        assert_eq!(best_of(&[one]), [1, 2, 3]);
        assert_eq!(best_of(&[one, other]), [5, 2, 3]);
        assert_eq!(best_of(&[other, one]), [2, 5, 1]);
        let equal = |first: u16| image([0, 1, 2].map(|n| (first + n, 5)));
        assert_eq!(best_of(&[equal(1), equal(4)]), [1, 2, 3]);
        assert_eq!(best_of(&[one, one]), [1, 2, 3], "no entry twice");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_said_to_be_something_else() {
        let path = Path::new("nowhere/table");
        let unread = is_snapshot(path, skewer_store::inspect(path)).expect_err("no file");
        assert!(matches!(unread, SnapshotError::Store(_)), "{unread}");
    }
}
