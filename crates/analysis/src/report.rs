//! A game with its evaluations. It is made from the game and its findings alone, so the result does
//! not depend on which worker analysed it or when.

use std::sync::Arc;

use serde::Serialize;
use skewer_movegen::{Board, Color, Move, Piece};
use skewer_openings::{Name, name_of};
use skewer_pgn::PgnGame;
use skewer_types::{Score, WinModel};
use strum::IntoStaticStr;

use crate::analyst::{Finding, FoundLine};
use crate::clocks::{MoveTime, Speed, TimeControl, move_times};
use crate::confidence::Doubt;
use crate::formulas::{Eval, Label, PlayerFigures, game_figures, label, loss, move_accuracy};
use crate::job::MainLine;
use crate::motifs::{Motif, WeakMove, motifs};
use crate::params::{EXCELLENT_DROP, LINE_PLIES, OPENING_PLIES, WINNING_PERCENT};
use crate::phase::{Phase, phases};

/// The place of a game among all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its number among the games of all files, from 1.
    pub number: u64,
    /// The file, as it was given.
    pub file: String,
    /// The line on which it begins.
    pub line: u64,
}

/// The quality of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Leads to a position of the catalogue of openings.
    Book,
    /// The engine's first choice.
    Best,
    /// Loses less than 2 points of win percentage.
    Excellent,
    /// Loses more, but has no label.
    Good,
    /// Labelled an inaccuracy.
    Inaccuracy,
    /// Labelled a mistake.
    Mistake,
    /// Labelled a blunder.
    Blunder,
}

/// The state of the game for the player to move, before the move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Standing {
    /// A win percentage of at least 70.
    Winning,
    /// Between the two.
    Level,
    /// A win percentage of at most 30.
    Losing,
}

impl Standing {
    /// The standing for a player with this win percentage.
    pub fn of(percent: f64) -> Self {
        if percent >= WINNING_PERCENT {
            Self::Winning
        } else if percent <= 100.0 - WINNING_PERCENT {
            Self::Losing
        } else {
            Self::Level
        }
    }
}

/// A line of the engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its evaluation.
    pub eval: Eval,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The same in standard notation.
    pub sans: Vec<String>,
}

/// A move of a game with its evaluation.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// The player.
    pub color: Color,
    /// The number of the move.
    pub number: u16,
    /// The move in standard notation.
    pub san: String,
    /// The piece that moves; `None` for a null move.
    pub piece: Option<Piece>,
    /// The phase of the position before the move.
    pub phase: Phase,
    /// The state of the game for the player, before the move.
    pub standing: Standing,
    /// The evaluation after the move.
    pub eval: Eval,
    /// Win, draw and loss for White after the move, in thousandths.
    pub wdl: [u32; 3],
    /// White's win percentage after the move.
    pub win: f64,
    /// Points of win percentage that the player lost with the move, at least 0.
    pub drop: f64,
    /// The accuracy of the move in per cent.
    pub accuracy: f64,
    /// Centipawn loss.
    pub loss: i32,
    /// The label, if the move is weak.
    pub label: Option<Label>,
    /// The quality of the move.
    pub grade: Grade,
    /// What the label, or its absence, rests on; `None` without a search.
    pub doubt: Option<Doubt>,
    /// What was wrong with a weak move.
    pub motifs: Vec<Motif>,
    /// The evaluation before the move, which is that of the best line.
    pub before: Eval,
    /// How much worse the second-best line is, in hundredths of a pawn, with two or more lines.
    pub gap: Option<i32>,
    /// Depth of the search after the move, in plies.
    pub depth: u32,
    /// Nodes of the search after the move.
    pub nodes: u64,
    /// The player's clock and the time spent.
    pub time: MoveTime,
}

