//! The list of games as the page reads it.

use std::collections::BTreeMap;

use indexmap::IndexSet;
use serde::Serialize;
use skewer_analysis::analyst::SettingsRecord;
use skewer_analysis::judged::{JudgedGame, Origin};
use skewer_analysis::params::{SURE, SURE_EXERCISE};
use skewer_analysis::scale::Scale;
use skewer_movegen::{Board, Color, Outcome};

use crate::RunInfo;

/// The list of games, column by column, in about seventy bytes a game.
#[derive(Default, Serialize)]
pub(crate) struct Index {
    /// The settings of the run; null for a page that begins without a run.
    settings: Option<SettingsRecord>,
    /// The settings as a line of text.
    settings_text: String,
    /// Whether the report has an engine for the page.
    engine: bool,
    /// Whether there is no engine because the user asked for that.
    engine_left_out: bool,
    /// The chance in per cent from which a label counts as sure.
    sure_from: u32,
    /// The chance in per cent from which a label becomes an exercise.
    exercise_from: u32,
    /// The curve from this engine's centipawns to lichess's, for the engine in the page.
    scale: Vec<[f64; 2]>,
    /// Games in each data file; 0 if all are in the page.
    chunk: usize,
    /// Games that did not fit into the page.
    pub(crate) omitted: u64,
    names: IndexSet<String>,
    events: IndexSet<String>,
    openings: IndexSet<String>,
    /// The numbers of the games.
    number: Vec<u64>,
    white: Vec<usize>,
    black: Vec<usize>,
    white_elo: Vec<u16>,
    black_elo: Vec<u16>,
    event: Vec<usize>,
    opening: Vec<usize>,
    /// `YYYYMMDD`, 0 where unknown.
    date: Vec<u32>,
    moves: Vec<usize>,
    /// For each game that does not begin before White's move 1, by its number: the plies that come before its
    /// first move, by the move counter of its start.
    starts: BTreeMap<u64, u32>,
    /// `1`, `0`, `=` or `*` for each game.
    result: String,
    /// A digit for each game: 0 if unknown, or the class of the time control from 1.
    speed: String,
    /// For each game and player, two digits to base 36: the accuracy in per cent plus 1, or 0 if it is unknown.
    accuracy: String,
    /// For each game and player, inaccuracies, mistakes and blunders as digits to base 36.
    marks: String,
    /// The same without labels that are not sure.
    sure: String,
    bad: Vec<BadGame>,
}

#[derive(Serialize)]
struct BadGame {
    number: u64,
    file: String,
    reason: String,
}

impl Index {
    pub(crate) fn new(run: &RunInfo<'_>, chunk: usize) -> Self {
        Self {
            settings: run.settings.cloned(),
            settings_text: run.settings_text(),
            engine: run.page_engine.is_some(),
            engine_left_out: run.engine_left_out,
            sure_from: (100.0 * SURE).round() as u32,
            exercise_from: (100.0 * SURE_EXERCISE).round() as u32,
            scale: Scale::Skewer.points(),
            chunk,
            ..Self::default()
        }
    }

    pub(crate) fn games(&self) -> u64 {
        self.number.len() as u64
    }

    pub(crate) fn add(&mut self, game: &JudgedGame) {
        let opening = game
            .opening
            .map_or_else(String::new, |name| format!("{} {}", name.eco, name.name));
        self.number.push(game.origin.number);
        self.white
            .push(place(&mut self.names, game.player(Color::White)));
        self.black
            .push(place(&mut self.names, game.player(Color::Black)));
        self.white_elo.push(game.elo(Color::White).unwrap_or(0));
        self.black_elo.push(game.elo(Color::Black).unwrap_or(0));
        self.event.push(place(&mut self.events, game.tag("Event")));
        self.opening.push(place(&mut self.openings, &opening));
        self.date.push(game.date().map_or(0, |date| day(&date)));
        self.moves.push(game.moves.len());
        let before = half_moves_before(&game.line.boards[0]);
        if before > 0 {
            self.starts.insert(game.origin.number, before);
        }
        self.result.push(match game.game.outcome {
            Some(Outcome::WhiteWins) => '1',
            Some(Outcome::BlackWins) => '0',
            Some(Outcome::Draw) => '=',
            None => '*',
        });
        self.speed
            .push(digit(game.speed().map_or(0, |speed| speed as u32 + 1)));
        for color in Color::ALL {
            let accuracy = game.figures[color.index()].accuracy;
            let accuracy = accuracy.map_or(0, |percent| percent.round() as u32 + 1);
            self.accuracy.push(digit(accuracy / 36));
            self.accuracy.push(digit(accuracy % 36));
            for count in game.marks(color) {
                self.marks.push(digit(count.min(35) as u32));
            }
            for count in game.sure_marks(color) {
                self.sure.push(digit(count.min(35) as u32));
            }
        }
    }

    pub(crate) fn add_bad(&mut self, origin: &Origin, reason: &str) {
        self.bad.push(BadGame {
            number: origin.number,
            file: origin.file.clone(),
            reason: reason.to_owned(),
        });
    }
}

/// How many plies come before a position, by its move counter.
fn half_moves_before(board: &Board) -> u32 {
    let moves = u32::from(board.fullmove_number()).saturating_sub(1);
    2 * moves + u32::from(board.turn() == Color::Black)
}

/// The index of a text in `texts`. A new text is added.
fn place(texts: &mut IndexSet<String>, text: &str) -> usize {
    let known = texts.get_index_of(text);
    known.unwrap_or_else(|| texts.insert_full(text.to_owned()).0)
}

/// A digit to base 36.
fn digit(value: u32) -> char {
    char::from_digit(value, 36).unwrap_or('z')
}

/// A date such as `2025-05-01` as a number, 20250501; unknown parts are 0.
fn day(date: &str) -> u32 {
    let mut parts = date.split('-').map(|part| part.parse().unwrap_or(0));
    let mut next = || parts.next().unwrap_or(0);
    next() * 10_000 + next() * 100 + next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_of_moves_begins_where_the_position_says() {
        for (fen, before) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", 1),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 31", 60),
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 31", 61),
        ] {
            assert_eq!(half_moves_before(&fen.parse().unwrap()), before, "{fen}");
        }
    }

    #[test]
    fn dates_as_numbers() {
        assert_eq!(day("2025-05-01"), 20_250_501);
        assert_eq!(day("2025"), 20_250_000);
    }
}
