//! Self-play: the full search against the search without some techniques, for their Elo.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde::Serialize;
use skewer_eval::Evaluation;
use skewer_gamedata::GameResult;
use skewer_movegen::{Board, Color};
use skewer_openings::{Judge, Opening, Recipe, Rng};
use skewer_search::{Clock, Limits, Position, Solo};
use skewer_selfplay::rules::{Adjudicator, ScoreRule, ending};
use skewer_selfplay::stats::{Estimate, Pairs};
use skewer_tt::TableSize;
use skewer_types::Techniques;

use super::{in_parallel, names};
use crate::params::duel as params;
use crate::plot::{Bar, Chart, Scale, Tone};
use crate::progress::Progress;

/// What a move may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Nodes for each move: the games come out the same every time, but what a technique costs
    /// in time does not count.
    Nodes(u64),
    /// A clock for the game and what each move adds to it.
    Clock {
        /// At the start.
        time: Duration,
        /// After each move.
        increment: Duration,
    },
}

/// What to play.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What the second player goes without.
    pub without: Techniques,
    /// Pairs of games; each opening is played from both sides.
    pub pairs: usize,
    /// What a move may cost.
    pub budget: Budget,
    /// Which openings.
    pub seed: u64,
    /// The size of each player's hash table, in megabytes.
    pub hash_mb: usize,
    /// Games at the same time.
    pub jobs: usize,
    /// The evaluation of both.
    pub evaluation: Evaluation,
}

/// What came of it, for the full search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Verdict {
    /// What the other went without.
    pub without: String,
    /// Games won by the full search.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the full search.
    pub losses: u64,
    /// Pairs of games that brought 0, ½, 1, 1½ and 2 points.
    pub pairs: Pairs,
    /// What the technique is worth in Elo, and how far that may be off; `None` if nothing was
    /// played.
    pub elo: Option<Estimate>,
    /// How likely it is that the full search is the stronger.
    pub likelihood: f64,
}

/// Plays a match.
///
/// # Errors
///
/// If there is no memory for a hash table, no thread to be had, or the evaluation cannot be
/// loaded.
pub fn play(setup: &Setup) -> Result<Verdict> {
    let openings = openings(setup)?;
    let progress = Progress::new(2 * setup.pairs);
    progress.doing(&format!("without {}", names(setup.without)));
    let played = in_parallel(&openings, setup.jobs, |opening| {
        let full = Techniques::DEFAULT;
        let mut players = [player(setup, full)?, player(setup, full - setup.without)?];
        let mut results = [0; 2];
        for (result, full_is) in results.iter_mut().zip([Color::White, Color::Black]) {
            *result = half_points(game(opening, &mut players, full_is, setup.budget), full_is);
            progress.step();
        }
        Ok(results)
    })?;
    progress.finish();
    let mut pairs = Pairs::default();
    let mut counts = [0; 3];
    for results in played {
        pairs.add(results.iter().sum());
        for result in results {
            counts[result] += 1;
        }
    }
    Ok(Verdict {
        without: names(setup.without),
        wins: counts[2],
        draws: counts[1],
        losses: counts[0],
        pairs,
        elo: pairs.elo(),
        likelihood: pairs.likelihood_of_superiority(),
    })
}

/// Every technique by itself that can matter with this budget.
pub fn each(budget: Budget) -> Vec<Techniques> {
    let clock =
        Techniques::TIME_BY_NODES | Techniques::TIME_BY_STABILITY | Techniques::TIME_BY_SCORE;
    let timed = !matches!(budget, Budget::Nodes(_));
    Techniques::DEFAULT
        .iter()
        .filter(|technique| timed || !clock.contains(*technique))
        .collect()
}

fn player(setup: &Setup, techniques: Techniques) -> Result<Solo> {
    let size = TableSize::from_megabytes(setup.hash_mb);
    Ok(Solo::new(&setup.evaluation, size)?.with_techniques(techniques))
}

/// Balanced random openings, the same for the same seed.
fn openings(setup: &Setup) -> Result<Vec<Board>> {
    let mut judge = Judge::new(&setup.evaluation, params::JUDGE_NODES)?;
    let mut rng = Rng::new(setup.seed);
    let recipe = Recipe::default();
    let mut score = |board: &Board| Some(judge.score(board)?.raw());
    let (margin, tries) = (params::LEVEL, params::TRIES);
    Ok((0..setup.pairs)
        .map(|_| Opening::balanced(&recipe, &mut rng, margin, tries, &mut score).board)
        .collect())
}

