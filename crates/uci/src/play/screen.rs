//! Draws the board for a terminal.

use std::fmt::Write as _;

use skewer_movegen::{Board, Color, File, Move, Piece, Rank, Square};

/// How pieces are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pieces {
    /// Chess symbols of Unicode.
    Symbols,
    /// Letters, capitals for White.
    Letters,
}

/// How squares are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Squares {
    /// Coloured by escape sequences, the last move marked.
    Coloured,
    /// Without escape sequences.
    Plain,
}

/// How the board is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen {
    pub(super) pieces: Pieces,
    pub(super) squares: Squares,
    /// The side at the bottom.
    pub(super) bottom: Color,
}

/// Background colours of the 256-colour palette: dark and light, then both for the last move.
const BACKGROUNDS: [[u8; 2]; 2] = [[137, 180], [143, 186]];
/// The colours of black and white pieces.
const FOREGROUNDS: [u8; 2] = [16, 231];

impl Screen {
    /// The board, a line for each rank, with the names of ranks and files.
    pub(super) fn draw(self, board: &Board, last: Option<Move>) -> String {
        let mut text = String::new();
        let mut ranks = Rank::ALL;
        let mut files = File::ALL;
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        for rank in ranks {
            _ = write!(text, " {rank} ");
            for file in files {
                let square = Square::new(file, rank);
                self.square(board, square, last, &mut text);
            }
            text.push('\n');
        }
        text.push_str("   ");
        for file in files {
            _ = write!(text, " {file} ");
        }
        text.push('\n');
        text
    }

    fn square(self, board: &Board, square: Square, last: Option<Move>, text: &mut String) {
        let occupant = board.color_at(square).zip(board.piece_at(square));
        if self.squares == Squares::Plain {
            return match occupant {
                Some((color, piece)) => _ = write!(text, " {} ", self.symbol(color, piece)),
                None => text.push_str(" . "),
            };
        }
        let is_light = (square.file().index() + square.rank().index()) % 2 == 1;
        let is_last = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        let background = BACKGROUNDS[usize::from(is_last)][usize::from(is_light)];
        _ = write!(text, "\x1b[48;5;{background}m");
        match occupant {
            Some((color, piece)) => {
                let foreground = FOREGROUNDS[usize::from(color == Color::White)];
                // The symbols of black pieces are filled, so the foreground colour can tell the sides apart.
                let symbol = match self.pieces {
                    Pieces::Symbols => self.symbol(Color::Black, piece),
                    Pieces::Letters => self.symbol(color, piece),
                };
                _ = write!(text, "\x1b[38;5;{foreground};1m {symbol} ");
            }
            None => text.push_str("   "),
        }
        text.push_str("\x1b[0m");
    }

    /// The symbol of a piece.
    fn symbol(self, color: Color, piece: Piece) -> char {
        match self.pieces {
            Pieces::Letters => piece.letter(color),
            Pieces::Symbols => {
                let symbols = match color {
                    Color::White => ['♙', '♘', '♗', '♖', '♕', '♔'],
                    Color::Black => ['♟', '♞', '♝', '♜', '♛', '♚'],
                };
                symbols[piece.index()]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Screen = Screen {
        pieces: Pieces::Letters,
        squares: Squares::Plain,
        bottom: Color::White,
    };

    fn rows(screen: Screen) -> Vec<String> {
        let text = screen.draw(&Board::STARTPOS, None);
        text.lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[test]
    fn the_side_at_the_bottom_sees_the_board_from_its_own_side() {
        let white = rows(PLAIN);
        assert_eq!(white[0], "8 r n b q k b n r");
        assert_eq!(white[7], "1 R N B Q K B N R");
        assert_eq!(white[8], "a b c d e f g h");
        let black = rows(Screen {
            bottom: Color::Black,
            ..PLAIN
        });
        assert_eq!(black[0], "1 R N B K Q B N R");
        assert_eq!(black[8], "h g f e d c b a");
    }

    #[test]
    fn symbols_are_the_chess_symbols_of_unicode() {
        let rows = rows(Screen {
            pieces: Pieces::Symbols,
            ..PLAIN
        });
        assert_eq!(rows[0], "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜");
        assert_eq!(rows[6], "2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙");
    }

    #[test]
    fn a_plain_board_has_no_escape_sequences_and_a_coloured_one_marks_the_last_move() {
        let mv = Board::STARTPOS.parse_uci("e2e4").unwrap();
        let after = Board::STARTPOS.play(mv);
        assert!(!PLAIN.draw(&after, Some(mv)).contains('\x1b'));
        let coloured = Screen {
            squares: Squares::Coloured,
            ..PLAIN
        };
        let marked = |text: &str| {
            BACKGROUNDS[1]
                .iter()
                .map(|c| text.matches(&format!("48;5;{c}m")).count())
                .sum::<usize>()
        };
        assert_eq!(marked(&coloured.draw(&after, Some(mv))), 2);
        assert_eq!(marked(&coloured.draw(&after, None)), 0);
    }
}
