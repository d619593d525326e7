//! How the search asks the endgame tables.

use skewer_eval::Evaluator;
use skewer_movegen::Board;
use skewer_types::{Bound, Depth, Ply, Score, TechniqueSet, Wdl};

use crate::context::FiftyMoveRule;
use crate::search::Search;

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
        let largest = tables.tables.largest().min(tables.probe_limit);
        if men > largest
            || (men == largest && depth < tables.probe_depth)
            || board.halfmove_clock() != 0
            || board.castling_rooks().any()
        {
            return None;
        }
        let wdl = tables.tables.probe_wdl(board)?;
        self.tb_hits += 1;
        let ignore_fifty = tables.fifty_move_rule == FiftyMoveRule::Ignored;
        Some(match wdl {
            Wdl::Win => (Score::tb_win_in(ply), Bound::Lower),
            Wdl::Loss => (Score::tb_loss_in(ply), Bound::Upper),
            Wdl::CursedWin if ignore_fifty => (Score::tb_win_in(ply), Bound::Lower),
            Wdl::BlessedLoss if ignore_fifty => (Score::tb_loss_in(ply), Bound::Upper),
            Wdl::CursedWin | Wdl::BlessedLoss | Wdl::Draw => (Score::DRAW, Bound::Exact),
        })
    }
}
