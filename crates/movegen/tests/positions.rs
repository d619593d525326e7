//! Positions that often expose errors of move generators, and FENs that must be refused.

use std::collections::HashSet;

use fastrand::Rng;
use skewer_movegen::{
    Board, CastlingMode, CastlingRights, CastlingSide, Color, FenErrorKind as Kind,
    FenField as Field, File, Move, Piece, Rank, Scharnagl, Setup, SetupError, Square, Strictness,
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
    // Another piece gives check, so the capture does not answer it.
    let idle = board("8/8/8/1k6/3Pp3/8/1R6/4K3 b - d3 0 1");
    assert!(idle.in_check());
    assert_eq!(idle.en_passant(), None);
}

#[test]
fn the_king_may_not_retreat_along_the_line_of_a_check() {
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
fn the_position_with_the_most_known_moves() {
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

/// Every right that the pieces contradict is named, and no other: an en passant square after a double step is sound,
/// whether a pawn can capture on it or not. What is named is an error if strict, and dropped otherwise.
#[test]
fn rights_that_the_pieces_contradict_are_named() {
    let no_castling = |rights: &[(Color, CastlingSide)]| -> Vec<SetupError> {
        let error = |&(color, side)| SetupError::InvalidCastling(color, side);
        rights.iter().map(error).collect()
    };
    let (white, black) = (Color::White, Color::Black);
    let (king, queen) = (CastlingSide::King, CastlingSide::Queen);
    let not_passed = |square| vec![SetupError::InvalidEnPassant(square)];
    for (fen, expected) in [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            vec![],
        ),
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
            vec![],
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6",
            vec![],
        ),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq -", vec![]),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb -", vec![]),
        // Rooks are missing.
        (
            "4k3/8/8/8/8/8/8/R3K3 w KQkq -",
            no_castling(&[(white, king), (black, king), (black, queen)]),
        ),
        (
            "1r2k1r1/8/8/8/8/8/8/R3K3 w HAgb -",
            no_castling(&[(white, king)]),
        ),
        // A king has left its rank, or has both rooks on one side.
        (
            "r3k2r/8/8/8/8/8/4K3/R6R w KQkq -",
            no_castling(&[(white, king), (white, queen)]),
        ),
        (
            "4k3/8/8/8/8/8/8/K5RR w KQ -",
            no_castling(&[(white, queen)]),
        ),
        // The square is occupied, the pawn is missing, the pawn still stands where it came from, the pawn is of the
        // other side, and the rank is wrong.
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3", not_passed(Square::E3)),
        ("4k3/8/8/8/8/8/8/4K3 b - e3", not_passed(Square::E3)),
        ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", not_passed(Square::E3)),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3", not_passed(Square::E3)),
        ("4k3/8/8/8/4p3/8/8/4K3 b - e3", not_passed(Square::E3)),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e4", not_passed(Square::E4)),
    ] {
        let setup = Setup::from_fen(fen, Strictness::Relaxed).unwrap();
        let named: Vec<_> = setup.impossible_rights().collect();
        assert_eq!(named, expected, "{fen}");
        let strict = setup.build(Strictness::Strict).err();
        assert_eq!(strict, expected.first().copied(), "{fen}");
        let relaxed = Setup::from(setup.build(Strictness::Relaxed).unwrap());
        assert_eq!(relaxed.impossible_rights().count(), 0, "{fen}");
    }
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
    let strict = Board::from_fen_strict(queens).unwrap_err().kind();
    let promoted = SetupError::TooManyPromoted(Color::Black);
    assert_eq!(strict, Kind::Position(promoted));
    assert_eq!(board(queens).king(Color::White), Square::D1);
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
fn errors_name_the_field_and_the_reason() {
    let fails = |fen: &str| {
        let error = Board::from_fen(fen).unwrap_err();
        (error.field(), error.kind())
    };
    assert_eq!(fails(""), (Field::Placement, Kind::Missing));
    assert!(matches!(
        fails("4k3/8/8/8"),
        (Field::Placement, Kind::WrongRankCount)
    ));
    for placement in [
        "4k4/8/8/8/8/8/8/4K3",
        "4k2/8/8/8/8/8/8/4K3",
        "/4k3//8/8/8/8/8/8/4K3",
    ] {
        let (_, kind) = fails(placement);
        assert!(matches!(kind, Kind::WrongRankLength(_)), "{placement}");
    }
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
fn the_strict_parser_accepts_only_standard_fens() {
    let strict = |fen: &str| Board::from_fen_strict(fen).map_err(|error| error.field());
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(strict(start), Ok(Board::STARTPOS));
    assert!(strict("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1").is_ok());
    assert!(strict(&start.replace(" w", "  w")).is_err());
    assert!(strict(&start.replace(" 0 1", "")).is_err());
    assert!(strict(&format!("{start} ")).is_err());
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

#[test]
fn digits_in_a_row_are_read_and_strictly_refused() {
    let fen = "44/8/8/2k5/8/8/4K21/8 w - - 0 1";
    assert_eq!(board(fen), board("8/8/8/2k5/8/8/4K3/8 w - - 0 1"));
    let error = Board::from_fen_strict(fen).unwrap_err();
    assert_eq!(error.kind(), Kind::AdjacentDigits(Rank::Eighth));
    assert!(Board::from_fen("45/8/8/2k5/8/8/4K3/8 w - - 0 1").is_err());
}

/// Sixteen pieces a side of any kinds, in any order: no list of moves overflows.
#[test]
fn positions_with_any_number_of_promoted_pieces_have_at_most_400_moves() {
    let fen = "rrrrkrrr/pppppppp/8/8/8/8/PPPPPPPP/RRRRKRRR w HAha - 0 1";
    let start = board(fen);
    assert_eq!(start.to_fen_in(CastlingMode::Chess960).to_string(), fen);
    assert!(Board::from_fen_strict(fen).is_err());
    let mut rng = Rng::with_seed(1);
    let mut built = 0;
    while built < 3000 {
        let mut setup = Setup::empty();
        for color in Color::ALL {
            for number in 0..16 {
                let piece = match (number, rng.u8(..8)) {
                    (0, _) => Piece::King,
                    (_, 0) => Piece::Rook,
                    (_, 1) => Piece::Bishop,
                    (_, 2) => Piece::Knight,
                    (1..9, 3) => Piece::Pawn,
                    _ => Piece::Queen,
                };
                let square = Square::ALL[rng.usize(..64)];
                if setup.piece_at(square).is_none() {
                    setup.set_piece(square, Some((color, piece)));
                }
            }
        }
        let Ok(mut board) = setup.build(Strictness::Relaxed) else {
            continue;
        };
        built += 1;
        for _ in 0..20 {
            let moves = board.legal_moves();
            assert_eq!(moves.len(), board.count_legal_moves(), "{board}");
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[rng.usize(..moves.len())]);
        }
    }
}

/// Castling in either notation is read back as castling, from all starting positions of Chess960
/// and from thousands of positions with kings and rooks anywhere on their back ranks.
#[test]
fn castling_is_read_back_in_either_notation() {
    let mut castlings = 0;
    let mut check = |board: &Board| {
        for mv in &board.legal_moves() {
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                let text = board.uci_in(mv, mode).to_string();
                assert_eq!(board.parse_uci(&text), Ok(mv), "{board}: {text}");
            }
            castlings += u32::from(mv.is_castle());
        }
    };
    for number in 0..960 {
        let start = Board::chess960(Scharnagl::new(number).unwrap());
        // The same without the pieces between king and rooks, and without pawns.
        let mut bare = Setup::from(start);
        for square in Square::ALL {
            let piece = bare.piece_at(square).map(|(_, piece)| piece);
            if !matches!(piece, Some(Piece::King | Piece::Rook)) {
                bare.set_piece(square, None);
            }
        }
        check(&start);
        for turn in Color::ALL {
            bare.turn = turn;
            if let Ok(board) = bare.build(Strictness::Relaxed) {
                check(&board);
            }
        }
    }
    for king in File::ALL {
        for rook in File::ALL {
            for blocker in Square::ALL {
                let rank = Rank::First;
                if rook == king {
                    continue;
                }
                let king_square = Square::new(king, rank);
                let rook_square = Square::new(rook, rank);
                if [king_square, rook_square, Square::E8].contains(&blocker) {
                    continue;
                }
                let side = CastlingSide::of(king_square, rook_square);
                let rights = CastlingRights::NONE.with_rook(Color::White, side, Some(rook));
                for piece in [Piece::Knight, Piece::Rook] {
                    let mut setup = Setup::empty()
                        .with_piece(king_square, Color::White, Piece::King)
                        .with_piece(rook_square, Color::White, Piece::Rook)
                        .with_piece(Square::E8, Color::Black, Piece::King)
                        .with_piece(blocker, Color::White, piece);
                    setup.castling = rights;
                    if let Ok(board) = setup.build(Strictness::Strict) {
                        check(&board);
                    }
                }
            }
        }
    }
    assert!(castlings > 3000, "{castlings}");
}

