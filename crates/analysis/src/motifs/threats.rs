//! Threats: what a move would win if the other side passed.

use skewer_movegen::{Bitboard, Board, Move, Piece};

use super::PAWN;
use super::material::{best_capture, value, won_at_once};

/// A threat to capture, or of mate in one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Threat {
    /// The piece that would be captured; the king for a mate.
    pub(super) piece: Piece,
    /// What the capture would win after all exchanges, in hundredths of a pawn; for a mate, the value of the king.
    pub(super) gain: i32,
    /// The capture, or the mate.
    pub(super) by: Move,
}

/// The threat with which a line begins, unless the rest of the line contradicts it. A line contradicts a threat if the
/// answer takes the piece that threatens or the piece that has moved, or if the threat stays possible and the next move
/// does not carry it out. Where the line has no answer, a capture of one of these pieces without a loss contradicts it.
pub(super) fn threat(board: &Board, line: &[Move]) -> Option<Threat> {
    let (&mv, rest) = line.split_first()?;
    let threat = seeming_threat(board, mv)?;
    threat
        .is_borne_out(mv, &board.play(mv), rest)
        .then_some(threat)
}

/// What a move would win if the other side passed. The answers of the other side are not looked at. `None` for a check, which must be answered;
/// for a threat that wins less than a pawn; and for a threat that wins no more than a capture, or a mate in one, in
/// place of the move.
pub(super) fn seeming_threat(board: &Board, mv: Move) -> Option<Threat> {
    let passed = board.play(mv).play_null()?;
    if mate_in_one(board).is_some() {
        return None;
    }
    if let Some(by) = mate_in_one(&passed) {
        return Some(Threat {
            piece: Piece::King,
            gain: value(Piece::King),
            by,
        });
    }
    let threat = passed
        .captures()
        .iter()
        .filter_map(|&by| {
            Some(Threat {
                piece: passed.captured(by)?,
                gain: won_at_once(&passed, by, &passed),
                by,
            })
        })
        .max_by_key(|threat| threat.gain)?;
    (threat.gain >= PAWN && threat.gain > best_capture(board)).then_some(threat)
}

impl Threat {
    /// Whether the `rest` of a line bears the threat out. The line begins with `mv`, and `after` is the position before
    /// the rest.
    fn is_borne_out(self, mv: Move, after: &Board, rest: &[Move]) -> bool {
        let own = !after.turn();
        let squares: Bitboard = [mv.to(), self.by.from()].into_iter().collect();
        let pieces = squares & after.color(own);
        let takes = |answered: &Board| (pieces - answered.color(own)).any();
        let [answer, later @ ..] = rest else {
            // The answer is not known: a capture without a loss may be one.
            let is_free = |&capture: &Move| {
                takes(&after.play(capture)) && won_at_once(after, capture, after) >= 0
            };
            return !after.captures().iter().any(is_free);
        };
        let answered = after.play(*answer);
        match later {
            [next, ..] if self.is_carried_out(&answered, *next) => true,
            _ if takes(&answered) => false,
            // The check comes in between.
            [evasion, later @ ..] if answered.in_check() => {
                evasion.from() != self.by.from()
                    && self.is_borne_out(mv, &answered.play(*evasion), later)
            }
            [] => true,
            _ => !self.is_left(&answered),
        }
    }

    /// Whether a move does what was threatened.
    fn is_carried_out(self, board: &Board, mv: Move) -> bool {
        match self.piece {
            Piece::King => is_mate(board, mv),
            piece => mv.to() == self.by.to() && board.captured(mv) == Some(piece),
        }
    }

    /// Whether the threat can be carried out in a position.
    fn is_left(self, board: &Board) -> bool {
        if self.piece == Piece::King {
            return mate_in_one(board).is_some();
        }
        board.is_legal(self.by)
            && board.captured(self.by) == Some(self.piece)
            && won_at_once(board, self.by, board) >= PAWN
    }
}

/// A mate in one of the side to move.
fn mate_in_one(board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    moves.iter().copied().find(|&mv| is_mate(board, mv))
}

fn is_mate(board: &Board, mv: Move) -> bool {
    board.gives_check(mv) && !board.play(mv).has_legal_moves()
}

#[cfg(test)]
mod tests {
    use super::super::tests::line;
    use super::*;

