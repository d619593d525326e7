//! Move ordering: captures by victim, quiet moves as in Kornilov (2005).

#[cfg(test)]
mod rules;

use skewer_movegen::{Board, Color, Move, Piece, Square};

use super::config::{Config, Ideas, QuietOrder};
use super::position::Position;
use crate::params::chess as params;

/// Sorts captures: the most valuable victim first, of equal victims the least valuable attacker.
pub(super) fn by_victim(board: &Board, captures: &mut [Move]) {
    captures.sort_by_cached_key(|&mv| {
        let worth = |piece: Piece| params::PIECES[piece.index()];
        let victim = board.captured(mv).map_or(0, worth) + mv.promotion().map_or(0, worth);
        (-victim, worth(board.moved(mv)))
    });
}

/// Sorts quiet moves by the change of evaluation.
pub(super) fn by_gain(position: &Position, quiets: &mut [Move]) {
    quiets.sort_by_cached_key(|&mv| -position.gain(mv));
}

/// Kornilov's three buckets of quiet moves, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bucket {
    Gains,
    ChangesLittle,
    Loses,
}

impl Bucket {
    fn of(position: &Position, mv: Move) -> Self {
        match position.gain(mv) {
            gain if gain < 0 => Self::Loses,
            gain if gain <= params::SMALL_GAIN => Self::ChangesLittle,
            _ => Self::Gains,
        }
    }
}

/// Orders moves by Kornilov's three buckets. Keeps the generator's order within a bucket.
fn in_buckets(position: &Position, quiets: &mut [Move]) {
    quiets.sort_by_cached_key(|&mv| Bucket::of(position, mv));
}

/// Counts how often each move was best, by side to move and by from and to squares.
#[derive(Debug, Clone)]
pub(super) struct History(Box<[[u32; 64 * 64]]>);

impl History {
    pub(super) fn new() -> Self {
        Self(vec![[0; 64 * 64]; 2].into_boxed_slice())
    }

    fn slot(mv: Move) -> usize {
        mv.from().index() * 64 + mv.to().index()
    }

    /// Adds `depth` squared for a move that was best with `depth` plies left.
    pub(super) fn reward(&mut self, color: Color, mv: Move, depth: i32) {
        self.0[color.index()][Self::slot(mv)] += (depth * depth) as u32;
    }

    pub(super) fn get(&self, color: Color, mv: Move) -> u32 {
        self.0[color.index()][Self::slot(mv)]
    }
}

/// Moves to try first, known before any are generated.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    pub(super) hash: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
    /// The opponent's last move.
    pub(super) last: Option<Move>,
    /// The best move of the last node with the same parent.
    pub(super) sibling: Option<Move>,
}

/// What [`Moves`] generates next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    Captures,
    Promising,
    Quiets,
    /// Quiet moves that gain, each as it is found.
    BestAtOnce,
    Done,
}

/// The moves of a node in the order of a configuration. With [`Ideas::EARLY_CANDIDATES`] or
/// [`QuietOrder::BestAtOnce`] moves are generated in stages; otherwise all at once.
#[derive(Debug)]
pub(super) struct Moves<'a> {
    position: &'a Position,
    config: &'a Config,
    hints: Hints,
    stage: Stage,
    /// Generated moves that have not been returned, in reverse order.
    waiting: Vec<Move>,
    /// All moves returned or waiting.
    listed: Vec<Move>,
    /// Whether the quiet moves were generated.
    has_quiets: bool,
    /// With [`QuietOrder::BestAtOnce`], the quiet moves that the search has not asked for. A generator that is
    /// part of the search would not have made them yet.
    ungenerated: std::vec::IntoIter<Move>,
    /// With [`QuietOrder::BestAtOnce`], the moves that were found and do not gain.
    later: Vec<Move>,
    /// Moves generated so far.
    pub(super) generated: u64,
    /// Quiet moves that were tested for giving check.
    pub(super) check_tests: u64,
}

