//! Judges a game by the findings of its positions. The result depends on the game and the findings alone, not on the
//! worker that made them.

use std::sync::Arc;

use skewer_movegen::{Board, Color, Move};
use skewer_openings::{Name, name_of};
use skewer_pgn::PgnGame;
use skewer_types::{Score, WinCurve};

use crate::analyst::{Finding, FoundLine};
use crate::clocks::{MoveTime, TimeControl, move_times};
use crate::confidence::Doubt;
use crate::formulas::{Eval, FIRST_EVAL, Label, game_figures, label, loss, move_accuracy};
use crate::judged::{Grade, JudgedGame, JudgedMove, Line, Origin};
use crate::line::{MainLine, sans};
use crate::motifs::{Motif, WeakMove, motifs};
use crate::params::{EXCELLENT_DROP, LINE_PLIES, OPENING_PLIES, STANDING_NODES};
use crate::phase::{Phase, phases};
use crate::scale::Units;
use crate::standing::{Chances, Standing, for_player};

/// What is known about a game before its moves are judged. Each list except `times` has an element for each position.
struct Known<'a> {
    line: &'a MainLine,
    findings: &'a [Finding],
    units: Units,
    /// The evaluations as they are printed.
    evals: Vec<Eval>,
    /// The evaluations as lichess's formulas expect them.
    rated: Vec<Eval>,
    /// White's chances.
    chances: Vec<Chances>,
    /// The engine's lines, best first.
    lines: &'a [Vec<Line>],
    phases: Vec<Phase>,
    /// How many of the first moves are in the catalogue of openings.
    book: usize,
    /// The clock of each move; empty if the game has no clocks.
    times: Vec<MoveTime>,
}

impl<'a> Known<'a> {
    fn new(
        line: &'a MainLine,
        lines: &'a [Vec<Line>],
        findings: &'a [Finding],
        units: Units,
        book: usize,
        times: Vec<MoveTime>,
    ) -> Self {
        let mut found = Self {
            line,
            findings,
            units,
            evals: Vec::with_capacity(findings.len()),
            rated: Vec::with_capacity(findings.len()),
            chances: Vec::with_capacity(findings.len()),
            lines,
            phases: phases(&line.boards),
            book,
            times,
        };
        for (ply, (board, finding)) in line.boards.iter().zip(findings).enumerate() {
            let (eval, chances) = value(line, ply, finding, units);
            found.evals.push(eval);
            found.chances.push(chances);
            found.rated.push(if line.is_drawn(ply) {
                eval
            } else {
                finding.rated(board, units)
            });
        }
        found
    }

    /// The moves of the best line of a position.
    fn best(&self, ply: usize) -> &[Move] {
        self.lines[ply].first().map_or(&[], |line| &line.moves)
    }
}

impl JudgedGame {
    /// Combines a game with its findings, one for every position of `line`. `units` are the units of the scores.
    pub fn new(
        origin: Origin,
        game: PgnGame,
        line: Arc<MainLine>,
        findings: &[Finding],
        units: Units,
    ) -> Self {
        let boards = &line.boards;
        let lines: Vec<Vec<Line>> = boards
            .iter()
            .zip(findings)
            .map(|(board, found)| {
                let lines = found.lines.iter();
                lines.map(|line| named(board, found, line, units)).collect()
            })
            .collect();
        let (opening, book) = opening(&game, boards);
        let control = game.tags.get("TimeControl").and_then(TimeControl::parse);
        let times = move_times(&game, control, boards.iter().map(Board::turn));
        let known = Known::new(&line, &lines, findings, units, book, times);
        let moves = (0..line.moves.len().min(findings.len().saturating_sub(1)))
            .map(|index| judge(&known, index))
            .collect();
        let first_mover = boards[0].turn();
        let is_usual = game.start().is_standard() || known.evals.is_empty();
        let [first, rated] = if is_usual {
            [Eval::Cp(FIRST_EVAL); 2]
        } else {
            [known.evals[0], known.rated[0]]
        };
        let figures = game_figures(rated, known.rated.get(1..).unwrap_or_default(), first_mover);
        Self {
            origin,
            game,
            opening,
            control,
            first,
            first_win: rated.win_percent(),
            moves,
            figures,
            nodes: findings.iter().map(|found| found.spent).sum(),
            lines,
            line,
        }
    }
}

/// The evaluation of a position as it is printed, and White's chances. A position that is drawn by the rules is level,
/// whatever the search says.
pub(crate) fn value(
    line: &MainLine,
    ply: usize,
    finding: &Finding,
    units: Units,
) -> (Eval, Chances) {
    if line.is_drawn(ply) {
        return (Eval::Cp(0), [0, 1000, 0]);
    }
    let board = &line.boards[ply];
    let eval = finding.eval(board, units);
    (eval, wdl(board, eval, finding.curve(board, units)))
}

