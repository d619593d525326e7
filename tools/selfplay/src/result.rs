//! The result of a match, as it is printed and saved.

use std::fmt::Write as _;

use serde::Serialize;

use skewer_games::sprt::{Decision, Sprt};
use skewer_games::stats::{Estimate, Pairs};

/// Games that an engine lost by something other than its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Forfeits {
    /// On time.
    pub time: u64,
    /// By an illegal move.
    pub illegal_moves: u64,
    /// By a crash or a hang.
    pub failures: u64,
}

/// The result of a match, or of the part that was played.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct MatchResult {
    /// The engines' names.
    pub names: [String; 2],
    /// Pairs that brought the first engine 0, ½, 1, 1½ and 2 points.
    pub pairs: Pairs,
    /// Games that the first engine won, drew, lost.
    pub games: [u64; 3],
    /// The difference in Elo.
    pub elo: Option<Estimate>,
    /// The difference in normalised Elo.
    pub normalised_elo: Option<Estimate>,
    /// The likelihood of superiority of the first engine; `None` while all pairs have one result.
    pub likelihood_of_superiority: Option<f64>,
    /// Pairs that were not played, because they would have repeated games.
    pub left_out: u64,
    /// The test, if there is one.
    pub sprt: Option<SprtResult>,
    /// Games that each engine lost other than by its moves.
    pub forfeits: [Forfeits; 2],
    /// The conditions of the match.
    pub conditions: String,
    /// The commit that this program was built from.
    pub commit: String,
    /// Whether the match is complete.
    pub finished: bool,
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct SprtResult {
    /// The test.
    pub test: Sprt,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// Its bounds: rejected at or below the first, accepted at or above the second.
    pub bounds: (f64, f64),
    /// The decision.
    pub decision: Decision,
}

impl MatchResult {
    /// The state in a line.
    pub(crate) fn description(&self) -> String {
        let [wins, draws, losses] = self.games;
        let mut words = format!("+{wins} ={draws} -{losses}");
        if let Some(elo) = self.elo {
            let _ = write!(words, " | Elo {:+.1} ± {:.1}", elo.value, elo.error);
        }
        if let Some(superior) = self.likelihood_of_superiority {
            let _ = write!(words, " | LOS {:.1}%", 100.0 * superior);
        }
        if let Some(sprt) = &self.sprt {
            let _ = write!(
                words,
                " | LLR {:+.2} [{:.2}, {:.2}]",
                sprt.ratio, sprt.bounds.0, sprt.bounds.1
            );
        }
        let lost: u64 = self.forfeits.iter().map(Forfeits::total).sum();
        if lost > 0 {
            let _ = write!(words, " | {lost} forfeits");
        }
        words
    }
}

impl Forfeits {
    fn total(&self) -> u64 {
        self.time + self.illegal_moves + self.failures
    }
}

impl std::fmt::Display for MatchResult {
    /// The result in full, as the program prints it at the end.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [wins, draws, losses] = self.games;
        let games = wins + draws + losses;
        let [first, second] = &self.names;
        writeln!(f, "{first} against {second}, {}", self.conditions)?;
        let percent = 100.0 * (wins as f64 + draws as f64 / 2.0) / games.max(1) as f64;
        writeln!(
            f,
            "Games: {games}, +{wins} ={draws} -{losses}, {percent:.1}%"
        )?;
        let [none, half, one, more, both] = self.pairs.counts();
        writeln!(
            f,
            "Pairs: {}, of 0, 1/2, 1, 1 1/2, 2 points: {none}, {half}, {one}, {more}, {both}",
            self.pairs.pairs()
        )?;
        if let Some(elo) = self.elo {
            write!(f, "Elo: {:+.1} +/- {:.1} (95%)", elo.value, elo.error)?;
            if let Some(elo) = self.normalised_elo {
                write!(f, ", normalised {:+.1} +/- {:.1}", elo.value, elo.error)?;
            }
            if let Some(superior) = self.likelihood_of_superiority {
                let superior = 100.0 * superior;
                write!(f, ", likelihood of superiority {superior:.1}%")?;
            }
            writeln!(f)?;
        }
        if self.left_out > 0 {
            writeln!(
                f,
                "Left out: {} pair{}, because the opening had been played",
                self.left_out,
                if self.left_out == 1 { "" } else { "s" }
            )?;
        }
        if let Some(sprt) = &self.sprt {
            let (elo0, elo1) = (sprt.test.elo0, sprt.test.elo1);
            let said = match sprt.decision {
                Decision::Accept => format!("accepted: {elo1} is likelier than {elo0}"),
                Decision::Reject => format!("rejected: {elo0} is likelier than {elo1}"),
                Decision::Continue => "undecided".to_owned(),
            };
            writeln!(
                f,
                "SPRT [{elo0}, {elo1}] normalised Elo: LLR {:+.2} of [{:.2}, {:.2}], {said}",
                sprt.ratio, sprt.bounds.0, sprt.bounds.1
            )?;
        }
        for (name, lost) in self.names.iter().zip(&self.forfeits) {
            writeln!(
                f,
                "{name}: {} time losses, {} illegal moves, {} failures",
                lost.time, lost.illegal_moves, lost.failures
            )?;
        }
        if self.finished {
            Ok(())
        } else {
            writeln!(f, "Interrupted.")
        }
    }
}
