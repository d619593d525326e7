//! Matches of the full search against the search without some techniques, for their Elo.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;
use skewer_eval::Evaluation;
use skewer_movegen::CastlingMode;
use skewer_openings::Recipe;
use skewer_selfplay::duel::GameRules;
use skewer_selfplay::limit::Limit;
use skewer_selfplay::matches;
use skewer_selfplay::openings::Openings;
use skewer_selfplay::params::matches::{OPENING_MARGIN, TIME_MARGIN};
use skewer_selfplay::precision::Precision;
use skewer_selfplay::rules::ScoreRule;
use skewer_selfplay::spec::{EngineKind, EngineSpec, Ours};
use skewer_selfplay::stats::{Estimate, Pairs};
use skewer_selfplay::stop::Stop;
use skewer_types::Techniques;

use super::names;
use crate::params::duel as params;
use crate::plot::{Bar, Chart, Scale, Tone};

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

/// Plays a match.
///
/// # Errors
///
/// If there is no memory for a hash table, or the evaluation cannot be loaded.
pub fn play(setup: &Setup) -> Result<Worth> {
    let without = names(setup.without);
    let engine = |name: String, techniques| EngineSpec {
        name: Some(name),
        kind: EngineKind::Ours(Ours {
            techniques,
            evaluation: setup.evaluation.clone(),
            hash_mb: setup.hash_mb,
            parameters: Box::default(),
        }),
        limit: None,
    };
    let standing = matches::run(
        &matches::MatchSettings {
            engines: [
                // A technique that is off by default is on here.
                engine("full".to_owned(), Techniques::DEFAULT | setup.without),
                engine(
                    format!("without {without}"),
                    Techniques::DEFAULT - setup.without,
                ),
            ],
            texts: ["with", "without"].map(|key| format!("ours,{key}={without}")),
            limit: setup.limit,
            openings: Openings::Random {
                recipe: Recipe::default(),
                seed: setup.seed,
                margin: Some(OPENING_MARGIN),
            },
            rules: rules(),
            pairs: setup.pairs as u64,
            sprt: None,
            precision: setup.precision,
            threads: setup.jobs,
            out: None,
            conditions: setup.limit.to_string(),
        },
        &Stop::new(),
    )?;
    let [wins, draws, losses] = standing.games;
    Ok(Worth {
        without,
        wins,
        draws,
        losses,
        time_losses: standing.forfeits.iter().map(|lost| lost.time).sum(),
        pairs: standing.pairs,
        elo: standing.elo,
        likelihood: standing.likelihood_of_superiority,
    })
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
fn rules() -> GameRules {
    GameRules {
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
    }
}

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
