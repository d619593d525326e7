//! The position a game starts from, as its `FEN` and `Variant` tags say.

use std::fmt;

use skewer_movegen::{Board, CastlingMode, FenError, Setup, Strictness};

use crate::characters::plain_fen;

/// Why a game's start position is invalid.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The `FEN` tag is not a valid position.
    Fen {
        /// The value of the tag.
        fen: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The `Variant` tag names a game with other rules.
    Variant(String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fen { fen, reason } => {
                write!(f, "the FEN \"{fen}\" is not a position: {reason}")
            }
            Self::Variant(variant) => write!(f, "the variant \"{variant}\" is not supported"),
        }
    }
}

impl std::error::Error for StartError {}

/// A start position and how castling is written in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The position.
    pub board: Board,
    /// Chess960 if the tags say so, or if the castling rights need it.
    pub mode: CastlingMode,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            board: Board::STARTPOS,
            mode: CastlingMode::Standard,
        }
    }
}

impl Start {
    /// The start position for the values of the tags `FEN` and `Variant`.
    ///
    /// # Errors
    ///
    /// If the position is invalid, or the variant is neither standard chess nor Chess960.
    ///
    /// ```
    /// use skewer_movegen::CastlingMode;
    /// use skewer_pgn::Start;
    ///
    /// let fen = "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1";
    /// let start = Start::from_tags(Some(fen), Some("fischerandom"))?;
    /// assert_eq!(start.mode, CastlingMode::Chess960);
    /// assert!(Start::from_tags(None, Some("Crazyhouse")).is_err());
    /// # Ok::<(), skewer_pgn::StartError>(())
    /// ```
    pub fn from_tags(fen: Option<&str>, variant: Option<&str>) -> Result<Self, StartError> {
        let named = match variant {
            None => CastlingMode::Standard,
            Some(variant) => variant_mode(variant)?,
        };
        let Some(fen) = fen.map(str::trim).filter(|fen| !is_unknown(fen)) else {
            return Ok(Self {
                board: Board::STARTPOS,
                mode: named,
            });
        };
        let board = read_setup(fen).and_then(|setup| Ok(setup.build(Strictness::Relaxed)?));
        let board = board.map_err(|error| StartError::Fen {
            fen: fen.to_owned(),
            reason: error.to_string(),
        })?;
        Ok(Self::from_board(board, named))
    }

    /// The start position `board`, in Chess960 if `mode` says so or its castling rights need it.
    pub fn from_board(board: Board, mode: CastlingMode) -> Self {
        let mode = match board.castling_mode() {
            CastlingMode::Chess960 => CastlingMode::Chess960,
            CastlingMode::Standard => mode,
        };
        Self { board, mode }
    }

    /// Whether this is the start position of standard chess.
    pub fn is_standard(&self) -> bool {
        self.board == Board::STARTPOS && self.mode == CastlingMode::Standard
    }
}

/// Whether the value of a tag stands for an unknown one.
pub(crate) fn is_unknown(value: &str) -> bool {
    matches!(value.trim(), "" | "?" | "-")
}

/// Whether a tag of this value says nothing that another tag of its name could contradict: an unknown value, the star
/// of a game without a result, or a date without a year, month or day.
pub(crate) fn is_placeholder(value: &str) -> bool {
    is_unknown(value) || matches!(value.trim(), "*" | "????.??.??")
}

/// The fields of the value of a `FEN` tag.
fn read_setup(fen: &str) -> Result<Setup, FenError> {
    let plain = plain_fen(fen);
    let read = |fen: &str| Setup::from_fen(fen, Strictness::Relaxed);
    read(&plain).or_else(|error| read(&with_counters(&plain)).map_err(|_| error))
}

/// The rights in the value of a `FEN` tag that its position contradicts. [`Start::from_tags`] leaves them out.
pub(crate) fn impossible_rights(fen: &str) -> Vec<FenError> {
    let setup = read_setup(fen.trim()).ok();
    let rights = setup.iter().flat_map(Setup::impossible_rights);
    rights.map(FenError::from).collect()
}

