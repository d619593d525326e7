//! Why a move was weak although no line wins material: what the better move, or the reply, does by the rules of chess.

use skewer_movegen::{Board, Move, Piece, Rank, Square};

use super::draws::repetition;
use super::lines::takes;
use super::material::{value, won_at_once};
use super::threats::{seeming_threat, threat};
use super::{Motif, PAWN, WORTH_NAMING, WeakMove};
use crate::phase::{MIDDLEGAME_PIECES, pieces};

/// The first reason that holds. The reasons that explain most come first.
pub(super) fn quiet(weak: &WeakMove<'_>) -> Option<Motif> {
    repetition(weak)
        .or_else(|| wrong_capture(weak))
        .or_else(|| threats(weak, WORTH_NAMING))
        .or_else(|| allowed_reply(weak))
        .or_else(|| threats(weak, PAWN))
        .or_else(|| exchange(weak))
        .or_else(|| undeveloped(weak))
        .or_else(|| not_castled(weak))
        .or_else(|| wrong_square(weak))
}

/// The best move captures on the same square with another piece.
pub(super) fn wrong_capture(weak: &WeakMove<'_>) -> Option<Motif> {
    let (played, &best) = (weak.played?, weak.best.first()?);
    let is_other = best.to() == played.to() && best.from() != played.from();
    let both = [played, best].map(|mv| weak.before.captured(mv));
    let [piece, instead] = [played, best].map(|mv| weak.before.moved(mv));
    (is_other && both[0].is_some() && both[0] == both[1])
        .then_some(Motif::WrongCapture { piece, instead })
}

/// A threat that wins at least `least`, which the move lets go or allows.
fn threats(weak: &WeakMove<'_>, least: i32) -> Option<Motif> {
    missed_threat(weak, least).or_else(|| allowed_threat(weak, least))
}

/// The best move threatens more than the played move seems to, and the line of the played move does not take the piece.
/// A threat in a line that draws by repetition is not carried out, so it is not named.
fn missed_threat(weak: &WeakMove<'_>, least: i32) -> Option<Motif> {
    let best = threat(weak.before, weak.best)?;
    let own = weak.played.and_then(|mv| seeming_threat(weak.before, mv));
    let is_more = best.gain >= least && best.gain > own.map_or(0, |own| own.gain);
    let line = weak.played_line();
    let is_missed = is_more
        && weak.best_repeats().is_none()
        && !takes(weak.before, &line, best.by.to(), best.piece);
    is_missed.then_some(Motif::MissedThreat { piece: best.piece })
}

/// The reply threatens more than the answer to the best move does. A threat in a line that draws by repetition is not
/// carried out, so it is not named.
fn allowed_threat(weak: &WeakMove<'_>, least: i32) -> Option<Motif> {
    let found = threat(weak.after, weak.reply)?;
    let (better, answers) = weak.after_best();
    let other = threat(&better, answers).map_or(0, |other| other.gain);
    let is_allowed = found.gain >= least && found.gain > other && weak.reply_repeats().is_none();
    is_allowed.then_some(Motif::AllowedThreat { piece: found.piece })
}

/// After the best move, the reply would be impossible or lose material on its square. A reply in a line that draws by
/// repetition is not named.
fn allowed_reply(weak: &WeakMove<'_>) -> Option<Motif> {
    let (&reply, &best) = (weak.reply.first()?, weak.best.first()?);
    // A check leaves the opponent no choice. A reply that takes the moved piece is no reply that the move allowed.
    let better = weak.before.play(best);
    if better.in_check()
        || weak.played.is_none_or(|mv| mv.to() == reply.to())
        || weak.reply_repeats().is_some()
    {
        return None;
    }
    let passed = weak.before.play_null()?;
    let like =
        |board: &Board| same_move(board, reply, weak.after).is_some_and(|mv| holds(board, mv));
    (holds(weak.after, reply) && !like(&better)).then_some(Motif::AllowedReply {
        was_possible: like(&passed),
    })
}

/// The legal move of `board` that does what `mv` does on `there`: the same squares, the same piece, the same capture.
fn same_move(board: &Board, mv: Move, there: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    let key = |board: &Board, mv: Move| {
        let pieces = (board.moved(mv), board.captured(mv), mv.promotion());
        (mv.from(), mv.to(), pieces)
    };
    let wanted = key(there, mv);
    moves.iter().copied().find(|&mv| key(board, mv) == wanted)
}

/// Whether a move loses less than a pawn by captures on the square where it ends.
fn holds(board: &Board, mv: Move) -> bool {
    let after = board.play(mv);
    let taken = board.captured(mv).map_or(0, value);
    let captures = after.captures();
    let back = captures.iter().filter(|capture| capture.to() == mv.to());
    let lost = back.map(|&capture| won_at_once(&after, capture, &after));
    taken - lost.max().unwrap_or(0) > -PAWN
}