    /// The piece that a line threatens, and what its capture would win.
    fn threatened(fen: &str, sans: &[&str]) -> Option<(Piece, i32)> {
        let (board, moves) = line(fen, sans);
        threat(&board, &moves).map(|threat| (threat.piece, threat.gain))
    }

    /// A threat is what the move makes possible, not what was possible before it, and not a check.
    #[test]
    fn a_threat_is_new_and_no_check() {
        for (fen, san, expected) in [
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
            // The bishop defends the rook.
            (
                "3qk3/8/8/8/8/8/6B1/R3K3 w - - 0 1",
                "Ra8",
                Some((Piece::Queen, 400)),
            ),
            ("4k2q/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra8+", None),
        ] {
            assert_eq!(threatened(fen, &[san]), expected, "{fen} {san}");
        }
    }

    /// A move threatens nothing if the answer takes the piece that threatens: the capture of a guarded piece is an
    /// exchange, and a piece that goes where it is taken is lost. Where no answer is known, a capture without a loss is
    /// enough.
    #[test]
    fn a_piece_that_is_taken_threatens_nothing() {
        let guarded = "3qk3/8/8/6p1/8/8/3B4/4K3 w - - 0 1";
        let queen = Some((Piece::Queen, 600));
        assert_eq!(threatened(guarded, &["Bxg5", "Qxg5"]), None);
        assert_eq!(threatened(guarded, &["Bxg5"]), None);
        assert_eq!(threatened(guarded, &["Bxg5", "Qd7"]), queen);
        // The bishop takes the rook and is taken.
        let bishop = "4k3/8/8/3n4/6b1/8/8/2R1K3 w - - 0 1";
        assert_eq!(threatened(bishop, &["Rd1", "Bxd1", "Kxd1"]), None);
        assert_eq!(threatened(bishop, &["Rd1"]), None);
        // The pawn that threatens is taken in passing.
        let pawn = "4k3/8/8/3n4/5p2/8/4P3/4K3 w - - 0 1";
        let knight = Some((Piece::Knight, 300));
        assert_eq!(threatened(pawn, &["e4", "fxe3"]), None);
        assert_eq!(threatened(pawn, &["e4", "Nf6"]), knight);
        // The knight is taken, but the rook that it uncovered takes the queen.
        let uncovered = "3qk3/p7/8/3N4/8/8/8/3RK3 w - - 0 1";
        let queen = Some((Piece::Queen, 400));
        assert_eq!(threatened(uncovered, &["Nb6", "axb6", "Rxd8+"]), queen);
        assert_eq!(threatened(uncovered, &["Nb6", "axb6", "Ke2"]), None);
    }

    /// The line parries a threat or carries it out. A threat that neither side minds is none. A check in between only
    /// puts the answer off.
    #[test]
    fn a_threat_is_parried_or_carried_out() {
        let rook = "4k3/8/8/3n4/8/8/8/2R1K3 w - - 0 1";
        let knight = Some((Piece::Knight, 300));
        assert_eq!(threatened(rook, &["Rd1", "Nf6", "Kf2"]), knight);
        assert_eq!(threatened(rook, &["Rd1", "Kf7", "Rxd5"]), knight);
        assert_eq!(threatened(rook, &["Rd1", "Kf7"]), knight);
        assert_eq!(threatened(rook, &["Rd1", "Kf7", "Kf2"]), None);
        let check = "4k3/8/8/3n4/8/8/7b/2R1K3 w - - 0 1";
        assert_eq!(threatened(check, &["Rd1", "Bg3+", "Kf1", "Nf6"]), knight);
        assert_eq!(threatened(check, &["Rd1", "Bg3+", "Kf1"]), knight);
        assert_eq!(threatened(check, &["Rd1", "Bg3+"]), knight);
        // The check wins the rook.
        let skewer = "4k2r/8/8/3n4/8/8/8/2R1K3 w - - 0 1";
        assert_eq!(threatened(skewer, &["Rd1", "Rh1+", "Ke2", "Rxd1"]), None);
        let mate = "6k1/p4ppp/8/8/8/8/7R/6K1 w - - 0 1";
        let king = Some((Piece::King, 10_000));
        assert_eq!(threatened(mate, &["Rc2", "h6", "Kf2"]), king);
        assert_eq!(threatened(mate, &["Rc2", "a5", "Rc8#"]), king);
        assert_eq!(threatened(mate, &["Rc2", "a5", "Kf2"]), None);
    }
}
