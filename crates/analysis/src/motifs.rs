//! Why a move was weak, read off the board and the engine's lines: mates, and what the lines win and lose
//! after all exchanges.

mod material;

use serde::Serialize;
use skewer_movegen::attacks::piece_attacks;
use skewer_movegen::{Bitboard, Board, Move, Piece, Square};
use strum::IntoStaticStr;

use crate::formulas::Eval;
use crate::params::WINNING_PERCENT;
use material::{value, won, won_at_once};

/// Material, in hundredths of a pawn, that a capture must win to be named with its piece.
const WORTH_NAMING: i32 = 200;

/// Material, in hundredths of a pawn, that a line must win to be named.
const PAWN: i32 = 100;

/// Checks in a line, by the side that attacks, from which it is an attack on the king.
const CHECKS: usize = 2;

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
    /// The opponent's best reply captures this piece, and wins material by it after all exchanges.
    HungPiece {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
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
    },
    /// The best line wins material.
    MissedMaterial {
        /// How much, in pawns.
        pawns: u32,
    },
    /// The best line attacks the king with several checks.
    MissedAttack,
    /// The opponent's best line attacks the king with several checks.
    AllowedAttack,
    /// The position was won, and is not any more.
    LostWin,
    /// The position was level, and is lost.
    LostDraw,
}