/// Whether the searches before and after move `index` are long enough to say that the move lets a win slip or loses a
/// level position. Draws by the rules, ends of the game and evaluations of the file need no search.
pub(crate) fn is_deep(line: &MainLine, index: usize, pair: [&Finding; 2]) -> bool {
    [0, 1].into_iter().all(|side| {
        let nodes = pair[side].nodes;
        nodes == 0 || nodes >= STANDING_NODES || line.is_drawn(index + side)
    })
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

/// Move `index` with its evaluation.
fn judge(known: &Known<'_>, index: usize) -> JudgedMove {
    let line = known.line;
    let (board, mv) = (&line.boards[index], line.moves[index]);
    let (before, after) = (known.rated[index], known.rated[index + 1]);
    let mover = board.turn();
    let percent = |eval: Eval| mover.fold(eval.win_percent(), 100.0 - eval.win_percent());
    let best = known.best(index);
    let is_best = mv.is_some() && best.first().copied() == mv;
    let label = label(before, after, mover).filter(|_| !is_best);
    let drop = (percent(before) - percent(after)).max(0.0);
    let doubt = doubt(known, index);
    let searched = &known.findings[index + 1];
    JudgedMove {
        mv,
        color: board.turn(),
        number: board.fullmove_number(),
        san: mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv).to_string()),
        piece: mv.map(|mv| board.moved(mv)),
        phase: known.phases[index],
        standing: Standing::of(for_player(known.chances[index], mover)),
        eval: known.evals[index + 1],
        wdl_before: known.chances[index],
        wdl: known.chances[index + 1],
        win_before: before.win_percent(),
        win: after.win_percent(),
        drop,
        accuracy: move_accuracy(percent(before), percent(after)),
        loss: loss(before, after, mover),
        label,
        grade: grade(label, index < known.book, is_best, drop),
        doubt,
        motifs: label.map_or_else(Vec::new, |_| reasons(known, index, drop, doubt)),
        before: known.evals[index],
        gap: gap(board, &known.findings[index], known.units),
        depth: searched.depth,
        nodes: searched.nodes,
        time: known.times.get(index).copied().unwrap_or_default(),
    }
}

/// What the label of move `index` rests on; `None` if it rests on a rule or an evaluation in the file, not on searches.
fn doubt(known: &Known<'_>, index: usize) -> Option<Doubt> {
    let line = known.line;
    let by_rule = line.is_drawn(index) || line.is_drawn(index + 1);
    let pair = [&known.findings[index], &known.findings[index + 1]];
    let doubt = Doubt::new(&line.boards[index..], line.moves[index], pair, known.units);
    Some(doubt).filter(|doubt| doubt.nodes > 0 && !by_rule)
}

/// What was wrong with move `index`, which has a label and loses `drop` points of win percentage: the motifs of which
/// the searches are sure enough.
fn reasons(known: &Known<'_>, index: usize, drop: f64, doubt: Option<Doubt>) -> Vec<Motif> {
    let line = known.line;
    let (before, after) = (&line.boards[index], &line.boards[index + 1]);
    let reply = known.best(index + 1);
    let played = if reply.is_empty() {
        continuation(known, index + 1)
    } else {
        Vec::new()
    };
    let mover = before.turn();
    let [chances_before, chances_after] =
        [index, index + 1].map(|ply| for_player(known.chances[ply], mover));
    let mut found = motifs(&WeakMove {
        played: line.moves[index],
        before,
        after,
        eval_before: known.evals[index],
        eval_after: known.evals[index + 1],
        drop,
        chances_before,
        chances_after,
        best: known.best(index),
        reply: if reply.is_empty() { &played } else { reply },
    });
    let chance = doubt.map_or(1.0, |doubt| doubt.chance());
    let pair = [&known.findings[index], &known.findings[index + 1]];
    let is_deep = is_deep(line, index, pair);
    found.retain(|motif| chance >= motif.least_chance() && (is_deep || !motif.is_of_standing()));
    found
}

/// The moves that were played from a position, before the first move with a label. They take the place of the engine's
/// line if nothing was searched.
fn continuation(known: &Known<'_>, from: usize) -> Vec<Move> {
    let (line, rated) = (known.line, &known.rated);
    (from..line.moves.len().min(rated.len().saturating_sub(1)))
        .take(LINE_PLIES)
        .map_while(|ply| {
            let mover = line.boards[ply].turn();
            let is_sound = label(rated[ply], rated[ply + 1], mover).is_none();
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

/// Win, draw and loss for White in thousandths; certain if the game is over.
pub(crate) fn wdl(board: &Board, eval: Eval, curve: WinCurve) -> Chances {
    if eval == Eval::Cp(0) && !board.has_legal_moves() {
        return [0, 1000, 0];
    }
    eval.wdl(curve)
}

/// A line with its moves in standard notation.
fn named(board: &Board, found: &Finding, line: &FoundLine, units: Units) -> Line {
    let moves = line.moves_from(board);
    let eval = line.eval(board, found.curve(board, units));
    Line {
        win: found.scale(units).to_lichess(eval).win_percent(),
        eval,
        sans: sans(board, &moves),
        moves,
    }
}

/// How much worse the second-best line is, in hundredths of a pawn.
fn gap(board: &Board, found: &Finding, units: Units) -> Option<i32> {
    let [first, second, ..] = found.lines.as_slice() else {
        return None;
    };
    let curve = found.curve(board, units);
    // From the mover's side, whichever it is.
    let value = |line: &FoundLine| {
        Eval::from_score(Score::from_raw(line.score), Color::White, curve).clamped()
    };
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
