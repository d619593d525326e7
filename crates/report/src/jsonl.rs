//! A line of JSON for each game.

use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use skewer_analysis::params::SCHEMA;

use crate::Output;
use crate::{Format, RunInfo, Summaries};
use skewer_analysis::json;
use skewer_analysis::judged::{JudgedGame, Origin};

/// The first line.
#[derive(Serialize)]
struct Header<'a> {
    schema: &'a str,
    kind: &'a str,
    settings: &'a str,
}

/// The line of a game that could not be read.
#[derive(Serialize)]
struct Bad<'a> {
    schema: &'a str,
    kind: &'a str,
    number: u64,
    file: &'a str,
    line: u64,
    reason: &'a str,
}

struct JsonLines(Output);

/// Creates the file for the lines of JSON; `-` is the standard output.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    let mut out = Output::create(path)?;
    out.json_line(&Header {
        schema: SCHEMA,
        kind: "header",
        settings: &run.settings_text(),
    })?;
    Ok(Box::new(JsonLines(out)))
}

impl Format for JsonLines {
    fn game(&mut self, game: &JudgedGame) -> Result<()> {
        self.0.json_line(&json::Record::new(game))
    }

    fn bad(&mut self, origin: &Origin, reason: &str) -> Result<()> {
        self.0.json_line(&Bad {
            schema: SCHEMA,
            kind: "bad",
            number: origin.number,
            file: &origin.file,
            line: origin.line,
            reason,
        })
    }

    fn finish(self: Box<Self>, _summaries: &Summaries<'_>) -> Result<()> {
        self.0.finish()
    }
}
