//! Opens what games and positions come from: files, compressed or not, and the standard input.

use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result};

/// Opens `path`, or the standard input for `-`. What is compressed by zstd, gzip or bzip2 is told
/// by its first bytes, whatever its name. `passed` counts bytes of the file itself.
///
/// # Errors
///
/// When it cannot be read.
pub fn open(path: &str, passed: &Arc<AtomicU64>) -> Result<Box<dyn Read + Send>> {
    let source: Box<dyn Read + Send> = if path == "-" {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).with_context(|| format!("cannot open {path}"))?)
    };
    let mut counted = Counted {
        source,
        passed: Arc::clone(passed),
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
    let whole: Whole = Cursor::new(head[..length].to_vec()).chain(counted);
    Ok(match &head[..length] {
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            Box::new(zstd::Decoder::new(whole).with_context(|| format!("cannot read {path}"))?)
        }
        [0x1f, 0x8b, ..] => Box::new(flate2::read::MultiGzDecoder::new(BufReader::new(whole))),
        [b'B', b'Z', b'h', _] => Box::new(bzip2::read::MultiBzDecoder::new(whole)),
        _ => Box::new(whole),
    })
}

type Whole = Chain<Cursor<Vec<u8>>, Counted>;

/// The bytes of all files together, if they are known.
pub fn total_bytes(paths: &[String]) -> Option<u64> {
    paths
        .iter()
        .map(|path| {
            let metadata = std::fs::metadata(Path::new(path)).ok()?;
            metadata.is_file().then_some(metadata.len())
        })
        .sum()
}

struct Counted {
    source: Box<dyn Read + Send>,
    passed: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(out)?;
        self.passed.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
