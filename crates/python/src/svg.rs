//! Boards as pictures in SVG, with pieces of our own drawing.

use std::fmt::{self, Write as _};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skewer_movegen::{Bitboard, Color, Piece, Square};

use crate::board::PyBoard;
use crate::errors::square;
use crate::moves::PyMove;
use crate::pieces::{PieceObject, PyPiece};
use crate::squares::{SquareSet, mask_of};

/// The drawings of the pieces of White, by kind. `assets/pieces/README.md` says what their colours
/// mean.
const DRAWINGS: [&str; 6] = [
    include_str!("../pieces/pawn.svg"),
    include_str!("../pieces/knight.svg"),
    include_str!("../pieces/bishop.svg"),
    include_str!("../pieces/rook.svg"),
    include_str!("../pieces/queen.svg"),
    include_str!("../pieces/king.svg"),
];

/// The width of a square, and of the drawing of a piece.
const SQUARE: usize = 45;
/// The width of the margin with the coordinates.
const MARGIN: usize = 18;

const LIGHT: &str = "#f0d9b5";
const DARK: &str = "#b58863";
const LIGHT_LAST: &str = "#cdd26a";
const DARK_LAST: &str = "#aaa23b";

/// The group of a piece's drawing, in its colours.
fn group(piece: PyPiece) -> String {
    let drawing = DRAWINGS[piece.kind.index()];
    let start = drawing.find("<g").unwrap_or(0);
    let end = drawing.rfind("</svg>").unwrap_or(drawing.len());
    let group = drawing[start..end].trim();
    match piece.color {
        Color::White => group.to_owned(),
        Color::Black => group.replace("#111", "#eee").replace("#fff", "#333"),
    }
}

#[pymethods]
impl PieceObject {
    fn _repr_svg_(&self) -> String {
        draw_piece(self.value())
    }
}

#[pymethods]
impl SquareSet {
    fn _repr_svg_(&self) -> String {
        let drawing = Drawing {
            marks: self.squares(),
            size: Some(390),
            ..Drawing::default()
        };
        drawing.to_string()
    }
}

#[pymethods]
impl PyBoard {
    fn _repr_svg_(&self) -> String {
        let mut drawing = Drawing::of(self);
        drawing.last_move = self.stack.last().map(|(_, mv)| (mv.from(), mv.to()));
        let position = self.position();
        drawing.check = position.in_check().then(|| position.king(position.turn()));
        drawing.size = Some(390);
        drawing.to_string()
    }

    fn _repr_html_(&self) -> String {
        self._repr_svg_()
    }
}

/// An arrow between two squares, or a circle on one.
#[derive(Clone)]
struct Arrow {
    tail: Square,
    head: Square,
    color: String,
}

/// What a picture of a board shows.
#[derive(Clone, Default)]
struct Drawing {
    pieces: Vec<(Square, PyPiece)>,
    /// Whether Black is at the bottom.
    flipped: bool,
    last_move: Option<(Square, Square)>,
    check: Option<Square>,
    arrows: Vec<Arrow>,
    fill: Vec<(Square, String)>,
    marks: Bitboard,
    size: Option<u32>,
    /// Whether there are no coordinates around the board.
    bare: bool,
}

impl Drawing {
    /// The pieces of a board, seen from White's side.
    fn of(board: &PyBoard) -> Self {
        let pieces = board.position().occupied().into_iter();
        Self {
            pieces: pieces
                .filter_map(|square| Some((square, board.piece(square)?)))
                .collect(),
            ..Self::default()
        }
    }

    /// `white` if White is at the bottom, `black` if Black is.
    fn side<T>(&self, white: T, black: T) -> T {
        if self.flipped { black } else { white }
    }

