//! Scales the score down in endings that are drawn more often than their material suggests. In the
//! ending of bishop and knight against king, scales it up on the way to mate.

use skewer_movegen::{Bitboard, Board, Color, Piece};

/// The factor that leaves the score as it is.
pub(super) const FULL: i32 = 64;

/// Added to the factor with bishop and knight, in 64ths, for every step of the bare king from the
/// long diagonal of the other colour towards a corner of the bishop's colour.
const CORNER: i32 = 12;

/// Added to the factor with bishop and knight, in 64ths, for every step that the kings are closer
/// than 8 squares.
const NEAR: i32 = 3;

/// The factor of the score, in 64ths, when `stronger` is ahead.
pub(super) fn scale(board: &Board, stronger: Color) -> i32 {
    let weaker = !stronger;
    let pawns = board.colored(stronger, Piece::Pawn);
    if pawns.is_empty() {
        // Without pawns, an advantage of a minor piece or less rarely wins; a lone minor piece
        // never wins.
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

/// Progress towards mate with bishop and knight, which is possible only in a corner of the bishop's
/// colour. The mate is too many moves away for the search to find it by itself.
fn towards_mate(board: &Board, stronger: Color) -> i32 {
    let king = board.king(!stronger);
    let (file, rank) = (king.index() as i32 % 8, king.index() as i32 / 8);
    let light = (board.colored(stronger, Piece::Bishop) & Bitboard::LIGHT).any();
    // Steps from the long diagonal of the other colour: 7 in the corners of the bishop's colour.
    let steps = if light { file - rank } else { 7 - file - rank };
    let apart = king.distance(board.king(stronger)) as i32;
    CORNER * steps.abs() + NEAR * (8 - apart)
}

/// The usual value in pawns of a side's pieces, without pawns and king.
fn pieces_worth(board: &Board, side: Color) -> i32 {
    let worth = |piece: Piece, pawns: i32| board.colored(side, piece).count() as i32 * pawns;
    worth(Piece::Knight, 3)
        + worth(Piece::Bishop, 3)
        + worth(Piece::Rook, 5)
        + worth(Piece::Queen, 9)
}

/// Whether each side has one bishop, and they are on squares of opposite colours.
fn has_opposite_bishops(board: &Board) -> bool {
    let (white, black) = (
        board.colored(Color::White, Piece::Bishop),
        board.colored(Color::Black, Piece::Bishop),
    );
    white.is_single()
        && black.is_single()
        && (white & Bitboard::LIGHT).any() != (black & Bitboard::LIGHT).any()
}

/// Whether a side has only bishops of one colour and rook's pawns on one file, against a bare king
/// on or beside the corner in which these pawns promote, and that corner has the colour without bishops.
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
        let corner = Bitboard(1 << (stronger.fold(56, 0) + file));
        let king = board.king(!stronger);
        let near = corner
            .first()
            .is_some_and(|corner| corner.distance(king) <= 1);
        pawns.is_subset(Bitboard(FILE_A << file))
            && near
            && ((corner & Bitboard::LIGHT).any() && (bishops & Bitboard::LIGHT).is_empty()
                || (corner & !Bitboard::LIGHT).any() && (bishops & !Bitboard::LIGHT).is_empty())
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
