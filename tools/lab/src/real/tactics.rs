//! Tactical positions with a known best move, from an EPD file.

use std::fs::File;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use skewer_movegen::{Board, Move};
use skewer_pgn::EpdReader;

/// A position and what solves it.
#[derive(Debug, Clone)]
pub struct Tactic {
    /// The position.
    pub board: Board,
    best: Vec<Move>,
    avoid: Vec<Move>,
}

impl Tactic {
    /// Whether `mv` solves the position: it is one of the best moves given, or none of those to
    /// avoid.
    pub fn is_solved_by(&self, mv: Option<Move>) -> bool {
        mv.is_some_and(|mv| {
            (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
        })
    }
}

/// Reads the first `most` positions of a file that have a best move or one to avoid. Lines that
/// cannot be read are left out.
///
/// # Errors
///
/// If the file cannot be opened, or has no such position.
pub fn read(path: &Path, most: usize) -> Result<Vec<Tactic>> {
    let file = File::open(path).with_context(|| format!("{}", path.display()))?;
    let tactics = EpdReader::new(file).filter_map(|line| {
        let epd = line.ok()?.epd;
        let tactic = Tactic {
            board: epd.board,
            best: epd.best_moves().to_vec(),
            avoid: epd.avoid_moves().to_vec(),
        };
        (!tactic.best.is_empty() || !tactic.avoid.is_empty()).then_some(tactic)
    });
    let tactics: Vec<_> = tactics.take(most).collect();
    ensure!(
        !tactics.is_empty(),
        "{}: no position with a best move",
        path.display()
    );
    Ok(tactics)
}
