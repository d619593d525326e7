//! Draws by repetition, which a move allows or misses.

use skewer_movegen::{Board, Claim, Move};

use super::lines::own_turns;
use super::{Motif, WeakMove};
use crate::formulas::Eval;

impl WeakMove<'_> {
    /// The draw that can be claimed after the move.
    pub(super) fn claim(&self) -> Option<Claim> {
        self.claim_in(self.after)
    }

    /// The draw that can be claimed in a position after the earlier ones.
    fn claim_in(&self, board: &Board) -> Option<Claim> {
        let is_same = |past: &&Board| past.key() == board.key();
        let earlier = self.past.iter().filter(is_same).count();
        board.claim(1 + earlier)
    }

    /// The moves by which the best line repeats a position, if its evaluation is a draw.
    pub(super) fn best_repeats(&self) -> Option<&[Move]> {
        let stood = self.past.iter();
        repeating(self.eval_before, stood, self.before, self.best)
    }

    /// The moves by which the reply and its line repeat a position, if their evaluation is a draw.
    pub(super) fn reply_repeats(&self) -> Option<&[Move]> {
        let stood = self.past.iter().chain([self.before]);
        repeating(self.eval_after, stood, self.after, self.reply)
    }
}

/// The draw by repetition that the move allows or misses. It is named only if it can be claimed after the move or after
/// the first move of the line, or if two checks or more, and no other moves of that side, lead to the repetition. A quiet
/// repetition shows only that the position is level.
pub(super) fn repetition(weak: &WeakMove<'_>) -> Option<Motif> {
    let is_claimed = |board: &Board| weak.claim_in(board) == Some(Claim::ThreefoldRepetition);
    let is_at_hand = |start: &Board, line: &[Move]| {
        let mut turns = own_turns(start, line);
        let is_forced = line.len() > 2 && turns.all(|(at, moves)| at.gives_check(moves[0]));
        is_forced || is_claimed(&start.play(line[0]))
    };
    let by_reply = weak.reply_repeats();
    let by_best = weak.best_repeats();
    if is_claimed(weak.after) || by_reply.is_some_and(|line| is_at_hand(weak.after, line)) {
        Some(Motif::AllowedRepetition)
    } else {
        by_best
            .is_some_and(|line| is_at_hand(weak.before, line))
            .then_some(Motif::MissedRepetition)
    }
}

/// The moves of a line from `start` up to the first one that brings back a position of the line or one that `stood`
/// before, if `eval` is a draw.
fn repeating<'a, 'b>(
    eval: Eval,
    stood: impl Iterator<Item = &'b Board>,
    start: &Board,
    line: &'a [Move],
) -> Option<&'a [Move]> {
    if eval != Eval::Cp(0) {
        return None;
    }
    let mut keys: Vec<u64> = stood.map(Board::key).collect();
    keys.push(start.key());
    let mut at = *start;
    let last = line.iter().position(|&mv| {
        at = at.play(mv);
        let is_known = keys.contains(&at.key());
        keys.push(at.key());
        is_known
    })?;
    Some(&line[..=last])
}

#[cfg(test)]
mod tests {
    use super::super::tests::line;
    use super::*;

    /// The positions of a line, the first one included.
    fn boards(fen: &str, sans: &[&str]) -> Vec<Board> {
        let (start, moves) = line(fen, sans);
        let mut boards = vec![start];
        for mv in moves {
            boards.push(boards[boards.len() - 1].play(mv));
        }
        boards
    }