/// The move captures a piece, the reply takes back, and the best move does not capture there: an exchange of equal
/// pieces, or a sacrifice of two pawns or more.
fn exchange(weak: &WeakMove<'_>) -> Option<Motif> {
    let (played, &best, &reply) = (weak.played?, weak.best.first()?, weak.reply.first()?);
    let taken = weak.before.captured(played)?;
    let piece = weak.before.moved(played);
    let given = value(piece) - value(taken);
    let is_equal = given == 0 && piece != Piece::Pawn;
    let takes_back = reply.to() == played.to() && weak.after.captured(reply) == Some(piece);
    (takes_back && best.to() != played.to() && (is_equal || given >= WORTH_NAMING))
        .then_some(Motif::Exchange { piece, taken })
}

/// In the opening, the best move brings out a bishop or a knight. The played move develops no piece, and does not
/// capture, check or castle.
fn undeveloped(weak: &WeakMove<'_>) -> Option<Motif> {
    let (played, &best) = (weak.played?, weak.best.first()?);
    let is_busy = weak.before.is_capture(played)
        || played.is_castle()
        || weak.after.in_check()
        || developed(weak.before, played).is_some();
    let piece = developed(weak.before, best)?;
    (!is_busy).then_some(Motif::Undeveloped { piece })
}

/// The best move castles, and the move neither castles nor captures nor checks.
fn not_castled(weak: &WeakMove<'_>) -> Option<Motif> {
    let (played, &best) = (weak.played?, weak.best.first()?);
    let is_busy =
        played.is_castle() || weak.before.is_capture(played) || weak.before.gives_check(played);
    (best.is_castle() && !is_busy).then_some(Motif::NotCastled)
}

/// The best move moves the same piece to another square, and neither move captures or castles. The piece is no pawn,
/// which has only one square or two to go to.
fn wrong_square(weak: &WeakMove<'_>) -> Option<Motif> {
    let (played, &best) = (weak.played?, weak.best.first()?);
    let piece = weak.before.moved(played);
    let is_quiet = |mv: Move| !mv.is_castle() && !weak.before.is_capture(mv);
    let is_other = played.from() == best.from() && played.to() != best.to();
    (is_other && piece != Piece::Pawn && is_quiet(played) && is_quiet(best))
        .then_some(Motif::WrongSquare { piece })
}

/// The bishop or knight that a move brings out.
fn developed(board: &Board, mv: Move) -> Option<Piece> {
    let home = |square: Square| square.relative_to(board.turn()).rank() == Rank::First;
    let piece = board.moved(mv);
    let start = match piece {
        Piece::Knight => [Square::B1, Square::G1],
        Piece::Bishop => [Square::C1, Square::F1],
        _ => return None,
    };
    let is_early = pieces(board) > MIDDLEGAME_PIECES;
    let is_start = start.contains(&mv.from().relative_to(board.turn()));
    (is_start && !home(mv.to()) && is_early).then_some(piece)
}

#[cfg(test)]
mod tests {
    use super::super::tests::line;
    use super::*;
    use crate::formulas::Eval;

    /// The reason for `played`, with the first move of the best line, and the reply.
    fn reason(fen: &str, played: &str, best: &str, reply: &str) -> Option<Motif> {
        reason_by(fen, played, 0, &[best], &[reply])
    }

    /// The reason for `played`, with the evaluation after it, the best line and the reply's line.
    fn reason_by(
        fen: &str,
        played: &str,
        eval: i32,
        best: &[&str],
        reply: &[&str],
    ) -> Option<Motif> {
        let (before, moves) = line(fen, &[played]);
        let after = before.play(moves[0]);
        let (_, best) = line(fen, best);
        let (_, reply) = line(&after.to_string(), reply);
        quiet(&WeakMove {
            played: Some(moves[0]),
            past: &[],
            before: &before,
            after: &after,
            eval_before: Eval::Cp(0),
            eval_after: Eval::Cp(eval),
            drop: 10.0,
            chances_before: [0, 1000, 0],
            chances_after: [0, 1000, 0],
            best: &best,
            reply: &reply,
        })
    }

    /// Taking with the wrong piece is named before threats and replies, and only if both take the same piece.
    #[test]
    fn the_wrong_piece_takes() {
        let fen = "4k3/8/8/8/3p4/4PN2/8/4K3 w - - 0 1";
        let wrong = Motif::WrongCapture {
            piece: Piece::Pawn,
            instead: Piece::Knight,
        };
        assert_eq!(reason(fen, "exd4", "Nxd4", "Kd7"), Some(wrong));
        assert_ne!(reason(fen, "e4", "Nxd4", "Kd7"), Some(wrong));
        assert_eq!(
            wrong.clause("Nxd4", "Kd7"),
            "takes with the pawn in place of the knight"
        );
        let rook = Motif::WrongCapture {
            piece: Piece::Rook,
            instead: Piece::Rook,
        };
        assert_eq!(rook.clause("Raxd1", "Kd7"), "takes with the wrong rook");
    }

