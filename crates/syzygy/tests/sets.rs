//! Sets of tables: what opens, what is refused, what is missing, and probing from many threads.

mod common;

use std::fs;
use std::path::Path;
use std::thread;

use common::{DATA, random_position};
use fastrand::Rng;
use skewer_movegen::{Board, Color, Piece, Setup, Square, Strictness};
use skewer_syzygy::{FiftyMoveRule, Material, OpenError, ProbeError, TableKind, Tables, Wdl};

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

#[test]
fn directories_without_tables_are_errors() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    assert!(matches!(
        Tables::open_list(" ; "),
        Err(OpenError::NoDirectory)
    ));
    assert!(matches!(
        Tables::open(path.join("none")),
        Err(OpenError::Directory(..))
    ));
    assert!(matches!(
        Tables::open("a\0b"),
        Err(OpenError::Directory(..))
    ));
    assert!(matches!(Tables::open(path), Err(OpenError::NoTables(_))));
    // Files with other names may be anything.
    for ignored in [
        "KvKQ.rtbw",
        "KQvK.rtbw.part",
        "KQQQQQQvK.rtbw",
        "KXvK.rtbz",
        "KQvK.rtbm",
    ] {
        fs::write(path.join(ignored), "not a table").unwrap();
    }
    assert!(matches!(Tables::open(path), Err(OpenError::NoTables(_))));
    fs::write(path.join("KQvK.rtbw"), "not a table").unwrap();
    let error = Tables::open(path).unwrap_err();
    assert!(matches!(error, OpenError::Table(_)));
    assert!(
        error.to_string().contains("KQvK.rtbw: not a Syzygy table"),
        "{error}"
    );
}

#[test]
fn only_regular_files_are_opened() {
    let directory = tempfile::tempdir().unwrap();
    let table = directory.path().join("KQvK.rtbw");
    fs::create_dir(&table).unwrap();
    let error = Tables::open(directory.path()).unwrap_err();
    assert!(error.to_string().contains("not a regular file"), "{error}");
    #[cfg(unix)]
    {
        fs::remove_dir(&table).unwrap();
        std::os::unix::fs::symlink("nothing", &table).unwrap();
        let error = Tables::open(directory.path()).unwrap_err();
        assert!(error.to_string().contains("KQvK.rtbw"), "{error}");
    }
}

#[test]
fn a_damaged_header_is_found_by_the_check_and_by_the_first_probe() {
    let directory = tempfile::tempdir().unwrap();
    let from = |name: &str| Path::new(DATA).join(name);
    let to = |name: &str| directory.path().join(name);
    fs::copy(from("KQvK.rtbw"), to("KQvK.rtbw")).unwrap();
    // A table of the right length with the content of another one.
    fs::copy(from("KRvK.rtbw"), to("KNvK.rtbw")).unwrap();
    for tables in [
        Tables::open(directory.path()).unwrap(),
        Tables::builder()
            .directory(directory.path())
            .read_whole_up_to(0)
            .open()
            .unwrap(),
    ] {
        let error = tables.check_headers().unwrap_err();
        assert_eq!(error.path(), to("KNvK.rtbw"));
        assert!(error.offset().is_some());
        let queen = board("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1");
        assert_eq!(tables.probe_wdl(&queen).unwrap(), Wdl::Win);
        let knight = board("8/8/8/8/4k3/8/1N6/K7 w - - 0 1");
        for _ in 0..2 {
            assert!(matches!(
                tables.probe_wdl(&knight),
                Err(ProbeError::Table(_))
            ));
        }
    }
}

#[test]
fn known_positions_have_known_outcomes() {
    let tables = Tables::open_list(&format!("{DATA};{DATA}")).unwrap();
    assert_eq!(tables.max_pieces(), 4);
    for (fen, wdl) in [
        ("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", Wdl::Win),
        ("8/8/8/8/4k3/8/1Q6/K7 b - - 0 1", Wdl::Loss),
        ("8/8/8/8/4k3/8/1B6/K7 w - - 0 1", Wdl::Draw),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Wdl::Draw),
        ("8/8/8/8/8/3k4/2p5/2K5 w - - 0 1", Wdl::Loss),
        ("8/8/8/8/8/3k4/2p5/2K5 b - - 0 1", Wdl::Draw),
        ("8/8/8/8/8/3k4/8/2K5 b - - 0 1", Wdl::Draw),
    ] {
        let board = board(fen);
        assert_eq!(tables.probe_wdl(&board).unwrap(), wdl, "{fen}");
        assert_eq!(
            tables.probe_dtz(&board).unwrap().outcome_at(0),
            wdl,
            "{fen}"
        );
        let moves = tables.rank_moves(&board, FiftyMoveRule::InForce).unwrap();
        assert_eq!(moves.len(), board.legal_moves().len());
        assert_eq!(moves[0].wdl, wdl, "{fen}");
    }
}

