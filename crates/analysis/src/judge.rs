//! Judges a game by the findings of its positions. The result is made from these alone, and does not depend
//! on which worker analysed the game or when.

use std::sync::Arc;

use skewer_movegen::{Board, Color, Move};
use skewer_openings::{Name, name_of};
use skewer_pgn::PgnGame;
use skewer_types::{Score, WinModel};

use crate::analyst::{Finding, FoundLine};
use crate::clocks::{MoveTime, TimeControl, move_times};
use crate::confidence::Doubt;
use crate::formulas::{Eval, FIRST_EVAL, Label, game_figures, label, loss, move_accuracy};
use crate::judged::{Grade, JudgedGame, JudgedMove, Line, Origin, Standing};
use crate::line::{MainLine, sans};
use crate::motifs::{WeakMove, motifs};
use crate::params::{EXCELLENT_DROP, LINE_PLIES, OPENING_PLIES};
use crate::phase::{Phase, phases};

impl JudgedGame {
    /// Combines a game with its findings. There is a finding for every position of `line`. `model`
    /// is that of the evaluation with which the positions were searched.
    pub fn new(
        origin: Origin,
        game: PgnGame,
        line: Arc<MainLine>,
        findings: &[Finding],
        model: WinModel,
    ) -> Self {
        let boards = &line.boards;
        let drawn: Vec<bool> = (0..boards.len()).map(|ply| line.is_drawn(ply)).collect();
        let evals: Vec<Eval> = boards
            .iter()
            .zip(findings)
            .zip(&drawn)
            .map(|((board, found), &drawn)| {
                if drawn {
                    Eval::Cp(0)
                } else {
                    found.eval(board, model)
                }
            })
            .collect();
        let lines: Vec<Vec<Line>> = boards
            .iter()
            .zip(findings)
            .map(|(board, found)| {
                let lines = found.lines.iter();
                lines.map(|line| named(board, line, model)).collect()
            })
            .collect();
        let (opening, book) = opening(&game, boards);
        let control = game.tags.get("TimeControl").and_then(TimeControl::parse);
        let times = move_times(&game, control, boards.iter().map(Board::turn));
        let phases = phases(boards);
        let moves = (0..line.moves.len().min(findings.len().saturating_sub(1)))
            .map(|index| {
                let mut judged = judge(&line, index, &evals, &lines, index < book);
                judged.phase = phases[index];
                let pair = [&findings[index], &findings[index + 1]];
                let doubt = Doubt::new(&boards[index..], line.moves[index], pair, model);
                // A draw by the rules rests on no search.
                let by_rule = drawn[index] || drawn[index + 1];
                judged.doubt = Some(doubt).filter(|doubt| doubt.nodes > 0 && !by_rule);
                judged.gap = gap(&findings[index], model);
                judged.wdl = if drawn[index + 1] {
                    [0, 1000, 0]
                } else {
                    wdl(&boards[index + 1], judged.eval, model)
                };
                judged.depth = findings[index + 1].depth;
                judged.nodes = findings[index + 1].nodes;
                judged.time = times.get(index).copied().unwrap_or_default();
                judged
            })
            .collect();
        let white_first = boards[0].turn() == Color::White;
        let first = match evals.first() {
            Some(&eval) if !game.start().is_standard() => eval,
            _ => Eval::Cp(FIRST_EVAL),
        };
        let figures = game_figures(first, evals.get(1..).unwrap_or_default(), white_first);
        Self {
            origin,
            game,
            line,
            opening,
            control,
            first,
            moves,
            lines,
            figures,
            nodes: findings.iter().map(|found| found.spent).sum(),
        }
    }
}

/// The opening of a game, and how many of its first moves lead to a position of the catalogue.
fn opening(game: &PgnGame, boards: &[Board]) -> (Option<Name>, usize) {
    if !game.start().is_standard() {
        return (None, 0);
    }
    let mut named = boards
        .iter()
        .take(OPENING_PLIES + 1)
        .enumerate()
        .filter_map(|(ply, board)| Some((name_of(board)?, ply)));
    match named.next_back() {
        Some((name, ply)) => (Some(name), ply),
        None => (None, 0),
    }
}

