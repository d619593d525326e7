//! Probing: the true outcome and distance of a position, from what the tables store.
//!
//! A WDL table stores the exact outcome, unless a capture is at least as good; then it may store
//! anything that is not better than the capture. So the outcome is the best of the stored value and
//! of all captures, and a stored win is exact. Tables do not know en passant. A capture en passant
//! is searched like any other capture, and if captures are the only legal moves, the stored value
//! (mate or stalemate) is ignored.

use skewer_movegen::{Board, Move, MoveList, Piece};

use crate::error::Fault;
use crate::{Dtz, FiftyMoveRule, ProbeError, RankedMove, TableKind, Tables, Wdl};

impl Tables {
    /// The outcome of a position for the side to move, as if the halfmove clock were zero.
    ///
    /// # Errors
    ///
    /// [`ProbeError`] if the position has castling rights or too many pieces, or if a table is
    /// missing or damaged.
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// use skewer_syzygy::{Tables, Wdl};
    ///
    /// let tables = Tables::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"))?;
    /// // . . . . k . . .
    /// // . . . . . . . .
    /// // . . . . K . . .    White to move wins,
    /// // . . . . P . . .    Black to move loses.
    /// let white: Board = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1".parse().unwrap();
    /// assert_eq!(tables.probe_wdl(&white)?, Wdl::Win);
    /// let black: Board = "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1".parse().unwrap();
    /// assert_eq!(tables.probe_wdl(&black)?, Wdl::Loss);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn probe_wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        self.check_covered(board)?;
        if board.en_passant().is_some() {
            self.wdl_with_en_passant(board)
        } else {
            self.wdl_within(board, Wdl::Loss, Wdl::Win)
        }
    }

    /// The distance to zeroing of a position for the side to move.
    ///
    /// # Errors
    ///
    /// As [`Tables::probe_wdl`].
    ///
    /// ```
    /// use skewer_movegen::Board;
    /// use skewer_syzygy::Tables;
    ///
    /// let tables = Tables::open(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data"))?;
    /// let board: Board = "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1".parse().unwrap();
    /// // Mate in eight moves, the last of which is White's.
    /// assert_eq!(tables.probe_dtz(&board)?.signed(), 15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_dtz(&self, board: &Board) -> Result<Dtz, ProbeError> {
        self.check_covered(board)?;
        self.dtz(board)
    }

    /// Every legal move with what the tables know of it, the best first. If a DTZ table is missing,
    /// all moves are ranked by their outcomes alone.
    ///
    /// # Errors
    ///
    /// As [`Tables::probe_wdl`], unless only DTZ tables are missing.
    pub fn rank_moves(
        &self,
        board: &Board,
        rule: FiftyMoveRule,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        self.check_covered(board)?;
        let moves = board.legal_moves();
        let ranked = moves.iter().map(|&mv| {
            let dtz = self.dtz_after(board, mv)?;
            Ok(RankedMove {
                mv,
                wdl: dtz.outcome_at(board.halfmove_clock()),
                dtz: Some(dtz),
            })
        });
        let mut ranked: Vec<_> = match ranked.collect() {
            Err(ProbeError::Missing {
                kind: TableKind::Dtz,
                ..
            }) => {
                let ranked = moves.iter().map(|&mv| {
                    let wdl = -self.probe_wdl(&board.play(mv))?;
                    Ok(RankedMove { mv, wdl, dtz: None })
                });
                ranked.collect::<Result<_, ProbeError>>()?
            }
            ranked => ranked?,
        };
        ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank(rule)));
        Ok(ranked)
    }

    /// A move that keeps the outcome and, in a won position, comes nearest to the next capture or
    /// pawn move; `None` in a position without legal moves.
    ///
    /// # Errors
    ///
    /// As [`Tables::rank_moves`].
    pub fn best_move(
        &self,
        board: &Board,
        rule: FiftyMoveRule,
    ) -> Result<Option<RankedMove>, ProbeError> {
        Ok(self.rank_moves(board, rule)?.first().copied())
    }

    #[inline]
    fn check_covered(&self, board: &Board) -> Result<(), ProbeError> {
        if board.castling_rooks().any() {
            return Err(ProbeError::Castling);
        }
        let pieces = board.occupied().count() as usize;
        if pieces > self.max_pieces() {
            let largest = self.max_pieces();
            return Err(ProbeError::TooManyPieces { pieces, largest });
        }
        Ok(())
    }

    /// What the WDL table stores, which may be anything at most as good as the best capture.
    /// Captures are not tried, and en passant is ignored. Two kings alone are drawn and have no table.
    ///
    /// # Errors
    ///
    /// [`ProbeError`] if the set lacks the table, or the table is damaged or cannot be read.
    #[inline]
    pub fn stored_wdl(&self, board: &Board) -> Result<Wdl, ProbeError> {
        if board.occupied().count() == 2 {
            return Ok(Wdl::Draw);
        }
        self.table(board, TableKind::Wdl)?.wdl(board)
    }

    /// The outcome of a position without en passant: exact if it is between `alpha` and `beta`,
    /// otherwise a bound (fail-soft alpha-beta).
    fn wdl_within(&self, board: &Board, alpha: Wdl, beta: Wdl) -> Result<Wdl, ProbeError> {
        let mut best = self.stored_wdl(board)?;
        if best >= beta {
            return Ok(best);
        }
        for mv in &captures(board) {
            let outcome = -self.wdl_within(&board.play(mv), -beta, -alpha.max(best))?;
            if outcome > best {
                best = outcome;
                if best >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The outcome of a position in which a pawn can be captured en passant.
    fn wdl_with_en_passant(&self, board: &Board) -> Result<Wdl, ProbeError> {
        let moves = board.legal_moves();
        let best_capture = self.best_capture(board, &moves)?;
        if moves.iter().all(|&mv| board.is_capture(mv)) {
            return Ok(best_capture.unwrap_or(Wdl::Draw));
        }
        let stored = self.stored_wdl(board)?;
        Ok(best_capture.map_or(stored, |outcome| outcome.max(stored)))
    }

    /// The best outcome that a capture among `moves` leads to.
    fn best_capture(&self, board: &Board, moves: &MoveList) -> Result<Option<Wdl>, ProbeError> {
        let mut best = None;
        for &mv in moves.iter().filter(|&&mv| board.is_capture(mv)) {
            let bound = best.unwrap_or(Wdl::Loss);
            let outcome = -self.wdl_within(&board.play(mv), Wdl::Loss, -bound)?;
            best = best.max(Some(outcome));
            if outcome == Wdl::Win {
                break;
            }
        }
        Ok(best)
    }

    /// What the DTZ table stores for a position of this outcome: plies, less one, or less 101 for cursed wins and
    /// blessed losses. `None` if the table has values for the other side to move only. The value may be anything if
    /// the best move is a capture or pawn move.
    ///
    /// # Errors
    ///
    /// As [`Tables::stored_wdl`].
    pub fn stored_dtz(&self, board: &Board, wdl: Wdl) -> Result<Option<u32>, ProbeError> {
        self.table(board, TableKind::Dtz)?.dtz(board, wdl)
    }

    fn dtz(&self, board: &Board) -> Result<Dtz, ProbeError> {
        let moves = board.legal_moves();
        let best_capture = self.best_capture(board, &moves)?;
        let only_captures = !moves.is_empty() && moves.iter().all(|&mv| board.is_capture(mv));
        let wdl = match best_capture {
            Some(outcome) if only_captures => return Ok(Dtz::before_zeroing(outcome)),
            Some(outcome) => outcome.max(self.stored_wdl(board)?),
            None => self.stored_wdl(board)?,
        };
        if wdl == Wdl::Draw {
            return Ok(Dtz::DRAW);
        }
        if wdl.is_win() {
            // If the best move is a capture or pawn move, the DTZ table may store anything.
            if best_capture == Some(wdl) {
                return Ok(Dtz::before_zeroing(wdl));
            }
            for mv in &moves {
                let quiet_pawn_move = board.moved(mv) == Piece::Pawn && !board.is_capture(mv);
                if quiet_pawn_move && -self.probe_wdl(&board.play(mv))? == wdl {
                    return Ok(Dtz::before_zeroing(wdl));
                }
            }
        }
        match self.stored_dtz(board, wdl)? {
            Some(plies) => {
                let nearest = Dtz::before_zeroing(wdl).signed();
                Ok(Dtz::new(nearest + nearest.signum() * plies.cast_signed()))
            }
            None => self.dtz_by_moves(board, &moves, wdl),
        }
    }

    /// The distance of a position whose table stores only the other side to move.
    fn dtz_by_moves(&self, board: &Board, moves: &MoveList, wdl: Wdl) -> Result<Dtz, ProbeError> {
        // A losing side is mated, or loses by a capture or pawn move, if nothing lasts longer.
        let mut best = (!wdl.is_win()).then_some(Dtz::before_zeroing(wdl));
        for mv in moves {
            let zeroing = board.moved(mv) == Piece::Pawn || board.is_capture(mv);
            if zeroing {
                // `dtz` has tried the captures and pawn moves that win. Where all moves lose, they last no longer
                // than `best`.
                continue;
            }
            let dtz = self.dtz_after(board, mv)?;
            let better = best.is_none_or(|best| dtz < best);
            // Both the shortest win and the longest loss have the smallest signed distance.
            if better && (dtz > Dtz::DRAW) == wdl.is_win() && dtz != Dtz::DRAW {
                best = Some(dtz);
            }
        }
        // A won position has a winning move. If none is found, the tables contradict each other.
        best.map_or_else(
            || {
                let fault = Fault::Unusable("contradicts the WDL table");
                Err(self.table(board, TableKind::Dtz)?.error(fault))
            },
            Ok,
        )
    }

    /// The distance for the side that plays `mv`, counted from before the move.
    fn dtz_after(&self, board: &Board, mv: Move) -> Result<Dtz, ProbeError> {
        let after = board.play(mv);
        if after.in_check() && !after.has_legal_moves() {
            return Ok(Dtz::before_zeroing(Wdl::Win));
        }
        if board.moved(mv) == Piece::Pawn || board.is_capture(mv) {
            return Ok(Dtz::before_zeroing(-self.probe_wdl(&after)?));
        }
        Ok((-self.dtz(&after)?).one_ply_more())
    }
}

/// The legal captures, without promotions that capture nothing.
#[inline]
fn captures(board: &Board) -> MoveList {
    let mut captures = board.captures();
    if board.pieces(Piece::Pawn).any() {
        captures.retain(|mv| board.is_capture(mv));
    }
    captures
}