#[test]
fn captures_en_passant_count_as_moves() {
    let tables = Tables::open(DATA).unwrap();
    let mut rng = Rng::with_seed(2026);
    let (mut checked, mut changed) = (0, 0);
    while checked < 2000 {
        // White has just moved a pawn two squares, past a black one.
        let (to, from) = (rng.u8(..8), rng.u8(..8));
        let mut setup = Setup::empty().with_turn(Color::Black);
        let pawn = Square::from_index(24 + to).unwrap();
        for (square, color, piece) in [
            (pawn, Color::White, Piece::Pawn),
            (
                Square::from_index(24 + from).unwrap(),
                Color::Black,
                Piece::Pawn,
            ),
            (
                Square::from_index(rng.u8(..64)).unwrap(),
                Color::White,
                Piece::King,
            ),
            (
                Square::from_index(rng.u8(..64)).unwrap(),
                Color::Black,
                Piece::King,
            ),
        ] {
            setup.set_piece(square, Some((color, piece)));
        }
        let plain = setup.build(Strictness::Strict);
        setup.en_passant = Square::from_index(16 + to);
        let board = setup.build(Strictness::Strict);
        let (Ok(board), Ok(plain)) = (board, plain) else {
            continue;
        };
        if board.en_passant().is_none() {
            continue;
        }
        let moves = board.legal_moves();
        let outcomes = moves
            .iter()
            .map(|&mv| -tables.probe_wdl(&board.play(mv)).unwrap());
        let outcome = tables.probe_wdl(&board).unwrap();
        assert_eq!(Some(outcome), outcomes.max(), "{board:?}");
        checked += 1;
        changed += usize::from(tables.probe_wdl(&plain).unwrap() != outcome);
    }
    // In enough positions the capture changes the outcome.
    assert!(changed > 100, "{changed}");
}

#[test]
fn positions_outside_the_tables_are_errors() {
    let tables = Tables::open(DATA).unwrap();
    let castling = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(matches!(
        tables.probe_wdl(&castling),
        Err(ProbeError::Castling)
    ));
    let full = board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    let error = tables.probe_dtz(&full).unwrap_err();
    assert!(matches!(
        error,
        ProbeError::TooManyPieces {
            pieces: 32,
            largest: 4
        }
    ));
}

#[test]
fn missing_tables_are_named_and_moves_are_ranked_without_distances() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["KQvK.rtbw", "KRvK.rtbw", "KRvK.rtbz", "KQvKR.rtbw"] {
        fs::copy(Path::new(DATA).join(name), directory.path().join(name)).unwrap();
    }
    let tables = Tables::open(directory.path()).unwrap();
    assert!(tables.has(material("KRvK"), TableKind::Dtz));
    let missing: Vec<_> = tables
        .missing(3)
        .map(|(m, kind)| format!("{m}.{}", kind.extension()))
        .collect();
    assert_eq!(
        missing,
        [
            "KQvK.rtbz",
            "KBvK.rtbw",
            "KBvK.rtbz",
            "KNvK.rtbw",
            "KNvK.rtbz",
            "KPvK.rtbw",
            "KPvK.rtbz"
        ]
    );
    assert_eq!(tables.missing(4).count(), 7 + 59);
    let queen = board("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1");
    assert_eq!(tables.probe_wdl(&queen).unwrap(), Wdl::Win);
    let error = tables.probe_dtz(&queen).unwrap_err();
    assert_eq!(error.to_string(), "missing table KQvK.rtbz");
    let moves = tables.rank_moves(&queen, FiftyMoveRule::InForce).unwrap();
    assert!(moves[0].wdl == Wdl::Win && moves.iter().all(|ranked| ranked.dtz.is_none()));
    // The queen can be lost.
    assert_eq!(moves.last().unwrap().wdl, Wdl::Draw);
}

#[test]
fn the_best_move_keeps_the_win_and_mates_in_time() {
    let tables = Tables::open(DATA).unwrap();
    // King, bishop and knight at their longest: mate in 33 moves.
    let mut board = board("K2k4/3B4/8/8/8/8/6N1/8 w - - 0 1");
    let mut plies = 0;
    while let Some(best) = tables.best_move(&board, FiftyMoveRule::InForce).unwrap() {
        board = board.play(best.mv);
        plies += 1;
        assert!(plies <= 66);
    }
    assert!(board.in_check() && plies > 50, "{plies}");
}

#[test]
fn the_fifty_move_rule_decides_between_win_and_cursed_win() {
    let tables = Tables::open(DATA).unwrap();
    let start = board("K2k4/3B4/8/8/8/8/6N1/8 w - - 0 1");
    let dtz = tables.probe_dtz(&start).unwrap().plies();
    for (clock, wdl) in [(100 - dtz, Wdl::Win), (101 - dtz, Wdl::CursedWin)] {
        let late = board(&format!("K2k4/3B4/8/8/8/8/6N1/8 w - - {clock} 80"));
        let best = tables
            .best_move(&late, FiftyMoveRule::InForce)
            .unwrap()
            .unwrap();
        assert_eq!(best.wdl, wdl);
        assert_eq!(best.outcome(FiftyMoveRule::Ignored), Wdl::Win);
    }
}

#[test]
fn threads_probe_one_set_at_once() {
    let tables = Tables::builder()
        .directory(DATA)
        .read_whole_up_to(0)
        .open()
        .unwrap();
    let whole = Tables::open(DATA).unwrap();
    let names = ["KQvK", "KPvK", "KPvKP", "KRvKB", "KBNvK"];
    thread::scope(|scope| {
        for seed in 0..4 {
            let (tables, whole) = (&tables, &whole);
            scope.spawn(move || {
                let mut rng = Rng::with_seed(seed);
                for _ in 0..500 {
                    let position = random_position(material(names[rng.usize(..5)]), &mut rng);
                    let wdl = tables.probe_wdl(&position).unwrap();
                    assert_eq!(wdl, whole.probe_wdl(&position).unwrap());
                    // Outcome and distance agree.
                    match tables.probe_dtz(&position) {
                        Ok(dtz) => assert_eq!(dtz.outcome_at(0), wdl, "{position}"),
                        Err(error) => {
                            assert!(matches!(error, ProbeError::Missing { .. }), "{error}");
                        }
                    }
                }
            });
        }
    });
}
