//! The motifs of weak moves, and their wording for people.

use serde::Serialize;
use skewer_movegen::Piece;
use strum::IntoStaticStr;

use super::material::{Trade, value};
use crate::params::{SURE, SURE_OF_BEST, SURE_REASON};

/// What was wrong with a weak move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, IntoStaticStr)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Motif {
    /// There was a forced mate, which the move lets go.
    MissedMate {
        /// Moves to mate.
        moves: u32,
    },
    /// The opponent now has a forced mate.
    AllowedMate {
        /// Moves to mate.
        moves: u32,
    },
    /// The position was won and is won: lichess's limits for mates alone give the move a label.
    InWonGame,
    /// The position was lost and is lost: lichess's limits for mates alone give the move a label.
    InLostGame,
    /// The move promotes a pawn to another piece than the best move, and both promote it on the same square.
    WrongPromotion {
        /// The piece to which the move promotes.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
        /// The piece to which it should promote.
        #[serde(serialize_with = "piece_name")]
        instead: Piece,
    },
    /// The opponent's best reply captures this piece, and wins material by it after all exchanges.
    HungPiece {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The opponent's best reply takes a pawn, and its line wins about a pawn. The motif does not say that the pawn is
    /// won for good.
    HungPawn,
    /// The best move was a capture that wins material after all exchanges, and the line of the move has no such capture.
    MissedCapture {
        /// The piece to be captured.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The best line begins with a fork and captures one of the forked pieces, and the line of the move has no fork.
    MissedFork,
    /// The opponent's best line begins with a fork and captures one of the forked pieces. The opponent has no fork in
    /// the best line.
    AllowedFork,
    /// A pawn promotes in the best line, and none in the line of the move.
    MissedPromotion,
    /// A pawn of the opponent promotes after the move, and none in the best line.
    AllowedPromotion,
    /// The opponent's best line wins material, and the best line did not lose it.
    LostMaterial {
        /// How much, in pawns.
        pawns: u32,
        /// What the player loses, and what for.
        #[serde(serialize_with = "trade_text")]
        pieces: Trade,
    },
    /// The best line wins material.
    MissedMaterial {
        /// How much, in pawns.
        pawns: u32,
        /// What the player would have won, and what for.
        #[serde(serialize_with = "trade_text")]
        pieces: Trade,
    },
    /// The best line draws by repetition: its first move makes a draw that can be claimed, or it gives check until a
    /// position comes back.
    MissedRepetition,
    /// A draw by repetition can be claimed after the move, or the opponent's best line draws by repetition in one of
    /// the ways of [`MissedRepetition`](Self::MissedRepetition).
    AllowedRepetition,
    /// The best move would have threatened this piece, or mate if it is the king.
    MissedThreat {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The opponent's best reply threatens this piece, or mate if it is the king.
    AllowedThreat {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The best move captures on the same square with another piece.
    WrongCapture {
        /// The piece that captured.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
        /// The piece that should have captured.
        #[serde(serialize_with = "piece_name")]
        instead: Piece,
    },
    /// After the best move, the opponent's best reply would be impossible or lose material on its square.
    AllowedReply {
        /// Whether it was possible before the move; otherwise the move makes it possible.
        was_possible: bool,
    },
    /// The move captures a piece and is taken back, and the best move does not capture there.
    Exchange {
        /// The piece that captured, and is lost.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
        /// The piece that it captured.
        #[serde(serialize_with = "piece_name")]
        taken: Piece,
    },
    /// The best move brings this piece out, as in an opening.
    Undeveloped {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The best move castles.
    NotCastled,
    /// The best move moves the same piece to another square, and neither captures.
    WrongSquare {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The position was won, and is far from it.
    LostWin,
    /// The position was far from lost, and is lost.
    LostDraw,
}

impl Motif {
    /// How sure a label must be for this motif to be named, as the chance to stay the same: 0 for mates and decided
    /// games, which follow from the evaluations; [`SURE`] for a lost win or a lost level position; [`SURE_OF_BEST`] if
    /// only the best move shows what was wrong; [`SURE_REASON`] for all other motifs.
    pub fn least_chance(self) -> f64 {
        match self {
            Self::MissedMate { .. }
            | Self::AllowedMate { .. }
            | Self::InWonGame
            | Self::InLostGame => 0.0,
            Self::LostWin | Self::LostDraw => SURE,
            Self::NotCastled | Self::WrongSquare { .. } => SURE_OF_BEST,
            _ => SURE_REASON,
        }
    }

    /// Whether the motif names a lost win or a lost level position, and not the reason.
    pub fn is_of_standing(self) -> bool {
        matches!(self, Self::LostWin | Self::LostDraw)
    }

    /// The motif for people: "missed mate in 3", "hung knight".
    pub fn text(self) -> String {
        match self {
            Self::MissedMate { moves } => format!("missed mate in {moves}"),
            Self::AllowedMate { moves } => format!("allowed mate in {moves}"),
            Self::InWonGame => "in a won game".to_owned(),
            Self::InLostGame => "in a lost game".to_owned(),
            Self::WrongPromotion { .. } => "promoted to the wrong piece".to_owned(),
            Self::HungPiece { piece } => format!("hung {}", name_of_piece(piece)),
            Self::HungPawn => "hung pawn".to_owned(),
            Self::MissedCapture { piece } => {
                format!("missed capture of a {}", name_of_piece(piece))
            }
            Self::MissedFork => "missed fork".to_owned(),
            Self::AllowedFork => "allowed fork".to_owned(),
            Self::MissedPromotion => "missed promotion".to_owned(),
            Self::AllowedPromotion => "allowed promotion".to_owned(),
            Self::LostMaterial { pieces, .. } => format!("lost {}", pieces.text()),
            Self::MissedMaterial { pieces, .. } => format!("missed winning {}", pieces.text()),
            Self::MissedRepetition => "missed draw by repetition".to_owned(),
            Self::AllowedRepetition => "allowed draw by repetition".to_owned(),
            Self::MissedThreat { piece } => format!("missed threat {}", aim(piece)),
            Self::AllowedThreat { piece } => format!("allowed threat {}", aim(piece)),
            Self::WrongCapture { .. } => "captured with the wrong piece".to_owned(),
            Self::AllowedReply { was_possible: true } => "did not prevent the reply".to_owned(),
            Self::AllowedReply { .. } => "made the reply possible".to_owned(),
            Self::Exchange { piece, taken } => {
                format!("{}d {}", exchange_verb(piece, taken), trade(piece, taken))
            }
            Self::Undeveloped { piece } => format!("undeveloped {}", name_of_piece(piece)),
            Self::NotCastled => "not castled".to_owned(),
            Self::WrongSquare { piece } => format!("{} to the wrong square", name_of_piece(piece)),
            Self::LostWin => "let a win slip".to_owned(),
            Self::LostDraw => "from level to lost".to_owned(),
        }
    }

    /// What the move does, as the end of a sentence that begins with the move. `best` is the best move in
    /// its place, and `reply` the opponent's best reply.
    pub fn clause(self, best: &str, reply: &str) -> String {
        match self {
            Self::MissedMate { moves } => format!("misses mate in {moves}"),
            Self::AllowedMate { moves } => format!("allows mate in {moves}"),
            Self::InWonGame => "comes in a won game".to_owned(),
            Self::InLostGame => "comes in a lost game".to_owned(),
            Self::WrongPromotion { piece, instead } => {
                let [promoted, better] = [piece, instead].map(name_of_piece);
                format!("promotes to a {promoted} in place of a {better}")
            }
            Self::HungPiece { piece } => format!("leaves the {} hanging", name_of_piece(piece)),
            Self::HungPawn => format!("lets {reply} take a pawn"),
            Self::MissedCapture { piece } => format!("misses {best}, which takes {}", aimed(piece)),
            Self::MissedFork => format!("misses the fork {best}"),
            Self::AllowedFork => "allows a fork".to_owned(),
            Self::MissedPromotion => format!("misses a promotion, by {best}"),
            Self::AllowedPromotion => "allows a promotion".to_owned(),
            Self::LostMaterial { pieces, .. } => format!("loses {}", pieces.text()),
            Self::MissedMaterial { pieces, .. } => {
                format!("misses {best}, which wins {}", pieces.text())
            }
            Self::MissedRepetition => "misses a draw by repetition".to_owned(),
            Self::AllowedRepetition => "allows a draw by repetition".to_owned(),
            Self::MissedThreat { piece } => {
                format!("misses {best}, which threatens {}", aimed(piece))
            }
            Self::AllowedThreat { piece } => format!("lets {reply} threaten {}", aimed(piece)),
            Self::WrongCapture { piece, instead } if piece == instead => {
                format!("takes with the wrong {}", name_of_piece(piece))
            }
            Self::WrongCapture { piece, instead } => {
                let [taker, better] = [piece, instead].map(name_of_piece);
                format!("takes with the {taker} in place of the {better}")
            }
            Self::AllowedReply { was_possible: true } => format!("does not prevent {reply}"),
            Self::AllowedReply { .. } => format!("makes {reply} possible"),
            Self::Exchange { piece, taken } => {
                format!("{}s {}", exchange_verb(piece, taken), trade(piece, taken))
            }
            Self::Undeveloped { piece } => {
                format!("does not develop the {} by {best}", name_of_piece(piece))
            }
            Self::NotCastled => "does not castle".to_owned(),
            Self::WrongSquare { piece } => {
                format!("moves the {} to the wrong square", name_of_piece(piece))
            }
            Self::LostWin => "lets a win slip".to_owned(),
            Self::LostDraw => "turns a level game into a lost one".to_owned(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn piece_name<S: serde::Serializer>(piece: &Piece, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(name_of_piece(*piece))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn trade_text<S: serde::Serializer>(trade: &Trade, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&trade.text())
}

/// The piece in words.
pub fn name_of_piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

/// The verb of an exchange, without its ending.
fn exchange_verb(piece: Piece, taken: Piece) -> &'static str {
    if value(piece) > value(taken) {
        "sacrifice"
    } else {
        "exchange"
    }
}

/// The pieces of an exchange: "a bishop for a knight", "queens".
fn trade(piece: Piece, taken: Piece) -> String {
    let [given, won] = [piece, taken].map(name_of_piece);
    if piece == taken {
        format!("{given}s")
    } else {
        format!("a {given} for a {won}")
    }
}

/// The aim of a threat, as it follows the word "threat".
fn aim(piece: Piece) -> String {
    match piece {
        Piece::King => "of mate".to_owned(),
        piece => format!("to a {}", name_of_piece(piece)),
    }
}

/// The aim of a threat or a capture, as it follows the words "threaten" and "take".
fn aimed(piece: Piece) -> String {
    match piece {
        Piece::King => "mate".to_owned(),
        Piece::Pawn => "a pawn".to_owned(),
        piece => format!("the {}", name_of_piece(piece)),
    }
}