impl<'a> Moves<'a> {
    pub(super) fn new(
        position: &'a Position,
        config: &'a Config,
        history: &History,
        hints: Hints,
    ) -> Self {
        let mut moves = Self {
            position,
            config,
            hints,
            stage: Stage::Hash,
            waiting: Vec::new(),
            listed: Vec::new(),
            has_quiets: false,
            ungenerated: Vec::new().into_iter(),
            later: Vec::new(),
            generated: 0,
            check_tests: 0,
        };
        let at_once = config.quiet_order == QuietOrder::BestAtOnce;
        if !moves.is_early() && !at_once {
            moves.generate_all(history);
        }
        moves
    }

    fn is_early(&self) -> bool {
        self.config.ideas.contains(Ideas::EARLY_CANDIDATES)
    }

    /// The quiet moves that were never generated, where the generation of quiet moves has begun.
    pub(super) fn spared(&self) -> u64 {
        self.ungenerated.len() as u64
    }

    /// Generates all moves at once.
    fn generate_all(&mut self, history: &History) {
        let mut all: Vec<_> = self.hints.hash.into_iter().collect();
        all.extend(self.captures());
        all.extend(self.quiets(history));
        self.retain_new(&mut all);
        all.reverse();
        self.waiting = all;
        self.stage = Stage::Done;
    }

    /// Removes moves that were listed before.
    fn retain_new(&mut self, moves: &mut Vec<Move>) {
        moves.retain(|mv| {
            let is_new = !self.listed.contains(mv);
            if is_new {
                self.listed.push(*mv);
            }
            is_new
        });
    }

    fn captures(&mut self) -> Vec<Move> {
        let board = self.position.board();
        let mut captures = board.captures().to_vec();
        self.generated += captures.len() as u64;
        by_victim(board, &mut captures);
        captures
    }

    /// All quiet moves, in the generator's order. Generating them again is not counted.
    fn generate_quiets(&mut self) -> Vec<Move> {
        let quiets = self.position.board().quiets().to_vec();
        if !std::mem::replace(&mut self.has_quiets, true) {
            self.generated += quiets.len() as u64;
        }
        quiets
    }

    /// Quiet moves: checks, killers, then by history, then in the configuration's order.
    fn quiets(&mut self, history: &History) -> Vec<Move> {
        let quiets = self.generate_quiets();
        self.in_order(quiets, history)
    }

    fn in_order(&mut self, mut quiets: Vec<Move>, history: &History) -> Vec<Move> {
        let board = self.position.board();
        match self.config.quiet_order {
            QuietOrder::Generated => {}
            QuietOrder::Buckets | QuietOrder::BestAtOnce => in_buckets(self.position, &mut quiets),
            QuietOrder::Sorted => by_gain(self.position, &mut quiets),
        }
        if self.config.ideas.contains(Ideas::HISTORY) {
            let us = board.turn();
            quiets.sort_by_key(|&mv| std::cmp::Reverse(history.get(us, mv)));
        }
        if self.config.ideas.contains(Ideas::KILLERS) {
            let killers = self.hints.killers;
            quiets.sort_by_key(|&mv| killers.iter().position(|&k| k == Some(mv)).unwrap_or(2));
        }
        if self.config.ideas.contains(Ideas::CHECKS_FIRST) {
            self.check_tests += quiets.len() as u64;
            quiets.sort_by_cached_key(|&mv| !board.gives_check(mv));
        }
        quiets
    }

    /// Generates quiet moves until one gains, and returns it. When none is left, returns the others in order.
    fn best_at_once(&mut self, history: &History) -> Vec<Move> {
        if !std::mem::replace(&mut self.has_quiets, true) {
            self.ungenerated = self.position.board().quiets().to_vec().into_iter();
        }
        for mv in self.ungenerated.by_ref() {
            self.generated += 1;
            if Bucket::of(self.position, mv) == Bucket::Gains {
                return vec![mv];
            }
            self.later.push(mv);
        }
        self.stage = Stage::Done;
        let later = std::mem::take(&mut self.later);
        self.in_order(later, history)
    }

    /// The promising quiet moves. The generator of this project makes all quiet moves at once, so all
    /// of them count as generated.
    fn promising(&mut self) -> Vec<Move> {
        let board = self.position.board();
        let mut moves = self.generate_quiets();
        moves.retain(|&mv| promising(board, mv));
        moves
    }