    /// The repetition as a reason for the last of the moves `sans`, with the evaluations before and after it.
    fn reason(
        (fen, sans): (&str, &[&str]),
        evals: [i32; 2],
        best: &[&str],
        reply: &[&str],
    ) -> Option<Motif> {
        let boards = boards(fen, sans);
        let [past @ .., before, after] = boards.as_slice() else {
            panic!("a move is weak");
        };
        let (_, best) = line(&before.to_string(), best);
        let (_, reply) = line(&after.to_string(), reply);
        let [eval_before, eval_after] = evals.map(Eval::Cp);
        repetition(&WeakMove {
            played: before.parse_san(sans[sans.len() - 1]).ok(),
            past,
            before,
            after,
            eval_before,
            eval_after,
            drop: 10.0,
            chances_before: [0, 1000, 0],
            chances_after: [0, 1000, 0],
            best: &best,
            reply: &reply,
        })
    }

    const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

    /// A reply that brings back a position for the third time is a draw by repetition, if the evaluation says so. A
    /// position that stands for the second time is no draw yet.
    #[test]
    fn a_reply_to_the_third_occurrence_is_a_draw() {
        let twice: (&str, &[&str]) = (KINGS, &["Kd1", "Kd8", "Ke1"]);
        assert_eq!(reason(twice, [100, 0], &["e4"], &["Ke8"]), None);
        let moves = ["Kd1", "Kd8", "Ke1", "Ke8"].repeat(2);
        let game: (&str, &[&str]) = (KINGS, &moves[..7]);
        let allowed = Some(Motif::AllowedRepetition);
        assert_eq!(reason(game, [100, 0], &["e4"], &["Ke8"]), allowed);
        assert_eq!(reason(game, [100, 30], &["e4"], &["Ke8"]), None);
        assert_eq!(reason(game, [100, 0], &["e4"], &["Kc8"]), None);
    }

    /// A position that stands for the third time is a draw, whatever the engine's line after it.
    #[test]
    fn the_third_occurrence_is_a_draw() {
        let twice = ["Kd1", "Kd8", "Ke1", "Ke8"];
        let thrice = twice.repeat(2);
        let found = |sans: &[&str]| reason((KINGS, sans), [-100, 0], &["Kc8"], &["e4"]);
        assert_eq!(found(&twice), None);
        assert_eq!(found(&thrice), Some(Motif::AllowedRepetition));
    }

    /// Checks that lead back to a position are a draw by repetition. Quiet moves that do so are not: any level position
    /// may be repeated.
    #[test]
    fn checks_that_repeat_are_a_draw() {
        let checks: (&str, &[&str]) = ("6k1/8/8/8/8/5q2/5P1P/7K w - - 0 1", &["Kg1"]);
        let allowed = Some(Motif::AllowedRepetition);
        let repeat = ["Qg4+", "Kh1", "Qf3+"];
        assert_eq!(reason(checks, [300, 0], &[], &repeat), allowed);
        assert_eq!(reason(checks, [300, 0], &[], &repeat[..2]), None);
        let game: (&str, &[&str]) = (KINGS, &["Kd1"]);
        let quiet = ["Kd8", "Ke1", "Ke8", "Kd1"];
        assert_eq!(reason(game, [100, 0], &["e4"], &quiet), None);
    }

    /// A draw by repetition in the best line is missed if the player plays another move.
    #[test]
    fn a_draw_by_repetition_can_be_missed() {
        let shuffle = ["Kd1", "Kd8", "Ke1", "Ke8"];
        let moves = [&shuffle[..], &shuffle[..3], &["Kc8"]].concat();
        let game: (&str, &[&str]) = (KINGS, &moves[..]);
        let missed = Some(Motif::MissedRepetition);
        assert_eq!(reason(game, [0, 300], &["Ke8"], &["e4"]), missed);
        assert_eq!(reason(game, [-30, 300], &["Ke8"], &["e4"]), None);
        assert_eq!(reason(game, [0, 300], &["Kd7"], &["e4"]), None);
        let clauses = [Motif::MissedRepetition, Motif::AllowedRepetition];
        assert_eq!(
            clauses.map(|motif| motif.clause("Ke8", "e4")),
            ["misses a draw by repetition", "allows a draw by repetition"]
        );
    }
}
