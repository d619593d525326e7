//! Damaged tables must not bring the process down: each copy is refused, or all of its probes
//! come back. As a crash cannot be caught, every copy is opened in a process of its own, which is
//! this test binary again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use skewer_movegen::{Board, Color, Piece};
use skewer_syzygy::Tablebases;

/// Set in the processes that open a copy: the name of the table, and the folders.
const TABLE: &str = "SKEWER_DAMAGED_TABLE";
const FOLDERS: &str = "SKEWER_DAMAGED_FOLDERS";

/// How many copies of each kind are made.
const COPIES: usize = 60;

/// How many positions are looked up in each.
const POSITIONS: usize = 200;

/// A process that takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(2);

/// A table's header is seldom longer.
const HEADER: usize = 256;

/// The beginning of the file that names the kind of table.
const MAGIC: usize = 4;

/// Random numbers from a fixed seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }
}

/// Ways to damage a table.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// Cut short by a multiple of 64.
    Cut,
    /// Cut short by a multiple of 64, and the checksum put back.
    CutInside,
    /// A block of 4 KiB is zero.
    ZeroBlock,
    /// Everything from some place on is zero.
    ZeroTail,
    /// Everything but the first bytes is zero.
    AllZero,
    /// A few bytes of the header are others.
    Header,
    /// A few bytes anywhere are others.
    Bytes,
    /// A block of 4 KiB is noise.
    Noise,
    /// What is behind the header is noise.
    NoisyTail,
    /// It has the content of another table.
    Other,
}

impl Damage {
    const ALL: [Self; 10] = [
        Self::Cut,
        Self::CutInside,
        Self::ZeroBlock,
        Self::ZeroTail,
        Self::AllZero,
        Self::Header,
        Self::Bytes,
        Self::Noise,
        Self::NoisyTail,
        Self::Other,
    ];

    fn apply(self, table: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
        let mut table = table.to_vec();
        let length = table.len();
        let block = |random: &mut Random| {
            let start = random.below(length.div_ceil(4096)) * 4096;
            start.max(MAGIC)..(start + 4096).min(length)
        };
        match self {
            Self::Cut => table.truncate(length - 64 * (1 + random.below(length / 64))),
            Self::CutInside => {
                let cut = 64 * (1 + random.below(length / 64));
                let start = (length - cut).min(MAGIC + random.below(length));
                table.drain(start..start + cut);
            }
            Self::ZeroBlock => table[block(random)].fill(0),
            Self::ZeroTail => table[MAGIC + random.below(length - MAGIC)..].fill(0),
            Self::AllZero => table[MAGIC..].fill(0),
            Self::Header => {
                for _ in 0..=random.below(3) {
                    let at = MAGIC + random.below(length.min(HEADER) - MAGIC);
                    table[at] = random.byte();
                }
            }
            Self::Bytes => {
                for _ in 0..=random.below(64) {
                    let at = MAGIC + random.below(length - MAGIC);
                    table[at] = random.byte();
                }
            }
            Self::Noise => table[block(random)].fill_with(|| random.byte()),
            Self::NoisyTail => {
                let start = length.min(HEADER) + random.below(length - length.min(HEADER) + 1);
                table[start..].fill_with(|| random.byte());
            }
            Self::Other => table = other.to_vec(),
        }
        table
    }
}

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/syzygy")
}

#[test]
fn damaged_tables_are_refused_or_do_no_harm() {
    if !data().is_dir() {
        println!("skipped: no {}", data().display());
        return;
    }
    let data = fs::canonicalize(data()).unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(&data)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("damaged");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut report = String::new();
    let mut harm = 0;
    for damage in Damage::ALL {
        let (mut refused, mut read, mut gave_up, mut crashed) = (0, 0, 0, 0);
        for copy in 0..COPIES {
            // The table that is damaged, and one of the same kind.
            let file = &files[random.below(files.len())];
            let kin: Vec<_> = files
                .iter()
                .filter(|other| *other != file && other.extension() == file.extension())
                .collect();
            let other = fs::read(kin[random.below(kin.len())]).unwrap();
            let table = fs::read(file).unwrap();
            let damaged = damage.apply(&table, &other, &mut random);
            let name = file.file_name().unwrap();
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), damaged).unwrap();
            let status = look_up(name.to_str().unwrap(), &folder, &data);
            match status.and_then(|status| status.code()) {
                Some(REFUSED) => refused += 1,
                Some(READ) => read += 1,
                Some(GAVE_UP) => gave_up += 1,
                code => {
                    crashed += 1;
                    println!(
                        "{damage:?} {copy}, {}: {status:?}, {code:?}",
                        name.display()
                    );
                }
            }
            fs::remove_dir_all(&folder).unwrap();
        }
        writeln!(
            report,
            "{damage:?}: {refused} refused, {read} read, {gave_up} given up, {crashed} crashed"
        )
        .unwrap();
        harm += crashed;
    }
    println!("{report}");
    assert_eq!(harm, 0, "\n{report}");
}

/// How the processes end.
const REFUSED: i32 = 40;
const READ: i32 = 41;
const GAVE_UP: i32 = 42;

/// Looks up positions of a table in a process of its own. `None` if it takes too long.
fn look_up(table: &str, damaged: &Path, others: &Path) -> Option<ExitStatus> {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "looks_up_a_table", "--nocapture"])
        .env(TABLE, table)
        .env(
            FOLDERS,
            format!("{};{}", damaged.display(), others.display()),
        )
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if let Some(status) = process.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    None
}

/// What those processes do; nothing if the test is run as such.
#[test]
fn looks_up_a_table() {
    let (Ok(table), Ok(folders)) = (std::env::var(TABLE), std::env::var(FOLDERS)) else {
        return;
    };
    let Ok(tables) = Tablebases::open(&folders) else {
        std::process::exit(REFUSED);
    };
    let (men, _) = table.split_once('.').unwrap();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..POSITIONS {
        let board = position(men, &mut random);
        tables.probe_wdl(&board);
        tables.probe_root(&board);
    }
    // A position of another table, which is whole.
    let known = [
        "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1",
        "8/8/8/8/4k3/8/1R6/K7 w - - 0 1",
    ];
    let known = known[usize::from(men == "KQvK")].parse().unwrap();
    std::process::exit(if tables.probe_wdl(&known).is_some() {
        READ
    } else {
        GAVE_UP
    });
}

/// A position with these men, with either color for the side that is named first.
fn position(men: &str, random: &mut Random) -> Board {
    let (first, second) = men.split_once('v').unwrap();
    loop {
        let colors = [Color::White, Color::Black];
        let named_first = random.below(2);
        let mut squares = [None; 64];
        for (side, men) in [first, second].into_iter().enumerate() {
            for man in men.chars() {
                let color = colors[(side + named_first) % 2];
                let piece = Piece::ALL
                    .into_iter()
                    .find(|piece| piece.letter(Color::White) == man)
                    .unwrap();
                squares[random.below(64)] = Some(piece.letter(color));
            }
        }
        if squares.iter().flatten().count() != men.len() - 1 {
            continue;
        }
        let ranks: Vec<String> = squares
            .chunks(8)
            .map(|rank| rank.iter().map(|man| man.unwrap_or('1')).collect())
            .collect();
        let turn = ["w", "b"][random.below(2)];
        let fen = format!("{} {turn} - - 0 1", ranks.join("/"));
        if let Ok(board) = fen.parse() {
            return board;
        }
    }
}
