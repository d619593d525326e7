//! Probes endgame tables: in the tree for outcomes, at the root for the moves that keep the outcome
//! and make progress.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move, Piece};
use skewer_syzygy::{Dtz, FiftyMoveRule, RankedMove, Wdl};
use skewer_types::{Bound, Depth, Ply, Score, TechniqueSet};

use crate::context::TablebaseUse;
use crate::params;
use crate::search::Search;

/// What the endgame tables know of a root position.
pub(crate) struct RootVerdict {
    /// The moves that keep the outcome and, in a won position, make progress.
    pub(crate) moves: Vec<Move>,
    /// The score of the outcome.
    pub(crate) score: Score,
}

/// Probes a root position; `None` if the tables do not cover it.
///
/// A side that is winning must make progress before the fifty-move rule ends the game. So once the halfmove clock
/// matters, only the moves with the shortest distance to a zeroing move are kept. In endings in which no zeroing move
/// comes before mate, the distance is the distance to mate, and only the moves with the shortest distance are kept from
/// the start.
pub(crate) fn ask_root(tables: &TablebaseUse<'_>, board: &Board) -> Option<RootVerdict> {
    if board.occupied().count() > most_pieces(tables) {
        return None;
    }
    let rule = tables.rules.fifty_move_rule;
    let ranked = tables.tables.rank_moves(board, rule).ok()?;
    let best = ranked.first()?.outcome(rule);
    let keeps = || ranked.iter().filter(|ranked| ranked.outcome(rule) == best);
    let plies = |ranked: &RankedMove| ranked.dtz.map_or(0, Dtz::plies);
    let nearest = keeps().map(plies).min()?;
    let clock = i32::from(board.halfmove_clock());
    let to_mate = mates_before_zeroing(board);
    let makes_progress = |ranked: &&RankedMove| {
        best < Wdl::CursedWin
            || plies(ranked) == nearest
            || (!to_mate
                && clock < params::tb_patience()
                && plies(ranked) as i32 + clock < 2 * params::tb_patience())
    };
    Some(RootVerdict {
        moves: keeps()
            .filter(makes_progress)
            .map(|ranked| ranked.mv)
            .collect(),
        score: match best {
            Wdl::Win => Score::tb_win_in(0),
            Wdl::Loss => Score::tb_loss_in(0),
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => Score::DRAW,
        },
    })
}

/// Whether the side to move, if it wins, reaches mate before a capture: against a bare king, without pawns, and
/// without a piece to spare.
fn mates_before_zeroing(board: &Board) -> bool {
    let us = board.color(board.turn());
    let majors = us & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
    let fewest = match us.count() {
        2 => true,
        3 => majors.is_empty(),
        _ => false,
    };
    fewest && board.color(!board.turn()).is_single() && board.pieces(Piece::Pawn).is_empty()
}

/// The most pieces with which the tables are probed.
fn most_pieces(tables: &TablebaseUse<'_>) -> u32 {
    (tables.tables.max_pieces() as u32).min(tables.rules.probe_limit)
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// Probes a position in the tree; `None` if it is not to be probed at this depth or the tables
    /// do not cover it.
    #[inline]
    pub(crate) fn probe_tablebases(
        &mut self,
        board: &Board,
        ply: Ply,
        depth: Depth,
    ) -> Option<(Score, Bound)> {
        let tables = self.context.tablebases?;
        let pieces = board.occupied().count();
        let largest = most_pieces(&tables);
        if pieces > largest
            || (pieces == largest && depth < tables.rules.probe_depth)
            || board.halfmove_clock() != 0
            || board.castling_rooks().any()
        {
            return None;
        }
        let wdl = tables.tables.probe_wdl(board).ok()?;
        self.tb_hits += 1;
        let wdl = match tables.rules.fifty_move_rule {
            FiftyMoveRule::InForce => wdl,
            FiftyMoveRule::Ignored => wdl.without_fifty_moves(),
        };
        Some(match wdl {
            Wdl::Win => (Score::tb_win_in(ply), Bound::Lower),
            Wdl::Loss => (Score::tb_loss_in(ply), Bound::Upper),
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => (Score::DRAW, Bound::Exact),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_to_spare_may_be_captured_before_the_mate() {
        for (fen, expected) in [
            ("8/7k/8/8/8/2Q5/2K5/8 w - - 0 1", true),
            ("8/7k/8/8/8/2N3B1/2K5/8 w - - 0 1", true),
            ("4B3/7k/8/8/8/2N3B1/2K5/8 w - - 0 1", false),
            ("8/7k/8/8/8/2R3B1/2K5/8 w - - 0 1", false),
            ("8/7k/8/8/8/2Q3P1/2K5/8 w - - 0 1", false),
            ("8/7k/8/8/8/2Q5/2K4p/8 w - - 0 1", false),
        ] {
            assert_eq!(
                mates_before_zeroing(&fen.parse().unwrap()),
                expected,
                "{fen}"
            );
        }
    }
}
