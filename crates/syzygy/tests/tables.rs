//! The adapter against the tables of three and four men, and against folders that are none.
//! The library has one state for the process, so it is all one test.

use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use std::time::Duration;

use skewer_movegen::{Board, Color, Piece};
use skewer_syzygy::{TablebaseError, Tablebases};
use skewer_types::Wdl;

fn data() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy");
    if folder.is_dir() {
        Some(folder)
    } else {
        println!("skipped: no {}", folder.display());
        None
    }
}

#[test]
fn folders_that_are_none_are_refused_and_spoil_nothing() {
    let empty = std::env::temp_dir().join(format!("skewer-syzygy-{}", std::process::id()));
    fs::create_dir_all(&empty).unwrap();
    let name = empty.to_str().unwrap();
    assert!(matches!(Tablebases::open(""), Err(TablebaseError::BadPath)));
    assert!(matches!(
        Tablebases::open("a\0b"),
        Err(TablebaseError::BadPath)
    ));
    assert!(matches!(
        Tablebases::open("/no/such/folder"),
        Err(TablebaseError::Folder(..))
    ));
    assert!(matches!(Tablebases::open(name), Err(TablebaseError::Empty)));
    fs::write(empty.join("KQvK.rtbw"), "not a table").unwrap();
    assert!(matches!(
        Tablebases::open(name),
        Err(TablebaseError::Damaged(_))
    ));
    fs::remove_file(empty.join("KQvK.rtbw")).unwrap();
    // What the library never looks for may be anything.
    for ignored in ["KvKQ.rtbw", "KQvK.rtbw.part", "KQQQQQQvK.rtbw", "KXvK.rtbz"] {
        fs::write(empty.join(ignored), "not a table").unwrap();
    }
    assert!(matches!(Tablebases::open(name), Err(TablebaseError::Empty)));
    for special in ["KQvK.rtbw", "KQvK.rtbz", "KQvK.rtbm"] {
        files_that_are_none_are_not_opened(&empty.join(special));
    }

    let Some(folder) = data() else {
        return;
    };
    let folder = folder.to_str().unwrap();
    let tables = Tablebases::open(&format!("{folder};{name}")).unwrap();
    assert_eq!(tables.largest(), 4);
    // The same folders again, with the other separator, are the same tables.
    let again = Tablebases::open(&format!("{folder}:{name}")).unwrap();
    assert!(std::sync::Arc::ptr_eq(&tables, &again));
    assert!(matches!(
        Tablebases::open(folder),
        Err(TablebaseError::InUse)
    ));
    known_positions(&tables);
    children_agree_with_their_parents(&tables);
    drop(again);
    // Whoever is about to let go of them is waited for.
    let user = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(10));
        drop(tables);
    });
    let others = Tablebases::open(folder);
    user.join().unwrap();
    assert_eq!(others.unwrap().largest(), 4);
    fs::remove_dir_all(&empty).unwrap();
}

/// A folder, a link to nothing, and a pipe that nobody writes to.
fn files_that_are_none_are_not_opened(path: &Path) {
    let folder = path.parent().unwrap().to_str().unwrap();
    let is_refused = || {
        let refused = matches!(Tablebases::open(folder), Err(TablebaseError::Damaged(_)));
        assert!(refused, "{}", path.display());
    };
    fs::create_dir(path).unwrap();
    is_refused();
    fs::remove_dir(path).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nothing", path).unwrap();
        is_refused();
        fs::remove_file(path).unwrap();
        if Command::new("mkfifo")
            .arg(path)
            .status()
            .is_ok_and(|status| status.success())
        {
            is_refused();
            fs::remove_file(path).unwrap();
        }
    }
}

fn known_positions(tables: &Tablebases) {
    for (fen, wdl) in [
        ("8/8/8/8/4k3/8/1Q6/K7 w - - 0 1", Wdl::Win),
        ("8/8/8/8/4k3/8/1Q6/K7 b - - 0 1", Wdl::Loss),
        ("8/8/8/8/4k3/8/1B6/K7 w - - 0 1", Wdl::Draw),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Wdl::Win),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Wdl::Draw),
        ("8/8/8/8/8/3k4/2p5/2K5 w - - 0 1", Wdl::Loss),
        ("8/8/8/8/8/3k4/2p5/2K5 b - - 0 1", Wdl::Draw),
    ] {
        let board: Board = fen.parse().unwrap();
        assert_eq!(tables.probe_wdl(&board), Some(wdl), "{fen}");
        let probes = tables.probe_root(&board).expect("every move known");
        assert_eq!(probes.len(), board.legal_moves().len());
        assert_eq!(
            probes.iter().map(|probe| probe.wdl).max(),
            Some(wdl),
            "{fen}"
        );
    }
    // Too many men, and castling.
    assert_eq!(tables.probe_wdl(&Board::STARTPOS), None);
    let castling: Board = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
    assert_eq!(tables.probe_wdl(&castling), None);
}

/// The outcome of a position is the best of its moves' outcomes.
fn children_agree_with_their_parents(tables: &Tablebases) {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |n: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % n
    };
    let plain = |wdl| match wdl {
        Wdl::Win | Wdl::CursedWin => 1,
        Wdl::Draw => 0,
        Wdl::Loss | Wdl::BlessedLoss => -1,
    };
    let mut checked = 0;
    while checked < 300 {
        let mut men = vec!['K', 'k'];
        for _ in 0..2 {
            let color = [Color::White, Color::Black][random(2) as usize];
            men.push(Piece::ALL[random(5) as usize].letter(color));
        }
        let mut squares = [None; 64];
        for &man in &men {
            squares[random(64) as usize] = Some(man);
        }
        let ranks: Vec<String> = (0..8)
            .map(|rank| {
                (0..8)
                    .map(|file| squares[rank * 8 + file].map_or("1".into(), |man| man.to_string()))
                    .collect::<String>()
            })
            .collect();
        let turn = ["w", "b"][random(2) as usize];
        let fen = format!("{} {turn} - - 0 1", ranks.join("/"));
        let Ok(board) = fen.parse::<Board>() else {
            continue;
        };
        let (Some(here), true) = (tables.probe_wdl(&board), board.has_legal_moves()) else {
            continue;
        };
        let best = board
            .legal_moves()
            .iter()
            .map(|&mv| {
                let after = board.play(mv);
                if after.has_legal_moves() {
                    -tables.probe_wdl(&after).map_or(0, plain)
                } else {
                    i32::from(after.in_check())
                }
            })
            .max();
        assert_eq!(best, Some(plain(here)), "{fen}");
        checked += 1;
    }
}
