//! Builds a game move by move, with variations, comments and glyphs.

use std::fmt;

use skewer_movegen::{Move, Outcome, ParseMoveError};

use crate::{Nag, NodeId, PgnGame, San, Start};

/// Builds a [`PgnGame`] in the order in which PGN is written.
///
/// ```
/// use skewer_pgn::{GameBuilder, Nag, Outcome};
///
/// let game = GameBuilder::new()
///     .tag("White", "Anderssen, Adolf")
///     .tag("Black", "Kieseritzky, Lionel")
///     .moves("e4 e5 f4")?
///     .comment("the King's Gambit")
///     .variation(|line| line.moves("Nf3 Nc6 Bb5")?.nag(Nag::GOOD))?
///     .moves("exf4")?
///     .outcome(Outcome::WhiteWins)
///     .build();
/// let text = "1. e4 e5 2. f4 { the King's Gambit } ( 2. Nf3 Nc6 3. Bb5 $1 ) 2... exf4 1-0";
/// assert!(game.to_string().replace('(', "( ").replace(')', " )").contains(text), "{game}");
/// # Ok::<(), skewer_pgn::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameBuilder {
    game: PgnGame,
    at: NodeId,
}

/// A step that a [`GameBuilder`] cannot take.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// A move is not legal, or its text is not a move.
    Move {
        /// The move.
        mv: String,
        /// What is wrong with it.
        error: ParseMoveError,
    },
    /// A variation or a glyph before the first move of the line.
    NoMove,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { mv, error } => write!(f, "move {mv} is {error}"),
            Self::NoMove => f.write_str("there is no move yet that this could belong to"),
        }
    }
}

impl std::error::Error for BuildError {}

impl Default for GameBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl GameBuilder {
    /// A game from the starting position of standard chess.
    pub fn new() -> Self {
        Self::from_start(Start::default())
    }

    /// A game from another position, or of Chess960.
    pub fn from_start(start: Start) -> Self {
        Self {
            game: PgnGame::from_start(start),
            at: NodeId::ROOT,
        }
    }

    /// Sets a tag. `FEN`, `SetUp`, `Variant` and `Result` are written from the game itself.
    #[must_use]
    pub fn tag(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.game.tags.set(name, value);
        self
    }

    /// Appends a move.
    ///
    /// # Errors
    ///
    /// If the move is not legal.
    pub fn mv(mut self, mv: Move) -> Result<Self, BuildError> {
        let board = self.game.node(self.at).board();
        if let Some(reason) = board.why_illegal(mv) {
            return Err(BuildError::Move {
                mv: mv.to_string(),
                error: ParseMoveError::Illegal(reason),
            });
        }
        let after = board.play(mv);
        self.at = self.game.add_checked(self.at, Some(mv), after);
        Ok(self)
    }

    /// Appends moves in standard algebraic notation, separated by white space; `--` is a null move.
    ///
    /// # Errors
    ///
    /// At the first text that is not a legal move.
    pub fn moves(mut self, sans: &str) -> Result<Self, BuildError> {
        for san in sans.split_ascii_whitespace() {
            let board = self.game.node(self.at).board();
            let wrong = |error| BuildError::Move {
                mv: san.to_owned(),
                error,
            };
            let mv = San::new(san.as_bytes()).resolve(board).map_err(wrong)?;
            let added = self.game.add(self.at, mv);
            self.at = added.map_err(|_| wrong(ParseMoveError::Null))?;
        }
        Ok(self)
    }

    /// Adds a comment behind the last move, or before the first.
    #[must_use]
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.game.node_mut(self.at).comments.push(text.into());
        self
    }

    /// Adds an annotation glyph to the last move.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoMove`] before the first move.
    pub fn nag(mut self, nag: Nag) -> Result<Self, BuildError> {
        if self.at == NodeId::ROOT {
            return Err(BuildError::NoMove);
        }
        self.game.node_mut(self.at).nags.push(nag);
        Ok(self)
    }

    /// Adds a variation in place of the last move, as a parenthesis behind it does in PGN. The
    /// line then goes on from the last move.
    ///
    /// # Errors
    ///
    /// Those of `build`; [`BuildError::NoMove`] before the first move.
    pub fn variation(
        mut self,
        build: impl FnOnce(Self) -> Result<Self, BuildError>,
    ) -> Result<Self, BuildError> {
        let at = self.at;
        self.at = self.game.node(at).parent().ok_or(BuildError::NoMove)?;
        let mut built = build(self)?;
        built.at = at;
        Ok(built)
    }

    /// Sets the result.
    #[must_use]
    pub fn outcome(mut self, outcome: Outcome) -> Self {
        self.game.outcome = Some(outcome);
        self
    }

    /// The game.
    pub fn build(self) -> PgnGame {
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skewer_movegen::IllegalReason;

    #[test]
    fn variations_nest_and_the_line_continues() {
        let game = GameBuilder::new()
            .moves("d4 d5")
            .and_then(|game| {
                game.variation(|line| {
                    line.moves("Nf6 c4")?
                        .variation(|inner| inner.moves("Nf3 g6"))?
                        .moves("e6")
                })
            })
            .and_then(|game| game.moves("c4"))
            .unwrap()
            .build();
        let text = game.to_string();
        let moves = "1. d4 d5 (1... Nf6 2. c4 (2. Nf3 g6) 2... e6) 2. c4 *";
        assert!(text.contains(moves), "{text}");
    }

    #[test]
    fn errors_name_the_move() {
        let error = GameBuilder::new().moves("e4 e4").unwrap_err();
        assert_eq!(
            error.to_string(),
            "move e4 is not legal: no such pawn can reach e4"
        );
        let error = GameBuilder::new().nag(Nag::GOOD).unwrap_err();
        assert_eq!(error, BuildError::NoMove);
        let error = GameBuilder::new().variation(Ok).unwrap_err();
        assert_eq!(error, BuildError::NoMove);
        let illegal = Move::normal(skewer_movegen::Square::A1, skewer_movegen::Square::A3);
        assert!(matches!(
            GameBuilder::new().mv(illegal),
            Err(BuildError::Move {
                error: ParseMoveError::Illegal(IllegalReason::Blocked(_)),
                ..
            })
        ));
    }
}
