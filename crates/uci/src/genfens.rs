//! `genfens N seed S book B`: starting positions for distributed data generation, the same from
//! the same seed on every machine. Each is random but balanced.

use skewer_eval::Evaluation;
use skewer_movegen::{Board, CastlingMode};
use skewer_openings::{Opening, RandomOpening, Rng, Variant, most_balanced};
use skewer_search::Judge;
use skewer_store::read_regular;
use skewer_types::Score;

use crate::command::quote;
use crate::job::{Control, LastLine};

/// The greatest score of a balanced position, in internal units.
const MARGIN: u32 = 90;

/// How many positions are tried before the position nearest to zero is used.
const TRIES: u32 = 100;

/// The nodes that the judge searches for a position.
const JUDGE_NODES: u64 = 500;

/// The random moves after a position from a book: this many or one more.
const PLIES_AFTER_BOOK: usize = 2;

/// The most positions that can be asked for at once.
const MOST: u32 = 1_000_000;

/// A parsed `genfens` command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    count: u32,
    seed: u64,
    book: Option<String>,
}

impl Request {
    /// Reads the words after `genfens`.
    ///
    /// # Errors
    ///
    /// Names the first word that cannot be used.
    pub(crate) fn read(words: &[&str]) -> Result<Self, String> {
        let mut words = words.iter().copied();
        let count = words.next().unwrap_or_default();
        let mut request = Self {
            count: count
                .parse()
                .ok()
                .filter(|count| (1..=MOST).contains(count))
                .ok_or_else(|| {
                    let count = quote(count);
                    format!("{count} is not a number from 1 to {MOST}")
                })?,
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
                "book" => {
                    request.book = words
                        .next()
                        .filter(|book| *book != "None")
                        .map(str::to_owned);
                }
                // Testing frameworks may send words for other engines.
                _ => {}
            }
        }
        Ok(request)
    }
}

/// Prints the positions until the job is cancelled.
pub(crate) fn run(request: &Request, castling: CastlingMode, control: &Control<'_>) -> LastLine {
    try_run(request, castling, control)
        .unwrap_or_else(|error| LastLine::Failure(format!("genfens: {error}")))
}

fn try_run(
    request: &Request,
    castling: CastlingMode,
    control: &Control<'_>,
) -> Result<LastLine, String> {
    let mut judge =
        Judge::new(Evaluation::hand_written(), JUDGE_NODES).map_err(|error| error.to_string())?;
    let mut rng = Rng::new(request.seed);
    let book = request.book.as_deref().map(read_book).transpose()?;
    let recipe = RandomOpening {
        variant: match castling {
            CastlingMode::Standard => Variant::Standard,
            CastlingMode::Chess960 => Variant::Chess960,
        },
        ..RandomOpening::default()
    };
    let mut score = |board: &Board| judge.score(board).map(Score::raw);
    for left in (0..request.count).rev() {
        if control.is_cancelled() {
            break;
        }
        let board = match &book {
            None => Opening::balanced(&recipe, &mut rng, MARGIN, TRIES, &mut score).board,
            Some(boards) => {
                most_balanced(MARGIN, TRIES, || from_book(boards, &mut rng), &mut score)
                    .ok_or_else(|| "no position of the book has legal moves".to_owned())?
            }
        };
        let line = format!("info string genfens {}", board.to_fen_in(castling));
        if left == 0 {
            return Ok(LastLine::Result(line));
        }
        control.output.line(line);
    }
    Ok(LastLine::Note("genfens was stopped"))
}

/// The largest book that is read, in bytes. It is kept in memory.
const MOST_BOOK: u64 = 1 << 30;

/// The positions of a book: at least one.
fn read_book(path: &str) -> Result<Vec<Board>, String> {
    let text = read_regular(path, MOST_BOOK).map_err(|error| error.into_kind().to_string());
    let text = text.and_then(|text| String::from_utf8(text).map_err(|error| error.to_string()));
    let text = text.map_err(|error| format!("{} cannot be read: {error}", quote(path)))?;
    let lines = text.split(['\n', '\r']);
    let boards: Vec<Board> = lines.filter_map(board_of_line).collect();
    if boards.is_empty() {
        return Err(format!("{} holds no position", quote(path)));
    }
    Ok(boards)
}

/// The position of a line of FEN or EPD: what follows the fourth field is not needed.
fn board_of_line(line: &str) -> Option<Board> {
    let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
    Board::from_fen(&fields.join(" ")).ok()
}

/// A position from the book after a few random moves.
fn from_book(boards: &[Board], rng: &mut Rng) -> Board {
    let mut board = boards[rng.below(boards.len())];
    for _ in 0..PLIES_AFTER_BOOK + rng.below(2) {
        let Some(&mv) = rng.choose(&board.legal_moves()) else {
            break;
        };
        board = board.play(mv);
    }
    board
}
