//! The reasons that parsers give for moves that are not legal.

use skewer_movegen::IllegalReason as Why;
use skewer_movegen::{Board, CastlingSide, Move, ParseMoveError, Piece, Square, UciMove};

fn san(fen: &str, text: &str) -> Result<Move, ParseMoveError> {
    fen.parse::<Board>().unwrap().parse_san(text)
}

fn illegal(fen: &str, text: &str) -> Why {
    match san(fen, text) {
        Err(ParseMoveError::Illegal(reason)) => reason,
        other => panic!("{fen}: {text}: {other:?}"),
    }
}

#[test]
fn san_errors_have_a_reason() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(
        illegal(start, "e5"),
        Why::Unreachable(Piece::Pawn, Square::E5)
    );
    assert_eq!(
        illegal(start, "Ne4"),
        Why::Unreachable(Piece::Knight, Square::E4)
    );
    assert_eq!(illegal(start, "Bd3"), Why::Blocked(Square::E2));
    assert_eq!(illegal(start, "Nd2"), Why::OwnPiece(Square::D2));
    assert_eq!(illegal(start, "exd3"), Why::NothingToCapture(Square::D3));
    assert_eq!(illegal(start, "O-O"), Why::Blocked(Square::F1));
    assert_eq!(illegal(start, "Nhf3"), Why::NoSuchPiece(Piece::Knight));
    assert_eq!(san(start, "Sf3"), Err(ParseMoveError::Syntax));
    assert_eq!(san(start, ""), Err(ParseMoveError::Syntax));

    let blocked = "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1";
    assert_eq!(illegal(blocked, "e4"), Why::Blocked(Square::E4));
    let pinned = "4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1";
    assert_eq!(illegal(pinned, "Bd3"), Why::Pinned(Square::E2));
    let check = "4r2k/8/8/8/8/8/8/R3K3 w - - 0 1";
    assert_eq!(illegal(check, "Ra8"), Why::InCheck);
    assert_eq!(illegal(check, "Ke2"), Why::IntoCheck(Square::E2));
    let promotion = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(illegal(promotion, "e8"), Why::MissingPromotion);
    assert_eq!(
        illegal("7k/8/4P3/8/8/8/8/4K3 w - - 0 1", "e7=Q"),
        Why::NotAPromotion
    );
    // The capture uncovers the rook along the rank.
    let uncovers = "8/8/8/K1pP3q/1P6/8/8/4k3 w - c6 0 1";
    assert_eq!(illegal(uncovers, "dxc6"), Why::NothingToCapture(Square::C6));
}

#[test]
fn castling_errors_have_a_reason() {
    let castle = |fen: &str| illegal(fen, "O-O");
    assert_eq!(
        castle("4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
        Why::NoCastlingRight(CastlingSide::King)
    );
    assert_eq!(
        castle("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1"),
        Why::CastlingOutOfCheck
    );
    assert_eq!(
        castle("4k3/8/8/8/8/8/5r2/4K2R w K - 0 1"),
        Why::CastlingThroughCheck(Square::F1)
    );
    // In Chess960 the rook shields the king on c1 from a1: castling would expose it.
    assert_eq!(
        illegal("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "O-O-O"),
        Why::Pinned(Square::B1)
    );
}

#[test]
fn ambiguity_names_the_pieces() {
    let rooks = "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1";
    let both = Square::A1.bitboard() | Square::F1.bitboard();
    assert_eq!(san(rooks, "Rd1"), Err(ParseMoveError::Ambiguous(both)));
    assert_eq!(
        san(rooks, "Rd1").unwrap_err().to_string(),
        "ambiguous: possible from a1 and f1"
    );
    assert!(san(rooks, "Rad1").is_ok());
}

#[test]
fn uci_errors_have_a_reason() {
    let board = Board::STARTPOS;
    let why = |text: &str| board.parse_uci(text).unwrap_err();
    assert_eq!(
        why("e2e5"),
        ParseMoveError::Illegal(Why::Unreachable(Piece::Pawn, Square::E5))
    );
    assert_eq!(
        why("e4e5"),
        ParseMoveError::Illegal(Why::EmptySquare(Square::E4))
    );
    assert_eq!(
        why("e7e5"),
        ParseMoveError::Illegal(Why::OpponentsPiece(Square::E7))
    );
    assert_eq!(why("0000"), ParseMoveError::Null);
    for text in ["", "e2", "e2e9", "e2e4x", "e2e4qq", "\u{e9}2e4"] {
        assert_eq!(
            text.parse::<UciMove>(),
            Err(ParseMoveError::Syntax),
            "{text}"
        );
    }
}