    fn margin(&self) -> usize {
        if self.bare { 0 } else { MARGIN }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (usize, usize) {
        let (file, rank) = (square.file().index(), square.rank().index());
        let (x, y) = self.side((file, 7 - rank), (7 - file, rank));
        (self.margin() + x * SQUARE, self.margin() + y * SQUARE)
    }

    fn write_squares(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            let light = Bitboard::LIGHT.contains(square);
            let last = self
                .last_move
                .is_some_and(|(from, to)| from == square || to == square);
            let color = match (light, last) {
                (true, false) => LIGHT,
                (false, false) => DARK,
                (true, true) => LIGHT_LAST,
                (false, true) => DARK_LAST,
            };
            let mut rect = |color: &str| {
                write!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{color}\"/>"
                )
            };
            rect(color)?;
            for (_, color) in self.fill.iter().filter(|(at, _)| *at == square) {
                rect(color)?;
            }
            if self.check == Some(square) {
                write!(
                    out,
                    "<circle cx=\"{}\" cy=\"{}\" r=\"21\" fill=\"#e22\" fill-opacity=\"0.6\"/>",
                    x + SQUARE / 2,
                    y + SQUARE / 2
                )?;
            }
        }
        Ok(())
    }

    fn write_coordinates(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let far = self.margin() + 8 * SQUARE + MARGIN / 2;
        for index in 0..8 {
            let file = char::from(b'a' + self.side(index, 7 - index));
            let rank = self.side(8 - index, index + 1);
            let middle = self.margin() + usize::from(index) * SQUARE + SQUARE / 2;
            for edge in [MARGIN / 2, far] {
                write!(out, "<text x=\"{middle}\" y=\"{}\">{file}</text>", edge + 4)?;
                write!(out, "<text x=\"{edge}\" y=\"{}\">{rank}</text>", middle + 4)?;
            }
        }
        Ok(())
    }

    fn write_arrow(&self, out: &mut fmt::Formatter<'_>, arrow: &Arrow) -> fmt::Result {
        let middle = |square| {
            let (x, y) = self.corner(square);
            (
                x as f64 + SQUARE as f64 / 2.0,
                y as f64 + SQUARE as f64 / 2.0,
            )
        };
        let ((x1, y1), (x2, y2)) = (middle(arrow.tail), middle(arrow.head));
        let color = &arrow.color;
        if arrow.tail == arrow.head {
            return write!(
                out,
                "<circle cx=\"{x1}\" cy=\"{y1}\" r=\"20\" fill=\"none\" stroke=\"{color}\" \
                 stroke-width=\"3\" stroke-opacity=\"0.7\"/>"
            );
        }
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let (neck_x, neck_y) = (x2 - 20.0 * dx, y2 - 20.0 * dy);
        write!(
            out,
            "<g fill=\"{color}\" stroke=\"{color}\" opacity=\"0.7\"><path stroke-width=\"8\" \
             stroke-linecap=\"round\" d=\"M{x1:.1} {y1:.1}L{neck_x:.1} {neck_y:.1}\"/>\
             <path stroke=\"none\" d=\"M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}z\"/></g>",
            neck_x - 12.0 * dy,
            neck_y + 12.0 * dx,
            neck_x + 12.0 * dy,
            neck_y - 12.0 * dx
        )
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = 8 * SQUARE + 2 * self.margin();
        write!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\""
        )?;
        if let Some(size) = self.size {
            write!(f, " width=\"{size}\" height=\"{size}\"")?;
        }
        f.write_char('>')?;
        if !self.bare {
            write!(
                f,
                "<rect width=\"{side}\" height=\"{side}\" fill=\"#312e2b\"/>\
                 <g fill=\"#e8e6e3\" font-family=\"sans-serif\" font-size=\"12\" \
                 text-anchor=\"middle\">"
            )?;
            self.write_coordinates(f)?;
            f.write_str("</g>")?;
        }
        self.write_squares(f)?;
        for (square, piece) in &self.pieces {
            let (x, y) = self.corner(*square);
            write!(
                f,
                "<g transform=\"translate({x} {y})\">{}</g>",
                group(*piece)
            )?;
        }
        for square in self.marks {
            let (x, y) = self.corner(square);
            write!(
                f,
                "<path d=\"M{} {}l25 25m0-25l-25 25\" stroke=\"#000\" stroke-width=\"4\" \
                 stroke-linecap=\"round\" opacity=\"0.6\"/>",
                x + 10,
                y + 10
            )?;
        }
        for arrow in &self.arrows {
            self.write_arrow(f, arrow)?;
        }
        f.write_str("</svg>")
    }
}

/// The colour, if its text cannot end the attribute in which it is written; otherwise an error.
fn safe_color(color: String) -> PyResult<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "#(),.% -".contains(c);
    if color.chars().all(plain) {
        Ok(color)
    } else {
        Err(PyValueError::new_err(format!("{color:?} is not a colour")))
    }
}

/// An arrow of a move, a pair of squares, or two squares and a colour.
fn arrow(value: &Bound<'_, PyAny>) -> PyResult<Arrow> {
    let green = || "#15781b".to_owned();
    if let Ok(mv) = value.extract::<PyMove>() {
        return Ok(Arrow {
            tail: mv.from(),
            head: mv.to(),
            color: green(),
        });
    }
    let (tail, head, color) = match value.extract::<(i64, i64)>() {
        Ok((tail, head)) => (tail, head, green()),
        Err(_) => value.extract::<(i64, i64, String)>()?,
    };
    Ok(Arrow {
        tail: square(tail)?,
        head: square(head)?,
        color: safe_color(color)?,
    })
}

/// A board as a picture: SVG text, which notebooks and browsers show.
///
/// `arrows` are moves, pairs of squares, or two squares and a colour; `fill` colours squares;
/// `squares` are marked with a cross; `size` is the width in pixels.
#[pyfunction]
#[pyo3(name = "board", signature = (
    board=None, *, orientation=true, lastmove=None, check=None, arrows=None, fill=None,
    squares=None, size=None, coordinates=true
))]
pub(crate) fn draw_board(
    board: Option<&Bound<'_, PyBoard>>,
    orientation: bool,
    lastmove: Option<PyMove>,
    check: Option<i64>,
    arrows: Option<&Bound<'_, PyAny>>,
    fill: Option<&Bound<'_, PyDict>>,
    squares: Option<&Bound<'_, PyAny>>,
    size: Option<u32>,
    coordinates: bool,
) -> PyResult<String> {
    let base = match board {
        Some(board) => Drawing::of(&*board.try_borrow()?),
        None => Drawing::default(),
    };
    let mut drawing = Drawing {
        flipped: !orientation,
        last_move: lastmove.map(|mv| (mv.from(), mv.to())),
        check: check.map(square).transpose()?,
        marks: Bitboard(squares.map_or(Ok(0), mask_of)?),
        size,
        bare: !coordinates,
        ..base
    };
    if let Some(arrows) = arrows {
        for item in arrows.try_iter()? {
            drawing.arrows.push(arrow(&item?)?);
        }
    }
    for (at, color) in fill.into_iter().flatten() {
        drawing
            .fill
            .push((square(at.extract()?)?, safe_color(color.extract()?)?));
    }
    Ok(drawing.to_string())
}

/// A piece as a picture: SVG text.
#[pyfunction]
#[pyo3(name = "piece")]
pub(crate) fn draw_piece(piece: PyPiece) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SQUARE} {SQUARE}\" \
         width=\"{SQUARE}\" height=\"{SQUARE}\">{}</svg>",
        group(piece)
    )
}

/// Every kind of piece has a drawing.
const _: () = assert!(DRAWINGS.len() == Piece::COUNT);
