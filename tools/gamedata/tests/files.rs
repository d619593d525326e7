//! Game files written and read, whole, packed, cut and damaged.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use skewer_gamedata::{
    DataErrorKind, Filter, Game, Provenance, Reader, Run, ScoredMove, Step, Tail, Writer,
    write_game,
};
use skewer_movegen::{Board, Outcome};
use skewer_types::Rng;

/// A random game, the same for the same seed.
fn game(start: &str, seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let mut game = Game::new(start.parse().unwrap());
    let mut board = game.start;
    for _ in 0..60 + rng.below(60) {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        game.moves.push(ScoredMove {
            mv,
            score: rng.below(4001) as i16 - 2000,
        });
        board = board.play(mv);
    }
    game.result = Outcome::from_byte(rng.below(3) as u8).unwrap();
    game
}

const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 12",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 7 40",
    "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 33",
];

fn some_games() -> Vec<Game> {
    (0..40).map(|n| game(STARTS[n as usize % 5], n)).collect()
}

fn bytes_of(games: &[Game]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        write_game(&mut bytes, game).unwrap();
    }
    bytes
}

fn read_all(bytes: Vec<u8>, tail: Tail) -> Result<Vec<Game>, DataErrorKind> {
    let reader = Reader::new("test", Cursor::new(bytes), tail);
    let mut games = Vec::new();
    for game in reader {
        match game {
            Ok(game) => games.push(game),
            Err(error) => {
                assert_eq!(error.game(), Some(games.len() as u64 + 1), "{error}");
                let before = bytes_of(&games).len() as u64;
                assert_eq!(error.offset(), Some(before), "{error}");
                assert!(error.to_string().starts_with("test: game "), "{error}");
                return Err(match error.kind() {
                    DataErrorKind::Cut => DataErrorKind::Cut,
                    DataErrorKind::BadResult(byte) => DataErrorKind::BadResult(*byte),
                    DataErrorKind::BadStart(what) => DataErrorKind::BadStart(what.clone()),
                    DataErrorKind::IllegalMove {
                        number,
                        bits,
                        position,
                    } => DataErrorKind::IllegalMove {
                        number: *number,
                        bits: *bits,
                        position: position.clone(),
                    },
                    other => panic!("{other}"),
                });
            }
        }
    }
    Ok(games)
}

#[test]
fn games_round_trip() {
    let games = some_games();
    assert_eq!(read_all(bytes_of(&games), Tail::Refuse).unwrap(), games);
}

#[test]
fn compressed_files_are_read_and_not_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("packed.vf.zst");
    let games = some_games();
    let packed = zstd::encode_all(Cursor::new(bytes_of(&games)), 3).unwrap();
    fs::write(&path, &packed).unwrap();
    let read: Result<Vec<Game>, _> = Reader::open(&path, Tail::Refuse).unwrap().collect();
    assert_eq!(read.unwrap(), games);
    let error = Writer::append(&path, &Filter::ALL).unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::AppendToCompressed));

    // Cut in the middle of the compressed data: refused, or read up to the cut.
    fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let error = Reader::open(&path, Tail::Refuse)
        .unwrap()
        .find_map(Result::err)
        .unwrap();
    assert!(matches!(error.kind(), DataErrorKind::Cut), "{error}");
    let read: Result<Vec<Game>, _> = Reader::open(&path, Tail::AcceptTorn).unwrap().collect();
    let error = read.unwrap_err();
    assert!(
        matches!(error.kind(), DataErrorKind::NoCompleteGame),
        "{error}"
    );
    // A frame for each game: the first one is whole.
    let frame = |game: &Game| {
        zstd::encode_all(Cursor::new(bytes_of(std::slice::from_ref(game))), 3).unwrap()
    };
    let mut frames = [frame(&games[0]), frame(&games[1])].concat();
    frames.truncate(frames.len() - 5);
    fs::write(&path, &frames).unwrap();
    let mut reader = Reader::open(&path, Tail::AcceptTorn).unwrap();
    let read: Result<Vec<Game>, _> = reader.by_ref().collect();
    assert_eq!(read.unwrap(), games[..1]);
    assert!(reader.has_torn_end());
}

#[cfg(unix)]
#[test]
fn pipes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let games = some_games();
    let plain = bytes_of(&games);
    let packed = zstd::encode_all(Cursor::new(&plain), 3).unwrap();
    let read = |bytes: &[u8]| -> Result<Vec<Game>, _> {
        std::thread::scope(|scope| {
            scope.spawn(|| fs::write(&path, bytes).unwrap());
            Reader::open(&path, Tail::Refuse)?.collect()
        })
    };
    for bytes in [&plain, &packed] {
        assert_eq!(read(bytes).unwrap(), games);
    }
    let error = read(b"").unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::Empty), "{error}");
}

