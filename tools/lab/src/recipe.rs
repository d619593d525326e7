//! Any algorithm or combination of textbook techniques on any game, from the command line.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use strum::IntoEnumIterator as _;

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use skewer_movegen::Board;

use crate::algorithms::{Algorithm, alpha_beta, solve};
use crate::chess::config::{Config, ConsecutiveNullMoves, Ideas, NullMove, Quiescence, QuietOrder};
use crate::chess::game::Chess;
use crate::chess::position::Position;
use crate::chess::positions;
use crate::chess::searcher::{Limits, Searcher, Thought};
use crate::game::{End, Game, Value, Visits, Window};
use crate::games::rows::Rows;
use crate::games::typed::TypedTree;
use crate::laboratory::{Laboratory, Memory, Node, Trace};
use crate::trace::Recording;

/// How to search: by an algorithm, or by a combination of techniques.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The text from which the recipe was read.
    name: String,
    method: Method,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// An algorithm for every game.
    Algorithm(Algorithm),
    /// The textbook searcher, for chess.
    Techniques(Config, Iterations),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Iterations {
    Last,
    All,
}

/// A technique: how it changes the configuration.
type Technique = fn(&mut Config);

/// The techniques by their names on the command line, a line of the help for each chapter.
const TECHNIQUES: [(&str, &[(&str, Technique)]); 5] = [
    (
        "whole searches",
        &[
            ("plain", |c| *c = Config::PLAIN),
            ("ordered", |c| *c = Config::ORDERED),
            ("full", |c| *c = Config::FULL),
        ],
    ),
    (
        "futility pruning (Kornilov, Heinz)",
        &[
            ("futility", |c| {
                add(c, Ideas::FUTILITY_NODE.union(Ideas::FUTILITY_PARENT));
            }),
            ("futility-node", |c| add(c, Ideas::FUTILITY_NODE)),
            ("futility-parent", |c| add(c, Ideas::FUTILITY_PARENT)),
            ("mates-first", |c| add(c, Ideas::MATES_FIRST)),
            ("check-extension", |c| add(c, Ideas::CHECK_EXTENSION)),
        ],
    ),
    (
        "minimax programs (Bratko)",
        &[
            ("no-quiescence", |c| c.quiescence = Quiescence::Off),
            ("checking-quiescence", |c| c.quiescence = Quiescence::Checks),
            ("forward-pruning", |c| add(c, Ideas::FORWARD_PRUNING)),
            ("path-draws", |c| add(c, Ideas::PATH_DRAWS)),
        ],
    ),
    (
        "order of quiet moves (Kornilov)",
        &[
            ("buckets", |c| c.quiet_order = QuietOrder::Buckets),
            ("best-at-once", |c| c.quiet_order = QuietOrder::BestAtOnce),
            ("sorted", |c| c.quiet_order = QuietOrder::Sorted),
            ("killers", |c| add(c, Ideas::KILLERS)),
            ("history", |c| add(c, Ideas::HISTORY)),
            ("hash-move", |c| add(c, Ideas::HASH_MOVE)),
            ("hash-value", |c| add(c, Ideas::HASH_VALUE)),
            ("checks-first", |c| add(c, Ideas::CHECKS_FIRST)),
            ("early-candidates", |c| add(c, Ideas::EARLY_CANDIDATES)),
            ("negascout", |c| add(c, Ideas::NEGASCOUT)),
        ],
    ),
    (
        "null move (Moreland, Heinz, Tabibi)",
        &[
            ("null-move", |c| pass(c, 2)),
            ("null-move-1", |c| pass(c, 1)),
            ("null-move-2", |c| pass(c, 2)),
            ("null-move-3", |c| pass(c, 3)),
            ("null-move-4", |c| pass(c, 4)),
            ("adaptive-null-move", |c| c.null_move = NullMove::Adaptive),
            ("verified-null-move", |c| c.null_move = NullMove::Verified),
            ("two-in-a-row", |c| {
                c.consecutive = ConsecutiveNullMoves::Two;
            }),
            ("unlimited-in-a-row", |c| {
                c.consecutive = ConsecutiveNullMoves::Unlimited;
            }),
            ("open-window", |c| add(c, Ideas::NULL_MOVE_OPEN_WINDOW)),
            ("needs-pieces", |c| add(c, Ideas::NULL_NEEDS_PIECES)),
            ("watch-queen-and-pawn", |c| {
                add(c, Ideas::WATCH_QUEEN_AND_PAWN);
            }),
            ("extend-queen-and-pawn", |c| {
                add(c, Ideas::EXTEND_QUEEN_AND_PAWN);
            }),
            ("smaller-r-queen-and-pawn", |c| {
                add(c, Ideas::SMALLER_R_QUEEN_AND_PAWN);
            }),
        ],
    ),
];

