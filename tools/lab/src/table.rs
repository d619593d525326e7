//! Tables for a terminal and as Markdown.

use std::fmt::Write as _;

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

/// A Markdown table. `alignment` is that of all columns but the first: `---` or `---:`.
pub(crate) fn markdown<const N: usize>(
    heads: [&str; N],
    alignment: &str,
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let rule = format!("|{alignment}").repeat(N - 1);
    let mut text = format!("| {} |\n|---{rule}|\n", heads.join(" | "));
    for cells in rows {
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}
