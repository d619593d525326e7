//! Which move first: captures by victim, quiet moves as Kornilov (2005) orders them.

use skewer_movegen::{Board, Color, Move, Piece, Square};

use super::position::Position;
use super::recipe::{Ideas, QuietOrder, Recipe};
use crate::params::chess as params;

/// Sorts captures: the most valuable victim first, of equal victims the least valuable attacker.
pub(super) fn by_victim(board: &Board, captures: &mut [Move]) {
    captures.sort_by_cached_key(|&mv| {
        let worth = |piece: Piece| params::PIECES[piece.index()];
        let victim = board.captured(mv).map_or(0, worth) + mv.promotion().map_or(0, worth);
        (-victim, worth(board.moved(mv)))
    });
}

/// Sorts quiet moves by what they gain.
pub(super) fn by_gain(position: &Position, quiets: &mut [Move]) {
    quiets.sort_by_cached_key(|&mv| -position.gain(mv));
}

/// Kornilov's three lists, joined: moves that gain, that change little, that lose. Within a list
/// the moves stay as they come.
fn in_buckets(position: &Position, quiets: &mut Vec<Move>) {
    let (mut little, mut losing) = (Vec::new(), Vec::new());
    quiets.retain(|&mv| {
        let gain = position.gain(mv);
        if gain < 0 {
            losing.push(mv);
        } else if gain <= params::SMALL_GAIN {
            little.push(mv);
        }
        gain > params::SMALL_GAIN
    });
    quiets.append(&mut little);
    quiets.append(&mut losing);
}

/// How often each move was best, by who made it: from, to.
#[derive(Debug, Clone)]
pub(super) struct History(Box<[[u32; 64 * 64]]>);

impl History {
    pub(super) fn new() -> Self {
        Self(vec![[0; 64 * 64]; 2].into_boxed_slice())
    }

    fn slot(mv: Move) -> usize {
        mv.from().index() * 64 + mv.to().index()
    }

    /// A move that was best with `depth` plies left counts more the deeper it was.
    pub(super) fn reward(&mut self, color: Color, mv: Move, depth: i32) {
        self.0[color.index()][Self::slot(mv)] += (depth * depth) as u32;
    }

    fn get(&self, color: Color, mv: Move) -> u32 {
        self.0[color.index()][Self::slot(mv)]
    }
}

/// What a node knows about its moves before it has generated any.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    pub(super) hash: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
    /// The move that brought the opponent here.
    pub(super) last: Option<Move>,
    /// What was best at the last node with the same parent.
    pub(super) sibling: Option<Move>,
}

/// Where [`Moves`] is in its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    Captures,
    Promising,
    Quiets,
    Done,
}

/// The moves of a node in the order of a recipe. With [`Ideas::EARLY_CANDIDATES`] nothing is
/// generated before it is needed; without, everything is generated at the start.
#[derive(Debug)]
pub(super) struct Moves<'a> {
    position: &'a Position,
    recipe: &'a Recipe,
    hints: Hints,
    stage: Stage,
    /// What has been generated and not tried yet, the next one last.
    waiting: Vec<Move>,
    tried_early: Vec<Move>,
    /// Moves generated so far.
    pub(super) generated: u64,
    /// Quiet moves that were asked whether they give check.
    pub(super) check_tests: u64,
}

impl<'a> Moves<'a> {
    pub(super) fn new(
        position: &'a Position,
        recipe: &'a Recipe,
        history: &History,
        hints: Hints,
    ) -> Self {
        let mut moves = Self {
            position,
            recipe,
            hints,
            stage: Stage::Hash,
            waiting: Vec::new(),
            tried_early: Vec::new(),
            generated: 0,
            check_tests: 0,
        };
        if !recipe.ideas.contains(Ideas::EARLY_CANDIDATES) {
            moves.everything(history);
        }
        moves
    }

    /// All moves at once, in their order.
    fn everything(&mut self, history: &History) {
        let mut all: Vec<_> = self.hints.hash.into_iter().collect();
        all.extend(self.captures());
        all.extend(self.quiets(history));
        let mut seen = Vec::with_capacity(all.len());
        all.retain(|mv| {
            !seen.contains(mv) && {
                seen.push(*mv);
                true
            }
        });
        all.reverse();
        self.waiting = all;
        self.stage = Stage::Done;
    }

    fn captures(&mut self) -> Vec<Move> {
        let board = self.position.board();
        let mut captures = board.captures().to_vec();
        self.generated += captures.len() as u64;
        by_victim(board, &mut captures);
        captures
    }

