//! Matches of the full search against the search without some techniques, for their Elo.

use std::collections::HashSet;
use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;
use skewer_common::chart::{Bar, Chart, Scale, Tone};
use skewer_common::game::{Cause, MatchRules, Player, TIME_MARGIN, half_points, play_pair};
use skewer_common::limit::{Limit, TimeControl};
use skewer_common::opening;
use skewer_common::options::techniques;
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

use super::{EngineArgs, names};
use crate::params::duel as params;
use crate::table;

/// The matches to play.
#[derive(Debug, clap::Args)]
pub struct Setup {
    /// The techniques that the second player lacks, joined by `+`. Each `--without` is a match of
    /// its own.
    #[arg(long, value_name = "NAME", required_unless_present = "each", value_delimiter = ',', value_parser = techniques)]
    pub without: Vec<Techniques>,
    /// A match for each technique, one after another; those for the clock are left out, unless
    /// there is one.
    #[arg(long, conflicts_with = "without")]
    pub each: bool,
    /// Games; an even number, since each opening is played from both sides.
    #[arg(long, default_value_t = 200, value_parser = even)]
    pub games: u64,
    /// Stop a match sooner, when the error of its result (95%) is no more than this.
    #[arg(long, value_name = "ELO")]
    pub precision: Option<Precision>,
    /// Nodes for each move.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "tc")]
    pub nodes: u64,
    /// A clock instead: SECONDS+INCREMENT, for example 5+0.05. With @NODES after it the clock counts
    /// nodes, NODES a millisecond, and games are the same on every machine: 1+0.01@150
    #[arg(long, value_name = "CLOCK")]
    pub tc: Option<TimeControl>,
    /// The seed of the openings: each number gives others.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The engine of both players.
    #[command(flatten)]
    pub engine: EngineArgs,
}

/// A number of games that come in pairs.
fn even(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(games) if (1..=1_000_000).contains(&games) && games % 2 == 0 => Ok(games),
        Ok(games) if games % 2 == 1 => Err(
            "give an even number: games are played in pairs, each opening from both sides"
                .to_owned(),
        ),
        _ => Err("give a number from 1 to 1000000".to_owned()),
    }
}

impl Setup {
    /// The limit of a move.
    fn limit(&self) -> Limit {
        self.tc.map_or(Limit::Nodes(self.nodes), Limit::Clock)
    }
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

/// Plays the matches, one after another.
///
/// # Errors
///
/// If there is no memory for a hash table.
pub fn run(setup: &Setup) -> Result<Vec<Worth>> {
    let evaluation = setup.engine.evaluation.chosen();
    let without = if setup.each {
        each(setup.limit())
    } else {
        setup.without.clone()
    };
    let play = |without| play(setup, without, &evaluation);
    without.into_iter().map(play).collect()
}

fn play(setup: &Setup, without: Techniques, evaluation: &Evaluation) -> Result<Worth> {
    let most = setup.games / 2;
    let (mut pairs, mut games, mut time_losses) = (Pairs::default(), [0; 3], 0);
    let mut progress = Progress::new(Some(most));
    workers::run_tasks(
        setup.engine.jobs.into(),
        &Tasks::new(0, most, HashSet::new()),
        &Stop::new(),
        |_| players(setup, without, evaluation),
        |players, number, end| play_one(setup, players, number, end),
        |pair: Option<PairResult>| {
            if let Some(pair) = pair {
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
        without: names(without),
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
fn players(setup: &Setup, without: Techniques, evaluation: &Evaluation) -> Result<[Player; 2]> {
    let player = |name: &str, techniques| -> Result<Player> {
        let size = TableSize::from_megabytes(setup.engine.hash as usize);
        let search = Solo::new(evaluation, size)?.with_techniques(techniques);
        Ok(Player {
            name: name.to_owned(),
            limit: setup.limit(),
            engine: Box::new(search),
        })
    };
    Ok([
        player("full", Techniques::DEFAULT | without)?,
        player("without", Techniques::DEFAULT - without)?,
    ])
}

/// Plays both games of an opening; `None` if the match has ended before.
fn play_one(
    setup: &Setup,
    [full, without]: &mut [Player; 2],
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
fn each(limit: Limit) -> Vec<Techniques> {
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
        match (self.elo, self.pairs.elo_interval()) {
            (Some(elo), Some((low, high))) if elo.error.is_finite() => {
                // Far from equality the interval is not symmetric, and is printed as it is.
                if (f64::midpoint(low, high) - elo.value).abs() < 1.0 {
                    format!("{:+.0} ± {:.0}", elo.value, elo.error)
                } else {
                    format!("{:+.0} ({low:+.0} .. {high:+.0})", elo.value)
                }
            }
            (Some(elo), _) => format!("{:+.0}, error unknown", elo.value),
            (None, _) => "nothing played".to_owned(),
        }
    }
}

/// The columns, with their widths in letters.
const HEADS: [(&str, usize); 6] = [
    ("worth of", 28),
    ("won", 7),
    ("drawn", 7),
    ("lost", 7),
    ("Elo (95%)", 22),
    ("likelihood", 12),
];

/// The results as a table for a terminal.
pub fn as_text(results: &[Worth]) -> String {
    let mut text = table::text(HEADS, results.iter().map(Worth::cells));
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

/// The results as CSV.
///
/// # Errors
///
/// If a cell cannot be written.
pub fn as_csv(results: &[Worth]) -> Result<String> {
    table::csv(HEADS.map(|head| head.0), results.iter().map(Worth::cells))
}

/// The Elo of each technique, with its interval.
pub fn chart(setup: &Setup, results: &[Worth]) -> Chart {
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
            "full search against the search without it, {}; lines are 95% intervals",
            setup.limit()
        ),
        axis: "Elo".to_owned(),
        scale: Scale::Linear,
        bars: results.iter().map(bar).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_is_not_symmetric_is_printed_as_it_is() {
        let text = |counts| {
            let pairs = Pairs::from(counts);
            let worth = Worth {
                without: String::new(),
                wins: 0,
                draws: 0,
                losses: 0,
                time_losses: 0,
                pairs,
                elo: pairs.elo(),
                likelihood: 0.0,
            };
            worth.elo_text()
        };
        assert_eq!(text([0, 0, 9, 13, 178]), "+558 (+494 .. +655)");
        assert_eq!(text([10, 20, 40, 25, 12]), "+15 ± 37");
        assert_eq!(text([0, 0, 30, 0, 0]), "+0, error unknown");
    }
}