#[test]
fn a_cut_file_is_refused_or_read_up_to_the_incomplete_game() {
    let games: Vec<Game> = some_games().into_iter().take(3).collect();
    let bytes = bytes_of(&games);
    let ends: Vec<usize> = (0..=3).map(|n| bytes_of(&games[..n]).len()).collect();
    for length in 0..bytes.len() {
        let whole = ends.iter().filter(|end| **end <= length).count() - 1;
        let read = read_all(bytes[..length].to_vec(), Tail::AcceptTorn).unwrap();
        assert_eq!(read, games[..whole]);
        let strict = read_all(bytes[..length].to_vec(), Tail::Refuse);
        if ends.contains(&length) {
            assert_eq!(strict.unwrap().len(), whole);
        } else {
            assert!(matches!(strict, Err(DataErrorKind::Cut)), "{length}");
        }
    }
}

#[test]
fn errors_name_the_damage() {
    let games: Vec<Game> = some_games().into_iter().take(2).collect();
    let second = bytes_of(&games[..1]).len();
    let damaged = |offset: usize, byte: u8| {
        let mut bytes = bytes_of(&games);
        bytes[second + offset] = byte;
        read_all(bytes, Tail::AcceptTorn).unwrap_err()
    };
    assert!(matches!(damaged(30, 3), DataErrorKind::BadResult(3)));
    // No king, an invalid piece, an invalid en passant square.
    assert!(matches!(damaged(0, 0), DataErrorKind::BadStart(_)));
    assert!(matches!(damaged(8, 0xff), DataErrorKind::BadStart(_)));
    assert!(matches!(damaged(24, 0x7f), DataErrorKind::BadStart(_)));
    // A move from a square to itself, with bits that no move has.
    let mut bytes = bytes_of(&games);
    bytes[second + 32..second + 34].copy_from_slice(&0x0208_u16.to_le_bytes());
    let Err(DataErrorKind::IllegalMove {
        number: 1,
        bits: 0x0208,
        position,
    }) = read_all(bytes, Tail::Refuse)
    else {
        panic!("an illegal move was read");
    };
    assert_eq!(position, games[1].start.to_string());
    assert!(matches!(
        damaged(33, 0x3f),
        DataErrorKind::IllegalMove { .. }
    ));
}

#[test]
fn any_single_damaged_byte_is_refused_or_leaves_only_legal_games() {
    let bytes = bytes_of(&[game(STARTS[2], 5)]);
    for place in 0..bytes.len() {
        for flip in [1, 0x10, 0x80] {
            let mut bytes = bytes.clone();
            bytes[place] ^= flip;
            for game in Reader::new("test", Cursor::new(bytes), Tail::AcceptTorn).flatten() {
                let mut board = game.start;
                for scored in &game.moves {
                    board = board.try_play(scored.mv).unwrap();
                }
            }
        }
    }
}

#[test]
fn a_writer_continues_after_an_incomplete_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let games = some_games();
    let (mut writer, held) = Writer::append(&path, &Filter::ALL).unwrap();
    assert_eq!(held.games, 0);
    games[..3]
        .iter()
        .for_each(|game| writer.write(game).unwrap());
    drop(writer);
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 7);
    fs::write(&path, bytes).unwrap();

    let (mut writer, held) = Writer::append(&path, &Filter::ALL).unwrap();
    let kept = games[0].moves.len() + games[1].moves.len();
    assert_eq!(
        (held.games, held.plies, held.usable),
        (2, kept as u64, kept as u64)
    );
    assert!(held.cut > 0);
    writer.write(&games[3]).unwrap();
    drop(writer);
    let read: Result<Vec<Game>, _> = Reader::open(&path, Tail::Refuse).unwrap().collect();
    let expected = [&games[0], &games[1], &games[3]].map(Clone::clone);
    assert_eq!(read.unwrap(), expected);
}

#[test]
fn a_written_game_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let games = some_games();
    let (mut writer, _) = Writer::append(&path, &Filter::ALL).unwrap();
    for (number, game) in games.iter().enumerate() {
        writer.write(game).unwrap();
        let length = fs::metadata(&path).unwrap().len();
        assert_eq!(length, bytes_of(&games[..=number]).len() as u64);
    }
    // Killed: nothing is dropped, so nothing can be written late.
    std::mem::forget(writer);
}

