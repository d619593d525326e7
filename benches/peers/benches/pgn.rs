//! How fast games are read, compared with pgn-reader with shakmaty.
//!
//! `cargo bench --manifest-path benches/peers/Cargo.toml --bench pgn [-- FILE...]` reads the PGN files
//! named, or the games that the tests of `skewer-pgn` use, from memory, again and again. Both readers
//! play every move of the main lines and of the variations. They alternate; rates are medians, and
//! the ratio is the median of the ratios of neighbouring runs. The third column reads without playing
//! moves, which shows what playing them costs.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use skewer_benches::ratios::alternate;

/// What a run read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Read {
    games: u64,
    moves: u64,
}

/// A run over a file in memory.
type Run = fn(&[u8]) -> Read;

const READERS: [(&str, Run); 3] = [
    ("skewer-pgn", ours),
    ("pgn-reader 0.29", theirs),
    ("pgn-reader, no rules", tokens),
];

fn ours(text: &[u8]) -> Read {
    let tally = skewer_pgn::check(text).unwrap();
    Read {
        games: tally.games,
        moves: tally.moves,
    }
}

fn theirs(text: &[u8]) -> Read {
    let mut reader = Reader::new(text);
    let mut player = Player::default();
    while reader.read_game(&mut player).unwrap().is_some() {}
    player.read
}

fn tokens(text: &[u8]) -> Read {
    let mut reader = Reader::new(text);
    let mut counter = Counter::default();
    while reader.read_game(&mut counter).unwrap().is_some() {}
    counter.0
}

/// Plays every move with shakmaty.
#[derive(Default)]
struct Player {
    read: Read,
}

/// The position of each open line, and the one before its last move.
struct Lines {
    now: Chess,
    before: Chess,
    outer: Vec<(Chess, Chess)>,
}

impl Visitor for Player {
    type Tags = Option<Chess>;
    type Movetext = Lines;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        self.read.games += 1;
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let Ok(fen) = Fen::from_ascii(value.as_bytes()) else {
                return ControlFlow::Break(());
            };
            match fen.into_position(CastlingMode::Chess960) {
                Ok(start) => *tags = Some(start),
                Err(_) => return ControlFlow::Break(()),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<(), Lines> {
        let now = tags.unwrap_or_default();
        ControlFlow::Continue(Lines {
            before: now.clone(),
            now,
            outer: Vec::new(),
        })
    }

    fn san(&mut self, lines: &mut Lines, san: SanPlus) -> ControlFlow<()> {
        let Ok(mv) = san.san.to_move(&lines.now) else {
            return ControlFlow::Break(());
        };
        lines.before = lines.now.clone();
        lines.now.play_unchecked(mv);
        self.read.moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, lines: &mut Lines) -> ControlFlow<(), Skip> {
        lines.outer.push((lines.now.clone(), lines.before.clone()));
        lines.now = lines.before.clone();
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, lines: &mut Lines) -> ControlFlow<()> {
        if let Some((now, before)) = lines.outer.pop() {
            (lines.now, lines.before) = (now, before);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Lines) {}
}

/// Counts moves without playing them.
#[derive(Default)]
struct Counter(Read);

impl Visitor for Counter {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        self.0.games += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.0.moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// The files to read: those named, or the games of the tests; then all of them as one.
fn files() -> Vec<(String, Vec<u8>)> {
    let named: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    let paths = if named.is_empty() {
        let games = "../../crates/pgn/tests/data/lichess.pgn";
        vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(games)]
    } else {
        named
    };
    let mut files = Vec::new();
    let mut together = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = match std::fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                std::process::exit(1);
            }
        };
        together.extend_from_slice(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text));
        together.extend_from_slice(b"\n\n");
        files.push((name.into_owned(), text));
    }
    files.push(("all together".to_owned(), together));
    files
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    let rounds = if quick { 5 } else { 31 };
    println!("MB/s, thousand games/s, million moves/s (speed of skewer-pgn relative to it)\n");
    print!("{:<26}", "");
    for (name, _) in READERS {
        print!("{name:>34}");
    }
    println!();
    for (name, text) in files() {
        // Repeat so often that a run takes about 20 ms.
        let begin = Instant::now();
        let read = ours(&text);
        let times = (0.02 / begin.elapsed().as_secs_f64()).clamp(1.0, 1e4) as usize;
        let mut reads = [Read::default(); READERS.len()];
        let measured = alternate(READERS.len(), rounds, |i| {
            let begin = Instant::now();
            for _ in 0..times {
                reads[i] = std::hint::black_box(READERS[i].1(std::hint::black_box(&text)));
            }
            begin.elapsed().as_secs_f64() / times as f64
        });
        assert_eq!(reads[0], read);
        print!("{name:<26}");
        for ((took, ratio), read) in measured.into_iter().zip(reads) {
            let cell = format!(
                "{:.0}, {:.0}, {:.1} ({ratio:.2})",
                text.len() as f64 / took / 1e6,
                read.games as f64 / took / 1e3,
                read.moves as f64 / took / 1e6,
            );
            print!("{cell:>34}");
        }
        if reads[0] != reads[1] {
            // The readers differ in which errors of a file they tolerate.
            print!("   read {:?} and {:?}", reads[0], reads[1]);
        }
        println!();
    }
}