impl Motif {
    /// The motif for people: "missed mate in 3", "hung knight".
    pub fn text(self) -> String {
        match self {
            Self::MissedMate { moves } => format!("missed mate in {moves}"),
            Self::AllowedMate { moves } => format!("allowed mate in {moves}"),
            Self::HungPiece { piece } => format!("hung {}", name_of_piece(piece)),
            Self::MissedCapture { piece } => {
                format!("missed capture of a {}", name_of_piece(piece))
            }
            Self::MissedFork => "missed fork".to_owned(),
            Self::AllowedFork => "allowed fork".to_owned(),
            Self::MissedPromotion => "missed promotion".to_owned(),
            Self::AllowedPromotion => "allowed promotion".to_owned(),
            Self::LostMaterial { pawns: 1 } => "lost a pawn".to_owned(),
            Self::LostMaterial { .. } => "lost material".to_owned(),
            Self::MissedMaterial { pawns: 1 } => "missed winning a pawn".to_owned(),
            Self::MissedMaterial { .. } => "missed winning material".to_owned(),
            Self::MissedAttack => "missed attack on the king".to_owned(),
            Self::AllowedAttack => "allowed attack on the king".to_owned(),
            Self::LostWin => "let a win slip".to_owned(),
            Self::LostDraw => "from level to lost".to_owned(),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn piece_name<S: serde::Serializer>(piece: &Piece, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(name_of_piece(*piece))
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

/// What is known about a weak move: the boards, the evaluations from White's side, and the best
/// lines before and after it.
#[derive(Debug)]
pub struct WeakMove<'a> {
    /// The position in which it was played.
    pub before: &'a Board,
    /// The position after it.
    pub after: &'a Board,
    /// The evaluation of the best line in its place.
    pub eval_before: Eval,
    /// The evaluation after it.
    pub eval_after: Eval,
    /// The best line in its place.
    pub best: &'a [Move],
    /// The opponent's best line after it.
    pub reply: &'a [Move],
}

/// What was wrong with a weak move, most serious first.
pub fn motifs(weak: &WeakMove<'_>) -> Vec<Motif> {
    let mut found = mates(weak);
    found.extend(material(weak));
    let attack = |board, line| checks(board, line) >= CHECKS;
    // A mate is an attack anyway.
    if found.is_empty() && attack(weak.before, weak.best) {
        found.push(Motif::MissedAttack);
    }
    if found.is_empty() && attack(weak.after, weak.reply) {
        found.push(Motif::AllowedAttack);
    }
    if found.is_empty() {
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

/// What the lines win and lose, each compared with the position before the move.
fn material(weak: &WeakMove<'_>) -> Vec<Motif> {
    let (before, after) = (weak.before, weak.after);
    let side = before.turn();
    let by_best = won(before, weak.best, side, before);
    let by_played = won(after, weak.reply, side, before);
    let difference = by_best - by_played;
    let (lost, missed) = (-by_played, by_best);
    let mut found = Vec::new();
    if let Some(&reply) = weak.reply.first()
        && lost.min(difference) >= PAWN
    {
        let captured = after.captured(reply).filter(|&piece| piece != Piece::Pawn);
        match captured {
            Some(piece)
                if won_at_once(after, reply, before) >= WORTH_NAMING
                    && lost.min(difference) >= WORTH_NAMING =>
            {
                found.push(Motif::HungPiece { piece });
            }
            _ if is_fork(after, weak.reply) => found.push(Motif::AllowedFork),
            _ if promotes(weak.reply) => found.push(Motif::AllowedPromotion),
            _ => found.push(Motif::LostMaterial {
                pawns: (lost.min(difference) / PAWN) as u32,
            }),
        }
    }
    if let Some(&best) = weak.best.first()
        && missed.min(difference) >= PAWN
    {
        match before.captured(best) {
            Some(piece)
                if won_at_once(before, best, before) >= WORTH_NAMING
                    && missed.min(difference) >= WORTH_NAMING =>
            {
                found.push(Motif::MissedCapture { piece });
            }
            _ if is_fork(before, weak.best) => found.push(Motif::MissedFork),
            _ if promotes(weak.best) => found.push(Motif::MissedPromotion),
            _ => found.push(Motif::MissedMaterial {
                pawns: (missed.min(difference) / PAWN) as u32,
            }),
        }
    }
    found
}

/// What became of a won or a level position.
fn standing(weak: &WeakMove<'_>) -> Option<Motif> {
    let percent = |eval: Eval| {
        weak.before
            .turn()
            .fold(eval.win_percent(), 100.0 - eval.win_percent())
    };
    let (before, after) = (percent(weak.eval_before), percent(weak.eval_after));
    let is_lost = after <= 100.0 - WINNING_PERCENT;
    if before >= WINNING_PERCENT && after < WINNING_PERCENT {
        Some(Motif::LostWin)
    } else if before > 100.0 - WINNING_PERCENT && is_lost {
        Some(Motif::LostDraw)
    } else {
        None
    }
}

/// Whether the side that begins a line promotes in it.
fn promotes(line: &[Move]) -> bool {
    line.iter().step_by(2).any(|mv| mv.promotion().is_some())
}

/// Checks that the side to move gives in a line.
fn checks(board: &Board, line: &[Move]) -> usize {
    let mut at = *board;
    let mut count = 0;
    for &mv in line {
        count += usize::from(at.turn() == board.turn() && at.gives_check(mv));
        at = at.play(mv);
    }
    count
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

    /// The motifs of `played`, with the best line in its place and the best reply.
    fn motifs_of(fen: &str, played: &str, best: &[&str], reply: &[&str]) -> Vec<Motif> {
        let (before, moves) = line(fen, &[played]);
        let after = before.play(moves[0]);
        let (_, best) = line(fen, best);
        let (_, reply) = line(&after.to_string(), reply);
        motifs(&WeakMove {
            before: &before,
            after: &after,
            eval_before: Eval::Cp(0),
            eval_after: Eval::Cp(0),
            best: &best,
            reply: &reply,
        })
    }

    #[test]
    fn equal_trades_hang_nothing() {
        // Queens are exchanged; the rook that takes a knight is taken, for what it was worth.
        let queens = "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1";
        assert_eq!(motifs_of(queens, "Qxd8+", &["Qa4+"], &["Kxd8"]), []);
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
        // The piece was lost anyway.
        let pinned = "4k3/8/8/8/1b6/2q5/3R4/4K3 w - - 0 1";
        assert_eq!(motifs_of(pinned, "Kd1", &["Ke2", "Qxd2+"], &["Qxd2#"]), []);
    }

    #[test]
    fn lines_that_win_and_lose_are_named() {
        // A pawn is left to be taken.
        let pawn = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1";
        assert_eq!(
            motifs_of(pawn, "Kd1", &["Nxd5"], &["Kd7", "Kd2"]),
            [Motif::MissedMaterial { pawns: 1 }]
        );
        let promotes = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(
            motifs_of(promotes, "Kb1", &["a8=Q"], &["Kg6", "Kb2"]),
            [Motif::MissedPromotion]
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
        // White has left the queen where the knight takes it.
        let (before, moves) = line("4k3/8/8/8/4n3/8/3Q4/6K1 w - - 0 1", &["Kh1"]);
        let after = before.play(moves[0]);
        let reply = [after.parse_san("Nxd2").unwrap()];
        let best = [before.parse_san("Qd1").unwrap()];
        let weak = WeakMove {
            before: &before,
            after: &after,
            eval_before: Eval::Cp(200),
            eval_after: Eval::Mate(-5),
            best: &best,
            reply: &reply,
        };
        assert_eq!(
            motifs(&weak),
            [
                Motif::AllowedMate { moves: 5 },
                Motif::HungPiece {
                    piece: Piece::Queen
                }
            ]
        );
    }
}
