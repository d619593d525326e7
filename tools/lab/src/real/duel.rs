//! Matches of the full search against the search without some techniques, for their Elo.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::mpsc::SyncSender;

use anyhow::Result;
use serde::Serialize;
use skewer_common::chart::{Bar, Chart, Scale, Tone};
use skewer_common::game::{Cause, MatchRules, OwnEngine, TIME_MARGIN, half_points, play_pair};
use skewer_common::limit::Limit;
use skewer_common::opening;
use skewer_common::progress::Progress;
use skewer_common::rules::ScoreRule;
use skewer_common::stats::{Estimate, Pairs, Precision};
use skewer_common::stop::Stop;
use skewer_common::workers::{self, Tasks, break_if};
use skewer_eval::Evaluation;
use skewer_movegen::CastlingMode;
use skewer_openings::Recipe;
use skewer_search::Solo;
use skewer_tt::TableSize;
use skewer_types::Techniques;

use super::names;
use crate::params::duel as params;

/// The match to play.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The techniques that the second player lacks.
    pub without: Techniques,
    /// The most pairs of games; each opening is played from both sides.
    pub pairs: usize,
    /// The error of the result that ends the match sooner.
    pub precision: Option<Precision>,
    /// The limit of a move.
    pub limit: Limit,
    /// The seed of the openings.
    pub seed: u64,
    /// The size of each player's hash table, in megabytes.
    pub hash_mb: usize,
    /// Games at the same time.
    pub jobs: usize,
    /// The evaluation of both players.
    pub evaluation: Evaluation,
}

/// The result of a match, from the side of the full search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Worth {
    /// The techniques that the second player lacked.
    pub without: String,
    /// Games won by the full search.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the full search.
    pub losses: u64,
    /// Games that either player lost on time. If there are any, the result is not reliable.
    pub time_losses: u64,
    /// The number of pairs of games with 0, ½, 1, 1½ and 2 points.
    pub pairs: Pairs,
    /// The Elo of the techniques with a 95% interval; `None` if nothing was played.
    pub elo: Option<Estimate>,
    /// The likelihood that the full search is the stronger.
    pub likelihood: f64,
}

/// The results of a pair of games.
struct PairResult {
    /// Half points of the full search in each game, 0 to 2.
    half_points: [u8; 2],
    /// Games that either player lost on time.
    time_losses: u64,
}

/// Plays a match.
///
/// # Errors
///
/// If there is no memory for a hash table, or the evaluation cannot be loaded.
pub fn play(setup: &Setup) -> Result<Worth> {
    let most = setup.pairs as u64;
    let tasks = Tasks::new(0, most, HashSet::new());
    let worker = |end: &Stop, results: &SyncSender<Result<PairResult>>| {
        let mut players = match players(setup) {
            Ok(players) => players,
            Err(error) => return drop(results.send(Err(error))),
        };
        while let Some(number) = tasks.next(end) {
            let Some(pair) = play_one(setup, &mut players, number, end).transpose() else {
                return;
            };
            if results.send(pair).is_err() {
                return;
            }
        }
    };
    let (mut pairs, mut games, mut time_losses) = (Pairs::default(), [0; 3], 0);
    let mut progress = Progress::new(Some(most));
    workers::run(
        vec![worker; setup.jobs.max(1)],
        &Stop::new(),
        |pair: Option<Result<PairResult>>| {
            if let Some(pair) = pair.transpose()? {
                pairs.add(pair.half_points.iter().sum::<u8>().into());
                for half_points in pair.half_points {
                    games[2 - usize::from(half_points)] += 1;
                }
                time_losses += pair.time_losses;
            }
            let [wins, draws, losses] = games;
            progress.update(pairs.pairs(), || format!("+{wins} ={draws} -{losses}"));
            let precise = setup.precision.is_some_and(|p| p.is_reached(&pairs));
            Ok(break_if(precise))
        },
    )?;
    progress.finish();
    let [wins, draws, losses] = games;
    Ok(Worth {
        without: names(setup.without),
        wins,
        draws,
        losses,
        time_losses,
        pairs,
        elo: pairs.elo(),
        likelihood: pairs.likelihood_of_superiority(),
    })
}

/// The full search, and the search without the techniques. A technique that is off by default is on in the
/// full search.
fn players(setup: &Setup) -> Result<[OwnEngine; 2]> {
    let player = |name: &str, techniques| -> Result<OwnEngine> {
        let size = TableSize::from_megabytes(setup.hash_mb);
        let search = Solo::new(&setup.evaluation, size)?.with_techniques(techniques);
        Ok(OwnEngine {
            name: name.to_owned(),
            limit: setup.limit,
            search: Box::new(search),
        })
    };
    Ok([
        player("full", Techniques::DEFAULT | setup.without)?,
        player("without", Techniques::DEFAULT - setup.without)?,
    ])
}

