//! Endings that are drawn more often than their material says: how much of the score to believe.
//! And one that is won only by those who know where to: it is believed the more the nearer it is.

use skewer_movegen::{Bitboard, Board, Color, Piece};

use super::masks::LIGHT;

/// The whole score is believed.
pub(super) const FULL: i32 = 64;

/// How much more of a bishop and knight's score is believed, in 64ths, for every step of the bare
/// king from the long diagonal towards a corner that the bishop reaches.
const CORNER: i32 = 12;

/// And for every step that the kings are nearer to each other.
const NEAR: i32 = 3;

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
        if is_bishop_and_knight(board, stronger) {
            return FULL + towards_mate(board, stronger);
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

/// A bishop and a knight against a bare king.
fn is_bishop_and_knight(board: &Board, stronger: Color) -> bool {
    board.color(!stronger).is_single()
        && board.color(stronger).count() == 3
        && board.colored(stronger, Piece::Bishop).is_single()
        && board.colored(stronger, Piece::Knight).is_single()
}

/// How near a bishop and a knight are to mate, which there is only in a corner of the bishop's
/// colour: too far off for a search to see.
fn towards_mate(board: &Board, stronger: Color) -> i32 {
    let king = board.king(!stronger);
    let (file, rank) = (king.index() as i32 % 8, king.index() as i32 / 8);
    let light = (board.colored(stronger, Piece::Bishop) & LIGHT).any();
    // Steps from the diagonal between the wrong corners: 0 there, 7 in the right ones.
    let steps = if light { file - rank } else { 7 - file - rank };
    let apart = king.distance(board.king(stronger)) as i32;
    CORNER * steps.abs() + NEAR * (8 - apart)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn scale_of(fen: &str) -> i32 {
        scale(&Board::from_fen(fen).unwrap(), Color::White)
    }

    #[test]
    fn a_bare_king_is_driven_to_the_bishops_corner() {
        // The bishop's squares are dark: a1 and h8 are its corners.
        let right = scale_of("7k/8/6K1/8/8/8/3BN3/8 w - - 0 1");
        let wrong = scale_of("k7/8/1K6/8/8/8/3BN3/8 w - - 0 1");
        let middle = scale_of("8/8/8/3k4/8/3K4/3BN3/8 w - - 0 1");
        let far = scale_of("k7/8/8/8/8/8/3BN3/7K w - - 0 1");
        assert!(right > wrong && right > middle && wrong > far);
        assert!(middle >= FULL && far >= FULL);
    }
}
