//! `genfens N seed S book B`: starting positions for distributed data generation, the same from
//! the same seed on every machine. Each is random but balanced.

use skewer_movegen::{Board, CastlingMode};
use skewer_openings::{Judge, Opening, Recipe, Rng, Variant};
use skewer_smp::{HandCrafted, Score};

use crate::command::quote;
use crate::output::Output;
use crate::settings::Settings;

/// How far from level a position may be, in internal units of score.
const MARGIN: u32 = 90;

/// How many positions are tried before the most level one is taken.
const TRIES: u32 = 100;

/// The nodes that judge a position.
const JUDGE_NODES: u64 = 500;

/// The random moves after a position from a book: this many or one more.
const PLIES_AFTER_BOOK: u32 = 2;

/// The most positions that can be asked for at once.
const MOST: u32 = 1_000_000;

/// What the words ask for.
struct Request<'a> {
    count: u32,
    seed: u64,
    book: Option<&'a str>,
}

fn read<'a>(words: &[&'a str]) -> Result<Request<'a>, String> {
    let mut words = words.iter().copied();
    let count = words.next().unwrap_or_default();
    let mut request = Request {
        count: count
            .parse()
            .ok()
            .filter(|count| *count <= MOST)
            .ok_or_else(|| format!("{} is not a number up to {MOST}", quote(count)))?,
        seed: 0,
        book: None,
    };
    while let Some(word) = words.next() {
        match word {
            "seed" => {
                let seed = words.next().unwrap_or_default();
                request.seed = seed
                    .parse()
                    .map_err(|_| format!("the seed {} is not a number", quote(seed)))?;
            }
            "book" => request.book = words.next().filter(|book| *book != "None"),
            // Testers may send words that only some engines know.
            _ => {}
        }
    }
    Ok(request)
}

pub(crate) fn run(words: &[&str], settings: &Settings, output: &Output) {
    if let Err(reason) = try_run(words, settings, output) {
        output.note(format_args!(
            "genfens: {reason}; write: genfens N seed S book None|FILE"
        ));
    }
}

fn try_run(words: &[&str], settings: &Settings, output: &Output) -> Result<(), String> {
    let request = read(words)?;
    let mut judge = Judge::new(HandCrafted::default(), JUDGE_NODES).map_err(|e| e.to_string())?;
    let mut rng = Rng::new(request.seed);
    let book = match request.book {
        None => None,
        Some(path) => {
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("{} cannot be read: {error}", quote(path)))?;
            let boards: Vec<Board> = text.lines().filter_map(board_of_line).collect();
            if boards.is_empty() {
                return Err(format!("{} holds no position", quote(path)));
            }
            Some(boards)
        }
    };
    let recipe = Recipe {
        variant: match settings.castling {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Chess960,
        },
        ..Recipe::default()
    };
    let mut score = |board: &Board| judge.score(board).map(Score::raw);
    for _ in 0..request.count {
        let board = match &book {
            None => Opening::balanced(&recipe, &mut rng, MARGIN, TRIES, &mut score).board,
            Some(boards) => from_book(boards, &mut rng, &mut score),
        };
        output.note(format_args!("genfens {}", board.to_fen(settings.castling)));
    }
    Ok(())
}

/// The position of a line of FEN or EPD: what follows the fourth field is not needed.
fn board_of_line(line: &str) -> Option<Board> {
    let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
    Board::from_fen(&fields.join(" ")).ok()
}

/// A balanced position a few random moves after one from the book.
fn from_book(
    boards: &[Board],
    rng: &mut Rng,
    score: &mut impl FnMut(&Board) -> Option<i32>,
) -> Board {
    let pick = |rng: &mut Rng| boards[rng.below(boards.len() as u32) as usize];
    for _ in 0..TRIES {
        let mut board = pick(rng);
        for _ in 0..PLIES_AFTER_BOOK + rng.below(2) {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            board = board.play(legal[rng.below(legal.len() as u32) as usize]);
        }
        if board.has_legal_moves() && score(&board).is_some_and(|s| s.unsigned_abs() <= MARGIN) {
            return board;
        }
    }
    pick(rng)
}
