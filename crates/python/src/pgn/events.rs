//! A game as a list of events, for `skewer.chess.pgn`, whose visitors are written in Python.

use std::io::Read as _;
use std::ops::ControlFlow;

use pyo3::prelude::*;
use skewer_pgn::{Comment, Location, Nag, Outcome, PgnError, Reader, San, TagValue, Visitor};

use super::read_error;

/// The kind of an event, its text, and the value of a tag.
type Event = (&'static str, String, String);

/// Records the events of a game.
#[derive(Default)]
struct Recording {
    events: Vec<Event>,
    /// Whether events are not recorded, because only the end of the game is wanted.
    is_quiet: bool,
    /// Whether there was anything but comments.
    is_game: bool,
}

impl Recording {
    fn push(&mut self, kind: &'static str, text: impl Into<String>) -> ControlFlow<()> {
        self.is_game |= kind != "comment";
        if !self.is_quiet {
            self.events.push((kind, text.into(), String::new()));
        }
        ControlFlow::Continue(())
    }
}

impl Visitor for Recording {
    type Output = ();

    fn tag(&mut self, name: &[u8], value: TagValue<'_>) -> ControlFlow<()> {
        self.is_game = true;
        if self.is_quiet {
            return ControlFlow::Continue(());
        }
        // python-chess keeps escapes, and writes them as they are.
        let value = if value.as_bytes().contains(&b'\\') {
            String::from_utf8_lossy(value.as_bytes()).into_owned()
        } else {
            value.decode().into_owned()
        };
        let name = String::from_utf8_lossy(name).into_owned();
        self.events.push(("tag", name, value));
        ControlFlow::Continue(())
    }

    fn end_tags(&mut self) -> ControlFlow<()> {
        if !self.is_quiet {
            self.events.push(("moves", String::new(), String::new()));
        }
        ControlFlow::Continue(())
    }

    fn san(&mut self, san: San<'_>) -> ControlFlow<()> {
        if self.is_quiet {
            self.is_game = true;
            return ControlFlow::Continue(());
        }
        let word = san.plain();
        // A word without a digit that is not castling cannot be a move.
        let letters = word.trim_end_matches(['+', '#']);
        let is_castling = letters.bytes().all(|byte| b"Oo-".contains(&byte));
        let is_move =
            is_castling || san.is_null() || word.bytes().any(|byte| byte.is_ascii_digit());
        let kind = if is_move { "move" } else { "word" };
        self.push(kind, word)
    }

    fn nag(&mut self, nag: Nag) -> ControlFlow<()> {
        self.push("nag", nag.0.to_string())
    }

    fn comment(&mut self, comment: Comment<'_>) -> ControlFlow<()> {
        // python-chess passes over comments after a semicolon.
        if comment.is_line() || self.is_quiet {
            return ControlFlow::Continue(());
        }
        self.push("comment", comment.text())
    }

    fn begin_variation(&mut self) -> ControlFlow<(), skewer_pgn::Variation> {
        let _ = self.push("open", "");
        ControlFlow::Continue(skewer_pgn::Variation::Read)
    }

    fn end_variation(&mut self) -> ControlFlow<()> {
        self.push("close", "")
    }

    fn outcome(&mut self, outcome: Option<Outcome>) -> ControlFlow<()> {
        self.push("result", Outcome::pgn_result(outcome))
    }

    fn problem(&mut self, problem: PgnError, _: Location) -> ControlFlow<()> {
        match problem {
            // python-chess ignores such parentheses.
            PgnError::StrayParenthesis | PgnError::UnclosedVariation => ControlFlow::Continue(()),
            _ => self.push("error", problem.to_string()),
        }
    }

    fn end_game(&mut self) {}
}

/// The events of the first game of a text, and where it ends, in bytes. Comments after the game, before the end of the
/// text, belong to it. With `is_quiet` these comments are the only events.
#[pyfunction]
pub(crate) fn pgn_events(
    py: Python<'_>,
    text: &[u8],
    is_quiet: bool,
) -> PyResult<(Vec<Event>, usize)> {
    let mut reader = Reader::new(text);
    let mut game = Recording {
        is_quiet,
        ..Recording::default()
    };
    let mut read = |recording: &mut Recording| {
        let more = reader
            .read_game(recording)
            .map_err(|error| read_error(py, error))?;
        Ok::<_, PyErr>((more.is_some(), reader.offset() as usize))
    };
    let (found, end) = read(&mut game)?;
    let mut rest = Recording::default();
    while read(&mut rest)?.0 {
        if rest.is_game {
            return Ok((game.events, end));
        }
    }
    // Comments alone are no game, but comments with a result are a game.
    let rest = &text[if found { end } else { 0 }..];
    let mut comments = Recording::default();
    Reader::new(rest.chain(&b"\n*"[..]))
        .read_game(&mut comments)
        .map_err(|error| read_error(py, error))?;
    comments
        .events
        .retain(|(kind, ..)| !found || *kind == "comment");
    comments.events.retain(|(kind, ..)| *kind != "result");
    game.events.extend(comments.events);
    Ok((game.events, text.len()))
}