    /// A reply that the best move takes away was allowed; whether it was possible before the move tells two reasons
    /// apart. A reply that the best move leaves possible is no reason.
    #[test]
    fn replies_that_the_best_move_takes_away() {
        // After f4 the pawn on e5 would be taken for nothing.
        let pawn = "4k3/4p3/8/8/8/8/5P2/4K2R w - - 0 1";
        let kept = Motif::AllowedReply { was_possible: true };
        assert_eq!(reason(pawn, "Rg1", "f4", "e5"), Some(kept));
        assert_eq!(reason(pawn, "Rg1", "f3", "e5"), None);
        assert_eq!(kept.clause("f4", "e5"), "does not prevent e5");
        // The pawn on g2 guarded h3.
        let guard = "4k2r/8/8/8/8/7P/5PP1/4K3 w k - 0 1";
        let made = Motif::AllowedReply {
            was_possible: false,
        };
        assert_eq!(reason(guard, "g3", "f3", "Rxh3"), Some(made));
        assert_eq!(made.clause("f3", "Rxh3"), "makes Rxh3 possible");
    }

    /// A best move that gives check prevents nearly every reply for one move, which is no reason.
    #[test]
    fn replies_that_only_a_check_takes_away_are_no_reason() {
        let pawn = "4k3/4p3/8/8/8/8/5P2/4K2R w - - 0 1";
        assert_eq!(reason(pawn, "Kd1", "Rh8+", "e5"), None);
    }

    /// A capture that is taken back is an exchange of equal pieces or a sacrifice, if the best move does not capture
    /// there.
    #[test]
    fn captures_that_are_taken_back_are_exchanges() {
        let fen = "4k3/1p6/2n5/1B6/8/8/4P3/4K3 w - - 0 1";
        let exchange = Motif::Exchange {
            piece: Piece::Bishop,
            taken: Piece::Knight,
        };
        assert_eq!(reason(fen, "Bxc6+", "Bd3", "bxc6"), Some(exchange));
        assert_ne!(reason(fen, "Bxc6+", "Bd3", "Kf8"), Some(exchange));
        let [better, reply] = ["Bd3", "bxc6"];
        assert_eq!(
            exchange.clause(better, reply),
            "exchanges a bishop for a knight"
        );
        assert_eq!(exchange.text(), "exchanged a bishop for a knight");
        let sacrifice = Motif::Exchange {
            piece: Piece::Bishop,
            taken: Piece::Pawn,
        };
        let pawn = "4k3/1p6/2p5/1B6/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(reason(pawn, "Bxc6+", "Bd3", "bxc6"), Some(sacrifice));
        assert_eq!(
            sacrifice.clause(better, reply),
            "sacrifices a bishop for a pawn"
        );
        let queens = Motif::Exchange {
            piece: Piece::Queen,
            taken: Piece::Queen,
        };
        assert_eq!(queens.clause(better, reply), "exchanges queens");
        // Exchanges of pawns are common, and a piece that wins a better one is no loss.
        let pawns = "4k3/1p6/2p5/1P6/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(reason(pawns, "bxc6", "b6", "bxc6"), None);
        let rook = "4k3/1p6/2r5/1B6/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(reason(rook, "Bxc6+", "Bd3", "bxc6"), None);
    }

    /// Development is a reason while many pieces are left, for a bishop or knight on its first square, and only if the
    /// move does nothing of the kind.
    #[test]
    fn development_is_a_reason_while_many_pieces_are_left() {
        let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let knight = Motif::Undeveloped {
            piece: Piece::Knight,
        };
        assert_eq!(reason(opening, "a3", "Nc3", "a6"), Some(knight));
        assert_eq!(reason(opening, "Be2", "Nc3", "a6"), None);
        let late = "4k3/8/8/8/8/8/P7/1N2K3 w - - 0 1";
        assert_eq!(reason(late, "a3", "Nc3", "Kd7"), None);
        assert_eq!(
            knight.clause("Nc3", "a6"),
            "does not develop the knight by Nc3"
        );
    }

