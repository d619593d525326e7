//! Names of openings, looked up by position, so that transpositions are named too.

use skewer_movegen::Board;

/// The name of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    /// The code of the Encyclopaedia of Chess Openings: a letter from A to E and two digits.
    pub eco: &'static str,
    /// The name, as `Family: Variation, Subvariation`.
    pub name: &'static str,
}

/// The name of a position of standard chess, if it has one. `None` also for positions after the end of a named
/// line: [`last_name`] finds the name of the opening that a game has played. The first call reads the catalogue
/// of some 3,800 lines and takes a moment.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_openings::name_of;
///
/// let mut board = Board::STARTPOS;
/// for mv in ["e4", "c5", "Nf3", "d6"] {
///     board = board.play(board.parse_san(mv).unwrap());
/// }
/// let name = name_of(&board).unwrap();
/// assert_eq!((name.eco, name.name), ("B50", "Sicilian Defense: Modern Variations"));
/// ```
pub fn name_of(board: &Board) -> Option<Name> {
    let position = esca::Position::from_fen(&board.to_string()).ok()?;
    esca::openings::lookup(&position).map(|found| Name {
        eco: found.eco,
        name: found.name,
    })
}

/// The name of the last of these positions that has one: the opening of a game.
///
/// ```
/// use skewer_movegen::Board;
/// use skewer_openings::last_name;
///
/// let mut boards = vec![Board::STARTPOS];
/// for san in ["e4", "c5", "Nf3", "d6", "h4"] {
///     let board = boards[boards.len() - 1];
///     boards.push(board.play(board.parse_san(san).unwrap()));
/// }
/// assert_eq!(skewer_openings::name_of(&boards[5]), None);
/// assert_eq!(last_name(&boards).unwrap().eco, "B50");
/// ```
pub fn last_name<'a>(
    boards: impl IntoIterator<Item = &'a Board, IntoIter: DoubleEndedIterator>,
) -> Option<Name> {
    boards.into_iter().rev().find_map(name_of)
}
