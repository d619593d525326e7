//! Positions on disk in random order, for trainings on more data than memory holds.
//!
//! The file is a header of 64 bytes, the positions to learn from and the held-out ones, both in
//! blocks. A block is a compressed chunk of positions (`packed.rs`); the last block of either kind may have fewer. All
//! numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | the magic, `SKEWERPB` |
//! | 8..12 | version, 3 |
//! | 12..16 | positions per block |
//! | 16..24, 24..32 | positions to learn from, held-out positions |
//! | 32..40, 40..48 | games and positions that were read to make the file |
//! | 48..56 | fingerprint of the positions |
//! | 56..60 | the stretch of their scores (f32) |
//! | 60..64 | checksum of the header (CRC-32) |

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, SyncSender};
use std::thread;

use skewer_types::mix;

use crate::order::Order;
use crate::packed::{self, ChunkError};
use crate::sample::Sample;

/// Opens a file of positions, which is read at any place and more than once.
fn open(path: &Path) -> io::Result<io::Take<File>> {
    skewer_store::open_regular(path, u64::MAX).map_err(|error| io::Error::other(error.into_kind()))
}

const MAGIC: [u8; 8] = *b"SKEWERPB";
const VERSION: u32 = 3;
const HEADER: usize = 64;
/// Positions a block: 8 MiB in memory.
pub const BLOCK: usize = 1 << 18;
/// Blocks that are shuffled together while training. Three groups are in memory at a time.
const GROUP: usize = 32;

/// The path of a file of positions that cannot be used, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct BlockError {
    path: PathBuf,
    kind: BlockErrorKind,
}

/// What is wrong with a file of positions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlockErrorKind {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a file of positions.
    #[error("this is not a file of shuffled positions")]
    Foreign,
    /// The file is of another version.
    #[error(
        "version {0} of shuffled positions is not known to this build; shuffle the games again"
    )]
    Version(u32),
    /// The header does not match its checksum, or is inconsistent.
    #[error("the header is damaged")]
    Header,
    /// The file ends within a block.
    #[error("the file ends within block {0}; copy or write it again")]
    Short(u64),
    /// The file goes on after its last block.
    #[error("the file goes on after its last block")]
    Long,
    /// A block does not match its checksum.
    #[error("block {0} is damaged")]
    Damaged(u64),
}

impl BlockErrorKind {
    /// The error of reading block `index`.
    fn of_chunk(error: ChunkError, index: u64) -> Self {
        match error {
            ChunkError::Io(error) => error.into(),
            ChunkError::Short => Self::Short(index),
            ChunkError::Damaged => Self::Damaged(index),
        }
    }
}

/// The header of a file of positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contents {
    /// Positions to learn from.
    pub train: u64,
    /// Positions of held-out games.
    pub valid: u64,
    /// Games that were read.
    pub games: u64,
    /// Positions that were read, used or not.
    pub positions: u64,
    /// The fingerprint of the positions: [`Dataset::fingerprint`](crate::data::Dataset::fingerprint).
    pub fingerprint: u64,
    /// The stretch of the scores.
    pub stretch: f32,
}

impl Contents {
    fn to_bytes(self, block: u32) -> Vec<u8> {
        let mut bytes = [
            &MAGIC[..],
            &VERSION.to_le_bytes(),
            &block.to_le_bytes(),
            &self.train.to_le_bytes(),
            &self.valid.to_le_bytes(),
            &self.games.to_le_bytes(),
            &self.positions.to_le_bytes(),
            &self.fingerprint.to_le_bytes(),
            &self.stretch.to_le_bytes(),
        ]
        .concat();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The contents, and positions a block.
    fn from_bytes(bytes: &[u8; HEADER]) -> Result<(Self, u32), BlockErrorKind> {
        let short = |at: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&bytes[at..at + 4]);
            u32::from_le_bytes(four)
        };
        let long = |at: usize| u64::from(short(at)) | u64::from(short(at + 4)) << 32;
        if bytes[..8] != MAGIC {
            return Err(BlockErrorKind::Foreign);
        }
        if crc32fast::hash(&bytes[..60]) != short(60) {
            return Err(BlockErrorKind::Header);
        }
        if short(8) != VERSION {
            return Err(BlockErrorKind::Version(short(8)));
        }
        let contents = Self {
            train: long(16),
            valid: long(24),
            games: long(32),
            positions: long(40),
            fingerprint: long(48),
            stretch: f32::from_bits(short(56)),
        };
        let most = 1 << 40;
        let block = short(12);
        if block == 0
            || block as usize > packed::MOST
            || contents.train > most
            || contents.valid > most
        {
            return Err(BlockErrorKind::Header);
        }
        Ok((contents, block))
    }
}

/// Writes a file of positions: the positions to learn from in the order in which training reads them, then the
/// held-out positions.
pub(crate) struct BlockWriter<W: Write> {
    out: W,
    contents: Contents,
    block: usize,
    pending: Vec<Sample>,
    written: u64,
}

impl<W: Write> BlockWriter<W> {
    pub(crate) fn new(mut out: W, contents: Contents, block: usize) -> io::Result<Self> {
        out.write_all(&contents.to_bytes(block as u32))?;
        Ok(Self {
            out,
            contents,
            block,
            pending: Vec::with_capacity(block),
            written: 0,
        })
    }

    pub(crate) fn write(&mut self, sample: &Sample) -> io::Result<()> {
        self.pending.push(*sample);
        self.written += 1;
        if self.pending.len() == self.block || self.written == self.contents.train {
            self.flush_block()?;
        }
        Ok(())
    }

