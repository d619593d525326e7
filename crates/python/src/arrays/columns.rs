//! Columns of positions, and the reader that fills them from games.

use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer_movegen::{Board, Color, Piece};
use skewer_pgn::Outcome;

use super::{NO_RESULT, NO_SQUARE, PLANES};
use crate::exclusive::Exclusive;
use crate::pgn::{Collect, Stream, Wanted, open, read_error};
use crate::pool;
use crate::record::Record;
use crate::score::number;

/// Defines the columns, which have a row for each position, and the operations on all columns.
macro_rules! columns {
    ($($name:ident: $kind:ty,)*) => {
        /// Columns of positions, one row each.
        #[derive(Default)]
        pub(crate) struct Columns {
            /// Twelve masks a position: pawns to king of White, then of Black.
            bitboards: Vec<u64>,
            $($name: Vec<$kind>,)*
            /// The rows of each game.
            rows: Vec<usize>,
            /// The values of the wanted tags, game by game.
            tags: Vec<String>,
        }

        impl Columns {
            /// Adds the rows of other columns.
            fn append(&mut self, mut other: Self) {
                if self.rows.is_empty() {
                    *self = other;
                    return;
                }
                self.bitboards.append(&mut other.bitboards);
                $(self.$name.append(&mut other.$name);)*
                self.rows.append(&mut other.rows);
                self.tags.append(&mut other.tags);
            }

            /// Keeps the first games, and returns the columns of the others.
            fn split_off(&mut self, games: usize) -> Self {
                let row: usize = self.rows[..games].iter().sum();
                let tags = self.tags.len() / self.rows.len().max(1);
                Self {
                    bitboards: self.bitboards.split_off(PLANES * row),
                    // A column that is not wanted is empty.
                    $($name: self.$name.split_off(row.min(self.$name.len())),)*
                    rows: self.rows.split_off(games),
                    tags: self.tags.split_off(games * tags),
                }
            }

            /// The columns that were filled, as a dictionary of arrays.
            pub(super) fn into_dict(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
                let rows = self.len();
                let dict = PyDict::new(py);
                let bitboards = self.bitboards.into_pyarray(py).reshape([rows, PLANES])?;
                dict.set_item("bitboards", bitboards)?;
                $(if self.$name.len() == rows {
                    dict.set_item(stringify!($name), self.$name.into_pyarray(py))?;
                })*
                if !self.tags.is_empty() {
                    dict.set_item("tags", (self.tags, self.rows))?;
                }
                Ok(dict)
            }
        }
    };
}

columns! {
    turn: bool,
    castling: u8,
    ep_square: i8,
    halfmove_clock: u8,
    fullmove_number: u16,
    moves: u16,
    results: i8,
    evals: f32,
    games: u32,
    plies: u16,
    clocks: f32,
}

impl Columns {
    /// No positions yet, with room for this many boards; the columns that only games fill stay empty.
    pub(super) fn with_capacity(boards: usize) -> Self {
        Self {
            bitboards: Vec::with_capacity(boards * PLANES),
            turn: Vec::with_capacity(boards),
            castling: Vec::with_capacity(boards),
            ep_square: Vec::with_capacity(boards),
            halfmove_clock: Vec::with_capacity(boards),
            fullmove_number: Vec::with_capacity(boards),
            ..Self::default()
        }
    }

    fn len(&self) -> usize {
        self.turn.len()
    }

    pub(super) fn push(&mut self, position: &Board) {
        for color in Color::ALL {
            let own = position.color(color);
            let planes = Piece::ALL.map(|kind| (position.pieces(kind) & own).0);
            self.bitboards.extend_from_slice(&planes);
        }
        self.turn.push(position.turn() == Color::White);
        self.castling.push(position.castling().flags().bits());
        let square = position.en_passant();
        self.ep_square
            .push(square.map_or(NO_SQUARE, |square| square as i8));
        self.halfmove_clock.push(position.halfmove_clock());
        self.fullmove_number.push(position.fullmove_number());
    }
}

impl Collect for Columns {
    const AT_ONCE: usize = 64;

