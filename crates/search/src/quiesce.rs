//! Quiescence: searches captures and promotions, and in check every move, until no capture gains anything, so
//! that only quiet positions are evaluated (Shannon, 1950).

use skewer_eval::Evaluator;
use skewer_movegen::{Bitboard, Board, Move, Square};
use skewer_ordering::{Guide, MovePicker, Threats, attacked_by, is_tactical, see};
use skewer_tt::Entry;
use skewer_types::{Bound, MAX_PLY, Ply, Score, TechniqueSet, Techniques};

use crate::params;
use crate::search::{Kind, Search};
use crate::state::own_pieces;
use crate::table_key::table_key;

/// The state of a quiescence node.
struct Quiet {
    key: u64,
    entry: Option<Entry>,
    raw_eval: Option<Score>,
    /// The stand-pat score; minus infinity in check.
    stand: Score,
    /// Squares that the opponent attacks.
    attacked: Bitboard,
    /// The square on which the previous move captured.
    recapture: Option<Square>,
}

/// The result of the move loop of a quiescence node.
#[derive(Clone, Copy)]
struct QuietFound {
    best: Score,
    best_move: Option<Move>,
    moves: i32,
}

impl<E: Evaluator, T: TechniqueSet> Search<'_, E, T> {
    /// The value of `board` when only captures and promotions (or answers to a check) are played.
    pub(crate) fn quiesce<K: Kind>(
        &mut self,
        board: &Board,
        ply: Ply,
        mut alpha: Score,
        beta: Score,
    ) -> Score {
        // 1. Ends of the game and of the search.
        if self.must_stop() {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);
        if self.is_draw(board, ply) {
            return Score::DRAW;
        }
        if ply >= MAX_PLY {
            return self.leaf(board);
        }
        alpha = self.raise_to_draw(board, ply, alpha);
        if alpha >= beta {
            return alpha;
        }

        // 2. The entry of the hash table, and the stand-pat score.
        let mut quiet = self.probe_quiet(board, ply);
        if let Some(entry) = quiet.entry
            && !K::PV
            && self.settles(board, &entry, beta)
        {
            return entry.score;
        }
        self.stand_pat(board, ply, &mut quiet);
        if quiet.stand >= beta {
            if quiet.entry.is_none() && self.has(Techniques::HASH_QUIESCENCE) {
                self.store(quiet.key, ply, None, Score::ZERO, quiet.raw_eval, 0, None);
            }
            return self.blend(quiet.stand, beta, 1);
        }
        let mut best = quiet.stand;
        alpha = alpha.max(best);

        // 3. The moves.
        let in_check = board.in_check();
        let mut best_move = None;
        let mut moves = 0;
        let threats = Self::threats_for_quiescence(board, in_check);
        quiet.attacked = threats.all;
        let context = self.move_context(ply, threats.all);
        let mut picker = self.quiescence_picker(board, &quiet);
        loop {
            let guide = Guide {
                histories: &self.memory.histories,
                context: &context,
                threats: &threats,
                checks: None,
            };
            let Some(mv) = picker.next(self.set, board, guide, |piece, mv| {
                i32::from(self.evaluator.quiet_delta(board, piece, mv))
            }) else {
                break;
            };
            moves += 1;
            self.prefetch_after(board, mv);
            if !best.is_loss()
                && self.skip_in_quiescence(board, &quiet, mv, moves, alpha, &mut best)
            {
                continue;
            }
            let after = self.play(board, mv, ply);
            if K::PV {
                self.memory.lines[ply + 1].clear();
            }
            let score = -self.quiesce::<K>(&after, ply + 1, -beta, -alpha);
            self.undo();
            if self.aborted {
                return Score::ZERO;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if K::PV {
                        self.update_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            // After one evasion that does not lose, skip the other quiet evasions.
            if in_check && !best.is_loss() {
                picker.skip_quiets();
            }
        }

        // 4. Mate, stalemate, and storing the result.
        let found = QuietFound {
            best,
            best_move,
            moves,
        };
        self.conclude_quiet(board, ply, &quiet, found, beta)
    }

    /// The value of a quiescence node whose moves have been searched.
    #[inline]
    fn conclude_quiet(
        &self,
        board: &Board,
        ply: Ply,
        quiet: &Quiet,
        found: QuietFound,
        beta: Score,
    ) -> Score {
        let mut best = found.best;
        if found.moves == 0 && board.in_check() {
            return Score::mated_in(ply);
        }
        if found.moves == 0 && is_stalemate(board) {
            return Score::DRAW;
        }
        if best >= beta {
            best = self.blend(best, beta, 1);
        }
        if self.has(Techniques::HASH_QUIESCENCE) {
            let bound = if best >= beta {
                Bound::Lower
            } else {
                Bound::Upper
            };
            self.store(
                quiet.key,
                ply,
                found.best_move,
                best,
                quiet.raw_eval,
                0,
                Some(bound),
            );
        }
        best
    }

    #[inline]
    fn probe_quiet(&mut self, board: &Board, ply: Ply) -> Quiet {
        let key = table_key(board, self.set);
        let entry = if self.has(Techniques::HASH_QUIESCENCE) {
            self.probe(board, key, ply)
        } else {
            None
        };
        let before = self.memory.stack.before(ply, 1);
        let recapture = match before.mv {
            Some(mv) if before.captured.is_some() => Some(mv.to()),
            _ => None,
        };
        let frame = self.memory.stack.at_mut(ply);
        frame.on_pv = entry.is_some_and(|entry| entry.was_pv);
        frame.in_check = board.in_check();
        Quiet {
            key,
            entry,
            raw_eval: None,
            stand: -Score::INFINITE,
            attacked: Bitboard::EMPTY,
            recapture,
        }
    }

    /// Sets the stand-pat score.
    #[inline]
    fn stand_pat(&mut self, board: &Board, ply: Ply, quiet: &mut Quiet) {
        if board.in_check() {
            return;
        }
        let raw = match quiet.entry.and_then(|entry| entry.eval) {
            Some(eval) => eval,
            None => self.evaluator.evaluate(board),
        };
        quiet.raw_eval = Some(raw);
        let correction = self.correction(board, ply);
        let eval = self.static_score(board, raw, correction);
        self.memory.stack.at_mut(ply).static_eval = eval;
        quiet.stand = self.better_eval(quiet.entry.as_ref(), eval);
    }

    /// Gives the captures and promotions that do not lose too much, or the evasions.
    #[inline]
    fn quiescence_picker(&self, board: &Board, quiet: &Quiet) -> MovePicker {
        let in_check = board.in_check();
        let known = quiet.entry.and_then(|entry| entry.mv);
        let hash_move = known.filter(|&mv| in_check || is_tactical(board, mv));
        if in_check {
            MovePicker::new(hash_move, [None; 2], None)
        } else if self.has(Techniques::SEE_QUIESCENCE) {
            MovePicker::winning(hash_move, -params::quiescence_see())
        } else {
            MovePicker::captures(hash_move)
        }
    }

    /// The squares that the opponent attacks. The order of evasions also needs the kind of attacker;
    /// the order of captures does not.
    #[inline]
    fn threats_for_quiescence(board: &Board, in_check: bool) -> Threats {
        let them = !board.turn();
        if in_check {
            return attacked_by(board, them);
        }
        Threats {
            all: board.attacks_by(them, board.occupied()),
            ..Threats::default()
        }
    }

    /// Returns whether a move is skipped, because what it wins leaves the score below alpha,
    /// because it comes too late in the order, or because it loses material. Evasions are skipped
    /// only if they lose material.
    #[inline]
    fn skip_in_quiescence(
        &self,
        board: &Board,
        quiet: &Quiet,
        mv: Move,
        number: i32,
        alpha: Score,
        best: &mut Score,
    ) -> bool {
        let recaptures = self.has(Techniques::RECAPTURES) && quiet.recapture == Some(mv.to());
        if !board.in_check() && !recaptures {
            let late =
                self.has(Techniques::QUIESCENCE_LIMIT) && number > params::quiescence_moves();
            let hope = quiet.stand + params::delta_margin() + see::gain(board, mv);
            let hopeless =
                self.has(Techniques::DELTA_PRUNING) && !alpha.is_decisive() && hope <= alpha;
            // The test for check is the slowest, so it comes last.
            if (late || hopeless) && !board.gives_check(mv) {
                // The best score is not decisive: it is at most alpha, and the caller has excluded losses.
                if !late && hope > *best {
                    *best = hope;
                }
                return true;
            }
        }
        // Test only evasions, because the picker has tested the exchanges of captures.
        board.in_check()
            && self.has(Techniques::SEE_QUIESCENCE)
            && !see::at_least_given(board, mv, -params::quiescence_see(), quiet.attacked)
    }
}

/// Returns whether the side to move, which is not in check, has no legal move. Tested only with
/// nothing but a king and pawns, where stalemate is likely.
#[inline]
fn is_stalemate(board: &Board) -> bool {
    own_pieces(board).is_empty() && !board.has_legal_moves()
}
