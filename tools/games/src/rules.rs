//! The end of a game: by the rules of chess, and by adjudication.

use skewer_gamedata::GameResult;
use skewer_movegen::Color;
use skewer_search::Position;

/// Why the rules say that a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move.
    Stalemate,
    /// Neither side can give mate.
    InsufficientMaterial,
    /// The position has occurred twice before.
    Repetition,
    /// A hundred plies without a capture or a pawn's move.
    FiftyMoves,
}

/// How the rules end the game in this position, if it is over.
pub fn ending(position: &Position) -> Option<Ending> {
    let board = position.board();
    if !board.has_legal_moves() {
        return Some(if board.in_check() {
            Ending::Checkmate
        } else {
            Ending::Stalemate
        });
    }
    if board.is_insufficient_material() {
        return Some(Ending::InsufficientMaterial);
    }
    if board.halfmove_clock() >= 100 {
        return Some(Ending::FiftyMoves);
    }
    let before = position.earlier_keys();
    let same = before.iter().filter(|key| **key == board.key()).count();
    (same >= 2).then_some(Ending::Repetition)
}

impl Ending {
    /// The result of a game that ends so with `to_move` to move.
    pub fn result(self, to_move: Color) -> GameResult {
        match self {
            Self::Checkmate => GameResult::win_for(!to_move),
            _ => GameResult::Draw,
        }
    }

    /// The name of the rule.
    pub fn description(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty-move rule",
        }
    }
}

/// A rule of adjudication. Scores here are White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreRule {
    /// How far from zero the scores must be at least (to win), or at most (to draw).
    pub score: i32,
    /// For how many consecutive plies.
    pub plies: u32,
    /// The first ply of the game that counts.
    pub from: u32,
}

/// Adjudicates a game by its scores.
#[derive(Debug, Clone)]
pub struct Adjudicator {
    win: Option<ScoreRule>,
    draw: Option<ScoreRule>,
    /// Plies for which the one or the other rule has held: White winning, Black winning, drawn.
    held: [u32; 3],
}

impl Adjudicator {
    /// An adjudicator with these rules.
    pub fn new(win: Option<ScoreRule>, draw: Option<ScoreRule>) -> Self {
        Self {
            win,
            draw,
            held: [0; 3],
        }
    }

    /// Adds White's score of the position at `ply`. Returns the result if that ends the game. A move without
    /// a score ends every series.
    pub fn note(&mut self, ply: u32, score: Option<i32>) -> Option<GameResult> {
        let held = |rule: Option<ScoreRule>, test: &dyn Fn(i32, i32) -> bool| {
            rule.zip(score)
                .is_some_and(|(rule, score)| ply >= rule.from && test(score, rule.score))
        };
        let now = [
            held(self.win, &|score, limit| score >= limit),
            held(self.win, &|score, limit| score <= -limit),
            held(self.draw, &|score, limit| score.abs() <= limit),
        ];
        for (count, now) in self.held.iter_mut().zip(now) {
            *count = if now { *count + 1 } else { 0 };
        }
        let enough = |index: usize, rule: Option<ScoreRule>| {
            rule.is_some_and(|rule| self.held[index] >= rule.plies.max(1))
        };
        if enough(0, self.win) {
            Some(GameResult::WhiteWins)
        } else if enough(1, self.win) {
            Some(GameResult::BlackWins)
        } else if enough(2, self.draw) {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use skewer_movegen::Board;

    use super::*;

    fn end_of(fen: &str) -> Option<Ending> {
        ending(&Position::new(fen.parse().unwrap()))
    }

    #[test]
    fn the_rules_end_games() {
        assert_eq!(
            end_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
            Some(Ending::Stalemate)
        );
        assert_eq!(
            end_of("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
            Some(Ending::Checkmate)
        );
        assert_eq!(
            end_of("7k/8/6K1/8/8/8/8/8 b - - 0 1"),
            Some(Ending::InsufficientMaterial)
        );
        assert_eq!(
            end_of("7k/8/6K1/8/8/8/8/N7 b - - 0 1"),
            Some(Ending::InsufficientMaterial)
        );
        assert_eq!(end_of("7k/8/6K1/8/8/8/8/NN6 b - - 0 1"), None);
        // Bishops on one colour of squares, then on both.
        assert_eq!(
            end_of("b6k/8/6K1/8/8/8/8/7B b - - 0 1"),
            Some(Ending::InsufficientMaterial)
        );
        assert_eq!(end_of("b6k/8/6K1/8/8/8/8/B7 b - - 0 1"), None);
        assert_eq!(end_of("7k/8/R5K1/8/8/8/8/8 b - - 99 80"), None);
        assert_eq!(
            end_of("7k/8/R5K1/8/8/8/8/8 b - - 100 80"),
            Some(Ending::FiftyMoves)
        );
        // Mate comes before the fifty-move rule.
        assert_eq!(
            end_of("7k/6Q1/6K1/8/8/8/8/8 b - - 100 80"),
            Some(Ending::Checkmate)
        );
        assert_eq!(
            Ending::Checkmate.result(Color::Black),
            GameResult::WhiteWins
        );
    }

    #[test]
    fn a_third_occurrence_ends_the_game_and_a_second_does_not() {
        let mut position = Position::new(Board::STARTPOS);
        for mv in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
            assert_eq!(ending(&position), None);
            let mv = position.board().parse_uci(mv).unwrap();
            position.play(mv);
        }
        assert_eq!(ending(&position), Some(Ending::Repetition));
    }

    #[test]
    fn scores_must_last_without_a_break() {
        let win = ScoreRule {
            score: 500,
            plies: 3,
            from: 0,
        };
        let draw = ScoreRule {
            score: 5,
            plies: 2,
            from: 10,
        };
        let mut adjudicator = Adjudicator::new(Some(win), Some(draw));
        for (ply, score) in [(0, 600), (1, 600), (2, 100), (3, -900), (4, -900)] {
            assert_eq!(adjudicator.note(ply, Some(score)), None);
        }
        assert_eq!(adjudicator.note(5, Some(-500)), Some(GameResult::BlackWins));
        let mut adjudicator = Adjudicator::new(Some(win), Some(draw));
        for ply in 0..11 {
            assert_eq!(adjudicator.note(ply, Some(0)), None);
        }
        assert_eq!(adjudicator.note(11, Some(5)), Some(GameResult::Draw));
        let mut adjudicator = Adjudicator::new(Some(win), None);
        for score in [Some(600), Some(700), None, Some(600), Some(600)] {
            assert_eq!(adjudicator.note(40, score), None);
        }
        assert_eq!(adjudicator.note(40, Some(600)), Some(GameResult::WhiteWins));
    }
}