/// The name of iterative deepening: a search to each depth up to the last, with the same table.
const DEEPENING: &str = "deepening";

fn add(config: &mut Config, ideas: Ideas) {
    *config = config.with(ideas);
}

fn pass(config: &mut Config, reduction: i32) {
    config.null_move = NullMove::Plain { reduction };
}

/// The recipes, for the help of the commands.
pub fn help() -> String {
    let names = |names: &[&str]| names.join(" ");
    let algorithms: Vec<_> = Algorithm::iter().map(Algorithm::recipe).collect();
    let mut text = format!(
        "Recipes for every game, one at a time:\n  {}\n\nTechniques for chess, joined by +, as in \
         null-move+futility+{DEEPENING}:\n",
        names(&algorithms)
    );
    for (chapter, techniques) in TECHNIQUES {
        let listed: Vec<_> = techniques.iter().map(|(name, _)| *name).collect();
        let _ = writeln!(text, "  {chapter}:\n    {}", names(&listed));
    }
    let _ = writeln!(
        text,
        "  iterative deepening:\n    {DEEPENING}\nA whole search, such as ordered, replaces the techniques before it."
    );
    text
}

impl FromStr for Recipe {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let recipe = |method| Self {
            name: text.to_owned(),
            method,
        };
        let mut algorithms = Algorithm::iter();
        if let Some(algorithm) = algorithms.find(|algorithm| algorithm.recipe() == text) {
            return Ok(recipe(Method::Algorithm(algorithm)));
        }
        let (mut config, mut iterations) = (Config::PLAIN, Iterations::Last);
        for part in text.split('+') {
            let mut all = TECHNIQUES.iter().flat_map(|(_, techniques)| *techniques);
            if part == DEEPENING {
                iterations = Iterations::All;
            } else if let Some((_, technique)) = all.find(|(name, _)| *name == part) {
                technique(&mut config);
            } else {
                // An algorithm is a whole search; NegaScout is a technique too.
                let by_technique = text
                    .split('+')
                    .map(|other| if other == part { "negascout" } else { other });
                ensure!(
                    !Algorithm::iter().any(|algorithm| algorithm.recipe() == part),
                    "`{part}` is an algorithm for every game, which stands alone: only techniques of chess are joined \
                     by +. The technique with the null windows of `pvs` is `negascout`: try `{}`",
                    by_technique.collect::<Vec<_>>().join("+")
                );
                bail!(
                    "there is no recipe `{part}`: `skewer-lab search --help` lists them; join \
                     techniques by +"
                );
            }
        }
        Ok(recipe(Method::Techniques(config, iterations)))
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The games with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NamedGame {
    /// Chess, from an opening.
    Chess,
    /// The pawn race: kings and eight pawns each.
    Pawns,
    /// Chess: White to move is in zugzwang (in place of Moreland's first diagram).
    Zugzwang,
    /// Chess: White, a rook ahead, is mated next move (in place of Moreland's second diagram, after Goetsch and
    /// Campbell).
    Horizon,
    /// Three in a row on 3x3.
    Rows3,
    /// Four in a row on 4x4.
    Rows4,
    /// Four in a row on 5x5.
    Rows5,
}

/// What is searched, by what, and how deep.
#[derive(Debug, Clone, Args)]
pub struct Question {
    /// How to search; several for a comparison. The list is below.
    #[arg(long, value_name = "RECIPE", default_value = "alpha-beta")]
    pub recipe: Vec<Recipe>,
    /// A chess position.
    #[arg(long, conflicts_with_all = ["tree", "game"])]
    pub fen: Option<String>,
    /// A tree, such as "((3 5) (6 9) (1 2))": the side at the root maximises, and numbers are leaves.
    #[arg(
        long,
        value_name = "TREE",
        conflicts_with = "game",
        allow_hyphen_values = true
    )]
    pub tree: Option<TypedTree>,
    /// A game from its beginning.
    #[arg(long, value_enum, default_value = "chess")]
    pub game: NamedGame,
    /// Search the position as an inner node, with the null window below VALUE: null moves and pruning are
    /// allowed, as they are not at the root. The answer is whether the value reaches VALUE. For techniques of
    /// chess.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, value_parser = clap::value_parser!(Value).range(-29_000..=29_000))]
    pub at_least: Option<Value>,
    /// How deep, in plies [default: 4, or the whole of a typed tree].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=15))]
    pub depth: Option<u32>,
}

