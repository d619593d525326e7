//! A position drawn as text.

use core::fmt;

use crate::{Board, Color, File, Piece, Rank, Square};

/// The symbols of a [diagram](Board::diagram).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbols {
    /// The letters of FEN: `K` for a white king, `k` for a black one.
    Ascii,
    /// The Unicode chess symbols: `♔` for a white king, `♚` for a black one.
    Unicode,
}

impl Board {
    /// The position as a diagram with coordinates, seen from the side of `bottom`. The Unicode
    /// symbols look as in print on a light background.
    ///
    /// ```
    /// use skewer_movegen::{Board, Color, Symbols};
    ///
    /// let diagram = Board::STARTPOS.diagram(Symbols::Ascii, Color::White).to_string();
    /// assert_eq!(diagram, "\
    /// 8  r n b q k b n r
    /// 7  p p p p p p p p
    /// 6  . . . . . . . .
    /// 5  . . . . . . . .
    /// 4  . . . . . . . .
    /// 3  . . . . . . . .
    /// 2  P P P P P P P P
    /// 1  R N B Q K B N R
    ///
    ///    a b c d e f g h
    /// ");
    /// let black = Board::STARTPOS.diagram(Symbols::Unicode, Color::Black).to_string();
    /// assert!(black.starts_with("1  ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖\n"));
    /// ```
    pub const fn diagram(&self, symbols: Symbols, bottom: Color) -> impl fmt::Display {
        Diagram {
            board: *self,
            symbols,
            bottom,
        }
    }
}

/// A position and how to draw it.
struct Diagram {
    board: Board,
    symbols: Symbols,
    bottom: Color,
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from_left = |file: File| self.bottom.fold(file, File::ALL[7 - file.index()]);
        for rank in Rank::ALL.into_iter().rev() {
            let rank = rank.relative_to(self.bottom);
            write!(f, "{rank} ")?;
            for file in File::ALL {
                let square = Square::new(from_left(file), rank);
                let piece = self.board.color_at(square).zip(self.board.piece_at(square));
                let symbol = piece.map_or('.', |(color, piece)| match self.symbols {
                    Symbols::Ascii => piece.letter(color),
                    Symbols::Unicode => unicode(color, piece),
                });
                write!(f, " {symbol}")?;
            }
            f.write_str("\n")?;
        }
        f.write_str("\n  ")?;
        for file in File::ALL {
            write!(f, " {}", from_left(file))?;
        }
        f.write_str("\n")
    }
}

/// The Unicode symbol of a piece.
const fn unicode(color: Color, piece: Piece) -> char {
    let symbols = match color {
        Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
        Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
    };
    symbols[piece.index()]
}
