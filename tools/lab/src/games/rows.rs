//! Noughts and crosses on boards of any size.
//!
//! Two sides set stones in turn; the first with a straight row of a given length wins. With rows of
//! four on 4x4 and 5x5 boards the game is not trivial. The static evaluation counts the rows that
//! are still open to each side, which is enough for sensible play by a shallow search.

use std::sync::Arc;

use skewer_types::{Bound, mix};

use crate::game::{Game, Tally, Value, Window};
use crate::params::rows as params;

/// A board size and its lines.
#[derive(Debug)]
struct Field {
    points: u32,
    lines: Vec<u64>,
    /// Points by the number of lines through them, the most first.
    order: Vec<u8>,
}

/// A position of the game.
///
/// ```
/// use skewer_lab::algorithms::{Algorithm, solve};
/// use skewer_lab::games::rows::Rows;
///
/// // Three in a row on a board of 3x3 is a draw.
/// let game = Rows::new(3, 3, 3);
/// let mut laboratory = Algorithm::AlphaBeta.laboratory();
/// assert_eq!(solve(Algorithm::AlphaBeta, &game, 9, &mut laboratory), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Rows {
    board: Arc<Field>,
    /// Stones of the side to move.
    own: u64,
    /// Stones of the other side.
    other: u64,
}

impl Rows {
    /// The empty board of `width` x `height` points where a row of `need` wins.
    ///
    /// # Panics
    ///
    /// If the board has more than 64 points, or is too small for a row.
    pub fn new(width: u32, height: u32, need: u32) -> Self {
        let points = width * height;
        assert!(points <= 64, "stones are kept in 64 bits");
        let lines = lines(width as i32, height as i32, need as i32);
        assert!(!lines.is_empty(), "a row of {need} does not fit");
        let through = |point: u8| lines.iter().filter(|&line| line >> point & 1 != 0).count();
        let mut order: Vec<u8> = (0..points as u8).collect();
        order.sort_by_key(|&point| std::cmp::Reverse(through(point)));
        Self {
            board: Arc::new(Field {
                points,
                lines,
                order,
            }),
            own: 0,
            other: 0,
        }
    }

    /// Whether the side that has just moved has its row.
    pub fn lost(&self) -> bool {
        self.board.lines.iter().any(|line| line & !self.other == 0)
    }

    /// Whether neither side can move any more.
    pub fn over(&self) -> bool {
        self.lost() || (self.own | self.other).count_ones() == self.board.points
    }

    /// The static evaluation: each row in which only one side has stones counts for that side, by
    /// the number of the stones.
    fn evaluate(&self) -> Value {
        let mut value = 0;
        for &line in &self.board.lines {
            let (own, other) = (line & self.own, line & self.other);
            if other == 0 {
                value += params::row_value(own.count_ones());
            } else if own == 0 {
                value -= params::row_value(other.count_ones());
            }
        }
        value
    }
}

/// All straight rows of `need` points, as sets of points.
fn lines(width: i32, height: i32, need: i32) -> Vec<u64> {
    let mut lines = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for y in 0..height {
            for x in 0..width {
                let (last_x, last_y) = (x + dx * (need - 1), y + dy * (need - 1));
                if need > 0 && last_x < width && (0..height).contains(&last_y) {
                    let point = |step: i32| (y + dy * step) * width + x + dx * step;
                    let line = (0..need).fold(0, |line, step| line | 1 << point(step));
                    lines.push(line);
                }
            }
        }
    }
    lines
}

impl Game for Rows {
    type Move = u8;

    fn moves(&self) -> Vec<u8> {
        if self.lost() {
            return Vec::new();
        }
        let taken = self.own | self.other;
        let free = |point: &u8| taken >> point & 1 == 0;
        self.board.order.iter().copied().filter(free).collect()
    }

    fn play(&self, point: u8) -> Self {
        Self {
            board: Arc::clone(&self.board),
            own: self.other,
            other: self.own | 1 << point,
        }
    }

    fn value(&self, depth: u32, _window: Window, _tally: &mut Tally) -> (Value, Bound) {
        let value = if self.lost() {
            -(params::WIN + depth as Value)
        } else if self.over() {
            0
        } else {
            self.evaluate()
        };
        (value, Bound::Exact)
    }

    fn key(&self) -> u64 {
        mix(self.own ^ mix(self.other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted() {
        // Rows, columns and diagonals: 2 x 5 x 2 straight, 2 x 2 x 2 diagonal.
        let game = Rows::new(5, 5, 4);
        assert_eq!(game.board.lines.len(), 28);
        assert_eq!(Rows::new(4, 4, 4).board.lines.len(), 10);
        for (side, need) in [(9, 5), (3, 4)] {
            assert!(std::panic::catch_unwind(|| Rows::new(side, side, need)).is_err());
        }
    }

    #[test]
    fn a_row_ends_the_game() {
        // The points are numbered by rows of four: crosses play in the first row, noughts in the second.
        let mut game = Rows::new(4, 4, 4);
        for point in [0, 4, 1, 5, 2, 6] {
            assert!(!game.over());
            game = game.play(point);
        }
        assert!(!game.lost());
        let won = game.play(3);
        assert!(won.lost() && won.moves().is_empty());
        let (value, _) = won.value(2, Window::FULL, &mut Tally::default());
        assert_eq!(value, -(params::WIN + 2));
    }

    #[test]
    fn the_evaluation_takes_sides() {
        let game = Rows::new(5, 5, 4).play(12);
        assert!(game.evaluate() < 0);
        assert!(game.play(0).evaluate() > 0);
    }
}