    fn flush_block(&mut self) -> io::Result<()> {
        if !self.pending.is_empty() {
            packed::write(&mut self.out, &self.pending)?;
            self.pending.clear();
        }
        Ok(())
    }

    pub(crate) fn finish(mut self) -> io::Result<W> {
        debug_assert_eq!(self.written, self.contents.train + self.contents.valid);
        self.flush_block()?;
        Ok(self.out)
    }
}

/// A file of positions, checked from end to end when it was opened.
#[derive(Debug, Clone)]
pub struct BlockFile {
    path: PathBuf,
    contents: Contents,
    /// Positions a block.
    block: usize,
    /// Where each block of positions to learn from begins in the file.
    starts: Arc<[u64]>,
    /// A fingerprint of the first position of each block.
    order: u64,
}

impl BlockFile {
    /// Whether a file begins with the magic of files of positions.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn has_magic(path: &Path) -> io::Result<bool> {
        let mut magic = Vec::new();
        open(path)?
            .take(MAGIC.len() as u64)
            .read_to_end(&mut magic)?;
        Ok(magic == MAGIC)
    }

    /// Opens a file and checks all of it. Returns it with its held-out positions.
    ///
    /// # Errors
    ///
    /// [`BlockError`] if it cannot be read, is not a file of positions, or is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Vec<Sample>), BlockError> {
        let path = path.as_ref();
        Self::check(path).map_err(|kind| BlockError {
            path: path.to_owned(),
            kind,
        })
    }

    fn check(path: &Path) -> Result<(Self, Vec<Sample>), BlockErrorKind> {
        let mut file = BufReader::with_capacity(1 << 20, open(path)?);
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|error| {
            if error.kind() == io::ErrorKind::UnexpectedEof {
                BlockErrorKind::Foreign
            } else {
                error.into()
            }
        })?;
        let (contents, block) = Contents::from_bytes(&header)?;
        let block = block as usize;
        let (mut index, mut at) = (0, HEADER as u64);
        let mut read = |total: u64, samples: &mut Vec<Sample>| {
            let here = at;
            let before = samples.len();
            let length = packed::read(&mut file, samples)
                .map_err(|error| BlockErrorKind::of_chunk(error, index))?;
            let count = total.min(block as u64) as usize;
            match samples.len() - before {
                _ if length == 0 => return Err(BlockErrorKind::Short(index)),
                found if found != count => return Err(BlockErrorKind::Damaged(index)),
                _ => {}
            }
            index += 1;
            at += length;
            Ok(here)
        };
        let mut starts = Vec::new();
        let mut samples = Vec::new();
        let (mut left, mut order) = (contents.train, 0);
        while left > 0 {
            samples.clear();
            starts.push(read(left, &mut samples)?);
            order = mix(order ^ samples.first().map_or(0, Sample::hash));
            left -= samples.len() as u64;
        }
        let mut valid = Vec::new();
        while (valid.len() as u64) < contents.valid {
            read(contents.valid - valid.len() as u64, &mut valid)?;
        }
        if file.read(&mut [0])? > 0 {
            return Err(BlockErrorKind::Long);
        }
        let this = Self {
            path: path.to_owned(),
            contents,
            block,
            starts: starts.into(),
            order,
        };
        Ok((this, valid))
    }

    /// The header.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Depends on the order of the positions to learn from.
    pub(crate) fn order(&self) -> u64 {
        self.order
    }

    /// The sizes of the groups in which an epoch reads the positions to learn from, the same in
    /// every epoch.
    pub(crate) fn group_sizes(&self) -> Vec<usize> {
        let total = self.contents.train as usize;
        let group = GROUP * self.block;
        (0..total.div_ceil(group))
            .map(|at| group.min(total - at * group))
            .collect()
    }

    /// The groups of an epoch, read ahead by a separate thread. `seed` determines the order of the full
    /// blocks; a shorter last block stays in the last group, so that the sizes of groups are constant.
    pub(crate) fn groups(
        &self,
        seed: u64,
    ) -> impl Iterator<Item = Result<Vec<Sample>, BlockError>> + use<> {
        let (sender, groups) = mpsc::sync_channel(1);
        let this = self.clone();
        thread::spawn(move || {
            if let Err(kind) = this.send_groups(seed, &sender) {
                let path = this.path;
                _ = sender.send(Err(BlockError { path, kind }));
            }
        });
        groups.into_iter()
    }

    fn send_groups(
        &self,
        seed: u64,
        sender: &SyncSender<Result<Vec<Sample>, BlockError>>,
    ) -> Result<(), BlockErrorKind> {
        let full = (self.contents.train / self.block as u64) as usize;
        let order = Order::new(full.max(1), seed);
        let mut file = open(&self.path)?.into_inner();
        let mut at = 0;
        for size in self.group_sizes() {
            let mut samples = Vec::with_capacity(size);
            while samples.len() < size && at < self.starts.len() {
                let index = if at < full { order.at(at) } else { at };
                at += 1;
                file.seek(SeekFrom::Start(self.starts[index]))?;
                if packed::read(&mut file, &mut samples)
                    .map_err(|error| BlockErrorKind::of_chunk(error, index as u64))?
                    == 0
                {
                    return Err(BlockErrorKind::Short(index as u64));
                }
            }
            // There is no receiver if the training ended early.
            if sender.send(Ok(samples)).is_err() {
                break;
            }
        }
        Ok(())
    }
}