    /// The next move. Stages are sorted by the history at the time they are generated.
    pub(super) fn next(&mut self, history: &History) -> Option<Move> {
        loop {
            if let Some(mv) = self.waiting.pop() {
                return Some(mv);
            }
            if !self.refill(history) {
                return None;
            }
        }
    }

    /// Generates the next stage; `false` if there is none.
    fn refill(&mut self, history: &History) -> bool {
        let board = self.position.board();
        let mut batch = match self.stage {
            Stage::Hash => {
                self.stage = Stage::Captures;
                self.hints.hash.into_iter().collect()
            }
            Stage::Captures if !self.is_early() => {
                self.stage = Stage::BestAtOnce;
                self.captures()
            }
            Stage::BestAtOnce => self.best_at_once(history),
            Stage::Captures => {
                self.stage = Stage::Promising;
                let mut captures = self.captures();
                // First recaptures, by the least valuable attacker; then the sibling's best move;
                // then the other captures.
                let target = self.hints.last.map(Move::to);
                captures.sort_by_key(|&mv| Some(mv.to()) != target || !board.is_capture(mv));
                let first = captures.partition_point(|&mv| Some(mv.to()) == target);
                if let Some(best) = self.hints.sibling
                    && board.is_legal(best)
                {
                    captures.insert(first, best);
                }
                captures
            }
            Stage::Promising => {
                self.stage = Stage::Quiets;
                self.promising()
            }
            Stage::Quiets => {
                self.stage = Stage::Done;
                self.quiets(history)
            }
            Stage::Done => return false,
        };
        self.retain_new(&mut batch);
        batch.reverse();
        self.waiting = batch;
        true
    }
}

/// Whether Kornilov (2005) searches a quiet move as soon as it is generated: a queen's move towards
/// the king, or a move of a passed pawn.
fn promising(board: &Board, mv: Move) -> bool {
    let us = board.turn();
    match board.moved(mv) {
        Piece::Queen => {
            let king = board.king(!us);
            let distance = |square: Square| square.distance(king);
            distance(mv.to()) <= params::DANGEROUS_DISTANCE
                && distance(mv.to()) < distance(mv.from())
        }
        Piece::Pawn => {
            let rank = mv.from().relative_to(us).rank() as usize;
            rank + 1 >= params::PASSED_RANK && is_passed(board, mv.from(), us)
        }
        _ => false,
    }
}

/// Whether no enemy pawn is ahead of the pawn on `square`, on its file or an adjacent one.
fn is_passed(board: &Board, square: Square, us: Color) -> bool {
    let pawn = square.relative_to(us);
    board.colored(!us, Piece::Pawn).into_iter().all(|other| {
        let other = other.relative_to(us);
        other.rank() <= pawn.rank() || (other.file() as u8).abs_diff(pawn.file() as u8) > 1
    })
}

