//! Endings that are drawn more often than their material says: how much of the score to believe.

use skewer_movegen::{Bitboard, Board, Color, Piece};

use super::masks::LIGHT;

/// The whole score is believed.
pub(super) const FULL: i32 = 64;

/// How much of the score to believe, in 64ths, when `stronger` is ahead.
pub(super) fn scale(board: &Board, stronger: Color) -> i32 {
    let weaker = !stronger;
    let pawns = board.colored(stronger, Piece::Pawn);
    if pawns.is_empty() {
        // Without pawns, less than a rook ahead rarely wins; a lone minor never does.
        let (ours, theirs) = (pieces_worth(board, stronger), pieces_worth(board, weaker));
        if ours <= 3 {
            return 0;
        }
        let two_knights = board.colored(stronger, Piece::Knight).count() == 2
            && ours == 6
            && board.colored(weaker, Piece::Pawn).is_empty();
        if two_knights {
            return 2;
        }
        if ours - theirs <= 3 {
            return 12;
        }
    }
    if is_wrong_bishop(board, stronger) {
        return 0;
    }
    if has_opposite_bishops(board) {
        let only_bishops = pieces_worth(board, stronger) == 3 && pieces_worth(board, weaker) == 3;
        return if only_bishops { 28 } else { 50 };
    }
    FULL
}

/// The pieces of a side in pawns, roughly.
fn pieces_worth(board: &Board, side: Color) -> i32 {
    let worth = |piece: Piece, pawns: i32| board.colored(side, piece).count() as i32 * pawns;
    worth(Piece::Knight, 3)
        + worth(Piece::Bishop, 3)
        + worth(Piece::Rook, 5)
        + worth(Piece::Queen, 9)
}

/// Each side has one bishop, and they never meet.
fn has_opposite_bishops(board: &Board) -> bool {
    let (white, black) = (
        board.colored(Color::White, Piece::Bishop),
        board.colored(Color::Black, Piece::Bishop),
    );
    white.is_single() && black.is_single() && (white & LIGHT).any() != (black & LIGHT).any()
}

/// A bishop and rook's pawns of one file against a bare king in the corner that the bishop does
/// not reach.
fn is_wrong_bishop(board: &Board, stronger: Color) -> bool {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let pawns = board.colored(stronger, Piece::Pawn);
    let bishops = board.colored(stronger, Piece::Bishop);
    if pawns.is_empty()
        || bishops.is_empty()
        || pieces_worth(board, stronger) != 3 * bishops.count() as i32
        || board.color(!stronger).has_more_than_one()
    {
        return false;
    }
    [0, 7].into_iter().any(|file| {
        let corner = if stronger == Color::White {
            56 + file
        } else {
            file
        };
        let corner = Bitboard(1 << corner);
        let king = board.king(!stronger);
        let near = corner
            .first()
            .is_some_and(|corner| corner.distance(king) <= 1);
        pawns.is_subset(Bitboard(FILE_A << file))
            && near
            && ((corner & LIGHT).any() && (bishops & LIGHT).is_empty()
                || (corner & !LIGHT).any() && (bishops & !LIGHT).is_empty())
    })
}
