//! What the side that begins a line does in it: forks, promotions and captures.

use skewer_movegen::attacks::piece_attacks;
use skewer_movegen::{Bitboard, Board, Move, Piece, Square};

use super::material::value;

/// The positions in which the side that begins a line is to move, each with the moves that are left.
pub(super) fn own_turns<'a>(
    board: &Board,
    line: &'a [Move],
) -> impl Iterator<Item = (Board, &'a [Move])> {
    let mut at = *board;
    line.chunks(2).enumerate().map(move |(turn, moves)| {
        let found = (at, &line[2 * turn..]);
        for &mv in moves {
            at = at.play(mv);
        }
        found
    })
}

/// Whether the side that begins a line promotes in it.
pub(super) fn promotes(line: &[Move]) -> bool {
    line.iter().step_by(2).any(|mv| mv.promotion().is_some())
}

/// Whether the side that begins a line captures this piece on this square in it.
pub(super) fn takes(board: &Board, line: &[Move], square: Square, piece: Piece) -> bool {
    own_turns(board, line)
        .any(|(at, moves)| moves[0].to() == square && at.captured(moves[0]) == Some(piece))
}

/// Whether the side that begins a line forks in it; see [`is_fork`].
pub(super) fn forks(board: &Board, line: &[Move]) -> bool {
    own_turns(board, line).any(|(at, moves)| is_fork(&at, moves))
}

/// Whether a line begins with a fork: the moved piece attacks two or more pieces, each of which is
/// the king, is worth more than it, or is undefended and no pawn. Its next move captures one of
/// them.
pub(super) fn is_fork(board: &Board, line: &[Move]) -> bool {
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
    use super::super::tests::line;
    use super::*;

    /// A fork attacks two pieces, and takes one of them with the next move.
    #[test]
    fn forks_take_one_of_two_pieces() {
        let (board, moves) = line("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", &["Nc7+", "Kd7", "Nxa8"]);
        assert!(is_fork(&board, &moves));
        let (board, moves) = line("4k3/r7/8/3N4/8/8/8/4K3 w - - 0 1", &["Nc7+", "Rxc7", "Ke2"]);
        assert!(!is_fork(&board, &moves));
    }

    /// What the side that begins does counts wherever in the line it comes, and what the other side does never counts.
    #[test]
    fn only_the_side_that_begins_counts() {
        let fen = "r3k3/8/8/3N4/8/8/7p/4K3 w - - 0 1";
        let (board, moves) = line(fen, &["Kd1", "h1=Q+", "Kd2", "Qxd5+"]);
        assert!(!promotes(&moves) && promotes(&moves[1..]));
        assert!(!takes(&board, &moves, Square::D5, Piece::Knight));
        let after = board.play(moves[0]);
        assert!(takes(&after, &moves[1..], Square::D5, Piece::Knight));
        let (board, moves) = line(fen, &["Kd1", "Kd8", "Nb6", "Ra7", "Ke2"]);
        assert!(!forks(&board, &moves));
        let (board, moves) = line(fen, &["Kd1", "Kd7", "Nb6+", "Kc7", "Nxa8+"]);
        assert!(forks(&board, &moves) && !is_fork(&board, &moves));
        assert!(takes(&board, &moves, Square::A8, Piece::Rook));
        assert!(!takes(&board, &moves, Square::A8, Piece::Knight));
    }
}