/// The most leaves of an algorithm that visits all of them, or keeps a large part.
const MOST_LEAVES: f64 = 2e7;

/// What to record of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observe {
    /// The counts.
    Counts,
    /// All steps.
    Steps,
}

/// The answer of one recipe.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// The recipe.
    pub recipe: String,
    /// The value for the side to move at the root.
    pub value: Value,
    /// With `--at-least`, the beta of the null window; the value is then a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Value>,
    /// A move that has this value; none if the game is over.
    pub best: Option<String>,
    /// The depth in plies.
    pub depth: u32,
    /// Nodes whose moves were searched or that were cut before.
    pub inner: u64,
    /// Leaves evaluated.
    pub leaves: u64,
    /// Nodes of quiescence below the leaves.
    pub quiescence: u64,
    /// Searches from the root.
    pub passes: u64,
    /// Moves searched again.
    pub researches: u64,
    /// Moves that were skipped as futile or implausible.
    pub skipped: u64,
    /// Moves generated, by the textbook searcher.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generated: Option<u64>,
    /// The most entries of the table or of the OPEN list.
    pub stored: u64,
    /// Windows, and how nodes ended.
    pub visits: Visits,
}

impl Answer {
    /// Whether two recipes did the same: what they visited, how each node ended, and the moves that they generated.
    pub fn is_the_search_of(&self, other: &Self) -> bool {
        let counts = |answer: &Self| {
            let Self {
                inner,
                leaves,
                quiescence,
                generated,
                visits,
                ..
            } = answer;
            ([*inner, *leaves, *quiescence], *generated, *visits)
        };
        counts(self) == counts(other)
    }

    /// The value, or the bound that the null window of `--at-least` leaves.
    fn value_in_words(&self) -> String {
        match self.asked {
            Some(beta) if self.value >= beta => format!(">= {beta}"),
            Some(beta) => format!("< {beta}"),
            None => self.value.to_string(),
        }
    }
}

/// An answer, and the recording if one was wanted.
pub type Observed = (Answer, Option<Recording>);

impl Question {
    /// The depth of the search.
    fn depth(&self) -> u32 {
        let whole = self.tree.as_ref().map_or(4, TypedTree::height);
        self.depth.unwrap_or(whole)
    }

    /// What is searched, for a heading.
    pub fn in_words(&self) -> String {
        let what = match (&self.fen, &self.tree) {
            (Some(fen), _) => fen.clone(),
            (_, Some(_)) => "a typed tree".to_owned(),
            _ => match self.game {
                NamedGame::Chess => "chess, an opening".to_owned(),
                NamedGame::Pawns => "the pawn race".to_owned(),
                NamedGame::Zugzwang => format!("zugzwang, {}", positions::ZUGZWANG),
                NamedGame::Horizon => format!("mated next move, {}", positions::HORIZON),
                NamedGame::Rows3 => "three in a row on 3x3".to_owned(),
                NamedGame::Rows4 => "four in a row on 4x4".to_owned(),
                NamedGame::Rows5 => "four in a row on 5x5".to_owned(),
            },
        };
        let asked = match self.at_least {
            Some(value) => format!(", as an inner node: at least {value}?"),
            None => String::new(),
        };
        format!("{what}, {} plies{asked}", self.depth())
    }

    /// The answers of all recipes.
    ///
    /// # Errors
    ///
    /// If there is no such position, or a recipe cannot search it.
    pub fn answer(&self, observe: Observe) -> Result<Vec<Observed>> {
        let ask = |recipe| match self.ask(recipe, observe)? {
            (answer, Some(recording)) if recording.truncated => bail!(
                "`{}` takes more than {} steps or sees more moves than that; give a smaller depth",
                answer.recipe,
                Recording::MOST_STEPS
            ),
            observed => Ok(observed),
        };
        self.recipe.iter().map(ask).collect()
    }