/// One game.
fn game(opening: &Board, players: &mut [Solo; 2], full_is: Color, budget: Budget) -> GameResult {
    for player in players.iter_mut() {
        player.clear();
    }
    let mut position = Position::new(*opening);
    let win = ScoreRule {
        score: params::WIN_SCORE,
        plies: params::WIN_PLIES,
        from: 0,
    };
    let draw = ScoreRule {
        score: params::DRAW_SCORE,
        plies: params::DRAW_PLIES,
        from: params::DRAW_FROM,
    };
    let mut adjudicator = Adjudicator::new(Some(win), Some(draw));
    let mut clocks = match budget {
        Budget::Clock { time, .. } => [time; 2],
        Budget::Nodes(_) => [Duration::ZERO; 2],
    };
    for ply in 0..params::LONGEST {
        let turn = position.board().turn();
        if let Some(ending) = ending(&position) {
            return ending.result(turn);
        }
        let side = usize::from(turn != full_is);
        let limits = match budget {
            Budget::Nodes(nodes) => Limits::nodes(nodes),
            Budget::Clock { increment, .. } => Limits::clock(Clock {
                remaining: clocks[side],
                increment,
                moves_to_go: None,
            }),
        };
        let started = Instant::now();
        let outcome = players[side].search(&position, &limits);
        let Some(best) = outcome.best else {
            return GameResult::Draw;
        };
        if let Budget::Clock { increment, .. } = budget {
            let Some(left) = clocks[side].checked_sub(started.elapsed()) else {
                return GameResult::win_for(!turn);
            };
            clocks[side] = left + increment;
        }
        let score = outcome.score.raw();
        let white = if turn == Color::White { score } else { -score };
        if let Some(result) = adjudicator.note(ply, Some(white)) {
            return result;
        }
        position.play(best);
    }
    GameResult::Draw
}

/// What a result is worth to `side`: 2 for a win, 1 for a draw.
fn half_points(result: GameResult, side: Color) -> usize {
    (2.0 * result.points_for(side)) as usize
}

impl Verdict {
    fn elo_text(&self) -> String {
        match self.elo {
            Some(elo) if elo.error.is_finite() => format!("{:+.0} ± {:.0}", elo.value, elo.error),
            Some(elo) => format!("{:+.0}, error unknown", elo.value),
            None => "nothing played".to_owned(),
        }
    }
}

/// The results as a table for a terminal.
pub fn as_text(results: &[Verdict]) -> String {
    let mut text = format!(
        "{:<28}{:>7}{:>7}{:>7}{:>22}{:>12}\n",
        "worth of", "won", "drawn", "lost", "Elo (95%)", "likelihood"
    );
    for result in results {
        let _ = writeln!(
            text,
            "{:<28}{:>7}{:>7}{:>7}{:>22}{:>11.1}%",
            result.without,
            result.wins,
            result.draws,
            result.losses,
            result.elo_text(),
            100.0 * result.likelihood
        );
    }
    text.push_str(
        "\nwon, drawn, lost: by the full search against the one without. likelihood: that the\n\
         full search is the stronger.\n",
    );
    text
}

/// The results as a Markdown table.
pub fn as_markdown(results: &[Verdict]) -> String {
    let mut text = String::from(
        "| worth of | won | drawn | lost | Elo (95%) | likelihood |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for result in results {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {:.1}% |",
            result.without,
            result.wins,
            result.draws,
            result.losses,
            result.elo_text(),
            100.0 * result.likelihood
        );
    }
    text
}

/// The Elo of each technique, with its interval.
pub fn chart(results: &[Verdict], games: usize, budget: Budget) -> Chart {
    let bar = |result: &Verdict| {
        let cut = |elo: f64| elo.clamp(-params::MOST_ELO, params::MOST_ELO);
        Bar {
            label: result.without.clone(),
            length: result.elo.map_or(0.0, |elo| cut(elo.value)),
            interval: result
                .elo
                .map(|elo| (cut(elo.value - elo.error), cut(elo.value + elo.error))),
            note: result.elo_text(),
            tone: Tone::Plain,
        }
    };
    let limit = match budget {
        Budget::Nodes(nodes) => format!("{nodes} nodes a move"),
        Budget::Clock { time, increment } => {
            format!("{} + {} s", time.as_secs_f64(), increment.as_secs_f64())
        }
    };
    Chart {
        title: "What each technique is worth in games".to_owned(),
        subtitle: format!(
            "full search against the search without it, {games} games each, {limit}; lines are 95% \
             intervals"
        ),
        axis: "Elo".to_owned(),
        scale: Scale::Linear,
        bars: results.iter().map(bar).collect(),
    }
}