/// How many quiet moves Bratko's forward pruning searches with `depth` plies left.
pub(super) fn plausible_width(depth: i32) -> usize {
    let last = params::PLAUSIBLE.len() - 1;
    params::PLAUSIBLE[(depth.max(1) as usize - 1).min(last)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::positions;

    /// All moves of a position in the order of `config`.
    fn in_order(position: &Position, config: Config, history: &History, hints: Hints) -> Vec<Move> {
        let mut moves = Moves::new(position, &config, history, hints);
        std::iter::from_fn(|| moves.next(history)).collect()
    }

    fn with(ideas: Ideas, quiet_order: QuietOrder) -> Config {
        Config {
            quiet_order,
            ..Config::PLAIN.with(ideas)
        }
    }

    fn quiets(position: &Position, moves: &[Move]) -> Vec<Move> {
        let quiet = |mv: &&Move| !position.board().captures().contains(mv);
        moves.iter().filter(quiet).copied().collect()
    }

    #[test]
    fn quiet_moves_that_gain_come_first_and_those_that_lose_last() {
        for position in positions::varied() {
            let config = with(Ideas::empty(), QuietOrder::Buckets);
            let moves = in_order(&position, config, &History::new(), Hints::default());
            let quiets = quiets(&position, &moves);
            let bucket = |mv: &Move| match position.gain(*mv) {
                gain if gain < 0 => 2,
                gain if gain <= params::SMALL_GAIN => 1,
                _ => 0,
            };
            assert!(quiets.is_sorted_by_key(bucket));
            // Within a bucket, the generator's order.
            let mut expected = position.board().quiets().to_vec();
            expected.sort_by_key(bucket);
            assert_eq!(quiets, expected);
            let captures = moves.len() - quiets.len();
            assert_eq!(moves[captures..], quiets, "captures are first");
        }
    }

    #[test]
    fn a_full_sort_is_by_falling_gain() {
        for position in positions::varied() {
            let config = with(Ideas::empty(), QuietOrder::Sorted);
            let moves = in_order(&position, config, &History::new(), Hints::default());
            let quiets = quiets(&position, &moves);
            assert!(quiets.is_sorted_by_key(|&mv| -position.gain(mv)));
        }
    }

    #[test]
    fn killers_are_the_first_quiet_moves_and_history_orders_the_others() {
        for position in positions::varied() {
            let generated = position.board().quiets().to_vec();
            let [often, rarely, killer, second] =
                [4, 3, 2, 1].map(|n| generated[generated.len() - n]);
            let mut history = History::new();
            let us = position.board().turn();
            history.reward(us, rarely, 2);
            history.reward(us, often, 3);
            let hints = Hints {
                killers: [Some(killer), Some(second)],
                ..Hints::default()
            };
            for order in [QuietOrder::Generated, QuietOrder::Buckets] {
                let config = with(Ideas::KILLERS | Ideas::HISTORY, order);
                let moves = in_order(&position, config, &history, hints);
                assert_eq!(
                    quiets(&position, &moves)[..4],
                    [killer, second, often, rarely]
                );
            }
        }
    }

    #[test]
    fn forward_pruning_searches_more_moves_the_more_plies_are_left_up_to_four() {
        let widths = [0, 1, 2, 3, 4, 5, 60].map(plausible_width);
        assert_eq!(widths, [6, 6, 8, 10, 14, 14, 14]);
    }

    #[test]
    fn history_is_kept_apart_for_each_side() {
        let position = positions::openings()[0];
        let generated = position.board().quiets().to_vec();
        let mut history = History::new();
        history.reward(!position.board().turn(), generated[5], 3);
        let config = with(Ideas::HISTORY, QuietOrder::Generated);
        let moves = in_order(&position, config, &history, Hints::default());
        assert_eq!(quiets(&position, &moves), generated);
    }

    #[test]
    fn checks_are_before_all_other_quiet_moves() {
        let mut checks = 0;
        let queens = positions::from_fen("4k3/8/8/8/8/8/8/Q3K2Q w - - 0 1");
        for position in positions::varied().into_iter().chain([queens]) {
            let config = with(Ideas::CHECKS_FIRST, QuietOrder::Buckets);
            let moves = in_order(&position, config, &History::new(), Hints::default());
            let quiets = quiets(&position, &moves);
            let gives_check = |mv: &Move| position.board().gives_check(*mv);
            assert!(quiets.is_sorted_by_key(|mv| !gives_check(mv)));
            checks += quiets.iter().filter(|mv| gives_check(mv)).count();
        }
        assert!(checks > 5, "{checks} checks");
    }

    #[test]
    fn the_hash_move_is_before_all_others() {
        for position in positions::varied() {
            for ideas in [Ideas::HASH_MOVE, Ideas::HASH_MOVE | Ideas::EARLY_CANDIDATES] {
                let hash = position.board().quiets().to_vec().last().copied();
                let hints = Hints {
                    hash,
                    ..Hints::default()
                };
                let config = with(ideas, QuietOrder::Buckets);
                let moves = in_order(&position, config, &History::new(), hints);
                assert_eq!(moves.first().copied(), hash);
            }
        }
    }

    #[test]
    fn every_order_has_every_move_once() {
        for position in positions::varied() {
            for ideas in [Ideas::empty(), Ideas::EARLY_CANDIDATES, Ideas::all()] {
                let config = with(ideas, QuietOrder::Buckets);
                let mut moves = in_order(&position, config, &History::new(), Hints::default());
                let mut legal = position.board().legal_moves().to_vec();
                moves.sort();
                legal.sort();
                assert_eq!(moves, legal);
            }
        }
    }
}