    fn ask(&self, recipe: &Recipe, observe: Observe) -> Result<Observed> {
        if let Some(tree) = &self.tree {
            return self.by_algorithm(recipe, tree, observe);
        }
        let rows = |width, row| Rows::new(width, width, row);
        let board = match (&self.fen, self.game) {
            (Some(fen), _) => Board::from_fen(fen).context("no such position")?,
            (None, NamedGame::Chess) => *positions::openings()[0].board(),
            (None, NamedGame::Pawns) => Board::from_fen(positions::PAWN_RACE)?,
            (None, NamedGame::Zugzwang) => Board::from_fen(positions::ZUGZWANG)?,
            (None, NamedGame::Horizon) => Board::from_fen(positions::HORIZON)?,
            (None, NamedGame::Rows3) => return self.by_algorithm(recipe, &rows(3, 3), observe),
            (None, NamedGame::Rows4) => return self.by_algorithm(recipe, &rows(4, 4), observe),
            (None, NamedGame::Rows5) => return self.by_algorithm(recipe, &rows(5, 4), observe),
        };
        let Method::Techniques(config, iterations) = recipe.method else {
            let chess = Chess::new(board);
            return self.by_algorithm(recipe, &chess, observe);
        };
        let mut searcher = Searcher::new(config);
        if observe == Observe::Steps {
            searcher.record();
        }
        let (position, depth) = (Position::new(board), self.depth() as i32);
        let thought = match (self.at_least, iterations) {
            (Some(_), Iterations::All) => bail!(
                "`{recipe}` searches to each depth from the root, and `--at-least` one inner node; leave out \
                 `{DEEPENING}`"
            ),
            (Some(beta), Iterations::Last) => Thought {
                best: None,
                value: searcher.probe(&position, depth, Window::null(beta)),
                depth,
            },
            (None, Iterations::Last) => searcher.search_to_depth(&position, depth),
            (None, Iterations::All) => searcher.think(&position, Limits::depth(depth)),
        };
        let (effort, searcher_entries) = (searcher.effort, searcher.stored());
        let recording = searcher.recording();
        let answer = Answer {
            recipe: recipe.to_string(),
            value: thought.value,
            asked: self.at_least,
            best: thought.best.map(|mv| board.san(mv).to_string()),
            depth: self.depth(),
            inner: effort.nodes,
            leaves: effort.horizons,
            quiescence: effort.quiescence,
            passes: if iterations == Iterations::All {
                self.depth().into()
            } else {
                1
            },
            researches: effort.researches,
            skipped: effort.skipped,
            generated: Some(effort.generated),
            stored: searcher_entries,
            visits: effort.visits,
        };
        Ok((answer, recording))
    }

    fn by_algorithm<G: Game>(
        &self,
        recipe: &Recipe,
        game: &G,
        observe: Observe,
    ) -> Result<Observed> {
        let Method::Algorithm(algorithm) = recipe.method else {
            bail!(
                "`{recipe}` is made of techniques of chess; on this game use an algorithm, for \
                 example negascout"
            );
        };
        ensure!(
            self.at_least.is_none(),
            "`{recipe}` searches from the root; `--at-least` is for techniques of chess, such as null-move"
        );
        let depth = self.depth();
        if self.tree.is_none() {
            let leaves = f64::powi(game.moves().len() as f64, depth as i32);
            // Algorithms that prune visit about the square root of the leaves at best.
            let visited = match algorithm {
                Algorithm::Minimax => leaves,
                _ => leaves.sqrt(),
            };
            ensure!(
                visited <= MOST_LEAVES,
                "`{recipe}` would visit about {visited:.0e} leaves; give a smaller depth"
            );
        }
        let mut laboratory = algorithm.laboratory();
        let root = Node::root(game, depth);
        if observe == Observe::Steps {
            laboratory.record();
            if self.tree.is_some() {
                laboratory.plant(&root);
            }
        }
        let value = solve(algorithm, game, depth, &mut laboratory);
        let tally = laboratory.tally;
        let answer = Answer {
            recipe: recipe.to_string(),
            value,
            asked: None,
            best: best_move(&root, value),
            depth,
            inner: tally.interior + tally.visits.ended(End::Known),
            leaves: tally.leaves,
            quiescence: tally.quiescence,
            passes: tally.passes,
            researches: tally.researches,
            skipped: 0,
            generated: None,
            stored: tally.stored,
            visits: tally.visits,
        };
        Ok((answer, laboratory.recording()))
    }
}

