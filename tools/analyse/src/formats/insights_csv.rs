//! The aggregates as a table: a row for each group.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use super::csv::{Table, safe};
use super::{Format, RunInfo};
use skewer_analysis::insights::{Figures, Summary};
use skewer_analysis::report::JudgedGame;

struct InsightsCsv(Table);

#[derive(Serialize)]
struct Row<'a> {
    scope: &'a str,
    dimension: &'a str,
    group: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    score_percent: Option<f64>,
    rated_games: u64,
    rated_score_percent: Option<f64>,
    expected_percent: Option<f64>,
    moves: u64,
    accuracy: Option<f64>,
    average_loss: Option<f64>,
    inaccuracies: u64,
    mistakes: u64,
    blunders: u64,
    blunder_percent: Option<f64>,
    timed_moves: u64,
    seconds: Option<f64>,
}

impl<'a> Row<'a> {
    fn new(scope: &'a str, dimension: &'a str, group: &str, figures: &Figures) -> Self {
        Self {
            scope,
            dimension,
            group: safe(group).into_owned(),
            games: figures.games,
            wins: figures.wins,
            draws: figures.draws,
            losses: figures.losses,
            score_percent: figures.score_percent,
            rated_games: figures.rated_games,
            rated_score_percent: figures.rated_score_percent,
            expected_percent: figures.expected_percent,
            moves: figures.moves,
            accuracy: figures.accuracy,
            average_loss: figures.average_loss,
            inaccuracies: figures.inaccuracies,
            mistakes: figures.mistakes,
            blunders: figures.blunders,
            blunder_percent: figures.blunder_percent,
            timed_moves: figures.timed_moves,
            seconds: figures.seconds,
        }
    }
}

pub(crate) fn begin(path: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    Ok(Box::new(InsightsCsv(Table::create(path)?)))
}

impl Format for InsightsCsv {
    fn game(&mut self, _game: &JudgedGame) -> Result<()> {
        Ok(())
    }

    fn finish(mut self: Box<Self>, summary: &Summary<'_>) -> Result<()> {
        for (name, scope) in summary.scopes() {
            self.0
                .row(&Row::new(name, "total", "total", &scope.total))?;
            for (dimension, groups) in &scope.groups {
                for group in groups {
                    self.0
                        .row(&Row::new(name, dimension, &group.name, &group.figures))?;
                }
            }
        }
        self.0.finish()
    }
}
