//! The engine that a person plays against.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use skewer_eval::Evaluation;
use skewer_movegen::Move;
use skewer_search::{Clock, Limits, Position};
use skewer_smp::{Engine, EngineError, Event, Options};
use skewer_types::{Score, WinModel};

use crate::strength::{Choice, Level, MAX_ELO, MIN_ELO};

/// The time of a move at full strength without a clock, and of a hint.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// How strong the engine plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// A level of `UCI_Elo`.
    Elo(u32),
    /// At full strength.
    Full,
}

/// The error of a text that names no strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a level is a number from {MIN_ELO} to {MAX_ELO}, or `full`")]
pub(super) struct StrengthError;

impl FromStr for Strength {
    type Err = StrengthError;

    fn from_str(text: &str) -> Result<Self, StrengthError> {
        if text.eq_ignore_ascii_case("full") {
            return Ok(Self::Full);
        }
        match text.parse() {
            Ok(elo) if (MIN_ELO..=MAX_ELO).contains(&elo) => Ok(Self::Elo(elo)),
            _ => Err(StrengthError),
        }
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elo(elo) => write!(f, "level {elo}"),
            Self::Full => f.write_str("full strength"),
        }
    }
}

/// A move, and its score for the side that makes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) mv: Move,
    pub(super) score: Score,
}

/// The engine.
pub(super) struct Opponent {
    engine: Engine,
    model: WinModel,
    pub(super) strength: Strength,
}

impl Opponent {
    /// # Errors
    ///
    /// If the system has no memory or no thread for the engine.
    pub(super) fn new(strength: Strength, threads: usize) -> Result<Self, EngineError> {
        let evaluation = Evaluation::default();
        let model = evaluation.win_model();
        let options = Options {
            threads,
            ..Options::default()
        };
        Ok(Self {
            engine: Engine::with_evaluation(options, evaluation)?,
            model,
            strength,
        })
    }

    /// The win model, which converts the scores of moves.
    pub(super) fn win_model(&self) -> WinModel {
        self.model
    }

    /// Forgets the previous game.
    pub(super) fn new_game(&mut self) {
        self.engine.clear();
    }

    /// The move of the engine at its strength; `None` if there is no legal move. Only full strength
    /// uses the clock.
    pub(super) fn answer(&mut self, position: Position, clock: Option<Clock>) -> Option<Found> {
        match self.strength {
            Strength::Elo(elo) => {
                self.search(position, Limits::default(), Some(Level::of_elo(elo)))
            }
            Strength::Full if clock.is_some() => self.search(
                position,
                Limits {
                    clock,
                    ..Limits::default()
                },
                None,
            ),
            Strength::Full => self.best(position),
        }
    }

    /// The best move that a second at full strength finds; `None` if there is no legal move.
    pub(super) fn best(&mut self, position: Position) -> Option<Found> {
        let limits = Limits {
            move_time: Some(MOVE_TIME),
            ..Limits::default()
        };
        self.search(position, limits, None)
    }

    fn search(
        &mut self,
        position: Position,
        mut limits: Limits,
        level: Option<Level>,
    ) -> Option<Found> {
        let choice = level.map(|level| {
            level.restrict(&mut limits);
            Arc::new(Mutex::new(Choice::new(level, position.clone())))
        });
        let seen = choice.clone();
        let handle = self.engine.search(position, limits, move |event| {
            if let (Event::Line(report), Some(choice)) = (&event, &seen) {
                choice
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(report);
            }
        });
        let result = handle.wait();
        let chosen = choice.and_then(|choice| {
            let mut choice = choice.lock().unwrap_or_else(PoisonError::into_inner);
            choice.line().cloned()
        });
        match chosen {
            Some(line) => Some(Found {
                mv: *line.pv.first()?,
                score: line.score,
            }),
            None => Some(Found {
                mv: result.best?,
                score: result.score,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_movegen::Board;

    #[test]
    fn a_strength_is_a_level_of_the_scale_or_full() {
        assert_eq!("1500".parse(), Ok(Strength::Elo(1500)));
        assert_eq!("FULL".parse(), Ok(Strength::Full));
        for wrong in ["", "799", "2601", "-1", "strong"] {
            assert_eq!(wrong.parse::<Strength>(), Err(StrengthError), "{wrong}");
        }
    }

    #[test]
    fn every_strength_answers_with_a_legal_move_and_a_finished_game_with_none() {
        let mut opponent = Opponent::new(Strength::Elo(MIN_ELO), 1).unwrap();
        let found = opponent.answer(Board::STARTPOS.into(), None).unwrap();
        assert!(Board::STARTPOS.is_legal(found.mv));
        let mated: Board = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
            .parse()
            .unwrap();
        assert!(opponent.answer(mated.into(), None).is_none());
    }
}