/// Plays both games of an opening; `None` if the match has ended before.
fn play_one(
    setup: &Setup,
    [full, without]: &mut [OwnEngine; 2],
    number: u64,
    end: &Stop,
) -> Result<Option<PairResult>> {
    let opening = opening::random(&Recipe::default(), setup.seed, number)?;
    let games = play_pair(full, without, &opening, &RULES, end)?;
    Ok(games.map(|games| PairResult {
        half_points: half_points(games.each_ref().map(|game| game.result)),
        time_losses: games
            .iter()
            .filter(|game| matches!(game.cause, Cause::Time(_)))
            .count() as u64,
    }))
}

/// Every technique that has an effect under this limit: those of time management need a clock.
pub fn each(limit: Limit) -> Vec<Techniques> {
    let timed =
        Techniques::TIME_BY_NODES | Techniques::TIME_BY_STABILITY | Techniques::TIME_BY_SCORE;
    let has_clock = matches!(limit, Limit::Clock(_));
    Techniques::all()
        .iter()
        .filter(|technique| has_clock || !timed.contains(*technique))
        .collect()
}

/// How games are ended early.
const RULES: MatchRules = MatchRules {
    win: Some(ScoreRule {
        score: params::WIN_SCORE,
        plies: params::WIN_PLIES,
        from: 0,
    }),
    draw: Some(ScoreRule {
        score: params::DRAW_SCORE,
        plies: params::DRAW_PLIES,
        from: params::DRAW_FROM,
    }),
    margin: TIME_MARGIN,
    mode: CastlingMode::Standard,
};

impl Worth {
    /// The cells of a row, in the order of [`HEADS`].
    fn cells(&self) -> [String; 6] {
        [
            self.without.clone(),
            self.wins.to_string(),
            self.draws.to_string(),
            self.losses.to_string(),
            self.elo_text(),
            format!("{:.1}%", 100.0 * self.likelihood),
        ]
    }

    fn elo_text(&self) -> String {
        match self.elo {
            Some(elo) if elo.error.is_finite() => format!("{:+.0} ± {:.0}", elo.value, elo.error),
            Some(elo) => format!("{:+.0}, error unknown", elo.value),
            None => "nothing played".to_owned(),
        }
    }
}

/// The heads of the columns.
const HEADS: [&str; 6] = [
    "worth of",
    "won",
    "drawn",
    "lost",
    "Elo (95%)",
    "likelihood",
];

/// The results as a table for a terminal.
pub fn as_text(results: &[Worth]) -> String {
    let line = |[name, won, drawn, lost, elo, likelihood]: [String; 6]| {
        format!("{name:<28}{won:>7}{drawn:>7}{lost:>7}{elo:>22}{likelihood:>12}\n")
    };
    let mut text = line(HEADS.map(str::to_owned));
    text.extend(results.iter().map(|result| line(result.cells())));
    text.push_str(
        "\nwon, drawn, lost: by the full search against the one without. likelihood: that the\n\
         full search is the stronger.\n",
    );
    let late: u64 = results.iter().map(|result| result.time_losses).sum();
    if late > 0 {
        let _ = writeln!(
            text,
            "{late} games were lost on time: do not use the result."
        );
    }
    text
}

/// The results as a Markdown table.
pub fn as_markdown(results: &[Worth]) -> String {
    let mut text = format!(
        "| {} |\n|---|---:|---:|---:|---:|---:|\n",
        HEADS.join(" | ")
    );
    for result in results {
        let _ = writeln!(text, "| {} |", result.cells().join(" | "));
    }
    text
}

/// The Elo of each technique, with its interval.
pub fn chart(results: &[Worth], limit: Limit) -> Chart {
    let bar = |result: &Worth| {
        let cut = |elo: f64| elo.clamp(-params::MOST_ELO, params::MOST_ELO);
        Bar {
            label: result.without.clone(),
            length: result.elo.map_or(0.0, |elo| cut(elo.value)),
            interval: result
                .elo
                .filter(|elo| elo.error.is_finite())
                .map(|elo| (cut(elo.value - elo.error), cut(elo.value + elo.error))),
            note: result.elo_text(),
            tone: Tone::Plain,
        }
    };
    Chart {
        title: "What each technique is worth in games".to_owned(),
        subtitle: format!(
            "full search against the search without it, {limit}; lines are 95% intervals"
        ),
        axis: "Elo".to_owned(),
        scale: Scale::Linear,
        bars: results.iter().map(bar).collect(),
    }
}