    /// Castling is a reason where the best move castles, and the move does nothing that could be more urgent.
    #[test]
    fn castling_is_a_reason_if_the_best_move_castles() {
        let fen = "4k3/4p3/8/8/8/p7/1P3PPP/4K2R w K - 0 1";
        assert_eq!(reason(fen, "h3", "O-O", "e6"), Some(Motif::NotCastled));
        assert_eq!(Motif::NotCastled.clause("O-O", "e6"), "does not castle");
        assert_eq!(reason(fen, "bxa3", "O-O", "e6"), None);
        assert_eq!(reason(fen, "h3", "g3", "e6"), None);
    }

    /// The right piece on the wrong square is a reason where no other is known, if neither move captures; a pawn has
    /// few squares to go to.
    #[test]
    fn the_right_piece_goes_to_the_wrong_square() {
        let fen = "4k3/4p3/8/8/8/p7/1P3P2/4K2R w K - 0 1";
        let rook = Motif::WrongSquare { piece: Piece::Rook };
        assert_eq!(reason(fen, "Rg1", "Rh2", "e6"), Some(rook));
        assert_eq!(reason(fen, "Kd2", "Rh2", "e6"), None);
        assert_eq!(reason(fen, "bxa3", "b3", "e6"), None);
        assert_eq!(reason(fen, "f3", "f4", "e6"), None);
        assert_eq!(
            rook.clause("Rh2", "e6"),
            "moves the rook to the wrong square"
        );
    }

    /// A threat to a piece comes before a reply that was allowed, and the reply before a threat to a pawn.
    #[test]
    fn threats_come_by_what_they_win() {
        let piece = "4k3/8/8/3n4/8/8/8/2R1K3 w - - 0 1";
        let to_knight = Motif::MissedThreat {
            piece: Piece::Knight,
        };
        assert_eq!(reason(piece, "Kf1", "Rd1", "Kd7"), Some(to_knight));
        let pawn = "4k3/8/8/3p4/8/8/8/2R1K3 w - - 0 1";
        let to_pawn = Motif::MissedThreat { piece: Piece::Pawn };
        assert_eq!(reason(pawn, "Kf1", "Rd1", "Kd7"), Some(to_pawn));
        assert_eq!(
            to_pawn.clause("Rd1", "Kd7"),
            "misses Rd1, which threatens a pawn"
        );
    }

    /// A threat is missed only if the move does not make it as well, and its line does not take the piece.
    #[test]
    fn a_threat_that_the_move_makes_is_not_missed() {
        let fen = "4k3/8/8/3n4/8/8/8/2R2K2 w - - 0 1";
        let wrong_square = Some(Motif::WrongSquare { piece: Piece::Rook });
        let missed = Some(Motif::MissedThreat {
            piece: Piece::Knight,
        });
        assert_eq!(reason(fen, "Ra1", "Rc5", "Kd7"), missed);
        assert_eq!(reason(fen, "Rd1", "Rc5", "Kd7"), wrong_square);
        let taken = ["Kd7", "Rd1", "Kc6", "Rxd5"];
        let found = |reply: &[&str]| reason_by(fen, "Re1+", -100, &["Rd1"], reply);
        assert_eq!(found(&taken[..1]), missed);
        assert_eq!(found(&taken), wrong_square);
    }

    /// A threat is allowed only if the opponent does not make it after the best move as well.
    #[test]
    fn a_threat_that_the_best_line_allows_is_not_allowed_by_the_move() {
        let fen = "r3k3/8/8/8/3N4/8/7P/4K3 w - - 0 1";
        let allowed = Some(Motif::AllowedThreat {
            piece: Piece::Knight,
        });
        let found = |best: &[&str]| reason_by(fen, "h3", -100, best, &["Rd8"]);
        assert_eq!(found(&["h4"]), allowed);
        assert_eq!(found(&["h4", "Ra4"]), None);
        assert_eq!(found(&["h4", "Rd8"]), None);
        assert_eq!(found(&["h4", "Kd7"]), allowed);
    }

    /// A threat or a reply in a line that draws by repetition is no reason: it leads to nothing.
    #[test]
    fn lines_that_repeat_a_position_have_no_point() {
        let pawn = "4k3/4p3/8/8/8/8/5P2/4K2R w - - 0 1";
        let repeat = ["e5", "Rh1", "Kd7", "Rg1", "Ke8"];
        let found = |eval| reason_by(pawn, "Rg1", eval, &["f4"], &repeat);
        let reply = Some(Motif::AllowedReply { was_possible: true });
        assert_eq!([found(0), found(-100)], [None, reply]);
        let knight = "r3k3/8/8/8/3N4/8/7P/4K3 w - - 0 1";
        let repeat = ["Rd8", "Nf3", "Rd7", "Nd4", "Rd8"];
        let found = |eval| reason_by(knight, "h3", eval, &["h4"], &repeat);
        let threat = Some(Motif::AllowedThreat {
            piece: Piece::Knight,
        });
        assert_eq!([found(0), found(-100)], [None, threat]);
    }
}
