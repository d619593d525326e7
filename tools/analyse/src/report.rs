//! What is said of a game: made from the game and the findings alone, so that it is the same
//! whoever looked, in whatever order.

use skewer_movegen::{Board, Color, Move};
use skewer_openings::{Name, name_of_game};
use skewer_pgn::{PgnGame, annotation};
use skewer_types::Score;

use crate::analyst::{Finding, FoundLine};
use crate::formulas::{Eval, Label, PlayerFigures, game_figures, label, loss, move_accuracy};
use crate::job::MainLine;
use crate::params::OPENING_PLIES;

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

/// A move of a game, judged.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// The move; `None` for a null move.
    pub mv: Option<Move>,
    /// Who moved.
    pub color: Color,
    /// The number of the move.
    pub number: u16,
    /// In standard notation.
    pub san: String,
    /// The evaluation after the move.
    pub eval: Eval,
    /// White's win chances after it, in per cent.
    pub win: f64,
    /// The accuracy of the move in per cent.
    pub accuracy: f64,
    /// What it has lost, in hundredths of a pawn.
    pub loss: i32,
    /// What it is called.
    pub label: Option<Label>,
    /// The best line in its place, as moves and in standard notation.
    pub best: Vec<(Move, String)>,
    /// The evaluation before the move, which is that of the best line.
    pub before: Eval,
    /// How much worse the second-best line is, in hundredths of a pawn, if it was looked for.
    pub gap: Option<i32>,
    /// Further lines, with their evaluations.
    pub others: Vec<(Eval, Vec<String>)>,
    /// Depth of the search after the move, in plies.
    pub depth: u32,
    /// Its nodes.
    pub nodes: u64,
    /// The clock, in seconds, if the game has it.
    pub clock: Option<f64>,
}

/// A game, judged.
#[derive(Clone, Debug)]
pub struct JudgedGame {
    /// Where it comes from.
    pub origin: Origin,
    /// The game as it was read.
    pub game: PgnGame,
    /// Its opening.
    pub opening: Option<Name>,
    /// The moves of the main line.
    pub moves: Vec<JudgedMove>,
    /// The figures of White and Black.
    pub figures: [PlayerFigures; 2],
}

impl JudgedGame {
    /// Judges a game. There is a finding for every position of the main line.
    pub fn new(origin: Origin, game: PgnGame, findings: &[Finding]) -> Self {
        let line = MainLine::of(&game);
        let evals: Vec<Eval> = line
            .boards
            .iter()
            .zip(findings)
            .map(|(board, found)| eval(board, found))
            .collect();
        let nodes: Vec<_> = game.mainline().collect();
        let mut moves = Vec::with_capacity(line.moves.len());
        for (index, &mv) in line.moves.iter().enumerate() {
            let (Some(&before), Some(&after)) = (evals.get(index), evals.get(index + 1)) else {
                break;
            };
            let board = &line.boards[index];
            let color = board.turn();
            let white = color == Color::White;
            let found = &findings[index];
            let best = found
                .lines
                .first()
                .map_or_else(Vec::new, |best| named(board, best));
            let is_best = mv.is_some() && best.first().map(|(first, _)| *first) == mv;
            let (chances_before, chances_after) = if white {
                (before.win_percent(), after.win_percent())
            } else {
                (100.0 - before.win_percent(), 100.0 - after.win_percent())
            };
            let comments = &game.node(nodes[index]).comments;
            moves.push(JudgedMove {
                mv,
                color,
                number: board.fullmove_number(),
                san: mv.map_or_else(|| "--".to_owned(), |mv| board.san(mv).to_string()),
                eval: after,
                win: after.win_percent(),
                accuracy: move_accuracy(chances_before, chances_after),
                loss: loss(before, after, white),
                label: if is_best {
                    None
                } else {
                    label(before, after, white)
                },
                best,
                before,
                gap: gap(found),
                others: found
                    .lines
                    .iter()
                    .skip(1)
                    .map(|line| other(board, line))
                    .collect(),
                depth: findings[index + 1].depth,
                nodes: findings[index + 1].nodes,
                clock: comments
                    .iter()
                    .find_map(|text| annotation::clock(text))
                    .map(|clock| clock.as_secs_f64()),
            });
        }
        let white_first = line.boards[0].turn() == Color::White;
        let figures = game_figures(evals.get(1..).unwrap_or_default(), white_first);
        let standard = game.start().is_standard();
        let opening = standard
            .then(|| name_of_game(line.boards.iter().take(OPENING_PLIES + 1)))
            .flatten();
        Self {
            origin,
            game,
            opening,
            moves,
            figures,
        }
    }

    /// How many moves of a player have this label.
    pub fn count(&self, color: Color, label: Label) -> usize {
        self.moves
            .iter()
            .filter(|mv| mv.color == color && mv.label == Some(label))
            .count()
    }
}

/// The evaluation of a position from White's side.
pub fn eval(board: &Board, found: &Finding) -> Eval {
    match found.lines.first() {
        Some(line) => line_eval(board, line),
        None if board.in_check() => Eval::Mated {
            by_white: board.turn() == Color::Black,
        },
        None => Eval::Cp(0),
    }
}

/// The evaluation of a line from White's side.
fn line_eval(board: &Board, line: &FoundLine) -> Eval {
    Eval::from_score(Score::from_raw(line.score), board.turn() == Color::White)
}

/// A line with its moves in standard notation.
fn named(board: &Board, line: &FoundLine) -> Vec<(Move, String)> {
    let mut board = *board;
    let moves = line.moves_from(&board).into_iter();
    moves
        .map(|mv| {
            let san = board.san(mv).to_string();
            board = board.play(mv);
            (mv, san)
        })
        .collect()
}

fn other(board: &Board, line: &FoundLine) -> (Eval, Vec<String>) {
    let sans = named(board, line).into_iter().map(|(_, san)| san).collect();
    (line_eval(board, line), sans)
}

fn gap(found: &Finding) -> Option<i32> {
    let [first, second, ..] = found.lines.as_slice() else {
        return None;
    };
    let value = |line: &FoundLine| Eval::from_score(Score::from_raw(line.score), true).clamped();
    Some(value(first) - value(second))
}
