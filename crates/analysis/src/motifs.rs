//! Why a move was weak, read off the board and the engine's lines: a mate missed or allowed, a
//! piece left to be taken, a capture or a fork missed.

use serde::Serialize;
use skewer_movegen::attacks::piece_attacks;
use skewer_movegen::{Bitboard, Board, Color, Move, Piece, Square};

use crate::formulas::Eval;

/// Material, in hundredths of a pawn, that a capture must win to be named.
const WORTH_NAMING: i32 = 200;

/// What was wrong with a weak move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
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
    /// The opponent's best reply wins this piece by capturing it.
    HungPiece {
        /// The piece.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The best move was a capture that wins material.
    MissedCapture {
        /// The piece to be captured.
        #[serde(serialize_with = "piece_name")]
        piece: Piece,
    },
    /// The best line begins with a fork and captures one of the forked pieces.
    MissedFork,
    /// The opponent's best line begins with a fork and captures one of the forked pieces.
    AllowedFork,
}

impl Motif {
    /// The name of the kind in the results.
    pub fn kind(self) -> &'static str {
        match self {
            Self::MissedMate { .. } => "missed_mate",
            Self::AllowedMate { .. } => "allowed_mate",
            Self::HungPiece { .. } => "hung_piece",
            Self::MissedCapture { .. } => "missed_capture",
            Self::MissedFork => "missed_fork",
            Self::AllowedFork => "allowed_fork",
        }
    }

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
    let white = weak.before.turn() == Color::White;
    let mate = |eval: Eval, sign: i32| match eval {
        Eval::Mate(moves) if moves.signum() == sign => Some(moves.unsigned_abs()),
        _ => None,
    };
    let own = if white { 1 } else { -1 };
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
    if let Some(piece) = winning_capture(weak.after, weak.reply)
        && piece != Piece::Pawn
    {
        found.push(Motif::HungPiece { piece });
    }
    if let Some(piece) = winning_capture(weak.before, weak.best) {
        found.push(Motif::MissedCapture { piece });
    }
    if is_fork(weak.before, weak.best) {
        found.push(Motif::MissedFork);
    }
    if is_fork(weak.after, weak.reply) {
        found.push(Motif::AllowedFork);
    }
    found
}

/// What the first move of a line captures, if that wins material by exchanges on its square.
fn winning_capture(board: &Board, line: &[Move]) -> Option<Piece> {
    let &first = line.first()?;
    let piece = board.captured(first)?;
    (exchange(board, first) >= WORTH_NAMING).then_some(piece)
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

/// The usual values of the pieces, in hundredths of a pawn.
fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight | Piece::Bishop => 300,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 10_000,
    }
}

/// The material that a capture wins when both sides go on capturing on its square, cheapest piece
/// first, as long as it pays (static exchange evaluation). Pins are ignored.
fn exchange(board: &Board, mv: Move) -> i32 {
    let Some(captured) = board.captured(mv) else {
        return 0;
    };
    let occupied = board.occupied() & !mv.from().bitboard();
    let lost = recapture(board, mv.to(), occupied, !board.turn(), board.moved(mv));
    value(captured) - lost
}

/// The material that a side wins by capturing a piece on a square and going on as long as it pays;
/// 0 if it cannot or should not.
fn recapture(board: &Board, square: Square, occupied: Bitboard, side: Color, on: Piece) -> i32 {
    let attackers = board.attackers_to(square, occupied) & occupied;
    let own = attackers & board.color(side);
    let cheapest = Piece::ALL
        .into_iter()
        .find_map(|piece| Some((piece, (own & board.pieces(piece)).first()?)));
    match cheapest {
        None => 0,
        Some((Piece::King, _)) if (attackers & board.color(!side)).any() => 0,
        Some((piece, from)) => {
            let occupied = occupied & !from.bitboard();
            (value(on) - recapture(board, square, occupied, !side, piece)).max(0)
        }
    }
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
            assert_eq!(exchange(&board, moves[0]), gain, "{fen}");
        }
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
        let (before, moves) = line("4k3/8/8/8/8/5n2/3Q4/6K1 w - - 0 1", &["Kh1"]);
        let after = before.play(moves[0]);
        let reply = [after.parse_san("Nxd2").unwrap()];
        let best = [before.parse_san("Kf2").unwrap()];
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