/// A position with usual counters in place of a dash or a question mark.
fn with_counters(fen: &str) -> String {
    let fields = fen.split_ascii_whitespace().enumerate();
    let fields = fields.map(|(index, field)| match (index, field) {
        (4, "-" | "?") => "0",
        (5, "-" | "?") => "1",
        _ => field,
    });
    fields.collect::<Vec<_>>().join(" ")
}

/// What the `Variant` tag means. Programs disagree on the spelling.
fn variant_mode(variant: &str) -> Result<CastlingMode, StartError> {
    let letters: String = variant
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_lowercase();
    match letters.as_str() {
        "" | "standard" | "chess" | "normal" | "orthodox" | "fromposition" => {
            Ok(CastlingMode::Standard)
        }
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerrandomchess"
        | "fischerandomchess" | "freestyle" | "freestylechess" | "frc" => {
            Ok(CastlingMode::Chess960)
        }
        // The Week in Chess and ChessBase use the tag for the name of the opening's variation.
        _ if OTHER_GAMES.iter().any(|game| letters.contains(game)) => {
            Err(StartError::Variant(variant.to_owned()))
        }
        _ => Ok(CastlingMode::Standard),
    }
}

/// Games with other rules, by a part of their names.
const OTHER_GAMES: [&str; 17] = [
    "atomic",
    "antichess",
    "bughouse",
    "crazyhouse",
    "giveaway",
    "horde",
    "hill",
    "losers",
    "racing",
    "shatranj",
    "shogi",
    "suicide",
    "threecheck",
    "3check",
    "xiangqi",
    "makruk",
    "duck",
];

#[cfg(test)]
mod tests {
    use skewer_movegen::FenField;

    use super::*;

    #[test]
    fn variants() {
        for name in ["Standard", "From Position", "", "Closed", "Najdorf"] {
            assert_eq!(variant_mode(name), Ok(CastlingMode::Standard), "{name}");
        }
        for name in ["Chess960", "chess 960", "fischerandom", "Fischer Random"] {
            assert_eq!(variant_mode(name), Ok(CastlingMode::Chess960), "{name}");
        }
        for name in [
            "Crazyhouse",
            "King of the Hill",
            "Racing Kings",
            "Three-check",
        ] {
            assert!(variant_mode(name).is_err(), "{name}");
        }
    }

    #[test]
    fn counters_may_be_unknown() {
        let start = |counters: &str| {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {counters}");
            let start = Start::from_tags(Some(&fen), None);
            start.map(|start| start.board.to_fen().to_string())
        };
        for (counters, expected) in [("- -", "0 1"), ("7 -", "7 1"), ("? 9", "0 9"), ("", "0 1")] {
            let expected = format!("4k3/8/8/8/8/8/8/4K3 w - - {expected}");
            assert_eq!(start(counters), Ok(expected), "{counters}");
        }
        let error = start("x -").unwrap_err().to_string();
        assert!(error.contains("x -"), "{error}");
    }

    /// A right that the position contradicts is left out and named, wherever the counters stand. An unknown value has
    /// no right.
    #[test]
    fn impossible_rights_are_left_out_and_named() {
        let fields = "4k3/8/8/8/8/8/8/4K2R w KQ e3";
        for counters in ["", " 0 1", " - -", " ? 7 "] {
            let fen = format!("{fields}{counters}");
            let start = Start::from_tags(Some(&fen), None).unwrap();
            let plain = start.board.to_fen().to_string();
            assert!(plain.starts_with("4k3/8/8/8/8/8/8/4K2R w K - "), "{plain}");
            let named = impossible_rights(&fen).into_iter();
            let named: Vec<_> = named.map(|right| right.field()).collect();
            assert_eq!(named, [FenField::Castling, FenField::EnPassant], "{fen}");
        }
        for fen in ["", "?", "-", "nonsense"] {
            assert!(impossible_rights(fen).is_empty(), "{fen}");
        }
    }

    #[test]
    fn rights_that_need_chess960() {
        let fen = "1r2k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
        assert_eq!(
            Start::from_tags(Some(fen), None).unwrap().mode,
            CastlingMode::Chess960
        );
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(
            Start::from_tags(Some(fen), None).unwrap().mode,
            CastlingMode::Standard
        );
        let error = Start::from_tags(Some("nonsense"), None).unwrap_err();
        assert!(error.to_string().contains("nonsense"), "{error}");
    }
}
