//! The data of the report as the scripts of the page read it, in JSON: the list of games, each game, and the
//! aggregates. `page/data.js` reads it.

mod game;
mod index;

use anyhow::Result;
use serde::Serialize;
use serde_json::{Value, json};

use crate::Summaries;

pub(crate) use game::PageGame;
pub(crate) use index::Index;

/// The most groups of a dimension in the page. The aggregates as JSON and CSV have all groups.
const PAGE_GROUPS: usize = 200;

/// A value as JSON that may stand within a script.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String> {
    // The browser would parse `</script>` in a text as the end of the script.
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// The aggregates, once with every label and once with sure labels alone. Of each dimension except the months, only the
/// first [`PAGE_GROUPS`] groups are kept, which are the largest.
pub(crate) fn insights_json(summaries: &Summaries<'_>) -> Result<String> {
    let mut value = json!({ "every": summaries.every, "sure": summaries.sure });
    for scope in ["every/all", "every/player", "sure/all", "sure/player"] {
        let groups = value.pointer_mut(&format!("/{scope}/groups"));
        for (dimension, rows) in groups.and_then(Value::as_object_mut).into_iter().flatten() {
            if let Some(rows) = rows.as_array_mut()
                && dimension != "month"
            {
                rows.truncate(PAGE_GROUPS);
            }
        }
    }
    json_text(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_a_script() {
        let text = json_text(&"</script><b>").unwrap();
        assert!(!text.contains('<'), "{text}");
    }
}