/// A game with its evaluations.
#[derive(Clone, Debug)]
pub struct JudgedGame {
    /// Where it comes from.
    pub origin: Origin,
    /// The game as it was read.
    pub game: PgnGame,
    /// Its positions and moves.
    pub line: Arc<MainLine>,
    /// Its opening.
    pub opening: Option<Name>,
    /// Its time control, where the tag gives one.
    pub control: Option<TimeControl>,
    /// The moves of the main line.
    pub moves: Vec<JudgedMove>,
    /// The engine's lines in each position, best first: one more than there are moves.
    pub lines: Vec<Vec<Line>>,
    /// The figures of White and Black.
    pub figures: [PlayerFigures; 2],
    /// Nodes of the searches of all positions.
    pub nodes: u64,
}

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
        let evals: Vec<Eval> = boards
            .iter()
            .zip(findings)
            .map(|(board, found)| eval(board, found, model))
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
                judged.doubt = Some(doubt).filter(|doubt| doubt.nodes > 0);
                judged.gap = gap(&findings[index], model);
                judged.wdl = wdl(&boards[index + 1], judged.eval, model);
                judged.depth = findings[index + 1].depth;
                judged.nodes = findings[index + 1].nodes;
                judged.time = times.get(index).copied().unwrap_or_default();
                judged
            })
            .collect();
        let white_first = boards[0].turn() == Color::White;
        let figures = game_figures(evals.get(1..).unwrap_or_default(), white_first);
        Self {
            origin,
            game,
            line,
            opening,
            control,
            moves,
            lines,
            figures,
            nodes: findings.iter().map(|found| found.spent).sum(),
        }
    }

    /// How many moves of a player have this label.
    pub fn count(&self, color: Color, label: Label) -> usize {
        self.moves
            .iter()
            .filter(|mv| mv.color == color && mv.label == Some(label))
            .count()
    }

    /// Inaccuracies, mistakes and blunders of a player.
    pub fn marks(&self, color: Color) -> [usize; 3] {
        [Label::Inaccuracy, Label::Mistake, Label::Blunder].map(|label| self.count(color, label))
    }

    /// The value of a tag; empty if the game lacks it.
    pub fn tag(&self, name: &str) -> &str {
        self.game.tags.get(name).unwrap_or_default()
    }

    /// The name of a player.
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold("White", "Black"))
    }

    /// The rating of a player, if the tag holds a number.
    pub fn elo(&self, color: Color) -> Option<u16> {
        let text = self.tag(color.fold("WhiteElo", "BlackElo"));
        text.trim().parse().ok().filter(|&elo| elo > 0)
    }

    /// The date as `YYYY-MM-DD`, as far as it is known: `2025`, `2025-05`. From `Date` or, if that
    /// has no year, `UTCDate`.
    pub fn date(&self) -> Option<String> {
        ["Date", "UTCDate"]
            .into_iter()
            .find_map(|tag| date(self.tag(tag)))
    }

    /// The class of the time control.
    pub fn speed(&self) -> Option<Speed> {
        self.control.map(TimeControl::speed)
    }

    /// The best line in place of move `index`.
    pub fn best(&self, index: usize) -> Option<&Line> {
        self.lines.get(index)?.first()
    }
}

/// The known parts of a PGN date, joined by `-`.
fn date(text: &str) -> Option<String> {
    let digits =
        |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = text.split('.');
    let mut known = parts.next().filter(|year| digits(year, 4))?.to_owned();
    for part in parts.take(2).take_while(|part| digits(part, 2)) {
        known.push('-');
        known.push_str(part);
    }
    Some(known)
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

/// The evaluation of a position from White's side.
pub(crate) fn eval(board: &Board, found: &Finding, model: WinModel) -> Eval {
    match found.lines.first() {
        Some(line) => line_eval(board, line, model),
        None if board.in_check() => Eval::Mated {
            by_white: board.turn() == Color::Black,
        },
        None => Eval::Cp(0),
    }
}

/// The evaluation of a line from White's side.
pub(crate) fn line_eval(board: &Board, line: &FoundLine, model: WinModel) -> Eval {
    let white = board.turn() == Color::White;
    Eval::from_score(Score::from_raw(line.score), white, model)
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
        eval: line_eval(board, line, model),
        sans: sans(board, &moves),
        moves,
    }
}

/// The moves of a line in standard notation.
pub fn sans(board: &Board, moves: &[Move]) -> Vec<String> {
    texts(board, moves, |at, mv| at.san(mv).to_string())
}

/// The moves of a line as `text` writes each of them in its position.
pub(crate) fn texts(
    board: &Board,
    moves: &[Move],
    text: impl Fn(&Board, Move) -> String,
) -> Vec<String> {
    let mut at = *board;
    moves
        .iter()
        .map(|&mv| {
            let text = text(&at, mv);
            at = at.play(mv);
            text
        })
        .collect()
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
    fn dates_with_unknown_parts() {
        assert_eq!(date("2025.05.01").as_deref(), Some("2025-05-01"));
        assert_eq!(date("2025.05.??").as_deref(), Some("2025-05"));
        assert_eq!(date("2025.??.01").as_deref(), Some("2025"));
        assert_eq!(date("????.??.??"), None);
        assert_eq!(date(""), None);
    }

    #[test]
    fn standings() {
        assert_eq!(Standing::of(70.0), Standing::Winning);
        assert_eq!(Standing::of(69.9), Standing::Level);
        assert_eq!(Standing::of(30.0), Standing::Losing);
    }

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
