//! Analyses one game at a time, for programs that distribute games themselves.

use std::sync::Arc;

use anyhow::Result;
use skewer_pgn::PgnGame;

use crate::analyst::Analyst;
use crate::job::{Job, MainLine, analyse_segment};
use crate::json;
use crate::report::{JudgedGame, Origin};

/// Analyses the main line of `game` and returns its record: the line of JSON that
/// `skewer-analyse games --jsonl` writes for it, without the line break.
///
/// The analyst's hash table is cleared first, so that the record depends on nothing but the game and
/// the analyst's settings.
///
/// # Errors
///
/// When the record cannot be written as JSON.
pub fn record(analyst: &mut Analyst, origin: Origin, game: PgnGame) -> Result<String> {
    let line = Arc::new(MainLine::of(&game));
    let job = Job {
        range: 0..line.boards.len(),
        line: Arc::clone(&line),
    };
    let findings = analyse_segment(analyst, &job);
    let judged = JudgedGame::new(origin, game, line, &findings, analyst.win_model());
    Ok(serde_json::to_string(&json::Record::new(&judged))?)
}
