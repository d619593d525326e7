//! The game: its moves, clocks and end.

use std::fmt;
use std::time::Duration;

use skewer_movegen::{Board, Claim, Color, Game, Move, Outcome, Termination};
use skewer_pgn::Start;
use skewer_search::{Clock, Position};

use super::clock::{Clocks, TimeControl};

/// Why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// By a rule.
    Rule(Termination),
    /// By a draw that the player claimed.
    Claimed(Claim),
    /// This side resigned.
    Resigned(Color),
    /// This side used up its time, and the other can give mate.
    Time(Color),
    /// This side used up its time, and the other has a bare king.
    TimeWithoutMaterial(Color),
    /// Both agreed to a draw.
    Agreed,
    /// The result that the loaded file records.
    Recorded(Outcome),
}

impl End {
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Rule(termination) => termination.outcome(),
            Self::Resigned(color) | Self::Time(color) => Outcome::from_winner(Some(!color)),
            Self::Claimed(_) | Self::TimeWithoutMaterial(_) | Self::Agreed => Outcome::Draw,
            Self::Recorded(outcome) => outcome,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color: Color| color.fold("White", "Black");
        match self {
            Self::Rule(termination) => write!(f, "{termination}"),
            Self::Claimed(claim) => write!(f, "{}", Termination::from(*claim)),
            Self::Resigned(color) => write!(f, "{} resigned", name(*color)),
            Self::Time(color) => write!(f, "{} ran out of time", name(*color)),
            Self::TimeWithoutMaterial(color) => {
                write!(
                    f,
                    "{} ran out of time, and {} cannot give mate",
                    name(*color),
                    name(!*color)
                )
            }
            Self::Agreed => f.write_str("by agreement"),
            Self::Recorded(_) => f.write_str("as the file says"),
        }
    }
}

/// A game between a person and the engine.
#[derive(Debug, Clone)]
pub(super) struct TimedGame {
    pub(super) start: Start,
    pub(super) player: Color,
    game: Game,
    clocks: Option<Clocks>,
    /// The time left of both sides before each move.
    times: Vec<Option<[Duration; 2]>>,
    declared: Option<End>,
}

impl TimedGame {
    pub(super) fn new(start: Start, player: Color, control: Option<TimeControl>) -> Self {
        Self {
            start,
            player,
            game: Game::new(start.board),
            clocks: control.map(Clocks::new),
            times: Vec::new(),
            declared: None,
        }
    }

    pub(super) fn board(&self) -> &Board {
        self.game.board()
    }

