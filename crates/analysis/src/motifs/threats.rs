//! Threats: what a move would win if the other side passed.

use skewer_movegen::{Board, Move, Piece};

use super::PAWN;
use super::material::{best_capture, value, won_at_once};

/// The piece that a move threatens to capture, and what the capture would win after all exchanges, in hundredths of a
/// pawn. For a threat of mate in one, the piece is the king. `None` for a check, which must be answered; for a threat
/// that wins less than a pawn; and for a threat that wins no more than a capture, or a mate in one, in place of
/// the move.
pub(super) fn threat(board: &Board, mv: Move) -> Option<(Piece, i32)> {
    let after = board.play(mv);
    let passed = after.play_null()?;
    if mates_at_once(board) {
        return None;
    }
    if mates_at_once(&passed) {
        return Some((Piece::King, value(Piece::King)));
    }
    let (piece, gain) = passed
        .captures()
        .iter()
        .filter_map(|&capture| Some((passed.captured(capture)?, capture)))
        .map(|(piece, capture)| (piece, won_at_once(&passed, capture, &passed)))
        .max_by_key(|&(_, gain)| gain)?;
    (gain >= PAWN && gain > best_capture(board)).then_some((piece, gain))
}

/// Whether the side to move has a mate in one.
fn mates_at_once(board: &Board) -> bool {
    let is_mate = |&mv: &Move| board.gives_check(mv) && !board.play(mv).has_legal_moves();
    board.legal_moves().iter().any(is_mate)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A threat is what the move makes possible, not what was possible before it, and not a check.
    #[test]
    fn a_threat_is_new_and_no_check() {
        for (fen, san, threatened) in [
            (
                "4k3/8/8/3q4/8/8/8/3NK3 w - - 0 1",
                "Nc3",
                Some((Piece::Queen, 900)),
            ),
            ("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", "Kf2", None),
            ("4k3/8/3p4/3n4/8/8/8/3RK3 w - - 0 1", "Rd2", None),
            // The knight is defended by a pawn.
            ("4k3/8/4p3/3n4/8/8/8/2R1K3 w - - 0 1", "Rd1", None),
            (
                "4k3/8/8/3n4/8/8/8/2R1K3 w - - 0 1",
                "Rd1",
                Some((Piece::Knight, 300)),
            ),
            (
                "4k3/8/8/3p4/8/8/8/2R1K3 w - - 0 1",
                "Rd1",
                Some((Piece::Pawn, 100)),
            ),
            // Back-rank mate.
            (
                "6k1/5ppp/8/8/8/8/7R/6K1 w - - 0 1",
                "Rc2",
                Some((Piece::King, 10_000)),
            ),
            // There was a mate before the move.
            ("6k1/5ppp/8/8/8/8/2R5/6K1 w - - 0 1", "Rb2", None),
            (
                "3qk3/8/8/8/8/8/8/R3K3 w - - 0 1",
                "Ra8",
                Some((Piece::Queen, 400)),
            ),
            ("4k2q/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+", None),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let mv = board.parse_san(san).unwrap();
            assert_eq!(threat(&board, mv), threatened, "{fen} {san}");
        }
    }
}