    /// Adds the positions of a game's main line from which a move was played.
    fn add(&mut self, record: Record, wanted: &Wanted) {
        let result = match record.outcome {
            Some(Outcome::WhiteWins) => 1,
            Some(Outcome::BlackWins) => -1,
            Some(Outcome::Draw) => 0,
            None => NO_RESULT,
        };
        let before = self.len();
        let (first, end) = wanted.plies;
        let rows = record.rows.iter().enumerate();
        for (ply, row) in rows.take(end).skip(first) {
            self.push(&row.position);
            self.moves.push(row.mv.bits());
            self.results.push(result);
            self.evals
                .push(row.eval.map_or(f32::NAN, |eval| number(eval.value) as f32));
            self.games.push(record.number as u32 - 1);
            self.plies.push(ply as u16);
            if wanted.clocks {
                self.clocks
                    .push(row.clock.map_or(f32::NAN, |clock| clock as f32));
            }
        }
        self.rows.push(self.len() - before);
        let value = |name: &String| record.tags.get(name).unwrap_or_default().to_owned();
        self.tags.extend(wanted.tags.iter().map(value));
    }

    fn move_by(&mut self, games: u64, _lines: u64) {
        for game in &mut self.games {
            *game += games as u32;
        }
    }
}

/// A stream of positions, and the positions that were read and not yet returned.
struct Batches {
    stream: Stream<Columns>,
    ready: Columns,
    size: usize,
}

impl Batches {
    /// Reads until there are `rows` rows. False at the end of the file.
    fn fill(&mut self, rows: usize) -> std::io::Result<bool> {
        while self.ready.len() < rows {
            let Some(more) = self.stream.next()? else {
                return Ok(false);
            };
            self.ready.append(more);
        }
        Ok(true)
    }

    /// Takes the columns of the fewest whole games that fill a batch, or of all games if they do not.
    fn take(&mut self) -> Columns {
        let mut rows = 0;
        let whole = self.ready.rows.iter().position(|game| {
            rows += game;
            rows >= self.size
        });
        let games = whole.map_or(self.ready.rows.len(), |last| last + 1);
        let rest = self.ready.split_off(games);
        std::mem::replace(&mut self.ready, rest)
    }
}

/// The iterator that `skewer.iter_positions` reads: batches of columns.
#[pyclass(frozen, module = "skewer")]
pub(crate) struct PositionReader(Exclusive<Batches>);

#[pymethods]
impl PositionReader {
    fn __iter__(reader: Py<Self>) -> Py<Self> {
        reader
    }

    /// The columns of the next batch, which has fewer rows than the size of a batch only at the end of the file.
    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let mut guard = self.0.lock(py)?;
        let Some(batches) = guard.as_mut() else {
            return Ok(None);
        };
        loop {
            // A few thousand positions at a time, so that Ctrl-C is noticed.
            let goal = batches.size.min(batches.ready.len() + 50_000);
            let more = py.detach(|| batches.fill(goal));
            let more = more.map_err(|error| read_error(py, error))?;
            py.check_signals()?;
            if !more || goal == batches.size {
                break;
            }
        }
        let columns = batches.take();
        if columns.len() == 0 {
            return Ok(None);
        }
        columns.into_dict(py).map(Some)
    }
}

/// Reads the positions of PGN games in batches of columns; see `skewer.iter_positions`.
#[pyfunction]
pub(crate) fn position_columns(
    file: &Bound<'_, PyAny>,
    batch: usize,
    threads: Option<i64>,
    elo: Option<(u32, u32)>,
    speeds: Option<Vec<String>>,
    results: Option<Vec<String>>,
    plies: (usize, usize),
    clocks: bool,
    tags: Vec<String>,
) -> PyResult<PositionReader> {
    if batch == 0 {
        return Err(PyValueError::new_err("a batch has at least one position"));
    }
    let pool = pool::of(threads)?;
    let wanted = Wanted {
        sparse: true,
        tags,
        elo,
        speeds,
        results,
        plies,
        clocks,
    };
    let batches = Batches {
        stream: Stream::new(open(file)?, wanted, pool),
        ready: Columns::default(),
        size: batch,
    };
    Ok(PositionReader(Exclusive::new("reader", batches)))
}