/// No game has a double check by two leapers, but a FEN may.
#[test]
fn only_the_king_evades_a_double_check_by_two_leapers() {
    for fen in [
        "8/4p3/3K4/1n6/1Q6/8/8/k7 w - - 0 1",
        "8/2p1p3/3K4/8/7Q/8/8/k7 w - - 0 1",
        "8/8/3K4/1n3n2/7Q/8/8/k7 w - - 0 1",
    ] {
        let board = board(fen);
        let moves = board.legal_moves();
        assert!(moves.iter().all(|mv| mv.from() == Square::D6), "{fen}");
        assert_eq!(moves.len(), board.count_legal_moves(), "{fen}");
    }
}

#[test]
fn all_960_starting_positions_differ_and_are_valid() {
    let mut seen = HashSet::new();
    for (number, start) in Scharnagl::all().enumerate() {
        let board = Board::chess960(start);
        let placement = board.to_string();
        assert!(
            seen.insert(placement.clone()),
            "{number}: {placement} occurs twice"
        );
        let rank: Vec<char> = placement
            .split('/')
            .next()
            .map(|rank| rank.chars().collect())
            .unwrap();
        let places =
            |piece| -> Vec<usize> { (0..8).filter(|square| rank[*square] == piece).collect() };
        let (bishops, rooks, king) = (places('b'), places('r'), places('k'));
        assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{placement}");
        assert!(rooks[0] < king[0] && king[0] < rooks[1], "{placement}");
        assert_eq!(board.castling().rooks().count(), 4, "{placement}");
        assert_eq!(board.pieces(Piece::King).count(), 2);
    }
    let start = |number| Board::chess960(Scharnagl::new(number).unwrap()).to_string();
    assert_eq!(start(518), Board::STARTPOS.to_string());
    // The numbers 0 and 959 of the published table.
    assert!(start(0).starts_with("bbqnnrkr/"));
    assert!(start(959).starts_with("rkrnnqbb/"));
}
