//! How the search asks the endgame tables: inside the tree for outcomes, at the root for the moves
//! that keep the outcome and make headway.

use skewer_eval::Evaluator;
use skewer_movegen::{Board, Move, Piece};
use skewer_syzygy::RootProbe;
use skewer_types::{Bound, Depth, Ply, Score, TechniqueSet, Wdl};

use crate::context::{FiftyMoveRule, TablebaseUse};
use crate::params;
use crate::search::Search;

/// What the endgame tables say of a root.
pub(crate) struct RootVerdict {
    /// The moves that keep the outcome and, if it is a win, make headway.
    pub(crate) moves: Vec<Move>,
    /// What the outcome is worth.
    pub(crate) score: Score,
}

/// Asks the tables about a root, if they know it.
///
/// A win is not to be thrown away by shuffling: once the count toward the fifty-move rule has
/// begun to matter, only the moves nearest to the next capture or pawn move are left. Against a
/// bare king and without pawns nothing is nearer than mate, so these moves are the best there are.
pub(crate) fn ask_root(tables: &TablebaseUse<'_>, board: &Board) -> Option<RootVerdict> {
    if board.occupied().count() > tables.tables.largest().min(tables.rules.probe_limit) {
        return None;
    }
    let probes = tables.tables.probe_root(board)?;
    let rank = |probe: &RootProbe| match (probe.wdl, tables.rules.fifty_move_rule) {
        (Wdl::CursedWin, FiftyMoveRule::Ignored) => Wdl::Win,
        (Wdl::BlessedLoss, FiftyMoveRule::Ignored) => Wdl::Loss,
        (wdl, _) => wdl,
    };
    let best = probes.iter().map(rank).max()?;
    let keeps = || probes.iter().filter(|probe| rank(probe) == best);
    let nearest = keeps().map(|probe| probe.distance).min()?;
    let clock = i32::from(board.halfmove_clock());
    let to_mate = board.color(!board.turn()).is_single() && board.pieces(Piece::Pawn).is_empty();
    let headway = |probe: &&RootProbe| {
        best < Wdl::CursedWin
            || probe.distance == nearest
            || (!to_mate
                && clock < params::tb_patience()
                && i32::from(probe.distance) + clock < 2 * params::tb_patience())
    };
    Some(RootVerdict {
        moves: keeps().filter(headway).map(|probe| probe.mv).collect(),
        score: match best {
            Wdl::Win => Score::tb_win_in(0),
            Wdl::Loss => Score::tb_loss_in(0),
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => Score::DRAW,
        },
    })
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// What the endgame tables say of a position, if they are to be asked at this depth and know
    /// it.
    #[inline]
    pub(crate) fn probe_tablebases(
        &mut self,
        board: &Board,
        ply: Ply,
        depth: Depth,
    ) -> Option<(Score, Bound)> {
        let tables = self.context.tablebases?;
        let men = board.occupied().count();
        let largest = tables.tables.largest().min(tables.rules.probe_limit);
        if men > largest
            || (men == largest && depth < tables.rules.probe_depth)
            || board.halfmove_clock() != 0
            || board.castling_rooks().any()
        {
            return None;
        }
        let wdl = tables.tables.probe_wdl(board)?;
        self.tb_hits += 1;
        let ignore_fifty = tables.rules.fifty_move_rule == FiftyMoveRule::Ignored;
        Some(match wdl {
            Wdl::Win => (Score::tb_win_in(ply), Bound::Lower),
            Wdl::Loss => (Score::tb_loss_in(ply), Bound::Upper),
            Wdl::CursedWin if ignore_fifty => (Score::tb_win_in(ply), Bound::Lower),
            Wdl::BlessedLoss if ignore_fifty => (Score::tb_loss_in(ply), Bound::Upper),
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => (Score::DRAW, Bound::Exact),
        })
    }
}
