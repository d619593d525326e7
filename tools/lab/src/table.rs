//! Tables for a terminal and for files.

use std::fmt::Write as _;

use anyhow::Result;

/// A table for a terminal: `columns` are heads with their widths in letters. The first column is aligned on
/// the left.
pub(crate) fn text<const N: usize>(
    columns: [(&str, usize); N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let mut text = String::new();
    for cells in std::iter::once(columns.map(|(head, _)| head.to_owned())).chain(rows) {
        for (index, (cell, (_, width))) in cells.iter().zip(columns).enumerate() {
            let _ = match index {
                0 => write!(text, "{cell:<width$}"),
                _ => write!(text, "{cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}

/// A table as CSV, for a file.
pub(crate) fn csv<const N: usize>(
    heads: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(heads)?;
    for row in rows {
        writer.write_record(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