#[test]
fn a_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let games = some_games();
    let (mut writer, _) = Writer::append(&path, &Filter::ALL).unwrap();
    writer.write(&games[0]).unwrap();
    // A second writer would take a half-written game of the first for an incomplete one, and cut it off.
    let error = Writer::append(&path, &Filter::ALL).unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::InUse), "{error}");
    writer.write(&games[1]).unwrap();
    drop(writer);
    let (_, held) = Writer::append(&path, &Filter::ALL).unwrap();
    assert_eq!((held.games, held.cut), (2, 0));
}

#[test]
fn a_damaged_file_is_not_appended_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    let mut bytes = bytes_of(&some_games());
    bytes[30] = 9;
    fs::write(&path, &bytes).unwrap();
    assert!(Writer::append(&path, &Filter::ALL).is_err());
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

fn some_run() -> Run {
    Run {
        started: 1_800_000_000,
        program: "test 1".to_owned(),
        commit: "0123456789ab".to_owned(),
        evaluation: "hand-written".to_owned(),
        soft_nodes: 1000,
        hard_nodes: 8000,
        random_plies: (8, 9),
        variant: "standard".to_owned(),
        parts: Vec::new(),
        rules: None,
        scores: None,
        name: "test".to_owned(),
        seed: 7,
        first_game: 0,
        games_before: 0,
    }
}

/// Any file of a few bytes looks like an incomplete first game.
#[test]
fn a_file_without_a_game_is_appended_to_only_with_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.vf");
    fs::write(&path, "notes").unwrap();
    let error = Writer::append(&path, &Filter::ALL).unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::NoGame), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"notes");
    let record = Provenance {
        runs: vec![some_run()],
        ..Provenance::default()
    };
    record.store(&path).unwrap();
    let (_, held) = Writer::append(&path, &Filter::ALL).unwrap();
    assert_eq!((held.games, held.cut), (0, 5));
}

#[test]
fn a_record_does_not_replace_a_file_of_another_kind() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("package");
    fs::write(folder.path().join("package.json"), "{\"name\": \"x\"}").unwrap();
    let error = Provenance::default().store(&data).unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::BadProvenance(_)));
    let kept = fs::read_to_string(folder.path().join("package.json"));
    assert_eq!(kept.unwrap(), "{\"name\": \"x\"}");
}

#[test]
fn records_are_kept_beside_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("games.vf");
    let mut record = Provenance::load(&data).unwrap();
    assert_eq!(record.runs.len(), 0);
    record.runs.push(some_run());
    record.store(&data).unwrap();
    assert_eq!(Provenance::load(&data).unwrap(), record);
    // A file made out of two: the runs of both, then the step.
    let step = Step {
        started: 1_900_000_000,
        program: "test 1".to_owned(),
        commit: "unknown".to_owned(),
        command: "dedup".to_owned(),
        sources: vec![data.clone(), folder.path().join("no record of it.vf")],
    };
    let joined = Provenance::of_step(step.clone()).unwrap();
    assert_eq!(joined.runs, record.runs);
    assert_eq!(joined.steps, std::slice::from_ref(&step));
    let other = folder.path().join("other.vf");
    joined.store(&other).unwrap();
    assert_eq!(Provenance::load(&other).unwrap(), joined);
    fs::write(Provenance::path(&data), "{").unwrap();
    assert!(Provenance::of_step(step).is_err());
    assert!(Provenance::load(&data).is_err());
    assert!(Reader::open(Path::new("no such file"), Tail::Refuse).is_err());
}

#[test]
fn plies_and_points_of_view() {
    let start: Board = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 12".parse().unwrap();
    let mut game = Game::new(start);
    let mut board = start;
    for (text, score) in [("e8d7", -40), ("e2e4", 35)] {
        let mv = board.parse_uci(text).unwrap();
        game.moves.push(ScoredMove { mv, score });
        board = board.play(mv);
    }
    game.result = Outcome::WhiteWins;
    let positions: Vec<_> = game.positions().collect();
    assert_eq!(positions.len(), 2);
    assert_eq!((positions[0].ply, positions[1].ply), (23, 24));
    assert_eq!(positions[0].score_for_side_to_move(), 40);
    assert!(positions[0].points_for_side_to_move() < 0.25);
    assert_eq!(positions[1].score_for_side_to_move(), 35);
    assert!(positions[1].points_for_side_to_move() > 0.75);
}
