//! A summary on the standard output, for runs without another output: a line for each game, then
//! the totals of the players.

use std::path::Path;

use anyhow::Result;
use skewer_movegen::{Color, Outcome};

use skewer_analysis::insights::Figures;
use skewer_analysis::judged::{JudgedGame, Origin};
use skewer_analysis::params::SURE;
use skewer_report::{Format, Output, Summaries};
use skewer_types::printable;

/// Players in the table of totals.
const PLAYERS: usize = 20;

/// Columns of a name.
const NAME: usize = 20;

/// Opens the standard output with the first line, so that a run without games prints nothing.
#[derive(Default)]
struct Terminal(Option<Output>);

pub(crate) fn begin() -> Box<dyn Format> {
    Box::new(Terminal::default())
}

impl Terminal {
    fn out(&mut self) -> Result<&mut Output> {
        if self.0.is_none() {
            let mut out = Output::create(Path::new("-"))?;
            out.text(&format!(
                "{:>5}  {:NAME$}  {:NAME$}  {:7}  {:>13}  {:>9}  {:>11}  {:>11}\n",
                "game",
                "White",
                "Black",
                "result",
                "game accuracy",
                "cp loss",
                "W ?!  ?  ??",
                "B ?!  ?  ??"
            ))?;
            self.0 = Some(out);
        }
        self.0
            .as_mut()
            .ok_or_else(|| anyhow::anyhow!("the standard output is closed"))
    }
}

impl Format for Terminal {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        let pair = |figure: fn(&skewer_analysis::formulas::PlayerFigures) -> Option<f64>| {
            let [white, black] = [0, 1].map(|player| number(figure(&game.figures[player])));
            format!("{white:>3} / {black:<3}")
        };
        let marks = |color| {
            let [inaccuracies, mistakes, blunders] = game.marks(color);
            format!("{inaccuracies:>3} {mistakes:>3} {blunders:>3}")
        };
        let line = format!(
            "{:>5}  {}  {}  {:7}  {:>13}  {}  {}  {}\n",
            game.origin.number,
            column(game.player(Color::White)),
            column(game.player(Color::Black)),
            Outcome::pgn_result(game.game.outcome),
            pair(|figures| figures.accuracy),
            pair(|figures| figures.average_loss),
            marks(Color::White),
            marks(Color::Black),
        );
        let out = self.out()?;
        out.text(&line)?;
        Ok(std::io::Write::flush(out)?)
    }

    fn bad(&mut self, origin: &Origin, _reason: &str) -> Result<()> {
        let line = format!("{:>5}  not read\n", origin.number);
        self.out()?.text(&line)
    }

    fn finish(mut self: Box<Self>, summaries: &Summaries<'_>) -> Result<()> {
        let Some(mut out) = self.0.take() else {
            return Ok(());
        };
        out.text(&format!(
            "\n{:NAME$}  {:>5}  {:>6}  {:>13}  {:>7}  {:>5}  {:>5}  {:>5}  {:>6}\n",
            "player", "games", "score", "move accuracy", "cp loss", "?!", "?", "??", "moves"
        ))?;
        let summary = &summaries.every;
        let players = summary.all.groups.get("player");
        let players = players.map_or(&[][..], Vec::as_slice);
        for player in players.iter().take(PLAYERS) {
            out.text(&totals(&player.name, &player.figures))?;
        }
        if let Some(more) = players.len().checked_sub(PLAYERS).filter(|&more| more > 0) {
            let players = if more == 1 { "player" } else { "players" };
            out.text(&format!("and {more} more {players}\n"))?;
        }
        let total = &summary.all.total;
        out.text(&totals("all (White's score)", total))?;
        out.text("\n")?;
        out.text(&certainty(labels(total), labels(&summaries.sure.all.total)))?;
        out.text(
            "Game accuracy is lichess's figure for a game, move accuracy the mean over moves.\n",
        )?;
        out.text("\nFor boards, graphs and more figures: --html report.html, or --html-folder report for many games.\n")?;
        out.finish()
    }
}

/// The number of labels.
fn labels(figures: &Figures) -> u64 {
    figures.inaccuracies + figures.mistakes + figures.blunders
}

/// A line that says how many of all labels are sure; nothing if there is no label.
fn certainty(every: u64, sure: u64) -> String {
    if every == 0 {
        return String::new();
    }
    let labels = if every == 1 { "label" } else { "labels" };
    let are = if every == 1 || sure == 1 { "is" } else { "are" };
    format!(
        "{sure} of {every} {labels} (?! ? ??) {are} at least {:.0}% likely to stay the same in a much longer search.\n",
        100.0 * SURE
    )
}

fn totals(name: &str, figures: &Figures) -> String {
    let score = figures
        .score_percent
        .map_or_else(|| "-".to_owned(), |score| format!("{score:.0}%"));
    format!(
        "{}  {:>5}  {score:>6}  {:>13}  {:>7}  {:>5}  {:>5}  {:>5}  {:>6}\n",
        column(name),
        figures.games,
        number(figures.accuracy),
        number(figures.average_loss),
        figures.inaccuracies,
        figures.mistakes,
        figures.blunders,
        figures.moves,
    )
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.0}"))
}

/// A name in its column, without control characters, which a terminal would obey.
fn column(name: &str) -> String {
    let name = printable(name).to_string();
    let short: String = if name.chars().count() > NAME {
        name.chars().take(NAME - 1).chain(['…']).collect()
    } else {
        name
    };
    format!("{short:NAME$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sure_labels_are_counted_in_plain_english() {
        assert_eq!(certainty(0, 0), "");
        for (every, sure, beginning) in [
            (1, 0, "0 of 1 label (?! ? ??) is at least 85% likely"),
            (1, 1, "1 of 1 label (?! ? ??) is at least"),
            (10, 0, "0 of 10 labels (?! ? ??) are at least"),
            (10, 1, "1 of 10 labels (?! ? ??) is at least"),
            (10, 2, "2 of 10 labels (?! ? ??) are at least"),
        ] {
            let line = certainty(every, sure);
            assert!(line.starts_with(beginning), "{line}");
        }
    }

    #[test]
    fn names_fit_their_column_and_cannot_control_the_terminal() {
        assert_eq!(column("\u{1b}[31mRed"), format!("{:NAME$}", "?[31mRed"));
        assert_eq!(column(&"x".repeat(30)).chars().count(), NAME);
    }
}
