//! The bytes of a game: viriformat, a public layout (Cosmo Bobak, MIT licence) that other trainers
//! read too.
//!
//! A game is 32 bytes for the position it starts from, 4 bytes a move, and 4 zero bytes.
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | the occupied squares, a1 in the lowest bit |
//! | 8..24 | 32 nibbles, a piece each in the order of the squares: 0 to 5 is pawn to king, 6 a rook that may castle; 8 more for Black |
//! | 24 | bit 7: Black to move; the rest: the en passant square, or 64 |
//! | 25 | the half-move clock |
//! | 26..28 | the move number |
//! | 28..30 | a score, unused here (0) |
//! | 30 | the result: 0 Black won, 1 draw, 2 White won |
//! | 31 | unused (0) |
//!
//! A move is two bytes (six bits from, six bits to, two bits for the promotion counted from the
//! knight, two for the kind: 1 en passant, 2 castling as king takes rook, 3 promotion) and the
//! two bytes of White's score.

use skewer_movegen::{
    Bitboard, Board, CastlingRights, CastlingSide, Color, Move, MoveKind, Outcome, Piece, Rank,
    Setup, Square, Strictness,
};

/// Bytes of the starting position.
pub(crate) const START_BYTES: usize = 32;
/// Bytes of a move with its score, and of the end mark.
pub(crate) const MOVE_BYTES: usize = 4;
/// The mark after the last move.
pub(crate) const END: [u8; MOVE_BYTES] = [0; MOVE_BYTES];

const CASTLING_ROOK: u8 = 6;
const BLACK_PIECE: u8 = 8;
const BLACK_TO_MOVE: u8 = 0x80;
const NO_EN_PASSANT: u8 = 64;

const EN_PASSANT: u16 = 1 << 14;
const CASTLE: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

/// The bytes of a starting position with a result.
pub(crate) fn pack_start(board: &Board, result: Outcome) -> [u8; START_BYTES] {
    let mut bytes = [0; START_BYTES];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    let castling_rooks = board.castling_rooks();
    for (index, square) in board.occupied().into_iter().enumerate() {
        let (Some(piece), Some(color)) = (board.piece_at(square), board.color_at(square)) else {
            continue;
        };
        let mut code = piece.index() as u8;
        if castling_rooks.contains(square) {
            code = CASTLING_ROOK;
        }
        if color == Color::Black {
            code |= BLACK_PIECE;
        }
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    bytes[24] = board
        .en_passant()
        .map_or(NO_EN_PASSANT, |square| square.index() as u8);
    if board.turn() == Color::Black {
        bytes[24] |= BLACK_TO_MOVE;
    }
    bytes[25] = board.halfmove_clock();
    bytes[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    bytes[30] = result.to_byte();
    bytes
}

/// The bits of a move.
pub(crate) fn pack_move(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    squares
        | match mv.kind() {
            MoveKind::Normal => 0,
            MoveKind::EnPassant => EN_PASSANT,
            MoveKind::Castle => CASTLE,
            MoveKind::Promotion(piece) => PROMOTION | (piece.index() as u16 - 1) << 12,
        }
}

/// The move with these bits, which need not be legal anywhere; `None` if no move has them.
pub(crate) fn unpack_move(bits: u16) -> Option<Move> {
    let from = Square::from_index((bits & 63) as u8)?;
    let to = Square::from_index((bits >> 6 & 63) as u8)?;
    let piece = bits >> 12 & 3;
    match (bits & PROMOTION, piece) {
        (PROMOTION, _) => {
            Piece::from_index(usize::from(piece) + 1).map(|piece| Move::promoting(from, to, piece))
        }
        // In any other move the promotion bits must be zero.
        (_, 1..) => None,
        (EN_PASSANT, _) => Some(Move::en_passant(from, to)),
        (CASTLE, _) => Some(Move::castle(from, to)),
        _ => Some(Move::normal(from, to)),
    }
}

/// The starting position in these bytes, or a description of the error. The result byte is ignored.
pub(crate) fn unpack_start(bytes: &[u8; START_BYTES]) -> Result<Board, String> {
    let mut setup = Setup::empty();
    let mut castling_rooks = Vec::new();
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&bytes[..8]);
    let occupied = Bitboard(u64::from_le_bytes(occupied));
    if occupied.count() > 32 {
        return Err(format!("{} pieces on the board", occupied.count()));
    }
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = Color::ALL[usize::from(code / BLACK_PIECE)];
        let piece = match code & !BLACK_PIECE {
            CASTLING_ROOK => {
                castling_rooks.push((color, square));
                Piece::Rook
            }
            kind => Piece::from_index(usize::from(kind))
                .ok_or_else(|| format!("no piece has the number {code}"))?,
        };
        setup.set_piece(square, Some((color, piece)));
    }
    for (color, rook) in castling_rooks {
        setup.castling = with_rook(&setup, color, rook)
            .ok_or_else(|| format!("the rook on {rook} cannot have the right to castle"))?;
    }
    if bytes[24] & BLACK_TO_MOVE != 0 {
        setup.turn = Color::Black;
    }
    setup.en_passant = match bytes[24] & !BLACK_TO_MOVE {
        NO_EN_PASSANT => None,
        index => Some(
            Square::from_index(index).ok_or_else(|| format!("{index} is no en passant square"))?,
        ),
    };
    setup.halfmove_clock = bytes[25];
    setup.fullmove_number = u16::from_le_bytes([bytes[26], bytes[27]]);
    setup
        .build(Strictness::Strict)
        .map_err(|error| error.to_string())
}

/// The castling rights with the right of one more rook. `None` if the rook or its king is not on
/// the back rank, or another rook already has the right.
fn with_rook(setup: &Setup, color: Color, rook: Square) -> Option<CastlingRights> {
    let home = Rank::First.relative_to(color);
    let king = Square::ALL
        .into_iter()
        .find(|square| setup.piece_at(*square) == Some((color, Piece::King)))?;
    let wing = CastlingSide::of(king, rook);
    let sound = rook.rank() == home && king.rank() == home && !setup.castling.has(color, wing);
    sound.then(|| setup.castling.with_rook(color, wing, Some(rook.file())))
}
