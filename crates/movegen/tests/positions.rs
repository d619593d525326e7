//! Positions that break generators, and FENs that must be refused.

use skewer_movegen::{
    Board, CastlingSide, Color, FenErrorKind as Kind, FenField as Field, Move, SetupError, Square,
    perft,
};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn en_passant_may_not_uncover_a_rank() {
    let rook = board("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1");
    assert_eq!((rook.en_passant(), rook.count_legal_moves()), (None, 6));
    let queen = board("8/8/8/K1pP3q/8/8/8/4k3 w - c6 0 1");
    assert_eq!((queen.en_passant(), queen.count_legal_moves()), (None, 5));
}

#[test]
fn en_passant_along_the_pin_is_legal() {
    let board = board("6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1");
    assert_eq!(board.en_passant(), Some(Square::B3));
    assert!(
        board
            .legal_moves()
            .contains(&Move::en_passant(Square::C4, Square::B3))
    );
}

#[test]
fn en_passant_may_block_or_take_the_checker() {
    // The pawn that made two steps gives check and is taken.
    let takes = board("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1");
    assert!(takes.in_check());
    assert!(takes.is_legal(Move::en_passant(Square::E4, Square::D3)));
    // Two steps uncovered a bishop; the capturing pawn steps into its line.
    let blocks = board("8/8/8/1k6/3Pp3/8/8/4KB2 b - d3 0 1");
    assert!(blocks.in_check());
    assert!(blocks.is_legal(Move::en_passant(Square::E4, Square::D3)));
    // It was another piece that gave check: no answer.
    let idle = board("8/8/8/1k6/3Pp3/8/1R6/4K3 b - d3 0 1");
    assert!(idle.in_check());
    assert_eq!(idle.en_passant(), None);
}

#[test]
fn king_may_not_walk_back_along_the_line() {
    let board = board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert!(board.is_legal(Move::normal(Square::E1, Square::E2)));
    let far = self::board("4k3/4r3/8/8/4K3/8/8/8 w - - 0 1");
    assert!(!far.is_legal(Move::normal(Square::E4, Square::E3)));
    assert_eq!(far.count_legal_moves(), 6);
}

#[test]
fn two_checkers_leave_only_the_king() {
    let board = board("4k3/8/8/8/8/5n2/4r3/R3K2R w KQ - 0 1");
    assert!(board.checkers().has_more_than_one());
    assert!(board.legal_moves().iter().all(|mv| mv.from() == Square::E1));
}

#[test]
fn a_rook_may_shield_its_king_from_castling() {
    let board = board("nrkb2nr/ppppp1p1/6bp/5p2/BPP1P1P1/P7/3P1P1P/qRK1BQNR w BHbh - 0 1");
    assert!(board.castling().has(Color::White, CastlingSide::Queen));
    assert!(!board.is_legal(Move::castle(Square::C1, Square::B1)));
    assert!(!board.legal_moves().iter().any(|mv| mv.is_castle()));
}

#[test]
fn most_moves_known() {
    let board = board("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
    assert_eq!(board.legal_moves().len(), 218);
    assert_eq!(perft(&board, 1), 218);
}

#[test]
fn rights_fall_with_the_rook() {
    let board = board("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1");
    let after = self::board("r3k2r/8/8/8/8/8/7n/R3K2R w KQkq - 0 1");
    let taken = after.play(after.parse_uci("h1h2").unwrap());
    assert_eq!(taken.castling().to_string(), "Qkq");
    let moved = board.play(board.parse_uci("a8a1").unwrap());
    assert_eq!(moved.castling().to_string(), "Kk");
}

#[test]
fn rights_without_a_rook_are_dropped_or_refused() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w KQkq - 0 1";
    assert_eq!(board(fen).castling().to_string(), "Q");
    let error = Board::from_fen_strict(fen).unwrap_err();
    assert_eq!(error.field(), Field::Castling);
}