/// The first move that reaches `value`, by a search that is not counted.
fn best_move<G: Game>(root: &Node<G>, value: Value) -> Option<String> {
    let mut laboratory = Laboratory::new(Memory::Off, Trace::Counts);
    let moves = root.game.moves();
    let reaches = |number: &usize| {
        let child = root.nth_child(*number);
        -alpha_beta(&mut laboratory, &child, Window::null(value).flip()) >= value
    };
    let best = (0..moves.len()).filter(|_| root.depth > 0).find(reaches);
    best.map(|number| root.game.label(moves[number]))
}

/// A row of the text: a name and a cell.
type Row = (&'static str, fn(&Answer) -> String);

const ROWS: [Row; 20] = [
    ("recipe", |a| a.recipe.clone()),
    ("value", Answer::value_in_words),
    ("best move", |a| {
        a.best.clone().unwrap_or_else(|| "-".to_owned())
    }),
    ("nodes", |a| (a.inner + a.leaves + a.quiescence).to_string()),
    ("  inner", |a| a.inner.to_string()),
    ("  leaves", |a| a.leaves.to_string()),
    ("  quiescence", |a| a.quiescence.to_string()),
    ("open windows", |a| a.visits.wide_windows.to_string()),
    ("null windows", |a| a.visits.null_windows.to_string()),
    ("cut-offs: move", |a| {
        a.visits.ended(End::Cutoff).to_string()
    }),
    ("  null move", |a| a.visits.ended(End::NullMove).to_string()),
    ("  futility", |a| a.visits.ended(End::Futile).to_string()),
    ("  memory", |a| a.visits.ended(End::Known).to_string()),
    ("moves generated", |a| {
        a.generated
            .map_or_else(|| "-".to_owned(), |moves| moves.to_string())
    }),
    ("  skipped", |a| a.skipped.to_string()),
    ("searched again", |a| a.researches.to_string()),
    ("exact", |a| a.visits.ended(End::Exact).to_string()),
    ("failed low", |a| a.visits.ended(End::FailLow).to_string()),
    ("passes", |a| a.passes.to_string()),
    ("stored", |a| a.stored.to_string()),
];

/// The answers for a terminal, a column for each recipe.
pub fn as_text(question: &Question, answers: &[Answer]) -> String {
    let mut text = format!("{}\n\n", question.in_words());
    for (name, cell) in ROWS {
        let _ = write!(text, "{name:<15}");
        for answer in answers {
            let width = answer.recipe.len().max(12) + 2;
            let _ = write!(text, "{:>width$}", cell(answer));
        }
        text.push('\n');
    }
    for (number, one) in answers.iter().enumerate() {
        for other in &answers[..number] {
            if one.is_the_search_of(other) {
                let (one, other) = (&one.recipe, &other.recipe);
                let _ = write!(
                    text,
                    "\n`{one}` visits the nodes of `{other}`: here they are one search.\n"
                );
            }
        }
    }
    text + "\nvalue: for the side to move, in chess in hundredths of a pawn. windows: of the nodes entered.\n\
            cut-offs: nodes that were left before all moves were searched, by reason. stored: most\n\
            entries in the table, or in the OPEN list of SSS*.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `skewer-lab search` prints for these recipes on a tree.
    fn printed(tree: &str, recipes: &[&str]) -> String {
        let question = Question {
            recipe: recipes.iter().map(|name| name.parse().unwrap()).collect(),
            fen: None,
            tree: Some(tree.parse().unwrap()),
            game: NamedGame::Chess,
            at_least: None,
            depth: None,
        };
        let observed = question.answer(Observe::Counts).unwrap();
        let answers: Vec<_> = observed.into_iter().map(|(answer, _)| answer).collect();
        as_text(&question, &answers)
    }

    #[test]
    fn a_comparison_of_a_search_with_itself_is_named() {
        let same = "`pvs-hard` visits the nodes of `pvs`: here they are one search.";
        let forms = ["pvs", "alpha-beta", "pvs-hard"];
        assert!(printed("((3 5) (6 9) (1 2))", &forms).contains(same));
        // In the second search of a move a leaf is worth more than beta. Fail-hard limits its value to the null window,
        // and so searches the leaf again.
        assert!(!printed("((8 (3 ((4 9) 6))))", &forms).contains("one search"));
    }
}