    pub(super) fn moves(&self) -> impl ExactSizeIterator<Item = Move> + DoubleEndedIterator + '_ {
        self.game.moves()
    }

    pub(super) fn last_move(&self) -> Option<Move> {
        self.game.moves().next_back()
    }

    pub(super) fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// The position with its past, to search.
    pub(super) fn position(&self) -> Position {
        Position::from_moves(self.start.board, self.game.moves())
    }

    /// The clock of the side to move, as a search sees it.
    pub(super) fn search_clock(&self) -> Option<Clock> {
        let turn = self.board().turn();
        self.clocks.as_ref().map(|clocks| Clock {
            remaining: clocks.left(turn, turn),
            increment: clocks.control().increment,
            moves_to_go: None,
        })
    }

    /// Starts the clock of the side to move, unless the game is over or the clock runs.
    pub(super) fn start_clock(&mut self) {
        if self.end().is_none()
            && let Some(clocks) = &mut self.clocks
        {
            clocks.start();
        }
    }

    /// The time that the side to move has left; `None` without clocks.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let turn = self.board().turn();
        self.clocks.as_ref().map(|clocks| clocks.left(turn, turn))
    }

    /// Plays a legal move, and stops the clock of its side.
    pub(super) fn play(&mut self, mv: Move) {
        let mover = self.board().turn();
        let before = self.clocks.as_ref().map(Clocks::snapshot);
        if self.game.play(mv).is_ok() {
            self.times.push(before);
            if let Some(clocks) = &mut self.clocks {
                clocks.press(mover);
            }
        }
    }

    /// Takes moves back until the player is to move before a move of their own, and sets the clocks to the times before
    /// those moves. Returns the number of moves that were taken back: 0 if the player has not moved.
    pub(super) fn undo(&mut self) -> usize {
        let own = |ply: usize| ply.is_multiple_of(2) == (self.start.board.turn() == self.player);
        let Some(ply) = (0..self.times.len()).rev().find(|&ply| own(ply)) else {
            return 0;
        };
        let count = self.times.len() - ply;
        self.declared = None;
        for _ in 0..count {
            self.game.undo();
            let time = self.times.pop().flatten();
            if let (Some(clocks), Some(time)) = (&mut self.clocks, time) {
                clocks.restore(time);
            }
        }
        count
    }

    /// Ends the game, unless it is over.
    pub(super) fn declare(&mut self, end: End) {
        if self.end().is_none() {
            self.declared = Some(end);
        }
    }

    /// Ends the game if the side to move has used up its time.
    pub(super) fn check_flag(&mut self) {
        let turn = self.board().turn();
        if self.time_left().is_some_and(|left| left.is_zero()) {
            let bare = self.board().color(!turn).count() == 1;
            self.declare(if bare {
                End::TimeWithoutMaterial(turn)
            } else {
                End::Time(turn)
            });
        }
    }

    /// The draw that the side to move may claim.
    pub(super) fn claim(&self) -> Option<Claim> {
        self.game.claim()
    }

    /// Why the game is over; `None` while it goes on.
    pub(super) fn end(&self) -> Option<End> {
        self.game.termination().map(End::Rule).or(self.declared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(player: Color, moves: &[&str]) -> TimedGame {
        let mut game = TimedGame::new(Start::default(), player, None);
        for san in moves {
            let mv = game.board().parse_san(san).unwrap();
            game.play(mv);
        }
        game
    }

    #[test]
    fn undo_goes_back_to_the_last_move_of_the_player() {
        let mut white = played(Color::White, &["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(white.undo(), 2);
        assert_eq!(white.moves().len(), 2);
        assert_eq!(white.undo(), 2);
        assert_eq!(white.undo(), 0);
        // The engine's first move is never taken back alone.
        let mut black = played(Color::Black, &["e4"]);
        assert_eq!(black.undo(), 0);
        assert_eq!(black.moves().len(), 1);
    }

    #[test]
    fn undo_takes_back_a_mate_and_a_resignation() {
        let mut mated = played(Color::White, &["f3", "e5", "g4", "Qh4#"]);
        assert!(matches!(
            mated.end(),
            Some(End::Rule(Termination::Checkmate { .. }))
        ));
        assert_eq!(mated.undo(), 2);
        assert_eq!(mated.end(), None);
        let mut resigned = played(Color::White, &["e4", "e5"]);
        resigned.declare(End::Resigned(Color::White));
        assert_eq!(resigned.end().map(End::outcome), Some(Outcome::BlackWins));
        resigned.undo();
        assert_eq!(resigned.end(), None);
    }

    #[test]
    fn a_fallen_flag_loses_unless_the_other_side_has_a_bare_king() {
        let control = "0.0001".parse().unwrap();
        for (fen, outcome) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Outcome::Draw),
            ("4k2q/8/8/8/8/8/4P3/4K3 w - - 0 1", Outcome::BlackWins),
        ] {
            let start = Start::from_tags(Some(fen), None).unwrap();
            let mut game = TimedGame::new(start, Color::White, Some(control));
            game.start_clock();
            std::thread::sleep(Duration::from_millis(10));
            game.check_flag();
            assert_eq!(game.end().map(End::outcome), Some(outcome), "{fen}");
        }
    }
}
