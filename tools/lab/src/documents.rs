//! Documents whose tables the lab makes.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// How a table begins; the command follows, up to `-->`.
const BEGIN: &str = "<!-- made by: skewer-lab ";
/// How it ends.
const END: &str = "<!-- end -->";

/// Makes the tables of `file` whose command contains `only`.
pub(crate) fn remake(
    file: &Path,
    only: Option<&str>,
    make: impl Fn(&str) -> Result<String>,
) -> Result<String> {
    let old = fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
    let mut new = String::new();
    let mut rest = old.as_str();
    let mut made = String::new();
    while let Some(at) = rest.find(BEGIN) {
        let (before, marked) = rest.split_at(at);
        let (head, body) = marked
            .split_once("-->")
            .with_context(|| format!("{}: a marker without an end", file.display()))?;
        let (table, after) = body
            .split_once(END)
            .with_context(|| format!("{}: a table without `{END}`", file.display()))?;
        let line = head[BEGIN.len()..].trim();
        let table = if only.is_none_or(|only| line.contains(only)) {
            made.push_str(line);
            made.push('\n');
            format!("\n\n{}\n", make(line)?)
        } else {
            table.to_owned()
        };
        for part in [before, head, "-->", &table, END] {
            new.push_str(part);
        }
        rest = after;
    }
    new.push_str(rest);
    skewer_store::write(file, new)?;
    Ok(made)
}
