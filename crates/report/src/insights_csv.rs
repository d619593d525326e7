//! The aggregates as a table: a row for each group.

use std::borrow::Cow;
use std::path::Path;

use anyhow::Result;
use serde::Serialize;

use crate::csv::{Table, safe};
use crate::{Format, RunInfo, Summaries};
use skewer_analysis::insights::Figures;

struct InsightsCsv(Table);

/// The group of a row, in its first columns. The figures follow in further columns.
#[derive(Serialize)]
struct Place<'a> {
    scope: &'a str,
    dimension: &'a str,
    group: Cow<'a, str>,
}

/// Creates the file for the aggregates; `-` is the standard output.
///
/// # Errors
///
/// When it cannot be created.
pub fn begin(path: &Path, _run: &RunInfo<'_>) -> Result<Box<dyn Format>> {
    Ok(Box::new(InsightsCsv(Table::create(path, &[])?)))
}

impl Format for InsightsCsv {
    fn finish(mut self: Box<Self>, summaries: &Summaries<'_>) -> Result<()> {
        for (scope, summary) in summaries.every.scopes() {
            let mut row = |dimension, group, figures: &Figures| {
                let group = safe(group);
                let place = Place {
                    scope,
                    dimension,
                    group,
                };
                self.0.row(&(place, figures))
            };
            row("total", "total", &summary.total)?;
            for (dimension, groups) in &summary.groups {
                for group in groups {
                    row(dimension, &group.name, &group.figures)?;
                }
            }
        }
        self.0.finish()
    }
}