    /// Quiet moves: killers, then by history, then as the recipe's order has them.
    fn quiets(&mut self, history: &History) -> Vec<Move> {
        let board = self.position.board();
        let mut quiets = board.quiets().to_vec();
        self.generated += quiets.len() as u64;
        match self.recipe.quiet_order {
            // A quiet move changes no material, so there is nothing to sort by.
            _ if self.recipe.ideas.contains(Ideas::MATERIAL_ORDER) => {}
            QuietOrder::Generated => {}
            QuietOrder::Buckets => in_buckets(self.position, &mut quiets),
            QuietOrder::Sorted => by_gain(self.position, &mut quiets),
        }
        if self.recipe.ideas.contains(Ideas::HISTORY) {
            let us = board.turn();
            quiets.sort_by_key(|&mv| std::cmp::Reverse(history.get(us, mv)));
        }
        if self.recipe.ideas.contains(Ideas::KILLERS) {
            let killers = self.hints.killers;
            quiets.sort_by_key(|&mv| killers.iter().position(|&k| k == Some(mv)).unwrap_or(2));
        }
        if self.recipe.ideas.contains(Ideas::CHECKS_FIRST) {
            self.check_tests += quiets.len() as u64;
            quiets.sort_by_cached_key(|&mv| !board.gives_check(mv));
        }
        quiets
    }

    /// The quiet moves that are searched at sight. To find them, a generator goes through the moves
    /// of the queen and of the far pawns, and those count as generated.
    fn promising(&mut self) -> Vec<Move> {
        let board = self.position.board();
        let mut moves = board.quiets().to_vec();
        moves.retain(|&mv| looked_at_early(board, mv));
        self.generated += moves.len() as u64;
        moves.retain(|&mv| promising(board, mv));
        moves
    }

    /// The next move. The history is the one of the moment, not of when the node was entered.
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

    /// The next batch of moves; `false` when there is none left.
    fn refill(&mut self, history: &History) -> bool {
        let board = self.position.board();
        let mut batch = match self.stage {
            Stage::Hash => {
                self.stage = Stage::Captures;
                self.hints.hash.into_iter().collect()
            }
            Stage::Captures => {
                self.stage = Stage::Promising;
                let mut captures = self.captures();
                // Taking the last mover first, by the smallest piece that can; then the sibling's
                // best move; then the other captures.
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
        let tried = &mut self.tried_early;
        batch.retain(|mv| {
            !tried.contains(mv) && {
                tried.push(*mv);
                true
            }
        });
        batch.reverse();
        self.waiting = batch;
        true
    }
}

/// The quiet moves that Kornilov (2005) would search at sight: the queen coming dangerously near the
/// king, and passed pawns.
fn promising(board: &Board, mv: Move) -> bool {
    let us = board.turn();
    match board.moved(mv) {
        Piece::Queen => {
            let king = board.king(!us);
            let distance = |square: Square| {
                let files = (square.file() as u8).abs_diff(king.file() as u8);
                files.max((square.rank() as u8).abs_diff(king.rank() as u8))
            };
            distance(mv.to()) <= params::DANGEROUS_DISTANCE
                && distance(mv.to()) < distance(mv.from())
        }
        Piece::Pawn => looked_at_early(board, mv) && is_passed(board, mv.from(), us),
        _ => false,
    }
}

/// Whether a generator that looks for promising quiet moves comes across `mv`.
fn looked_at_early(board: &Board, mv: Move) -> bool {
    match board.moved(mv) {
        Piece::Queen => true,
        Piece::Pawn => {
            let rank = mv.from().relative_to(board.turn()).rank() as usize;
            rank + 1 >= params::PASSED_RANK
        }
        _ => false,
    }
}

/// Whether no pawn of the opponent stands before the pawn on `square`, on its file or beside it.
fn is_passed(board: &Board, square: Square, us: Color) -> bool {
    let pawn = square.relative_to(us);
    board.colored(!us, Piece::Pawn).into_iter().all(|other| {
        let other = other.relative_to(us);
        other.rank() <= pawn.rank() || (other.file() as u8).abs_diff(pawn.file() as u8) > 1
    })
}

/// How many quiet moves Bratko's forward pruning looks at with `depth` plies left.
pub(super) fn plausible_width(depth: i32) -> usize {
    let last = params::PLAUSIBLE.len() - 1;
    params::PLAUSIBLE[(depth.max(1) as usize - 1).min(last)]
}
