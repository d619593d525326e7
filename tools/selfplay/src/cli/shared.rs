//! Options that several commands share: openings, adjudication, threads.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::game::MatchRules;
use anyhow::Result;
use clap::Args;
use clap::builder::{RangedI64ValueParser, TypedValueParser};
use skewer_console::options::own_file;
use skewer_games::rules::ScoreRule;
use skewer_movegen::CastlingMode;
use skewer_openings::{RandomOpening, Variant};

use crate::openings::{Openings, Order};

/// Openings.
#[derive(Debug, Args)]
pub(super) struct OpeningArgs {
    /// Openings from a file: EPD or FEN lines, or PGN [default: random balanced openings]
    #[arg(long = "openings", help_heading = "Openings", value_name = "FILE")]
    pub(super) file: Option<PathBuf>,
    /// The order of the openings of a file
    #[arg(
        long,
        value_enum,
        default_value_t,
        help_heading = "Openings",
        requires = "file"
    )]
    order: Order,
    /// How many plies of each game of a PGN file are the opening
    #[arg(
        long,
        default_value_t = 16,
        help_heading = "Openings",
        value_name = "PLIES",
        requires = "file"
    )]
    opening_plies: usize,
    /// Seed of random openings, or of the order of a file
    #[arg(long, default_value_t = 1, help_heading = "Openings")]
    pub(super) seed: u64,
    /// Variant of random openings: standard or chess960
    #[arg(long, default_value_t = Variant::Standard, help_heading = "Openings", conflicts_with = "file")]
    variant: Variant,
    /// Random moves of random openings, 0 to 100
    #[arg(
        long,
        default_value_t = 8,
        help_heading = "Openings",
        value_name = "PLIES",
        value_parser = random_plies(),
        conflicts_with = "file"
    )]
    random_plies: u32,
}

impl OpeningArgs {
    /// The openings.
    pub(super) fn openings(&self) -> Result<Openings> {
        Ok(match &self.file {
            Some(path) => Openings::read(path, self.opening_plies, self.order, self.seed)?,
            None => Openings::Random {
                recipe: RandomOpening {
                    variant: self.variant,
                    min_plies: self.random_plies,
                    max_plies: self.random_plies,
                },
                seed: self.seed,
            },
        })
    }

    /// Everything that affects the openings, as text for the record of the run.
    pub(super) fn description(&self, openings: &Openings) -> String {
        let start = match (openings, openings.mode()) {
            (Openings::Listed { fingerprint, .. }, _) => {
                let path = self.file.as_deref().unwrap_or(Path::new(""));
                format!(
                    "openings of {} ({fingerprint}, {:?} order, {} plies of a game)",
                    path.display(),
                    self.order,
                    self.opening_plies
                )
            }
            (_, CastlingMode::Standard) => format!("{} random plies", self.random_plies),
            (_, CastlingMode::Chess960) => {
                format!("{} random plies of Chess960", self.random_plies)
            }
        };
        format!("{start}, seed {}", self.seed)
    }
}

/// Reads the beginning of the names of several output files. Refuses a device, a pipe or an open descriptor, because no
/// file can be made beside it.
pub(super) fn beginning_of_names() -> impl TypedValueParser<Value = PathBuf> {
    own_file().try_map(|path| {
        if path.exists() && !path.is_dir() && !skewer_store::is_file_of_its_own(&path) {
            return Err("it is no regular file; give the beginning of the names of files");
        }
        Ok(path)
    })
}

/// Adjudication of games.
#[derive(Debug, Args)]
pub(super) struct EndArgs {
    /// Adjudicate a win when both engines have a score of SCORE or more for MOVES moves each
    #[arg(long, value_name = "MOVES:SCORE", value_parser = parse_resign,
          help_heading = "Adjudication")]
    resign: Option<ScoreRule>,
    /// Adjudicate a draw when, from move FROM on, both scores are within SCORE for MOVES moves each
    #[arg(long, value_name = "FROM:MOVES:SCORE", value_parser = parse_draw,
          help_heading = "Adjudication")]
    draw: Option<ScoreRule>,
}

impl EndArgs {
    /// The rules with this adjudication and time margin.
    pub(super) fn rules(&self, margin: Duration, mode: CastlingMode) -> MatchRules {
        MatchRules {
            win: self.resign,
            draw: self.draw,
            margin,
            mode,
        }
    }

    /// The adjudication, as text for the record of the run.
    pub(super) fn description(&self) -> String {
        let rule = |rule: Option<ScoreRule>| {
            rule.map_or("none".to_owned(), |rule| {
                format!(
                    "{} for {} plies from ply {}",
                    rule.score, rule.plies, rule.from
                )
            })
        };
        format!("resign {}, draw {}", rule(self.resign), rule(self.draw))
    }
}

/// Reads a number of random moves. Random games are rarely longer than the limit, so that a greater
/// number might never be reached.
pub(crate) fn random_plies() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(..=100)
}

fn numbers<const N: usize>(text: &str) -> Option<[i32; N]> {
    let numbers: Option<Vec<i32>> = text
        .split(':')
        .map(|part| part.trim().parse().ok().filter(|number| *number >= 0))
        .collect();
    numbers?.try_into().ok()
}

pub(super) fn parse_resign(text: &str) -> Result<ScoreRule, String> {
    let [moves, score] = numbers(text)
        .filter(|[moves, score]| *moves > 0 && *score > 0)
        .ok_or("give MOVES:SCORE, each at least 1, such as 4:600 for four moves each at 600")?;
    Ok(ScoreRule {
        score,
        plies: 2 * moves as u32,
        from: 0,
    })
}

pub(super) fn parse_draw(text: &str) -> Result<ScoreRule, String> {
    let [from, moves, score] = numbers(text).filter(|[_, moves, _]| *moves > 0).ok_or(
        "give FROM:MOVES:SCORE, at least one move, such as 35:6:8 for six moves each within 8 from move 35 on",
    )?;
    Ok(ScoreRule {
        score,
        plies: 2 * moves as u32,
        from: 2 * (from as u32).saturating_sub(1),
    })
}
