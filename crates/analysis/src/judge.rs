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
        let control = TimeControl::of(&game);
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
        let after = known.rated.get(1..).unwrap_or_default();
        let is_move = |index: usize| line.moves[index].is_some();
        let figures = game_figures(rated, after, first_mover, is_move);
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

/// White's chances where the game is drawn.
const DRAWN: Chances = [0, 1000, 0];

/// The evaluation of a position as it is printed, and White's chances. A position that is drawn by the rules is level,
/// whatever the search says.
pub(crate) fn value(
    line: &MainLine,
    ply: usize,
    finding: &Finding,
    units: Units,
) -> (Eval, Chances) {
    if line.is_drawn(ply) {
        return (Eval::Cp(0), DRAWN);
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

/// Move `index` with its evaluation. A null move is not a move of chess, so only the evaluations before and after it are
/// given.
fn judge(known: &Known<'_>, index: usize) -> JudgedMove {
    let line = known.line;
    let (board, mv) = (&line.boards[index], line.moves[index]);
    let (before, after) = (known.rated[index], known.rated[index + 1]);
    let mover = board.turn();
    let percent = |eval: Eval| mover.fold(eval.win_percent(), 100.0 - eval.win_percent());
    let best = known.best(index);
    let is_best = mv.is_some() && best.first().copied() == mv;
    let label = label(before, after, mover).filter(|_| mv.is_some() && !is_best);
    let drop = mv.map_or(0.0, |_| (percent(before) - percent(after)).max(0.0));
    let doubt = mv.and_then(|_| doubt(known, index));
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
        accuracy: mv.map(|_| move_accuracy(percent(before), percent(after))),
        loss: mv.map(|_| loss(before, after, mover)),
        label,
        grade: mv.map(|_| grade(label, index < known.book, is_best, drop)),
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
        past: &line.boards[line.reach(index, index)..index],
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
    match Eval::at_end(board) {
        Some(Eval::Cp(_)) => DRAWN,
        // The chances of a mate are certain by themselves.
        _ => eval.wdl(curve),
    }
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
    use skewer_pgn::Games;

    use super::*;
    use crate::clocks::Speed;
    use crate::insights::Insights;
    use crate::scale::Scale;

    /// A game as text, judged by searches with these scores in hundredths of a pawn, each for the side to move.
    fn judged(text: &str, scores: &[i32]) -> JudgedGame {
        let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
        let found = |&score: &i32| Finding {
            lines: vec![FoundLine::new(Score::new(score), &[])],
            nodes: 100_000,
            ..Finding::default()
        };
        let findings: Vec<Finding> = scores.iter().map(found).collect();
        let origin = Origin {
            number: 1,
            file: String::new(),
            line: 1,
        };
        let units = Units {
            model: WinCurve::new(100.0, 50.0).unwrap().into(),
            scale: Scale::Lichess,
        };
        let line = Arc::new(MainLine::of(&game));
        JudgedGame::new(origin, game, line, &findings, units)
    }

    /// A null move has an evaluation but no label, accuracy, loss, grade or motif, however much it loses. No figure of
    /// a player and no aggregate counts it.
    #[test]
    fn null_moves_are_not_judged() {
        let scores = [0, 0, 500, -500];
        let played = judged("1. e4 a6 2. d4 *", &scores);
        assert_eq!(played.moves[1].label, Some(Label::Blunder));
        assert_eq!(played.marks(Color::Black), [0, 0, 1]);

        let passed = judged("1. e4 -- 2. d4 *", &scores);
        let null = &passed.moves[1];
        assert_eq!((&*null.san, null.eval), ("--", Eval::Cp(500)));
        assert_eq!((null.label, null.grade, null.loss), (None, None, None));
        assert_eq!((null.accuracy, null.doubt), (None, None));
        assert_eq!((null.drop, null.motifs.len()), (0.0, 0));
        assert_eq!(passed.sentence(1), None);
        let [white, black] = passed.figures;
        assert!(white.accuracy.is_some());
        assert_eq!((black.accuracy, black.average_loss), (None, None));
        let mut insights = Insights::new("", None);
        insights.game(&passed);
        let total = insights.summary().all.total;
        assert_eq!((total.moves, total.blunders), (2, 0));
        assert_eq!(total.average_loss, Some(0.0));
    }

    /// Where the tag is in minutes, the class of the time control and the time left follow from the clocks.
    #[test]
    fn the_time_control_agrees_with_the_clocks() {
        let text = "[TimeControl \"15\"]\n\n1. e4 {[%clk 0:14:58]} e5 {[%clk 0:15:00]} *";
        let game = judged(text, &[0, 0, 0]);
        assert_eq!(game.speed(), Some(Speed::Rapid));
        assert_eq!(game.moves[0].time.left, Some(900.0));
    }

    /// White's chances after the last move of a game.
    fn last_chances(text: &str, score: i32) -> Chances {
        let scores = [score; 20];
        let game = judged(text, &scores);
        game.moves[game.moves.len() - 1].wdl
    }

    /// The repetition of a position is certain to be a draw. The same moves with null moves in between repeat nothing.
    #[test]
    fn null_moves_lead_to_no_draw() {
        let drawn = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 *";
        assert_eq!(last_chances(drawn, 60), DRAWN);
        let passed = "1. Nf3 Nf6 2. Ng1 Ng8 3. -- -- 4. Nf3 Nf6 5. Ng1 Ng8 *";
        assert_ne!(last_chances(passed, 60), DRAWN);
    }

    /// Where the game is over, the evaluation and the chances are the result, whatever a search says: 0.00 and a
    /// certain draw by stalemate and where nobody can mate, a certain win by mate.
    #[test]
    fn the_chances_at_the_end_of_a_game_are_certain() {
        for (fen, played) in [
            ("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "1. Qf7"),
            ("4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "1. Kxd2"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1. Kd2"),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "1. Kd2"),
            ("4k3/8/8/1B6/8/8/8/4K3 b - - 0 1", "1... Kd8"),
            ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", "1. Kd2"),
        ] {
            let game = judged(&format!("[FEN \"{fen}\"]\n\n{played} *"), &[60, 60]);
            let mv = &game.moves[0];
            assert_eq!((mv.wdl, mv.eval), (DRAWN, Eval::Cp(0)), "{fen}");
            assert!((mv.win - 50.0).abs() < 1e-9, "{fen}");
        }
        let mate = "[FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n\n1. Ra8# *";
        assert_eq!(last_chances(mate, 60), [1000, 0, 0]);
        // The game goes on, and nothing is certain.
        let level = "[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. Kd2 *";
        assert_ne!(last_chances(level, 0), DRAWN);
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