#[test]
fn illegal_positions_are_refused() {
    let refused = |fen: &str| match Board::from_fen(fen).unwrap_err().kind() {
        Kind::Position(error) => error,
        kind => panic!("{fen}: {kind:?}"),
    };
    let many = "3k4/8/PPPPPPPP/8/PPPPPPPP/8/PPPPPPPP/3K4 w - - 0 1";
    assert_eq!(refused(many), SetupError::TooManyPieces(Color::White));
    let pawns = "3k4/8/8/8/PPPPP3/8/PPPPPPPP/3K4 w - - 0 1";
    assert_eq!(refused(pawns), SetupError::TooManyPawns(Color::White));
    let queens = "3k4/qqqqqqqq/qq6/8/8/8/8/3K4 w - - 0 1";
    assert_eq!(refused(queens), SetupError::TooManyPromoted(Color::Black));
    assert_eq!(
        refused("8/8/8/8/8/8/8/K7 w - - 0 1"),
        SetupError::MissingKing(Color::Black)
    );
    assert_eq!(
        refused("kk6/8/8/8/8/8/8/K7 w - - 0 1"),
        SetupError::TooManyKings(Color::Black)
    );
    assert_eq!(
        refused("k6P/8/8/8/8/8/8/K7 w - - 0 1"),
        SetupError::PawnOnBackRank(Square::H8)
    );
    assert_eq!(
        refused("k6R/8/8/8/8/8/8/K7 w - - 0 1"),
        SetupError::OpponentInCheck
    );
}

#[test]
fn bad_texts_say_which_field_and_why() {
    let fails = |fen: &str| {
        let error = Board::from_fen(fen).unwrap_err();
        (error.field(), error.kind())
    };
    assert_eq!(fails(""), (Field::Placement, Kind::Missing));
    assert!(matches!(
        fails("4k3/8/8/8"),
        (Field::Placement, Kind::WrongRankCount)
    ));
    assert!(matches!(
        fails("4k4/8/8/8/8/8/8/4K3 w - -"),
        (_, Kind::WrongRankLength(_))
    ));
    assert!(matches!(
        fails("4k2/8/8/8/8/8/8/4K3 w - -"),
        (_, Kind::WrongRankLength(_))
    ));
    assert!(matches!(
        fails("4k3/8/8/8/8/8/8/4K3/8 w - -"),
        (_, Kind::WrongRankCount)
    ));
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K2é w - -").1,
        Kind::UnexpectedCharacter('é')
    );
    assert_eq!(fails("4k3/8/8/8/8/8/8/4K3"), (Field::Turn, Kind::Missing));
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K3 white - -").1,
        Kind::UnexpectedCharacter('h')
    );
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K3 w x -"),
        (Field::Castling, Kind::UnexpectedCharacter('x'))
    );
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K2R w KK -"),
        (Field::Castling, Kind::Repeated)
    );
    assert_eq!(fails("4k3/8/8/8/8/8/8/4K3 w - e9").0, Field::EnPassant);
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K3 w - - x 1"),
        (Field::HalfmoveClock, Kind::InvalidNumber)
    );
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K3 w - - 0 -1"),
        (Field::FullmoveNumber, Kind::InvalidNumber)
    );
    assert_eq!(
        fails("4k3/8/8/8/8/8/8/4K3 w - - 0 1 x").1,
        Kind::TrailingText
    );
}

#[test]
fn strict_fens_are_to_the_letter() {
    let strict = |fen: &str| Board::from_fen_strict(fen).map_err(|error| error.field());
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(strict(start), Ok(Board::STARTPOS));
    assert!(strict("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").is_ok());
    assert!(strict(&start.replace(" w", "  w")).is_err());
    assert!(strict(&start.replace(" 0 1", "")).is_err());
    assert_eq!(strict(&start.replace('-', "e6")), Err(Field::EnPassant));
    assert_eq!(
        strict(&start.replace("0 1", "0 0")),
        Err(Field::FullmoveNumber)
    );
    assert_eq!(
        strict(&start.replace("0 1", "256 1")),
        Err(Field::HalfmoveClock)
    );
    let relaxed = board(&start.replace("0 1", "256 0"));
    assert_eq!(
        (relaxed.halfmove_clock(), relaxed.fullmove_number()),
        (255, 1)
    );
}
