//! The library's functions other than the generator: sets and callbacks, games, serde.

mod common;

use std::collections::HashSet;

use skewer_movegen::{Board, Claim, Game, MoveKind, Termination};

#[test]
fn callbacks_receive_the_moves_of_the_list() {
    common::walk(6, 60, 150, |board, _| {
        let list: HashSet<_> = board.legal_moves().iter().copied().collect();
        let mut called = HashSet::new();
        board.for_each_move(|mv| assert!(called.insert(mv)));
        assert_eq!(called, list, "{board}");
        let mut captures = Vec::new();
        board.for_each_capture(|mv| captures.push(mv));
        assert_eq!(captures, *board.captures(), "{board}");
        let mut quiets = Vec::new();
        board.for_each_quiet_set(|set| {
            assert!(set.targets().any());
            set.for_each(|mv| {
                assert_eq!(board.moved(mv), set.piece());
                assert!(set.origin().is_none_or(|from| from == mv.from()));
                assert_eq!(set.is_normal(), mv.kind() == MoveKind::Normal);
                assert!(set.targets().contains(mv.to()));
                quiets.push(mv);
            });
        });
        assert_eq!(quiets, *board.quiets(), "{board}");
    });
}

#[test]
fn bare_kings_and_single_minor_pieces_cannot_mate() {
    for (fen, dead) in [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", true),
        ("8/8/4kb2/8/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4kp2/8/8/4K3/8/8 w - - 0 1", false),
        ("8/8/4kr2/8/8/4K3/8/8 w - - 0 1", false),
        ("8/8/4kb2/8/8/4KN2/8/8 w - - 0 1", false),
        ("8/8/4kn2/8/8/4KN2/8/8 w - - 0 1", false),
        ("8/8/4kb2/8/8/4K1B1/8/8 w - - 0 1", true),
        ("8/8/4kb2/8/8/4KB2/8/8 w - - 0 1", false),
    ] {
        let board: Board = fen.parse().unwrap();
        assert_eq!(board.is_insufficient_material(), dead, "{fen}");
    }
}

fn play(game: &mut Game, sans: &str) {
    for san in sans.split_whitespace() {
        let mv = game.board().parse_san(san).unwrap();
        game.play(mv).unwrap();
    }
}

#[test]
fn repetitions_are_counted() {
    let mut game = Game::default();
    let shuffle = "Nf3 Nf6 Ng1 Ng8";
    play(&mut game, shuffle);
    assert_eq!((game.occurrences(), game.claim()), (2, None));
    play(&mut game, shuffle);
    assert_eq!(
        (game.occurrences(), game.claim()),
        (3, Some(Claim::ThreefoldRepetition))
    );
    play(&mut game, shuffle);
    assert_eq!(game.outcome(), None);
    play(&mut game, shuffle);
    assert_eq!(game.termination(), Some(Termination::FivefoldRepetition));
    assert_eq!(game.outcome().unwrap().to_string(), "1/2-1/2");
    while game.undo().is_some() {}
    assert_eq!(game, Game::default());
}

/// The half-move clock stops at 255.
#[test]
fn repetitions_are_counted_beyond_the_clock() {
    let mut game = Game::default();
    for _ in 0..100 {
        play(&mut game, "Nf3 Nf6 Ng1 Ng8");
    }
    assert_eq!(game.occurrences(), 101);
}

#[test]
fn positions_with_different_castling_rights_are_not_repetitions() {
    // The kings lose their castling rights when they first move, so moving back does not repeat the position.
    let mut game = Game::new("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap());
    play(&mut game, "Ke2 Ke7 Ke1 Ke8");
    assert_eq!(game.occurrences(), 1);
    play(&mut game, "Ke2 Ke7 Ke1 Ke8");
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn the_half_move_clock_ends_games() {
    let at = |clock| {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 100");
        Game::new(fen.parse().unwrap())
    };
    assert_eq!(at(99).claim(), None);
    assert_eq!(
        (at(100).claim(), at(100).outcome()),
        (Some(Claim::FiftyMoves), None)
    );
    assert_eq!(at(150).termination(), Some(Termination::SeventyFiveMoves));
    // Mate has priority over the half-move clock.
    let mate = Game::new("R3k3/8/4K3/8/8/8/8/8 b - - 150 100".parse().unwrap());
    assert_eq!(mate.outcome().unwrap().to_string(), "1-0");
}

#[test]
fn material_and_stalemate() {
    let end = |fen: &str| Game::new(fen.parse().unwrap()).termination();
    let dead = Some(Termination::InsufficientMaterial);
    assert_eq!(end("8/8/4k3/8/8/3K4/8/8 w - - 0 1"), dead);
    assert_eq!(end("8/8/4kn2/8/8/3K4/8/8 w - - 0 1"), dead);
    assert_eq!(end("8/8/3bk3/8/8/3KB3/8/8 w - - 0 1"), dead);
    // Bishops on both colours can help each other to mate.
    assert_eq!(end("8/8/4k1b1/8/8/4B3/3K4/8 w - - 0 1"), None);
    assert_eq!(end("8/8/4kn2/8/8/3KN3/8/8 w - - 0 1"), None);
    assert_eq!(end("8/8/4kp2/8/8/3K4/8/8 w - - 0 1"), None);
    assert_eq!(
        end("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        Some(Termination::Stalemate)
    );
}

#[cfg(feature = "serde")]
#[test]
fn serde_round_trips() {
    use skewer_movegen::{Move, Piece, Square};

    common::walk(7, 12, 60, |board, _| {
        let json = serde_json::to_string(board).unwrap();
        assert_eq!(json, format!("\"{board}\""));
        assert_eq!(serde_json::from_str::<Board>(&json).unwrap(), *board);
        let moves: Vec<_> = board.legal_moves().to_vec();
        let json = serde_json::to_string(&moves).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Move>>(&json).unwrap(), moves);
        // The numbers that earlier versions wrote.
        let numbers: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        let json = serde_json::to_string(&numbers).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Move>>(&json).unwrap(), moves);
    });
    let text = |mv: Move| serde_json::to_string(&mv).unwrap();
    assert_eq!(text(Move::normal(Square::E1, Square::H1)), "\"e1h1\"");
    assert_eq!(
        text(Move::castle(Square::E1, Square::H1)),
        "\"e1h1:castle\""
    );
    assert_eq!(
        text(Move::en_passant(Square::E5, Square::D6)),
        "\"e5d6:en-passant\""
    );
    assert_eq!(
        text(Move::promoting(Square::A7, Square::A8, Piece::Rook)),
        "\"a7a8r\""
    );
    assert!(serde_json::from_str::<Board>("\"8/8/8/8 w - -\"").is_err());
    for wrong in [
        "0",
        "\"0000\"",
        "\"e2\"",
        "\"e7e8q:castle\"",
        "\"e2e4:\"",
        "65536",
        "-1",
    ] {
        assert!(serde_json::from_str::<Move>(wrong).is_err(), "{wrong}");
    }
    let e4: Square = serde_json::from_str("\"e4\"").unwrap();
    assert_eq!(e4, Square::E4);
}
