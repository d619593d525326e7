//! What all formats have in common. A format is a type that implements [`Format`], in a file of its own.

use anyhow::{Result, bail};

use crate::PageEngine;
use skewer_analysis::analyst::SettingsRecord;
use skewer_analysis::insights::{Insights, Player, Summary};
use skewer_analysis::judged::{Counted, JudgedGame, Origin};

/// Writes the results of a run in one format. Games come in their order.
pub trait Format {
    /// Writes a game.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn game(&mut self, _game: &JudgedGame) -> Result<()> {
        Ok(())
    }

    /// Notes a game that could not be read.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn bad(&mut self, _origin: &Origin, _reason: &str) -> Result<()> {
        Ok(())
    }

    /// Completes the output.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    fn finish(self: Box<Self>, summaries: &Summaries<'_>) -> Result<()>;
}

/// What a run does if none of its games has the player whose games were asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingPlayer {
    /// The run fails.
    IsError,
    /// Nothing: the input was searched for the player before, or is only a part of the games.
    IsAllowed,
}

/// The aggregates of a run.
#[derive(Debug)]
pub struct Summaries<'a> {
    /// With every label.
    pub every: Summary<'a>,
    /// Without labels that are not sure.
    pub sure: Summary<'a>,
}

/// What a format receives at the beginning of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunInfo<'a> {
    /// The settings of the run; `None` for a page that begins without a run.
    pub settings: Option<&'a SettingsRecord>,
    /// The engine for the pages of the report.
    pub page_engine: Option<&'a PageEngine>,
    /// Whether the pages have no engine because the user asked for that.
    pub engine_left_out: bool,
}

impl RunInfo<'_> {
    /// The settings as a line of text; empty without a run.
    pub fn settings_text(&self) -> String {
        self.settings.map_or_else(String::new, ToString::to_string)
    }
}

/// All outputs of a run.
pub struct Outputs {
    formats: Vec<Box<dyn Format>>,
    insights: Insights,
    /// The same without labels that are not sure.
    sure: Insights,
}

impl Outputs {
    /// Outputs that have begun. `settings` describes how the games are analysed. The moves of `player` are also counted
    /// separately.
    pub fn new(formats: Vec<Box<dyn Format>>, settings: &str, player: Option<Player>) -> Self {
        Self {
            formats,
            sure: Insights::new(settings, player.clone()).counting(Counted::Sure),
            insights: Insights::new(settings, player),
        }
    }

    /// Writes a game.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn game(&mut self, game: &JudgedGame) -> Result<()> {
        self.insights.game(game);
        self.sure.game(game);
        self.formats
            .iter_mut()
            .try_for_each(|format| format.game(game))
    }

    /// Notes a game that could not be read.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.insights.bad();
        self.sure.bad();
        self.formats
            .iter_mut()
            .try_for_each(|format| format.bad(origin, reason))
    }

    /// The aggregates of the games so far.
    pub fn summaries(&self) -> Summaries<'_> {
        Summaries {
            every: self.insights.summary(),
            sure: self.sure.summary(),
        }
    }

    /// Completes the outputs.
    ///
    /// # Errors
    ///
    /// When an output cannot be completed. With [`MissingPlayer::IsError`], also if no game has the player, after the
    /// outputs have been completed.
    pub fn finish(mut self, missing: MissingPlayer) -> Result<()> {
        let formats = std::mem::take(&mut self.formats);
        let summaries = self.summaries();
        for format in formats {
            format.finish(&summaries)?;
        }
        if let Some(player) = self.insights.player_not_found()
            && self.insights.games() > 0
            && missing == MissingPlayer::IsError
        {
            bail!("no game has the player {}", player.names().join(" or "));
        }
        Ok(())
    }
}
