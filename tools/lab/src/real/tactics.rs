//! Tactical positions with a known best move, from an EPD file.

use std::path::Path;

use anyhow::{Result, ensure};
use skewer_pgn::{Epd, EpdReader};
use skewer_store::{ShortLines, open_regular};

/// The longest line that is read, in bytes.
const MOST_LINE: usize = 1 << 24;

/// Reads the first `most` positions of a file that have a best move or one to avoid. Lines that
/// cannot be read are left out.
///
/// # Errors
///
/// If the file cannot be opened or is not regular, or has no such position.
pub fn read(path: &Path, most: usize) -> Result<Vec<Epd>> {
    let file = ShortLines::new(open_regular(path, u64::MAX)?, MOST_LINE);
    let has_moves = |epd: &Epd| !epd.best_moves().is_empty() || !epd.avoid_moves().is_empty();
    let positions = EpdReader::new(file).filter_map(|line| Some(line.ok()?.epd));
    let tactics: Vec<_> = positions.filter(has_moves).take(most).collect();
    ensure!(
        !tactics.is_empty(),
        "{}: no position with a best move",
        path.display()
    );
    Ok(tactics)
}
