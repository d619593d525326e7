//! Why a move was weak, read off the board and the engine's lines: mates, and what the lines win and lose
//! after all exchanges.

mod material;
mod quiet;
mod threats;

use serde::Serialize;
use skewer_movegen::attacks::piece_attacks;
use skewer_movegen::{Bitboard, Board, Move, Piece, Square};
use strum::IntoStaticStr;

use crate::formulas::{Eval, LABEL_DROP};
use crate::params::{CLEAR, SURE, SURE_OF_BEST, SURE_REASON};
use crate::standing::{Chances, Change};
pub use material::Trade;
use material::{HORIZONS, value, won, won_at_once};
use quiet::quiet;

/// Material, in hundredths of a pawn, that a capture must win to be named with a piece that is not a pawn.
const WORTH_NAMING: i32 = 200;

/// Material, in hundredths of a pawn, that a line must win to be named.
const PAWN: i32 = 100;

/// The part of the material, in per cent, that the evaluation must lose as well: what the rest of the position makes
/// good is not lost, and what is more than the evaluation was not to be had.
const FELT: i32 = 60;

/// A mate in hundredths of a pawn: more than all pieces.
const MATE_WORTH: i32 = 20_000;

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
    /// The opponent's best reply captures this piece, and wins material by it after all exchanges.
    HungPiece {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The opponent's best reply takes a pawn, and its line wins about as much; whether the pawn is won for good is not said.
    HungPawn,
    /// The best move was a capture that wins material after all exchanges.
    MissedCapture {
        /// The piece to be captured.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The best line begins with a fork and captures one of the forked pieces.
    MissedFork,
    /// The opponent's best line begins with a fork and captures one of the forked pieces.
    AllowedFork,
    /// A pawn promotes in the best line.
    MissedPromotion,
    /// A pawn of the opponent promotes in the best line.
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
    /// The chance to stay the same that a label needs for this motif: none for mates and decided games, which follow from
    /// the evaluations;
    /// more where nothing but the best move shows what was wrong, and most for what became of a won or a level position.
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

    /// Whether it says what became of a won or a level position, and not why.
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

    /// What the move does, as the end of a sentence that begins with the move. `best` is the move in its place, and
    /// `reply` the opponent's best.
    pub fn clause(self, best: &str, reply: &str) -> String {
        match self {
            Self::MissedMate { moves } => format!("misses mate in {moves}"),
            Self::AllowedMate { moves } => format!("allows mate in {moves}"),
            Self::InWonGame => "comes in a won game".to_owned(),
            Self::InLostGame => "comes in a lost game".to_owned(),
            Self::HungPiece { piece } => format!("leaves the {} hanging", name_of_piece(piece)),
            Self::HungPawn => format!("lets {reply} take a pawn"),
            Self::MissedCapture { piece: Piece::Pawn } => format!("does not take a pawn by {best}"),
            Self::MissedCapture { piece } => {
                format!("does not take the {} by {best}", name_of_piece(piece))
            }
            Self::MissedFork => format!("misses the fork {best}"),
            Self::AllowedFork => "allows a fork".to_owned(),
            Self::MissedPromotion => format!("misses a promotion, by {best}"),
            Self::AllowedPromotion => "allows a promotion".to_owned(),
            Self::LostMaterial { pieces, .. } => format!("loses {}", pieces.text()),
            Self::MissedMaterial { pieces, .. } => {
                format!("does not win {} by {best}", pieces.text())
            }
            Self::MissedThreat { piece } => {
                format!("does not threaten {} by {best}", threatened(piece))
            }
            Self::AllowedThreat { piece } => format!("lets {reply} threaten {}", threatened(piece)),
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

/// The aim of a threat behind the word "threat".
fn aim(piece: Piece) -> String {
    match piece {
        Piece::King => "of mate".to_owned(),
        piece => format!("to a {}", name_of_piece(piece)),
    }
}

/// The aim of a threat behind the word "threaten".
fn threatened(piece: Piece) -> String {
    match piece {
        Piece::King => "mate".to_owned(),
        Piece::Pawn => "a pawn".to_owned(),
        piece => format!("the {}", name_of_piece(piece)),
    }
}

/// What is known about a weak move: the boards, the evaluations from White's side, the chances of the player, and the
/// best lines before and after it.
#[derive(Debug)]
pub struct WeakMove<'a> {
    /// The move; `None` for a null move.
    pub played: Option<Move>,
    /// The position in which it was played.
    pub before: &'a Board,
    /// The position after it.
    pub after: &'a Board,
    /// The evaluation of the best line in its place, as it is printed.
    pub eval_before: Eval,
    /// The evaluation after it.
    pub eval_after: Eval,
    /// What the move loses, in points of lichess's win percentage.
    pub drop: f64,
    /// The player's chances with the best line in its place.
    pub chances_before: Chances,
    /// The player's chances after it.
    pub chances_after: Chances,
    /// The best line in its place.
    pub best: &'a [Move],
    /// The opponent's best line after it.
    pub reply: &'a [Move],
}

impl WeakMove<'_> {
    /// Whether the evaluation loses what a loss of material costs, or most of it.
    fn is_felt(&self, material: i32) -> bool {
        let own = self.before.turn().fold(1, -1);
        let worth = |eval: Eval| match eval {
            Eval::Cp(cp) => own * cp,
            mate => own * MATE_WORTH * mate.clamped().signum(),
        };
        100 * (worth(self.eval_before) - worth(self.eval_after)) >= FELT * material
    }
}

/// What was wrong with a weak move, most serious first.
pub fn motifs(weak: &WeakMove<'_>) -> Vec<Motif> {
    // A mate is reason enough, and lines that end in one give material away.
    let mut found = mates(weak);
    if found.is_empty() {
        found.extend(decided(weak));
    }
    // Material decides nothing in a decided game.
    if found.is_empty() {
        found.extend(material(weak));
    }
    if found.is_empty() {
        found.extend(quiet(weak));
        found.extend(standing(weak));
    }
    found
}

fn mates(weak: &WeakMove<'_>) -> Vec<Motif> {
    let own = weak.before.turn().fold(1, -1);
    let mate = |eval: Eval, sign: i32| match eval {
        Eval::Mate(moves) if moves.signum() == sign => Some(moves.unsigned_abs()),
        _ => None,
    };
    let mut found = Vec::new();
    if let Some(moves) = mate(weak.eval_before, own)
        && mate(weak.eval_after, own).is_none()
    {
        found.push(Motif::MissedMate { moves });
    }
    if let Some(moves) = mate(weak.eval_after, -own)
        && mate(weak.eval_before, -own).is_none()
    {
        found.push(Motif::AllowedMate { moves });
    }
    found
}

/// A move whose label does not come from what it loses, but from limits for mates, before and after which the game is
/// decided for the same side.
fn decided(weak: &WeakMove<'_>) -> Option<Motif> {
    if weak.drop >= 50.0 * LABEL_DROP {
        return None;
    }
    let is_clear =
        |which: usize| weak.chances_before[which].min(weak.chances_after[which]) >= CLEAR;
    if is_clear(0) {
        Some(Motif::InWonGame)
    } else {
        is_clear(2).then_some(Motif::InLostGame)
    }
}

/// What the lines win and lose, each compared with the position before the move. What the best line wins is said
/// beside what the move loses only if it is more.
fn material(weak: &WeakMove<'_>) -> Vec<Motif> {
    let (before, after) = (weak.before, weak.after);
    let side = before.turn();
    // The reply comes a ply later than the best move.
    let by_plies = HORIZONS.map(|plies| {
        let by_best = won(before, weak.best, plies, side, before);
        let by_played = won(after, weak.reply, plies - 1, side, before);
        (by_best, by_played)
    });
    let [.., (by_best, by_played)] = by_plies;
    let least = |of: fn(i32, i32) -> i32| {
        let each = by_plies.iter();
        let worths = each.map(|(best, played)| of(best.worth, played.worth));
        worths.min().unwrap_or(0)
    };
    let lost = least(|best, played| (-played).min(best - played));
    let missed = least(|best, played| best.min(best - played));
    let missed_at_once = won(before, weak.best, 2, side, before).worth;
    let mut found = Vec::new();
    if let Some(&reply) = weak.reply.first()
        && lost >= PAWN
        && weak.is_felt(lost)
    {
        let captured = after.captured(reply);
        let at_once = won_at_once(after, reply, before);
        found.extend(match captured {
            Some(piece) if piece != Piece::Pawn && lost.min(at_once) >= WORTH_NAMING => {
                Some(Motif::HungPiece { piece })
            }
            _ if is_fork(after, weak.reply) => Some(Motif::AllowedFork),
            _ if promotes(weak.reply) => Some(Motif::AllowedPromotion),
            // What the best line loses as well is not the move's fault.
            _ if 2 * -by_best.worth > lost => None,
            // A pawn that only a longer line takes is seldom lost, and material that begins with a sacrifice seldom kept.
            _ if at_once < if lost < WORTH_NAMING { PAWN } else { 0 } => None,
            // A longer line may win the pawn back.
            Some(Piece::Pawn) if lost < WORTH_NAMING => Some(Motif::HungPawn),
            _ => Trade::between(before, &by_played.end, !side).map(|pieces| Motif::LostMaterial {
                pawns: (lost / PAWN) as u32,
                pieces,
            }),
        });
    }
    if let Some(&best) = weak.best.first()
        && missed >= PAWN
        && weak.is_felt(missed)
        && (found.is_empty() || missed > lost)
    {
        found.extend(match before.captured(best) {
            Some(piece) if missed.min(won_at_once(before, best, before)) >= worth_naming(piece) => {
                Some(Motif::MissedCapture { piece })
            }
            _ if is_fork(before, weak.best) => Some(Motif::MissedFork),
            _ if promotes(weak.best) => Some(Motif::MissedPromotion),
            // What the move wins as well is not missed.
            _ if 2 * by_played.worth > missed => None,
            // A pawn that a line wins without more is won seldom.
            _ if missed < WORTH_NAMING || missed_at_once < PAWN => None,
            _ => Trade::between(before, &by_best.end, side).map(|pieces| Motif::MissedMaterial {
                pawns: (missed / PAWN) as u32,
                pieces,
            }),
        });
    }
    found
}

/// What a capture of this piece must win to be named.
fn worth_naming(piece: Piece) -> i32 {
    if piece == Piece::Pawn {
        PAWN
    } else {
        WORTH_NAMING
    }
}

/// What became of a won or a level position.
fn standing(weak: &WeakMove<'_>) -> Option<Motif> {
    Change::of(weak.chances_before, weak.chances_after).map(|change| match change {
        Change::WinToNoWin => Motif::LostWin,
        Change::LevelToLost => Motif::LostDraw,
    })
}

/// Whether the side that begins a line promotes in it.
fn promotes(line: &[Move]) -> bool {
    line.iter().step_by(2).any(|mv| mv.promotion().is_some())
}

/// Whether a line begins with a fork: the moved piece attacks two or more pieces that are the
/// king, worth more than it, or undefended, and captures one of them with its next move.
fn is_fork(board: &Board, line: &[Move]) -> bool {
    let &[first, reply, next, ..] = line else {
        return false;
    };
    if first.is_castle() {
        return false;
    }
    let after = board.play(first);
    let Some(forker) = after.piece_at(first.to()) else {
        return false;
    };
    let (own, enemy) = (board.turn(), !board.turn());
    let attacked = piece_attacks(forker, own, first.to(), after.occupied()) & after.color(enemy);
    let defended = after.attacks_by(enemy, after.occupied());
    let worth_taking = |square: &Square| match after.piece_at(*square) {
        Some(Piece::King) => true,
        Some(piece) => {
            value(piece) > value(forker) || (piece != Piece::Pawn && !defended.contains(*square))
        }
        None => false,
    };
    let targets: Bitboard = attacked.into_iter().filter(worth_taking).collect();
    let later = after.play(reply);
    targets.count() >= 2
        && next.from() == first.to()
        && later.captured(next).is_some()
        && targets.contains(next.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, sans: &[&str]) -> (Board, Vec<Move>) {
        let board = Board::from_fen(fen).unwrap();
        let mut at = board;
        let moves = sans.iter().map(|san| {
            let mv = at.parse_san(san).unwrap();
            at = at.play(mv);
            mv
        });
        (board, moves.collect())
    }

    #[test]
    fn exchanges() {
        for (fen, san, gain) in [
            ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", 100),
            ("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
            ("4k3/8/4p3/3n4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", -100),
            ("4k3/8/8/3n4/2P5/8/8/4K3 w - - 0 1", "cxd5", 300),
            // The king may not take what is defended.
            ("8/8/3k4/3n4/8/8/3R4/3RK3 w - - 0 1", "Rxd5+", 300),
        ] {
            let (board, moves) = line(fen, &[san]);
            assert_eq!(won_at_once(&board, moves[0], &board), gain, "{fen}");
        }
    }

    /// The motifs of `played` by White, with the best line in its place and the best reply, when the evaluation falls by
    /// this much.
    fn motifs_at(fall: i32, fen: &str, played: &str, best: &[&str], reply: &[&str]) -> Vec<Motif> {
        let (before, moves) = line(fen, &[played]);
        let after = before.play(moves[0]);
        let (_, best) = line(fen, best);
        let (_, reply) = line(&after.to_string(), reply);
        motifs(&WeakMove {
            played: Some(moves[0]),
            before: &before,
            after: &after,
            eval_before: Eval::Cp(0),
            eval_after: Eval::Cp(-fall),
            drop: 10.0,
            chances_before: [0, 1000, 0],
            chances_after: [0, 1000, 0],
            best: &best,
            reply: &reply,
        })
    }

    /// The same when the evaluation falls by as much as any material is worth.
    fn motifs_of(fen: &str, played: &str, best: &[&str], reply: &[&str]) -> Vec<Motif> {
        motifs_at(1000, fen, played, best, reply)
    }

    /// The motifs of a move in words.
    fn texts(found: &[Motif]) -> Vec<String> {
        found.iter().map(|motif| motif.text()).collect()
    }

    #[test]
    fn equal_trades_hang_nothing() {
        // Queens are exchanged; the rook that takes a knight is taken, for what it was worth.
        let queens = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1";
        let piece = Piece::Queen;
        let traded = motifs_of(queens, "Qxd8+", &["Qa4+"], &["Kxd8"]);
        assert_eq!(
            traded,
            [Motif::Exchange {
                piece,
                taken: piece
            }]
        );
        let exchange = "4k3/8/2p5/3n4/3p4/8/8/3RK3 w - - 0 1";
        let found = motifs_of(exchange, "Rxd4", &["Kd2"], &["Ne7"]);
        assert_eq!(found, []);
        // A rook for a knight is lost material of two pawns, by a capture of the rook.
        let lost = motifs_of(
            "4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1",
            "Rxd5",
            &["Kd2"],
            &["cxd5"],
        );
        assert_eq!(lost, [Motif::HungPiece { piece: Piece::Rook }]);
        // The rook was lost anyway, but the king could go to another square.
        let pinned = "4k3/8/8/8/1b6/2q5/3R4/4K3 w - - 0 1";
        let piece = Piece::King;
        assert_eq!(
            motifs_of(pinned, "Kd1", &["Ke2", "Qxd2+"], &["Qxd2#"]),
            [Motif::WrongSquare { piece }]
        );
    }

    #[test]
    fn lines_that_win_and_lose_are_named() {
        let pawn = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1";
        let found = motifs_of(pawn, "Kd1", &["Nxd5"], &["Kd7", "Kd2"]);
        assert_eq!(texts(&found), ["missed capture of a pawn"]);
        let rook = "4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1";
        let found = motifs_of(rook, "Ke1", &["Kd2"], &["Rxc2", "Kd1", "Rh2"]);
        assert_eq!(texts(&found), ["hung pawn"]);
        let promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(
            motifs_of(promotes, "Kb1", &["a8=Q"], &["Kg6", "Kb2"]),
            [Motif::MissedPromotion]
        );
    }

    /// Material counts as lost or missed only if the evaluation falls with it: else something makes it good.
    #[test]
    fn material_that_the_evaluation_does_not_lose_is_not_named() {
        let rook = "4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1";
        let reply = ["Rxc2", "Kd1", "Rh2"];
        let found = |fall| texts(&motifs_at(fall, rook, "Ke1", &["Kd2"], &reply));
        assert_eq!(found(60), ["hung pawn"]);
        assert!(!found(59).contains(&"hung pawn".to_owned()));
    }

    /// A label that comes from limits for mates alone is said to come in a decided game, whatever hangs; what a move loses, and
    /// a game that is decided before it alone, have other reasons.
    #[test]
    fn labels_by_the_limits_for_mates_come_in_decided_games() {
        let (before, moves) = line("4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1", &["Ke1"]);
        let after = before.play(moves[0]);
        let best = [before.parse_san("Kd2").unwrap()];
        let reply = [after.parse_san("Rxc2").unwrap()];
        let found = |drop, chances_before, chances_after| {
            motifs(&WeakMove {
                played: Some(moves[0]),
                before: &before,
                after: &after,
                eval_before: Eval::Cp(-1500),
                eval_after: Eval::Cp(-2000),
                drop,
                chances_before,
                chances_after,
                best: &best,
                reply: &reply,
            })
        };
        let (won, level, lost) = ([800, 200, 0], [300, 400, 300], [0, 200, 800]);
        assert_eq!(found(4.9, lost, lost), [Motif::InLostGame]);
        assert_eq!(found(4.9, won, won), [Motif::InWonGame]);
        assert_eq!(found(5.0, lost, lost), [Motif::HungPawn]);
        assert_eq!(found(4.9, level, lost), [Motif::HungPawn]);
        assert_eq!(found(4.9, won, level), [Motif::HungPawn]);
        let [clause, text] = [
            Motif::InLostGame.clause("Kd2", "Rxc2"),
            Motif::InLostGame.text(),
        ];
        assert_eq!(
            [clause.as_str(), &text],
            ["comes in a lost game", "in a lost game"]
        );
    }

    /// A pawn that the reply takes is said to be taken, not to be lost, since a longer line may win it back. A pawn that only
    /// a longer line takes is not named.
    #[test]
    fn a_pawn_hangs_if_the_reply_takes_it() {
        let rook = "4k3/8/8/8/2r5/8/2P5/3K4 w - - 0 1";
        let found = |reply: &[&str]| motifs_of(rook, "Ke1", &["Kd2"], reply);
        assert_eq!(found(&["Rxc2", "Kd1", "Rh2"]), [Motif::HungPawn]);
        let later = found(&["Rc3", "Kf1", "Rxc2", "Ke1", "Rh2"]);
        let is_loss = |motif: &Motif| matches!(motif, Motif::HungPawn | Motif::LostMaterial { .. });
        assert!(!later.iter().any(is_loss), "{later:?}");
        assert_eq!(
            Motif::HungPawn.clause("Kd2", "Rxc2"),
            "lets Rxc2 take a pawn"
        );
    }

    #[test]
    fn forks() {
        let (board, moves) = line("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", &["Nc7+", "Kd7", "Nxa8"]);
        assert!(is_fork(&board, &moves));
        let (board, moves) = line("4k3/r7/8/3N4/8/8/8/4K3 w - - 0 1", &["Nc7+", "Rxc7", "Ke2"]);
        assert!(!is_fork(&board, &moves));
    }

    #[test]
    fn motifs_of_weak_moves() {
        // White has left the queen where the knight takes it, and is mated: the mate is reason enough.
        let (before, moves) = line("4k3/8/8/8/4n3/8/3Q4/6K1 w - - 0 1", &["Kh1"]);
        let after = before.play(moves[0]);
        let reply = [after.parse_san("Nxd2").unwrap()];
        let best = [before.parse_san("Qd1").unwrap()];
        let weak = WeakMove {
            played: Some(moves[0]),
            before: &before,
            after: &after,
            eval_before: Eval::Cp(200),
            eval_after: Eval::Mate(-5),
            drop: 70.0,
            chances_before: [900, 100, 0],
            chances_after: [0, 0, 1000],
            best: &best,
            reply: &reply,
        };
        assert_eq!(motifs(&weak), [Motif::AllowedMate { moves: 5 }]);
    }
}
