//! Opens input files, compressed or not, and the standard input.

use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result, bail};
use skewer_pgn::{Games, ReadError, Reader};

/// Opens `path`, or the standard input for `-`. Files compressed by zstd, gzip or bzip2 are recognized
/// by their first bytes, not by name. Adds the bytes read, before decompression, to `bytes_read`.
///
/// # Errors
///
/// When it cannot be read.
pub fn open(path: &str, bytes_read: &Arc<AtomicU64>) -> Result<Box<dyn Read + Send>> {
    let source: Box<dyn Read + Send> = if path == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot open {path}"))?)
    };
    let mut counted = Counted {
        source,
        bytes_read: Arc::clone(bytes_read),
    };
    let mut head = [0; 4];
    let mut length = 0;
    while length < head.len() {
        match counted
            .read(&mut head[length..])
            .with_context(|| format!("cannot read {path}"))?
        {
            0 => break,
            read => length += read,
        }
    }
    let whole: Rewound = Cursor::new(head[..length].to_vec()).chain(counted);
    Ok(match &head[..length] {
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            Box::new(zstd::Decoder::new(whole).with_context(|| format!("cannot read {path}"))?)
        }
        [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(whole))),
        [b'B', b'Z', b'h', _] => Box::new(bzip2::read::MultiBzDecoder::new(whole)),
        _ => Box::new(whole),
    })
}

/// The first bytes of a source, up to `limit`.
///
/// # Errors
///
/// When it cannot be read.
pub fn head(source: &mut impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.take(limit as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Checks game files before anything is analysed: that each can be opened, and that one of them
/// has a game with moves. The standard input and pipes can only be checked while they are read.
///
/// # Errors
///
/// When a file cannot be read, or no file has a game.
pub fn check_games(paths: &[String]) -> Result<()> {
    let mut problem = None;
    let mut any = false;
    for path in paths {
        if !is_regular(path) {
            any = true;
            continue;
        }
        // Open all files, but read no further than the first game.
        let mut games = Games::new(open(path, &Arc::default())?);
        while !any {
            match games.next_placed() {
                Ok(None) => break,
                Ok(Some(placed)) => any = placed.game.mainline().next().is_some(),
                Err(ReadError::Bad(bad)) => {
                    problem.get_or_insert_with(|| format!("{path}: {bad}"));
                }
                Err(error) => return Err(error).with_context(|| format!("cannot read {path}")),
            }
        }
    }
    match problem {
        _ if any => Ok(()),
        Some(problem) => bail!("no game in {}: {problem}", paths.join(", ")),
        None => bail!("no game in {}", paths.join(", ")),
    }
}

/// Whether there are more games than `limit` in the files that can be read twice.
///
/// # Errors
///
/// When a file cannot be read.
pub fn has_more_games(paths: &[String], limit: u64) -> Result<bool> {
    let mut games = 0;
    for path in paths.iter().filter(|path| is_regular(path)) {
        let mut reader = Reader::new(open(path, &Arc::default())?);
        while reader
            .skip_game()
            .with_context(|| format!("cannot read {path}"))?
        {
            games += 1;
            if games > limit {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether this is a file, and not the standard input or a pipe. True for a missing file, so that
/// opening it reports the error.
fn is_regular(path: &str) -> bool {
    path != "-" && std::fs::metadata(path).map_or(true, |data| data.is_file())
}

/// A source from its beginning, after its first bytes have been read.
type Rewound = Chain<Cursor<Vec<u8>>, Counted>;

/// The size of all files together, in bytes, if known.
pub fn total_bytes(paths: &[String]) -> Option<u64> {
    paths
        .iter()
        .map(|path| {
            let metadata = std::fs::metadata(Path::new(path)).ok()?;
            metadata.is_file().then_some(metadata.len())
        })
        .sum()
}

/// A reader that counts bytes.
struct Counted {
    source: Box<dyn Read + Send>,
    bytes_read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(out)?;
        self.bytes_read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