/// Move `index` with its evaluation. The caller sets phase, gap, wdl, depth, nodes, time and doubt.
fn judge(
    line: &MainLine,
    index: usize,
    evals: &[Eval],
    lines: &[Vec<Line>],
    book: bool,
) -> JudgedMove {
    let (board, mv) = (&line.boards[index], line.moves[index]);
    let (before, after) = (evals[index], evals[index + 1]);
    let white = board.turn() == Color::White;
    let percent = |eval: Eval| {
        if white {
            eval.win_percent()
        } else {
            100.0 - eval.win_percent()
        }
    };
    let moves_of = |ply: usize| -> &[Move] {
        let first: Option<&Line> = lines[ply].first();
        first.map_or(&[], |line| &line.moves)
    };
    let is_best = mv.is_some() && moves_of(index).first().copied() == mv;
    let label = label(before, after, white).filter(|_| !is_best);
    let drop = (percent(before) - percent(after)).max(0.0);
    let known = moves_of(index + 1);
    let played = if known.is_empty() {
        continuation(line, index + 1, evals)
    } else {
        Vec::new()
    };
    let weak = WeakMove {
        before: board,
        after: &line.boards[index + 1],
        eval_before: before,
        eval_after: after,
        best: moves_of(index),
        reply: if known.is_empty() { &played } else { known },
    };
    JudgedMove {
        mv,
        color: board.turn(),
        number: board.fullmove_number(),
        san: mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv).to_string()),
        piece: mv.map(|mv| board.moved(mv)),
        phase: Phase::Opening,
        standing: Standing::of(percent(before)),
        eval: after,
        wdl: [0; 3],
        win: after.win_percent(),
        drop,
        accuracy: move_accuracy(percent(before), percent(after)),
        loss: loss(before, after, white),
        label,
        grade: grade(label, book, is_best, drop),
        doubt: None,
        motifs: label.map_or_else(Vec::new, |_| motifs(&weak)),
        before,
        gap: None,
        depth: 0,
        nodes: 0,
        time: MoveTime::default(),
    }
}

/// What was played from a position, as long as no move has a label: the best that is known if nothing was
/// searched.
fn continuation(line: &MainLine, from: usize, evals: &[Eval]) -> Vec<Move> {
    (from..line.moves.len().min(evals.len().saturating_sub(1)))
        .take(LINE_PLIES)
        .map_while(|ply| {
            let white = line.boards[ply].turn() == Color::White;
            let is_sound = label(evals[ply], evals[ply + 1], white).is_none();
            line.moves[ply].filter(|_| is_sound)
        })
        .collect()
}

fn grade(label: Option<Label>, book: bool, is_best: bool, drop: f64) -> Grade {
    match label {
        Some(Label::Inaccuracy) => Grade::Inaccuracy,
        Some(Label::Mistake) => Grade::Mistake,
        Some(Label::Blunder) => Grade::Blunder,
        None if book => Grade::Book,
        None if is_best => Grade::Best,
        None if drop < EXCELLENT_DROP => Grade::Excellent,
        None => Grade::Good,
    }
}

/// Win, draw and loss for White in thousandths. A game that is over is certain.
pub(crate) fn wdl(board: &Board, eval: Eval, model: WinModel) -> [u32; 3] {
    if eval == Eval::Cp(0) && !board.has_legal_moves() {
        return [0, 1000, 0];
    }
    eval.wdl(model)
}

/// A line with its moves in standard notation.
fn named(board: &Board, line: &FoundLine, model: WinModel) -> Line {
    let moves = line.moves_from(board);
    Line {
        eval: line.eval(board, model),
        sans: sans(board, &moves),
        moves,
    }
}

/// How much worse the second-best line is, in hundredths of a pawn.
fn gap(found: &Finding, model: WinModel) -> Option<i32> {
    let [first, second, ..] = found.lines.as_slice() else {
        return None;
    };
    let value =
        |line: &FoundLine| Eval::from_score(Score::from_raw(line.score), true, model).clamped();
    Some(value(first) - value(second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades() {
        assert_eq!(
            grade(Some(Label::Mistake), true, false, 12.0),
            Grade::Mistake
        );
        assert_eq!(grade(None, true, true, 0.0), Grade::Book);
        assert_eq!(grade(None, false, true, 0.0), Grade::Best);
        assert_eq!(grade(None, false, false, 1.9), Grade::Excellent);
        assert_eq!(grade(None, false, false, 2.0), Grade::Good);
    }
}
