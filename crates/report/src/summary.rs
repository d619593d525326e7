//! The aggregates as JSON.

use std::path::Path;

use anyhow::Result;

use skewer_types::printable_json;

use crate::Output;
use crate::{Format, RunInfo, Summaries};

struct SummaryJson(Output);

/// Creates the file for the aggregates; `-` is the standard output.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    Ok(Box::new(SummaryJson(Output::create(path)?)))
}

impl Format for SummaryJson {
    fn finish(mut self: Box<Self>, summaries: &Summaries<'_>) -> Result<()> {
        self.0
            .text(&printable_json(&serde_json::to_string_pretty(&summaries.every)?).to_string())?;
        self.0.text("\n")?;
        self.0.finish()
    }
}
